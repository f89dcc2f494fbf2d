/* For loops only: Y = A X where rows of X are whole vectors of WHOLE bytes, defined by the including file,
 * once for each size, and A is stored as CSR or SELL. There are no masks, the length of a row of X is a
 * constant, and the data for a row's control flow are in registers: a row costs little more than its entries.
 */
#define WHOLE_JOIN(name, bytes) name##_##bytes
#define WHOLE_NAME(name, bytes) WHOLE_JOIN(name, bytes)
#define WHOLE_OF(name) WHOLE_NAME(name, WHOLE)

typedef scalar WHOLE_OF(whole) __attribute__((vector_size(WHOLE)));

WIDE_INLINE WHOLE_OF(whole) WHOLE_OF(whole_load)(const scalar *from)
{
    WHOLE_OF(whole) v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Store a vector of Y bypassing the caches, to an address that is a multiple of WHOLE. */
WIDE_INLINE void WHOLE_OF(whole_stream)(scalar *to, WHOLE_OF(whole) v)
{
#if WHOLE == 64
    _mm512_stream_pd((void *)to, (__m512d)v);
#elif WHOLE == 32 && WIDE_BYTES > 16
    _mm256_stream_pd((void *)to, (__m256d)v);
#elif WHOLE == 16 && WIDE_BYTES > 16
    _mm_stream_pd((void *)to, (__m128d)v);
#else
    memcpy(to, &v, sizeof v);
#endif
}

WIDE_INLINE void WHOLE_OF(whole_put)(scalar *to, WHOLE_OF(whole) v, bool add, bool stream)
{
    if (stream && (uintptr_t)to % WHOLE == 0) {
        WHOLE_OF(whole_stream)(to, v);
        return;
    }
    if (add) v += WHOLE_OF(whole_load)(to);
    memcpy(to, &v, sizeof v);
}

/* Multiply rows first .. end-1 of CSR; rows of X and Y have `vectors` vectors each. `vectors` and `far` are
 * constants. */
WIDE_INLINE void WHOLE_OF(whole_rows)(const struct spmm_rows *of, const struct spmm_part *of_part,
                                      int64_t first, int64_t end, int64_t vectors, bool far)
{
    enum { LANES = WHOLE / sizeof(scalar), LINE = 64 / sizeof(scalar) };
    const struct spmm_rows rows = *of; /* copies, which no store to Y can change */
    const struct spmm_part part = *of_part;
    const bool large = ahead_pays(rows.slots), thin = vectors * WHOLE <= 16;
    const int64_t step = vectors * LANES, shift = part.by_unit ? first : part.low;
    const scalar *val = rows.val, *x = part.x;
    const int32_t *col = rows.col;
    for (int64_t i = first; i < end; i++) {
        const struct spmm_entries entries = spmm_entries(&rows, SPMM_CSR, i, NULL);
        int64_t k = entries.first, left = entries.count;
        WHOLE_OF(whole) sum[8] = {{0}};
        if (large && thin) ahead_line(val + k, col + k);
        for (; left >= LINE; left -= LINE) {
            if (large) ahead_line(val + k, col + k);
#pragma GCC unroll 16
            for (int64_t e = 0; e < LINE; e++, k++) {
                if (far) spmm_ahead(&rows, &part, k, 1, 0, vectors);
#pragma GCC unroll 8
                for (int64_t v = 0; v < vectors; v++)
                    sum[v] += val[k] * WHOLE_OF(whole_load)(x + col[k] * step + v * LANES);
            }
        }
        for (; left > 0; left--, k++) {
            if (far) spmm_ahead(&rows, &part, k, 1, 0, vectors);
#pragma GCC unroll 8
            for (int64_t v = 0; v < vectors; v++)
                sum[v] += val[k] * WHOLE_OF(whole_load)(x + col[k] * step + v * LANES);
        }
#pragma GCC unroll 8
        for (int64_t v = 0; v < vectors; v++)
            WHOLE_OF(whole_put)
        ((scalar *)part.y + (i - shift) * step + v * LANES, sum[v], part.add, part.stream);
    }
}

/* Multiply units u .. u+group-1 of SELL, which are of one chunk, line by line: the sums of all rows are in
 * registers, and the chunk has a single end. `group`, `vectors` and `far` are constants, and group vectors <=
 * 8. */
WIDE_INLINE void WHOLE_OF(whole_group)(const struct spmm_rows *rows, const struct spmm_part *part,
                                       struct spmm_entries entries, int64_t u, int64_t base, int64_t group,
                                       int64_t vectors, bool far)
{
    enum { LANES = WHOLE / sizeof(scalar) };
    const int64_t step = vectors * LANES, stride = rows->stride;
    const scalar *val = (const scalar *)rows->val + entries.first, *x = part->x;
    const int32_t *col = rows->col + entries.first;
    WHOLE_OF(whole) sum[8] = {{0}};
    for (int64_t d = 0; d < entries.count; d++, val += stride, col += stride) {
        if (far) spmm_ahead(rows, part, entries.first + d * stride, stride, 0, vectors);
#pragma GCC unroll 8
        for (int64_t g = 0; g < group; g++)
#pragma GCC unroll 8
            for (int64_t v = 0; v < vectors; v++)
                sum[g * vectors + v] += val[g] * WHOLE_OF(whole_load)(x + col[g] * step + v * LANES);
    }
#pragma GCC unroll 8
    for (int64_t g = 0; g < group; g++) {
        const int64_t i = part->by_unit ? u + g - base : spmm_row_of(rows, u + g) - part->low;
#pragma GCC unroll 8
        for (int64_t v = 0; v < vectors; v++)
            WHOLE_OF(whole_put)
        ((scalar *)part->y + i * step + v * LANES, sum[g * vectors + v], part->add, part->stream);
    }
}

/* Multiply units first .. end-1: whole groups of 8 / vectors units at a time, and single units where a group
 * does not fit into the range. */
WIDE_INLINE void WHOLE_OF(whole_chunks)(const struct spmm_rows *of, const struct spmm_part *of_part,
                                        int64_t first, int64_t end, int64_t vectors, bool far)
{
    const struct spmm_rows rows = *of;
    const struct spmm_part part = *of_part;
    const int64_t most = 8 / vectors;
    const bool large = ahead_pays(rows.slots), grouped = rows.stride % most == 0;
    int64_t asked = 0;
    for (int64_t u = first, group; u < end; u += group) {
        const struct spmm_entries entries = spmm_entries(&rows, SPMM_SELL, u, NULL);
        if (large) spmm_entries_ahead(&rows, SPMM_SELL, u, entries, &asked);
        group = grouped && u % most == 0 && u + most <= end ? most : 1;
        if (group == 1)
            WHOLE_OF(whole_group)(&rows, &part, entries, u, first, 1, vectors, far);
        else
            WHOLE_OF(whole_group)(&rows, &part, entries, u, first, most, vectors, far);
    }
}

#undef WHOLE_OF
#undef WHOLE_NAME
#undef WHOLE_JOIN
#undef WHOLE
