#include "support/orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/memory.h"

enum status order_of_matrix(const char *text, const struct matrix *matrix, struct permutation *permutation,
                            struct error *error)
{
    struct order_choice choice;
    *permutation = (struct permutation){0};
    enum status status = order_choice_read(text, &choice, error);
    if (status == STATUS_OK) status = order_compute(&choice, matrix, 0, NULL, permutation, error);
    order_choice_free(&choice);
    return status;
}

struct permutation ordered_matrix(const char *text, const struct matrix *matrix)
{
    struct permutation permutation;
    struct error error = {0};
    if (order_of_matrix(text, matrix, &permutation, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return permutation;
}

struct matrix made_matrix(struct csr a)
{
    return (struct matrix){
        .name = memory_string("made", NULL), .path = memory_string("made", NULL), .csr = a};
}

void expect_order_refused(const char *order, const struct matrix *matrix, enum status status,
                          const char *words)
{
    struct permutation permutation;
    struct error error = {0};
    assert_int_equal(order_of_matrix(order, matrix, &permutation, &error), status);
    if (!strstr(error.message, words)) fail_msg("%s: %s", order, error.message);
    assert_null(permutation.from);
}
