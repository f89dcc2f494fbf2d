#include "support/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct partition support_partition(const char *text, const struct csr *a, bool symmetric, int64_t parts)
{
    struct partition_choice choice;
    struct partition partition;
    struct error error = {0};
    assert_int_equal(partition_choice_read(text, &choice, NULL), STATUS_OK);
    enum status status = partition_find(&choice, a, symmetric, parts, 0, NULL, &partition, &error);
    if (status != STATUS_OK) fail_msg("%s: %s", text, error.message);
    partition_choice_free(&choice);
    return partition;
}
