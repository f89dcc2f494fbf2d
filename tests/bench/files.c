/* How fast files of each format are read: a matrix is written in all of them, and each file is read beside
 * the Matrix Market file of the same matrix, and beside copies of as many bytes in memory, the bound for a
 * file in the page cache. All is timed in turns in one run, with files in the page cache.
 *
 * usage: bench_files [MEGABYTES [REPETITIONS [KIND]]]
 *
 * MEGABYTES is the size of the Matrix Market file, and KIND a word in the title of those to be timed; the
 * folder is $TMPDIR, else /tmp. */
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/chance.h"

#define REPETITIONS_MAX 100
#define THREADS 2 /* beside one */

/* Each row has the 27 neighbours of a point in a grid of lines of 50 points and planes of 50 lines. */
#define LENGTH 27
#define PLANE 2500
#define LINE 50

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

/* The matrix, which is structurally symmetric; values are random, with a sign. */
struct sample {
    int64_t n, nnz;
    int64_t *row_ptr;
    int32_t *col;
    double *val;
};

static void make_sample(struct sample *s, int64_t n)
{
    s->n = n;
    s->row_ptr = memory_array((size_t)n + 1, sizeof *s->row_ptr, NULL);
    s->col = memory_array((size_t)n * LENGTH, sizeof *s->col, NULL);
    s->val = memory_array((size_t)n * LENGTH, sizeof *s->val, NULL);
    if (!s->row_ptr || !s->col || !s->val) give_up("memory");
    s->nnz = 0;
    for (int64_t i = 0; i < n; i++) {
        s->row_ptr[i] = s->nnz;
        for (int k = 0; k < LENGTH; k++) {
            int64_t j = i + (k / 9 - 1) * PLANE + (k / 3 % 3 - 1) * LINE + k % 3 - 1;
            if (j < 0 || j >= n) continue;
            s->col[s->nnz] = (int32_t)j;
            s->val[s->nnz++] = (double)(int64_t)chance() / 9.3e18;
        }
    }
    s->row_ptr[n] = s->nnz;
}

/* --- text formats; values have 17 digits in each --- */

static void write_market(FILE *file, const struct sample *s, bool pattern)
{
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s general\n%" PRId64 " %" PRId64 " %" PRId64 "\n",
            pattern ? "pattern" : "real", s->n, s->n, s->nnz);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t k = s->row_ptr[i]; k < s->row_ptr[i + 1]; k++)
            if (pattern)
                fprintf(file, "%" PRId64 " %d\n", i + 1, s->col[k] + 1);
            else
                fprintf(file, "%" PRId64 " %d %.17g\n", i + 1, s->col[k] + 1, s->val[k]);
}

static void write_real(FILE *file, const struct sample *s)
{
    write_market(file, s, false);
}

static void write_pattern(FILE *file, const struct sample *s)
{
    write_market(file, s, true);
}

/* The transpose, since the pattern is the same: rows and columns are swapped. */
static void write_boeing(FILE *file, const struct sample *s)
{
    int64_t pointers = (s->n + 1 + 6) / 7, indices = (s->nnz + 7) / 8, values = (s->nnz + 2) / 3;
    fprintf(file, "%-72s%-8s\n", "A matrix to be timed", "BENCH");
    fprintf(file, "%14" PRId64 "%14" PRId64 "%14" PRId64 "%14" PRId64 "\n", pointers + indices + values,
            pointers, indices, values);
    fprintf(file, "%-14s%14" PRId64 "%14" PRId64 "%14" PRId64 "%14d\n", "rua", s->n, s->n, s->nnz, 0);
    fprintf(file, "%-16s%-16s%-20s\n", "(7I11)", "(8I10)", "(3E25.16)");
    for (int64_t i = 0; i <= s->n; i++)
        fprintf(file, "%11" PRId64 "%s", s->row_ptr[i] + 1, i % 7 == 6 || i == s->n ? "\n" : "");
    for (int64_t k = 0; k < s->nnz; k++)
        fprintf(file, "%10d%s", s->col[k] + 1, k % 8 == 7 || k == s->nnz - 1 ? "\n" : "");
    for (int64_t k = 0; k < s->nnz; k++)
        fprintf(file, "%25.16E%s", s->val[k], k % 3 == 2 || k == s->nnz - 1 ? "\n" : "");
}

static void write_lines(FILE *file, const struct sample *s, char separator, bool values, int base)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t k = s->row_ptr[i]; k < s->row_ptr[i + 1]; k++)
            if (values)
                fprintf(file, "%" PRId64 "%c%d%c%.17g\n", i + base, separator, s->col[k] + base, separator,
                        s->val[k]);
            else
                fprintf(file, "%" PRId64 "%c%d\n", i + base, separator, s->col[k] + base);
}

static void write_edges(FILE *file, const struct sample *s)
{
    fputs("# FromNodeId\tToNodeId\n", file);
    write_lines(file, s, '\t', false, 0);
}

static void write_weighted_edges(FILE *file, const struct sample *s)
{
    write_lines(file, s, ' ', true, 0);
}

static void write_table(FILE *file, const struct sample *s)
{
    fputs("row,column,value\n", file);
    write_lines(file, s, ',', true, 1);
}

/* Vertices are not their own neighbours: the diagonal is left out. */
static void write_graph(FILE *file, const struct sample *s, bool weights)
{
    fprintf(file, "%" PRId64 " %" PRId64 "%s\n", s->n, (s->nnz - s->n) / 2, weights ? " 001" : "");
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t k = s->row_ptr[i]; k < s->row_ptr[i + 1]; k++)
            if (s->col[k] != i && weights)
                fprintf(file, " %d %d", s->col[k] + 1, 1 + abs(s->col[k] - (int32_t)i) % 97);
            else if (s->col[k] != i)
                fprintf(file, " %d", s->col[k] + 1);
        putc('\n', file);
    }
}

static void write_plain_graph(FILE *file, const struct sample *s)
{
    write_graph(file, s, false);
}

static void write_weighted_graph(FILE *file, const struct sample *s)
{
    write_graph(file, s, true);
}

/* --- binary formats --- */

static void put(FILE *file, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, file) != size) give_up("write");
}

static void put_little(struct text *text, uint64_t number, int width)
{
    for (int b = 0; b < width; b++)
        text_append_bytes(text, &(char){(char)(number >> 8 * b)}, 1);
}

static void put_big(FILE *file, uint64_t number, int width)
{
    unsigned char bytes[8];
    for (int b = 0; b < width; b++)
        bytes[b] = (unsigned char)(number >> 8 * (width - 1 - b));
    put(file, bytes, (size_t)width);
}

/* A zip archive that is being written. */
struct archive {
    FILE *file;
    struct text directory;
    int count;
};

/* Add a NumPy array as a member that is not compressed. */
static void put_array(struct archive *archive, const char *name, const char *type, const char *shape,
                      const void *data, size_t bytes)
{
    char head[128];
    struct text local = {0};
    size_t length = strlen(name);
    int64_t offset = ftello(archive->file);
    int used = snprintf(head + 10, sizeof head - 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                        type, shape);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(head + 10 + used, ' ', sizeof head - 10 - (size_t)used);
    head[sizeof head - 1] = '\n';
    uint64_t size = sizeof head + bytes;
    uint32_t crc = (uint32_t)crc32_z(crc32_z(0, (const void *)head, sizeof head), data, bytes);
    const struct {
        uint64_t number;
        int width;
    } fields[] = {{20, 2},  {0, 2},    {0, 2},    {0, 2},      {33, 2},
                  {crc, 4}, {size, 4}, {size, 4}, {length, 2}, {0, 2}};
    put_little(&local, 0x04034b50, 4);
    put_little(&archive->directory, 0x02014b50, 4);
    put_little(&archive->directory, 20, 2);
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        put_little(&local, fields[k].number, fields[k].width);
        put_little(&archive->directory, fields[k].number, fields[k].width);
    }
    put_little(&archive->directory, 0, 10);
    put_little(&archive->directory, (uint64_t)offset, 4);
    text_append_bytes(&archive->directory, name, length);
    put(archive->file, local.data, local.length);
    put(archive->file, name, length);
    put(archive->file, head, sizeof head);
    put(archive->file, data, bytes);
    archive->count++;
    text_free(&local);
}

static void write_npz(FILE *file, const struct sample *s, bool wide)
{
    struct archive archive = {.file = file};
    struct text end = {0};
    char shape[64], lines[64];
    const int64_t sizes[] = {s->n, s->n};
    int64_t *columns = memory_array((size_t)s->nnz, sizeof *columns, NULL);
    int32_t *pointers = memory_array((size_t)s->n + 1, sizeof *pointers, NULL);
    if (!columns || !pointers) give_up("memory");
    for (int64_t k = 0; k < s->nnz; k++)
        columns[k] = s->col[k];
    for (int64_t i = 0; i <= s->n; i++)
        pointers[i] = (int32_t)s->row_ptr[i];
    snprintf(shape, sizeof shape, "(%" PRId64 ",)", s->nnz);
    snprintf(lines, sizeof lines, "(%" PRId64 ",)", s->n + 1);
    put_array(&archive, "indices.npy", wide ? "<i8" : "<i4", shape,
              wide ? (const void *)columns : (const void *)s->col, (size_t)s->nnz * (wide ? 8 : 4));
    put_array(&archive, "indptr.npy", wide ? "<i8" : "<i4", lines,
              wide ? (const void *)s->row_ptr : (const void *)pointers, ((size_t)s->n + 1) * (wide ? 8 : 4));
    put_array(&archive, "format.npy", "|S3", "()", "csr", 3);
    put_array(&archive, "shape.npy", "<i8", "(2,)", sizes, sizeof sizes);
    put_array(&archive, "data.npy", "<f8", shape, s->val, (size_t)s->nnz * 8);
    int64_t offset = ftello(file);
    put(file, archive.directory.data, archive.directory.length);
    put_little(&end, 0x06054b50, 4);
    put_little(&end, 0, 4);
    put_little(&end, (uint64_t)archive.count, 2);
    put_little(&end, (uint64_t)archive.count, 2);
    put_little(&end, archive.directory.length, 4);
    put_little(&end, (uint64_t)offset, 4);
    put_little(&end, 0, 2);
    put(file, end.data, end.length);
    text_free(&archive.directory);
    text_free(&end);
    free(columns);
    free(pointers);
}

static void write_narrow_npz(FILE *file, const struct sample *s)
{
    write_npz(file, s, false);
}

static void write_wide_npz(FILE *file, const struct sample *s)
{
    write_npz(file, s, true);
}

static void write_petsc(FILE *file, const struct sample *s)
{
    put_big(file, 1211216, 4);
    put_big(file, (uint64_t)s->n, 4);
    put_big(file, (uint64_t)s->n, 4);
    put_big(file, (uint64_t)s->nnz, 4);
    for (int64_t i = 0; i < s->n; i++)
        put_big(file, (uint64_t)(s->row_ptr[i + 1] - s->row_ptr[i]), 4);
    for (int64_t k = 0; k < s->nnz; k++)
        put_big(file, (uint64_t)s->col[k], 4);
    for (int64_t k = 0; k < s->nnz; k++) {
        uint64_t bits;
        memcpy(&bits, &s->val[k], sizeof bits);
        put_big(file, bits, 8);
    }
}

/* --- the timed work --- */

enum { MARKET_REAL, MARKET_PATTERN };

static const struct kind {
    const char *title, *ending;
    void (*write)(FILE *file, const struct sample *s);
    int beside; /* the Matrix Market file of the same matrix, by its number here */
    bool diagonal;
} kinds[] = {
    [MARKET_REAL] = {"Matrix Market, real", "real.mtx", write_real, MARKET_REAL, true},
    [MARKET_PATTERN] = {"Matrix Market, pattern", "pattern.mtx", write_pattern, MARKET_PATTERN, true},
    {"Rutherford-Boeing, real", "rb", write_boeing, MARKET_REAL, true},
    {"edge list, weights", "wel", write_weighted_edges, MARKET_REAL, true},
    {"CSV triplets", "csv", write_table, MARKET_REAL, true},
    {"edge list (SNAP)", "el", write_edges, MARKET_PATTERN, true},
    {"METIS graph", "plain.graph", write_plain_graph, MARKET_PATTERN, false},
    {"METIS graph, weights", "weighted.graph", write_weighted_graph, MARKET_PATTERN, false},
    {"npz, int32 indices", "narrow.npz", write_narrow_npz, MARKET_REAL, true},
    {"npz, int64 indices", "wide.npz", write_wide_npz, MARKET_REAL, true},
    {"PETSc binary", "petsc", write_petsc, MARKET_REAL, true},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Copy as many bytes as the file has, each thread its share. */
static double time_copy(void *to, const void *from, size_t bytes)
{
    double begin = clock_seconds();
    int64_t pieces = threads_count();
    size_t piece = bytes / (size_t)pieces;
#pragma omp parallel for schedule(static, 1)
    for (int64_t p = 0; p < pieces; p++) {
        size_t first = (size_t)p * piece, count = p + 1 < pieces ? piece : bytes - first;
        memcpy((char *)to + first, (const char *)from + first, count);
    }
    return clock_seconds() - begin;
}

/* Copy into new memory, which the system has to map and clear during the copy, in huge pages if available. */
static double time_fresh_copy(const void *from, size_t bytes)
{
    double begin = clock_seconds();
    void *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (to == MAP_FAILED) give_up("memory");
    madvise(to, bytes, MADV_HUGEPAGE);
    time_copy(to, from, bytes);
    double seconds = clock_seconds() - begin;
    munmap(to, bytes);
    return seconds;
}

static double time_reading(const char *path, int64_t nnz)
{
    struct error error = {0};
    struct matrix matrix;
    const struct load_options options = {0};
    char text[2048];
    double begin = clock_seconds();
    if (matrix_load(path, &options, NULL, &matrix, &error) != STATUS_OK) {
        fprintf(stderr, "bench_files: %s\n", error_text(&error, text, sizeof text));
        exit(1);
    }
    double seconds = clock_seconds() - begin;
    if (csr_nnz(&matrix.csr) != nnz) {
        fprintf(stderr, "bench_files: %s: %" PRId64 " entries\n", path, csr_nnz(&matrix.csr));
        exit(1);
    }
    matrix_free(&matrix);
    return seconds;
}

/* The fastest round: on a machine that others use, the one that was least disturbed. */
static double least(const double *values, int count)
{
    double found = values[0];
    for (int k = 1; k < count; k++)
        if (values[k] < found) found = values[k];
    return found;
}

struct times {
    double own[REPETITIONS_MAX], market[REPETITIONS_MAX], fresh[REPETITIONS_MAX], warm[REPETITIONS_MAX];
};

static void print_times(const struct kind *kind, const char *path, const char *market, const struct sample *s,
                        const void *from, void *to, int repetitions)
{
    static struct times times[THREADS];
    struct stat own, beside;
    if (stat(path, &own) || stat(market, &beside)) give_up(path);
    for (int r = -1; r < repetitions; r++) /* the first round warms the page cache, and does not count */
        for (int t = 0; t < THREADS; t++) {
            struct times *x = &times[t];
            int at = r < 0 ? 0 : r;
            threads_set(t + 1);
            x->market[at] = time_reading(market, s->nnz);
            x->own[at] = time_reading(path, kind->diagonal ? s->nnz : s->nnz - s->n);
            x->fresh[at] = time_fresh_copy(from, (size_t)own.st_size);
            x->warm[at] = time_copy(to, from, (size_t)own.st_size);
        }
    for (int t = 0; t < THREADS; t++) {
        double megabytes = (double)own.st_size / 1e6;
        double reading = least(times[t].own, repetitions), other = least(times[t].market, repetitions);
        double rate = megabytes / reading, market_rate = (double)beside.st_size / 1e6 / other;
        double fresh = megabytes / least(times[t].fresh, repetitions);
        double warm = megabytes / least(times[t].warm, repetitions);
        printf("%-24s %5.0f %7d %9.0f %9.0f %6.2f %6.2f %9.0f %6.2f %9.0f %6.2f\n", t ? "" : kind->title,
               megabytes, t + 1, rate, market_rate, rate / market_rate, other / reading, fresh, rate / fresh,
               warm, rate / warm);
    }
    fflush(stdout);
}

int main(int count, char **arguments)
{
    double megabytes = count > 1 ? strtod(arguments[1], NULL) : 200;
    int repetitions = count > 2 ? atoi(arguments[2]) : 7;
    const char *only = count > 3 ? arguments[3] : "";
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char paths[KINDS][512];
    struct sample s;
    if (!(megabytes >= 1) || repetitions < 1 || repetitions > REPETITIONS_MAX) {
        fputs("usage: bench_files [MEGABYTES [REPETITIONS [KIND]]]\n", stderr);
        return 2;
    }
    /* Return freed memory to the system, so that each round gets memory that is not yet mapped. */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    make_sample(&s, (int64_t)(megabytes * 1e6) / 35 / LENGTH);
    size_t bytes = (size_t)(megabytes * 1.5e6);
    char *from = memory_array(bytes, 1, NULL), *to = memory_array(bytes, 1, NULL);
    if (!from || !to) give_up("memory");
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (size_t k = 0; k < KINDS; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/bench_files_%ld.%s", folder, (long)getpid(), kinds[k].ending);
        FILE *file = fopen(paths[k], "w");
        if (!file) give_up(paths[k]);
        kinds[k].write(file, &s);
        if (fclose(file)) give_up(paths[k]);
    }
    printf("%" PRId64 " rows, %" PRId64 " entries; the fastest of %d rounds\n", s.n, s.nnz, repetitions);
    printf("%-24s %5s %7s %9s %9s %6s %6s %9s %6s %9s %6s\n", "file", "MB", "threads", "MB/s", "mtx MB/s",
           "of mtx", "faster", "fresh", "of it", "warm", "of it");
    for (size_t k = 0; k < KINDS; k++)
        if (strstr(kinds[k].title, only))
            print_times(&kinds[k], paths[k], paths[kinds[k].beside], &s, from, to, repetitions);
    for (size_t k = 0; k < KINDS; k++)
        unlink(paths[k]);
    free(s.row_ptr);
    free(s.col);
    free(s.val);
    free(from);
    free(to);
    return 0;
}
