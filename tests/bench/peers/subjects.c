#include "bench/peers/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#define ENTRY_BYTES 12.0 /* a value of 8 and a column of 4 */
#define BAND 8           /* diagonals on each side */

const struct subject subjects[] = {
    {"stencil27", MAKE_STENCIL, .streams = true},
    {"banded", MAKE_BAND, .streams = true},
    {"random-band", MAKE_RANDOM_BAND, .streams = true},
    {"laplace2d", MAKE_GRID, .streams = true},
    {"random", MAKE_RANDOM},
    {"powerlaw", MAKE_POWERLAW},
    {"blocks", MAKE_BLOCKS},
    {"half-band", MAKE_HALF_BAND},
    {"full-rows", MAKE_FULL_ROWS},
    {"luxembourg", MAKE_TILED, "luxembourg"},
    {"wiki-Vote", MAKE_TILED, "wiki-Vote"},
    {"bcsstk33", MAKE_TILED, "bcsstk33"},
    {"rail_79841", MAKE_TILED, "rail_79841_A"},
    {"BOYD2", MAKE_TILED, "BOYD2_A"},
    {"CONT-201", MAKE_TILED, "CONT-201_A"},
    {"FIT2D", MAKE_TILED, "FIT2D_A"},
    {"orani678", MAKE_TILED, "orani678"},
    {"cold-bayer10", MAKE_AS_IT_IS, "bayer10", .cold = true},
    {"cold-lap3d_40", MAKE_AS_IT_IS, "lap3d_40", .cold = true},
    {"cold-bcsstk33", MAKE_AS_IT_IS, "bcsstk33", .cold = true},
    {"cold-xyz", MAKE_AS_IT_IS, "008.xyz-input631G.in", .cold = true},
    {"cold-pp_out", MAKE_AS_IT_IS, "pp_out", .cold = true},
    {0},
};

const char *subjects_folder(char *path, size_t size)
{
    const char *named = getenv("SPARSIGHT_MATRICES"), *source = getenv("SRCDIR");
    if (named)
        snprintf(path, size, "%s", named);
    else
        snprintf(path, size, "%s/../shared/matrices", source ? source : "..");
    return access(path, R_OK) == 0 ? path : NULL;
}

/* The file of a real matrix: packed alone, or in an archive. */
static enum status find_file(const char *name, char *path, size_t size, struct error *error)
{
    static const char *const endings[] = {".mtx.gz", ".tar.gz", ".mtx"};
    char folder[4096];
    if (!subjects_folder(folder, sizeof folder))
        return error_set(error, STATUS_UNAVAILABLE,
                         "no folder of real matrices; name it in SPARSIGHT_MATRICES");
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if ((size_t)snprintf(path, size, "%s/%s%s", folder, name, endings[k]) < size &&
            access(path, R_OK) == 0)
            return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "no %s in %s", name, folder);
}

static double csr_bytes_of(const struct csr *a)
{
    return ENTRY_BYTES * (double)csr_nnz(a) + 4 * (double)a->rows;
}

/* "gen:tile,..." of this number of bytes. */
static enum status tile_specification(const char *path, double bytes, char *text, size_t size,
                                      struct error *error)
{
    const struct load_options options = {0};
    struct matrix matrix;
    enum status status = matrix_load(path, &options, NULL, &matrix, error);
    if (status != STATUS_OK) return status;
    double one = csr_bytes_of(&matrix.csr), copies = fmax(1, ceil(bytes / one));
    copies = fmin(copies, floor(INT32_MAX / fmax((double)matrix.csr.rows, (double)matrix.csr.cols)));
    snprintf(text, size, "gen:tile,file=%s,copies=%.0f", path, copies);
    matrix_free(&matrix);
    return STATUS_OK;
}

static enum status specification(const struct subject *subject, double bytes, char *text, size_t size,
                                 struct error *error)
{
    double entries = bytes / ENTRY_BYTES;
    char path[4200];
    enum status status = STATUS_OK;
    if (subject->file && subject->making == MAKE_TILED) {
        status = find_file(subject->file, path, sizeof path, error);
        return status == STATUS_OK ? tile_specification(path, bytes, text, size, error) : status;
    }
    switch (subject->making) {
    case MAKE_STENCIL:
        snprintf(text, size, "gen:stencil27,n=%.0f", ceil(cbrt(entries / 27)));
        break;
    case MAKE_GRID:
        snprintf(text, size, "gen:laplace2d,n=%.0f", ceil(sqrt(entries / 5)));
        break;
    case MAKE_BAND:
        snprintf(text, size, "gen:banded,n=%.0f,lower=%d", ceil(entries / (2 * BAND + 1)), BAND);
        break;
    case MAKE_RANDOM_BAND:
        snprintf(text, size, "gen:banded,n=%.0f,lower=%d,fill=0.125", ceil(entries / (2 * BAND + 1)),
                 8 * BAND);
        break;
    case MAKE_RANDOM:
        snprintf(text, size, "gen:random,m=%.0f,mean=25", ceil(entries / 25));
        break;
    case MAKE_POWERLAW:
        snprintf(text, size, "gen:powerlaw,scale=%.0f", fmax(1, round(log2(entries / 16))));
        break;
    case MAKE_BLOCKS:
        snprintf(text, size, "gen:blocks,n=%.0f,size=4,mean=5", ceil(entries / 20));
        break;
    case MAKE_HALF_BAND:
    case MAKE_FULL_ROWS:
        snprintf(text, size, "gen:banded,n=%.0f,lower=%d", ceil(entries / 2 / (2 * BAND + 1)), BAND);
        break;
    default:
        status = find_file(subject->file, text, size, error);
        break;
    }
    return status;
}

/* Append row i of `from` to `to`, from entry k on: unchanged, or full with the values 1 / (1 + j mod 7).
 * Returns the end. */
static int64_t put_row(const struct csr *from, int64_t i, bool full, int64_t k, struct csr *to)
{
    if (full) {
        for (int64_t j = 0; j < from->cols; j++, k++) {
            to->col[k] = (int32_t)j;
            to->val[k] = 1 / (1 + (double)(j % 7));
        }
        return k;
    }
    int64_t count = from->row_ptr[i + 1] - from->row_ptr[i];
    memcpy(to->col + k, from->col + from->row_ptr[i], (size_t)count * sizeof *to->col);
    memcpy(to->val + k, from->val + from->row_ptr[i], (size_t)count * sizeof *to->val);
    return k + count;
}

/* Replace rows in the middle by full rows until these hold over half of all entries. */
static enum status fill_rows(struct csr *a, struct error *error)
{
    int64_t count = csr_nnz(a) / a->cols + 1, first = (a->rows - count) / 2, k = 0;
    size_t max = (size_t)(csr_nnz(a) + count * a->cols);
    if (first < 0) return error_set(error, STATUS_UNAVAILABLE, "too few rows for full ones");
    struct csr b = {.rows = a->rows,
                    .cols = a->cols,
                    .row_ptr = memory_array((size_t)a->rows + 1, sizeof *b.row_ptr, error),
                    .col = memory_array(max, sizeof *b.col, error),
                    .val = memory_array(max, sizeof *b.val, error)};
    if (!b.row_ptr || !b.col || !b.val) {
        csr_free(&b);
        return STATUS_MEMORY;
    }
    b.row_ptr[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        b.row_ptr[i + 1] = k = put_row(a, i, i >= first && i < first + count, k, &b);
    csr_free(a);
    *a = b;
    return STATUS_OK;
}

enum status subject_make(const struct subject *subject, double bytes, struct matrix *matrix,
                         struct error *error)
{
    const struct load_options options = {0};
    char text[4400];
    *matrix = (struct matrix){0};
    enum status status = STATUS_OK;
    if (subject->making == MAKE_AS_IT_IS && !subject->cold)
        snprintf(text, sizeof text, "%s", subject->file);
    else
        status = specification(subject, bytes, text, sizeof text, error);
    if (status == STATUS_OK) status = matrix_load(text, &options, NULL, matrix, error);
    if (status == STATUS_OK && subject->making == MAKE_FULL_ROWS) status = fill_rows(&matrix->csr, error);
    if (status != STATUS_OK) matrix_free(matrix);
    return status;
}
