/* Analyses of slabs (runs of rows): their joined results equal those of the whole matrix bit by bit, for any
 * division into slabs. */
#include <stdlib.h>
#include <string.h>

#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "analysis/values.h"
#include "support/support.h"
#include "support/unit.h"

/* Most slabs of a matrix. */
#define SLABS 8

/* The rows first .. end - 1 of a matrix. */
static struct csr rows_of(const struct csr *a, int64_t first, int64_t end)
{
    struct csr rows = {.rows = end - first, .cols = a->cols};
    rows.row_ptr = malloc(((size_t)(end - first) + 1) * sizeof *rows.row_ptr);
    for (int64_t i = first; i <= end; i++)
        rows.row_ptr[i - first] = a->row_ptr[i] - a->row_ptr[first];
    rows.col = a->col + a->row_ptr[first];
    rows.val = a->val + a->row_ptr[first];
    if (a->imaginary) rows.imaginary = a->imaginary + a->row_ptr[first];
    return rows;
}

/* Mirror images are passed on in batches of this size. */
#define PASSED 7

static void expect_structure(const struct csr *a, const struct slab *slabs, int count)
{
    struct structure whole = {0}, found = {0};
    struct structure_part parts[SLABS];
    assert_int_equal(structure_of(a, NULL, &whole, NULL), STATUS_OK);
    for (int s = 0; s < count; s++) {
        parts[s] = (struct structure_part){0};
        assert_int_equal(structure_scan(&slabs[s], NULL, &parts[s], NULL), STATUS_OK);
    }
    for (int s = 0; s < count; s++) {
        struct mirror mirrors[PASSED];
        int64_t row = 0, entry = 0, some;
        while ((some = structure_beyond(&slabs[s], &row, &entry, mirrors, PASSED)) > 0)
            for (int to = s + 1; to < count; to++) {
                struct mirror own[PASSED];
                int owned = 0;
                for (int k = 0; k < some; k++)
                    if (mirrors[k].col >= slabs[to].first &&
                        mirrors[k].col < slabs[to].first + slabs[to].a->rows)
                        own[owned++] = mirrors[k];
                structure_meet(&slabs[to], own, owned, &parts[to]);
            }
    }
    for (int s = 1; s < count; s++) {
        structure_join(&parts[0], &parts[s]);
        for (size_t k = 0; k < (size_t)(a->cols + 63) / 64; k++)
            parts[0].columns[k] |= parts[s].columns[k];
        for (size_t k = 0; k < (size_t)(a->rows + a->cols + 63) / 64; k++)
            parts[0].diagonals[k] |= parts[s].diagonals[k];
    }
    structure_finish(&parts[0], a->rows, a->cols, csr_nnz(a), &found);
    assert_int_equal(found.lower_bandwidth, whole.lower_bandwidth);
    assert_int_equal(found.profile, whole.profile);
    assert_int_equal(found.diagonals, whole.diagonals);
    assert_memory_equal(&found, &whole, sizeof found);
    for (int s = 0; s < count; s++)
        structure_part_free(&parts[s]);
}

static void expect_values(const struct csr *a, const struct slab *slabs, int count)
{
    static struct values whole, found;
    static struct values_part parts[SLABS];
    assert_int_equal(values_measure(a, NULL, &whole, NULL), STATUS_OK);
    for (int s = 0; s < count; s++)
        assert_int_equal(values_scan(&slabs[s], NULL, &parts[s], NULL), STATUS_OK);
    for (int s = count - 1; s > 0; s--) /* in any order */
        values_join(&parts[0], &parts[s]);
    memset(&found, 0, sizeof found);
    values_finish(&parts[0], a->imaginary != NULL, whole.norm_1, &found);
    assert_memory_equal(&found, &whole, sizeof found);
}

static void expect_pyramid(const struct csr *a, const struct slab *slabs, int count)
{
    struct pyramid whole, found;
    size_t bytes;
    assert_int_equal(pyramid_build_as(a, 0, NULL, &whole, NULL), STATUS_OK);
    assert_int_equal(pyramid_begin(&slabs[0], &found, NULL), STATUS_OK);
    for (int s = 0; s < count; s++) {
        struct pyramid own;
        assert_int_equal(pyramid_scan(&slabs[s], NULL, &own, NULL), STATUS_OK);
        for (int64_t r = 0; r < own.grid_rows; r++)
            pyramid_add(&found, slabs[s].first / found.row_step + r, pyramid_row(&own, r, &bytes));
        pyramid_free(&own);
    }
    pyramid_sum(&found);
    assert_true(found.row_step == whole.row_step && found.col_step == whole.col_step);
    assert_true(found.grid_rows == whole.grid_rows && found.grid_cols == whole.grid_cols);
    assert_int_equal(found.wide, whole.wide);
    assert_memory_equal(found.sums, whole.sums,
                        (size_t)(whole.grid_rows + 1) * (size_t)(whole.grid_cols + 1) * sizeof(uint32_t));
    pyramid_free(&found);
    pyramid_free(&whole);
}

/* Divide the matrix into slabs that end before these rows. */
static void expect_slabs(const struct csr *a, const int64_t *ends, int count)
{
    struct csr rows[SLABS];
    struct slab slabs[SLABS];
    for (int s = 0; s < count; s++) {
        const int64_t first = s ? ends[s - 1] : 0;
        rows[s] = rows_of(a, first, ends[s]);
        slabs[s] = (struct slab){&rows[s], first, a->row_ptr[first], a->rows, a->cols, csr_nnz(a)};
    }
    expect_structure(a, slabs, count);
    expect_values(a, slabs, count);
    expect_pyramid(a, slabs, count);
    for (int s = 0; s < count; s++)
        free(rows[s].row_ptr);
}

static void expect_all(const struct csr *a)
{
    const int64_t m = a->rows;
    expect_slabs(a, (const int64_t[]){m}, 1);
    expect_slabs(a, (const int64_t[]){1, m}, 2);
    expect_slabs(a, (const int64_t[]){m - 1, m}, 2);
    expect_slabs(a, (const int64_t[]){0, m / 3, m / 3, 2 * m / 3 + 1, m}, 5);
}

TEST(symmetric_matrices)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 120, 0.1, true, false, 5);
    expect_all(&a);
}

TEST(complex_matrices)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_HERMITIAN, 90, 0.1, true, true, 5);
    expect_all(&a);
}

TEST(square_matrices)
{
    FREED(csr_free) struct csr a = support_matrix(120, 120, 0.2, true, false, 6);
    expect_all(&a);
}

/* Cells of four rows, of which slabs have a part each. */
TEST(tall_matrices)
{
    FREED(csr_free) struct csr a = support_matrix(9000, 60, 0.02, true, false, 7);
    expect_all(&a);
}

TEST(wide_matrices)
{
    FREED(csr_free) struct csr a = support_matrix(40, 9000, 0.02, true, false, 8);
    expect_all(&a);
}
