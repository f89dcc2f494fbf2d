#include "formats/ell.h"

#include "formats/criteria_rules.h"
#include "formats/ell_part.h"

static const struct parameter parameters[] = {
    [ELL_LAYOUT] = {"layout", "layout of the padded rows: transposed, or one after another",
                    .type = PARAMETER_WORD, .words = ell_layouts},
    [ELL_PAD] = {"pad", "column of padding: that of the row's last entry, or -1", .type = PARAMETER_WORD,
                 .words = ell_pads},
    {0},
};

static struct ell_part part_of(const struct storage *storage)
{
    return (struct ell_part){
        .rows = storage->rows,
        .width = storage->number[ELL_WIDTH],
        .transposed = storage_parameter(storage, ELL_LAYOUT) == ELL_TRANSPOSED,
        .sentinel = storage_parameter(storage, ELL_PAD) == ELL_SENTINEL,
    };
}

/* Rows and columns are below 2^31, so that rows x width fits into 64 bits. */
static enum status plan_ell(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    storage->number[ELL_WIDTH] = longest_row(a);
    storage->slots[0] = storage->rows * storage->number[ELL_WIDTH];
    plan_slots(storage, ELL_COL, "col", ROLE_COLUMNS, 0, "column of slot e");
    plan_slots(storage, ELL_VAL, "val", ROLE_VALUES, 0, "value of slot e");
    return STATUS_OK;
}

static enum status fill_ell(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    const struct ell_part part = part_of(storage);
    return ell_part_fill(storage, &part, a, "converting to ELL", progress, error);
}

static enum status validate_ell(const struct storage *storage, struct error *error)
{
    const struct ell_part part = part_of(storage);
    return ell_part_validate(storage, &part, error);
}

static struct place place_ell(const struct storage *storage, int part, int64_t e)
{
    const struct ell_part ell = part_of(storage);
    return ell_place(storage, &ell, e);
}

static int64_t locate_ell(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    const struct ell_part ell = part_of(storage);
    *part = 0;
    return ell_slot(&ell, i, k - a->row_ptr[i]);
}

static enum rule rule_ell(const struct storage *storage, int q, int64_t e)
{
    const struct ell_part part = part_of(storage);
    return ell_rule(&part, e);
}

static struct shape shape_ell(const struct storage *storage)
{
    return (struct shape){.line = LINE_ROW, .lines = storage->rows, .wide = storage->number[ELL_WIDTH]};
}

static int64_t cell_ell(const struct storage *storage, int64_t line, int64_t c)
{
    const struct ell_part part = part_of(storage);
    return ell_slot(&part, line, c);
}

static void find_ell(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    const struct ell_part part = part_of(storage);
    *line = spot->place.row;
    *c = spot->slot < 0 ? -1 : ell_position(&part, spot->slot);
}

static int64_t repeats(const struct storage *storage)
{
    return storage_parameter(storage, ELL_PAD) == ELL_REPEAT ? storage->number[ELL_WIDTH] : 0;
}

/* The five criteria */

/* The free positions in rows without padding. */
static double term_full(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        if (line_length(layout, i) == layout->storage->number[ELL_WIDTH]) sum += free_places(layout, i);
    return sum;
}

static double writes_ell(const struct layout *layout)
{
    bool transposed = storage_parameter(layout->storage, ELL_LAYOUT) == ELL_TRANSPOSED;
    double column = moved_bytes(layout, layout->lines - 1, 0);
    return criteria_sum(layout, 0, layout->lines, 1, term_full) *
           (transposed ? at_most_all(layout, column) : layout->bytes);
}

static double fetches_ell(const struct layout *layout)
{
    return ell_fetches(layout, ELL_LAYOUT);
}

static const struct criteria_rules criteria = {
    .writes = writes_ell,
    .look_ups = no_look_ups,
    .fetches = fetches_ell,
    .lanes = lanes_lines,
};

static const char *const variants[] = {"", NULL};

static const struct format_trial trials[] = {{"", .quick = true}, {"pad=sentinel"}, {"layout=rows"}, {NULL}};

const struct format format_ell = {
    .name = "ell",
    .title = "ELLPACK",
    .summary = "rows padded to the length of the longest, stored by rows or transposed",
    .source = "PMPP, section 10.3, figures 10.8 to 10.10",
    .wins = "It suits rows of nearly equal length, as in grids, stencils and bands. On GPUs the lanes of a "
            "warp read adjacent slots. A single long row pads all others.",
    .parameters = parameters,
    .convert_cost = 6,
    .variants = variants,
    .trials = trials,
    .repeats = repeats,
    .criteria = &criteria,
    .plan = plan_ell,
    .fill = fill_ell,
    .validate = validate_ell,
    .place = place_ell,
    .locate = locate_ell,
    .touch = touch_none,
    .leads = leads_nowhere,
    .rule = rule_ell,
    .shape = shape_ell,
    .cell = cell_ell,
    .find = find_ell,
    .label = label_row,
};
