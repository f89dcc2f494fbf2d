/* session: the matrix in other orders, each a separate case, whose products are compared with those of the
 * natural matrix. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "session/session.h"
#include "support/kernels.h"
#include "support/unit.h"

static void load(struct session *session, const char *name)
{
    const struct load_options options = {0};
    struct error error = {0};
    if (session_load(session, name, &options, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
}

static enum status reorder(struct session *session, const char *order, struct error *error)
{
    struct order_choice choice;
    enum status status = order_choice_read(order, &choice, error);
    if (status == STATUS_OK) status = session_reorder(session, &choice, NULL, error);
    order_choice_free(&choice);
    return status;
}

TEST(orders_become_cases_or_are_refused)
{
    FREED(session_free) struct session session;
    struct error error = {0};
    load(&session, "gen:random,m=40,n=60,mean=3");
    assert_int_equal(reorder(&session, "natural", &error), STATUS_OK);
    assert_int_equal(session.case_count, 1);
    assert_int_equal(reorder(&session, "rcm", &error), STATUS_OK);
    assert_int_equal(reorder(&session, "length:ascending=1", &error), STATUS_OK);
    assert_int_equal(session.case_count, 2);
    assert_int_equal(session.refused_count, 1);
    assert_string_equal(session.refused[0].name, "rcm");
    assert_int_equal(session.refused[0].error.status, STATUS_UNAVAILABLE);
    const struct matrix_case *made = &session.cases[1];
    assert_string_equal(made->order, "length:ascending=1");
    assert_ptr_equal(session.shown, &session.cases[0]);
    assert_int_equal(made->reordering.permutation.count, 40);
    assert_true(made->reordering.order_seconds > 0 && made->reordering.reorder_seconds > 0);
    assert_true(made->reordering.permute_seconds > 0);
    /* A missing file is a failure, and leaves no case. */
    assert_int_equal(reorder(&session, "file:path=/nowhere/at-all", &error), STATUS_IO);
    assert_int_equal(error.status, STATUS_IO);
    assert_int_equal(session.case_count, 2);
    error_clear(&error);
    for (int k = 0; k < SESSION_CASES - 3; k++)
        assert_int_equal(reorder(&session, "random", &error), STATUS_OK);
    assert_int_equal(reorder(&session, "random", &error), STATUS_USAGE);
    assert_says(error.message, "at most 8 orders");
}

/* Fill is defined for rows and columns in the same order. If rows alone are reordered, nobody factorises A +
 * A^T. */
TEST(fill_is_of_orders_of_both)
{
    FREED(session_free) struct session session;
    load(&session, "gen:laplace2d,n=6");
    assert_int_equal(reorder(&session, "length:ascending=1", NULL), STATUS_OK);
    assert_int_equal(reorder(&session, "random", NULL), STATUS_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(session_need(&session, &session.cases[k], SESSION_FILL, NULL, NULL), STATUS_OK);
    const struct matrix_case *natural = &session.cases[0], *rows = &session.cases[1];
    assert_true(case_is_symmetrically_ordered(natural) && natural->fills.own.entries >= 36);
    assert_false(case_is_symmetrically_ordered(rows));
    assert_true(rows->fills.own.entries == 0 && rows->fills.amd.entries == 0);
    const struct matrix_case *random = &session.cases[2];
    assert_int_equal(case_is_symmetrically_ordered(random), random->fills.own.entries > 0);
}

/* The user's limit covers all cases: the memory of the others is not available to the next. */
TEST(the_limit_covers_all_cases)
{
    FREED(session_free) struct session session;
    load(&session, "gen:laplace2d,n=1000");
    const struct csr *a = &session.cases[0].matrix.csr;
    size_t one = csr_bytes(a->rows, csr_nnz(a), 0);
    session.limit = 2 * one + one / 2;
    assert_int_equal(reorder(&session, "length", NULL), STATUS_OK);
    assert_int_equal(reorder(&session, "length:ascending=1", NULL), STATUS_OK);
    assert_int_equal(session.case_count, 2);
    assert_int_equal(session.refused_count, 1);
    assert_int_equal(session.refused[0].error.status, STATUS_LIMIT);
    /* The remaining memory: offsets have 8 bytes, and an entry has 4 for its column and 8 for its value. */
    struct order_choice choice;
    FREED(reorder_free) struct reorder next;
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, &choice, &next, NULL), STATUS_OK);
    assert_int_equal(next.limit, session.limit - (1000 * 1000 + 1) * 8 - (5 * 1000 * 1000 - 4 * 1000) * 12);
    session.limit = 5;
    reorder_free(&next);
    assert_int_equal(reorder_begin(&session, &choice, &next, NULL), STATUS_OK);
    assert_int_equal(next.limit, 1); /* 0 would mean no limit */
    order_choice_free(&choice);
}

/* Run csr-seq on the case that is shown; few samples. */
static const struct result *run_product(struct session *session, enum precision precision,
                                        struct product product)
{
    struct results *results = &session->shown->results;
    struct kernel_choice choice;
    struct error error = {0};
    const struct bench_options options = {
        .repeat = 1, .warmup = -1, .min_seconds = 1e-9, .cold = true, .limit = 32 << 20, .product = product};
    results_free(results);
    assert_int_equal(kernel_choice_read(&kernel_cpu_csr_seq, "", &choice, NULL), STATUS_OK);
    choice = kernel_choice_with(&choice, precision, 1);
    assert_int_equal(results_want(results, &choice, NULL), STATUS_OK);
    if (session_run(session, NULL, NULL, results, &options, 0, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return &results->items[0];
}

static const struct result *run(struct session *session, enum precision precision, bool accumulate)
{
    return run_product(session, precision, (struct product){.accumulate = accumulate});
}

static const char *const orders_tried[] = {"random", "random:apply=rows", "random:apply=columns", "length",
                                           "blocks"};

/* A kernel is right on a reordered matrix. It is wrong if rows or columns do not follow the permutation,
 * since y permuted back then differs from the natural one. */
TEST(products_are_held_against_the_natural_ones)
{
    FREED(session_free) struct session session;
    load(&session, "gen:powerlaw,scale=7");
    for (size_t k = 0; k < sizeof orders_tried / sizeof *orders_tried; k++)
        assert_int_equal(reorder(&session, orders_tried[k], NULL), STATUS_OK);
    for (int c = 1; c < session.case_count; c++) {
        int32_t *from = session.cases[c].reordering.permutation.from;
        session.shown = &session.cases[c];
        for (int way = 0; way < 4; way++) {
            const struct result *result = run(&session, way % 2 ? PRECISION_F32 : PRECISION_F64, way / 2);
            if (result->status != STATUS_OK) fail_msg("%s: %s", session.shown->order, result->error.message);
            assert_true(result->max_error < 1e-5);
        }
        for (int kind = 0; kind < 8; kind++) {
            const struct product product = {kind & 1, kind & 2, kind & 4, 3};
            const struct result *result = run_product(&session, PRECISION_F64, product);
            if (result->status != STATUS_OK) fail_msg("%s: %s", session.shown->order, result->error.message);
        }
        int32_t first = from[0];
        from[0] = from[77];
        from[77] = first;
        assert_int_equal(run(&session, PRECISION_F64, false)->status, STATUS_INPUT);
        assert_int_equal(run(&session, PRECISION_F32, true)->status, STATUS_INPUT);
    }
}

TEST(want_of_memory_leaves_the_session_as_it_was)
{
    FREED(session_free) struct session session;
    load(&session, "gen:laplace2d,n=12");
    enum status status = STATUS_MEMORY;
    for (long count = 0; status != STATUS_OK; count++) {
        struct error error = {0};
        struct order_choice choice;
        assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
        memory_fail_after(count);
        status = session_reorder(&session, &choice, NULL, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || status == STATUS_MEMORY);
        assert_int_equal(session.refused_count, 0);
        assert_int_equal(session.case_count, status == STATUS_OK ? 2 : 1);
        /* Without the vectors that are timed, their time is not known. */
        if (status == STATUS_OK)
            assert_true((failures > 0) == isnan(session.cases[1].reordering.permute_seconds));
    }
}

/* A position is mapped to that of the same entry of the source's matrix in the other order, and back. */
TEST(places_are_carried_between_orders)
{
    static const char *const names[] = {"random:seed=2", "length", "random:apply=columns", "rcm", "blocks"};
    FREED(session_free) struct session session;
    load(&session, "gen:random,m=80,n=80,mean=5");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_int_equal(reorder(&session, names[k], NULL), STATUS_OK);
    assert_int_equal(session.case_count, 6);
    for (int from = 0; from < session.case_count; from++)
        for (int to = 0; to < session.case_count; to++) {
            const struct matrix_case *a = &session.cases[from], *b = &session.cases[to];
            for (int64_t i = 0; i < a->matrix.csr.rows; i++)
                for (int64_t k = a->matrix.csr.row_ptr[i]; k < a->matrix.csr.row_ptr[i + 1]; k++) {
                    int64_t row = i, col = a->matrix.csr.col[k];
                    case_carry(a, b, &row, &col);
                    int64_t entry = csr_find(&b->matrix.csr, row, col);
                    assert_true(entry >= 0 && b->matrix.csr.val[entry] == a->matrix.csr.val[k]);
                    case_carry(b, a, &row, &col);
                    assert_true(row == i && col == a->matrix.csr.col[k]);
                }
        }
}

static enum status analyse(void *argument, struct progress *progress, struct error *error)
{
    struct session *session = argument;
    enum status status = STATUS_OK;
    for (int k = 0; k < 20 && status == STATUS_OK; k++)
        status =
            session_need(session, &session->cases[0], SESSION_STRUCTURE | SESSION_SIZES, progress, error);
    return status;
}

static enum status make_order(void *argument, struct progress *progress, struct error *error)
{
    return reorder_run(argument, progress, error);
}

/* An order is made, published and shown while another thread goes on with the natural case. */
TEST(an_order_is_made_off_to_the_side)
{
    FREED(session_free) struct session session;
    struct order_choice choice;
    FREED(reorder_free) struct reorder made;
    struct job analysing, making;
    load(&session, "gen:laplace2d,n=60");
    assert_int_equal(conversions_want_all(&session.cases[0].conversions, PRECISION_F64, NULL), STATUS_OK);
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, &choice, &made, NULL), STATUS_OK);
    assert_int_equal(session.case_count, 1);
    assert_int_equal(job_start(&analysing, analyse, &session, NULL), STATUS_OK);
    assert_int_equal(job_start(&making, make_order, &made, NULL), STATUS_OK);
    assert_int_equal(job_join(&making), STATUS_OK);
    struct matrix_case *added = reorder_publish(&session, &made, NULL);
    assert_ptr_equal(added, &session.cases[1]);
    assert_ptr_equal(added->order, added->reordering.name);
    assert_string_equal(added->reordering.asked, "rcm");
    assert_null(made.reordering.to);
    session.shown = added;
    assert_int_equal(job_join(&analysing), STATUS_OK);
    assert_true(case_has(&session.cases[0], SESSION_STRUCTURE));
    assert_false(case_has(added, SESSION_STRUCTURE));
}

TEST(refused_orders_have_a_reason)
{
    FREED(session_free) struct session session;
    struct order_choice choice;
    struct reorder made;
    struct error error = {0};
    load(&session, "gen:laplace2d,n=8");
    assert_int_equal(order_choice_read("natural", &choice, NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, &choice, &made, &error), STATUS_USAGE);
    reorder_free(&made);
    error_clear(&error);
    assert_int_equal(order_choice_read("random", &choice, NULL), STATUS_OK);
    for (int k = 1; k < SESSION_CASES; k++)
        assert_int_equal(reorder(&session, "length", NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, &choice, &made, &error), STATUS_USAGE);
    assert_says(error.message, "at most 8 orders");
    reorder_free(&made);
}
