/* The columns of a format: what is known of a matrix stored in it. */
#include "columns/columns.h"

static struct value get_format(const struct column *column, const struct subject *subject)
{
    return text_value(subject->conversion->choice.format->name);
}

static struct value get_params(const struct column *column, const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    return (struct value){.type = VALUE_PARAMETERS,
                          .parameters = conversion->choice.format->parameters,
                          .numbers = conversion->resolved.values.number};
}

static struct value get_precision(const struct column *column, const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    return text_value(value_name(conversion->choice.precision, conversion->complex));
}

static struct value get_bytes(const struct column *column, const struct subject *subject)
{
    size_t bytes = subject->conversion->size.bytes;
    if (!atomic_load(&subject->conversion->sized)) return null_value();
    return integer_value(bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

/* The number that the conversion holds at the column's offset. */
static struct value get_size(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->conversion + column->offset;
    if (!atomic_load(&subject->conversion->sized)) return null_value();
    if (column->type == VALUE_INTEGER) return integer_value(*(const int64_t *)(const void *)place);
    return real_value(*(const double *)(const void *)place);
}

/* The time is known while the arrays are there, and also of arrays that were built and not kept: the state is
 * back at PLANNED then. */
static struct value get_convert_us(const struct column *column, const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    enum conversion_state state = conversion_state(conversion);
    bool known = state == CONVERSION_BUILT || (state == CONVERSION_PLANNED && !conversion->keep);
    return known ? real_value(conversion->seconds * 1e6) : null_value();
}

static struct value get_refused(const struct column *column, const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    return text_value(conversion_state(conversion) == CONVERSION_REFUSED ? conversion->refusal.message
                                                                         : NULL);
}

/* The criterion at the column's offset. */
static struct value get_criterion(const struct column *column, const struct subject *subject)
{
    const struct criteria *criteria = conversion_criteria(subject->conversion);
    if (!criteria) return null_value();
    return real_value(*(const double *)(const void *)((const char *)criteria + column->offset));
}

const struct column_part part_criteria = {.key = "criteria", .title = "Criteria"};
const struct column_part part_format = {.key = "", .title = "Formats"};

static const struct column definitions[] = {
    {.key = "format", .title = "Format", .type = VALUE_TEXT, .get = get_format, .help = "the format's name"},
    {.key = "params",
     .title = "Parameters",
     .type = VALUE_PARAMETERS,
     .get = get_params,
     .help = "each parameter of the format with its value: what was asked for, or what was chosen"},
    {.key = "precision",
     .title = "Precision",
     .type = VALUE_TEXT,
     .get = get_precision,
     .help = "precision of the values: f64 or f32, and of a complex matrix c64 or c32"},
    {.key = "bytes",
     .title = "Size",
     .unit = "bytes",
     .heading = "bytes",
     .type = VALUE_INTEGER,
     .get = get_bytes,
     .help = "size of all arrays of the format"},
    {.key = "integers",
     .title = "Integers",
     .heading = "integers",
     .type = VALUE_INTEGER,
     .get = get_size,
     .offset = offsetof(struct conversion, size.integers),
     .help = "numbers in its index arrays: indices, offsets, permutations"},
    {.key = "slots",
     .title = "Slots",
     .heading = "slots",
     .type = VALUE_INTEGER,
     .get = get_size,
     .offset = offsetof(struct conversion, size.slots),
     .help = "places for a value"},
    {.key = "padding",
     .title = "Padding",
     .unit = "slots",
     .type = VALUE_INTEGER,
     .get = get_size,
     .offset = offsetof(struct conversion, size.padding),
     .help = "slots without an entry: slots - entries"},
    {.key = "padding_ratio",
     .title = "Padding factor",
     .unit = "slots an entry",
     .heading = "padding",
     .type = VALUE_REAL,
     .get = get_size,
     .offset = offsetof(struct conversion, size.padding_ratio),
     .help = "padding factor: slots of the format / entries of the matrix; 1 is no padding"},
    {.key = "dense_ratio",
     .title = "Dense ratio",
     .unit = "of the dense array",
     .role = COLUMN_SHARE,
     .heading = "of dense",
     .type = VALUE_REAL,
     .get = get_size,
     .offset = offsetof(struct conversion, size.dense_ratio),
     .help = "bytes / bytes of the rows x columns array of values"},
    {.key = "convert_us",
     .role = COLUMN_TIME,
     .title = "Conversion time",
     .unit = "us",
     .heading = "convert",
     .type = VALUE_REAL,
     .get = get_convert_us,
     .help = "time of the conversion from CSR, allocation included; null unless it was built"},
    {.key = "refused",
     .role = COLUMN_REASON,
     .title = "Refused",
     .type = VALUE_TEXT,
     .get = get_refused,
     .help = "why it was not built or cannot be; null if nothing speaks against it"},
    {.key = NULL},
};

static const struct column criteria_columns[] = {
    {.key = "criteria.space",
     .title = "Space efficiency",
     .unit = "of its bytes",
     .heading = "space",
     .type = VALUE_REAL,
     .get = get_criterion,
     .offset = offsetof(struct criteria, space),
     .help = "bytes of the entries' values / bytes of the format: the rest is indices and padding"},
    {.key = "criteria.flexibility",
     .title = "Flexibility",
     .unit = "of its bytes",
     .heading = "flexible",
     .type = VALUE_REAL,
     .get = get_criterion,
     .offset = offsetof(struct criteria, flexibility),
     .help =
         "share of its bytes that stay as they are when an entry is added, mean over the places without one"},
    {.key = "criteria.accessibility",
     .title = "Accessibility",
     .heading = "accessible",
     .type = VALUE_REAL,
     .get = get_criterion,
     .offset = offsetof(struct criteria, accessibility),
     .help = "1 / (1 + look-ups of indices), mean of finding a row's entries and of finding an entry's row"},
    {.key = "criteria.access",
     .title = "Memory access efficiency",
     .unit = "of the bytes moved",
     .heading = "access",
     .type = VALUE_REAL,
     .get = get_criterion,
     .offset = offsetof(struct criteria, access),
     .help =
         "bytes of entries / bytes of the sectors in which warps of its plain kernel load them; none without "
         "one"},
    {.key = "criteria.balance",
     .title = "Load balance",
     .unit = "of the threads",
     .heading = "balance",
     .type = VALUE_REAL,
     .get = get_criterion,
     .offset = offsetof(struct criteria, balance),
     .help = "work of the threads / threads x work of the busiest in their warp, both summed over warps"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_format},
    {.columns = criteria_columns, .part = &part_criteria},
    {.columns = NULL},
};

static struct column_table table;
const struct column *const format_columns = table.columns;

__attribute__((constructor)) static void build(void)
{
    column_table_build(&table, lists);
}
