/* How long conversions take, in passes: one pass is y = A x over the CSR arrays in double precision with
 * 32-bit offsets, by one thread. Planning, allocation and filling are timed together, with one and with two
 * threads, in rounds that go over all formats in turn, so that a noisy machine falls on all alike. Prints;
 * decides nothing.
 *
 * Then it prints conversions of the formats for which PRODUCTS_AIM holds in products of the kernels that read
 * them, as reports do: the time of converting, and of preparing the kernel if it makes tables, compared with
 * the least time of a product by the same threads. Times are processor time with one thread, which other work
 * on the machine disturbs little, and elapsed time with two.
 *
 * bench_formats [ENTRIES [FORMATS [SPEC...]]]: FORMATS as after --convert=, "all" by default; SPEC as after
 * gen:, else two stencils, a random matrix, a power law and a band of about ENTRIES (1e7) entries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "formats/list.h"
#include "kernels/backend.h"
#include "kernels/kernel.h"
#include "matrix/generators/generate.h"

#define ROUNDS 5
#define LIMIT ((size_t)3 << 30) /* bytes of a format; with the matrix and the CSR storage it is some more */
#define SPEEDUP_AIM 1.8
#define PRODUCTS_AIM 20
#define PRODUCTS 5 /* products of a kernel in each round */
#define KERNELS_MAX 16

/* Passes that a conversion by one thread should take at most; others have no aim. */
static const struct {
    const char *format;
    double passes;
} aims[] = {{"sell", 20}, {"cmrs", 20}, {"jds", 20}, {"hyb", 30}};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of each round, and their statistics. */
struct samples {
    double seconds[ROUNDS];
    int count;
};

static double best(const struct samples *samples)
{
    double min = INFINITY;
    for (int k = 0; k < samples->count; k++)
        min = fmin(min, samples->seconds[k]);
    return min;
}

static double median(const struct samples *samples)
{
    double sorted[ROUNDS];
    for (int k = 0; k < samples->count; k++)
        sorted[k] = samples->seconds[k];
    qsort(sorted, (size_t)samples->count, sizeof *sorted, ascending);
    return samples->count ? sorted[samples->count / 2] : NAN;
}

/* The measurements of one format. */
struct result {
    struct samples one, two;
    struct error refusal;
};

/* y = A x, over 32-bit or 64-bit offsets. */
static double multiply(const struct storage *csr, const double *x, double *y)
{
    const struct array *row_ptr = &csr->array[CSR_ROW_PTR];
    const int32_t *col = csr->array[CSR_COL].data;
    const double *val = csr->array[CSR_VAL].data;
    double start = clock_seconds();
    for (int64_t i = 0; i < csr->rows; i++) {
        double sum = 0;
        int64_t end = array_integer(row_ptr, i + 1);
        for (int64_t k = array_integer(row_ptr, i); k < end; k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
    return clock_seconds() - start;
}

/* The data of the passes. */
struct bench {
    const struct csr *a;
    struct storage csr;
    double *x, *y;
    struct samples pass;
};

static void convert(const struct bench *bench, const struct format_choice *choice, int threads,
                    struct samples *samples, struct error *refusal)
{
    const struct format_options options = {.limit = LIMIT};
    struct storage storage;
    threads_set(threads);
    if (format_convert(choice, &options, bench->a, NULL, &storage, refusal) == STATUS_OK)
        samples->seconds[samples->count++] = storage.seconds;
    storage_free(&storage);
}

static void run_rounds(struct bench *bench, const struct format_list *list, struct result *results)
{
    multiply(&bench->csr, bench->x, bench->y);
    for (int round = 0; round < ROUNDS; round++) {
        bench->pass.seconds[bench->pass.count++] = multiply(&bench->csr, bench->x, bench->y);
        for (int k = 0; k < list->count; k++) {
            if (results[k].refusal.status != STATUS_OK) continue;
            convert(bench, &list->choices[k], 1, &results[k].one, &results[k].refusal);
            convert(bench, &list->choices[k], 2, &results[k].two, &results[k].refusal);
        }
    }
}

static double aim_of(const struct format *format)
{
    for (size_t k = 0; k < sizeof aims / sizeof *aims; k++)
        if (format_find(aims[k].format) == format) return aims[k].passes;
    return NAN;
}

static void print_result(const struct format_choice *choice, const struct result *result,
                         const struct samples *pass)
{
    char name[CHOICE_NAME];
    format_choice_name(choice, name, sizeof name);
    if (result->refusal.status != STATUS_OK) {
        printf("  %-28.28s %s\n", name, result->refusal.message);
        return;
    }
    double aim = aim_of(choice->format), unit = median(pass);
    double one = median(&result->one), two = median(&result->two);
    printf("  %-28.28s %9.1f %9.1f   %9.1f %9.1f   %8.2f %8.2f", name, best(&result->one) / unit, one / unit,
           best(&result->two) / unit, two / unit, best(&result->one) / best(&result->two), one / two);
    if (isfinite(aim))
        printf("   %4.0f%s", aim,
               one / unit > aim          ? " missed"
               : one / two < SPEEDUP_AIM ? " (speed-up missed)"
                                         : "");
    printf("\n");
}

static void print_results(const struct bench *bench, const struct format_list *list,
                          const struct result *results)
{
    double bytes = (double)storage_size(&bench->csr).bytes;
    printf("  a pass                 %8.2f ms, best %.2f ms (%.1f GB/s of CSR arrays)\n",
           1e3 * median(&bench->pass), 1e3 * best(&bench->pass), 1e-9 * bytes / median(&bench->pass));
    printf("  %-28s %9s %9s   %9s %9s   %8s %8s   %4s\n", "passes", "1: best", "median", "2: best", "median",
           "speed-up", "median", "aim");
    for (int k = 0; k < list->count; k++)
        print_result(&list->choices[k], &results[k], &bench->pass);
    printf("\n");
}

/* The least elapsed and processor seconds of some work. */
struct least {
    double elapsed, processor;
};

/* A kernel with one thread and with two: its conversion, its tables and its product. */
struct timed_kernel {
    const struct kernel *kernel;
    struct least convert[2], prepare[2], product[2];
};

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct least least_begin(void)
{
    return (struct least){clock_seconds(), processor_seconds()};
}

static void least_end(struct least *least, const struct least *begun)
{
    least->elapsed = fmin(least->elapsed, clock_seconds() - begun->elapsed);
    least->processor = fmin(least->processor, processor_seconds() - begun->processor);
}

/* The kernels of this project for the processor that read a format. */
static int kernels_of(const struct format *format, struct timed_kernel *timed)
{
    const struct least none = {INFINITY, INFINITY};
    int count = 0;
    for (const struct kernel *const *k = kernels; *k && count < KERNELS_MAX; k++) {
        if ((*k)->format != format || strcmp((*k)->backend->name, "cpu") != 0) continue;
        timed[count++] = (struct timed_kernel){*k, {none, none}, {none, none}, {none, none}};
    }
    return count;
}

/* Prepare a kernel and time its products. */
static enum status time_products(const struct bench *bench, const struct format_choice *choice, int threads,
                                 const struct storage *storage, struct timed_kernel *timed,
                                 struct error *error)
{
    const struct launch_options options = {.limit = LIMIT};
    struct kernel_choice wanted;
    struct launch launch;
    enum status status = kernel_choice_read(timed->kernel, "", &wanted, error);
    if (status != STATUS_OK) return status;
    wanted.format = *choice;
    wanted.threads = threads;
    const struct least preparing = least_begin();
    status = kernel_prepare(&wanted, storage, &options, &launch, error);
    least_end(&timed->prepare[threads - 1], &preparing);
    for (int n = 0; n < PRODUCTS && status == STATUS_OK; n++) {
        const struct least begun = least_begin();
        kernel_run(&launch, bench->x, bench->y);
        least_end(&timed->product[threads - 1], &begun);
    }
    kernel_release(&launch);
    return status;
}

static enum status time_round(const struct bench *bench, const struct format_choice *choice, int threads,
                              struct timed_kernel *timed, int count, struct error *error)
{
    const struct format_options options = {.limit = LIMIT};
    struct storage storage;
    threads_set(threads);
    const struct least begun = least_begin();
    enum status status = format_convert(choice, &options, bench->a, NULL, &storage, error);
    for (int k = 0; k < count; k++)
        least_end(&timed[k].convert[threads - 1], &begun);
    for (int k = 0; k < count && status == STATUS_OK; k++)
        status = time_products(bench, choice, threads, &storage, &timed[k], error);
    storage_free(&storage);
    return status;
}

static double products_with_one(const struct timed_kernel *timed)
{
    return (timed->convert[0].processor + timed->prepare[0].processor) / timed->product[0].processor;
}

static double products_with_two(const struct timed_kernel *timed)
{
    return (timed->convert[1].elapsed + timed->prepare[1].elapsed) / timed->product[1].elapsed;
}

static void print_products(const char *name, const struct timed_kernel *timed)
{
    const double one = products_with_one(timed), two = products_with_two(timed);
    printf("  %-22.22s %-14s %8.2f %8.2f %8.2f %7.1f %-7s %8.2f %8.2f %8.2f %7.1f %s\n", name,
           timed->kernel->name, 1e3 * timed->convert[0].processor, 1e3 * timed->prepare[0].processor,
           1e3 * timed->product[0].processor, one, one > PRODUCTS_AIM ? "missed" : "reached",
           1e3 * timed->convert[1].elapsed, 1e3 * timed->prepare[1].elapsed, 1e3 * timed->product[1].elapsed,
           two, two > PRODUCTS_AIM ? "missed" : "reached");
}

/* Print each kernel, or why the format is refused. */
static void bench_products(const struct bench *bench, const struct format_choice *choice)
{
    struct timed_kernel timed[KERNELS_MAX];
    struct error error = {0};
    char name[CHOICE_NAME];
    const int count = kernels_of(choice->format, timed);
    enum status status = STATUS_OK;
    format_choice_name(choice, name, sizeof name);
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++)
        for (int threads = 1; threads <= 2 && status == STATUS_OK; threads++)
            status = time_round(bench, choice, threads, timed, count, &error);
    if (status != STATUS_OK) printf("  %-22.22s %s\n", name, error.message);
    for (int k = 0; k < count && status == STATUS_OK; k++)
        if (!timed[k].kernel->sequential) print_products(name, &timed[k]);
}

static bool has_products_aim(const struct format *format)
{
    static const char *const names[] = {"sell", "ell", "hyb", "cmrs"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (format_find(names[k]) == format) return true;
    return false;
}

static void bench_all_products(const struct bench *bench, const struct format_list *list)
{
    printf("  conversions in products of a kernel, at most %d: ms of processor time with one thread, and "
           "elapsed "
           "with two\n",
           PRODUCTS_AIM);
    printf("  %-22s %-14s %8s %8s %8s %7s %-7s %8s %8s %8s %7s\n", "format", "kernel", "1: conv.", "tables",
           "product", "ratio", "", "2: conv.", "tables", "product", "ratio");
    for (int k = 0; k < list->count; k++)
        if (has_products_aim(list->choices[k].format)) bench_products(bench, &list->choices[k]);
    printf("\n");
}

static enum status bench_matrix(const struct csr *a, const struct format_list *list, struct error *error)
{
    const struct format_options options = {0};
    const struct format_choice csr = format_choice_default(&format_csr, PRECISION_F64);
    struct bench bench = {.a = a};
    struct result *results = memory_zeroed((size_t)list->count, sizeof *results, error);
    bench.x = memory_array((size_t)a->cols, sizeof *bench.x, error);
    bench.y = memory_array((size_t)a->rows, sizeof *bench.y, error);
    enum status status = results && bench.x && bench.y ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) status = format_convert(&csr, &options, a, NULL, &bench.csr, error);
    if (status == STATUS_OK) {
        for (int64_t j = 0; j < a->cols; j++)
            bench.x[j] = 1 / (1 + (double)(j % 7));
        run_rounds(&bench, list, results);
        print_results(&bench, list, results);
        bench_all_products(&bench, list);
    }
    storage_free(&bench.csr);
    free(bench.x);
    free(bench.y);
    free(results);
    return status;
}

static enum status bench_specification(const char *specification, const struct format_list *list,
                                       struct error *error)
{
    const struct load_options options = {0};
    struct matrix matrix = {0};
    threads_set(0);
    enum status status = generate_matrix(specification, &options, NULL, &matrix, error);
    if (status != STATUS_OK) return status;
    printf("%s: %lld x %lld, %lld entries\n", specification, (long long)matrix.csr.rows,
           (long long)matrix.csr.cols, (long long)csr_nnz(&matrix.csr));
    status = bench_matrix(&matrix.csr, list, error);
    matrix_free(&matrix);
    return status;
}

/* Specifications of about this many entries. */
static void standard_specifications(double entries, char (*specifications)[80])
{
    int scale = (int)fmax(1, floor(log2(entries / 16)));
    snprintf(specifications[0], 80, "stencil27,n=%.0f", floor(cbrt(entries / 27)) + 1);
    snprintf(specifications[1], 80, "laplace3d,n=%.0f", floor(cbrt(entries / 7)) + 1);
    snprintf(specifications[2], 80, "random,m=%.0f,mean=25", ceil(entries / 25));
    snprintf(specifications[3], 80, "powerlaw,scale=%d,edge=%.0f", scale, entries / exp2(scale));
    snprintf(specifications[4], 80, "banded,n=%.0f,lower=12", ceil(entries / 25));
}

int main(int argc, char **argv)
{
    char standard[5][80], text[2048];
    double entries = argc > 1 ? strtod(argv[1], NULL) : 1e7;
    struct format_list list = {0};
    struct error error = {0};
    int n = argc > 3 ? argc - 3 : 5;
    if (!(entries >= 1000 && entries <= 1e9)) {
        fprintf(stderr, "usage: bench_formats [ENTRIES [FORMATS [SPEC...]]], 1e3 to 1e9 entries\n");
        return 2;
    }
    standard_specifications(entries, standard);
    printf("conversions in passes, aim %.1f times faster with two threads; medians and bests of %d rounds\n",
           SPEEDUP_AIM, ROUNDS);
    enum status status = format_list_add(&list, argc > 2 ? argv[2] : "all", &error);
    for (int k = 0; k < n && status == STATUS_OK; k++)
        status = bench_specification(argc > 3 ? argv[k + 3] : standard[k], &list, &error);
    format_list_free(&list);
    if (status == STATUS_OK) return 0;
    fprintf(stderr, "bench_formats: %s\n", error_text(&error, text, sizeof text));
    return 1;
}
