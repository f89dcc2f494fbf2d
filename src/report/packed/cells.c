#include "report/packed/cells.h"

#include "base/memory.h"

/* True if each cell has one entry. */
static bool all_ones(const struct level *level)
{
    int64_t number = level_number(level);
    for (int64_t k = 0; k < number; k++)
        if (level->count[k] != 1) return false;
    return true;
}

static void put_cells(struct packer *packer, const struct level *level, bool ones)
{
    int64_t first = 0, number = level_number(level);
    for (int64_t r = 0; r < level->rows && !packer_full(packer); r++)
        packer_put(packer, (uint64_t)(level->start[r + 1] - level->start[r]));
    for (int64_t r = 0; r < level->rows && !packer_full(packer); r++) {
        if (level->start[r] == level->start[r + 1]) continue;
        int64_t step = level->col[level->start[r]] - first;
        packer_put(packer, step < 0 ? (uint64_t)(-step) * 2 - 1 : (uint64_t)step * 2);
        first += step;
    }
    for (int64_t r = 0; r < level->rows && !packer_full(packer); r++)
        for (int64_t k = level->start[r] + 1; k < level->start[r + 1]; k++)
            packer_put(packer, (uint64_t)(level->col[k] - level->col[k - 1] - 1));
    for (int64_t k = 0; k < number && !ones && !packer_full(packer); k++)
        packer_put(packer, (uint64_t)(level->count[k] - 1));
}

static enum status pack(const struct level *level, bool ones, size_t most, struct text *out)
{
    struct packer *packer = packer_open(out, most);
    if (packer) put_cells(packer, level, ones);
    return packer_close(packer);
}

enum status cells_pack(struct level *level, size_t most, int64_t cells, bool *ones, struct text *out)
{
    const size_t before = out->length;
    for (;;) {
        enum status status = STATUS_LIMIT;
        *ones = all_ones(level);
        if (level_number(level) <= cells) status = pack(level, *ones, most, out);
        if (status != STATUS_LIMIT || (level->rows <= 1 && level->cols <= 1)) return status;
        text_cut(out, before);
        if (level_coarsen(level, NULL) != STATUS_OK) return STATUS_MEMORY;
    }
}

static bool get_starts(struct unpacker *unpacker, struct level *level, int64_t nnz)
{
    uint64_t count;
    for (int64_t r = 0; r < level->rows; r++) {
        if (!unpacker_next(unpacker, (uint64_t)level->cols, &count)) return false;
        level->start[r + 1] = level->start[r] + (int64_t)count;
    }
    return level_number(level) <= nnz; /* each cell has an entry */
}

static bool get_columns(struct unpacker *unpacker, struct level *level)
{
    uint64_t number;
    int64_t first = 0;
    for (int64_t r = 0; r < level->rows; r++) {
        if (level->start[r] == level->start[r + 1]) continue;
        if (!unpacker_next(unpacker, 2 * (uint64_t)level->cols, &number)) return false;
        first += number % 2 ? -(int64_t)(number / 2) - 1 : (int64_t)(number / 2);
        if (first < 0 || first >= level->cols) return false;
        level->col[level->start[r]] = (int32_t)first;
    }
    for (int64_t r = 0; r < level->rows; r++)
        for (int64_t k = level->start[r] + 1; k < level->start[r + 1]; k++) {
            int64_t before = level->col[k - 1];
            if (!unpacker_next(unpacker, (uint64_t)level->cols, &number)) return false;
            if (before + 1 + (int64_t)number >= level->cols) return false;
            level->col[k] = (int32_t)(before + 1 + (int64_t)number);
        }
    return true;
}

/* A cell has at most as many entries as remain, and as it has positions. */
static bool get_counts(struct unpacker *unpacker, struct level *level, bool ones, int64_t nnz)
{
    double places = (double)level->row_step * (double)level->col_step;
    uint64_t beyond = 0;
    for (int64_t k = 0; k < level_number(level); k++) {
        if (nnz < 1 || (!ones && !unpacker_next(unpacker, (uint64_t)nnz - 1, &beyond))) return false;
        level->count[k] = (int64_t)beyond + 1;
        nnz -= level->count[k];
        if ((double)level->count[k] > places) return false;
    }
    return nnz == 0;
}

enum status cells_unpack(struct unpacker *unpacker, bool ones, int64_t nnz, struct level *level,
                         struct error *error)
{
    enum status status = STATUS_MEMORY;
    bool whole = false;
    level->start = memory_zeroed((size_t)level->rows + 1, sizeof *level->start, error);
    if (!level->start) goto out;
    whole = get_starts(unpacker, level, nnz);
    if (whole) {
        size_t number = (size_t)level_number(level);
        level->col = memory_array(number, sizeof *level->col, error);
        level->count = level->col ? memory_array(number, sizeof *level->count, error) : NULL;
        if (!level->count) goto out;
    }
    whole = whole && get_columns(unpacker, level) && get_counts(unpacker, level, ones, nnz) &&
            unpacker_done(unpacker);
    status = whole ? STATUS_OK : error_set(error, STATUS_INPUT, "cells outside the matrix");
out:
    if (status != STATUS_OK) level_free(level);
    return status;
}
