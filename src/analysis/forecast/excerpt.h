/* An excerpt of a matrix: a bounded sample of its entries for forecasts of kernels. Streamed, distributed and
 * large matrices have one.
 *
 *     rows       groups of neighbouring rows, with all their entries. Kernels are replayed on these, one
 *                group below the other, and their requests represent the whole matrix.
 *     columns    groups of neighbouring columns, with all their entries. They show how soon memory of x is
 *                touched again, in any order of the rows. The rows of the excerpt cannot show it because
 *                other rows come between them (a spatially hashed sample: Waldspurger, Park, Garthwaite and
 *                Ahmad, "Efficient MRC construction with SHARDS", FAST 2015).
 *
 * A group is kept if its hash ends in `level` zeros: on average, one in 2^level is kept. The level of rows
 * and that of columns is the lowest at which at most the admitted number of entries is kept. Levels with an
 * expected number of twice that or more are not tried. The excerpt depends only on the entries, not on the
 * order in which they are streamed. With level 0 the excerpt is the whole matrix. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_EXCERPT_H
#define SPARSIGHT_ANALYSIS_FORECAST_EXCERPT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/forecast/reuse.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Maximum number of entries to keep, of rows and of columns each. With half of them, the same kernels are
 * chosen on 21 matrices that were measured on an H200, but more forecasts are far off; with a quarter, worse
 * kernels are chosen (data/measured/excerpts-h200-2026-11-29.txt). */
#define EXCERPT_ENTRIES ((int64_t)1 << 21)

/* Maximum number of entries of a matrix with very long rows that is analysed as a whole. Rank 0 gathers the
 * pattern of a distributed matrix with at most this number of entries. */
#define EXCERPT_LEFT ((int64_t)1 << 22)

/* Maximum number of entries of any other matrix that is analysed as a whole. Up to EXCERPT_LEFT entries, a
 * larger matrix has an excerpt of a sixteenth, but of at least EXCERPT_LEAST. Beyond, the excerpt has
 * EXCERPT_ENTRIES. Forecasts of GPU kernels on 19
 * matrices of up to EXCERPT_LEFT entries differ by at most 4% in the median of a matrix from those by all
 * entries; with a sixteenth of more entries, those of fused HYB and CSR divided by entries differ by up to a
 * factor of 3. */
#define EXCERPT_WHOLE 200000
#define EXCERPT_SHARE 16
#define EXCERPT_LEAST ((int64_t)1 << 17)

/* A row longer than this share of an excerpt is not represented by it: up to EXCERPT_LEFT entries, such a
 * matrix is analysed as a whole. */
#define EXCERPT_LONGEST 8

#define EXCERPT_LEVELS 31

/* Start with {0}; free with excerpt_free. */
struct excerpt {
    bool there;
    bool whole;      /* all entries are kept */
    struct csr rows; /* those of the groups, renumbered; columns are those of the matrix. If the matrix has a
                        longer row than they have, their longest one has got more entries, evenly spread, so
                        that waiting for the longest row takes as long; owned */
    int32_t *origin; /* row i of `rows` is row origin[i] of the matrix; owned */
    int64_t longer;  /* the row with added entries; -1 if there is none */
    struct csr columns; /* all rows, with entries in the groups of columns alone, which are renumbered one
                           group behind the other; without values; owned */
    double scale;       /* number of groups of columns that each kept group represents */
};

/* Rows or columns while they are gathered. */
struct excerpt_draw {
    int bits;         /* 2^bits lines are a group */
    atomic_int level; /* the present level */
    int64_t count, room;
    int32_t *row, *col; /* owned */
    double *val;        /* NULL if values are not kept; owned */
};

enum { EXCERPT_ROWS, EXCERPT_COLUMNS, EXCERPT_DRAWS };

/* Start with excerpt_begin, end with excerpt_end, or with excerpt_drop, which takes {0}. */
struct excerpt_gather {
    int64_t rows, cols;
    bool valued, complex;
    struct excerpt_draw of[EXCERPT_DRAWS];
    pthread_mutex_t lock;
    bool locked; /* the lock is initialized */
};

/* Return the number of entries to keep of rows and of columns under a limit of `limit` bytes in all:
 * EXCERPT_ENTRIES, or fewer, so that the excerpt and the data of its forecasts take at most a twentieth of
 * the limit. */
int64_t excerpt_admitted(size_t limit);

/* Prepare to gather entries of a matrix of this size with about `nnz` entries (0: unknown; groups have fewer
 * lines if these are longer). `admitted` entries are kept of rows and of columns each. `valued`: values are
 * read. STATUS_MEMORY. */
enum status excerpt_begin(int64_t rows, int64_t cols, int64_t nnz, int64_t admitted, bool valued,
                          bool complex, struct excerpt_gather *gather, struct error *error);

/* The bytes for gathering, and of the excerpt afterwards; and the additional bytes per row while the excerpt
 * is made, of which 8 remain. */
#define EXCERPT_ROW_BYTES ((size_t)12)
size_t excerpt_bytes(int64_t admitted, bool valued);

/* Process `count` entries at positions (row[k], col[k]); `val` is NULL if values are not read. Several
 * threads may call it at once. O(count). */
void excerpt_take(struct excerpt_gather *gather, int64_t count, const int32_t *row, const int32_t *col,
                  const double *val);

/* Process all entries of a->rows rows, which are rows first, first + 1, ... of the matrix; the offsets need
 * not begin with 0. Several threads may call it at once. */
void excerpt_take_rows(struct excerpt_gather *gather, const struct csr *a, int64_t first);

/* Count the entries of this number of rows by the lowest bits of their groups' hash: counts[draw][l] are
 * those kept at level l and at none above it. This is for several processes, each with rows first, first + 1,
 * ...: from the sums of counts excerpt_level finds the level, and then each process gathers with
 * excerpt_take. */
void excerpt_count(const struct excerpt_gather *gather, const struct csr *a, int64_t first,
                   int64_t counts[EXCERPT_DRAWS][EXCERPT_LEVELS + 1]);
int excerpt_level(const int64_t counts[EXCERPT_LEVELS + 1], int64_t admitted);
void excerpt_rise(struct excerpt_draw *draw, int level); /* to this level, unless it is higher */

/* Make the excerpt from the gathered entries; row_ptr has rows + 1 offsets of the whole matrix. The gathered
 * arrays are freed in any case. If no row is kept because each has too many entries, there is no excerpt
 * (`there`). O(rows + kept entries, and their logarithm where a row does not come sorted). STATUS_MEMORY. */
enum status excerpt_end(struct excerpt_gather *gather, const int64_t *row_ptr, struct excerpt *excerpt,
                        struct error *error);
void excerpt_drop(struct excerpt_gather *gather);

/* Return the number of entries to keep of the rows, and of the columns, for forecasts of a matrix; 0: all. It
 * depends on the offsets of the rows alone. O(rows). */
int64_t excerpt_kept(const struct csr *a);

/* Return the same for a number of entries up to EXCERPT_LEFT without very long rows. */
int64_t excerpt_share(int64_t nnz);

/* Make the excerpt of a matrix in memory: the same one as from streaming its entries. Parallel, O(nnz +
 * rows). STATUS_MEMORY, STATUS_CANCELLED. */
enum status excerpt_of(const struct csr *a, int64_t admitted, struct progress *progress,
                       struct excerpt *excerpt, struct error *error);

/* Accesses to x by the whole matrix, estimated from the columns; row_ptr are its offsets. */
struct touches excerpt_touches(const struct excerpt *excerpt, const int64_t *row_ptr);

/* The rows, with each column shifted like its row in renumbering. So there are no more diagonals than in the
 * whole matrix. The row with added entries is empty. Free with csr_free. STATUS_MEMORY; STATUS_LIMIT if
 * diagonals are so far apart that there would be too many columns. */
enum status excerpt_diagonal(const struct excerpt *excerpt, struct csr *moved, struct error *error);

void excerpt_free(struct excerpt *excerpt);

#endif
