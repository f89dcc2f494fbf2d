#include "matrix/build.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/threads.h"
#include "matrix/generators/hash.h"

#define SPREAD 0xd1342543de82ef95u /* odd; distinguishes ends from numbers of rows */

/* An end equal to the one before is omitted: the others and their rows determine all. */
static uint64_t sum_of(uint64_t key, const int64_t *end, int64_t rows)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (rows > PARALLEL_MIN)
    for (int64_t i = 0; i < rows; i++)
        if (end[i] != (i > 0 ? end[i - 1] : 0))
            sum += hash_mix(key + (uint64_t)i * HASH_STEP + (uint64_t)end[i] * SPREAD);
    return sum;
}

struct ends ends_note(const struct csr *a)
{
    struct ends ends = {0};
    /* Without random bytes the author of the file can know the key, which still detects accidents. */
    if (getentropy(&ends.key, sizeof ends.key) != 0) ends.key = 0;
    ends.sum = sum_of(ends.key, a->row_ptr + 1, a->rows);
    return ends;
}

enum status ends_settle(const struct ends *ends, struct csr *a, const char *path, struct error *error)
{
    if (sum_of(ends->key, a->row_ptr, a->rows) != ends->sum)
        return error_at(error, STATUS_INPUT, path, 0, 0, "changed while it was read");
    memmove(a->row_ptr + 1, a->row_ptr, (size_t)a->rows * sizeof *a->row_ptr);
    a->row_ptr[0] = 0;
    return STATUS_OK;
}
