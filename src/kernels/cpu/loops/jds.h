/* Loops over JDS, without its COO part. Rows are sorted by length, longest first, and perm[r] is the row at
 * sorted position r. Jagged diagonal d has entry d of each row with more than d entries:
 *
 *     r   diagonal 0 1 2 3
 *     0            a d g i       iter_ptr = 0 3 6 8 9
 *     1            b e h         val      = a b c d e f g h i
 *     2            c f
 *
 * so entry d of sorted row r is slot iter_ptr[d] + r, if that lies before iter_ptr[d+1]. With sections, a
 * section of sorted rows is stored as transposed ELL with the width of its longest row, or as CSR. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_JDS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_JDS_H

#include "formats/jds_parts.h"
#include "kernels/cpu/loops/sums.h"

/* The arrays that all loops over JDS read. */
struct jds_arrays {
    const struct array *array;
    const int32_t *perm, *col;
    const real *val, *x;
};

static inline struct jds_arrays jds_arrays(const struct launch *launch)
{
    const struct array *array = launch->storage->array;
    int64_t columns = launch->storage->number[JDS_COLUMNS];
    return (struct jds_arrays){array, array[JDS_PERM].data, array[columns].data, array[columns + 1].data,
                               launch->x};
}

/* The published loops add to y, which is 0 before. In plain JDS every entry is added to its row of y,
 * diagonal by diagonal. */
static void jds_plain_diagonals(const struct launch *launch, const struct jds_arrays *jds)
{
    const struct array *iter_ptr = &jds->array[JDS_ITER_PTR];
    real *y = launch->y;
    for (int64_t d = 0; d < launch->storage->number[JDS_LONGEST]; d++) {
        int64_t begin = offset_of(iter_ptr, d), end = offset_of(iter_ptr, d + 1);
        for (int64_t k = begin; k < end; k++)
            y[jds->perm[k - begin]] += jds->val[k] * jds->x[jds->col[k]];
    }
}

/* This is the published loop over sections of ELL: section by section, and within a section position by
 * position, as along diagonals of the same height. */
static void jds_plain_ell(const struct launch *launch, const struct jds_arrays *jds)
{
    real *y = launch->y;
    for (int64_t s = 0; s < launch->storage->number[JDS_SECTIONS]; s++) {
        int64_t first = offset_of(&jds->array[JDS_SECTION_ROW], s);
        int64_t height = offset_of(&jds->array[JDS_SECTION_ROW], s + 1) - first;
        int64_t k = offset_of(&jds->array[JDS_SECTION_PTR], s);
        int64_t end = offset_of(&jds->array[JDS_SECTION_PTR], s + 1);
        while (k < end)
            for (int64_t r = first; r < first + height; r++, k++)
                y[jds->perm[r]] += jds->val[k] * jds->x[jds->col[k]];
    }
}

/* This is the published loop over sections of CSR: rows one by one. Sorted rows from JDS_FILLED on have no
 * entries. */
static void jds_plain_csr(const struct launch *launch, const struct jds_arrays *jds)
{
    const struct array *row_ptr = &jds->array[JDS_ROW_PTR];
    real *y = launch->y;
    for (int64_t r = 0; r < launch->storage->number[JDS_FILLED]; r++) {
        real sum = 0;
        for (int64_t k = offset_of(row_ptr, r); k < offset_of(row_ptr, r + 1); k++)
            sum += jds->val[k] * jds->x[jds->col[k]];
        y[jds->perm[r]] += sum;
    }
}

static void jds_plain(const struct launch *launch, int64_t first, int64_t end)
{
    struct jds_arrays jds = jds_arrays(launch);
    switch (jds_kind(launch->storage)) {
    case JDS_PLAIN:
        jds_plain_diagonals(launch, &jds);
        break;
    case JDS_SECTIONS_ELL:
        jds_plain_ell(launch, &jds);
        break;
    case JDS_SECTIONS_CSR:
        jds_plain_csr(launch, &jds);
        break;
    }
}

/* Multiply sorted rows first .. end-1 in blocks. A block is summed diagonal by diagonal, each as far as it
 * reaches into the block, so that its sums stay in the first-level cache and y is written once. Lengths do
 * not increase with r: once a diagonal ends before the block, so do all later ones. */
static void jds_diagonals(const struct launch *launch, const struct jds_arrays *jds, int64_t first,
                          int64_t end)
{
    const struct array *iter_ptr = &jds->array[JDS_ITER_PTR];
    real sum[SUMS];
    int64_t longest = launch->storage->number[JDS_LONGEST], rows = sums_rows(longest);
    int64_t further = ahead_pays(launch->storage->slots[0]) ? rows : 0;
    for (int64_t r = first; r < end; r += rows) {
        int64_t n = min(rows, end - r);
        clear_sums(sum, n);
        for (int64_t d = 0; d < longest; d++) {
            int64_t k = offset_of(iter_ptr, d) + r, reach = offset_of(iter_ptr, d + 1) - k;
            if (reach <= 0) break;
            add_column(sum, jds->val + k, jds->col + k, jds->x, min(n, reach), further);
        }
        put_sums(launch, sum, 0, jds->perm + r, n);
    }
}

/* Multiply sorted rows first .. end-1, all of one section, in blocks, each summed position by position. A
 * section of one row is summed along it. */
static void jds_section_rows(const struct launch *launch, const struct jds_arrays *jds,
                             const struct jds_section *section, int64_t first, int64_t end)
{
    real sum[SUMS];
    int64_t rows = sums_rows(section->wide);
    int64_t further = ahead_pays(launch->storage->slots[0]) ? rows : 0;
    for (int64_t r = first; r < end; r += rows) {
        int64_t n = min(rows, end - r), k = section->slot + r - section->first;
        clear_sums(sum, n);
        if (section->height == 1)
            sum[0] = dot(jds->val + k, jds->col + k, jds->x, section->wide);
        else
            for (int64_t d = 0; d < section->wide; d++, k += section->height)
                add_column(sum, jds->val + k, jds->col + k, jds->x, n, further);
        put_sums(launch, sum, 0, jds->perm + r, n);
    }
}

/* Return the section s that has sorted row r: section_row[s] <= r < section_row[s+1]. O(log sections). */
static inline int64_t jds_find_section(const struct array *section_row, int64_t r)
{
    int64_t low = 0, high = section_row->length - 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (offset_of(section_row, middle) <= r)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Multiply sorted rows first .. end-1, which may begin and end within sections. */
static void jds_sections(const struct launch *launch, const struct jds_arrays *jds, int64_t first,
                         int64_t end)
{
    const struct array *section_row = &jds->array[JDS_SECTION_ROW];
    const struct array *section_ptr = &jds->array[JDS_SECTION_PTR];
    for (int64_t s = jds_find_section(section_row, first); first < end; s++) {
        struct jds_section section = {.first = offset_of(section_row, s), .slot = offset_of(section_ptr, s)};
        section.height = offset_of(section_row, s + 1) - section.first;
        section.wide = (offset_of(section_ptr, s + 1) - section.slot) / section.height;
        int64_t stop = min(end, section.first + section.height);
        jds_section_rows(launch, jds, &section, first, stop);
        first = stop;
    }
}

/* Multiply sorted rows first .. end-1, each along itself; those from JDS_FILLED on are empty and have no
 * offsets. */
static void jds_rows(const struct launch *launch, const struct jds_arrays *jds, int64_t first, int64_t end)
{
    const struct array *row_ptr = &jds->array[JDS_ROW_PTR];
    int64_t filled = launch->storage->number[JDS_FILLED];
    for (int64_t r = first; r < end; r++) {
        int64_t k = r < filled ? offset_of(row_ptr, r) : 0, stop = r < filled ? offset_of(row_ptr, r + 1) : 0;
        real sum = dot(jds->val + k, jds->col + k, jds->x, stop - k);
        put_sums(launch, &sum, 0, jds->perm + r, 1);
    }
}

static void jds(const struct launch *launch, int64_t first, int64_t end)
{
    struct jds_arrays arrays = jds_arrays(launch);
    switch (jds_kind(launch->storage)) {
    case JDS_PLAIN:
        jds_diagonals(launch, &arrays, first, end);
        break;
    case JDS_SECTIONS_ELL:
        jds_sections(launch, &arrays, first, end);
        break;
    case JDS_SECTIONS_CSR:
        jds_rows(launch, &arrays, first, end);
        break;
    }
}

#endif
