/* Our OpenMP kernels beside those of others, in one run: a plain OpenMP loop over CSR compiled with -O3
 * -march=native -ffast-math, and the kernels of the libraries that are found here (src/kernels/libraries).
 * All are checked, and timed in rounds that go over all of them, so that a noisy machine falls on all alike;
 * the bandwidth of the memory is measured in between. Prints; decides nothing.
 *
 * bench_kernels [--single] [--cold] [--threads=N] [--size=MIB] [--repeat=N] [--limit=MIB] [MATRIX...]: a
 * MATRIX is one of the list that is timed without any (--list shows it), or any matrix that sparsight opens.
 * The bandwidth is measured within the limit, for tests that need no right one. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "bench/peers/peers.h"
#include "bench/peers/subjects.h"
#include "kernels/libraries/library.h"
#include "kernels/list.h"
#include "kernels/timing/bench.h"
#include "support/timing.h"

/* Every OpenMP kernel that we have; those whose arrays have more than PRUNE times the bytes of CSR have no
 * chance, and are left out. */
#define OWN                                                                                                \
    "csr-omp cpu/csr-balanced csr-compact sell-compact:c=8,sigma=256 sell-compact:c=16 sell-compact:c=32 " \
    "sell-compact:c=32,sigma=1024 sell-compact:c=16,sigma=8192 sell-omp:c=4 sell-omp:c=8 sell-omp:c=16 "   \
    "sell-omp:c=32 sell-omp:c=8,sigma=256 sell-omp:c=16,sigma=1024 sell-omp:c=32,sigma=1024 "              \
    "sell-omp:c=32,sigma=16384 ell-omp dia-omp bsr-omp jds-omp hyb-omp cmrs-omp "                          \
    "cmrs-omp:height=16,packed=1 coo-omp"
#define PRUNE 2.0

#define SCREEN_REPEAT 8 /* samples of each own kernel before the finalists are chosen, */
#define PEERS_MAX 8
#define FINALISTS 5    /* which are timed beside the peers */
#define MIN_SIZE 384.0 /* least MiB of a large matrix, unless fewer are requested; else 4 times the cache */
#define MAX_SIZE 1024.0
#define LIMIT ((size_t)8 << 30) /* bytes of all stored matrices */
#define MIB 1048576.0

#define GEOMEAN_AIM 1.10
#define WORST_AIM 0.97
#define BANDWIDTH_AIM 0.9
#define FULL_ROWS_AIM 1.3

struct settings {
    enum precision precision;
    bool cold;
    int threads, repeat;
    double size;  /* bytes of a matrix */
    size_t limit; /* bytes in which the bandwidth is measured; 0: as machine_measure chooses */
};

/* The results for one matrix. */
struct row {
    const struct subject *subject;
    bool done;
    double ratio, min_ratio; /* best peer / best own: of medians, of least times */
    double share, min_share; /* the bandwidth that the best own kernel reaches, as a share of reading */
    double balanced;         /* seconds of csr-balanced for each entry; NaN if it was not timed */
};

struct bench {
    struct settings settings;
    struct machines machines;
    const struct kernel *peers[PEERS_MAX];
    int peer_count;
};

/* The results of some kernels on a matrix. */
struct table {
    struct result *results;
    int count;
};

static void table_free(struct table *table)
{
    free(table->results);
    *table = (struct table){0};
}

/* Ask for another one; there is room. */
static void table_add(struct table *table, const struct bench *bench, const struct kernel_choice *choice)
{
    table->results[table->count++] = (struct result){
        .choice = kernel_choice_with(choice, bench->settings.precision, bench->settings.threads)};
}

/* Whether the matrix in this format is small enough to be worth a try. */
static bool worth_trying(const struct bench *bench, const struct csr *a, const struct kernel_choice *choice)
{
    const struct format_options options = {0};
    const struct kernel_choice wanted = kernel_choice_with(choice, bench->settings.precision, 0);
    double value = bench->settings.precision == PRECISION_F32 ? 4 : 8;
    double csr = (value + 4) * (double)csr_nnz(a) + 4 * (double)a->rows;
    struct storage storage;
    bool worth = format_plan(&wanted.format, &options, a, NULL, &storage, NULL) == STATUS_OK &&
                 (double)storage_size(&storage).bytes <= PRUNE * csr;
    storage_free(&storage);
    return worth;
}

static enum status add_own(const struct bench *bench, const struct csr *a, struct table *table,
                           struct error *error)
{
    struct kernel_list list = {0};
    enum status status = kernel_list_add(&list, OWN, error);
    table->results = memory_zeroed((size_t)list.count + 1, sizeof *table->results, error);
    if (!table->results) status = STATUS_MEMORY;
    for (int k = 0; k < list.count && status == STATUS_OK; k++)
        if (worth_trying(bench, a, &list.choices[k])) table_add(table, bench, &list.choices[k]);
    kernel_list_free(&list);
    return status;
}

static int by_min(const void *a, const void *b)
{
    const struct result *x = a, *y = b;
    double s = x->status == STATUS_OK ? x->samples.min : INFINITY;
    double t = y->status == STATUS_OK ? y->samples.min : INFINITY;
    return (s > t) - (s < t);
}

/* Time all own kernels a few times, and sort them, the fastest first. */
static enum status screen(struct bench *bench, const struct csr *a, bool cold, struct table *own,
                          struct error *error)
{
    const struct bench_options options = {
        .repeat = SCREEN_REPEAT, .warmup = 1, .min_seconds = 1e-3, .cold = cold, .limit = LIMIT};
    enum status status = add_own(bench, a, own, error);
    if (status == STATUS_OK)
        status = timing_bench(a, own->results, own->count, &options, &bench->machines, NULL, error);
    if (status == STATUS_OK) qsort(own->results, (size_t)own->count, sizeof *own->results, by_min);
    return status;
}

/* The peers, and the fastest own kernels; csr-balanced in any case. */
static enum status choose(const struct bench *bench, const struct table *own, struct table *table,
                          struct error *error)
{
    enum status status = STATUS_OK;
    table->results = memory_zeroed(PEERS_MAX + (size_t)own->count, sizeof *table->results, error);
    if (!table->results) return STATUS_MEMORY;
    for (int k = 0; k < bench->peer_count && status == STATUS_OK; k++) {
        struct kernel_choice choice;
        status = kernel_choice_read(bench->peers[k], "", &choice, error);
        if (status == STATUS_OK) table_add(table, bench, &choice);
    }
    for (int k = 0; k < own->count && status == STATUS_OK; k++) {
        const struct result *r = &own->results[k];
        if (k < FINALISTS || strcmp(r->choice.kernel->name, "csr-balanced") == 0)
            table_add(table, bench, &r->choice);
    }
    return status;
}

/* The fastest of results first .. end-1 by median, or by least time; NULL if none was timed. */
static const struct result *fastest(const struct table *table, int first, int end, bool min)
{
    const struct result *best = NULL;
    for (int k = first; k < end; k++) {
        const struct result *r = &table->results[k];
        if (r->status != STATUS_OK) continue;
        if (!best || (min ? r->samples.min < best->samples.min : r->samples.median < best->samples.median))
            best = r;
    }
    return best;
}

static double share_of(const struct result *result, double seconds, double read)
{
    return result->bytes.plus / seconds / read;
}

/* The last part of a path or of "cpu/csr-omp"; generators as they are. */
static const char *short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && strncmp(name, "gen:", 4) != 0 ? slash + 1 : name;
}

/* A library is called by its backend, since its kernel is called csr. */
static const char *peer_name(const struct kernel *kernel)
{
    return kernel->backend->library ? kernel->backend->name : kernel->name;
}

static void print_heading(const struct bench *bench)
{
    printf("%-14s %9s %6s %5s", "matrix", "nnz", "MiB", "GB/s");
    for (int k = 0; k < bench->peer_count; k++)
        printf("  %16s", peer_name(bench->peers[k]));
    printf("  %16s  %5s %5s  %s\n", "best own", "ratio", "min", "best own kernel");
}

static void print_time(const struct result *result, double read)
{
    if (!result || result->status != STATUS_OK)
        printf("  %16s", "-");
    else
        printf("  %8.3f ms %3.0f%%%s", 1e3 * result->samples.median,
               100 * share_of(result, result->samples.median, read), result->cached ? "*" : " ");
}

static void print_errors(const struct table *table)
{
    for (int k = 0; k < table->count; k++)
        if (table->results[k].status != STATUS_OK)
            printf("    %s: %s\n", table->results[k].name, table->results[k].error.message);
}

static void print_row(const struct bench *bench, const struct csr *a, const struct table *table,
                      const struct row *row, const struct result *own)
{
    double bytes = table->count > 0 ? (double)table->results[0].size.bytes : NAN;
    printf("%-14.14s %9lld %6.0f %5.1f", row->subject->name, (long long)csr_nnz(a), bytes / MIB,
           1e-9 * bench->machines.host.read);
    for (int k = 0; k < bench->peer_count; k++)
        print_time(&table->results[k], bench->machines.host.read);
    print_time(own, bench->machines.host.read);
    printf("  %5.2f %5.2f  %s\n", row->ratio, row->min_ratio, own ? short_name(own->name) : "none");
    print_errors(table);
    fflush(stdout);
}

/* Print the least time of each kernel, the slots per entry of our kernels, and the preparation times of the
 * others. */
static void print_details(const struct bench *bench, const struct table *table)
{
    printf("    min ms:");
    for (int k = 0; k < table->count; k++) {
        const struct result *result = &table->results[k];
        if (result->status != STATUS_OK) continue;
        const char *name = k < bench->peer_count ? peer_name(bench->peers[k]) : short_name(result->name);
        printf(" %s %.3f", name, 1e3 * result->samples.min);
        if (result->size.padding_ratio > 1) printf(" (padded %.2f)", result->size.padding_ratio);
        if (result->library[0]) printf(" (made in %.2f s)", result->convert_seconds);
        printf("%s", k + 1 == bench->peer_count ? ";" : "");
    }
    printf("\n");
    fflush(stdout);
}

static void conclude(const struct bench *bench, const struct csr *a, const struct table *table,
                     struct row *row)
{
    int peers = bench->peer_count;
    const struct result *peer = fastest(table, 0, peers, false),
                        *own = fastest(table, peers, table->count, false);
    const struct result *min_peer = fastest(table, 0, peers, true);
    const struct result *min_own = fastest(table, peers, table->count, true);
    row->done = peer && own;
    if (row->done) {
        row->ratio = peer->samples.median / own->samples.median;
        row->min_ratio = min_peer->samples.min / min_own->samples.min;
        row->share = share_of(own, own->samples.median, bench->machines.host.read);
        row->min_share = share_of(min_own, min_own->samples.min, bench->machines.host.read);
    }
    row->balanced = NAN;
    for (int k = peers; k < table->count; k++)
        if (strcmp(table->results[k].choice.kernel->name, "csr-balanced") == 0 &&
            table->results[k].status == STATUS_OK)
            row->balanced = table->results[k].samples.median / (double)csr_nnz(a);
    print_row(bench, a, table, row, own);
    print_details(bench, table);
}

/* Kernels are compared with the bandwidth of the same minute. */
static void measure_again(struct machine *machine)
{
    machine->read = machine->copy = 0;
    machine->times = 0;
    machine_again(machine, NULL);
}

static enum status bench_csr(struct bench *bench, const struct csr *a, struct row *row, struct error *error)
{
    const struct settings *settings = &bench->settings;
    const struct bench_options options = {.repeat = settings->repeat,
                                          .min_seconds = settings->repeat > 0 ? 1e-9 : 0,
                                          .cold = settings->cold || row->subject->cold,
                                          .limit = LIMIT};
    struct table own = {0}, table = {0};
    enum status status = screen(bench, a, options.cold, &own, error);
    if (status == STATUS_OK) status = choose(bench, &own, &table, error);
    measure_again(&bench->machines.host);
    if (status == STATUS_OK)
        status = timing_bench(a, table.results, table.count, &options, &bench->machines, NULL, error);
    machine_again(&bench->machines.host, NULL);
    if (status == STATUS_OK) conclude(bench, a, &table, row);
    table_free(&own);
    table_free(&table);
    return status;
}

/* One matrix; one that cannot be made says why, and the others go on. */
static enum status bench_subject(struct bench *bench, struct row *row)
{
    struct matrix matrix;
    struct error error = {0};
    char text[1800];
    enum status status = subject_make(row->subject, bench->settings.size, &matrix, &error);
    if (status == STATUS_OK) status = bench_csr(bench, &matrix.csr, row, &error);
    if (status != STATUS_OK)
        printf("%-14.14s %s\n", row->subject->name, error_text(&error, text, sizeof text));
    matrix_free(&matrix);
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

static const char *verdict(bool reached)
{
    return reached ? "reached" : "missed";
}

static void print_ratios(const struct row *rows, int count)
{
    double logs = 0, min_logs = 0, worst = INFINITY, min_worst = INFINITY;
    int done = 0;
    for (int k = 0; k < count; k++) {
        if (!rows[k].done) continue;
        done++;
        logs += log(rows[k].ratio);
        min_logs += log(rows[k].min_ratio);
        worst = fmin(worst, rows[k].ratio);
        min_worst = fmin(min_worst, rows[k].min_ratio);
    }
    if (done == 0) return;
    double mean = exp(logs / done);
    printf("\nbest peer / best own, %d matrices: medians decide, minimum times in brackets\n", done);
    printf("  geometric mean  %.3f (%.3f)  aim %.2f  %s\n", mean, exp(min_logs / done), GEOMEAN_AIM,
           verdict(mean >= GEOMEAN_AIM));
    printf("  worst           %.3f (%.3f)  aim %.2f  %s\n", worst, min_worst, WORST_AIM,
           verdict(worst >= WORST_AIM));
}

/* The row of the matrix made in this way, if it was timed. */
static const struct row *row_of(const struct row *rows, int count, enum making making)
{
    for (int k = 0; k < count; k++)
        if (rows[k].done && rows[k].subject->making == making) return &rows[k];
    return NULL;
}

static void print_aims(const struct row *rows, int count)
{
    print_ratios(rows, count);
    for (int k = 0; k < count; k++)
        if (rows[k].done && rows[k].subject->streams)
            printf("share of the bandwidth read, each array once: %-10s %.2f (%.2f)  aim %.2f  %s\n",
                   rows[k].subject->name, rows[k].share, rows[k].min_share, BANDWIDTH_AIM,
                   verdict(rows[k].share >= BANDWIDTH_AIM));
    const struct row *full = row_of(rows, count, MAKE_FULL_ROWS), *half = row_of(rows, count, MAKE_HALF_BAND);
    if (!full || !half) return;
    double times = full->balanced / half->balanced;
    printf("csr-balanced with a block of full rows, for each entry: %.2f times as long as without  aim %.1f  "
           "%s\n",
           times, FULL_ROWS_AIM, verdict(times <= FULL_ROWS_AIM));
}

static void list_subjects(void)
{
    for (const struct subject *s = subjects; s->name; s++)
        printf("%s\n", s->name);
}

static const struct subject *subject_find(const char *name)
{
    for (const struct subject *s = subjects; s->name; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}

/* The requested matrices, or all of the table. Returns their number; `given` stores those that the table
 * lacks. */
static int take_subjects(int argc, char **argv, struct subject *given, struct row *rows)
{
    int count = 0;
    for (int k = 0; k < argc; k++) {
        const struct subject *known = subject_find(argv[k]);
        given[k] = (struct subject){short_name(argv[k]), MAKE_AS_IT_IS, argv[k]};
        rows[count++].subject = known ? known : &given[k];
    }
    for (const struct subject *s = subjects; argc == 0 && s->name; s++)
        rows[count++].subject = s;
    return count;
}

/* True for the kernel of a library that multiplies every matrix. Each library has one. */
static bool is_peer(const struct kernel *kernel)
{
    return kernel->backend->library && !kernel->format->whole;
}

/* The plain loop, and the kernels of the libraries that are found. */
static void take_peers(struct bench *bench)
{
    bench->peers[bench->peer_count++] = peer_plain();
    for (int k = 0; kernels[k] && bench->peer_count < PEERS_MAX; k++)
        if (is_peer(kernels[k]) && !library_look(kernels[k]->backend->library))
            bench->peers[bench->peer_count++] = kernels[k];
}

/* Print the libraries that take part, and the reasons for the others. */
static void print_libraries(void)
{
    for (int k = 0; kernels[k]; k++) {
        if (!is_peer(kernels[k])) continue;
        const struct library *library = kernels[k]->backend->library;
        const char *reason = library_look(library);
        if (reason)
            printf("missing: %s\n", reason);
        else
            printf("%s: %s %s\n", kernels[k]->backend->name, library->place.title, library_version(library));
    }
}

static enum status begin(struct bench *bench, struct error *error)
{
    struct settings *settings = &bench->settings;
    if (settings->threads > 0) threads_set(settings->threads);
    settings->threads = threads_count();
    take_peers(bench);
    enum status status =
        machine_measure(&bench->machines.host, settings->threads, settings->limit, NULL, error);
    if (status != STATUS_OK) return status;
    double caches = 4 * (double)bench->machines.host.cache;
    if (settings->size <= 0) settings->size = fmin(fmax(caches, MIN_SIZE * MIB), MAX_SIZE * MIB);
    printf("%d threads, %s; reads %.1f GB/s, cache %.0f MiB; large matrices have about %.0f MiB\n",
           settings->threads, precision_name(settings->precision), 1e-9 * bench->machines.host.read,
           (double)bench->machines.host.cache / MIB, settings->size / MIB);
    print_libraries();
    printf("medians; %% of the bandwidth read beside them (GB/s), each array once; * fits in the cache\n\n");
    return STATUS_OK;
}

static enum status run(struct bench *bench, int argc, char **argv, struct error *error)
{
    int room = argc + 64;
    struct subject *given = memory_zeroed((size_t)room, sizeof *given, error);
    struct row *rows = memory_zeroed((size_t)room, sizeof *rows, error);
    enum status status = given && rows ? begin(bench, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        int count = take_subjects(argc, argv, given, rows);
        print_heading(bench);
        for (int k = 0; k < count && status == STATUS_OK; k++)
            status = bench_subject(bench, &rows[k]);
        print_aims(rows, count);
    }
    machine_free(&bench->machines.host);
    free(given);
    free(rows);
    return status;
}

/* Returns false for an unknown option. */
static bool read_options(int argc, char **argv, struct settings *settings, bool *list)
{
    static const struct option options[] = {
        {"single", no_argument, NULL, 's'},        {"cold", no_argument, NULL, 'c'},
        {"threads", required_argument, NULL, 't'}, {"size", required_argument, NULL, 'm'},
        {"repeat", required_argument, NULL, 'r'},  {"limit", required_argument, NULL, 'b'},
        {"list", no_argument, NULL, 'l'},          {0},
    };
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 's':
            settings->precision = PRECISION_F32;
            break;
        case 'c':
            settings->cold = true;
            break;
        case 't':
            settings->threads = atoi(optarg);
            break;
        case 'm':
            settings->size = atof(optarg) * MIB;
            break;
        case 'r':
            settings->repeat = atoi(optarg);
            break;
        case 'b':
            settings->limit = (size_t)(atof(optarg) * MIB);
            break;
        case 'l':
            *list = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    struct error error = {0};
    char text[1800];
    bool list = false;
    if (!read_options(argc, argv, &bench.settings, &list)) return 2;
    if (list) {
        list_subjects();
        return 0;
    }
    if (run(&bench, argc - optind, argv + optind, &error) == STATUS_OK) return 0;
    if (error.message[0]) fprintf(stderr, "bench_kernels: %s\n", error_text(&error, text, sizeof text));
    return 1;
}
