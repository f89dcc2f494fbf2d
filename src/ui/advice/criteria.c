/* The five criteria of each format, as a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"

#define NUMBER_WIDE 7
#define CELL_GAP 2
#define NAME_GAP 8 /* the maximum number of columns between the longest name and the first number */

/* A number within this distance of the best is marked as best too, because the difference is negligible. */
#define SAME 0.005

/* The column of criterion k. */
static const struct column *criterion_column(int k)
{
    for (const struct column *column = format_columns; column->key; column++)
        if (column->part == &part_criteria && k-- == 0) return column;
    return NULL;
}

/* Return the format variant of line k. *conversion becomes its conversion, or NULL if none was requested. */
static struct format_choice find_line(const struct explorer *explorer, const struct advice_screen *screen,
                                      int k, const struct conversion **conversion)
{
    struct format_choice choice = {.format = NULL};
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++) {
            if (k-- > 0) continue;
            format_choice_read(formats[f], formats[f]->variants[v], screen->precision, &choice, NULL);
            *conversion = conversions_find(&explorer->session->shown->conversions, &choice);
            return choice;
        }
    *conversion = NULL;
    return choice;
}

struct format_choice advice_criteria_choice(const struct explorer *explorer,
                                            const struct advice_screen *screen, int line)
{
    const struct conversion *conversion;
    return find_line(explorer, screen, line, &conversion);
}

int advice_criteria_count(const struct explorer *explorer, const struct advice_screen *screen)
{
    int count = 0;
    while (advice_criteria_choice(explorer, screen, count).format)
        count++;
    return count;
}

bool advice_define_criterion(const struct advice_screen *screen, int k, struct definition *definition)
{
    const struct column *column = criterion_column((screen->criterion + k) % CRITERIA);
    *definition = (struct definition){.title = column->heading, .text = column->help, .here = k == 0};
    return k < CRITERIA;
}

/* The width of a criterion: its heading or "*0.6667", a gap, and its share of the spare columns. */
static int cell_wide(int k, int spare)
{
    const int heading = surface_columns(criterion_column(k)->heading);
    return (heading > NUMBER_WIDE ? heading : NUMBER_WIDE) + CELL_GAP + spare;
}

/* Divide `wide` columns from x on. Criterion c begins at column at[c], and at[CRITERIA] is the end. The
 * numbers stay beside the names, since a line of 200 columns with nothing between them is hard to follow. */
static void place_cells(const struct explorer *explorer, const struct advice_screen *screen, int count, int x,
                        int wide, int at[CRITERIA + 1])
{
    int longest = 0, cells = 0;
    char name[CHOICE_NAME];
    for (int k = 0; k < count; k++) {
        const struct format_choice choice = advice_criteria_choice(explorer, screen, k);
        int length = surface_columns(format_choice_name(&choice, name, sizeof name));
        if (length > longest) longest = length;
    }
    for (int c = 0; c < CRITERIA; c++)
        cells += cell_wide(c, 0);
    int spare = (wide - longest - cells) / CRITERIA;
    spare = spare < 0 ? 0 : spare > CELL_GAP ? CELL_GAP : spare;
    const int used = longest + cells + CRITERIA * spare + NAME_GAP;
    at[CRITERIA] = x + (used < wide ? used : wide);
    for (int c = CRITERIA - 1; c >= 0; c--)
        at[c] = at[c + 1] - cell_wide(c, spare);
}

static double number_of(const struct conversion *conversion, int criterion)
{
    const struct criteria *criteria = conversion ? conversion_criteria(conversion) : NULL;
    if (!criteria) return NAN;
    const double numbers[CRITERIA] = {criteria->space, criteria->flexibility, criteria->accessibility,
                                      criteria->access, criteria->balance};
    return numbers[criterion];
}

static void find_best(const struct explorer *explorer, const struct advice_screen *screen, int count,
                      double best[CRITERIA])
{
    for (int c = 0; c < CRITERIA; c++)
        best[c] = NAN;
    for (int k = 0; k < count; k++) {
        const struct conversion *conversion;
        find_line(explorer, screen, k, &conversion);
        for (int c = 0; c < CRITERIA; c++)
            best[c] = fmax(best[c], number_of(conversion, c));
    }
}

static void draw_headings(const struct advice_screen *screen, bool focus, struct surface *surface, int y,
                          int x, const int at[CRITERIA + 1])
{
    surface_text(surface, y, x, at[0] - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "format");
    for (int c = 0; c < CRITERIA; c++) {
        bool here = focus && c == screen->criterion;
        surface_text_right(surface, y, at[c], at[c + 1] - at[c], here ? COLOUR_ACCENT : COLOUR_TITLE,
                           here ? ATTRIBUTE_BOLD | ATTRIBUTE_UNDERLINE : ATTRIBUTE_BOLD, "%s",
                           criterion_column(c)->heading);
    }
}

static void draw_line(const struct explorer *explorer, const struct advice_screen *screen, int k,
                      const double best[CRITERIA], struct surface *surface, int y, int x,
                      const int at[CRITERIA + 1])
{
    const struct conversion *conversion;
    const struct format_choice choice = find_line(explorer, screen, k, &conversion);
    char name[CHOICE_NAME];
    const bool awaited =
        conversion && !atomic_load(&conversion->sized) && conversion_state(conversion) != CONVERSION_REFUSED;
    const bool here = screen->focus == SECTION_CRITERIA && k == screen->format;
    format_choice_name(&choice, name, sizeof name);
    surface_text_short(surface, y, x, at[0] - x, explorer->ascii, COLOUR_TEXT,
                       k == screen->format ? ATTRIBUTE_BOLD : 0, name);
    for (int c = 0; c < CRITERIA; c++) {
        double number = number_of(conversion, c);
        bool good = number >= best[c] - SAME;
        int wide = at[c + 1] - at[c];
        /* The heading may be out of sight. */
        const int chosen = here && c == screen->criterion ? ATTRIBUTE_UNDERLINE : 0;
        if (isnan(number))
            surface_text_right(surface, y, at[c], wide, COLOUR_DIM, chosen, awaited ? "..." : "-");
        else
            surface_text_right(surface, y, at[c], wide, good ? COLOUR_GOOD : COLOUR_TEXT,
                               (good ? ATTRIBUTE_BOLD : 0) | chosen, "%s%s", good ? "*" : "",
                               format_brief(name, sizeof name, number));
    }
}

int advice_draw_criteria(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect)
{
    const int count = advice_criteria_count(explorer, screen), x = rect.left + 1, wide = rect.wide - 2;
    const bool focus = screen->focus == SECTION_CRITERIA;
    int at[CRITERIA + 1];
    double best[CRITERIA];
    if (screen->format >= count) screen->format = count - 1;
    find_best(explorer, screen, count, best);
    place_cells(explorer, screen, count, x, wide, at);
    draw_headings(screen, focus, surface, rect.top, x, at);
    for (int k = 0; k < count; k++) {
        const struct rect line = {rect.top + 1 + k, rect.left, 1, rect.wide};
        draw_line(explorer, screen, k, best, surface, line.top, x, at);
        advice_spot(screen, SECTION_CRITERIA, k, line);
        if (k == screen->format && focus) surface_cursor(surface, line);
    }
    const int foot = 1 + count;
    struct flow flow = {.surface = surface, .rect = {rect.top + foot, x, rect.high - foot, wide}};
    const struct column *column = criterion_column(screen->criterion);
    char words[512];
    snprintf(words, sizeof words, "%s: %s. 1 is best.", column->heading, column->help);
    flow_words(&flow, COLOUR_DIM, words);
    return foot + flow_lines(&flow);
}
