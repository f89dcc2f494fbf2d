/* Each order reaches its aim: less bandwidth, less fill, fewer sectors. The expected numbers are counted from
 * the entries. */
#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/generate.h"
#include "support/orders.h"
#include "support/support.h"

static struct matrix reordered(const char *text, const struct matrix *matrix)
{
    struct permutation permutation = ordered_matrix(text, matrix);
    struct matrix out;
    struct error error = {0};
    if (permute_matrix(matrix, &permutation, 0, NULL, &out, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    permutation_free(&permutation);
    return out;
}

static int64_t bandwidth(const struct csr *a)
{
    int64_t widest = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (llabs(i - a->col[k]) > widest) widest = llabs(i - a->col[k]);
    return widest;
}

static int64_t profile(const struct csr *a)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (a->row_ptr[i] < a->row_ptr[i + 1] && a->col[a->row_ptr[i]] < i) sum += i - a->col[a->row_ptr[i]];
    return sum;
}

/* The matrix, shuffled and then in reverse Cuthill-McKee order. */
static struct matrix rcm_of_shuffled(const char *specification, const char *rcm)
{
    struct matrix matrix = generated(specification), shuffled = reordered("random:seed=3", &matrix);
    struct matrix out = reordered(rcm, &shuffled);
    matrix_free(&matrix);
    matrix_free(&shuffled);
    return out;
}

static void rcm_brings_entries_to_the_diagonal(void **state)
{
    struct matrix path = rcm_of_shuffled("laplace2d,nx=500,ny=1", "rcm");
    assert_int_equal(bandwidth(&path.csr), 1);
    matrix_free(&path);
    struct matrix square = rcm_of_shuffled("laplace2d,n=40", "rcm");
    assert_true(bandwidth(&square.csr) <= 41);
    struct matrix forward = rcm_of_shuffled("laplace2d,n=40", "rcm:reverse=0");
    assert_int_equal(bandwidth(&forward.csr), bandwidth(&square.csr));
    assert_true(profile(&square.csr) <= profile(&forward.csr));
    matrix_free(&square);
    matrix_free(&forward);
    /* A grid's order from a corner has the width of its short side. */
    struct matrix strip = rcm_of_shuffled("laplace2d,nx=200,ny=6", "rcm");
    assert_true(bandwidth(&strip.csr) <= 7);
    matrix_free(&strip);
}

/* Bandwidths and profiles by scipy 1.17.1's scipy.sparse.csgraph.reverse_cuthill_mckee of A + A^T, for the
 * same shuffled matrices, written by `sparsight gen --reorder=random:seed=3`. SciPy starts from a vertex of
 * least degree, and breaks ties differently. On graphs without structure, such as powerlaw, chance has more
 * influence. */
static void rcm_is_as_good_as_that_of_others(void **state)
{
    static const struct {
        const char *specification;
        int64_t bandwidth, profile;
        double slack;
    } cases[] = {
        {"laplace2d,nx=40,ny=25", 26, 20435, 1},   {"laplace3d,n=10", 80, 57462, 1},
        {"stencil27,n=8", 169, 40831, 1},          {"blocks,n=600,size=4,mean=2", 283, 48595, 1},
        {"random,m=400,mean=2", 169, 21977, 1.05}, {"powerlaw,scale=8", 134, 10009, 1.45},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct matrix out = rcm_of_shuffled(cases[k].specification, "rcm");
        assert_true((double)bandwidth(&out.csr) <= cases[k].slack * (double)cases[k].bandwidth);
        assert_true((double)profile(&out.csr) <= cases[k].slack * (double)cases[k].profile);
        matrix_free(&out);
    }
}

/* An unsymmetric path: the entries (i, i + 1) alone. The graph is that of A + A^T. */
static void rcm_takes_the_graph_of_both_triangles(void **state)
{
    enum { N = 64 };
    double values[N * N] = {0};
    for (int i = 0; i + 1 < N; i++)
        values[(i * 27 % N) * N + ((i + 1) * 27 % N)] = 1; /* 27 and 64 are coprime: a permutation */
    struct matrix matrix = made_matrix(support_dense(N, N, values)), out = reordered("rcm", &matrix);
    assert_int_equal(bandwidth(&out.csr), 1);
    matrix_free(&matrix);
    matrix_free(&out);
}

static void rows_are_ordered_by_length(void **state)
{
    struct matrix matrix = made_matrix(support_matrix(200, 80, 0.1, true, false, 21));
    for (int ascending = 0; ascending < 2; ascending++) {
        struct permutation permutation = ordered_matrix(ascending ? "length:ascending=1" : "length", &matrix);
        const int64_t *ptr = matrix.csr.row_ptr;
        assert_int_equal(permutation.apply, APPLY_ROWS);
        for (int64_t k = 1; k < permutation.count; k++) {
            int64_t i = permutation.from[k - 1], j = permutation.from[k];
            int64_t more = (ptr[j + 1] - ptr[j]) - (ptr[i + 1] - ptr[i]);
            assert_true(ascending ? more >= 0 : more <= 0);
            assert_true(more != 0 || j > i);
        }
        permutation_free(&permutation);
    }
    matrix_free(&matrix);
}

/* Entries of the Cholesky factor of a matrix with the pattern of `a`, which is symmetric with a full
 * diagonal; eliminated as one would by hand. */
static int64_t factor_entries(const struct csr *a)
{
    int64_t n = a->rows, entries = 0;
    bool *full = calloc((size_t)(n * n), sizeof *full);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            full[i * n + a->col[k]] = true;
    for (int64_t p = 0; p < n; p++)
        for (int64_t i = p; i < n; i++) {
            if (!full[i * n + p]) continue;
            entries++;
            for (int64_t j = p + 1; j < n; j++)
                if (i > p && full[j * n + p]) full[i * n + j] = true;
        }
    free(full);
    return entries;
}

static bool is_there(const char *name)
{
    for (int k = 0; orders[k]; k++)
        if (strcmp(orders[k]->name, name) == 0) return !orders[k]->absent;
    return false;
}

/* The fill of a 16 x 16 grid in natural order is that of a band, about n^3. These orders have less, and a
 * random order has more. */
static void fill_reducing_orders_reduce_fill(void **state)
{
    static const char *const names[] = {"amd", "nd"};
    struct matrix grid = generated("laplace2d,n=16"), shuffled = reordered("random", &grid);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!is_there(names[k])) continue;
        struct matrix out = reordered(names[k], &shuffled);
        assert_true(factor_entries(&out.csr) < 0.6 * (double)factor_entries(&grid.csr));
        matrix_free(&out);
    }
    matrix_free(&grid);
    matrix_free(&shuffled);
}

/* A^T A of the matrix with its columns in this order: 1 where two columns share a row. */
static int64_t product_factor_entries(const struct matrix *matrix)
{
    enum { N = 60 };
    static double values[N * N];
    memset(values, 0, sizeof values);
    assert_int_equal(matrix->csr.cols, N);
    for (int64_t i = 0; i < matrix->csr.rows; i++)
        for (int64_t k = matrix->csr.row_ptr[i]; k < matrix->csr.row_ptr[i + 1]; k++)
            for (int64_t l = matrix->csr.row_ptr[i]; l < matrix->csr.row_ptr[i + 1]; l++)
                values[matrix->csr.col[k] * N + matrix->csr.col[l]] = 1;
    for (int j = 0; j < N; j++)
        values[j * N + j] = 1;
    struct csr product = support_dense(N, N, values);
    int64_t entries = factor_entries(&product);
    csr_free(&product);
    return entries;
}

static void colamd_orders_columns_of_any_shape(void **state)
{
    if (!is_there("colamd")) skip();
    struct matrix tall = generated("random,m=75,n=60,mean=2,seed=3"), out = reordered("colamd", &tall);
    assert_true(product_factor_entries(&out) < 0.8 * (double)product_factor_entries(&tall));
    expect_order_refused("colamd:apply=rows", &tall, STATUS_UNAVAILABLE, "colamd orders columns");
    matrix_free(&tall);
    matrix_free(&out);
}

/* A long grid is cut across into four parts, and few entries lie outside their blocks. */
static void parts_follow_each_other(void **state)
{
    if (!is_there("kway")) skip();
    struct matrix grid = generated("laplace2d,nx=60,ny=10"), shuffled = reordered("random", &grid);
    struct matrix out = reordered("kway:parts=4", &shuffled);
    int64_t apart[2] = {0};
    const struct csr *cases[] = {&shuffled.csr, &out.csr};
    for (int c = 0; c < 2; c++)
        for (int64_t i = 0; i < cases[c]->rows; i++)
            for (int64_t k = cases[c]->row_ptr[i]; k < cases[c]->row_ptr[i + 1]; k++)
                apart[c] += llabs(i - cases[c]->col[k]) > 200; /* a part has some 150 rows */
    assert_true(apart[0] > 500);
    assert_true(apart[1] < 100);
    matrix_free(&grid);
    matrix_free(&shuffled);
    matrix_free(&out);
}

/* Sectors of 4 doubles of x that each 32 rows touch, each counted once for these rows. */
static int64_t distinct_sectors(const struct csr *a)
{
    int64_t *last = calloc((size_t)a->cols / 4 + 1, sizeof *last), sectors = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t *warp = &last[a->col[k] / 4];
            sectors += *warp != i / 32 + 1;
            *warp = i / 32 + 1;
        }
    free(last);
    return sectors;
}

static void clusters_bring_rows_together_that_share_columns(void **state)
{
    struct matrix blocks = generated("blocks,n=4000,size=8,mean=5");
    struct matrix shuffled = reordered("random:apply=rows", &blocks), out = reordered("cluster", &shuffled);
    int64_t before = distinct_sectors(&blocks.csr), mixed = distinct_sectors(&shuffled.csr);
    assert_true(mixed > 5 * before);
    assert_true((double)distinct_sectors(&out.csr) < 1.1 * (double)before);
    matrix_free(&blocks);
    matrix_free(&shuffled);
    matrix_free(&out);
    /* Rows that overlap by part: of a shuffled band, far less than at random. */
    struct matrix band = generated("banded,n=3000,lower=12"), mess = reordered("random:apply=rows", &band);
    out = reordered("cluster", &mess);
    assert_true((double)distinct_sectors(&out.csr) < 0.35 * (double)distinct_sectors(&mess.csr));
    matrix_free(&band);
    matrix_free(&mess);
    matrix_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rcm_brings_entries_to_the_diagonal),
        cmocka_unit_test(rcm_is_as_good_as_that_of_others),
        cmocka_unit_test(rcm_takes_the_graph_of_both_triangles),
        cmocka_unit_test(rows_are_ordered_by_length),
        cmocka_unit_test(fill_reducing_orders_reduce_fill),
        cmocka_unit_test(colamd_orders_columns_of_any_shape),
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(clusters_bring_rows_together_that_share_columns),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
