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
    double min_bytes; /* the smallest of the three */
    double ell_factor, hyb_factor; /* slots / nnz, the padding factor; NaN without entries */
    double hyb_padding;            /* slots of HYB without an entry */
    double padding_share;          /* of the slots of HYB; NaN without slots */
    double kept_share, rest_share; /* shares of all entries in ELL and in COO; NaN without entries */
    double longer_share;           /* share of lines longer than K; NaN without lines */
};

/* The sizes for lines cut at k, with `value` bytes a value. Lengths of columns give the sizes of the
 * transposed matrix. O(bins). */
struct padding padding_of(const struct lengths *lengths, int64_t k, size_t value);

/* The K to show first: the mean length of `lines` lines with nnz entries, rounded up; 0 without lines. */
int64_t padding_first_cut(int64_t lines, int64_t nnz);

/* A chunk of SELL with the rows first .. end - 1 of a row pointer, and at least `height` rows. All are padded
 * to the length of the longest. */
struct chunk_padding {
    int64_t entries, slots, padding; /* slots = height x longest, padding = slots - entries */
    double share;                    /* of the slots that are padding; NaN without slots */
};

/* O(end - first). */
struct chunk_padding padding_of_chunk(const int64_t *row_ptr, int64_t first, int64_t end, int64_t height);

#endif
