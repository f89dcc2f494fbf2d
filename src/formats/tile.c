#include "formats/tile.h"

#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/fill.h"

/* What is transposed at a time; col and val fit into the first-level cache. */
#define BUFFER 2048
#define SLOTS_PER_BLOCK 65536
#define BLOCKS_MAX 65536

/* The lines of a tile, and a stretch of their columns: slot (d, l) at d * lines + l. */
struct loom {
    const struct tiling *tiling;
    struct tile tile;
    int64_t start[TILE_LINES], length[TILE_LINES]; /* in the matrix */
    int32_t col[BUFFER];
    double val[BUFFER], imaginary[BUFFER];
};

/* Find the rows of the lines; their entries are scattered, and fetched while the others are looked up. */
static void find_lines(struct loom *loom)
{
    const struct tiling *tiling = loom->tiling;
    const struct csr *a = tiling->a;
    for (int64_t l = 0; l < loom->tile.lines; l++) {
        int64_t line = loom->tile.first + l;
        loom->start[l] = loom->length[l] = 0;
        if (line >= tiling->rows) continue;
        int64_t row = tiling->order ? tiling->order[line] : line;
        loom->start[l] = a->row_ptr[row];
        loom->length[l] = row_length(a, row);
        __builtin_prefetch(&a->col[loom->start[l]]);
        __builtin_prefetch(&a->val[loom->start[l]]);
    }
}

/* Read entries d .. end-1 of line l. */
static void read_line(struct loom *loom, int64_t l, int64_t d, int64_t end)
{
    const struct csr *a = loom->tiling->a;
    int64_t lines = loom->tile.lines, k = loom->start[l] + d, n = clip(loom->length[l] - d, end - d), t = 0;
    for (; t < n; t++) {
        loom->col[t * lines + l] = a->col[k + t];
        loom->val[t * lines + l] = a->val[k + t];
    }
    if (a->imaginary)
        for (t = 0; t < n; t++)
            loom->imaginary[t * lines + l] = a->imaginary[k + t];
    if (loom->tiling->diagonal) return;
    int32_t last = loom->length[l] ? a->col[loom->start[l] + loom->length[l] - 1] : 0;
    for (; t < end - d; t++) {
        loom->col[t * lines + l] = last;
        loom->val[t * lines + l] = loom->imaginary[t * lines + l] = 0;
    }
}

static void write_values(struct array *values, int64_t e, const double *real, const double *imaginary,
                         int64_t n)
{
    switch (values->element) {
    case ELEMENT_F64:
        memcpy((double *)values->data + e, real, (size_t)n * sizeof *real);
        break;
    case ELEMENT_F32:
        for (int64_t k = 0; k < n; k++)
            ((float *)values->data)[e + k] = (float)real[k];
        break;
    case ELEMENT_C64:
        for (int64_t k = 0; k < n; k++) {
            ((double *)values->data)[2 * (e + k)] = real[k];
            ((double *)values->data)[2 * (e + k) + 1] = imaginary[k];
        }
        break;
    default:
        for (int64_t k = 0; k < n; k++) {
            ((float *)values->data)[2 * (e + k)] = (float)real[k];
            ((float *)values->data)[2 * (e + k) + 1] = (float)imaginary[k];
        }
        break;
    }
}

/* Write n slots from slot e on, read from position `from` of the buffer. */
static void write_slots(const struct loom *loom, int64_t e, int64_t from, int64_t n)
{
    memcpy((int32_t *)loom->tiling->col->data + e, loom->col + from, (size_t)n * sizeof *loom->col);
    write_values(loom->tiling->val, e, loom->val + from, loom->imaginary + from, n);
}

static inline int64_t slot_of(const struct loom *loom, int64_t d)
{
    const struct array *diagonal = loom->tiling->diagonal;
    return diagonal ? array_integer(diagonal, d) + loom->tile.first : loom->tile.slot + d * loom->tile.stride;
}

static void write_columns(const struct loom *loom, int64_t d, int64_t end)
{
    int64_t lines = loom->tile.lines, all = lines;
    if (!loom->tiling->diagonal && loom->tile.stride == lines) {
        write_slots(loom, slot_of(loom, d), 0, lines * (end - d));
        return;
    }
    for (int64_t t = d; t < end; t++) {
        while (loom->tiling->diagonal && lines > 0 && loom->length[lines - 1] <= t)
            lines--;
        write_slots(loom, slot_of(loom, t), (t - d) * all, lines);
    }
}

/* Note the entries of value 0 among entries d .. end-1 of the lines. */
static void keep_zeros(const struct loom *loom, int64_t d, int64_t end)
{
    const struct tiling *tiling = loom->tiling;
    for (int64_t l = 0; l < loom->tile.lines; l++)
        for (int64_t t = d; t < min(end, loom->length[l]); t++)
            put_value(tiling->storage, tiling->val, slot_of(loom, t) + l, tiling->a, loom->start[l] + t);
}

/* Columns d .. end-1 of the tile, as many at a time as the buffer holds. */
static void fill_columns(struct loom *loom, int64_t d, int64_t end)
{
    int64_t max = BUFFER / loom->tile.lines;
    for (int64_t stop; d < end; d = stop) {
        stop = min(d + max, end);
        for (int64_t l = 0; l < loom->tile.lines; l++)
            read_line(loom, l, d, stop);
        write_columns(loom, d, stop);
        if (loom->tiling->storage->kept) keep_zeros(loom, d, stop);
    }
}

/* Columns from .. to-1 of all tiles put one after the other; before[t] columns come before tile t. */
static void fill_block(const struct tiling *tiling, const int64_t *before, int64_t from, int64_t to)
{
    const struct array offsets = {.element = ELEMENT_I64, .data = (void *)before};
    struct loom loom;
    loom.tiling = tiling;
    for (int64_t t = offset_find(&offsets, tiling->tiles, from); from < to; t++) {
        int64_t end = min(before[t + 1], to);
        if (from >= end) continue;
        loom.tile = tiling->tile(tiling, t);
        find_lines(&loom);
        fill_columns(&loom, from - before[t], end - before[t]);
        from = end;
    }
}

size_t tiling_bytes(int64_t tiles)
{
    return ((size_t)tiles + 1) * sizeof(int64_t);
}

enum status fill_tiles(const struct tiling *tiling, struct progress *progress, struct error *error)
{
    int64_t slots = tiling->col->length, tiles = tiling->tiles;
    int64_t blocks = 1 + min(slots / SLOTS_PER_BLOCK, BLOCKS_MAX);
    int64_t *before = memory_array((size_t)tiles + 1, sizeof *before, error);
    if (!before) return STATUS_MEMORY;
    progress_phase(progress, tiling->phase, blocks);
#pragma omp parallel for if (tiles > PARALLEL_MIN)
    for (int64_t t = 0; t < tiles; t++)
        before[t] = tiling->tile(tiling, t).wide;
    threads_offsets(before, tiles);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        double share = (double)before[tiles] / (double)blocks;
        int64_t end = b + 1 < blocks ? (int64_t)(share * (double)(b + 1)) : before[tiles];
        fill_block(tiling, before, (int64_t)(share * (double)b), end);
        progress_add(progress, 1);
    }
    free(before);
    return progress_status(progress, error);
}
