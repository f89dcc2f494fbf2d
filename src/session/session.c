#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/timing/processor_sure.h"
#include "matrix/orders/permute.h"

struct matrix_case *session_add_case(struct session *session, const char *order, struct matrix *matrix,
                                     struct error *error)
{
    if (session->case_count == SESSION_CASES) {
        error_set(error, STATUS_USAGE, "a matrix can be kept in at most %d orders", SESSION_CASES);
        return NULL;
    }
    struct matrix_case *added = &session->cases[session->case_count++];
    case_start(added, order, matrix);
    return added;
}

static void clear(struct session *session, size_t limit)
{
    memset(session, 0, sizeof *session);
    atomic_init(&session->ready, 0);
    session->limit = limit;
}

struct matrix_case *session_start_known(struct session *session, size_t limit, struct matrix *matrix,
                                        int64_t nnz, struct absence *absence)
{
    clear(session, limit);
    session->shown = &session->cases[session->case_count++];
    case_start_known(session->shown, "natural", matrix, nnz, absence);
    return session->shown;
}

enum status session_load(struct session *session, const char *name, const struct load_options *options,
                         struct progress *progress, struct error *error)
{
    struct matrix matrix = {0};
    struct streamed streamed;
    struct load_options with = *options;
    clear(session, options->limit);
    streamed_start(&streamed, options->limit);
    streamed.taker.always = options->stream;
    streamed.taker.drop_zeros = options->drop_zeros;
    /* Streamed rows are the columns of A^T, which no taker accepts in this order. */
    if (!options->keep && !options->transpose) with.taker = &streamed.taker;
    enum status status = matrix_load(name, &with, progress, &matrix, error);
    if (status == STATUS_OK && streamed.taker.chosen)
        status = stream_session(session, &streamed, &matrix, progress, error);
    else if (status == STATUS_OK)
        session->shown = session_add_case(session, "natural", &matrix, error);
    streamed_free(&streamed);
    if (status == STATUS_OK) return STATUS_OK;
    matrix_free(&matrix);
    if (error && status != STATUS_CANCELLED && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", name);
    return status;
}

void session_for_gpu(struct session *session, const struct gpu *gpu, int device)
{
    session->gpu = *gpu;
    session->device = device;
}

static void need_gpu(struct session *session)
{
    if (atomic_load_explicit(&session->ready, memory_order_acquire) & SESSION_GPU) return;
    if (!session->gpu.name[0]) gpu_default(session->device, &session->gpu);
    atomic_fetch_or_explicit(&session->ready, SESSION_GPU, memory_order_release);
}

enum status session_need(struct session *session, struct matrix_case *of, unsigned parts,
                         struct progress *progress, struct error *error)
{
    if (!of) of = session->shown;
    if (!of) return error_set(error, STATUS_USAGE, "no matrix is loaded");
    enum status status = case_need(of, parts, session->limit, progress, error);
    if (status == STATUS_OK && (parts & (SESSION_GPU | SESSION_FORESIGHT))) need_gpu(session);
    if (status == STATUS_OK && (parts & SESSION_FORESIGHT))
        status = session_foresight(session, of, &of->foresight[PRECISION_F64], progress, error);
    return status;
}

/* This number of slots is read in some hundredths of a second, and the sampling error of the sectors is some
 * percent. Larger storages are sampled unless a share is given. */
#define FORESEEN_SLOTS 1e6

enum status session_foresee(struct session *session, struct matrix_case *of, struct results *results,
                            struct product product, double share, struct sharing *sharing,
                            struct progress *progress, struct error *error)
{
    if (!of) of = session->shown;
    size_t limit = memory_limit(session->limit);
    const struct estimate_options options = {.gpu = &session->gpu,
                                             .share = share,
                                             .most_slots = share > 0 ? 0 : FORESEEN_SLOTS,
                                             .product = product,
                                             .limit = limit < SESSION_FORESEEN ? limit : SESSION_FORESEEN,
                                             .fastest = sharing && sharing->brief ? &sharing->fastest : NULL};
    struct sharing own;
    enum status status = of->excerpt.there ? STATUS_OK : case_want_entries(of, error);
    if (status == STATUS_OK) status = session_need(session, of, SESSION_GPU, progress, error);
    if (status == STATUS_OK && !session->processor.there)
        status = processor_here(&session->processor, session->hasty ? PROCESSOR_KEPT : PROCESSOR_PROBED,
                                session->limit, progress, error);
    if (status != STATUS_OK) return status;
    if (!sharing) sharing_start(&of->pool, &of->excerpt, &own);
    results->estimated = &of->estimated;
    results->sharing = sharing ? sharing : &own;
    results->processor = &session->processor;
    status = results_foresee(results, results->sharing->pool, &options, session->limit, progress, error);
    results->sharing = NULL;
    if (sharing) return status;
    pool_rest(own.pool);
    sharing_free(&own);
    return status;
}

const struct natural *session_natural(const struct session *session, const struct matrix_case *of,
                                      struct natural *natural)
{
    const struct permutation *permutation = &of->reordering.permutation;
    if (of == session->cases) return NULL;
    *natural = (struct natural){.a = &session->cases[0].matrix.csr,
                                .rows = permutation_rows(permutation),
                                .cols = permutation_cols(permutation)};
    return natural;
}

/* Run and estimate on machines that are open. */
static enum status run_on(struct session *session, struct matrix_case *of, struct workbench *bench,
                          struct results *results, const struct bench_options *options, double share,
                          struct progress *progress, struct error *error)
{
    struct pool *pool = &of->pool;
    struct natural natural;
    struct bench_options wanted = *options;
    wanted.natural = session_natural(session, of, &natural);
    const struct estimate_options estimated = {.gpu = &session->gpu,
                                               .share = share,
                                               .most_slots = share > 0 ? 0 : FORESEEN_SLOTS,
                                               .seed = options->seed,
                                               .product = options->product,
                                               .limit = options->limit};
    bool traced = results_traced(results);
    enum status status = STATUS_OK;
    results->processor = &session->processor;
    results->estimated = &of->estimated;
    if (product_plain(options->product)) status = results_keep(results, pool, error);
    if (status == STATUS_OK) status = results_run_on(bench, results, pool, &wanted, progress, error);
    if (status == STATUS_OK && traced) status = session_need(session, of, SESSION_GPU, progress, error);
    if (status == STATUS_OK && traced) status = results_estimate(results, pool, &estimated, progress, error);
    pool_unkeep_all(pool);
    pool_rest(pool);
    return status;
}

enum status session_run(struct session *session, struct matrix_case *of, struct workbench *bench,
                        struct results *results, const struct bench_options *options, double share,
                        struct progress *progress, struct error *error)
{
    struct workbench own = {0};
    if (!of) of = session->shown;
    enum status status = case_want_entries(of, error);
    if (status == STATUS_OK && !bench)
        status = workbench_open(&own, results, case_is_complex(of), options, progress, error);
    if (status == STATUS_OK)
        status = run_on(session, of, bench ? bench : &own, results, options, share, progress, error);
    workbench_close(&own);
    return status;
}

void session_free(struct session *session)
{
    atomic_store(&session->ready, 0);
    for (int k = 0; k < session->case_count; k++)
        case_free(&session->cases[k]);
    session->case_count = 0;
    session->shown = NULL;
}
