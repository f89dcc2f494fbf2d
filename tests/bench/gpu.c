/* The kernels of GPUs beside cuSPARSE, all that it has, in one run on one GPU: each matrix several times
 * larger than L2, which is flushed before each sample; every result checked. Prints a line for each matrix
 * and precision as soon as it is done, and in the end the aims of the kernels, and whether they reach them.
 * Decides nothing.
 *
 * bench_gpu [OPTION]... [MATRIX...]: a MATRIX is one of the list that is timed without any (--list shows it),
 * or any matrix that sparsight opens. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "gpu/aims.h"
#include "gpu/matrices.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/gpu/device.h"
#include "kernels/list.h"
#include "kernels/timing/bench.h"
#include "support/timing.h"

/* The kernels that may be the fastest; those that this build lacks are left out. */
#define KERNELS                                                                                  \
    "cusparse cuda/csr-* cuda/coo-segmented cuda/dia cuda/bsr cuda/sell cuda/sell:c=32,sigma=1 " \
    "cuda/sell:c=32,sigma=8192"
/* for the aims of CMRS: for mean row lengths of 20 to 100, and for short rows */
#define KERNELS_MIDDLING "cuda/cmrs:height=2 cuda/cmrs:height=4 cuda/cmrs:height=8"
#define KERNELS_SHORT "cuda/csr-vector:threads=32 cuda/cmrs:height=4 cuda/cmrs:height=8 cuda/cmrs:height=16"

#define PRUNE 3.0  /* kernels whose arrays have more than this multiple of the bytes of CSR are left out */
#define SIZE 400.0 /* MB of CSR in double precision that real matrices are repeated to, at least; and */
#define SIZE_OVER_CACHE 6        /* this multiple of L2: in single precision that is still four times */
#define REPEAT 12                /* samples of a kernel, */
#define MAX_SECONDS 0.15         /* but no more after that */
#define LIMIT ((size_t)48 << 30) /* bytes of all stored matrices */

struct settings {
    bool precision[2]; /* indexed by enum precision */
    double size;       /* bytes */
    double budget;     /* seconds; 0: none */
    int repeat, device;
    const char *kernels; /* a list; NULL: those of this page */
    FILE *csv;           /* or NULL */
};

struct bench {
    struct settings settings;
    struct device device;
    struct machines machines;
    struct figures *figures[2]; /* by precision */
    size_t count[2];
    double started;
};

struct table {
    struct result *results;
    int count;
};

static void table_free(struct table *table)
{
    free(table->results);
    *table = (struct table){0};
}

/* Which kernels */

static double bytes_of_csr(const struct csr *a, enum precision precision)
{
    double value = precision == PRECISION_F32 ? 4 : 8, offset = csr_nnz(a) > INT32_MAX ? 8 : 4;
    return (value + 4) * (double)csr_nnz(a) + offset * ((double)a->rows + 1) +
           value * ((double)a->rows + (double)a->cols);
}

static bool worth_trying(const struct csr *a, const struct kernel_choice *choice)
{
    const struct format_options options = {0};
    struct storage storage;
    bool worth = format_plan(&choice->format, &options, a, NULL, &storage, NULL) == STATUS_OK &&
                 (double)storage_size(&storage).bytes <= PRUNE * bytes_of_csr(a, choice->format.precision);
    storage_free(&storage);
    return worth;
}

/* Add items one by one; those that this build does not have are passed over. */
static void add_items(struct kernel_list *list, const char *items)
{
    char item[256];
    while (*items) {
        size_t length = strcspn(items, " ");
        snprintf(item, sizeof item, "%.*s", (int)length, items);
        kernel_list_add(list, item, NULL);
        items += length + strspn(items + length, " ");
    }
}

static enum status choose(const struct bench *bench, double mean, struct kernel_list *list,
                          struct error *error)
{
    if (bench->settings.kernels) return kernel_list_add(list, bench->settings.kernels, error);
    add_items(list, KERNELS);
    if (mean > 20 && mean < 100) add_items(list, KERNELS_MIDDLING);
    if (mean < 10) add_items(list, KERNELS_SHORT);
    return list->count > 0 ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "there are no kernels");
}

static enum status make_table(const struct bench *bench, const struct csr *a, enum precision precision,
                              struct table *table, struct error *error)
{
    struct kernel_list list = {0};
    double mean = (double)csr_nnz(a) / (double)a->rows;
    enum status status = choose(bench, mean, &list, error);
    table->results = memory_zeroed((size_t)list.count + 1, sizeof *table->results, error);
    if (!table->results) status = STATUS_MEMORY;
    for (int k = 0; k < list.count && status == STATUS_OK; k++) {
        const struct kernel_choice choice = kernel_choice_with(&list.choices[k], precision, 0);
        if (worth_trying(a, &choice)) table->results[table->count++] = (struct result){.choice = choice};
    }
    kernel_list_free(&list);
    return status;
}

/* The results */

static double seconds_of(const struct result *result)
{
    return result && result->status == STATUS_OK ? result->samples.median : INFINITY;
}

/* The value of a parameter in a table; NaN if there is none called so. */
static double value_in(const struct parameter *table, const struct parameter_values *values, const char *name)
{
    for (int k = 0; table[k].name; k++)
        if (strcmp(table[k].name, name) == 0) return values->number[k];
    return NAN;
}

static bool is_vendor(const struct result *result)
{
    return result->choice.kernel->backend == &backend_cusparse;
}

/* True for SpMVOp, which cuSPARSE has since 12.8. */
static bool is_op(const struct result *result)
{
    return is_vendor(result) && strncmp(result->choice.kernel->name, "csr-op", strlen("csr-op")) == 0;
}

static bool is_classic(const struct result *result)
{
    return is_vendor(result) && !is_op(result);
}

static bool is_own(const struct result *result)
{
    return result->choice.kernel->backend == &backend_cuda;
}

static bool is_cmrs(const struct result *result)
{
    return is_own(result) && strcmp(result->choice.kernel->format->name, "cmrs") == 0;
}

static bool is_vector(const struct result *result)
{
    return is_own(result) && strcmp(result->choice.kernel->name, "csr-vector") == 0 &&
           value_in(result->choice.kernel->parameters, &result->resolved.values, "threads") == 32;
}

/* The fastest of those; NULL if none was timed. */
static const struct result *fastest(const struct table *table, bool (*of)(const struct result *))
{
    const struct result *best = NULL;
    for (int k = 0; k < table->count; k++)
        if (of(&table->results[k]) && seconds_of(&table->results[k]) < seconds_of(best))
            best = &table->results[k];
    return best;
}

static struct figures figures_of(const struct bench *bench, const struct gpu_matrix *matrix,
                                 const struct csr *a, enum precision precision, const struct table *table)
{
    const struct result *own = fastest(table, is_own), *cmrs = fastest(table, is_cmrs);
    return (struct figures){.kind = matrix->kind,
                            .mean = (double)csr_nnz(a) / (double)a->rows,
                            .bytes = bytes_of_csr(a, precision),
                            .copy = bench->machines.device[0].copy,
                            .vendor = seconds_of(fastest(table, is_vendor)),
                            .classic = seconds_of(fastest(table, is_classic)),
                            .op = seconds_of(fastest(table, is_op)),
                            .own = seconds_of(own),
                            .own_bytes = own ? own->bytes.plus : NAN,
                            .cmrs = seconds_of(cmrs),
                            .height = cmrs ? value_in(cmrs->choice.kernel->format->parameters,
                                                      &cmrs->resolved.format.values, "height")
                                           : NAN,
                            .vector = seconds_of(fastest(table, is_vector)),
                            .value = precision == PRECISION_F32 ? 4 : 8};
}

static double elapsed(const struct bench *bench)
{
    return clock_seconds() - bench->started;
}

static const char *name_after_backend(const struct result *result)
{
    const char *slash = result ? strchr(result->name, '/') : NULL;
    return slash ? slash + 1 : result ? result->name : "-";
}

static void print_best(const struct result *best, const struct figures *f)
{
    if (!best) {
        printf("  %-26s %11s %5s", "-", "-", "-");
        return;
    }
    printf("  %-26.26s %8.1f us %5.2f", name_after_backend(best), 1e6 * seconds_of(best),
           f->bytes / seconds_of(best) / f->copy);
}

static void print_heading(void)
{
    printf("%-15s %-11s %3s %10s %7s %6s  %-26s %11s %5s  %-26s %11s %5s %5s %6s %6s\n", "matrix", "kind", "",
           "nnz", "mean", "MB", "best of cuSPARSE", "median", "copy", "best own", "median", "copy", "own",
           "ratio", "s");
}

/* The gain of CMRS relative to the model's bound. */
static void print_gain(const struct figures *f)
{
    double gain = figures_cmrs_gain(f);
    if (!figures_short_rows(f) || isnan(gain)) return;
    printf("    cmrs:height=%g is %.2f times as fast as csr-vector:threads=32; a(%g, %.1f) by 128 bytes is "
           "%.2f: "
           "%.2f of it; by 32 bytes %.2f: %.2f of it\n",
           f->height, gain, f->height, f->mean, figures_cmrs_max(f, 128), gain / figures_cmrs_max(f, 128),
           figures_cmrs_max(f, 32), gain / figures_cmrs_max(f, 32));
}

/* The time of converting on the GPU, relative to the fastest product of all. */
static void print_conversions(const struct table *table, double fastest)
{
    int told = 0;
    for (int k = 0; k < table->count; k++) {
        const struct result *r = &table->results[k];
        if (r->status != STATUS_OK || !is_own(r) || !(r->device_convert_seconds > 0)) continue;
        printf("%s %s %.1f",
               told++ ? "," : "    converted on the GPU, in products of the fastest:", name_after_backend(r),
               r->device_convert_seconds / fastest);
    }
    if (told) printf("\n");
}

static void print_row(const struct bench *bench, const struct gpu_matrix *matrix, const struct csr *a,
                      enum precision precision, const struct table *table, double seconds)
{
    const struct figures f = figures_of(bench, matrix, a, precision, table);
    const struct result *own = fastest(table, is_own);
    printf("%-15.15s %-11s %3s %10lld %7.1f %6.0f", matrix->subject.name, kind_name(matrix->kind),
           precision_name(precision), (long long)csr_nnz(a), f.mean, 1e-6 * f.bytes);
    print_best(fastest(table, is_vendor), &f);
    print_best(own, &f);
    printf(" %5.2f %6.3f %6.1f\n", f.own_bytes / seconds_of(own) / f.copy, figures_ratio(&f), seconds);
    print_gain(&f);
    print_conversions(table, fmin(f.own, f.vendor));
    for (int k = 0; k < table->count; k++) {
        const struct result *r = &table->results[k];
        if (r->status != STATUS_OK && r->status != STATUS_UNAVAILABLE && r->status != STATUS_LIMIT)
            printf("    %s: %s\n", r->name, r->error.message);
    }
    fflush(stdout);
}

/* A field of CSV that is in quotes has its own doubled. */
static void write_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_heading(FILE *csv)
{
    fputs("matrix,kind,precision,rows,cols,nnz,csr_bytes,copy_bytes_s,read_bytes_s,kernel,samples,median_us,"
          "low_us,high_us,min_us,share_csr,share_own,own_bytes,convert_us,upload_us,device_convert_us,max_"
          "error,error\n",
          csv);
}

static void write_result(FILE *csv, const struct machine *machine, const struct gpu_matrix *matrix,
                         const struct csr *a, const struct result *r)
{
    double bytes = bytes_of_csr(a, r->choice.format.precision), seconds = seconds_of(r);
    bool done = r->status == STATUS_OK;
    write_quoted(csv, matrix->subject.name);
    fprintf(csv, ",%s,%s,%lld,%lld,%lld,%.0f,%.4g,%.4g,", kind_name(matrix->kind),
            precision_name(r->choice.format.precision), (long long)a->rows, (long long)a->cols,
            (long long)csr_nnz(a), bytes, machine->copy, machine->read);
    write_quoted(csv, r->name);
    if (done)
        fprintf(csv, ",%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f,%.1f,%.1f,%.1f,%.3g,\n", r->samples.count,
                1e6 * seconds, 1e6 * r->samples.low, 1e6 * r->samples.high, 1e6 * r->samples.min,
                bytes / seconds / machine->copy, r->bytes.plus / seconds / machine->copy, r->bytes.plus,
                1e6 * r->convert_seconds, 1e6 * r->upload_seconds, 1e6 * r->device_convert_seconds,
                r->max_error);
    else {
        fputs(",,,,,,,,,,,,,", csv);
        write_quoted(csv, r->error.message);
        fputc('\n', csv);
    }
}

static void keep(struct bench *bench, const struct gpu_matrix *matrix, const struct csr *a,
                 enum precision precision, const struct table *table)
{
    bench->figures[precision][bench->count[precision]++] = figures_of(bench, matrix, a, precision, table);
    for (int k = 0; bench->settings.csv && k < table->count; k++)
        write_result(bench->settings.csv, &bench->machines.device[0], matrix, a, &table->results[k]);
    if (bench->settings.csv) fflush(bench->settings.csv);
}

/* Running */

static enum status bench_precision(struct bench *bench, const struct gpu_matrix *matrix, const struct csr *a,
                                   enum precision precision, struct error *error)
{
    const struct bench_options options = {.repeat = bench->settings.repeat,
                                          .warmup = 1,
                                          .min_seconds = 1e-4,
                                          .max_seconds = MAX_SECONDS,
                                          .cold = true,
                                          .limit = LIMIT};
    struct table table = {0};
    double start = clock_seconds();
    enum status status = make_table(bench, a, precision, &table, error);
    if (status == STATUS_OK)
        status = timing_bench(a, table.results, table.count, &options, &bench->machines, NULL, error);
    if (status == STATUS_OK) {
        print_row(bench, matrix, a, precision, &table, clock_seconds() - start);
        keep(bench, matrix, a, precision, &table);
    }
    table_free(&table);
    return status;
}

/* The bench compares kernels of real matrices: of a complex one the real parts are taken. */
static void take_real_parts(struct csr *a)
{
    free(a->imaginary);
    a->imaginary = NULL;
}

/* One matrix in all precisions; one that cannot be made says why, and the others go on. */
static enum status bench_matrix(struct bench *bench, const struct gpu_matrix *matrix)
{
    struct matrix made;
    struct error error = {0};
    char text[1800];
    double start = clock_seconds();
    enum status status = subject_make(&matrix->subject, bench->settings.size, &made, &error);
    if (status == STATUS_OK) {
        take_real_parts(&made.csr);
        fprintf(stderr, "%.0f s: %s, made in %.1f s\n", elapsed(bench), matrix->subject.name,
                clock_seconds() - start);
    }
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++)
        if (status == STATUS_OK && bench->settings.precision[precision])
            status = bench_precision(bench, matrix, &made.csr, precision, &error);
    if (status != STATUS_OK)
        printf("%-15.15s %s\n", matrix->subject.name, error_text(&error, text, sizeof text));
    fflush(stdout);
    matrix_free(&made);
    return device_check(&bench->device, NULL);
}

static void print_aims(const struct bench *bench, enum precision precision)
{
    struct aim aims[AIMS];
    if (bench->count[precision] == 0) return;
    aims_judge(bench->figures[precision], bench->count[precision], aims);
    printf("\n%s, %zu matrices\n", precision_name(precision), bench->count[precision]);
    for (int k = 0; k < AIMS; k++) {
        const struct aim *aim = &aims[k];
        printf("  %-72s", aim->what);
        if (aim->count > 0)
            printf(" %6.3f  %s %4.2f  %s (%d)\n", aim->value, aim->bound == AIM_MIN ? ">=" : "<=", aim->aim,
                   aim_reached(aim) ? "reached" : "missed", aim->count);
        else
            printf(" %6s  %s %4.2f  not run\n", "-", aim->bound == AIM_MIN ? ">=" : "<=", aim->aim);
    }
    fflush(stdout);
}

/* The version of cuSPARSE in the comparison. */
static void print_library(void)
{
    const struct device_library *found = backend_cusparse.device_library();
    const char *missing = cusparse_op_unavailable();
    if (!found)
        printf("no cuSPARSE: %s\n", missing ? missing : "");
    else
        printf("%s %s, %s; its best of all algorithms, %s%s\n", found->title, found->version, found->path,
               missing ? "but for SpMVOp: " : "SpMVOp among them", missing ? missing : "");
}

/* Where SpMVOp is ahead of cuSPARSE's other algorithms, and how far. */
static void print_op(const struct bench *bench, enum precision precision)
{
    double mean;
    int ahead, count = figures_op(bench->figures[precision], bench->count[precision], &mean, &ahead);
    if (count > 0)
        printf(
            "  SpMVOp is the fastest of cuSPARSE on %d of %d matrices; the best other / the best of SpMVOp, "
            "geometric mean %.3f\n",
            ahead, count, mean);
}

static void print_bandwidth(const struct bench *bench)
{
    const struct machine *machine = &bench->machines.device[0];
    printf("copies %.0f GB/s (%.0f at worst), reads %.0f GB/s; L2 %.0f MB\n", 1e-9 * machine->copy,
           1e-9 * machine->copy_low, 1e-9 * machine->read, 1e-6 * (double)machine->cache);
}

static enum status begin(struct bench *bench, size_t max, struct error *error)
{
    struct settings *settings = &bench->settings;
    struct machine *machine = &bench->machines.device[0];
    bench->started = clock_seconds();
    for (int k = 0; k < 2; k++)
        if (!(bench->figures[k] = memory_zeroed(max, sizeof *bench->figures[k], error))) return STATUS_MEMORY;
    enum status status = device_open(backend_cuda.devices, settings->device, &bench->device, error);
    if (status == STATUS_OK) status = machine_measure_device(machine, &bench->device, NULL, error);
    if (status != STATUS_OK) return status;
    bench->machines.devices = 1;
    if (settings->size <= 0) settings->size = fmax(1e6 * SIZE, SIZE_OVER_CACHE * (double)machine->cache);
    printf("%s, driver for CUDA %d.%d, built with %d.%d; %d threads of the host\n", bench->device.facts.name,
           bench->device.facts.driver / 1000, bench->device.facts.driver % 1000 / 10,
           bench->device.facts.runtime / 1000, bench->device.facts.runtime % 1000 / 10, threads_count());
    print_library();
    print_bandwidth(bench);
    printf(
        "real matrices are repeated to %.0f MB of CSR in double precision; %d samples of each kernel\n"
        "median of a product, L2 flushed; copy: share of the copy bandwidth, each of CSR's arrays once, own: "
        "each array that the kernel reads\n\n",
        1e-6 * settings->size, settings->repeat);
    print_heading();
    if (settings->csv) write_heading(settings->csv);
    return STATUS_OK;
}

static enum status run(struct bench *bench, const struct gpu_matrix *matrices, size_t count,
                       struct error *error)
{
    enum status status = begin(bench, count + 1, error);
    size_t done = 0;
    for (; done < count && status == STATUS_OK; done++) {
        if (bench->settings.budget > 0 && elapsed(bench) > bench->settings.budget) break;
        if (bench_matrix(bench, &matrices[done]) != STATUS_OK) status = device_check(&bench->device, error);
    }
    if (status == STATUS_OK && done < count) {
        printf("left out, since %.0f s have passed:", bench->settings.budget);
        for (size_t k = done; k < count; k++)
            printf(" %s", matrices[k].subject.name);
        printf("\n");
    }
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        print_aims(bench, precision);
        print_op(bench, precision);
    }
    if (done > 0) {
        print_bandwidth(bench);
        printf("%.0f s in all\n", elapsed(bench));
    }
    return status;
}

static void end(struct bench *bench)
{
    machines_free(&bench->machines);
    device_close(&bench->device);
    for (int k = 0; k < 2; k++)
        free(bench->figures[k]);
    if (bench->settings.csv) fclose(bench->settings.csv);
}

/* The requested matrices, or all of the table; free with free(). */
static struct gpu_matrix *take_matrices(int argc, char **argv, size_t *count, struct error *error)
{
    size_t all = 0;
    while (gpu_matrices[all].subject.name)
        all++;
    *count = argc > 0 ? (size_t)argc : all;
    struct gpu_matrix *taken = memory_zeroed(*count, sizeof *taken, error);
    for (size_t k = 0; taken && k < *count; k++) {
        const struct gpu_matrix *known = argc > 0 ? gpu_matrix_called(argv[k]) : &gpu_matrices[k];
        taken[k] = known ? *known : (struct gpu_matrix){{argv[k], MAKE_AS_IT_IS, argv[k]}, KIND_OTHER};
    }
    return taken;
}

static bool open_csv(const char *path, struct settings *settings)
{
    settings->csv = fopen(path, "w");
    if (!settings->csv) perror(path);
    return settings->csv != NULL;
}

/* Returns false for an unknown option. */
static bool read_options(int argc, char **argv, struct settings *settings, bool *list)
{
    static const struct option options[] = {
        {"single", no_argument, NULL, 's'},        {"double", no_argument, NULL, 'd'},
        {"size", required_argument, NULL, 'm'},    {"repeat", required_argument, NULL, 'r'},
        {"kernels", required_argument, NULL, 'k'}, {"device", required_argument, NULL, 'g'},
        {"budget", required_argument, NULL, 'b'},  {"csv", required_argument, NULL, 'c'},
        {"list", no_argument, NULL, 'l'},          {0},
    };
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            settings->precision[PRECISION_F32] = true;
        else if (c == 'd')
            settings->precision[PRECISION_F64] = true;
        else if (c == 'm')
            settings->size = 1e6 * atof(optarg);
        else if (c == 'r')
            settings->repeat = atoi(optarg);
        else if (c == 'k')
            settings->kernels = optarg;
        else if (c == 'g')
            settings->device = atoi(optarg);
        else if (c == 'b')
            settings->budget = atof(optarg);
        else if (c == 'l')
            *list = true;
        else if (c != 'c' || !open_csv(optarg, settings))
            return false;
    }
    if (!settings->precision[0] && !settings->precision[1])
        settings->precision[0] = settings->precision[1] = true;
    return settings->repeat > 0;
}

static const char usage[] = "bench_gpu [OPTION]... [MATRIX...]\n"
                            "  --double, --single  one precision alone\n"
                            "  --kernels=LIST      as sparsight report takes them\n"
                            "  --size=MB           of CSR, that real matrices are repeated to\n"
                            "  --repeat=N          samples of each kernel\n"
                            "  --budget=SECONDS    begin no matrix after that\n"
                            "  --csv=FILE          every kernel's figures\n"
                            "  --device=N          the GPU, counted from 0\n"
                            "  --list              show the matrices\n";

int main(int argc, char **argv)
{
    struct bench bench = {.settings = {.repeat = REPEAT}};
    struct error error = {0};
    char text[1800];
    bool list = false;
    size_t count = 0;
    if (!read_options(argc, argv, &bench.settings, &list)) {
        fputs(usage, stderr);
        return 2;
    }
    if (list) {
        gpu_matrices_list();
        return 0;
    }
    if (backend_cuda.devices->check(&error) != STATUS_OK) {
        printf("bench_gpu does nothing here: %s\n", error.message);
        end(&bench);
        return 0;
    }
    struct gpu_matrix *matrices = take_matrices(argc - optind, argv + optind, &count, &error);
    enum status status = matrices ? run(&bench, matrices, count, &error) : STATUS_MEMORY;
    if (status != STATUS_OK) fprintf(stderr, "bench_gpu: %s\n", error_text(&error, text, sizeof text));
    free(matrices);
    end(&bench);
    return status == STATUS_OK ? 0 : 1;
}
