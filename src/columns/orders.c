/* The columns of a case's order: its origin and its cost. */
#include "columns/columns.h"
#include "matrix/orders/permute.h"

static const struct reordering *reordering_of(const struct subject *subject)
{
    return &subject->matrix_case->reordering;
}

/* True if the matrix is in another order than that of its source. */
static bool is_reordered(const struct subject *subject)
{
    return reordering_of(subject)->choice.order != NULL;
}

static struct value get_name(const struct column *column, const struct subject *subject)
{
    return text_value(is_reordered(subject) ? reordering_of(subject)->choice.order->name
                                            : subject->matrix_case->order);
}

static struct value get_params(const struct column *column, const struct subject *subject)
{
    const struct order_choice *choice = &reordering_of(subject)->choice;
    if (!choice->order) return null_value();
    return (struct value){
        .type = VALUE_PARAMETERS, .parameters = choice->order->parameters, .numbers = choice->values.number};
}

static struct value get_apply(const struct column *column, const struct subject *subject)
{
    if (!is_reordered(subject)) return null_value();
    return text_value(order_apply_words[reordering_of(subject)->permutation.apply]);
}

/* The text of the order: the file that it was read from, or the partition that it follows. */
static struct value get_text(const struct column *column, const struct subject *subject)
{
    const struct order_choice *choice = &reordering_of(subject)->choice;
    const bool is_partition = choice->order && choice->order->check;
    return is_partition == (column->index != 0) ? text_value(choice->values.text) : null_value();
}

static const void *owner_reordering(const struct subject *subject)
{
    return is_reordered(subject) ? reordering_of(subject) : NULL;
}

/* The bytes of permuting x, or y back, in double precision. */
static struct value get_bytes(const struct column *column, const struct subject *subject)
{
    const struct permutation *permutation = &reordering_of(subject)->permutation;
    const struct csr *a = &subject->matrix_case->matrix.csr;
    bool of_x = column->index != 0;
    if (!(of_x ? permutation_cols(permutation) : permutation_rows(permutation))) return integer_value(0);
    return integer_value(permute_bytes(of_x ? a->cols : a->rows, sizeof(double)));
}

const struct column_part part_order = {.key = "order", .title = "Orders"};

#define SECONDS(member) COLUMN_SECONDS(owner_reordering, struct reordering, member)

static const struct column definitions[] = {
    {.key = "name",
     .title = "Order",
     .type = VALUE_TEXT,
     .get = get_name,
     .help = "the order of rows and columns; natural is that of the source"},
    {.key = "params",
     .title = "Parameters",
     .type = VALUE_PARAMETERS,
     .get = get_params,
     .help = "each parameter of the order with its value, requested or chosen"},
    {.key = "apply",
     .title = "Reorders",
     .heading = "what",
     .type = VALUE_TEXT,
     .get = get_apply,
     .help = "rows and columns alike (symmetric), rows, columns, or each in its own order"},
    {.key = "file",
     .title = "File",
     .type = VALUE_TEXT,
     .get = get_text,
     .help = "the file that the permutation was read from"},
    {.key = "partition",
     .title = "Partition",
     .type = VALUE_TEXT,
     .get = get_text,
     .index = 1,
     .help = "the partition whose parts are contiguous"},
    {.key = "order_us",
     .title = "Time to find the order",
     .heading = "finding",
     SECONDS(order_seconds),
     .help = "time to compute the permutation"},
    {.key = "reorder_us",
     .title = "Time to reorder",
     .heading = "reordering",
     SECONDS(reorder_seconds),
     .help = "time to reorder the matrix, including sorting its rows and allocation"},
    {.key = "x_bytes",
     .title = "Bytes to permute x",
     .unit = "bytes",
     .heading = "x bytes",
     .type = VALUE_INTEGER,
     .get = get_bytes,
     .index = 1,
     .help = "bytes moved to permute x into the order of the columns for a product in f64: 20 per column"},
    {.key = "y_bytes",
     .title = "Bytes to permute y",
     .unit = "bytes",
     .heading = "y bytes",
     .type = VALUE_INTEGER,
     .get = get_bytes,
     .help = "bytes moved to permute y back into the natural order for a product in f64: 20 per row"},
    {.key = "permute_us",
     .title = "Time to permute x and y",
     .heading = "x and y",
     SECONDS(permute_seconds),
     .help = "measured time of both on the host for a product in f64; kernel times exclude it"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_order},
    {.columns = NULL},
};

COLUMN_TABLE(order_columns, lists)
