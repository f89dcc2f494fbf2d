/* The section on sparse products: multiplications and entries of A A, A^T A and A A^T as bars, and the
 * columns of the report's table, a line each. */
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/bars.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/definitions.h"

#define NAME_WIDE 10  /* the name of a bar */
#define COUNT_WIDE 12 /* a number beside a bar */
#define BAR_LEAST 10  /* columns of the shortest bar that is drawn */
#define TITLE_WIDE 30 /* the title of a column of the report */
#define CELL_WIDE 12  /* with the gap, three fit into the narrowest terminal */
#define CELL_GAP 1

static const struct spgemm *product_of(const struct matrix_case *of, int kind)
{
    return &of->spgemm[kind];
}

/* Say how much larger A^T A or A A^T, whichever has fewer entries, is than A, and how its rows are best
 * accumulated. */
static int draw_verdict(const struct matrix_case *of, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    const bool tall = of->spgemm[SPGEMM_ATA].nnz <= of->spgemm[SPGEMM_AAT].nnz;
    const struct spgemm *c = product_of(of, tall ? SPGEMM_ATA : SPGEMM_AAT);
    char words[320], growth[32], compression[32], hash[32], dense[32];
    if (c->nnz == 0) return 0;
    snprintf(words, sizeof words,
             "%s has %s%s times the entries of A, and %s multiplications per entry. A thread accumulates any "
             "of its rows in a hash table of %s, or in dense arrays of %s.",
             spgemm_name(tall ? SPGEMM_ATA : SPGEMM_AAT), c->exact ? "" : "about ",
             format_digits(growth, sizeof growth, c->growth, 3),
             format_digits(compression, sizeof compression, c->compression, 3),
             format_bytes(hash, sizeof hash, (double)c->hash_bytes),
             format_bytes(dense, sizeof dense, (double)c->dense_bytes));
    flow_words(&flow, COLOUR_ACCENT, words);
    return flow_lines(&flow);
}

/* Draw a bar of multiplications, and over its beginning the entries that they become. */
static void draw_bar(const struct explorer *explorer, const char *name, double entries, double terms,
                     double scale, struct surface *surface, struct rect line)
{
    const int x = line.left + 1 + NAME_WIDE, end = line.left + line.wide - 1;
    const struct rect cells = {line.top, x, 1, end - x - 2 * (COUNT_WIDE + 1)};
    char words[32];
    surface_text(surface, line.top, line.left + 1, NAME_WIDE, COLOUR_TEXT, 0, "%s", name);
    bar_draw(surface, &(struct bar){.kind = BAR_LINE,
                                    .rect = cells,
                                    .length = share_of(terms, scale),
                                    .colour = (enum colour)(COLOUR_PART + 2),
                                    .ascii = explorer->ascii});
    bar_draw(surface, &(struct bar){.rect = cells,
                                    .length = share_of(entries, scale),
                                    .colour = (enum colour)(COLOUR_PART + 1),
                                    .ascii = explorer->ascii});
    surface_text_right(surface, line.top, end - 2 * COUNT_WIDE - 1, COUNT_WIDE, COLOUR_TEXT, 0, "%s",
                       format_fitting(words, sizeof words, (int64_t)entries, COUNT_WIDE));
    if (terms > 0)
        surface_text_right(surface, line.top, end - COUNT_WIDE, COUNT_WIDE, COLOUR_TEXT, 0, "%s",
                           format_fitting(words, sizeof words, (int64_t)terms, COUNT_WIDE));
}

/* Draw the bars of A and of the products on one scale. Returns the line below them. */
static int draw_bars(const struct explorer *explorer, const struct matrix_case *of, struct surface *surface,
                     struct rect rect)
{
    const int first = spgemm_first(&of->matrix.csr), end = rect.left + rect.wide - 1;
    double scale = (double)case_nnz(of);
    int y = rect.top;
    for (int k = first; k < SPGEMM_KINDS; k++)
        scale = max(scale, (double)of->spgemm[k].multiplications);
    if (end - rect.left - 1 - NAME_WIDE - 2 * (COUNT_WIDE + 1) < BAR_LEAST) return y;
    surface_text(surface, y, rect.left + 1, rect.wide, COLOUR_DIM, 0,
                 explorer->ascii ? "# entries, = multiplications" : "\u2588 entries, \u2501 multiplications");
    surface_text_right(surface, y, end - 2 * COUNT_WIDE - 1, COUNT_WIDE, (enum colour)(COLOUR_PART + 1), 0,
                       "entries");
    surface_text_right(surface, y++, end - COUNT_WIDE, COUNT_WIDE, (enum colour)(COLOUR_PART + 2), 0,
                       "multiply");
    draw_bar(explorer, "A", (double)case_nnz(of), 0, scale, surface,
             (struct rect){y++, rect.left, 1, rect.wide});
    for (int k = first; k < SPGEMM_KINDS; k++)
        draw_bar(explorer, spgemm_name((enum spgemm_kind)k), (double)of->spgemm[k].nnz,
                 (double)of->spgemm[k].multiplications, scale, surface,
                 (struct rect){y++, rect.left, 1, rect.wide});
    return y + 1;
}

/* Draw the columns of the report as lines. Returns the line below them. */
static int draw_table(const struct explorer *explorer, const struct matrix_case *of, struct surface *surface,
                      struct rect rect)
{
    const int first = spgemm_first(&of->matrix.csr), x = rect.left + 1 + TITLE_WIDE;
    int y = rect.top;
    for (int k = first; k < SPGEMM_KINDS; k++)
        surface_text_right(surface, y, x + (k - first) * (CELL_WIDE + CELL_GAP), CELL_WIDE, COLOUR_DIM, 0,
                           "%s", spgemm_name((enum spgemm_kind)k));
    y++;
    /* The first column is the name of the product. */
    for (const struct column *column = column_next(column_first(spgemm_columns, &part_spgemm)); column;
         column = column_next(column), y++) {
        surface_text_short(surface, y, rect.left + 1, TITLE_WIDE, explorer->ascii, COLOUR_TEXT, 0,
                           column->title);
        for (int k = first; k < SPGEMM_KINDS; k++) {
            const struct subject subject = {.matrix_case = of, .spgemm = product_of(of, k)};
            char words[48];
            surface_text_right(
                surface, y, x + (k - first) * (CELL_WIDE + CELL_GAP), CELL_WIDE, COLOUR_TEXT, 0, "%s",
                value_brief(column, column_get(column, &subject), CELL_WIDE, words, sizeof words));
        }
    }
    return y;
}

int advice_draw_spgemm(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect)
{
    const struct matrix_case *of = explorer->session->shown;
    const int missing = advice_draw_missing(explorer, screen, SECTION_SPGEMM, surface, rect);
    if (missing) return missing;
    int y = rect.top + draw_verdict(of, surface, rect);
    y = draw_bars(explorer, of, surface, (struct rect){y, rect.left, rect.high, rect.wide});
    y = draw_table(explorer, of, surface, (struct rect){y, rect.left, rect.high, rect.wide});
    return y - rect.top;
}

bool advice_define_spgemm(int k, struct definition *definition)
{
    static const char *const keys[] = {
        "nnz",        "multiplications", "compression", "growth",         "longest",
        "hash_bytes", "fitted_bytes",    "dense_bytes", "standard_error", NULL};
    if (!definition_listed(spgemm_columns, keys, k, definition)) return false;
    definition->here = k == 0; /* the section has the cursor, but no items */
    return true;
}
