#include "matrix/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/container.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/mmio/mmio.h"
#include "matrix/relay.h"
#include "matrix/transpose.h"

const char *field_name(enum field field)
{
    static const char *const names[] = {
        [FIELD_REAL] = MM_REAL_STR,
        [FIELD_INTEGER] = MM_INT_STR,
        [FIELD_COMPLEX] = MM_COMPLEX_STR,
        [FIELD_PATTERN] = MM_PATTERN_STR,
    };
    return names[field];
}

const char *symmetry_name(enum symmetry symmetry)
{
    static const char *const names[] = {
        [SYMMETRY_GENERAL] = MM_GENERAL_STR,
        [SYMMETRY_SYMMETRIC] = MM_SYMM_STR,
        [SYMMETRY_SKEW] = MM_SKEW_STR,
        [SYMMETRY_HERMITIAN] = MM_HERM_STR,
    };
    return names[symmetry];
}

enum symmetry matrix_symmetry_written(const struct matrix *matrix, int64_t first_row)
{
    const struct csr *a = &matrix->csr;
    if (matrix->symmetry != SYMMETRY_SKEW) return matrix->symmetry;
    for (int64_t i = 0; i < a->rows; i++)
        if (csr_find(a, i, first_row + i) >= 0) return SYMMETRY_GENERAL;
    return SYMMETRY_SKEW;
}

/* Add a line that names the archive's other members; `others` has each on a line of its own. */
static void note_others(const char *others, struct text *notes)
{
    const char *before = "also in the archive: ";
    while (*others) {
        size_t length = strcspn(others, "\n");
        text_append(notes, "%s%.*s", before, (int)length, others);
        others += length + (others[length] == '\n');
        before = ", ";
        if (!*others) text_append(notes, "\n");
    }
}

static enum status load_file(const char *path, const struct load_options *options, struct progress *progress,
                             struct matrix *matrix, struct error *error)
{
    struct container *container = NULL;
    enum status status = container_open(path, &container, error);
    if (status != STATUS_OK) return status;
    matrix->name = memory_string(container_name(container), error);
    const struct reader *reader = NULL;
    status = matrix->name ? reader_choose(container, options, &reader, error) : STATUS_MEMORY;
    if (status == STATUS_OK) status = reader->read(container, options, progress, matrix, error);
    /* Readers read a file more than once, and their first findings must still hold. */
    if (status == STATUS_OK && container_changed(container))
        status = error_at(error, STATUS_INPUT, container_path(container), 0, 0, "changed while it was read");
    if (status == STATUS_OK && !matrix->format) matrix->format = reader->title;
    if (status == STATUS_OK) note_others(container_others(container), &matrix->notes);
    container_close(container);
    return status;
}

/* The zeros of a streamed matrix were counted or dropped by the taker of its entries. */
static enum status note_streamed(const struct taker *taker, struct matrix *matrix, struct error *error)
{
    const struct stream_found *found = &taker->found;
    if (found->dropped)
        text_append(&matrix->notes, "%lld explicit zeros dropped\n", (long long)found->dropped);
    if (matrix->notes.failed) return error_set(error, STATUS_MEMORY, "out of memory for the notes");
    return STATUS_OK;
}

/* A stream has no name of its own, and the number of a descriptor says nothing. */
static bool is_nameless(const char *path)
{
    static const char descriptors[] = "/dev/fd/";
    return strcmp(path, "-") == 0 || strncmp(path, descriptors, sizeof descriptors - 1) == 0;
}

/* Give the matrix the name that the user chose. */
static enum status rename_matrix(const char *name, struct matrix *matrix, struct error *error)
{
    char *kept = memory_string(name, error), *path = NULL;
    if (!kept) return STATUS_MEMORY;
    free(matrix->name);
    matrix->name = kept;
    if (!is_nameless(matrix->path)) return STATUS_OK;
    path = memory_string(name, error);
    if (!path) return STATUS_MEMORY;
    free(matrix->path);
    matrix->path = path;
    return STATUS_OK;
}

static enum status load(const char *name, const struct load_options *options, struct progress *progress,
                        struct matrix *matrix, struct error *error)
{
    if (!name[0]) return error_set(error, STATUS_INPUT, "a matrix's name is empty");
    matrix->path = memory_string(name, error);
    if (!matrix->path) return STATUS_MEMORY;
    if (options->glimpse) options->glimpse->transposed = options->transpose;
    enum status status = strncmp(name, "gen:", 4) == 0
                             ? generate_matrix(name + 4, options, progress, matrix, error)
                             : load_file(name, options, progress, matrix, error);
    if (status == STATUS_OK && options->name) status = rename_matrix(options->name, matrix, error);
    if (status != STATUS_OK) return status;
    if (options->taker && options->taker->chosen) return note_streamed(options->taker, matrix, error);
    if (!matrix->zeros_counted) matrix->explicit_zeros = csr_count_zeros(&matrix->csr);
    if (options->drop_zeros && matrix->explicit_zeros) {
        int64_t dropped = csr_drop_zeros(&matrix->csr);
        text_append(&matrix->notes, "%lld explicit zeros dropped\n", (long long)dropped);
        matrix->explicit_zeros = 0;
    }
    if (matrix->notes.failed) return error_set(error, STATUS_MEMORY, "out of memory for the notes");
    return options->transpose ? matrix_transpose(matrix, options->limit, progress, error) : STATUS_OK;
}

enum status matrix_load(const char *name, const struct load_options *options, struct progress *progress,
                        struct matrix *matrix, struct error *error)
{
    *matrix = (struct matrix){0};
    enum status status = load(name, options, progress, matrix, error);
    if (status != STATUS_OK) matrix_free(matrix);
    return status;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->name);
    free(matrix->path);
    free(matrix->variable);
    csr_free(&matrix->csr);
    text_free(&matrix->notes);
    summed_free(&matrix->summed);
    *matrix = (struct matrix){0};
}
