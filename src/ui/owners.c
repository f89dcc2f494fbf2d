#include "ui/owners.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "session/case.h"

struct owners *owners_make(const struct matrix_case *of, const char *name, int64_t messages,
                           struct divided *divided)
{
    struct owners *owners = memory_zeroed(1, sizeof *owners, NULL);
    if (!owners) return NULL;
    owners->holders = 1;
    owners->of = of;
    owners->messages = messages;
    owners->divided = *divided;
    *divided = (struct divided){0};
    snprintf(owners->name, sizeof owners->name, "%s", name);
    return owners;
}

struct owners *owners_hold(struct owners *owners)
{
    if (owners) owners->holders++;
    return owners;
}

void owners_release(struct owners *owners)
{
    if (!owners || --owners->holders > 0) return;
    divided_free(&owners->divided);
    free(owners);
}

size_t owners_bytes(const struct owners *owners)
{
    const struct csr *a = &owners->of->matrix.csr;
    return partition_bytes(&owners->divided.partition, a->cols, csr_nnz(a)) +
           (size_t)owners->messages * sizeof(struct halo_pair);
}
