/* The forecast time of a product on this machine's processors, from the storage of the matrix and the
 * measured profile of the processors (kernels/timing/processor.h). The model, with T threads:
 *
 *     time    = whole (launch + (arithmetic^q + moving^q)^(1/q) + longest)
 *     moving  = dram + l2 + latency
 *
 *   - launch: waking the team, and one more wait for it between two parts of a product.
 *   - arithmetic: for each row, column, strip or chunk, the time of the kernel's own loop for this length in
 *     a core's caches, and more if lengths vary; the mean over all threads. Padding counts like entries, and
 *     sums that threads add up for each other count like slots.
 *   - longest: the excess of the thread with the most arithmetic over the mean, by the kernel's own division
 *     of work. Meanwhile that thread alone reads. Where rows are cut, no thread has more than its share of a
 *     long row; but one with many short rows still has more arithmetic than others with as many entries.
 *   - dram: bytes that are read and written in order, at the bandwidth of this number of threads for this
 *     number of bytes: all arrays, x if it is touched in order, and y (twice if it is read before it is
 *     overwritten). If the caches are warm and hold the product's data, the bandwidth is theirs and the term
 *     is l2. Each kernel reaches its own share of the bandwidth, in caches beyond a core's and in memory.
 *     Slots of DIA outside the matrix are not read. A kernel of one thread that adds diagonal by diagonal
 *     passes through x and y once for each.
 *   - latency: loads of x, or additions to y, that are far from the previous ones
 *     (analysis/forecast/scatter.h). Each takes the time of a random load in memory of the footprint of its
 *     gap. Stores to lines of y that other threads write, too, take the measured time of such stores. Sums
 *     that csc-omp's threads keep for each other move from core to core. Of more diagonals, or columns of
 *     ELL, than a processor fetches ahead, each piece begins with a load that nothing hides.
 *   - whole: the ratio of measured whole products to the sum of the terms, for all threads and small
 * matrices: threads wait for the slowest one. Each term is multiplied by it, so they still add up to the
 * time.
 *
 * Loops are measured with real matrices. A slot of a complex matrix is assumed to take the computing time of
 * 1.5 real ones in double precision and of 1.2 in single precision. These are means over kernels, measured on
 * another machine.
 *
 * Computing and moving overlap partly; q is 3. One constant is fitted to times of matrices (CSC_MOVES in
 * cpu.c); all others are those of the machine. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_CPU_H
#define SPARSIGHT_ANALYSIS_FORECAST_CPU_H

#include "analysis/forecast/excerpt.h"
#include "analysis/forecast/scatter.h"
#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "formats/unique.h"
#include "kernels/cpu/csr_compact.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"
#include "kernels/timing/processor.h"

/* The rows, or columns, of a thread: the number of each length. */
struct cpu_share {
    int64_t length[REUSE_BINS]; /* by reuse_bin */
    int64_t rows, entries;
    int64_t uneven; /* rows with another length than the previous row, */
    int64_t apart;  /* and the sum of these differences */
};

/* Facts on a matrix for the forecast, found when first needed and shared by all kernels. Start with {.a = the
 * matrix}; for a matrix known by an excerpt, `a` has the offsets of its rows. Free with cpu_matrix_free. */
struct cpu_matrix {
    const struct csr *a;
    const struct excerpt *excerpt; /* the caller's; NULL: `a` has all entries */
    int threads;                   /* the number of threads of `share` */
    struct cpu_share *share;       /* shares of rows, divided by entries as in kernels; owned */
    struct cpu_share *column;      /* one share of all columns; owned */
    int32_t *order;                /* rows by length, longest first, as JDS sorts them; owned */
    struct csr columns;            /* the transposed pattern, without values; owned */
    double inside;                 /* slots of DIA within the matrix; 0: unknown yet */
    int64_t longest, apart;        /* the length of the longest row, and the sum of its differences from the
                                      next seven */
    bool compacted[2];             /* compact[k] is computed; */
    struct compact_counts compact[2]; /* counts of csr-compact in double and single precision */
    bool valued[2];                   /* values[k] is known, likewise; */
    struct distinct_values values[2]; /* the distinct values */
    struct scatter x[2], sorted[2], y_sorted[2], y_columns[2]; /* scatter in double and single precision */
    struct scatter several;                                    /* scatter for several vectors; */
    int several_size;          /* the bytes of an element of all vectors together; 0: unknown yet */
    struct cpu_matrix *turned; /* the facts on the transposed matrix, `columns`; owned */
};

/* The combination of the terms into the time. */
struct combination cpu_combination(void);

/* Forecast a product of this choice of a CPU kernel with this number of threads, whose storage is planned:
 * with warm and with flushed caches. A kernel that was not measured has no prediction. O(rows), and O(nnz)
 * for the first kernel and for the first that takes entries in another order. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status cpu_forecast(const struct processor *processor, struct cpu_matrix *matrix,
                         const struct kernel_choice *choice, const struct storage *storage, int threads,
                         struct product product, struct prediction predicted[2], struct progress *progress,
                         struct error *error);

/* Forecast a product other than y = A x: with several vectors, or with A^T. The choice is of an own kernel.
 * If A^T is stored, this is a product of a matrix like A. Otherwise the model is that of cpu_forecast with
 * other terms:
 *
 * arithmetic  the times of a slot and of a row in loops for several vectors, measured on one processor as
 *             multiples of a slot of csr-seq there. They depend on the width of the elements of all vectors
 *             together. Converting vectors from columns to rows and back is measured likewise.
 * dram, l2    the arrays are read once for each block of vectors.
 * latency     a load of X, or an addition to Y, moves the elements of all vectors of a block.
 *
 * If A^T is stored and the matrix has only an excerpt, A^T is assumed to be like A. O(rows), and O(nnz) for
 * the first kernel of a product. STATUS_MEMORY, STATUS_CANCELLED. */
enum status cpu_forecast_product(const struct processor *processor, struct cpu_matrix *matrix,
                                 const struct kernel_choice *choice, const struct storage *storage,
                                 int threads, struct product product, struct prediction predicted[2],
                                 struct progress *progress, struct error *error);

void cpu_matrix_free(struct cpu_matrix *matrix);

#endif
