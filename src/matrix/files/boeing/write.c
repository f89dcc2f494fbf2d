#include "matrix/files/boeing/boeing.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/turns.h"
#include "matrix/files/arrays/part.h"
#include "matrix/files/decimal.h"
#include "matrix/files/decimal_write.h"

#define LINE_BYTES 80
#define TITLE_BYTES 72
#define KEY_BYTES 8
#define BLOCK_LINES 2048
#define DIGITS_MAX 17
#define WHOLE_MAX 1e18

/* The layout of a section's numbers. */
struct layout {
    int width, per_line;
    int digits; /* of a real; 0 for whole numbers */
    int64_t count, lines;
};

struct writing {
    FILE *file;
    const struct part *part;
    struct layout layout[SECTIONS];
    bool whole; /* the values are written as whole numbers */
};

/* --- numbers --- */

/* A real as digits: +-d.dddd 10^exponent. */
struct scientific {
    bool negative, finite;
    int count; /* of digits, without zeros at the end; 0 is one digit */
    int exponent;
    char digits[DIGITS_MAX + 1];
};

/* Split a double into the shortest digits of decimal_write. */
static struct scientific take_apart(double value)
{
    char text[DECIMAL_BYTES + 1];
    struct scientific s = {.negative = signbit(value), .finite = isfinite(value)};
    if (!s.finite) return s;
    *decimal_write(text, value) = 0;
    const char *at = text + (*text == '-');
    int before = 0, zeros = 0; /* digits before the point, and zeros in front of all others */
    bool point = false;
    for (; *at && *at != 'e'; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        before += !point;
        if (s.count == 0 && *at == '0')
            zeros++;
        else if (s.count < DIGITS_MAX)
            s.digits[s.count++] = *at;
    }
    s.exponent = s.count ? before - zeros - 1 + (*at == 'e' ? atoi(at + 1) : 0) : 0;
    while (s.count > 1 && s.digits[s.count - 1] == '0')
        s.count--;
    if (s.count == 0) s.digits[s.count++] = '0';
    return s;
}

/* Write a number at the right of `width` bytes. */
static void put_right(char *out, int width, const char *text, size_t length)
{
    memset(out, ' ', (size_t)width - length);
    memcpy(out + width - length, text, length);
}

static void put_whole(char *out, int width, int64_t value)
{
    char text[DECIMAL_BYTES];
    put_right(out, width, text, (size_t)(decimal_write_integer(text, value) - text));
}

/* Write a value that is whole: -0 keeps its sign, as in the other texts. Returns the end. */
static char *write_whole(char *text, double value)
{
    if (value == 0 && signbit(value)) *text++ = '-';
    return decimal_write_integer(text, (int64_t)value);
}

static void put_whole_value(char *out, int width, double value)
{
    char text[DECIMAL_BYTES];
    put_right(out, width, text, (size_t)(write_whole(text, value) - text));
}

/* Write a double as Fortran's 1PEw.d does, padded with zeros. The exponent has two digits, or three. */
static void put_real(char *out, const struct layout *layout, double value)
{
    struct scientific s = take_apart(value);
    char text[64], *at = text;
    if (s.negative) *at++ = '-';
    if (s.finite) {
        *at++ = s.digits[0];
        *at++ = '.';
        for (int k = 1; k < layout->digits; k++)
            *at++ = k < s.count ? s.digits[k] : '0';
        at += snprintf(at, 8, "E%c%02d", s.exponent < 0 ? '-' : '+', abs(s.exponent));
    } else
        at += snprintf(at, 8, "%s", isnan(value) ? "NaN" : "Inf");
    put_right(out, layout->width, text, (size_t)(at - text));
}

/* --- layouts --- */

static int digits_of(int64_t number)
{
    char text[DECIMAL_BYTES];
    return (int)(decimal_write_integer(text, number) - text);
}

/* A blank precedes each number, so that programs that ignore the format can read them. */
static void lay_out(struct layout *layout, int widest, int64_t count)
{
    layout->width = widest + 1;
    layout->per_line = LINE_BYTES / layout->width;
    layout->count = count;
    layout->lines = (count + layout->per_line - 1) / layout->per_line;
}

/* Return true if all values are whole numbers of at most 18 digits. */
static bool is_whole(const struct csr *a)
{
    int64_t others = 0, nnz = csr_nnz(a);
#pragma omp parallel for reduction(+ : others) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++)
        others += !(fabs(a->val[k]) < WHOLE_MAX) || a->val[k] != trunc(a->val[k]);
    return others == 0;
}

static void widen(double value, bool whole, int *widest, int *digits, int *exponent)
{
    if (whole) {
        char text[DECIMAL_BYTES];
        *widest = (int)max(*widest, write_whole(text, value) - text);
        return;
    }
    struct scientific s = take_apart(value);
    if (!s.finite) *widest = (int)max(*widest, 4);
    *digits = (int)max(*digits, s.count);
    if (abs(s.exponent) > 99) *exponent = 3;
}

/* Find the width of the widest value. */
static void measure(struct writing *w, struct progress *progress)
{
    const struct csr *a = w->part->a;
    int64_t nnz = csr_nnz(a), values = w->part->field == FIELD_COMPLEX ? 2 : 1;
    int widest = 1, digits = 2, exponent = 2;
    bool whole = w->whole, complex = values == 2;
    /* Both triangles count: their values differ only in signs, which the width must include. */
#pragma omp parallel for schedule(static, BLOCK_LINES) \
    reduction(max                                      \
              : widest, digits, exponent) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++) {
        if (k % BLOCK_LINES == 0) progress_add(progress, min(BLOCK_LINES, nnz - k));
        if (progress_cancelled(progress)) continue;
        widen(a->val[k], whole, &widest, &digits, &exponent);
        if (complex) widen(a->imaginary ? a->imaginary[k] : 0, whole, &widest, &digits, &exponent);
    }
    if (whole && w->part->negate_real) widest++; /* for a sign missing in the other triangle */
    if (!whole) {
        w->layout[VALUES].digits = digits;
        widest = (int)max(widest, 1 + digits + 1 + 2 + exponent);
    }
    lay_out(&w->layout[VALUES], widest, values * w->part->count);
}

/* --- the header --- */

/* Copy a text into a line, with question marks for control characters. */
static void put_words(char *out, size_t width, const char *text)
{
    memset(out, ' ', width);
    for (size_t k = 0; k < width && text[k]; k++)
        out[k] = (unsigned char)text[k] < ' ' ? '?' : text[k];
}

/* Write the title, the key, the sizes, the type and the formats. */
static enum status write_header(const struct writing *w, const struct matrix *matrix, struct error *error)
{
    static const char fields[] = {
        [FIELD_REAL] = 'r', [FIELD_INTEGER] = 'i', [FIELD_COMPLEX] = 'c', [FIELD_PATTERN] = 'p'};
    static const char symmetries[] = {[SYMMETRY_GENERAL] = 'u',
                                      [SYMMETRY_SYMMETRIC] = 's',
                                      [SYMMETRY_SKEW] = 'z',
                                      [SYMMETRY_HERMITIAN] = 'h'};
    const struct layout *layout = w->layout;
    char title[TITLE_BYTES], key[KEY_BYTES], pointers[32], places[32], values[32] = "";
    const char *name = matrix->name ? matrix->name : "matrix";
    enum field field = w->part->field;
    enum symmetry symmetry = w->part->symmetry;
    if (field == FIELD_INTEGER && !w->whole) field = FIELD_REAL;
    char second =
        symmetry == SYMMETRY_GENERAL && matrix->csr.rows != matrix->csr.cols ? 'r' : symmetries[symmetry];
    put_words(title, sizeof title, matrix->about.title[0] ? matrix->about.title : name);
    put_words(key, sizeof key, name);
    snprintf(pointers, sizeof pointers, "(%dI%d)", layout[POINTERS].per_line, layout[POINTERS].width);
    snprintf(places, sizeof places, "(%dI%d)", layout[INDICES].per_line, layout[INDICES].width);
    if (w->whole)
        snprintf(values, sizeof values, "(%dI%d)", layout[VALUES].per_line, layout[VALUES].width);
    else if (field != FIELD_PATTERN)
        snprintf(values, sizeof values, "(%dE%d.%d)", layout[VALUES].per_line, layout[VALUES].width,
                 layout[VALUES].digits - 1);
    errno = 0;
    fprintf(w->file, "%.*s%.*s\n", TITLE_BYTES, title, KEY_BYTES, key);
    fprintf(w->file, "%14" PRId64 " %13" PRId64 " %13" PRId64 " %13" PRId64 "\n",
            layout[POINTERS].lines + layout[INDICES].lines + layout[VALUES].lines, layout[POINTERS].lines,
            layout[INDICES].lines, layout[VALUES].lines);
    fprintf(w->file, "%c%ca%11s %13" PRId64 " %13" PRId64 " %13" PRId64 " %13d\n", fields[field], second, "",
            matrix->csr.rows, matrix->csr.cols, w->part->count, 0);
    fprintf(w->file, "%-16s%-16s%-20s\n", pointers, places, values);
    return ferror(w->file) ? error_set(error, STATUS_IO, "the matrix cannot be written: %s",
                                       strerror(errno ? errno : EIO))
                           : STATUS_OK;
}

/* --- the numbers --- */

/* Write number k of a section. `line` is the line of the part that it belongs to. */
static void put_number(const struct writing *w, enum section s, int64_t line, int64_t k, char *out)
{
    const struct layout *layout = &w->layout[s];
    const struct part *part = w->part;
    double value[2];
    if (s == POINTERS) {
        put_whole(out, layout->width, part->pointers[k] + 1);
        return;
    }
    bool pairs = s == VALUES && part->field == FIELD_COMPLEX;
    int32_t place = part_entry(part, line, pairs ? k / 2 : k, &value[0], &value[1]);
    double number = value[pairs && k % 2];
    if (s == INDICES)
        put_whole(out, layout->width, (int64_t)place + 1);
    else if (w->whole)
        put_whole_value(out, layout->width, number);
    else
        put_real(out, layout, number);
}

/* Write numbers from .. to-1 of a section into the buffer. Returns their bytes. */
static size_t put_block(const struct writing *w, enum section s, int64_t from, int64_t to, char *buffer)
{
    const struct layout *layout = &w->layout[s];
    char *out = buffer;
    int64_t each = s == VALUES && w->part->field == FIELD_COMPLEX ? 2 : 1;
    int64_t line = s == POINTERS ? 0 : part_line(w->part, from / each);
    for (int64_t k = from; k < to; k++) {
        while (s != POINTERS && k / each >= w->part->pointers[line + 1])
            line++;
        put_number(w, s, line, k, out);
        out += layout->width;
        if ((k + 1) % layout->per_line == 0 || k + 1 == layout->count) *out++ = '\n';
    }
    return (size_t)(out - buffer);
}

static enum status write_section(const struct writing *w, enum section s, char *buffers, size_t size,
                                 struct progress *progress, struct error *error)
{
    const struct layout *layout = &w->layout[s];
    int64_t step = (int64_t)BLOCK_LINES * layout->per_line, blocks = (layout->count + step - 1) / step;
    _Atomic int code = 0;
    struct turns turns;
    turns_start(&turns);
#pragma omp parallel for schedule(monotonic : dynamic, 1) if (layout->count > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t from = b * step, to = min(from + step, layout->count);
        char *buffer = buffers + (size_t)omp_get_thread_num() * size;
        bool goes_on = !atomic_load(&code) && !progress_cancelled(progress);
        size_t length = goes_on ? put_block(w, s, from, to, buffer) : 0;
        turns_wait(&turns, b);
        if (length && !atomic_load(&code)) {
            errno = 0;
            if (fwrite(buffer, 1, length, w->file) != length) atomic_store(&code, errno ? errno : EIO);
            progress_add(progress, to - from);
        }
        turns_pass(&turns);
    }
    turns_end(&turns);
    if (code) return error_set(error, STATUS_IO, "the matrix cannot be written: %s", strerror(code));
    return progress_status(progress, error);
}

static enum status write_part(struct writing *w, const struct matrix *matrix, struct progress *progress,
                              struct error *error)
{
    const struct part *part = w->part;
    const size_t size = (size_t)BLOCK_LINES * (LINE_BYTES + 1);
    char *buffers = memory_array((size_t)threads_count(), size, error);
    if (!buffers) return STATUS_MEMORY;
    lay_out(&w->layout[POINTERS], digits_of(part->count + 1), part->lines + 1);
    lay_out(&w->layout[INDICES], digits_of(part->a->cols), part->count);
    w->layout[VALUES].per_line = 1;
    if (part->field != FIELD_PATTERN) {
        w->whole = part->field == FIELD_INTEGER && is_whole(part->a);
        progress_phase(progress, "looking at values", csr_nnz(part->a));
        measure(w, progress);
    }
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) status = write_header(w, matrix, error);
    progress_phase(progress, "writing",
                   w->layout[POINTERS].count + w->layout[INDICES].count + w->layout[VALUES].count);
    for (int s = 0; s < SECTIONS && status == STATUS_OK; s++)
        status = write_section(w, (enum section)s, buffers, size, progress, error);
    free(buffers);
    return status;
}

enum status boeing_write(FILE *file, const struct matrix *matrix, const char *comment,
                         struct progress *progress, struct error *error)
{
    struct part part;
    enum status status = decimal_start(error);
    if (status == STATUS_OK) status = part_open(&part, matrix, true, true, progress, error);
    if (status != STATUS_OK) return status;
    struct writing w = {.file = file, .part = &part};
    status = write_part(&w, matrix, progress, error);
    part_free(&part);
    return status;
}
