/* The cursor and the zoom of the Pattern screen. */
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/pattern/moves.h"

#define SEARCHED_MAX 2000000 /* rows to search for the next entry of a column, in a tenth of a second */

void pattern_follow(struct explorer *explorer, struct pattern *pattern)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    viewport_show(&pattern->port, place);
    pattern->seen = explorer->cursor;
}

void pattern_go(struct explorer *explorer, struct pattern *pattern, int64_t position, int64_t col)
{
    int64_t rows = pattern->of->matrix.csr.rows;
    explorer_move(explorer, rows ? pattern_row(pattern, clip(position, rows - 1)) : 0, col);
    pattern_follow(explorer, pattern);
}

static void move(struct explorer *explorer, struct pattern *pattern, int64_t down, int64_t right)
{
    const struct viewport *port = &pattern->port;
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    pattern_go(explorer, pattern, place[ROWS] + down * port->dot[ROWS],
               place[COLS] + right * port->dot[COLS]);
}

void pattern_go_to(struct explorer *explorer, struct pattern *pattern, int64_t row, int64_t col)
{
    explorer_move(explorer, row, col);
    pattern_follow(explorer, pattern);
}

void pattern_zoom_here(struct explorer *explorer, struct pattern *pattern, int level)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    pattern_zoom(explorer, pattern, level, place);
}

/* Return the positions and columns of the cursor's dot. */
static struct range cursor_dot(const struct explorer *explorer, const struct pattern *pattern)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    return pattern_dot(pattern, viewport_index(&pattern->port, ROWS, place[ROWS]),
                       viewport_index(&pattern->port, COLS, place[COLS]));
}

/* If the cursor's position is empty but its dot is not, move to the dot's first entry. Then zooming in leads
 * to an entry. */
static void settle_on_entry(struct explorer *explorer, const struct pattern *pattern)
{
    if (explorer->cursor.entry >= 0 || !case_has_entries(pattern->of)) return;
    struct entry_place place;
    if (entries_first(pattern_pyramid(pattern), pattern_csr(pattern), cursor_dot(explorer, pattern),
                      SEARCHED_MAX, &place, 1, NULL))
        explorer_move(explorer, pattern_row(pattern, place.row), place.col);
}

void pattern_say_end(struct explorer *explorer, const struct pattern *pattern, int level)
{
    char rows[32], cols[32];
    if (level > pattern_last_level(pattern) && !case_has_entries(pattern->of))
        explorer_say(explorer, "no finer picture than %s x %s positions a dot: %s",
                     format_count(rows, sizeof rows, pattern->port.dot[ROWS]),
                     format_count(cols, sizeof cols, pattern->port.dot[COLS]), pattern->of->absence.remedy);
}

static void zoom_at_cursor(struct explorer *explorer, struct pattern *pattern, int level)
{
    pattern_say_end(explorer, pattern, level);
    if (level > pattern->level) settle_on_entry(explorer, pattern);
    pattern_zoom_here(explorer, pattern, level);
    pattern_follow(explorer, pattern);
}

/* Return the first level at which the window holds at most twice the rows, or twice the columns, of the
 * cursor's dot. Without such a level, return the level of numbers. */
static int level_inside(struct explorer *explorer, const struct pattern *pattern)
{
    int level = pattern->level + 1, last = pattern_last_level(pattern);
    struct range dot = cursor_dot(explorer, pattern);
    for (; level < last; level++) {
        int64_t next[2];
        int dots[2];
        pattern_dots_at(pattern, level, next, dots);
        if (next[ROWS] * dots[ROWS] <= 2 * (dot.r1 - dot.r0) ||
            next[COLS] * dots[COLS] <= 2 * (dot.c1 - dot.c0))
            break;
    }
    return level > last ? last : level;
}

/* Store the view and this cursor for pattern_come_back. */
static void leave_visit(struct pattern *pattern, struct cursor cursor)
{
    if (pattern->depth == PATTERN_VISITS) { /* the stack is full, so the oldest visit is dropped */
        memmove(pattern->visits, pattern->visits + 1, (PATTERN_VISITS - 1) * sizeof *pattern->visits);
        pattern->depth--;
    }
    pattern->visits[pattern->depth++] = (struct pattern_visit){
        pattern->level, {pattern->port.start[ROWS], pattern->port.start[COLS]}, cursor};
}

void pattern_aim(struct explorer *explorer, struct pattern *pattern)
{
    int level = pattern->level, last = pattern_last_level(pattern);
    int64_t dot[2] = {pattern->port.dot[ROWS], pattern->port.dot[COLS]};
    int dots[2];
    while (level < last && (dot[ROWS] > 1 || dot[COLS] > 1))
        pattern_dots_at(pattern, ++level, dot, dots);
    if (level == pattern->level) return;
    leave_visit(pattern, pattern->seen);
    pattern_zoom_here(explorer, pattern, level);
    pattern_follow(explorer, pattern);
}

void pattern_go_in(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    if (pattern->level == pattern_last_level(pattern)) {
        pattern_say_end(explorer, pattern, pattern->level + 1);
        return;
    }
    leave_visit(pattern, explorer->cursor);
    zoom_at_cursor(explorer, pattern, level_inside(explorer, pattern));
}

bool pattern_come_back(struct explorer *explorer, void *state)
{
    struct pattern *pattern = state;
    if (!pattern->depth && pattern->level == pattern_fit_level(pattern)) {
        return false;
    }
    if (!pattern->depth) {
        zoom_at_cursor(explorer, pattern, pattern_fit_level(pattern));
        return true;
    }
    const struct pattern_visit *visit = &pattern->visits[--pattern->depth];
    explorer_move(explorer, visit->cursor.row, visit->cursor.col);
    pattern_zoom_here(explorer, pattern, visit->level);
    for (int a = 0; a < 2; a++)
        viewport_pan(&pattern->port, (enum axis)a,
                     (visit->start[a] - pattern->port.start[a]) / pattern->port.dot[a]);
    pattern_follow(explorer, pattern);
    return true;
}

void pattern_next_in_row(struct explorer *explorer, void *state, int forward)
{
    struct pattern *pattern = state;
    const struct csr *a = &pattern->of->matrix.csr;
    struct cursor cursor = explorer->cursor;
    if (!pattern_has_entries(explorer, pattern, "steps from entry to entry")) return;
    if (a->rows == 0 || a->cols == 0) return;
    int64_t k = forward ? csr_lower_bound(a, cursor.row, cursor.col + 1)
                        : csr_lower_bound(a, cursor.row, cursor.col) - 1;
    if (k >= a->row_ptr[cursor.row] && k < a->row_ptr[cursor.row + 1])
        pattern_go_to(explorer, pattern, cursor.row, a->col[k]);
    else
        explorer_say(explorer, forward ? "no further entry in this row" : "no earlier entry in this row");
}

void pattern_next_in_column(struct explorer *explorer, void *state, int forward)
{
    struct pattern *pattern = state;
    struct entry_place place;
    int64_t here[2];
    if (!pattern_has_entries(explorer, pattern, "steps from entry to entry")) return;
    pattern_cursor(explorer, pattern, here);
    int found = entries_in_column(pattern_pyramid(pattern), pattern_csr(pattern), here[ROWS], here[COLS],
                                  forward, SEARCHED_MAX, &place);
    if (found > 0)
        pattern_go(explorer, pattern, place.row, place.col);
    else if (found < 0)
        explorer_say(explorer, "no entry in this column within %d rows", SEARCHED_MAX);
    else
        explorer_say(explorer,
                     forward ? "no further entry in this column" : "no earlier entry in this column");
}

void pattern_go_to_end(struct explorer *explorer, void *state, int last)
{
    struct pattern *pattern = state;
    const struct csr *a = &pattern->of->matrix.csr;
    int64_t place[2], position = last ? a->rows - 1 : 0, col = last ? a->cols - 1 : 0;
    pattern_cursor(explorer, pattern, place);
    pattern_go(explorer, pattern, place[COLS] == col ? position : place[ROWS], col);
}

void pattern_move_down(struct explorer *explorer, void *state, int dots)
{
    move(explorer, state, dots, 0);
}

void pattern_move_right(struct explorer *explorer, void *state, int dots)
{
    move(explorer, state, 0, dots);
}

void pattern_turn_page(struct explorer *explorer, void *state, int direction)
{
    struct pattern *pattern = state;
    move(explorer, pattern, (int64_t)direction * pattern->port.dots[ROWS], 0);
}

void pattern_step_zoom(struct explorer *explorer, void *state, int step)
{
    struct pattern *pattern = state;
    zoom_at_cursor(explorer, pattern, pattern->level + step);
}

void pattern_show_all(struct explorer *explorer, void *state, int unused)
{
    zoom_at_cursor(explorer, state, pattern_fit_level(state));
}
