/* Distinct values: if a matrix has few of them, a byte per entry can encode its value (Kourtis, Goumas and
 * Koziris, "Optimizing sparse matrix-vector multiplication using index and value compression", Computing
 * Frontiers 2008: CSR-VI). This is usual in adjacency matrices, stencils and many linear programs. C and C++
 * both include this. */
#ifndef SPARSIGHT_FORMATS_UNIQUE_H
#define SPARSIGHT_FORMATS_UNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/array.h"
#include "matrix/csr.h"

#define UNIQUE_MAX 256 /* number of values that a byte distinguishes */

/* The distinct values, on the host or in the memory of a device. */
struct unique {
    int count;   /* the number of distinct values; -1: more than UNIQUE_MAX; 0: unknown */
    void *value; /* the distinct values in their own type, ascending by their bits as unsigned numbers; NULL:
                    none */
    uint8_t *index; /* index of the distinct value of element e; NULL: none */
};

/* Find the distinct values of a value array. Values are compared by their bits, so that -0 and 0, and NaNs
 * with different bits, are distinct. If there are more than UNIQUE_MAX, which usually shows after few
 * elements, only the count is set; if the array has no data or no elements, or is complex, *unique becomes
 * {0}. Returns STATUS_MEMORY, or STATUS_LIMIT if `index` has more bytes than `limit` (0: the default of
 * memory_check); then nothing is allocated. The caller frees *unique with unique_free. Parallel,
 * O(elements). */
enum status unique_make(const struct array *values, size_t limit, struct unique *unique, struct error *error);
void unique_free(struct unique *unique); /* takes {0} */

/* Return true if the entries of a real matrix have at most UNIQUE_MAX distinct values, in single precision if
 * `single`; false if it has no values. Parallel, O(entries); usually faster if there are more. */
bool unique_few(const struct csr *a, bool single);

/* The distinct values of the entries of a matrix. */
struct distinct_values {
    int count;   /* their number; 0: more than UNIQUE_MAX, or there are no real values */
    bool zero;   /* 0 is one of them */
    bool finite; /* all of them are finite */
};

/* Find them, in single precision if `single`. As unique_few. */
struct distinct_values distinct_values(const struct csr *a, bool single);

#endif
