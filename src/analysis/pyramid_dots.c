/* Counting the entries of dots and rectangles, from the pyramid's cells or from the rows themselves. */
#include <stdbool.h>
#include <string.h>

#include "analysis/pyramid.h"
#include "analysis/tiles.h"
#include "base/range.h"
#include "base/threads.h"

/* In a row with more entries for each dot than this, the borders of dots are searched instead of finding the
 * dot of each entry. */
#define ENTRIES_PER_SEARCH 12

/* Amount of work for a single thread, which takes a few milliseconds: on a busy machine a second thread may
 * wait longer than a whole frame for a processor. The unit is an entry, a dot of four look-ups, or a row
 * whose rim is searched. */
#define ALONE_ENTRIES ((int64_t)1 << 22)
#define ALONE_DOTS 131072
#define ALONE_ROWS 32768
#define BANDS_PER_THREAD 8

/* origin + step * index, held within 0 .. max; max if that overflows. */
static int64_t border(int64_t origin, int64_t step, int64_t index, int64_t max)
{
    int64_t distance, place;
    if (__builtin_mul_overflow(step, index, &distance) || __builtin_add_overflow(origin, distance, &place))
        return max;
    return clip(place, max);
}

/* The index of the first of n ascending columns that is >= j; n if there is none. No branch depends on the
 * columns, since half of its predictions would be wrong. */
static inline int64_t lower_bound(const int32_t *col, int64_t n, int64_t j)
{
    const int32_t *from = col;
    if (n == 0) return 0;
    while (n > 1) {
        int64_t half = n / 2;
        from += from[half - 1] < j ? half : 0;
        n -= half;
    }
    return from - col + (*from < j);
}

/* The same if the answer is probably near the front: columns 0, 1, 3, 7, ... are compared until one is >= j,
 * and then the columns before it are searched (Bentley and Yao, "An almost optimal algorithm for unbounded
 * searching", Inf. Process. Lett. 5, 1976). */
static inline int64_t gallop(const int32_t *col, int64_t n, int64_t j)
{
    int64_t reach = 1;
    while (reach < n && col[reach - 1] < j)
        reach *= 2;
    int64_t known = reach / 2;
    return known + lower_bound(col + known, min(reach, n) - known, j);
}

/* The arguments of pyramid_dots, and values derived from them. */
struct picture {
    const struct pyramid *pyramid;
    const struct csr *a;
    int64_t row0, col0, dot_rows, dot_cols;
    int64_t high, wide;
    int64_t stride;                   /* elements from one row of counts to the next */
    int64_t top, bottom, left, right; /* dots cover rows top .. bottom-1 and columns left .. right-1 */
    int col_shift;                    /* log2 of dot_cols; -1 if that is no power of two */
    int64_t *counts;
};

/* The first row of the dots in row y of the picture, and the first column of those in column x, held within
 * the matrix. */
static int64_t dot_top(const struct picture *p, int64_t y)
{
    return border(p->row0, p->dot_rows, y, p->a->rows);
}

static int64_t dot_left(const struct picture *p, int64_t x)
{
    return border(p->col0, p->dot_cols, x, p->a->cols);
}

/* Consecutive entries are counted in LANES different counters of their dots. They mostly fall into the same
 * dot, and an addition to a number in memory waits for the previous addition to it. A picture is counted in
 * strips of at most STRIP dots, so that the counters of a row of dots stay near. */
#define LANES 4
#define STRIP 1024

/* Count a row of n columns into the counters of a row of dots, dot by dot: the first column beyond each dot
 * is searched. */
static void count_by_borders(const struct picture *p, const int32_t *col, int64_t n, uint64_t *lanes)
{
    for (int64_t k = 0; k < n;) {
        int64_t x = (int64_t)(((uint64_t)col[k] - (uint64_t)p->col0) / (uint64_t)p->dot_cols);
        int64_t end = k + gallop(col + k, n - k, dot_left(p, x + 1));
        lanes[x * LANES] += (uint64_t)(end - k);
        k = end;
    }
}

/* Count a row of n columns entry by entry, for dots of 2^col_shift columns. */
static inline void count_each(const struct picture *p, const int32_t *col, int64_t n, uint64_t *lanes)
{
    uint64_t col0 = (uint64_t)p->col0;
    int shift = p->col_shift;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[(((uint64_t)col[k + lane] - col0) >> shift) * LANES + (uint64_t)lane]++;
    for (; k < n; k++)
        lanes[(((uint64_t)col[k] - col0) >> shift) * LANES]++;
}

/* The same for dots of any width. */
static inline void count_each_dividing(const struct picture *p, const int32_t *col, int64_t n,
                                       uint64_t *lanes)
{
    uint64_t col0 = (uint64_t)p->col0, dot_cols = (uint64_t)p->dot_cols;
    for (int64_t k = 0; k < n; k++)
        lanes[((uint64_t)col[k] - col0) / dot_cols * LANES]++;
}

/* Reading a row far into the matrix waits for memory. The rows of a batch are therefore searched at the same
 * time, so that their memory accesses overlap. */
#define BATCH 32

struct batch {
    const int32_t *col[BATCH]; /* the remaining columns of a row, */
    int64_t n[BATCH];          /* and how many they are */
};

/* Move col[] and n[] of `rows` rows so that they begin with the first column >= j: the loop of lower_bound,
 * over all rows in each of its steps. */
static void search_batch(struct batch *batch, int rows, int64_t j)
{
    int64_t n[BATCH], most = 0;
    const int32_t *from[BATCH];
    for (int k = 0; k < rows; k++) {
        from[k] = batch->col[k];
        n[k] = batch->n[k];
        most = max(most, n[k]);
    }
    for (; most > 1; most -= most / 2)
        for (int k = 0; k < rows; k++) {
            int64_t half = n[k] / 2; /* 0 for a finished row, which then does not change */
            from[k] += half && from[k][half - 1] < j ? half : 0;
            n[k] -= half;
        }
    for (int k = 0; k < rows; k++) {
        int64_t skip = from[k] - batch->col[k] + (n[k] && *from[k] < j);
        batch->col[k] += skip;
        batch->n[k] -= skip;
    }
}

/* Count rows i .. i + rows-1 of the matrix, at most BATCH, into the counters of a row of dots, each row by
 * the method that is fastest for it. */
static void count_batch(const struct picture *p, int64_t i, int rows, uint64_t *lanes)
{
    struct batch batch, behind;
    for (int k = 0; k < rows; k++) {
        batch.col[k] = p->a->col + p->a->row_ptr[i + k];
        batch.n[k] = p->a->row_ptr[i + k + 1] - p->a->row_ptr[i + k];
    }
    if (p->left > 0) search_batch(&batch, rows, p->left);
    behind = batch;
    if (p->right < p->a->cols)
        search_batch(&behind, rows, p->right);
    else
        for (int k = 0; k < rows; k++)
            behind.n[k] = 0;
    for (int k = 0; k < rows; k++) {
        int64_t n = batch.n[k] - behind.n[k];
        if (n > ENTRIES_PER_SEARCH * p->wide)
            count_by_borders(p, batch.col[k], n, lanes);
        else if (p->col_shift < 0)
            count_each_dividing(p, batch.col[k], n, lanes);
        else
            count_each(p, batch.col[k], n, lanes);
    }
}

static void count_rows(const struct picture *p, int64_t i, int64_t end, uint64_t *lanes)
{
    for (; i < end; i += BATCH)
        count_batch(p, i, (int)min(end - i, BATCH), lanes);
}

/* Add the counters to the counts of row y of dots, atomically if other threads may add to them too, and set
 * the counters to 0 again. */
static void add_lanes(const struct picture *p, int64_t y, bool shared, uint64_t *lanes)
{
    int64_t *counts = p->counts + y * p->stride;
    for (int64_t x = 0; x < p->wide; x++) {
        int64_t sum = 0;
        for (int lane = 0; lane < LANES; lane++)
            sum += (int64_t)lanes[x * LANES + lane];
        if (!sum) continue;
        if (shared)
            __atomic_fetch_add(&counts[x], sum, __ATOMIC_RELAXED);
        else
            counts[x] += sum;
    }
    memset(lanes, 0, (size_t)p->wide * LANES * sizeof *lanes);
}

/* True if the row of cells that contains row i has an entry in a cell that touches columns left ..
 * right-1. */
static bool any_in_cells(const struct pyramid *p, int64_t i, int64_t left, int64_t right)
{
    int64_t r = i / p->row_step;
    return pyramid_cells(p, r, r + 1, left / p->col_step, (right - 1) / p->col_step + 1) > 0;
}

/* Count rows first .. end-1 of the matrix. A row of dots is shared with another band if it begins before
 * `first` or ends after `end`. */
static void count_band(const struct picture *p, int64_t first, int64_t end)
{
    uint64_t lanes[STRIP * LANES];
    memset(lanes, 0, (size_t)p->wide * LANES * sizeof *lanes);
    for (int64_t i = first; i < end;) {
        int64_t y = (int64_t)(((uint64_t)i - (uint64_t)p->row0) / (uint64_t)p->dot_rows);
        int64_t dot_end = min(dot_top(p, y + 1), p->bottom);
        bool shared = (i == first && dot_top(p, y) < first && first > p->top) || dot_end > end;
        for (int64_t stop = min(dot_end, end), next; i < stop; i = next) {
            next = min((i / p->pyramid->row_step + 1) * p->pyramid->row_step, stop);
            if (any_in_cells(p->pyramid, i, p->left, p->right)) count_rows(p, i, next, lanes);
        }
        add_lanes(p, y, shared, lanes);
    }
}

/* The work of rows 0 .. i-1, in entries. A row by itself takes about as long as 4 of them. */
static int64_t work_before(const struct csr *a, int64_t i)
{
    return a->row_ptr[i] + 4 * i;
}

/* The row at which band b begins, if the picture is cut into `bands` bands of about the same work. */
static int64_t band_start(const struct picture *p, int64_t b, int64_t bands)
{
    int64_t low = p->top, high = p->bottom, start = work_before(p->a, low);
    int64_t wanted = start + (work_before(p->a, high) - start) / bands * b;
    if (b == bands) return high;
    BISECT(low, high, work_before(p->a, middle) < wanted);
    return low;
}

/* Count a strip of the picture, at most STRIP dots wide. */
static void strip_from_rows(const struct picture *p)
{
    if (p->top >= p->bottom || p->left >= p->right) return;
    int64_t work = work_before(p->a, p->bottom) - work_before(p->a, p->top);
    int64_t bands = work < ALONE_ENTRIES ? 1 : (int64_t)threads_count() * BANDS_PER_THREAD;
#pragma omp parallel for schedule(dynamic) if (bands > 1)
    for (int64_t b = 0; b < bands; b++)
        count_band(p, band_start(p, b, bands), band_start(p, b + 1, bands));
}

static void dots_from_rows(const struct picture *p)
{
    for (int64_t x = 0; x < p->wide; x += STRIP) {
        struct picture strip = *p;
        for (int64_t y = 0; y < p->high; y++)
            memset(p->counts + y * p->stride + x, 0, (size_t)min(STRIP, p->wide - x) * sizeof *p->counts);
        strip.counts += x;
        strip.wide = min(STRIP, p->wide - x);
        strip.left = dot_left(p, x);
        strip.right = dot_left(p, x + strip.wide);
        /* This cannot overflow if the strip has at least one column. */
        strip.col0 = (int64_t)((uint64_t)p->col0 + (uint64_t)p->dot_cols * (uint64_t)x);
        strip_from_rows(&strip);
    }
}

/* The cell after a border of dots; the last border of the matrix may lie within a cell. */
static int64_t cell_from(int64_t border, int64_t step)
{
    return border / step + (border % step != 0);
}

static void dots_from_cells(const struct picture *p)
{
    const struct pyramid *cells = p->pyramid;
    for (int64_t first = 0; first < p->wide; first += STRIP) {
        int64_t left[STRIP + 1], count = min(STRIP, p->wide - first);
        for (int64_t x = 0; x <= count; x++)
            left[x] = cell_from(dot_left(p, first + x), cells->col_step);
#pragma omp parallel for schedule(dynamic, 8) if (p->high * count > ALONE_DOTS)
        for (int64_t y = 0; y < p->high; y++)
            pyramid_strip(cells, cell_from(dot_top(p, y), cells->row_step),
                          cell_from(dot_top(p, y + 1), cells->row_step), left, (int)count,
                          p->counts + y * p->stride + first);
    }
}

void pyramid_dots(const struct pyramid *pyramid, const struct tiles *tiles, const struct csr *a, int64_t row0,
                  int64_t col0, int64_t dot_rows, int64_t dot_cols, int high, int wide, int64_t *counts)
{
    bool power = (dot_cols & (dot_cols - 1)) == 0;
    struct picture p = {.pyramid = pyramid,
                        .a = a,
                        .row0 = row0,
                        .col0 = col0,
                        .dot_rows = dot_rows,
                        .dot_cols = dot_cols,
                        .high = high,
                        .wide = wide,
                        .stride = wide,
                        .col_shift = power ? __builtin_ctzll((uint64_t)dot_cols) : -1,
                        .counts = counts};
    p.top = dot_top(&p, 0);
    p.bottom = dot_top(&p, high);
    p.left = dot_left(&p, 0);
    p.right = dot_left(&p, wide);
    if (row0 % pyramid->row_step == 0 && dot_rows % pyramid->row_step == 0 && col0 % pyramid->col_step == 0 &&
        dot_cols % pyramid->col_step == 0)
        dots_from_cells(&p);
    else if (tiles && tiles_suit(tiles, row0, col0, dot_rows, dot_cols))
        tiles_dots(tiles, pyramid, row0, col0, dot_rows, dot_cols, high, wide, counts);
    else
        dots_from_rows(&p);
}

/* The number of entries in rows r0 .. r1-1 and columns c0 .. c1-1, from the rows. */
static int64_t rectangle_from_rows(const struct pyramid *pyramid, const struct csr *a, int64_t r0, int64_t r1,
                                   int64_t c0, int64_t c1)
{
    if (r0 >= r1 || c0 >= c1) return 0;
    if (c0 == 0 && c1 == a->cols) return a->row_ptr[r1] - a->row_ptr[r0];
    int64_t step = pyramid->row_step, count = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : count) if (r1 - r0 > ALONE_ROWS)
    for (int64_t r = r0 / step; r < (r1 - 1) / step + 1; r++) {
        if (!any_in_cells(pyramid, r * step, c0, c1)) continue;
        int64_t first = r * step > r0 ? r * step : r0;
        for (int64_t i = first; i < min((r + 1) * step, r1); i++) {
            const int32_t *col = a->col + a->row_ptr[i];
            int64_t n = a->row_ptr[i + 1] - a->row_ptr[i];
            if (c1 < a->cols) n = lower_bound(col, n, c1);
            count += n - (c0 > 0 ? lower_bound(col, n, c0) : 0);
        }
    }
    return count;
}

/* The cells *from .. *to-1 that lie within lines first .. end-1. The last cell of the matrix may have fewer
 * than `step` of its `lines` lines, and lies within them if they reach to the end. */
static void whole_cells(int64_t first, int64_t end, int64_t lines, int64_t step, int64_t *from, int64_t *to)
{
    *from = first / step + (first % step != 0);
    *to = end == lines ? end / step + (end % step != 0) : end / step;
}

/* The rectangle is whole cells in the middle, and around them a rim of four rectangles:
 *
 *              c0    inner_left   inner_right   c1
 *     r0       +-----------------------------------+
 *              |                rows               |
 *     top      +-----+--------------------+--------+
 *              |rows |       cells        |  rows  |
 *     bottom   +-----+--------------------+--------+
 *              |                rows               |
 *     r1       +-----------------------------------+
 */
int64_t pyramid_count(const struct pyramid *pyramid, const struct csr *a, int64_t r0, int64_t r1, int64_t c0,
                      int64_t c1)
{
    int64_t up, down, left, right;
    r0 = clip(r0, a->rows);
    r1 = clip(r1, a->rows);
    c0 = clip(c0, a->cols);
    c1 = clip(c1, a->cols);
    if (r0 >= r1 || c0 >= c1) return 0;
    whole_cells(r0, r1, a->rows, pyramid->row_step, &up, &down);
    whole_cells(c0, c1, a->cols, pyramid->col_step, &left, &right);
    if (up >= down || left >= right) return rectangle_from_rows(pyramid, a, r0, r1, c0, c1);
    int64_t top = up * pyramid->row_step, bottom = min(down * pyramid->row_step, r1);
    int64_t inner_left = left * pyramid->col_step, inner_right = min(right * pyramid->col_step, c1);
    return pyramid_cells(pyramid, up, down, left, right) + rectangle_from_rows(pyramid, a, r0, top, c0, c1) +
           rectangle_from_rows(pyramid, a, bottom, r1, c0, c1) +
           rectangle_from_rows(pyramid, a, top, bottom, c0, inner_left) +
           rectangle_from_rows(pyramid, a, top, bottom, inner_right, c1);
}
