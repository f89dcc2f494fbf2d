/* Comparing saved reports, of different machines, orders, versions or settings. */
#ifndef SPARSIGHT_REPORT_RECORDS_COMPARE_H
#define SPARSIGHT_REPORT_RECORDS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/records/sheets.h"

/* The value of `schema` in comparisons as JSON. */
#define COMPARE_SCHEMA "sparsight-compare/1"

/* A kernel is slower, or faster, if its interval does not overlap the base's and the ratio of the medians is
 * beyond this: "at least 10%" is what Koza et al., section 6.6, call significant. */
#define COMPARE_THRESHOLD 0.1

/* The outcome over all pairs of a kernel in the base and in another report. */
struct compared {
    int pairs; /* in which both were timed */
    int slower, faster, ties;
    int lost; /* timed in the base, and listed without a time in the other */
};

/* Compare the reports of the files paths[1..count-1] with that of paths[0], the base. Runs that both have are
 * left out where one of them has a run of the same matrix that differs. If there is only one file, compare
 * its later runs of each matrix with the first one, or if there is one run of each, its other orders with the
 * natural one. Appends the sheets
 *
 *   settings differences in version, machine and timing
 *   figures   bandwidths and caches that were measured on each
 *   kernels   each kernel in each matrix that both have: medians, their ratio with its interval, a verdict
 *   means     geometric means of these ratios, by kernel, of the fastest of each matrix, and of all
 *   absent matrices and kernels that only one has
 *   reports   the origins of the reports
 *
 * Matrices are the same if name, rows, columns and entries are; of several in one file the order decides too,
 * and then the sequence in the file. Kernels are the same if parameters, precision and threads are; the
 * others are paired without the threads, without the parameters, and without both, if only one on each side
 * fits; the sheet lists the differences. limit: as for saved_open. Errors of saved_open; STATUS_INPUT if
 * nothing can be compared; STATUS_MEMORY. */
enum status compare_reports(const char *const *paths, int count, double threshold, size_t limit,
                            struct sheets *sheets, struct compared *compared, struct error *error);

/* Append the same sheets without rows. */
void compare_nothing(struct sheets *sheets);

#endif
