/* The layout of the Pattern screen, and the positions of the matrix in each character. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/surface.h"
#include "ui/pattern/pattern.h"

#define PANEL_MIN 28 /* the minimum width of a panel beside the picture */
#define PANEL_MAX 44
#define PANEL_HIGH 7       /* the height of a panel below it */
#define DOT_MAX 8          /* the maximum height of a dot in characters */
#define MARGIN_MAX 56      /* the maximum width of the margin of the rows, unless the picture is wider */
#define MARGIN_HIGH_MAX 16 /* the maximum height of the margin of the columns; at most the picture's */

/* The widths of a number with its gap: at least FIELD_MIN columns in a narrow window and FIELD_WIDE in
 * others, at most FIELD_MAX. */
#define FIELD_MIN 8
#define FIELD_WIDE 10
#define FIELD_MAX 14

/* Up to this number of entries, counting row by row is fast enough. Then dots need not be whole cells of the
 * pyramid. */
#define FEW_ENTRIES (1 << 21)

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

/* Half blocks show two shades in one character, which needs many colours. */
static bool can_block(const struct pattern *pattern)
{
    return pattern->shades && !pattern->ascii;
}

static void dots_of_picture(const struct pattern *pattern, enum picture picture, int per[2])
{
    per[ROWS] = picture == PICTURE_BRAILLE ? 4 : picture == PICTURE_BLOCKS ? 2 : 1;
    per[COLS] = picture == PICTURE_BRAILLE ? 2 : 1;
    for (int a = 0; a < 2 && picture == PICTURE_PIXELS; a++)
        per[a] = pattern->pixels[a];
}

static bool can_draw_pixels(const struct pattern *pattern)
{
    return pattern->pixels[ROWS] > 0 && pattern->pixels[COLS] > 0;
}

static enum picture shaded_picture(const struct pattern *pattern)
{
    return can_block(pattern) ? PICTURE_BLOCKS : PICTURE_CHARACTERS;
}

int pattern_numbers_level(const struct pattern *pattern)
{
    return zoom_levels(&pattern->zoom);
}

int pattern_last_level(const struct pattern *pattern)
{
    return pattern_numbers_level(pattern) - !case_has_entries(pattern->of);
}

struct range pattern_dot(const struct pattern *pattern, int64_t y, int64_t x)
{
    const struct viewport *port = &pattern->port;
    struct range range = {.r0 = port->start[ROWS] + y * port->dot[ROWS],
                          .c0 = port->start[COLS] + x * port->dot[COLS]};
    range.r1 = min(range.r0 + port->dot[ROWS], port->size[ROWS]);
    range.c1 = min(range.c0 + port->dot[COLS], port->size[COLS]);
    return range;
}

bool pattern_at(const struct pattern *pattern, int y, int x, int64_t dot[2])
{
    const struct rect *inside = &pattern->inside;
    y -= inside->top;
    x -= inside->left;
    if (y < 0 || x < 0 || y >= inside->high || x >= inside->wide) return false;
    if (pattern->picture == PICTURE_NUMBERS) {
        dot[ROWS] = y / pattern->lines;
        dot[COLS] = x / pattern->field;
    } else {
        dot[ROWS] = (int64_t)y * pattern->per[ROWS] / pattern->large[ROWS];
        dot[COLS] = (int64_t)x * pattern->per[COLS] / pattern->large[COLS];
    }
    return dot[ROWS] < viewport_used(&pattern->port, ROWS) && dot[COLS] < viewport_used(&pattern->port, COLS);
}

struct rect pattern_rect(const struct pattern *pattern)
{
    struct rect rect = pattern->inside;
    int64_t used[2];
    for (int a = 0; a < 2; a++) {
        used[a] = viewport_used(&pattern->port, (enum axis)a);
        if (pattern->picture == PICTURE_NUMBERS)
            used[a] *= a == ROWS ? pattern->lines : pattern->field;
        else
            used[a] = (used[a] * pattern->large[a] + pattern->per[a] - 1) / pattern->per[a];
    }
    rect.high = (int)min(used[ROWS], rect.high);
    rect.wide = (int)min(used[COLS], rect.wide);
    return rect;
}

struct rect pattern_margin_rect(const struct pattern *pattern, enum axis axis)
{
    struct rect rect = pattern_rect(pattern);
    if (!pattern->margin_wide) return (struct rect){0};
    if (axis == COLS) {
        int top = rect.top + rect.high + 1;
        int bottom = pattern->beside ? pattern->area.top + pattern->area.high : pattern->panel.top - 1;
        int most = (int)min(rect.high, MARGIN_HIGH_MAX);
        int high = at_least((int)min(bottom - top, most), pattern->margin_high);
        return (struct rect){top, rect.left, high, rect.wide};
    }
    int left = rect.left + rect.wide + 1;
    int end = pattern->beside ? pattern->panel.left - 2 : pattern->area.left + pattern->area.wide;
    return (struct rect){rect.top, left, rect.high, (int)min(end - left, at_least(rect.wide, MARGIN_MAX))};
}

struct range pattern_shown(const struct pattern *pattern)
{
    struct range first = pattern_dot(pattern, 0, 0),
                 last = pattern_dot(pattern, viewport_used(&pattern->port, ROWS) - 1,
                                    viewport_used(&pattern->port, COLS) - 1);
    return (struct range){first.r0, last.r1, first.c0, last.c1};
}

/* Return the number of dots of this picture that fit in `inside`. */
static void window_dots(const struct pattern *pattern, enum picture picture, int dots[2])
{
    int per[2];
    dots_of_picture(pattern, picture, per);
    dots[ROWS] = pattern->inside.high * per[ROWS];
    dots[COLS] = pattern->inside.wide * per[COLS];
    if (picture == PICTURE_NUMBERS) {
        dots[ROWS] = at_least(pattern->inside.high / pattern->lines, 1);
        dots[COLS] = at_least(pattern->inside.wide / pattern->field, 1);
    }
}

/* Provide memory for `need` counts. Returns false without memory. */
static bool have_counts(struct pattern *pattern, size_t need)
{
    if (need <= pattern->capacity) return true;
    int64_t *counts = memory_resize(pattern->counts, need, sizeof *counts, NULL);
    if (!counts) return false;
    pattern->counts = counts;
    pattern->capacity = need;
    return true;
}

/* Count the entries of the shown dots. Returns false without memory. */
static bool count_dots(struct pattern *pattern)
{
    const struct viewport *port = &pattern->port;
    int high = viewport_used(port, ROWS), wide = viewport_used(port, COLS);
    size_t dots = (size_t)high * (size_t)wide, need = pattern->parted ? 2 * dots : dots;
    if (!have_counts(pattern, need)) return false;
    pattern->marked = pattern->parted ? pattern->counts + dots : NULL;
    if (!need) return true;
    const struct derived *derived = &pattern->overlays.derived;
    pyramid_dots(pattern_pyramid(pattern), pattern_tiles(pattern), pattern_csr(pattern), port->start[ROWS],
                 port->start[COLS], port->dot[ROWS], port->dot[COLS], high, wide, pattern->counts);
    if (pattern->parted)
        pyramid_dots(&derived->pyramid, &derived->tiles, &derived->csr, port->start[ROWS], port->start[COLS],
                     port->dot[ROWS], port->dot[COLS], high, wide, pattern->marked);
    return true;
}

double pattern_area(const struct pattern *pattern)
{
    int dots = pattern->picture == PICTURE_BRAILLE ? BRAILLE_HIGH * BRAILLE_WIDE : 1;
    return (double)pattern->port.dot[ROWS] * (double)pattern->port.dot[COLS] * dots;
}

double pattern_density(const struct pattern *pattern, int64_t count)
{
    return (double)count / pattern_area(pattern);
}

int64_t pattern_character_count(const struct pattern *pattern, const int64_t *counts, int cy, int cx,
                                int *raised)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    int64_t sum = 0;
    int full = 0;
    for (int y = cy * BRAILLE_HIGH; y < (cy + 1) * BRAILLE_HIGH && y < high; y++)
        for (int x = cx * BRAILLE_WIDE; x < (cx + 1) * BRAILLE_WIDE && x < wide; x++) {
            int64_t count = counts[(size_t)y * (size_t)wide + (size_t)x];
            sum += count;
            full += count > 0;
        }
    if (raised) *raised = full;
    return sum;
}

/* Sum up the shown counts. Find the smallest and the largest count of a coloured unit: a dot, or in braille a
 * character. */
static void find_extremes(struct pattern *pattern, int64_t *low, int64_t *top)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    bool braille = pattern->picture == PICTURE_BRAILLE;
    *low = *top = pattern->max = pattern->total = 0;
    for (size_t k = 0; k < (size_t)high * (size_t)wide; k++) {
        int64_t count = pattern->counts[k];
        pattern->total += count;
        pattern->max = max(pattern->max, count);
        if (!braille && count && (!*low || count < *low)) *low = count;
    }
    if (!braille) *top = pattern->max;
    for (int y = 0; braille && y * BRAILLE_HIGH < high; y++)
        for (int x = 0; x * BRAILLE_WIDE < wide; x++) {
            int64_t count = pattern_character_count(pattern, pattern->counts, y, x, NULL);
            *top = max(*top, count);
            if (count && (!*low || count < *low)) *low = count;
        }
}

/* Make the scale of densities, from the smallest to the largest that are shown. */
static void find_shade(struct pattern *pattern)
{
    int64_t low, top;
    find_extremes(pattern, &low, &top);
    pattern->own = pattern->shade = shade_scale(pattern_density(pattern, low), pattern_density(pattern, top));
    pattern->sized = pattern->parts = pattern->filled = false;
    pattern->filled_in = 0;
}

bool pattern_same_port(const struct viewport *a, const struct viewport *b)
{
    return memcmp(a->start, b->start, sizeof a->start) == 0 && memcmp(a->dot, b->dot, sizeof a->dot) == 0 &&
           memcmp(a->dots, b->dots, sizeof a->dots) == 0 && memcmp(a->size, b->size, sizeof a->size) == 0;
}

void pattern_count(struct pattern *pattern)
{
    if (pattern_same_port(&pattern->counted, &pattern->port) && pattern->shaded == pattern->picture) return;
    memset(&pattern->counted, 0, sizeof pattern->counted);
    pattern->lacking = !count_dots(pattern);
    if (pattern->lacking) return;
    find_shade(pattern);
    pattern->counted = pattern->port;
    pattern->countings++;
    pattern->shaded = pattern->picture;
}

void pattern_add_fill(struct pattern *pattern)
{
    const struct viewport *port = &pattern->port;
    size_t dots = (size_t)viewport_used(port, ROWS) * (size_t)viewport_used(port, COLS);
    pattern->lacking = !have_counts(pattern, 2 * dots);
    if (pattern->lacking) return;
    int64_t fill = 0;
    pattern->marked = pattern->counts + dots;
    for (size_t k = 0; k < dots; k++) {
        pattern->marked[k] = (int64_t)pattern->sizing.sizes[k];
        pattern->counts[k] += pattern->marked[k];
        fill += pattern->marked[k];
    }
    find_shade(pattern);
    pattern->filled = true;
    pattern->filled_in = fill;
}

/* Enlarge the dots of a small matrix to fill the room. If both axes have one scale, a dot stays a square. A
 * half block is a square; a whole character is as high as two are wide. */
static void enlarge_dots(struct pattern *pattern, const int64_t dot[2], int dots[2])
{
    pattern->large[ROWS] = pattern->large[COLS] = 1;
    if (pattern->picture != PICTURE_BLOCKS && pattern->picture != PICTURE_CHARACTERS) return;
    int large[2];
    for (int a = 0; a < 2; a++) {
        int64_t unit = pattern->zoom.unit[a], units = (pattern->port.size[a] + unit - 1) / unit;
        int64_t times = units > 0 && dot[a] == unit ? dots[a] / units : 1;
        large[a] = times < 1 ? 1 : times > DOT_MAX ? DOT_MAX : (int)times;
    }
    if (pattern->zoom.same) {
        int tall = 2 / pattern->per[ROWS]; /* the number of columns as wide as a dot is high */
        int rows = large[ROWS] * tall < large[COLS] ? large[ROWS] : large[COLS] / tall;
        large[ROWS] = at_least(rows, 1);
        large[COLS] = rows < 1 ? 1 : rows * tall;
    }
    for (int a = 0; a < 2; a++) {
        pattern->large[a] = large[a];
        dots[a] /= large[a];
    }
}

static void set_picture(struct pattern *pattern, enum picture picture, int level, const int64_t place[2])
{
    int dots[2];
    int64_t dot[2] = {1, 1};
    pattern->picture = picture;
    pattern->level = level;
    pattern->inside = pattern->insides[picture == PICTURE_NUMBERS];
    pattern->panel = pattern->panels[picture == PICTURE_NUMBERS];
    dots_of_picture(pattern, picture, pattern->per);
    if (picture == PICTURE_PIXELS) {
        zoom_pixels(&pattern->zoom, level, pattern->per, dot, pattern->large, dots);
    } else {
        window_dots(pattern, picture, dots);
        if (picture != PICTURE_NUMBERS) zoom_dot(&pattern->zoom, level, pattern->per, dot);
        enlarge_dots(pattern, dot, dots);
    }
    viewport_change(&pattern->port, dot, dots, place);
}

void pattern_dots_at(const struct pattern *pattern, int level, int64_t dot[2], int dots[2])
{
    int large[2];
    if (pattern->picture == PICTURE_PIXELS) {
        zoom_pixels(&pattern->zoom, level, pattern->per, dot, large, dots);
        return;
    }
    zoom_dot(&pattern->zoom, level, pattern->per, dot);
    memcpy(dots, pattern->port.dots, sizeof pattern->port.dots);
}

/* True if braille is the better picture. Its dots show where entries are, and the colour of a character their
 * number. If most characters have all dots raised, only the colours remain, and half blocks show two of them
 * per character. Without colours, braille shows no counts, so at least half of the dots must have at most two
 * entries. */
static bool braille_shows_more(const struct explorer *explorer, const struct pattern *pattern)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    size_t used = 0, full = 0, few = 0;
    for (size_t k = 0; !explorer->colours && k < (size_t)high * (size_t)wide; k++) {
        used += pattern->counts[k] > 0;
        few += pattern->counts[k] > 0 && pattern->counts[k] <= 2;
    }
    if (!explorer->colours) return 2 * few >= used;
    for (int y = 0; y * BRAILLE_HIGH < high; y++)
        for (int x = 0; x * BRAILLE_WIDE < wide; x++) {
            int raised;
            pattern_character_count(pattern, pattern->counts, y, x, &raised);
            used += raised > 0;
            full += raised == BRAILLE_HIGH * BRAILLE_WIDE;
        }
    return 2 * full <= used;
}

/* True if a shaded dot is already one position, so that the finer dots of braille cannot show more. */
static bool braille_adds_nothing(const struct pattern *pattern, int level)
{
    int64_t dot[2];
    int per[2];
    dots_of_picture(pattern, PICTURE_BLOCKS, per);
    zoom_dot(&pattern->zoom, level, per, dot);
    return can_block(pattern) && dot[ROWS] <= pattern->zoom.unit[ROWS] &&
           dot[COLS] <= pattern->zoom.unit[COLS];
}

void pattern_zoom(struct explorer *explorer, struct pattern *pattern, int level, const int64_t place[2])
{
    int last = pattern_last_level(pattern);
    level = level < 0 ? 0 : level > last ? last : level;
    enum picture shaded = shaded_picture(pattern);
    if (level == pattern_numbers_level(pattern)) {
        set_picture(pattern, PICTURE_NUMBERS, level, place);
    } else if (pattern->wish == WISH_AUTOMATIC && can_draw_pixels(pattern)) {
        set_picture(pattern, PICTURE_PIXELS, level, place);
    } else if (pattern->ascii || pattern->wish == WISH_SHADED ||
               (pattern->wish == WISH_AUTOMATIC && pattern_wants_sizes(pattern) && !explorer->colours) ||
               (pattern->wish == WISH_AUTOMATIC && braille_adds_nothing(pattern, level))) {
        set_picture(pattern, shaded, level, place);
    } else {
        struct viewport before = pattern->port;
        set_picture(pattern, PICTURE_BRAILLE, level, place);
        if (pattern->wish == WISH_BRAILLE) return;
        pattern_count(pattern);
        if (!pattern->lacking && braille_shows_more(explorer, pattern)) return;
        pattern->port = before;
        set_picture(pattern, shaded, level, place);
    }
}

/* Return the characters of the picture if the panel takes `panel` columns beside it, or `panel` lines below
 * it. */
static struct rect window(const struct pattern *pattern, struct rect area, bool beside, int panel)
{
    int wide = area.wide - (beside ? panel + 2 : 0) - pattern->margin_wide;
    int high = area.high - (beside ? 0 : panel) - pattern->margin_high;
    return (struct rect){.top = area.top + 3,
                         .left = area.left + pattern->label_wide + 1,
                         .high = at_least(high - 4, 1),
                         .wide = at_least(wide - pattern->label_wide - 2, 1)};
}

static struct zoom fit_window(const struct pattern *pattern, struct rect inside, bool fill)
{
    const struct pyramid *pyramid = &pattern->of->pyramid;
    const bool few = case_nnz(pattern->of) <= FEW_ENTRIES;
    int base[2];
    dots_of_picture(pattern, shaded_picture(pattern), base);
    if (!case_has_entries(pattern->of))
        return zoom_cells(pattern->port.size, (int64_t[2]){pyramid->row_step, pyramid->col_step},
                          (int[2]){inside.high, inside.wide}, base, fill);
    return (fill ? zoom_fill : zoom_fit)(
        pattern->port.size, (int64_t[2]){few ? 1 : pyramid->row_step, few ? 1 : pyramid->col_step},
        (int[2]){inside.high, inside.wide}, base);
}

/* Return the width of the whole matrix in characters. */
static int fitted_wide(const struct zoom *zoom)
{
    int64_t dot[2];
    zoom_dot(zoom, 0, zoom->base, dot);
    int64_t dots = (zoom->size[COLS] * zoom->unit[COLS] + dot[COLS] - 1) / dot[COLS];
    return (int)((dots + zoom->base[COLS] - 1) / zoom->base[COLS]);
}

static double fitted_dots(const struct zoom *zoom)
{
    int64_t dot[2];
    zoom_dot(zoom, 0, zoom->base, dot);
    return (double)((zoom->size[ROWS] * zoom->unit[ROWS] + dot[ROWS] - 1) / dot[ROWS]) *
           (double)((zoom->size[COLS] * zoom->unit[COLS] + dot[COLS] - 1) / dot[COLS]);
}

bool pattern_has_margins(const struct pattern *pattern, struct rect area)
{
    if (pattern->margin_wish == MARGINS_AUTOMATIC) return area.high >= 20 && area.wide >= 80;
    return pattern->margin_wish == MARGINS_SHOWN;
}

/* Reserve room for the margins, more in a large area. The margin of the rows also gets all width that nothing
 * else needs. */
static void reserve_margins(struct pattern *pattern, struct rect area)
{
    pattern->margin_high = pattern->margin_wide = 0;
    if (!pattern_has_margins(pattern, area) || area.high < 10 || area.wide < 60) return;
    pattern->margin_high = area.high < 28 ? 2 : area.high < 45 ? 3 : 4;
    pattern->margin_wide = area.wide < 100 ? 8 : area.wide < 160 ? 12 : 16;
}

/* Put the panel where the picture keeps more dots: to the right of a square matrix, below a wide one. Width
 * that the picture does not need goes to a panel beside it and to the margin of the rows. */
static struct zoom divide(struct pattern *pattern, struct rect area)
{
    reserve_margins(pattern, area);
    if (pattern->bare) {
        pattern->beside = false;
        pattern->insides[0] = pattern->insides[1] = window(pattern, area, false, 0);
        pattern->panels[0] = pattern->panels[1] =
            (struct rect){area.top + area.high, area.left, 0, area.wide};
        return fit_window(pattern, pattern->insides[0], pattern->fill);
    }
    struct rect right = window(pattern, area, true, PANEL_MIN),
                above = window(pattern, area, false, PANEL_HIGH);
    struct zoom beside = fit_window(pattern, right, false), below = fit_window(pattern, above, false);
    pattern->beside = area.wide >= 60 && fitted_dots(&beside) >= fitted_dots(&below);
    if (!pattern->beside) {
        pattern->insides[0] = pattern->insides[1] = above;
        pattern->panels[0] = pattern->panels[1] =
            (struct rect){area.top + area.high - PANEL_HIGH, area.left, PANEL_HIGH, area.wide};
        return pattern->fill ? fit_window(pattern, above, true) : below;
    }
    int spare = (right.wide - fitted_wide(&beside)) / (pattern->margin_wide ? 2 : 1);
    int max = area.wide < 100 ? 0 : pattern->fill ? (PANEL_MAX - PANEL_MIN) / 2 : PANEL_MAX - PANEL_MIN;
    int panel = PANEL_MIN + (spare < 0 ? 0 : spare > max ? max : spare);
    for (int numbers = 0; numbers < 2; numbers++) {
        int wide = numbers ? PANEL_MIN : panel;
        pattern->insides[numbers] = window(pattern, area, true, wide);
        pattern->panels[numbers] = (struct rect){area.top, area.left + area.wide - wide, area.high, wide};
    }
    return fit_window(pattern, pattern->insides[0], pattern->fill);
}

/* Make the fields of numbers as wide as possible without reducing their number per line. */
static void set_fields(struct pattern *pattern)
{
    char out[32];
    const struct matrix *matrix = &pattern->of->matrix;
    int label = (int)strlen(format_count(out, sizeof out, pattern->port.size[COLS])) + 1;
    int wide = pattern->insides[1].wide;
    pattern->lines = case_is_complex(pattern->of) ? 2 : 1;
    pattern->field = at_least(matrix->field == FIELD_PATTERN ? 3
                              : wide < 120                   ? FIELD_MIN
                                                             : FIELD_WIDE,
                              label);
    if (matrix->field == FIELD_PATTERN) return;
    int64_t fields = min(at_least(wide / pattern->field, 1), pattern->port.size[COLS]);
    if (fields) pattern->field = at_least((int)min(wide / fields, FIELD_MAX), pattern->field);
}

static bool numbers_fit(const struct pattern *pattern)
{
    const struct viewport *port = &pattern->port;
    return case_has_entries(pattern->of) && port->size[ROWS] * pattern->lines <= pattern->insides[1].high &&
           port->size[COLS] * pattern->field <= pattern->insides[1].wide;
}

int pattern_fit_level(const struct pattern *pattern)
{
    return numbers_fit(pattern) ? pattern_numbers_level(pattern) : 0;
}

void pattern_lay_out(struct explorer *explorer, struct pattern *pattern, struct rect area)
{
    static const int none[2] = {0, 0};
    const int *pixels = explorer->pixels ? explorer->pixels : none;
    if (pattern->laid_out && memcmp(&pattern->area, &area, sizeof area) == 0 &&
        memcmp(pattern->pixels, pixels, sizeof pattern->pixels) == 0 && pattern->ascii == explorer->ascii &&
        pattern->shades == explorer->shades && pattern->laid_margins == pattern->margin_wish &&
        pattern->laid_fill == pattern->fill && pattern->laid_bare == pattern->bare)
        return;
    char out[32];
    const struct csr *a = &pattern->of->matrix.csr;
    struct zoom before = pattern->zoom;
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    bool first = !pattern->laid_out;
    pattern->ascii = explorer->ascii;
    pattern->shades = explorer->shades;
    pattern->laid_margins = pattern->margin_wish;
    pattern->laid_fill = pattern->fill;
    pattern->laid_bare = pattern->bare;
    memcpy(pattern->pixels, pixels, sizeof pattern->pixels);
    pattern->area = area;
    pattern->port.size[ROWS] = a->rows;
    pattern->port.size[COLS] = a->cols;
    pattern->label_wide = (int)strlen(format_count(out, sizeof out, a->rows));
    pattern->zoom = divide(pattern, area);
    set_fields(pattern);
    pattern->laid_out = true;
    bool shown = !first && viewport_shows(&pattern->port, place);
    int last = pattern_last_level(pattern);
    int level = first                                    ? pattern_fit_level(pattern)
                : pattern->level >= zoom_levels(&before) ? last
                                                         : zoom_like(&before, pattern->level, &pattern->zoom);
    pattern_zoom(explorer, pattern, level, place);
    if (shown) viewport_show(&pattern->port, place);
}
