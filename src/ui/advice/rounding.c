/* The section on precisions: the bytes of each type of numbers as bars beside the worst error of a row of
 * y = A x on a logarithmic scale, and further columns of the report where there is room. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/bars.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/definitions.h"

/* The scale of errors ends at these powers of ten. Beyond it a mark is in the first or last cell. */
#define ERROR_FROM (-17)
#define ERROR_TO 0

#define TYPE_WIDE 8
#define BYTES_WIDE 6
#define BAR_WIDE 12
#define CELL_WIDE 9
#define SCALE_LEAST 18
#define SCALE_GOOD \
    28 /* columns of a scale with labels at every TICK_STEP, which is before more than ERRORS cells */
#define SCALE_MOST 52
#define TICK_STEP 4 /* powers of ten between labels of the scale; twice as many on a shorter one */
#define ERRORS 2    /* the first cells, which are the numbers of the marks */

static const struct column *column_of(const char *key)
{
    const struct column *column = column_first(rounding_columns, &part_rounding);
    while (column && strcmp(column->key, key) != 0)
        column = column_next(column);
    return column;
}

/* The columns in the order in which they get room, and the places of all. */
static const char *const cells[] = {"max_error", "f32_max_error", "exact",  "infinite",
                                    "zero",      "norm_error",    "largest"};
#define CELLS ((int)(sizeof cells / sizeof *cells))

struct layout {
    int bar, scale, scale_wide, first, count; /* columns of characters, and how many of `cells` fit */
    double most;                              /* bytes of the longest bar */
};

static struct layout lay_out(const struct matrix_case *of, int left, int wide)
{
    struct layout layout = {.bar = left + TYPE_WIDE + BYTES_WIDE + 1};
    layout.scale = layout.bar + BAR_WIDE + 2;
    int rest = left + wide - layout.scale - 1, cells_wide = CELL_WIDE + 1;
    layout.count = (int)clip_index((rest - SCALE_LEAST) / cells_wide, ERRORS + 1);
    if (rest - ERRORS * cells_wide >= SCALE_GOOD)
        layout.count = (int)min(CELLS, (rest - SCALE_GOOD) / cells_wide);
    layout.scale_wide = (int)min(SCALE_MOST, rest - layout.count * cells_wide);
    layout.first = layout.scale + layout.scale_wide + 1;
    for (int k = 0; k < NUMBER_TYPES; k++)
        layout.most = max(layout.most, number_csr_bytes(&number_types[k], case_is_complex(of)));
    return layout;
}

/* The cell of an error on the scale. */
static int error_cell(double error, int wide)
{
    if (!(error > 0)) return 0;
    const double share = (log10(error) - ERROR_FROM) / (ERROR_TO - ERROR_FROM);
    return share >= 1 ? wide - 1 : share <= 0 ? 0 : (int)(share * (wide - 1) + 0.5);
}

static void draw_heads(const struct explorer *explorer, const struct layout *layout, struct surface *surface,
                       struct rect line)
{
    surface_text(surface, line.top, line.left, TYPE_WIDE, COLOUR_TITLE, ATTRIBUTE_BOLD, "type");
    surface_text(surface, line.top, line.left + TYPE_WIDE, layout->scale - line.left - TYPE_WIDE - 1,
                 COLOUR_DIM, 0, "bytes of an entry");
    const int step = layout->scale_wide < SCALE_GOOD ? 2 * TICK_STEP : TICK_STEP;
    for (int power = ERROR_FROM + 1; power <= ERROR_TO; power += step) {
        char words[16];
        snprintf(words, sizeof words, power ? "1e%d" : "1", power);
        surface_text(surface, line.top, layout->scale + error_cell(pow(10, power), layout->scale_wide), 5,
                     COLOUR_DIM, 0, "%s", words);
    }
    for (int k = 0; k < layout->count; k++)
        surface_text_right(surface, line.top, layout->first + k * (CELL_WIDE + 1), CELL_WIDE, COLOUR_DIM, 0,
                           "%s", column_of(cells[k])->heading);
}

/* Draw the mark of an error. One that is infinite, since y overflows, has a mark of its own. */
static void draw_mark(const struct explorer *explorer, double error, uint32_t mark, enum colour colour,
                      const struct layout *layout, struct surface *surface, int y)
{
    if (isnan(error)) return;
    if (isinf(error)) mark = explorer->ascii ? '>' : 0x221e;
    surface_put(surface, y, layout->scale + error_cell(error, layout->scale_wide), mark, colour, COLOUR_TEXT,
                0);
}

/* Draw the errors of a type on the scale: with sums in f64, and in f32 where it has such. */
static void draw_errors(const struct explorer *explorer, const struct precision_loss *loss,
                        const struct layout *layout, struct surface *surface, int y)
{
    for (int x = 0; x < layout->scale_wide; x++)
        surface_put(surface, y, layout->scale + x, explorer->ascii ? '.' : 0xb7, COLOUR_DIM, COLOUR_TEXT, 0);
    draw_mark(explorer, loss->product[SUMS_F32].max_error, explorer->ascii ? 'o' : 0x25cb,
              (enum colour)(COLOUR_PART + 2), layout, surface, y);
    draw_mark(explorer, loss->product[SUMS_F64].max_error, explorer->ascii ? '#' : 0x25cf,
              (enum colour)(COLOUR_PART + 1), layout, surface, y);
}

static void draw_type(const struct explorer *explorer, const struct matrix_case *of, int type,
                      const struct layout *layout, struct surface *surface, struct rect line)
{
    const struct precision_loss *loss = &of->precisions.type[type];
    const struct subject subject = {.matrix_case = of, .loss = loss};
    const int bytes = number_csr_bytes(&number_types[type], case_is_complex(of));
    surface_text(surface, line.top, line.left, TYPE_WIDE, COLOUR_TEXT, 0, "%s", number_types[type].name);
    surface_text_right(surface, line.top, line.left + TYPE_WIDE, BYTES_WIDE, COLOUR_TEXT, 0, "%d", bytes);
    bar_draw(surface, &(struct bar){.rect = {line.top, layout->bar, 1, BAR_WIDE},
                                    .length = bytes / layout->most,
                                    .colour = COLOUR_ROWS,
                                    .ascii = explorer->ascii});
    draw_errors(explorer, loss, layout, surface, line.top);
    for (int k = 0; k < layout->count; k++) {
        const struct column *column = column_of(cells[k]);
        char words[48];
        surface_text_right(surface, line.top, layout->first + k * (CELL_WIDE + 1), CELL_WIDE, COLOUR_TEXT, 0,
                           "%s",
                           value_brief(column, column_get(column, &subject), CELL_WIDE, words, sizeof words));
    }
}

/* Explain the marks, and what a bar counts. Returns the number of lines. */
static int draw_legend(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    flow_item(&flow, COLOUR_DIM, "worst |y - r| / sum |a x| of a row:");
    flow_item(&flow, (enum colour)(COLOUR_PART + 1), "%s sums in f64", explorer->ascii ? "#" : "\u25cf");
    flow_item(&flow, (enum colour)(COLOUR_PART + 2), "%s in f32", explorer->ascii ? "o" : "\u25cb");
    return flow_lines(&flow);
}

int advice_draw_rounding(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect)
{
    const struct matrix_case *of = explorer->session->shown;
    const int missing = advice_draw_missing(explorer, screen, SECTION_ROUNDING, surface, rect);
    if (missing) return missing;
    const struct rect inner = {rect.top, rect.left + 1, rect.high, rect.wide - 2};
    if (of->precisions.values == 0) {
        surface_text(surface, inner.top, inner.left, inner.wide, COLOUR_TEXT, 0,
                     "The matrix has no finite values.");
        return 1;
    }
    const struct layout layout = lay_out(of, inner.left, inner.wide);
    int y = inner.top + draw_legend(explorer, surface, inner);
    draw_heads(explorer, &layout, surface, (struct rect){y++, inner.left, 1, inner.wide});
    for (int k = 0; k < NUMBER_TYPES; k++)
        draw_type(explorer, of, k, &layout, surface, (struct rect){y++, inner.left, 1, inner.wide});
    return y - rect.top;
}

bool advice_define_rounding(int k, struct definition *definition)
{
    static const char *const keys[] = {"max_error", "f32_max_error", "csr_bytes", "exact", "infinite",
                                       "zero",      "norm_error",    "largest",   NULL};
    if (!definition_listed(rounding_columns, keys, k, definition)) return false;
    definition->here = k == 0; /* the section has the cursor, but no items */
    return true;
}
