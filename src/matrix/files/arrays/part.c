#include "matrix/files/arrays/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/transpose.h"

/* Integers with a smaller magnitude fit into 64 bits. */
#define WHOLE_MAX 0x1p63

static enum field field_of(const struct matrix *matrix)
{
    int64_t others = 0, nnz = csr_nnz(&matrix->csr);
    if (matrix->field != FIELD_PATTERN || matrix->duplicates == 0) return matrix->field;
#pragma omp parallel for reduction(+ : others) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++)
        others += matrix->csr.val[k] != 1;
    return others ? FIELD_INTEGER : FIELD_PATTERN;
}

/* Count the entries of each row up to the diagonal, or from it on; with `strict` without it. */
static enum status count_triangle(struct part *part, bool strict, struct error *error)
{
    const struct csr *a = part->a;
    part->owned = memory_array((size_t)a->rows + 1, sizeof *part->owned, error);
    if (!part->owned) return STATUS_MEMORY;
#pragma omp parallel for schedule(static, 4096) if (a->rows > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t from = csr_lower_bound(a, i, part->from_diagonal && strict ? i + 1 : i);
        bool there = from < a->row_ptr[i + 1] && a->col[from] == i && !strict;
        part->owned[i] = part->from_diagonal ? a->row_ptr[i + 1] - from : from - a->row_ptr[i] + there;
    }
    threads_offsets(part->owned, a->rows);
    part->pointers = part->owned;
    return STATUS_OK;
}

enum status part_open(struct part *part, const struct matrix *matrix, bool columns, bool triangle,
                      struct progress *progress, struct error *error)
{
    const struct csr *a = &matrix->csr;
    enum symmetry symmetry = matrix_symmetry_written(matrix, 0);
    enum status status = STATUS_OK;
    *part = (struct part){.a = a, .field = field_of(matrix), .pointers = a->row_ptr};
    if (columns && symmetry == SYMMETRY_GENERAL) {
        status = memory_check(csr_bytes(a->cols, csr_nnz(a), a->imaginary != NULL), 0,
                              "the transposed matrix", error);
        if (status == STATUS_OK) status = csr_transpose(a, progress, &part->transposed, error);
        part->a = &part->transposed;
        part->pointers = part->transposed.row_ptr;
    } else if (columns) {
        part->negate_real = symmetry == SYMMETRY_SKEW;
        part->negate_imaginary = symmetry == SYMMETRY_SKEW || symmetry == SYMMETRY_HERMITIAN;
    }
    if (status == STATUS_OK && triangle && symmetry != SYMMETRY_GENERAL) {
        part->symmetry = symmetry;
        part->from_diagonal = columns;
        status = count_triangle(part, symmetry == SYMMETRY_SKEW, error);
    }
    if (status != STATUS_OK) {
        part_free(part);
        return status;
    }
    part->lines = part->a->rows;
    part->count = part->pointers[part->lines];
    return STATUS_OK;
}

void part_free(struct part *part)
{
    free(part->owned);
    csr_free(&part->transposed);
    *part = (struct part){0};
}

/* The index in `a` of entry e of a line. */
static inline int64_t entry_of(const struct part *part, int64_t line, int64_t e)
{
    return part->from_diagonal ? part->a->row_ptr[line + 1] - (part->pointers[line + 1] - e)
                               : part->a->row_ptr[line] + (e - part->pointers[line]);
}

int64_t part_line(const struct part *part, int64_t e)
{
    const struct csr lines = {.rows = part->lines, .row_ptr = (int64_t *)part->pointers};
    return csr_row_of(&lines, e);
}

int32_t part_entry(const struct part *part, int64_t line, int64_t e, double *real, double *imaginary)
{
    const struct csr *a = part->a;
    int64_t k = entry_of(part, line, e);
    bool beside = a->col[k] != line;
    *real = part->negate_real && beside ? -a->val[k] : a->val[k];
    *imaginary = a->imaginary ? a->imaginary[k] : 0;
    if (part->negate_imaginary && beside) *imaginary = -*imaginary;
    return a->col[k];
}

/* --- arrays --- */

static void put_integer(enum number type, void *out, int64_t k, int64_t value)
{
    if (type == NUMBER_I32)
        ((int32_t *)out)[k] = (int32_t)value;
    else
        ((int64_t *)out)[k] = value;
}

static void put_value(const struct put *array, void *out, int64_t k, double real, double imaginary)
{
    double *doubles = out;
    if (array->type == NUMBER_C128) {
        doubles[2 * k] = real;
        doubles[2 * k + 1] = imaginary;
    } else if (array->type == NUMBER_F64)
        doubles[k] = array->kind == PART_IMAGINARY ? imaginary : real;
    else if (array->type == NUMBER_I64)
        ((int64_t *)out)[k] = (int64_t)real;
}

static void fill_pointers(const struct put *array, int64_t from, int64_t count, void *out)
{
    const struct part *part = array->self;
    const int64_t *at = part->pointers + from;
    bool lengths = array->kind == PART_LENGTHS;
    for (int64_t k = 0; k < count; k++)
        put_integer(array->type, out, k, lengths ? at[k + 1] - at[k] : at[k]);
}

static void fill_entries(const struct put *array, int64_t from, int64_t count, void *out)
{
    const struct part *part = array->self;
    int64_t line = part_line(part, from);
    for (int64_t e = from; e < from + count; line++) {
        int64_t end = min(from + count, part->pointers[line + 1]);
        for (; e < end; e++) {
            double real, imaginary;
            if (array->kind == PART_LINES)
                put_integer(array->type, out, e - from, line);
            else if (array->kind == PART_PLACES)
                put_integer(array->type, out, e - from, part->a->col[entry_of(part, line, e)]);
            else {
                part_entry(part, line, e, &real, &imaginary);
                put_value(array, out, e - from, real, imaginary);
            }
        }
    }
}

static void fill_ones(const struct put *array, int64_t from, int64_t count, void *out)
{
    memset(out, 1, (size_t)count);
}

struct put part_array(const struct part *part, enum part_kind kind, enum number type)
{
    struct put array = {
        .type = type, .count = part->count, .self = part, .kind = (int)kind, .fill = fill_entries};
    const struct csr *a = part->a;
    bool whole = !part->owned;
    if (kind == PART_POINTERS || kind == PART_LENGTHS) {
        array.count = part->lines + (kind == PART_POINTERS);
        array.fill = fill_pointers;
    }
    if (kind == PART_POINTERS && type == NUMBER_I64) array.memory = part->pointers;
    if (kind == PART_PLACES && whole && type == NUMBER_I32) array.memory = a->col;
    if (kind == PART_VALUES && whole && type == NUMBER_F64 && !part->negate_real) array.memory = a->val;
    if (kind == PART_IMAGINARY && whole && !part->negate_imaginary) array.memory = a->imaginary;
    if (type == NUMBER_BOOL) array.fill = fill_ones;
    return array;
}

enum number part_type(const struct part *part)
{
    int64_t others = 0, nnz = csr_nnz(part->a);
    if (part->field == FIELD_PATTERN) return NUMBER_BOOL;
    if (part->field == FIELD_COMPLEX) return NUMBER_C128;
    if (part->field == FIELD_REAL) return NUMBER_F64;
#pragma omp parallel for reduction(+ : others) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++) {
        double value = part->a->val[k];
        others += !(fabs(value) < WHOLE_MAX) || value != trunc(value);
    }
    return others ? NUMBER_F64 : NUMBER_I64;
}
