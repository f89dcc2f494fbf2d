/* Reports on matrices, for people or for programs. The caller adds matrices, or the errors of failed ones,
 * one after another. The table of formats has the functions that write each. */
#ifndef SPARSIGHT_REPORT_REPORT_H
#define SPARSIGHT_REPORT_REPORT_H

#include <jansson.h>

#include "analysis/solvers/solver.h"
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

/* The parts of a session that a report requires when the session is added. */
#define REPORT_NEEDS                                                                                   \
    (SESSION_MATRIX | SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_VALUES | \
     SESSION_SIZES)

/* The parts that a report omits if memory does not suffice for them. */
#define REPORT_WANTS (SESSION_COMPONENTS | SESSION_DENSE_BLOCKS)

/* The request for a report beside these parts. {0} requests the size of every format in double precision:
 * nothing is built, no kernel is run. The caller frees with report_request_free. */
struct report_request {
    bool f64, f32;              /* neither: f64 */
    struct format_list convert; /* to be built, and timed */
    bool convert_apart;         /* these formats are planned only: ranks build and time them afterwards */
    struct format_list arrays;  /* whose arrays are shown */
    struct order_list orders;   /* orders to report beside the natural one */
    struct kernel_list kernels; /* to run in each precision, with each of these numbers of threads */
    unsigned wants;             /* further parts that the report's format shows (report_format) */
    bool costs;                 /* the report has the time of each of its parts */
    bool brief;                 /* the report shows forecasts only as sentences of the advice (session.h) */
    unsigned only; /* the sections that it has (report/sections.h); 0: all. Contents requested by other
                      options are added. */
    bool spgemm;   /* include the products of the matrix with itself and its transposed one */
    bool solve;    /* solve with the matrix, by these options */
    struct solver_options solver;
    bool trisolve; /* time these triangular solves and Gauss-Seidel steps: bits of enum trisolve_operation */
    unsigned trisolves;
    bool rounding;  /* include the rounding of values in types of fewer bits */
    bool structure; /* include the parts that take more than linear time: block triangular form and fill */
    /* Numbers of parts to partition the matrix into; none: no partition. */
    struct distribution_request distribution;
    enum tune_how tune;           /* whether and how the kernels are tuned; without kernels, all are tuned */
    struct thread_counts threads; /* none: one per processor */
    const struct process_lock
        *lock; /* held shared, and exclusively during timing; NULL: no other worker. The caller's */
    /* Numbers of threads for work beside other workers, and for exclusive work. Forecasts assume the latter.
     * 0: the default of parallel regions. */
    int beside, alone;
    struct gpu
        gpu; /* GPU to estimate for; without a name: the one that kernels run on, or the default profile */
    struct bench_options timing; /* options of timing, with the vectors below */
    size_t carry;  /* maximum of the bytes that JSON carries for each matrix to show it without its file; 0:
                      nothing */
    bool limited;  /* the user has set a limit on memory, which then decides alone on the sizes of storages */
    double sample; /* share of the warps to replay for estimates; 0: all */
    const char *x, *b; /* files (see vector_load): the vector x, and the vector b to compare A x with; or
                          NULL. The caller's */
};

void report_request_free(struct report_request *request);

/* True if nothing that the request asks for is timed, so that threads may wait passively (base/passive.h). */
bool report_times_nothing(const struct report_request *request);

/* The parts of a session of which the sections of the report consist. */
unsigned report_needs(const struct report_request *request);

/* Return the optional parts (session.h) that a report shows of the matrix in its natural order, if memory
 * suffices. */
unsigned report_wants(const struct report_request *request);

/* Prepare a loaded session: reorder the matrix into all requested orders and, for each case, plan every
 * format, build the requested ones one after another, keep those whose arrays are shown, and run kernels. A
 * refused format is not a failure, nor a kernel that cannot run, nor an impossible order (session_reorder);
 * the conversion, the result or the session has the reason. An unreadable vector is a failure. Afterwards the
 * session shows the first case. */
enum status report_prepare(struct session *session, const struct report_request *request,
                           struct progress *progress, struct error *error);

/* The same for one case of a session whose other cases are added, and prepared, later or were before: the
 * natural order comes first. Orders of the request are ignored. Afterwards the session shows this case. */
enum status report_prepare_case(struct session *session, struct matrix_case *of,
                                const struct report_request *request, struct progress *progress,
                                struct error *error);

/* The next conversion of the case after *k (begin with 0; *k moves on) whose arrays were requested, NULL if
 * there is no more. */
const struct conversion *report_shown(const struct matrix_case *matrix_case, int *k);

struct report_format;
struct document;
struct document_from; /* report/document/document.h */
struct column;

/* The picture of the pattern in the text format. */
enum report_picture { REPORT_NO_PICTURE, REPORT_BRAILLE, REPORT_ASCII };

/* A report during writing, from report_open to report_close. */
struct report {
    const struct report_format *format;
    struct output output;
    enum report_picture picture;
    int matrices;           /* handed in so far */
    json_t *matrices_array; /* for the format json; written at the end; owned */
    json_t *errors_array;
    json_t *date, *origin;      /* the time of report_open, and what report_here returns; owned */
    int parts;                  /* for html and csv-matrices: number of matrices and failures so far */
    const struct column *table; /* for the format csv: the columns of its lines */
    struct text index;          /* rows of its index, written at the end */
    double read, copy, cache;   /* the machine's best figures so far, bytes/s and bytes; 0: not measured */
    /* Set by the caller after report_open, and the caller's: */
    const char *command;                /* the command line; NULL: unknown */
    const struct report_request *asked; /* what was requested; NULL: a saved report tells what it has */
    const struct document_from *from;   /* the saved report that the next matrices come from; NULL: none */
    bool anonymous;                     /* lines of JSON have no origin, since another line has it */
};

/* A format of reports. Each function appends its text to `text` and returns STATUS_OK or STATUS_MEMORY. There
 * is one for a case of a session, one for an unreadable matrix, and one for the end. */
struct report_format {
    const char *name;
    const char *summary;
    unsigned wants; /* further optional parts of a session that it shows, like REPORT_WANTS */
    bool brief;     /* it shows forecasts only as sentences of the advice (session.h) */
    bool owners;    /* it draws the owners of the rows if the matrix is partitioned */
    bool carries;   /* it can carry a matrix's pattern and lengths (report_request.carry), */
    size_t carry;   /* by default in this number of bytes; 0: not */
    /* Append to the text. `failure` and `end` may be NULL: the format says nothing then. Errors are on
     * standard error, too. */
    enum status (*matrix)(struct report *report, const struct session *session,
                          const struct matrix_case *matrix_case, struct text *text);
    enum status (*failure)(struct report *report, const struct error *failure, struct text *text);
    enum status (*end)(struct report *report, struct text *text);
};

/* The formats of reports; the last one is NULL. */
extern const struct report_format *const report_formats[];

/* The format of this name, or NULL and STATUS_USAGE with a list of all names. */
const struct report_format *report_format_find(const char *name, struct error *error);

/* Begin a report in this format to the file `path` (see output_open; NULL: standard output). */
enum status report_open(struct report *report, const struct report_format *format, const char *path,
                        struct error *error);

/* Add the shown case of the session; the session may be freed afterwards. */
enum status report_matrix(struct report *report, const struct session *session, struct error *error);

/* Add the error of a matrix that could not be read. */
enum status report_failure(struct report *report, const struct error *failure, struct error *error);

/* Write the rest and close the output. On success the file is complete, on failure it is unchanged. */
enum status report_close(struct report *report, struct error *error);

/* Make the document of a case, with the saved report that it comes from. The caller frees. */
void report_document(const struct report *report, const struct session *session,
                     const struct matrix_case *matrix_case, struct document *document);

/* The fastest kernel that ran, over all precisions; NULL if none did. */
const struct result *report_fastest(const struct results *results);

/* Return the origin of the report (report/origin.h), which it owns; NULL without memory. */
const json_t *report_here(struct report *report);

/* Make the document of this origin: a section for the report's end, or notes for its beginning. It is empty
 * if saved reports have told theirs. */
void report_origin(struct report *report, struct document *document);
void report_head(struct report *report, struct document *document);

/* Abandon a report and remove its incomplete file. After report_close it does nothing. */
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
extern const struct report_format report_format_csv_matrices;
extern const struct report_format report_format_markdown;
extern const struct report_format report_format_html;

#endif
