/* The padded rectangle of rows by positions that ELL is, and HYB begins with. Only these two and their
 * kernels include this. */
#ifndef SPARSIGHT_FORMATS_ELL_PART_H
#define SPARSIGHT_FORMATS_ELL_PART_H

#include "formats/ell.h"
#include "formats/fill.h"

/* The words of `layout` and `pad`, as parameters have them. */
extern const char *const ell_layouts[], *const ell_pads[];

/* The first `width` entries of each row and what pads them, in arrays ELL_COL and ELL_VAL. */
struct ell_part {
    int64_t rows, width;
    bool transposed; /* stride exactly `rows` between positions; else `width` between rows */
    bool sentinel;
};

/* Slot of position c of row i. */
static inline int64_t ell_slot(const struct ell_part *part, int64_t i, int64_t c)
{
    return part->transposed ? c * part->rows + i : i * part->width + c;
}

/* Row and position of slot e. */
static inline int64_t ell_row(const struct ell_part *part, int64_t e)
{
    return part->transposed ? e % part->rows : e / part->width;
}

static inline int64_t ell_position(const struct ell_part *part, int64_t e)
{
    return part->transposed ? e / part->rows : e % part->width;
}

/* A row begins at e > 0, or a column if transposed. */
static inline enum rule ell_rule(const struct ell_part *part, int64_t e)
{
    return e % (part->transposed ? part->rows : part->width) == 0 ? RULE_MINOR : RULE_NONE;
}

/* Place of slot e: of padding, the column that its kernel reads. */
struct place ell_place(const struct storage *storage, const struct ell_part *part, int64_t e);

/* Write all slots, padding in the same sweep. Parallel; `phase` is for the progress. */
enum status ell_part_fill(struct storage *storage, const struct ell_part *part, const struct csr *a,
                          const char *phase, struct progress *progress, struct error *error);

/* In each row entries come first, columns ascending and in range, then padding with the column that it has to
 * have. Parallel, O(slots). */
enum status ell_part_validate(const struct storage *storage, const struct ell_part *part,
                              struct error *error);

#endif
