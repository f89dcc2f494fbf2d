/* Padding: what ELL and HYB would take beside CSR, from the row lengths alone and without converting. */
#ifndef SPARSIGHT_ANALYSIS_PADDING_H
#define SPARSIGHT_ANALYSIS_PADDING_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* Of m lines, the longest of which has L entries, cut at K <= L; a value has v bytes, an index 4. Doubles,
 * since ELL may be beyond any integer. */
struct padding {
    struct cut cut;
    double ell_slots; /* m L */
    double hyb_slots; /* m K + rest */
    double ell_bytes; /* m L (4 + v) */
    double hyb_bytes; /* m K (4 + v) + rest (8 + v) */
    double csr_bytes; /* nnz (4 + v) + (m + 1) offsets of 4 bytes, or 8 beyond 2^31 - 1 entries */
};

/* With `value` bytes a value. Lengths of columns give the formats of the transpose. O(bins). */
struct padding padding_of(const struct lengths *lengths, int64_t k, size_t value);

#endif
