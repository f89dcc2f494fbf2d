/* Loops over windows of rows of SSS (kernels/cpu/sss.h), for real matrices with offsets of 32 bits. Included
 * by sss.h. They prefetch nothing: the processor does, and prefetches took longer (README.md). */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SSS_WINDOWS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SSS_WINDOWS_H

/* The data that the loops of a window share. */
struct sss_pass {
    const int32_t *row_ptr, *col;
    const real *val, *diag;
    real sign; /* of images: -1 if the matrix is skew-symmetric */
    bool add;
};

/* Add the images of entries k .. k+count-1 to y, and their products to four sums. `count` is a constant. */
INLINE void sss_few(const struct sss_pass *pass, int64_t k, int count, real factor, const real *restrict x,
                    real *restrict y, real *sum)
{
#pragma GCC unroll 16
    for (int e = 0; e < count; e++) {
        const int64_t j = pass->col[k + e];
        const real v = pass->val[k + e];
        sum[e % 4] += v * x[j];
        y[j] += v * factor;
    }
}

/* The same for any number of entries that is a multiple of 4. Four sums are loaded before any is stored,
 * since the columns of a row differ. */
INLINE void sss_fours(const struct sss_pass *pass, int64_t k, int64_t count, real factor,
                      const real *restrict x, real *restrict y, real *sum)
{
    const int64_t end = k + count;
    real s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
    for (; k + 4 <= end; k += 4) {
        const int64_t j0 = pass->col[k], j1 = pass->col[k + 1], j2 = pass->col[k + 2], j3 = pass->col[k + 3];
        const real v0 = pass->val[k], v1 = pass->val[k + 1], v2 = pass->val[k + 2], v3 = pass->val[k + 3];
        s0 += v0 * x[j0];
        s1 += v1 * x[j1];
        s2 += v2 * x[j2];
        s3 += v3 * x[j3];
        const real y0 = y[j0] + v0 * factor, y1 = y[j1] + v1 * factor, y2 = y[j2] + v2 * factor,
                   y3 = y[j3] + v3 * factor;
        y[j0] = y0;
        y[j1] = y1;
        y[j2] = y2;
        y[j3] = y3;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

/* Rows first .. end-1, one after the other. */
static __attribute__((noinline)) void sss_long_rows(const struct sss_pass *pass, int64_t first, int64_t end,
                                                    const real *restrict x, real *restrict y)
{
    const int32_t *row_ptr = pass->row_ptr;
    const real *diag = pass->diag, sign = pass->sign;
    const bool add = pass->add;
    int64_t k = row_ptr[first];
    for (int64_t i = first; i < end; i++) {
        const int64_t stop = row_ptr[i + 1], fours = k + ((stop - k) & ~INT64_C(3));
        const real own = x[i], factor = sign * own;
        real sum[4] = {diag[i] * own, add ? y[i] : 0, 0, 0};
        sss_fours(pass, k, fours - k, factor, x, y, sum);
        for (k = fours; k < stop; k++)
            sss_few(pass, k, 1, factor, x, y, &sum[1]);
        y[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* The loops for a run of `rows` rows. Even runs have rows first, first + 1, ..; sorted ones have rows first +
 * place[0], first + place[1], .. Each loop is a separate function: in one function for all, gcc moves
 * registers between them. */
#define SSS_RUN                                                                                     \
    const struct sss_pass *pass, int64_t first, const uint8_t *place, int64_t rows, int64_t length, \
        const real *restrict x, real *restrict y
typedef void sss_run_loop(SSS_RUN);

/* Return the product of a row. With `fours` it has `length` entries: all but the last `few` are multiplied
 * four at a time. Otherwise it has `few` entries. `fours` and `few` are constants. */
INLINE real sss_row(const struct sss_pass *pass, int64_t k, int64_t length, bool fours, int few, real factor,
                    const real *restrict x, real *restrict y)
{
    real sum[4] = {0, 0, 0, 0};
    if (fours) sss_fours(pass, k, length - few, factor, x, y, sum);
    sss_few(pass, k + (fours ? length - few : 0), few, factor, x, y, sum);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE void sss_even_run(const struct sss_pass *pass, int64_t first, int64_t rows, int64_t length, bool fours,
                         int few, const real *restrict x, real *restrict y)
{
    const real *diag = pass->diag, sign = pass->sign;
    const bool add = pass->add;
    int64_t k = pass->row_ptr[first];
    for (int64_t i = first; i < first + rows; i++, k += length) {
        const real own = x[i];
        const real sum = diag[i] * own + sss_row(pass, k, length, fours, few, sign * own, x, y);
        y[i] = add ? y[i] + sum : sum;
    }
}

/* The place and the first entry of the next row are loaded early, since the addresses of its columns and of y
 * depend on them. */
INLINE void sss_sorted_run(const struct sss_pass *pass, int64_t first, const uint8_t *place, int64_t rows,
                           int64_t length, bool fours, int few, const real *restrict x, real *restrict y)
{
    const int32_t *row_ptr = pass->row_ptr + first;
    const uint8_t *last = place + rows;
    const real sign = pass->sign;
    int64_t at = *place, k = row_ptr[at];
    while (place < last) {
        const int64_t next = *++place, next_k = row_ptr[next];
        const int64_t i = first + at;
        y[i] += sss_row(pass, k, length, fours, few, sign * x[i], x, y);
        at = next;
        k = next_k;
    }
}

#define SSS_RUN_LOOPS(name, fours, few, entries)                             \
    static __attribute__((noinline)) void sss_even_##name(SSS_RUN)           \
    {                                                                        \
        sss_even_run(pass, first, rows, entries, fours, few, x, y);          \
    }                                                                        \
    static __attribute__((noinline)) void sss_sorted_##name(SSS_RUN)         \
    {                                                                        \
        sss_sorted_run(pass, first, place, rows, entries, fours, few, x, y); \
    }

/* The lengths that have loops of their own, and the remainders of longer rows. */
#define SSS_LENGTHS(LOOP) \
    LOOP(0)               \
    LOOP(1)               \
    LOOP(2)               \
    LOOP(3)               \
    LOOP(4)               \
    LOOP(5) LOOP(6) LOOP(7) LOOP(8) LOOP(9) LOOP(10) LOOP(11) LOOP(12) LOOP(13) LOOP(14) LOOP(15) LOOP(16)
#define SSS_RESTS(LOOP) LOOP(0) LOOP(1) LOOP(2) LOOP(3)

#define SSS_SHORT_LOOPS(n) SSS_RUN_LOOPS(n, false, n, n)
#define SSS_LONGER_LOOPS(n) SSS_RUN_LOOPS(longer_##n, true, n, length)
SSS_LENGTHS(SSS_SHORT_LOOPS)
SSS_RESTS(SSS_LONGER_LOOPS)

/* The loops by length up to 16, then by the remainder of the length. */
enum { SSS_OWN = 16, SSS_EVEN_LOOPS = 0, SSS_SORTED_LOOPS };
#define SSS_EVEN_LOOP(n) sss_even_##n,
#define SSS_EVEN_LONGER(n) sss_even_longer_##n,
#define SSS_SORTED_LOOP(n) sss_sorted_##n,
#define SSS_SORTED_LONGER(n) sss_sorted_longer_##n,
static sss_run_loop *const sss_run_loops[][SSS_OWN + 5] = {
    [SSS_EVEN_LOOPS] = {SSS_LENGTHS(SSS_EVEN_LOOP) SSS_RESTS(SSS_EVEN_LONGER)},
    [SSS_SORTED_LOOPS] = {SSS_LENGTHS(SSS_SORTED_LOOP) SSS_RESTS(SSS_SORTED_LONGER)},
};

static void sss_run_rows(const struct sss_pass *pass, const struct sss_run *run, int loops, int64_t first,
                         const uint8_t *place, const real *x, real *y)
{
    const int32_t length = run->length;
    const int loop = length <= SSS_OWN ? length : SSS_OWN + 1 + length % 4;
    sss_run_loops[loops][loop](pass, first, place, run->rows, length, x, y);
}

static void sss_even_rows(const struct sss_pass *pass, const struct sss_work *work, int64_t w, const real *x,
                          real *y)
{
    int64_t first = work->window[w].first;
    for (int64_t r = work->window[w].run; r < work->window[w + 1].run; r++) {
        sss_run_rows(pass, &work->run[r], SSS_EVEN_LOOPS, first, NULL, x, y);
        first += work->run[r].rows;
    }
}

/* First y gets the products of the diagonal, since a row may get images before it is multiplied. */
static void sss_sorted_rows(const struct sss_pass *pass, const struct sss_work *work, int64_t w,
                            const real *restrict x, real *restrict y)
{
    const int64_t first = work->window[w].first, end = work->window[w + 1].first;
    const uint8_t *place = work->order + first;
    for (int64_t i = first; i < end; i++) {
        const real own = pass->diag[i] * x[i];
        y[i] = pass->add ? y[i] + own : own;
    }
    for (int64_t r = work->window[w].run; r < work->window[w + 1].run; r++) {
        sss_run_rows(pass, &work->run[r], SSS_SORTED_LOOPS, first, place, x, y);
        place += work->run[r].rows;
    }
}

static void sss_window_rows(const struct sss_pass *pass, const struct sss_work *work, int64_t w,
                            const real *x, real *y)
{
    const enum sss_way way = work->window[w].way;
    if (way == SSS_LONG)
        sss_long_rows(pass, work->window[w].first, work->window[w + 1].first, x, y);
    else if (way == SSS_EVEN)
        sss_even_rows(pass, work, w, x, y);
    else
        sss_sorted_rows(pass, work, w, x, y);
}

/* Multiply the windows of a share. While rows before the share are reached, all sums are in the copies, so
 * that no entry is tested; then the sums of the share's own rows are moved to y. */
static void sss_windows(const struct launch *launch, const struct sss_share *share, real *copies)
{
    const struct storage *storage = launch->storage;
    const struct sss_work *work = launch->state;
    const struct array *array = storage->array;
    const bool add = launch->product.accumulate;
    real *y = launch->y;
    struct sss_pass pass = {
        .row_ptr = array[SSS_ROW_PTR].data,
        .col = array[SSS_COL].data,
        .val = array[SSS_VAL].data,
        .diag = array[SSS_DIAG].data,
        .sign = storage->symmetry == SYMMETRY_SKEW ? -1 : 1,
    };
    int64_t w = share->window;
    if (share->low < share->first) {
        /* the copy of element 0, if there were one */
        real *private = (real *)((uintptr_t)copies - (uintptr_t)share->low * sizeof *copies);
        for (; w < share->windows_end && work->window[w].first < share->alone; w++)
            sss_window_rows(&pass, work, w, launch->x, private);
        const int64_t moved = work->window[w].first;
        const real *own = copies + (share->first - share->low);
        for (int64_t i = share->first; i < moved; i++)
            y[i] = add ? y[i] + own[i - share->first] : own[i - share->first];
    }
    pass.add = add;
    for (; w < share->windows_end; w++)
        sss_window_rows(&pass, work, w, launch->x, y);
}

#endif
