#include "analysis/values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/column_sums.h"
#include "base/memory.h"
#include "base/range.h"

/* Threads share the work in blocks of so many entries. Sums over blocks are added up in the order of the
 * blocks, so that they do not depend on who did which. */
#define BLOCK_ENTRIES ((int64_t)1 << 17)

/* Blue's bounds and factors for double precision, as LAPACK 3.10 has them: values above BIG are squared times
 * BIG_FACTOR, those below SMALL times SMALL_FACTOR. */
#define SMALL 0x1p-511
#define BIG 0x1p486
#define SMALL_FACTOR 0x1p537
#define BIG_FACTOR 0x1p-538

/* A sum, and what rounding took from it. */
struct sum {
    double sum, rest;
};

static inline void sum_add(struct sum *sum, double value)
{
    double next = sum->sum + value, part = next - sum->sum;
    sum->rest += (sum->sum - (next - part)) + (value - part);
    sum->sum = next;
}

/* What has overflowed has a rest that is NaN. */
static inline double sum_of(struct sum sum)
{
    return isfinite(sum.sum) ? sum.sum + sum.rest : sum.sum;
}

/* The entries of one row that a block has. */
struct row_part {
    int64_t row; /* -1: none */
    struct sum off;
    double diagonal;
};

/* What is summed over a block: squares and absolute values, of large values apart, and the first and the last
 * row, which other blocks may have entries of. */
struct block {
    double squares_small, squares, squares_big;
    struct sum abs, abs_big;
    struct row_part first, last;
};

/* The powers of ten from 10^VALUES_FIRST_DECADE on, and for each exponent of a double the decade of the
 * smallest number that has it. */
struct powers {
    double power[VALUES_DECADES + 1];
    short decade[2048];
};

static void powers_make(struct powers *powers)
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

/* Return the decade of a finite value above 0. */
static inline int decade_of(const struct powers *powers, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int d = powers->decade[bits >> 52];
    while (powers->power[d + 1] <= value)
        d++;
    return d;
}

/* What a thread finds: the order in which this is put together makes no difference. */
struct tally {
    struct values values;
    int64_t finite;
};

static void tally_start(struct tally *tally)
{
    *tally =
        (struct tally){.values = {.min = INFINITY, .max = -INFINITY, .min_abs = INFINITY, .max_abs = -1}};
}

static void tally_add(struct tally *to, const struct tally *from)
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
}

/* Take a value of which `size` is the absolute value. */
static inline void take_size(const struct powers *powers, double size, struct tally *tally,
                             struct block *block)
{
    struct values *v = &tally->values;
    tally->finite++;
    if (size > v->max_abs) v->max_abs = size;
    if (size == 0) return;
    if (size < v->min_abs) v->min_abs = size;
    v->decades[decade_of(powers, size)]++;
    if (size > BIG) {
        block->squares_big += (size * BIG_FACTOR) * (size * BIG_FACTOR);
        sum_add(&block->abs_big, size * BIG_FACTOR);
        return;
    }
    if (size < SMALL)
        block->squares_small += (size * SMALL_FACTOR) * (size * SMALL_FACTOR);
    else
        block->squares += size * size;
    sum_add(&block->abs, size);
}

/* Take a real value, and return its absolute value. */
static inline double take_real(const struct powers *powers, double value, struct tally *tally,
                               struct block *block)
{
    struct values *v = &tally->values;
    double size = fabs(value);
    v->positive += value > 0;
    v->negative += value < 0;
    if (!(size <= DBL_MAX)) {
        v->nan += isnan(value);
        v->infinite += !isnan(value);
        return size;
    }
    if (value < v->min) v->min = value;
    if (value > v->max) v->max = value;
    take_size(powers, size, tally, block);
    return size;
}

/* Take a complex value, and return its modulus. One that overflows, of finite parts, is counted as infinite.
 */
static inline double take_complex(const struct powers *powers, double real, double imaginary,
                                  struct tally *tally, struct block *block)
{
    double size = hypot(real, imaginary);
    if (size <= DBL_MAX) {
        take_size(powers, size, tally, block);
    } else {
        tally->values.nan += isnan(size);
        tally->values.infinite += !isnan(size);
    }
    return size;
}

/* Take the sums of a whole row. */
static void take_row(const struct row_part *row, bool square, struct tally *tally)
{
    double off = sum_of(row->off), all = off + row->diagonal;
    if (all > tally->values.norm_inf) tally->values.norm_inf = all;
    tally->values.dominant_rows += square && row->diagonal >= off;
    tally->values.strict_rows += square && row->diagonal > off;
}

/* Sum up entries first .. last-1 of row i. */
static struct row_part scan_part(const struct csr *a, const struct powers *powers, int64_t i, int64_t first,
                                 int64_t last, struct tally *tally, struct block *block)
{
    struct row_part part = {.row = i};
    for (int64_t k = first; k < last; k++) {
        double size = a->imaginary ? take_complex(powers, a->val[k], a->imaginary[k], tally, block)
                                   : take_real(powers, a->val[k], tally, block);
        if (a->col[k] != i) {
            sum_add(&part.off, size);
            continue;
        }
        part.diagonal = size;
        tally->values.positive_diagonal += a->val[k] > 0 && (!a->imaginary || a->imaginary[k] == 0);
    }
    return part;
}

static void scan_block(const struct csr *a, const struct powers *powers, int64_t first, int64_t last,
                       struct tally *tally, struct block *block)
{
    bool square = a->rows == a->cols;
    *block = (struct block){.first.row = -1, .last.row = -1};
    for (int64_t i = first < last ? csr_row_of(a, first) : 0, k = first; k < last; i++) {
        int64_t end = min(a->row_ptr[i + 1], last);
        if (end == k) continue;
        struct row_part part = scan_part(a, powers, i, k, end, tally, block);
        if (a->row_ptr[i] < first)
            block->first = part;
        else if (a->row_ptr[i + 1] > last)
            block->last = part;
        else
            take_row(&part, square, tally);
        k = end;
    }
}

/* Add a part of a row that several blocks have, which end and begin with it. */
static void join_part(const struct row_part *part, bool square, struct row_part *open, struct tally *tally)
{
    if (part->row < 0) return;
    if (part->row != open->row) {
        if (open->row >= 0) take_row(open, square, tally);
        *open = (struct row_part){.row = part->row};
    }
    sum_add(&open->off, part->off.sum);
    open->off.rest += part->off.rest;
    open->diagonal += part->diagonal;
}

/* Put together what blocks have summed up, in their order. */
static void join(const struct csr *a, const struct block *blocks, int64_t count, struct tally *tally)
{
    bool square = a->rows == a->cols;
    struct row_part open = {.row = -1};
    double squares_small = 0, squares = 0, squares_big = 0;
    struct sum abs = {0}, abs_big = {0};
    for (int64_t b = 0; b < count; b++) {
        join_part(&blocks[b].first, square, &open, tally);
        join_part(&blocks[b].last, square, &open, tally);
        squares_small += blocks[b].squares_small;
        squares += blocks[b].squares;
        squares_big += blocks[b].squares_big;
        sum_add(&abs, sum_of(blocks[b].abs));
        sum_add(&abs_big, sum_of(blocks[b].abs_big));
    }
    if (open.row >= 0) take_row(&open, square, tally);
    struct values *v = &tally->values;
    double n = (double)tally->finite;
    v->mean_abs = tally->finite ? sum_of(abs) / n + sum_of(abs_big) / n / BIG_FACTOR : NAN;
    /* Beside large values small ones do not count, and beside middling ones they hardly do. */
    if (squares_big > 0)
        v->norm_frobenius = sqrt(squares_big + squares * BIG_FACTOR * BIG_FACTOR) / BIG_FACTOR;
    else if (squares > 0)
        v->norm_frobenius = sqrt(squares + squares_small / SMALL_FACTOR / SMALL_FACTOR);
    else
        v->norm_frobenius = sqrt(squares_small) / SMALL_FACTOR;
}

static int64_t count_empty(const struct csr *a)
{
    int64_t empty = 0;
#pragma omp parallel for reduction(+ : empty) if (a->rows > BLOCK_ENTRIES)
    for (int64_t i = 0; i < a->rows; i++)
        empty += a->row_ptr[i] == a->row_ptr[i + 1];
    return empty;
}

static void scan(const struct csr *a, struct block *blocks, int64_t count, struct progress *progress,
                 struct tally *all)
{
    struct powers powers;
    int64_t nnz = csr_nnz(a);
    powers_make(&powers);
    tally_start(all);
#pragma omp parallel if (count > 1)
    {
        struct tally tally;
        tally_start(&tally);
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < count; b++) {
            int64_t first = b * BLOCK_ENTRIES, last = min(first + BLOCK_ENTRIES, nnz);
            if (progress_cancelled(progress)) continue;
            scan_block(a, &powers, first, last, &tally, &blocks[b]);
            progress_add(progress, last - first);
        }
#pragma omp critical(values_tallies)
        tally_add(all, &tally);
    }
}

/* Make what has no value NaN. */
static void finish(const struct csr *a, const struct tally *tally, struct values *values)
{
    *values = tally->values;
    if (a->rows == a->cols) values->dominant_rows += count_empty(a);
    if (tally->finite == 0) values->max_abs = NAN;
    if (tally->finite == 0 || a->imaginary) values->min = values->max = NAN;
    if (!isfinite(values->min_abs)) values->min_abs = NAN;
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
    int64_t nnz = csr_nnz(a), count = nnz / BLOCK_ENTRIES + 1;
    struct tally tally;
    struct block *blocks = memory_array((size_t)count, sizeof *blocks, error);
    if (!blocks) return STATUS_MEMORY;
    progress_phase(progress, "values", nnz);
    scan(a, blocks, count, progress, &tally);
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) {
        join(a, blocks, count, &tally);
        finish(a, &tally, values);
    }
    free(blocks);
    if (status == STATUS_OK) status = column_sums_max(a, progress, &values->norm_1, error);
    if (status == STATUS_OK && values->nan + values->infinite > 0)
        values->norm_1 = values->norm_inf = values->norm_frobenius = NAN;
    return status;
}
