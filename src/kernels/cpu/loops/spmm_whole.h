/* For loops only: Y = A X where rows of X are whole vectors of WHOLE bytes, defined by the including file,
 * once for each size. There are no masks, the length of a row of X is a constant, and the data for a row's
 * control flow are in registers: a row costs little more than its entries. */
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

#undef WHOLE_OF
#undef WHOLE_NAME
#undef WHOLE_JOIN
#undef WHOLE
