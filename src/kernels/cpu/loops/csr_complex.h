/* Loops over the rows of CSR with complex entries, for processors with vectors of them (pairs.h). Rows are
 * short in vectors, and each element of x is a single load. So rows are summed one by one, and only
 * prefetches are combined for several rows.
 *
 * For loops only: csr.h includes this, and has defined what all loops over CSR read. */

/* Short rows are prefetched together, up to this number of rows or bytes of values at a time; a long row by
 * itself, in bursts. */
#define CSR_GROUP 8
#define CSR_GROUP_BYTES 1024

/* Return the sum of val[k] x[col[k]] over entries k = first .. end-1, prefetched in bursts. */
INLINE real csr_bursts(struct csr_arrays a, int64_t first, int64_t end)
{
    struct products sum[2] = {{{0}, {0}}, {{0}, {0}}};
    for (int64_t k = first; k < end; k += CSR_BURST) {
        int64_t stop = min(k + CSR_BURST, end);
        csr_ahead(a, k, stop);
        products_dot(sum, a.val, a.col, a.x, k, stop);
    }
    return products_total(sum);
}

static loop_sum csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    return (loop_sum)csr_bursts(a, first, end);
}

/* Multiply rows first .. end-1, CSR_GROUP at a time. `wide` and `scattered` are constants. */
INLINE void csr_rows_wide(const struct launch *launch, int64_t first, int64_t end, bool wide, bool scattered)
{
    struct csr_arrays a = csr_arrays(launch, scattered);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    for (int64_t i = first, next; i < end; i = next) {
        next = min(i + CSR_GROUP, end);
        int64_t k = offset_at(row_ptr, wide, i), stop = offset_at(row_ptr, wide, next), from = k;
        bool together = (stop - k) * (int64_t)sizeof(real) <= CSR_GROUP_BYTES;
        real sum[CSR_GROUP];
        if (together) csr_ahead(a, k, stop);
        for (int64_t r = 0; together && r < next - i; r++, from = k) {
            k = offset_at(row_ptr, wide, i + r + 1);
            sum[r] = pairs_dot(a.val + from, a.col + from, a.x, k - from);
        }
        for (int64_t r = 0; !together && r < next - i; r++, from = k) {
            k = offset_at(row_ptr, wide, i + r + 1);
            sum[r] = csr_bursts(a, from, k);
        }
        put_sums(launch, sum, i, NULL, next - i);
    }
}
