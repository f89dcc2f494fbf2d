#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/advising.h"
#include "support/preparing.h"

struct results *advising_load(struct session *session, const char *name)
{
    const struct load_options options = {0};
    struct error error = {0};
    struct gpu gpu;
    assert_int_equal(session_load(session, name, &options, NULL, &error), STATUS_OK);
    assert_int_equal(gpu_find("h200", &gpu, &error), STATUS_OK);
    session_for_gpu(session, &gpu, 0);
    assert_int_equal(session_need(session, NULL, SESSION_GPU | SESSION_ROW_LENGTHS, NULL, &error), STATUS_OK);
    return &session->shown->results;
}

struct matrix_case *advising_reorder(struct session *session)
{
    struct session other;
    advising_load(&other, ADVISING_MATRIX);
    struct matrix matrix = other.shown->matrix;
    other.shown->matrix = (struct matrix){0};
    struct matrix_case *reordered = session_add_case(session, "rcm", &matrix, NULL);
    assert_non_null(reordered);
    session_free(&other);
    return reordered;
}

struct result *advising_add_in(struct results *results, const struct kernel *kernel, enum precision precision,
                               size_t bytes)
{
    const struct kernel_choice choice = preparing_choice(kernel, "", precision, 1);
    assert_int_equal(results_want(results, &choice, NULL), STATUS_OK);
    struct result *result = &results->items[results->count - 1];
    const struct kernel_choice wanted = result->choice;
    *result = result_unrun(&wanted, false, (struct product){0});
    result->status = STATUS_OK;
    result->sized = true;
    result->size.bytes = bytes;
    return result;
}

struct result *advising_add(struct results *results, const struct kernel *kernel, size_t bytes)
{
    return advising_add_in(results, kernel, PRECISION_F64, bytes);
}

void advising_time(struct result *result, double seconds, double around, double convert)
{
    result->samples = (struct samples){
        .count = 30, .median = seconds, .time = seconds, .low = seconds - around, .high = seconds + around};
    result->convert_seconds = convert;
}

void advising_forecast(struct result *result, double seconds, enum bound bound)
{
    bool device = result->choice.kernel->backend->devices != NULL;
    struct prediction *prediction = &result->predicted[0];
    *prediction = (struct prediction){
        .there = true, .seconds = seconds, .low = seconds / 1.1, .high = 1.1 * seconds, .bound = bound};
    prediction->term[bound] = seconds;
    snprintf(prediction->machine, sizeof prediction->machine, "%s", device ? "h200" : "cpu");
}

const struct advices *advising(struct session *session)
{
    static struct advices advices;
    advices_free(&advices);
    assert_int_equal(session_advise(session, session->shown,
                                    advice_question_of(session->shown, PRECISION_F64), &advices, NULL),
                     STATUS_OK);
    return &advices;
}
