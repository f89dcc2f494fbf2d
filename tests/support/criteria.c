#include "support/criteria.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "support/storing.h"

struct storage criteria_stored(const char *format, const char *parameters, enum precision precision,
                               const struct csr *a)
{
    struct storage storage;
    struct error error = {0};
    if (storing_convert(format_find(format), parameters, &(struct storing){.precision = precision}, a, NULL,
                        &storage, &error) != STATUS_OK)
        fail_msg("%s:%s: %s", format, parameters, error.message);
    return storage;
}

struct criteria criteria_of_storage(const struct storage *storage, const struct csr *a)
{
    struct criteria criteria;
    assert_int_equal(criteria_of(storage, a, NULL, &criteria, NULL), STATUS_OK);
    return criteria;
}

struct criteria criteria_found(const char *format, const char *parameters, const struct csr *a)
{
    struct storage storage = criteria_stored(format, parameters, PRECISION_F64, a);
    struct criteria criteria = criteria_of_storage(&storage, a);
    storage_free(&storage);
    return criteria;
}

void criteria_near(double found, double expected, const char *format, const char *parameters,
                   const char *what)
{
    if (isnan(expected) ? isnan(found) : fabs(found - expected) <= 1e-10) return;
    fail_msg("%s of %s:%s is %.17g, expected %.17g", what, format, parameters, found, expected);
}
