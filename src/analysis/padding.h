/* Padding: the sizes of ELL, HYB and CSR, from the row lengths alone and without converting. */
#ifndef SPARSIGHT_ANALYSIS_PADDING_H
#define SPARSIGHT_ANALYSIS_PADDING_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* Slots and bytes of m lines, of which the longest has L entries, cut at K <= L. A value has v bytes and an
 * index 4. The numbers are doubles, since the size of ELL may be beyond 64 bits. */
struct padding {
    struct cut cut;
    double ell_slots; /* m L */
    double hyb_slots; /* m K + rest */
    double ell_bytes; /* m L (4 + v) */
    double hyb_bytes; /* m K (4 + v) + rest (8 + v) */
    double csr_bytes; /* nnz (4 + v) + (m + 1) offsets of 4 bytes, or 8 beyond 2^31 - 1 entries */
};

/* The sizes for lines cut at k, with `value` bytes a value. Lengths of columns give the sizes of the
 * transposed matrix. O(bins). */
struct padding padding_of(const struct lengths *lengths, int64_t k, size_t value);

#endif
