#include "report/packed/sketches.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

/* Marks are packed as differences from this, so that they count from 0. */
#define MARK_LEAST OWNER_SEVERAL

static enum status wrong(struct error *error, const char *what)
{
    return error_set(error, STATUS_INPUT, "%s that do not fit the partition", what);
}

static size_t dots_of(const struct sketch_picture *picture)
{
    return (size_t)picture->dots.high * (size_t)picture->dots.wide;
}

enum status picture_pack(const struct sketch_picture *picture, size_t most, struct text *out)
{
    struct packer *packer = packer_open(out, most);
    for (size_t d = 0; packer && d < dots_of(picture) && !packer_full(packer); d++)
        packer_put(packer, (uint64_t)(picture->marks[d] - MARK_LEAST));
    return packer_close(packer);
}

enum status picture_unpack(struct unpacker *unpacker, int64_t parts, struct sketch_picture *picture,
                           struct error *error)
{
    uint64_t mark;
    picture->marks = memory_array(dots_of(picture), sizeof *picture->marks, error);
    if (!picture->marks) return STATUS_MEMORY;
    for (size_t d = 0; d < dots_of(picture); d++) {
        if (!unpacker_next(unpacker, (uint64_t)(2 * parts - 1 - MARK_LEAST), &mark))
            return wrong(error, "pictures");
        picture->marks[d] = (int32_t)mark + MARK_LEAST;
    }
    return unpacker_done(unpacker) ? STATUS_OK : wrong(error, "pictures");
}

/* Volumes */

static enum status pack_tiles(const int64_t *elements, int tiles, const struct halo *halo, size_t most,
                              struct text *out)
{
    struct packer *packer = packer_open(out, most);
    const bool each = tiles == halo->parts && halo->part;
    for (int k = 0; packer && k < tiles * tiles; k++)
        packer_put(packer, (uint64_t)elements[k]);
    for (int64_t p = 0; packer && each && p < halo->parts; p++)
        packer_put(packer, (uint64_t)halo->part[p].rows);
    for (int64_t p = 0; packer && each && p < halo->parts; p++)
        packer_put(packer, (uint64_t)halo->part[p].entries);
    return packer_close(packer);
}

enum status volumes_pack(const struct sketch *sketch, const struct halo *halo, size_t most, int64_t *step,
                         struct text *out)
{
    const size_t before = out->length;
    if (!sketch->elements) return STATUS_LIMIT;
    const size_t count = (size_t)sketch->tiles * (size_t)sketch->tiles;
    int64_t *folded = memory_array(count, sizeof *folded, NULL);
    enum status status = folded ? STATUS_LIMIT : STATUS_MEMORY;
    for (int64_t times = 1; status == STATUS_LIMIT; times *= 2) {
        int tiles = sketch_fold(sketch->elements, sketch->tiles, times, folded);
        *step = sketch->step * times;
        status = pack_tiles(folded, tiles, halo, most, out);
        if (status == STATUS_LIMIT) text_cut(out, before);
        if (tiles == 1) break;
    }
    free(folded);
    return status;
}

/* Compute the elements that each part receives and sends from the table of volumes. */
static void add_up(const struct sketch *sketch, struct halo *halo)
{
    for (int to = 0; to < sketch->tiles; to++)
        for (int from = 0; from < sketch->tiles; from++) {
            int64_t elements = sketch->elements[to * sketch->tiles + from];
            halo->part[to].receives += elements;
            halo->part[to].from += elements > 0;
            halo->part[from].sends += elements;
            halo->part[from].to += elements > 0;
        }
}

/* Read the rows, or the entries, of all parts. Their sum is `all`. */
static bool read_sum(struct unpacker *unpacker, struct halo *halo, size_t offset, int64_t all)
{
    uint64_t number;
    int64_t left = all;
    for (int64_t p = 0; p < halo->parts; p++) {
        if (!unpacker_next(unpacker, (uint64_t)left, &number)) return false;
        *(int64_t *)(void *)((char *)&halo->part[p] + offset) = (int64_t)number;
        left -= (int64_t)number;
    }
    return left == 0;
}

static enum status read_each(struct unpacker *unpacker, int64_t rows, int64_t nnz,
                             const struct sketch *sketch, struct halo *halo, struct error *error)
{
    halo->part = memory_zeroed((size_t)halo->parts, sizeof *halo->part, error);
    if (!halo->part) return STATUS_MEMORY;
    if (!read_sum(unpacker, halo, offsetof(struct halo_part, rows), rows) ||
        !read_sum(unpacker, halo, offsetof(struct halo_part, entries), nnz))
        return wrong(error, "volumes");
    add_up(sketch, halo);
    return STATUS_OK;
}

enum status volumes_unpack(struct unpacker *unpacker, int64_t step, int64_t rows, int64_t nnz,
                           struct halo *halo, struct sketch *sketch, struct error *error)
{
    enum status status = STATUS_OK;
    int64_t left = halo->volume;
    uint64_t elements;
    sketch->step = step;
    sketch->tiles = sketch_tiles_of(halo->parts, step);
    const size_t count = (size_t)sketch->tiles * (size_t)sketch->tiles;
    sketch->elements = memory_zeroed(count, sizeof *sketch->elements, error);
    if (!sketch->elements) return STATUS_MEMORY;
    for (size_t k = 0; k < count; k++) {
        if (!unpacker_next(unpacker, (uint64_t)left, &elements)) return wrong(error, "volumes");
        sketch->elements[k] = (int64_t)elements;
        left -= (int64_t)elements;
    }
    if (step == 1) status = read_each(unpacker, rows, nnz, sketch, halo, error);
    if (status == STATUS_OK && (left != 0 || !unpacker_done(unpacker))) status = wrong(error, "volumes");
    return status;
}

/* Owners */

enum status owners_pack(const struct sketch *sketch, int64_t rows, size_t most, struct text *out)
{
    const size_t before = out->length;
    if (sketch->run_count == 0) return STATUS_LIMIT;
    struct packer *packer = packer_open(out, most);
    if (packer) packer_put(packer, (uint64_t)sketch->run_count);
    for (int64_t k = 0; packer && k < sketch->run_count; k++)
        packer_put(packer, (uint64_t)((k + 1 < sketch->run_count ? sketch->runs[k + 1].first : rows) -
                                      sketch->runs[k].first));
    for (int64_t k = 0; packer && k < sketch->run_count; k++)
        packer_put(packer, (uint64_t)sketch->runs[k].owner);
    enum status status = packer_close(packer);
    if (status == STATUS_LIMIT) text_cut(out, before);
    return status;
}

enum status owners_unpack(struct unpacker *unpacker, int64_t rows, int64_t parts, struct sketch *sketch,
                          struct error *error)
{
    uint64_t number;
    int64_t first = 0;
    if (!unpacker_next(unpacker, (uint64_t)min(rows, SKETCH_RUNS), &number)) return wrong(error, "owners");
    const int64_t count = (int64_t)number;
    sketch->runs = memory_array((size_t)count, sizeof *sketch->runs, error);
    if (!sketch->runs) return STATUS_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        sketch->runs[k].first = first;
        if (!unpacker_next(unpacker, (uint64_t)(rows - first), &number) || number == 0)
            return wrong(error, "owners");
        first += (int64_t)number;
    }
    for (int64_t k = 0; k < count; k++) {
        if (!unpacker_next(unpacker, (uint64_t)parts - 1, &number)) return wrong(error, "owners");
        sketch->runs[k].owner = (int32_t)number;
    }
    if (first != rows || count == 0 || !unpacker_done(unpacker)) return wrong(error, "owners");
    sketch->run_count = count;
    return STATUS_OK;
}
