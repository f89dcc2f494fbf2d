/* The columns of a matrix. */
#include "columns/lists.h"

#include <string.h>

const void *owner_matrix(const struct subject *subject)
{
    return &subject->matrix_case->matrix;
}

const void *owner_case(const struct subject *subject)
{
    return subject->matrix_case;
}

/* Lengths are undefined if the matrix has no row, or no column. */
static const void *with_lines(const struct lengths *lengths)
{
    return lengths->lines > 0 ? lengths : NULL;
}

const void *owner_row_lengths(const struct subject *subject)
{
    return with_lines(&subject->matrix_case->row_lengths);
}

const void *owner_col_lengths(const struct subject *subject)
{
    return with_lines(&subject->matrix_case->col_lengths);
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

static struct value get_density(const struct column *column, const struct subject *subject)
{
    const struct csr *a = &subject->matrix_case->matrix.csr;
    return real_value((double)case_nnz(subject->matrix_case) / ((double)a->rows * (double)a->cols));
}

const struct column_part part_matrix = {.key = "", .title = "Matrix"};
const struct column_part part_structure = {.key = "structure", .title = "Structure"};
const struct column_part part_row_lengths = {.key = "row_lengths", .title = "Row lengths"};
const struct column_part part_col_lengths = {.key = "col_lengths", .title = "Column lengths"};

#define OF_MATRIX(member) COLUMN_STORED(owner_matrix, struct matrix, member)
#define OF(member) COLUMN_STORED(owner_case, struct matrix_case, member)
#define OF_LENGTHS(member) COLUMN_STORED(owner_row_lengths, struct lengths, member)

static const struct column matrix_columns[] = {
    {.key = "name",
     .title = "Name",
     OF_MATRIX(name),
     .help = "the file's name without folders and endings, or the generator's specification"},
    {.key = "path",
     .title = "Path",
     OF_MATRIX(path),
     .help = "the matrix as it was named on the command line"},
    {.key = "field",
     .title = "Field",
     .type = VALUE_TEXT,
     .get = get_field,
     .help = "the file's field of values: real, integer, complex or pattern"},
    {.key = "symmetry",
     .title = "Symmetry",
     .type = VALUE_TEXT,
     .get = get_symmetry,
     .help = "the file's symmetry: general, symmetric, skew-symmetric or hermitian"},
    {.key = "rows", .title = "Rows", OF_MATRIX(csr.rows), .help = "m, the number of rows"},
    {.key = "cols", .title = "Columns", OF_MATRIX(csr.cols), .help = "n, the number of columns"},
    {.key = "stored", .title = "Stored entries", OF_MATRIX(stored), .help = "entries as the file lists them"},
    {.key = "nnz",
     .title = "Entries",
     .type = VALUE_INTEGER,
     .get = get_nnz,
     .help = "entries after expanding symmetry and summing duplicates; explicit zeros count"},
    {.key = "explicit_zeros",
     .title = "Explicit zeros",
     .unit = "entries",
     OF_MATRIX(explicit_zeros),
     .help = "entries whose value is zero"},
    {.key = "duplicates",
     .title = "Duplicates",
     .unit = "stored entries",
     OF_MATRIX(duplicates),
     .help = "stored entries that were added to another entry at the same position"},
    {.key = "density",
     .title = "Density",
     .unit = "of rows x columns",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_density,
     .help = "entries / (rows x columns)"},
    {.key = NULL},
};

static bool is_symmetry_estimated(const struct subject *subject)
{
    return subject->matrix_case->structure.symmetry_error > 0;
}

static const struct column structure_columns[] = {
    {.key = "structure.lower_bandwidth",
     .heading = "lower",
     .title = "Lower bandwidth",
     .unit = "diagonals",
     OF(structure.lower_bandwidth),
     .help = "largest max(0, i - j) over the entries (i, j)"},
    {.key = "structure.upper_bandwidth",
     .heading = "upper",
     .title = "Upper bandwidth",
     .unit = "diagonals",
     OF(structure.upper_bandwidth),
     .help = "largest max(0, j - i) over the entries (i, j)"},
    {.key = "structure.profile",
     .title = "Profile",
     .heading = "profile",
     .unit = "positions",
     OF(structure.profile),
     .help = "sum over the nonempty rows i of max(0, i - smallest j)"},
    {.key = "structure.pattern_symmetry",
     .heading = "symmetric",
     .title = "Pattern symmetry",
     .unit = "of off-diagonal entries",
     .role = COLUMN_SHARE,
     OF(structure.pattern_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists"},
    {.key = "structure.numeric_symmetry",
     .title = "Numeric symmetry",
     .unit = "of off-diagonal entries",
     .role = COLUMN_SHARE,
     OF(structure.numeric_symmetry),
     .help = "share of off-diagonal entries (i, j) whose (j, i) exists with an equal value"},
    {.key = "structure.symmetry_error",
     .title = "Error of symmetry",
     .unit = "of off-diagonal entries",
     .role = COLUMN_SHARE,
     OF(structure.symmetry_error),
     .known = is_symmetry_estimated,
     .help =
         "half the 95% interval of both shares if a stream estimated them from a sample of the pairs (i, j), "
         "(j, i); null if they are exact or unknown"},
    {.key = "structure.diagonal_nonzeros",
     .heading = "on diagonal",
     .title = "Diagonal nonzeros",
     .unit = "entries",
     OF(structure.diagonal_nonzeros),
     .help = "entries with i = j, explicit zeros included"},
    {.key = "structure.diagonals",
     .heading = "diagonals",
     .title = "Diagonals",
     OF(structure.diagonals),
     .help = "distinct j - i with an entry"},
    {.key = "structure.empty_rows",
     .title = "Empty rows",
     .unit = "rows",
     OF(structure.empty_rows),
     .help = "rows without an entry"},
    {.key = "structure.empty_cols",
     .title = "Empty columns",
     .unit = "columns",
     OF(structure.empty_cols),
     .help = "columns without an entry"},
    {.key = NULL},
};

/* These exist for rows and for columns. */
static const struct column length_columns[] = {
    {.key = "@.min",
     .title = "Minimum",
     .unit = "entries",
     OF_LENGTHS(min),
     .help = "entries in the shortest @"},
    {.key = "@.max",
     .title = "Maximum",
     .unit = "entries",
     OF_LENGTHS(max),
     .help = "entries in the longest @"},
    {.key = "@.mean", .title = "Mean", .unit = "entries", OF_LENGTHS(mean), .help = "mu, entries / @s"},
    {.key = "@.median",
     .title = "Median",
     .unit = "entries",
     OF_LENGTHS(median),
     .help = "half of the @s are at most this long; linear between order statistics"},
    {.key = "@.stddev",
     .title = "Standard deviation",
     .unit = "entries",
     OF_LENGTHS(stddev),
     .help = "sigma, of the population: sqrt(sum (len - mu)^2 / @s)"},
    {.key = "@.cv",
     .title = "Coefficient of variation",
     .unit = "of the mean",
     OF_LENGTHS(cv),
     .help = "sigma / mu"},
    {.key = "@.average_deviation",
     .title = "Average deviation",
     .unit = "entries",
     OF_LENGTHS(average_deviation),
     .help = "sum abs(len - mu) / @s"},
    {.key = "@.percent_average_deviation",
     .title = "Percent average deviation",
     .unit = "% of the mean",
     OF_LENGTHS(percent_average_deviation),
     .help = "100 x average deviation / mu"},
    {.key = "@.gini",
     .title = "Gini coefficient",
     OF_LENGTHS(gini),
     .help = "sum over all pairs i, j of |len_i - len_j| / (2 N^2 mu), N the number of @s: 0 if all @s are "
             "alike, "
             "near 1 if few @s hold all entries"},
    {.key = "@.p95",
     .title = "95th percentile",
     .unit = "entries",
     OF_LENGTHS(p95),
     .help = "95% of the @s are at most this long; linear between order statistics"},
    {.key = "@.p99",
     .title = "99th percentile",
     .unit = "entries",
     OF_LENGTHS(p99),
     .help = "99% of the @s are at most this long; linear between order statistics"},
    {.key = NULL},
};

static const struct column_instance lines[] = {
    {.key = "row_lengths",
     .words = "row",
     .part = &part_row_lengths,
     .needs = SESSION_ROW_LENGTHS,
     .owner = owner_row_lengths},
    {.key = "col_lengths",
     .words = "column",
     .part = &part_col_lengths,
     .needs = SESSION_COL_LENGTHS,
     .owner = owner_col_lengths},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = matrix_columns, .part = &part_matrix},
    {.columns = structure_columns, .part = &part_structure, .needs = SESSION_STRUCTURE},
    {.columns = component_columns, .part = &part_structure, .needs = SESSION_COMPONENTS},
    {.columns = dense_block_columns, .part = &part_dense_blocks, .needs = SESSION_DENSE_BLOCKS},
    {.columns = block_columns, .part = &part_blocks, .needs = SESSION_BLOCKS},
    {.columns = cholesky_columns, .part = &part_cholesky, .needs = SESSION_FILL},
    {.columns = qr_columns, .part = &part_qr, .needs = SESSION_QR},
    {.columns = level_columns, .instances = triangle_instances, .by_instance = true},
    {.columns = colour_columns, .part = &part_colours, .needs = SESSION_SOLVES},
    {.columns = length_columns, .instances = lines, .by_instance = true},
    {.columns = value_columns, .part = &part_values, .needs = SESSION_VALUES},
    {.columns = NULL},
};

COLUMN_TABLE(columns, lists)
