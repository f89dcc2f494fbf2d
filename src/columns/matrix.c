/* The columns of a matrix. */
#include "columns/lists.h"

#include <string.h>

/* The number that the case holds at the column's offset. */
static struct value get_stored(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->matrix_case + column->base + column->offset;
    if (column->type == VALUE_INTEGER) return integer_value(*(const int64_t *)(const void *)place);
    return real_value(*(const double *)(const void *)place);
}

/* The number at the column's offset in the struct lengths at its base. It is undefined if the matrix has no
 * row, or no column. */
static struct value get_length(const struct column *column, const struct subject *subject)
{
    const void *place = (const char *)subject->matrix_case + column->base;
    const struct lengths *lengths = place;
    return lengths->lines == 0 ? null_value() : get_stored(column, subject);
}

static struct value get_name(const struct column *column, const struct subject *subject)
{
    return text_value(subject->matrix_case->matrix.name);
}

static struct value get_path(const struct column *column, const struct subject *subject)
{
    return text_value(subject->matrix_case->matrix.path);
}

static struct value get_field(const struct column *column, const struct subject *subject)
{
    return text_value(field_name(subject->matrix_case->matrix.field));
}

static struct value get_symmetry(const struct column *column, const struct subject *subject)
{
    return text_value(symmetry_name(subject->matrix_case->matrix.symmetry));
}

static struct value get_nnz(const struct column *column, const struct subject *subject)
{
    return integer_value(case_nnz(subject->matrix_case));
}

/* Nobody knows the number of a list that was not kept and does not ascend. */
static struct value get_duplicates(const struct column *column, const struct subject *subject)
{
    int64_t duplicates = subject->matrix_case->matrix.duplicates;
    return duplicates < 0 ? null_value() : integer_value(duplicates);
}

static struct value get_density(const struct column *column, const struct subject *subject)
{
    const struct csr *a = &subject->matrix_case->matrix.csr;
    return real_value((double)case_nnz(subject->matrix_case) / ((double)a->rows * (double)a->cols));
}

const struct column_part part_matrix = {.key = "", .title = "Matrix"};
const struct column_part part_structure = {.key = "structure", .title = "Structure"};
const struct column_part part_row_lengths = {.key = "row_lengths", .title = "Row lengths"};
const struct column_part part_col_lengths = {.key = "col_lengths", .title = "Column lengths"};

static const struct column matrix_columns[] = {
    {.key = "name",
     .title = "Name",
     .type = VALUE_TEXT,
     .get = get_name,
     .help = "the file's name without folders and endings, or the generator's specification"},
    {.key = "path",
     .title = "Path",
     .type = VALUE_TEXT,
     .get = get_path,
     .help = "the matrix as it was named on the command line"},
    {.key = "field",
     .title = "Field",
     .type = VALUE_TEXT,
     .get = get_field,
     .help = "what the file says its values are: real, integer, complex or pattern"},
    {.key = "symmetry",
     .title = "Symmetry",
     .type = VALUE_TEXT,
     .get = get_symmetry,
     .help = "what the file says: general, symmetric, skew-symmetric or hermitian"},
    {.key = "rows",
     .title = "Rows",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.csr.rows),
     .help = "m, the number of rows"},
    {.key = "cols",
     .title = "Columns",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.csr.cols),
     .help = "n, the number of columns"},
    {.key = "stored",
     .title = "Stored entries",
     .type = VALUE_INTEGER,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, matrix.stored),
     .help = "entries as the file lists them"},
    {.key = "nnz",
     .title = "Entries",
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
     .get = get_duplicates,
     .help = "stored entries that were added to another one at the same place"},
    {.key = "density",
     .title = "Density",
     .unit = "of rows x columns",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_density,
     .help = "entries / (rows x columns)"},
    {.key = NULL},
};

static const struct column structure_columns[] = {
    {.key = "structure.lower_bandwidth",
     .heading = "lower",
     .title = "Lower bandwidth",
     .unit = "diagonals",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.lower_bandwidth),
     .help = "largest max(0, i - j) over the entries (i, j)"},
    {.key = "structure.upper_bandwidth",
     .heading = "upper",
     .title = "Upper bandwidth",
     .unit = "diagonals",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.upper_bandwidth),
     .help = "largest max(0, j - i) over the entries (i, j)"},
    {.key = "structure.profile",
     .title = "Profile",
     .heading = "profile",
     .unit = "places",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.profile),
     .help = "sum over the nonempty rows i of max(0, i - smallest j)"},
    {.key = "structure.pattern_symmetry",
     .heading = "symmetric",
     .title = "Pattern symmetry",
     .unit = "of off-diagonal entries",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.pattern_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists"},
    {.key = "structure.numeric_symmetry",
     .title = "Numeric symmetry",
     .unit = "of off-diagonal entries",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.numeric_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists with an equal value"},
    {.key = "structure.diagonal_nonzeros",
     .heading = "on diagonal",
     .title = "Diagonal nonzeros",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_STRUCTURE,
     .get = get_stored,
     .offset = offsetof(struct matrix_case, structure.diagonal_nonzeros),
     .help = "entries with i = j, explicit zeros included"},
    {.key = "structure.diagonals",
     .heading = "diagonals",
     .title = "Diagonals",
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
    {.key = NULL},
};

/* These are there for the rows and for the columns. */
static const struct column length_columns[] = {
    {.key = "@.min",
     .title = "Minimum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .get = get_length,
     .offset = offsetof(struct lengths, min),
     .help = "entries in the shortest @"},
    {.key = "@.max",
     .title = "Maximum",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .get = get_length,
     .offset = offsetof(struct lengths, max),
     .help = "entries in the longest @"},
    {.key = "@.mean",
     .title = "Mean",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, mean),
     .help = "mu, entries / @s"},
    {.key = "@.median",
     .title = "Median",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, median),
     .help = "half of the @s are at most this long; linear between order statistics"},
    {.key = "@.stddev",
     .title = "Standard deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, stddev),
     .help = "sigma, of the population: sqrt(sum (len - mu)^2 / @s)"},
    {.key = "@.cv",
     .title = "Coefficient of variation",
     .unit = "of the mean",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, cv),
     .help = "sigma / mu"},
    {.key = "@.average_deviation",
     .title = "Average deviation",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, average_deviation),
     .help = "sum abs(len - mu) / @s"},
    {.key = "@.percent_average_deviation",
     .title = "Percent average deviation",
     .unit = "% of the mean",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, percent_average_deviation),
     .help = "100 x average deviation / mu"},
    {.key = "@.gini",
     .title = "Gini coefficient",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, gini),
     .help = "sum over all pairs i, j of |len_i - len_j| / (2 N^2 mu), N the number of @s: 0 if all @s are "
             "alike, "
             "near 1 if few @s hold all entries"},
    {.key = "@.p95",
     .title = "95th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, p95),
     .help = "95% of the @s are at most this long; linear between order statistics"},
    {.key = "@.p99",
     .title = "99th percentile",
     .unit = "entries",
     .type = VALUE_REAL,
     .get = get_length,
     .offset = offsetof(struct lengths, p99),
     .help = "99% of the @s are at most this long; linear between order statistics"},
    {.key = NULL},
};

static const struct column_instance lines[] = {
    {.key = "row_lengths",
     .words = "row",
     .part = &part_row_lengths,
     .needs = SESSION_ROW_LENGTHS,
     .base = offsetof(struct matrix_case, row_lengths)},
    {.key = "col_lengths",
     .words = "column",
     .part = &part_col_lengths,
     .needs = SESSION_COL_LENGTHS,
     .base = offsetof(struct matrix_case, col_lengths)},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = matrix_columns, .part = &part_matrix},
    {.columns = structure_columns, .part = &part_structure},
    {.columns = component_columns, .part = &part_structure},
    {.columns = block_columns, .part = &part_blocks},
    {.columns = cholesky_columns, .part = &part_cholesky},
    {.columns = length_columns, .instances = lines, .by_instance = true},
    {.columns = value_columns, .part = &part_values},
    {.columns = NULL},
};

static struct column_table table;
const struct column *const columns = table.columns;

__attribute__((constructor)) static void build(void)
{
    column_table_build(&table, lists);
}
