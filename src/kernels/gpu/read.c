/* Reading profiles of GPUs from text, and writing them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/guess.h"
#include "kernels/gpu/profile.h"

/* Maximum bytes of a line. */
#define LINE_MAX 511

enum kind { KIND_TEXT, KIND_CAPABILITY, KIND_COUNT, KIND_BYTES, KIND_RATE, KIND_SPEED, KIND_TIME };

/* The source of a key's value if the profile does not give it. */
enum from {
    FROM_NOTHING,    /* the key has to be given */
    FROM_NOBODY,     /* none: the value is 0, which means unknown */
    FROM_CAPABILITY, /* the compute capability, if known */
    FROM_OTHERS, /* for constants: measured ones (gpu_pace_derive). Either all of these keys are present, with
                    a number or as "derived", or none */
    FROM_LAUNCH  /* the key `launch` (analysis/forecast/time.h), since older profiles lack this key */
};

#define DERIVED "derived"

/* A key of a profile, and the member of struct gpu for its value. */
struct field {
    const char *key;
    enum kind kind;
    size_t offset, size; /* where the member lies in struct gpu, and its bytes */
    double min, max;     /* the range of a number */
    enum from from;
};

#define MEMBER(name) offsetof(struct gpu, name), sizeof((struct gpu *)0)->name
#define GIB 1073741824.0

static const struct field fields[] = {
    {"title", KIND_TEXT, MEMBER(title), 0, 0, FROM_NOTHING},
    {"source", KIND_TEXT, MEMBER(source), 0, 0, FROM_NOTHING},
    {"compute capability", KIND_CAPABILITY, MEMBER(major), 2, 99, FROM_NOTHING},
    {"multiprocessors", KIND_COUNT, MEMBER(multiprocessors), 1, 65536, FROM_NOTHING},
    {"L2", KIND_BYTES, MEMBER(cache), 1024, 1024 * GIB, FROM_NOTHING},
    {"memory", KIND_BYTES, MEMBER(memory), 1024 * 1024, 1048576 * GIB, FROM_NOTHING},
    {"bandwidth", KIND_RATE, MEMBER(bandwidth), 1e6, 1e18, FROM_NOTHING},
    {"peak double", KIND_SPEED, MEMBER(peak_f64), 1e6, 1e18, FROM_NOBODY},
    {"peak single", KIND_SPEED, MEMBER(peak_f32), 1e6, 1e18, FROM_NOBODY},
    {"granule", KIND_BYTES, MEMBER(granule), 32, 128, FROM_CAPABILITY},
    {"warps", KIND_COUNT, MEMBER(warps), 1, 4096, FROM_CAPABILITY},
    {"blocks", KIND_COUNT, MEMBER(blocks), 1, 4096, FROM_CAPABILITY},
    {"registers", KIND_COUNT, MEMBER(registers), 1024, 1 << 24, FROM_CAPABILITY},
    {"registers a thread", KIND_COUNT, MEMBER(thread_registers), 1, 65536, FROM_CAPABILITY},
    {"register unit", KIND_COUNT, MEMBER(register_unit), 1, 65536, FROM_CAPABILITY},
    {"warp unit", KIND_COUNT, MEMBER(warp_unit), 1, 64, FROM_CAPABILITY},
    {"shared memory", KIND_BYTES, MEMBER(shared), 1024, GIB, FROM_CAPABILITY},
    {"shared memory a block", KIND_BYTES, MEMBER(shared_block), 1024, GIB, FROM_CAPABILITY},
    {"shared memory reserved", KIND_BYTES, MEMBER(shared_reserved), 0, 1024 * 1024, FROM_CAPABILITY},
    {"shared memory unit", KIND_BYTES, MEMBER(shared_unit), 1, 65536, FROM_CAPABILITY},
    {"L1", KIND_BYTES, MEMBER(l1), 0, 1024 * 1024, FROM_CAPABILITY},
    {"L1 with shared memory", KIND_COUNT, MEMBER(l1_shared), 0, 1, FROM_CAPABILITY},
    {"L2 partitions", KIND_COUNT, MEMBER(partitions), 1, 16, FROM_CAPABILITY},
    {"measured on", KIND_TEXT, MEMBER(pace.measured_on), 0, 0, FROM_NOTHING},
    {"launch", KIND_TIME, MEMBER(pace.launch), 1e-9, 1, FROM_OTHERS},
    {"early launch", KIND_TIME, MEMBER(pace.early), 1e-9, 1, FROM_LAUNCH},
    {"next launch", KIND_TIME, MEMBER(pace.next), 1e-9, 1, FROM_OTHERS},
    {"L1 latency", KIND_TIME, MEMBER(pace.l1_latency), 1e-9, 1e-3, FROM_OTHERS},
    {"L2 latency", KIND_TIME, MEMBER(pace.l2_latency), 1e-9, 1e-3, FROM_OTHERS},
    {"memory latency", KIND_TIME, MEMBER(pace.memory_latency), 1e-9, 1e-3, FROM_OTHERS},
    {"shared memory latency", KIND_TIME, MEMBER(pace.shared_latency), 1e-9, 1e-3, FROM_OTHERS},
    {"L1 bandwidth", KIND_RATE, MEMBER(pace.l1), 1e6, 1e18, FROM_OTHERS},
    {"L2 bandwidth", KIND_RATE, MEMBER(pace.l2), 1e6, 1e18, FROM_OTHERS},
    {"read bandwidth", KIND_RATE, MEMBER(pace.read), 1e6, 1e18, FROM_OTHERS},
    {"write bandwidth", KIND_RATE, MEMBER(pace.write), 1e6, 1e18, FROM_OTHERS},
    {"reduction bandwidth", KIND_RATE, MEMBER(pace.reductions), 1e6, 1e18, FROM_OTHERS},
    {"meeting addition", KIND_TIME, MEMBER(pace.meeting), 1e-12, 1e-3, FROM_OTHERS},
};
#define FIELDS ((int)(sizeof fields / sizeof *fields))

/* A profile being read. */
struct reading {
    const char *path;
    struct gpu *gpu;
    int64_t line;
    int64_t given[FIELDS]; /* the line of each key; 0 if not yet given */
    bool derived[FIELDS];  /* the profile says that the constant is derived */
    struct error *error;
};

/* Trims blanks from both ends in place, and returns the text's new beginning. *column grows by the number of
 * blanks in front. */
static char *trim(char *text, int64_t *column)
{
    size_t front = strspn(text, " \t\r\v\f"), length;
    text += front;
    *column += (int64_t)front;
    length = strlen(text);
    while (length && strchr(" \t\r\v\f", text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}

/* Write the key in lower case, with a blank for each _; keys are compared in this form. */
static void fold(const char *key, char *out, size_t size)
{
    size_t k = 0;
    for (; key[k] && k + 1 < size; k++)
        out[k] = (char)(key[k] == '_' ? ' ' : key[k] >= 'A' && key[k] <= 'Z' ? key[k] - 'A' + 'a' : key[k]);
    out[k] = 0;
}

static int find_field(const char *key)
{
    char wanted[64], known[64];
    fold(key, wanted, sizeof wanted);
    for (int k = 0; k < FIELDS; k++) {
        fold(fields[k].key, known, sizeof known);
        if (strlen(key) < sizeof wanted && strcmp(wanted, known) == 0) return k;
    }
    return -1;
}

static void append_key(char *list, size_t size, const char *key)
{
    size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length ? ", " : "", key);
}

static enum status unknown_key(const struct reading *reading, const char *key, int64_t column)
{
    char wanted[64], known[64], quoted[64], list[1024] = "", meant[GUESS_TEXT];
    struct guess guess;
    fold(key, wanted, sizeof wanted);
    guess_start(&guess, wanted, strlen(wanted));
    for (int k = 0; k < FIELDS; k++) {
        fold(fields[k].key, known, sizeof known);
        snprintf(quoted, sizeof quoted, "'%s'", fields[k].key);
        guess_offer(&guess, known, quoted);
        append_key(list, sizeof list, fields[k].key);
    }
    if (guess_text(&guess, meant)[0])
        return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, column,
                        "a GPU has no '%.40s'%s?", key, meant);
    return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, column,
                    "a GPU has no '%.40s'; the keys are %s", key, list);
}

/* Returns the multiple that a unit of this kind stands for, such as 1024 for "KiB"; 0 for an unknown unit.
 * For times it is the number of units in a second, such as 1e6 for "us", by which numbers are divided, since
 * its inverse is not exact. */
static double unit_scale(enum kind kind, const char *unit)
{
    static const struct {
        enum kind kind;
        const char *name;
        double scale;
    } units[] = {{KIND_TIME, "s", 1},           {KIND_TIME, "ms", 1e3},       {KIND_TIME, "us", 1e6},
                 {KIND_TIME, "ns", 1e9},        {KIND_SPEED, "MFLOP/s", 1e6}, {KIND_SPEED, "GFLOP/s", 1e9},
                 {KIND_SPEED, "TFLOP/s", 1e12}, {KIND_COUNT, "", 1},          {KIND_BYTES, "", 1},
                 {KIND_BYTES, "B", 1},          {KIND_BYTES, "KB", 1e3},      {KIND_BYTES, "MB", 1e6},
                 {KIND_BYTES, "GB", 1e9},       {KIND_BYTES, "TB", 1e12},     {KIND_BYTES, "KiB", 0x1p10},
                 {KIND_BYTES, "MiB", 0x1p20},   {KIND_BYTES, "GiB", 0x1p30},  {KIND_BYTES, "TiB", 0x1p40}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (units[k].kind == kind &&
            (kind == KIND_TIME ? strcmp(units[k].name, unit) : strcasecmp(units[k].name, unit)) == 0)
            return units[k].scale;
    return 0;
}

/* Read the number, of digits and at most one point, at the beginning of the text. Returns the text after it,
 * or NULL if there is no number. */
static const char *read_number(const char *text, double *number)
{
    char digits[40], *end;
    size_t length = strspn(text, "0123456789.");
    if (length == 0 || length >= sizeof digits) return NULL;
    memcpy(digits, text, length);
    digits[length] = 0;
    *number = strtod(digits, &end);
    return *end || end == digits ? NULL : text + length;
}

static enum status wrong_value(const struct reading *reading, int k, const char *value, int64_t column,
                               const char *wanted)
{
    return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, column, "%s = %.40s is %s",
                    fields[k].key, value, wanted);
}

/* Write the message about a value out of range, with the limits in readable units. */
static const char *range_text(const struct field *field, char *out, size_t size)
{
    char min[32], max[32];
    if (field->kind == KIND_BYTES || field->kind == KIND_RATE)
        snprintf(out, size, "out of range: it lies between %s and %s%s",
                 format_bytes(min, sizeof min, field->min), format_bytes(max, sizeof max, field->max),
                 field->kind == KIND_RATE ? " a second" : "");
    else if (field->kind == KIND_TIME)
        snprintf(out, size, "out of range: it lies between %s and %s",
                 format_seconds(min, sizeof min, field->min), format_seconds(max, sizeof max, field->max));
    else if (field->kind == KIND_SPEED)
        snprintf(out, size, "out of range: it lies between 1 MFLOP/s and 1e6 TFLOP/s");
    else
        snprintf(out, size, "out of range: it lies between %.0f and %.0f", field->min, field->max);
    return out;
}

/* The fault of a number of each kind, if it has no unit. */
static const char *const unit_words[] = {
    [KIND_COUNT] = "not a whole number",
    [KIND_BYTES] = "not in B, KB, MB, GB, TB (powers of 1000), or KiB, MiB, GiB, TiB (of 1024)",
    [KIND_RATE] = "not in B/s, KB/s, MB/s, GB/s, TB/s, or in KiB/s, MiB/s, GiB/s, TiB/s",
    [KIND_SPEED] = "not in MFLOP/s, GFLOP/s or TFLOP/s",
    [KIND_TIME] = "not in ns, us, ms or s",
};

/* Read a number with the unit of its kind: an integer has none, a size has bytes or a multiple of them, a
 * rate may also end in "/s", and a time or a speed, operations a second, has one in any case. */
static enum status read_amount(struct reading *reading, int k, const char *value, int64_t column)
{
    const struct field *field = &fields[k];
    char unit[16], range[128];
    double number = 0;
    const char *rest = read_number(value, &number);
    if (!rest) return wrong_value(reading, k, value, column, "not a number that is 0 or more");
    rest += strspn(rest, " \t");
    size_t length = strlen(rest);
    if (field->kind == KIND_RATE && length > 2 && strcmp(rest + length - 2, "/s") == 0) length -= 2;
    snprintf(unit, sizeof unit, "%.*s", (int)length, rest);
    double scale =
        length < sizeof unit ? unit_scale(field->kind == KIND_RATE ? KIND_BYTES : field->kind, unit) : 0;
    if (scale == 0 || (field->kind == KIND_COUNT && number != floor(number)))
        return wrong_value(reading, k, value, column, unit_words[field->kind]);
    number = field->kind == KIND_TIME ? number / scale : number * scale;
    if (!(number >= field->min && number <= field->max))
        return wrong_value(reading, k, value, column, range_text(field, range, sizeof range));
    char *member = (char *)reading->gpu + field->offset;
    if (field->kind >= KIND_RATE)
        memcpy(member, &number, sizeof number);
    else if (field->size == sizeof(int))
        memcpy(member, &(int){(int)number}, sizeof(int));
    else
        memcpy(member, &(size_t){(size_t)round(number)}, sizeof(size_t));
    return STATUS_OK;
}

/* Read a compute capability: "9.0" is major 9, minor 0. */
static enum status read_capability(struct reading *reading, int k, const char *value, int64_t column)
{
    int major = 0, minor = 0, end = 0;
    bool digits = strspn(value, "0123456789.") == strlen(value) && strlen(value) <= 4;
    if (!digits || sscanf(value, "%d.%d%n", &major, &minor, &end) != 2 || value[end] || minor > 9)
        return wrong_value(reading, k, value, column, "not a compute capability such as 9.0");
    if (major < fields[k].min || major > fields[k].max)
        return wrong_value(reading, k, value, column, "out of range: the minimum is 2.0");
    reading->gpu->major = major;
    reading->gpu->minor = minor;
    return STATUS_OK;
}

static enum status read_text(struct reading *reading, int k, const char *value, int64_t column)
{
    char *member = (char *)reading->gpu + fields[k].offset;
    if (strlen(value) >= fields[k].size) return wrong_value(reading, k, value, column, "too long");
    snprintf(member, fields[k].size, "%s", value);
    text_visible(member);
    return STATUS_OK;
}

/* Read one line, without its line end. */
static enum status read_line(struct reading *reading, char *line)
{
    int64_t column = 1, key_column = 1;
    if (line[0] == '#') return STATUS_OK;
    const char *first = strchr(line, '=');
    for (char *mark = line; (mark = strchr(mark, '#')); mark++)
        if (strchr(" \t", mark[-1]) || mark - 1 == first) {
            *mark = 0;
            break;
        }
    char *equals = strchr(line, '=');
    if (!equals) {
        char *rest = trim(line, &column);
        if (!*rest) return STATUS_OK;
        return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, column,
                        "'%.40s' is not of the form 'key = value'", rest);
    }
    *equals = 0;
    column = equals - line + 2;
    const char *key = trim(line, &key_column), *value = trim(equals + 1, &column);
    int k = find_field(key);
    if (k < 0) return unknown_key(reading, key, key_column);
    if (reading->given[k])
        return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, key_column,
                        "'%s' is given twice: it is in line %lld already", fields[k].key,
                        (long long)reading->given[k]);
    if (!*value)
        return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, column,
                        "'%s' has no value", fields[k].key);
    reading->given[k] = reading->line;
    reading->derived[k] = fields[k].from == FROM_OTHERS && strcasecmp(value, DERIVED) == 0;
    if (reading->derived[k]) return STATUS_OK;
    if (fields[k].kind == KIND_TEXT) return read_text(reading, k, value, column);
    if (fields[k].kind == KIND_CAPABILITY) return read_capability(reading, k, value, column);
    return read_amount(reading, k, value, column);
}

/* True if a profile is complete without the key. */
static bool may_lack(const struct field *field)
{
    return field->from >= FROM_OTHERS || field->from == FROM_NOBODY || strcmp(field->key, "source") == 0 ||
           strcmp(field->key, "measured on") == 0;
}

/* Fill in missing keys that the compute capability determines. Fails if another key is missing, or if the
 * compute capability is not in the table. */
static enum status complete(struct reading *reading)
{
    struct gpu *gpu = reading->gpu, like = *gpu;
    char missing[400] = "";
    bool known = gpu_limits(&like) || !gpu->major;
    for (int k = 0; k < FIELDS; k++) {
        if (reading->given[k] || may_lack(&fields[k])) continue;
        if (fields[k].from == FROM_CAPABILITY && known)
            memcpy((char *)gpu + fields[k].offset, (char *)&like + fields[k].offset, fields[k].size);
        else
            append_key(missing, sizeof missing, fields[k].key);
    }
    if (!missing[0]) return STATUS_OK;
    return error_at(reading->error, STATUS_INPUT, reading->path, 0, 0, "the profile lacks %s%s", missing,
                    known ? "" : "; nothing follows from its compute capability, which is not known here");
}

/* Derive the constants without numbers in the profile. */
static void derive_pace(struct reading *reading)
{
    struct gpu *gpu = reading->gpu, derived = *gpu;
    unsigned bits = 0, bit = 1;
    bool all = true;
    gpu_pace_derive(&derived);
    for (int k = 0; k < FIELDS; k++) {
        if (fields[k].from != FROM_OTHERS) continue;
        bool given = reading->given[k] && !reading->derived[k];
        if (!given)
            memcpy((char *)gpu + fields[k].offset, (char *)&derived + fields[k].offset, fields[k].size);
        if (!given) bits |= bit;
        all = all && !given;
        bit <<= 1;
    }
    gpu->pace.derived = all ? ~0U : bits;
}

/* Complete the constants. A profile with only some of the constants is refused, since they would not be
 * consistent. */
static enum status complete_pace(struct reading *reading, bool derive)
{
    char missing[400] = "";
    int given = -1, lacking = 0, derived = 0;
    for (int k = 0; k < FIELDS; k++) {
        if (fields[k].from != FROM_OTHERS) continue;
        derived += reading->derived[k];
        if (reading->given[k] && (given < 0 || reading->given[k] < reading->given[given])) given = k;
        if (reading->given[k]) continue;
        append_key(missing, sizeof missing, fields[k].key);
        lacking++;
    }
    reading->gpu->pace.measured = !lacking && !derived;
    if (lacking && given >= 0)
        return error_at(
            reading->error, STATUS_INPUT, reading->path, reading->given[given], 0,
            "the profile has '%s' but lacks %s: of what is measured it has to give all, or nothing "
            "('sparsight kernels --calibrate' measures them on a GPU), and where there is no number "
            "'" DERIVED "'",
            fields[given].key, missing);
    if (derive && !reading->gpu->pace.measured) derive_pace(reading);
    return STATUS_OK;
}

/* Returns the line of the key; 0 if it was not given, but determined by the compute capability. */
static int64_t line_of(const struct reading *reading, const char *key)
{
    return reading->given[find_field(key)];
}

static enum status check(const struct reading *reading)
{
    const struct gpu *gpu = reading->gpu;
    if (gpu->granule != 32 && gpu->granule != 128)
        return error_at(reading->error, STATUS_INPUT, reading->path, line_of(reading, "granule"), 0,
                        "granule = %d: a load fetches sectors of 32 bytes or lines of 128", gpu->granule);
    if (gpu->shared_block + gpu->shared_reserved > gpu->shared)
        return error_at(
            reading->error, STATUS_INPUT, reading->path, line_of(reading, "shared memory a block"), 0,
            "a block may have %zu bytes of shared memory, and with the %zu reserved that is more than "
            "the multiprocessor's %zu",
            gpu->shared_block, gpu->shared_reserved, gpu->shared);
    if (gpu->l1_shared && gpu->l1 < gpu->shared)
        return error_at(reading->error, STATUS_INPUT, reading->path, line_of(reading, "L1"), 0,
                        "L1 = %zu bytes are less than the shared memory, %zu, which they are divided with",
                        gpu->l1, gpu->shared);
    return STATUS_OK;
}

/* Make the GPU's name from the path of its profile: "h200" from "/somewhere/h200.gpu". */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    size_t length = strlen(last);
    if (length > 4 && strcasecmp(last + length - 4, ".gpu") == 0) length -= 4;
    snprintf(name, size, "%.*s", length < size ? (int)length : (int)size - 1, last);
    text_visible(name);
}

static enum status read_profile(const char *text, size_t length, const char *path, bool derive,
                                struct gpu *gpu, struct error *error)
{
    struct reading reading = {.path = path, .gpu = gpu, .error = error};
    *gpu = (struct gpu){0};
    enum status status = STATUS_OK;
    for (size_t at = 0; at < length && status == STATUS_OK;) {
        char line[LINE_MAX + 1];
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        reading.line++;
        if (size > LINE_MAX || memchr(text + at, 0, size))
            return error_at(error, STATUS_INPUT, path, reading.line, 0,
                            "this is no profile of a GPU: lines of 'key = value', at most %d bytes each",
                            LINE_MAX);
        memcpy(line, text + at, size);
        line[size] = 0;
        status = read_line(&reading, line);
        at += size + 1;
    }
    if (status == STATUS_OK) status = complete(&reading);
    if (status == STATUS_OK) status = check(&reading);
    if (status == STATUS_OK) status = complete_pace(&reading, derive);
    name_of(path, gpu->name, sizeof gpu->name);
    if (status != STATUS_OK) *gpu = (struct gpu){0};
    return status;
}

enum status gpu_read(const char *text, size_t length, const char *path, struct gpu *gpu, struct error *error)
{
    return read_profile(text, length, path, true, gpu, error);
}

enum status gpu_read_measured(const char *text, size_t length, const char *path, struct gpu *gpu,
                              struct error *error)
{
    return read_profile(text, length, path, false, gpu, error);
}

/* Append a size in the largest unit in which it is an integer. */
static void append_bytes(double bytes, struct text *text)
{
    static const char *const units[] = {"", " KiB", " MiB", " GiB"};
    int k = 0;
    for (; k < 3 && bytes >= 1024 && fmod(bytes, 1024) == 0; k++)
        bytes /= 1024;
    text_append(text, "%.0f%s", bytes, units[k]);
}

static void append_speed(double flops, struct text *text)
{
    bool tera = flops >= 1e12;
    text_append(text, "%.10g %s", flops * (tera ? 1e-12 : 1e-9), tera ? "TFLOP/s" : "GFLOP/s");
}

static void append_value(const struct gpu *gpu, const struct field *field, struct text *text)
{
    const void *member = (const char *)gpu + field->offset;
    if (field->kind == KIND_TEXT)
        text_append(text, "%s", (const char *)member);
    else if (field->kind == KIND_CAPABILITY)
        text_append(text, "%d.%d", gpu->major, gpu->minor);
    else if (field->kind == KIND_RATE)
        text_append(text, "%.10g GB/s", *(const double *)member * 1e-9);
    else if (field->kind == KIND_SPEED)
        append_speed(*(const double *)member, text);
    else if (field->kind == KIND_TIME)
        text_append(text, "%.10g ns", *(const double *)member * 1e9);
    else if (field->size == sizeof(int))
        text_append(text, "%d", *(const int *)member);
    else
        append_bytes((double)*(const size_t *)member, text);
}

void gpu_describe(const struct gpu *gpu, struct text *text)
{
    unsigned bit = 1;
    text_append(text, "# %s\n", gpu->name);
    for (int k = 0; k < FIELDS; k++) {
        const struct field *field = &fields[k];
        if (field->kind == KIND_TEXT && !*((const char *)gpu + field->offset)) continue;
        if (field->from == FROM_LAUNCH && gpu->pace.early <= 0) continue;
        if (field->kind == KIND_SPEED && *(const double *)((const char *)gpu + field->offset) == 0) continue;
        bool derived = field->from == FROM_OTHERS && (gpu->pace.derived & bit);
        if (field->from == FROM_OTHERS) bit <<= 1;
        text_append(text, "%s = %s", field->key, derived ? DERIVED " # " : "");
        append_value(gpu, field, text);
        text_append(text, "\n");
    }
}
