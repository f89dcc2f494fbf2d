/* Computing the parts of a session that a report needs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/timing/processor_sure.h"
#include "matrix/files/vector.h"
#include "matrix/orders/permute.h"
#include "report/json/carried.h"
#include "report/report.h"
#include "report/sections.h"
#include "session/advice.h"
#include "session/scale.h"
#include "session/solve_advice.h"

void report_request_free(struct report_request *request)
{
    format_list_free(&request->convert);
    format_list_free(&request->arrays);
    kernel_list_free(&request->kernels);
    order_list_free(&request->orders);
    partition_list_free(&request->distribution.partitions);
    *request = (struct report_request){0};
}

/* Return the conversion of item k of a list in this precision. Request it if it is new. */
static struct conversion *want(struct session *session, const struct format_list *list, int k,
                               enum precision precision, struct error *error)
{
    struct format_choice choice = list->choices[k];
    choice.precision = precision;
    return conversions_want(&session->shown->conversions, &choice, error);
}

/* Request the formats of a list. With `keep` their arrays stay, because they are shown. */
static enum status want_list(struct session *session, const struct format_list *list,
                             enum precision precision, bool keep, struct error *error)
{
    for (int k = 0; k < list->count; k++) {
        struct conversion *conversion = want(session, list, k, precision, error);
        if (!conversion) return error->status;
        if (keep) conversion->keep = true;
        conversion->patterned = conversion->patterned || list->choices[k].by_pattern;
        conversion->named = conversion->named || !list->choices[k].by_pattern;
    }
    return STATUS_OK;
}

static enum status build_list(struct session *session, const struct format_list *list,
                              enum precision precision, struct progress *progress, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < list->count && status == STATUS_OK; k++) {
        struct conversion *conversion = want(session, list, k, precision, error);
        status = conversion ? conversion_build(conversion, session->limit, progress, error) : error->status;
    }
    return status;
}

static bool asked(const struct report_request *request, enum precision precision)
{
    return precision == PRECISION_F32 ? request->f32 : request->f64 || !request->f32;
}

/* Request the kernels in one precision, with each number of threads. */
static enum status want_kernels(struct session *session, const struct report_request *request,
                                const struct kernel_list *list, enum precision precision, struct error *error)
{
    const int standard[] = {request->alone};
    const int *threads = request->threads.count ? request->threads.items : standard;
    int count = request->threads.count ? request->threads.count : 1;
    enum status status = STATUS_OK;
    for (int k = 0; k < list->count; k++)
        for (int t = 0; t < count && status == STATUS_OK; t++) {
            const struct kernel_choice choice = kernel_choice_with(&list->choices[k], precision, threads[t]);
            status = results_want(&session->shown->results, &choice, error);
        }
    return status;
}

/* Return the parts that the sections of the report need. *wants becomes the parts that they use if memory
 * suffices. */
static unsigned needs_of(const struct report_request *request, unsigned *wants)
{
    unsigned needs = SESSION_MATRIX;
    *wants = 0;
    for (const struct report_section *section = report_sections; section->name; section++) {
        if (!sections_have(request->only, section->bit)) continue;
        needs |= section->needs;
        *wants |= section->wants;
    }
    return needs;
}

/* Request the named kernels, or all kernels if they are to be tuned and none was named. */
static enum status want_listed(struct session *session, const struct report_request *request,
                               enum precision precision, struct error *error)
{
    struct kernel_list all = {0};
    if (request->kernels.count > 0 || !request->tune)
        return want_kernels(session, request, &request->kernels, precision, error);
    enum status status = kernel_list_add(&all, "all", error);
    if (request->limited) kernel_list_name(&all);
    if (status == STATUS_OK) status = want_kernels(session, request, &all, precision, error);
    kernel_list_free(&all);
    return status;
}

/* The requested vectors in the natural order; {0} if not requested or not yet read. */
struct vectors {
    struct vector x, b;
};

/* Read a vector if it was requested and not yet read. */
static enum status load_vector(const char *name, struct vector_wanted wanted, const struct session *session,
                               struct progress *progress, struct vector *vector, struct error *error)
{
    if (!name || vector->real) return STATUS_OK;
    wanted.complex = csr_complex(&session->shown->matrix.csr);
    wanted.limit = session->limit;
    return vector_load(name, &wanted, progress, vector, error);
}

/* Copy one part of a vector in the order of the case; NULL stays NULL. */
static enum status reorder_part(const double *part, int64_t size, const int32_t *from, double **copy,
                                struct error *error)
{
    if (!part) return STATUS_OK;
    *copy = memory_array((size_t)size, sizeof **copy, error);
    if (!*copy) return STATUS_MEMORY;
    permute_vector(from, size, part, *copy);
    return STATUS_OK;
}

static enum status reorder_vector(const struct vector *vector, int64_t size, const int32_t *from,
                                  struct vector *copy, struct error *error)
{
    enum status status = reorder_part(vector->real, size, from, &copy->real, error);
    if (status != STATUS_OK) return status;
    return reorder_part(vector->imaginary, size, from, &copy->imaginary, error);
}

static enum status run_kernels(struct session *session, const struct report_request *request,
                               struct vectors *vectors, struct progress *progress, struct error *error)
{
    const struct csr *a = &session->shown->matrix.csr;
    const struct permutation *permutation = &session->shown->reordering.permutation;
    struct bench_options options = request->timing;
    struct vector x = {0}, b = {0};
    if (session->shown->results.count == 0) return STATUS_OK;
    const struct product product = options.product;
    const int64_t x_size = product_x_size(product, a->rows, a->cols);
    const int64_t b_size = product_y_size(product, a->rows, a->cols);
    const int32_t *rows = permutation_rows(permutation), *cols = permutation_cols(permutation);
    const struct vector_wanted wanted_x = {
        .what = "x", .lines = product.transposed ? "rows" : "columns", .size = x_size};
    const struct vector_wanted wanted_b = {
        .what = "b", .lines = product.transposed ? "columns" : "rows", .size = b_size};
    enum status status = load_vector(request->x, wanted_x, session, progress, &vectors->x, error);
    if (status == STATUS_OK)
        status = load_vector(request->b, wanted_b, session, progress, &vectors->b, error);
    if (status == STATUS_OK)
        status = reorder_vector(&vectors->x, x_size, product.transposed ? rows : cols, &x, error);
    if (status == STATUS_OK)
        status = reorder_vector(&vectors->b, b_size, product.transposed ? cols : rows, &b, error);
    options.x = x.real ? &x : NULL;
    options.b = b.real ? &b : NULL;
    options.limit = session->limit;
    const struct tune_options tune = {.how = request->tune, .timing = &options, .share = request->sample};
    if (status == STATUS_OK && request->tune)
        status = session_tune(session, session->shown, &session->shown->results, &tune, progress, error);
    else if (status == STATUS_OK)
        status = session_run(session, NULL, NULL, &session->shown->results, &options, request->sample,
                             progress, error);
    vector_free(&x);
    vector_free(&b);
    return status;
}

/* Compute an optional part. If the limit of memory does not suffice, go on without it and add a note.
 * `before` is memory_refusals() from before the part was tried. */
static enum status forgive(struct session *session, const char *what, long before, enum status status,
                           const struct error *refusal, struct error *error)
{
    if (status == STATUS_LIMIT || (status == STATUS_MEMORY && memory_refusals() > before)) {
        struct text *notes = &session->shown->matrix.notes;
        text_append(notes, "%s%s\n", what, refusal->message);
        return notes->failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    }
    if (status != STATUS_OK) *error = *refusal;
    return status;
}

static enum status need_spare(struct session *session, unsigned part, struct progress *progress,
                              struct error *error)
{
    struct error refusal = {0};
    const long before = memory_refusals();
    enum status status = session_need(session, NULL, part, progress, &refusal);
    return forgive(session, "", before, status, &refusal, error);
}

static enum status foresee_spare(struct session *session, enum precision precision, struct progress *progress,
                                 struct error *error)
{
    struct error refusal = {0};
    const long before = memory_refusals();
    const struct cost begun = cost_begin();
    struct foresight *foresight =
        case_want_foresight(session->shown, precision, session->shown->results.options.product, &refusal);
    enum status status =
        foresight ? session_foresight(session, session->shown, foresight, progress, &refusal) : STATUS_MEMORY;
    cost_end(&session->shown->costs, "forecasts", &begun);
    return forgive(session, "Forecasts are left out: ", before, status, &refusal, error);
}

/* Solve with the matrix. If it has no solves, or memory does not suffice, a note gives the reason. */
static enum status solve(struct session *session, const struct report_request *request,
                         struct progress *progress, struct error *error)
{
    struct error refusal = {0};
    const long before = memory_refusals();
    struct text *notes = &session->shown->matrix.notes;
    enum status status = session_solve(session, session->shown, &request->solver, progress, &refusal);
    if (status != STATUS_UNAVAILABLE) return forgive(session, "", before, status, &refusal, error);
    text_append(notes, "%s\n", refusal.message);
    return notes->failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Time triangular solves. If there are none, or memory does not suffice, a note gives the reason. */
static enum status time_trisolves(struct session *session, const struct report_request *request,
                                  struct progress *progress, struct error *error)
{
    struct matrix_case *shown = session->shown;
    struct error refusal = {0};
    const long before = memory_refusals();
    const int threads = request->threads.count ? thread_counts_max(&request->threads) : threads_count();
    const struct cost begun = cost_begin();
    trisolves_free(&shown->trisolves);
    const struct trisolves_options options = {.operations = request->trisolves,
                                              .threads = threads,
                                              .device = request->timing.device,
                                              .limit = session->limit};
    enum status status =
        trisolves_run_with(&shown->matrix.csr, &options, progress, &shown->trisolves, &refusal);
    cost_end(&shown->costs, "timed triangular solves", &begun);
    if (status != STATUS_UNAVAILABLE) return forgive(session, "", before, status, &refusal, error);
    text_append(&shown->matrix.notes, "%s\n", refusal.message);
    return shown->matrix.notes.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Partition the matrix, unless ranks did that already. Predict the scaling from the kernel that ranks ran, or
 * else from the fastest kernel of the processors. */
static enum status distribute(struct session *session, const struct report_request *request,
                              struct progress *progress, struct error *error)
{
    struct matrix_case *shown = session->shown;
    const struct cost begun = cost_begin();
    struct distribution_request asked_for = request->distribution; /* the request keeps its list */
    asked_for.sketched = request->carry && shown == session->cases;
    enum status status = STATUS_OK;
    if (shown->distribution.count == 0)
        status = distribution_make(&shown->matrix, &asked_for, session->limit, progress, &shown->distribution,
                                   error);
    if (status == STATUS_OK) status = session_scale(session, shown, progress, error);
    cost_end(&shown->costs, "partitions", &begun);
    return status;
}

/* Compute the fill of a factor. If it is missing after AMD, a note gives the reason. */
static enum status need_fill(struct session *session, struct progress *progress, struct error *error)
{
    struct text *notes = &session->shown->matrix.notes;
    enum status status = need_spare(session, SESSION_FILL, progress, error);
    const char *why = session->shown->fills.left_out;
    if (status != STATUS_OK || !why[0]) return status;
    text_append(notes, "The fill after AMD is left out: %s. --reorder=amd reports it without a bound.\n",
                why);
    return notes->failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Name the requested parts that need entries, which are not in memory; the matrix's notes have the reason. */
static enum status note_absent(struct session *session, const struct report_request *request,
                               struct error *error)
{
    struct text list = {0}, *notes = &session->shown->matrix.notes;
    const struct {
        bool asked;
        const char *what;
    } parts[] = {{request->kernels.count > 0 || request->tune, "kernels"},
                 {request->convert.count > 0 && !request->convert_apart, "conversions"},
                 {request->arrays.count > 0, "arrays"},
                 {request->orders.count > 0, "other orders"},
                 {request->structure, "blocks, fill, levels and colours"},
                 {request->rounding, "rounding"},
                 {request->spgemm, "sparse products"},
                 {request->solve, "solves"},
                 {request->trisolve, "times of triangular solves"},
                 {request->distribution.count > 0 && session->shown->distribution.count == 0, "parts"}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k].asked) text_append(&list, "%s%s", list.length ? ", " : "", parts[k].what);
    if (list.length) text_append(notes, "Not available without entries: %s.\n", list.data);
    bool failed = list.failed || notes->failed;
    text_free(&list);
    return failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

bool report_times_nothing(const struct report_request *request)
{
    return !request->tune && !request->solve && !request->trisolve && request->kernels.count == 0 &&
           request->convert.count == 0 && request->arrays.count == 0 && request->orders.count == 0;
}

/* True if one thread does all work: gathering the others would take longer. */
static bool is_small(const struct session *session, const struct report_request *request)
{
    return report_times_nothing(request) && case_nnz(session->cases) <= PARALLEL_MIN;
}

/* Begin exclusive work, for timing; work_beside ends it. */
static void work_alone(const struct session *session, const struct report_request *request)
{
    if (session->passive) passive_end(session->passive);
    process_lock_take(request->lock, PROCESS_LOCK_ALONE);
    if (request->beside || is_small(session, request)) threads_set(session->threads);
    if (request->beside) threads_fit();
}

static void work_beside(const struct session *session, const struct report_request *request)
{
    process_lock_take(request->lock, PROCESS_LOCK_SHARED);
    if (request->beside) threads_set(request->beside);
    if (is_small(session, request))
        threads_set(1);
    else if (session->passive && report_times_nothing(request))
        passive_begin(session->passive, threads_count());
}

/* Obtain the constants of the processor, exclusively, since that may measure them. */
static enum status need_processor(struct session *session, const struct report_request *request,
                                  struct progress *progress, struct error *error)
{
    if (session->processor.there || case_nnz(session->shown) == 0) return STATUS_OK;
    work_alone(session, request);
    const struct cost begun = cost_begin();
    enum status status =
        processor_here(&session->processor, PROCESSOR_PROBED, session->limit, progress, error);
    cost_end(&session->shown->costs, "speed of the processors", &begun);
    work_beside(session, request);
    return status;
}

/* Prepare a case whose entries are not in memory: its formats are planned as far as lengths suffice;
 * everything else is either known or missing. */
static enum status prepare_known(struct session *session, const struct report_request *request,
                                 struct progress *progress, struct error *error)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    enum status status = note_absent(session, request, error);
    for (int p = 0; p < 2 && status == STATUS_OK; p++) {
        if (!asked(request, precisions[p])) continue;
        status = conversions_want_all(&session->shown->conversions, precisions[p], error);
        if (status == STATUS_OK) status = want_list(session, &request->convert, precisions[p], false, error);
    }
    if (status == STATUS_OK) status = session_need(session, NULL, REPORT_NEEDS, progress, error);
    const bool forecast = session->shown->excerpt.there && sections_have(request->only, SECTION_ADVICE);
    if (status == STATUS_OK && forecast) status = need_processor(session, request, progress, error);
    for (int p = 0; p < 2 && status == STATUS_OK && forecast; p++)
        if (asked(request, precisions[p])) status = foresee_spare(session, precisions[p], progress, error);
    if (status == STATUS_OK && request->distribution.count &&
        session->shown->distribution.count) /* computed by ranks */
        status = session_scale(session, session->shown, progress, error);
    return status;
}

unsigned report_needs(const struct report_request *request)
{
    unsigned spare;
    const unsigned needs = needs_of(request, &spare);
    return needs | spare;
}

unsigned report_wants(const struct report_request *request)
{
    return request->wants | (request->carry ? CARRIED_WANTS : 0);
}

/* Prepare the case that is shown. */
static enum status prepare(struct session *session, const struct report_request *request,
                           struct vectors *vectors, struct progress *progress, struct error *error)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    enum status status = STATUS_OK;
    if (!case_has_entries(session->shown)) return prepare_known(session, request, progress, error);
    for (int p = 0; p < 2 && status == STATUS_OK; p++) {
        if (!asked(request, precisions[p])) continue;
        if (sections_have(request->only, SECTION_FORMATS))
            status = conversions_want_all(&session->shown->conversions, precisions[p], error);
        if (status == STATUS_OK) status = want_list(session, &request->convert, precisions[p], false, error);
        if (status == STATUS_OK) status = want_list(session, &request->arrays, precisions[p], true, error);
        if (status == STATUS_OK) status = want_listed(session, request, precisions[p], error);
    }
    unsigned spare;
    if (status == STATUS_OK) status = session_need(session, NULL, needs_of(request, &spare), progress, error);
    if (status == STATUS_OK && spare) status = need_spare(session, spare, progress, error);
    const bool natural = session->shown == session->cases;
    const unsigned wants = natural ? report_wants(request) : request->wants;
    if (status == STATUS_OK && wants) status = need_spare(session, wants, progress, error);
    if (status == STATUS_OK && request->structure)
        status = need_spare(session, SESSION_DENSE_BLOCKS, progress, error);
    if (status == STATUS_OK && request->structure)
        status = need_spare(session, SESSION_BLOCKS, progress, error);
    if (status == STATUS_OK && request->structure) status = need_fill(session, progress, error);
    if (status == STATUS_OK && request->structure)
        status = need_spare(session, SESSION_SOLVES, progress, error);
    if (status == STATUS_OK && request->structure) status = need_spare(session, SESSION_QR, progress, error);
    if (status == STATUS_OK && request->spgemm) status = need_spare(session, SESSION_SPGEMM, progress, error);
    if (status == STATUS_OK && request->rounding)
        status = need_spare(session, SESSION_PRECISIONS, progress, error);
    /* Shown arrays are kept from here on, for kernels too. Timed conversions come last: kernels have made
     * most of them by then, and they are not repeated. */
    for (int p = 0; p < 2 && status == STATUS_OK; p++)
        if (asked(request, precisions[p]))
            status = build_list(session, &request->arrays, precisions[p], progress, error);
    const bool converts = request->convert.count > 0 && !request->convert_apart;
    bool timed = session->shown->results.count > 0 || converts || request->solve || request->trisolve;
    const struct cost begun = cost_begin();
    if (timed) work_alone(session, request);
    if (status == STATUS_OK) status = run_kernels(session, request, vectors, progress, error);
    for (int p = 0; p < 2 && status == STATUS_OK && converts; p++)
        if (asked(request, precisions[p]))
            status = build_list(session, &request->convert, precisions[p], progress, error);
    if (timed) cost_end(&session->shown->costs, "timed kernels", &begun);
    if (status == STATUS_OK && request->solve) status = solve(session, request, progress, error);
    if (status == STATUS_OK && request->trisolve) status = time_trisolves(session, request, progress, error);
    if (timed) work_beside(session, request);
    const bool forecast = sections_have(request->only, SECTION_ADVICE) || request->distribution.count > 0 ||
                          session->shown->solving.count > 0;
    if (status == STATUS_OK && forecast) status = need_processor(session, request, progress, error);
    for (int p = 0; p < 2 && status == STATUS_OK && forecast; p++)
        if (asked(request, precisions[p])) status = foresee_spare(session, precisions[p], progress, error);
    if (status == STATUS_OK && request->distribution.count)
        status = distribute(session, request, progress, error);
    return status;
}

/* Take the request's settings for all cases. */
static void begin(struct session *session, const struct report_request *request)
{
    session_for_gpu(session, &request->gpu, request->timing.device);
    session->carry = request->carry;
    session->costs = request->costs;
    session->brief = request->brief && report_times_nothing(request) && request->distribution.count == 0;
    session->only = request->only;
}

/* Errors without a position concern the matrix that is shown. */
static enum status placed(enum status status, const struct session *session, struct error *error)
{
    if (status != STATUS_OK && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", session->shown->matrix.path);
    return status;
}

/* Prepare a case, which becomes the shown one. */
static enum status prepare_case(struct session *session, struct matrix_case *of,
                                const struct report_request *request, struct vectors *vectors,
                                struct progress *progress, struct error *error)
{
    session->shown = of;
    of->results.options.product =
        request->timing.product; /* advice is for this product even if no kernel is run */
    return prepare(session, request, vectors, progress, error);
}

enum status report_prepare_case(struct session *session, struct matrix_case *of,
                                const struct report_request *request, struct progress *progress,
                                struct error *error)
{
    struct vectors vectors = {0};
    const int threads = threads_count();
    const bool small = is_small(session, request);
    if (of == session->cases) begin(session, request);
    session->threads = small && request->alone == 0 ? threads : request->alone;
    if (small) threads_set(1);
    enum status status = prepare_case(session, of, request, &vectors, progress, error);
    if (small) threads_set(threads);
    vector_free(&vectors.x);
    vector_free(&vectors.b);
    return placed(status, session, error);
}

enum status report_prepare(struct session *session, const struct report_request *request,
                           struct progress *progress, struct error *error)
{
    struct vectors vectors = {0};
    enum status status = STATUS_OK;
    begin(session, request);
    const int threads = threads_count();
    const bool small = is_small(session, request);
    session->threads = small && request->alone == 0 ? threads : request->alone;
    if (small) threads_set(1);
    if (!small && session->passive && report_times_nothing(request))
        passive_begin(session->passive, threads_count());
    if (request->orders.count) work_alone(session, request);
    const int reordered = case_has_entries(session->cases) ? request->orders.count : 0;
    for (int k = 0; k < reordered && status == STATUS_OK; k++)
        status = session_reorder(session, &request->orders.choices[k], progress, error);
    if (request->orders.count) work_beside(session, request);
    for (int c = 0; c < session->case_count && status == STATUS_OK; c++)
        status = prepare_case(session, &session->cases[c], request, &vectors, progress, error);
    session->shown = &session->cases[0];
    if (small) threads_set(threads);
    vector_free(&vectors.x);
    vector_free(&vectors.b);
    return placed(status, session, error);
}

const struct conversion *report_shown(const struct matrix_case *matrix_case, int *k)
{
    const struct conversions *conversions = &matrix_case->conversions;
    while (*k < atomic_load(&conversions->count)) {
        const struct conversion *conversion = conversions->items[(*k)++];
        if (conversion->keep) return conversion;
    }
    return NULL;
}
