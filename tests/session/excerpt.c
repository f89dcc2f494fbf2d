/* Forecasts from an excerpt of a matrix, whose entries were streamed or are in memory, compared with
 * forecasts from all entries. */
#include <math.h>
#include <string.h>

#include "analysis/forecast/cpu_parts.h"
#include "session/session.h"
#include "support/unit.h"

/* The result for the same choice in the foresight of another case; NULL: there is none. */
static const struct result *same_choice(const struct foresight *foresight, const struct result *result)
{
    for (int g = 0; g < foresight->count; g++)
        for (int k = 0; k < foresight->groups[g].count; k++) {
            const struct result *other = &foresight->groups[g].items[k];
            if (other->choice.kernel == result->choice.kernel &&
                format_choice_same(&other->choice.format, &result->choice.format))
                return other;
        }
    return NULL;
}

static bool is_forecast(const struct result *result)
{
    return result && result->choice.kernel->trace && result->predicted[0].there;
}

/* Compare each forecast from an excerpt with that from all entries, and the kernel chosen by the excerpt with
 * the best one. */
static void check_forecasts(const char *name, const struct foresight *part, const struct results *all)
{
    double chosen = INFINITY, taken = 0, best = INFINITY;
    double worst = 1;
    int count = 0;
    for (int k = 0; k < all->count; k++) {
        const struct result *result = &all->items[k], *found = same_choice(part, result);
        if (!is_forecast(result) || !is_forecast(found)) continue;
        double seconds = result->predicted[0].seconds, forecast = found->predicted[0].seconds;
        assert_true(fabs((double)found->size.bytes - (double)result->size.bytes) <= found->size.error);
        worst = fmax(worst, fmax(forecast / seconds, seconds / forecast));
        count++;
        best = fmin(best, seconds);
        if (forecast < chosen) {
            chosen = forecast;
            taken = seconds;
        }
    }
    print_message(
        "# %s: %d forecasts within a factor of %.3f; the chosen kernel takes %.3f of the best's time\n", name,
        count, worst, taken / best);
    assert_true(count >= 12 && worst <= 1.2);
    assert_true(taken <= 1.15 * best);
}

/* Forecast all kernels from all entries. */
static void forecast_from_all(struct session *session, struct results *results)
{
    struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, "all", NULL), STATUS_OK);
    for (int k = 0; k < list.count; k++)
        if (list.choices[k].kernel->trace)
            assert_int_equal(results_want(results, &list.choices[k], NULL), STATUS_OK);
    kernel_list_free(&list);
    assert_int_equal(session_foresee(session, NULL, results, (struct product){0}, 0, NULL, NULL, NULL),
                     STATUS_OK);
}

/* Forecasts from some of the entries are close to those from all. */
TEST(kernels_are_forecast_from_an_excerpt)
{
    static const char *const names[] = {"gen:stencil27,n=54", "gen:banded,n=100000",
                                        "gen:random,m=90000,mean=16"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct session all = {0}, part = {0};
        const struct load_options few = {.stream = true, .limit = (size_t)600 << 20};
        struct error error = {0};
        struct results results = {0};
        assert_int_equal(session_load(&all, names[k], &(struct load_options){0}, NULL, &error), STATUS_OK);
        assert_int_equal(session_load(&part, names[k], &few, NULL, &error), STATUS_OK);
        assert_false(case_has(part.shown, SESSION_FORESIGHT));
        assert_true(part.shown->excerpt.there && !part.shown->excerpt.whole);
        assert_true(csr_nnz(&part.shown->excerpt.rows) * 3 < case_nnz(all.shown));
        all.hasty = part.hasty = true;
        assert_int_equal(session_need(&all, NULL, SESSION_FORESIGHT, NULL, NULL), STATUS_OK);
        assert_int_equal(session_need(&part, NULL, SESSION_FORESIGHT, NULL, NULL), STATUS_OK);
        const struct excerpt *used =
            part.shown->foreseen.there ? &part.shown->foreseen : &part.shown->excerpt;
        assert_true(part.shown->foresight[PRECISION_F64].excerpt_rows == used->rows.rows);
        forecast_from_all(&all, &results);
        const struct foresight *own = &all.shown->foresight[PRECISION_F64];
        assert_true(own->excerpt_entries > 0 && own->excerpt_entries <= excerpt_kept(&all.shown->matrix.csr));
        check_forecasts(names[k], &part.shown->foresight[PRECISION_F64], &results);
        check_forecasts(names[k], own, &results);
        results_free(&results);
        session_free(&all);
        session_free(&part);
    }
}

/* A stream has the excerpt that the matrix in memory has, and the same forecasts, whether its own excerpt has
 * all entries or some. Only the blocks of BSR are estimated if it has some. */
TEST(a_stream_is_forecast_from_the_excerpt_of_the_matrix_in_memory)
{
    static const char *const names[] = {"gen:random,m=30000,mean=15", "gen:stencil27,n=25",
                                        "gen:stencil27,n=46"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct session all = {0}, part = {0};
        const struct load_options options[] = {{.limit = (size_t)8 << 30},
                                               {.stream = true, .limit = (size_t)8 << 30}};
        int compared = 0;
        assert_int_equal(session_load(&all, names[k], &options[0], NULL, NULL), STATUS_OK);
        assert_int_equal(session_load(&part, names[k], &options[1], NULL, NULL), STATUS_OK);
        assert_true(part.shown->excerpt.there && part.shown->foreseen.there == !part.shown->excerpt.whole);
        all.hasty = part.hasty = true;
        assert_int_equal(session_need(&all, NULL, SESSION_FORESIGHT, NULL, NULL), STATUS_OK);
        assert_int_equal(session_need(&part, NULL, SESSION_FORESIGHT, NULL, NULL), STATUS_OK);
        const struct foresight *one = &all.shown->foresight[PRECISION_F64],
                               *two = &part.shown->foresight[PRECISION_F64];
        assert_true(one->excerpt_entries > 0 && one->excerpt_entries == two->excerpt_entries);
        assert_true(one->excerpt_rows == two->excerpt_rows);
        assert_true(one->excerpt_columns == two->excerpt_columns);
        for (int g = 0; g < one->count; g++)
            for (int j = 0; j < one->groups[g].count; j++) {
                const struct result *result = &one->groups[g].items[j], *other = same_choice(two, result);
                if (!is_forecast(result) || strcmp(result->choice.kernel->format->name, "bsr") == 0) continue;
                assert_true(is_forecast(other));
                assert_true(other->predicted[0].seconds == result->predicted[0].seconds);
                compared++;
            }
        assert_true(compared >= 12);
        session_free(&all);
        session_free(&part);
    }
}

/* The slots of DIA within the matrix are known of a stream, too, from its set of diagonals. */
TEST(a_stream_is_forecast_in_dia_on_processors)
{
    struct session all = {0}, part = {0};
    const struct load_options stream = {.stream = true};
    assert_int_equal(session_load(&all, "gen:stencil27,n=20", &(struct load_options){0}, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(session_load(&part, "gen:stencil27,n=20", &stream, NULL, NULL), STATUS_OK);
    struct cpu_matrix one = {.a = &all.shown->matrix.csr}, two = {.a = &part.shown->matrix.csr};
    assert_int_equal(cpu_need_inside(&one, NULL), STATUS_OK);
    assert_int_equal(cpu_need_inside(&two, NULL), STATUS_OK);
    /* Of n^3 rows, diagonal a + b n + c n^2 has n^3 - |a + b n + c n^2| positions: in all 27 n^3, less twice
     * the sum over half of the offsets. */
    const double n = 20, n2 = n * n;
    assert_true(one.inside == 27 * n2 * n - 2 * (9 * n2 + 3 * n + 1));
    assert_true(two.inside == one.inside);
    cpu_matrix_free(&one);
    cpu_matrix_free(&two);
    session_free(&all);
    session_free(&part);
}
