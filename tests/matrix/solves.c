/* matrix/graphs/levels and colours, and their orders, compared with brute force and with their
 * definitions. */
#include <string.h>

#include "matrix/graphs/colours.h"
#include "matrix/graphs/levels.h"
#include "matrix/orders/permute.h"
#include "support/generate.h"
#include "support/orders.h"
#include "support/support.h"
#include "support/unit.h"

#define N 40 /* the most lines of a matrix */

/* Random matrices of several densities, with empty rows at low ones. */
static struct csr matrix_of(int k)
{
    static const double densities[] = {0.005, 0.02, 0.05, 0.1, 0.3, 0.9};
    return support_matrix(N - k % 7, N - k % 7, densities[k % 6], k % 2, false, 11 + (uint64_t)k);
}

static bool is_entry(const struct csr *a, int64_t i, int64_t j)
{
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        if (a->col[k] == j) return true;
    return false;
}

static bool is_below(enum triangle triangle, int64_t i, int64_t j)
{
    return triangle == TRIANGLE_LOWER ? j < i : j > i;
}

/* Solve by the definition. Each step solves all rows that need only rows of earlier steps. Return the number
 * of steps. */
static int solve_by_steps(const struct csr *a, enum triangle triangle, int32_t *step)
{
    int steps = 0;
    for (int64_t i = 0; i < a->rows; i++)
        step[i] = -1;
    for (int64_t left = a->rows; left > 0; steps++) {
        for (int64_t i = 0; i < a->rows; i++) {
            bool ready = step[i] < 0;
            for (int64_t j = 0; j < a->cols && ready; j++)
                if (is_below(triangle, i, j) && is_entry(a, i, j)) ready = step[j] >= 0 && step[j] < steps;
            if (ready) {
                step[i] = steps;
                left--;
            }
        }
    }
    return steps;
}

/* Return the number of rows in levels of `width` rows or more. */
static int64_t rows_in_wide_levels(const int32_t *level, int64_t rows, int64_t width)
{
    int64_t of_level[N] = {0}, all = 0;
    for (int64_t i = 0; i < rows; i++)
        of_level[level[i]]++;
    for (int l = 0; l < N; l++)
        if (of_level[l] >= width) all += of_level[l];
    return all;
}

TEST(levels_are_the_steps_of_a_solve)
{
    for (int k = 0; k < 36; k++)
        for (int t = 0; t < TRIANGLES; t++) {
            FREED(csr_free) struct csr a = matrix_of(k);
            int32_t level[N], step[N];
            struct level_sets sets;
            int64_t entries = 0, widest = 0;
            assert_int_equal(levels_find(&a, (enum triangle)t, NULL, level, &sets, NULL), STATUS_OK);
            assert_int_equal(sets.count, solve_by_steps(&a, (enum triangle)t, step));
            assert_memory_equal(level, step, (size_t)a.rows * sizeof *level);
            for (int64_t i = 0; i < a.rows; i++)
                for (int64_t j = 0; j < a.cols; j++)
                    entries += is_below((enum triangle)t, i, j) && is_entry(&a, i, j);
            assert_int_equal(sets.entries, entries);
            while (rows_in_wide_levels(level, a.rows, widest + 1) > 0)
                widest++;
            assert_int_equal(sets.widest, widest);
            assert_true(2 * rows_in_wide_levels(level, a.rows, sets.median) >= a.rows);
            assert_true(2 * rows_in_wide_levels(level, a.rows, sets.median + 1) < a.rows);
        }
}

TEST(levels_of_known_matrices)
{
    /* On an n x n grid numbered by rows, point (x, y) is in level x + y. */
    FREED(matrix_free)
    struct matrix grid = generated("laplace2d,n=7"), chain = generated("banded,n=9,lower=1");
    FREED(matrix_free) struct matrix diagonal = generated("banded,n=5,lower=0");
    struct level_sets sets;
    int32_t level[64];
    assert_int_equal(levels_find(&grid.csr, TRIANGLE_LOWER, NULL, level, &sets, NULL), STATUS_OK);
    for (int i = 0; i < 49; i++)
        assert_int_equal(level[i], i / 7 + i % 7);
    assert_int_equal(sets.count, 13);
    assert_int_equal(sets.widest, 7);
    assert_int_equal(sets.median, 5); /* levels of 5 and more have 7 + 2 (6 + 5) = 29 of 49 rows; levels of 6
                                         and more have too few, 7 + 2 6 = 19 */
    assert_int_equal(levels_find(&grid.csr, TRIANGLE_UPPER, NULL, level, &sets, NULL), STATUS_OK);
    for (int i = 0; i < 49; i++)
        assert_int_equal(level[48 - i], i / 7 + i % 7);
    assert_int_equal(levels_find(&chain.csr, TRIANGLE_LOWER, NULL, level, &sets, NULL), STATUS_OK);
    assert_int_equal(sets.count, 9);
    assert_int_equal(sets.widest, 1);
    assert_int_equal(sets.median, 1);
    assert_int_equal(levels_find(&diagonal.csr, TRIANGLE_UPPER, NULL, level, &sets, NULL), STATUS_OK);
    assert_int_equal(sets.count, 1);
    assert_int_equal(sets.widest, 5);
    assert_int_equal(sets.entries, 0);
}

TEST(a_rectangle_has_no_levels)
{
    FREED(csr_free) struct csr a = support_matrix(5, 6, 0.5, false, false, 1);
    FREED(csr_free) struct csr none = support_matrix(0, 0, 0, false, false, 1);
    struct level_sets sets;
    struct error error = {0};
    int32_t level[8];
    assert_int_equal(levels_find(&a, TRIANGLE_LOWER, NULL, level, &sets, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "5 x 6"));
    assert_int_equal(levels_find(&none, TRIANGLE_UPPER, NULL, level, &sets, NULL), STATUS_OK);
    assert_int_equal(sets.count, 0);
}

/* Return the number of neighbours of row i. */
static int64_t degree_in(const struct csr *a, int64_t i)
{
    int64_t degree = 0;
    for (int64_t j = 0; j < a->rows; j++)
        degree += i != j && (is_entry(a, i, j) || is_entry(a, j, i));
    return degree;
}

/* Colour by the definition: vertices choose one after another. */
static void colour_one_by_one(const struct csr *a, const int32_t *order, int32_t *colour, int32_t *round)
{
    for (int64_t i = 0; i < a->rows; i++)
        colour[i] = -1;
    for (int64_t k = 0; k < a->rows; k++) {
        const int64_t v = order[k];
        bool taken = true;
        round[v] = 0;
        for (int64_t u = 0; u < a->rows; u++)
            if (u != v && colour[u] >= 0 && (is_entry(a, u, v) || is_entry(a, v, u)) && round[u] >= round[v])
                round[v] = round[u] + 1;
        for (colour[v] = 0; taken; colour[v] += taken) {
            taken = false;
            for (int64_t u = 0; u < a->rows; u++)
                taken =
                    taken || (u != v && colour[u] == colour[v] && (is_entry(a, u, v) || is_entry(a, v, u)));
        }
    }
}

static void expect_colours(const struct csr *a, const int32_t *order, const int32_t *colour,
                           const struct colour_classes *classes)
{
    int32_t expected[N], round[N], rounds = 0;
    int64_t rows_of[N + 1] = {0}, largest = 0, smallest = a->rows;
    colour_one_by_one(a, order, expected, round);
    assert_memory_equal(colour, expected, (size_t)a->rows * sizeof *colour);
    for (int64_t i = 0; i < a->rows; i++) {
        rows_of[colour[i]]++;
        if (round[i] >= rounds) rounds = round[i] + 1;
    }
    for (int64_t c = 0; c < classes->count; c++) {
        largest = rows_of[c] > largest ? rows_of[c] : largest;
        smallest = rows_of[c] < smallest ? rows_of[c] : smallest;
    }
    assert_true(smallest > 0);
    assert_int_equal(rows_of[classes->count], 0);
    assert_int_equal(classes->largest, largest);
    assert_int_equal(classes->smallest, smallest);
    assert_int_equal(classes->rounds, rounds);
}

/* Sort by descending degree with bubble sort, which is stable. */
static void sort_by_degree(const struct csr *a, int32_t *order)
{
    for (int64_t n = a->rows; n > 1; n--)
        for (int64_t k = 0; k + 1 < n; k++)
            if (degree_in(a, order[k]) < degree_in(a, order[k + 1])) {
                const int32_t other = order[k];
                order[k] = order[k + 1];
                order[k + 1] = other;
            }
}

TEST(colours_are_chosen_one_by_one)
{
    for (int k = 0; k < 24; k++) {
        FREED(csr_free) struct csr a = matrix_of(k);
        FREED(graph_free) struct graph graph;
        struct colour_classes classes;
        int32_t colour[N], order[N];
        assert_int_equal(graph_make(&a, false, NULL, &graph, NULL), STATUS_OK);
        for (int32_t i = 0; i < a.rows; i++)
            order[i] = i;
        assert_int_equal(colours_find(&graph, COLOURS_NATURAL, 1, NULL, colour, &classes, NULL), STATUS_OK);
        expect_colours(&a, order, colour, &classes);
        sort_by_degree(&a, order);
        assert_int_equal(colours_find(&graph, COLOURS_LARGEST, 1, NULL, colour, &classes, NULL), STATUS_OK);
        expect_colours(&a, order, colour, &classes);
    }
}

/* Return a matrix with the pattern of A + A^T, with the diagonal entries of A. Free it with csr_free. */
static struct csr mirrored(const struct csr *a)
{
    double dense[N * N] = {0};
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->rows; j++)
            dense[i * a->rows + j] = is_entry(a, i, j) || is_entry(a, j, i);
    return support_dense(a->rows, a->rows, dense);
}

/* A view of a matrix with a symmetric pattern lists a vertex among its own neighbours. Colours, degrees and
 * edges are those without it. */
TEST(views_of_symmetric_patterns)
{
    int64_t diagonal = 0;
    for (int k = 0; k < 24; k++) {
        FREED(csr_free) struct csr part = matrix_of(k), a = mirrored(&part);
        FREED(graph_free) struct graph graph;
        struct colour_classes classes;
        int32_t colour[N], order[N];
        int64_t edges = 0;
        assert_int_equal(graph_view(&a, true, NULL, &graph, NULL), STATUS_OK);
        assert_ptr_equal(graph.neighbour, a.col);
        for (int32_t i = 0; i < a.rows; i++) {
            order[i] = i;
            assert_int_equal(graph_degree(&graph, i), degree_in(&a, i));
            edges += degree_in(&a, i);
            diagonal += is_entry(&a, i, i);
        }
        assert_int_equal(2 * graph_edges(&graph), edges);
        assert_int_equal(colours_find(&graph, COLOURS_NATURAL, 1, NULL, colour, &classes, NULL), STATUS_OK);
        expect_colours(&a, order, colour, &classes);
        sort_by_degree(&a, order);
        assert_int_equal(colours_find(&graph, COLOURS_LARGEST, 1, NULL, colour, &classes, NULL), STATUS_OK);
        expect_colours(&a, order, colour, &classes);
    }
    assert_true(diagonal > 0);
}

/* The random order of colours_find is that of the order `random` with the same seed. Another seed gives other
 * colours. */
TEST(colours_at_random_follow_the_seed)
{
    FREED(matrix_free) struct matrix matrix = generated("random,m=40,mean=4,seed=5");
    FREED(graph_free) struct graph graph;
    FREED(permutation_free) struct permutation random = ordered_matrix("random:seed=7", &matrix);
    struct colour_classes classes;
    int32_t colour[N], other[N];
    assert_int_equal(graph_make(&matrix.csr, false, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(colours_find(&graph, COLOURS_RANDOM, 7, NULL, colour, &classes, NULL), STATUS_OK);
    expect_colours(&matrix.csr, random.from, colour, &classes);
    assert_int_equal(colours_find(&graph, COLOURS_RANDOM, 8, NULL, other, &classes, NULL), STATUS_OK);
    assert_memory_not_equal(colour, other, sizeof colour);
}

/* Return the level sets of one triangle of the reordered matrix. */
static struct level_sets levels_in(const struct matrix *matrix, const char *order, enum triangle triangle,
                                   int32_t *level)
{
    struct level_sets sets;
    FREED(permutation_free) struct permutation permutation = ordered_matrix(order, matrix);
    FREED(matrix_free) struct matrix out;
    assert_int_equal(permute_matrix(matrix, &permutation, 0, NULL, &out, NULL), STATUS_OK);
    assert_int_equal(levels_find(&out.csr, triangle, NULL, level, &sets, NULL), STATUS_OK);
    return sets;
}

/* Drop the entries that are not in the triangle, and the diagonal. */
static void keep_triangle(struct csr *a, enum triangle triangle)
{
    int64_t kept = 0, from = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        for (int64_t k = from; k < a->row_ptr[i + 1]; k++)
            if (is_below(triangle, i, a->col[k])) {
                a->col[kept] = a->col[k];
                a->val[kept++] = a->val[k];
            }
        from = a->row_ptr[i + 1];
        a->row_ptr[i + 1] = kept;
    }
}

/* A triangular matrix stays triangular. The number of its levels and the size of the largest stay the same,
 * and the rows of a level become consecutive. */
TEST(the_order_of_levels_keeps_the_triangle)
{
    static const char *const names[] = {"levels", "levels:triangle=upper"};
    for (int k = 0; k < 12; k++)
        for (int t = 0; t < TRIANGLES; t++) {
            FREED(matrix_free) struct matrix matrix = made_matrix(matrix_of(k));
            int32_t level[N];
            struct level_sets before, after;
            keep_triangle(&matrix.csr, (enum triangle)t);
            assert_int_equal(levels_find(&matrix.csr, (enum triangle)t, NULL, level, &before, NULL),
                             STATUS_OK);
            after = levels_in(&matrix, names[t], (enum triangle)t, level);
            assert_int_equal(before.entries, csr_nnz(&matrix.csr));
            assert_int_equal(after.entries, before.entries);
            assert_int_equal(after.count, before.count);
            assert_int_equal(after.widest, before.widest);
            for (int64_t i = 1; i < matrix.csr.rows; i++)
                assert_true(t == TRIANGLE_LOWER ? level[i] >= level[i - 1] : level[i] <= level[i - 1]);
        }
}

/* After ordering by colour there are at most as many levels as colours. They are equal if the pattern is
 * symmetric. */
TEST(the_order_of_colours_bounds_the_levels)
{
    static const char *const names[] = {"colours", "colours:method=largest", "colours:method=random,seed=3"};
    for (int k = 0; k < 12; k++)
        for (int m = 0; m < COLOUR_METHODS; m++) {
            FREED(matrix_free) struct matrix matrix = made_matrix(matrix_of(k));
            FREED(graph_free) struct graph graph;
            struct colour_classes classes;
            int32_t colour[N], level[N];
            assert_int_equal(graph_make(&matrix.csr, false, NULL, &graph, NULL), STATUS_OK);
            assert_int_equal(colours_find(&graph, (enum colour_method)m, 3, NULL, colour, &classes, NULL),
                             STATUS_OK);
            const struct level_sets after = levels_in(&matrix, names[m], TRIANGLE_LOWER, level);
            assert_true(after.count <= classes.count);
        }
    FREED(matrix_free) struct matrix grid = generated("laplace2d,n=6");
    int32_t level[N];
    const struct level_sets red_black = levels_in(&grid, "colours", TRIANGLE_LOWER, level);
    assert_int_equal(red_black.count, 2);
    assert_int_equal(red_black.widest, 18);
}
