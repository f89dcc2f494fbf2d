/* How fast the pattern is: building the pyramid against one pass over the CSR arrays, and counting frames of
 * 400 x 200 dots, with the lengths in their margins, at every zoom level. Prints; decides nothing.
 *
 * bench_pattern [ENTRIES [SPEC...]]: SPEC as after gen:, else a stencil, a power law, a random matrix and a
 * band of about ENTRIES (1e8) entries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "analysis/lengths.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "analysis/tiles.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "drawing/spans.h"
#include "matrix/columns.h"
#include "matrix/generators/generate.h"
#include "support/support.h"

#define WIDE 400
#define HIGH 200
#define PLACES 25
#define PANS 6
#define REPEATS 7
#define FRAME_AIM 16.0 /* milliseconds */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share q of sorted samples lies at or below this one. */
static double percentile(const double *sorted, int n, double q)
{
    int k = (int)ceil(q * n) - 1;
    return sorted[k < 0 ? 0 : k];
}

/* Read every array once. */
static double pass_over(const struct csr *a, double *sum)
{
    double start = clock_seconds(), values = 0;
    int64_t integers = 0, nnz = csr_nnz(a);
#pragma omp parallel reduction(+ : values, integers)
    {
        double part[4] = {0};
#pragma omp for schedule(static) nowait
        for (int64_t i = 0; i <= a->rows; i++)
            integers += a->row_ptr[i];
#pragma omp for schedule(static) nowait
        for (int64_t k = 0; k < nnz; k++)
            integers += a->col[k];
            /* Four sums, since each addition waits for the one before it in the same sum. */
#pragma omp for schedule(static) nowait
        for (int64_t k = 0; k < nnz / 4; k++)
            for (int lane = 0; lane < 4; lane++)
                part[lane] += a->val[4 * k + lane];
        values += part[0] + part[1] + part[2] + part[3];
    }
    double seconds = clock_seconds() - start;
    *sum += values + (double)integers;
    return seconds;
}

static enum status time_build(const struct csr *a, struct pyramid *pyramid, struct error *error)
{
    double pass[REPEATS], build[REPEATS], sum = 0;
    for (int n = 0; n < REPEATS; n++) {
        pass[n] = pass_over(a, &sum);
        pyramid_free(pyramid);
        double start = clock_seconds();
        enum status status = pyramid_build(a, NULL, pyramid, error);
        if (status != STATUS_OK) return status;
        build[n] = clock_seconds() - start;
    }
    qsort(pass, REPEATS, sizeof *pass, ascending);
    qsort(build, REPEATS, sizeof *build, ascending);
    double bytes = (double)csr_bytes(a->rows, csr_nnz(a), 0);
    double table = ((double)pyramid->grid_rows + 1) * ((double)pyramid->grid_cols + 1) *
                   (pyramid->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    printf("  pass over the arrays   %8.1f ms (%.1f GB/s)%s\n", 1e3 * pass[REPEATS / 2],
           1e-9 * bytes / pass[REPEATS / 2], isnan(sum) ? " nan" : "");
    printf("  pyramid built in       %8.1f ms: %.2f passes (best of each: %.2f); aim 2\n",
           1e3 * build[REPEATS / 2], build[REPEATS / 2] / pass[REPEATS / 2], build[0] / pass[0]);
    printf("  pyramid                %lld x %lld cells of %lld x %lld, %.1f%% of the arrays' %.0f MB\n",
           (long long)pyramid->grid_rows, (long long)pyramid->grid_cols, (long long)pyramid->row_step,
           (long long)pyramid->col_step, 100 * table / bytes, 1e-6 * bytes);
    return STATUS_OK;
}

static enum status time_tiles(const struct csr *a, const struct pyramid *pyramid, struct tiles *tiles,
                              struct error *error)
{
    double start = clock_seconds();
    enum status status = tiles_make_if_many(a, pyramid, 0, NULL, tiles, error);
    if (status != STATUS_OK || !tiles->words) return status;
    printf("  tiles made in          %8.1f ms, parts of %lld x %lld\n", 1e3 * (clock_seconds() - start),
           (long long)tiles->part_rows, (long long)tiles->part_cols);
    return STATUS_OK;
}

/* Find the maxima of the lengths of rows and of columns. */
static enum status time_spans(const struct csr *a, const int64_t *col_ptr, struct spans spans[2],
                              struct error *error)
{
    double start = clock_seconds();
    enum status status = spans_make(a->row_ptr, a->rows, &spans[0], error);
    if (status == STATUS_OK) status = spans_make(col_ptr, a->cols, &spans[1], error);
    printf("  maxima of lengths in   %8.1f ms\n", 1e3 * (clock_seconds() - start));
    return status;
}

static void time_analyses(const struct csr *a)
{
    struct lengths lengths;
    struct structure structure;
    double start = clock_seconds();
    if (lengths_of_rows(a, NULL, &lengths, NULL) == STATUS_OK) lengths_free(&lengths);
    double rows = clock_seconds();
    if (lengths_of_columns(a, NULL, &lengths, NULL) == STATUS_OK) lengths_free(&lengths);
    double columns = clock_seconds();
    structure_of(a, NULL, &structure, NULL);
    printf("  row lengths %.0f ms, column lengths %.0f ms, structure %.0f ms\n", 1e3 * (rows - start),
           1e3 * (columns - rows), 1e3 * (clock_seconds() - columns));
}

/* Find the lengths in the margins of a picture. */
static int64_t measure_margins(const struct spans spans[2], int64_t row0, int64_t col0, int64_t dot)
{
    int64_t longest = 0;
    for (int k = 0; k < HIGH + WIDE; k++) {
        bool row = k < HIGH;
        int64_t from = row ? row0 + k * dot : col0 + (k - HIGH) * dot;
        int64_t max = spans_stretch(&spans[!row], from, from + dot).max;
        if (max > longest) longest = max;
    }
    return longest;
}

/* Frames around random entries, each panned a few times by an eighth of the screen. */
static int time_frames(const struct csr *a, const struct pyramid *pyramid, const struct tiles *tiles,
                       const struct spans spans[2], int64_t dot, int64_t *counts, double *times,
                       double *margins)
{
    uint64_t seed = (uint64_t)dot;
    int frames = 0;
    int64_t longest = 0;
    for (int place = 0; place < PLACES; place++) {
        int64_t i = support_random(&seed, (uint32_t)a->rows), j = support_random(&seed, (uint32_t)a->cols);
        if (place % 2 && a->row_ptr[i] < a->row_ptr[i + 1]) j = a->col[a->row_ptr[i]];
        if (place == 0) i = j = 0;
        int64_t row0 = (i / dot - HIGH / 2) * dot, col0 = (j / dot - WIDE / 2) * dot;
        if (row0 < 0) row0 = 0;
        if (col0 < 0) col0 = 0;
        for (int pan = 0; pan < PANS; pan++) {
            double start = clock_seconds();
            pyramid_dots(pyramid, tiles, a, row0, col0, dot, dot, HIGH, WIDE, counts);
            double counted = clock_seconds();
            longest += measure_margins(spans, row0, col0, dot);
            times[frames] = 1e3 * (clock_seconds() - start);
            margins[frames++] = 1e3 * (clock_seconds() - counted);
            row0 += pan % 2 ? HIGH / 8 * dot : 0;
            col0 += pan % 2 ? 0 : WIDE / 8 * dot;
        }
    }
    return longest < 0 ? 0 : frames;
}

static void time_levels(const struct csr *a, const struct pyramid *pyramid, const struct tiles *tiles,
                        const struct spans spans[2], int64_t *counts)
{
    double times[PLACES * PANS], margins[PLACES * PANS], worst = 0;
    int64_t dot = 1, worst_dot = 1;
    while (dot * HIGH < a->rows || dot * WIDE < a->cols)
        dot *= 2;
    printf("  dot side    p50 ms    p99 ms    max ms    margins p99 ms\n");
    for (; dot >= 1; dot /= 2) {
        int n = time_frames(a, pyramid, tiles, spans, dot, counts, times, margins);
        qsort(times, (size_t)n, sizeof *times, ascending);
        qsort(margins, (size_t)n, sizeof *margins, ascending);
        double p99 = percentile(times, n, 0.99);
        printf("  %8lld  %8.2f  %8.2f  %8.2f  %8.2f%s\n", (long long)dot, percentile(times, n, 0.5), p99,
               times[n - 1], percentile(margins, n, 0.99),
               dot % pyramid->row_step || dot % pyramid->col_step ? "" : "  (cells)");
        if (p99 <= worst) continue;
        worst = p99;
        worst_dot = dot;
    }
    printf("  slowest p99            %8.2f ms at dots of %lld; aim %.0f\n", worst, (long long)worst_dot,
           FRAME_AIM);
}

static enum status bench(const char *specification, int64_t *counts, struct error *error)
{
    struct matrix matrix = {0};
    struct load_options options = {0};
    struct pyramid pyramid = {0};
    struct tiles tiles = {0};
    struct spans spans[2] = {{0}};
    int64_t *col_ptr = NULL;
    struct rusage usage;
    double start = clock_seconds();
    enum status status = generate_matrix(specification, &options, NULL, &matrix, error);
    if (status != STATUS_OK) return status;
    printf("%s: %lld x %lld, %lld entries, made in %.1f s\n", specification, (long long)matrix.csr.rows,
           (long long)matrix.csr.cols, (long long)csr_nnz(&matrix.csr), clock_seconds() - start);
    status = time_build(&matrix.csr, &pyramid, error);
    if (status == STATUS_OK) status = time_tiles(&matrix.csr, &pyramid, &tiles, error);
    if (status == STATUS_OK) status = column_offsets(&matrix.csr, 0, NULL, &col_ptr, error);
    if (status == STATUS_OK) status = time_spans(&matrix.csr, col_ptr, spans, error);
    if (status == STATUS_OK) {
        time_analyses(&matrix.csr);
        time_levels(&matrix.csr, &pyramid, &tiles, spans, counts);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("  peak memory so far     %8.0f MB\n\n", (double)usage.ru_maxrss * 1024e-6);
    spans_free(&spans[0]);
    spans_free(&spans[1]);
    free(col_ptr);
    tiles_free(&tiles);
    pyramid_free(&pyramid);
    matrix_free(&matrix);
    return status;
}

/* Specifications of about this many entries. */
static void standard_specifications(double entries, char (*specifications)[80])
{
    int scale = (int)floor(log2(entries / 16));
    snprintf(specifications[0], 80, "stencil27,n=%.0f", floor(cbrt(entries / 27)) + 1);
    snprintf(specifications[1], 80, "powerlaw,scale=%d,edge=%.0f", scale < 1 ? 1 : scale,
             entries / exp2(scale < 1 ? 1 : scale));
    snprintf(specifications[2], 80, "random,m=%.0f,mean=25", ceil(entries / 25));
    snprintf(specifications[3], 80, "banded,n=%.0f,lower=12", ceil(entries / 25));
}

int main(int argc, char **argv)
{
    char standard[4][80], text[2048];
    double entries = argc > 1 ? strtod(argv[1], NULL) : 1e8;
    struct error error = {0};
    int64_t *counts = memory_array(HIGH * WIDE, sizeof *counts, &error);
    int n = argc > 2 ? argc - 2 : 4;
    if (!(entries >= 1000 && entries <= 1e10)) {
        fprintf(stderr, "usage: bench_pattern [ENTRIES [SPEC...]], 1e3 to 1e10 entries\n");
        return 2;
    }
    standard_specifications(entries, standard);
    printf("pattern, %d threads, %d x %d dots\n", threads_count(), WIDE, HIGH);
    for (int k = 0; k < n && counts && error.status == STATUS_OK; k++)
        bench(argc > 2 ? argv[k + 2] : standard[k], counts, &error);
    free(counts);
    if (error.status == STATUS_OK) return 0;
    fprintf(stderr, "bench_pattern: %s\n", error_text(&error, text, sizeof text));
    return 1;
}
