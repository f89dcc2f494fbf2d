/* The columns of a row of the list `rounding` of a report: the values of the matrix in a type of numbers. */
#include "base/range.h"
#include "columns/columns.h"

const struct column_part part_rounding = {.key = "", .title = "Rounding"};

static const struct precision_loss *loss_of(const struct subject *subject)
{
    return subject->loss;
}

static const struct number_type *type_of(const struct subject *subject)
{
    return &number_types[subject->loss - subject->matrix_case->precisions.type];
}

const void *owner_rounded(const struct subject *subject)
{
    return &loss_of(subject)->values;
}

/* Null, unless a value overflows, underflows or becomes subnormal (analysis/precisions.h). */
const void *owner_rounded_scaled(const struct subject *subject)
{
    return loss_of(subject)->scaling ? &loss_of(subject)->scaled : NULL;
}

const void *owner_rounded_product(const struct subject *subject)
{
    return &loss_of(subject)->product[SUMS_F64];
}

const void *owner_rounded_product_f32(const struct subject *subject)
{
    return &loss_of(subject)->product[SUMS_F32];
}

static struct value get_type(const struct column *column, const struct subject *subject)
{
    return text_value(type_of(subject)->name);
}

static struct value get_words(const struct column *column, const struct subject *subject)
{
    return text_value(type_of(subject)->words);
}

static struct value get_bytes(const struct column *column, const struct subject *subject)
{
    return integer_value(number_bytes(type_of(subject), case_is_complex(subject->matrix_case)));
}

static struct value get_csr_bytes(const struct column *column, const struct subject *subject)
{
    return integer_value(number_csr_bytes(type_of(subject), case_is_complex(subject->matrix_case)));
}

static struct value get_exact(const struct column *column, const struct subject *subject)
{
    return real_value(
        share_of((double)loss_of(subject)->values.exact, (double)subject->matrix_case->precisions.values));
}

#define OF_VALUES(member) COLUMN_STORED(owner_rounded, struct rounded, member)
#define OF_SCALED(member) COLUMN_STORED(owner_rounded_scaled, struct rounded, member)
#define OF_PRODUCT(member) COLUMN_STORED(owner_rounded_product, struct product_error, member), .digits = 3
#define OF_PRODUCT_F32(member) \
    COLUMN_STORED(owner_rounded_product_f32, struct product_error, member), .digits = 3

static const struct column definitions[] = {
    {.key = "type",
     .title = "Type",
     .type = VALUE_TEXT,
     .get = get_type,
     .help = "the type of numbers that values are stored in; f32x2 is a sum of two f32"},
    {.key = "words",
     .title = "Words",
     .type = VALUE_TEXT,
     .get = get_words,
     .help = "description of the type"},
    {.key = "value_bytes",
     .title = "Bytes of a value",
     .heading = "bytes",
     .unit = "bytes",
     .type = VALUE_INTEGER,
     .get = get_bytes,
     .help = "bytes that the value of an entry takes"},
    {.key = "csr_bytes",
     .title = "Bytes of an entry in CSR",
     .unit = "bytes",
     .type = VALUE_INTEGER,
     .get = get_csr_bytes,
     .help = "bytes of an entry in CSR: its value and a column of 4 bytes"},
    {.key = "exact",
     .title = "Exact values",
     .heading = "exact",
     .unit = "of finite values",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_exact,
     .help = "share of the finite values that the type holds exactly"},
    {.key = "infinite",
     .title = "Overflows",
     .heading = "overflow",
     .unit = "values",
     OF_VALUES(infinite),
     .help = "finite values that become infinite"},
    {.key = "zero",
     .title = "Underflows to 0",
     .heading = "to 0",
     .unit = "values",
     OF_VALUES(zero),
     .help = "values other than 0 that become 0"},
    {.key = "subnormal",
     .title = "Subnormal values",
     .unit = "values",
     OF_VALUES(subnormal),
     .help = "values with a subnormal part, which may have lost bits"},
    {.key = "largest",
     .title = "Largest rounding",
     .heading = "rounding",
     OF_VALUES(largest),
     .digits = 3,
     .help = "largest |s - a| / |a| of values a that do not overflow; s is the stored value"},
    {.key = "scaled_infinite",
     .title = "Overflows after scaling",
     .unit = "values",
     OF_SCALED(infinite),
     .help = "overflows after scaling rows and columns by powers of two (Higham, Pranesh and Zounon); null "
             "if no value overflows, underflows or becomes subnormal"},
    {.key = "scaled_zero",
     .title = "Underflows after scaling",
     .unit = "values",
     OF_SCALED(zero),
     .help = "underflows to 0 after the same scaling"},
    {.key = "scaled_subnormal",
     .title = "Subnormal values after scaling",
     .unit = "values",
     OF_SCALED(subnormal),
     .help = "values with a subnormal part after the same scaling"},
    {.key = "max_error",
     .title = "Largest error of a product",
     .heading = "max error",
     OF_PRODUCT(max_error),
     .help = "largest |y - r| / sum |a x| of a row: y is the product of the stored values with a random x, "
             "with sums in f64; r is exact. Null if y overflows"},
    {.key = "relative_error",
     .title = "Relative error, 99th percentile",
     OF_PRODUCT(relative),
     .help = "99th percentile of |y - r| / |r| over rows with r not 0, of the same product"},
    {.key = "norm_error",
     .title = "Error in norm",
     .heading = "in norm",
     OF_PRODUCT(norm),
     .help = "||y - r|| / ||r|| of the same product"},
    {.key = "f32_max_error",
     .title = "Largest error with sums in f32",
     .heading = "f32 sums",
     OF_PRODUCT_F32(max_error),
     .help = "largest |y - r| / sum |a x| over rows if products and sums are rounded to f32"},
    {.key = "f32_relative_error",
     .title = "Relative error with sums in f32",
     OF_PRODUCT_F32(relative),
     .help = "99th percentile of |y - r| / |r| over rows with sums in f32"},
    {.key = "f32_norm_error",
     .title = "Error in norm with sums in f32",
     OF_PRODUCT_F32(norm),
     .help = "||y - r|| / ||r|| with sums in f32"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_rounding, .needs = SESSION_PRECISIONS},
    {.columns = NULL},
};

COLUMN_TABLE(rounding_columns, lists)
