#include "report/json/carried.h"

#include <string.h>

#include "analysis/level.h"
#include "base/base64.h"
#include "base/range.h"
#include "report/packed/cells.h"
#include "report/packed/lengths.h"

/* Maximum share of each profile in the bytes; the pattern gets the rest. */
#define PROFILE_SHARE 6

/* Maximum bytes of the keys and numbers of all objects. */
#define KEYS_BYTES 600

/* The bytes that fit into this number of letters. */
static size_t bytes_of(size_t letters)
{
    return letters / 4 * 3;
}

/* A string of letters for these bytes; frees the bytes. NULL without memory. */
static json_t *letters_json(struct text *packed)
{
    struct text letters = {0};
    base64_append(&letters, packed->data, packed->length);
    json_t *string = packed->failed || letters.failed ? NULL : json_string(letters.data ? letters.data : "");
    text_free(&letters);
    text_free(packed);
    return string;
}

/* Set an object or null; NULL: out of memory. */
static enum status put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0 ? STATUS_OK : STATUS_MEMORY;
}

/* Set the lengths of rows or columns, or null if they do not fit; subtracts their bytes from *left. */
static enum status put_lengths(json_t *object, const char *key, const struct spans *spans,
                               const struct lengths *lengths, size_t most, size_t *left)
{
    struct text packed = {0};
    int64_t step = 1;
    enum status status = lengths_pack(spans, lengths, CARRIED_STRETCHES, bytes_of(most), &step, &packed);
    if (status == STATUS_OK) {
        *left -= min((int64_t)*left, (int64_t)((packed.length + 2) / 3 * 4));
        return put(object, key,
                   json_pack("{s:I, s:o}", "step", (json_int_t)step, "packed", letters_json(&packed)));
    }
    text_free(&packed);
    return status == STATUS_LIMIT ? put(object, key, json_null()) : status;
}

/* The smallest power of two with CARRIED_SIDE x power >= lines. */
static int64_t step_of(int64_t lines)
{
    int64_t step = 1;
    while (lines / step + (lines % step != 0) > CARRIED_SIDE)
        step *= 2;
    return step;
}

/* Make the cells from the pyramid, unless its cells are larger than necessary, as for matrices with few
 * entries. */
static enum status make_cells(const struct matrix_case *of, struct level *level)
{
    const struct csr *a = &of->matrix.csr;
    const struct pyramid *pyramid = &of->pyramid;
    bool fine = pyramid->row_step <= step_of(a->rows) && pyramid->col_step <= step_of(a->cols);
    if (fine || !case_has_entries(of)) return level_of_pyramid(pyramid, CARRIED_SIDE, level, NULL);
    enum status status = level_of_matrix(a, level, NULL);
    while (status == STATUS_OK && (level->rows > CARRIED_SIDE || level->cols > CARRIED_SIDE))
        status = level_double(level, level->rows > CARRIED_SIDE, level->cols > CARRIED_SIDE, NULL);
    return status;
}

/* Set the pattern, or null if it does not fit. */
static enum status put_pattern(json_t *object, const struct matrix_case *of, size_t most)
{
    struct level level = {0};
    struct text packed = {0};
    bool ones = false;
    enum status status = make_cells(of, &level);
    if (status == STATUS_OK) status = cells_pack(&level, bytes_of(most), INT64_MAX, &ones, &packed);
    if (status == STATUS_OK)
        status = put(object, "pattern",
                     json_pack("{s:I, s:I, s:b, s:o}", "row_step", (json_int_t)level.row_step, "col_step",
                               (json_int_t)level.col_step, "ones", ones, "packed", letters_json(&packed)));
    else if (status == STATUS_LIMIT)
        status = put(object, "pattern", json_null());
    text_free(&packed);
    level_free(&level);
    return status;
}

static enum status fill(json_t *object, const struct matrix_case *of, size_t most)
{
    size_t left = most;
    bool cols = case_has(of, SESSION_COL_LENGTHS | SESSION_COL_PTR);
    enum status status =
        put_lengths(object, "row_lengths", &of->row_spans, &of->row_lengths, most / PROFILE_SHARE, &left);
    if (status == STATUS_OK && cols)
        status =
            put_lengths(object, "col_lengths", &of->col_spans, &of->col_lengths, most / PROFILE_SHARE, &left);
    if (status == STATUS_OK && !cols) status = put(object, "col_lengths", json_null());
    if (status != STATUS_OK) return status;
    return case_has(of, SESSION_PYRAMID) ? put_pattern(object, of, left)
                                         : put(object, "pattern", json_null());
}

json_t *carried_json(const struct session *session, const struct matrix_case *matrix_case)
{
    bool natural = strcmp(matrix_case->order, "natural") == 0;
    if (session->carry <= KEYS_BYTES || !natural || !case_has(matrix_case, SESSION_ROW_LENGTHS))
        return json_null();
    json_t *object = json_object();
    if (object && fill(object, matrix_case, session->carry - KEYS_BYTES) == STATUS_OK) return object;
    json_decref(object);
    return NULL;
}
