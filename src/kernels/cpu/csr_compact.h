/* The data that csr-compact reads instead of the column indices of CSR. */
#ifndef SPARSIGHT_KERNELS_CPU_CSR_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_CSR_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/array.h"
#include "kernels/cpu/loops/loops.h"

/* The encoding of the columns of a stretch of rows. */
enum compact_kind {
    COMPACT_FULL,    /* from CSR: the stretch spans more columns than 16 bits can address */
    COMPACT_NARROW,  /* 16 bits each, counted from the lowest column of the stretch */
    COMPACT_SHIFTED, /* the columns of the first row are read from CSR. Each further row has the same number
                        of entries, all one column further right: they lie on diagonals */
};

/* Consecutive rows. A stretch ends where the next one begins. */
struct compact_stretch {
    int64_t row, entry; /* the first ones; a SHIFTED stretch fills whole cache lines of y */
    int64_t narrow;     /* index of its first narrow column; a multiple of COMPACT_PAD */
    int32_t base;       /* of NARROW: the lowest column, to which its columns are relative */
    enum compact_kind kind;
};

/* The narrow columns of a stretch are followed by zeros up to a multiple of this many, so that vectors of
 * them can be loaded whole. */
#define COMPACT_PAD 32

/* Maximum number of entries of a stretch that is not SHIFTED, unless its rows are long (see
 * csr_compact.c). */
#define COMPACT_ENTRIES 1024

/* The counts of a matrix. */
struct compact_counts {
    int64_t stretches;
    int64_t narrows;      /* narrow columns, with their zeros */
    int64_t full_columns; /* columns read from CSR: all of FULL stretches, first rows of SHIFTED ones */
    int64_t row_ends;     /* rows whose offsets are read */
    int64_t shifted_rows, shifted_entries; /* rows and entries of SHIFTED stretches */
};

struct compact {
    const struct loops *loops;
    struct compact_stretch *stretch; /* the stretches, and one that begins after the last row */
    bool scattered;                  /* elements of x are prefetched (csr_is_scattered) */
    uint16_t *narrow;
    struct compact_counts counts;
    int64_t bound[]; /* thread t has stretches bound[t] .. bound[t+1]-1 */
};

/* Count the stretches and bytes of csr-compact for a matrix whose values have `size` bytes: row_ptr and col
 * are those of CSR. O(nnz). */
struct compact_counts compact_count(const struct array *row_ptr, const int32_t *col, int64_t rows,
                                    size_t size);

/* The bytes that a product reads instead of the columns and offsets of CSR, whose offsets have `offset` bytes
 * each. */
size_t compact_bytes(const struct compact_counts *counts, size_t offset);

/* The bytes of the stretches and narrow columns, in addition to CSR. */
size_t compact_aside(const struct compact_counts *counts);

#endif
