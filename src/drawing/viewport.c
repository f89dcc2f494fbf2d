#include "drawing/viewport.h"

#include "base/range.h"

/* A side with fewer dots than this counts as vanished if it could have more. */
#define MIN_SIDE 8

static int64_t floor_to(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return a - (rest < 0 ? rest + b : rest);
}

int64_t viewport_index(const struct viewport *port, enum axis axis, int64_t place)
{
    return floor_to(place - port->start[axis], port->dot[axis]) / port->dot[axis];
}

int viewport_used(const struct viewport *port, enum axis axis)
{
    int64_t rest = port->size[axis] - port->start[axis];
    if (rest <= 0) return 0;
    int64_t used = divide_up(rest, port->dot[axis]);
    return used < port->dots[axis] ? (int)used : port->dots[axis];
}

bool viewport_shows(const struct viewport *port, const int64_t place[2])
{
    for (int a = 0; a < 2; a++) {
        int64_t index = viewport_index(port, (enum axis)a, place[a]);
        if (index < 0 || index >= port->dots[a]) return false;
    }
    return true;
}

static void clamp_start(struct viewport *port, int a)
{
    int64_t dot = port->dot[a];
    int64_t beyond = port->size[a] - port->dots[a] * dot;
    int64_t last = beyond > 0 ? divide_up(beyond, dot) * dot : 0;
    port->start[a] = floor_to(port->start[a], dot);
    if (port->start[a] > last) port->start[a] = last;
    if (port->start[a] < 0) port->start[a] = 0;
}

void viewport_change(struct viewport *port, const int64_t dot[2], const int dots[2], const int64_t place[2])
{
    for (int a = 0; a < 2; a++) {
        int64_t index = dots[a] / 2;
        if (port->dot[a] > 0 && port->dots[a] > 0) {
            int64_t before = viewport_index(port, (enum axis)a, place[a]);
            if (before >= 0 && before < port->dots[a]) index = before * dots[a] / port->dots[a];
        }
        port->dot[a] = dot[a] < 1 ? 1 : dot[a];
        port->dots[a] = dots[a] < 1 ? 1 : dots[a];
        port->start[a] = floor_to(place[a], port->dot[a]) - index * port->dot[a];
        clamp_start(port, a);
    }
}

void viewport_pan(struct viewport *port, enum axis axis, int64_t dots)
{
    int64_t max = port->size[axis] / port->dot[axis] + 1; /* so that nothing overflows */
    if (dots > max) dots = max;
    if (dots < -max) dots = -max;
    port->start[axis] += dots * port->dot[axis];
    clamp_start(port, axis);
}

void viewport_show(struct viewport *port, const int64_t place[2])
{
    for (int a = 0; a < 2; a++) {
        int64_t index = viewport_index(port, (enum axis)a, place[a]);
        if (index < 0) viewport_pan(port, (enum axis)a, index);
        if (index >= port->dots[a]) viewport_pan(port, (enum axis)a, index - port->dots[a] + 1);
    }
}

/* Rows of a dot per column, so that shapes are true if a character is twice as high as wide. */
static int tallness(const int base[2])
{
    int tall = 2 * base[COLS] / base[ROWS];
    return tall < 1 ? 1 : tall;
}

static int64_t need(int64_t size, int64_t dots)
{
    return size > 0 && dots > 0 ? divide_up(size, dots) : 1;
}

/* fit[] becomes the rows and columns of the smallest dot with which the matrix fits into the window,
 * per[ROWS] x per[COLS] dots being a character; with one scale for both axes if `same`. */
static void fit_dots(const struct zoom *zoom, const int per[2], bool same, int64_t fit[2])
{
    for (int a = 0; a < 2; a++)
        fit[a] = need(zoom->size[a], (int64_t)zoom->chars[a] * per[a]);
    if (!same) return;
    int tall = tallness(per);
    int64_t columns = divide_up(fit[ROWS], tall);
    if (columns > fit[COLS]) fit[COLS] = columns;
    fit[ROWS] = tall * fit[COLS];
    if (fit[COLS] == 1 && zoom->size[ROWS] <= (int64_t)zoom->chars[ROWS] * per[ROWS])
        fit[ROWS] = 1; /* there is room for a dot of every row */
}

static int64_t dots_of(int64_t size, int64_t dot)
{
    return divide_up(size, dot);
}

static struct zoom zoom_of(const int64_t size[2], const int64_t step[2], const int chars[2],
                           const int base[2])
{
    struct zoom zoom = {.unit = {1, 1}, .same = true};
    for (int a = 0; a < 2; a++) {
        zoom.size[a] = size[a];
        zoom.step[a] = step[a] < 1 ? 1 : step[a];
        zoom.chars[a] = chars[a] < 1 ? 1 : chars[a];
        zoom.base[a] = base[a];
    }
    return zoom;
}

/* Level 1 has the largest power of two with 2^top <= fit / sqrt(2), so that it differs clearly from level
 * 0. */
static void find_tops(struct zoom *zoom)
{
    for (int a = 0; a < 2; a++) {
        zoom->top[a] = -1;
        while ((int64_t)2 << (2 * (zoom->top[a] + 1)) <= zoom->fit[a] * zoom->fit[a])
            zoom->top[a]++;
    }
}

struct zoom zoom_fit(const int64_t size[2], const int64_t step[2], const int chars[2], const int base[2])
{
    struct zoom zoom = zoom_of(size, step, chars, base);
    fit_dots(&zoom, base, true, zoom.fit);
    int64_t alone[2];
    fit_dots(&zoom, base, false, alone);
    for (int a = 0; a < 2; a++) {
        int64_t together = dots_of(size[a], zoom.fit[a]), best = dots_of(size[a], alone[a]);
        if (together < MIN_SIDE && zoom.fit[a] > 1 && (best >= 2 * together || best == size[a]))
            zoom.same = false;
    }
    if (!zoom.same) fit_dots(&zoom, base, false, zoom.fit);
    find_tops(&zoom);
    return zoom;
}

struct zoom zoom_fill(const int64_t size[2], const int64_t step[2], const int chars[2], const int base[2])
{
    struct zoom zoom = zoom_of(size, step, chars, base);
    zoom.same = false;
    fit_dots(&zoom, base, false, zoom.fit);
    find_tops(&zoom);
    return zoom;
}

struct zoom zoom_cells(const int64_t size[2], const int64_t cell[2], const int chars[2], const int base[2],
                       bool fill)
{
    static const int64_t single[2] = {1, 1};
    const int64_t both = cell[ROWS] > cell[COLS] ? cell[ROWS] : cell[COLS];
    int64_t own[2], square[2];
    bool vanishes = false;
    for (int a = 0; a < 2; a++) {
        own[a] = divide_up(size[a], cell[a]);
        square[a] = divide_up(size[a], both);
        vanishes = vanishes || (square[a] < MIN_SIDE && own[a] >= 2 * square[a]);
    }
    struct zoom zoom = zoom_fit(square, single, chars, base);
    zoom.unit[ROWS] = zoom.unit[COLS] = both;
    if (zoom.same && !vanishes && !fill) return zoom;
    zoom = zoom_fill(own, single, chars, base);
    zoom.unit[ROWS] = cell[ROWS];
    zoom.unit[COLS] = cell[COLS];
    return zoom;
}

int zoom_levels(const struct zoom *zoom)
{
    int top = zoom->top[ROWS] > zoom->top[COLS] ? zoom->top[ROWS] : zoom->top[COLS];
    return top + 2;
}

/* The rows or columns of a shaded dot at a level, before rounding. */
static int64_t target(const struct zoom *zoom, int level, int a)
{
    if (level <= 0) return zoom->fit[a];
    int k = zoom->top[a] - level + 1;
    return k > 0 ? (int64_t)1 << k : 1;
}

void zoom_dot(const struct zoom *zoom, int level, const int per[2], int64_t dot[2])
{
    int64_t wanted[2];
    if (level <= 0)
        fit_dots(zoom, per, zoom->same, wanted);
    else
        for (int a = 0; a < 2; a++)
            wanted[a] = target(zoom, level, a) * zoom->base[a] / per[a];
    for (int a = 0; a < 2; a++) {
        int64_t step = zoom->step[a], all = divide_up(zoom->size[a], step) * step;
        dot[a] = wanted[a] < 1 ? 1 : wanted[a];
        if (dot[a] > step) /* below the size of a cell, dots are counted in the rows, and may have any size */
            dot[a] = level <= 0 ? divide_up(dot[a], step) * step : (dot[a] + step / 2) / step * step;
        if (dot[a] > all) dot[a] = all > 0 ? all : 1;
        dot[a] *= zoom->unit[a];
    }
}

/* Maximum size of a dot in characters. */
#define DOT_CHARACTERS 8

/* The power of two nearest by ratio: 8 for 6 to 11. */
static int64_t near_power(int64_t value)
{
    int64_t power = 1;
    while (2 * power * power < value * value)
        power *= 2;
    return power;
}

/* Round the positions of a dot that fills the window up to a size that is counted fast: whole cells of the
 * pyramid, or halves of halves of one. */
static int64_t round_up(int64_t places, int64_t step)
{
    int64_t power = 1;
    if (places > step) return divide_up(places, step) * step;
    if (step == 1 || places <= step / 16) return places;
    while (power < places)
        power *= 2;
    return power;
}

/* Fit the whole matrix into pixels[ROWS] x pixels[COLS]. */
static void fit_pixels(const struct zoom *zoom, const int64_t pixels[2], const int per[2], int64_t dot[2],
                       int64_t large[2])
{
    for (int a = 0; a < 2; a++)
        dot[a] = round_up(need(zoom->size[a], pixels[a]), zoom->step[a]);
    for (int k = 0; zoom->same && k < 2;
         k++) { /* twice: a size that suits one axis may have to grow for the other */
        dot[ROWS] = dot[COLS] = dot[ROWS] > dot[COLS] ? dot[ROWS] : dot[COLS];
        for (int a = 0; a < 2; a++)
            dot[a] = round_up(dot[a], zoom->step[a]);
    }
    for (int a = 0; a < 2; a++) {
        int64_t most = (int64_t)DOT_CHARACTERS * per[a];
        large[a] = dot[a] == 1 && zoom->size[a] > 0 ? pixels[a] / zoom->size[a] : 1;
        if (large[a] > most) large[a] = most;
    }
    if (zoom->same) large[ROWS] = large[COLS] = large[ROWS] < large[COLS] ? large[ROWS] : large[COLS];
}

void zoom_pixels(const struct zoom *zoom, int level, const int per[2], int64_t dot[2], int large[2],
                 int dots[2])
{
    int64_t pixels[2], times[2] = {1, 1};
    for (int a = 0; a < 2; a++)
        pixels[a] = (int64_t)zoom->chars[a] * per[a];
    if (level <= 0) fit_pixels(zoom, pixels, per, dot, times);
    for (int a = 0; a < 2; a++) {
        int like = zoom->same ? COLS : a; /* this axis uses the scale of axis `like` */
        int64_t places = target(zoom, level, like) * zoom->base[like], power = near_power(per[like]);
        int64_t step = zoom->step[a], all = divide_up(zoom->size[a], step) * step;
        if (level > 0) {
            dot[a] = places > power ? places / power : 1;
            times[a] = places < power ? power / places : 1;
        }
        if (dot[a] > all) dot[a] = all > 0 ? all : 1;
        large[a] = times[a] < 1 ? 1 : (int)times[a];
        dots[a] = pixels[a] / large[a] > 0 ? (int)(pixels[a] / large[a]) : 1;
        dot[a] *= zoom->unit[a];
    }
}

int zoom_like(const struct zoom *from, int level, const struct zoom *to)
{
    if (level <= 0) return 0;
    int a = from->top[ROWS] > from->top[COLS] ? ROWS : COLS;
    int k = from->top[a] - level + 1;
    int like = to->top[a] - (k > 0 ? k : 0) + 1, last = zoom_levels(to) - 1;
    return like < 0 ? 0 : like > last ? last : like;
}

int64_t axis_nice(double x)
{
    static const int steps[] = {1, 2, 5};
    for (int64_t power = 1; power <= INT64_MAX / 100; power *= 10)
        for (int k = 0; k < 3; k++)
            if ((double)(steps[k] * power) >= x) return steps[k] * power;
    return INT64_MAX / 100;
}

int axis_ticks(int64_t start, int64_t dot, int dots, int64_t size, int gap, struct tick *ticks, int max)
{
    int count = 0;
    if (gap < 1) gap = 1;
    int64_t step = axis_nice((double)gap * (double)dot);
    int64_t end = start + dot * dots < size ? start + dot * dots : size;
    for (int64_t label = start / step * step; label <= end && count < max; label += step) {
        int64_t shown = label ? label : 1; /* there is no row 0, so the first tick is at row 1 */
        if (shown - 1 < start || shown - 1 >= end) continue;
        int at = (int)((shown - 1 - start) / dot);
        if (count && at - ticks[count - 1].dot < gap) continue; /* the second tick may be close to label 1 */
        ticks[count++] = (struct tick){shown, at};
    }
    return count;
}
