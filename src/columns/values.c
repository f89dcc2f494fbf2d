/* The columns of a matrix's values. A pattern matrix has none. */
#include "columns/lists.h"

#include <math.h>

#include "base/range.h"

static bool has_values(const struct subject *subject)
{
    return subject->matrix_case->matrix.field != FIELD_PATTERN;
}

const struct column_part part_values = {.key = "values", .title = "Values", .applies = has_values};

static struct value get_real(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->matrix_case + column->offset;
    return has_values(subject) ? real_value(*(const double *)(const void *)place) : null_value();
}

static struct value get_count(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->matrix_case + column->offset;
    return has_values(subject) ? integer_value(*(const int64_t *)(const void *)place) : null_value();
}

/* Complex values have no sign. */
static struct value get_signs(const struct column *column, const struct subject *subject)
{
    return case_is_complex(subject->matrix_case) ? null_value() : get_count(column, subject);
}

/* The share of the rows that the count at the column's offset is. */
static struct value get_rows(const struct column *column, const struct subject *subject)
{
    const struct csr *a = &subject->matrix_case->matrix.csr;
    struct value count = get_count(column, subject);
    if (count.type == VALUE_NULL || a->rows != a->cols) return null_value();
    return real_value(share_of((double)count.integer, (double)a->rows));
}

/* Without entries off the diagonal there is no share of them, and nothing that is not symmetric. */
static struct value get_candidate(const struct column *column, const struct subject *subject)
{
    const struct matrix_case *of = subject->matrix_case;
    const struct csr *a = &of->matrix.csr;
    double symmetry = of->structure.conjugate_symmetry;
    if (!has_values(subject) || a->rows != a->cols || a->rows == 0) return null_value();
    bool positive = of->values.positive_diagonal == a->rows;
    bool unknown = isnan(symmetry) && case_nnz(of) > of->structure.diagonal_nonzeros;
    if (positive && unknown) return null_value(); /* the entries are not in memory */
    return boolean_value(positive && (isnan(symmetry) || symmetry == 1));
}

const struct column value_columns[] = {
    {.key = "values.min",
     .title = "Minimum",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.min),
     .help = "smallest of the finite values; none if they are complex"},
    {.key = "values.max",
     .title = "Maximum",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.max),
     .help = "largest of the finite values; none if they are complex"},
    {.key = "values.min_abs",
     .title = "Smallest nonzero |a|",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.min_abs),
     .help = "smallest |a| of the finite values other than 0; of complex ones the modulus"},
    {.key = "values.max_abs",
     .title = "Largest |a|",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.max_abs),
     .help = "largest |a| of the finite values; of complex ones the modulus"},
    {.key = "values.mean_abs",
     .title = "Mean |a|",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.mean_abs),
     .help = "sum of |a| over the finite values / how many they are, explicit zeros included"},
    {.key = "values.positive",
     .title = "Positive",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_VALUES,
     .get = get_signs,
     .offset = offsetof(struct matrix_case, values.positive),
     .help = "entries above 0; none if values are complex"},
    {.key = "values.negative",
     .title = "Negative",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_VALUES,
     .get = get_signs,
     .offset = offsetof(struct matrix_case, values.negative),
     .help = "entries below 0; none if values are complex"},
    {.key = "values.nan",
     .title = "Not a number",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_VALUES,
     .get = get_count,
     .offset = offsetof(struct matrix_case, values.nan),
     .help = "entries that are NaN; of complex ones those with such a part and no infinite one"},
    {.key = "values.infinite",
     .title = "Infinite",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_VALUES,
     .get = get_count,
     .offset = offsetof(struct matrix_case, values.infinite),
     .help = "entries whose |a| is infinite or beyond double precision"},
    {.key = "values.norm_1",
     .title = "1-norm",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.norm_1),
     .help = "largest sum of |a| over a column; none if a value is not finite"},
    {.key = "values.norm_inf",
     .title = "Infinity norm",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.norm_inf),
     .help = "largest sum of |a| over a row; none if a value is not finite"},
    {.key = "values.norm_frobenius",
     .title = "Frobenius norm",
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_real,
     .offset = offsetof(struct matrix_case, values.norm_frobenius),
     .help = "sqrt(sum |a|^2), summed without overflow; none if a value is not finite"},
    {.key = "values.dominant_rows",
     .title = "Diagonally dominant",
     .unit = "of the rows",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_rows,
     .offset = offsetof(struct matrix_case, values.dominant_rows),
     .help = "share of rows with |a(i,i)| >= the sum of |a(i,j)| over j /= i, rounded to double precision; "
             "empty rows are"},
    {.key = "values.strictly_dominant_rows",
     .title = "Strictly dominant",
     .unit = "of the rows",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .needs = SESSION_VALUES,
     .get = get_rows,
     .offset = offsetof(struct matrix_case, values.strict_rows),
     .help = "share of rows with |a(i,i)| > the sum of |a(i,j)| over j /= i, rounded to double precision"},
    {.key = "values.definite_candidate",
     .title = "Hermitian, positive diagonal",
     .type = VALUE_BOOLEAN,
     .needs = SESSION_VALUES | SESSION_STRUCTURE,
     .get = get_candidate,
     .help =
         "a(i,j) = conjugate of a(j,i) for all entries, all a(i,i) real and > 0: necessary for a positive "
         "definite matrix, not sufficient"},
    {.key = NULL},
};
