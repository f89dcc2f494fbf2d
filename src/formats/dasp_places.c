/* DASP: questions about single elements. */
#include "base/range.h"
#include "formats/dasp_parts.h"
#include "formats/fill.h"
#include "formats/sorted.h"

static inline int64_t at(const struct storage *storage, int q, int64_t e)
{
    return array_integer(&storage->array[q], e);
}

/* Return the number of regular blocks of row block b. */
static int64_t blocks_of(const struct storage *storage, int64_t b)
{
    const int64_t u = storage->number[DASP_LONG] + b;
    return (at(storage, DASP_BLOCK_PTR, u + 1) - at(storage, DASP_BLOCK_PTR, u)) / DASP_BLOCK;
}

/* A slot of part 0: position and entry of its row, and its cell of the picture. The position is -1 if no row
 * has the slot. */
struct cell {
    int64_t p, d, line, c;
};

/* Return the cell of a slot of the short rows. */
static struct cell short_cell(const struct storage *storage, int64_t e)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t *number = storage->number;
    int64_t line = number[DASP_LONG] + DASP_M * dasp_row_blocks(storage);
    e -= number[DASP_SHORT];
    struct cell cell = {-1, e % DASP_K, line + e / DASP_K, e % DASP_K};
    if (e < s.four_blocks * DASP_BLOCK) {
        if (e / DASP_K < number[DASP_FOURS]) cell.p = s.fours + e / DASP_K;
        return cell;
    }
    e -= s.four_blocks * DASP_BLOCK;
    if (e < s.pair_blocks * DASP_BLOCK) {
        if (e / DASP_K < number[DASP_PAIRS]) cell.p = (cell.c ? s.threes : s.ones) + e / DASP_K;
        cell.d = cell.c ? cell.c - 1 : 0;
        return cell;
    }
    e -= s.pair_blocks * DASP_BLOCK;
    if (e < s.two_blocks * DASP_BLOCK) {
        if (e / 2 < number[DASP_TWOS]) cell.p = s.twos + e / 2;
        cell.d = cell.c % 2;
        return cell;
    }
    e -= s.two_blocks * DASP_BLOCK;
    line += DASP_M * (s.four_blocks + s.pair_blocks + s.two_blocks);
    return (struct cell){s.single + e, 0, line + e, 0};
}

static struct cell cell_of(const struct storage *storage, int64_t e)
{
    const int64_t longs = storage->number[DASP_LONG];
    if (e >= storage->number[DASP_SHORT]) return short_cell(storage, e);
    int64_t u = offset_find(&storage->array[DASP_BLOCK_PTR], dasp_pieces(storage), e);
    int64_t within = e - at(storage, DASP_BLOCK_PTR, u);
    if (u < longs) return (struct cell){u, within, u, within};
    int64_t q = DASP_M * (u - longs) + within % DASP_BLOCK / DASP_K;
    int64_t d = within / DASP_BLOCK * DASP_K + within % DASP_K;
    return (struct cell){q < storage->number[DASP_MEDIUM] ? longs + q : -1, d, longs + q, d};
}

/* Return the slot of entry d of the medium row q, counted from the first one, and its part. */
static int64_t medium_slot(const struct storage *storage, int64_t q, int64_t d, int *part)
{
    const int64_t b = q / DASP_M, regular = DASP_K * blocks_of(storage, b);
    *part = d >= regular;
    if (*part) return at(storage, DASP_IRREG_PTR, q) + d - regular;
    return at(storage, DASP_BLOCK_PTR, storage->number[DASP_LONG] + b) + d / DASP_K * DASP_BLOCK +
           q % DASP_M * DASP_K + d % DASP_K;
}

/* Return the slot of entry d of the row at position p, and its part. */
static int64_t slot_of(const struct storage *storage, int64_t p, int64_t d, int *part)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t longs = storage->number[DASP_LONG], first = storage->number[DASP_SHORT];
    const int64_t pairs = first + s.four_blocks * DASP_BLOCK, twos = pairs + s.pair_blocks * DASP_BLOCK;
    *part = 0;
    if (p < longs) return at(storage, DASP_BLOCK_PTR, p) + d;
    if (p < s.fours) return medium_slot(storage, p - longs, d, part);
    if (p < s.threes) return first + DASP_K * (p - s.fours) + d;
    if (p < s.twos) return pairs + DASP_K * (p - s.threes) + 1 + d;
    if (p < s.ones) return twos + 2 * (p - s.twos) + d;
    if (p < s.single) return pairs + DASP_K * (p - s.ones);
    return twos + s.two_blocks * DASP_BLOCK + p - s.single;
}

/* Return the number of entries of the row at position p, from the arrays alone. Padding follows the
 * entries. */
static int64_t length_of(const struct storage *storage, int64_t p)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t longs = storage->number[DASP_LONG], q = p - longs;
    int64_t wide = 0;
    int part;
    if (p >= s.twos) return p < s.ones ? 2 : p < s.single + storage->number[DASP_ONES] ? 1 : 0;
    if (p >= s.threes) return 3;
    if (p >= s.fours) wide = DASP_K;
    if (p < longs) wide = at(storage, DASP_BLOCK_PTR, p + 1) - at(storage, DASP_BLOCK_PTR, p);
    if (p >= longs && p < s.fours) {
        wide = DASP_K * blocks_of(storage, q / DASP_M);
        int64_t irregular = 0;
        if (storage->slots[1] > 0)
            irregular = at(storage, DASP_IRREG_PTR, q + 1) - at(storage, DASP_IRREG_PTR, q);
        if (irregular > 0) return wide + irregular;
    }
    int64_t low = 0, high = storage_pads(storage) ? wide : 0;
    if (high == 0) return wide;
    BISECT(low, high, !storage_padding(storage, 0, slot_of(storage, p, middle, &part)));
    return low;
}

/* Return the position of a spot's row; -1 if damaged arrays lack the row. */
static int64_t position_of(const struct storage *storage, const struct spot *spot)
{
    if (spot->slot >= 0 && spot->part == 0) return cell_of(storage, spot->slot).p;
    if (spot->slot >= 0)
        return storage->number[DASP_LONG] +
               offset_find(&storage->array[DASP_IRREG_PTR], storage->number[DASP_MEDIUM], spot->slot);
    return sorted_search(storage, storage->array[DASP_PERM].data, 0, storage->rows, spot->place.row,
                         length_of);
}

struct place dasp_place(const struct storage *storage, int part, int64_t e)
{
    if (part) {
        const struct spot spot = {.part = 1, .slot = e};
        return (struct place){at(storage, DASP_PERM, position_of(storage, &spot)),
                              at(storage, DASP_IRREG_COL, e)};
    }
    const int64_t p = cell_of(storage, e).p;
    return (struct place){p < 0 ? -1 : at(storage, DASP_PERM, p), at(storage, DASP_COL, e)};
}

int64_t dasp_locate(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    int64_t p = sorted_position(a, storage->array[DASP_PERM].data, 0, a->rows, i);
    return slot_of(storage, p, k - a->row_ptr[i], part);
}

/* A row needs its element of perm, and the beginning and end of its slots; for short rows these follow from
 * where they begin. The irregular entries of medium rows have offsets. */
struct extent dasp_touch(const struct storage *storage, int q, const struct spot *spot)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t p = position_of(storage, spot), longs = storage->number[DASP_LONG];
    if (p < 0) return extent_none();
    if (q == DASP_PERM) return extent_of(p, 1);
    if (q == DASP_IRREG_PTR) return p >= longs && p < s.fours ? extent_of(p - longs, 2) : extent_none();
    if (p < longs) return extent_of(p, 2);
    if (p < s.fours) return extent_of(longs + (p - longs) / DASP_M, 2);
    return p < s.single + storage->number[DASP_ONES] ? extent_of(dasp_pieces(storage), 1) : extent_none();
}

/* A row block without slots leads to its first row. */
struct place dasp_leads(const struct storage *storage, int q, int64_t e)
{
    const int64_t longs = storage->number[DASP_LONG], pieces = dasp_pieces(storage);
    if (q == DASP_PERM) return (struct place){at(storage, DASP_PERM, e), -1};
    if (q == DASP_IRREG_PTR)
        return (struct place){e < storage->number[DASP_MEDIUM] ? at(storage, DASP_PERM, longs + e) : -1, -1};
    const int64_t slot = at(storage, DASP_BLOCK_PTR, e);
    if (slot < (e < pieces ? at(storage, DASP_BLOCK_PTR, e + 1) : storage->slots[0]))
        return dasp_place(storage, 0, slot);
    return (struct place){e < pieces ? at(storage, DASP_PERM, longs + DASP_M * (e - longs)) : -1, -1};
}

/* A thick rule before each long row, each block, and the rows of one entry; a thin one before each group of a
 * long row, and before each row of a block. */
static enum rule rule_of_slot(const struct storage *storage, int64_t e)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t first = storage->number[DASP_SHORT], pairs = first + s.four_blocks * DASP_BLOCK,
                  twos = pairs + s.pair_blocks * DASP_BLOCK, ones = twos + s.two_blocks * DASP_BLOCK;
    if (e >= ones) return e == ones ? RULE_MAJOR : RULE_NONE;
    if (e < first) {
        const struct cell cell = cell_of(storage, e);
        if (cell.line < storage->number[DASP_LONG])
            return cell.d == 0 ? RULE_MAJOR : cell.d % DASP_GROUP == 0 ? RULE_MINOR : RULE_NONE;
    }
    if (e % DASP_BLOCK == 0) return RULE_MAJOR;
    if (e % DASP_K == 0) return RULE_MINOR;
    if (e < pairs) return RULE_NONE;
    return e % DASP_K == (e < twos ? 1 : 2) ? RULE_MINOR : RULE_NONE;
}

enum rule dasp_rule(const struct storage *storage, int q, int64_t e)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t longs = storage->number[DASP_LONG];
    if (q == DASP_BLOCK_PTR || q == DASP_IRREG_PTR) return RULE_NONE;
    if (q == DASP_PERM) {
        if (e == longs || e == s.fours || e == s.threes || e == s.twos || e == s.ones) return RULE_MAJOR;
        return e > longs && e < s.fours && (e - longs) % DASP_M == 0 ? RULE_MINOR : RULE_NONE;
    }
    if (q < DASP_IRREG_PTR) return rule_of_slot(storage, e);
    const struct array *irreg_ptr = &storage->array[DASP_IRREG_PTR];
    return at(storage, DASP_IRREG_PTR, offset_find(irreg_ptr, storage->number[DASP_MEDIUM], e)) == e
               ? RULE_MINOR
               : RULE_NONE;
}

/* Lines are long rows, the rows of blocks, and each row of one entry without a partner. */
struct shape dasp_shape(const struct storage *storage)
{
    const struct dasp_short s = dasp_short(storage);
    return (struct shape){
        .line = LINE_OTHER,
        .name = "line",
        .lines = storage->number[DASP_LONG] +
                 DASP_M * (dasp_row_blocks(storage) + s.four_blocks + s.pair_blocks + s.two_blocks) +
                 storage->number[DASP_ONES],
        .wide = storage->number[DASP_WIDEST]};
}

int64_t dasp_cell(const struct storage *storage, int64_t line, int64_t c)
{
    const struct dasp_short s = dasp_short(storage);
    const int64_t longs = storage->number[DASP_LONG], blocks = dasp_row_blocks(storage);
    int64_t slot = line < longs ? at(storage, DASP_BLOCK_PTR, line) + c : 0;
    if (line < longs) return slot < at(storage, DASP_BLOCK_PTR, line + 1) ? slot : -1;
    line -= longs;
    if (line < DASP_M * blocks) {
        if (c >= DASP_K * blocks_of(storage, line / DASP_M)) return -1;
        return at(storage, DASP_BLOCK_PTR, longs + line / DASP_M) + c / DASP_K * DASP_BLOCK +
               line % DASP_M * DASP_K + c % DASP_K;
    }
    line -= DASP_M * blocks;
    const int64_t lines = DASP_M * (s.four_blocks + s.pair_blocks + s.two_blocks);
    if (line < lines) return c < DASP_K ? storage->number[DASP_SHORT] + DASP_K * line + c : -1;
    return c == 0 ? storage->number[DASP_SHORT] + DASP_K * lines + line - lines : -1;
}

/* Return the line of the row at position p, or -1 if it is empty. */
static int64_t line_of(const struct storage *storage, int64_t p)
{
    const int64_t first = storage->number[DASP_LONG] + storage->number[DASP_MEDIUM];
    int part;
    if (p < first) return p;
    if (p >= dasp_short(storage).single + storage->number[DASP_ONES]) return -1;
    return cell_of(storage, slot_of(storage, p, 0, &part)).line;
}

void dasp_find(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    const bool drawn = spot->slot >= 0 && spot->part == 0;
    const int64_t p = position_of(storage, spot);
    *line = drawn ? cell_of(storage, spot->slot).line : p < 0 ? -1 : line_of(storage, p);
    *c = drawn ? cell_of(storage, spot->slot).c : -1;
}

int64_t dasp_label(const struct storage *storage, int64_t line)
{
    return line;
}
