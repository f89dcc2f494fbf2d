/* The Pattern screen's mouse. */
#include "ui/pattern/moves.h"

/* Move the picture with the mouse by whole characters. The rest of the distance counts for the next event. */
static void drag(struct pattern *pattern, int y, int x)
{
    bool numbers = pattern->picture == PICTURE_NUMBERS;
    int down = y - pattern->drag_y, right = x - pattern->drag_x;
    int high = numbers ? pattern->lines : 1, wide = numbers ? pattern->field : 1;
    viewport_pan(&pattern->port, ROWS, -(int64_t)(down / high) * pattern->per[ROWS] / pattern->large[ROWS]);
    viewport_pan(&pattern->port, COLS, -(int64_t)(right / wide) * pattern->per[COLS] / pattern->large[COLS]);
    pattern->drag_y += down / high * high;
    pattern->drag_x += right / wide * wide;
}

/* Go to the row or the column that was clicked in a margin, or to the position in the overview. Returns false
 * if the mouse is in none of them. */
static bool press_beside(struct explorer *explorer, struct pattern *pattern, const struct mouse *mouse)
{
    int64_t place[2], line;
    enum axis axis;
    if (pattern_margin_at(pattern, mouse->y, mouse->x, &axis, &line)) {
        pattern_cursor(explorer, pattern, place);
        place[axis] = line;
    } else if (!pattern->overview.high || !thumbnail_at(pattern_csr(pattern), pattern_pyramid(pattern),
                                                        pattern->overview, mouse->y, mouse->x, place)) {
        return false;
    } else { /* centre the picture on the position */
        viewport_pan(&pattern->port, ROWS,
                     viewport_index(&pattern->port, ROWS, place[ROWS]) - pattern->port.dots[ROWS] / 2);
        viewport_pan(&pattern->port, COLS,
                     viewport_index(&pattern->port, COLS, place[COLS]) - pattern->port.dots[COLS] / 2);
    }
    pattern->drag_y = mouse->y;
    pattern->drag_x = mouse->x;
    pattern_go(explorer, pattern, place[ROWS], place[COLS]);
    return true;
}

/* Go to the position that was clicked in the twin, or zoom there. Returns false if the mouse is not in it. */
static bool mouse_twin(struct explorer *explorer, struct pattern *pattern, const struct mouse *mouse)
{
    int64_t row, col, place[2];
    if (!pattern->paired || !pattern_twin_at(explorer, pattern, mouse->y, mouse->x, &row, &col)) return false;
    if (mouse->kind == MOUSE_PRESS) {
        pattern->drag_y = mouse->y;
        pattern->drag_x = mouse->x;
        pattern_go_to(explorer, pattern, row, col);
        return true;
    }
    int level = pattern->level + (mouse->kind == MOUSE_WHEEL_UP ? 1 : -1);
    pattern_cursor(explorer, pattern, place);
    pattern_zoom(explorer, pattern, level, place);
    return true;
}

void pattern_mouse(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct pattern *pattern = state;
    int64_t dot[2];
    if (mouse->kind == MOUSE_DRAG) {
        drag(pattern, mouse->y, mouse->x);
        return;
    }
    if (mouse->kind == MOUSE_PRESS && press_beside(explorer, pattern, mouse)) return;
    if (mouse_twin(explorer, pattern, mouse) || !pattern_at(pattern, mouse->y, mouse->x, dot)) return;
    struct range range = pattern_dot(pattern, dot[ROWS], dot[COLS]);
    if (mouse->kind == MOUSE_PRESS) {
        pattern->drag_y = mouse->y;
        pattern->drag_x = mouse->x;
        pattern_go(explorer, pattern, range.r0, range.c0);
    } else {
        int level = pattern->level + (mouse->kind == MOUSE_WHEEL_UP ? 1 : -1);
        pattern_say_end(explorer, pattern, level);
        pattern_zoom(explorer, pattern, level, (int64_t[2]){range.r0, range.c0});
    }
}
