#include "columns/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The number that the session holds at the column's offset. */
static struct value get_stored(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->matrix_case + column->offset;
    if (column->type == VALUE_INTEGER) return integer_value(*(const int64_t *)(const void *)place);
    return real_value(*(const double *)(const void *)place);
}

/* The same for a number of struct lengths, which is undefined without any line. */
static struct value get_length(const struct column *column, const struct subject *subject)
{
    const struct lengths *lengths = column->needs == SESSION_COL_LENGTHS ? &subject->matrix_case->col_lengths
                                                                         : &subject->matrix_case->row_lengths;
    if (lengths->lines == 0) return (struct value){.type = VALUE_NULL};
    return get_stored(column, subject);
}

static struct value get_name(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(subject->matrix_case->matrix.name);
}

static struct value get_path(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(subject->matrix_case->matrix.path);
}

static struct value get_field(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(field_name(subject->matrix_case->matrix.field));
}

static struct value get_symmetry(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(symmetry_name(subject->matrix_case->matrix.symmetry));
}

static struct value get_nnz(const struct column *column, const struct subject *subject)
{
    (void)column;
    return integer_value(csr_nnz(&subject->matrix_case->matrix.csr));
}

static struct value get_density(const struct column *column, const struct subject *subject)
{
    (void)column;
    const struct csr *a = &subject->matrix_case->matrix.csr;
    return real_value((double)csr_nnz(a) / ((double)a->rows * (double)a->cols));
}

const struct column columns[] = {
    {.key = "name",
     .title = "Name",
     .unit = "",
     .type = VALUE_TEXT,
     .get = get_name,
     .help = "the file's name without folders and endings, or the generator's specification"},
    {.key = "path",
     .title = "Path",
     .unit = "",
     .type = VALUE_TEXT,
     .get = get_path,
     .help = "the matrix as it was named on the command line"},
    {.key = "field",
     .title = "Field",
     .unit = "",
     .type = VALUE_TEXT,
     .get = get_field,
     .help = "what the file says its values are: real, integer, complex or pattern"},
    {.key = "symmetry",
     .title = "Symmetry",
     .unit = "",
     .type = VALUE_TEXT,
     .get = get_symmetry,
     .help = "what the file says: general, symmetric, skew-symmetric or hermitian"},
    {.key = "rows",
     .title = "Rows",
     .unit = "",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.csr.rows),
     .help = "m, the number of rows"},
    {.key = "cols",
     .title = "Columns",
     .unit = "",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.csr.cols),
     .help = "n, the number of columns"},
    {.key = "stored",
     .title = "Stored entries",
     .unit = "",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.stored),
     .help = "entries as the file lists them"},
    {.key = "nnz",
     .title = "Entries",
     .unit = "",
     .type = VALUE_INTEGER,
     .get = get_nnz,
     .help = "entries after expanding symmetry and summing duplicates; explicit zeros count"},
    {.key = "explicit_zeros",
     .title = "Explicit zeros",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.explicit_zeros),
     .help = "entries whose value is zero"},
    {.key = "duplicates",
     .title = "Duplicates",
     .unit = "stored entries",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.duplicates),
     .help = "stored entries that were added to another one at the same place"},
    {.key = "density",
     .title = "Density",
     .unit = "of rows x columns",
     .type = VALUE_REAL,
     .get = get_density,
     .help = "entries / (rows x columns)"},

    {.key = "structure.lower_bandwidth",
     .title = "Lower bandwidth",
     .unit = "diagonals",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.lower_bandwidth),
     .help = "largest max(0, i - j) over the entries (i, j)"},
    {.key = "structure.upper_bandwidth",
     .title = "Upper bandwidth",
     .unit = "diagonals",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.upper_bandwidth),
     .help = "largest max(0, j - i) over the entries (i, j)"},
    {.key = "structure.profile",
     .title = "Profile",
     .unit = "places",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.profile),
     .help = "sum over the nonempty rows i of max(0, i - smallest j)"},
    {.key = "structure.pattern_symmetry",
     .title = "Pattern symmetry",
     .unit = "of off-diagonal entries",
     .type = VALUE_REAL,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.pattern_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists"},
    {.key = "structure.numeric_symmetry",
     .title = "Numeric symmetry",
     .unit = "of off-diagonal entries",
     .type = VALUE_REAL,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.numeric_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists with an equal value"},
    {.key = "structure.diagonal_nonzeros",
     .title = "Diagonal nonzeros",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.diagonal_nonzeros),
     .help = "entries with i = j, explicit zeros included"},
    {.key = "structure.diagonals",
     .title = "Diagonals",
     .unit = "",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.diagonals),
     .help = "distinct j - i with an entry"},
    {.key = "structure.empty_rows",
     .title = "Empty rows",
     .unit = "rows",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.empty_rows),
     .help = "rows without an entry"},
    {.key = "structure.empty_cols",
     .title = "Empty columns",
     .unit = "columns",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.empty_cols),
     .help = "columns without an entry"},

    {.key = "row_lengths.min",
     .title = "Minimum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.min),
     .help = "entries in the shortest row"},
    {.key = "row_lengths.max",
     .title = "Maximum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.max),
     .help = "entries in the longest row"},
    {.key = "row_lengths.mean",
     .title = "Mean",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.mean),
     .help = "mu, entries / rows"},
    {.key = "row_lengths.median",
     .title = "Median",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.median),
     .help = "half of the rows are at most this long; linear between order statistics"},
    {.key = "row_lengths.stddev",
     .title = "Standard deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.stddev),
     .help = "sigma, of the population: sqrt(sum (len - mu)^2 / rows)"},
    {.key = "row_lengths.cv",
     .title = "Coefficient of variation",
     .unit = "of the mean",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.cv),
     .help = "sigma / mu"},
    {.key = "row_lengths.average_deviation",
     .title = "Average deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.average_deviation),
     .help = "sum abs(len - mu) / rows"},
    {.key = "row_lengths.percent_average_deviation",
     .title = "Percent average deviation",
     .unit = "% of the mean",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.percent_average_deviation),
     .help = "100 x average deviation / mu"},
    {.key = "row_lengths.gini",
     .title = "Gini coefficient",
     .unit = "",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.gini),
     .help = "0: all rows alike; towards 1: few rows hold all entries"},
    {.key = "row_lengths.p95",
     .title = "95th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.p95),
     .help = "95% of the rows are at most this long; linear between order statistics"},
    {.key = "row_lengths.p99",
     .title = "99th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_ROW_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, row_lengths.p99),
     .help = "99% of the rows are at most this long; linear between order statistics"},

    {.key = "col_lengths.min",
     .title = "Minimum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.min),
     .help = "entries in the shortest column"},
    {.key = "col_lengths.max",
     .title = "Maximum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.max),
     .help = "entries in the longest column"},
    {.key = "col_lengths.mean",
     .title = "Mean",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.mean),
     .help = "mu, entries / columns"},
    {.key = "col_lengths.median",
     .title = "Median",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.median),
     .help = "half of the columns are at most this long; linear between order statistics"},
    {.key = "col_lengths.stddev",
     .title = "Standard deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.stddev),
     .help = "sigma, of the population: sqrt(sum (len - mu)^2 / columns)"},
    {.key = "col_lengths.cv",
     .title = "Coefficient of variation",
     .unit = "of the mean",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.cv),
     .help = "sigma / mu"},
    {.key = "col_lengths.average_deviation",
     .title = "Average deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.average_deviation),
     .help = "sum abs(len - mu) / columns"},
    {.key = "col_lengths.percent_average_deviation",
     .title = "Percent average deviation",
     .unit = "% of the mean",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.percent_average_deviation),
     .help = "100 x average deviation / mu"},
    {.key = "col_lengths.gini",
     .title = "Gini coefficient",
     .unit = "",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.gini),
     .help = "0: all columns alike; towards 1: few columns hold all entries"},
    {.key = "col_lengths.p95",
     .title = "95th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.p95),
     .help = "95% of the columns are at most this long; linear between order statistics"},
    {.key = "col_lengths.p99",
     .title = "99th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .needs = SESSION_COL_LENGTHS,
     .get = get_length,
     .offset = offsetof(struct matrix_case, col_lengths.p99),
     .help = "99% of the columns are at most this long; linear between order statistics"},
    {.key = NULL},
};

const struct column *column_find(const char *key)
{
    for (const struct column *column = columns; column->key; column++)
        if (strcmp(column->key, key) == 0) return column;
    return NULL;
}

const char *column_group(const struct column *column)
{
    static const struct {
        const char *prefix, *title;
    } groups[] = {
        {"structure.", "Structure"}, {"row_lengths.", "Row lengths"}, {"col_lengths.", "Column lengths"}};
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (strncmp(column->key, groups[k].prefix, strlen(groups[k].prefix)) == 0) return groups[k].title;
    return "Matrix";
}

struct value column_value(const struct column *column, const struct matrix_case *matrix_case)
{
    if (!matrix_case || !case_has(matrix_case, column->needs | SESSION_MATRIX))
        return (struct value){.type = VALUE_NULL};
    return column->get(column, &(struct subject){.matrix_case = matrix_case});
}

struct value format_value(const struct column *column, const struct conversion *conversion)
{
    return column->get(column, &(struct subject){.conversion = conversion});
}

struct value kernel_value(const struct column *column, const struct results *results,
                          const struct result *result)
{
    return column->get(column, &(struct subject){.results = results, .result = result});
}

/* Append "k=12,rule=bytes" to what is in `out`, those that are not chosen yet left out. */
static void write_parameters(const struct parameter *p, const double *numbers, char *out, size_t size)
{
    size_t length = strlen(out);
    for (int k = 0; p && p[k].name && length < size; k++) {
        char number[64];
        if (isnan(numbers[k])) continue;
        length += (size_t)snprintf(out + length, size - length, "%s%s=%s", length ? "," : "", p[k].name,
                                   parameter_value(&p[k], numbers[k], number, sizeof number));
    }
}

char *value_text(struct value value, char *out, size_t size)
{
    switch (value.type) {
    case VALUE_TEXT:
        snprintf(out, size, "%s", value.text);
        break;
    case VALUE_INTEGER:
        format_count(out, size, value.integer);
        break;
    case VALUE_REAL:
        format_real(out, size, value.real);
        break;
    case VALUE_PARAMETERS:
        out[0] = 0;
        write_parameters(value.parameters, value.numbers, out, size);
        write_parameters(value.further, value.further_numbers, out, size);
        break;
    case VALUE_BOOLEAN:
        snprintf(out, size, "%s", value.boolean ? "yes" : "no");
        break;
    case VALUE_NULL:
        snprintf(out, size, "-");
        break;
    }
    return out;
}

char *value_brief(const struct column *column, struct value value, int wide, char *out, size_t size)
{
    if (value.type == VALUE_INTEGER) return format_fitting(out, size, value.integer, wide);
    if (value.type != VALUE_REAL) return value_text(value, out, size);
    if (strcmp(column->unit, "us") == 0) return format_seconds(out, size, value.real * 1e-6);
    if (column->unit[0] == '%') {
        snprintf(out, size, fabs(value.real) < 9.95 ? "%.1f%%" : "%.0f%%", value.real);
        return out;
    }
    bool large = fabs(value.real) >= 9999.5 && fabs(value.real) < 1e7; /* %g would take an exponent */
    snprintf(out, size, large ? "%.0f" : "%.4g", value.real);
    return out;
}
