#include "support/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"

struct bench_told bench_told;

static enum status counting_fill(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error)
{
    bench_told.fills++;
    return format_csr.fill(storage, a, progress, error);
}

static struct format format_counting; /* CSR, whose conversions are counted */

static const struct parameter letter_parameters[] = {{"letter", "", 0, 25, 0, .type = PARAMETER_INTEGER},
                                                     {0}};

static void run_counting(const struct launch *launch)
{
    if (bench_told.runs < (int)sizeof bench_told.order - 1)
        bench_told.order[bench_told.runs] = (char)('a' + (int)launch->values.number[0]);
    bench_told.runs++;
    if (bench_told.to_cancel && bench_told.runs == bench_told.cancel_at)
        progress_cancel(bench_told.to_cancel);
    if (bench_told.runs == bench_told.damages_at) {
        int32_t *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
        row_ptr[1] = row_ptr[3];
    }
    double *y = launch->y,
           before = bench_told.skips_from && bench_told.runs >= bench_told.skips_from ? y[2] : 0;
    kernel_cpu_csr_seq.run(launch);
    if (bench_told.skips_from && bench_told.runs >= bench_told.skips_from) y[2] = before;
    if (launch->storage->precision == PRECISION_F64 && launch->storage->rows > 0)
        bench_told.largest_y = fmax(bench_told.largest_y, fabs(y[0]));
    if (bench_told.wrong_from && bench_told.runs >= bench_told.wrong_from) y[2] += 1;
}

/* csr-seq uses launch->state as it prepared it. */
static enum status prepare_counting(struct launch *launch, struct error *error)
{
    return kernel_cpu_csr_seq.prepare(launch, error);
}

static void run_slow(const struct launch *launch)
{
    const struct timespec pause = {0, bench_told.pause_for};
    bench_told.runs++;
    nanosleep(&pause, NULL);
    kernel_cpu_csr_seq.run(launch);
    if (bench_told.wrong_from && bench_told.runs >= bench_told.wrong_from) ((double *)launch->y)[2] += 1;
}

static const char *never(void)
{
    return "no such device";
}

static enum status prepare_refusing(struct launch *launch, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "not with this padding");
}

struct kernel kernel_counting, kernel_slow, kernel_absent, kernel_refusing;

int make_bench_kernels(void **state)
{
    format_counting = format_csr;
    format_counting.fill = counting_fill;
    kernel_counting = (struct kernel){.name = "csr-counting",
                                      .backend = &backend_cpu,
                                      .format = &format_counting,
                                      .parameters = letter_parameters,
                                      .sequential = true,
                                      .prepare = prepare_counting,
                                      .run = run_counting,
                                      .release = kernel_cpu_csr_seq.release};
    kernel_slow = kernel_absent = kernel_refusing = kernel_counting;
    kernel_slow.run = run_slow;
    kernel_absent.unavailable = never;
    kernel_refusing.prepare = prepare_refusing;
    return 0;
}

int forget_bench(void **state)
{
    bench_told.fills = bench_told.runs = bench_told.cancel_at = bench_told.wrong_from =
        bench_told.skips_from = bench_told.damages_at = 0;
    bench_told.largest_y = 0;
    bench_told.to_cancel = NULL;
    bench_told.pause_for = 300000000;
    memset(bench_told.order, 0, sizeof bench_told.order);
    return 0;
}

struct result ask_result(const struct kernel *kernel, const char *parameters, enum precision precision,
                         int threads)
{
    return (struct result){.choice = preparing_choice(kernel, parameters, precision, threads)};
}

struct bench_options few_samples(int repeat)
{
    return (struct bench_options){.repeat = repeat, .warmup = -1, .min_seconds = 1e-9, .cold = true};
}

void expect_result(const struct result *result)
{
    if (result->status != STATUS_OK) fail_msg("%s: %s", result->name, result->error.message);
}

struct csr bench_example(void)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    for (int64_t k = 0; k < csr_nnz(&a); k++)
        a.val[k] = (double)(k % 7) + 1;
    return a;
}
