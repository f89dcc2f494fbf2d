/* The order of a partition: the rows of a part are contiguous, the parts follow each other by number, and
 * the rows of a part stay in their natural order. In a square matrix the columns follow the rows. */
#include <math.h>

#include "analysis/parts/partition.h"
#include "matrix/orders/classes.h"
#include "matrix/orders/order.h"

enum { APPLY, PARTITION, PARTS };

/* Rows of a part, so that its elements of x stay in a cache; and the minimum and maximum number of parts, as
 * in the order kway. */
#define PART_ROWS 4096
#define LEAST 2
#define MOST 1024

static void resolve_parts(struct parameter_values *values, const struct csr *a)
{
    if (!isnan(values->number[PARTS])) return;
    values->number[PARTS] = fmin(MOST, fmax(LEAST, floor((double)a->rows / PART_ROWS)));
}

static size_t bytes_parts(const struct ordering *ordering)
{
    return (size_t)ordering->a->rows * sizeof(int32_t) + classes_bytes(PARTS_MAX);
}

static enum status check_parts(const struct parameter_values *values, struct error *error)
{
    struct partition_choice choice;
    enum status status = partition_choice_read(values->text, &choice, error);
    if (status == STATUS_OK && choice.partitioner->entrywise)
        status = error_set(error, STATUS_USAGE, "%s divides entries, and orders no rows",
                           choice.partitioner->name);
    partition_choice_free(&choice);
    return status;
}

static enum status compute_parts(const struct ordering *ordering, int32_t *from, int64_t count,
                                 struct error *error)
{
    const struct parameter_values *values = ordering->values;
    struct partition_choice choice;
    struct partition partition = {0};
    enum status status = partition_choice_read(values->text, &choice, error);
    if (status == STATUS_OK)
        status = partition_find(&choice, ordering->a, ordering->symmetric, (int64_t)values->number[PARTS],
                                ordering->limit, ordering->progress, &partition, error);
    if (status == STATUS_OK) status = classes_order(partition.owner, count, partition.parts, from, error);
    partition_free(&partition);
    partition_choice_free(&choice);
    return status;
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric, of rectangles rows"),
    [PARTITION] = {.name = "partition",
                   .help = "the partition, with its parameters: metis:objective=cut",
                   .type = PARAMETER_TEXT},
    [PARTS] = {.name = "parts",
               .help = "number of parts",
               .type = PARAMETER_INTEGER,
               .min = 1,
               .max = PARTS_MAX,
               .automatic = "one per 4096 rows, 2 to 1024"},
    {0},
};

const struct order order_parts = {
    .name = "parts",
    .summary = "the rows of each part of a partition beside each other, part after part",
    .source = "",
    .lines = LINES_ROWS,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
    .wants = "a partition",
    .check = check_parts,
    .resolve = resolve_parts,
    .bytes = bytes_parts,
    .compute = compute_parts,
};
