/* The numbers of a matrix in a saved report: those of its columns, and the distributions of lengths and
 * values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "columns/columns.h"
#include "report/saved/known.h"

/* Maximum of a count, so that a few counts can be added up. */
#define COUNT_MAX (INT64_MAX / 8)

/* Reports have dominant rows as shares. They state whether the matrix may be definite, but lack the numbers
 * that decide this. These numbers are set so that they give the same answer. */
static void set_rows_of_values(struct reading *reading, struct matrix_case *of)
{
    const double rows = (double)of->matrix.csr.rows;
    const double dominant = reading_amount(reading, "values.dominant_rows"),
                 strict = reading_amount(reading, "values.strictly_dominant_rows");
    const bool candidate = reading_boolean(reading, "values.definite_candidate");
    of->values.dominant_rows = dominant <= 1 ? llround(dominant * rows) : 0;
    of->values.strict_rows = strict <= 1 ? llround(strict * rows) : 0;
    of->values.positive_diagonal = candidate ? of->matrix.csr.rows : 0;
    of->structure.conjugate_symmetry = candidate ? 1 : NAN;
}

static void set_decades(struct reading *reading, struct matrix_case *of)
{
    const json_t *list = reading_get(reading, "values.histogram");
    for (size_t k = 0; k < json_array_size(list) && reading->status == STATUS_OK; k++) {
        struct reading bin = {.object = json_array_get(list, k),
                              .path = reading->path,
                              .where = "values.histogram",
                              .error = reading->error};
        int64_t decade =
            reading_integer(&bin, "decade", VALUES_FIRST_DECADE, VALUES_FIRST_DECADE + VALUES_DECADES - 1, 0);
        of->values.decades[decade - VALUES_FIRST_DECADE] = reading_integer(&bin, "count", 0, COUNT_MAX, 0);
        reading->status = bin.status;
    }
}

/* In a report, undefined and unknown numbers are both null. A part counts as known if one of its numbers is
 * present; for the Cholesky factor this is the number of its entries. */
static void set_cholesky(struct reading *reading, struct matrix_case *of)
{
    reading_columns(reading, columns, owner_own_fill, &of->fills.own, COUNT_MAX);
    reading_columns(reading, columns, owner_amd_fill, &of->fills.amd, COUNT_MAX);
    double growth = reading_amount(reading, "cholesky.growth");
    double lower = growth > 0 ? (double)of->fills.own.entries / growth : 0;
    of->fills.lower = lower < (double)COUNT_MAX ? llround(lower) : 0;
    if (of->fills.own.entries > 0) case_know(of, SESSION_FILL);
}

void known_set_numbers(struct reading *reading, struct matrix_case *of)
{
    unsigned known = reading_columns(reading, columns, owner_case, of, COUNT_MAX) |
                     reading_columns(reading, columns, owner_lower, &of->solves.lower, COUNT_MAX) |
                     reading_columns(reading, columns, owner_upper, &of->solves.upper, COUNT_MAX) |
                     reading_columns(reading, columns, owner_values, &of->values, COUNT_MAX);
    set_cholesky(reading, of);
    if (known & SESSION_VALUES) {
        set_rows_of_values(reading, of);
        set_decades(reading, of);
    }
    if (of->structure.lower_bandwidth > of->matrix.csr.rows ||
        of->structure.upper_bandwidth > of->matrix.csr.cols)
        reading_wrong(reading, "structure", "of a matrix of this size");
    /* A pattern has no values, so they are known. */
    if (of->matrix.field == FIELD_PATTERN) known |= SESSION_VALUES;
    if (reading->status == STATUS_OK)
        case_know(of, known & (SESSION_STRUCTURE | SESSION_VALUES | SESSION_COMPONENTS | SESSION_BLOCKS |
                               SESSION_SOLVES | SESSION_QR | SESSION_DENSE_BLOCKS));
}

/* Read the histogram of this number of lines, none of them longer than `longest`. */
static void set_histogram(struct reading *reading, const json_t *list, int64_t longest,
                          struct lengths *lengths)
{
    int64_t lines = 0, nnz = 0, before = -1;
    size_t bins = json_array_size(list);
    lengths->histogram = memory_array(bins, sizeof *lengths->histogram, reading->error);
    if (!lengths->histogram) reading->status = STATUS_MEMORY;
    for (size_t k = 0; k < bins && reading->status == STATUS_OK; k++) {
        struct reading bin = {.object = json_array_get(list, k),
                              .path = reading->path,
                              .where = reading->where,
                              .error = reading->error};
        int64_t length = reading_integer(&bin, "length", before + 1, longest, -1);
        int64_t count = reading_integer(&bin, "count", 1, lengths->lines - lines, 0);
        if (length < 0 || count < 1) reading_wrong(&bin, "a bin of histogram", "a length and a count");
        reading->status = bin.status;
        if (bin.status != STATUS_OK) return;
        lengths->histogram[lengths->bins++] = (struct length_count){length, count};
        if (length == 0) lengths->empty = count;
        before = length;
        lines += count;
        nnz += length * count; /* less than rows x columns */
    }
    if (reading->status == STATUS_OK && (lines != lengths->lines || nnz != lengths->nnz))
        reading_wrong(reading, "histogram", "that of all rows or columns and entries");
}

void known_set_lengths(struct reading *reading, const char *key, struct matrix_case *of)
{
    const bool rows = strcmp(key, "row_lengths") == 0;
    const struct csr *a = &of->matrix.csr;
    struct lengths *lengths = rows ? &of->row_lengths : &of->col_lengths;
    const json_t *object = reading_get(reading, key), *list = json_object_get(object, "histogram");
    struct reading own = {.object = object, .path = reading->path, .where = key, .error = reading->error};
    if (!json_is_array(list)) return;
    const bool there = reading_get(&own, "min") && reading_get(&own, "max");
    if (!there && json_array_size(list) == 0 && (rows ? a->rows : a->cols) > 0) return; /* not computed */
    reading_columns(reading, columns, rows ? owner_row_lengths : owner_col_lengths, lengths, COUNT_MAX);
    lengths->lines = rows ? a->rows : a->cols;
    lengths->nnz = of->nnz;
    if (reading->status != STATUS_OK) return;
    set_histogram(&own, list, rows ? a->cols : a->rows, lengths);
    const struct length_count *bins = lengths->histogram;
    if (own.status == STATUS_OK && lengths->bins > 0 && there &&
        (lengths->min != bins[0].length || lengths->max != bins[lengths->bins - 1].length))
        reading_wrong(&own, "min or max", "that of the histogram");
    reading->status = own.status;
    /* Numbers of lengths are undefined without lines. */
    if (own.status == STATUS_OK && (there || lengths->lines == 0))
        case_know(of, rows ? SESSION_ROW_LENGTHS : SESSION_COL_LENGTHS);
}
