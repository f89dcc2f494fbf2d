#include "fuzz/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

enum status fuzz_load(const char *path, const struct load_options *options, struct matrix *matrix,
                      struct error *error)
{
    struct error wrong = {0};
    enum status status = matrix_load(path, options, NULL, matrix, error);
    if (memory_file_open()) fuzz_wrong("a file stays open");
    if (status && (!error->message[0] || error->status != status)) fuzz_wrong("an error says nothing");
    if (!status && csr_validate(&matrix->csr, &wrong)) fuzz_wrong("no valid matrix: %s", wrong.message);
    return status;
}

static void same_values(const double *a, const double *b, size_t nnz, bool text, const char *what)
{
    if (!a != !b) fuzz_wrong("%s: one is complex", what);
    for (size_t k = 0; a && k < nnz; k++) {
        if (!memcmp(&a[k], &b[k], sizeof *a) || (text && a[k] != a[k] && b[k] != b[k])) continue;
        fuzz_wrong("%s: value %zu is %a, and %a", what, k, a[k], b[k]);
    }
}

void fuzz_same(const struct matrix *a, const struct matrix *b, bool text, const char *what)
{
    size_t nnz = (size_t)csr_nnz(&a->csr);
    if (a->csr.rows != b->csr.rows || a->csr.cols != b->csr.cols || (size_t)csr_nnz(&b->csr) != nnz)
        fuzz_wrong("%s: %lld x %lld with %zu, and %lld x %lld with %zu", what, (long long)a->csr.rows,
                   (long long)a->csr.cols, nnz, (long long)b->csr.rows, (long long)b->csr.cols,
                   (size_t)csr_nnz(&b->csr));
    if (a->csr.rows && memcmp(a->csr.row_ptr, b->csr.row_ptr, (size_t)a->csr.rows * sizeof *a->csr.row_ptr))
        fuzz_wrong("%s: rows differ", what);
    if (nnz && memcmp(a->csr.col, b->csr.col, nnz * sizeof *a->csr.col))
        fuzz_wrong("%s: columns differ", what);
    same_values(a->csr.val, b->csr.val, nnz, text, what);
    if (nnz) same_values(a->csr.imaginary, b->csr.imaginary, nnz, text, what);
}

static bool says(const struct error *error, const char *const *words)
{
    for (; *words; words++)
        if (strstr(error->message, *words)) return true;
    return false;
}

/* Only in place can sizes be compared with that of the file, and a file be read twice; and a stream goes
 * through libarchive, which takes some binary files for archives. */
static bool may_differ(const struct error *error)
{
    static const char *const words[] = {
        "cannot stand in", "of memory, more than", "archive", "damaged", "file is empty",
        "member",          "compressed",           "limit",   NULL};
    return says(error, words);
}

static void stream(const struct load_options *options, const uint8_t *data, size_t size,
                   const struct matrix *first, const struct error *refused)
{
    struct matrix matrix;
    struct error error = {0};
    memory_file_set(data, size, true);
    enum status status = fuzz_load(MEMORY_FILE, options, &matrix, &error);
    if (status == refused->status) {
        if (!status) fuzz_same(first, &matrix, false, "in place and streamed");
        if (status && !may_differ(refused) && !may_differ(&error) &&
            (error.line != refused->line || error.column != refused->column ||
             strcmp(error.message, refused->message) != 0))
            fuzz_wrong("in place '%lld:%lld %s', streamed '%lld:%lld %s'", (long long)refused->line,
                       (long long)refused->column, refused->message, (long long)error.line,
                       (long long)error.column, error.message);
    } else if (!may_differ(refused) && !may_differ(&error))
        fuzz_wrong("in place %d '%s', streamed %d '%s'", (int)refused->status, refused->message, (int)status,
                   error.message);
    matrix_free(&matrix);
}

static void leniently(const struct load_options *options, const uint8_t *data, size_t size,
                      const struct matrix *first)
{
    struct load_options lenient = *options;
    struct matrix matrix;
    struct error error = {0};
    lenient.lenient = true;
    memory_file_set(data, size, false);
    enum status status = fuzz_load(MEMORY_FILE, &lenient, &matrix, &error);
    if (first && status) fuzz_wrong("read strictly, but leniently '%s'", error.message);
    if (first) fuzz_same(first, &matrix, false, "strictly and leniently");
    matrix_free(&matrix);
}

/* Write the matrix, and read that. */
static void go_round(const struct reader *reader, const struct matrix *first)
{
    char *bytes = NULL;
    size_t size = 0;
    struct error error = {0};
    struct matrix matrix;
    const struct load_options options = {.limit = 4 * FUZZ_LIMIT, .from = reader};
    if (!reader->write || reader->package) return;
    FILE *file = open_memstream(&bytes, &size);
    if (!file) abort();
    enum status status = reader->write(file, first, "by a fuzz target", NULL, &error);
    if (fclose(file)) abort();
    if (status && status != STATUS_UNAVAILABLE && status != STATUS_USAGE && status != STATUS_INPUT &&
        status != STATUS_LIMIT)
        fuzz_wrong("cannot be written: %s", error.message);
    memory_file_set(bytes, size, false);
    if (!status && fuzz_load(MEMORY_FILE, &options, &matrix, &error))
        fuzz_wrong("was written, but not read: %s", error.message);
    if (!status) {
        fuzz_same(first, &matrix, strcmp(reader->name, "mtx") == 0 || strcmp(reader->name, "rb") == 0,
                  "read and written");
        matrix_free(&matrix);
    }
    free(bytes);
}

int fuzz_read(const char *name, const struct load_options *given, const uint8_t *data, size_t size)
{
    struct load_options options = *given;
    struct matrix matrix;
    struct error error = {0};
    options.limit = FUZZ_LIMIT;
    options.from = reader_find(name, NULL);
    if (!options.from) fuzz_wrong("no reader is called %s", name);
    memory_file_set(data, size, false);
    enum status status = fuzz_load(MEMORY_FILE, &options, &matrix, &error);
    stream(&options, data, size, &matrix, &error);
    leniently(&options, data, size, status ? NULL : &matrix);
    if (status == STATUS_OK && !options.kind) go_round(options.from, &matrix);
    matrix_free(&matrix);
    return status == STATUS_OK;
}
