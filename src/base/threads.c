#include "base/threads.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

int threads_count(void)
{
    int count = omp_get_max_threads();
    return count > 0 ? count : 1;
}

void threads_set(int count)
{
    omp_set_num_threads(count > 0 ? count : omp_get_num_procs());
}

#define HUGE_PAGE ((size_t)2 << 20)

void threads_place(void *array, size_t bytes)
{
    int64_t page = sysconf(_SC_PAGESIZE), pages = (int64_t)((bytes + (size_t)page - 1) / (size_t)page);
    volatile char *byte = array;
    if (bytes < (size_t)threads_count() * HUGE_PAGE || threads_count() == 1) return;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < pages; k++)
        byte[k * page] = 0;
}

/* Two sweeps: every thread sums its stretch, then writes offsets from the sum of the stretches before it. */
#define STRETCHES_MAX 256

void threads_offsets(int64_t *array, int64_t n)
{
    int64_t sums[STRETCHES_MAX + 1] = {0};
    int stretches = n < 65536 ? 1 : threads_count();
    if (stretches > STRETCHES_MAX) stretches = STRETCHES_MAX;
#pragma omp parallel num_threads(stretches)
    {
#pragma omp for schedule(static, 1)
        for (int s = 0; s < stretches; s++) {
            int64_t sum = 0;
            for (int64_t k = n / stretches * s; k < (s + 1 == stretches ? n : n / stretches * (s + 1)); k++)
                sum += array[k];
            sums[s + 1] = sum;
        }
#pragma omp single
        for (int s = 0; s < stretches; s++)
            sums[s + 1] += sums[s];
#pragma omp for schedule(static, 1)
        for (int s = 0; s < stretches; s++) {
            int64_t offset = sums[s];
            for (int64_t k = n / stretches * s; k < (s + 1 == stretches ? n : n / stretches * (s + 1)); k++) {
                int64_t count = array[k];
                array[k] = offset;
                offset += count;
            }
        }
    }
    array[n] = sums[stretches];
}

enum status threads_read(const char *text, int *threads, struct error *error)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || number < 1 || number > THREADS_MAX)
        return error_set(error, STATUS_USAGE, "'%s' is not a number of threads from 1 to %d", text,
                         THREADS_MAX);
    *threads = (int)number;
    return STATUS_OK;
}
