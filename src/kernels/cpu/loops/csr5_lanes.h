/* For loops only: sums of the lanes of a tile of CSR5 with LANES columns, a number that the including file
 * defines; once for each number. */
#define LANES_JOIN(name, lanes) name##_##lanes
#define LANES_NAME(name, lanes) LANES_JOIN(name, lanes)
#define LANES_OF(name) LANES_NAME(name, LANES)

/* A vector of LANES elements, or the widest, of which there are then several in a row of the tile; and one of
 * integers as wide as the elements, or as each of their two parts. */
#define LANES_BYTES (LANES * sizeof(real) < CSR5_BYTES ? LANES * sizeof(real) : CSR5_BYTES)
typedef scalar LANES_OF(csr5_part) __attribute__((vector_size(LANES_BYTES)));
typedef csr5_bits LANES_OF(csr5_flags) __attribute__((vector_size(LANES_BYTES)));

/* Let s[r LANES + c] be the sum of lane c before row r, since the last entry of the lane that begins a row,
 * for r < sigma; and s[CSR5_SIGMA_MAX LANES + c] the sum of lane c in the end. */
INLINE void LANES_OF(csr5_sums)(const real *val, const int32_t *col, const real *x, const uint32_t *desc,
                                int64_t sigma, bool large, real *s)
{
    enum { PART = LANES_BYTES / sizeof(real), PARTS = LANES / PART, WIDTH = sizeof(real) / sizeof(scalar) };
    LANES_OF(csr5_part) sum[PARTS] = {0}, product;
    LANES_OF(csr5_flags) flags[PARTS];
    csr5_bits flag[LANES * WIDTH];
    real product_of[LANES * CSR5_SIGMA_MAX];
    for (int64_t c = 0; c < LANES * WIDTH; c++)
        flag[c] = desc[c / WIDTH];
    memcpy(flags, flag, sizeof flags);
    if (!CSR5_WHOLE(PART)) csr5_products(val, col, x, LANES * sigma, large, product_of);
    for (int64_t r = 0; r < sigma; r++)
#pragma GCC unroll 8
        for (int64_t p = 0; p < PARTS; p++) {
            int64_t e = r * LANES + p * PART;
            memcpy(s + e, &sum[p], sizeof sum[p]);
            if (CSR5_WHOLE(PART)) csr5_products(val + e, col + e, x, PART, large, product_of + e);
            memcpy(&product, product_of + e, sizeof product);
            sum[p] = (LANES_OF(csr5_part))((LANES_OF(csr5_flags))sum[p] & ((flags[p] & 1) - 1)) + product;
            flags[p] >>= 1;
        }
    memcpy(s + CSR5_SIGMA_MAX * LANES, sum, sizeof sum);
}

#undef LANES_BYTES
#undef LANES_OF
#undef LANES_NAME
#undef LANES_JOIN
#undef LANES
