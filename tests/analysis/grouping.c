/* analysis/grouping and analysis/fill_dots: the parts and the fill in dots, compared with plain loops. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fill.h"
#include "analysis/fill_dots.h"
#include "analysis/grouping.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/support.h"

#define HIGH 9
#define WIDE 7
#define N 60

/* Pictures: row 0, column 0, and the rows and columns of a dot. */
static const int64_t cuts[][4] = {{0, 0, 1, 1},    {3, 5, 1, 1},   {0, 0, 8, 9},  {10, 20, 3, 5},
                                  {0, 40, 100, 1}, {59, 59, 1, 1}, {0, 0, 60, 60}};

static bool in_dot(const struct size_dots *dots, int64_t i, int64_t j, int d)
{
    int64_t r0 = dots->row0 + d / WIDE * dots->dot_rows, c0 = dots->col0 + d % WIDE * dots->dot_cols;
    return i >= r0 && i < r0 + dots->dot_rows && j >= c0 && j < c0 + dots->dot_cols;
}

static int32_t plain_part(const struct csr *a, const struct parts *parts, const struct size_dots *dots, int d)
{
    int32_t only = DOT_EMPTY;
    bool within = false, between = false, several = false;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (!in_dot(dots, i, a->col[k], d)) continue;
            int32_t row = parts->row[i], col = (parts->col ? parts->col : parts->row)[a->col[k]];
            if (row != col) {
                between = true;
                continue;
            }
            several = several || (within && only != row);
            within = true;
            only = row;
        }
    return several || (within && between) ? DOT_MIXED : between ? DOT_BETWEEN : only;
}

static void dots_tell_the_part_of_all_their_entries(void **state)
{
    for (int k = 0; k < 12; k++) {
        bool square = k % 2 == 0;
        struct csr a = support_matrix(N, square ? N : 45, k < 6 ? 0.012 : 0.03, k % 3 == 0, false, 20 + k);
        for (int parting = 0; parting < PARTINGS; parting++) {
            struct grouping grouping;
            if (!square && parting == PARTS_STRONG) continue;
            assert_int_equal(grouping_make(&a, (enum parting)parting, false, NULL, NULL, &grouping, NULL),
                             STATUS_OK);
            for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
                struct size_dots dots = {cuts[c][0], cuts[c][1], cuts[c][2], cuts[c][3], HIGH, WIDE};
                int32_t of_dot[HIGH * WIDE];
                threads_set(c % 2 ? 3 : 1);
                assert_int_equal(grouping_dots(&a, &grouping.parts, &dots, NULL, of_dot, NULL), STATUS_OK);
                for (int d = 0; d < HIGH * WIDE; d++)
                    assert_int_equal(of_dot[d], plain_part(&a, &grouping.parts, &dots, d));
            }
            grouping_free(&grouping);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* Parts are ranked by their number of lines, ties by their first row in the natural order. */
static void parts_are_ranked_by_size(void **state)
{
    double dense[] = {1,      0, 0, 0, 0, /**/ 0, 1, 0, 1, 0, /**/ 0, 0, 1, 0, 1,
                      /**/ 0, 0, 0, 1, 0, /**/ 0, 0, 0, 0, 1};
    static const int32_t natural[] = {4, 3, 0, 1, 2}; /* components {0}, {1, 3}, {2, 4} */
    struct csr a = support_dense(5, 5, dense);
    struct grouping g;
    assert_int_equal(grouping_make(&a, PARTS_CONNECTED, false, NULL, NULL, &g, NULL), STATUS_OK);
    assert_int_equal(g.parts.count, 3);
    assert_int_equal(g.part[g.parts.row[1]].rank, 0);
    assert_int_equal(g.part[g.parts.row[4]].rank, 1);
    assert_int_equal(g.part[g.parts.row[0]].rank, 2);
    assert_int_equal(g.ranked[2], g.parts.row[0]);
    assert_int_equal(g.part[g.parts.row[3]].rows, 2);
    grouping_free(&g);
    assert_int_equal(grouping_make(&a, PARTS_CONNECTED, false, natural, NULL, &g, NULL), STATUS_OK);
    assert_int_equal(g.part[g.parts.row[2]].rank, 0);
    assert_int_equal(g.part[g.parts.row[1]].rank, 1);
    grouping_free(&g);
    csr_free(&a);
}

/* Eliminate one line after the other: its later neighbours become neighbours of each other. */
static void eliminate(const struct csr *a, bool was[N][N], bool is[N][N])
{
    memset(was, 0, sizeof(bool[N][N]));
    for (int i = 0; i < N; i++) {
        was[i][i] = true;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            was[i][a->col[k]] = was[a->col[k]][i] = true;
    }
    memcpy(is, was, sizeof(bool[N][N]));
    for (int v = 0; v < N; v++)
        for (int i = v + 1; i < N; i++)
            for (int j = v + 1; j < N; j++)
                if (is[i][v] && is[j][v]) is[i][j] = true;
}

static void fill_agrees_with_elimination(void **state)
{
    for (int k = 0; k < 12; k++) {
        struct csr a = support_matrix(N, N, k < 6 ? 0.02 : 0.05, k % 3 == 0, false, 40 + k);
        static bool was[N][N], is[N][N];
        struct fill_tree tree;
        struct fill fill;
        int64_t all = 0;
        eliminate(&a, was, is);
        assert_int_equal(fill_tree_make(&a, false, NULL, &tree, NULL), STATUS_OK);
        assert_int_equal(fill_predict(&tree.graph, NULL, NULL, &fill, NULL), STATUS_OK);
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
            struct size_dots dots = {cuts[c][0], cuts[c][1], cuts[c][2], cuts[c][3], HIGH, WIDE};
            double counts[HIGH * WIDE];
            threads_set(c % 2 ? 3 : 1);
            assert_int_equal(fill_of_dots(&tree, &dots, NULL, counts, NULL), STATUS_OK);
            for (int d = 0; d < HIGH * WIDE; d++) {
                int expected = 0;
                for (int i = 0; i < N; i++)
                    for (int j = 0; j <= i; j++)
                        expected += is[i][j] && !was[i][j] && in_dot(&dots, i, j, d);
                assert_int_equal((int)counts[d], expected);
            }
            if (cuts[c][2] == 60) all = (int64_t)counts[0];
        }
        assert_int_equal(all, fill.entries - N - tree.graph.ptr[N] / 2);
        fill_tree_free(&tree);
        csr_free(&a);
    }
    threads_set(0);
}

static void all_can_be_cancelled(void **state)
{
    struct csr a = support_matrix(N, N, 0.05, false, false, 1);
    struct size_dots dots = {0, 0, 7, 9, HIGH, WIDE};
    struct grouping grouping;
    struct fill_tree tree;
    int32_t of_dot[HIGH * WIDE];
    double counts[HIGH * WIDE];
    struct progress progress = {0};
    assert_int_equal(grouping_make(&a, PARTS_BLOCKS, false, NULL, NULL, &grouping, NULL), STATUS_OK);
    assert_int_equal(fill_tree_make(&a, false, NULL, &tree, NULL), STATUS_OK);
    progress_cancel(&progress);
    assert_int_equal(grouping_dots(&a, &grouping.parts, &dots, &progress, of_dot, NULL), STATUS_CANCELLED);
    assert_int_equal(fill_of_dots(&tree, &dots, &progress, counts, NULL), STATUS_CANCELLED);
    grouping_free(&grouping);
    fill_tree_free(&tree);
    for (int parting = 0; parting < PARTINGS; parting++) {
        assert_int_equal(grouping_make(&a, (enum parting)parting, false, NULL, &progress, &grouping, NULL),
                         STATUS_CANCELLED);
        assert_null(grouping.part);
    }
    assert_int_equal(fill_tree_make(&a, false, &progress, &tree, NULL), STATUS_CANCELLED);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dots_tell_the_part_of_all_their_entries),
        cmocka_unit_test(parts_are_ranked_by_size),
        cmocka_unit_test(fill_agrees_with_elimination),
        cmocka_unit_test(all_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
