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
    double computing; /* seconds of all threads, in a core's caches */
    double largest;   /* seconds of the thread with the most */
    double bytes;     /* read and written in order */
    double again;     /* seconds of a thread for repeated reads in order, from a cache */
    double far, near; /* seconds of a thread */
    double shared;    /* seconds of a thread for stores to lines shared with other threads */
    double teams;     /* number of times that the team is woken or awaited */
};

/* The product to forecast. */
struct cpu_forecasting {
    const struct processor *processor;
    struct cpu_matrix *matrix;
    const struct kernel *kernel;
    const struct storage *storage;
    const struct loop_pace *loop;
    int threads;
    struct product product;
    double value;                 /* bytes of a value */
    double arrays;                /* bytes of the storage that the kernel reads */
    double aside;                 /* bytes that it derives from the storage */
    double footprint;             /* all bytes that a product touches */
    struct sell_told_counts told; /* of sell-compact: the encoding of the columns */
    struct progress *progress;
};

/* Find the shares of rows of this number of threads, the rows by length, and the rows of each column.
 * STATUS_MEMORY. */
enum status cpu_need_shares(struct cpu_matrix *matrix, int threads, struct error *error);
enum status cpu_need_order(struct cpu_matrix *matrix, struct error *error);
enum status cpu_need_columns(struct cpu_matrix *matrix, struct error *error);

/* Find `inside`. STATUS_MEMORY. */
enum status cpu_need_inside(struct cpu_matrix *matrix, struct error *error);

/* Make `turned` for a matrix with all entries. STATUS_MEMORY. */
enum status cpu_need_turned(struct cpu_matrix *matrix, struct error *error);

/* The number of elements of the private sums in which this number of threads add to the rows of A^T, for a
 * single vector. With `direct`, threads that share no element add to Y itself. O(rows). */
double cpu_copied(const struct cpu_matrix *matrix, int threads, bool direct);

/* Add the seconds of loads of x, or of additions to y, each of this number of lines. */
void cpu_add_scatter(const struct cpu_forecasting *f, const struct scatter *scatter, double lines, bool cold,
                     struct cpu_work *work);

/* Set f->loop; it is NULL if neither the kernel's loop was measured nor that of the kernel whose pace it
 * uses. Returns the kernel of the loop. */
const struct kernel *cpu_find_loop(struct cpu_forecasting *f);

/* Make the prediction from the results, without its interval. */
void cpu_predict(const struct cpu_forecasting *f, const struct cpu_work *work, bool cold,
                 struct prediction *prediction);

#endif
