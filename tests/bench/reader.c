/* How fast Matrix Market files are read: MB/s of a plain fscanf loop and of market_read with one and two
 * threads, in one run on files in the page cache; bits against strtod; peak memory over the CSR arrays. The
 * order of the entries decides how far apart in memory they are placed, so there is a file of each of three
 * kinds.
 *
 * usage: bench_reader [MEGABYTES [REPETITIONS]] */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/market/market.h"
#include "matrix/matrix.h"
#include "support/chance.h"

#define REPETITIONS_MAX 100

static uint64_t chance(void)
{
    static uint64_t state = CHANCE_SEED;
    return chance_next(&state);
}

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void give_up_with(const struct error *error)
{
    char text[2048];
    fprintf(stderr, "bench_reader: %s\n", error_text(error, text, sizeof text));
    exit(1);
}

/* Entries of a row, or column. */
#define LENGTH 27

enum order {
    BY_ROWS,    /* a 27-point stencil, as programs write a CSR matrix */
    BY_COLUMNS, /* the same, as the SuiteSparse collection lists entries */
    SCATTERED,  /* column by column, each entry anywhere in its column: no two are placed near each other */
    ORDERS
};

static const char *const order_names[ORDERS] = {"stencil by rows", "stencil by columns", "scattered"};

/* Entry number e as (line, index in it): the lines are rows or columns of a square matrix of order n. */
static void locate(enum order order, int64_t e, int64_t n, int64_t *i, int64_t *j)
{
    int64_t line = e / LENGTH, k = e % LENGTH, place;
    if (order == SCATTERED)
        place = (int64_t)(chance() % (uint64_t)(n / LENGTH)) + k * (n / LENGTH);
    else
        place = (line + (k / 9 - 1) * 2500 + (k / 3 % 3 - 1) * 50 + k % 3 + n) % n;
    *i = order == BY_ROWS ? line : place;
    *j = order == BY_ROWS ? place : line;
}

/* A file of about this number of bytes, values %.17g. Returns the entries. */
static int64_t write_file(const char *path, int64_t bytes, enum order order)
{
    int64_t n = bytes / 34 / LENGTH, entries = n * LENGTH;
    FILE *file = fopen(path, "w");
    if (!file) give_up(path);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%" PRId64 " %" PRId64 " %" PRId64 "\n", n,
            n, entries);
    for (int64_t e = 0; e < entries; e++) {
        int64_t i, j;
        locate(order, e, n, &i, &j);
        double value = (double)(int64_t)chance() / 9.3e18;
        fprintf(file, "%" PRId64 " %" PRId64 " %.17g\n", i + 1, j + 1, value);
    }
    if (fclose(file)) give_up(path);
    return entries;
}

static int64_t file_size(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || fseeko(file, 0, SEEK_END)) give_up(path);
    int64_t size = ftello(file);
    fclose(file);
    return size;
}

static void skip_header(FILE *file)
{
    char line[256];
    for (int k = 0; k < 2; k++)
        if (!fgets(line, sizeof line, file)) give_up("header");
}

/* The loop that everyone writes first, into arrays that are there already. */
static int run_fscanf(const char *path, int64_t entries)
{
    int *row = memory_array((size_t)entries, sizeof *row, NULL);
    int *col = memory_array((size_t)entries, sizeof *col, NULL);
    double *val = memory_array((size_t)entries, sizeof *val, NULL);
    if (!row || !col || !val) give_up("memory");
    memset(row, 1, (size_t)entries * sizeof *row); /* touched, so that no page fault is timed */
    memset(col, 1, (size_t)entries * sizeof *col);
    memset(val, 1, (size_t)entries * sizeof *val);
    double begin = clock_seconds();
    FILE *file = fopen(path, "r");
    if (!file) give_up(path);
    skip_header(file);
    for (int64_t k = 0; k < entries; k++)
        if (fscanf(file, "%d %d %lg", &row[k], &col[k], &val[k]) != 3) give_up("fscanf");
    fclose(file);
    printf("%.9f\n", clock_seconds() - begin);
    free(row);
    free(col);
    free(val);
    return 0;
}

/* In a process of its own: in one that has threads, stdio locks the file for each call. */
static double time_fscanf(const char *path, int64_t entries)
{
    char self[512], command[1200];
    double seconds = 0;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) give_up("/proc/self/exe");
    self[length] = 0;
    snprintf(command, sizeof command, "'%s' --fscanf '%s' %" PRId64, self, path, entries);
    FILE *child = popen(command, "r");
    if (!child || fscanf(child, "%lf", &seconds) != 1) give_up("fscanf");
    pclose(child);
    return seconds;
}

static void read_matrix(const char *path, struct matrix *matrix)
{
    struct error error = {0};
    struct load_options options = {0};
    struct container *container;
    *matrix = (struct matrix){0};
    if (container_open(path, &container, &error) || market_read(container, &options, NULL, matrix, &error))
        give_up_with(&error);
    container_close(container);
}

static double time_reader(const char *path, int threads)
{
    struct matrix matrix;
    threads_set(threads);
    double begin = clock_seconds();
    read_matrix(path, &matrix);
    double seconds = clock_seconds() - begin;
    matrix_free(&matrix);
    return seconds;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Entries whose value in the matrix has not the bits that strtod gives. */
static int64_t count_wrong(const char *path, int64_t entries)
{
    struct matrix matrix;
    char line[256];
    int64_t wrong = 0;
    read_matrix(path, &matrix);
    FILE *file = fopen(path, "r");
    if (!file) give_up(path);
    skip_header(file);
    for (int64_t k = 0; k < entries && fgets(line, sizeof line, file); k++) {
        char *end;
        long i = strtol(line, &end, 10), j = strtol(end, &end, 10);
        double value = strtod(end, NULL);
        int64_t at = csr_find(&matrix.csr, i - 1, j - 1);
        wrong += at < 0 || memcmp(&matrix.csr.val[at], &value, sizeof value) != 0;
    }
    fclose(file);
    matrix_free(&matrix);
    return wrong;
}

/* A line "NAME: value kB" of /proc/self/status, in bytes. */
static double status_bytes(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) kilobytes = strtod(line + strlen(name) + 1, NULL);
    if (file) fclose(file);
    return kilobytes * 1024;
}

/* Peak resident memory of reading beyond that of a fresh process, over the CSR arrays. */
static int print_peak(const char *path)
{
    struct matrix matrix;
    double before = status_bytes("VmRSS");
    threads_set(2);
    read_matrix(path, &matrix);
    double arrays = (double)csr_bytes(matrix.csr.rows, csr_nnz(&matrix.csr), matrix.csr.imaginary != NULL);
    printf("peak memory %-11s %7.2f times the CSR arrays\n", strstr(path, ".gz") ? "(.gz)" : "(plain)",
           (status_bytes("VmHWM") - before) / arrays);
    return 0;
}

/* The same in a process of its own: this one has had its peak. */
static void peak_of_fresh_process(const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        execl("/proc/self/exe", "bench_reader", "--peak", path, (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

static void print_times(const char *path, int64_t entries, int repetitions)
{
    double loop[REPETITIONS_MAX], one[REPETITIONS_MAX], two[REPETITIONS_MAX];
    double megabytes = (double)file_size(path) / 1e6;
    time_reader(path, 2); /* warms the page cache */
    for (int k = 0; k < repetitions; k++) {
        one[k] = time_reader(path, 1);
        two[k] = time_reader(path, 2);
        loop[k] = time_fscanf(path, entries);
    }
    double slow = median(loop, repetitions), single = median(one, repetitions),
           both = median(two, repetitions);
    printf("%.0f MB, %" PRId64 " entries, medians of %d\n", megabytes, entries, repetitions);
    printf("fscanf loop            %8.1f MB/s\n", megabytes / slow);
    printf("market_read, 1 thread  %8.1f MB/s  %5.2f times fscanf\n", megabytes / single, slow / single);
    printf("market_read, 2 threads %8.1f MB/s  %5.2f times fscanf, %.2f times one thread\n", megabytes / both,
           slow / both, single / both);
}

int main(int count, char **arguments)
{
    if (count == 3 && !strcmp(arguments[1], "--peak")) return print_peak(arguments[2]);
    if (count == 4 && !strcmp(arguments[1], "--fscanf"))
        return run_fscanf(arguments[2], (int64_t)strtoll(arguments[3], NULL, 10));
    double megabytes = count > 1 ? strtod(arguments[1], NULL) : 160;
    int repetitions = count > 2 ? atoi(arguments[2]) : 5;
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char path[512], command[1200], packed[520];
    if (!(megabytes >= 1) || repetitions < 1 || repetitions > REPETITIONS_MAX) {
        fputs("usage: bench_reader [MEGABYTES [REPETITIONS]]\n", stderr);
        return 2;
    }
    snprintf(path, sizeof path, "%s/bench_reader_%ld.mtx", folder, (long)getpid());
    snprintf(packed, sizeof packed, "%s.gz", path);
    for (enum order order = 0; order < ORDERS; order++) {
        int64_t entries = write_file(path, (int64_t)(megabytes * 1e6), order);
        printf("%s%s: ", order ? "\n" : "", order_names[order]);
        print_times(path, entries, repetitions);
        printf("values not as strtod   %8" PRId64 "\n", count_wrong(path, entries));
        peak_of_fresh_process(path);
    }
    snprintf(command, sizeof command, "gzip -1 -k '%s'", path);
    if (system(command) == 0) peak_of_fresh_process(packed);
    unlink(path);
    unlink(packed);
    return 0;
}
