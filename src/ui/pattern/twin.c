/* A second picture beside the first: the matrix in another order, with the same zoom and scale of densities.
 * The cursor's position in the matrix is marked in both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "ui/pattern/pattern.h"

/* The minimum width for two pictures, and for a panel beside them. */
#define PAIR_WIDE 100
#define PANEL_BESIDE 150
#define PANEL_WIDE 30
#define PANEL_HIGH 8

const struct matrix_case *pattern_twin_of(const struct explorer *explorer, const struct pattern *pattern,
                                          struct rect area)
{
    bool room = area.wide >= PAIR_WIDE && area.high >= 16;
    return pattern->alone || !room ? NULL : explorer->beside;
}

void pattern_twin_free(struct pattern *pattern)
{
    pattern_close(pattern->twin);
    pattern->twin = NULL;
}

static bool is_idle(const struct pattern *pattern)
{
    enum errand_state state = pattern->overlays.errand.state, sizing = pattern->sizing.errand.state;
    return state != ERRAND_WANTED && state != ERRAND_RUNNING && sizing != ERRAND_WANTED &&
           sizing != ERRAND_RUNNING;
}

/* Return the twin. If the case has changed, make a new twin. NULL without memory, or while the errand of the
 * old twin is running. */
static struct pattern *find_twin(struct explorer *explorer, struct pattern *pattern,
                                 const struct matrix_case *of)
{
    struct errand *errand = explorer->errand;
    if (pattern->twin && pattern->twin->of != of) {
        if (pattern->twin->overlays.errand.state == ERRAND_RUNNING) {
            pattern->twin->overlays.errand.unwanted = true;
            return NULL;
        }
        if (pattern->twin->sizing.errand.state == ERRAND_RUNNING) {
            pattern->twin->sizing.errand.unwanted = true;
            return NULL;
        }
        if (errand == &pattern->twin->overlays.errand || errand == &pattern->twin->sizing.errand)
            explorer->errand = errand = NULL;
        pattern_twin_free(pattern);
    }
    if (pattern->twin) return pattern->twin;
    pattern->twin = memory_zeroed(1, sizeof *pattern->twin, NULL);
    if (!pattern->twin) return NULL;
    pattern_start(explorer, pattern->twin, of);
    explorer->errand = errand; /* the twin requests its own errand when it needs one */
    return pattern->twin;
}

/* Draw the twin like the first picture. */
static void follow(struct explorer *explorer, const struct pattern *pattern, struct pattern *twin,
                   struct rect area)
{
    int64_t place[2];
    twin->bare = true;
    twin->fill = pattern->fill;
    twin->margin_wish = pattern->margin_wish;
    twin->diagonal = pattern->diagonal;
    twin->bands = pattern->bands;
    if (twin->colouring != pattern->colouring) twin->counted = (struct viewport){0};
    twin->colouring = pattern->colouring;
    twin->wish = pattern->picture == PICTURE_BRAILLE  ? WISH_BRAILLE
                 : pattern->picture == PICTURE_PIXELS ? WISH_AUTOMATIC
                                                      : WISH_SHADED;
    twin->overlays.shown = pattern->overlays.shown;
    twin->overlays.height = pattern->overlays.height;
    twin->overlays.chunk = pattern->overlays.chunk;
    twin->overlays.window = pattern->overlays.window;
    /* Errands stop each other, and the errand of the first picture has priority. */
    if (is_idle(pattern)) pattern_settle(explorer, twin);
    pattern_lay_out(explorer, twin, area);
    pattern_cursor(explorer, twin, place);
    if (twin->level != pattern->level || (twin->picture != pattern->picture))
        pattern_zoom(explorer, twin, pattern->level, place);
    pattern_bring_up(explorer, twin, area);
}

/* Give both pictures one scale for all shown dots. */
static void share_scale(struct pattern *pattern, struct pattern *twin)
{
    pattern->shade = pattern->own;
    if (!pattern->max || !twin->max || pattern->sized != twin->sized) {
        twin->shade = twin->own;
        return;
    }
    pattern->shade = twin->shade =
        shade_scale(fmin(pattern->own.low, twin->own.low), fmax(pattern->own.high, twin->own.high));
}

void pattern_draw_pair(struct explorer *explorer, struct pattern *pattern, struct surface *surface,
                       struct rect area)
{
    const struct matrix_case *of = explorer->beside;
    struct pattern *twin = find_twin(explorer, pattern, of);
    bool beside = area.wide >= PANEL_BESIDE, computed = case_has(of, SESSION_MATRIX | SESSION_PYRAMID);
    struct rect panel =
        beside ? (struct rect){area.top, area.left + area.wide - PANEL_WIDE, area.high, PANEL_WIDE}
               : (struct rect){area.top + area.high - PANEL_HIGH, area.left, PANEL_HIGH, area.wide};
    int wide = area.wide - (beside ? PANEL_WIDE + 2 : 0), high = area.high - (beside ? 0 : PANEL_HIGH);
    struct rect left = {area.top, area.left, high, wide / 2 - 1},
                right = {area.top, area.left + wide / 2 + 1, high, wide - wide / 2 - 1};
    bool natural = pattern->of == explorer->session->cases;
    struct rect own = natural ? left : right, other = natural ? right : left;
    pattern_bring_up(explorer, pattern, own);
    pattern->shade = pattern->own;
    if (twin && computed) {
        follow(explorer, pattern, twin, other);
        share_scale(pattern, twin);
        pattern_paint(explorer, twin, surface);
    } else {
        surface_text(surface, other.top, other.left, other.wide, COLOUR_TEXT, 0, "%s", of->order);
        surface_text(surface, other.top + 2, other.left, other.wide, COLOUR_DIM, 0,
                     twin ? "computing its picture" : "no room for its picture yet");
    }
    pattern_paint(explorer, pattern, surface);
    pattern_draw_panel(explorer, pattern, surface, panel, beside);
}

bool pattern_twin_at(const struct explorer *explorer, const struct pattern *pattern, int y, int x,
                     int64_t *row, int64_t *col)
{
    const struct pattern *twin = pattern->twin;
    int64_t dot[2];
    if (!twin || !twin->laid_out || !pattern_at(twin, y, x, dot)) return false;
    struct range range = pattern_dot(twin, dot[ROWS], dot[COLS]);
    *row = pattern_row(twin, range.r0);
    *col = range.c0;
    case_carry(twin->of, explorer->session->shown, row, col);
    return true;
}

/* Write a time of making the order. */
static void write_time(struct pen *pen, const char *name, double seconds)
{
    char out[32];
    pen_pair(pen, name, COLOUR_TEXT, "%s", format_seconds(out, sizeof out, seconds));
}

void pattern_write_orders(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    const struct matrix_case *shown = pattern->of, *other = explorer->beside;
    const struct reordering *reordering;
    const struct pattern *twin = pattern->twin;
    const struct csr *a = &shown->matrix.csr;
    int64_t row = explorer->cursor.row, col = explorer->cursor.col, place[2];
    char heading[48];
    if (!other) return;
    snprintf(heading, sizeof heading, "In %.20s order", other->order);
    pen_heading(pen, heading);
    if (a->rows > 0 && a->cols > 0) {
        case_carry(shown, other, &row, &col);
        pattern_write_span(pen, "row", row, row + 1, a->rows);
        pattern_write_span(pen, "column", col, col + 1, a->cols);
    }
    if (pattern->paired && twin && twin->laid_out && a->rows > 0 && a->cols > 0) {
        pattern_cursor(explorer, twin, place);
        struct range dot = pattern_dot(twin, viewport_index(&twin->port, ROWS, place[ROWS]),
                                       viewport_index(&twin->port, COLS, place[COLS]));
        pen_count(pen, "entries of its dot", COLOUR_ACCENT,
                  pyramid_count(pattern_pyramid(twin), pattern_csr(twin), dot.r0, dot.r1, dot.c0, dot.c1),
                  NULL);
    }
    reordering = shown->reordering.choice.order ? &shown->reordering : &other->reordering;
    write_time(pen, "found in", reordering->order_seconds);
    write_time(pen, "permute x, y", reordering->permute_seconds);
}
