/* Loops over the rows of CSR:
 *
 *     y[i] = sum over k = row_ptr[i] .. row_ptr[i+1]-1 of val[k] x[col[k]]
 *
 * What costs time beside the memory are the ends of rows. A loop over k ends at a point that the processor
 * cannot foresee where lengths vary, and each misprediction costs about as much as reading a short row. So
 * SIMD rows at a time are summed without a branch that depends on their single lengths, and the SIMD vectors
 * of products are then added up together (simd_sums):
 *
 *     row i       v v v v . . . .  -->  s0
 *     row i+1     v v . . . . . .  -->  s1      one store of SIMD sums
 *     row i+2     v v v v v v . .  -->  s2      (v: entry, .: masked)
 *     ...
 */
#include "formats/csr.h"
#include "kernels/cpu/loops/sums.h"

/* The arrays that all loops over CSR read. */
struct csr_arrays {
    const int32_t *col;
    const real *val, *x;
    int64_t count;
    bool large;     /* the entries do not stay in a core's own caches and are asked for ahead */
    bool scattered; /* elements of x are asked for ahead, since they are far and their order is irregular */
};

static inline struct csr_arrays csr_arrays(const struct launch *launch, bool scattered)
{
    const struct array *array = launch->storage->array;
    return (struct csr_arrays){
        .col = array[CSR_COL].data,
        .val = array[CSR_VAL].data,
        .x = launch->x,
        .count = launch->storage->nnz,
        .large = ahead_pays(launch->storage->nnz),
        .scattered = scattered,
    };
}

/* This is the published loop: PMPP, figure 10.4 (sequential SpMV over CSR); that of the Cranfield report is
 * the same. `wide` says that offsets have 64 bits, and is a constant where this is inlined. */
static inline __attribute__((always_inline)) void csr_rows_plain(const struct launch *launch, int64_t first,
                                                                 int64_t end, bool wide)
{
    const struct array *array = launch->storage->array;
    const void *row_ptr = array[CSR_ROW_PTR].data;
    const int32_t *col = array[CSR_COL].data;
    const real *val = array[CSR_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        real sum = launch->product.accumulate ? y[i] : 0;
        for (int64_t k = offset_at(row_ptr, wide, i); k < offset_at(row_ptr, wide, i + 1); k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
}

static void csr_plain(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_plain(launch, first, end, true);
    else
        csr_rows_plain(launch, first, end, false);
}

#ifdef SIMD

/* A long row's entries are asked for so many at a time, between sums: a core can have few requests open, and
 * more of them at once would only wait for each other. */
#    define CSR_BURST 64

/* If SIMD rows have more entries than so many each in the mean, they are summed one by one: the end of a row
 * costs little then, and each may be asked for in bursts. */
#    define CSR_LONG 32

/* Ask for what lies behind entries first .. end-1, and for the x it needs, as far as that pays. */
INLINE void csr_ahead(struct csr_arrays a, int64_t first, int64_t end)
{
    if (a.large) ahead(a.val, a.col, first, end);
    if (a.scattered) ahead_x(a.x, a.col, first, end, a.count);
}

/* If none of SIMD rows is longer than this, or than two vectors, all of them take the same number of steps,
 * and no branch depends on the length of one. */
#    define CSR_SHORT 16

/* Return the sum of val[k] x[col[k]] over entries k = first .. end-1, asked for in bursts. */
static double csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    simd sum = {0};
    for (int64_t k = first; k < end; k += CSR_BURST) {
        int64_t stop = min(k + CSR_BURST, end);
        csr_ahead(a, k, stop);
        sum += dot_simd(a.val, a.col, a.x, k, stop);
    }
    return (double)simd_sum(sum);
}

/* The elements of sum[r] add up to row r's sum, r < SIMD; row r's entries are from[r] .. from[r+1]-1, and at
 * most steps * SIMD. `steps` is a constant: every row takes as many, and where it has ended its steps are
 * empty. */
INLINE void csr_short(struct csr_arrays a, const int64_t *from, int64_t steps, simd *sum)
{
#    pragma GCC unroll 16
    for (int r = 0; r < SIMD; r++) {
        sum[r] = simd_tail(a.val + from[r], a.x, a.col + from[r], min(from[r + 1] - from[r], SIMD));
        for (int64_t step = 1; step < steps; step++) {
            int64_t k = min(from[r] + step * SIMD, from[r + 1]);
            sum[r] += simd_tail(a.val + k, a.x, a.col + k, min(from[r + 1] - k, SIMD));
        }
    }
}

#    ifdef HALVES

/* Return the sums of SIMD rows that have no more than SIMD / 2 entries each. */
INLINE simd csr_shortest(struct csr_arrays a, const int64_t *from)
{
    half_simd sum[SIMD];
#        pragma GCC unroll 16
    for (int r = 0; r < SIMD; r++)
        sum[r] = simd_half_tail(a.val + from[r], a.x, a.col + from[r], from[r + 1] - from[r]);
    return simd_half_sums(sum);
}

#    endif

/* Return the sums of SIMD rows, of which row r has entries from[r] .. from[r+1]-1. The longest of them
 * decides how they are summed, which is the same for long stretches of most matrices and so is foreseen. */
INLINE simd csr_group(struct csr_arrays a, const int64_t *from)
{
    simd sum[SIMD];
    int64_t longest = 0;
    for (int r = 0; r < SIMD; r++)
        longest = max(longest, from[r + 1] - from[r]);
#    ifdef HALVES
    if (longest <= SIMD / 2) return csr_shortest(a, from);
#    endif
    if (longest <= SIMD)
        csr_short(a, from, 1, sum);
    else if (longest <= 2 * SIMD)
        csr_short(a, from, 2, sum);
    else if (longest <= CSR_SHORT)
        csr_short(a, from, CSR_SHORT / SIMD, sum);
    else {
#    pragma GCC unroll 16
        for (int r = 0; r < SIMD; r++)
            sum[r] = dot_simd(a.val, a.col, a.x, from[r], from[r + 1]);
    }
    return simd_sums(sum);
}

/* Compute y[i] of a row by itself, not together with its neighbours. */
INLINE void csr_row(const struct launch *launch, struct csr_arrays a, int64_t i, bool wide)
{
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    real sum = (real)csr_sum(a, offset_at(row_ptr, wide, i), offset_at(row_ptr, wide, i + 1));
    y[i] = launch->product.accumulate ? y[i] + sum : sum;
}

/* Multiply rows first .. end-1: one by one up to the first whose y may be stored as an aligned vector, then
 * SIMD at a time, then what is left. `wide` and `scattered` are constants. */
INLINE void csr_rows_wide(const struct launch *launch, int64_t first, int64_t end, bool wide, bool scattered)
{
    struct csr_arrays a = csr_arrays(launch, scattered);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    bool stream = streams(launch);
    int64_t i = first;
    for (; i < end && (uintptr_t)(y + i) % SIMD_BYTES; i++)
        csr_row(launch, a, i, wide);
    for (; i + SIMD <= end; i += SIMD) {
        int64_t from[SIMD + 1];
        for (int r = 0; r <= SIMD; r++)
            from[r] = offset_at(row_ptr, wide, i + r);
        if (from[SIMD] - from[0] > CSR_LONG * SIMD) {
            for (int r = 0; r < SIMD; r++)
                csr_row(launch, a, i + r, wide);
            continue;
        }
        csr_ahead(a, from[0], from[SIMD]);
        simd sum = csr_group(a, from);
        if (stream)
            simd_stream(y + i, sum);
        else
            simd_store(y + i, launch->product.accumulate ? simd_load(y + i) + sum : sum);
    }
    for (; i < end; i++)
        csr_row(launch, a, i, wide);
    stream_end(launch);
}

static void csr_any(const struct launch *launch, int64_t first, int64_t end, bool scattered)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_wide(launch, first, end, true, scattered);
    else
        csr_rows_wide(launch, first, end, false, scattered);
}

static void csr_rows(const struct launch *launch, int64_t first, int64_t end)
{
    csr_any(launch, first, end, false);
}

static void csr_scattered(const struct launch *launch, int64_t first, int64_t end)
{
    csr_any(launch, first, end, true);
}

#elif defined(PAIRS)
#    include "kernels/cpu/loops/csr_complex.h"
#else

static loop_sum csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    real sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += a.val[k] * a.x[a.col[k]];
    return (loop_sum)sum;
}

static void csr_rows(const struct launch *launch, int64_t first, int64_t end)
{
    csr_plain(launch, first, end);
}

static void csr_scattered(const struct launch *launch, int64_t first, int64_t end)
{
    csr_plain(launch, first, end);
}

#endif

static loop_sum csr_entries(const struct launch *launch, int64_t first, int64_t end)
{
    return csr_sum(csr_arrays(launch, false), first, end);
}
