#include "analysis/pyramid.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* Work is cut into bands of consecutive entries. There are enough bands for all threads to end together, and
 * they are short enough to stop soon after a cancellation. The counts of a band fit in 32 bits. */
#define BAND_MIN ((int64_t)1 << 16)
#define BAND_MAX ((int64_t)1 << 22)
#define BANDS_PER_THREAD 16

/* Number of counters of a cell. Consecutive entries mostly fall into the same cell, and an addition to a
 * number in memory waits for the previous addition to it. They are therefore counted in different
 * counters. */
#define COPIES 4

/* The table takes at most 1/SHARE of the matrix's memory, unless that would leave fewer than SIDE_MIN cells
 * along the longer side. */
#define SHARE 10
#define SIDE_MIN 256

/* The summed-area table S. 32 bits are exact for matrices of fewer than 2^32 entries: sums are then at most
 * nnz, and differences of sums are exact modulo 2^32. */
struct table {
    void *sums;
    int wide;
    size_t stride; /* grid columns + 1 */
};

static inline uint64_t table_get(struct table table, size_t k)
{
    return table.wide ? ((const uint64_t *)table.sums)[k] : ((const uint32_t *)table.sums)[k];
}

static inline void table_add(struct table table, size_t k, uint64_t value)
{
    if (table.wide)
        ((uint64_t *)table.sums)[k] += value;
    else
        ((uint32_t *)table.sums)[k] += (uint32_t)value;
}

static inline void table_put(struct table table, size_t k, uint64_t value)
{
    if (table.wide)
        ((uint64_t *)table.sums)[k] = value;
    else
        ((uint32_t *)table.sums)[k] = (uint32_t)value;
}

static struct table table_of(const struct pyramid *p)
{
    return (struct table){p->sums, p->wide, (size_t)p->grid_cols + 1};
}

static int64_t cells_of(int64_t lines, int64_t step)
{
    return lines / step + (lines % step != 0);
}

static size_t table_bytes(const struct pyramid *p)
{
    size_t element = p->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    return ((size_t)p->grid_rows + 1) * ((size_t)p->grid_cols + 1) * element;
}

/* The inputs for choosing the grid. */
struct extent {
    int64_t rows, cols, nnz;
    int complex;
};

static struct extent extent_of(const struct slab *slab)
{
    return (struct extent){slab->rows, slab->cols, slab->nnz, slab->a->imaginary != NULL};
}

static void set_steps(struct pyramid *p, const struct extent *a, int64_t row_step, int64_t col_step)
{
    p->row_step = row_step;
    p->col_step = col_step;
    p->grid_rows = cells_of(a->rows, row_step);
    p->grid_cols = cells_of(a->cols, col_step);
}

/* Choose the finest grid that PYRAMID_SIDE and the share of memory allow. Steps are powers of two, so that
 * dots whose size is doubled remain whole cells; for a square matrix both are the same. */
static void choose_grid(struct pyramid *p, const struct extent *a)
{
    size_t allowed = csr_bytes(a->rows, a->nnz, a->complex) / SHARE;
    set_steps(p, a, 1, 1);
    while (p->grid_rows > PYRAMID_SIDE)
        set_steps(p, a, p->row_step * 2, p->col_step);
    while (p->grid_cols > PYRAMID_SIDE)
        set_steps(p, a, p->row_step, p->col_step * 2);
    while (table_bytes(p) > allowed) {
        int64_t side = p->grid_rows > p->grid_cols ? p->grid_rows : p->grid_cols;
        if (side < 2 * SIDE_MIN) break;
        set_steps(p, a, p->row_step << (p->grid_rows == side), p->col_step << (p->grid_cols == side));
    }
}

/* The threads that count the entries share this. */
struct counting {
    const struct csr *a;
    const struct pyramid *p;
    int64_t lead; /* rows of the first row of cells that lie before the first of `a` */
    int col_shift;
    int64_t bands, band_entries;
    uint32_t *edges;    /* for each band a row of the table: sums along the row of cells that the band starts
                           inside, over the band's entries only */
    uint32_t *counters; /* for each thread COPIES for each column of cells; zero between rows of cells */
};

/* The first entry of row r of cells. */
static int64_t row_start(const struct counting *c, int64_t r)
{
    return c->a->row_ptr[clip(r * c->p->row_step - c->lead, c->a->rows)];
}

/* The first row of cells that begins at or after this entry. */
static int64_t row_from(const struct counting *c, int64_t entry)
{
    int64_t low = 0, high = c->p->grid_rows;
    BISECT(low, high, row_start(c, middle) < entry);
    return low;
}

/* Count entries first .. end-1, all in one row of cells, into its columns. Its rows follow each other, so no
 * row offsets are needed. */
static void count_entries(const struct counting *c, int64_t first, int64_t end, uint32_t *counters)
{
    const int32_t *col = c->a->col;
    int shift = c->col_shift;
    int64_t k = first;
    for (; k + COPIES <= end; k += COPIES)
        for (int copy = 0; copy < COPIES; copy++)
            counters[(size_t)(col[k + copy] >> shift) * COPIES + (size_t)copy]++;
    for (; k < end; k++)
        counters[(size_t)(col[k] >> shift) * COPIES]++;
}

/* Write the sums along a row of cells, over its first 0, 1, ..., `cells` cells, into the table from element
 * `first` on, and set the counters to 0 again. */
static void sum_along(uint32_t *counters, int64_t cells, struct table table, size_t first)
{
    uint32_t sum[COPIES] = {0};
    table_put(table, first, 0);
    for (int64_t c = 0; c < cells; c++) {
        uint64_t all = 0;
        for (int copy = 0; copy < COPIES; copy++)
            all += sum[copy] += counters[c * COPIES + copy];
        table_put(table, first + (size_t)c + 1, all);
    }
    memset(counters, 0, (size_t)cells * COPIES * sizeof *counters);
}

/* Count band b. Rows of cells that begin in the band are written into the table, even if they continue in
 * later bands, which add the rest. The band's share of a row that began before it goes into its edge:
 *
 *     rows of cells    |---r---|-----r+1-----|--r+2--|---r+3---
 *     bands               |    b    |   b+1   |   b+2   |
 *
 * Band b writes rows r+1 into the table and the end of r into its edge; band b+1 writes r+2, and the rest of
 * r+1 into its edge. */
static void count_band(const struct counting *c, int64_t b, uint32_t *counters)
{
    struct table table = table_of(c->p), edges = {c->edges, 0, table.stride};
    int64_t nnz = csr_nnz(c->a), cells = c->p->grid_cols;
    int64_t first = min(b * c->band_entries, nnz), end = min(first + c->band_entries, nnz);
    int64_t r = row_from(c, first), start = row_start(c, r);
    count_entries(c, first, min(start, end), counters);
    sum_along(counters, cells, edges, (size_t)b * edges.stride);
    while (r < c->p->grid_rows && (start < end || b + 1 == c->bands)) {
        int64_t next = row_start(c, r + 1);
        count_entries(c, start, min(next, end), counters);
        r++;
        sum_along(counters, cells, table, (size_t)r * table.stride);
        start = next;
    }
}

static void count_bands(const struct counting *c, int threads, struct progress *progress)
{
    int64_t nnz = csr_nnz(c->a);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t b = 0; b < c->bands; b++) {
        if (progress_cancelled(progress)) continue;
        count_band(c, b, c->counters + (size_t)omp_get_thread_num() * (size_t)c->p->grid_cols * COPIES);
        progress_add(progress, min((b + 1) * c->band_entries, nnz) - min(b * c->band_entries, nnz));
    }
}

/* Add the edges to columns first .. end-1 of the table. */
static void add_edges(const struct counting *c, size_t first, size_t end)
{
    struct table table = table_of(c->p);
    for (size_t k = first; k < end; k++)
        table_put(table, k, 0);
    for (int64_t b = 0; b < c->bands; b++) {
        const uint32_t *edge = c->edges + (size_t)b * table.stride;
        int64_t row = row_from(c, min(b * c->band_entries, csr_nnz(c->a)));
        if (edge[table.stride - 1] == 0) continue;
        for (size_t k = first; k < end; k++)
            table_add(table, (size_t)row * table.stride + k, edge[k]);
    }
}

/* Sum down columns first .. end-1 of the table: sums along each row of cells become sums over all rows of
 * cells up to it. */
static void sum_strip(const struct pyramid *p, size_t first, size_t end, const struct progress *progress)
{
    struct table table = table_of(p);
    for (size_t r = 0; r < (size_t)p->grid_rows && !progress_cancelled(progress); r++)
        for (size_t k = r * table.stride + first; k < r * table.stride + end; k++)
            table_add(table, k + table.stride, table_get(table, k));
}

/* Threads share the columns in strips. Edges are added if `counting` is not NULL, and sums are summed down if
 * `down`. */
static void sum_columns(const struct pyramid *p, const struct counting *c, bool down, int threads,
                        const struct progress *progress)
{
    size_t columns = (size_t)p->grid_cols + 1, strip = (columns / (size_t)threads / 64 + 1) * 64;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (size_t first = 0; first < columns; first += strip) {
        size_t end = first + strip < columns ? first + strip : columns;
        if (c) add_edges(c, first, end);
        if (down) sum_strip(p, first, end, progress);
    }
}

/* Return the bytes of the edges and counters for these numbers of bands and threads. */
static size_t counting_bytes(const struct pyramid *p, int64_t bands, int threads)
{
    return ((size_t)bands + (size_t)threads * COPIES) * ((size_t)p->grid_cols + 1) * sizeof(uint32_t);
}

static int64_t band_entries(int64_t nnz, int threads)
{
    int64_t entries = nnz / ((int64_t)threads * BANDS_PER_THREAD) + 1;
    if (entries < BAND_MIN) entries = BAND_MIN;
    return min(entries, BAND_MAX);
}

static int64_t bands_of(int64_t nnz, int64_t entries)
{
    return nnz ? cells_of(nnz, entries) : 1;
}

static void choose_bands(struct counting *c, int threads)
{
    c->band_entries = band_entries(csr_nnz(c->a), threads);
    c->bands = bands_of(csr_nnz(c->a), c->band_entries);
}

size_t pyramid_bytes(int64_t rows, int64_t cols, int64_t nnz, int complex)
{
    const struct extent extent = {rows, cols, nnz, complex};
    struct pyramid pyramid = {.wide = nnz > UINT32_MAX};
    choose_grid(&pyramid, &extent);
    int threads = threads_count();
    int64_t bands = bands_of(nnz, band_entries(nnz, threads));
    return table_bytes(&pyramid) + counting_bytes(&pyramid, bands, (int)min(threads, bands));
}

/* Count the entries of a slab, whose first row is row `lead` of a row of cells. */
static enum status fill(const struct csr *a, int64_t lead, bool down, const struct pyramid *p,
                        struct progress *progress, struct error *error)
{
    enum status status = STATUS_MEMORY;
    int threads = threads_count();
    struct counting c = {.a = a, .p = p, .lead = lead, .col_shift = __builtin_ctzll((uint64_t)p->col_step)};
    size_t columns = (size_t)p->grid_cols + 1;
    choose_bands(&c, threads);
    threads = (int)min(threads, c.bands);
    c.edges = memory_array((size_t)c.bands, columns * sizeof *c.edges, error);
    c.counters =
        c.edges ? memory_zeroed((size_t)threads * COPIES, columns * sizeof *c.counters, error) : NULL;
    if (!c.counters) goto out;
    count_bands(&c, threads, progress);
    if (!progress_cancelled(progress)) sum_columns(p, &c, down, threads, progress);
    status = progress_status(progress, error);
out:
    free(c.edges);
    free(c.counters);
    return status;
}

/* Count the entries into a pyramid whose grid has been chosen. */
static enum status build(const struct csr *a, int64_t lead, bool down, struct progress *progress,
                         struct pyramid *pyramid, struct error *error)
{
    progress_phase(progress, "pattern", csr_nnz(a));
    pyramid->sums = memory_array(table_bytes(pyramid), 1, error);
    enum status status = pyramid->sums ? fill(a, lead, down, pyramid, progress, error) : STATUS_MEMORY;
    if (status != STATUS_OK) pyramid_free(pyramid);
    return status;
}

enum status pyramid_build_as(const struct csr *a, int wide, struct progress *progress,
                             struct pyramid *pyramid, struct error *error)
{
    const struct slab slab = slab_of(a);
    const struct extent extent = extent_of(&slab);
    *pyramid = (struct pyramid){.wide = wide};
    choose_grid(pyramid, &extent);
    return build(a, 0, true, progress, pyramid, error);
}

enum status pyramid_build_like(const struct csr *a, const struct pyramid *like, struct progress *progress,
                               struct pyramid *pyramid, struct error *error)
{
    const struct slab slab = slab_of(a);
    const struct extent extent = extent_of(&slab);
    *pyramid = (struct pyramid){.wide = csr_nnz(a) > UINT32_MAX};
    set_steps(pyramid, &extent, like->row_step, like->col_step);
    return build(a, 0, true, progress, pyramid, error);
}

enum status pyramid_build(const struct csr *a, struct progress *progress, struct pyramid *pyramid,
                          struct error *error)
{
    return pyramid_build_as(a, csr_nnz(a) > UINT32_MAX, progress, pyramid, error);
}

enum status pyramid_scan(const struct slab *slab, struct progress *progress, struct pyramid *pyramid,
                         struct error *error)
{
    const struct extent extent = extent_of(slab);
    *pyramid = (struct pyramid){.wide = slab->nnz > UINT32_MAX};
    choose_grid(pyramid, &extent);
    int64_t lead = slab->first % pyramid->row_step;
    pyramid->grid_rows = slab->a->rows ? cells_of(lead + slab->a->rows, pyramid->row_step) : 0;
    return build(slab->a, lead, false, progress, pyramid, error);
}

enum status pyramid_begin(const struct slab *slab, struct pyramid *pyramid, struct error *error)
{
    const struct extent extent = extent_of(slab);
    *pyramid = (struct pyramid){.wide = slab->nnz > UINT32_MAX};
    choose_grid(pyramid, &extent);
    pyramid->sums = memory_zeroed(table_bytes(pyramid), 1, error);
    return pyramid->sums ? STATUS_OK : STATUS_MEMORY;
}

void *pyramid_row(const struct pyramid *pyramid, int64_t r, size_t *bytes)
{
    size_t element = pyramid->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    *bytes = ((size_t)pyramid->grid_cols + 1) * element;
    return (char *)pyramid->sums + ((size_t)r + 1) * *bytes;
}

void pyramid_add(struct pyramid *pyramid, int64_t r, const void *sums)
{
    struct table table = table_of(pyramid), row = {(void *)sums, pyramid->wide, table.stride};
    for (size_t k = 0; k < table.stride; k++)
        table_add(table, ((size_t)r + 1) * table.stride + k, table_get(row, k));
}

void pyramid_sum(struct pyramid *pyramid)
{
    sum_columns(pyramid, NULL, true, threads_count(), NULL);
}

int64_t pyramid_cells(const struct pyramid *pyramid, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    struct table table = table_of(pyramid);
    r0 = clip(r0, pyramid->grid_rows);
    r1 = clip(r1, pyramid->grid_rows);
    c0 = clip(c0, pyramid->grid_cols);
    c1 = clip(c1, pyramid->grid_cols);
    if (r0 >= r1 || c0 >= c1) return 0;
    size_t upper = (size_t)r0 * table.stride, lower = (size_t)r1 * table.stride;
    uint64_t sum = table_get(table, lower + (size_t)c1) - table_get(table, lower + (size_t)c0) -
                   table_get(table, upper + (size_t)c1) + table_get(table, upper + (size_t)c0);
    return table.wide ? (int64_t)sum : (int64_t)(uint32_t)sum;
}

void pyramid_strip(const struct pyramid *pyramid, int64_t r0, int64_t r1, const int64_t *c, int count,
                   int64_t *counts)
{
    struct table table = table_of(pyramid);
    size_t upper = (size_t)clip(r0, pyramid->grid_rows) * table.stride,
           lower = (size_t)clip(r1, pyramid->grid_rows) * table.stride;
    uint64_t before = 0; /* the entries of these rows left of the rectangle */
    if (lower < upper) lower = upper;
    for (int k = 0; k <= count; k++) {
        size_t column = (size_t)clip(c[k], pyramid->grid_cols);
        uint64_t left = table_get(table, lower + column) - table_get(table, upper + column);
        uint64_t sum = left - before;
        if (k) counts[k - 1] = table.wide ? (int64_t)sum : (int64_t)(uint32_t)sum;
        before = left;
    }
}

void pyramid_free(struct pyramid *pyramid)
{
    free(pyramid->sums);
    *pyramid = (struct pyramid){0};
}
