/* Drawing the dots as pixels, for terminals with graphics. Each dot has the colour of its density, like
 * shaded dots. */
#include <string.h>

#include "base/threads.h"
#include "ui/pattern/pattern.h"

/* The colours of smaller counts are looked up in a table. */
#define KNOWN_COUNTS 1024

/* The data that all dots of a picture share. */
struct canvas {
    const struct pattern *pattern;
    struct pixmap *pixmap;
    int high, wide; /* the number of dots */
    int64_t offsets[3];
    int diagonals;
    uint8_t known[KNOWN_COUNTS]; /* the colour of a dot by its number of entries */
};

static uint8_t colour_of_count(const struct pattern *pattern, int64_t count)
{
    int level = shade_level(&pattern->shade, pattern_density(pattern, count));
    return (uint8_t)pattern_colour(pattern, level, false);
}

/* Draw the dots of row y, one pixel each, and the rule above them in dots without entries. */
static void draw_dots(const struct canvas *canvas, int y, enum colour rule, uint8_t *pixels)
{
    const struct pattern *pattern = canvas->pattern;
    size_t first = (size_t)y * (size_t)canvas->wide;
    const int64_t *counts = pattern->counts + first,
                  *marked = pattern->marked ? pattern->marked + first : NULL;
    bool told = pattern->sized || pattern->parts;
    for (int x = 0; told && x < canvas->wide; x++) {
        int level = pattern_level(pattern, first + (size_t)x);
        pixels[x] = (uint8_t)(level < 0 ? rule : pattern_colour(pattern, level, false));
    }
    for (int x = 0; !told && x < canvas->wide; x++) {
        int64_t count = counts[x];
        pixels[x] = count == 0             ? (uint8_t)rule
                    : count < KNOWN_COUNTS ? canvas->known[count]
                                           : colour_of_count(pattern, count);
    }
    for (int x = 0; marked && x < canvas->wide; x++)
        if (pattern_is_marked(marked[x], counts[x]))
            pixels[x] = (uint8_t)pattern_colour(pattern, pattern_level(pattern, first + (size_t)x), true);
}

/* Draw the diagonals through the dots of row y without entries. The rows r0 .. r1-1 have columns r0 + offset
 * .. r1-1 + offset of a diagonal. */
static void draw_diagonals(const struct canvas *canvas, int y, uint8_t *pixels)
{
    const struct pattern *pattern = canvas->pattern;
    const int64_t *counts = pattern->counts + (size_t)y * (size_t)canvas->wide;
    for (int k = 0; k < canvas->diagonals; k++) {
        struct range range = pattern_dot(pattern, y, 0);
        int64_t x = viewport_index(&pattern->port, COLS, range.r0 + canvas->offsets[k]);
        int64_t last = viewport_index(&pattern->port, COLS, range.r1 - 1 + canvas->offsets[k]);
        for (x = x < 0 ? 0 : x; x <= last && x < canvas->wide; x++)
            if (counts[x] == 0) pixels[x] = COLOUR_MARK;
    }
}

/* Make each of `count` pixels `times` pixels wide. It starts with the last one, because it works in place. */
static void widen(uint8_t *pixels, int count, int times)
{
    for (int x = count - 1; times > 1 && x >= 0; x--)
        memset(pixels + (size_t)x * (size_t)times, pixels[x], (size_t)times);
}

/* Draw row y of dots, which is large[ROWS] rows of pixels. A rule takes only the first of these. */
static void draw_row(const struct canvas *canvas, int y)
{
    const int *large = canvas->pattern->large;
    enum colour rule = pattern_rule_colour(canvas->pattern, y);
    int top = y * large[ROWS], plain = rule == COLOUR_TEXT || large[ROWS] == 1 ? 0 : 1;
    for (int k = 0; k <= plain; k++) {
        uint8_t *pixels = pixmap_row(canvas->pixmap, top + k);
        draw_dots(canvas, y, k == 0 ? rule : COLOUR_TEXT, pixels);
        draw_diagonals(canvas, y, pixels);
        widen(pixels, canvas->wide, large[COLS]);
    }
    for (int k = plain + 1; k < large[ROWS]; k++)
        memcpy(pixmap_row(canvas->pixmap, top + k), pixmap_row(canvas->pixmap, top + plain),
               (size_t)canvas->pixmap->wide);
}

static void draw_all(struct pattern *pattern, int high, int wide)
{
    struct canvas canvas = {.pattern = pattern, .pixmap = &pattern->pixmap, .high = high, .wide = wide};
    canvas.diagonals = pattern_diagonals(pattern, canvas.offsets);
    for (int64_t k = 1; k < KNOWN_COUNTS; k++)
        canvas.known[k] = colour_of_count(pattern, k);
#pragma omp parallel for schedule(static) if ((int64_t)high * wide > PARALLEL_MIN)
    for (int y = 0; y < high; y++)
        draw_row(&canvas, y);
}

static struct pattern_drawn depends(const struct pattern *pattern)
{
    const struct overlays *overlays = &pattern->overlays;
    struct pattern_drawn drawn;
    memset(&drawn, 0, sizeof drawn); /* the comparison includes the padding between members */
    drawn.countings = pattern->countings;
    drawn.diagonal = pattern->diagonal;
    drawn.bands = pattern->bands;
    drawn.known = case_has(pattern->of, SESSION_STRUCTURE);
    drawn.overlay = overlays->shown;
    drawn.colouring = pattern->colouring;
    drawn.height = overlays->height;
    drawn.chunk = overlays->chunk;
    drawn.window = overlays->window;
    drawn.low = pattern->shade.low;
    drawn.high = pattern->shade.high;
    memcpy(drawn.large, pattern->large, sizeof drawn.large);
    return drawn;
}

/* Show the cursor as a character over the picture. That sends fewer bytes than a new picture. */
static void draw_cursor(const struct explorer *explorer, const struct pattern *pattern,
                        struct surface *surface)
{
    int64_t place[2], at[2];
    pattern_cursor(explorer, pattern, place);
    for (int a = 0; a < 2; a++) {
        int64_t dot = viewport_index(&pattern->port, (enum axis)a, place[a]);
        if (dot < 0 || dot >= viewport_used(&pattern->port, (enum axis)a)) return;
        at[a] = pattern_character(pattern, (enum axis)a, dot);
    }
    surface_put(surface, pattern->inside.top + (int)at[ROWS], pattern->inside.left + (int)at[COLS], 0x253c,
                COLOUR_CURSOR, COLOUR_TEXT, ATTRIBUTE_PIXELS | ATTRIBUTE_BOLD);
}

bool pattern_draw_pixels(struct explorer *explorer, struct pattern *pattern, struct surface *surface)
{
    int used[2];
    struct pattern_drawn drawn = depends(pattern);
    for (int a = 0; a < 2; a++)
        used[a] = viewport_used(&pattern->port, (enum axis)a);
    if (memcmp(&drawn, &pattern->drawn, sizeof drawn) != 0) {
        memset(&pattern->drawn, 0, sizeof pattern->drawn);
        if (pixmap_resize(&pattern->pixmap, used[ROWS] * pattern->large[ROWS],
                          used[COLS] * pattern->large[COLS], NULL) != STATUS_OK)
            return false;
        draw_all(pattern, used[ROWS], used[COLS]);
        memcpy(&pattern->drawn, &drawn, sizeof drawn);
    }
    surface_picture(surface, pattern_rect(pattern), &pattern->pixmap);
    draw_cursor(explorer, pattern, surface);
    pattern_draw_frame(explorer, pattern, surface);
    return true;
}
