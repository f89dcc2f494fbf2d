/* Shared by the files that forecast products on processors (cpu.h). */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_CPU_PARTS_H
#define SPARSIGHT_ANALYSIS_FORECAST_CPU_PARTS_H

#include "analysis/forecast/cpu.h"
#include "kernels/cpu/sell_compact.h"

/* Maximum number of entries for which columns are counted and their rows listed, if the entries are in
 * memory; for more, y is assumed to be scattered like x. */
#define CPU_LISTED 67108864

/* The work of a product for the processors. */
struct cpu_work {
    double computing; /* seconds of all threads together, in a core's caches */
    double largest;   /* those of the thread with most */
    double bytes;     /* read and written in order */
    double again;     /* seconds of a thread for what is read in order once more, each time from a cache */
    double far, near; /* seconds of a thread */
    double shared;    /* seconds of a thread for stores to lines that other threads store to */
    double teams;     /* how often the team is woken or waited for */
};

/* The subject of a forecast. */
struct cpu_forecasting {
    const struct processor *processor;
    struct cpu_matrix *matrix;
    const struct kernel *kernel;
    const struct storage *storage;
    const struct loop_pace *loop;
    int threads;
    struct product product;
    double value;                 /* bytes of a value */
    double arrays;                /* bytes of the storage */
    double footprint;             /* bytes of all that a product touches */
    struct sell_told_counts told; /* of sell-compact: how the columns are told */
    struct progress *progress;
};

/* Find the shares of rows of this number of threads, the rows by length, and the rows of each column.
 * STATUS_MEMORY. */
enum status cpu_need_shares(struct cpu_matrix *matrix, int threads, struct error *error);
enum status cpu_need_order(struct cpu_matrix *matrix, struct error *error);
enum status cpu_need_columns(struct cpu_matrix *matrix, struct error *error);

/* Know `turned`: of a matrix with all entries. STATUS_MEMORY. */
enum status cpu_need_turned(struct cpu_matrix *matrix, struct error *error);

/* The elements of sums that so many threads keep apart when they add to A^T's rows, of a single vector. Where
 * they may add to Y themselves (`direct`), those do that have no element in common. O(rows). */
double cpu_copied(const struct cpu_matrix *matrix, int threads, bool direct);

/* Add the seconds of loads of x, or of additions to y, each of this number of lines. */
void cpu_add_scatter(const struct cpu_forecasting *f, const struct scatter *scatter, double lines, bool cold,
                     struct cpu_work *work);

/* Set f->loop, which is NULL if neither the kernel's loop was measured nor that of the kernel whose pace it
 * has. Returns the kernel whose loop it is. */
const struct kernel *cpu_find_loop(struct cpu_forecasting *f);

/* Make the prediction of what was found, but for its interval. */
void cpu_predict(const struct cpu_forecasting *f, const struct cpu_work *work, bool cold,
                 struct prediction *prediction);

#endif
