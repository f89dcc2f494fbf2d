/* Forecasts of all kernels of a case: which are left out, and that nothing known is forecast again. */
#include <math.h>
#include <stdio.h>

#include "analysis/criteria.h"
#include "analysis/emptiness.h"
#include "formats/csr.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/unit.h"

/* ELL and DIA of an arrow are hundreds of times CSR: they are not converted. Known forecasts are not made
 * again. */
TEST(foresight_leaves_out_what_is_hopeless_or_known)
{
    FREED(session_free) struct session session;
    struct error error = {0};
    advising_load(&session, "gen:arrow,n=3000");
    const struct foresight *foresight = &session.shown->foresight[PRECISION_F64];
    advising_add(&session.shown->results, &kernel_cuda_csr_vector, ADVISING_CSR);
    assert_int_equal(
        session_foresight(&session, session.shown, &session.shown->foresight[PRECISION_F64], NULL, &error),
        STATUS_OK);
    assert_true(foresight_complete(foresight) && foresight->count > 3);
    for (int k = 0; k < foresight->count; k++)
        for (int j = 0; j < foresight->groups[k].count; j++) {
            const struct result *result = &foresight->groups[k].items[j];
            assert_ptr_not_equal(result->choice.kernel->format, &format_ell);
            assert_ptr_not_equal(result->choice.kernel, &kernel_cuda_csr_vector);
            assert_true(isnan(result->samples.time));
        }
    int count = foresight->count;
    assert_int_equal(
        session_foresight(&session, session.shown, &session.shown->foresight[PRECISION_F64], NULL, &error),
        STATUS_OK);
    assert_int_equal(foresight->count, count);
    assert_false(foresight_complete(&session.shown->foresight[PRECISION_F32]));
}

/* If nearly all rows are empty, kernels are neither forecast nor counted, except for the criterion of
 * space. */
TEST(rows_that_are_nearly_all_empty_are_not_walked)
{
    static const char name[] = "nearly-empty.mtx";
    for (int more = 0; more < 2; more++) {
        const long long rows = EMPTINESS_ROWS + more;
        struct session session;
        struct error error = {0};
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%lld 9 2\n1 1 1\n%lld 9 2\n", rows,
                rows);
        assert_int_equal(fclose(file), 0);
        advising_load(&session, name);
        remove(name);
        assert_int_equal(case_nearly_empty(session.shown), more);
        if (!more) {
            session_free(&session);
            continue;
        }
        assert_int_equal(session_foresight(&session, session.shown, &session.shown->foresight[PRECISION_F64],
                                           NULL, &error),
                         STATUS_OK);
        assert_true(foresight_complete(&session.shown->foresight[PRECISION_F64]));
        assert_int_equal(session.shown->foresight[PRECISION_F64].count, 0);
        struct storage storage;
        struct criteria criteria;
        const struct format_choice choice = {.format = &format_csr, .precision = PRECISION_F64};
        assert_int_equal(format_plan(&choice, &(struct format_options){0}, &session.shown->matrix.csr, NULL,
                                     &storage, &error),
                         STATUS_OK);
        assert_int_equal(criteria_of(&storage, &session.shown->matrix.csr, NULL, &criteria, &error),
                         STATUS_OK);
        assert_true(criteria.space > 0 && isnan(criteria.access) && isnan(criteria.flexibility));
        storage_free(&storage);
        session_free(&session);
    }
}
