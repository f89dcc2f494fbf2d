#include "matrix/orders/order.h"

static enum status compute_natural(const struct ordering *ordering, int32_t *from, int64_t count,
                                   struct error *error)
{
    for (int64_t k = 0; k < count; k++)
        from[k] = (int32_t)k;
    return STATUS_OK;
}

static const struct parameter parameters[] = {ORDER_APPLY("symmetric, of rectangles rows"), {0}};

const struct order order_natural = {
    .name = "natural",
    .summary = "the order of the source; a report always begins with it",
    .source = "",
    .lines = LINES_ANY,
    .usual = APPLY_SYMMETRIC,
    .lengths = true,
    .parameters = parameters,
    .compute = compute_natural,
};
