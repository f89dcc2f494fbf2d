/* Loops over rows that multiply rows of X and Y (kernels/cpu/spmm.h): `columns` contiguous elements, whole
 * vectors of them in registers. If the columns exceed the registers, a few rows are processed several times,
 * so that their entries stay in the first-level cache. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SPMM_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SPMM_H

#include "kernels/cpu/loops/spmm_moves.h"
#include "kernels/cpu/loops/sums.h"
#include "kernels/cpu/loops/wide.h"
#include "kernels/cpu/spmm.h"

/* The scalars of an element, and the vectors of sums that each vector of a row needs: for complex ones the
 * sums with the real and with the imaginary parts of the entries are separate until the row ends. */
#ifdef COMPLEX
#    define PARTS 2
#else
#    define PARTS 1
#endif

/* Maximum number of vectors of columns whose sums stay in registers. */
#define MOST_VECTORS ((WIDE_BYTES == 64 ? 8 : 4) / PARTS)

/* Number of entries processed before the next columns of the same rows. */
#define SPMM_TILE 1024

/* Prefetch distance of rows of X in entries. */
#define SPMM_AHEAD 16

/* The sum of a row, `vectors` of them, a constant. */
struct spmm_sum {
    wide v[8];
};

/* Load a vector, or this number of scalars for the last one of a row. Masks cost time except with AVX-512. */
WIDE_INLINE wide spmm_load(const scalar *from, bool whole, int64_t last)
{
    if (whole || (WIDE_BYTES < 64 && last == WIDE)) return wide_load(from);
    return wide_load_some(from, last);
}

/* Prefetch the row of X for the entry this number of slots after slot e, if there is one. */
WIDE_INLINE void spmm_ahead(const struct spmm_rows *rows, const struct spmm_part *part, int64_t e,
                            int64_t stride, int64_t from, int64_t vectors)
{
    int64_t later = e + SPMM_AHEAD * stride;
    if (later >= rows->slots || rows->col[later] < 0) return;
    const char *row =
        (const char *)((const scalar *)part->x + (rows->col[later] * part->x_step * PARTS) + from);
    for (int64_t byte = 0; byte < vectors * WIDE_BYTES; byte += 64)
        __builtin_prefetch(row + byte, 0, 3);
}

/* Return the sum over the entries of a row, of the scalars `from` .. of the rows of X: `vectors` vectors, the
 * last of which has `last` scalars. `sets` of them alternate, so that a fused operation does not wait for the
 * one before. `vectors`, `sets` and `far` are constants. */
WIDE_INLINE struct spmm_sum spmm_row(const struct spmm_rows *rows, const struct spmm_part *part,
                                     struct spmm_entries entries, int64_t stride, int64_t from,
                                     int64_t vectors, int64_t last, int64_t sets, bool far)
{
    const real *val = rows->val;
    const scalar *x = (const scalar *)part->x + from;
    const int64_t step = part->x_step * PARTS;
    wide sum[8] = {{0}}, turned[8] = {{0}};
    int64_t e = entries.first, left = entries.count;
    for (; left >= sets; left -= sets)
#pragma GCC unroll 4
        for (int64_t s = 0; s < sets; s++, e += stride) {
            const scalar *row = x + rows->col[e] * step;
            wide a = wide_all(__real__ val[e]), b = wide_all(__imag__ val[e]);
            if (far) spmm_ahead(rows, part, e, stride, from, vectors);
#pragma GCC unroll 8
            for (int64_t v = 0; v < vectors; v++) {
                wide w = spmm_load(row + v * WIDE, v + 1 < vectors, last);
                sum[s * vectors + v] += a * w;
                if (PARTS == 2) turned[s * vectors + v] += b * w;
            }
        }
    for (; left > 0; left--, e += stride) {
        const scalar *row = x + rows->col[e] * step;
        wide a = wide_all(__real__ val[e]), b = wide_all(__imag__ val[e]);
#pragma GCC unroll 8
        for (int64_t v = 0; v < vectors; v++) {
            wide w = spmm_load(row + v * WIDE, v + 1 < vectors, last);
            sum[v] += a * w;
            if (PARTS == 2) turned[v] += b * w;
        }
    }
    struct spmm_sum all;
#pragma GCC unroll 8
    for (int64_t v = 0; v < vectors; v++) {
        wide one = sum[v], other = turned[v];
#pragma GCC unroll 4
        for (int64_t s = 1; s < sets; s++) {
            one += sum[s * vectors + v];
            other += turned[s * vectors + v];
        }
        all.v[v] = PARTS == 2 ? one + wide_turned(other) : one;
    }
    return all;
}

/* Number of entries that are prefetched at a time. */
#define SPMM_BURST 64

/* Prefetch after the entries of a row, unless already done (*asked); for SELL, after a chunk at its first
 * row. */
WIDE_INLINE void spmm_entries_ahead(const struct spmm_rows *rows, enum spmm_kind kind, int64_t u,
                                    struct spmm_entries entries, int64_t *asked)
{
    const real *val = rows->val;
    if (kind == SPMM_SELL && u % rows->stride == 0)
        ahead(val, rows->col, entries.first, entries.first + entries.count * rows->stride);
    if (kind == SPMM_SELL || (kind == SPMM_ELL && rows->stride > 1)) return;
    if (*asked < entries.first) *asked = entries.first;
    for (; *asked < entries.first + entries.count; *asked += SPMM_BURST)
        ahead(val, rows->col, *asked, *asked + SPMM_BURST);
}

/* Write a row of Y. */
WIDE_INLINE void spmm_put(const struct spmm_part *part, scalar *y, const struct spmm_sum *sum,
                          int64_t vectors, int64_t last)
{
#pragma GCC unroll 8
    for (int64_t v = 0; v < vectors; v++, y += WIDE) {
        bool whole = v + 1 < vectors || last == WIDE;
        if (part->stream && whole && (uintptr_t)y % WIDE_BYTES == 0)
            wide_stream(y, sum->v[v]);
        else if (whole)
            wide_store(y, part->add ? wide_load(y) + sum->v[v] : sum->v[v]);
        else
            wide_store_some(y, part->add ? wide_load_some(y, last) + sum->v[v] : sum->v[v], last);
    }
}

/* Multiply units first .. end-1 for `vectors` vectors of columns from scalar `from` on. */
WIDE_INLINE void spmm_units(const struct spmm_rows *rows, enum spmm_kind kind, const struct spmm_part *part,
                            int64_t first, int64_t end, int64_t base, int64_t cursor, int64_t from,
                            int64_t vectors, int64_t last, bool far)
{
    const int64_t stride = kind == SPMM_CSR || kind == SPMM_COO || kind == SPMM_ENTRY ? 1 : rows->stride;
    const int64_t sets = PARTS == 2 ? (vectors == 1 ? 2 : 1) : vectors == 1 ? 4 : vectors == 2 ? 2 : 1;
    const bool large = from == 0 && ahead_pays(rows->slots);
    int64_t asked = 0;
    for (int64_t u = first; u < end; u++) {
        struct spmm_entries entries = spmm_entries(rows, kind, u, &cursor);
        if (large) spmm_entries_ahead(rows, kind, u, entries, &asked);
        int64_t i = part->by_unit ? u - base : spmm_row_of(rows, u) - part->low;
        const struct spmm_sum sum = spmm_row(rows, part, entries, stride, from, vectors, last, sets, far);
        spmm_put(part, (scalar *)part->y + i * part->y_step * PARTS + from, &sum, vectors, last);
    }
}

/* Multiply units first .. end-1 for scalars `from` .. of their rows, by the loop for this number of vectors:
 * 1, 2, 4 or 8. */
WIDE_INLINE void spmm_block(const struct spmm_rows *rows, enum spmm_kind kind, const struct spmm_part *part,
                            int64_t first, int64_t end, int64_t base, int64_t cursor, int64_t from,
                            int64_t vectors, bool far)
{
    int64_t last = min((int64_t)part->columns * PARTS - from - (vectors - 1) * WIDE, WIDE);
    if (MOST_VECTORS >= 8 && vectors == 8)
        spmm_units(rows, kind, part, first, end, base, cursor, from, 8, last, far);
    else if (MOST_VECTORS >= 4 && vectors == 4)
        spmm_units(rows, kind, part, first, end, base, cursor, from, 4, last, far);
    else if (vectors == 2)
        spmm_units(rows, kind, part, first, end, base, cursor, from, 2, last, far);
    else
        spmm_units(rows, kind, part, first, end, base, cursor, from, 1, last, far);
}

/* Return the unit behind those from u on that have about SPMM_TILE entries, and move *cursor there. */
WIDE_INLINE int64_t spmm_tile(const struct spmm_rows *rows, enum spmm_kind kind, int64_t u, int64_t end,
                              int64_t *cursor)
{
    for (int64_t taken = 0; u < end && taken < SPMM_TILE; u++)
        taken += spmm_entries(rows, kind, u, cursor).count + 1;
    return u;
}

/* The largest number of vectors with a loop that is at most `left` and at most `most`. */
static inline int64_t spmm_vectors(int64_t left, int64_t most)
{
    int64_t vectors = min(left, most);
    return vectors >= 8 ? 8 : vectors >= 4 ? 4 : vectors >= 2 ? 2 : 1;
}

/* Multiply units first .. end-1, as many vectors of columns at a time as registers hold. `kind` and `far` are
 * constants. */
WIDE_INLINE void spmm_kind(const struct spmm_rows *rows, enum spmm_kind kind, const struct spmm_part *part,
                           int64_t first, int64_t end, bool far)
{
    const int64_t scalars = (int64_t)part->columns * PARTS, all = (scalars + WIDE - 1) / WIDE;
    bool once = spmm_vectors(all, MOST_VECTORS) == all;
    int64_t cursor = kind == SPMM_COO ? spmm_cursor(rows, first) : 0;
    for (int64_t u = first, stop; u < end; u = stop) {
        int64_t before = cursor;
        stop = once ? end : spmm_tile(rows, kind, u, end, &cursor);
        for (int64_t from = 0, vectors; from < all; from += vectors) {
            vectors = spmm_vectors(all - from, MOST_VECTORS);
            spmm_block(rows, kind, part, u, stop, first, before, from * WIDE, vectors, far);
        }
    }
}

static void spmm_csr(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    if (part->far)
        spmm_kind(rows, SPMM_CSR, part, first, end, true);
    else
        spmm_kind(rows, SPMM_CSR, part, first, end, false);
}

static void spmm_coo(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    if (part->far)
        spmm_kind(rows, SPMM_COO, part, first, end, true);
    else
        spmm_kind(rows, SPMM_COO, part, first, end, false);
}

static void spmm_sell(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    if (part->far)
        spmm_kind(rows, SPMM_SELL, part, first, end, true);
    else
        spmm_kind(rows, SPMM_SELL, part, first, end, false);
}

#ifndef COMPLEX
#    define WHOLE 8
#    include "kernels/cpu/loops/spmm_whole.h"
#    define WHOLE 16
#    include "kernels/cpu/loops/spmm_whole.h"
#    if WIDE_BYTES >= 32
#        define WHOLE 32
#        include "kernels/cpu/loops/spmm_whole.h"
#    endif
#    if WIDE_BYTES >= 64
#        define WHOLE 64
#        include "kernels/cpu/loops/spmm_whole.h"
#    endif

/* The loops of CSR and SELL, with and without prefetching. */
#    define WHOLE_ROWS(bytes, vectors)                                          \
        do {                                                                    \
            if (sell && part->far)                                              \
                whole_chunks_##bytes(rows, part, first, end, (vectors), true);  \
            else if (sell)                                                      \
                whole_chunks_##bytes(rows, part, first, end, (vectors), false); \
            else if (part->far)                                                 \
                whole_rows_##bytes(rows, part, first, end, (vectors), true);    \
            else                                                                \
                whole_rows_##bytes(rows, part, first, end, (vectors), false);   \
            return true;                                                        \
        } while (false)

/* Multiply units first .. end-1 of CSR or SELL if the rows of X and Y are whole vectors, 1, 2 or 4 of them,
 * and are contiguous; otherwise do nothing and return false. */
static bool spmm_whole(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    const bool sell = rows->kind == SPMM_SELL;
    if ((rows->kind != SPMM_CSR && !sell) || part->columns == 1) return false;
    if (part->x_step != part->columns || part->y_step != part->columns) return false;
    switch (part->columns * (int64_t)sizeof(scalar)) {
    case 8:
        WHOLE_ROWS(8, 1);
    case 16:
        WHOLE_ROWS(16, 1);
#    if WIDE_BYTES == 16
    case 32:
        WHOLE_ROWS(16, 2);
    case 64:
        WHOLE_ROWS(16, 4);
#    elif WIDE_BYTES == 32
    case 32:
        WHOLE_ROWS(32, 1);
    case 64:
        WHOLE_ROWS(32, 2);
    case 128:
        WHOLE_ROWS(32, 4);
#    else
    case 32:
        WHOLE_ROWS(32, 1);
    case 64:
        WHOLE_ROWS(64, 1);
    case 128:
        WHOLE_ROWS(64, 2);
    case 256:
        WHOLE_ROWS(64, 4);
#    endif
    default:
        return false;
    }
}
#else
static bool spmm_whole(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    return false;
}
#endif

/* Multiply units first .. end-1 of any format. */
static void spmm(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    if (spmm_whole(rows, part, first, end)) {
        if (part->stream) wide_stream_end();
        return;
    }
    if (rows->kind == SPMM_CSR)
        spmm_csr(rows, part, first, end);
    else if (rows->kind == SPMM_COO)
        spmm_coo(rows, part, first, end);
    else if (rows->kind == SPMM_SELL)
        spmm_sell(rows, part, first, end);
    else if (rows->kind == SPMM_ELL)
        spmm_kind(rows, SPMM_ELL, part, first, end, false);
    else
        spmm_kind(rows, SPMM_ENTRY, part, first, end, false);
    if (part->stream) wide_stream_end();
}

/* Add a_ij times scalars `from` .. of row i of X to row j of Y, for all entries of units first .. end-1.
 * `vectors` is a constant. */
WIDE_INLINE void spmm_add_units(const struct spmm_rows *rows, enum spmm_kind kind,
                                const struct spmm_part *part, int64_t first, int64_t end, int64_t base,
                                int64_t cursor, int64_t from, int64_t vectors, int64_t last)
{
    const int64_t stride = kind == SPMM_CSR || kind == SPMM_COO || kind == SPMM_ENTRY ? 1 : rows->stride;
    const real *val = rows->val;
    const int64_t step = part->y_step * PARTS;
    scalar *y = (scalar *)part->y + from - part->low * step;
    const bool large = from == 0 && ahead_pays(rows->slots);
    int64_t asked = 0;
    for (int64_t u = first; u < end; u++) {
        struct spmm_entries entries = spmm_entries(rows, kind, u, &cursor);
        if (large) spmm_entries_ahead(rows, kind, u, entries, &asked);
        int64_t i = part->by_unit ? u - base : spmm_row_of(rows, u);
        const scalar *x = (const scalar *)part->x + i * part->x_step * PARTS + from;
        wide w[8], turned[8];
#pragma GCC unroll 8
        for (int64_t v = 0; v < vectors; v++) {
            w[v] = spmm_load(x + v * WIDE, v + 1 < vectors, last);
            turned[v] = PARTS == 2 ? wide_turned(w[v]) : w[v];
        }
        for (int64_t k = 0, e = entries.first; k < entries.count; k++, e += stride) {
            scalar *row = y + rows->col[e] * step;
            wide a = wide_all(__real__ val[e]), b = wide_all(__imag__ val[e]);
#pragma GCC unroll 8
            for (int64_t v = 0; v < vectors; v++) {
                scalar *to = row + v * WIDE;
                bool whole = v + 1 < vectors || (WIDE_BYTES < 64 && last == WIDE);
                wide sum = spmm_load(to, v + 1 < vectors, last);
                sum += a * w[v];
                if (PARTS == 2) sum += b * turned[v];
                if (whole)
                    wide_store(to, sum);
                else
                    wide_store_some(to, sum, last);
            }
        }
    }
}

/* The same for a single column, entry by entry. `step` is part->y_step. */
WIDE_INLINE void spmm_add_single(const struct spmm_rows *rows, enum spmm_kind kind,
                                 const struct spmm_part *part, int64_t first, int64_t end, int64_t step)
{
    const int64_t stride = kind == SPMM_CSR || kind == SPMM_COO || kind == SPMM_ENTRY ? 1 : rows->stride;
    const real *val = rows->val, *x = part->x;
    const int32_t *col = rows->col;
    real *y = (real *)part->y - part->low * step;
    int64_t cursor = kind == SPMM_COO ? spmm_cursor(rows, first) : 0;
    const bool large = ahead_pays(rows->slots);
    int64_t asked = 0;
    for (int64_t u = first; u < end; u++) {
        struct spmm_entries entries = spmm_entries(rows, kind, u, &cursor);
        real factor = x[(part->by_unit ? u - first : spmm_row_of(rows, u)) * part->x_step];
        if (large) spmm_entries_ahead(rows, kind, u, entries, &asked);
        for (int64_t k = 0, e = entries.first; k < entries.count; k++, e += stride)
            y[col[e] * step] += val[e] * factor;
    }
}

WIDE_INLINE void spmm_add_kind(const struct spmm_rows *rows, enum spmm_kind kind,
                               const struct spmm_part *part, int64_t first, int64_t end)
{
    const int64_t scalars = (int64_t)part->columns * PARTS, all = (scalars + WIDE - 1) / WIDE;
    bool once = spmm_vectors(all, 4) == all;
    int64_t cursor = kind == SPMM_COO ? spmm_cursor(rows, first) : 0;
    if (part->columns == 1) {
        if (part->y_step == 1)
            spmm_add_single(rows, kind, part, first, end, 1);
        else
            spmm_add_single(rows, kind, part, first, end, part->y_step);
        return;
    }
    for (int64_t u = first, stop; u < end; u = stop) {
        int64_t before = cursor;
        stop = once ? end : spmm_tile(rows, kind, u, end, &cursor);
        for (int64_t from = 0, vectors; from < all; from += vectors) {
            vectors = spmm_vectors(all - from, 4);
            int64_t last = min(scalars - (from + vectors - 1) * WIDE, WIDE);
            if (vectors == 4)
                spmm_add_units(rows, kind, part, u, stop, first, before, from * WIDE, 4, last);
            else if (vectors == 2)
                spmm_add_units(rows, kind, part, u, stop, first, before, from * WIDE, 2, last);
            else
                spmm_add_units(rows, kind, part, u, stop, first, before, from * WIDE, 1, last);
        }
    }
}

static void spmm_add(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first, int64_t end)
{
    if (rows->kind == SPMM_CSR)
        spmm_add_kind(rows, SPMM_CSR, part, first, end);
    else if (rows->kind == SPMM_COO)
        spmm_add_kind(rows, SPMM_COO, part, first, end);
    else if (rows->kind == SPMM_SELL)
        spmm_add_kind(rows, SPMM_SELL, part, first, end);
    else if (rows->kind == SPMM_ELL)
        spmm_add_kind(rows, SPMM_ELL, part, first, end);
    else
        spmm_add_kind(rows, SPMM_ENTRY, part, first, end);
}

#endif
