/* Values that differ: where a matrix has few of them, each entry's value can be told by a byte, which one of
 * them it is (Kourtis, Goumas and Koziris, "Optimizing sparse matrix-vector multiplication using index and
 * value compression", Computing Frontiers 2008: CSR-VI). Adjacency matrices, stencils and many linear
 * programs are such. C and C++ both include this. */
#ifndef SPARSIGHT_FORMATS_UNIQUE_H
#define SPARSIGHT_FORMATS_UNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/array.h"
#include "matrix/csr.h"

#define UNIQUE_MAX 256 /* a byte tells so many values apart */

/* The values that differ, on the host as they are found, or in the memory of a device. */
struct unique {
    int count;   /* how many there are; -1: more than UNIQUE_MAX; 0: nobody has looked, or could */
    void *value; /* these, ascending by their bits taken as an unsigned number, of the values' own type; NULL
                    if there are none */
    uint8_t *index; /* element e is which of them element e of the values is; NULL if there are none */
};

/* Find the values of a value array that differ: by their bits, so that -0 and 0, and NaNs of different bits,
 * stay what they are. If there are more than UNIQUE_MAX, which is mostly seen after few elements, there is
 * nothing but the count; if the array has no data or no elements, or is complex, *unique becomes {0}. Returns
 * STATUS_MEMORY, or STATUS_LIMIT if `index` has more bytes than `limit` (0 stands for what memory_check
 * allows by itself); nothing is left behind then. The caller frees *unique with unique_free. Parallel,
 * O(elements). */
enum status unique_make(const struct array *values, size_t limit, struct unique *unique, struct error *error);
void unique_free(struct unique *unique); /* takes {0} */

/* Return true if the entries of a real matrix have up to UNIQUE_MAX values that differ, in single precision
 * if `single`; false if it has no values. Parallel, O(entries), and mostly less if they have more. */
bool unique_few(const struct csr *a, bool single);

#endif
