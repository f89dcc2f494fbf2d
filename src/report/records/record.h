/* Records: the numbers of one matrix of a saved report for comparing reports. */
#ifndef SPARSIGHT_REPORT_RECORDS_RECORD_H
#define SPARSIGHT_REPORT_RECORDS_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A kernel of a record. Texts belong to the record; numbers that the report does not have are NaN. */
struct record_row {
    const char *kernel; /* "cpu/csr-omp" */
    const char *label;  /* its name for people, with the requested parameters */
    const char *group;  /* in a collection: its name in tables of kernels; else NULL */
    const char *backend, *format, *precision;
    const json_t *params;    /* NULL: none */
    const char *unavailable; /* why it has no time; NULL if it has */
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

/* Read an object of a report's list `matrices`, of which a reference is kept. `path` is the file, for errors:
 * STATUS_INPUT names what is wrong with it; STATUS_MEMORY. *record is {0} then. */
enum status record_read(json_t *matrix, const char *path, struct record *record, struct error *error);

/* Forget what of the object no record has, so that thousands of them fit into memory. Only where nobody else
 * reads the object. */
void record_prune(json_t *matrix);

void record_free(struct record *record);

/* True if the kernel has times with an interval. */
bool record_timed(const struct record_row *row);

/* True if the median's intervals of two rows overlap, so that nothing says which is faster. Both must be
 * timed. */
bool record_tied(const struct record_row *a, const struct record_row *b);

/* The fastest row of this precision; NULL if none was timed. */
const struct record_row *record_fastest(const struct record *record, const char *precision);

/* True if two records are of one matrix, as far as name and sizes tell; their orders may differ. */
bool record_same_matrix(const struct record *a, const struct record *b);

#endif
