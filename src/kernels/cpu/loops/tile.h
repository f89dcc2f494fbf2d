/* Loops over the tile rows of tiles (formats/tile.h). The sums of a tile row's 16 rows are kept in a local
 * array, to which each tile adds the product of its values and 16 elements of x.
 *
 * With vectors, the products of a tile of COO or CSR are computed in whole vectors, and then summed by rows
 * (products.h). AVX-512 keeps the 16 elements of x in registers and takes those of a column from there. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_TILE_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_TILE_H

#include <string.h>

#include "formats/tile.h"
#include "kernels/cpu/loops/products.h"

/* A tile, and the pieces of x and y that it meets. */
struct tile_at {
    const uint8_t *index, *index_end; /* after the first byte of the tile; the end of the whole array */
    const real *val, *x;
    int64_t rows, cols, slots, width;
};

static inline void tile_add_coo(real *restrict sum, const struct tile_at *at)
{
    for (int64_t s = 0; s < at->slots; s++)
        sum[at->index[s] / TILE_SIZE] += at->val[s] * at->x[at->index[s] % TILE_SIZE];
}

static inline void tile_add_csr(real *restrict sum, const struct tile_at *at)
{
    const uint8_t *start = at->index, *columns = start + at->rows;
    int64_t s = 0;
    for (int64_t i = 0; i < at->rows; i++) {
        const int64_t end = i + 1 < at->rows ? start[i + 1] : at->slots;
        real row = 0;
        for (; s < end; s++)
            row += at->val[s] * at->x[tile_half(columns, s)];
        sum[i] += row;
    }
}

/* `rows` is a constant where this is inlined, unless the tile is cut by the edge of the matrix. */
static inline __attribute__((always_inline)) void tile_add_ell(real *restrict sum, const struct tile_at *at,
                                                               int64_t rows)
{
    for (int64_t c = 0, s = 0; c < at->width; c++)
        for (int64_t i = 0; i < rows; i++, s++)
            sum[i] += at->val[s] * at->x[tile_half(at->index, s)];
}

static inline __attribute__((always_inline)) void tile_add_dense(real *restrict sum, const struct tile_at *at,
                                                                 int64_t rows)
{
    for (int64_t j = 0; j < at->cols; j++)
        for (int64_t i = 0; i < rows; i++)
            sum[i] += at->val[j * rows + i] * at->x[j];
}

#ifdef SIMD

/* Products of a tile, and as many more as a vector or a masked load may go beyond them. */
#    define TILE_ROOM (TILE_SLOTS + 64)

/* Entries of COO from which vectors pay. */
#    define TILE_VECTORS 8

/* Return the 8 bytes from `from` on, those before `end` of them. */
INLINE uint64_t tile_word(const uint8_t *from, const uint8_t *end)
{
    uint64_t word = 0;
    if (end - from >= (ptrdiff_t)sizeof word)
        memcpy(&word, from, sizeof word);
    else
        memcpy(&word, from, (size_t)(end - from));
    return word;
}

#    if SIMD_BYTES == 64

/* The elements of x. */
struct tile_x {
    simd first, second; /* in single precision, the first has all 16 */
};

INLINE struct tile_x tile_load_x(const struct tile_at *at)
{
    struct tile_x x = {{0}, {0}};
    if (at->cols == TILE_SIZE) {
        x.first = simd_load(at->x);
        if (!SINGLE) x.second = simd_load(at->x + SIMD);
        return x;
    }
    x.first = simd_masked(at->x, simd_first(min(at->cols, SIMD)));
    if (at->cols > SIMD) x.second = simd_masked(at->x + SIMD, simd_first(at->cols - SIMD));
    return x;
}

/* Return the elements of x in the columns of the lowest halves of bytes of `word`. Only the lowest four bits
 * of a column's lane count. */
INLINE simd tile_halves(const struct tile_x *x, uint64_t word)
{
    const __m512i shift = _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28);
    if (SINGLE) {
        const __m256i by = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
        const __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32((int)word), by),
                      high = _mm256_srlv_epi32(_mm256_set1_epi32((int)(word >> 32)), by);
        return (simd)_mm512_permutexvar_ps(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1),
                                           (__m512)x->first);
    }
    return (simd)_mm512_permutex2var_pd(
        (__m512d)x->first, _mm512_srlv_epi64(_mm512_set1_epi64((long long)word), shift), (__m512d)x->second);
}

/* Let product[s] be val[s] x[column of slot s], from halves of bytes. */
INLINE void tile_products(const struct tile_at *at, const uint8_t *columns, real *product)
{
    const struct tile_x x = tile_load_x(at);
    int64_t s = 0;
    for (; s + SIMD <= at->slots; s += SIMD)
        simd_store(product + s,
                   simd_load(at->val + s) * tile_halves(&x, tile_word(columns + s / 2, at->index_end)));
    if (s < at->slots)
        simd_store(product + s, simd_masked(at->val + s, simd_first(at->slots - s)) *
                                    tile_halves(&x, tile_word(columns + s / 2, at->index_end)));
}

/* Add the tiles of ELL, 16 rows at a time. */
INLINE void tile_add_ell_vectors(real *sum, const struct tile_at *at)
{
    const struct tile_x x = tile_load_x(at);
    simd low = simd_load(sum), high = {0};
    if (!SINGLE) high = simd_load(sum + SIMD);
    for (int64_t c = 0; c < at->width; c++) {
        const uint64_t word = tile_word(at->index + c * TILE_SIZE / 2, at->index_end);
        const real *val = at->val + c * TILE_SIZE;
        low += simd_load(val) * tile_halves(&x, word);
        if (!SINGLE) high += simd_load(val + SIMD) * tile_halves(&x, word >> 32);
    }
    simd_store(sum, low);
    if (!SINGLE) simd_store(sum + SIMD, high);
}

#    else

/* The same with columns of 32 bits, which are gathered. */
INLINE void tile_products(const struct tile_at *at, const uint8_t *columns, real *product)
{
    int32_t col[TILE_ROOM];
    for (int64_t b = 0; b < (at->slots + 1) / 2; b++) {
        col[2 * b] = columns[b] % TILE_SIZE;
        col[2 * b + 1] = columns[b] / TILE_SIZE;
    }
    make_products(at->val, col, at->x, 0, at->slots, at->slots, false, product);
}

INLINE void tile_add_ell_vectors(real *sum, const struct tile_at *at)
{
    tile_add_ell(sum, at, TILE_SIZE);
}

#    endif

INLINE void tile_add_csr_vectors(real *sum, const struct tile_at *at)
{
    real product[TILE_ROOM];
    int32_t start[TILE_SIZE + 1];
    tile_products(at, at->index + TILE_SIZE, product);
    for (int i = 0; i < TILE_SIZE; i++)
        start[i] = at->index[i];
    start[TILE_SIZE] = (int32_t)at->slots;
    for (int64_t i = 0; i < TILE_SIZE; i += SIMD)
        simd_store(sum + i, simd_load(sum + i) + sum_products(product, start, false, 0, at->slots, i));
}

#else

#    define tile_add_csr_vectors tile_add_csr
#    define tile_add_ell_vectors(sum, at) tile_add_ell((sum), (at), TILE_SIZE)

#endif

/* Add the product of a tile of 16 rows. */
static inline __attribute__((always_inline)) void tile_add(real *restrict sum, const struct tile_at *at,
                                                           enum tile_kind kind)
{
    switch (kind) {
    case TILE_COO:
        tile_add_coo(sum, at);
        break;
    case TILE_CSR:
        tile_add_csr_vectors(sum, at);
        break;
    case TILE_ELL:
        tile_add_ell_vectors(sum, at);
        break;
    default:
        tile_add_dense(sum, at, TILE_SIZE);
    }
}

/* Add the product of a tile with fewer rows. */
static inline void tile_add_cut(real *restrict sum, const struct tile_at *at, enum tile_kind kind)
{
    switch (kind) {
    case TILE_COO:
        tile_add_coo(sum, at);
        break;
    case TILE_CSR:
        tile_add_csr(sum, at);
        break;
    case TILE_ELL:
        tile_add_ell(sum, at, at->rows);
        break;
    default:
        tile_add_dense(sum, at, at->rows);
    }
}

/* Multiply tile rows first .. end-1. */
static inline __attribute__((always_inline)) void tile_rows(const struct launch *launch, int64_t first,
                                                            int64_t end, bool long_offsets)
{
    const struct storage *storage = launch->storage;
    const struct array *array = storage->array;
    const void *tile_ptr = array[TILE_PTR].data, *slot_ptr = array[TILE_SLOT_PTR].data,
               *byte_ptr = array[TILE_BYTE_PTR].data;
    const int32_t *col = array[TILE_COL].data;
    const uint8_t *index = array[TILE_INDEX].data;
    const real *val = array[TILE_VAL].data, *x = launch->x;
    const bool large = ahead_pays(storage->slots[0]);
    for (int64_t r = first; r < end; r++) {
        const int64_t rows = min(TILE_SIZE, storage->rows - r * TILE_SIZE);
        const int64_t last = offset_at(tile_ptr, long_offsets, r + 1);
        real sum[TILE_SIZE] = {0};
        for (int64_t t = offset_at(tile_ptr, long_offsets, r); t < last; t++) {
            const int64_t s = offset_at(slot_ptr, long_offsets, t),
                          next = offset_at(slot_ptr, long_offsets, t + 1), j = (int64_t)col[t] * TILE_SIZE;
            const uint8_t *head = index + offset_at(byte_ptr, long_offsets, t);
            const struct tile_at at = {.index = head + 1,
                                       .index_end = index + array[TILE_INDEX].length,
                                       .val = val + s,
                                       .x = x + j,
                                       .rows = rows,
                                       .cols = min(TILE_SIZE, storage->cols - j),
                                       .slots = next - s,
                                       .width = tile_width(*head)};
            if (large) ahead_array(val, s, next, sizeof *val);
            if (rows == TILE_SIZE)
                tile_add(sum, &at, tile_kind(*head));
            else
                tile_add_cut(sum, &at, tile_kind(*head));
        }
        put_sums(launch, sum, r * TILE_SIZE, NULL, rows);
    }
}

static void tile(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->wide)
        tile_rows(launch, first, end, true);
    else
        tile_rows(launch, first, end, false);
}

#endif
