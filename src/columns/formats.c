/* The columns of a format: the numbers of a matrix stored in it. */
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

const void *owner_size(const struct subject *subject)
{
    return atomic_load(&subject->conversion->sized) ? &subject->conversion->size : NULL;
}

static const void *owner_conversion(const struct subject *subject)
{
    return subject->conversion;
}

const void *owner_criteria(const struct subject *subject)
{
    return conversion_criteria(subject->conversion);
}

/* The time is known while the arrays exist, and also if the arrays were built and freed, so that the state is
 * PLANNED again. */
static bool is_built(const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    enum conversion_state state = conversion_state(conversion);
    return state == CONVERSION_BUILT || (state == CONVERSION_PLANNED && !conversion->keep);
}

static bool is_estimated(const struct subject *subject)
{
    return subject->conversion->size.error > 0;
}

static struct value get_refused(const struct column *column, const struct subject *subject)
{
    const struct conversion *conversion = subject->conversion;
    return text_value(conversion_state(conversion) == CONVERSION_REFUSED ? conversion->refusal.message
                                                                         : NULL);
}

const struct column_part part_criteria = {.key = "criteria", .title = "Criteria"};
const struct column_part part_format = {.key = "", .title = "Formats"};

#define OF_SIZE(member) COLUMN_STORED(owner_size, struct format_size, member)
#define OF_CRITERIA(member) COLUMN_STORED(owner_criteria, struct criteria, member)

static const struct column definitions[] = {
    {.key = "format", .title = "Format", .type = VALUE_TEXT, .get = get_format, .help = "the format's name"},
    {.key = "params",
     .title = "Parameters",
     .type = VALUE_PARAMETERS,
     .get = get_params,
     .help = "each parameter of the format with its value, requested or chosen"},
    {.key = "precision",
     .title = "Precision",
     .type = VALUE_TEXT,
     .get = get_precision,
     .help = "precision of the values: f64 or f32, or c64 or c32 for a complex matrix"},
    {.key = "bytes",
     .title = "Size",
     .unit = "bytes",
     .heading = "bytes",
     OF_SIZE(bytes),
     .help = "size of all arrays of the format"},
    {.key = "bytes_error",
     .title = "Error of the size",
     .unit = "bytes",
     OF_SIZE(error),
     .known = is_estimated,
     .help = "half the 95% interval of the size if the blocks of a stream are estimated from a sample of its "
             "rows; null if the size is exact"},
    {.key = "integers",
     .title = "Integers",
     .heading = "integers",
     OF_SIZE(integers),
     .help = "numbers in its index arrays: indices, offsets, permutations"},
    {.key = "slots",
     .title = "Slots",
     .heading = "slots",
     OF_SIZE(slots),
     .help = "slots for values, with or without an entry"},
    {.key = "padding",
     .title = "Padding",
     .unit = "slots",
     OF_SIZE(padding),
     .help = "slots without an entry: slots - entries"},
    {.key = "padding_ratio",
     .title = "Padding factor",
     .unit = "slots an entry",
     .heading = "factor",
     OF_SIZE(padding_ratio),
     .help = "padding factor: slots of the format / entries of the matrix; 1 without padding, less if mirror "
             "images share a slot"},
    {.key = "dense_ratio",
     .title = "Dense ratio",
     .unit = "of the dense array",
     .role = COLUMN_SHARE,
     .heading = "of dense",
     OF_SIZE(dense_ratio),
     .help = "bytes / bytes of the rows x columns array of values"},
    {.key = "convert_us",
     .title = "Conversion time",
     .heading = "convert",
     COLUMN_SECONDS(owner_conversion, struct conversion, seconds),
     .known = is_built,
     .help = "time of the conversion from CSR, allocation included; over ranks that of the slowest, for "
             "its rows; null unless it was built"},
    {.key = "refused",
     .role = COLUMN_REASON,
     .title = "Refused",
     .type = VALUE_TEXT,
     .get = get_refused,
     .help = "the reason why it was not or cannot be built; null if there is none"},
    {.key = NULL},
};

static const struct column criteria_columns[] = {
    {.key = "criteria.space",
     .title = "Space efficiency",
     .unit = "of its bytes",
     .heading = "space",
     OF_CRITERIA(space),
     .help = "bytes of the entries' values / bytes of the format; the rest is indices and padding"},
    {.key = "criteria.flexibility",
     .title = "Flexibility",
     .unit = "of its bytes",
     .heading = "flexible",
     OF_CRITERIA(flexibility),
     .help = "share of its bytes that stay unchanged when an entry is added, mean over the positions without "
             "an entry"},
    {.key = "criteria.accessibility",
     .title = "Accessibility",
     .heading = "accessible",
     OF_CRITERIA(accessibility),
     .help = "1 / (1 + index look-ups), mean over finding a row's entries and finding an entry's row"},
    {.key = "criteria.access",
     .title = "Memory access efficiency",
     .unit = "of the bytes moved",
     .heading = "access",
     OF_CRITERIA(access),
     .help = "bytes of entries / bytes of the sectors in which warps of its plain kernel load them; null "
             "without such a kernel"},
    {.key = "criteria.balance",
     .title = "Load balance",
     .unit = "of the threads",
     .heading = "balance",
     OF_CRITERIA(balance),
     .help = "work of the threads / (threads x work of the busiest thread of their warp), both summed over "
             "warps"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_format},
    {.columns = criteria_columns, .part = &part_criteria},
    {.columns = NULL},
};

COLUMN_TABLE(format_columns, lists)
