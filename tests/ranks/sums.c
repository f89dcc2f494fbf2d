/* ranks/sums, run by any number of ranks: all numbers of a report, bit for bit compared with those of one
 * process. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "ranks/sums/sums.h"
#include "ranks/tests.h"
#include "support/cmocka.h"
#include "support/support.h"

static struct ranks ranks;

static void same_lengths(const struct lengths *l, const struct lengths *m)
{
    assert_memory_equal(l, m, offsetof(struct lengths, histogram));
    assert_int_equal(l->bins, m->bins);
    assert_memory_equal(l->histogram, m->histogram, (size_t)l->bins * sizeof *l->histogram);
}

static void same_pyramid(const struct pyramid *p, const struct pyramid *q)
{
    assert_int_equal(p->row_step, q->row_step);
    assert_int_equal(p->col_step, q->col_step);
    assert_int_equal(p->grid_rows, q->grid_rows);
    assert_int_equal(p->grid_cols, q->grid_cols);
    assert_int_equal(p->wide, q->wide);
    size_t sums = ((size_t)p->grid_rows + 1) * ((size_t)p->grid_cols + 1);
    assert_memory_equal(p->sums, q->sums, sums * (p->wide ? sizeof(uint64_t) : sizeof(uint32_t)));
}

static void same_formats(const struct conversions *c, const struct conversions *d)
{
    assert_true(atomic_load(&d->count) > 10);
    assert_int_equal(atomic_load(&c->count), atomic_load(&d->count));
    for (int k = 0; k < atomic_load(&c->count); k++) {
        const struct conversion *x = c->items[k], *y = d->items[k];
        assert_string_equal(x->name, y->name);
        if (x->choice.format->whole) continue; /* ranks have no storage of it */
        assert_int_equal(conversion_state(x), conversion_state(y));
        /* The temporary memory of a conversion depends on the threads. */
        struct format_size size = x->size, expected = y->size;
        size.peak = expected.peak = 0;
        if (memcmp(&size, &expected, sizeof size) != 0) fail_msg("the size of %s differs", x->name);
        if (memcmp(&x->criteria, &y->criteria, sizeof x->criteria) != 0)
            fail_msg(
                "the criteria of %s differ: %.17g %.17g %.17g %.17g %.17g, and %.17g %.17g %.17g %.17g %.17g",
                x->name, x->criteria.space, x->criteria.flexibility, x->criteria.accessibility,
                x->criteria.access, x->criteria.balance, y->criteria.space, y->criteria.flexibility,
                y->criteria.accessibility, y->criteria.access, y->criteria.balance);
    }
}

#define EXCERPTED 6000 /* entries of small excerpts */

/* Rank 0 has the results of one process; strongly connected components only on request. */
static void same_case(struct matrix_case *c, struct matrix_case *d, bool strong)
{
    same_lengths(&c->row_lengths, &d->row_lengths);
    same_lengths(&c->col_lengths, &d->col_lengths);
    assert_memory_equal(&c->structure, &d->structure, sizeof c->structure);
    if (d->matrix.field != FIELD_PATTERN) assert_memory_equal(&c->values, &d->values, sizeof c->values);
    assert_int_equal(c->components.connected, d->components.connected);
    assert_int_equal(c->components.largest, d->components.largest);
    /* Results that the ranks do without are unknown; the others are right. */
    if (strong || c->components.strong >= 0) {
        assert_int_equal(c->components.strong, d->components.strong);
        assert_int_equal(c->components.largest_strong, d->components.largest_strong);
    }
    same_pyramid(&c->pyramid, &d->pyramid);
    same_formats(&c->conversions, &d->conversions);
    assert_int_equal(csr_nnz(&c->matrix.csr), csr_nnz(&d->matrix.csr));
    assert_memory_equal(c->matrix.csr.row_ptr, d->matrix.csr.row_ptr,
                        ((size_t)c->matrix.csr.rows + 1) * sizeof(int64_t));
}

/* The notes report missing results only: components that could not be found without the entries. */
static void check_notes(const struct matrix_case *c)
{
    const char *notes = c->matrix.notes.data ? c->matrix.notes.data : "";
    assert_true(case_has(c, SESSION_COMPONENTS));
    assert_int_equal(strstr(notes, "strong components: not") == NULL, c->components.strong >= 0);
    assert_true(foresight_complete(&c->foresight[PRECISION_F64]));
    /* There are no forecasts if the excerpt is too small for a group of rows. */
    bool some = csr_nnz(&c->matrix.csr) > 0 && (c->matrix.csr.col || c->excerpt.there);
    assert_int_equal(c->foresight[PRECISION_F64].count > 0, some);
}

/* The entries of an excerpt are those that one process would take, however many ranks have them. */
static void same_excerpt(const struct matrix_case *c, const struct csr *a, int64_t admitted)
{
    struct excerpt excerpt;
    assert_int_equal(excerpt_of(a, admitted, NULL, &excerpt, NULL), STATUS_OK);
    const struct csr *of[][2] = {{&c->excerpt.rows, &excerpt.rows}, {&c->excerpt.columns, &excerpt.columns}};
    assert_true(c->excerpt.there && c->excerpt.whole == excerpt.whole);
    assert_true(c->excerpt.scale == excerpt.scale && c->excerpt.longer == excerpt.longer);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(of[k][0]->rows, of[k][1]->rows);
        assert_int_equal(of[k][0]->cols, of[k][1]->cols);
        assert_memory_equal(of[k][0]->row_ptr, of[k][1]->row_ptr,
                            ((size_t)of[k][0]->rows + 1) * sizeof(int64_t));
        assert_memory_equal(of[k][0]->col, of[k][1]->col, (size_t)csr_nnz(of[k][0]) * sizeof(int32_t));
    }
    if (excerpt.rows.val)
        assert_memory_equal(c->excerpt.rows.val, excerpt.rows.val,
                            (size_t)csr_nnz(&excerpt.rows) * sizeof(double));
    excerpt_free(&excerpt);
}

/* An excerpt that has all entries gives the numbers of the matrix. */
static void same_foresight(const struct matrix_case *c, const struct matrix_case *d)
{
    const struct foresight *one = &c->foresight[PRECISION_F64], *two = &d->foresight[PRECISION_F64];
    assert_int_equal(one->count, two->count);
    for (int g = 0; g < one->count; g++) {
        assert_int_equal(one->groups[g].count, two->groups[g].count);
        for (int k = 0; k < one->groups[g].count; k++) {
            const struct result *here = &one->groups[g].items[k], *there = &two->groups[g].items[k];
            assert_string_equal(here->name, there->name);
            if (!here->choice.kernel->trace) continue; /* the processor may be measured again */
            /* A kernel without a forecast, as one whose resources this build does not know, is so in both. */
            assert_int_equal(here->predicted[0].there, there->predicted[0].there);
            if (here->predicted[0].there && here->predicted[0].seconds != there->predicted[0].seconds)
                fail_msg("%s: %g s, and not %g", here->name, here->predicted[0].seconds,
                         there->predicted[0].seconds);
        }
    }
}

/* Rank 0 computes all results like a single process, and takes the matrix. Returns NULL on other ranks. */
static struct session *find_alone(struct matrix *matrix)
{
    const unsigned parts = REPORT_NEEDS | SESSION_PYRAMID | SESSION_COMPONENTS;
    struct error error = {0};
    if (ranks.rank != 0) return NULL;
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session_add_case(session, "natural", matrix, &error));
    struct matrix_case *whole = session->shown = &session->cases[0];
    assert_int_equal(conversions_want_all(&whole->conversions, PRECISION_F64, &error), STATUS_OK);
    assert_int_equal(conversions_want_all(&whole->conversions, PRECISION_F32, &error), STATUS_OK);
    assert_int_equal(session_need(session, NULL, parts, NULL, &error), STATUS_OK);
    return session;
}

/* The block triangular form, of the columns that rank 0 has gathered. */
static void same_form(struct session *one, struct session *two)
{
    struct error error = {0};
    assert_int_equal(session_need(one, NULL, SESSION_BLOCKS, NULL, &error), STATUS_OK);
    assert_int_equal(session_need(two, NULL, SESSION_BLOCKS, NULL, &error), STATUS_OK);
    const struct triangular *t = &one->shown->triangular, *u = &two->shown->triangular;
    assert_memory_equal(t, u, sizeof *t);
}

/* Compare with the results of the ranks together. `gathered` is that of sums_make. If it is 7, excerpts are
 * smaller. */
static void check_together(const struct matrix *matrix, struct session *session, int64_t gathered)
{
    const struct report_request request = {.f64 = true, .f32 = true};
    struct error error = {0};
    struct share share;
    struct sums sums;
    assert_int_equal(share_of_matrix(&ranks, matrix, &share, &error), STATUS_OK);
    const struct sums_options options = {.wants = SESSION_PYRAMID,
                                         .gathered = gathered,
                                         .whole = gathered == 7,
                                         .admitted = gathered == 7 ? EXCERPTED : 0,
                                         .spent = gathered != 60};
    assert_int_equal(sums_make(&ranks, &share, &options, &sums, &error), STATUS_OK);
    assert_int_equal(sums_prepare(&sums, &request, &error), STATUS_OK);
    assert_true((sums.session != NULL) == (ranks.rank == 0));
    if (ranks.rank == 0) {
        struct matrix_case *whole = session->shown, *shown = sums.session->shown;
        same_case(shown, whole, gathered == INT32_MAX || whole->structure.pattern_symmetry == 1);
        assert_int_equal(shown->spread.ranks, ranks.count);
        if (options.whole) same_form(sums.session, session);
        check_notes(shown);
        if (gathered < csr_nnz(&whole->matrix.csr) && options.admitted == 0)
            assert_true(shown->excerpt.there);
        if (shown->excerpt.there)
            same_excerpt(shown, &whole->matrix.csr, options.admitted ? options.admitted : EXCERPT_ENTRIES);
        if (gathered == 60) {
            assert_int_equal(session_need(session, NULL, SESSION_FORESIGHT, NULL, &error), STATUS_OK);
            same_foresight(shown, whole);
        }
        assert_true(shown->spread.rows_least <= shown->spread.rows_most);
        assert_true(shown->spread.entries_most * ranks.count >= csr_nnz(&whole->matrix.csr));
    }
    ranks_meet(&ranks);
    sums_free(&sums);
    share_free(&share);
}

/* Compare the results of the ranks together, once for each number of gathered entries, with those of one
 * process. */
static void check(struct matrix *matrix, const int64_t *gathered, int count)
{
    struct session *session = find_alone(matrix);
    for (int k = 0; k < count; k++)
        check_together(session ? &session->shown->matrix : matrix, session, gathered[k]);
    if (session) session_free(session);
    free(session);
}

/* Meshes, rows of all lengths, empty rows and columns, one row, one column, more ranks than rows, no entries.
 */
static void test_generated(void **state)
{
    static const char *const names[] = {"gen:stencil27,n=9",
                                        "gen:laplace2d,n=40",
                                        "gen:powerlaw,scale=11",
                                        "gen:powerlaw,scale=10,edge=2",
                                        "gen:random,m=2000,mean=1,spread=1",
                                        "gen:blocks,n=1001,size=3",
                                        "gen:random,m=900,n=1300,mean=2",
                                        "gen:random,m=1,n=500,mean=80",
                                        "gen:random,m=500,n=1,mean=1",
                                        "gen:random,m=3,n=4,mean=2",
                                        "gen:random,m=2,n=90000,mean=3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix whole;
        struct error error = {0};
        struct load_options options = {0};
        if (ranks.rank == 0) print_message("# %s\n", names[k]);
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        check(&whole, (const int64_t[]){0, 60, 7, INT32_MAX}, 4);
        matrix_free(&whole);
    }
}

/* Random matrices of real and complex values of all sizes, some NaN; some rows are longer than a block of
 * entries. The mirror images of the first matrix travel in two rounds of five ranks. Its kernels are forecast
 * from a small excerpt, since that takes less time. */
static void test_random(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed, complex, rough, nan;
    } cases[] = {{1500, 1500, 0.5, 0, 0, 0, 0}, {60, 60, 0.05, 1, 0, 0, 0},  {61, 61, 0.3, 0, 1, 1, 0},
                 {400, 400, 0.9, 1, 0, 1, 0},   {7, 90000, 0.9, 0, 0, 1, 0}, {200, 200, 0.03, 0, 0, 1, 1},
                 {0, 0, 0, 0, 0, 0, 0},         {5, 0, 0, 0, 0, 0, 0},       {0, 5, 0, 0, 0, 0, 0},
                 {9, 9, 0, 0, 0, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct matrix whole = {.name = strdup("random"),
                               .path = strdup("random"),
                               .field = cases[k].complex ? FIELD_COMPLEX : FIELD_REAL,
                               .csr = support_matrix(cases[k].rows, cases[k].cols, cases[k].density,
                                                     cases[k].skewed, cases[k].complex, k + 1)};
        uint64_t seed = k;
        for (int64_t e = 0; cases[k].rough && e < csr_nnz(&whole.csr); e++)
            whole.csr.val[e] *= (1 + support_random(&seed, 1000003)) * 1e-9;
        if (cases[k].nan) whole.csr.val[csr_nnz(&whole.csr) / 2] = NAN;
        check(&whole, (const int64_t[]){k == 0 ? 7 : k % 2 ? INT32_MAX : 0}, 1);
        matrix_free(&whole);
    }
}

/* Two cycles of 50 vertices; entries lead from the first to the second: more vertices can be reached from a
 * vertex than its component has. */
static void test_cycles_one_behind_the_other(void **state)
{
    enum { HALF = 50, ROWS = 2 * HALF };
    struct matrix whole = {.name = strdup("cycles"),
                           .path = strdup("cycles"),
                           .field = FIELD_REAL,
                           .csr = {.rows = ROWS, .cols = ROWS}};
    int64_t nnz = 0;
    whole.csr.row_ptr = memory_zeroed(ROWS + 1, sizeof *whole.csr.row_ptr, NULL);
    whole.csr.col = memory_array(ROWS + 3, sizeof *whole.csr.col, NULL);
    whole.csr.val = memory_array(ROWS + 3, sizeof *whole.csr.val, NULL);
    for (int32_t i = 0; i < ROWS; i++) {
        whole.csr.col[nnz++] = i / HALF * HALF + (i + 1) % HALF;
        for (int32_t k = 0; i == 7 && k < 3; k++) /* the vertex with most entries */
            whole.csr.col[nnz++] = HALF + 10 * k;
        whole.csr.row_ptr[i + 1] = nnz;
    }
    for (int64_t k = 0; k < nnz; k++)
        whole.csr.val[k] = 1;
    check(&whole, (const int64_t[]){0}, 1);
    matrix_free(&whole);
}

/* Let allocation k of one rank fail. Returns whether it did; then all ranks say so, and none waits for
 * another. */
static bool fail_once(const struct matrix *whole, int victim, int k)
{
    struct error error = {0};
    struct share share;
    struct sums sums;
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    if (ranks.rank == victim) memory_fail_after(k);
    const struct sums_options options = {.wants = SESSION_PYRAMID, .gathered = 20, .spent = true};
    enum status status = sums_make(&ranks, &share, &options, &sums, &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
    assert_int_equal(error.status, status);
    sums_free(&sums);
    share_free(&share);
    return failed;
}

/* Every allocation of each rank fails once with one rank and with two. With more, in which each try waits for
 * all ranks to have a turn on a processor, every fifth of the first rank and of the last. */
static void test_failing_allocations(void **state)
{
    const bool many = ranks.count > 2;
    struct matrix whole;
    struct error error = {0};
    struct load_options options = {0};
    assert_int_equal(matrix_load("gen:powerlaw,scale=6", &options, NULL, &whole, &error), STATUS_OK);
    for (int victim = 0; victim < ranks.count; victim += many ? ranks.count - 1 : 1) {
        int k = 0;
        while (fail_once(&whole, victim, k))
            k += many ? 5 : 1;
        assert_true(k > 30);
    }
    matrix_free(&whole);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generated), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_cycles_one_behind_the_other),
                                       cmocka_unit_test(test_failing_allocations)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    return ranks_run_tests(&ranks, "ranks/sums", tests, sizeof tests / sizeof *tests);
}
