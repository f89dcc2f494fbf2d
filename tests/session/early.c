/* Early advice, from the forecasts that exist while others are still being made. */
#include "formats/csr.h"
#include "session/advice.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/unit.h"

/* Forecast everything, and then hide the results after the first storage. */
static struct foresight *forecast_first(struct session *session)
{
    struct foresight *foresight = &session->shown->foresight[PRECISION_F64];
    assert_int_equal(session_foresight(session, session->shown, foresight, NULL, NULL), STATUS_OK);
    assert_true(foresight_count(foresight) > 3);
    atomic_store(&foresight->complete, false);
    atomic_fetch_and(&session->shown->ready, ~(unsigned)SESSION_FORESIGHT);
    return foresight;
}

static int of_csr(const struct advice *advice)
{
    int count = 0;
    for (int k = 0; k < advice->count; k++)
        count += advice->candidates[k].result->choice.kernel->format == &format_csr;
    return count;
}

TEST(csr_is_forecast_first_and_advised_early)
{
    struct advice_question question = {.precision = PRECISION_F64};
    FREED(session_free) struct session session;
    struct advices advices;
    advising_load(&session, "gen:random,m=2000,mean=6,spread=3");
    struct foresight *foresight = forecast_first(&session);
    const int all = foresight_count(foresight);
    atomic_store(&foresight->count, 1);
    assert_int_equal(session_advise(&session, session.shown, question, &advices, NULL), STATUS_OK);
    for (int place = 0; place < ADVICE_PLACES; place++)
        assert_false(advices.items[place].there);
    advices_free(&advices);

    question.early = true;
    assert_int_equal(session_advise(&session, session.shown, question, &advices, NULL), STATUS_OK);
    const int early = advices.items[ADVICE_CPU].count;
    assert_true(advices.items[ADVICE_GPU].there && early > 0);
    assert_int_equal(of_csr(&advices.items[ADVICE_CPU]), early);
    assert_int_equal(of_csr(&advices.items[ADVICE_GPU]), advices.items[ADVICE_GPU].count);
    advices_free(&advices);

    atomic_store(&foresight->count, all);
    assert_int_equal(session_advise(&session, session.shown, question, &advices, NULL), STATUS_OK);
    assert_true(advices.items[ADVICE_CPU].count > early);
    advices_free(&advices);
}

/* An order cannot be judged by the best of a few kernels. */
TEST(orders_are_compared_when_all_is_forecast)
{
    struct advice_question question = {.precision = PRECISION_F64, .early = true};
    FREED(session_free) struct session session;
    struct advices advices;
    struct order_choice choice;
    advising_load(&session, "gen:laplace2d,n=40");
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(session_reorder(&session, &choice, NULL, NULL), STATUS_OK);
    order_choice_free(&choice);
    struct matrix_case *other = &session.cases[1];
    assert_int_equal(session_foresight(&session, other, &other->foresight[PRECISION_F64], NULL, NULL),
                     STATUS_OK);
    struct foresight *foresight = forecast_first(&session);
    assert_int_equal(session_advise(&session, session.shown, question, &advices, NULL), STATUS_OK);
    assert_int_equal(advices.items[ADVICE_CPU].order_count, 0);
    advices_free(&advices);
    atomic_store(&foresight->complete, true);
    assert_int_equal(session_advise(&session, session.shown, question, &advices, NULL), STATUS_OK);
    assert_int_equal(advices.items[ADVICE_CPU].order_count, 1);
    advices_free(&advices);
}
