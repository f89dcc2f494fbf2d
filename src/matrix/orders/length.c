/* Rows by their length, so that rows of a warp or a chunk have similar lengths. */
#include "base/memory.h"
#include "matrix/orders/order.h"

enum { APPLY, ASCENDING };

static int64_t longest_row(const struct csr *a)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        if (length > longest) longest = length;
    }
    return longest;
}

static size_t bytes_length(const struct ordering *ordering)
{
    return ((size_t)longest_row(ordering->a) + 2) * sizeof(int64_t);
}

/* A counting sort, which keeps rows of equal length in their order. O(rows + longest row). */
static enum status compute_length(const struct ordering *ordering, int32_t *from, int64_t count,
                                  struct error *error)
{
    const struct csr *a = ordering->a;
    bool ascending = ordering->values->number[ASCENDING] != 0;
    int64_t longest = longest_row(a);
    int64_t *place = memory_zeroed((size_t)longest + 2, sizeof *place, error);
    if (!place) return STATUS_MEMORY;
    progress_phase(ordering->progress, "ordering by length", 0);
    for (int64_t i = 0; i < count; i++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        place[(ascending ? length : longest - length) + 1]++;
    }
    for (int64_t l = 0; l <= longest; l++)
        place[l + 1] += place[l];
    for (int64_t i = 0; i < count; i++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        from[place[ascending ? length : longest - length]++] = (int32_t)i;
    }
    free(place);
    return progress_status(ordering->progress, error);
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("rows"),
    [ASCENDING] = {.name = "ascending", .help = "the shortest rows first", .type = PARAMETER_YES_NO},
    {0},
};

const struct order order_length = {
    .name = "length",
    .summary = "by row length, longest first; rows of equal length keep their order",
    .source = "",
    .lines = LINES_ROWS,
    .usual = APPLY_ROWS,
    .lengths = true,
    .parameters = parameters,
    .bytes = bytes_length,
    .compute = compute_length,
};
