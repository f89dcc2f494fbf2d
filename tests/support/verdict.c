#include "support/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "kernels/timing/check.h"

enum status support_verdict(const struct csr *a, enum precision precision, void *x, void *y, void *start,
                            double *max_error, struct error *error)
{
    struct reference reference;
    assert_int_equal(reference_make(a, precision, (struct product){0}, x, start, NULL, &reference, NULL),
                     STATUS_OK);
    enum status status = reference_check(&reference, y, max_error, error);
    reference_free(&reference);
    free(x);
    free(y);
    free(start);
    return status;
}
