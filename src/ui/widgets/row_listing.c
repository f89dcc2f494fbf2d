#include "ui/widgets/row_listing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* When this number of entries is kept, the superfluous ones are removed. */
#define KEPT_MAX (2 * ROW_LISTING_MAX)

#define STEPS_AT_ONCE 65536 /* steps between two updates of the progress */

/* Sizes are sorted by this number. NaN is as large as infinity. */
static double rank_of(double size)
{
    return isnan(size) ? INFINITY : size;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct listed_entry *left = a, *right = b;
    const double l = rank_of(left->size), r = rank_of(right->size);
    if (l != r) return l > r ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static double size_of(const struct matrix *matrix, int64_t entry)
{
    const struct csr *a = &matrix->csr;
    if (matrix->field == FIELD_PATTERN) return 1;
    return a->imaginary ? hypot(a->val[entry], a->imaginary[entry]) : fabs(a->val[entry]);
}

/* Keep only the ROW_LISTING_MAX largest entries, in descending order. */
static void keep_largest(struct row_listing *listing)
{
    qsort(listing->entries, (size_t)listing->listed, sizeof *listing->entries, compare_sizes);
    listing->listed = (int)min(listing->listed, ROW_LISTING_MAX);
}

/* Remove the first `number` of the kept entries. */
static void drop_first(struct row_listing *listing, int number)
{
    listing->listed -= number;
    listing->first += number;
    memmove(listing->entries, listing->entries + number, (size_t)listing->listed * sizeof *listing->entries);
}

/* Keep the entry if it may be among the listed ones. */
static void keep(struct row_listing *listing, struct listed_entry entry)
{
    if (listing->listed == KEPT_MAX) {
        if (listing->by_size)
            keep_largest(listing);
        else if (listing->entries[KEPT_MAX - 1].place < listing->aim)
            drop_first(listing, ROW_LISTING_MAX);
        else
            return;
    }
    /* Positions ascend: of equal sizes, the kept entry comes first. */
    if (listing->by_size && listing->count > KEPT_MAX &&
        !(rank_of(entry.size) > rank_of(listing->entries[ROW_LISTING_MAX - 1].size)))
        return;
    listing->entries[listing->listed++] = entry;
}

int row_listing_part(const struct row_listing *listing, int64_t place)
{
    const struct csr *a = &listing->matrix->csr;
    const int64_t length = listing->line.column ? a->rows : a->cols;
    return (int)((double)place * listing->part_count / (double)length);
}

static void take(struct row_listing *listing, int64_t entry, int64_t place)
{
    const double size = size_of(listing->matrix, entry);
    double *part = &listing->parts[row_listing_part(listing, place)];
    listing->count++;
    listing->sum += size;
    *part += isfinite(size) ? size : DBL_MAX;
    if (*part <= 0) *part = DBL_MIN; /* explicit zeros are visible as well */
    keep(listing, (struct listed_entry){entry, place, size});
}

/* Take the entries of steps [from, to). A step is an entry of the listed row, or a row that is searched for
 * an entry of the listed column. */
static void take_steps(struct row_listing *listing, int64_t from, int64_t to)
{
    const struct csr *a = &listing->matrix->csr;
    const struct matrix_line line = listing->line;
    for (int64_t k = from; k < to; k++) {
        if (!line.column) {
            take(listing, a->row_ptr[line.at] + k, a->col[a->row_ptr[line.at] + k]);
            continue;
        }
        const int64_t entry = csr_find(a, k, line.at);
        if (entry >= 0) take(listing, entry, k);
    }
}

/* Reduce the kept entries to the listed ones. In a listing by position, `aim` is in their middle. */
static void finish(struct row_listing *listing)
{
    if (listing->by_size) {
        keep_largest(listing);
        return;
    }
    int at = 0;
    while (at < listing->listed && listing->entries[at].place < listing->aim)
        at++;
    const int spare = listing->listed - ROW_LISTING_MAX;
    if (spare > 0) drop_first(listing, (int)clip(at - ROW_LISTING_MAX / 2, spare));
    listing->listed = (int)min(listing->listed, ROW_LISTING_MAX);
}

int64_t row_listing_steps(const struct matrix *matrix, struct matrix_line line)
{
    const struct csr *a = &matrix->csr;
    return line.column ? a->rows : a->row_ptr[line.at + 1] - a->row_ptr[line.at];
}

enum status row_listing_make(struct row_listing *listing, struct progress *progress, struct error *error)
{
    const struct csr *a = &listing->matrix->csr;
    const int64_t steps = row_listing_steps(listing->matrix, listing->line);
    enum status status = STATUS_OK;
    listing->part_count = (int)min(ROW_LISTING_PARTS, listing->line.column ? a->rows : a->cols);
    listing->entries = memory_array(KEPT_MAX, sizeof *listing->entries, error);
    listing->parts = memory_zeroed((size_t)listing->part_count, sizeof *listing->parts, error);
    if (!listing->entries || !listing->parts) return STATUS_MEMORY;
    progress_phase(progress, "listing entries", steps);
    for (int64_t k = 0; k < steps && status == STATUS_OK; k += STEPS_AT_ONCE) {
        const int64_t end = min(k + STEPS_AT_ONCE, steps);
        take_steps(listing, k, end);
        progress_add(progress, end - k);
        status = progress_status(progress, error);
    }
    finish(listing);
    return status;
}

void row_listing_free(struct row_listing *listing)
{
    free(listing->entries);
    free(listing->parts);
    *listing = (struct row_listing){0};
}
