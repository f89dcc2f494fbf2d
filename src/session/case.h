/* A case: one matrix in one order of its rows and columns, and all that is known of it in that order. A
 * session holds one case for each order; screens and reports draw the one that is shown.
 *
 * The struct is called matrix_case because `case` is a keyword of C. */
#ifndef SPARSIGHT_SESSION_CASE_H
#define SPARSIGHT_SESSION_CASE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/fill.h"
#include "analysis/forecast/excerpt.h"
#include "analysis/lengths.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "analysis/tiles.h"
#include "analysis/values.h"
#include "base/error.h"
#include "base/job.h"
#include "drawing/spans.h"
#include "matrix/graphs/components.h"
#include "matrix/graphs/triangular.h"
#include "matrix/matrix.h"
#include "matrix/orders/order.h"
#include "matrix/skeleton.h"
#include "session/conversions.h"
#include "session/distribution.h"
#include "session/foresight.h"
#include "session/results.h"
#include "session/runs.h"

/* The fill of a Cholesky factorisation of a case's matrix. Only case.c uses this. */

struct fills {
    int64_t lower;   /* entries of the lower triangle of A + A^T + I; 0 if the matrix is not square */
    struct fill own; /* in the order of the case */
    struct fill amd; /* after ordering by AMD; {0} without that library, or if AMD cannot order the matrix */
};

/* Compute both, or nothing if the matrix is not square. The order is AMD's with its defaults
 * (matrix/orders/amd.c), which takes more than linear time. Lack of AMD or of its memory is not a failure.
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status fills_of(const struct matrix *matrix, size_t limit, struct progress *progress,
                     struct fills *fills, struct error *error);

/* Return the bytes that fills_of takes for a while, without those of AMD. */
size_t fills_bytes(const struct matrix *matrix);

/* The parts that can be needed of a session. All but SESSION_GPU belong to a case. */
enum session_part {
    SESSION_MATRIX = 1,
    SESSION_ROW_LENGTHS = 2, /* with `row_spans` */
    SESSION_COL_LENGTHS = 4,
    SESSION_STRUCTURE = 8,
    SESSION_PYRAMID = 16,
    SESSION_COL_PTR = 32,    /* with `col_spans` */
    SESSION_SIZES = 64,      /* the formats asked for in `conversions` are planned */
    SESSION_GPU = 128,       /* the session's `gpu` is the one to estimate for */
    SESSION_TILES = 256,     /* `tiles` exist, if the matrix has so many entries that pictures need them */
    SESSION_FORESIGHT = 512, /* forecasts of kernels for y = A x in double precision, in `foresight` */
    SESSION_VALUES = 1024,   /* not computed for a pattern matrix, whose values are all 1 */
    SESSION_COMPONENTS = 2048,
    SESSION_BLOCKS = 4096,   /* `triangular`; takes more than linear time, as the next one does */
    SESSION_FILL = 8192,     /* `fills` */
    SESSION_ENTRIES = 16384, /* the arrays of `matrix.csr`; missing for good if the case began without them */
};

/* The parts that are computed only if they are asked for, or when all others are there. */
#define SESSION_COSTLY (SESSION_BLOCKS | SESSION_FILL)

/* How a case came by its order; {0} for the natural one. */
struct reordering {
    struct order_choice choice;     /* with the parameters that were chosen; owned */
    char name[ORDER_NAME];          /* of the choice: "rcm:reverse=0" */
    char asked[ORDER_NAME];         /* of the choice as it was asked for, without those that were chosen */
    struct permutation permutation; /* owned */
    int32_t *to;                    /* its inverse (permutation_invert); owned */
    int32_t *to_col;                /* that of permutation.cols, or NULL; owned */
    double order_seconds;           /* that finding the permutation took */
    double reorder_seconds;         /* that making the matrix in that order took */
    double permute_seconds; /* that bringing x there and y back takes for one product (permute_seconds) */
};

/* Why the entries of a case are not in memory, and how to have them, in a sentence each. Owned; free with
 * absence_free, which takes {0}. */
struct absence {
    char *why;
    char *remedy;
};

/* The number of MPI ranks that hold the matrix, with the smallest and the largest share of a rank. {0} if one
 * process has all of it. */
struct spread {
    int64_t ranks;
    int64_t rows_least, rows_most, entries_least, entries_most;
    int64_t memory; /* the most bytes that any of them has taken from the system at once */
};

/* A part may be read once its bit is set in `ready`; it does not change afterwards. The bits are set with
 * release order, so that one thread may compute the next part while another draws those that are there. */
struct matrix_case {
    const char *order;      /* the name of the order of rows and columns: "natural" is that of the source */
    struct matrix matrix;   /* in this order; owned, as all that follows. Without SESSION_ENTRIES its csr has
                               rows and cols, and row_ptr with a skeleton if sizes of formats can be told */
    int64_t nnz;            /* without SESSION_ENTRIES, how many there are (case_nnz) */
    struct absence absence; /* without SESSION_ENTRIES, why; else {0} */
    struct spread spread;
    struct reordering reordering;
    struct lengths row_lengths;
    struct lengths col_lengths;
    struct spans row_spans, col_spans; /* of csr.row_ptr and of col_ptr */
    struct structure structure;
    struct values values;
    struct components components;
    struct triangular triangular;
    struct fills fills;
    struct pyramid pyramid;
    struct tiles tiles;       /* of the pyramid's cells; {0}: none */
    int64_t *col_ptr;         /* column_offsets: csr.cols + 1; NULL without SESSION_ENTRIES */
    struct skeleton skeleton; /* that matrix.csr refers to, or {0} */
    struct excerpt excerpt;   /* of the entries where these are not in memory, for forecasts; or {0} */
    struct pool pool;         /* of storages of the matrix, for conversions, kernels and estimates alike */
    struct conversions conversions;
    struct results results;           /* of the kernels that a report asked for */
    struct runs runs;                 /* runs that the explorer shows side by side */
    struct distribution distribution; /* that a report asked for; {0} if it did not */
    struct foresight foresight[2]; /* of y = A x in each precision, and after them those of other products */
    struct estimated estimated;    /* that were made for whatever reason, of which none is made again */
    atomic_uint ready;
};

/* Make *matrix_case a case of this matrix, which becomes its own, in the order of this name (it must stay).
 * The case must not be moved afterwards. */
void case_start(struct matrix_case *matrix_case, const char *order, struct matrix *matrix);

/* The same for a matrix whose entries are not in memory: only rows and cols of matrix->csr are set, and `nnz`
 * is its number of entries. *absence becomes the case's and is {0} afterwards.
 *
 * The caller may set further members before others see the case; they become the case's own. The caller then
 * marks their parts (case_know). All may be missing:
 *
 *     SESSION_ROW_LENGTHS   row_lengths, and row_spans of offsets that they own (spans_own), or coarse ones
 *     SESSION_COL_LENGTHS   col_lengths
 *     SESSION_COL_PTR       col_spans, likewise
 *     SESSION_STRUCTURE     structure
 *     SESSION_VALUES        values
 *     SESSION_PYRAMID       pyramid, whose cells are the finest available
 *     SESSION_COMPONENTS    components
 *     SESSION_BLOCKS        triangular
 *     SESSION_FILL          fills
 *
 * Sizes of formats are given one by one (conversions_know); or if the lengths of all rows are known,
 * matrix->csr has them as its row_ptr, with csr.absent, and conversions.pool is set to &pool: then formats
 * are planned as usual, except those that need entries. Runs, results and the distribution are members
 * without a part. case_need fails for unknown parts. */
void case_start_known(struct matrix_case *matrix_case, const char *order, struct matrix *matrix, int64_t nnz,
                      struct absence *absence);

/* Say that these parts are known. */
void case_know(struct matrix_case *matrix_case, unsigned parts);

/* Give a case whose matrix has a skeleton an excerpt, so that kernels are forecast. It becomes the case's own
 * and is {0} afterwards. Before others see the case. */
void case_excerpt(struct matrix_case *matrix_case, struct excerpt *excerpt);

/* The foresight of a case in this precision for this product: one that is not complete, and has nothing, if
 * nobody has wanted it. Another thread must not call case_want_foresight meanwhile. */
const struct foresight *case_foresight(const struct matrix_case *matrix_case, enum precision precision,
                                       struct product product);

/* Return of how many storages there are forecasts, in all foresights of a case; the same thread condition. */
int case_foreseen(const struct matrix_case *matrix_case);

/* The same to be made by session_foresight: it is added to the case's if it is not one of them. The case's,
 * which stays where it is. NULL without memory. */
struct foresight *case_want_foresight(struct matrix_case *matrix_case, enum precision precision,
                                      struct product product, struct error *error);

/* True if kernels of the case can be forecast: the columns of its entries are in memory, or those of an
 * excerpt. */
bool case_foreseeable(const struct matrix_case *matrix_case);

/* True if nearly all rows of a large matrix are empty (analysis/emptiness.h): no kernel is forecast then. */
bool case_nearly_empty(const struct matrix_case *matrix_case);

/* Compute those of `parts` that belong to a case and do not exist yet. The memory of an analysis together
 * with the matrix must be within the limit (memory_check_beside), and storages are planned for this limit (0:
 * the default of memory_check). One thread at a time may call it. Errors without a position get the path of
 * the matrix. STATUS_USAGE if it needs entries that are not in memory. */
enum status case_need(struct matrix_case *matrix_case, unsigned parts, size_t limit,
                      struct progress *progress, struct error *error);

/* Return the peak bytes of the analyses of a matrix of this number of rows, columns and entries, including
 * their results; for load_options.beside. This excludes the offsets of columns and the formats, which are
 * refused separately. */
size_t case_bytes(int64_t rows, int64_t cols, int64_t nnz, int complex);

/* Bring the place (*row, *col) of one case to where the same place of the source's matrix is in another one.
 * Both are cases of one session. */
void case_carry(const struct matrix_case *from, const struct matrix_case *to, int64_t *row, int64_t *col);

/* Return the name of the type that values of this matrix have in a precision (value_name). */
const char *case_value_name(const struct matrix_case *matrix_case, enum precision precision);

/* True if all of `parts` are there. */
static inline bool case_has(const struct matrix_case *matrix_case, unsigned parts)
{
    return (atomic_load_explicit(&matrix_case->ready, memory_order_acquire) & parts) == parts;
}

/* True if the entries are in memory. Code that reads entries asks this first. */
static inline bool case_has_entries(const struct matrix_case *matrix_case)
{
    return case_has(matrix_case, SESSION_ENTRIES);
}

/* Return true if the rows and columns of the case are those of the source in the same order, whatever that
 * is: a symmetric matrix stays symmetric, and A + A^T is that of the source in this order. Else it is the sum
 * of entries that have nothing to do with each other. */
bool case_is_symmetrically_ordered(const struct matrix_case *matrix_case);

/* STATUS_OK if the entries are in memory, else STATUS_USAGE with the text of case.absence. */
enum status case_want_entries(const struct matrix_case *matrix_case, struct error *error);

/* How many entries the matrix has, in memory or not; and whether its values are complex. */
int64_t case_nnz(const struct matrix_case *matrix_case);
bool case_is_complex(const struct matrix_case *matrix_case);

void absence_free(struct absence *absence);

/* Free the memory of a reordering. Accepts {0}. */
void reordering_free(struct reordering *reordering);

/* Free everything. Takes {0}. */
void case_free(struct matrix_case *matrix_case);

#endif
