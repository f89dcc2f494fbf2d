/* Records: the numbers of one matrix of a saved report for comparing reports. */
#ifndef SPARSIGHT_REPORT_RECORDS_RECORD_H
#define SPARSIGHT_REPORT_RECORDS_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A kernel of a record. Texts belong to the record; numbers missing in the report are NaN. */
struct record_row {
    const char *kernel; /* "cpu/csr-omp" */
    const char *label;  /* its displayed name, with the requested parameters */
    const char *group;  /* in a collection: its name in tables of kernels; else NULL */
    const char *backend, *format, *precision;
    const json_t *params;    /* NULL: none */
    const char *unavailable; /* the reason for a missing time; NULL if there is a time */
    int threads;             /* 0 on a GPU */
    double time, median;     /* of a product, microseconds */
    double low, high;        /* the ends of the median's 95% interval */
    double predicted;        /* the forecast of it, microseconds */
    double gflops, beta_minus, beta_plus, eta_minus, eta_plus, padding_ratio;
    double height;       /* of CMRS: rows in a strip */
    double a_128, a_256; /* the model of CMRS, eq. 5.2, for transactions of this number of bytes */
};

/* A matrix in an order. Start with {0}; free with record_free. */
struct record {
    json_t *json; /* the report's object; owned */
    const char *name, *order;
    int64_t rows, cols, nnz;
    double mean;      /* entries a row */
    double deviation; /* percent average deviation of the row lengths */
    struct record_row *items;
    int count;
};

/* Read an object of a report's list `matrices`, and keep a reference to it. `path` is the file, for errors:
 * STATUS_INPUT names the fault; STATUS_MEMORY. *record is {0} then. */
enum status record_read(json_t *matrix, const char *path, struct record *record, struct error *error);

/* Free the parts of the object that no record uses, so that thousands of records fit into memory. Only if the
 * object has no other reader. */
void record_prune(json_t *matrix);

void record_free(struct record *record);

/* True if the kernel has times with an interval. */
bool record_timed(const struct record_row *row);

/* True if the intervals of the medians of two rows overlap: a tie. Both must be timed. */
bool record_tied(const struct record_row *a, const struct record_row *b);

/* The fastest row of this precision; NULL if none was timed. */
const struct record_row *record_fastest(const struct record *record, const char *precision);

/* True if two records are of one matrix, judged by name and sizes; their orders may differ. */
bool record_same_matrix(const struct record *a, const struct record *b);

#endif
