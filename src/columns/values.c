/* The columns of a matrix's values. A pattern matrix has none. */
#include "columns/lists.h"

#include <math.h>

#include "base/range.h"

static bool has_values(const struct subject *subject)
{
    return subject->matrix_case->matrix.field != FIELD_PATTERN;
}

const struct column_part part_values = {.key = "values", .title = "Values", .applies = has_values};

const void *owner_values(const struct subject *subject)
{
    return has_values(subject) ? &subject->matrix_case->values : NULL;
}

/* Complex values have no sign. */
static bool has_signs(const struct subject *subject)
{
    return !case_is_complex(subject->matrix_case);
}

static struct value share_of_rows(const struct subject *subject, int64_t count)
{
    const struct csr *a = &subject->matrix_case->matrix.csr;
    if (!has_values(subject) || a->rows != a->cols) return null_value();
    return real_value(share_of((double)count, (double)a->rows));
}

static struct value get_dominant(const struct column *column, const struct subject *subject)
{
    return share_of_rows(subject, subject->matrix_case->values.dominant_rows);
}

static struct value get_strictly_dominant(const struct column *column, const struct subject *subject)
{
    return share_of_rows(subject, subject->matrix_case->values.strict_rows);
}

/* Without off-diagonal entries their share is undefined, and the matrix is symmetric. */
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

#define OF(member) COLUMN_STORED(owner_values, struct values, member)

const struct column value_columns[] = {
    {.key = "values.min",
     .title = "Minimum",
     OF(min),
     .negative = true,
     .help = "smallest finite value; null if values are complex"},
    {.key = "values.max",
     .title = "Maximum",
     OF(max),
     .negative = true,
     .help = "largest finite value; null if values are complex"},
    {.key = "values.min_abs",
     .title = "Smallest nonzero |a|",
     OF(min_abs),
     .help = "smallest |a| of the finite nonzero values; the modulus if complex"},
    {.key = "values.max_abs",
     .title = "Largest |a|",
     OF(max_abs),
     .help = "largest |a| of the finite values; the modulus if complex"},
    {.key = "values.mean_abs",
     .title = "Mean |a|",
     OF(mean_abs),
     .help = "mean |a| of the finite values, explicit zeros included"},
    {.key = "values.positive",
     .title = "Positive",
     .unit = "entries",
     OF(positive),
     .known = has_signs,
     .help = "entries above 0; null if values are complex"},
    {.key = "values.negative",
     .title = "Negative",
     .unit = "entries",
     OF(negative),
     .known = has_signs,
     .help = "entries below 0; null if values are complex"},
    {.key = "values.nan",
     .title = "Not a number",
     .unit = "entries",
     OF(nan),
     .help = "entries that are NaN; if complex, entries with a NaN part and no infinite part"},
    {.key = "values.infinite",
     .title = "Infinite",
     .unit = "entries",
     OF(infinite),
     .help = "entries whose |a| is infinite or exceeds double precision"},
    {.key = "values.norm_1",
     .title = "1-norm",
     OF(norm_1),
     .help = "largest sum of |a| over a column; null if a value is not finite"},
    {.key = "values.norm_inf",
     .title = "Infinity norm",
     OF(norm_inf),
     .help = "largest sum of |a| over a row; null if a value is not finite"},
    {.key = "values.norm_frobenius",
     .title = "Frobenius norm",
     OF(norm_frobenius),
     .help = "sqrt(sum |a|^2), summed without overflow; null if a value is not finite"},
    {.key = "values.dominant_rows",
     .title = "Diagonally dominant",
     .unit = "of the rows",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_dominant,
     .help = "share of rows with |a(i,i)| >= the sum of |a(i,j)| over j /= i, rounded to double precision; "
             "empty rows count as such"},
    {.key = "values.strictly_dominant_rows",
     .title = "Strictly dominant",
     .unit = "of the rows",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_strictly_dominant,
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
