/* A session: one loaded matrix in one order or in several, with all results for it, and the settings of the
 * analyses. Screens and reports show its contents. */
#ifndef SPARSIGHT_SESSION_SESSION_H
#define SPARSIGHT_SESSION_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/streamed.h"
#include "base/error.h"
#include "base/job.h"
#include "base/passive.h"
#include "kernels/gpu/profile.h"
#include "matrix/matrix.h"
#include "session/case.h"

#define SESSION_CASES 8

/* A requested order, and the reason why it failed. */
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
    struct gpu gpu; /* the GPU of the estimates */
    int device;     /* the number of the device that `gpu` is if no other was asked for */
    bool hasty;     /* measure nothing for forecasts: they use a saved or an assumed profile of the processors
                       (processor_here) */
    struct processor processor; /* profile of this machine's processors, made for the first forecast */
    int processor_version;      /* number of replacements of the profile; each forecast records it */
    size_t carry;               /* max bytes, in a JSON report, of data for showing it without the matrix
                                   (report/json/carried.h); 0: none */
    size_t limit;               /* bytes for storages; 0: the default of memory_check */
    struct passive *passive;    /* begun while nothing is timed; NULL: never. The caller's */
    unsigned only;              /* the sections that reports have (report/sections.h); 0: all */
    bool costs;                 /* reports have the time of their parts (matrix_case.costs) */
    bool brief;  /* only the sentences of the advice show forecasts: those that change no sentence may be left
                    out */
    int threads; /* for forecasts of kernels; 0: as many as the next parallel region gets */
    atomic_uint ready; /* existing parts that belong to no case */
};

/* Load the matrix `name` (see matrix_load) into *session as its first case, which is shown. The caller frees
 * with session_free, also after failure. */
enum status session_load(struct session *session, const char *name, const struct load_options *options,
                         struct progress *progress, struct error *error);

/* Begin a session of a matrix whose entries are not in memory: case_start_known makes its first case, which
 * is shown, and the caller sets further known members as described there. It is for matrices that are larger
 * than memory, and for saved reports. *matrix and *absence become the case's. The caller frees with
 * session_free. This cannot fail.
 *
 * All functions of a session accept such a case: session_need fails for unknown parts, and so do session_run,
 * session_foresee, session_tune and reorder_begin, all with STATUS_USAGE and the text of the absence.
 * session_foresight finds nothing, and session_advise uses the existing runs. */
struct matrix_case *session_start_known(struct session *session, size_t limit, struct matrix *matrix,
                                        int64_t nnz, struct absence *absence);

/* Add a case: the matrix in another order, whose name is `order` (it must stay). *matrix becomes the case's
 * and is {0} afterwards. The case has its own analyses, storages and results. The shown case stays the same.
 * NULL if there are SESSION_CASES already (STATUS_USAGE); then the caller keeps the matrix. Other threads may
 * continue with their cases, but must not read case_count or `shown` meanwhile. */
struct matrix_case *session_add_case(struct session *session, const char *order, struct matrix *matrix,
                                     struct error *error);

/* The making of a case in another order, separate from the session: meanwhile its cases may be read, drawn
 * and computed. Start with {0}; free with reorder_free, which leaves {0}. */
struct reorder {
    const struct matrix *natural; /* the session's */
    size_t limit;                 /* the session's limit in bytes, minus the existing cases */
    struct reordering reordering; /* owned, as is the matrix */
    struct matrix matrix;         /* in that order */
};

/* Prepare reorder_run. STATUS_USAGE if there are SESSION_CASES already, or if the choice is the natural
 * order; STATUS_MEMORY. */
enum status reorder_begin(const struct session *session, const struct order_choice *choice,
                          struct reorder *reorder, struct error *error);

/* Find the permutation and make the matrix in that order. It may run on any thread: it reads only the matrix
 * of the session's first case, which does not change. Fails as order_compute and permute_matrix do. */
enum status reorder_run(struct reorder *reorder, struct progress *progress, struct error *error);

/* Add the result of reorder_run to the session as a case, on the thread that calls session_add_case, and
 * return it. *reorder is {0} afterwards. NULL with STATUS_USAGE if there are SESSION_CASES already; *reorder
 * is then unchanged. */
struct matrix_case *reorder_publish(struct session *session, struct reorder *reorder, struct error *error);

void reorder_free(struct reorder *reorder);

/* Add a case in this order of the source's matrix (session/reorder.c), unless that is the natural one, which
 * exists already. An order that is not in this build, does not suit the matrix, or needs too much memory is
 * not a failure: it is added to `refused`. Otherwise fails as order_compute and permute_matrix do, and with
 * STATUS_USAGE if there are SESSION_CASES already. It calls reorder_begin, reorder_run and reorder_publish,
 * on the thread that calls session_add_case. */
enum status session_reorder(struct session *session, const struct order_choice *choice,
                            struct progress *progress, struct error *error);

/* Add an order that cannot be had, with the reason, to `refused`, which has room for it: cases and refused
 * orders together are at most SESSION_CASES. */
void session_refuse(struct session *session, const char *name, const struct error *why);

/* Choose the GPU of the estimates: this one or, if it has no name, the device of this number if present, else
 * the standard GPU (gpu_default). Call this before SESSION_GPU is first needed; without this call the device
 * is number 0. */
void session_for_gpu(struct session *session, const struct gpu *gpu, int device);

/* Compute those of `parts` (an OR of session_part) of a case that do not exist yet. Here and below, `of` NULL
 * means the shown case; a thread must name its case if the user may show another one meanwhile. One thread at
 * a time may call it. */
enum status session_need(struct session *session, struct matrix_case *of, unsigned parts,
                         struct progress *progress, struct error *error);

/* True if all of `parts` of the shown case exist. */
static inline bool session_has(const struct session *session, unsigned parts)
{
    unsigned own = atomic_load_explicit(&session->ready, memory_order_acquire) & SESSION_GPU;
    return session->shown && case_has(session->shown, parts & ~own);
}

/* Run all kernels requested by `results` on a case (results_run; products of a reordered matrix are compared
 * with those of the natural one), and estimate those of their kernels that have a trace for the session's GPU
 * (results_estimate), replaying this share of their warps (0: all). Each storage is converted once for both.
 * `bench` has the open machines (workbench_open); NULL opens and closes them. Fails like all these. */
enum status session_run(struct session *session, struct matrix_case *of, struct workbench *bench,
                        struct results *results, const struct bench_options *options, double share,
                        struct progress *progress, struct error *error);

/* The natural matrix, against which products of this case are checked if it is reordered: fills *natural and
 * returns it, or returns NULL. */
const struct natural *session_natural(const struct session *session, const struct matrix_case *of,
                                      struct natural *natural);

/* Forecast all kernels requested by `results` without running them (results_foresee), on a case and for the
 * session's GPU. The time is bounded even for large matrices: for large storages this share of the warps is
 * replayed or, if it is 0, a share chosen for the storage; and storages larger than SESSION_FORESEEN bytes
 * are not built for this. Several lists of kernels of a case share the data of forecasts through `sharing`;
 * then the case's pool keeps the pages of outlines until the caller calls pool_rest. NULL: there is only this
 * list. Fails as results_foresee does. */
#define SESSION_FORESEEN ((size_t)4 << 30)
enum status session_foresee(struct session *session, struct matrix_case *of, struct results *results,
                            struct product product, double share, struct sharing *sharing,
                            struct progress *progress, struct error *error);

/* Forecast, on a case, all kernels of this build with their defaults, in the precision and for the product of
 * this foresight of the case, on the session's GPU and on this processor. It skips kernels without forecasts,
 * storages too large to be recommended (session/foresight.h), kernels with results in the case, and matrices
 * without entries. It proceeds storage by storage; after a cancel it resumes where it stopped.
 * SESSION_FORESIGHT is this for y = A x in double precision. Fails as session_foresee does. */
enum status session_foresight(struct session *session, struct matrix_case *of, struct foresight *foresight,
                              struct progress *progress, struct error *error);

void session_free(struct session *session);

/* The taker of `streamed` has chosen a loaded matrix: make this the only case of the session. *matrix becomes
 * the case's, unless that fails. STATUS_MEMORY, STATUS_CANCELLED. */
enum status stream_session(struct session *session, struct streamed *streamed, struct matrix *matrix,
                           struct progress *progress, struct error *error);

#endif
