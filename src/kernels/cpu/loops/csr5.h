/* Loops over the tiles of CSR5 (formats/csr5.h), in three steps without a branch that depends on a single
 * row.
 *
 * Lane c goes down column c of a tile and stores its sum before each entry. Where a row begins, its sum
 * begins again with 0. Then the sums with which lanes end are added to the next lane's first row, and at last
 * the set bits tell which of the stored sums are those of whole rows. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_CSR5_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_CSR5_H

#include "kernels/cpu/csr5.h"
#include "kernels/cpu/loops/sums.h"

/* The row that is being summed, and its sum so far. */
struct csr5_sum {
    real sum;
    int64_t row;
    bool foreign; /* the row began before the loop's first unit, so that its sum is returned */
    real returned;
};

/* The row is complete: write its sum, or put it aside to be returned. */
static inline void csr5_end(const struct launch *launch, struct csr5_sum *of)
{
    real *y = launch->y;
    if (of->foreign)
        of->returned = of->sum;
    else
        y[of->row] = launch->product.accumulate ? y[of->row] + of->sum : of->sum;
    of->foreign = false;
    of->sum = 0;
}

/* Set rows first .. end-1, which are empty or not yet written, to 0. */
static inline void csr5_clear(const struct launch *launch, int64_t first, int64_t end)
{
    real *y = launch->y;
    for (int64_t i = first; i < end && !launch->product.accumulate; i++)
        y[i] = 0;
}

#if defined(SIMD) || defined(PAIRS)

/* Bytes of a vector, and integers as wide as `scalar`. */
#    ifdef SIMD
#        define CSR5_BYTES SIMD_BYTES
#    else
#        define CSR5_BYTES 32
#    endif
typedef __typeof__(__builtin_choose_expr(sizeof(scalar) == 4, (uint32_t)0, (uint64_t)0)) csr5_bits;

/* True if this number of elements is a whole vector, whose products need no buffer. */
#    ifdef SIMD
#        define CSR5_WHOLE(n) ((n) == SIMD)
#    else
#        define CSR5_WHOLE(n) ((n) == PAIRS)
#    endif

/* Let product[e] be val[e] x[col[e]], e < n, where n is a multiple of 4. */
INLINE void csr5_products(const real *val, const int32_t *col, const real *x, int64_t n, bool large,
                          real *product)
{
    int64_t e = 0;
#    ifdef SIMD
    for (; e + SIMD <= n; e += SIMD) {
        if (large) ahead_line(val + e, col + e);
        simd_store(product + e, products(val + e, col + e, x));
    }
    if (e < n) {
        simd rest = simd_tail(val + e, x, col + e, n - e);
        memcpy(product + e, &rest, (size_t)(n - e) * sizeof *product);
    }
#    else
    for (; e + PAIRS <= n; e += PAIRS) {
        const pairs zero = {0};
        if (large) ahead_line(val + e, col + e);
        pairs_store(product + e, pairs_add_product(zero, pairs_load(val + e), pairs_gather(x, col + e)));
    }
#    endif
}

#    define LANES 4
#    include "kernels/cpu/loops/csr5_lanes.h"
#    define LANES 8
#    include "kernels/cpu/loops/csr5_lanes.h"
#    define LANES 16
#    include "kernels/cpu/loops/csr5_lanes.h"

#endif

/* The same as csr5_sums of csr5_lanes.h, of any number of lanes. */
static inline void csr5_sums(const real *val, const int32_t *col, const real *x, const uint32_t *desc,
                             int64_t omega, int64_t sigma, real *s)
{
    for (int64_t c = 0; c < omega; c++)
        s[c] = 0;
    for (int64_t r = 0; r < sigma; r++) {
        real *sum = s + r * omega, *next = r + 1 < sigma ? sum + omega : s + CSR5_SIGMA_MAX * omega;
        for (int64_t c = 0; c < omega; c++) {
            real before = desc[c] >> r & 1 ? 0 : sum[c];
            next[c] = before + val[r * omega + c] * x[col[r * omega + c]];
        }
    }
}

/* Return the sum over all entries of a tile within a row, prefetched in bursts. */
static inline real csr5_dot(const real *val, const int32_t *col, const real *x, int64_t size, bool large)
{
    enum { BURST = 64 };
    real sum = 0;
    for (int64_t e = 0; e < size; e += BURST) {
        int64_t end = min(e + BURST, size);
        if (large) ahead(val, col, e, end);
        sum += dot(val + e, col + e, x, end - e);
    }
    return sum;
}

/* The flags of four columns, from column c on; bits from column `omega` on are not set. The first entry of
 * the tile counts as one that goes on with its row: `of` knows whether it does. */
static inline uint64_t csr5_four(const uint32_t *desc, int64_t c, int64_t omega)
{
    uint64_t bits = 0;
    for (int64_t d = 0; d < 4 && c + d < omega; d++)
        bits |= (uint64_t)(desc[c + d] & 0xffff) << (16 * d);
    return c == 0 ? bits & ~(uint64_t)1 : bits;
}

/* Add to each segment that begins in an earlier column, or tile, what is summed there. */
static inline __attribute__((always_inline)) void csr5_join(const uint32_t *desc, int64_t omega, real *s,
                                                            struct csr5_sum *of)
{
    real carried = of->sum;
    for (int64_t c = 0; c < omega; c++) {
        uint32_t flags = desc[c] & (c == 0 ? 0xfffe : 0xffff);
        s[__builtin_ctz(flags | 0x10000) * omega + c] += carried;
        carried = s[CSR5_SIGMA_MAX * omega + c];
    }
    of->sum = carried;
}

/* Write the sums of all segments that end in the tile. */
static inline __attribute__((always_inline)) void csr5_put(const struct launch *launch, const uint32_t *desc,
                                                           int64_t omega, bool gaps, const real *s,
                                                           struct csr5_sum *of)
{
    const uint32_t *empty_offset = desc + omega;
    int64_t row = of->row, segment = 0;
    real *y = launch->y, last = of->sum;
    for (int64_t c = 0; c < omega; c += 4)
        for (uint64_t bits = csr5_four(desc, c, omega); bits; bits &= bits - 1) {
            int64_t bit = __builtin_ctzll(bits);
            real sum = s[bit % 16 * omega + c + bit / 16];
            if (segment == 0) {
                of->sum = sum;
                csr5_end(launch, of);
            } else {
                int64_t i = row + (gaps ? empty_offset[segment] : segment);
                y[i] = launch->product.accumulate ? y[i] + sum : sum;
            }
            segment++;
        }
    of->row = row + (gaps ? empty_offset[segment] : segment);
    of->sum = last;
}

/* Multiply a tile whose number of columns is a constant here, or any. */
static inline __attribute__((always_inline)) void csr5_tile(const struct launch *launch, int64_t t,
                                                            const uint32_t *desc, int64_t omega, bool large,
                                                            struct csr5_sum *of)
{
    const struct storage *storage = launch->storage;
    int64_t sigma = storage->number[CSR5_SIGMA], size = omega * sigma;
    const uint32_t *tile_ptr = storage->array[CSR5_TILE_PTR].data;
    const int32_t *col = (const int32_t *)storage->array[CSR5_COL].data + t * size;
    const real *val = (const real *)storage->array[CSR5_VAL].data + t * size, *x = launch->x;
    bool gaps = tile_ptr[t] & CSR5_GAPS;
    real s[(CSR5_SIGMA_MAX + 1) * CSR5_OMEGA_MAX];
    uint64_t any = 0;
    if (csr5_row(storage, t) != of->row) csr5_end(launch, of);
    of->row = csr5_row(storage, t);
    if (gaps) csr5_clear(launch, of->row + 1, csr5_row(storage, t + 1));
    for (int64_t c = 0; c < omega; c += 4)
        any |= csr5_four(desc, c, omega);
    if (!any) {
        of->sum += csr5_dot(val, col, x, size, large);
        return;
    }
#if defined(SIMD) || defined(PAIRS)
    if (omega == 4)
        csr5_sums_4(val, col, x, desc, sigma, large, s);
    else if (omega == 8)
        csr5_sums_8(val, col, x, desc, sigma, large, s);
    else if (omega == 16)
        csr5_sums_16(val, col, x, desc, sigma, large, s);
    else
#endif
        csr5_sums(val, col, x, desc, omega, sigma, s);
    csr5_join(desc, omega, s, of);
    csr5_put(launch, desc, omega, gaps, s, of);
}

/* Multiply tiles first .. end-1. */
static inline __attribute__((always_inline)) void csr5_tiles(const struct launch *launch, int64_t first,
                                                             int64_t end, int64_t omega, struct csr5_sum *of)
{
    const struct storage *storage = launch->storage;
    const uint32_t *desc = storage->array[CSR5_TILE_DESC].data;
    const struct array *desc_ptr = storage->count > CSR5_DESC_PTR ? &storage->array[CSR5_DESC_PTR] : NULL;
    bool large = ahead_pays(storage->nnz);
    for (int64_t t = first; t < end; t++)
        csr5_tile(launch, t, desc + (desc_ptr ? offset_of(desc_ptr, t) : t * omega), omega, large, of);
}

/* Multiply the tail. */
static void csr5_tail(const struct launch *launch, struct csr5_sum *of)
{
    const struct storage *storage = launch->storage;
    const void *row_ptr = storage->array[CSR5_ROW_PTR].data;
    const int32_t *col = storage->array[CSR5_TAIL_COL].data;
    const real *val = storage->array[CSR5_TAIL_VAL].data, *x = launch->x;
    int64_t first = storage->slots[0], row = csr5_row(storage, storage->number[CSR5_TILES]);
    for (int64_t i = row; i < storage->rows; i++) {
        int64_t k = max(offset_at(row_ptr, storage->wide, i), first);
        if (i != of->row) csr5_end(launch, of);
        of->row = i;
        for (; k < offset_at(row_ptr, storage->wide, i + 1); k++)
            of->sum += val[k - first] * x[col[k - first]];
    }
}

/* Multiply units first .. end-1: the tiles, and after them the tail, which is the last unit. */
static loop_sum csr5(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    int64_t tiles = storage->number[CSR5_TILES];
    if (first == end) return 0;
    struct csr5_sum of = {.row = csr5_row(storage, first), .foreign = csr5_continues(storage, first)};
    if (first == 0) csr5_clear(launch, 0, of.row);
    switch (storage->number[CSR5_OMEGA]) {
    case 4:
        csr5_tiles(launch, first, min(end, tiles), 4, &of);
        break;
    case 8:
        csr5_tiles(launch, first, min(end, tiles), 8, &of);
        break;
    case 16:
        csr5_tiles(launch, first, min(end, tiles), 16, &of);
        break;
    default:
        csr5_tiles(launch, first, min(end, tiles), storage->number[CSR5_OMEGA], &of);
    }
    if (end > tiles) csr5_tail(launch, &of);
    if (of.row < storage->rows) csr5_end(launch, &of);
    return (loop_sum)of.returned;
}

#endif
