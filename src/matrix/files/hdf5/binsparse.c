/* Binsparse: datasets of HDF5, described by an attribute in JSON. The format is the Binsparse specification,
 * version 0.1 (graphblas.org/binsparse-specification). */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "matrix/files/arrays/part.h"
#include "matrix/files/hdf5/h5_write.h"
#include "matrix/files/reader.h"

static enum likeness sniff(const struct beginning *sample)
{
    bool hdf5 = sample->count >= 8 && memcmp(sample->bytes, "\x89HDF\r\n\x1a\n", 8) == 0;
    return hdf5 ? LIKENESS_CERTAIN : LIKENESS_NONE;
}

#ifdef HAVE_HDF5
#    include "base/memory.h"
#    include "matrix/files/hdf5/h5.h"

/* The arrangements, and which datasets have the lines, the pointers and the indices. */
static const struct layout {
    const char *name;
    enum arrangement arrangement;
    bool doubly; /* indices_0 are the lines that are not empty */
} layouts[] = {{"CSR", ARRANGED_ROWS, false},         {"CSC", ARRANGED_COLUMNS, false},
               {"DCSR", ARRANGED_ROWS, true},         {"DCSC", ARRANGED_COLUMNS, true},
               {"COO", ARRANGED_LOOSE, false},        {"COOR", ARRANGED_LOOSE, false},
               {"COOC", ARRANGED_LOOSE, false},       {"DMAT", ARRANGED_DENSE_ROWS, false},
               {"DMATR", ARRANGED_DENSE_ROWS, false}, {"DMATC", ARRANGED_DENSE_COLUMNS, false}};

static enum status wrong(const struct h5 *h5, const char *what, const char *word, struct error *error)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%.40s", word ? word : "nothing");
    return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0,
                    "%s '%s' is unknown to this reader of Binsparse 0.1", what, text_visible(shown));
}

static enum status read_structure(const struct h5 *h5, const char *word, struct arrays *arrays,
                                  struct error *error)
{
    if (!word || strcmp(word, "general") == 0) return STATUS_OK;
    if (strncmp(word, "symmetric", 9) == 0)
        arrays->symmetry = SYMMETRY_SYMMETRIC;
    else if (strncmp(word, "hermitian", 9) == 0)
        arrays->symmetry = SYMMETRY_HERMITIAN;
    else if (strncmp(word, "skew_symmetric", 14) == 0)
        arrays->symmetry = SYMMETRY_SKEW;
    else
        return wrong(h5, "structure", word, error);
    return STATUS_OK;
}

/* Make a view of the values; `type` tells whether they are complex, or one value for all. */
static enum status view_values(struct h5 *h5, hid_t group, const char *type, struct arrays *arrays,
                               struct error *error)
{
    enum status status = h5_view(h5, group, "values", &arrays->value, NULL, error);
    struct view *value = &arrays->value;
    if (status != STATUS_OK) return status;
    arrays->single = type && strncmp(type, "iso[", 4) == 0;
    if (type && strstr(type, "complex[") && !number_is_complex(value->type)) {
        if (number_is_integer(value->type) || value->count % 2)
            return wrong(h5, "data type of values", type, error);
        value->type = value->type == NUMBER_F32 ? NUMBER_C64 : NUMBER_C128;
        value->count /= 2;
    }
    arrays->field = number_is_complex(value->type)   ? FIELD_COMPLEX
                    : number_is_integer(value->type) ? FIELD_INTEGER
                                                     : FIELD_REAL;
    if (type && strstr(type, "bint8")) arrays->field = arrays->single ? FIELD_PATTERN : FIELD_INTEGER;
    return STATUS_OK;
}

static enum status view_arrays(struct h5 *h5, hid_t group, const struct layout *layout, struct arrays *arrays,
                               struct error *error)
{
    bool columns = layout->arrangement == ARRANGED_COLUMNS;
    enum status status = STATUS_OK;
    if (layout->arrangement >= ARRANGED_DENSE_ROWS) return STATUS_OK;
    if (layout->arrangement == ARRANGED_LOOSE) {
        status = h5_view(h5, group, "indices_0", &arrays->row, NULL, error);
        return status == STATUS_OK ? h5_view(h5, group, "indices_1", &arrays->col, NULL, error) : status;
    }
    status = h5_view(h5, group, "pointers_to_1", &arrays->pointers, NULL, error);
    if (status == STATUS_OK)
        status = h5_view(h5, group, "indices_1", columns ? &arrays->row : &arrays->col, NULL, error);
    if (status == STATUS_OK && layout->doubly)
        status = h5_view(h5, group, "indices_0", &arrays->lines, NULL, error);
    return status;
}

/* Make the arrays that the attribute describes. */
static enum status take_description(struct h5 *h5, hid_t group, const json_t *tree, struct arrays *arrays,
                                    struct error *error)
{
    const json_t *what = json_object_get(tree, "binsparse") ? json_object_get(tree, "binsparse") : tree;
    const json_t *shape = json_object_get(what, "shape"), *types = json_object_get(what, "data_types");
    const json_t *rows = json_array_get(shape, 0), *cols = json_array_get(shape, 1);
    const char *format = json_string_value(json_object_get(what, "format"));
    const struct layout *layout = NULL;
    *arrays = (struct arrays){.path = container_path(h5->container)};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        if (format && strcmp(layouts[k].name, format) == 0) layout = &layouts[k];
    if (!layout) return wrong(h5, "format", format, error);
    if (json_array_size(shape) != 2 || !json_is_integer(rows) || !json_is_integer(cols))
        return error_at(error, STATUS_INPUT, arrays->path, 0, 0,
                        "the attribute binsparse has no shape with two whole numbers");
    arrays->arrangement = layout->arrangement;
    arrays->rows = json_integer_value(rows);
    arrays->cols = json_integer_value(cols);
    enum status status =
        read_structure(h5, json_string_value(json_object_get(what, "structure")), arrays, error);
    if (status == STATUS_OK) status = view_arrays(h5, group, layout, arrays, error);
    if (status == STATUS_OK)
        status = view_values(h5, group, json_string_value(json_object_get(types, "values")), arrays, error);
    return status;
}

/* Take the texts beside the description. */
static void take_texts(const json_t *tree, struct about *about)
{
    const char *name, *comment = json_string_value(json_object_get(tree, "comment"));
    char line[ABOUT_TEXT + 32];
    for (int k = 0; about_text(about, k, &name); k++) {
        const char *text = json_string_value(json_object_get(tree, name));
        if (strcmp(name, "editor") == 0) name = "ed";
        int length = snprintf(line, sizeof line, "%% %s: %.*s", name, ABOUT_TEXT, text ? text : "");
        if (text) about_add(about, line, (size_t)length);
    }
    if (comment) about_add(about, comment, strlen(comment));
}

static enum status describe(struct h5 *h5, hid_t group, struct arrays *arrays, struct about *about,
                            struct error *error)
{
    char *text;
    if (h5_text(group, "binsparse", &text, error) != STATUS_OK) return STATUS_MEMORY;
    if (!text)
        return error_at(
            error, STATUS_INPUT, container_path(h5->container), 0, 0,
            "is an HDF5 file, but has no attribute binsparse; FILE:GROUP names a group that has one");
    json_t *tree = json_loads(text, 0, NULL);
    enum status status = tree ? take_description(h5, group, tree, arrays, error)
                              : error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0,
                                         "the attribute binsparse is not JSON");
    if (status == STATUS_OK) take_texts(tree, about);
    json_decref(tree);
    free(text);
    return status;
}

static enum status gather(struct h5 *h5, const char *name, struct error *error)
{
    struct h5_found *found = h5->found;
    hid_t group = hdf5.H5Oopen(h5->file, name ? name : "/", H5P_DEFAULT);
    if (group < 0)
        return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0, "no group is called %s",
                        name ? name : "/");
    enum status status = describe(h5, group, &found->arrays, &found->about, error);
    hdf5.H5Oclose(group);
    return status;
}

static enum status read_binsparse(struct container *container, const struct load_options *options,
                                  struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct h5_reading reading;
    const char *name = container_variable(container);
    enum status status = h5_begin(container, options, gather, &matrix->about, progress, &reading, error);
    if (status == STATUS_OK) {
        matrix->about = reading.found->about;
        status = arrays_build(&reading.found->arrays, options, progress, matrix, error);
    }
    if (status == STATUS_OK && name) {
        matrix->variable = memory_string(name, error);
        if (!matrix->variable) {
            csr_free(&matrix->csr);
            status = STATUS_MEMORY;
        }
    }
    h5_end(&reading);
    return status;
}
#endif

static const char *type_name(enum number type, bool single)
{
    return single                ? "iso[bint8]"
           : type == NUMBER_I32  ? "int32"
           : type == NUMBER_I64  ? "int64"
           : type == NUMBER_C128 ? "complex[float64]"
                                 : "float64";
}

/* Describe the datasets, and add the texts. Returns NULL without memory. */
static char *make_description(const struct part *part, const struct matrix *matrix, const char *comment,
                              bool loose, const struct h5_written *datasets, int count)
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

/* Write a matrix in CSR, or in COO if it has fewer entries than half its rows. Of symmetric kinds only the
 * lower triangle is written, and of skew-symmetric ones without the diagonal. A pattern is one value for all
 * entries. The matrix's texts are written beside the description. See `write` of struct reader. */
static enum status binsparse_write(FILE *file, const struct matrix *matrix, const char *comment,
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
    char *text = make_description(&part, matrix, comment, loose, datasets, count);
    progress_phase(progress, "writing", bytes);
    status = text ? h5_write(file, datasets, count, "binsparse", text, progress, error)
                  : error_set(error, STATUS_MEMORY, "out of memory");
    free(text);
    part_free(&part);
    return status;
}

const struct reader reader_binsparse = {
    .name = "bsp",
    .title = "Binsparse",
    .endings = (const char *const[]){".bsp.h5", ".bsp", NULL},
    .weak = (const char *const[]){".h5", ".hdf5", NULL},
    .variables = true,
    .sniff = sniff,
    .write = binsparse_write,
#ifdef HAVE_HDF5
    .read = read_binsparse,
#else
    .package = "libhdf5-dev",
#endif
};
