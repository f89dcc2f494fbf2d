#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/repeats.h"
#include "base/text.h"
#include "matrix/columns.h"
#include "ui/find.h"

/* The number of rows or entries between two checks for cancellation. */
#define STRIDE 65536

static bool compare(double value, enum relation relation, double bound)
{
    switch (relation) {
    case RELATION_LESS:
        return value < bound;
    case RELATION_AT_MOST:
        return value <= bound;
    case RELATION_EQUAL:
        return value == bound;
    case RELATION_AT_LEAST:
        return value >= bound;
    case RELATION_MORE:
        return value > bound;
    case RELATION_NOT:
        return value != bound;
    }
    return false;
}

static bool of_rows(enum search_kind kind)
{
    return kind <= SEARCH_LENGTH;
}

static bool of_repeats(enum search_kind kind)
{
    return kind == SEARCH_REPEATED || kind == SEARCH_REPEATED_VALUES;
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

static double modulus(const struct csr *a, int64_t k)
{
    return a->imaginary ? hypot(a->val[k], a->imaginary[k]) : fabs(a->val[k]);
}

/* Return the largest absolute value, or the smallest above 0; NAN if there is none. */
static double extreme_modulus(const struct csr *a, bool largest, struct progress *progress)
{
    double extreme = NAN;
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        double value = modulus(a, k);
        if (k % STRIDE == 0 && progress_cancelled(progress)) break;
        if (isnan(value) || (!largest && value == 0)) continue;
        if (isnan(extreme) || (largest ? value > extreme : value < extreme)) extreme = value;
    }
    return extreme;
}

/* Replace a search for the longest or shortest line, or for the largest or smallest value, by one for that
 * length or absolute value. `offsets` are the offsets of the lines. */
static struct search with_extreme(const struct csr *a, struct search search, const int64_t *offsets,
                                  int64_t lines, struct progress *progress)
{
    if (search.kind == SEARCH_MAX || search.kind == SEARCH_MIN)
        return (struct search){.kind = SEARCH_ABS,
                               .relation = RELATION_EQUAL,
                               .bound = extreme_modulus(a, search.kind == SEARCH_MAX, progress)};
    if (search.kind != SEARCH_LONGEST && search.kind != SEARCH_SHORTEST) return search;
    int64_t extreme = lines > 0 ? offsets[1] - offsets[0] : 0;
    for (int64_t i = 1; i < lines; i++) {
        int64_t length = offsets[i + 1] - offsets[i];
        if (search.kind == SEARCH_LONGEST ? length > extreme : length < extreme) extreme = length;
    }
    search.kind = SEARCH_LENGTH;
    search.relation = RELATION_EQUAL;
    search.bound = (double)extreme;
    return search;
}

static bool column_matches(const int64_t *col_ptr, const struct search *search, int64_t j)
{
    int64_t length = col_ptr[j + 1] - col_ptr[j];
    return search->kind == SEARCH_EMPTY ? length == 0
                                        : compare((double)length, search->relation, search->bound);
}

/* True if the mirror image of entry k is missing, or has another value. */
static bool lacks_mirror(const struct csr *a, int64_t k)
{
    int64_t i = csr_row_of(a, k), j = a->col[k];
    int64_t mirror = j < a->rows && i < a->cols ? csr_find(a, j, i) : -1;
    return mirror < 0 || a->val[mirror] != a->val[k] ||
           (a->imaginary && a->imaginary[mirror] != a->imaginary[k]);
}

static bool row_matches(const struct csr *a, const struct search *search, int64_t i)
{
    switch (search->kind) {
    case SEARCH_EMPTY:
        return length_of(a, i) == 0;
    case SEARCH_DIAGONAL:
        return i < a->cols && csr_find(a, i, i) < 0;
    default:
        return compare((double)length_of(a, i), search->relation, search->bound);
    }
}

static bool entry_matches(const struct csr *a, const struct search *search, int64_t k)
{
    double real = a->val[k], imaginary = a->imaginary ? a->imaginary[k] : 0;
    switch (search->kind) {
    case SEARCH_ZERO:
        return real == 0 && imaginary == 0;
    case SEARCH_NAN:
        return isnan(real) || isnan(imaginary);
    case SEARCH_INF:
        return isinf(real) || isinf(imaginary);
    case SEARCH_ABS:
        return compare(modulus(a, k), search->relation, search->bound);
    case SEARCH_ASYMMETRIC:
        return lacks_mirror(a, k);
    default:
        return compare(real, search->relation, search->bound);
    }
}

/* A search in progress. `repeats` is {0} unless the search is for repeated lines. */
struct hunt {
    struct finding *finding;
    struct search search;
    struct repeats repeats;
};

static bool matches(const struct hunt *hunt, int64_t k, struct progress *progress)
{
    const struct finding *finding = hunt->finding;
    const struct search *search = &hunt->search;
    if (of_repeats(search->kind)) return repeats_of(&hunt->repeats, k, progress) >= 0;
    if (search->columns) return column_matches(finding->col_ptr, search, k);
    return of_rows(search->kind) ? row_matches(finding->a, search, k) : entry_matches(finding->a, search, k);
}

/* Return the first row, column or entry k, from <= k < to, that matches, or -1. *status becomes
 * STATUS_CANCELLED if the search was cancelled. */
static int64_t scan(const struct hunt *hunt, int64_t from, int64_t to, struct progress *progress,
                    enum status *status, struct error *error)
{
    for (int64_t block = from; block < to && *status == STATUS_OK; block += STRIDE) {
        int64_t end = to - block > STRIDE ? block + STRIDE : to;
        for (int64_t k = block; k < end; k++)
            if (matches(hunt, k, progress)) return k;
        progress_add(progress, end - block);
        *status = progress_status(progress, error);
    }
    return -1;
}

static void place_row(struct finding *finding, int64_t i)
{
    const struct csr *a = finding->a;
    finding->row = i;
    if (finding->search.kind == SEARCH_DIAGONAL)
        finding->col = i;
    else if (length_of(a, i) > 0)
        finding->col = a->col[a->row_ptr[i]];
}

static void place_entry(struct finding *finding, int64_t k)
{
    finding->row = csr_row_of(finding->a, k);
    finding->col = finding->a->col[k];
}

/* Move to the first entry of column j. If the column is empty, the row stays the same. */
static void place_column(struct finding *finding, int64_t j)
{
    const struct csr *a = finding->a;
    finding->col = j;
    if (finding->col_ptr[j] == finding->col_ptr[j + 1]) return;
    for (int64_t i = 0; i < a->rows; i++)
        if (csr_find(a, i, j) >= 0) {
            finding->row = i;
            return;
        }
}

/* Find the next position of the list of summed entries. */
static void find_summed(struct finding *finding)
{
    const struct summed *summed = finding->summed;
    if (!summed || summed->kept == 0) return;
    int64_t next = summed_after(summed, finding->row, finding->col);
    finding->wrapped = next == summed->kept;
    const struct summed_place *place = &summed->list[finding->wrapped ? 0 : next];
    finding->found = true;
    finding->row = place->row;
    finding->col = place->col;
    finding->entries = place->entries;
}

/* Record the earlier line that the found line repeats. */
static void note_earlier(const struct hunt *hunt, int64_t k, struct progress *progress)
{
    struct finding *finding = hunt->finding;
    finding->earlier = repeats_of(&hunt->repeats, k, progress);
    finding->same_values =
        finding->earlier >= 0 && repeats_alike(&hunt->repeats, k, finding->earlier, true, progress);
}

/* Prepare the data that the search needs beside the matrix. */
static enum status prepare(struct hunt *hunt, int64_t count, struct progress *progress, struct error *error)
{
    const struct finding *finding = hunt->finding;
    const struct csr *a = finding->a;
    bool columns = finding->search.columns;
    const int64_t *offsets = columns ? finding->col_ptr : a->row_ptr;
    hunt->search = with_extreme(a, finding->search, offsets, count, progress);
    if (!of_repeats(finding->search.kind)) return STATUS_OK;
    return repeats_make(a, offsets, columns, finding->search.kind == SEARCH_REPEATED_VALUES, finding->limit,
                        progress, &hunt->repeats, error);
}

static enum status find(struct hunt *hunt, struct progress *progress, struct error *error)
{
    struct finding *finding = hunt->finding;
    const struct csr *a = finding->a;
    bool columns = finding->search.columns, rows = !columns && of_rows(finding->search.kind);
    int64_t count = columns ? a->cols : rows ? a->rows : csr_nnz(a), next = 0;
    enum status status = prepare(hunt, count, progress, error);
    if (status != STATUS_OK) return status;
    progress_phase(progress,
                   columns ? "searching columns"
                   : rows  ? "searching rows"
                           : "searching entries",
                   count);
    if (columns)
        next = finding->col + 1;
    else if (a->rows > 0)
        next = rows ? finding->row + 1 : csr_lower_bound(a, finding->row, finding->col + 1);
    int64_t k = scan(hunt, next, count, progress, &status, error);
    if (k < 0 && status == STATUS_OK) {
        finding->wrapped = true;
        k = scan(hunt, 0, next < count ? next : count, progress, &status, error);
    }
    if (k < 0) return status;
    if (of_repeats(finding->search.kind)) note_earlier(hunt, k, progress);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    finding->found = true;
    if (columns)
        place_column(finding, k);
    else if (rows)
        place_row(finding, k);
    else
        place_entry(finding, k);
    return STATUS_OK;
}

struct finding finding_of(const struct matrix *matrix, const struct search *search)
{
    return (struct finding){.a = &matrix->csr, .summed = &matrix->summed, .search = *search};
}

enum status finding_run(void *argument, struct progress *progress, struct error *error)
{
    struct finding *finding = argument;
    struct hunt hunt = {.finding = finding};
    int64_t *counted = NULL;
    enum status status = STATUS_OK;
    finding->found = finding->wrapped = false;
    finding->earlier = -1;
    if (finding->search.kind == SEARCH_SUMMED) {
        find_summed(finding);
        return STATUS_OK;
    }
    if (finding->search.columns && !finding->col_ptr) {
        status = column_offsets(finding->a, finding->limit, progress, &counted, error);
        finding->col_ptr = counted;
    }
    if (status == STATUS_OK) status = find(&hunt, progress, error);
    repeats_free(&hunt.repeats);
    if (counted) finding->col_ptr = NULL;
    free(counted);
    return status;
}

/* Append to a text of FOUND_SIZE bytes, as far as there is room. */
static void append(char *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *out, const char *format, ...)
{
    size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + length, FOUND_SIZE - length, format, arguments);
    va_end(arguments);
}

char *finding_text(const struct finding *finding, const char *sought, char out[FOUND_SIZE])
{
    const struct search *search = &finding->search;
    char row[32], col[32];
    out[0] = 0;
    append(out, "found %s at row %s, column %s%s", sought, format_count(row, sizeof row, finding->row + 1),
           format_count(col, sizeof col, finding->col + 1),
           finding->wrapped ? ", starting again from the top" : "");
    if (of_repeats(search->kind))
        append(out, ": it repeats %s %s, %s", search->columns ? "column" : "row",
               format_count(row, sizeof row, finding->earlier + 1),
               finding->same_values ? "values too" : "with other values");
    if (search->kind == SEARCH_SUMMED) {
        const struct summed *summed = finding->summed;
        append(out, ": the sum of %s entries of the file", format_count(row, sizeof row, finding->entries));
        if (summed->kept < summed->count)
            append(out, "; the first %s of %s such positions are known",
                   format_count(row, sizeof row, summed->kept), format_count(col, sizeof col, summed->count));
    }
    return out;
}
