#include "formats/tiling.h"

#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/fill.h"

/* Number of slots transposed at a time. Their columns and values, 24 KiB, fit into the first-level cache. */
#define BUFFER_SLOTS 2048
#define SLOTS_PER_BLOCK 65536
#define BLOCKS_MAX 65536

/* A tile, and the buffer in which a stretch of its columns is transposed: position d of the stretch and line
 * l are at d * lines + l. */
struct buffer {
    const struct tiling *tiling;
    struct tile tile;
    int64_t start[TILE_LINES];  /* the first entry of each line in the matrix */
    int64_t length[TILE_LINES]; /* the number of its entries */
    int32_t col[BUFFER_SLOTS];
    double val[BUFFER_SLOTS], imaginary[BUFFER_SLOTS];
    uint8_t held[BUFFER_SLOTS]; /* 1 for an entry, 0 for padding; for outlines, which have no values */
};

/* Find the entries of the tile's lines. Sorted rows lie anywhere in the matrix: the first entries of each are
 * prefetched while the next rows are looked up. */
static void find_lines(struct buffer *buffer)
{
    const struct tiling *tiling = buffer->tiling;
    const struct csr *a = tiling->a;
    for (int64_t l = 0; l < buffer->tile.lines; l++) {
        int64_t line = buffer->tile.first + l;
        buffer->start[l] = buffer->length[l] = 0;
        if (line >= tiling->rows) continue;
        int64_t row = tiling->order ? tiling->order[line] : line;
        buffer->start[l] = a->row_ptr[row];
        buffer->length[l] = row_length(a, row);
        __builtin_prefetch(&a->col[buffer->start[l]]);
        if (a->val) __builtin_prefetch(&a->val[buffer->start[l]]);
    }
}

/* Read entries d .. end-1 of line l into the buffer, followed by padding if the line is shorter. JDS needs no
 * padding: write_columns omits lines that have ended. */
static void read_line(struct buffer *buffer, int64_t l, int64_t d, int64_t end)
{
    const struct csr *a = buffer->tiling->a;
    int64_t lines = buffer->tile.lines, k = buffer->start[l] + d, n = clip(buffer->length[l] - d, end - d),
            t = 0;
    const bool noted = buffer->tiling->storage->entry, outline = !buffer->tiling->val->data;
    for (t = 0; noted && t < n; t++)
        buffer->held[t * lines + l] = 1;
    for (t = 0; outline && t < n; t++)
        buffer->col[t * lines + l] = a->col[k + t];
    for (; t < n; t++) {
        buffer->col[t * lines + l] = a->col[k + t];
        buffer->val[t * lines + l] = a->val[k + t];
    }
    if (a->imaginary && !outline)
        for (t = 0; t < n; t++)
            buffer->imaginary[t * lines + l] = a->imaginary[k + t];
    if (buffer->tiling->diagonal) return;
    int32_t last = buffer->length[l] ? a->col[buffer->start[l] + buffer->length[l] - 1] : 0;
    for (; t < end - d; t++) {
        buffer->col[t * lines + l] = last;
        buffer->val[t * lines + l] = buffer->imaginary[t * lines + l] = 0;
        buffer->held[t * lines + l] = 0;
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

/* Write n slots from slot e on, which are at position `from` of the buffer and after it. */
static void write_slots(const struct buffer *buffer, int64_t e, int64_t from, int64_t n)
{
    memcpy((int32_t *)buffer->tiling->col->data + e, buffer->col + from, (size_t)n * sizeof *buffer->col);
    if (buffer->tiling->val->data)
        write_values(buffer->tiling->val, e, buffer->val + from, buffer->imaginary + from, n);
    if (buffer->tiling->storage->entry)
        memcpy(buffer->tiling->storage->entry + e, buffer->held + from, (size_t)n);
}

/* Return the slot of entry d of the tile's first line. */
static inline int64_t slot_of(const struct buffer *buffer, int64_t d)
{
    const struct array *diagonal = buffer->tiling->diagonal;
    return diagonal ? array_integer(diagonal, d) + buffer->tile.first
                    : buffer->tile.slot + d * buffer->tile.stride;
}

/* Write entries d .. end-1 of all lines. If the stride is the number of lines, they are one piece of the
 * arrays. Lines of JDS descend in length, so that only the first of them reach column t. */
static void write_columns(const struct buffer *buffer, int64_t d, int64_t end)
{
    int64_t lines = buffer->tile.lines, all = lines;
    if (!buffer->tiling->diagonal && buffer->tile.stride == lines) {
        write_slots(buffer, slot_of(buffer, d), 0, lines * (end - d));
        return;
    }
    for (int64_t t = d; t < end; t++) {
        while (buffer->tiling->diagonal && lines > 0 && buffer->length[lines - 1] <= t)
            lines--;
        write_slots(buffer, slot_of(buffer, t), (t - d) * all, lines);
    }
}

/* Write entries d .. end-1 of the lines again with put_value, which notes zeros. */
static void keep_zeros(const struct buffer *buffer, int64_t d, int64_t end)
{
    const struct tiling *tiling = buffer->tiling;
    for (int64_t l = 0; l < buffer->tile.lines; l++)
        for (int64_t t = d; t < min(end, buffer->length[l]); t++)
            put_value(tiling->storage, tiling->val, slot_of(buffer, t) + l, tiling->a, buffer->start[l] + t);
}

/* Fill columns d .. end-1 of the tile, as many at a time as the buffer holds. */
static void fill_columns(struct buffer *buffer, int64_t d, int64_t end)
{
    int64_t max = BUFFER_SLOTS / buffer->tile.lines;
    for (int64_t stop; d < end; d = stop) {
        stop = min(d + max, end);
        for (int64_t l = 0; l < buffer->tile.lines; l++)
            read_line(buffer, l, d, stop);
        write_columns(buffer, d, stop);
        if (buffer->tiling->storage->kept) keep_zeros(buffer, d, stop);
    }
}

/* Fill columns from .. to-1, counted over all tiles one after the other; before[t] columns come before tile
 * t. With tiles of 3, 0 and 4 columns, before = 0 3 3 7, and columns 2 .. 4 are the last one of tile 0 and
 * the first two of tile 2. */
static void fill_block(const struct tiling *tiling, const int64_t *before, int64_t from, int64_t to)
{
    const struct array offsets = {.element = ELEMENT_I64, .data = (void *)before};
    struct buffer buffer;
    buffer.tiling = tiling;
    for (int64_t t = offset_find(&offsets, tiling->tiles, from); from < to; t++) {
        int64_t end = min(before[t + 1], to);
        if (from >= end) continue;
        buffer.tile = tiling->tile(tiling, t);
        find_lines(&buffer);
        fill_columns(&buffer, from - before[t], end - before[t]);
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
