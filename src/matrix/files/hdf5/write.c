#include "matrix/files/hdf5/write.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/files/arrays/part.h"
#include "matrix/files/hdf5/h5_write.h"

static const char *type_name(enum number type, bool single)
{
    return single                ? "iso[bint8]"
           : type == NUMBER_I32  ? "int32"
           : type == NUMBER_I64  ? "int64"
           : type == NUMBER_C128 ? "complex[float64]"
                                 : "float64";
}

/* Describe the datasets, and beside that put the texts. Returns NULL if memory is short. */
static char *describe(const struct part *part, const struct matrix *matrix, const char *comment, bool loose,
                      const struct h5_written *datasets, int count)
{
    static const char *const structures[] = {[SYMMETRY_SYMMETRIC] = "symmetric_lower",
                                             [SYMMETRY_SKEW] = "skew_symmetric_lower",
                                             [SYMMETRY_HERMITIAN] = "hermitian_lower"};
    json_t *types = json_object();
    for (int k = 0; k < count; k++)
        json_object_set_new(
            types, datasets[k].name,
            json_string(type_name(datasets[k].array.type, datasets[k].array.type == NUMBER_BOOL)));
    json_t *what =
        json_pack("{s:s, s:s, s:[I,I], s:I, s:o}", "version", "0.1", "format", loose ? "COOR" : "CSR",
                  "shape", (json_int_t)matrix->csr.rows, (json_int_t)matrix->csr.cols,
                  "number_of_stored_values", (json_int_t)part->count, "data_types", types);
    if (part->symmetry != SYMMETRY_GENERAL)
        json_object_set_new(what, "structure", json_string(structures[part->symmetry]));
    json_t *tree = json_pack("{s:o}", "binsparse", what);
    const char *name, *text;
    for (int k = 0; (text = about_text(&matrix->about, k, &name)); k++)
        if (*text) json_object_set_new(tree, name, json_string(text));
    if (comment) json_object_set_new(tree, "comment", json_string(comment));
    char *out = json_dumps(tree, JSON_COMPACT);
    json_decref(tree);
    return out;
}

enum status binsparse_write(FILE *file, const struct matrix *matrix, const char *comment,
                            struct progress *progress, struct error *error)
{
    struct part part;
    struct h5_written datasets[H5_WRITTEN_MAX];
    int count = 0;
    int64_t bytes = 0;
    enum status status = part_open(&part, matrix, false, true, progress, error);
    if (status != STATUS_OK) return status;
    bool loose = part.count < part.lines / 2;
    enum number index = part.count > INT32_MAX ? NUMBER_I64 : NUMBER_I32;
    datasets[count++] = loose ? (struct h5_written){"indices_0", part_array(&part, PART_LINES, NUMBER_I32)}
                              : (struct h5_written){"pointers_to_1", part_array(&part, PART_POINTERS, index)};
    datasets[count++] = (struct h5_written){"indices_1", part_array(&part, PART_PLACES, NUMBER_I32)};
    datasets[count++] = (struct h5_written){"values", part_array(&part, PART_VALUES, part_type(&part))};
    if (part.field == FIELD_PATTERN) datasets[count - 1].array.count = 1;
    for (int k = 0; k < count; k++)
        bytes += put_size(&datasets[k].array);
    char *text = describe(&part, matrix, comment, loose, datasets, count);
    progress_phase(progress, "writing", bytes);
    status = text ? h5_write(file, datasets, count, "binsparse", text, progress, error)
                  : error_set(error, STATUS_MEMORY, "out of memory");
    free(text);
    part_free(&part);
    return status;
}
