/* analysis/level: every cell of every level against a dense table that a plain loop counts. */
#include <stdlib.h>

#include "analysis/level.h"
#include "base/memory.h"
#include "support/cmocka.h"
#include "support/support.h"

static const struct {
    int64_t rows, cols;
    double density;
    bool skewed;
} shapes[] = {{150, 150, 0.03, true}, {37, 200, 0.2, true}, {201, 5, 0.3, false}, {1, 70, 0.5, false},
              {64, 64, 1, false},     {90, 1, 0.4, false},  {33, 31, 0, false},   {1, 1, 1, false}};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* The entries of each cell, row by row, for cells of this number of rows and columns. */
static int64_t *plain_counts(const struct csr *a, int64_t row_step, int64_t col_step, int64_t cols)
{
    int64_t rows = (a->rows + row_step - 1) / row_step;
    int64_t *counts = memory_zeroed((size_t)(rows * cols), sizeof *counts, NULL);
    assert_non_null(counts);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            counts[i / row_step * cols + a->col[k] / col_step]++;
    return counts;
}

static void compare(const struct csr *a, const struct level *level)
{
    int64_t rows = (a->rows + level->row_step - 1) / level->row_step, used = 0;
    int64_t cols = (a->cols + level->col_step - 1) / level->col_step;
    int64_t *counts = plain_counts(a, level->row_step, level->col_step, cols);
    assert_int_equal(level->rows, rows);
    assert_int_equal(level->cols, cols);
    for (int64_t r = 0; r < rows; r++) {
        assert_int_equal(level->start[r], used);
        for (int64_t c = 0; c < cols; c++) {
            if (counts[r * cols + c] == 0) continue;
            assert_true(used < level_number(level));
            assert_int_equal(level->col[used], c);
            assert_int_equal(level->count[used], counts[r * cols + c]);
            used++;
        }
    }
    assert_int_equal(level_number(level), used);
    free(counts);
}

static void levels_count_what_a_loop_counts(void **state)
{
    for (size_t s = 0; s < SHAPES; s++) {
        struct csr a =
            support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, shapes[s].skewed, false, 7 + s);
        struct level level;
        assert_int_equal(level_of_matrix(&a, &level, NULL), STATUS_OK);
        compare(&a, &level);
        while (level.rows > 1 || level.cols > 1) {
            bool longer = level.rows > level.cols, square = level.rows == level.cols;
            int64_t row_step = level.row_step, col_step = level.col_step;
            assert_int_equal(level_coarsen(&level, NULL), STATUS_OK);
            assert_int_equal(level.row_step, row_step * (longer || square ? 2 : 1));
            assert_int_equal(level.col_step, col_step * (longer ? 1 : 2));
            compare(&a, &level);
        }
        level_free(&level);
        csr_free(&a);
    }
}

/* Steps are doubled one way, the other, and both at once, in every order of three. */
static void steps_double_either_way(void **state)
{
    struct csr a = support_matrix(97, 83, 0.1, true, false, 3);
    for (int ways = 0; ways < 27; ways++) {
        struct level level;
        assert_int_equal(level_of_matrix(&a, &level, NULL), STATUS_OK);
        for (int way = ways, k = 0; k < 3; k++, way /= 3) {
            assert_int_equal(level_double(&level, way % 3 != 0, way % 3 != 1, NULL), STATUS_OK);
            compare(&a, &level);
        }
        level_free(&level);
    }
    csr_free(&a);
}

static void the_pyramid_has_the_same_cells(void **state)
{
    struct csr a = support_matrix(1500, 900, 0.01, true, false, 5);
    struct pyramid pyramid;
    struct level level;
    assert_int_equal(pyramid_build(&a, NULL, &pyramid, NULL), STATUS_OK);
    assert_int_equal(level_of_pyramid(&pyramid, INT64_MAX, &level, NULL), STATUS_OK);
    assert_true(level.row_step > 1);
    compare(&a, &level);
    level_free(&level);
    pyramid_free(&pyramid);
    csr_free(&a);
}

/* Cells are merged until the grid has at most this number of them along each side. */
static void the_pyramid_is_taken_as_coarsely_as_asked(void **state)
{
    struct csr a = support_matrix(1500, 900, 0.01, true, false, 5);
    struct pyramid pyramid;
    assert_int_equal(pyramid_build(&a, NULL, &pyramid, NULL), STATUS_OK);
    for (int64_t side = 1; side <= 256; side += side < 9 ? 1 : 61) {
        struct level level;
        assert_int_equal(level_of_pyramid(&pyramid, side, &level, NULL), STATUS_OK);
        assert_true(level.rows <= side && (2 * level.rows > side || level.row_step == pyramid.row_step));
        assert_true(level.cols <= side && (2 * level.cols > side || level.col_step == pyramid.col_step));
        compare(&a, &level);
        level_free(&level);
    }
    pyramid_free(&pyramid);
    csr_free(&a);
}

/* A pyramid that is made of cells has the count of a loop in any of its rectangles. */
static void a_pyramid_is_made_of_cells(void **state)
{
    for (size_t s = 0; s < SHAPES; s++) {
        struct csr a =
            support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, shapes[s].skewed, false, 7 + s);
        struct level level;
        struct pyramid pyramid;
        assert_int_equal(level_of_matrix(&a, &level, NULL), STATUS_OK);
        for (int step = 1; step < 8; step *= 2) {
            assert_int_equal(level_pyramid(&level, &pyramid, NULL), STATUS_OK);
            int64_t *counts = plain_counts(&a, level.row_step, level.col_step, level.cols), sum = 0;
            assert_int_equal(pyramid.row_step, level.row_step);
            assert_int_equal(pyramid.col_step, level.col_step);
            for (int64_t r = 0; r < level.rows; r++)
                for (int64_t c = 0; c < level.cols; c++)
                    assert_int_equal(pyramid_cells(&pyramid, r, r + 1, c, c + 1), counts[r * level.cols + c]);
            for (int64_t r = level.rows / 3; r < level.rows; r++)
                for (int64_t c = level.cols / 4; c < level.cols; c++)
                    sum += counts[r * level.cols + c];
            assert_int_equal(pyramid_cells(&pyramid, level.rows / 3, level.rows, level.cols / 4, level.cols),
                             sum);
            free(counts);
            pyramid_free(&pyramid);
            assert_int_equal(level_coarsen(&level, NULL), STATUS_OK);
        }
        memory_fail_after(0);
        assert_int_equal(level_pyramid(&level, &pyramid, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        assert_null(pyramid.sums);
        level_free(&level);
        csr_free(&a);
    }
}

/* Each allocation fails in turn; a level that could not be doubled is as it was. */
static void without_memory_nothing_is_left(void **state)
{
    struct csr a = support_matrix(40, 40, 0.2, false, false, 9);
    for (int k = 0; k < 3; k++) {
        struct level level;
        memory_fail_after(k);
        assert_int_equal(level_of_matrix(&a, &level, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        assert_null(level.start);
    }
    for (int k = 0; k < 2; k++) {
        struct level level;
        assert_int_equal(level_of_matrix(&a, &level, NULL), STATUS_OK);
        memory_fail_after(k);
        assert_int_equal(level_coarsen(&level, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        compare(&a, &level);
        level_free(&level);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_count_what_a_loop_counts),
        cmocka_unit_test(steps_double_either_way),
        cmocka_unit_test(the_pyramid_has_the_same_cells),
        cmocka_unit_test(the_pyramid_is_taken_as_coarsely_as_asked),
        cmocka_unit_test(a_pyramid_is_made_of_cells),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
