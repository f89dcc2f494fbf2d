#include "base/threads.h"

#include <omp.h>

int threads_count(void)
{
    int count = omp_get_max_threads();
    return count > 0 ? count : 1;
}

void threads_set(int count)
{
    omp_set_num_threads(count > 0 ? count : omp_get_num_procs());
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
