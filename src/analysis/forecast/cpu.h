/* The time that a product would take on this machine's processors: forecast from the storage of the matrix
 * and the measured profile of the processors (kernels/timing/processor.h). The model, with T threads:
 *
 *     time    = whole (launch + (arithmetic^q + moving^q)^(1/q) + longest)
 *     moving  = dram + l2 + latency
 *
 *   - launch: waking the team, and waiting for it once more between two parts of a product.
 *   - arithmetic: for each row, column, strip or chunk, what the kernel's own loop takes for one of this
 * length in a core's caches, and more where lengths vary; the mean of all threads. Padding counts like
 * entries, and sums that threads add up for each other count like slots.
 *   - longest: what the thread with most of that has more than the mean, by the kernel's own division of
 * work. That thread reads by itself meanwhile.
 *   - dram: bytes that are read and written in order, at the bandwidth at which so many threads read so many
 *     bytes: all arrays, x where it is touched in order, and y (twice if it is read before it is
 * overwritten). If the caches are warm and hold what the product reads, the bandwidth is theirs and the term
 * is l2. Each kernel takes its own share of the bandwidth.
 *   - latency: loads of x, or additions to y, that are far from those before them
 *     (analysis/forecast/scatter.h). Each takes what a load at random takes in so much memory as its gap has
 *     gone through. Stores to y whose lines other threads write too take what such stores were measured to.
 *   - whole: what whole products took, in times of what the terms add up to: threads wait for the slowest
 *     among them. Each term is multiplied by it, so that they still add up to the time.
 *
 * Loops are measured with real matrices. A slot of a complex one is taken to compute as long as 1.5 real ones
 * in double precision and 1.2 in single, which is a mean over kernels that was measured elsewhere.
 *
 * Computing and moving overlap in part; q is 3. Times are not fitted to matrices: all other constants are
 * those of the machine. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_CPU_H
#define SPARSIGHT_ANALYSIS_FORECAST_CPU_H

#include "analysis/forecast/excerpt.h"
#include "analysis/forecast/scatter.h"
#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "kernels/cpu/csr_compact.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"
#include "kernels/timing/processor.h"

/* Rows that a thread has, or columns: how many of each length. */
struct cpu_share {
    int64_t length[REUSE_BINS]; /* by reuse_bin */
    int64_t rows, entries;
    int64_t uneven; /* rows whose length differs from that of the previous row */
};

/* Facts on a matrix for the forecast, found when first needed and shared by all kernels. Start with {.a = the
 * matrix}; for a matrix known by an excerpt, `a` has the offsets of its rows. Free with cpu_matrix_free. */
struct cpu_matrix {
    const struct csr *a;
    const struct excerpt *excerpt; /* the caller's; NULL: `a` has all entries */
    int threads;                   /* the shares' */
    struct cpu_share *share;       /* of rows, as kernels divide them by entries; owned */
    struct cpu_share *column;      /* one share of all columns; owned */
    int32_t *order;                /* rows by length, longest first, as JDS sorts them; owned */
    struct csr columns;            /* the transposed pattern, without values; owned */
    int64_t longest, apart; /* the longest row, and by how many entries the next seven are shorter in all */
    bool compacted[2];      /* `compact` is there; */
    struct compact_counts compact[2]; /* what csr-compact makes of it in double and single precision */
    struct scatter x[2], sorted[2], y_sorted[2], y_columns[2]; /* of double and single precision */
    struct scatter several;                                    /* for several vectors, whose elements */
    int several_size;          /* together have this number of bytes; 0: unknown yet */
    struct cpu_matrix *turned; /* what is known of the transposed matrix, which is `columns`; owned */
};

/* How the terms make the time. */
struct combination cpu_combination(void);

/* Forecast a product of a CPU kernel with this number of threads, whose storage is planned: with warm and
 * with flushed caches. There is no prediction for a kernel that was not measured. O(rows), and O(nnz) for the
 * first kernel and for the first that takes entries in another order. STATUS_MEMORY, STATUS_CANCELLED. */
enum status cpu_forecast(const struct processor *processor, struct cpu_matrix *matrix,
                         const struct kernel *kernel, const struct storage *storage, int threads,
                         struct product product, struct prediction predicted[2], struct progress *progress,
                         struct error *error);

/* Forecast a product other than y = A x: with several vectors, or with A^T. The choice is of a kernel of
 * ours. Where A^T is stored, that is the product of a matrix like A. Else the model is that of cpu_forecast
 * with other terms:
 *
 * arithmetic  a slot and a row take what loops for several vectors took on one processor, in times of a slot
 *             of csr-seq there: it depends on how wide the elements of all vectors together are. So do
 *             vectors that are brought from columns to rows and back.
 * dram, l2    the arrays are read once for each block of vectors.
 * latency     a load of X, or an addition to Y, brings the elements of all vectors of a block.
 *
 * Where A^T is stored of a matrix of which an excerpt alone is there, it is taken to be like A. O(rows), and
 * O(nnz) for the first kernel of a product. STATUS_MEMORY, STATUS_CANCELLED. */
enum status cpu_forecast_product(const struct processor *processor, struct cpu_matrix *matrix,
                                 const struct kernel_choice *choice, const struct storage *storage,
                                 int threads, struct product product, struct prediction predicted[2],
                                 struct progress *progress, struct error *error);

void cpu_matrix_free(struct cpu_matrix *matrix);

#endif
