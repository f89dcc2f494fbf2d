#include "base/failing.h"

void failing_note(struct failing *failing, int64_t k, const struct error *error)
{
#pragma omp critical(sparsight_failing)
    if (k < atomic_load(&failing->first)) {
        atomic_store(&failing->first, k);
        failing->error = *error;
    }
}

enum status failing_status(const struct failing *failing, struct error *error)
{
    if (atomic_load(&failing->first) == failing->pieces) return STATUS_OK;
    if (error) *error = failing->error;
    return failing->error.status;
}
