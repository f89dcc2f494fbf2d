/* Single elements of JDS: the position of a slot, the slot of an entry, and the offsets that lead to it. */
#include "base/range.h"
#include "formats/coo.h"
#include "formats/jds_parts.h"
#include "formats/sorted.h"

struct jds_section jds_section(const struct storage *storage, int64_t s)
{
    struct jds_section section = {.first = jds_at(storage, JDS_SECTION_ROW, s),
                                  .slot = jds_at(storage, JDS_SECTION_PTR, s)};
    section.height = jds_at(storage, JDS_SECTION_ROW, s + 1) - section.first;
    section.wide = (jds_at(storage, JDS_SECTION_PTR, s + 1) - section.slot) / section.height;
    return section;
}

int64_t jds_section_of(const struct storage *storage, int64_t r)
{
    return offset_find(&storage->array[JDS_SECTION_ROW], storage->number[JDS_SECTIONS], r);
}

/* Return the number of entries of diagonal d, that of rows with more than d entries. */
static int64_t diagonal_height(const struct storage *storage, int64_t d)
{
    return jds_at(storage, JDS_ITER_PTR, d + 1) - jds_at(storage, JDS_ITER_PTR, d);
}

/* Return the number of entries of sorted row r, from the arrays alone. Without sections it is the number of
 * diagonals with more than r entries. The lengths of diagonals do not increase, so that a binary search finds
 * it. */
static int64_t length_of(const struct storage *storage, int64_t r)
{
    enum jds_kind kind = jds_kind(storage);
    if (r >= storage->number[JDS_FILLED]) return 0;
    if (kind == JDS_SECTIONS_CSR)
        return jds_at(storage, JDS_ROW_PTR, r + 1) - jds_at(storage, JDS_ROW_PTR, r);
    if (kind == JDS_SECTIONS_ELL) {
        struct jds_section section = jds_section(storage, jds_section_of(storage, r));
        return padded_length(storage, section.slot + r - section.first, section.height, section.wide);
    }
    int64_t low = 0, high = storage->number[JDS_LONGEST];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (diagonal_height(storage, middle) > r)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A sorted row and a position in it. */
struct cell {
    int64_t r, d;
};

/* Return the sorted row and the position of slot e of part 0. */
static struct cell cell_of(const struct storage *storage, int64_t e)
{
    enum jds_kind kind = jds_kind(storage);
    if (kind == JDS_SECTIONS_CSR) {
        int64_t r = offset_find(&storage->array[JDS_ROW_PTR], storage->number[JDS_FILLED], e);
        return (struct cell){r, e - jds_at(storage, JDS_ROW_PTR, r)};
    }
    if (kind == JDS_SECTIONS_ELL) {
        int64_t s = offset_find(&storage->array[JDS_SECTION_PTR], storage->number[JDS_SECTIONS], e);
        struct jds_section section = jds_section(storage, s);
        int64_t within = e - section.slot;
        return (struct cell){section.first + within % section.height, within / section.height};
    }
    int64_t d = offset_find(&storage->array[JDS_ITER_PTR], storage->number[JDS_LONGEST], e);
    return (struct cell){e - jds_at(storage, JDS_ITER_PTR, d), d};
}

/* Return the slot of position d of sorted row r, or -1 if the row has none there. */
static int64_t slot_of(const struct storage *storage, int64_t r, int64_t d)
{
    enum jds_kind kind = jds_kind(storage);
    if (r >= storage->number[JDS_FILLED]) return -1;
    if (kind == JDS_SECTIONS_CSR) {
        int64_t e = jds_at(storage, JDS_ROW_PTR, r) + d;
        return e < jds_at(storage, JDS_ROW_PTR, r + 1) ? e : -1;
    }
    if (kind == JDS_SECTIONS_ELL) {
        struct jds_section section = jds_section(storage, jds_section_of(storage, r));
        return d < section.wide ? section.slot + d * section.height + r - section.first : -1;
    }
    if (d >= storage->number[JDS_LONGEST] || r >= diagonal_height(storage, d)) return -1;
    return jds_at(storage, JDS_ITER_PTR, d) + r;
}

/* Return the sorted row and the position of a spot. The sorted row is -1 if the row is in the COO part. If
 * the spot has no slot, the position is the row's length. */
static struct cell cell_of_spot(const struct storage *storage, const struct spot *spot)
{
    const int32_t *perm = storage->array[JDS_PERM].data;
    if (spot->slot >= 0) return spot->part == 0 ? cell_of(storage, spot->slot) : (struct cell){-1, 0};
    int64_t r = sorted_search(storage, perm, 0, jds_sorted(storage), spot->place.row, length_of);
    return (struct cell){r, r < 0 ? 0 : length_of(storage, r)};
}

struct place jds_place(const struct storage *storage, int part, int64_t e)
{
    int columns = (int)storage->number[JDS_COLUMNS];
    if (part == 1) return (struct place){jds_at(storage, columns + 2, e), jds_at(storage, columns + 3, e)};
    return (struct place){jds_at(storage, JDS_PERM, cell_of(storage, e).r), jds_at(storage, columns, e)};
}

int64_t jds_locate(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    int64_t d = k - a->row_ptr[i];
    *part = row_length(a, i) > storage_parameter(storage, JDS_MAX);
    if (*part)
        return array_lower_bound(&storage->array[storage->number[JDS_COLUMNS] + 2], 0, storage->slots[1], i) +
               d;
    int64_t r = sorted_position(a, storage->array[JDS_PERM].data, 0, jds_sorted(storage), i);
    return slot_of(storage, r, d);
}

/* A kernel needs the row's element of perm, and the two offsets of its diagonal, section or row. If the spot
 * has no entry, the diagonal is the first one that does not reach its row, which the offsets show. */
struct extent jds_touch(const struct storage *storage, int q, const struct spot *spot)
{
    struct cell cell = cell_of_spot(storage, spot);
    if (cell.r < 0) return extent_none();
    if (q == JDS_PERM) return extent_of(cell.r, 1);
    if (jds_kind(storage) == JDS_PLAIN)
        return extent_of(cell.d, min(2, storage->array[JDS_ITER_PTR].length - cell.d));
    if (q == JDS_ROW_PTR) return cell.r < storage->number[JDS_FILLED] ? extent_of(cell.r, 2) : extent_none();
    return extent_of(jds_section_of(storage, cell.r), 2);
}

/* An element of perm or of section_row leads to a row. Other offsets lead to the position of the next slot;
 * the offset of a section without slots leads to its first row. */
struct place jds_leads(const struct storage *storage, int q, int64_t e)
{
    if (q == JDS_PERM) return (struct place){jds_at(storage, JDS_PERM, e), -1};
    if (e >= storage->array[q].length - 1) return (struct place){-1, -1};
    if (q == JDS_SECTION_ROW && jds_kind(storage) != JDS_PLAIN)
        return (struct place){jds_at(storage, JDS_PERM, jds_at(storage, q, e)), -1};
    if (jds_at(storage, q, e) < jds_at(storage, q, e + 1))
        return jds_place(storage, 0, jds_at(storage, q, e));
    return (struct place){jds_at(storage, JDS_PERM, jds_at(storage, JDS_SECTION_ROW, e)), -1};
}

/* Return true if sorted row r is the first of its section. */
static bool section_begins(const struct storage *storage, int64_t r)
{
    return jds_at(storage, JDS_SECTION_ROW, jds_section_of(storage, r)) == r;
}

/* Return the rule before slot e: a thin one before each diagonal; with sections a thick one before each
 * section, and a thin one before each row (CSR) or position (ELL). */
static enum rule slot_rule(const struct storage *storage, int64_t e)
{
    enum jds_kind kind = jds_kind(storage);
    struct cell cell = cell_of(storage, e);
    if (kind == JDS_PLAIN) return cell.r == 0 ? RULE_MINOR : RULE_NONE;
    struct jds_section section = jds_section(storage, jds_section_of(storage, cell.r));
    if (section.slot == e) return RULE_MAJOR;
    if (kind == JDS_SECTIONS_CSR) return cell.d == 0 ? RULE_MINOR : RULE_NONE;
    return cell.r == section.first ? RULE_MINOR : RULE_NONE;
}

enum rule jds_rule(const struct storage *storage, int q, int64_t e)
{
    const struct array *array = &storage->array[q];
    int columns = (int)storage->number[JDS_COLUMNS];
    if (array->part == 1) return coo_rule(&storage->array[columns + 2], e);
    if (array->per_slot) return slot_rule(storage, e);
    if (jds_kind(storage) == JDS_PLAIN || (q != JDS_PERM && q != JDS_ROW_PTR)) return RULE_NONE;
    return section_begins(storage, e) ? RULE_MAJOR : RULE_NONE;
}

struct shape jds_shape(const struct storage *storage)
{
    return (struct shape){
        .line = LINE_ROW, .lines = jds_sorted(storage), .wide = storage->number[JDS_LONGEST]};
}

int64_t jds_cell(const struct storage *storage, int64_t line, int64_t c)
{
    return slot_of(storage, line, c);
}

void jds_find(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    struct cell cell = cell_of_spot(storage, spot);
    *line = cell.r;
    *c = spot->slot < 0 || cell.r < 0 ? -1 : cell.d;
}

int64_t jds_label(const struct storage *storage, int64_t line)
{
    return jds_at(storage, JDS_PERM, line);
}
