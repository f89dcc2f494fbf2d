/* Reports: all that is known of matrices, written for people or for programs. One after another, matrices
 * and the errors of those that failed are handed in; the table of formats says how each is written. */
#ifndef SPARSIGHT_REPORT_REPORT_H
#define SPARSIGHT_REPORT_REPORT_H

#include <jansson.h>

#include "base/error.h"
#include "base/output.h"
#include "base/process_lock.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/list.h"
#include "kernels/list.h"
#include "matrix/orders/order.h"
#include "session/session.h"
#include "session/tune.h"

/* The parts of a session that a report shows; they must be there when it is handed in. */
#define REPORT_NEEDS                                                                                   \
    (SESSION_MATRIX | SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_VALUES | \
     SESSION_SIZES)

/* Those that a report does without where memory does not suffice for them. */
#define REPORT_WANTS SESSION_COMPONENTS

/* The request for a report beside these parts. {0} requests the size of every format in double precision:
 * nothing is built, no kernel is run. The caller frees with report_request_free. */
struct report_request {
    bool f64, f32;              /* neither: f64 */
    struct format_list convert; /* to be built, and timed */
    struct format_list arrays;  /* whose arrays are shown */
    struct order_list orders;   /* that the matrix is reported in beside its natural one */
    struct kernel_list kernels; /* to be run in each precision, once with each of these numbers of threads */
    unsigned wants;             /* further parts, of the form it is written in (report_format) */
    bool structure; /* the parts that take more than linear time, too: block triangular form and fill */
    /* Numbers of parts to spread the matrix over; none: it is not. */
    struct distribution_request distribution;
    enum tune_how tune;           /* whether and how they are tuned; if there are none, all kernels are */
    struct thread_counts threads; /* none: one per processor */
    const struct process_lock *
        lock; /* held shared, and alone while anything is timed; NULL: nobody else works here. The caller's */
    /* The threads of what is computed while others may work beside, and of what is done alone, for which
     * kernels are forecast, too; 0: as many as parallel regions get. */
    int beside, alone;
    struct gpu gpu; /* to estimate for; without a name: the one that kernels run on, or the standard one */
    struct bench_options timing; /* how; its vectors are those below */
    size_t carry;      /* bytes of what JSON carries of each matrix to be looked at without it; 0: nothing */
    double sample;     /* share of the warps to replay for estimates; 0: all */
    const char *x, *b; /* files (see vector_load): what to multiply with, and what to hold A x against; or
                          NULL. The caller's */
};

void report_request_free(struct report_request *request);

/* Return the parts (session.h) that a report shows of the matrix in its natural order if there is room for
 * them, beside those that it needs. */
unsigned report_wants(const struct report_request *request);

/* Prepare a loaded session: reorder the matrix into all requested orders and, for each case, plan every
 * format, build the requested ones one after another, keep those whose arrays are shown, and run kernels. A
 * refused format is not a failure, nor a kernel that cannot run, nor an impossible order (session_reorder);
 * the conversion, the result or the session has the reason. A vector that cannot be read is a failure. The
 * first case is shown afterwards. */
enum status report_prepare(struct session *session, const struct report_request *request,
                           struct progress *progress, struct error *error);

/* The next conversion of the case after *k (begin with 0; *k moves on) whose arrays were asked for, NULL
 * if there is no more. */
const struct conversion *report_shown(const struct matrix_case *matrix_case, int *k);

struct report_format;

/* A report that is being written, from report_open to report_close. */
struct report {
    const struct report_format *format;
    struct output output;
    int matrices;           /* handed in so far */
    json_t *matrices_array; /* of the format json, which is written at the end; owned */
    json_t *errors_array;
    int parts;                /* of the format html, of matrices and failures so far */
    struct text index;        /* its rows, which are written at the end */
    double read, copy, cache; /* the machine's best figures so far, bytes/s and bytes; 0: not measured */
};

/* A way of writing. Each function appends to `text` what is to be written now, and returns STATUS_OK or
 * STATUS_MEMORY: of a case of a session, of a matrix that could not be read, and at the end. */
struct report_format {
    const char *name;
    const char *summary;
    unsigned wants; /* parts of a session that it shows beside REPORT_WANTS, and does without likewise */
    bool owners;    /* it draws the owners of the rows if there are parts */
    bool carries;   /* it can carry what a matrix looks like (report_request.carry), */
    size_t carry;   /* and does so in this many bytes unless the user says otherwise; 0: not */
    enum status (*matrix)(struct report *report, const struct session *session,
                          const struct matrix_case *matrix_case, struct text *text);
    enum status (*failure)(struct report *report, const struct error *failure, struct text *text);
    enum status (*end)(struct report *report, struct text *text);
};

/* The formats of reports; the last one is NULL. */
extern const struct report_format *const report_formats[];

/* The format of this name, or NULL and STATUS_USAGE with a list of those there are. */
const struct report_format *report_format_find(const char *name, struct error *error);

/* Begin a report in this format to the file `path` (see output_open; NULL: standard output). */
enum status report_open(struct report *report, const struct report_format *format, const char *path,
                        struct error *error);

/* Add a matrix in the order that the session shows; the session may be freed afterwards. */
enum status report_matrix(struct report *report, const struct session *session, struct error *error);

/* Add what went wrong with a matrix that could not be read. */
enum status report_failure(struct report *report, const struct error *failure, struct error *error);

/* Write what is left and close the output: afterwards the file is there in full, or on failure as it was. */
enum status report_close(struct report *report, struct error *error);

/* Give up a report, so that nothing is left of its file. After report_close it does nothing. */
void report_abandon(struct report *report);

/* The report of one matrix as the text format writes it. */
void report_text(const struct session *session, struct text *text);

/* One matrix as an object with the keys of sparsight-report(5), or NULL without memory. The caller frees with
 * json_decref. */
json_t *report_json(const struct session *session);

extern const struct report_format report_format_text;
extern const struct report_format report_format_json;
extern const struct report_format report_format_jsonl;
extern const struct report_format report_format_csv;
extern const struct report_format report_format_markdown;
extern const struct report_format report_format_html;

#endif
