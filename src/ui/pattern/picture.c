/* Pattern: the dots themselves, shaded or in braille, and what is drawn over them. */
#include "drawing/braille.h"
#include "ui/pattern/pattern.h"

/* Braille dots have little ink: the darkest shades would not be seen. */
#define BRAILLE_MIN 5

enum colour pattern_colour(const struct pattern *pattern, int level, bool marked)
{
    if (level < 0) return COLOUR_TEXT;
    if (pattern->picture == PICTURE_BRAILLE)
        level = BRAILLE_MIN + level * (SHADE_LEVELS - 1 - BRAILLE_MIN) / (SHADE_LEVELS - 1);
    return (enum colour)((marked ? COLOUR_MARKED : COLOUR_DENSITY) + level);
}

/* What one picture is drawn with. */
struct canvas {
    const struct explorer *explorer;
    const struct pattern *pattern;
    struct surface *surface;
    int high, wide;                  /* dots in use */
    int first;                       /* row of dots that the line of characters begins in, and */
    enum colour rules[BRAILLE_HIGH]; /* the colours of rules above it and the next, COLOUR_TEXT for none */
};

static int64_t count_at(const struct canvas *canvas, int y, int x)
{
    if (y >= canvas->high || x >= canvas->wide) return 0;
    return canvas->pattern->counts[(size_t)y * (size_t)canvas->wide + (size_t)x];
}

static int64_t marked_at(const struct canvas *canvas, int y, int x)
{
    if (!canvas->pattern->marked || y >= canvas->high || x >= canvas->wide) return 0;
    return canvas->pattern->marked[(size_t)y * (size_t)canvas->wide + (size_t)x];
}

/* True if a dot's entries are set apart, most of them. */
static bool is_marked(const struct canvas *canvas, int y, int x)
{
    return pattern_mostly(marked_at(canvas, y, x), count_at(canvas, y, x));
}

/* Level of a dot on the scale, -1 if it is empty. */
static int level_at(const struct canvas *canvas, int y, int x)
{
    int64_t count = count_at(canvas, y, x);
    return shade_level(&canvas->pattern->shade, pattern_density(canvas->pattern, count));
}

/* True if the line col = row + offset runs through the dot. */
static bool on_line(const struct range *r, int64_t offset)
{
    return r->r0 + offset < r->c1 && r->r1 - 1 + offset >= r->c0;
}

/* True if an overlay runs through this dot: the main diagonal, the outermost diagonals with entries. */
static bool overlaid(const struct canvas *canvas, int y, int x)
{
    const struct pattern *pattern = canvas->pattern;
    if ((!pattern->diagonal && !pattern->bands) || pattern->ordered) return false;
    if (y >= canvas->high || x >= canvas->wide) return false;
    struct range r = pattern_dot(pattern, y, x);
    if (pattern->diagonal && on_line(&r, 0)) return true;
    if (!pattern->bands || !session_has(canvas->explorer->session, SESSION_STRUCTURE)) return false;
    const struct structure *structure = &canvas->explorer->session->shown->structure;
    return on_line(&r, -structure->lower_bandwidth) || on_line(&r, structure->upper_bandwidth);
}

/* Colour of a rule above row y of dots, COLOUR_TEXT if there is none. */
static enum colour rule_colour(const struct canvas *canvas, int y)
{
    enum rule rule = y < canvas->high ? pattern_rule(canvas->pattern, y) : RULE_NONE;
    return rule == RULE_MAJOR ? COLOUR_MARK : rule == RULE_MINOR ? COLOUR_DIM : COLOUR_TEXT;
}

static void find_rules(struct canvas *canvas, int cy)
{
    const struct pattern *pattern = canvas->pattern;
    canvas->first = cy * pattern->per[ROWS] / pattern->large[ROWS];
    for (int k = 0; k < BRAILLE_HIGH; k++)
        canvas->rules[k] = rule_colour(canvas, canvas->first + k);
}

/* Colour of one half of a character, which is at the top of its dot or not. */
static enum colour half_colour(const struct canvas *canvas, int y, int x, bool top)
{
    int level = level_at(canvas, y, x);
    if (level >= 0) return pattern_colour(canvas->pattern, level, is_marked(canvas, y, x));
    if (overlaid(canvas, y, x)) return COLOUR_MARK;
    return top && x < canvas->wide ? canvas->rules[y - canvas->first] : COLOUR_TEXT;
}

/* The upper dot is the foreground of an upper half block, the lower one its background; with only one of them
 * in use the other must stay the terminal's own background. */
static void draw_blocks(const struct canvas *canvas, int cy, int cx, int64_t cursor_y, int64_t cursor_x)
{
    const int *large = canvas->pattern->large;
    int x = cx / large[COLS], y[2];
    enum colour half[2];
    for (int k = 0; k < 2; k++) {
        y[k] = (cy * 2 + k) / large[ROWS];
        bool top = (cy * 2 + k) % large[ROWS] == 0;
        half[k] = x == cursor_x && y[k] == cursor_y ? COLOUR_CURSOR : half_colour(canvas, y[k], x, top);
    }
    uint32_t character = half[0] != COLOUR_TEXT ? 0x2580 : half[1] != COLOUR_TEXT ? 0x2584 : ' ';
    enum colour ink = half[0] != COLOUR_TEXT ? half[0] : half[1],
                paper = half[0] != COLOUR_TEXT ? half[1] : COLOUR_TEXT;
    if (ink == paper && ink != COLOUR_TEXT) {
        character = 0x2588;
        paper = COLOUR_TEXT;
    }
    surface_put(canvas->surface, canvas->pattern->inside.top + cy, canvas->pattern->inside.left + cx,
                character, ink, paper, 0);
}

static void draw_character(const struct canvas *canvas, int cy, int cx)
{
    const struct explorer *explorer = canvas->explorer;
    int y = cy / canvas->pattern->large[ROWS], x = cx / canvas->pattern->large[COLS];
    int level = level_at(canvas, y, x);
    uint32_t character = shade_character(level, explorer->ascii);
    bool marked = is_marked(canvas, y, x);
    enum colour colour = pattern_colour(canvas->pattern, level, marked);
    if (level < 0 && overlaid(canvas, y, x)) {
        character = explorer->ascii ? '\\' : 0x2572; /* a falling diagonal line */
        colour = COLOUR_MARK;
    }
    surface_put(canvas->surface, canvas->pattern->inside.top + cy, canvas->pattern->inside.left + cx,
                character, colour, COLOUR_TEXT, marked && !explorer->colours ? ATTRIBUTE_REVERSE : 0);
}

/* A character has one colour: that of its fullest dot. It is set apart if most of its entries are. */
static void draw_braille(const struct canvas *canvas, int cy, int cx)
{
    const struct explorer *explorer = canvas->explorer;
    unsigned bits = 0, line = 0, ruled = 0;
    int fullest = -1;
    int64_t count = 0, apart = 0;
    enum colour rule = COLOUR_TEXT;
    for (int dy = 0; dy < BRAILLE_HIGH; dy++)
        for (int dx = 0; dx < BRAILLE_WIDE; dx++) {
            int y = cy * BRAILLE_HIGH + dy, x = cx * BRAILLE_WIDE + dx, level = level_at(canvas, y, x);
            if (level >= 0) bits |= braille_bit(dy, dx);
            if (level < 0 && overlaid(canvas, y, x)) line |= braille_bit(dy, dx);
            if (level > fullest) fullest = level;
            count += count_at(canvas, y, x);
            apart += marked_at(canvas, y, x);
            if (canvas->rules[dy] == COLOUR_TEXT || x >= canvas->wide) continue;
            rule = canvas->rules[dy];
            ruled |= braille_bit(dy, dx);
        }
    bool marked = pattern_mostly(apart, count);
    enum colour colour = marked ? COLOUR_MARK : COLOUR_TEXT;
    if (fullest >= 0 && explorer->shades) colour = pattern_colour(canvas->pattern, fullest, marked);
    if (!bits && line) {
        bits = line;
        colour = COLOUR_MARK;
    } else if (!bits && explorer->colours) { /* without them rules would look like entries */
        bits = ruled;
        colour = rule;
    }
    surface_put(canvas->surface, canvas->pattern->inside.top + cy, canvas->pattern->inside.left + cx,
                bits ? braille_character(bits) : ' ', colour, COLOUR_TEXT,
                marked && !explorer->colours ? ATTRIBUTE_REVERSE : 0);
}

/* Rules between lines of characters, under the last line of a dot. */
static void rule_characters(const struct canvas *canvas, int high, int wide)
{
    const struct pattern *pattern = canvas->pattern;
    int large = pattern->large[ROWS];
    for (int y = large - 1; y + 1 < high; y += large)
        if (rule_colour(canvas, y / large + 1) != COLOUR_TEXT)
            pattern_underline(canvas->surface, pattern->inside.top + y, pattern->inside.left, wide);
}

/* Where a character stands for one dot or more, the whole character shows the cursor. */
static void highlight_cursor(const struct canvas *canvas, int64_t y, int64_t x)
{
    const struct pattern *pattern = canvas->pattern;
    if (y < 0 || x < 0 || y >= canvas->high || x >= canvas->wide) return;
    int high = pattern->large[ROWS], wide = pattern->large[COLS];
    struct rect rect = {pattern->inside.top + (int)(y * high / pattern->per[ROWS]),
                        pattern->inside.left + (int)(x * wide / pattern->per[COLS]), high, wide};
    surface_highlight(canvas->surface, rect, COLOUR_CURSOR,
                      canvas->explorer->colours ? 0 : ATTRIBUTE_REVERSE);
}

void pattern_draw_picture(struct explorer *explorer, struct pattern *pattern, struct surface *surface)
{
    struct canvas canvas = {.explorer = explorer,
                            .pattern = pattern,
                            .surface = surface,
                            .high = viewport_used(&pattern->port, ROWS),
                            .wide = viewport_used(&pattern->port, COLS)};
    int high = (canvas.high * pattern->large[ROWS] + pattern->per[ROWS] - 1) / pattern->per[ROWS];
    int wide = (canvas.wide * pattern->large[COLS] + pattern->per[COLS] - 1) / pattern->per[COLS];
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    int64_t cursor_y = viewport_index(&pattern->port, ROWS, place[ROWS]);
    int64_t cursor_x = viewport_index(&pattern->port, COLS, place[COLS]);
    for (int y = 0; y < high; y++) {
        find_rules(&canvas, y);
        for (int x = 0; x < wide; x++) {
            if (pattern->picture == PICTURE_BLOCKS) draw_blocks(&canvas, y, x, cursor_y, cursor_x);
            if (pattern->picture == PICTURE_CHARACTERS) draw_character(&canvas, y, x);
            if (pattern->picture == PICTURE_BRAILLE) draw_braille(&canvas, y, x);
        }
    }
    if (pattern->picture == PICTURE_CHARACTERS) rule_characters(&canvas, high, wide);
    if (pattern->picture != PICTURE_BLOCKS) highlight_cursor(&canvas, cursor_y, cursor_x);
    pattern_draw_frame(explorer, pattern, surface, high, wide);
}
