/* DASP (Lu and Liu, "DASP: Specific dense matrix multiply-accumulate units accelerated general sparse
 * matrix-vector multiplication", SC 2023, section 3): rows in blocks of 8 x 4 slots, the size of matrix A of
 * an instruction that multiplies small dense matrices (MMA m8n8k4). */
#ifndef SPARSIGHT_FORMATS_DASP_H
#define SPARSIGHT_FORMATS_DASP_H

#include "formats/format.h"

/* Rows and columns of a block, its slots, and the slots of a group of a long row. */
#define DASP_M 8
#define DASP_K 4
#define DASP_BLOCK (DASP_M * DASP_K)
#define DASP_GROUP (2 * DASP_BLOCK)

/* Rows are sorted by length, longest first, and equal ones by their index; perm[p] is the row at position p.
 * So rows of a kind are neighbours:
 *
 *     long      more than `long` entries: groups of 64 slots, the last one padded
 *     medium    5 to `long` entries: row blocks of 8 rows
 *     short     1 to 4 entries: lines of 4 slots, 8 of which are a block
 *     empty     only in perm
 *
 * Block j of a row block has entries 4j .. 4j+3 of each of its rows. It is regular if at least the share
 * `threshold` of its 32 slots has an entry. Rows are sorted, so the regular blocks come before the others.
 * They are stored row by row, with padding. All further entries of a row are irregular; they are part 1,
 * row after row. With blocks of 2 x 2 and a threshold of 0.75:
 *
 *     position 0    a b c d e f g        block 0  a b   block 1  c d     irregular  e f g
 *     position 1    h i j                         h i            j .
 *
 * Short rows share lines, in four sections, each of the first three padded to whole blocks:
 *
 *     fours     a line for each row of 4 entries, and for each of 3 that found no partner
 *     pairs     a row of 1 entry, then a row of 3
 *     twos      two rows of 2 entries
 *     ones      a slot for each row of 1 entry that found no partner
 *
 * The partners are the last rows of 3 entries and the first ones of 1, in the order of perm. Padding in the
 * line of a row repeats the column of the row's last entry; slots without a row have column 0.
 *
 * block_ptr has the first slot of each long row, that of each row block, and that of the short rows.
 * irreg_ptr has the first irregular entry of each medium row, and their number; it and part 1 are left out if
 * no entry is irregular. */
enum { DASP_PERM, DASP_BLOCK_PTR, DASP_COL, DASP_VAL, DASP_IRREG_PTR, DASP_IRREG_COL, DASP_IRREG_VAL };

/* The parameters. */
enum { DASP_ABOVE, DASP_THRESHOLD };

/* The numbers: rows that are long and medium; rows with a line of their own; pairs; rows of two entries;
 * rows of one entry without a partner; the first slot of short rows; the slots of the longest line. */
enum { DASP_LONG, DASP_MEDIUM, DASP_FOURS, DASP_PAIRS, DASP_TWOS, DASP_ONES, DASP_SHORT, DASP_WIDEST };

/* Return n as a number of whole blocks of 8 lines. */
static inline int64_t dasp_blocks(int64_t n)
{
    return (n + DASP_M - 1) / DASP_M;
}

/* The sections of short rows: blocks of fours, pairs and twos, and the first position of the rows of each.
 * The first of a pair are `ones`, the others `threes`. */
struct dasp_short {
    int64_t four_blocks, pair_blocks, two_blocks;
    int64_t fours, threes, twos, ones, single;
};

static inline struct dasp_short dasp_short(const struct storage *storage)
{
    const int64_t *number = storage->number;
    struct dasp_short s = {.four_blocks = dasp_blocks(number[DASP_FOURS]),
                           .pair_blocks = dasp_blocks(number[DASP_PAIRS]),
                           .two_blocks = dasp_blocks((number[DASP_TWOS] + 1) / 2)};
    s.fours = number[DASP_LONG] + number[DASP_MEDIUM];
    s.threes = s.fours + number[DASP_FOURS];
    s.twos = s.threes + number[DASP_PAIRS];
    s.ones = s.twos + number[DASP_TWOS];
    s.single = s.ones + number[DASP_PAIRS];
    return s;
}

extern const struct format format_dasp;

#endif
