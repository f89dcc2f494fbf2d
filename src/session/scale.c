#include "session/scale.h"

#include <string.h>

#include "formats/csr.h"
#include "kernels/cpu/csr.h"

int session_rank_threads(const struct session *session, int node)
{
    const int all = session->processor.threads;
    if (node <= 1 || all < 1) return 0;
    return all > node ? all / node : 1;
}

struct crowd session_crowd(const struct session *session, const struct advice_candidate *candidate)
{
    const struct processor *processor = &session->processor;
    const struct prediction *prediction = candidate->prediction;
    const struct kernel_choice *choice = &candidate->result->resolved;
    const struct format_choice csr = format_choice_default(&format_csr, choice->format.precision);
    struct crowd crowd = {.host = true, .bytes = candidate->memory, .threads = choice->threads};
    if (choice->kernel->backend->devices) return (struct crowd){0};
    if (!processor->there || !prediction) return crowd;
    crowd.by_rows = choice->format.format == &format_csr;
    crowd.processor = processor;
    crowd.loop = processor_loop(processor, choice->kernel, &choice->format);
    crowd.csr = processor_loop(processor, &kernel_cpu_csr_seq, &csr);
    memcpy(crowd.term, prediction->term, sizeof crowd.term);
    return crowd;
}

/* Return the fastest result in double precision that ranks ran; NULL if there is none. */
static const struct result *fastest_of_ranks(const struct results *results)
{
    const struct result *best = NULL;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!result_timed(result) || result->ranked.ranks == 0 || result->choice.kernel->backend->devices ||
            result->choice.format.precision != PRECISION_F64)
            continue;
        if (!best || result->samples.median < best->samples.median) best = result;
    }
    return best;
}

/* Record the measured times of this kernel for all partitions. */
static void compare(const struct results *results, const struct result *best,
                    struct distribution *distribution)
{
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!result_timed(result) || result->ranked.ranks == 0 ||
            kernel_choice_compare(&result->choice, &best->choice) != 0)
            continue;
        distribution_compare(distribution, result->ranked.ranks, result->ranked.partition,
                             result->samples.median);
    }
}

/* Predict from a candidate's time, which is that of one process. */
static void predict(const struct session *session, struct matrix_case *of,
                    const struct advice_candidate *candidate)
{
    const struct product product = of->results.options.product;
    const struct crowd crowd = session_crowd(session, candidate);
    const size_t bytes =
        (size_t)value_width(PRECISION_F64, case_is_complex(of)) * (size_t)product_columns(product);
    distribution_predict(&of->distribution, candidate->seconds * 1e6, candidate->measured,
                         candidate->result->name, bytes, &crowd);
}

/* Return the candidate for this choice and number of threads, measured if possible; NULL if there is none. */
static const struct advice_candidate *known(const struct advice *advice, const struct kernel_choice *choice,
                                            int threads)
{
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        if (candidate->result->resolved.threads == threads &&
            (kernel_choice_alike(&candidate->result->choice, choice) ||
             kernel_choice_alike(&candidate->result->resolved, choice)))
            return candidate;
    }
    return NULL;
}

/* Forecast the kernel of a choice with the threads of a rank, and predict from that. */
static enum status predict_rank(struct session *session, struct matrix_case *of,
                                const struct kernel_choice *choice, int threads, const struct advice *advice,
                                struct progress *progress, struct error *error)
{
    const struct kernel_choice own = kernel_choice_with(choice, PRECISION_F64, threads);
    const struct product product = of->results.options.product;
    const struct advice_candidate *candidate = known(advice, choice, own.threads);
    struct results results = {0};
    struct advice_candidate alone = {.results = &results};
    if (candidate) {
        predict(session, of, candidate);
        return STATUS_OK;
    }
    enum status status = results_want(&results, &own, error);
    if (status == STATUS_OK)
        status = session_foresee(session, of, &results, product, 0, NULL, progress, error);
    if (status == STATUS_OK && results.items[0].predicted[0].there) {
        const int vectors = product_columns(product), value = value_width(PRECISION_F64, case_is_complex(of));
        alone.result = &results.items[0];
        alone.prediction = &results.items[0].predicted[0];
        alone.seconds = alone.prediction->seconds;
        alone.memory = (double)alone.result->size.bytes +
                       ((double)of->matrix.csr.rows + (double)of->matrix.csr.cols) * value * vectors;
        predict(session, of, &alone);
    }
    results_free(&results);
    return status;
}

enum status session_scale(struct session *session, struct matrix_case *of, struct progress *progress,
                          struct error *error)
{
    struct advices advices = {0};
    const struct result *ranked = fastest_of_ranks(&of->results);
    enum status status = session_advise(session, of, advice_question_of(of, PRECISION_F64), &advices, error);
    const struct advice *advice = &advices.items[ADVICE_CPU];
    if (status == STATUS_OK && advice->there) {
        const struct advice_candidate *best = &advice->candidates[advice->best];
        const int threads =
            ranked ? ranked->resolved.threads : session_rank_threads(session, of->distribution.network.node);
        if (ranked || threads > 0)
            status = predict_rank(session, of, ranked ? &ranked->resolved : &best->result->resolved, threads,
                                  advice, progress, error);
        else
            predict(session, of, best);
    }
    /* For products with A^T, ranks divide the rows of A^T, which are not the parts of A. */
    if (status == STATUS_OK && ranked && !of->results.options.product.transposed)
        compare(&of->results, ranked, &of->distribution);
    advices_free(&advices);
    return status;
}
