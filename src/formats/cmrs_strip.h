/* One strip of CMRS, and which slots its entries take. Used by the files of CMRS only. */
#ifndef SPARSIGHT_FORMATS_CMRS_STRIP_H
#define SPARSIGHT_FORMATS_CMRS_STRIP_H

#include "base/range.h"
#include "formats/cmrs.h"

/* Row r of the strip has entries ptr[r] .. ptr[r+1]-1 of the matrix. */
struct strip {
    const int64_t *ptr;
    int rows; /* the height; fewer in the last strip */
};

static inline struct strip strip_at(const struct csr *a, int64_t height, int64_t s)
{
    int64_t first = s * height;
    return (struct strip){a->row_ptr + first, (int)min(height, a->rows - first)};
}

static inline int64_t strip_entries(const struct strip *strip)
{
    return strip->ptr[strip->rows] - strip->ptr[0];
}

/* Groups of 32 that the strip takes if a group may have `modulo` entries of one row:
 *
 *     G = max(ceil(entries / 32), max over its rows of ceil(length / modulo)).
 *
 * Fewer cannot do, and G are enough: the entries, row by row, are dealt to the groups like cards, one each in
 * turn, G - 1 being followed by 0. Then a group gets at most ceil(entries / G) <= 32 of all and
 * ceil(length / G) <= modulo of a row. Only these numbers are dealt. Which entries they are follows from the
 * order: earlier columns of a row go to earlier groups, so that a group's rows are all at about the same
 * share of their entries, and load nearby elements of x where the rows are alike. */
static inline int64_t strip_groups(const struct strip *strip, int64_t modulo)
{
    int64_t groups = (strip_entries(strip) + CMRS_GROUP - 1) / CMRS_GROUP;
    for (int r = 0; r < strip->rows; r++) {
        int64_t needed = (strip->ptr[r + 1] - strip->ptr[r] + modulo - 1) / modulo;
        if (needed > groups) groups = needed;
    }
    return groups;
}

/* Slots that the strip takes; modulo 0: no padding. */
static inline int64_t strip_slots(const struct strip *strip, int64_t modulo)
{
    return modulo ? strip_groups(strip, modulo) * CMRS_GROUP : strip_entries(strip);
}

/* How a strip is dealt: the first r rows together hold whole[r] * groups + rest[r] entries, rest[r] < groups.
 */
struct deal {
    int64_t groups;
    int64_t whole[CMRS_HEIGHT_MAX + 1], rest[CMRS_HEIGHT_MAX + 1];
};

/* groups > 0. */
static inline struct deal strip_deal(const struct strip *strip, int64_t groups)
{
    struct deal deal = {.groups = groups};
    for (int r = 0; r <= strip->rows; r++) {
        deal.whole[r] = (strip->ptr[r] - strip->ptr[0]) / groups;
        deal.rest[r] = (strip->ptr[r] - strip->ptr[0]) % groups;
    }
    return deal;
}

/* Entries of the first r rows in group g: where in it the run of row r begins. */
static inline int64_t deal_start(const struct deal *deal, int r, int64_t g)
{
    return deal->whole[r] + (g < deal->rest[r]);
}

/* Entries of row r in the groups before g. */
static inline int64_t deal_before(const struct deal *deal, int r, int64_t g)
{
    return (deal->whole[r + 1] - deal->whole[r]) * g + min(deal->rest[r + 1], g) - min(deal->rest[r], g);
}

/* Write all arrays: the format's fill, and the bytes that it takes for itself. */
size_t cmrs_scratch(const struct csr *a);
enum status fill_cmrs(struct storage *storage, const struct csr *a, struct progress *progress,
                      struct error *error);

/* The column and the row in strip of slot e. */
static inline int64_t cmrs_col(const struct storage *storage, int64_t e)
{
    if (storage->number[CMRS_PACKED])
        return ((const uint32_t *)storage->array[CMRS_COL_IND].data)[e] >> CMRS_ROW_BITS;
    return ((const int32_t *)storage->array[CMRS_COL_IND].data)[e];
}

static inline int cmrs_row(const struct storage *storage, int64_t e)
{
    if (storage->number[CMRS_PACKED])
        return ((const uint32_t *)storage->array[CMRS_COL_IND].data)[e] & ((1 << CMRS_ROW_BITS) - 1);
    return ((const uint8_t *)storage->array[CMRS_ROW_IN_STRIP].data)[e];
}

#endif
