/* Drawing the dots, shaded or in braille, and the lines of the overlays over them. */
#include "drawing/surface.h"
#include "ui/pattern/pattern.h"

/* Braille dots and digits have little ink. Shades darker than this level would be invisible. */
#define BRAILLE_MIN 5

enum colour pattern_colour(const struct pattern *pattern, int level, bool marked)
{
    if (level < 0) return COLOUR_TEXT;
    if (level >= SHADE_LEVELS && marked) level = SHADE_LEVELS / 2;
    if (level >= LEVEL_PART) return (enum colour)((int)COLOUR_PART + level - LEVEL_PART);
    if (pattern->picture == PICTURE_BRAILLE || pattern->picture == PICTURE_NUMBERS)
        level = BRAILLE_MIN + level * (SHADE_LEVELS - 1 - BRAILLE_MIN) / (SHADE_LEVELS - 1);
    return (enum colour)((marked ? COLOUR_MARKED : COLOUR_DENSITY) + level);
}

/* A picture during drawing, line by line. Cell (cy, cx) is a character of `inside`, (y, x) a dot. */
struct canvas {
    const struct explorer *explorer;
    const struct pattern *pattern;
    struct surface *surface;
    int high, wide;                  /* the number of dots */
    int64_t offsets[3];              /* the drawn diagonals */
    int diagonals;                   /* their number */
    int first;                       /* the first row of dots in the line of characters */
    enum colour rules[BRAILLE_HIGH]; /* the colours of the rules above that row and the following ones;
                                        COLOUR_TEXT means no rule */
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

static bool is_marked(const struct canvas *canvas, int y, int x)
{
    return pattern_is_marked(marked_at(canvas, y, x), count_at(canvas, y, x));
}

/* Return the level of a dot's density on the scale; -1 if it has no entry. */
static int level_at(const struct canvas *canvas, int y, int x)
{
    if (y >= canvas->high || x >= canvas->wide) return -1;
    return pattern_level(canvas->pattern, (size_t)y * (size_t)canvas->wide + (size_t)x);
}

/* True if a position of the dot is on the diagonal col = row + offset. The dot's rows r0 .. r1-1 have columns
 * r0 + offset .. r1 - 1 + offset of the diagonal. They must overlap the dot's columns c0 .. c1-1. */
static bool on_line(const struct range *r, int64_t offset)
{
    return r->r0 + offset < r->c1 && r->r1 - 1 + offset >= r->c0;
}

int pattern_diagonals(const struct pattern *pattern, int64_t offsets[3])
{
    const struct structure *structure = &pattern->of->structure;
    int count = 0;
    if (pattern->ordered) return 0;
    if (pattern->diagonal) offsets[count++] = 0;
    if (!pattern->bands || !case_has(pattern->of, SESSION_STRUCTURE)) return count;
    offsets[count++] = -structure->lower_bandwidth;
    offsets[count++] = structure->upper_bandwidth;
    return count;
}

/* True if a drawn diagonal goes through this dot. */
static bool overlaid(const struct canvas *canvas, int y, int x)
{
    if (canvas->diagonals == 0 || y >= canvas->high || x >= canvas->wide) return false;
    struct range r = pattern_dot(canvas->pattern, y, x);
    for (int k = 0; k < canvas->diagonals; k++)
        if (on_line(&r, canvas->offsets[k])) return true;
    return false;
}

enum colour pattern_rule_colour(const struct pattern *pattern, int y)
{
    enum rule rule = y < viewport_used(&pattern->port, ROWS) ? pattern_rule(pattern, y) : RULE_NONE;
    return rule == RULE_MAJOR ? COLOUR_MARK : rule == RULE_MINOR ? COLOUR_DIM : COLOUR_TEXT;
}

static void find_rules(struct canvas *canvas, int cy)
{
    const struct pattern *pattern = canvas->pattern;
    canvas->first = cy * pattern->per[ROWS] / pattern->large[ROWS];
    for (int k = 0; k < BRAILLE_HIGH; k++)
        canvas->rules[k] = pattern_rule_colour(pattern, canvas->first + k);
}

/* Return the colour of the half of a character that shows dot (y, x). Only the `top` of a dot can show the
 * rule above it. */
static enum colour half_colour(const struct canvas *canvas, int y, int x, bool top)
{
    int level = level_at(canvas, y, x);
    if (level >= 0) return pattern_colour(canvas->pattern, level, is_marked(canvas, y, x));
    if (overlaid(canvas, y, x)) return COLOUR_MARK;
    return top && x < canvas->wide ? canvas->rules[y - canvas->first] : COLOUR_TEXT;
}

/* Draw the two dots of a character as an upper half block. The upper dot is its foreground, and the lower dot
 * its background. If only the lower dot has a colour, draw a lower half block, so that the upper half keeps
 * the terminal's background. */
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
    uint32_t character = pattern_level_character(level, explorer->ascii);
    bool marked = is_marked(canvas, y, x);
    enum colour colour = pattern_colour(canvas->pattern, level, marked);
    if (level < 0 && overlaid(canvas, y, x)) {
        character = explorer->ascii ? '\\' : 0x2572; /* a diagonal line */
        colour = COLOUR_MARK;
    }
    surface_put(canvas->surface, canvas->pattern->inside.top + cy, canvas->pattern->inside.left + cx,
                character, colour, COLOUR_TEXT, marked && !explorer->colours ? ATTRIBUTE_REVERSE : 0);
}

/* The colour of a character shows the density of all its dots. Marked entries mark it if they are at least
 * half. */
static void draw_braille(const struct canvas *canvas, int cy, int cx)
{
    const struct explorer *explorer = canvas->explorer;
    const struct pattern *pattern = canvas->pattern;
    unsigned bits = 0, line = 0, ruled = 0;
    enum colour rule = COLOUR_TEXT;
    for (int dy = 0; dy < BRAILLE_HIGH; dy++)
        for (int dx = 0; dx < BRAILLE_WIDE; dx++) {
            int y = cy * BRAILLE_HIGH + dy, x = cx * BRAILLE_WIDE + dx;
            bool any = count_at(canvas, y, x) > 0;
            if (any) bits |= braille_bit(dy, dx);
            if (!any && overlaid(canvas, y, x)) line |= braille_bit(dy, dx);
            if (canvas->rules[dy] == COLOUR_TEXT || x >= canvas->wide) continue;
            rule = canvas->rules[dy];
            ruled |= braille_bit(dy, dx);
        }
    int64_t count = bits ? pattern_character_count(pattern, pattern->counts, cy, cx, NULL) : 0;
    bool marked = pattern->marked &&
                  pattern_is_marked(pattern_character_count(pattern, pattern->marked, cy, cx, NULL), count);
    enum colour colour = marked ? COLOUR_MARK : COLOUR_TEXT;
    if (bits && explorer->colours)
        colour = pattern_colour(pattern, pattern_character_level(pattern, cy, cx, count), marked);
    if (!bits && line) {
        bits = line;
        colour = COLOUR_MARK;
    } else if (!bits && explorer->colours) { /* without colours, rules would look like entries */
        bits = ruled;
        colour = rule;
    }
    surface_put(canvas->surface, pattern->inside.top + cy, pattern->inside.left + cx,
                bits ? braille_character(bits) : ' ', colour, COLOUR_TEXT,
                marked && !explorer->colours ? ATTRIBUTE_REVERSE : 0);
}

/* Underline the last line of characters of each dot above a rule. */
static void rule_characters(const struct canvas *canvas, int high, int wide)
{
    const struct pattern *pattern = canvas->pattern;
    int large = pattern->large[ROWS];
    for (int y = large - 1; y + 1 < high; y += large)
        if (pattern_rule_colour(pattern, y / large + 1) != COLOUR_TEXT)
            pattern_underline(canvas->surface, pattern->inside.top + y, pattern->inside.left, wide);
}

/* True for shades: they fill the cell with their own colour, which is black on the cursor's. */
static bool is_shade(uint32_t character)
{
    return character >= 0x2588 && character <= 0x2593;
}

/* Highlight all characters of the cursor's dot, or the character that contains it. */
static void highlight_cursor(const struct canvas *canvas, int64_t y, int64_t x)
{
    const struct pattern *pattern = canvas->pattern;
    if (y < 0 || x < 0 || y >= canvas->high || x >= canvas->wide) return;
    int high = pattern->large[ROWS], wide = pattern->large[COLS];
    struct rect rect = {pattern->inside.top + (int)(y * high / pattern->per[ROWS]),
                        pattern->inside.left + (int)(x * wide / pattern->per[COLS]), high, wide};
    for (int k = 0; k < high * wide && canvas->explorer->colours; k++) {
        const int at_y = rect.top + k / wide, at_x = rect.left + k % wide;
        if (is_shade(canvas->surface->cells[(size_t)at_y * (size_t)canvas->surface->wide + (size_t)at_x]
                         .character))
            surface_put(canvas->surface, at_y, at_x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
    }
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
    canvas.diagonals = pattern_diagonals(pattern, canvas.offsets);
    const struct rect rect = pattern_rect(pattern);
    int high = rect.high, wide = rect.wide;
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
    pattern_draw_frame(explorer, pattern, surface);
}
