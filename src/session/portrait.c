#include "session/portrait.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "formats/bsr.h"
#include "formats/dia.h"
#include "formats/ell.h"

/* Rows with this share of the entries are mentioned if they are at most this share of all rows. */
#define HEAVY_ENTRIES (1.0 / 3)
#define HEAVY_ROWS 0.1
#define HEAVY_TIMES 8 /* and if the longest has this many times the mean length */

#define EVEN_CV 0.35         /* below this, row lengths count as equal */
#define PADDING_TOLD 1.5     /* ELL's padding is mentioned from this number of slots per entry on */
#define FEW_DIAGONALS 64     /* maximum number of diagonals of a stencil or a band, */
#define DIAGONALS_PADDED 1.7 /* and maximum number of slots of DIA per entry */
#define BLOCKS_PADDED 1.25   /* maximum slots per entry in a matrix that consists of blocks */
#define GROUPS_TOLD 1.5      /* groups of rows are mentioned from this mean number of rows on */
#define GROUPS_LARGER 1.25   /* and similar rows if their groups are this many times as large */
#define NARROW 0.1           /* maximum bandwidth / size of a banded matrix */
#define SCATTERED 0.15       /* minimum mean distance from a row's first entry to the diagonal / size */
#define NEAR 0.05            /* maximum of the same for entries near the diagonal */
#define REORDERED 4          /* an order is mentioned if it divides the bandwidth by this */
#define HEAVY_COLUMN 0.1     /* minimum share of rows in which a mentioned column has an entry, */
#define COLUMN_TIMES 8       /* and its minimum entries in multiples of the mean */
#define HARDLY_SPARSE 0.1    /* minimum entries / positions to be mentioned */
#define NEARLY 0.995         /* share of entries with a mirror image in a nearly symmetric pattern */
#define TOLD 0.005           /* smaller shares of rows or entries are not mentioned */
#define ZEROS_TOLD 0.01      /* minimum explicit zeros / entries to be mentioned */
#define DECADES_TOLD 8       /* minimum powers of ten between smallest and largest |a| */

struct portraying {
    const struct session *session;
    const struct matrix_case *of;
    const struct matrix *matrix;
    int64_t rows, cols, nnz;
    struct portrait *portrait;
};

static void find(struct portraying *p, int weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a sentence, unless it is the least peculiar of too many. */
static void find(struct portraying *p, int weight, const char *format, ...)
{
    struct portrait *portrait = p->portrait;
    int least = weight;
    for (int k = 0; k < portrait->count; k++)
        least = min(least, portrait->weight[k]);
    if (portrait->count == PORTRAIT_MAX && least == weight) return;
    if (portrait->count == PORTRAIT_MAX) portrait_shorten(portrait);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(portrait->sentence[portrait->count], PORTRAIT_WORDS, format, arguments);
    va_end(arguments);
    portrait->weight[portrait->count++] = weight;
}

/* The text of a share: "12%". Valid until the second call after the next one. */
static const char *percent(double share)
{
    static _Thread_local char texts[3][32];
    static _Thread_local int turn;
    turn = (turn + 1) % 3;
    return format_rough(texts[turn], sizeof texts[turn], share);
}

static const char *number(int64_t value)
{
    static _Thread_local char texts[3][32];
    static _Thread_local int turn;
    turn = (turn + 1) % 3;
    return format_count(texts[turn], sizeof texts[turn], value);
}

static bool is_square(const struct portraying *p)
{
    return p->rows == p->cols;
}

static bool is_diagonal(const struct portraying *p)
{
    const struct structure *s = &p->of->structure;
    return is_square(p) && case_has(p->of, SESSION_STRUCTURE) && s->lower_bandwidth == 0 &&
           s->upper_bandwidth == 0;
}

static bool is_triangular(const struct portraying *p)
{
    const struct structure *s = &p->of->structure;
    return is_square(p) && case_has(p->of, SESSION_STRUCTURE) &&
           (s->lower_bandwidth == 0 || s->upper_bandwidth == 0);
}

/* Return the matrix in a format with its defaults; NULL if its size is unknown. */
static const struct conversion *conversion_of(const struct portraying *p, const struct format *format)
{
    const struct format_choice choice = format_choice_default(format, PRECISION_F64);
    const struct conversion *conversion = conversions_find(&p->of->conversions, &choice);
    return conversion && atomic_load(&conversion->sized) ? conversion : NULL;
}

/* Return the slots per entry in this format; NaN if unknown. */
static double padding_of(const struct portraying *p, const struct format *format)
{
    const struct conversion *conversion = conversion_of(p, format);
    return conversion ? conversion->size.padding_ratio : NAN;
}

/* Return what diagonal dominance implies for a symmetric or Hermitian matrix with a positive diagonal. By
 * Gershgorin's circles no eigenvalue is negative. None is 0 if all rows are strictly dominant, or if one is
 * and the matrix is irreducible (Taussky, American Mathematical Monthly 56, 1949). NULL if it implies
 * nothing. */
static const char *definite(const struct portraying *p)
{
    const struct values *values = &p->of->values;
    const bool connected = case_has(p->of, SESSION_COMPONENTS) && p->of->components.connected == 1;
    if (values->positive_diagonal < p->rows || values->dominant_rows < p->rows) return NULL;
    const bool strict = values->strict_rows == p->rows || (values->strict_rows > 0 && connected);
    return strict ? "positive definite" : "positive semidefinite";
}

static void find_dominance(struct portraying *p, const char *kind)
{
    const struct values *values = &p->of->values;
    const double dominant = (double)values->dominant_rows / (double)p->rows;
    if (p->matrix->field == FIELD_PATTERN)
        find(p, 7, "Its pattern is symmetric; the file has no values.");
    else if (!case_has(p->of, SESSION_VALUES) || values->positive_diagonal == 0)
        find(p, 7, "It is %s.", kind);
    else if (values->positive_diagonal < p->rows)
        find(p, 7, "It is %s, and %s of its %s diagonal entries are positive.", kind,
             number(values->positive_diagonal), number(p->of->structure.diagonal_nonzeros));
    else if (definite(p))
        find(p, 9, "It is %s and %s: it is diagonally dominant with a positive diagonal.", kind, definite(p));
    else if (dominant < TOLD)
        find(p, 7, "It is %s with a positive diagonal.", kind);
    else
        find(p, 7, "It is %s with a positive diagonal, and diagonally dominant in %s of its rows.", kind,
             percent(dominant));
}

/* Describe the symmetry of the pattern, for a matrix that is not symmetric. */
static void find_pattern_symmetry(struct portraying *p)
{
    const struct structure *s = &p->of->structure;
    const int64_t off = p->nnz - s->diagonal_nonzeros,
                  single = (int64_t)llround((1 - s->pattern_symmetry) * (double)off);
    const char *about = s->symmetry_error > 0 ? "about " : "";
    if (s->pattern_symmetry >= 1 && s->numeric_symmetry < TOLD)
        find(p, 8, "Its pattern is symmetric, its values are not.");
    else if (s->pattern_symmetry >= 1)
        find(p, 8, "Its pattern is symmetric, its values are not: %s%s of the pairs are equal.", about,
             percent(s->numeric_symmetry));
    else if (s->pattern_symmetry >= NEARLY)
        find(p, 8, "Its pattern is symmetric but for %s%s entr%s.", about, number(single),
             single == 1 ? "y" : "ies");
    else if (s->pattern_symmetry < TOLD)
        find(p, 6, "Its pattern is not symmetric: hardly any entry has a mirror image.");
    else
        find(p, 6, "Its pattern is not symmetric: %s%s of the entries off the diagonal have a mirror image.",
             about, percent(s->pattern_symmetry));
}

static void find_symmetry(struct portraying *p)
{
    const struct structure *s = &p->of->structure;
    if (is_diagonal(p)) return; /* find_place says so */
    if (is_triangular(p))
        find(p, 9, "It is %s triangular%s.", s->lower_bandwidth == 0 ? "upper" : "lower",
             s->diagonal_nonzeros == p->rows ? " with a full diagonal" : "");
    else if (s->pattern_symmetry >= 1 && s->conjugate_symmetry >= 1)
        find_dominance(p, case_is_complex(p->of) ? "Hermitian" : "symmetric");
    else if (p->matrix->symmetry == SYMMETRY_SKEW)
        find(p, 8, "It is skew-symmetric.");
    else if (s->pattern_symmetry >= 1 && s->numeric_symmetry >= 1)
        find(p, 8, "It is complex symmetric, not Hermitian.");
    else
        find_pattern_symmetry(p);
}

static void find_shape(struct portraying *p)
{
    const double ratio = (double)p->rows / (double)p->cols;
    const double density = (double)p->nnz / ((double)p->rows * (double)p->cols);
    char times[32];
    snprintf(times, sizeof times, "%.2g", ratio > 1 ? ratio : 1 / ratio);
    if (ratio >= 99.5 || ratio <= 1 / 99.5) format_short(times, sizeof times, ratio > 1 ? ratio : 1 / ratio);
    if (density > HARDLY_SPARSE)
        find(p, 9, "It is hardly sparse: %s of its positions have an entry.", percent(density));
    if (is_square(p)) {
        if (case_has(p->of, SESSION_STRUCTURE)) find_symmetry(p);
    } else if (ratio > 1.1 || ratio < 1 / 1.1)
        find(p, 8, "It has %s times as many %s.", times, ratio > 1 ? "rows as columns" : "columns as rows");
    else
        find(p, 5, "It is not quite square.");
}

static int64_t bandwidth_of(const struct structure *structure)
{
    return max(structure->lower_bandwidth, structure->upper_bandwidth);
}

/* Return the order with the smallest bandwidth, if that is much smaller than here; else NULL. */
static const struct matrix_case *narrower(const struct portraying *p)
{
    const struct matrix_case *best = NULL;
    int64_t least = bandwidth_of(&p->of->structure) / REORDERED;
    for (int k = 0; k < p->session->case_count; k++) {
        const struct matrix_case *other = &p->session->cases[k];
        if (other == p->of || !case_has(other, SESSION_STRUCTURE)) continue;
        if (bandwidth_of(&other->structure) > least) continue;
        least = bandwidth_of(&other->structure);
        best = other;
    }
    return best;
}

/* Write the positions of the entries: on diagonals, in a band, near the diagonal or anywhere. */
static void find_place(struct portraying *p)
{
    const struct structure *s = &p->of->structure;
    const double size = (double)p->rows, reach = (double)s->profile / (size * size);
    const double padding = padding_of(p, &format_dia);
    const int64_t bandwidth = bandwidth_of(s);
    if (!case_has(p->of, SESSION_STRUCTURE)) return;
    const struct matrix_case *order = narrower(p);
    if (is_diagonal(p))
        find(p, 9, "It is diagonal.");
    else if (s->diagonals == 1)
        find(p, 9, "Its entries lie on one diagonal.");
    else if (s->diagonals <= FEW_DIAGONALS && padding <= DIAGONALS_PADDED)
        find(p, 9, "Its entries lie on %s diagonals, which are %s full.", number(s->diagonals),
             percent(1 / padding));
    else if (order)
        find(p, 10, "The order %s makes it banded: the bandwidth falls from %s to %s.", order->order,
             number(bandwidth), number(bandwidth_of(&order->structure)));
    else if (!is_square(p))
        return;
    else if ((double)bandwidth < NARROW * size)
        find(p, 8, "It is banded: its bandwidth is %s, %s of n.", number(bandwidth),
             percent((double)bandwidth / size));
    else if (reach > SCATTERED)
        find(p, 7, "Its profile is large: rows begin %s of n left of the diagonal on average.",
             percent(reach));
    else if (reach < NEAR)
        find(p, 6, "Its profile is small, but its bandwidth is %s, %s of n.", number(bandwidth),
             percent((double)bandwidth / size));
}

static void tell_blocks(struct portraying *p, int rows, int cols, double fill)
{
    if (fill < TOLD)
        find(p, 9, "It consists of %d x %d blocks, which are 100%% full.", rows, cols);
    else
        find(p, 9, "It consists of %d x %d blocks with %s fill.", rows, cols, percent(fill));
}

/* BSR chooses the blocks with the fewest bytes, if the dense blocks are not known. */
static void find_square_blocks(struct portraying *p)
{
    const struct conversion *conversion = conversion_of(p, &format_bsr);
    if (!conversion || !(conversion->size.padding_ratio <= BLOCKS_PADDED)) return;
    const int side = (int)conversion->resolved.values.number[0];
    if (side > 1) tell_blocks(p, side, side, 1 - 1 / conversion->size.padding_ratio);
}

/* Write the groups of consecutive equal rows, or of similar ones if these are larger. */
static void find_groups(struct portraying *p)
{
    const struct dense_blocks *blocks = &p->of->dense_blocks;
    const bool similar = blocks->mean_similar_group >= GROUPS_LARGER * blocks->mean_row_group &&
                         blocks->similar_fill <= 1 - 1 / BLOCKS_PADDED;
    char mean[32];
    if ((double)p->nnz > HARDLY_SPARSE * (double)p->rows * (double)p->cols) return;
    if (!((similar ? blocks->mean_similar_group : blocks->mean_row_group) >= GROUPS_TOLD)) return;
    format_digits(mean, sizeof mean, similar ? blocks->mean_similar_group : blocks->mean_row_group, 3);
    if (similar)
        find(p, 5, "Consecutive rows have similar columns, in groups of %s rows on average with %s fill.",
             mean, percent(blocks->similar_fill));
    else
        find(p, 5, "Consecutive rows have the same columns, in groups of %s rows on average.", mean);
}

static void find_blocks(struct portraying *p)
{
    const struct dense_blocks *blocks = &p->of->dense_blocks;
    if (!case_has(p->of, SESSION_DENSE_BLOCKS)) {
        find_square_blocks(p);
        return;
    }
    const int rows = (int)blocks->rows, cols = (int)blocks->cols;
    if (rows < 2 || cols < 2 || !(blocks->fill <= 1 - 1 / BLOCKS_PADDED))
        find_groups(p);
    else
        tell_blocks(p, rows, cols, blocks->fill);
}

/* Return the smallest number of rows that have the share HEAVY_ENTRIES of all entries. */
static int64_t heavy_rows(const struct lengths *lengths)
{
    const double wanted = HEAVY_ENTRIES * (double)lengths->nnz;
    double held = 0;
    int64_t rows = 0;
    for (int64_t k = lengths->bins - 1; k >= 0 && held < wanted; k--) {
        const double length = (double)lengths->histogram[k].length,
                     count = fmin((double)lengths->histogram[k].count, ceil((wanted - held) / length));
        held += count * length;
        rows += (int64_t)count;
    }
    return rows;
}

/* Append the cost of the row lengths in ELL to the sentence on them. */
static void append_padding(const struct portraying *p, char *out, size_t size)
{
    const double padding = padding_of(p, &format_ell);
    char slots[32];
    out[0] = 0;
    if (padding >= 999.5)
        format_count(slots, sizeof slots, llround(padding));
    else
        format_digits(slots, sizeof slots, padding, 3);
    if (padding >= PADDING_TOLD) snprintf(out, size, "; ELL needs %s slots per entry", slots);
}

static void find_rows(struct portraying *p)
{
    const struct lengths *rows = &p->of->row_lengths;
    char mean[32], ell[64];
    if (!case_has(p->of, SESSION_ROW_LENGTHS) || rows->lines == 0) return;
    append_padding(p, ell, sizeof ell);
    format_digits(mean, sizeof mean, rows->mean, 3);
    const int64_t heavy = heavy_rows(rows), half = (int64_t)floor(rows->median);
    if (rows->min == rows->max)
        find(p, 8, "Each row has %s entr%s.", number(rows->max), rows->max == 1 ? "y" : "ies");
    else if ((double)heavy <= HEAVY_ROWS * (double)rows->lines &&
             (double)rows->max >= HEAVY_TIMES * rows->mean)
        find(p, 10, "%s of %s rows hold%s a third of the entries: up to %s, with a mean of %s%s.",
             number(heavy), number(rows->lines), heavy == 1 ? "s" : "", number(rows->max), mean, ell);
    else if (rows->cv < EVEN_CV)
        find(p, 6, "Rows have %s to %s entries, with a mean of %s%s.", number(rows->min), number(rows->max),
             mean, ell);
    else
        find(p, 7, "Row lengths vary: half the rows have at most %s entr%s, the longest has %s%s.",
             number(half), half == 1 ? "y" : "ies", number(rows->max), ell);
    if (rows->empty > 0)
        find(p, 6, "%s of its rows are empty.", percent((double)rows->empty / (double)rows->lines));
}

static void find_columns(struct portraying *p)
{
    const struct lengths *cols = &p->of->col_lengths;
    if (!case_has(p->of, SESSION_COL_LENGTHS) || cols->lines == 0) return;
    if ((double)cols->max >= HEAVY_COLUMN * (double)p->rows && cols->max >= COLUMN_TIMES * cols->mean)
        find(p, 7, "One column is dense: it has entries in %s of the rows.",
             percent((double)cols->max / (double)p->rows));
}

static void find_values(struct portraying *p)
{
    const struct values *values = &p->of->values;
    const int64_t odd = values->nan + values->infinite;
    if (p->matrix->explicit_zeros > ZEROS_TOLD * (double)p->nnz)
        find(p, 8, "%s of its entries are explicit zeros, which every format stores.",
             percent((double)p->matrix->explicit_zeros / (double)p->nnz));
    if (!case_has(p->of, SESSION_VALUES) || p->matrix->field == FIELD_PATTERN) return;
    const double decades = log10(values->max_abs / values->min_abs);
    if (odd > 0)
        find(p, 20, "%s of its values %s not finite.", number(odd), odd == 1 ? "is" : "are");
    else if (values->min_abs == values->max_abs && p->matrix->explicit_zeros == 0)
        find(p, 7, "All its values have the absolute value %g.", values->max_abs);
    else if (decades >= DECADES_TOLD)
        find(p, 7, "Its values span %.0f powers of ten.", decades);
}

static void find_components(struct portraying *p)
{
    const struct components *components = &p->of->components;
    const int64_t vertices = is_square(p) ? p->rows : p->rows + p->cols;
    if (!case_has(p->of, SESSION_COMPONENTS) || is_diagonal(p)) return;
    if (components->connected > 1)
        find(p, 6, "It has %s connected components; the largest has %s of the %s.",
             number(components->connected), percent((double)components->largest / (double)vertices),
             is_square(p) ? "rows" : "rows and columns");
    else if (components->strong > 1 && !is_triangular(p))
        find(p, 5, "It is reducible: its graph has %s strongly connected components.",
             number(components->strong));
}

void portrait_shorten(struct portrait *portrait)
{
    int least = 0;
    for (int k = 1; k < portrait->count; k++)
        if (portrait->weight[k] <= portrait->weight[least]) least = k;
    if (portrait->count > 0) portrait->count--;
    for (int k = least; k < portrait->count; k++) {
        memcpy(portrait->sentence[k], portrait->sentence[k + 1], PORTRAIT_WORDS);
        portrait->weight[k] = portrait->weight[k + 1];
    }
}

void portrait_make(const struct session *session, const struct matrix_case *of, struct portrait *portrait)
{
    struct portraying p = {.session = session,
                           .of = of,
                           .matrix = &of->matrix,
                           .rows = of->matrix.csr.rows,
                           .cols = of->matrix.csr.cols,
                           .nnz = case_nnz(of),
                           .portrait = portrait};
    *portrait = (struct portrait){.count = 0};
    if (p.rows == 0 || p.cols == 0 || p.nnz == 0) return;
    find_shape(&p);
    find_place(&p);
    find_blocks(&p);
    find_rows(&p);
    find_columns(&p);
    find_values(&p);
    find_components(&p);
}
