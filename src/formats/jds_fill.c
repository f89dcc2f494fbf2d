/* Filling of JDS's permutation and slots. */
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/jds_parts.h"
#include "formats/sorted.h"
#include "formats/tiling.h"

static const char phase[] = "converting to JDS";

/* Sort all rows. Those of the COO part are the longest, so that they come first, and are left out. */
static enum status fill_perm(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    int32_t *perm = array_i32(storage, JDS_PERM);
    int64_t apart = storage->number[JDS_APART];
    if (apart == 0) return sort_rows(a, a->rows, progress, perm, error);
    int32_t *order = memory_array((size_t)a->rows, sizeof *order, error);
    if (!order) return STATUS_MEMORY;
    enum status status = sort_rows(a, a->rows, progress, order, error);
    if (status == STATUS_OK) memcpy(perm, order + apart, (size_t)(a->rows - apart) * sizeof *perm);
    free(order);
    return status;
}

static struct tile tile_of_diagonals(const struct tiling *tiling, int64_t t)
{
    int64_t first = t * TILE_LINES;
    return (struct tile){
        .first = first,
        .lines = min(TILE_LINES, tiling->rows - first),
        .wide = row_length(tiling->a, tiling->order[first]),
    };
}

static struct tile tile_of_section(const struct tiling *tiling, int64_t t)
{
    const struct storage *storage = tiling->storage;
    int64_t first = tiling->first[t];
    struct jds_section section = jds_section(storage, jds_section_of(storage, first));
    return (struct tile){
        .first = first,
        .lines = min(TILE_LINES, section.first + section.height - first),
        .wide = section.wide,
        .slot = section.slot + first - section.first,
        .stride = section.height,
    };
}

static struct tiling tiling_of(struct storage *storage, const struct csr *a)
{
    int columns = (int)storage->number[JDS_COLUMNS];
    return (struct tiling){
        .storage = storage,
        .a = a,
        .phase = phase,
        .col = &storage->array[columns],
        .val = &storage->array[columns + 1],
        .order = array_i32(storage, JDS_PERM),
        .rows = storage->number[JDS_FILLED],
    };
}

static enum status fill_diagonals(struct storage *storage, const struct csr *a, struct progress *progress,
                                  struct error *error)
{
    struct tiling tiling = tiling_of(storage, a);
    tiling.diagonal = &storage->array[JDS_ITER_PTR];
    tiling.tiles = (tiling.rows + TILE_LINES - 1) / TILE_LINES;
    tiling.tile = tile_of_diagonals;
    return fill_tiles(&tiling, progress, error);
}

/* Write the first sorted row of each tile into first[], or only count the tiles if `first` is NULL; return
 * their number. A tile lies within one section. The section of empty rows has no slots and no tiles. */
static int64_t list_tiles(const struct storage *storage, int64_t *first)
{
    int64_t tiles = 0, filled = storage->number[JDS_FILLED];
    for (int64_t s = 0; s < storage->number[JDS_SECTIONS]; s++) {
        int64_t end = min(jds_at(storage, JDS_SECTION_ROW, s + 1), filled);
        for (int64_t r = jds_at(storage, JDS_SECTION_ROW, s); r < end; r += TILE_LINES, tiles++)
            if (first) first[tiles] = r;
    }
    return tiles;
}

static enum status fill_sections(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error)
{
    struct tiling tiling = tiling_of(storage, a);
    tiling.tiles = list_tiles(storage, NULL);
    int64_t *first = memory_array((size_t)tiling.tiles, sizeof *first, error);
    if (!first) return STATUS_MEMORY;
    list_tiles(storage, first);
    tiling.first = first;
    tiling.tile = tile_of_section;
    enum status status = fill_tiles(&tiling, progress, error);
    free(first);
    return status;
}

/* Copy row i to slots e, e + 1, ... of the part whose columns are array `col` and whose values are the next.
 */
static void copy_row(struct storage *storage, int col, const struct csr *a, int64_t i, int64_t e)
{
    int64_t first = a->row_ptr[i], n = row_length(a, i);
    memcpy(array_i32(storage, col) + e, a->col + first, (size_t)n * sizeof *a->col);
    for (int64_t t = 0; t < n; t++)
        put_value(storage, &storage->array[col + 1], e + t, a, first + t);
}

/* Copy the sorted rows one after the other; before[r] entries come before sorted row r. */
static enum status copy_sorted(struct storage *storage, const struct csr *a, const int64_t *before,
                               struct progress *progress, struct error *error)
{
    const struct array offsets = {.element = ELEMENT_I64, .data = (void *)before};
    const int32_t *perm = array_i32(storage, JDS_PERM);
    int64_t rows = storage->number[JDS_FILLED], slots = before[rows];
    int64_t blocks = 1 + min(slots / 65536, 65536);
    progress_phase(progress, phase, blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t r = b ? offset_find(&offsets, rows, slots / blocks * b) : 0;
        int64_t end = b + 1 < blocks ? offset_find(&offsets, rows, slots / blocks * (b + 1)) : rows;
        for (; r < end; r++) {
            array_set(&storage->array[JDS_ROW_PTR], r, before[r]);
            copy_row(storage, (int)storage->number[JDS_COLUMNS], a, perm[r], before[r]);
        }
        progress_add(progress, 1);
    }
    array_set(&storage->array[JDS_ROW_PTR], rows, slots);
    return progress_status(progress, error);
}

/* Fill the sections if they are stored as CSR. */
static enum status fill_rows(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    const int32_t *perm = array_i32(storage, JDS_PERM);
    int64_t rows = storage->number[JDS_FILLED];
    int64_t *before = memory_array((size_t)rows + 1, sizeof *before, error);
    if (!before) return STATUS_MEMORY;
#pragma omp parallel for if (rows > PARALLEL_MIN)
    for (int64_t r = 0; r < rows; r++)
        before[r] = row_length(a, perm[r]);
    threads_offsets(before, rows);
    enum status status = copy_sorted(storage, a, before, progress, error);
    free(before);
    return status;
}

/* Copy the rows that are too long for part 0 to the COO part, in the order of the matrix. before[i] is the
 * number of entries of such rows before row i; it does not change over a row that is not one of them. */
static enum status copy_apart(struct storage *storage, const struct csr *a, const int64_t *before,
                              struct progress *progress, struct error *error)
{
    int coo = (int)storage->number[JDS_COLUMNS] + 2;
    int64_t blocks = row_blocks(a);
    int32_t *coo_row = array_i32(storage, coo);
    progress_phase(progress, phase, blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t end = row_block_first(a, blocks, b + 1);
        if (progress_cancelled(progress)) continue;
        for (int64_t i = row_block_first(a, blocks, b); i < end; i++) {
            if (before[i] == before[i + 1]) continue;
            for (int64_t e = before[i]; e < before[i + 1]; e++)
                coo_row[e] = (int32_t)i;
            copy_row(storage, coo + 1, a, i, before[i]);
        }
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

/* Fill the COO part. */
static enum status fill_apart(struct storage *storage, const struct csr *a, struct progress *progress,
                              struct error *error)
{
    int64_t max = storage_parameter(storage, JDS_MAX);
    if (storage->number[JDS_APART] == 0) return STATUS_OK;
    int64_t *before = memory_array((size_t)a->rows + 1, sizeof *before, error);
    if (!before) return STATUS_MEMORY;
#pragma omp parallel for if (a->rows > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++)
        before[i] = row_length(a, i) > max ? row_length(a, i) : 0;
    threads_offsets(before, a->rows);
    enum status status = copy_apart(storage, a, before, progress, error);
    free(before);
    return status;
}

/* Return the bytes that filling the slots of part 0 takes. There is at most one tile in each section that has
 * fewer than TILE_LINES rows. */
static size_t slots_scratch(const struct storage *storage)
{
    int64_t rows = storage->number[JDS_FILLED], tiles = rows / TILE_LINES + 1 + storage->number[JDS_SECTIONS];
    switch (jds_kind(storage)) {
    case JDS_PLAIN:
        return tiling_bytes((rows + TILE_LINES - 1) / TILE_LINES);
    case JDS_SECTIONS_ELL:
        return tiling_bytes(tiles) + (size_t)tiles * sizeof(int64_t);
    default:
        return ((size_t)rows + 1) * sizeof(int64_t);
    }
}

size_t jds_scratch(const struct storage *storage, const struct csr *a)
{
    size_t sorting = sort_rows_bytes(a, a->rows), slots = slots_scratch(storage), apart = 0;
    if (storage->number[JDS_APART]) {
        sorting += (size_t)a->rows * sizeof(int32_t);
        apart = ((size_t)a->rows + 1) * sizeof(int64_t);
    }
    if (sorting > slots) slots = sorting;
    return apart > slots ? apart : slots;
}

enum status jds_fill(struct storage *storage, const struct csr *a, struct progress *progress,
                     struct error *error)
{
    enum status status = jds_fill_offsets(storage, a, progress, error);
    if (status == STATUS_OK) status = fill_perm(storage, a, progress, error);
    if (status == STATUS_OK) status = fill_apart(storage, a, progress, error);
    if (status != STATUS_OK) return status;
    switch (jds_kind(storage)) {
    case JDS_PLAIN:
        return fill_diagonals(storage, a, progress, error);
    case JDS_SECTIONS_ELL:
        return fill_sections(storage, a, progress, error);
    default:
        return fill_rows(storage, a, progress, error);
    }
}
