/* matrix/graphs/parts and the orders by parts: compared with brute force, and with their definitions. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "matrix/graphs/parts.h"
#include "matrix/graphs/triangular.h"
#include "matrix/orders/file.h"
#include "matrix/orders/permute.h"
#include "support/cmocka.h"
#include "support/orders.h"
#include "support/support.h"

#define N 30 /* lines of the matrices, at most */

/* For each of up to 2 N vertices, the vertices that it reaches (Warshall). */
struct reach {
    int count;
    bool from[2 * N][2 * N];
};

/* The vertices are the lines of a square matrix, or the rows and then the columns; `both`: edges lead both
 * ways. */
static struct reach *reach_of(const struct csr *a, bool both)
{
    struct reach *r = calloc(1, sizeof *r);
    int shift = a->rows == a->cols ? 0 : (int)a->rows;
    r->count = (int)a->cols + shift;
    for (int v = 0; v < r->count; v++)
        r->from[v][v] = true;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            r->from[i][a->col[k] + shift] = true;
            if (both) r->from[a->col[k] + shift][i] = true;
        }
    for (int k = 0; k < r->count; k++)
        for (int i = 0; i < r->count; i++)
            for (int j = 0; j < r->count; j++)
                r->from[i][j] = r->from[i][j] || (r->from[i][k] && r->from[k][j]);
    return r;
}

static int32_t part_of(const struct csr *a, const struct parts *parts, int v)
{
    return a->rows == a->cols || v < a->rows ? parts->row[v] : parts->col[v - a->rows];
}

/* Two vertices are in one part if and only if they reach each other. */
static void check_components(const struct csr *a, enum parting parting)
{
    struct parts parts;
    struct reach *r = reach_of(a, parting == PARTS_CONNECTED);
    int classes = 0;
    assert_int_equal(parts_find(a, parting, false, NULL, &parts, NULL), STATUS_OK);
    for (int u = 0; u < r->count; u++) {
        bool first = true;
        for (int v = 0; v < r->count; v++) {
            bool same = r->from[u][v] && r->from[v][u];
            assert_int_equal(part_of(a, &parts, u) == part_of(a, &parts, v), same);
            if (same && v < u) first = false;
        }
        classes += first;
        assert_in_range(part_of(a, &parts, u), 0, parts.count - 1);
    }
    assert_int_equal(parts.count, classes);
    parts_free(&parts);
    free(r);
}

/* No entry leads from a part to one before it. */
static void check_upper(const struct csr *a, const struct parts *parts)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            assert_true(parts->row[i] <= parts_col(parts)[a->col[k]]);
}

/* The sizes of H, S and V and of the blocks are those of triangular_find, which another test compares with
 * brute force. */
static void check_blocks(const struct csr *a)
{
    struct parts parts;
    struct triangular t;
    int64_t rows[2 * N + 2] = {0}, cols[2 * N + 2] = {0}, largest = 0;
    assert_int_equal(parts_find(a, PARTS_BLOCKS, false, NULL, &parts, NULL), STATUS_OK);
    assert_int_equal(triangular_find(a, NULL, &t, NULL, NULL), STATUS_OK);
    check_upper(a, &parts);
    assert_int_equal(parts.count, t.blocks + parts.under + parts.over);
    for (int64_t i = 0; i < a->rows; i++)
        rows[parts.row[i]]++;
    for (int64_t j = 0; j < a->cols; j++)
        cols[parts.col[j]]++;
    for (int64_t i = 0; i < a->rows; i++) {
        int32_t j = parts.col_of[i];
        if (j >= 0) assert_true(parts.row[i] == parts.col[j] && csr_find(a, i, j) >= 0);
    }
    assert_int_equal(parts.under, t.h_rows + t.h_cols > 0);
    assert_int_equal(parts.over, t.v_rows + t.v_cols > 0);
    if (parts.under) assert_true(rows[0] == t.h_rows && cols[0] == t.h_cols);
    if (parts.over) assert_true(rows[parts.count - 1] == t.v_rows && cols[parts.count - 1] == t.v_cols);
    for (int64_t p = parts.under; p < parts.count - parts.over; p++) {
        assert_true(rows[p] > 0 && rows[p] == cols[p]);
        if (rows[p] > largest) largest = rows[p];
    }
    assert_int_equal(largest, t.largest);
    parts_free(&parts);
}

static const int shapes[][2] = {{N, N}, {17, N}, {N, 23}, {12, 12}, {1, 5}, {5, 1}, {1, 1}, {0, 4}, {4, 0}};
#define SHAPES (sizeof shapes / sizeof *shapes)

static struct csr random_matrix(int k)
{
    static const double densities[] = {0.01, 0.03, 0.06, 0.1, 0.25};
    const int *shape = shapes[(size_t)k % SHAPES];
    return support_matrix(shape[0], shape[1], densities[k % 5], k % 3 == 0, false, (uint64_t)k + 1);
}

static void parts_agree_with_brute_force(void **state)
{
    for (int k = 0; k < 270; k++) {
        struct csr a = random_matrix(k);
        struct parts parts;
        for (int threads = 1; threads <= 3; threads += 2) {
            threads_set(threads);
            check_components(&a, PARTS_CONNECTED);
        }
        check_blocks(&a);
        if (a.rows == a.cols) {
            check_components(&a, PARTS_STRONG);
            assert_int_equal(parts_find(&a, PARTS_STRONG, false, NULL, &parts, NULL), STATUS_OK);
            check_upper(&a, &parts);
            parts_free(&parts);
        } else {
            struct error error = {0};
            assert_int_equal(parts_find(&a, PARTS_STRONG, false, NULL, &parts, &error), STATUS_UNAVAILABLE);
            assert_non_null(strstr(error.message, "square"));
            assert_null(parts.row);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* Return the matrix in an order. */
static struct matrix in_order(const char *order, const struct matrix *matrix, struct permutation *permutation)
{
    struct matrix out;
    *permutation = ordered_matrix(order, matrix);
    assert_int_equal(permute_matrix(matrix, permutation, 0, NULL, &out, NULL), STATUS_OK);
    return out;
}

/* The lines of a part are consecutive. Parts come by descending size if `sizes`, and in ascending numbers if
 * `numbers`. `from` is the order. */
static void check_stretches(const int32_t *from, int64_t lines, const int32_t *part, int64_t parts,
                            const int64_t *size)
{
    bool *seen = calloc((size_t)parts + 1, sizeof *seen);
    for (int64_t k = 0; k < lines; k++) {
        int32_t here = part[from[k]], before = k ? part[from[k - 1]] : -1;
        if (here == before) continue;
        assert_false(seen[here]);
        seen[here] = true;
        if (before >= 0) assert_true(size ? size[before] >= size[here] : before < here);
    }
    free(seen);
}

static void components_come_together_by_size(void **state)
{
    for (int k = 0; k < 270; k++) {
        struct matrix matrix = made_matrix(random_matrix(k));
        const struct csr *a = &matrix.csr;
        struct parts parts;
        struct permutation permutation = ordered_matrix("components", &matrix);
        int64_t size[2 * N + 2] = {0};
        assert_int_equal(parts_find(a, PARTS_CONNECTED, false, NULL, &parts, NULL), STATUS_OK);
        for (int64_t i = 0; i < a->rows; i++)
            size[parts.row[i]]++;
        for (int64_t j = 0; parts.col && j < a->cols; j++)
            size[parts.col[j]]++;
        assert_int_equal(permutation.apply, a->rows == a->cols ? APPLY_SYMMETRIC : APPLY_EACH);
        check_stretches(permutation_rows(&permutation), a->rows, parts.row, parts.count, size);
        check_stretches(permutation_cols(&permutation), a->cols, parts_col(&parts), parts.count, size);
        permutation_free(&permutation);
        parts_free(&parts);
        matrix_free(&matrix);
    }
}

/* In the order `strong` entries below the diagonal lie within a block. */
static void strong_components_make_block_triangular_matrices(void **state)
{
    for (int k = 0; k < 270; k++) {
        struct matrix matrix = made_matrix(random_matrix(k));
        const struct csr *a = &matrix.csr;
        struct parts parts;
        if (a->rows == a->cols) {
            struct permutation permutation = ordered_matrix("strong", &matrix);
            assert_int_equal(permutation.apply, APPLY_SYMMETRIC);
            assert_int_equal(parts_find(a, PARTS_STRONG, false, NULL, &parts, NULL), STATUS_OK);
            check_stretches(permutation.from, a->rows, parts.row, parts.count, NULL);
            parts_free(&parts);
            permutation_free(&permutation);
        } else {
            expect_order_refused("strong", &matrix, STATUS_UNAVAILABLE, "square");
        }
        matrix_free(&matrix);
    }
}

/* In the order `blocks` the matrix is block upper triangular: no entry is left of its row's block, S has a
 * full diagonal, and rows without a column come last, columns without a row first. */
static void blocks_make_the_triangular_form(void **state)
{
    for (int k = 0; k < 270; k++) {
        struct matrix matrix = made_matrix(random_matrix(k));
        const struct csr *a = &matrix.csr;
        struct parts parts;
        struct triangular t;
        struct permutation permutation;
        struct matrix out = in_order("blocks", &matrix, &permutation);
        assert_int_equal(permutation.apply, APPLY_EACH);
        assert_int_equal(parts_find(a, PARTS_BLOCKS, false, NULL, &parts, NULL), STATUS_OK);
        assert_int_equal(triangular_find(a, NULL, &t, NULL, NULL), STATUS_OK);
        check_stretches(permutation.from, a->rows, parts.row, parts.count, NULL);
        check_stretches(permutation.cols, a->cols, parts.col, parts.count, NULL);
        int64_t free_cols = a->cols - t.rank;
        for (int64_t r = 0; r < t.rank; r++)
            assert_true(csr_find(&out.csr, r, free_cols + r) >= 0);
        for (int64_t r = t.rank; r < a->rows; r++)
            assert_int_equal(parts.col_of[permutation.from[r]], -1);
        permutation_free(&permutation);
        parts_free(&parts);
        matrix_free(&out);
        matrix_free(&matrix);
    }
}

/* If an order permutes rows and columns separately, each of its halves is an order by itself. Other orders
 * have no halves. */
static void rows_and_columns_can_be_had_alone(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct matrix matrix = made_matrix(k ? support_matrix(20, 28, 0.1, false, false, 3)
                                             : support_matrix(28, 28, 0.08, false, false, 4));
        const struct csr *a = &matrix.csr;
        struct permutation each = ordered_matrix("blocks", &matrix);
        struct permutation rows = ordered_matrix("blocks:apply=rows", &matrix);
        struct permutation cols = ordered_matrix("blocks:apply=columns", &matrix);
        assert_true(rows.count == a->rows && cols.count == a->cols && !rows.cols && !cols.cols);
        assert_memory_equal(each.from, rows.from, (size_t)a->rows * sizeof *rows.from);
        assert_memory_equal(each.cols, cols.from, (size_t)a->cols * sizeof *cols.from);
        expect_order_refused("length:apply=each", &matrix, STATUS_UNAVAILABLE, "blocks");
        expect_order_refused("blocks:apply=symmetric", &matrix, STATUS_UNAVAILABLE, "strong");
        permutation_free(&each);
        permutation_free(&rows);
        permutation_free(&cols);
        matrix_free(&matrix);
    }
}

/* A file has the rows' permutation and then that of the columns. */
static void both_permutations_go_through_a_file(void **state)
{
    struct matrix matrix = made_matrix(support_matrix(20, 28, 0.1, false, false, 3));
    struct permutation each = ordered_matrix("blocks", &matrix), back;
    char path[] = "/tmp/sparsight-parts-XXXXXX", order[80];
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    assert_int_equal(permutation_write(file, &each, "made", NULL, NULL), STATUS_OK);
    fclose(file);
    snprintf(order, sizeof order, "file:path=%s,apply=each", path);
    back = ordered_matrix(order, &matrix);
    assert_true(back.count == 20 && back.col_count == 28);
    assert_memory_equal(each.from, back.from, 20 * sizeof *back.from);
    assert_memory_equal(each.cols, back.cols, 28 * sizeof *back.cols);
    snprintf(order, sizeof order, "file:path=%s,apply=rows", path);
    expect_order_refused(order, &matrix, STATUS_INPUT, "48 lines");
    unlink(path);
    permutation_free(&each);
    permutation_free(&back);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_agree_with_brute_force),
        cmocka_unit_test(components_come_together_by_size),
        cmocka_unit_test(strong_components_make_block_triangular_matrices),
        cmocka_unit_test(blocks_make_the_triangular_form),
        cmocka_unit_test(rows_and_columns_can_be_had_alone),
        cmocka_unit_test(both_permutations_go_through_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
