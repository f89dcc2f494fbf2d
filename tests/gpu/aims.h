/* The aims of GPU kernels beside cuSPARSE, and whether they reach them. Pure arithmetic on timed results. */
#ifndef SPARSIGHT_TESTS_GPU_AIMS_H
#define SPARSIGHT_TESTS_GPU_AIMS_H

#include <stdbool.h>
#include <stddef.h>

/* The origin of a matrix: aims are set by kind. */
enum kind {
    KIND_STENCIL,
    KIND_BANDED,
    KIND_ELEMENTS, /* finite elements */
    KIND_CIRCUIT,
    KIND_LP, /* linear programs */
    KIND_RMAT,
    KIND_GRAPH,
    KIND_PERMUTATION,
    KIND_OTHER
};

/* "stencil", "banded", ... */
const char *kind_name(enum kind kind);

/* A matrix in one precision. Seconds are medians of a product, infinite where none was timed. */
struct figures {
    enum kind kind;
    double mean;      /* row length */
    double bytes;     /* of CSR's arrays, x and y, each once */
    double copy;      /* bytes/s */
    double vendor;    /* the best of cuSPARSE, SpMVOp among it where it is there, */
    double own;       /* the best of ours, */
    double own_bytes; /* bytes that it reads */
    double cmrs;      /* the best of CMRS, */
    double height;    /* rows of its strips */
    double vector;    /* csr-vector with 32 threads a row */
    double value;     /* bytes of a value */
    double classic;   /* the best of cuSPARSE without SpMVOp, */
    double op;        /* and the best of SpMVOp */
};

/* vendor / own; NaN if one of them is missing. */
double figures_ratio(const struct figures *figures);

/* Compare SpMVOp with cuSPARSE's other algorithms: *mean becomes the geometric mean of classic / op over the
 * matrices that have both, and *ahead the number of those on which SpMVOp is the faster. Returns their
 * number; 0 leaves *mean at NaN. */
int figures_op(const struct figures *figures, size_t count, double *mean, int *ahead);

/* The share of the copy bandwidth that the best own kernel has, counting the bytes of CSR; NaN without one.
 */
double figures_share(const struct figures *figures);

/* vector / cmrs: the gain of strips over a warp a row; NaN if one of them is missing. */
double figures_cmrs_gain(const struct figures *figures);

/* The most they could, by the model of analysis/cmrs_model.h with transactions of `lambda` bytes. */
double figures_cmrs_max(const struct figures *figures, double lambda);

/* Rows that are short enough to compare the gain. */
bool figures_short_rows(const struct figures *figures);

enum aim_bound { AIM_MIN, AIM_MAX };

struct aim {
    char what[128];
    enum aim_bound bound;
    double aim, value; /* value: NaN if no matrix that was timed has to do with it */
    int count;         /* matrices that it was judged by */
};

#define AIMS 12

/* Judge all of one precision. */
void aims_judge(const struct figures *figures, size_t count, struct aim aims[AIMS]);

bool aim_reached(const struct aim *aim);

#endif
