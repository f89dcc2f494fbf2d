/* One loaded matrix, in one order or in several, with all that is known of it, and the settings that it is
 * looked at with. Screens and reports show what is here. */
#ifndef SPARSIGHT_SESSION_SESSION_H
#define SPARSIGHT_SESSION_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/streamed.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "matrix/matrix.h"
#include "session/case.h"

#define SESSION_CASES 8

/* An order that was asked for, and why the matrix is not in it. */
struct refused_order {
    char name[ORDER_NAME];
    struct error error;
};

/* Pointers to the cases of a session stay valid until session_free; the struct itself must not be moved. */
struct session {
    struct matrix_case cases[SESSION_CASES]; /* the first is in the order of the source */
    int case_count;
    struct matrix_case *shown; /* the case that screens and reports draw; NULL before session_load */
    struct refused_order refused[SESSION_CASES]; /* the first refused_count */
    int refused_count;
    struct gpu gpu; /* the GPU that kernels are estimated for */
    int device;     /* the number of the device that `gpu` is if no other was asked for */
    bool hasty; /* nothing is measured to forecast: what was kept of the processors, or is assumed of them,
                   has to do (processor_here) */
    struct processor processor; /* what this machine's processors take, once a forecast needed it */
    int processor_version;      /* how often that was replaced; forecasts say by which they were made */
    size_t carry;               /* bytes that a report in JSON takes for what can be looked at without the
                                   matrix (report/json/carried.h); 0: it carries nothing */
    size_t limit;               /* bytes for storages; 0: what memory_check takes by itself */
    int threads;       /* of kernels that are forecast; 0: as many as the next parallel region gets */
    atomic_uint ready; /* the parts that are there and belong to no case */
};

/* Load the matrix that `name` means (see matrix_load) into *session, as its first case, which is shown. The
 * caller frees with session_free, also after failure. */
enum status session_load(struct session *session, const char *name, const struct load_options *options,
                         struct progress *progress, struct error *error);

/* Begin a session of a matrix whose entries are not in memory: its first case, which is shown, is made as
 * case_start_known makes it, and the caller sets what else is known of it, as that says. It is for matrices
 * that are larger than memory, and for saved reports. *matrix and *absence become the case's. The caller
 * frees with session_free. Nothing can fail.
 *
 * All that a session offers can be asked of such a case, too: session_need fails for parts that are not
 * known, and session_run, session_foresee, session_tune and reorder_begin do, all with STATUS_USAGE and what
 * the absence says. session_foresight finds nothing, and session_advise goes by the runs that there are. */
struct matrix_case *session_start_known(struct session *session, size_t limit, struct matrix *matrix,
                                        int64_t nnz, struct absence *absence);

/* Add a case: the matrix in another order, whose name is `order` (it must stay). *matrix becomes the case's
 * and is {0} afterwards. The case has analyses, storages and results of its own. The case that is shown stays
 * the same. NULL if there are SESSION_CASES already (STATUS_USAGE); the matrix stays the caller's then. Other
 * threads may go on with the cases that they have, but must not read case_count or `shown` meanwhile. */
struct matrix_case *session_add_case(struct session *session, const char *order, struct matrix *matrix,
                                     struct error *error);

/* The making of a case in another order, off to the side: while it goes on, the cases of the session may be
 * read, drawn and computed. Start with {0}; free with reorder_free, which leaves {0}. */
struct reorder {
    const struct matrix *natural; /* the session's */
    size_t limit;                 /* bytes, what is left of the session's beside the cases that there are */
    struct reordering reordering; /* owned, as is the matrix */
    struct matrix matrix;         /* in that order */
};

/* Make ready for reorder_run. STATUS_USAGE if there are SESSION_CASES already, or if the choice is the
 * natural order; STATUS_MEMORY. */
enum status reorder_begin(const struct session *session, const struct order_choice *choice,
                          struct reorder *reorder, struct error *error);

/* Find the permutation and make the matrix in that order. It reads nothing of the session but the matrix of
 * the first case, which does not change, so that it may run on any thread. Fails as order_compute and
 * permute_matrix do. */
enum status reorder_run(struct reorder *reorder, struct progress *progress, struct error *error);

/* Make what reorder_run has made a case of the session, on the thread that session_add_case is for, and
 * return it. *reorder is {0} afterwards. NULL with STATUS_USAGE if there are SESSION_CASES already; *reorder
 * stays as it is then. */
struct matrix_case *reorder_publish(struct session *session, struct reorder *reorder, struct error *error);

void reorder_free(struct reorder *reorder);

/* Add a case in this order of the source's matrix (session/reorder.c), unless that is the natural one, which
 * is there. An order that this build does not have, that does not suit the matrix, or that takes too much
 * memory, is no failure: it is added to `refused`. Fails with what order_compute and permute_matrix fail with
 * else, and with STATUS_USAGE if there are SESSION_CASES already. It is reorder_begin, reorder_run and
 * reorder_publish one after the other, on the thread that session_add_case is for. */
enum status session_reorder(struct session *session, const struct order_choice *choice,
                            struct progress *progress, struct error *error);

/* Estimate for this GPU; if it has no name, for the device of this number if that is present, else for the
 * standard GPU (gpu_default). To be called before SESSION_GPU is needed for the first time; without this call
 * the device is number 0. */
void session_for_gpu(struct session *session, const struct gpu *gpu, int device);

/* Compute those of `parts` (an OR of session_part) of a case that are not there yet. Here and below, `of`
 * NULL stands for the case that is shown; a thread beside which the user may show another case names its own.
 * One thread at a time may call it. */
enum status session_need(struct session *session, struct matrix_case *of, unsigned parts,
                         struct progress *progress, struct error *error);

/* True if all of `parts` of the case that is shown are there. */
static inline bool session_has(const struct session *session, unsigned parts)
{
    unsigned own = atomic_load_explicit(&session->ready, memory_order_acquire) & SESSION_GPU;
    return session->shown && case_has(session->shown, parts & ~own);
}

/* Run all that `results` ask for on a case (results_run; products of a reordered matrix are compared with
 * those of the natural one), and estimate those of their kernels that have a trace for the session's GPU
 * (results_estimate), replaying this share of their warps (0: all). Each storage is converted once for both.
 * `bench` has the machines, which are open (workbench_open); NULL opens and closes them. Fails as all these
 * do.
 */
enum status session_run(struct session *session, struct matrix_case *of, struct workbench *bench,
                        struct results *results, const struct bench_options *options, double share,
                        struct progress *progress, struct error *error);

/* The natural matrix, which products of this case are held against if it is in another order: *natural, which
 * becomes that, or NULL. */
const struct natural *session_natural(const struct session *session, const struct matrix_case *of,
                                      struct natural *natural);

/* Find out without running them what can be known of all kernels that `results` ask for (results_foresee), on
 * a case and for the session's GPU, in a time that is bounded also for large matrices: of large storages this
 * share of the warps is replayed or, if it is 0, a share that is chosen for the storage; and storages larger
 * than SESSION_FORESEEN bytes are not built for this. Several lists of kernels of a case share through
 * `sharing` what forecasts are made from; the case's pool then keeps the pages of outlines until the caller
 * calls pool_rest. NULL: the list is the only one. Fails as results_foresee does. */
#define SESSION_FORESEEN ((size_t)4 << 30)
enum status session_foresee(struct session *session, struct matrix_case *of, struct results *results,
                            struct product product, double share, struct sharing *sharing,
                            struct progress *progress, struct error *error);

/* Forecast, on a case, all kernels of this build with their defaults in the precision and for the product of
 * this foresight, which is one of the case's, on the session's GPU and on this processor, as far as there is
 * a forecast of them; not those of storages that are so large that they could not be the ones to take
 * (session/foresight.h), nor those that the case has results of, nor any of a matrix that has no entries. It
 * goes from one storage to the next, and if it is cancelled it takes up later where it was. SESSION_FORESIGHT
 * is this for y = A x in double precision. Fails as session_foresee does. */
enum status session_foresight(struct session *session, struct matrix_case *of, struct foresight *foresight,
                              struct progress *progress, struct error *error);

void session_free(struct session *session);

/* Make a matrix that was loaded into the taker of `streamed`, which has chosen it, the only case of the
 * session. *matrix becomes the case's, but not if that fails. STATUS_MEMORY, STATUS_CANCELLED. */
enum status stream_session(struct session *session, struct streamed *streamed, struct matrix *matrix,
                           struct progress *progress, struct error *error);

#endif
