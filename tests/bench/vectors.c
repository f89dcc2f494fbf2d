/* Products with several vectors and with the transposed matrix on one GPU or on the processors: the best of
 * our kernels by their defaults beside the best of the libraries (cuSPARSE's algorithms; those of
 * src/kernels/libraries that compute the product), timed in the same rounds, every result checked. Prints a
 * line for each matrix, precision and product as soon as it is done, and in the end the geometric mean and
 * the smallest of the ratios of each product. Decides nothing.
 *
 * vectors [OPTION]... MATRIX... */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/gpu/device.h"
#include "kernels/libraries/library.h"
#include "kernels/list.h"
#include "kernels/timing/bench.h"
#include "matrix/matrix.h"

#define KERNELS                                                                                       \
    "cuda/csr-vector cuda/csr-balanced cuda/sell cuda/ell-padded cuda/coo-atomic cuda/coo-segmented " \
    "cusparse/csr-alg1 cusparse/csr-alg2 cusparse/coo-alg1 cusparse/coo-alg2"
#define PROCESSOR_KERNELS                                                                       \
    "cpu/csr-omp cpu/csr-balanced cpu/csr-compact cpu/sell-omp:c=8,sigma=256 cpu/sell-compact " \
    "cpu/sell-compact:c=8,sigma=256 cpu/sell-compact:c=64 cpu/ell-omp cpu/hyb-omp cpu/dia-omp " \
    "cpu/jds-omp cpu/coo-omp cpu/bsr-omp cpu/csc-omp mkl/csr rsb/csr"
#define PRODUCTS                                                                                       \
    "A,2,rows A,2,columns A,4,rows A,4,columns A,8,rows A,8,columns A,16,rows A,32,rows A,32,columns " \
    "A,64,rows A,64,columns At,8,columns"
#define PRODUCTS_MAX 64
#define PRUNE 3.0 /* kernels whose arrays have more than this multiple of the bytes of CSR are left out */
#define LIMIT ((size_t)32 << 30)
#define MAX_SECONDS 0.15 /* of a kernel's samples */

struct settings {
    bool precision[2]; /* which of enum precision */
    bool cold;
    bool processor; /* or a GPU */
    bool least;     /* least times are compared, not medians */
    double budget;  /* seconds; 0: none */
    int repeat, device, threads;
    const char *kernels, *products;
    FILE *tsv; /* of all kernels; or NULL */
};

/* The ratios of a product. */
struct ratios {
    char name[32];
    int count;
    double sum, least; /* of logarithms */
    char where[64];
};

struct bench {
    struct settings settings;
    struct device device;
    struct machines machines;
    struct ratios ratios[2 * PRODUCTS_MAX];
    int count;
    double started;
};

static double elapsed(const struct bench *bench)
{
    return clock_seconds() - bench->started;
}

static bool is_own(const struct result *result)
{
    const struct backend *backend = result->choice.kernel->backend;
    return !backend->library && backend != &backend_cusparse;
}

static double seconds_of(const struct bench *bench, const struct result *result)
{
    return bench->settings.least ? result->samples.min : result->samples.median;
}

/* The fastest of ours, or of the libraries'; NULL if none was timed. */
static const struct result *fastest(const struct bench *bench, const struct result *results, int count,
                                    bool own)
{
    const struct result *best = NULL;
    for (int k = 0; k < count; k++) {
        const struct result *r = &results[k];
        if (r->status == STATUS_OK && is_own(r) == own &&
            (!best || seconds_of(bench, r) < seconds_of(bench, best)))
            best = r;
    }
    return best;
}

static double bytes_of(const struct csr *a, const struct kernel_choice *choice)
{
    const struct format_options options = {0};
    struct storage storage;
    double bytes = INFINITY;
    if (format_plan(&choice->format, &options, a, NULL, &storage, NULL) == STATUS_OK)
        bytes = (double)storage_size(&storage).bytes;
    storage_free(&storage);
    return bytes;
}

/* Read "A,8,rows" or "At,1,-". */
static bool read_product(const char *text, struct product *product)
{
    char which[3], layout[8];
    int columns;
    if (sscanf(text, "%2[At],%d,%7s", which, &columns, layout) != 3) return false;
    *product = (struct product){
        .transposed = strcmp(which, "At") == 0, .columns = columns, .by_rows = strcmp(layout, "rows") == 0};
    return columns >= 1 && columns <= PRODUCT_COLUMNS_MAX;
}

static struct ratios *ratios_of(struct bench *bench, const char *name)
{
    for (int k = 0; k < bench->count; k++)
        if (strcmp(bench->ratios[k].name, name) == 0) return &bench->ratios[k];
    struct ratios *ratios =
        &bench->ratios[bench->count < 2 * PRODUCTS_MAX - 1 ? bench->count++ : bench->count];
    snprintf(ratios->name, sizeof ratios->name, "%s", name);
    return ratios;
}

static void print_results(struct bench *bench, const char *matrix, const char *product,
                          const struct result *results, int count)
{
    const struct result *own = fastest(bench, results, count, true),
                        *vendor = fastest(bench, results, count, false);
    for (int k = 0; k < count; k++)
        if (results[k].status != STATUS_OK && results[k].status != STATUS_UNAVAILABLE &&
            results[k].status != STATUS_LIMIT)
            printf("    %s: %s\n", results[k].name, results[k].error.message);
    for (int k = 0; bench->settings.tsv && k < count; k++)
        if (results[k].status == STATUS_OK)
            fprintf(bench->settings.tsv, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\n", matrix, product,
                    results[k].full_name, bench->settings.cold ? "flushed" : "warm",
                    1e6 * results[k].samples.median, 1e6 * results[k].samples.low,
                    1e6 * results[k].samples.high);
    if (!own || !vendor) return;
    const double ratio = seconds_of(bench, vendor) / seconds_of(bench, own);
    printf("%-38.38s %-16s  %-18s %8.1f  %-17s %8.1f  %6.2f\n", matrix, product, own->full_name,
           1e6 * seconds_of(bench, own), vendor->full_name, 1e6 * seconds_of(bench, vendor), ratio);
    fflush(stdout);
    struct ratios *ratios = ratios_of(bench, product);
    if (ratios->count == 0 || log(ratio) < ratios->least) {
        ratios->least = log(ratio);
        snprintf(ratios->where, sizeof ratios->where, "%s", matrix);
    }
    ratios->sum += log(ratio);
    ratios->count++;
}

static enum status bench_product(struct bench *bench, const char *matrix, struct pool *pool,
                                 enum precision precision, const char *text, struct error *error)
{
    const struct settings *settings = &bench->settings;
    struct bench_options options = {.repeat = settings->repeat,
                                    .warmup = 1,
                                    .min_seconds = 1e-5,
                                    .max_seconds = MAX_SECONDS,
                                    .cold = settings->cold,
                                    .limit = LIMIT};
    struct kernel_list list = {0};
    char name[32];
    if (!read_product(text, &options.product))
        return error_set(error, STATUS_USAGE, "%s is no product, such as A,8,rows", text);
    snprintf(name, sizeof name, "%s %s %d %s", precision_name(precision),
             options.product.transposed ? "At" : "A", options.product.columns,
             options.product.columns == 1 ? "-"
             : options.product.by_rows    ? "rows"
                                          : "columns");
    enum status status = kernel_list_add(&list, settings->kernels, error);
    struct result *results = memory_zeroed((size_t)list.count + 1, sizeof *results, error);
    int count = 0;
    if (!results) status = STATUS_MEMORY;
    for (int k = 0; status == STATUS_OK && k < list.count; k++) {
        const struct kernel_choice choice =
            kernel_choice_with(&list.choices[k], precision, settings->threads);
        const struct kernel_choice csr = kernel_choice_with(&list.choices[0], precision, settings->threads);
        if (bytes_of(pool->a, &choice) <= PRUNE * bytes_of(pool->a, &csr))
            results[count++] = (struct result){.choice = choice};
    }
    if (status == STATUS_OK)
        status = bench_run(pool, results, count, &options, &bench->machines, NULL, error);
    if (status == STATUS_OK) print_results(bench, matrix, name, results, count);
    free(results);
    kernel_list_free(&list);
    return status;
}

/* All products of a matrix; real parts of a complex one. */
static enum status bench_matrix(struct bench *bench, const char *source, struct error *error)
{
    const struct settings *settings = &bench->settings;
    const struct load_options options = {0};
    const char *slash = strrchr(source, '/');
    struct matrix matrix;
    enum status status = matrix_load(source, &options, NULL, &matrix, error);
    if (status == STATUS_OK) {
        free(matrix.csr.imaginary);
        matrix.csr.imaginary = NULL;
    }
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32 && status == STATUS_OK; p++) {
        struct pool pool = {.a = &matrix.csr};
        char item[32];
        for (const char *at = settings->products; settings->precision[p] && *at && status == STATUS_OK;) {
            size_t length = strcspn(at, " ");
            snprintf(item, sizeof item, "%.*s", (int)length, at);
            if (settings->budget <= 0 || elapsed(bench) < settings->budget)
                status = bench_product(bench, slash ? slash + 1 : source, &pool, p, item, error);
            at += length + strspn(at + length, " ");
        }
        pool_free(&pool);
    }
    matrix_free(&matrix);
    return status;
}

static void print_ratios(const struct bench *bench)
{
    double sum = 0;
    int count = 0;
    printf("\nproduct: library / own, geometric mean, smallest, where\n");
    for (int k = 0; k < bench->count; k++) {
        const struct ratios *r = &bench->ratios[k];
        printf("%-18s %6.2f %6.2f  %s\n", r->name, exp(r->sum / r->count), exp(r->least), r->where);
        sum += r->sum;
        count += r->count;
    }
    if (count > 0)
        printf("%-18s %6.2f in %d cases; %.0f s\n", "all", exp(sum / count), count, elapsed(bench));
}

/* Measure the processors, and name the libraries that take part. */
static enum status begin_processor(struct bench *bench, struct error *error)
{
    const struct settings *settings = &bench->settings;
    enum status status = machine_measure(&bench->machines.host, settings->threads, 0, NULL, error);
    if (status != STATUS_OK) return status;
    printf("%d threads, cache %.0f MiB, reads %.1f GB/s", settings->threads,
           (double)bench->machines.host.cache / 1048576, 1e-9 * bench->machines.host.read);
    for (int k = 0; kernels[k]; k++) {
        const struct library *library = kernels[k]->backend->library;
        if (library && kernels[k]->columns_max > 1 && !library_look(library))
            printf(", %s %s", library->place.title, library_version(library));
    }
    return STATUS_OK;
}

static enum status begin_device(struct bench *bench, struct error *error)
{
    enum status status = device_open(backend_cuda.devices, bench->settings.device, &bench->device, error);
    if (status == STATUS_OK)
        status = machine_measure_device(&bench->machines.device[0], &bench->device, NULL, error);
    if (status != STATUS_OK) return status;
    bench->machines.devices = 1;
    const struct device_library *found = backend_cusparse.device_library();
    printf("%s, %s %s", bench->device.facts.name, found ? found->title : "no cuSPARSE",
           found ? found->version : "");
    return STATUS_OK;
}

static enum status check(const struct bench *bench, struct error *error)
{
    return bench->settings.processor ? STATUS_OK : device_check(&bench->device, error);
}

static enum status run(struct bench *bench, int count, char **matrices, struct error *error)
{
    const struct settings *settings = &bench->settings;
    bench->started = clock_seconds();
    enum status status = settings->processor ? begin_processor(bench, error) : begin_device(bench, error);
    if (status != STATUS_OK) return status;
    printf("; caches %s, %s of %d samples; us\n", settings->cold ? "flushed" : "warm",
           settings->least ? "least" : "medians", settings->repeat);
    for (int k = 0; k < count && check(bench, error) == STATUS_OK; k++) {
        struct error reason = {0};
        char text[1800];
        if (bench_matrix(bench, matrices[k], &reason) != STATUS_OK)
            printf("%s: %s\n", matrices[k], error_text(&reason, text, sizeof text));
    }
    print_ratios(bench);
    return check(bench, error);
}

static bool read_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        {"single", no_argument, NULL, 's'},
        {"double", no_argument, NULL, 'd'},
        {"cold", no_argument, NULL, 'f'},
        {"repeat", required_argument, NULL, 'r'},
        {"kernels", required_argument, NULL, 'k'},
        {"device", required_argument, NULL, 'g'},
        {"products", required_argument, NULL, 'p'},
        {"budget", required_argument, NULL, 'b'},
        {"tsv", required_argument, NULL, 't'},
        {"processor", no_argument, NULL, 'c'},
        {"threads", required_argument, NULL, 'n'},
        {"least", no_argument, NULL, 'l'},
        {0},
    };
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            settings->precision[PRECISION_F32] = true;
        else if (c == 'd')
            settings->precision[PRECISION_F64] = true;
        else if (c == 'f')
            settings->cold = true;
        else if (c == 'l')
            settings->least = true;
        else if (c == 'c')
            settings->processor = true;
        else if (c == 'n')
            settings->threads = atoi(optarg);
        else if (c == 'r')
            settings->repeat = atoi(optarg);
        else if (c == 'k')
            settings->kernels = optarg;
        else if (c == 'g')
            settings->device = atoi(optarg);
        else if (c == 'p')
            settings->products = optarg;
        else if (c == 'b')
            settings->budget = atof(optarg);
        else if (c != 't' || !(settings->tsv = fopen(optarg, "a")))
            return false;
    }
    if (!settings->kernels) settings->kernels = settings->processor ? PROCESSOR_KERNELS : KERNELS;
    if (settings->processor) {
        if (settings->threads > 0) threads_set(settings->threads);
        settings->threads = threads_count();
    }
    if (!settings->precision[0] && !settings->precision[1])
        settings->precision[0] = settings->precision[1] = true;
    return settings->repeat > 0 && optind < argc;
}

static const char usage[] = "vectors [OPTION]... MATRIX...\n"
                            "  --processor         on the processors, not a GPU; with --threads=N\n"
                            "  --double, --single  one precision alone\n"
                            "  --least             least times are compared, not medians, for busy machines\n"
                            "  --cold              caches are flushed before each sample\n"
                            "  --products=LIST     of A,COLUMNS,LAYOUT, At for the transposed matrix\n"
                            "  --kernels=LIST      as sparsight report takes them\n"
                            "  --repeat=N          samples of each kernel\n"
                            "  --budget=SECONDS    begin no product after that\n"
                            "  --tsv=FILE          every kernel's times, appended\n"
                            "  --device=N          the GPU, counted from 0\n";

int main(int argc, char **argv)
{
    static struct bench bench = {.settings = {.repeat = 15, .products = PRODUCTS}};
    struct error error = {0};
    char text[1800];
    if (!read_options(argc, argv, &bench.settings)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!bench.settings.processor && backend_cuda.devices->check(&error) != STATUS_OK) {
        printf("vectors does nothing here: %s\n", error.message);
        return 0;
    }
    enum status status = run(&bench, argc - optind, argv + optind, &error);
    if (status != STATUS_OK) fprintf(stderr, "vectors: %s\n", error_text(&error, text, sizeof text));
    machines_free(&bench.machines);
    device_close(&bench.device);
    if (bench.settings.tsv) fclose(bench.settings.tsv);
    return status == STATUS_OK ? 0 : 1;
}
