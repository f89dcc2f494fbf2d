/* One strip of CMRS, and the slots of its entries. */
#ifndef SPARSIGHT_FORMATS_CMRS_STRIP_H
#define SPARSIGHT_FORMATS_CMRS_STRIP_H

#include "base/range.h"
#include "formats/cmrs.h"

/* A strip, whose row r has entries ptr[r] .. ptr[r+1]-1 of the matrix. */
struct strip {
    const int64_t *ptr;
    int rows; /* the height; fewer in the last strip if the matrix ends within it */
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

/* Return the length of the longest row. */
static inline int64_t strip_longest(const struct strip *strip)
{
    int64_t longest = 0;
    for (int r = 0; r < strip->rows; r++)
        longest = max(longest, strip->ptr[r + 1] - strip->ptr[r]);
    return longest;
}

/* Return the number of groups by the equation of strip_groups. */
static inline int64_t strip_groups_of(int64_t entries, int64_t longest, int64_t modulo)
{
    return max((entries + CMRS_GROUP - 1) / CMRS_GROUP, (longest + modulo - 1) / modulo);
}

/* Return the number of groups of 32 that the strip takes if a group may have `modulo` entries of one row:
 *
 *     G = max(ceil(entries / 32), max over its rows of ceil(length / modulo)).
 *
 * Fewer groups do not suffice, and G groups do. To see this, deal the entries, row by row, to the groups like
 * cards, one each in turn, group G - 1 being followed by group 0. Then a group gets at most ceil(entries / G)
 * <= 32 entries in all, and at most ceil(length / G) <= modulo of a row. With modulo 2, rows of 5 and 3
 * entries take 3 groups:
 *
 *     row 0   group 0 1 2 0 1        group 0 gets 2 of row 0 and 1 of row 1
 *     row 1   group 2 0 1            group 1 gets 2 of row 0 and 1 of row 1
 *                                    group 2 gets 1 of row 0 and 1 of row 1
 *
 * Only these numbers are dealt. The order of the columns determines the entries: earlier columns of a row go
 * to earlier groups. So the rows of a group are all at about the same share of their entries, and load nearby
 * elements of x where the rows are alike. */
static inline int64_t strip_groups(const struct strip *strip, int64_t modulo)
{
    return strip_groups_of(strip_entries(strip), strip_longest(strip), modulo);
}

/* Return the number of slots that the strip takes; modulo 0 means no groups and no padding. */
static inline int64_t strip_slots(const struct strip *strip, int64_t modulo)
{
    return modulo ? strip_groups(strip, modulo) * CMRS_GROUP : strip_entries(strip);
}

/* The division of a strip among groups: the first r rows together have whole[r] * groups + rest[r] entries,
 * rest[r] < groups. After them every group has whole[r] entries, and the first rest[r] groups have one
 * more. */
struct deal {
    int64_t groups;
    int64_t whole[CMRS_HEIGHT_MAX + 1], rest[CMRS_HEIGHT_MAX + 1];
};

/* Return the division of the strip among `groups` >= 1 groups. */
static inline struct deal strip_deal(const struct strip *strip, int64_t groups)
{
    struct deal deal = {.groups = groups};
    for (int r = 0; r <= strip->rows; r++) {
        deal.whole[r] = (strip->ptr[r] - strip->ptr[0]) / groups;
        deal.rest[r] = (strip->ptr[r] - strip->ptr[0]) % groups;
    }
    return deal;
}

/* Return the number of entries that group g has of the first r rows, which is the position in the group at
 * which the run of row r begins. */
static inline int64_t deal_start(const struct deal *deal, int r, int64_t g)
{
    return deal->whole[r] + (g < deal->rest[r]);
}

/* Return the number of entries of row r in the groups before g: the sum over those groups h of
 *
 *     deal_start(r + 1, h) - deal_start(r, h) = whole[r + 1] - whole[r] + (h < rest[r + 1]) - (h < rest[r])
 *
 * where h < rest holds for min(rest, g) of the groups 0 .. g-1. */
static inline int64_t deal_before(const struct deal *deal, int r, int64_t g)
{
    return (deal->whole[r + 1] - deal->whole[r]) * g + min(deal->rest[r + 1], g) - min(deal->rest[r], g);
}

/* Return the temporary bytes of fill_cmrs. */
size_t cmrs_scratch(const struct csr *a);

/* Write all arrays: the format's `fill`. */
enum status fill_cmrs(struct storage *storage, const struct csr *a, struct progress *progress,
                      struct error *error);

/* Return the column of slot e, and its row counted from the first row of its strip. */
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
