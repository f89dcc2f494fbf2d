/* The data on partitions that a JSON report carries, to show them without the matrix. */
#include "report/json/carried.h"

#include "base/base64.h"
#include "base/range.h"
#include "report/packed/sketches.h"

/* Maximum bytes of the keys and numbers of a partition, and of a picture. */
#define KEYS_BYTES 120
#define PICTURE_BYTES 60

/* Maximum share of the volumes in the bytes of a partition. */
#define VOLUMES_SHARE 2

/* Add the packed bytes to `object`, and take over both; null if they did not fit. NULL without memory. */
static json_t *packed_json(json_t *object, enum status status, struct text *packed, size_t *left)
{
    struct text letters = {0};
    json_t *made = NULL;
    base64_append(&letters, packed->data, packed->length);
    if (status == STATUS_LIMIT)
        made = json_null();
    else if (status == STATUS_OK && !packed->failed && !letters.failed &&
             json_object_set_new(object, "packed", json_string(letters.data ? letters.data : "")) == 0)
        made = json_incref(object);
    if (status == STATUS_OK) *left -= letters.length < *left ? letters.length : *left;
    json_decref(object);
    text_free(&letters);
    text_free(packed);
    return made;
}

/* The bytes that fit into this number of letters. */
static size_t bytes_of(size_t letters)
{
    return letters / 4 * 3;
}

static json_t *volumes_json(const struct distributed *division, size_t *left)
{
    struct text packed = {0};
    int64_t step = 1;
    enum status status =
        volumes_pack(&division->sketch, &division->halo, bytes_of(*left / VOLUMES_SHARE), &step, &packed);
    return packed_json(json_pack("{s:I}", "step", (json_int_t)step), status, &packed, left);
}

/* As many pictures as fit, the coarsest first. */
static json_t *pictures_json(const struct sketch *sketch, size_t *left)
{
    json_t *list = json_array();
    for (int k = sketch->pictures - 1; list && k >= 0 && *left > PICTURE_BYTES; k--) {
        const struct size_dots *dots = &sketch->picture[k].dots;
        struct text packed = {0};
        enum status status = picture_pack(&sketch->picture[k], bytes_of(*left - PICTURE_BYTES), &packed);
        json_t *object = json_pack("{s:I, s:I}", "row_step", (json_int_t)dots->dot_rows, "col_step",
                                   (json_int_t)dots->dot_cols);
        json_t *picture = packed_json(object, status, &packed, left);
        if (json_is_null(picture)) break;
        *left -= min((int64_t)*left, PICTURE_BYTES);
        if (json_array_append_new(list, picture) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *owners_json(const struct sketch *sketch, int64_t rows, size_t *left)
{
    struct text packed = {0};
    enum status status = owners_pack(sketch, rows, bytes_of(*left), &packed);
    return packed_json(json_object(), status, &packed, left);
}

json_t *carried_parts_json(const struct distributed *division, int64_t rows, size_t *most)
{
    const struct sketch *sketch = &division->sketch;
    if (*most <= KEYS_BYTES || division->status != STATUS_OK || !sketch->elements) return json_null();
    *most -= KEYS_BYTES;
    json_t *volumes = volumes_json(division, most), *pictures = pictures_json(sketch, most);
    return json_pack("{s:o, s:o, s:o}", "pictures", pictures, "volumes", volumes, "owners",
                     owners_json(sketch, rows, most));
}
