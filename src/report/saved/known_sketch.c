/* The data on a partition that a saved report carries, to show it without the matrix. */
#include <string.h>

#include "report/packed/sketches.h"
#include "report/saved/known.h"

/* The lines of a dot, so that at most SKETCH_SIDE dots cover all lines. */
static int64_t dot_of(struct reading *reading, const char *key, int64_t lines)
{
    int64_t step = reading_integer(reading, key, 1, INT32_MAX, 0);
    if (reading->status == STATUS_OK && (step < 1 || (lines - 1) / step >= SKETCH_SIDE))
        reading_wrong(reading, key, "large enough for a picture");
    return step;
}

/* Insert a picture before the coarser ones that were read earlier. */
static void set_picture(struct reading *reading, const struct csr *a, struct distributed *division)
{
    struct sketch *sketch = &division->sketch;
    const int64_t row_step = dot_of(reading, "row_step", a->rows),
                  col_step = dot_of(reading, "col_step", a->cols);
    struct unpacker *unpacker = known_unpacker(reading);
    if (unpacker) {
        memmove(sketch->picture + 1, sketch->picture, (size_t)sketch->pictures * sizeof *sketch->picture);
        sketch->picture[0] = (struct sketch_picture){0};
        sketch->pictures++;
        sketch_dots(a->rows, a->cols, row_step, col_step, &sketch->picture[0].dots);
        reading->status = picture_unpack(unpacker, division->parts, &sketch->picture[0], reading->error);
    }
    unpacker_close(unpacker);
}

static void set_pictures(struct reading *carried, const struct csr *a, struct distributed *division)
{
    const json_t *list = reading_get(carried, "pictures");
    if (list && (!json_is_array(list) || json_array_size(list) > SKETCH_PICTURES))
        reading_wrong(carried, "pictures", "a short list");
    for (size_t k = 0; k < json_array_size(list) && carried->status == STATUS_OK; k++) {
        struct reading picture = {.object = json_array_get(list, k),
                                  .path = carried->path,
                                  .where = "pictures",
                                  .error = carried->error};
        set_picture(&picture, a, division);
        carried->status = picture.status;
    }
}

static void set_volumes(struct reading *reading, const struct matrix_case *of, struct distributed *division)
{
    const int64_t step = reading_integer(reading, "step", 1, PARTS_MAX, 0);
    if (reading->status == STATUS_OK &&
        (step < 1 || (step & (step - 1)) != 0 || (division->parts - 1) / step >= SKETCH_TILES))
        reading_wrong(reading, "step", "a power of two that is large enough");
    struct unpacker *unpacker = known_unpacker(reading);
    if (unpacker)
        reading->status = volumes_unpack(unpacker, step, of->matrix.csr.rows, of->nnz, &division->halo,
                                         &division->sketch, reading->error);
    unpacker_close(unpacker);
}

static void set_owners(struct reading *reading, const struct csr *a, struct distributed *division)
{
    struct unpacker *unpacker = known_unpacker(reading);
    if (unpacker)
        reading->status =
            owners_unpack(unpacker, a->rows, division->parts, &division->sketch, reading->error);
    unpacker_close(unpacker);
}

void known_set_sketch(struct reading *row, const struct matrix_case *of, struct distributed *division)
{
    const struct csr *a = &of->matrix.csr;
    struct reading carried = reading_inner(row, "carried");
    if (row->status != STATUS_OK || !carried.object) return;
    struct reading volumes = reading_inner(&carried, "volumes"), owners = reading_inner(&carried, "owners");
    if (a->rows > 0 && a->cols > 0) set_pictures(&carried, a, division);
    row->status = carried.status;
    if (row->status == STATUS_OK && volumes.object) set_volumes(&volumes, of, division);
    if (row->status == STATUS_OK) row->status = volumes.status;
    if (row->status == STATUS_OK && owners.object) set_owners(&owners, a, division);
    if (row->status == STATUS_OK) row->status = owners.status;
}
