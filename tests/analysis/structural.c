/* matrix/graphs/ and analysis/fill: against brute force on small matrices. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fill.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/graphs/components.h"
#include "matrix/graphs/matching.h"
#include "matrix/graphs/triangular.h"
#include "matrix/orders/graph.h"
#include "support/cmocka.h"
#include "support/support.h"

#define N 40 /* lines of the matrices, at most */

/* The positions with an entry. */
struct picture {
    int rows, cols;
    bool at[N][N];
};

static struct picture picture_of(const struct csr *a)
{
    struct picture p = {.rows = (int)a->rows, .cols = (int)a->cols};
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            p.at[i][a->col[k]] = true;
    return p;
}

/* Which vertices can be reached from which (Warshall). */
struct reach {
    int count;
    bool from[2 * N][2 * N];
};

static void close_reach(struct reach *r)
{
    for (int v = 0; v < r->count; v++)
        r->from[v][v] = true;
    for (int k = 0; k < r->count; k++)
        for (int i = 0; i < r->count; i++)
            for (int j = 0; j < r->count; j++)
                r->from[i][j] = r->from[i][j] || (r->from[i][k] && r->from[k][j]);
}

/* Count the classes of vertices that reach each other, among the vertices in `within` (all if NULL). */
static void count_classes(const struct reach *r, const bool *within, int64_t *count, int64_t *largest)
{
    *count = *largest = 0;
    for (int v = 0; v < r->count; v++) {
        int size = 0, first = -1;
        if (within && !within[v]) continue;
        for (int u = 0; u < r->count; u++)
            if ((!within || within[u]) && r->from[u][v] && r->from[v][u]) {
                if (first < 0) first = u;
                size++;
            }
        *count += first == v;
        if (size > *largest) *largest = size;
    }
}

static struct components brute_components(const struct picture *p)
{
    struct components c = {0};
    struct reach *r = calloc(1, sizeof *r);
    bool square = p->rows == p->cols;
    r->count = square ? p->rows : p->rows + p->cols;
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->cols; j++)
            if (p->at[i][j]) {
                int w = square ? j : p->rows + j;
                r->from[i][w] = r->from[w][i] = true;
            }
    close_reach(r);
    count_classes(r, NULL, &c.connected, &c.largest);
    if (square) {
        memset(r->from, 0, sizeof r->from);
        for (int i = 0; i < p->rows; i++)
            for (int j = 0; j < p->cols; j++)
                r->from[i][j] = p->at[i][j];
        close_reach(r);
        count_classes(r, NULL, &c.strong, &c.largest_strong);
    }
    free(r);
    return c;
}

/* Kuhn's matching: try to find another column for the row that has the one that row i wants. */
static bool try_row(const struct picture *p, int i, bool *seen, int *row_of, int without_col)
{
    for (int j = 0; j < p->cols; j++) {
        if (!p->at[i][j] || seen[j] || j == without_col) continue;
        seen[j] = true;
        if (row_of[j] >= 0 && !try_row(p, row_of[j], seen, row_of, without_col)) continue;
        row_of[j] = i;
        return true;
    }
    return false;
}

/* The structural rank of the matrix without a row and without a column; -1 leaves none out. */
static int rank_without(const struct picture *p, int row, int col, int row_of[N])
{
    int rank = 0;
    for (int j = 0; j < N; j++)
        row_of[j] = -1;
    for (int i = 0; i < p->rows; i++) {
        bool seen[N] = {false};
        rank += i != row && try_row(p, i, seen, row_of, col);
    }
    return rank;
}

/* A row is in V if some maximum matching leaves it out, so that the rank stays the same without it. The same
 * holds for columns and H. All columns of V are matched with rows of V, and all rows of H with columns of
 * H. */
static struct triangular brute_triangular(const struct picture *p)
{
    struct triangular t = {0};
    int row_of[N], ignored[N], col_of[N];
    bool row_in[N] = {false}, col_in[N] = {false};
    struct reach *r = calloc(1, sizeof *r);
    t.rank = rank_without(p, -1, -1, row_of);
    for (int i = 0; i < p->rows; i++) {
        bool vertical = rank_without(p, i, -1, ignored) == t.rank;
        t.v_rows += vertical;
        row_in[i] = !vertical;
        col_of[i] = -1;
    }
    for (int j = 0; j < p->cols; j++) {
        bool horizontal = rank_without(p, -1, j, ignored) == t.rank;
        t.h_cols += horizontal;
        col_in[j] = !horizontal;
        if (row_of[j] < 0) continue;
        col_of[row_of[j]] = j;
        if (horizontal) row_in[row_of[j]] = false;
    }
    t.v_cols = t.v_rows - (p->rows - t.rank);
    t.h_rows = t.h_cols - (p->cols - t.rank);
    t.square = p->rows - t.v_rows - t.h_rows;
    r->count = p->rows;
    for (int i = 0; i < p->rows; i++)
        for (int k = 0; k < p->rows; k++)
            r->from[i][k] = row_in[i] && row_in[k] && col_in[col_of[k]] && p->at[i][col_of[k]];
    close_reach(r);
    count_classes(r, row_in, &t.blocks, &t.largest);
    free(r);
    return t;
}

/* Eliminate line by line in a dense picture of A + A^T + I. */
static struct fill brute_fill(const struct picture *p, const int32_t *order)
{
    struct fill fill = {0};
    bool at[N][N];
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->rows; j++) {
            int r = order ? order[i] : i, c = order ? order[j] : j;
            at[i][j] = i == j || p->at[r][c] || p->at[c][r];
        }
    for (int k = 0; k < p->rows; k++) {
        int64_t entries = 0;
        for (int i = k; i < p->rows; i++) {
            entries += at[i][k];
            for (int j = k + 1; j < p->rows; j++)
                at[i][j] = at[i][j] || (at[i][k] && at[k][j]);
        }
        fill.entries += entries;
        fill.flops += (double)(entries * entries);
    }
    return fill;
}

static void check_fill(const struct csr *a, const struct picture *p, uint64_t *seed)
{
    struct graph graph;
    struct fill fill, expected = brute_fill(p, NULL);
    int32_t order[N];
    assert_int_equal(graph_make(a, false, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(fill_predict(&graph, NULL, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, expected.entries);
    assert_true(fill.flops == expected.flops);
    for (int32_t k = 0; k < p->rows; k++) {
        int32_t other = (int32_t)support_random(seed, (uint32_t)k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    expected = brute_fill(p, order);
    assert_int_equal(fill_predict(&graph, order, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, expected.entries);
    assert_true(fill.flops == expected.flops);
    graph_free(&graph);
}

static void check_triangular(const struct csr *a, const struct picture *p)
{
    struct triangular t, expected = brute_triangular(p);
    assert_int_equal(triangular_find(a, NULL, &t, NULL, NULL), STATUS_OK);
    assert_memory_equal(&t, &expected, sizeof t);
}

/* Entries of the matching are entries of the matrix, and both directions agree. */
static void check_matching(const struct csr *a, const struct picture *p)
{
    struct matching m;
    int64_t size = 0;
    assert_int_equal(matching_find(a, NULL, &m, NULL), STATUS_OK);
    for (int i = 0; i < p->rows; i++) {
        if (m.col_of[i] < 0) continue;
        size++;
        assert_true(p->at[i][m.col_of[i]] && m.row_of[m.col_of[i]] == i);
    }
    for (int j = 0; j < p->cols; j++)
        size -= m.row_of[j] >= 0;
    assert_int_equal(size, 0);
    matching_free(&m);
}

static void random_matrices_agree_with_brute_force(void **state)
{
    static const int shapes[][2] = {{N, N}, {17, N}, {N, 23}, {30, 30}, {1, 5}, {5, 1}, {1, 1}, {12, 12}};
    static const double densities[] = {0.01, 0.03, 0.06, 0.1, 0.25};
    uint64_t seed = 7;
    for (int k = 0; k < 240; k++) {
        const int *shape = shapes[k % 8];
        struct csr a =
            support_matrix(shape[0], shape[1], densities[k % 5], k % 3 == 0, false, (uint64_t)k + 1);
        struct picture p = picture_of(&a);
        struct components c, expected = brute_components(&p);
        for (int threads = 1; threads <= 3; threads += 2) {
            threads_set(threads);
            assert_int_equal(components_find(&a, false, NULL, &c, NULL), STATUS_OK);
            assert_memory_equal(&c, &expected, sizeof c);
        }
        check_matching(&a, &p);
        check_triangular(&a, &p);
        if (p.rows == p.cols) check_fill(&a, &p, &seed);
        csr_free(&a);
    }
    threads_set(0);
}

/* Return the matrix with an entry at (`apart` i, `apart` j) for each entry (i, j) of `from`. */
static struct csr spread(const struct csr *from, int64_t apart)
{
    int64_t nnz = csr_nnz(from);
    struct csr a = {.rows = from->rows * apart, .cols = from->cols * apart};
    a.row_ptr = memory_zeroed((size_t)a.rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)nnz + 1, sizeof *a.col, NULL);
    for (int64_t i = 0; i < a.rows; i++)
        a.row_ptr[i + 1] = from->row_ptr[i / apart + (i % apart == apart - 1)];
    for (int64_t k = 0; k < nnz; k++)
        a.col[k] = (int32_t)((from->col[k] + 1) * apart - 1);
    return a;
}

/* Each line without entries is a component of its own, and the search passes over it. */
static void lines_without_entries_are_components(void **state)
{
    static const int64_t shapes[][2] = {{30, 30}, {17, 30}, {30, 9}, {1, 1}, {12, 12}};
    static const int64_t apart[] = {2, 63, 64, 65, 500};
    for (int k = 0; k < 200; k++) {
        const int64_t *shape = shapes[k % 5], lines = apart[k / 5 % 5];
        struct csr small = support_matrix(shape[0], shape[1], 0.03 * (k % 4), false, false, (uint64_t)k + 1);
        struct csr a = spread(&small, lines);
        struct picture p = picture_of(&small);
        struct components c, expected = brute_components(&p);
        bool square = small.rows == small.cols;
        int64_t between = (lines - 1) * (square ? small.rows : small.rows + small.cols);
        assert_int_equal(components_find(&a, false, NULL, &c, NULL), STATUS_OK);
        assert_int_equal(c.connected, expected.connected + between);
        assert_int_equal(c.largest, expected.largest);
        assert_int_equal(c.strong, expected.strong + (square ? between : 0));
        assert_int_equal(c.largest_strong, expected.largest_strong);
        csr_free(&a);
        csr_free(&small);
    }
}

/* A hundred million vertices with three entries take the memory of bits, not of vertices. */
static void few_entries_take_little_memory(void **state)
{
    int64_t row_ptr[2] = {0, 3};
    const struct csr a = {.rows = 1, .cols = 100000000, .row_ptr = row_ptr};
    assert_true(components_bytes(&a, false) < 32000000);
    assert_true(components_each_bytes(&a) >= 800000000);
}

/* Make a matrix of n rows and columns with two entries a row. */
static struct csr two_a_row(int64_t n, int64_t step)
{
    struct csr a = {.rows = n, .cols = n};
    a.row_ptr = memory_array((size_t)n + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array(2 * (size_t)n, sizeof *a.col, NULL);
    a.val = memory_zeroed(2 * (size_t)n, sizeof *a.val, NULL);
    for (int64_t i = 0; i < n; i++) {
        int64_t next = (i + step) % n;
        a.row_ptr[i + 1] = 2 * i + 2;
        a.col[2 * i] = (int32_t)(i < next ? i : next);
        a.col[2 * i + 1] = (int32_t)(i < next ? next : i);
    }
    a.row_ptr[0] = 0;
    return a;
}

/* Three cycles i -> i + 3 of 300,000 vertices together: three components, each strongly connected and one
 * block. For a cycle of n vertices L has n diagonal entries, the cycle's entries, and one fill entry per
 * column from the third column on: 3n - 3. Deep searches do not recurse. */
static void long_cycles_agree_with_theory(void **state)
{
    const int64_t n = 300000;
    struct csr a = two_a_row(n, 3);
    struct components c;
    struct triangular t;
    struct graph graph;
    struct fill fill;
    for (int threads = 1; threads <= 4; threads++) {
        threads_set(threads);
        assert_int_equal(components_find(&a, false, NULL, &c, NULL), STATUS_OK);
        assert_true(c.connected == 3 && c.largest == n / 3 && c.strong == 3 && c.largest_strong == n / 3);
    }
    threads_set(0);
    assert_int_equal(triangular_find(&a, NULL, &t, NULL, NULL), STATUS_OK);
    assert_true(t.rank == n && t.square == n && t.blocks == 3 && t.largest == n / 3);
    assert_int_equal(graph_make(&a, false, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(fill_predict(&graph, NULL, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, 3 * (3 * (n / 3) - 3));
    graph_free(&graph);
    csr_free(&a);
}

/* Row i has columns i and i + 1, but the last row has column 0 alone. Matching it changes the matches of all
 * rows before. Then each row has its only possible column, so that the form is triangular. */
static void a_path_is_matched_from_end_to_end(void **state)
{
    const int64_t n = 50000;
    struct csr a = two_a_row(n, 1);
    struct triangular t;
    a.row_ptr[n] = 2 * n - 1;
    a.col[2 * n - 2] = 0;
    assert_int_equal(triangular_find(&a, NULL, &t, NULL, NULL), STATUS_OK);
    assert_true(t.rank == n && t.square == n && t.blocks == n && t.largest == 1);
    csr_free(&a);
}

static void a_symmetric_pattern_needs_no_search(void **state)
{
    double dense[] = {0, 1, 0, 0, /**/ 1, 0, 0, 0, /**/ 0, 0, 0, 0, /**/ 0, 0, 0, 1};
    struct csr a = support_dense(4, 4, dense);
    struct components c, searched;
    assert_int_equal(components_find(&a, true, NULL, &c, NULL), STATUS_OK);
    assert_int_equal(components_find(&a, false, NULL, &searched, NULL), STATUS_OK);
    assert_memory_equal(&c, &searched, sizeof c);
    assert_true(c.connected == 3 && c.largest == 2);
    csr_free(&a);
}

static void matrices_without_entries(void **state)
{
    int64_t offsets[6] = {0};
    static const int64_t shapes[][2] = {{0, 0}, {0, 4}, {4, 0}, {5, 5}, {2, 3}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct csr a = {.rows = shapes[k][0], .cols = shapes[k][1], .row_ptr = offsets};
        struct components c;
        struct triangular t;
        assert_int_equal(components_find(&a, false, NULL, &c, NULL), STATUS_OK);
        int64_t vertices = a.rows == a.cols ? a.rows : a.rows + a.cols;
        assert_true(c.connected == vertices && c.largest == (vertices > 0));
        assert_int_equal(c.strong, a.rows == a.cols ? a.rows : 0);
        assert_int_equal(triangular_find(&a, NULL, &t, NULL, NULL), STATUS_OK);
        assert_true(t.rank == 0 && t.v_rows == a.rows && t.h_cols == a.cols && t.blocks == 0);
    }
}

/* All of the analyses of one matrix, one after the other. */
static enum status analyse(const struct csr *a, struct progress *progress, struct error *error)
{
    struct components c;
    struct triangular t;
    struct graph graph;
    struct fill fill;
    enum status status = components_find(a, false, progress, &c, error);
    if (status == STATUS_OK) status = triangular_find(a, progress, &t, NULL, error);
    if (status != STATUS_OK) return status;
    status = graph_make(a, false, progress, &graph, error);
    if (status != STATUS_OK) return status;
    status = fill_predict(&graph, NULL, progress, &fill, error);
    graph_free(&graph);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    struct csr small = support_matrix(30, 30, 0.05, false, false, 5), large = spread(&small, 200);
    const struct csr *const matrices[] = {&small, &large};
    for (int m = 0; m < 2; m++)
        for (long k = 0, failed = 1; failed; k++) {
            struct error error = {0};
            memory_fail_after(k);
            enum status status = analyse(matrices[m], NULL, &error);
            failed = memory_failures();
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
        }
    memory_fail_after(-1);
    csr_free(&small);
    csr_free(&large);
}

static void cancelling_stops_each(void **state)
{
    struct csr a = two_a_row(30000, 3);
    struct progress progress = {0};
    struct components c;
    struct triangular t;
    struct graph graph;
    struct fill fill;
    assert_int_equal(graph_make(&a, false, NULL, &graph, NULL), STATUS_OK);
    progress_cancel(&progress);
    assert_int_equal(components_find(&a, true, &progress, &c, NULL), STATUS_CANCELLED);
    assert_int_equal(triangular_find(&a, &progress, &t, NULL, NULL), STATUS_CANCELLED);
    assert_int_equal(fill_predict(&graph, NULL, &progress, &fill, NULL), STATUS_CANCELLED);
    graph_free(&graph);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices_agree_with_brute_force),
        cmocka_unit_test(lines_without_entries_are_components),
        cmocka_unit_test(few_entries_take_little_memory),
        cmocka_unit_test(long_cycles_agree_with_theory),
        cmocka_unit_test(a_path_is_matched_from_end_to_end),
        cmocka_unit_test(a_symmetric_pattern_needs_no_search),
        cmocka_unit_test(matrices_without_entries),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancelling_stops_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
