#include "formats/cmrs.h"

#include <stdlib.h>

#include "base/range.h"
#include "formats/cmrs_strip.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"

/* The parameters. */
enum { HEIGHT, PACKED, SORTED, MODULO };

static const char *const moduli[] = {"0", "1", "2", "4", "8", "16", "32", NULL};

static const struct parameter parameters[] = {
    [HEIGHT] = {"height", "rows of a strip", 1, CMRS_HEIGHT_MAX, 8, .type = PARAMETER_INTEGER,
                .automatic = "8, with modulo 16"},
    [PACKED] = {"packed", "1: the row in the strip is in the low 4 bits of the column index",
                .type = PARAMETER_YES_NO},
    [SORTED] = {"sorted", "1: the entries of a strip are sorted by column, not by row",
                .type = PARAMETER_YES_NO},
    [MODULO] = {"modulo", "maximum entries of a row in a padded group of 32; 0: no groups", 0, 32, 0,
                .type = PARAMETER_WORD, .words = moduli},
    {0},
};

/* Planning */

static enum status check_parameters(const struct storage *storage, struct error *error)
{
    const int64_t *number = storage->number;
    if (number[CMRS_MODULO] && number[CMRS_HEIGHT] != CMRS_HEIGHT_MAX)
        return error_set(error, STATUS_USAGE,
                         "cmrs with modulo has strips of 16 rows: leave out height=%lld or modulo",
                         (long long)number[CMRS_HEIGHT]);
    if (number[CMRS_MODULO] && number[CMRS_SORTED])
        return error_set(error, STATUS_USAGE,
                         "in cmrs modulo decides the order within a strip: leave out sorted=1 or modulo");
    if (number[CMRS_PACKED] && storage->cols > CMRS_PACKED_COLS)
        return error_set(error, STATUS_LIMIT,
                         "cmrs:packed=1 leaves 28 bits for the column, which are %lld columns, and the "
                         "matrix has %lld: leave out packed",
                         (long long)CMRS_PACKED_COLS, (long long)storage->cols);
    return STATUS_OK;
}

/* Resolve the parameters into numbers. The default height is 8: with 4 entries or more a row, a strip has an
 * entry for each of a warp's 32 lanes, and the warp keeps few sums. With modulo the height is 16. */
static void resolve(struct storage *storage)
{
    int64_t *number = storage->number;
    number[CMRS_MODULO] = strtoll(moduli[storage_parameter(storage, MODULO)], NULL, 10);
    number[CMRS_PACKED] = storage_parameter(storage, PACKED);
    number[CMRS_SORTED] = storage_parameter(storage, SORTED);
    if (!storage->values.given[HEIGHT])
        storage->values.number[HEIGHT] = number[CMRS_MODULO] ? CMRS_HEIGHT_MAX : parameters[HEIGHT].standard;
    number[CMRS_HEIGHT] = storage_parameter(storage, HEIGHT);
    number[CMRS_STRIPS] = (storage->rows + number[CMRS_HEIGHT] - 1) / number[CMRS_HEIGHT];
}

/* Return the first strip >= s with entries; others take no slots. */
static int64_t next_strip(const struct csr *a, int64_t height, int64_t s)
{
    int64_t row = nonempty_from(a->row_ptr, min(s * height, a->rows), a->rows);
    return row < a->rows ? row / height : INT64_MAX;
}

/* Count the slots of all strips, and those of the longest. */
static enum status measure(struct storage *storage, const struct csr *a, struct progress *progress,
                           struct error *error)
{
    int64_t height = storage->number[CMRS_HEIGHT], modulo = storage->number[CMRS_MODULO];
    int64_t blocks = row_blocks(a), slots = 0, widest = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : slots) reduction(max : widest) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = strip_block_first(a, height, blocks, b + 1);
        for (int64_t s = next_strip(a, height, strip_block_first(a, height, blocks, b)); s < end;
             s = next_strip(a, height, s + 1)) {
            struct strip strip = strip_at(a, height, s);
            int64_t taken = strip_slots(&strip, modulo);
            slots += taken;
            if (taken > widest) widest = taken;
        }
    }
    storage->slots[0] = slots;
    storage->number[CMRS_WIDEST] = widest;
    return progress_status(progress, error);
}

static enum status plan_cmrs(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    resolve(storage);
    enum status status = check_parameters(storage, error);
    if (status == STATUS_OK) status = measure(storage, a, progress, error);
    if (status != STATUS_OK) return status;
    bool packed = storage->number[CMRS_PACKED];
    plan_scratch(storage, cmrs_scratch(a));
    plan_offsets(storage, CMRS_STRIP_PTR, "StripPtr", storage->number[CMRS_STRIPS] + 1, storage->slots[0],
                 "first slot of strip s");
    struct array *col_ind =
        plan_slots(storage, CMRS_COL_IND, "ColInd", ROLE_COLUMNS, 0,
                   packed ? "16 times the column of slot e, plus its row in strip" : "column of slot e");
    if (packed) col_ind->element = ELEMENT_U32;
    plan_slots(storage, CMRS_VAL, "Val", ROLE_VALUES, 0, "value of slot e");
    if (!packed)
        plan_slots(storage, CMRS_ROW_IN_STRIP, "RowInStrip", ROLE_ROWS, 0, "row of slot e within its strip")
            ->element = ELEMENT_U8;
    return STATUS_OK;
}

/* Validating */

static inline int64_t strip_start(const struct storage *storage, int64_t s)
{
    return array_integer(&storage->array[CMRS_STRIP_PTR], s);
}

/* Return the fault of slot e of a strip that begins at `first`, or NULL. Earlier slots have no fault. With
 * modulo M, entries of one row are adjacent in a group: there are more than M if slot e - M, in the same
 * group, has the same row. */
static const char *order_fault(const struct storage *storage, int64_t first, int64_t e)
{
    int64_t col = cmrs_col(storage, e), row = cmrs_row(storage, e), modulo = storage->number[CMRS_MODULO];
    bool padding = modulo && storage_padding(storage, 0, e);
    if (modulo && !padding && e % CMRS_GROUP >= modulo && cmrs_row(storage, e - modulo) == row)
        return "has more entries of its row before it in its group than modulo allows";
    if (e == first || (modulo && e % CMRS_GROUP == 0)) return NULL;
    int64_t col_before = cmrs_col(storage, e - 1), row_before = cmrs_row(storage, e - 1);
    bool ascends = storage->number[CMRS_SORTED]
                       ? col > col_before || (col == col_before && row > row_before)
                       : row > row_before || (row == row_before && (col > col_before || padding));
    return ascends ? NULL : "is not in the order of its strip";
}

/* A fault: element e of array q, and the reason. */
struct fault {
    int64_t e;
    int q;
    const char *what; /* NULL if none is wrong */
};

static struct fault slot_fault(const struct storage *storage, int64_t s, int64_t first, int64_t e)
{
    int64_t height = storage->number[CMRS_HEIGHT], row = cmrs_row(storage, e), col = cmrs_col(storage, e);
    if (row >= height || s * height + row >= storage->rows)
        return (struct fault){e, storage->number[CMRS_PACKED] ? CMRS_COL_IND : CMRS_ROW_IN_STRIP,
                              "means a row outside the strip"};
    if (col < 0 || col >= storage->cols)
        return (struct fault){e, CMRS_COL_IND, "means a column outside the matrix"};
    return (struct fault){e, CMRS_COL_IND, order_fault(storage, first, e)};
}

/* Return the first fault of strip s. */
static struct fault strip_fault(const struct storage *storage, int64_t s)
{
    int64_t first = strip_start(storage, s), end = strip_start(storage, s + 1);
    struct fault fault = {0};
    for (int64_t e = first; e < end && !fault.what; e++)
        fault = slot_fault(storage, s, first, e);
    return fault;
}

static enum status validate_slots(const struct storage *storage, struct error *error)
{
    int64_t strips = storage->number[CMRS_STRIPS], worst = strips;
#pragma omp parallel for schedule(dynamic, 256) reduction(min : worst) if (strips > 256)
    for (int64_t s = 0; s < strips; s++)
        if (s < worst && strip_fault(storage, s).what) worst = s;
    if (worst == strips) return STATUS_OK;
    struct fault fault = strip_fault(storage, worst);
    return bad_element(&storage->array[fault.q], fault.e, fault.what, error);
}

static enum status validate_cmrs(const struct storage *storage, struct error *error)
{
    const struct array *strip_ptr = &storage->array[CMRS_STRIP_PTR];
    enum status status = check_ascending(strip_ptr, storage->slots[0], error);
    if (status != STATUS_OK) return status;
    for (int64_t s = 0; storage->number[CMRS_MODULO] && s < storage->number[CMRS_STRIPS]; s++)
        if (strip_start(storage, s) % CMRS_GROUP)
            return bad_element(strip_ptr, s, "is no multiple of 32", error);
    return validate_slots(storage, error);
}

/* Questions about single elements */

static int64_t strip_of(const struct storage *storage, int64_t e)
{
    return offset_find(&storage->array[CMRS_STRIP_PTR], storage->number[CMRS_STRIPS], e);
}

/* Padding has the position of the entry that it repeats. */
static struct place place_cmrs(const struct storage *storage, int part, int64_t e)
{
    return (struct place){strip_of(storage, e) * storage->number[CMRS_HEIGHT] + cmrs_row(storage, e),
                          cmrs_col(storage, e)};
}

/* Return the number of entries of a sorted strip, whose first row is `first`, before the one in column j of
 * its row r: all in earlier columns, and those in column j of earlier rows. */
static int64_t sorted_before(const struct csr *a, int64_t first, int rows, int r, int64_t j)
{
    int64_t before = 0;
    for (int q = 0; q < rows; q++)
        before += csr_lower_bound(a, first + q, j + (q < r)) - a->row_ptr[first + q];
    return before;
}

/* Return the slot of entry t of row r, counted from the first slot of a strip divided into groups. Its group
 * is the last one with at most t entries of the row before it. */
static int64_t dealt_to(const struct strip *strip, int64_t modulo, int r, int64_t t)
{
    struct deal deal = strip_deal(strip, strip_groups(strip, modulo));
    int64_t low = 0, high = deal.groups; /* deal_before(low) <= t < deal_before(high) */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (deal_before(&deal, r, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low * CMRS_GROUP + deal_start(&deal, r, low) + t - deal_before(&deal, r, low);
}

static int64_t locate_cmrs(const struct storage *storage, const struct csr *a, int64_t i, int64_t k,
                           int *part)
{
    int64_t height = storage->number[CMRS_HEIGHT], modulo = storage->number[CMRS_MODULO], s = i / height;
    struct strip strip = strip_at(a, height, s);
    int r = (int)(i - s * height);
    int64_t start = strip_start(storage, s);
    *part = 0;
    if (modulo) return start + dealt_to(&strip, modulo, r, k - strip.ptr[r]);
    if (storage->number[CMRS_SORTED]) return start + sorted_before(a, s * height, strip.rows, r, a->col[k]);
    return start + k - strip.ptr[0];
}

/* A kernel needs the two offsets of the strip's beginning and end. */
static struct extent touch_cmrs(const struct storage *storage, int q, const struct spot *spot)
{
    return extent_of(spot->place.row / storage->number[CMRS_HEIGHT], 2);
}

static struct place leads_cmrs(const struct storage *storage, int q, int64_t e)
{
    return (struct place){e < storage->number[CMRS_STRIPS] ? e * storage->number[CMRS_HEIGHT] : -1, -1};
}

/* A thick rule before each strip; within it a thin one before each group, or before each row if the strip is
 * stored row by row. */
static enum rule rule_cmrs(const struct storage *storage, int q, int64_t e)
{
    if (q == CMRS_STRIP_PTR) return RULE_NONE;
    if (strip_start(storage, strip_of(storage, e)) == e) return RULE_MAJOR;
    if (storage->number[CMRS_MODULO]) return e % CMRS_GROUP == 0 ? RULE_MINOR : RULE_NONE;
    if (storage->number[CMRS_SORTED]) return RULE_NONE;
    return cmrs_row(storage, e) != cmrs_row(storage, e - 1) ? RULE_MINOR : RULE_NONE;
}

static struct shape shape_cmrs(const struct storage *storage)
{
    return (struct shape){.line = LINE_OTHER,
                          .name = "strip",
                          .lines = storage->number[CMRS_STRIPS],
                          .wide = storage->number[CMRS_WIDEST]};
}

static int64_t cell_cmrs(const struct storage *storage, int64_t line, int64_t c)
{
    int64_t e = strip_start(storage, line) + c;
    return e < strip_start(storage, line + 1) ? e : -1;
}

static void find_cmrs(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = spot->place.row / storage->number[CMRS_HEIGHT];
    *c = spot->slot < 0 ? -1 : spot->slot - strip_start(storage, *line);
}

static int64_t label_cmrs(const struct storage *storage, int64_t line)
{
    return line;
}

/* Append the lowest bits of a number, 4 for each nibble, with a blank between nibbles. */
static void append_bits(struct text *text, int64_t number, int nibbles)
{
    for (int bit = 4 * nibbles - 1; bit >= 0; bit--)
        text_append(text, "%d%s", (int)(number >> bit & 1), bit > 0 && bit % 4 == 0 ? " " : "");
}

/* Explain an element of ColInd if it is packed: write the column and the row as numbers and as bits. Columns
 * are written with as many nibbles as the last one needs. */
static void explain_cmrs(const struct storage *storage, int q, int64_t e, struct text *text)
{
    int nibbles = 1;
    if (q != CMRS_COL_IND || !storage->number[CMRS_PACKED]) return;
    while ((storage->cols - 1) >> (4 * nibbles))
        nibbles++;
    text_append(text, "column %lld, row %d of its strip: ", (long long)cmrs_col(storage, e),
                cmrs_row(storage, e));
    append_bits(text, cmrs_col(storage, e), nibbles);
    text_append(text, "|");
    append_bits(text, cmrs_row(storage, e), 1);
}

/* The five criteria */

static int64_t height_of_strip(const struct storage *storage)
{
    return storage->number[CMRS_HEIGHT];
}

static int64_t slots_of_strip(const struct layout *layout, int64_t g, const struct progress *progress)
{
    const struct strip strip = strip_at(layout->a, layout->height, g);
    return strip_slots(&strip, layout->storage->number[CMRS_MODULO]);
}

/* A strip of padded CMRS, whose longest row has `longest` entries, is divided anew, into one group more if
 * its groups have no room for an entry of row r. */
static double writes_groups(const struct layout *layout, int64_t s, const struct strip *strip,
                            int64_t longest, int r)
{
    const int64_t own = group_start(layout, s + 1) - group_start(layout, s);
    const int64_t length = strip->ptr[r + 1] - strip->ptr[r] + 1;
    const int64_t slots = CMRS_GROUP * strip_groups_of(strip_entries(strip) + 1, max(longest, length),
                                                       layout->storage->number[CMRS_MODULO]);
    if (slots == own) return moved_bytes(layout, slots - 1, 0);
    return moved_bytes(layout, slots - 1 + layout->storage->slots[0] - group_start(layout, s + 1),
                       layout->groups - s);
}

static double term_strips(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t *number = layout->storage->number;
    double sum = 0;
    for (int64_t s = first; s < end; s++) {
        const struct strip strip = strip_at(layout->a, number[CMRS_HEIGHT], s);
        int64_t after = layout->storage->slots[0] - group_start(layout, s + 1);
        double bytes = moved_bytes(layout, after, layout->groups - s);
        const int64_t longest = number[CMRS_MODULO] ? strip_longest(&strip) : 0;
        for (int r = 0; r < strip.rows; r++) {
            if (number[CMRS_MODULO]) bytes = writes_groups(layout, s, &strip, longest, r);
            sum += free_places(layout, s * number[CMRS_HEIGHT] + r) * at_most_all(layout, bytes);
        }
    }
    return sum;
}

static double writes_cmrs(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_strips);
}

static struct look_ups look_ups_of_cmrs(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->groups) + 1};
}

static double term_searches(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t *number = layout->storage->number;
    bool by_rows = !number[CMRS_SORTED] && !number[CMRS_MODULO];
    double sum = 0;
    for (int64_t s = first; s < end; s++) {
        const struct strip strip = strip_at(layout->a, layout->height, s);
        sum += strip.rows * look_ups_of_list(group_start(layout, s + 1) - group_start(layout, s), by_rows);
    }
    return sum;
}

/* Rows are sought in their strips. */
static double searches_in_strips(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_searches);
}

static double term_fetches(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t sum = 0;
    for (int64_t s = first; s < end; s++)
        sum += sectors_of_run(group_start(layout, s), group_start(layout, s + 1) - group_start(layout, s),
                              layout->elements);
    return (double)sum;
}

static double sectors_strips(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_fetches);
}

static double fetches_cmrs(const struct layout *layout)
{
    return each_array(layout, 0, sectors_strips);
}

static double term_turns(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t turns = 0;
    for (int64_t s = first; s < end; s++)
        turns += (group_start(layout, s + 1) - group_start(layout, s) + WARP_THREADS - 1) / WARP_THREADS;
    return (double)turns * WARP_THREADS;
}

static double lanes_cmrs(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_turns);
}

static const struct criteria_rules criteria = {
    .height = height_of_strip,
    .slots = slots_of_strip,
    .writes = writes_cmrs,
    .look_ups = look_ups_of_cmrs,
    .searches = searches_in_strips,
    .fetches = fetches_cmrs,
    .lanes = lanes_cmrs,
    .work = work_groups,
};

static const char *const variants[] = {"", "packed=1", "modulo=4", NULL};

static const struct format_trial trials[] = {{"", .quick = true},
                                             {"packed=1", .quick = true},
                                             {"modulo=4", .quick = true, .even = true},
                                             {"height=2"},
                                             {"height=4"},
                                             {"height=16"},
                                             {"sorted=1"},
                                             {NULL}};

const struct format format_cmrs = {
    .name = "cmrs",
    .title = "CMRS",
    .summary = "strips of up to 16 rows, and for each entry its row in the strip",
    .source = "Koza, Matyka, Szkoda and Mirosław, SIAM J. Sci. Comput. 36, 2014, section 3; modulo: "
              "section 6.7",
    .wins = "It suits short rows on a GPU: a strip of them fills a warp, a single row does not. It has no "
            "padding, but a row number for each entry. On an H200 other formats are mostly faster with three "
            "to eight entries a row.",
    .parameters = parameters,
    .pads = "groups of 32 slots are not full",
    .convert_cost = 5,
    .example = "height=2",
    .variants = variants,
    .lines = FORMAT_ROWS,
    .trials = trials,
    .criteria = &criteria,
    .plan = plan_cmrs,
    .fill = fill_cmrs,
    .validate = validate_cmrs,
    .place = place_cmrs,
    .locate = locate_cmrs,
    .touch = touch_cmrs,
    .leads = leads_cmrs,
    .rule = rule_cmrs,
    .shape = shape_cmrs,
    .cell = cell_cmrs,
    .find = find_cmrs,
    .label = label_cmrs,
    .explain = explain_cmrs,
};
