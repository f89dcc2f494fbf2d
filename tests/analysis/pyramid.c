/* analysis/pyramid: every count against a table of sums made by a plain loop. */
#include <stdlib.h>

#include "analysis/pyramid.h"
#include "analysis/pyramid_counted.h"
#include "analysis/tiles.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/support.h"

static const struct {
    int64_t rows, cols;
    double density;
    bool skewed;
} shapes[] = {{1500, 1500, 0.01, true}, {1400, 900, 0.003, false}, {3, 100000, 0.9, false},
              {1, 300000, 0.9, false},  {100000, 1, 0.8, false},   {1, 1, 1, false},
              {40, 3000, 0.2, true},    {700, 700, 0, false},      {600, 600, 1, true},
              {1700, 2900, 0.97, true}, {70000, 20, 0.3, true},    {5, 0, 0, false},
              {0, 5, 0, false},         {0, 0, 0, false}};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* before[i * (cols + 1) + j]: entries in the first i rows and j columns. */
static int32_t *plain_sums(const struct csr *a)
{
    size_t stride = (size_t)a->cols + 1;
    int32_t *before = memory_zeroed(((size_t)a->rows + 1) * stride, sizeof *before, NULL);
    assert_non_null(before);
    for (int64_t i = 0; i < a->rows; i++) {
        int32_t *row = before + (size_t)(i + 1) * stride, sum = 0;
        int64_t k = a->row_ptr[i];
        for (size_t j = 0; j <= (size_t)a->cols; j++) {
            row[j] = sum + (row - stride)[j];
            while (k < a->row_ptr[i + 1] && a->col[k] == (int32_t)j)
                sum++, k++;
        }
    }
    return before;
}

static int64_t held(int64_t value, int64_t max)
{
    return value < 0 ? 0 : value > max ? max : value;
}

static int64_t plain_count(const struct csr *a, const int32_t *before, int64_t r0, int64_t r1, int64_t c0,
                           int64_t c1)
{
    int64_t stride = a->cols + 1;
    r0 = held(r0, a->rows), r1 = held(r1, a->rows), c0 = held(c0, a->cols), c1 = held(c1, a->cols);
    if (r0 >= r1 || c0 >= c1) return 0;
    return (int64_t)before[r1 * stride + c1] - before[r1 * stride + c0] - before[r0 * stride + c1] +
           before[r0 * stride + c0];
}

/* A number from -max/8 to max + max/8. */
static int64_t around(uint64_t *seed, int64_t max)
{
    int64_t rim = max / 8 + 2;
    return (int64_t)support_random(seed, (uint32_t)(max + 2 * rim)) - rim;
}

static void check_dots(const struct pyramid *p, const struct tiles *tiles, const struct csr *a,
                       const int32_t *before, int64_t row0, int64_t col0, int64_t dot_rows, int64_t dot_cols,
                       int high, int wide)
{
    int64_t *counts = memory_array((size_t)high * (size_t)wide, sizeof *counts, NULL);
    pyramid_dots(p, tiles, a, row0, col0, dot_rows, dot_cols, high, wide, counts);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            int64_t top = row0 + y * dot_rows, left = col0 + x * dot_cols;
            int64_t expected = plain_count(a, before, top, top + dot_rows, left, left + dot_cols);
            if (counts[y * wide + x] != expected)
                fail_msg("dot %d,%d of %lld,%lld by %lld,%lld: %lld, not %lld", y, x, (long long)row0,
                         (long long)col0, (long long)dot_rows, (long long)dot_cols,
                         (long long)counts[y * wide + x], (long long)expected);
        }
    free(counts);
}

/* Return the side of a dot: a random number, a divisor of the cells' side, or a multiple of it. In the last
 * case two of three pictures begin on the grid. */
static int64_t dot_side(uint64_t *seed, int64_t step, int64_t lines, int64_t *origin)
{
    *origin = around(seed, lines);
    switch (support_random(seed, 3)) {
    case 0:
        return 1 + support_random(seed, (uint32_t)(lines / 3 + 2));
    case 1:
        return (step / 4 ? step / 4 : 1) << support_random(seed, 3);
    default:
        if (support_random(seed, 3)) *origin = *origin / step * step;
        return step * (1 + support_random(seed, 5));
    }
}

static void check_pictures(const struct pyramid *p, const struct tiles *tiles, const struct csr *a,
                           const int32_t *before, int pictures)
{
    uint64_t seed = 17;
    for (int n = 0; n < pictures; n++) {
        int64_t row0, col0, dot_rows = dot_side(&seed, p->row_step, a->rows, &row0);
        int64_t dot_cols = dot_side(&seed, p->col_step, a->cols, &col0);
        int high = 1 + (int)support_random(&seed, 70), wide = 1 + (int)support_random(&seed, 70);
        check_dots(p, tiles, a, before, row0, col0, dot_rows, dot_cols, high, wide);
    }
    check_dots(p, tiles, a, before, 0, 0, 1, 1, 30, 40);
    check_dots(p, tiles, a, before, -3 * p->row_step, 0, p->row_step, p->col_step, 500, 300);
    check_dots(p, tiles, a, before, 1, -1, 70, 9, 20, 220);
    check_dots(p, tiles, a, before, 1, 3, 333333, 8, 1, 220);
    check_dots(p, tiles, a, before, -5, -7, INT64_MAX / 4, INT64_MAX / 4, 2, 2);
    check_dots(p, tiles, a, before, 0, 0, a->rows + 1, a->cols + 1, 1, 1);
}

static void check_rectangles(const struct pyramid *p, const struct csr *a, const int32_t *before)
{
    uint64_t seed = 23;
    for (int n = 0; n < 500; n++) {
        int64_t r0 = around(&seed, a->rows), r1 = around(&seed, a->rows);
        int64_t c0 = around(&seed, a->cols), c1 = around(&seed, a->cols);
        assert_int_equal(pyramid_count(p, a, r0, r1, c0, c1), plain_count(a, before, r0, r1, c0, c1));
        r0 /= p->row_step, r1 /= p->row_step, c0 /= p->col_step, c1 /= p->col_step;
        assert_int_equal(
            pyramid_cells(p, r0, r1, c0, c1),
            plain_count(a, before, r0 * p->row_step, r1 * p->row_step, c0 * p->col_step, c1 * p->col_step));
    }
    assert_int_equal(pyramid_count(p, a, INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX), csr_nnz(a));
    assert_int_equal(pyramid_cells(p, 0, p->grid_rows, 0, p->grid_cols), csr_nnz(a));
}

/* One thread, two, three; 32-bit and 64-bit sums. */
static void every_count_equals_a_plain_one(void **state)
{
    for (size_t s = 0; s < SHAPES; s++) {
        struct csr a =
            support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, shapes[s].skewed, false, s + 1);
        int32_t *before = plain_sums(&a);
        for (int threads = 1; threads <= 3; threads++) {
            struct pyramid p;
            threads_set(threads);
            assert_int_equal(threads == 2 ? pyramid_build_as(&a, 1, NULL, &p, NULL)
                                          : pyramid_build(&a, NULL, &p, NULL),
                             STATUS_OK);
            assert_int_equal(p.wide, threads == 2);
            check_rectangles(&p, &a, before);
            check_pictures(&p, NULL, &a, before, 60);
            struct tiles tiles;
            assert_int_equal(tiles_make(&a, &p, 0, NULL, &tiles, NULL), STATUS_OK);
            check_pictures(&p, &tiles, &a, before, 60);
            tiles_free(&tiles);
            pyramid_free(&p);
        }
        free(before);
        csr_free(&a);
    }
    threads_set(0);
}

/* Cells of 64 x 64 positions. The tiles count dots that consist of whole parts of cells, for full and for
 * nearly empty cells, and where the picture begins within a cell. Here only the tiles can give the counts:
 * the matrix of the picture has empty rows. */
static void tiles_count_every_part(void **state)
{
    const int64_t n = 2048;
    struct csr a = support_matrix(n, n, 0.02, false, false, 9),
               whole = support_matrix(n, n, 1, false, false, 9);
    for (int full = 0; full < 2; full++) {
        const struct csr *m = full ? &whole : &a;
        int32_t *before = plain_sums(m);
        struct csr nothing = {.rows = n, .cols = n, .col = m->col};
        nothing.row_ptr = memory_zeroed((size_t)n + 1, sizeof *nothing.row_ptr, NULL);
        struct pyramid like = {.row_step = 64, .col_step = 64}, p;
        struct tiles tiles;
        assert_int_equal(pyramid_build_like(m, &like, NULL, &p, NULL), STATUS_OK);
        assert_int_equal(tiles_make(m, &p, 0, NULL, &tiles, NULL), STATUS_OK);
        assert_int_equal(tiles.part_rows, 4);
        for (int64_t dot = 4; dot <= 32; dot *= 2)
            for (int64_t start = -64; start <= 128; start += 28) {
                check_dots(&p, &tiles, &nothing, before, start, start + 4, dot, dot, 90, 70);
                check_dots(&p, &tiles, &nothing, before, start, start, 2 * dot, 4, 33, 512);
                check_dots(&p, &tiles, &nothing, before, start, 0, 4, 16 * dot, 90, 7);
            }
        check_dots(&p, &tiles, m, before, 0, 0, 6, 4, 90, 70); /* rows that are no whole parts */
        tiles_free(&tiles);
        pyramid_free(&p);
        free(nothing.row_ptr);
        free(before);
    }
    csr_free(&a);
    csr_free(&whole);
}

static void tiles_that_do_not_fit_are_left_out(void **state)
{
    struct csr a = support_matrix(400, 400, 0.2, false, false, 5);
    struct pyramid p;
    struct tiles tiles;
    struct error error = {0};
    assert_int_equal(pyramid_build(&a, NULL, &p, NULL), STATUS_OK);
    for (long k = 0, failed = 1; failed; k++) {
        memory_fail_after(k);
        enum status status = tiles_make(&a, &p, 0, NULL, &tiles, NULL);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        if (failed) assert_null(tiles.words);
        tiles_free(&tiles);
    }
    memory_fail_after(-1);
    assert_int_equal(tiles_make(&a, &p, 1000, NULL, &tiles, &error), STATUS_LIMIT);
    assert_null(tiles.words);
    assert_int_equal(tiles_make_if_many(&a, &p, 0, NULL, &tiles, NULL), STATUS_OK);
    assert_null(tiles.words); /* these are few */
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(tiles_make(&a, &p, 0, &progress, &tiles, NULL), STATUS_CANCELLED);
    assert_null(tiles.words);
    pyramid_free(&p);
    csr_free(&a);
}

/* Offsets are enough to choose a grid; the entries are all in the first column. */
static void check_grid(int64_t rows, int64_t cols, int64_t full, int64_t row_step, int64_t col_step)
{
    struct csr a = {.rows = rows, .cols = cols};
    a.row_ptr = memory_array((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_zeroed((size_t)full, sizeof *a.col, NULL);
    for (int64_t i = 0; i <= rows; i++)
        a.row_ptr[i] = i < full ? i : full;
    struct pyramid p;
    assert_int_equal(pyramid_build(&a, NULL, &p, NULL), STATUS_OK);
    assert_int_equal(p.row_step, row_step);
    assert_int_equal(p.col_step, col_step);
    assert_int_equal(p.grid_rows, (rows + row_step - 1) / row_step);
    assert_int_equal(p.grid_cols, (cols + col_step - 1) / col_step);
    assert_int_equal(pyramid_cells(&p, 0, p.grid_rows, 0, 1), full);
    pyramid_free(&p);
    csr_free(&a);
}

/* By hand: sides at most 4096; a table above a tenth of the arrays is made coarser, longer side first, while
 * that side keeps 256 cells. */
static void grids_are_as_fine_as_memory_allows(void **state)
{
    check_grid(1, 1, 1, 1, 1);
    check_grid(100, 100, 100, 1, 1);
    check_grid(511, 511, 511, 1, 1);
    check_grid(512, 512, 512, 2, 2);
    check_grid(4096, 4096, 4096, 16, 16);
    check_grid(1 << 20, 1 << 20, 1 << 20, 2048, 2048); /* 20 MiB of arrays: 2 MiB would hold 724 x 724 */
    check_grid(1 << 20, 3, 1 << 20, 256, 1);           /* 4096 x 3 cells need 64 KiB */
    check_grid(3, INT32_MAX, 3, 1, 1 << 23);
}

static void every_failing_allocation_is_reported(void **state)
{
    struct csr a = support_matrix(400, 400, 0.2, false, false, 5);
    for (long k = 0, failed = 1; failed; k++) {
        struct pyramid p;
        struct error error = {0};
        memory_fail_after(k);
        enum status status = pyramid_build(&a, NULL, &p, &error);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        if (failed) assert_null(p.sums);
        pyramid_free(&p);
    }
    memory_fail_after(-1);
    csr_free(&a);
}

static void cancelling_stops_and_progress_ends_full(void **state)
{
    struct csr a = support_matrix(700, 700, 0.5, false, false, 5);
    struct progress progress = {0};
    struct pyramid p;
    assert_int_equal(pyramid_build(&a, &progress, &p, NULL), STATUS_OK);
    assert_int_equal(progress.done, csr_nnz(&a));
    assert_int_equal(progress.total, csr_nnz(&a));
    pyramid_free(&p);
    progress_cancel(&progress);
    assert_int_equal(pyramid_build(&a, &progress, &p, NULL), STATUS_CANCELLED);
    assert_null(p.sums);
    csr_free(&a);
}

/* Count the entries of a matrix from the last one to the first, in two parts, after claiming that `before`
 * entries were counted already. */
static struct pyramid counted(const struct csr *a, int64_t before, size_t bytes)
{
    struct pyramid p;
    int64_t nnz = csr_nnz(a), half = nnz / 2;
    int32_t *row = memory_array((size_t)nnz, sizeof *row, NULL);
    int32_t *col = memory_array((size_t)nnz, sizeof *col, NULL);
    assert_non_null(row);
    assert_non_null(col);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            row[nnz - 1 - k] = (int32_t)i;
            col[nnz - 1 - k] = a->col[k];
        }
    assert_int_equal(pyramid_counted_begin(a->rows, a->cols, bytes, &p, NULL), STATUS_OK);
    assert_int_equal(pyramid_count_entries(&p, before, row, col, half, NULL), STATUS_OK);
    assert_int_equal(pyramid_count_entries(&p, before + half, row + half, col + half, nnz - half, NULL),
                     STATUS_OK);
    pyramid_end(&p);
    free(row);
    free(col);
    return p;
}

/* Sums become wide where 32 bits might not hold them: as soon as the entries so far would be 2^32. */
static void entries_that_come_by_are_counted(void **state)
{
    static const size_t bytes[] = {(size_t)1 << 30, (size_t)1 << 20};
    for (int s = 0; s < (int)SHAPES; s++) {
        struct csr a = support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, shapes[s].skewed,
                                      false, 7 + (uint64_t)s);
        int32_t *before = plain_sums(&a);
        int64_t nnz = csr_nnz(&a), last = (int64_t)UINT32_MAX - nnz;
        const int64_t befores[] = {0, last, last + 1, last + nnz / 2 + 1};
        for (size_t b = 0; b < sizeof befores / sizeof *befores; b++) {
            struct pyramid p = counted(&a, befores[b], bytes[b % 2]);
            assert_int_equal(p.wide, befores[b] + nnz > UINT32_MAX);
            for (int64_t r = 0; r < p.grid_rows; r += 1 + p.grid_rows / 40)
                for (int64_t c = 0; c < p.grid_cols; c += 1 + p.grid_cols / 40)
                    assert_int_equal(pyramid_cells(&p, r, r + 3, c, c + 1),
                                     plain_count(&a, before, r * p.row_step, (r + 3) * p.row_step,
                                                 c * p.col_step, (c + 1) * p.col_step));
            pyramid_free(&p);
        }
        free(before);
        csr_free(&a);
    }
}

static void wide_sums_that_find_no_memory_are_an_error(void **state)
{
    static const int32_t row[] = {0, 1}, col[] = {2, 1};
    struct pyramid p;
    struct error error = {0};
    assert_int_equal(pyramid_counted_begin(3, 3, 1 << 20, &p, NULL), STATUS_OK);
    assert_int_equal(pyramid_count_entries(&p, 0, row, col, 2, NULL), STATUS_OK);
    memory_fail_after(0);
    assert_int_equal(pyramid_count_entries(&p, UINT32_MAX, row, col, 2, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_int_equal(error.status, STATUS_MEMORY);
    pyramid_end(&p);
    assert_int_equal(pyramid_cells(&p, 0, 3, 0, 3), 2);
    pyramid_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_equals_a_plain_one),
        cmocka_unit_test(tiles_count_every_part),
        cmocka_unit_test(tiles_that_do_not_fit_are_left_out),
        cmocka_unit_test(grids_are_as_fine_as_memory_allows),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancelling_stops_and_progress_ends_full),
        cmocka_unit_test(entries_that_come_by_are_counted),
        cmocka_unit_test(wide_sums_that_find_no_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
