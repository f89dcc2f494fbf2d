/* MATLAB's files of version 4 to 7: choosing the matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/mat/variables.h"
#include "matrix/files/mat/write.h"
#include "matrix/files/problem/zeros.h"
#include "matrix/files/reader.h"

/* Maximum bytes of a list of names in an error. */
#define LIST_MAX 1500

/* The findings in the file. */
struct search {
    const char *wanted;      /* NULL if any will do */
    int sparse;              /* how many sparse matrices there are */
    bool problem;            /* there is a Problem.A, as in the SuiteSparse collection */
    char name[MAT_NAME];     /* the last sparse one, or Problem.A */
    struct text list;        /* all matrices */
    struct mat_matrix found; /* the one that is called `wanted` */
    bool here;
};

static bool note_matrix(void *self, const struct mat_matrix *matrix)
{
    struct search *search = self;
    bool problem = strcmp(matrix->name, ZEROS_MATRIX) == 0;
    if (strcmp(matrix->name, ZEROS_NAME) == 0) return true;
    search->sparse += matrix->sparse;
    if (problem || (matrix->sparse && !search->problem))
        snprintf(search->name, sizeof search->name, "%s", matrix->name);
    search->problem |= problem;
    if (search->list.length < LIST_MAX)
        text_append(&search->list, "%s%s (%s%lld x %lld)", search->list.length ? ", " : "", matrix->name,
                    matrix->sparse ? "sparse " : "", (long long)matrix->rows, (long long)matrix->cols);
    return true;
}

static bool take_matrix(void *self, const struct mat_matrix *matrix)
{
    struct search *search = self;
    if (strcmp(matrix->name, search->wanted) != 0) return true;
    search->found = *matrix;
    search->here = true;
    return false;
}

/* Find the name of the matrix to read: the given one, Problem.A, or the only sparse one. */
static enum status find_name(struct mat *mat, struct search *search, const char *given, struct error *error)
{
    enum status status = mat_walk(mat, NULL, note_matrix, search, error);
    if (status != STATUS_OK) return status;
    search->wanted = given ? given : search->name;
    if (given || search->problem || search->sparse == 1) return STATUS_OK;
    const char *list = search->list.data ? text_visible(search->list.data) : "no matrix of numbers";
    if (search->sparse > 1)
        return error_at(error, STATUS_SEVERAL, mat->file.path, 0, 0,
                        "several sparse matrices; name one as FILE:NAME of: %s", list);
    return error_at(error, STATUS_INPUT, mat->file.path, 0, 0,
                    "no sparse matrix; name another as FILE:NAME of: %s", list);
}

static enum status find_matrix(struct mat *mat, struct search *search, const char *given, struct error *error)
{
    enum status status = given ? STATUS_OK : find_name(mat, search, NULL, error);
    if (given) search->wanted = given;
    if (status == STATUS_OK) status = mat_walk(mat, search->wanted, take_matrix, search, error);
    if (status != STATUS_OK || search->here) return status;
    status = find_name(mat, search, given, error);
    if (status != STATUS_OK) return status;
    return error_at(error, STATUS_INPUT, mat->file.path, 0, 0, "no matrix is called %s; the file has: %s",
                    search->wanted, search->list.data ? text_visible(search->list.data) : "none");
}

/* Find the matrix to read in a container. */
static enum status open_matrix(struct container *container, const struct load_options *options,
                               struct progress *progress, struct mat *mat, struct search *search,
                               struct error *error)
{
    enum status status = container_unpack(container, options->limit, progress, error);
    if (status == STATUS_OK) status = mat_open(container, options->limit, options->taker, mat, error);
    progress_phase(progress, "reading variables", 0);
    if (status == STATUS_OK) status = find_matrix(mat, search, container_variable(container), error);
    return status == STATUS_OK ? progress_status(progress, error) : status;
}

/* Read the zeros stored beside the matrix. */
static enum status take_zeros(struct mat *mat, const struct load_options *options, struct progress *progress,
                              struct matrix *matrix, struct error *error)
{
    struct search *search = memory_zeroed(1, sizeof *search, error);
    if (!search) return STATUS_MEMORY;
    search->wanted = ZEROS_NAME;
    enum status status = mat_walk(mat, ZEROS_NAME, take_matrix, search, error);
    struct arrays *arrays = &search->found.arrays;
    arrays->path = mat->file.path;
    if (status == STATUS_OK && search->here)
        status = zeros_take(search->found.sparse ? arrays : NULL, options, progress, matrix, error);
    free(search);
    return status;
}

static enum status read_mat(struct container *container, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct mat mat = {0};
    struct search *search = memory_zeroed(1, sizeof *search, error);
    if (!search) return STATUS_MEMORY;
    enum status status = open_matrix(container, options, progress, &mat, search, error);
    if (status == STATUS_OK) {
        search->found.arrays.path = container_path(container);
        status = arrays_build(&search->found.arrays, options, progress, matrix, error);
    }
    if (status == STATUS_OK) {
        matrix->variable = memory_string(search->wanted, error);
        if (!matrix->variable) status = STATUS_MEMORY;
    }
    if (status == STATUS_OK && strcmp(search->wanted, ZEROS_MATRIX) == 0)
        status = take_zeros(&mat, options, progress, matrix, error);
    if (status == STATUS_OK) status = mat_texts(&mat, search->wanted, &matrix->about, error);
    if (status != STATUS_OK) csr_free(&matrix->csr);
    mat_close(&mat);
    text_free(&search->list);
    free(search);
    return status;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct mat mat = {0};
    struct search *search = memory_zeroed(1, sizeof *search, error);
    if (!search) return STATUS_MEMORY;
    enum status status = open_matrix(container, options, NULL, &mat, search, error);
    if (status == STATUS_OK) {
        const struct arrays *arrays = &search->found.arrays;
        outline->field = arrays->field;
        outline->rows = arrays->rows;
        outline->cols = arrays->cols;
        outline->entries = search->found.sparse ? arrays->row.count : arrays->value.count;
    }
    mat_close(&mat);
    text_free(&search->list);
    free(search);
    return status;
}

/* Versions 5 to 7 have version and byte order at the end of the header. Version 4 begins with five numbers,
 * the first below 4053, followed by the name of its first variable. */
static enum likeness sniff(const struct beginning *sample)
{
    const unsigned char *b = (const unsigned char *)sample->bytes;
    if (sample->count >= 128 &&
        ((b[126] == 'I' && b[127] == 'M' && b[125] == 1) || (b[126] == 'M' && b[127] == 'I' && b[124] == 1)))
        return LIKENESS_CERTAIN;
    if (sample->count < 24) return LIKENESS_NONE;
    bool big = b[2] || b[3]; /* a number below 65536 has zeros there if its lowest byte comes first */
    uint32_t words[5];
    for (int k = 0; k < 5; k++) {
        const unsigned char *w = b + 4 * k;
        words[k] = big ? (uint32_t)w[0] << 24 | (uint32_t)w[1] << 16 | (uint32_t)w[2] << 8 | w[3]
                       : (uint32_t)w[3] << 24 | (uint32_t)w[2] << 16 | (uint32_t)w[1] << 8 | w[0];
    }
    if (words[0] > 4052 || words[0] / 100 % 10 || words[0] / 10 % 10 > 5 || words[0] % 10 > 2 ||
        words[3] > 1 || words[4] < 2 || words[4] > 64 || sample->count < 20 + words[4] ||
        b[20 + words[4] - 1] || (words[0] / 1000 == 1) != big)
        return LIKENESS_NONE;
    for (uint32_t k = 0; k + 1 < words[4]; k++)
        if (b[20 + k] <= ' ' || b[20 + k] > '~') return LIKENESS_NONE;
    return LIKENESS_CERTAIN;
}

const struct reader reader_mat = {
    .name = "mat",
    .title = "MATLAB",
    .endings = (const char *const[]){".mat", NULL},
    .variables = true,
    .sniff = sniff,
    .read = read_mat,
    .look = look,
    .write = mat_write,
};
