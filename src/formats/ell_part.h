/* The padded rectangle of rows by positions: all of ELL, and part 0 of HYB. */
#ifndef SPARSIGHT_FORMATS_ELL_PART_H
#define SPARSIGHT_FORMATS_ELL_PART_H

#include "formats/ell.h"
#include "formats/fill.h"

/* The words of the parameters `layout` and `pad`. */
extern const char *const ell_layouts[], *const ell_pads[];

/* The rectangle, which has the first `width` entries of each row, and padding, in arrays ELL_COL and ELL_VAL.
 * Its slots by row i and position c, for 3 rows of width 2:
 *
 *              transposed: slot c rows + i      by rows: slot i width + c
 *              c = 0  1                         c = 0  1
 *     i = 0        0  3                             0  1
 *     i = 1        1  4                             2  3
 *     i = 2        2  5                             4  5
 */
struct ell_part {
    int64_t rows, width;
    bool transposed;
    bool sentinel; /* true if padding has the column -1, false if it repeats that of the row's last entry */
};

/* Return the slot of position c of row i. */
static inline int64_t ell_slot(const struct ell_part *part, int64_t i, int64_t c)
{
    return part->transposed ? c * part->rows + i : i * part->width + c;
}

/* Return the row and the position of slot e. */
static inline int64_t ell_row(const struct ell_part *part, int64_t e)
{
    return part->transposed ? e % part->rows : e / part->width;
}

static inline int64_t ell_position(const struct ell_part *part, int64_t e)
{
    return part->transposed ? e / part->rows : e % part->width;
}

/* Return RULE_MINOR if a row begins at slot e > 0, or a position if transposed; else RULE_NONE. */
static inline enum rule ell_rule(const struct ell_part *part, int64_t e)
{
    return e % (part->transposed ? part->rows : part->width) == 0 ? RULE_MINOR : RULE_NONE;
}

/* Return the position of slot e; the position of padding has the stored column index. */
struct place ell_place(const struct storage *storage, const struct ell_part *part, int64_t e);

/* Write all slots, both entries and padding. `phase` is the name of the progress's phase. Parallel. */
enum status ell_part_fill(struct storage *storage, const struct ell_part *part, const struct csr *a,
                          const char *phase, struct progress *progress, struct error *error);

/* Check that in each row entries come first, with columns ascending and in range, and then padding, with the
 * right column index. Returns STATUS_INPUT with the element that is wrong. Parallel, O(slots).
 */
enum status ell_part_validate(const struct storage *storage, const struct ell_part *part,
                              struct error *error);

struct layout;

/* Return the bytes of the sectors that warps touch when they load the rectangle, a thread a row; `parameter`
 * is the number of the parameter `layout` (formats/criteria_rules.h). */
double ell_fetches(const struct layout *layout, int parameter);

#endif
