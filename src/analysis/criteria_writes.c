/* Flexibility: what is written to add an entry, summed over the places that have none. */
#include "analysis/criteria_parts.h"
#include "base/range.h"
#include "formats/bsr.h"
#include "formats/cmrs_strip.h"
#include "formats/dia.h"
#include "formats/ell.h"
#include "formats/fill.h"
#include "formats/jds_parts.h"
#include "formats/sell.h"
#include "matrix/skeleton.h"

/* The places without an entry in line i. */
static double free_places(const struct layout *layout, int64_t i)
{
    return (double)(layout->across - line_length(layout, i));
}

/* No more is written than if the matrix were stored anew. */
static double at_most_all(const struct layout *layout, double bytes)
{
    return bytes < layout->bytes ? bytes : layout->bytes;
}

/* The bytes of so many slots of part 0 and so many offsets. */
static double bytes_of(const struct layout *layout, int64_t slots, int64_t offsets)
{
    return (double)slots * (double)layout->slot + (double)offsets * (double)layout->offset;
}

double writes_nothing(const struct layout *layout)
{
    return 0;
}

static double term_lines(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    int64_t entries = layout->storage->nnz;
    for (int64_t i = first; i < end; i++)
        sum += free_places(layout, i) * bytes_of(layout, entries - layout->ptr[i + 1], layout->lines - i);
    return sum;
}

double writes_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, 1, term_lines);
}

/* The free places of rows without padding. */
static double term_full(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        if (line_length(layout, i) == layout->storage->number[ELL_WIDTH]) sum += free_places(layout, i);
    return sum;
}

double writes_ell(const struct layout *layout)
{
    bool transposed = storage_parameter(layout->storage, ELL_LAYOUT) == ELL_TRANSPOSED;
    double column = bytes_of(layout, layout->lines - 1, 0);
    return criteria_sum(layout, 0, layout->lines, 1, term_full) *
           (transposed ? at_most_all(layout, column) : layout->bytes);
}

/* JDS */

/* Diagonal L gets an entry, L being the length of the row; the two rows change places unless the row is the
 * first of its length. */
static double writes_diagonals(const struct layout *layout, const struct jds_run *run)
{
    const struct storage *storage = layout->storage;
    int64_t length = run->length, longest = storage->number[JDS_LONGEST], slots = 0, offsets = 1;
    if (length < longest) {
        slots = storage->slots[0] - jds_at(&layout->jds, JDS_ITER_PTR, length + 1);
        offsets = longest - length;
    }
    double first = bytes_of(layout, slots, offsets);
    double other = bytes_of(layout, slots + 2 * length, offsets) + 2 * sizeof(int32_t);
    return at_most_all(layout, first) + (double)(run->end - run->first - 1) * at_most_all(layout, other);
}

/* A row that is as long as its section is wide makes all its rows longer. */
static double writes_sections(const struct layout *layout, const struct jds_run *run)
{
    const int64_t s = run->section;
    const struct storage *jds = &layout->jds;
    int64_t begin = jds_at(jds, JDS_SECTION_PTR, s), end = jds_at(jds, JDS_SECTION_PTR, s + 1);
    int64_t height = jds_at(jds, JDS_SECTION_ROW, s + 1) - jds_at(jds, JDS_SECTION_ROW, s);
    if (run->length * height < end - begin) return 0;
    double bytes = bytes_of(layout, jds->slots[0] - end + height - 1, jds->number[JDS_SECTIONS] - s);
    return (double)(run->end - run->first) * at_most_all(layout, bytes);
}

/* Sections of CSR have the sorted rows one after another, and offsets of those with entries. */
static double writes_sorted(const struct layout *layout, const struct jds_run *run)
{
    const int64_t *number = layout->storage->number;
    double sum = 0;
    for (int64_t r = run->first; r < run->end; r++) {
        int64_t after = layout->storage->slots[0] - run->entries - (r - run->first + 1) * run->length;
        int64_t offsets = max(1, number[JDS_FILLED] - r) + number[JDS_SECTIONS] - run->section;
        sum += at_most_all(layout, bytes_of(layout, after, offsets));
    }
    return sum;
}

double writes_jds(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    double sum = 0;
    for (struct jds_run run = {.length = -1}; jds_next_run(layout, &run);) {
        double places = (double)(layout->across - run.length), bytes;
        if (run.length == storage_parameter(storage, JDS_MAX))
            bytes = (double)(run.end - run.first) * layout->bytes;
        else if (jds_kind(storage) == JDS_PLAIN)
            bytes = writes_diagonals(layout, &run);
        else if (jds_kind(storage) == JDS_SECTIONS_ELL)
            bytes = writes_sections(layout, &run);
        else
            bytes = writes_sorted(layout, &run);
        sum += places * bytes;
    }
    return sum;
}

/* Strips, chunks and blocks */

/* A strip of padded CMRS is dealt anew, to one group more if its own have no room for an entry of row r. */
static double writes_groups(const struct layout *layout, int64_t s, struct strip strip, int r)
{
    int64_t ptr[CMRS_HEIGHT_MAX + 1], modulo = layout->storage->number[CMRS_MODULO];
    int64_t own = group_start(layout, s + 1) - group_start(layout, s);
    for (int k = 0; k <= strip.rows; k++)
        ptr[k] = strip.ptr[k] + (k > r);
    strip.ptr = ptr;
    int64_t slots = strip_slots(&strip, modulo);
    if (slots == own) return bytes_of(layout, slots - 1, 0);
    return bytes_of(layout, slots - 1 + layout->storage->slots[0] - group_start(layout, s + 1),
                    layout->groups - s);
}

static double term_strips(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t *number = layout->storage->number;
    double sum = 0;
    for (int64_t s = first; s < end; s++) {
        const struct strip strip = strip_at(layout->a, number[CMRS_HEIGHT], s);
        int64_t after = layout->storage->slots[0] - group_start(layout, s + 1);
        double bytes = bytes_of(layout, after, layout->groups - s);
        for (int r = 0; r < strip.rows; r++) {
            if (number[CMRS_MODULO]) bytes = writes_groups(layout, s, strip, r);
            sum += free_places(layout, s * number[CMRS_HEIGHT] + r) * at_most_all(layout, bytes);
        }
    }
    return sum;
}

double writes_cmrs(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_strips);
}

static double term_chunks(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t c = layout->height;
    double sum = 0;
    for (int64_t g = first; g < end; g++) {
        int64_t next = group_start(layout, g + 1), wide = (next - group_start(layout, g)) / c;
        double bytes = bytes_of(layout, layout->storage->slots[0] - next + c - 1, layout->groups - g);
        for (int64_t r = g * c; r < min((g + 1) * c, layout->lines); r++) {
            int64_t i = row_at(layout, r);
            if (line_length(layout, i) == wide) sum += free_places(layout, i) * at_most_all(layout, bytes);
        }
    }
    return sum;
}

double writes_sell(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_chunks);
}

double writes_dia(const struct layout *layout)
{
    double places = (double)layout->lines * (double)layout->across;
    double beside = places - (double)layout->storage->number[DIA_PLACES];
    return beside * at_most_all(layout, (double)(layout->lines - 1) * (double)layout->value);
}

/* The places of the matrix in the last block of a block row, if blocks reach beyond the last column and the
 * block row has that block, are fewer than those of the others: by how many columns. */
static int64_t columns_beyond(const struct layout *layout, int64_t block_row)
{
    const struct csr *a = layout->a;
    int64_t size = layout->storage->number[BSR_SIZE], whole = a->cols / size * size;
    if (whole == a->cols) return 0;
    bool last =
        layout->blocks ? layout->blocks[block_row] & SKELETON_LAST : bsr_ends_with_last(a, size, block_row);
    return last ? whole + size - a->cols : 0;
}

static double term_block_rows(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t blocks = layout->storage->number[BSR_BLOCKS];
    const int64_t size = layout->storage->number[BSR_SIZE], value = layout->value;
    const double block = (double)(size * size * value) + sizeof(int32_t), others = (double)(size * size - 1);
    double sum = 0;
    for (int64_t g = first; g < end; g++) {
        int64_t rows = min(size, layout->a->rows - g * size);
        int64_t stored =
            (group_start(layout, g + 1) - group_start(layout, g)) * size - columns_beyond(layout, g);
        double bytes = others * (double)value + (double)(blocks - group_start(layout, g + 1)) * block +
                       (double)(layout->groups - g) * (double)layout->offset;
        sum += (double)rows * (double)(layout->a->cols - stored) * at_most_all(layout, bytes);
    }
    return sum;
}

double writes_bsr(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_block_rows);
}
