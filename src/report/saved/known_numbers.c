/* The numbers that a saved report tells of a matrix: those of its columns, and the distributions of lengths
 * and values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "columns/columns.h"
#include "report/saved/known.h"

/* No number that counts something is larger, so that a few can be added up. */
#define COUNT_MAX (INT64_MAX / 8)

/* The object that a dotted key is in, and in *word its last word; NULL if it is missing. */
static const json_t *object_of(const json_t *object, const char *key, const char **word)
{
    const char *dot = strchr(key, '.');
    char part[64];
    *word = key;
    if (!dot || (size_t)(dot - key) >= sizeof part) return object;
    memcpy(part, key, (size_t)(dot - key));
    part[dot - key] = 0;
    *word = dot + 1;
    const json_t *inner = json_object_get(object, part);
    return json_is_object(inner) ? inner : NULL;
}

/* Read the number of a column to where the case holds it. False if the report does not have it. */
static bool set_number(struct reading *reading, const struct column *column, struct matrix_case *of)
{
    const char *word;
    void *place = (char *)of + column->base + column->offset;
    struct reading inner = {.object = object_of(reading->object, column->key, &word),
                            .path = reading->path,
                            .where = column->part->key[0] ? column->part->key : reading->where,
                            .error = reading->error};
    bool there = reading_get(&inner, word) != NULL;
    if (column->type == VALUE_INTEGER)
        *(int64_t *)place = reading_integer(&inner, word, 0, COUNT_MAX, 0);
    else
        *(double *)place = reading_real(&inner, word);
    if (reading->status == STATUS_OK) reading->status = inner.status;
    return there;
}

/* True if a column's number stands as it is at its place in the case. What is derived is not read: it comes
 * out again. */
static bool is_stored(const struct column *column)
{
    return (column->type == VALUE_INTEGER || column->type == VALUE_REAL) &&
           column->base + column->offset > 0 && column->part != &part_matrix &&
           column->part != &part_cholesky && !(column->part == &part_values && column->role == COLUMN_SHARE);
}

/* A number of the values that is not stored. */
static double other_value(struct reading *reading, const char *key)
{
    struct reading values = {.object = json_object_get(reading->object, "values"),
                             .path = reading->path,
                             .where = "values",
                             .error = reading->error};
    double number = json_is_object(values.object) ? reading_amount(&values, key) : NAN;
    if (reading->status == STATUS_OK) reading->status = values.status;
    return number;
}

/* Rows are told as a share of all; and whether the matrix may be definite is told, and not from what that
 * follows, which is taken so that it follows again. */
static void set_rows_of_values(struct reading *reading, struct matrix_case *of)
{
    const double rows = (double)of->matrix.csr.rows;
    const json_t *values = json_object_get(reading->object, "values");
    const double dominant = other_value(reading, "dominant_rows"),
                 strict = other_value(reading, "strictly_dominant_rows");
    const bool candidate = json_is_true(json_object_get(values, "definite_candidate"));
    of->values.dominant_rows = dominant <= 1 ? llround(dominant * rows) : 0;
    of->values.strict_rows = strict <= 1 ? llround(strict * rows) : 0;
    of->values.positive_diagonal = candidate ? of->matrix.csr.rows : 0;
    of->structure.conjugate_symmetry = candidate ? 1 : NAN;
}

static void set_decades(struct reading *reading, struct matrix_case *of)
{
    const json_t *list = json_object_get(json_object_get(reading->object, "values"), "histogram");
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

/* Of what is undefined a report tells as little as of what is not known: what some number is told of is
 * known. The Cholesky factor is told of if its entries are. */
static void set_cholesky(struct reading *reading, struct matrix_case *of)
{
    struct reading fill = {.object = json_object_get(reading->object, "cholesky"),
                           .path = reading->path,
                           .where = "cholesky",
                           .error = reading->error};
    if (!json_is_object(fill.object)) return;
    of->fills.own.entries = reading_integer(&fill, "entries", 0, COUNT_MAX, 0);
    of->fills.amd.entries = reading_integer(&fill, "amd_entries", 0, COUNT_MAX, 0);
    of->fills.own.flops = reading_amount(&fill, "flops");
    of->fills.amd.flops = reading_amount(&fill, "amd_flops");
    double growth = reading_amount(&fill, "growth");
    double lower = growth > 0 ? (double)of->fills.own.entries / growth : 0;
    of->fills.lower = lower < (double)COUNT_MAX ? llround(lower) : 0;
    if (reading->status == STATUS_OK) reading->status = fill.status;
    if (of->fills.own.entries > 0) case_know(of, SESSION_FILL);
}

void known_set_numbers(struct reading *reading, struct matrix_case *of)
{
    unsigned known = 0;
    const unsigned lengths = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS;
    for (const struct column *column = columns; column->key && reading->status == STATUS_OK; column++)
        if (is_stored(column) && !(column->needs & lengths) && set_number(reading, column, of))
            known |= column->needs;
    set_cholesky(reading, of);
    if (known & SESSION_VALUES) {
        set_rows_of_values(reading, of);
        set_decades(reading, of);
    }
    if (of->structure.lower_bandwidth > of->matrix.csr.rows ||
        of->structure.upper_bandwidth > of->matrix.csr.cols)
        reading_wrong(reading, "structure", "of a matrix of this size");
    if (of->matrix.field == FIELD_PATTERN) known |= SESSION_VALUES; /* it has none, and that is known */
    if (reading->status == STATUS_OK)
        case_know(of, known & (SESSION_STRUCTURE | SESSION_VALUES | SESSION_COMPONENTS | SESSION_BLOCKS));
}

/* Read the histogram of so many lines, of which none can be longer than `longest`. */
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

/* True if the report has numbers of these lengths. */
static bool set_moments(struct reading *reading, const char *key, struct matrix_case *of)
{
    bool there = true;
    for (const struct column *column = columns; column->key && reading->status == STATUS_OK; column++)
        if (strcmp(column->part->key, key) == 0 && is_stored(column) && column->type == VALUE_INTEGER)
            there = set_number(reading, column, of) && there;
        else if (strcmp(column->part->key, key) == 0 && is_stored(column))
            set_number(reading, column, of);
    return there;
}

void known_set_lengths(struct reading *reading, const char *key, struct matrix_case *of)
{
    const bool rows = strcmp(key, "row_lengths") == 0;
    const struct csr *a = &of->matrix.csr;
    struct lengths *lengths = rows ? &of->row_lengths : &of->col_lengths;
    const json_t *list = json_object_get(json_object_get(reading->object, key), "histogram");
    struct reading own = {
        .object = reading->object, .path = reading->path, .where = key, .error = reading->error};
    if (!json_is_array(list)) return;
    lengths->lines = rows ? a->rows : a->cols;
    lengths->nnz = of->nnz;
    bool there = set_moments(&own, key, of);
    if (own.status == STATUS_OK) set_histogram(&own, list, rows ? a->cols : a->rows, lengths);
    const struct length_count *bins = lengths->histogram;
    if (own.status == STATUS_OK && lengths->bins > 0 && there &&
        (lengths->min != bins[0].length || lengths->max != bins[lengths->bins - 1].length))
        reading_wrong(&own, "min or max", "that of the histogram");
    reading->status = own.status;
    /* Without lines there are no numbers of them. */
    if (own.status == STATUS_OK && (there || lengths->lines == 0))
        case_know(of, rows ? SESSION_ROW_LENGTHS : SESSION_COL_LENGTHS);
}
