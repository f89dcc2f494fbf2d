#include "report/saved/known.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"
#include "matrix/files/reader.h"
#include "report/saved/saved.h"

/* A copy of a text of the report, without control characters for a terminal. */
static char *copied(struct reading *reading, const char *text)
{
    char *copy = memory_string(text, reading->error);
    if (!copy) reading->status = STATUS_MEMORY;
    return copy ? text_visible(copy) : NULL;
}

static void set_field(struct reading *reading, struct matrix *matrix)
{
    const char *name = reading_text(reading, "field", "");
    for (int k = FIELD_REAL; k <= FIELD_PATTERN; k++) {
        matrix->field = (enum field)k;
        if (strcmp(name, field_name(matrix->field)) == 0) return;
    }
    reading_wrong(reading, "field", "real, integer, complex or pattern");
}

static void set_symmetry(struct reading *reading, struct matrix *matrix)
{
    const char *name = reading_text(reading, "symmetry", "");
    for (int k = SYMMETRY_GENERAL; k <= SYMMETRY_HERMITIAN; k++) {
        matrix->symmetry = (enum symmetry)k;
        if (strcmp(name, symmetry_name(matrix->symmetry)) == 0) return;
    }
    reading_wrong(reading, "symmetry", "general, symmetric, skew-symmetric or hermitian");
}

/* The format of the original file, and its metadata. */
static void set_source(struct reading *reading, struct matrix *matrix)
{
    struct reading source = reading_inner(reading, "source");
    const char *name;
    if (!source.object) return;
    if (strcmp(reading_text(&source, "format", ""), "generated") == 0) matrix->format = "generated";
    for (int k = 0; readers[k]; k++)
        if (strcmp(readers[k]->title, reading_text(&source, "format", "")) == 0)
            matrix->format = readers[k]->title;
    const char *variable = reading_text(&source, "variable", NULL);
    if (variable) matrix->variable = copied(&source, variable);
    matrix->transposed = json_is_true(reading_get(&source, "transposed"));
    for (int k = 0; about_text(&matrix->about, k, &name); k++) {
        char *text = (char *)about_text(&matrix->about, k, &name);
        snprintf(text, ABOUT_TEXT, "%s", reading_text(&source, name, ""));
        text_visible(text);
    }
    reading_leave(reading, &source);
}

static void set_notes(struct reading *reading, struct matrix *matrix)
{
    const json_t *notes = reading_get(reading, "notes");
    if (notes && !json_is_array(notes)) reading_wrong(reading, "notes", "a list");
    for (size_t k = 0; k < json_array_size(notes) && reading->status == STATUS_OK; k++) {
        const char *note = json_string_value(json_array_get(notes, k));
        char *copy = note ? copied(reading, note) : NULL;
        if (!note) reading_wrong(reading, "notes", "a list of texts");
        if (copy) text_append(&matrix->notes, "%s\n", copy);
        free(copy);
    }
    if (matrix->notes.failed) reading->status = error_set(reading->error, STATUS_MEMORY, "out of memory");
}

static void check_lines(struct reading *reading, const char *key, int64_t lines)
{
    if (!reading_get(reading, key)) reading_wrong(reading, key, "there");
    if (lines > INT32_MAX) reading_wrong(reading, key, "a whole number from 0 to 2147483647");
}

void known_set_matrix(struct reading *reading, struct matrix *matrix, int64_t *nnz)
{
    matrix->name = copied(reading, reading_text(reading, "name", ""));
    matrix->path = copied(reading, reading_text(reading, "path", ""));
    matrix->coordinate = true;
    matrix->zeros_counted = true;
    reading_columns(reading, columns, owner_matrix, matrix, INT64_MAX);
    check_lines(reading, "rows", matrix->csr.rows);
    check_lines(reading, "cols", matrix->csr.cols);
    *nnz = reading_integer(reading, "nnz", 0, INT64_MAX, -1);
    if (*nnz < 0 || *nnz > matrix->csr.rows * matrix->csr.cols)
        reading_wrong(reading, "nnz", "a number of entries that fits the matrix");
    set_field(reading, matrix);
    set_symmetry(reading, matrix);
    set_source(reading, matrix);
    set_notes(reading, matrix);
}

/* State that a saved report has no entries, and the remedy. */
static enum status say_absence(const char *path, const struct matrix *matrix, struct absence *absence,
                               struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct text why = {0}, remedy = {0};
    text_append(&why, "This is a saved report, %.80s, without the matrix.", slash ? slash + 1 : path);
    text_append(&remedy, "If you have the matrix, 'sparsight --results=%.200s %.200s' opens both.", path,
                matrix->path[0] ? matrix->path : "MATRIX");
    if (!why.failed && !remedy.failed) {
        absence->why = memory_string(text_visible(why.data), error);
        absence->remedy = memory_string(text_visible(remedy.data), error);
    }
    text_free(&why);
    text_free(&remedy);
    if (absence->why && absence->remedy) return STATUS_OK;
    return error_set(error, STATUS_MEMORY, "out of memory");
}

static void set_all(struct reading *reading, struct matrix_case *of)
{
    static void (*const setters[])(struct reading * reading, struct matrix_case * of) = {
        known_set_numbers, known_set_formats, known_set_carried, known_set_distribution, known_set_solves};
    known_set_lengths(reading, "row_lengths", of);
    if (reading->status == STATUS_OK) known_set_lengths(reading, "col_lengths", of);
    for (size_t k = 0; k < sizeof setters / sizeof *setters && reading->status == STATUS_OK; k++)
        setters[k](reading, of);
}

enum status known_session(const json_t *matrix, const char *path, size_t limit, struct session *session,
                          struct error *error)
{
    struct error own = {0}; /* an error to read from even if the caller has none */
    struct reading reading = {.object = matrix, .path = path, .where = "the matrix", .error = &own};
    struct matrix made = {0};
    struct absence absence = {0};
    int64_t nnz = 0;
    memset(session, 0, sizeof *session);
    known_set_matrix(&reading, &made, &nnz);
    if (reading.status == STATUS_OK) reading.status = say_absence(path, &made, &absence, &own);
    if (reading.status == STATUS_OK) {
        struct matrix_case *of = session_start_known(session, limit, &made, nnz, &absence);
        set_all(&reading, of);
    }
    absence_free(&absence);
    matrix_free(&made);
    if (reading.status == STATUS_OK) return STATUS_OK;
    if (!own.path[0]) snprintf(own.path, sizeof own.path, "%s", path);
    if (error) *error = own;
    return reading.status;
}
