#include "support/warps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/gpu/paper.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"

static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};

void warps_prepare_stored(struct warps_ready *ready, const struct kernel *kernel, const char *format,
                          const char *parameters, struct csr a)
{
    struct error error = {0};
    ready->a = a;
    if (storing_convert(kernel->format, format, &(struct storing){0}, &ready->a, NULL, &ready->storage,
                        &error) != STATUS_OK)
        fail_msg("%s", error.message);
    paper_open(&facts, &ready->device);
    if (preparing_on_paper(&ready->device, kernel, parameters, &ready->storage, &(struct preparing){0},
                           &ready->launch, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

void warps_prepare(struct warps_ready *ready, const struct kernel *kernel, const char *parameters,
                   struct csr a)
{
    warps_prepare_stored(ready, kernel, "", parameters, a);
}

void warps_finish(struct warps_ready *ready)
{
    kernel_release(&ready->launch);
    device_close(&ready->device);
    storage_free(&ready->storage);
    csr_free(&ready->a);
}

static int64_t distinct(const int64_t *block, int count)
{
    int64_t found = 0;
    for (int k = 0; k < count; k++) {
        int j = 0;
        while (j < k && block[j] != block[k])
            j++;
        found += j == k;
    }
    return found;
}

int64_t warps_scalar_requests(const struct csr *a, int64_t warp)
{
    int64_t longest = 0;
    for (int64_t i = 32 * warp; i < a->rows && i < 32 * warp + 32; i++)
        if (a->row_ptr[i + 1] - a->row_ptr[i] > longest) longest = a->row_ptr[i + 1] - a->row_ptr[i];
    return 3 + 3 * longest;
}

int64_t warps_scalar_sectors(const struct csr *a, int64_t warp)
{
    int64_t sum = 0, first = 32 * warp, longest = 0, val[32], col[32], x[32];
    int64_t begin[32] = {0}, end[32] = {0}, y[32] = {0};
    int lanes = 0;
    for (int64_t i = first; i < a->rows && i < first + 32; i++, lanes++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        longest = length > longest ? length : longest;
        begin[lanes] = i * 4 / 32;
        end[lanes] = (i + 1) * 4 / 32;
        y[lanes] = i * 8 / 32;
    }
    sum = distinct(begin, lanes) + distinct(end, lanes) + distinct(y, lanes);
    for (int64_t r = 0; r < longest; r++) {
        int count = 0;
        for (int64_t i = first; i < first + lanes; i++) {
            int64_t k = a->row_ptr[i] + r;
            if (k >= a->row_ptr[i + 1]) continue;
            val[count] = k * 8 / 32;
            col[count] = k * 4 / 32;
            x[count++] = a->col[k] * 8 / 32;
        }
        sum += distinct(val, count) + distinct(col, count) + distinct(x, count);
    }
    return sum;
}
