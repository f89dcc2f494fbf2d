/* Loops over the rows of CSR. */
#include "formats/csr.h"
#include "kernels/cpu/loops/sums.h"

/* What they all read. */
struct csr_arrays {
    const int32_t *col;
    const real *val, *x;
    int64_t count;
    bool large;     /* too large to stay in a core's own caches */
    bool scattered; /* where x is needed cannot be foreseen, and it is far */
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

/* PMPP figure 10.4 (sequential SpMV over CSR); Cranfield's is the same. `wide` is a constant where this is
 * inlined. */
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

#ifdef LANES

/* Entries that are asked for in one go: more requests than a core can have open would wait for each other. */
#    define CSR_BURST 64

/* Rows that are longer in the mean are summed one by one. */
#    define CSR_LONG 32

/* Ask for what comes after entries first .. end-1, if it has to come from afar. */
INLINE void csr_ahead(struct csr_arrays a, int64_t first, int64_t end)
{
    if (a.large) ahead(a.val, a.col, first, end);
    if (a.scattered) ahead_x(a.x, a.col, first, end, a.count);
}

/* Rows up to this length, or of up to two vectors, are summed without a branch that depends on it: it would
 * be mispredicted for each row, which takes as long as reading it. */
#    define CSR_SHORT 16

static double csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    lanes sum = {0};
    for (int64_t k = first; k < end; k += CSR_BURST) {
        int64_t stop = min(k + CSR_BURST, end);
        csr_ahead(a, k, stop);
        sum += dot_lanes(a.val, a.col, a.x, k, stop);
    }
    return (double)lanes_sum(sum);
}

/* LANES rows of at most `steps` vectors, a constant: no branch depends on their lengths. */
INLINE void csr_short(struct csr_arrays a, const int64_t *from, int64_t steps, lanes *sum)
{
#    pragma GCC unroll 16
    for (int r = 0; r < LANES; r++) {
        sum[r] = lanes_tail(a.val + from[r], a.x, a.col + from[r], min(from[r + 1] - from[r], LANES));
        for (int64_t step = 1; step < steps; step++) {
            int64_t k = min(from[r] + step * LANES, from[r + 1]);
            sum[r] += lanes_tail(a.val + k, a.x, a.col + k, min(from[r + 1] - k, LANES));
        }
    }
}

#    ifdef HALVES

/* LANES rows of at most LANES / 2 entries. */
INLINE lanes csr_shortest(struct csr_arrays a, const int64_t *from)
{
    half_lanes sum[LANES];
#        pragma GCC unroll 16
    for (int r = 0; r < LANES; r++)
        sum[r] = lanes_half_tail(a.val + from[r], a.x, a.col + from[r], from[r + 1] - from[r]);
    return lanes_half_sums(sum);
}

#    endif

/* The sums of LANES rows that begin at the offsets `from`: row by row, and then the elements of all rows'
 * vectors at once. */
INLINE lanes csr_group(struct csr_arrays a, const int64_t *from)
{
    lanes sum[LANES];
    int64_t longest = 0;
    for (int r = 0; r < LANES; r++)
        longest = max(longest, from[r + 1] - from[r]);
#    ifdef HALVES
    if (longest <= LANES / 2) return csr_shortest(a, from);
#    endif
    if (longest <= LANES)
        csr_short(a, from, 1, sum);
    else if (longest <= 2 * LANES)
        csr_short(a, from, 2, sum);
    else if (longest <= CSR_SHORT)
        csr_short(a, from, CSR_SHORT / LANES, sum);
    else {
#    pragma GCC unroll 16
        for (int r = 0; r < LANES; r++)
            sum[r] = dot_lanes(a.val, a.col, a.x, from[r], from[r + 1]);
    }
    return lanes_sums(sum);
}

INLINE void csr_row(const struct launch *launch, struct csr_arrays a, int64_t i, bool wide)
{
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    real sum = (real)csr_sum(a, offset_at(row_ptr, wide, i), offset_at(row_ptr, wide, i + 1));
    y[i] = launch->product.accumulate ? y[i] + sum : sum;
}

INLINE void csr_rows_wide(const struct launch *launch, int64_t first, int64_t end, bool wide, bool scattered)
{
    struct csr_arrays a = csr_arrays(launch, scattered);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    bool stream = streams(launch);
    int64_t i = first;
    for (; i < end && (uintptr_t)(y + i) % LANES_BYTES; i++)
        csr_row(launch, a, i, wide);
    for (; i + LANES <= end; i += LANES) {
        int64_t from[LANES + 1];
        for (int r = 0; r <= LANES; r++)
            from[r] = offset_at(row_ptr, wide, i + r);
        if (from[LANES] - from[0] > CSR_LONG * LANES) {
            for (int r = 0; r < LANES; r++)
                csr_row(launch, a, i + r, wide);
            continue;
        }
        csr_ahead(a, from[0], from[LANES]);
        lanes sum = csr_group(a, from);
        if (stream)
            lanes_stream(y + i, sum);
        else
            lanes_store(y + i, launch->product.accumulate ? lanes_load(y + i) + sum : sum);
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

#else

static double csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    real sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += a.val[k] * a.x[a.col[k]];
    return (double)sum;
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

static double csr_entries(const struct launch *launch, int64_t first, int64_t end)
{
    return csr_sum(csr_arrays(launch, false), first, end);
}
