#include "analysis/values.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/column_sums.h"
#include "analysis/row_sums.h"
#include "analysis/values_batch.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"
#include "matrix/nonempty.h"

/* Threads share the work in blocks of this number of entries, counted from the first of the matrix. A row's
 * sums within blocks are added in the order of the blocks, so that the result does not depend on the
 * threads. */
#define BLOCK_ENTRIES ((int64_t)1 << 17)

/* The first and the last row of a block, each only if other blocks have entries of it, too. */
struct block {
    struct row_sum first, last; /* row -1 if there is none */
};

void values_powers(struct powers *powers)
{
    char text[16];
    int d = 0;
    for (int k = 0; k < VALUES_DECADES; k++) {
        snprintf(text, sizeof text, "1e%d", k + VALUES_FIRST_DECADE);
        powers->power[k] = strtod(text, NULL);
    }
    powers->power[VALUES_DECADES] = INFINITY;
    for (int e = 0; e < 2048; e++) {
        double smallest = ldexp(1, (e ? e : -51) - 1023);
        while (d + 1 < VALUES_DECADES && powers->power[d + 1] <= smallest)
            d++;
        powers->decade[e] = (short)d;
    }
}

void values_start(struct values_part *part)
{
    memset(part, 0, sizeof *part);
    part->values.min = part->values.min_abs = INFINITY;
    part->values.max = -INFINITY;
    part->values.max_abs = -1;
}

void values_join(struct values_part *to, const struct values_part *from)
{
    struct values *v = &to->values;
    const struct values *w = &from->values;
    to->finite += from->finite;
    v->positive += w->positive;
    v->negative += w->negative;
    v->nan += w->nan;
    v->infinite += w->infinite;
    v->min = fmin(v->min, w->min);
    v->max = fmax(v->max, w->max);
    v->min_abs = fmin(v->min_abs, w->min_abs);
    v->max_abs = fmax(v->max_abs, w->max_abs);
    v->norm_inf = fmax(v->norm_inf, w->norm_inf);
    v->dominant_rows += w->dominant_rows;
    v->strict_rows += w->strict_rows;
    v->positive_diagonal += w->positive_diagonal;
    for (int d = 0; d < VALUES_DECADES; d++)
        v->decades[d] += w->decades[d];
    exact_join(&to->sums, &from->sums);
}

/* Count a finite value with the absolute value `size`. */
static inline void take_size(const struct powers *powers, double size, struct values_part *part)
{
    struct values *v = &part->values;
    part->finite++;
    if (size > v->max_abs) v->max_abs = size;
    if (size == 0) return;
    if (size < v->min_abs) v->min_abs = size;
    v->decades[decade_of(powers, size)]++;
    exact_add(&part->sums, size);
}

static inline void take_real(const struct powers *powers, double value, struct values_part *part)
{
    struct values *v = &part->values;
    v->positive += value > 0;
    v->negative += value < 0;
    if (!(fabs(value) <= DBL_MAX)) {
        v->nan += isnan(value);
        v->infinite += !isnan(value);
        return;
    }
    if (value < v->min) v->min = value;
    if (value > v->max) v->max = value;
    take_size(powers, fabs(value), part);
}

/* Count the modulus of a complex value. If it overflows although both parts are finite, it counts as
 * infinite. */
static inline void take_modulus(const struct powers *powers, double size, struct values_part *part)
{
    if (size <= DBL_MAX) {
        take_size(powers, size, part);
    } else {
        part->values.nan += isnan(size);
        part->values.infinite += !isnan(size);
    }
}

void values_take(const struct powers *powers, const double *val, const double *imaginary, int64_t count,
                 struct values_part *part)
{
    for (int64_t k = 0; k < count && imaginary; k++)
        take_modulus(powers, hypot(val[k], imaginary[k]), part);
    for (int64_t from = 0; from < count && !imaginary; from += VALUES_BATCH) {
        int64_t some = min(count - from, VALUES_BATCH);
        if (values_take_batch(powers, val + from, some, part)) continue;
        for (int64_t k = from; k < from + some; k++)
            take_real(powers, val[k], part);
    }
}

void values_take_row(const struct row_sum *row, bool square, struct values *values)
{
    double others = sum_of(row->off), all = others + row->diagonal;
    if (all > values->norm_inf) values->norm_inf = all;
    values->dominant_rows += square && row->diagonal >= others;
    values->strict_rows += square && row->diagonal > others;
}

/* Take values from index k on, and write their sizes into `sizes`. */
static void take_some(const struct powers *powers, const struct entries *e, int64_t k, int64_t count,
                      double *sizes, struct values_part *part)
{
    row_sizes(e, k, count, sizes);
    if (!e->imaginary) values_take(powers, e->val + k, NULL, count, part);
    for (int64_t s = 0; s < count && e->imaginary; s++)
        take_modulus(powers, sizes[s], part);
}

/* A row may continue in the next batch of values. */
WIDE static void scan_block(const struct slab *slab, const struct powers *powers, int64_t first, int64_t last,
                            struct values_part *part, struct block *block)
{
    const struct csr *a = slab->a;
    const struct entries e = {last, NULL, a->col, a->val, a->imaginary, true};
    bool square = slab->rows == slab->cols;
    double sizes[VALUES_BATCH];
    struct row_scan scan = {0};
    *block = (struct block){.first.row = -1, .last.row = -1};
    for (int64_t i = first < last ? csr_row_of(a, first) : 0, k = first, from = first, to = first; k < last;
         i++) {
        i = nonempty_from(a->row_ptr, i, a->rows);
        int64_t end = min(a->row_ptr[i + 1], last);
        struct row_sum row = {.row = slab->first + i};
        for (int64_t count; k < end; k += count) {
            if (k == to) {
                from = k;
                to = min(k + VALUES_BATCH, last);
                take_some(powers, &e, from, to - from, sizes, part);
            }
            count = min(end, to) - k;
            row_sum_take(&row, &scan, &e, k, count, sizes + (k - from));
        }
        if (a->row_ptr[i] < first)
            block->first = row;
        else if (a->row_ptr[i + 1] > last)
            block->last = row;
        else
            values_take_row(&row, square, &part->values);
    }
    part->values.positive_diagonal += scan.positive_diagonal;
}

/* Add a part of a row that is spread over several blocks. */
static void join_row(const struct row_sum *part, bool square, struct row_sum *open, struct values *values)
{
    if (part->row < 0) return;
    if (part->row != open->row) {
        if (open->row >= 0) values_take_row(open, square, values);
        *open = (struct row_sum){.row = part->row};
    }
    sum_add(&open->off, part->off.sum);
    open->off.rest += part->off.rest;
    open->diagonal += part->diagonal;
}

/* Join the rows that are spread over several blocks, in the order of the blocks. */
static void join_rows(const struct block *blocks, int64_t count, bool square, struct values *values)
{
    struct row_sum open = {.row = -1};
    for (int64_t b = 0; b < count; b++) {
        join_row(&blocks[b].first, square, &open, values);
        join_row(&blocks[b].last, square, &open, values);
    }
    if (open.row >= 0) values_take_row(&open, square, values);
}

/* Empty rows are dominated by their diagonal, which is 0 as well. */
static int64_t count_empty(const struct csr *a)
{
    return a->rows - nonempty_count(a->row_ptr, a->rows);
}

/* The blocks of the matrix with entries of the slab: block `from` has the first entry. */
static int64_t blocks_of(const struct slab *slab, int64_t *from)
{
    *from = slab->before / BLOCK_ENTRIES;
    return (slab->before + csr_nnz(slab->a)) / BLOCK_ENTRIES + 1 - *from;
}

/* Each thread has a part of its own; the order in which parts are joined makes no difference. */
static enum status scan(const struct slab *slab, struct block *blocks, int64_t count,
                        struct progress *progress, struct values_part *all, struct error *error)
{
    struct powers powers;
    int64_t nnz = csr_nnz(slab->a), from;
    int threads = (int)min(threads_count(), blocks_of(slab, &from));
    struct values_part *parts = memory_array((size_t)threads, sizeof *parts, error);
    if (!parts) return STATUS_MEMORY;
    values_powers(&powers);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        struct values_part *part = &parts[omp_get_thread_num()];
        values_start(part);
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < count; b++) {
            int64_t first = max((from + b) * BLOCK_ENTRIES - slab->before, 0);
            int64_t last = min((from + b + 1) * BLOCK_ENTRIES - slab->before, nnz);
            if (progress_cancelled(progress)) continue;
            scan_block(slab, &powers, first, last, part, &blocks[b]);
            progress_add(progress, last - first);
        }
#pragma omp critical(values_parts)
        values_join(all, part);
    }
    free(parts);
    return progress_status(progress, error);
}

enum status values_scan(const struct slab *slab, struct progress *progress, struct values_part *part,
                        struct error *error)
{
    int64_t from, count = blocks_of(slab, &from);
    bool square = slab->rows == slab->cols;
    values_start(part);
    struct block *blocks = memory_array((size_t)count, sizeof *blocks, error);
    if (!blocks) return STATUS_MEMORY;
    progress_phase(progress, "values", csr_nnz(slab->a));
    enum status status = scan(slab, blocks, count, progress, part, error);
    if (status == STATUS_OK) join_rows(blocks, count, square, &part->values);
    if (status == STATUS_OK && square) part->values.dominant_rows += count_empty(slab->a);
    free(blocks);
    return status;
}

WIDE static void sizes_of_real(const double *val, int64_t count, double *sizes)
{
    for (int64_t k = 0; k < count; k++)
        sizes[k] = fabs(val[k]);
}

void row_sizes(const struct entries *e, int64_t from, int64_t count, double *sizes)
{
    if (!e->imaginary) sizes_of_real(e->val + from, count, sizes);
    for (int64_t k = 0; k < count && e->imaginary; k++)
        sizes[k] = hypot(e->val[from + k], e->imaginary[from + k]);
}

double values_largest(const struct values_part *part)
{
    return part->finite ? part->values.max_abs : 0;
}

/* The square root of m 2^e is that of m, or of 2 m, times a power of two. */
static double root_of(struct exact_number number)
{
    int odd = number.exponent & 1;
    return ldexp(sqrt(odd ? 2 * number.mantissa : number.mantissa), (number.exponent - odd) / 2);
}

/* Undefined numbers become NaN. */
void values_finish(const struct values_part *part, bool complex, double norm_1, struct values *values)
{
    const struct exact_number sizes = exact_sizes(&part->sums);
    *values = part->values;
    values->mean_abs = part->finite ? ldexp(sizes.mantissa / (double)part->finite, sizes.exponent) : NAN;
    values->norm_1 = norm_1;
    values->norm_frobenius = root_of(exact_squares(&part->sums));
    if (part->finite == 0) values->max_abs = NAN;
    if (part->finite == 0 || complex) values->min = values->max = NAN;
    if (!isfinite(values->min_abs)) values->min_abs = NAN;
    /* A mirror image of 0 may be -0, and the sign of the least zero would depend on the order of the
     * threads. */
    values->min += 0.0;
    values->max += 0.0;
    if (values->nan + values->infinite > 0) values->norm_1 = values->norm_inf = values->norm_frobenius = NAN;
}

/* The largest multiple of `step` that is at most `value`. */
static int multiple_below(int value, int step)
{
    return (value - (value % step + step) % step);
}

int values_bins(const struct values *values, struct value_bin *bins, int limit, int *width)
{
    static const int widths[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    int first = 0, last = VALUES_DECADES - 1, count = 0, k = 0;
    while (first <= last && values->decades[first] == 0)
        first++;
    while (last >= first && values->decades[last] == 0)
        last--;
    *width = 1;
    if (first > last) return 0;
    int from = first + VALUES_FIRST_DECADE, to = last + VALUES_FIRST_DECADE;
    while ((multiple_below(to, widths[k]) - multiple_below(from, widths[k])) / widths[k] >= limit)
        k++;
    *width = widths[k];
    for (int at = multiple_below(from, *width); at <= to; at += *width) {
        struct value_bin *bin = &bins[count++];
        *bin = (struct value_bin){.first = at};
        for (int d = at - VALUES_FIRST_DECADE; d < at - VALUES_FIRST_DECADE + *width; d++)
            if (d >= first && d <= last) bin->count += values->decades[d];
    }
    return count;
}

size_t values_bytes(int64_t cols, int64_t nnz)
{
    return column_sums_bytes(cols, nnz);
}

enum status values_measure(const struct csr *a, struct progress *progress, struct values *values,
                           struct error *error)
{
    const struct slab slab = slab_of(a);
    double norm_1 = 0;
    struct values_part *part = memory_array(1, sizeof *part, error);
    if (!part) return STATUS_MEMORY;
    enum status status = values_scan(&slab, progress, part, error);
    if (status == STATUS_OK) status = column_sums_max(a, values_largest(part), progress, &norm_1, error);
    if (status == STATUS_OK) values_finish(part, a->imaginary != NULL, norm_1, values);
    free(part);
    return status;
}
