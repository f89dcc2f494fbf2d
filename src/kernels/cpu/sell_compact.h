/* The data that sell-compact reads instead of the column indices of SELL. */
#ifndef SPARSIGHT_KERNELS_CPU_SELL_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_SELL_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/unique.h"
#include "kernels/choice.h"
#include "kernels/cpu/cpu.h"

/* The encoding of the columns of a chunk of SELL. A line is entries d of its c rows; its slots have columns
 * base + difference, where base is the lowest of the line. All lines of a chunk have the same encoding, the
 * shortest that fits all of them.
 *
 * At the edge of a grid a row lacks the entry of a diagonal. Its later entries then lie one line before those
 * of its neighbours on the same diagonals. A gap moves them to the line of their diagonal. If gaps suffice
 * for all entries of the chunk, without further lines, the columns of each line are consecutive except at
 * gaps. An example with c = 4; the numbers are columns (p: padding):
 *
 *     as in SELL   7  0  1  2   base 0    with gaps   .  0  1  2   base -1
 *                  8  8  9 10   base 8                7  8  9 10   base  7
 *                  p  9 10 11   base 8                8  9 10 11   base  8
 *
 * If a chunk of a storage has gaps, all values of the storage are stored again in the order of reading, with
 * a finite value in gaps, and each slot has a bit, 0 in a gap. x is not read in gaps, so a base may be
 * negative. Storages of more than 64 MiB of values have no gaps, unless values are told by bytes.
 *
 * Values by bytes: if at most 256 values differ, all of them finite, a slot stores the index of its value in
 * a table (CSR-VI of Kourtis, Goumas and Koziris, "Optimizing sparse matrix-vector multiplication using index
 * and value compression", Computing Frontiers 2008). Few values fit in registers: 16 doubles or 32 floats
 * with AVX-512, 4 or 8 with AVX2. */
enum sell_told {
    SELL_TOLD_IN_ORDER, /* the columns of each line are consecutive: no differences */
    SELL_TOLD_GAPS,     /* the same with gaps; only if a line is 1, 2, 4 or 8 cache lines of values */
    SELL_TOLD_BYTE,     /* differences of 8 bits */
    SELL_TOLD_SHORT,    /* differences of 16 bits */
    SELL_TOLD_WHOLE,    /* the columns of SELL themselves, without bases and differences */
};
#define SELL_TOLD_KINDS 5

/* The step of sell_compact.place, a power of two. */
#define SELL_TOLD_STEP 8

/* The counts of a storage's chunks. */
struct sell_told_counts {
    int64_t chunks[SELL_TOLD_KINDS], lines[SELL_TOLD_KINDS];
    int64_t bytes;    /* bytes of all differences; those of a chunk begin at an even byte */
    int64_t distinct; /* number of values in the table; 0: values are full */
};

struct sell_compact {
    const struct loops *loops;
    struct division *division;
    struct sell_told_counts counts;
    int64_t *place; /* place[i] % SELL_TOLD_STEP is the encoding of chunk i; place[i] / SELL_TOLD_STEP is the
                       byte at which its differences begin */
    int32_t *base;  /* of the line with slots e .. e + c-1: base[e / c] */
    uint8_t *difference;
    void *gapped; /* the values of all slots, of the storage's type; NULL if no chunk has gaps, or if values
                     are told by bytes */
    struct unique unique; /* the table of values and the index of each slot in the order of reading; {0} if
                             values are full */
    uint8_t *there;       /* there[s / 8] >> s % 8 & 1 is the bit of slot s of a chunk with gaps */
    int64_t gaps;         /* number of bits that are 0 */
};

/* Count the chunks and bytes of a storage of SELL with full values. O(slots), parallel. */
struct sell_told_counts sell_told_count(const struct storage *storage);

/* Do the same for a planned storage with this number of values by bytes (0: full values), from rows of the
 * matrix: from all of them, or if there are many, from some hundred thousand in windows, sorted as in the
 * storage. STATUS_MEMORY, STATUS_CANCELLED. */
enum status sell_told_estimate(const struct storage *plan, const struct csr *a, int64_t distinct,
                               struct progress *progress, struct sell_told_counts *counts,
                               struct error *error);

/* The parameter of sell-compact beside those of SELL: the encoding of values (kernels/told.h). */
enum { SELL_COMPACT_VALUES };

/* Return whether the storage is multiplied faster if this number of distinct values are told by bytes, which
 * is the default then: they fit in registers, the loop for c has vectors, and with AVX2 the values take 2 MiB
 * or more. */
bool sell_few_pay(const struct storage *storage, int64_t distinct);

/* The number of values by bytes that this choice of sell-compact will have for a planned storage, if the
 * entries have these values; 0: values are full. */
int64_t sell_planned_distinct(const struct kernel_choice *choice, const struct storage *plan,
                              const struct distinct_values *values);

/* Fill the arrays of *compact, which has the values by bytes, or none. STATUS_MEMORY, STATUS_LIMIT. */
enum status sell_compact_tell(const struct launch *launch, struct sell_compact *compact, struct error *error);

/* The bytes that sell-compact reads of a storage with these counts, without x and y. */
size_t sell_compact_bytes(const struct storage *storage, const struct sell_told_counts *counts);

/* The bytes of the values of SELL that it does not read, because they are stored again. */
size_t sell_compact_unread(const struct storage *storage, const struct sell_told_counts *counts);

/* The bytes of bases, differences, values or indices that are stored again, and bits, in addition to SELL. */
size_t sell_compact_aside(const struct storage *storage, const struct sell_told_counts *counts);

/* For all host kernels of SELL: the slots of the longest chunk, which one thread processes; and whether sums
 * bypass the caches, as they do if rows keep their order. */
int64_t sell_longest_chunk(const struct storage *storage);
bool sell_streams_y(const struct storage *storage);

extern const struct kernel kernel_cpu_sell_omp;

/* The tuned parameters of all host kernels of SELL. */
extern const struct tuning_line cpu_sell_tuning[];

#endif
