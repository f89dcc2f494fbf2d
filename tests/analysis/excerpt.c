/* Excerpts of matrices: rows and columns are kept whole, in any order of the entries, and their reuse is
 * about that of the whole matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/excerpt.h"
#include "analysis/forecast/scatter.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/generate.h"
#include "support/support.h"

/* The matrix of a specification, without other data on it. */
static struct csr csr_of(const char *specification)
{
    struct matrix matrix = generated(specification);
    struct csr a = matrix.csr;
    matrix.csr = (struct csr){0};
    matrix_free(&matrix);
    return a;
}

static void check_same(const struct csr *a, const struct csr *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->row_ptr, b->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr);
    assert_memory_equal(a->col, b->col, (size_t)csr_nnz(a) * sizeof *a->col);
    if (a->val && b->val) assert_memory_equal(a->val, b->val, (size_t)csr_nnz(a) * sizeof *a->val);
}

static void take_excerpt(const struct csr *a, int64_t admitted, struct excerpt *excerpt)
{
    struct error error = {0};
    if (excerpt_of(a, admitted, NULL, excerpt, &error) != STATUS_OK) fail_msg("%s", error.message);
}

/* Kept rows have all their entries, with the values. */
static void check_rows(const struct csr *a, const struct excerpt *excerpt)
{
    const struct csr *rows = &excerpt->rows;
    assert_true(rows->rows > 0 && rows->cols == a->cols);
    for (int64_t r = 0; r < rows->rows; r++) {
        const int64_t i = excerpt->origin[r], length = a->row_ptr[i + 1] - a->row_ptr[i];
        assert_true(r == 0 || i > excerpt->origin[r - 1]);
        if (r == excerpt->longer) continue;
        assert_int_equal(rows->row_ptr[r + 1] - rows->row_ptr[r], length);
        assert_memory_equal(rows->col + rows->row_ptr[r], a->col + a->row_ptr[i],
                            (size_t)length * sizeof *a->col);
        assert_memory_equal(rows->val + rows->row_ptr[r], a->val + a->row_ptr[i],
                            (size_t)length * sizeof *a->val);
    }
}

/* The rows of a column, which identify it. */
static int64_t rows_of(const struct csr *a, int64_t j, int32_t *row)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (csr_find(a, i, j) >= 0) row[count++] = (int32_t)i;
    return count;
}

/* Each column of the excerpt has the same rows as a column of the matrix. The columns of both are in the same
 * order. */
static void check_columns(const struct csr *a, const struct excerpt *excerpt)
{
    int32_t *mine = malloc((size_t)a->rows * sizeof *mine), *other = malloc((size_t)a->rows * sizeof *other);
    int64_t j = 0, kept = 0;
    assert_true(mine && other && excerpt->columns.rows == a->rows);
    for (int64_t k = 0; k < excerpt->columns.cols; k++) {
        const int64_t count = rows_of(&excerpt->columns, k, mine);
        if (count == 0) continue;
        kept++;
        while (j < a->cols &&
               (rows_of(a, j, other) != count || memcmp(mine, other, (size_t)count * sizeof *mine) != 0))
            j++;
        if (j == a->cols) fail_msg("column %lld of the excerpt is none of the matrix", (long long)k);
        j++;
    }
    assert_true(kept > 0);
    free(mine);
    free(other);
}

static void rows_and_columns_are_kept_whole(void **state)
{
    struct csr a = support_matrix(900, 700, 0.02, false, false, 3);
    struct excerpt excerpt;
    take_excerpt(&a, 3000, &excerpt);
    assert_true(excerpt.there && !excerpt.whole && excerpt.scale > 1);
    assert_true(csr_nnz(&excerpt.columns) <= 3000 && csr_nnz(&excerpt.columns) > 500);
    assert_true(csr_nnz(&excerpt.rows) <= 3000 + 3000 / 4 && csr_nnz(&excerpt.rows) > 500);
    check_rows(&a, &excerpt);
    check_columns(&a, &excerpt);
    excerpt_free(&excerpt);
    csr_free(&a);
}

static void of_few_entries_all_are_kept(void **state)
{
    struct csr a = support_matrix(300, 200, 0.05, true, false, 5);
    struct excerpt excerpt;
    take_excerpt(&a, csr_nnz(&a), &excerpt);
    assert_true(excerpt.whole && excerpt.scale == 1 && excerpt.longer == -1);
    check_same(&a, &excerpt.rows);
    for (int64_t i = 0; i < a.rows; i++)
        assert_int_equal(a.row_ptr[i], excerpt.columns.row_ptr[i]);
    assert_memory_equal(a.col, excerpt.columns.col, (size_t)csr_nnz(&a) * sizeof *a.col);
    excerpt_free(&excerpt);
    take_excerpt(&a, csr_nnz(&a) - 1, &excerpt);
    assert_false(excerpt.whole);
    excerpt_free(&excerpt);
    csr_free(&a);
}

/* Take the entries in another order, some at a time. */
static void take_shuffled(const struct csr *a, struct excerpt_gather *gather)
{
    const int64_t nnz = csr_nnz(a);
    int32_t *row = malloc((size_t)nnz * sizeof *row), *col = malloc((size_t)nnz * sizeof *col);
    double *val = malloc((size_t)nnz * sizeof *val);
    uint64_t seed = 9;
    assert_true(row && col && val);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int64_t at = support_random(&seed, (uint32_t)k + 1);
            row[k] = row[at];
            col[k] = col[at];
            val[k] = val[at];
            row[at] = (int32_t)i;
            col[at] = a->col[k];
            val[at] = a->val[k];
        }
    for (int64_t from = 0, count; from < nnz; from += count) {
        count = 1 + support_random(&seed, 3000);
        if (count > nnz - from) count = nnz - from;
        excerpt_take(gather, count, row + from, col + from, val + from);
    }
    free(row);
    free(col);
    free(val);
}

static void the_order_of_entries_does_not_matter(void **state)
{
    struct csr a = csr_of("powerlaw,scale=13");
    struct excerpt one, four, shuffled;
    struct excerpt_gather gather;
    struct error error = {0};
    threads_set(1);
    take_excerpt(&a, 9000, &one);
    threads_set(4);
    take_excerpt(&a, 9000, &four);
    threads_set(0);
    assert_int_equal(excerpt_begin(a.rows, a.cols, csr_nnz(&a), 9000, true, false, &gather, &error),
                     STATUS_OK);
    take_shuffled(&a, &gather);
    assert_int_equal(excerpt_end(&gather, a.row_ptr, &shuffled, &error), STATUS_OK);
    const struct excerpt *others[] = {&four, &shuffled};
    for (int k = 0; k < 2; k++) {
        check_same(&one.rows, &others[k]->rows);
        check_same(&one.columns, &others[k]->columns);
        assert_memory_equal(one.origin, others[k]->origin, (size_t)one.rows.rows * sizeof *one.origin);
        assert_true(one.scale == others[k]->scale && one.longer == others[k]->longer);
    }
    excerpt_free(&one);
    excerpt_free(&four);
    excerpt_free(&shuffled);
    csr_free(&a);
}

/* Several processes first count their entries by level. The sum of the counts determines the level, by which
 * each process selects its rows. */
static void processes_find_the_level_together(void **state)
{
    struct csr a = csr_of("powerlaw,scale=13"), half = a;
    int64_t counts[EXCERPT_DRAWS][EXCERPT_LEVELS + 1], more[EXCERPT_DRAWS][EXCERPT_LEVELS + 1];
    struct excerpt_gather gather;
    struct excerpt one, two;
    struct error error = {0};
    take_excerpt(&a, 9000, &one);
    assert_int_equal(excerpt_begin(a.rows, a.cols, csr_nnz(&a), 9000, true, false, &gather, &error),
                     STATUS_OK);
    struct csr first = a;
    first.rows = a.rows / 3;
    excerpt_count(&gather, &first, 0, counts);
    half.rows = a.rows - first.rows;
    half.row_ptr = malloc(((size_t)half.rows + 1) * sizeof *half.row_ptr);
    assert_non_null(half.row_ptr);
    for (int64_t i = 0; i <= half.rows; i++)
        half.row_ptr[i] = a.row_ptr[first.rows + i] - a.row_ptr[first.rows];
    half.col = a.col + a.row_ptr[first.rows];
    half.val = a.val + a.row_ptr[first.rows];
    excerpt_count(&gather, &half, first.rows, more);
    for (int d = 0; d < EXCERPT_DRAWS; d++) {
        int64_t sum = 0;
        for (int l = 0; l <= EXCERPT_LEVELS; l++)
            sum += counts[d][l] += more[d][l];
        assert_int_equal(sum, csr_nnz(&a));
        assert_int_equal(excerpt_level(counts[d], csr_nnz(&a)), 0);
        excerpt_rise(&gather.of[d], excerpt_level(counts[d], 9000));
        assert_true(gather.of[d].level > 0);
        int64_t kept = 0;
        for (int l = EXCERPT_LEVELS; l >= gather.of[d].level; l--)
            kept += counts[d][l];
        assert_true(kept <= 9000 && kept + counts[d][gather.of[d].level - 1] > 9000);
    }
    excerpt_take_rows(&gather, &half, first.rows);
    excerpt_take_rows(&gather, &first, 0);
    assert_int_equal(excerpt_end(&gather, a.row_ptr, &two, &error), STATUS_OK);
    check_same(&one.rows, &two.rows);
    check_same(&one.columns, &two.columns);
    free(half.row_ptr);
    excerpt_free(&one);
    excerpt_free(&two);
    csr_free(&a);
}

static int64_t longest_of(const struct csr *a)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (a->row_ptr[i + 1] - a->row_ptr[i] > longest) longest = a->row_ptr[i + 1] - a->row_ptr[i];
    return longest;
}

/* The excerpt contains the longest row of the matrix, wherever it is, since forecasts wait for it. */
static void the_longest_row_is_as_long(void **state)
{
    for (int64_t place = 0; place < 20000; place += 1999) {
        struct csr a = {.rows = 20000, .cols = 20000};
        struct excerpt excerpt;
        int64_t at = 0;
        a.row_ptr = calloc((size_t)a.rows + 1, sizeof *a.row_ptr);
        a.col = calloc(2 * 20000 + 500, sizeof *a.col);
        a.val = calloc(2 * 20000 + 500, sizeof *a.val);
        assert_true(a.row_ptr && a.col && a.val);
        for (int64_t i = 0; i < a.rows; i++) {
            for (int64_t k = 0; k < (i == place ? 500 : 2); k++)
                a.col[at++] = (int32_t)(i == place ? 40 * k : i / 2 + k);
            a.row_ptr[i + 1] = at;
        }
        take_excerpt(&a, 5000, &excerpt);
        assert_int_equal(longest_of(&excerpt.rows), 500);
        assert_int_equal(csr_validate(&excerpt.rows, NULL), STATUS_OK);
        check_rows(&a, &excerpt);
        excerpt_free(&excerpt);
        csr_free(&a);
    }
}

/* A band has no more diagonals in the excerpt than it had. */
static void diagonals_stay_diagonals(void **state)
{
    struct csr a = csr_of("banded,n=30000,lower=3,upper=5"), moved;
    struct excerpt excerpt;
    int seen[9] = {0};
    take_excerpt(&a, 20000, &excerpt);
    assert_int_equal(excerpt_diagonal(&excerpt, &moved, NULL), STATUS_OK);
    assert_int_equal(moved.rows, excerpt.rows.rows);
    assert_int_equal(csr_nnz(&moved), csr_nnz(&excerpt.rows));
    assert_int_equal(moved.cols, moved.rows + 8);
    for (int64_t i = 0; i < moved.rows; i++)
        for (int64_t k = moved.row_ptr[i]; k < moved.row_ptr[i + 1]; k++) {
            const int64_t diagonal = moved.col[k] - i;
            assert_true(diagonal >= 0 && diagonal < 9);
            seen[diagonal] = 1;
        }
    for (int d = 0; d < 9; d++)
        assert_int_equal(seen[d], 1);
    csr_free(&moved);
    excerpt_free(&excerpt);
    csr_free(&a);
}

/* Compare the touches of x that the excerpt's columns give with those of the matrix, with the rows in this
 * order. */
static void check_touches(const struct csr *a, const struct excerpt *excerpt, const int32_t *order,
                          double share)
{
    const struct touches all = touches_of(a), some = excerpt_touches(excerpt, a->row_ptr);
    struct reuse whole, part;
    struct scatter counted, drawn;
    assert_int_equal(reuse_of_x(&all, order, 8, 1, &whole, NULL, NULL), STATUS_OK);
    assert_int_equal(reuse_of_x(&some, order, 8, 1, &part, NULL, NULL), STATUS_OK);
    assert_true(part.ticks == whole.ticks);
    for (double t = 100; t < whole.ticks; t *= 7) {
        double misses = reuse_first(&whole) + reuse_again(&whole, t),
               found = reuse_first(&part) + reuse_again(&part, t);
        if (!(fabs(found - misses) <= share * misses))
            fail_msg("%g bytes are fetched where %g ticks stay, not %g", found, t, misses);
    }
    assert_int_equal(scatter_of_x(&all, order, 8, &counted, NULL, NULL), STATUS_OK);
    assert_int_equal(scatter_of_x(&some, order, 8, &drawn, NULL, NULL), STATUS_OK);
    assert_true(drawn.ticks == counted.ticks);
    double touches = (double)drawn.touches * drawn.scale;
    assert_true(fabs(touches - (double)counted.touches) <= share * (double)counted.touches);
}

static void columns_tell_how_soon_x_is_touched_again(void **state)
{
    static const char *const specs[] = {"stencil27,n=24", "random,m=30000,mean=12", "banded,n=40000"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        struct csr a = csr_of(specs[k]);
        struct excerpt excerpt;
        int32_t *order = malloc((size_t)a.rows * sizeof *order);
        assert_non_null(order);
        for (int64_t i = 0; i < a.rows; i++)
            order[i] = (int32_t)(i % 2 ? a.rows - 1 - i / 2 : i / 2);
        take_excerpt(&a, 90000, &excerpt);
        check_touches(&a, &excerpt, NULL, 0.15);
        check_touches(&a, &excerpt, order, 0.15);
        free(order);
        excerpt_free(&excerpt);
        csr_free(&a);
    }
}

/* If each row has more entries than the excerpt may have, there is no excerpt, and so no forecast. */
static void of_huge_rows_there_is_no_excerpt(void **state)
{
    struct csr a = support_matrix(4, 3000, 0.9, false, false, 3),
               empty = support_matrix(0, 7, 0.5, false, false, 3);
    struct excerpt excerpt;
    take_excerpt(&a, 500, &excerpt);
    assert_false(excerpt.there);
    excerpt_free(&excerpt);
    take_excerpt(&a, 3000, &excerpt);
    assert_true(excerpt.there && excerpt.rows.rows == 1 && csr_nnz(&excerpt.rows) > 2000);
    excerpt_free(&excerpt);
    take_excerpt(&empty, 500, &excerpt);
    assert_false(excerpt.there);
    excerpt_free(&excerpt);
    csr_free(&a);
    csr_free(&empty);
}

static void memory_may_be_short(void **state)
{
    struct csr a = support_matrix(900, 700, 0.02, false, false, 3);
    for (int64_t k = 0;; k++) {
        struct excerpt excerpt = {0};
        struct error error = {0};
        memory_fail_after(k);
        enum status status = excerpt_of(&a, 3000, NULL, &excerpt, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            assert_true(k > 5);
            excerpt_free(&excerpt);
            break;
        }
        assert_int_equal(status, STATUS_MEMORY);
        assert_false(excerpt.there);
    }
    csr_free(&a);
}

/* A matrix in memory has an excerpt if it has many entries, and no row that the excerpt cannot represent. */
static void many_entries_in_memory_have_an_excerpt(void **state)
{
    int64_t row_ptr[3] = {0, 0, 0};
    const struct csr a = {.rows = 2, .cols = INT32_MAX, .row_ptr = row_ptr};
    static const struct {
        int64_t first, second, kept;
    } cases[] = {{100000, 100000, 0},
                 {16384, 183617, 0}, /* a row of more than an eighth of 131,072 */
                 {100000000, 100000000, EXCERPT_ENTRIES}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        row_ptr[1] = cases[k].first;
        row_ptr[2] = cases[k].first + cases[k].second;
        assert_int_equal(excerpt_kept(&a), cases[k].kept);
    }
    int64_t *many = memory_array(257, sizeof *many, NULL);
    assert_non_null(many);
    const struct csr b = {.rows = 256, .cols = INT32_MAX, .row_ptr = many};
    for (int64_t i = 0; i <= 256; i++)
        many[i] = 16384 * i; /* the matrix has 4,194,304, and the excerpt a sixteenth: 262,144 */
    assert_int_equal(excerpt_kept(&b), 262144);
    for (int64_t i = 0; i <= 256; i++)
        many[i] = 1000 * i;
    assert_int_equal(excerpt_kept(&b), 131072);
    for (int64_t i = 1; i <= 256; i++)
        many[i] += 16385 - 1000; /* the first row is longer than an eighth of the excerpt */
    assert_int_equal(excerpt_kept(&b), 0);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_and_columns_are_kept_whole),
                                       cmocka_unit_test(of_few_entries_all_are_kept),
                                       cmocka_unit_test(the_order_of_entries_does_not_matter),
                                       cmocka_unit_test(processes_find_the_level_together),
                                       cmocka_unit_test(the_longest_row_is_as_long),
                                       cmocka_unit_test(diagonals_stay_diagonals),
                                       cmocka_unit_test(columns_tell_how_soon_x_is_touched_again),
                                       cmocka_unit_test(of_huge_rows_there_is_no_excerpt),
                                       cmocka_unit_test(many_entries_in_memory_have_an_excerpt),
                                       cmocka_unit_test(memory_may_be_short)};
    return cmocka_run_group_tests_name("analysis/excerpt", tests, NULL, NULL);
}
