/* A case: one matrix in one order of its rows and columns, with all results in that order. A session holds
 * one case for each order; screens and reports draw the shown one.
 *
 * The struct is called matrix_case because `case` is a keyword of C. */
#ifndef SPARSIGHT_SESSION_CASE_H
#define SPARSIGHT_SESSION_CASE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/column_fill.h"
#include "analysis/dense_blocks.h"
#include "analysis/fill.h"
#include "analysis/forecast/excerpt.h"
#include "analysis/lengths.h"
#include "analysis/precisions.h"
#include "analysis/pyramid.h"
#include "analysis/solvers/solver.h"
#include "analysis/solves.h"
#include "analysis/spgemm.h"
#include "analysis/structure.h"
#include "analysis/tiles.h"
#include "analysis/values.h"
#include "base/cost.h"
#include "base/error.h"
#include "base/job.h"
#include "drawing/spans.h"
#include "kernels/trisolve/times.h"
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
    char left_out[128]; /* the reason why there is none after AMD, if this build has it; "": no reason */
};

/* The seconds of processor time that AMD may take for these numbers. On grids it orders some 5 million
 * entries in a second. On random graphs, whose factor is nearly dense, it needs a minute for 1.6 million, and
 * the fill changes no decision. */
#define FILLS_SECONDS 5

/* Compute both, or nothing if the matrix is not square. The order is AMD's with its defaults
 * (matrix/orders/amd.c), which takes more than linear time, and is stopped if it takes too long. Lack of AMD
 * or of its memory is not a failure. `mirrored`: the pattern is known to be symmetric. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status fills_of(const struct matrix *matrix, bool mirrored, size_t limit, struct progress *progress,
                     struct fills *fills, struct error *error);

/* Return the temporary memory of fills_of in bytes, without AMD's. */
size_t fills_bytes(const struct matrix *matrix, bool mirrored);

/* The parts of a session that can be needed. All but SESSION_GPU belong to a case. */
enum session_part {
    SESSION_MATRIX = 1,
    SESSION_ROW_LENGTHS = 2, /* with `row_spans` */
    SESSION_COL_LENGTHS = 4,
    SESSION_STRUCTURE = 8,
    SESSION_PYRAMID = 16,
    SESSION_COL_PTR = 32,    /* with `col_spans` */
    SESSION_SIZES = 64,      /* the formats requested in `conversions` are planned */
    SESSION_GPU = 128,       /* the session's `gpu` is chosen for estimates */
    SESSION_TILES = 256,     /* `tiles` exist, if the matrix has so many entries that pictures need them */
    SESSION_FORESIGHT = 512, /* forecasts of kernels for y = A x in double precision, in `foresight` */
    SESSION_VALUES = 1024,   /* not computed for a pattern matrix, whose values are all 1 */
    SESSION_COMPONENTS = 2048,
    SESSION_BLOCKS = 4096,         /* `triangular`; it and the next take more than linear time */
    SESSION_FILL = 8192,           /* `fills` */
    SESSION_SOLVES = 32768,        /* `solves` */
    SESSION_PRECISIONS = 65536,    /* `precisions`, empty for a pattern matrix */
    SESSION_QR = 131072,           /* `column_fill` */
    SESSION_SPGEMM = 262144,       /* `spgemm`; the first is {0} if the matrix is not square */
    SESSION_DENSE_BLOCKS = 524288, /* `dense_blocks` */
    SESSION_ENTRIES = 16384, /* the arrays of `matrix.csr`; they never exist if the case began without them */
};

/* The parts that are computed only on request, or after all others. */
#define SESSION_COSTLY (SESSION_BLOCKS | SESSION_FILL | SESSION_SOLVES | SESSION_QR)

struct solve_advice;

/* The making of a case's order; {0} for the natural one. */
struct reordering {
    struct order_choice choice;     /* with resolved parameters; owned */
    char name[ORDER_NAME];          /* of the choice: "rcm:reverse=0" */
    char asked[ORDER_NAME];         /* the choice as requested, before its parameters were resolved */
    struct permutation permutation; /* owned */
    int32_t *to;                    /* its inverse (permutation_invert); owned */
    int32_t *to_col;                /* that of permutation.cols, or NULL; owned */
    double order_seconds;           /* that finding the permutation took */
    double reorder_seconds;         /* for making the matrix in that order */
    double permute_seconds;         /* for permuting x and y back for one product (permute_seconds) */
};

/* The reason why the entries of a case are not in memory, and the remedy, a sentence each. Owned; free with
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
    int64_t memory; /* the peak memory of any of them, in bytes */
};

/* A part may be read once its bit is set in `ready`; it does not change afterwards. The bits are set with
 * release order, so one thread may compute the next part while another draws existing ones. */
struct matrix_case {
    const char *order;      /* the name of the order of rows and columns: "natural": that of the source */
    struct matrix matrix;   /* in this order; owned, as all that follows. Without SESSION_ENTRIES its csr has
                               rows and cols, and row_ptr with a skeleton if sizes of formats can be told */
    int64_t nnz;            /* the number of entries without SESSION_ENTRIES (case_nnz) */
    struct absence absence; /* the reason, without SESSION_ENTRIES; else {0} */
    struct spread spread;
    struct reordering reordering;
    struct lengths row_lengths;
    struct lengths col_lengths;
    struct spans row_spans, col_spans; /* of csr.row_ptr and of col_ptr */
    struct structure structure;
    struct values values;
    struct components components;
    struct dense_blocks dense_blocks;
    struct triangular triangular;
    struct fills fills;
    struct solves solves;
    struct column_fill column_fill;
    struct spgemm spgemm[SPGEMM_KINDS];
    struct precisions precisions;
    struct pyramid pyramid;
    struct tiles tiles;       /* of the pyramid's cells; {0}: none */
    int64_t *col_ptr;         /* column_offsets: csr.cols + 1; NULL without SESSION_ENTRIES */
    struct skeleton skeleton; /* that matrix.csr refers to, or {0} */
    struct excerpt excerpt;   /* of the entries if these are not in memory, for forecasts; or {0} */
    struct excerpt foreseen;  /* a smaller one, for SESSION_FORESIGHT; or {0} */
    struct pool pool;         /* of storages of the matrix, shared by conversions, kernels and estimates */
    struct conversions conversions;
    struct results results;           /* of the kernels that a report requested */
    struct runs runs;                 /* runs that the explorer shows side by side */
    struct distribution distribution; /* requested by a report, or {0} */
    struct solving solving;           /* the same (session/solve_advice.h) */
    struct solve_advice *told;        /* the kernels for these solves in a saved report; NULL: none */
    struct trisolves trisolves;       /* the same as `solving` (kernels/trisolve/times.h) */
    struct foresight foresight[2]; /* of y = A x in each precision, and after them those of other products */
    struct estimated estimated;    /* that were made for any reason, of which none is made again */
    struct costs costs;            /* of its parts, and of a report's other work for it */
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
 *     SESSION_DENSE_BLOCKS  dense_blocks
 *     SESSION_BLOCKS        triangular
 *     SESSION_FILL          fills
 *     SESSION_SOLVES        solves
 *     SESSION_QR            column_fill
 *
 * Sizes of formats are given one by one (conversions_know); or if the lengths of all rows are known,
 * matrix->csr has them as its row_ptr, with csr.skeleton, and conversions.pool is set to &pool: then formats
 * are planned as usual, except those that need entries. Runs, results and the distribution are members
 * without a part. case_need fails for unknown parts. */
void case_start_known(struct matrix_case *matrix_case, const char *order, struct matrix *matrix, int64_t nnz,
                      struct absence *absence);

/* Mark these parts as known. */
void case_know(struct matrix_case *matrix_case, unsigned parts);

/* Give an excerpt to a case whose matrix has a skeleton, so kernels can be forecast. The case owns it, and
 * *excerpt becomes {0}. Call this before other threads see the case. */
void case_excerpt(struct matrix_case *matrix_case, struct excerpt *excerpt);

/* Return the foresight of a case in this precision for this product. It is empty and incomplete if it was
 * never requested. No other thread may call case_want_foresight meanwhile. */
const struct foresight *case_foresight(const struct matrix_case *matrix_case, enum precision precision,
                                       struct product product);

/* Return the number of storages with forecasts in all foresights of a case; the same condition on threads. */
int case_foreseen(const struct matrix_case *matrix_case);

/* The same as case_foresight, for session_foresight to fill: it is added to the case's if it is missing. The
 * case owns it, and never moves it. NULL without memory. */
struct foresight *case_want_foresight(struct matrix_case *matrix_case, enum precision precision,
                                      struct product product, struct error *error);

/* True if kernels of the case can be forecast: the columns of its entries, or of an excerpt, are in
 * memory. */
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

/* Change the position (*row, *col) of one case to that of the same position of the source's matrix in another
 * case of the session. */
void case_carry(const struct matrix_case *from, const struct matrix_case *to, int64_t *row, int64_t *col);

/* Return the name of the type of this matrix's values in a precision (value_name). */
const char *case_value_name(const struct matrix_case *matrix_case, enum precision precision);

/* True if all of `parts` exist. */
static inline bool case_has(const struct matrix_case *matrix_case, unsigned parts)
{
    return (atomic_load_explicit(&matrix_case->ready, memory_order_acquire) & parts) == parts;
}

/* True if the entries are in memory. Code that reads entries asks this first. */
static inline bool case_has_entries(const struct matrix_case *matrix_case)
{
    return case_has(matrix_case, SESSION_ENTRIES);
}

/* Return true if the case has the source's rows and columns in one common order: a symmetric matrix stays
 * symmetric, and A + A^T is that of the source in this order. Otherwise A + A^T would add unrelated
 * entries. */
bool case_is_symmetrically_ordered(const struct matrix_case *matrix_case);

/* STATUS_OK if the entries are in memory, else STATUS_USAGE with the text of case.absence. */
enum status case_want_entries(const struct matrix_case *matrix_case, struct error *error);

/* The number of entries of the matrix, in memory or not; and true if its values are complex. */
int64_t case_nnz(const struct matrix_case *matrix_case);
bool case_is_complex(const struct matrix_case *matrix_case);

void absence_free(struct absence *absence);

/* Free the memory of a reordering. Accepts {0}. */
void reordering_free(struct reordering *reordering);

/* Free everything. Takes {0}. */
void case_free(struct matrix_case *matrix_case);

#endif
