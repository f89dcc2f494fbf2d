/* Shared by the files of the Pattern screen: its state, and its functions. Rows are drawn in the order of the
 * matrix, or in that of a format that sorts them; the index of a row in the drawn order is its *position*. */
#ifndef SPARSIGHT_UI_PATTERN_PATTERN_H
#define SPARSIGHT_UI_PATTERN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/derive.h"
#include "analysis/entries.h"
#include "analysis/fill_dots.h"
#include "analysis/grouping.h"
#include "analysis/sizes.h"
#include "drawing/pen.h"
#include "drawing/pixmap.h"
#include "drawing/shade.h"
#include "drawing/spans.h"
#include "drawing/viewport.h"
#include "formats/format.h"
#include "ui/errand.h"
#include "ui/owners.h"
#include "ui/view.h"
#include "ui/widgets/thumbnail.h"

/* The form of drawn dots. */
enum picture {
    PICTURE_BLOCKS,     /* a character is 2 x 1 dots, as half blocks in shades of colour */
    PICTURE_CHARACTERS, /* a character is one dot, with more ink for more entries */
    PICTURE_BRAILLE, /* a character is 4 x 2 dots, raised where there are entries; its colour is that of its
                        density */
    PICTURE_NUMBERS, /* a dot is one position, a field of characters with its value */
    PICTURE_PIXELS,  /* a dot is a pixel, or a square of pixels if it is one position */
};

/* The user's choice of the picture while positions are too small for numbers. The default is pixels if the
 * terminal can draw them. */
enum wish { WISH_AUTOMATIC, WISH_SHADED, WISH_BRAILLE };

/* The user's choice whether the lengths of rows and columns are drawn beside the picture. */
enum margin_wish { MARGINS_AUTOMATIC, MARGINS_SHOWN, MARGINS_HIDDEN };

/* The lengths of the rows, or the columns, in each line of dots. They are those of whole rows and columns,
 * even if the picture shows only a part of them. */
struct margin {
    struct stretch *dots; /* one for each line of dots that is shown; owned */
    int count, capacity;  /* `count` is 0 until the lengths are known */
    int64_t max;          /* the longest row or column that is shown: the end of the margin's scale */
};

/* The overlay on the pattern: of a format, or of the order of the drawn rows. */
enum overlay {
    OVERLAY_NONE,
    OVERLAY_STRIPS,
    OVERLAY_HYB,
    OVERLAY_JDS,
    OVERLAY_SELL,
    OVERLAY_BLOCKS,
    OVERLAY_COUNT
};

/* The pattern that is derived from the matrix. */
struct derivation {
    enum {
        DERIVE_NOTHING,
        DERIVE_REST,       /* the entries of each row but the first `number` */
        DERIVE_ORDER,      /* all entries, with the rows sorted by length within windows of `number` rows */
        DERIVE_NEGATIVE,   /* those below 0 */
        DERIVE_UNMIRRORED, /* those without mirror image */
    } kind;
    int64_t number;
};

/* The overlay and the derived pattern that it needs. An errand makes the pattern; the last one is kept when
 * the overlay changes. */
struct overlays {
    enum overlay shown;
    int64_t height;        /* rows in a strip of CMRS */
    int64_t chunk, window; /* C and sigma of SELL */
    struct derived derived;
    struct spans spans;     /* of the rows of `derived` */
    struct derivation held; /* the derivation of `derived` */
    struct errand errand;

    /* The rest belongs to the errand while it is running. */
    const struct matrix_case *of;
    size_t limit;             /* the session's */
    struct derivation making; /* the derivation of `made` */
    struct derived made;
    struct spans made_spans;
};

/* The quantity of the dots' colours: their number of entries, the largest |a|, the sum of |a|; marks of
 * negative entries, or of entries (i, j) without (j, i); the component, strong component or block of their
 * entries; the fill of a Cholesky factor; the level of their rows in a solve with the lower triangle, or the
 * colour of their rows; or the part of the Parts screen's partition that owns their rows. */
enum colouring {
    COLOURED_COUNT,
    COLOURED_LARGEST,
    COLOURED_SUM,
    COLOURED_SIGN,
    COLOURED_MIRROR,
    COLOURED_COMPONENT, /* the first of PARTINGS, in the order of enum parting */
    COLOURED_STRONG,
    COLOURED_BLOCK,
    COLOURED_FILL,
    COLOURED_LEVEL,
    COLOURED_COLOUR,
    COLOURED_OWNER,
    COLOURINGS
};

/* The first levels after those of a scale: of parts (COLOUR_PART), and of owners (COLOUR_OWNER). */
enum { LEVEL_PART = SHADE_LEVELS, LEVEL_OWNER = LEVEL_PART + PART_COLOURS };

/* Values of the dots other than counts. An errand computes them if there are many entries. */
struct sizing {
    double *sizes;                      /* the size of each shown dot, or its fill in L, row-major; owned, */
    int32_t *parts;                     /* or its part (analysis/grouping.h); NULL if there are none */
    enum colouring held;                /* their quantity, */
    struct viewport port;               /* and their viewport */
    bool grouped[PARTINGS];             /* the groupings that exist: */
    struct grouping grouping[PARTINGS]; /* the errand makes them once */
    struct owners *owners; /* the partition that colours show; held; NULL if there is none of this case */
    struct owners *marked; /* the partition of `parts`; held */
    struct errand errand;

    /* The rest belongs to the errand while it is running. */
    const struct matrix_case *of;
    size_t limit; /* the session's */
    enum colouring making;
    struct viewport making_port;
    double *made;
    int32_t *made_parts;
    bool found[PARTINGS];  /* the groupings that the errand has made */
    struct fill_tree tree; /* NULL parents: it was not made */
    struct row_classes {
        int32_t *of_row; /* owned; NULL: not found yet */
        int64_t count;
        bool known; /* to the screen's thread: they were found */
    } levels, colours;
};

/* The positions first .. end-1 of rows that a format stores together: a strip, a chunk, rows of one
 * length. */
struct block {
    int64_t first, end;
};

/* The view before the user zoomed in with Enter, to return to. */
struct pattern_visit {
    int level;
    int64_t start[2];
    struct cursor cursor;
};

#define PATTERN_VISITS 64

/* The data on which the pixels of the picture depend. */
struct pattern_drawn {
    int countings;
    bool diagonal, bands, known; /* the drawn diagonals; whether the bandwidths are known */
    enum overlay overlay;
    int64_t height, chunk, window; /* of the overlays */
    enum colouring colouring;
    int large[2];
    double low, high; /* of the scale */
};

struct pattern {
    const struct matrix_case *of; /* the matrix that is drawn, in its order */
    struct pattern *twin;         /* the picture of another case beside this one; owned, NULL before one is
                                     drawn */
    bool alone;                   /* the user has hidden it */
    bool paired;                  /* it is drawn, and both layouts are made together */
    bool bare;                    /* the area contains no panel */

    struct rect area; /* the area of the layout */
    bool ascii, shades;
    enum margin_wish laid_margins;
    bool laid_fill, laid_bare;
    int pixels[2]; /* the height and width of a cell; {0, 0} if pixels cannot be drawn */
    bool laid_out;

    struct rect insides[2], panels[2]; /* `inside` and `panel` of shaded or braille pictures, and of numbers,
                                          whose panel is not widened */
    struct rect inside;                /* the characters of the picture, without its frame and labels */
    struct rect panel;
    bool beside;                  /* the panel is right of the picture, not below it */
    int label_wide;               /* the width of the row labels */
    int margin_high, margin_wide; /* the lines and the columns that are kept free for the margins of columns
                                     and of rows; 0 if they are not shown */
    struct rect
        overview; /* of the picture of the whole matrix in the panel; its height is 0 if it is not drawn */
    enum margin_wish margin_wish;
    bool fill; /* the picture fills the window, with a scale for each axis */

    struct zoom zoom;
    int level; /* the zoom level; pattern_numbers_level is that of numbers */
    enum wish wish;
    enum picture picture; /* the form of the drawn dots */
    int per[2];           /* a character has per[ROWS] x per[COLS] dots */
    int large[2];         /* a dot of a small matrix takes large[ROWS] x large[COLS] of them, else 1 x 1 */
    int lines, field;     /* lines and columns of a position shown as a number */
    struct viewport port;

    struct overlays overlays;
    bool ordered; /* the rows are drawn in the order of overlays.derived */
    bool parted;  /* the entries of overlays.derived are marked among those of the matrix */
    enum colouring colouring;
    struct sizing sizing;
    bool sized;  /* the scale is one of sizes, and the sizes of the shown dots are known */
    bool parts;  /* the parts of the shown dots are known */
    bool filled; /* the fill in L is counted with the entries of dots, and marked */

    int64_t *counts; /* the number of entries of each dot that is shown, row-major; owned */
    int64_t *marked; /* the number of marked entries; it points into the memory of `counts`, or is NULL */
    size_t capacity;
    struct viewport counted; /* their viewport */
    enum picture shaded;     /* the picture of the scale */
    struct shade own;        /* the scale of their densities, */
    struct shade shade;      /* and the scale that is drawn: the same, or one shared with the twin */
    double size_range[2];    /* if colours show sizes: the smallest shown one above 0, and the largest */
    int64_t max, total;      /* the largest count, and the sum of all; */
    int64_t filled_in;       /* the part of the sum that is fill in L */
    struct margin margins[2];
    struct viewport measured;   /* the viewport of the margins */
    struct thumbnail thumbnail; /* the counts of the overview */
    bool lacking;               /* memory for the counts or the pixels was lacking */
    int countings;              /* counts the countings of dots */

    struct pixmap pixmap;       /* the picture in pixels */
    struct pattern_drawn drawn; /* the data that it shows */

    struct cursor seen;                          /* the cursor when the screen was drawn last */
    bool diagonal, bands;                        /* the main diagonal is drawn; the outermost diagonals are
                                                    drawn */
    struct pattern_visit visits[PATTERN_VISITS]; /* a stack with a visit for each Enter */
    int depth;
    int drag_y, drag_x; /* the cell of the surface to which the mouse has dragged the picture */
};

/* source.c */

/* True if the entries are in memory. Else a message says that a feature, such as "overlays", is not
 * available. */
bool pattern_has_entries(struct explorer *explorer, const struct pattern *pattern, const char *what);

/* Initialize the pattern of a case, without an overlay. */
void pattern_start(struct explorer *explorer, struct pattern *pattern, const struct matrix_case *of);

/* Take the errand's results, and want the errand for missing ones. Call this when the overlay has changed,
 * and before drawing. */
void pattern_settle(struct explorer *explorer, struct pattern *pattern);

/* True if the derived pattern that the overlay needs is missing; *failed says that it could not be made. */
bool pattern_waits(const struct explorer *explorer, const struct pattern *pattern, bool *failed);

/* Return the matrix that is drawn, which has no values if it is derived, and its pyramid. Its rows are the
 * positions. */
const struct csr *pattern_csr(const struct pattern *pattern);
const struct pyramid *pattern_pyramid(const struct pattern *pattern);

/* Return the tiles of that pyramid; NULL as long as they are being made. */
const struct tiles *pattern_tiles(const struct pattern *pattern);

/* Return the lengths of the rows in the order that is drawn, or of the columns; NULL as long as they are not
 * known. */
const struct spans *pattern_spans(const struct pattern *pattern, enum axis axis);

/* Return the row at a position. */
int64_t pattern_row(const struct pattern *pattern, int64_t position);

/* Write the cursor's position and column in the drawn case into place[]. */
void pattern_cursor(const struct explorer *explorer, const struct pattern *pattern, int64_t place[2]);

/* Entry k of the drawn matrix is in the row at this position. Return its number in the session's matrix. */
int64_t pattern_entry(const struct pattern *pattern, int64_t position, int64_t k);

/* colouring.c */

/* The words for the quantity that colours show. */
extern const char *const pattern_colourings[COLOURINGS];

/* The action of the key for the next or previous colouring; `state` is the pattern. */
void pattern_choose_colouring(struct explorer *explorer, void *state, int step);

/* True if colours should show values that an errand makes: sizes, parts or fill. They show them only of rows
 * in the order of the matrix. */
bool pattern_wants_sizes(const struct pattern *pattern);

/* Find the sizes of the dots that were counted, or want the errand for it, and make the scale. Until then
 * colours show counts. */
void pattern_size(struct explorer *explorer, struct pattern *pattern);

/* Return the level of a dot on the scale, by its number, or of character (cy, cx) of a braille picture with
 * `count` entries. It is -1 without entries, and may be one of the levels beyond the scale. */
int pattern_level(const struct pattern *pattern, size_t dot);
int pattern_character_level(const struct pattern *pattern, int cy, int cx, int64_t count);

/* Return the derived pattern whose entries the colouring marks; DERIVE_NOTHING if it marks none. */
int pattern_colouring_derives(const struct pattern *pattern);

/* True if entry k, in this row of the matrix, is marked in the picture of numbers: by the colouring, or
 * because it lies beyond the cut of HYB. */
bool pattern_marks(const struct pattern *pattern, int64_t row, int64_t k, int64_t cut);

/* Write the panel's text on the colouring. */
void pattern_write_colouring(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen);

/* parts.c */

/* Return the parting that a colouring shows, or -1. */
int pattern_parting(enum colouring colouring);

/* Make the values of the dots: called by the errand, or for few entries on the screen's thread. */
enum status pattern_make_parts(struct sizing *sizing, const struct size_dots *dots, struct progress *progress,
                               struct error *error);
enum status pattern_make_fill(struct sizing *sizing, const struct size_dots *dots, struct progress *progress,
                              struct error *error);

/* classes.c: levels and colours of rows */

/* Return the classes that a colouring shows, found or not; NULL if it shows others. */
const struct row_classes *pattern_classes(const struct pattern *pattern);

/* Tell the screen's thread that the classes of a finished errand exist. */
void pattern_know_classes(struct sizing *sizing);

/* Find the classes if they were not found, and their dots; called like pattern_make_parts. */
enum status pattern_make_classes(struct sizing *sizing, const struct size_dots *dots,
                                 struct progress *progress, struct error *error);
void pattern_free_classes(struct sizing *sizing);

/* Write the panel's text on the classes. */
void pattern_write_classes(const struct pattern *pattern, struct pen *pen);

/* STATUS_LIMIT if this memory is not available beside the matrix. */
enum status pattern_check_memory(const struct sizing *sizing, size_t bytes, const char *what,
                                 struct error *error);

/* True if the source says that each entry has its mirror image. */
bool pattern_is_mirrored(const struct sizing *sizing);

/* Free the parts and trees that were made. */
void pattern_free_parts(struct sizing *sizing);

/* Return the level of a dot: DOT_EMPTY and so on, or a part. */
int pattern_part_level(const struct pattern *pattern, int32_t part);

/* Return the character of a level where dots are characters. */
uint32_t pattern_level_character(int level, bool ascii);

/* Draw the symbol of this level into the line of the pen, and return the column after it; the same followed
 * by its meaning. */
int pattern_draw_sample(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen,
                        int x, int level);
int pattern_write_sample(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen,
                         int x, int level, const char *text);

/* Write the legend of the colours of parts; the panel's text on all of them, and on the part at the
 * cursor. */
void pattern_write_part_legend(const struct explorer *explorer, const struct pattern *pattern,
                               struct pen *pen);
void pattern_write_parts(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen);
void pattern_write_part(const struct pattern *pattern, size_t dot, struct pen *pen);

/* owned.c */

/* Take the partition that the Parts screen shows, if it belongs to the drawn case, and colour by it if that
 * was requested. */
void pattern_follow_owners(struct explorer *explorer, struct pattern *pattern);

/* Release the partition. */
void pattern_free_owners(struct sizing *sizing);

/* True if a colouring shows parts: those of the matrix, or of a partition. */
bool pattern_shows_parts(enum colouring colouring);

/* Find the part that owns each dot, and combine the marks of two dots. */
enum status pattern_make_owners(struct sizing *sizing, const struct size_dots *dots,
                                struct progress *progress, struct error *error);
int32_t pattern_owner_joined(int32_t a, int32_t b);

/* Return the level of a dot (analysis/parts/owners.h). */
int pattern_owner_level(int32_t mark);

/* Write the legend of the colours, the text on the partition, and the owner of a dot. */
void pattern_write_owner_legend(const struct explorer *explorer, const struct pattern *pattern,
                                struct pen *pen);
void pattern_write_owners(const struct pattern *pattern, struct pen *pen);
void pattern_write_owner(const struct pattern *pattern, size_t dot, struct pen *pen);

/* overlay.c */

/* Actions of the overlay's keys; their `state` is the pattern. Go to the next or previous overlay. Change its
 * parameter a little (the height of strips, K or C), or by much (the height, K or sigma). Ask for it. */
void pattern_choose_overlay(struct explorer *explorer, void *state, int step);
void pattern_change_overlay(struct explorer *explorer, void *state, int step);
void pattern_change_overlay_far(struct explorer *explorer, void *state, int step);
void pattern_ask(struct explorer *explorer, void *state, int unused);

/* Take the answer to pattern_ask. */
void pattern_answer(struct explorer *explorer, struct pattern *pattern, const char *text);

/* Return the dense blocks of one size whose borders the overlay shows; NULL if there are none, or if they are
 * not known yet: it then shows groups of equal rows. */
const struct dense_blocks *pattern_fixed_blocks(const struct pattern *pattern);

/* Find the block of the overlay that holds a position. Returns false if the overlay has no blocks. */
bool pattern_block(const struct pattern *pattern, int64_t position, struct block *block);

/* Return the rule above row y of dots: RULE_MINOR if a block begins in it, RULE_MAJOR if a window of SELL
 * does. There is no rule at position 0, nor if blocks are less than two rows of dots high. */
enum rule pattern_rule(const struct pattern *pattern, int64_t y);

/* True if the overlay's blocks are too low for rules. */
bool pattern_unruled(const struct pattern *pattern);

/* Underline the characters that are already in these columns of row y. */
void pattern_underline(struct surface *surface, int y, int x, int wide);

/* layout.c */

/* Divide the area into picture and panel. The zoom, the picture and the shown positions stay the same as far
 * as possible. */
void pattern_lay_out(struct explorer *explorer, struct pattern *pattern, struct rect area);

/* Change to a zoom level, or to the nearest existing one. `place` (position, column) keeps its position on
 * the screen. */
void pattern_zoom(struct explorer *explorer, struct pattern *pattern, int level, const int64_t place[2]);

/* Return the zoom level that shows numbers, which is the last one. */
int pattern_numbers_level(const struct pattern *pattern);

/* Return the last zoom level: that of numbers, or the one before it if the entries are not in memory. */
int pattern_last_level(const struct pattern *pattern);

/* Return the zoom level that shows the whole matrix: that of numbers if all numbers fit, else 0. */
int pattern_fit_level(const struct pattern *pattern);

/* Add the fill in L, from sizing.sizes, to the counts of the dots, mark it, and make the scale of both.
 * Without memory `lacking` becomes true. */
void pattern_add_fill(struct pattern *pattern);

/* True if two viewports show the same dots. */
bool pattern_same_port(const struct viewport *a, const struct viewport *b);

/* Write the dots of the drawn picture at another zoom level: dot[] is the number of positions per dot, dots[]
 * the number of dots that fit. */
void pattern_dots_at(const struct pattern *pattern, int level, int64_t dot[2], int dots[2]);

/* Count the entries of the shown dots, unless they are counted already. */
void pattern_count(struct pattern *pattern);

/* A dot is drawn as marked if at least half of its entries are. */
static inline bool pattern_is_marked(int64_t marked, int64_t count)
{
    return marked > 0 && 2 * marked >= count;
}

/* Return the number of positions in a unit of one colour, a dot or in braille a character, even if it reaches
 * beyond the matrix. */
double pattern_area(const struct pattern *pattern);

/* Return count / pattern_area. */
double pattern_density(const struct pattern *pattern, int64_t count);

/* Return the sum of `counts`, of all or of the marked entries, over the dots of character (cy, cx) of a
 * braille picture. *raised becomes the number of its dots above 0; `raised` may be NULL. */
int64_t pattern_character_count(const struct pattern *pattern, const int64_t *counts, int cy, int cx,
                                int *raised);

/* Return the positions and columns of dot (y, x) of the picture that are in the matrix. */
struct range pattern_dot(const struct pattern *pattern, int64_t y, int64_t x);

/* Return the cells of the surface that the dots cover: those of `inside` that show positions of the matrix.
 * The frame is drawn around them. */
struct rect pattern_rect(const struct pattern *pattern);

/* Return the cells of the margin of the rows, right of the picture, or of the columns, below it; its height
 * or its width is 0 if there is none. */
struct rect pattern_margin_rect(const struct pattern *pattern, enum axis axis);

/* Return the rows and columns that are shown. */
struct range pattern_shown(const struct pattern *pattern);

/* True if margins are shown, or would be shown if they fit. */
bool pattern_has_margins(const struct pattern *pattern, struct rect area);

/* Find the dot that is drawn in cell (y, x) of the surface. Returns false if there is none. */
bool pattern_at(const struct pattern *pattern, int y, int x, int64_t dot[2]);

/* picture.c */

/* Draw the dots of a shaded or braille picture, and its frame. */
void pattern_draw_picture(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* Return the colour of a dot of this level of density, -1 for no entry. */
enum colour pattern_colour(const struct pattern *pattern, int level, bool marked);

/* Return the colour of the rule above row y of dots, or COLOUR_TEXT if there is none. */
enum colour pattern_rule_colour(const struct pattern *pattern, int y);

/* offsets[] become col - row of the diagonals that are drawn: the main diagonal, or the outermost diagonals
 * with entries, from the bandwidths. Returns their number, at most 3. */
int pattern_diagonals(const struct pattern *pattern, int64_t offsets[3]);

/* pixels.c */

/* Draw the picture in pixels, and its frame. Returns false if there is no memory for it. */
bool pattern_draw_pixels(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* frame.c */

/* Draw a title, ticks with labels, and a frame around pattern_rect. */
void pattern_draw_frame(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* Return the character of `inside` along this axis that contains dot number `index`; for pixels the one at
 * its middle, for a field of numbers the last one. */
int pattern_character(const struct pattern *pattern, enum axis axis, int64_t index);

/* numbers.c */

/* Draw the picture of numbers, and its frame. */
void pattern_draw_numbers(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* margins.c */

/* Find the lengths of the shown rows and columns, unless they are known already. Without memory there are no
 * bars, and a message says so. */
void pattern_measure(struct explorer *explorer, struct pattern *pattern);

/* Draw the margins. */
void pattern_draw_margins(const struct explorer *explorer, const struct pattern *pattern,
                          struct surface *surface);

/* Find the row of cell (y, x) of the surface in the margin of the rows, or its column in the margin of the
 * columns. Returns false if the cell is in no margin. */
bool pattern_margin_at(const struct pattern *pattern, int y, int x, enum axis *axis, int64_t *place);

/* words.c */

/* Write that the content of the panel is being computed or, if that failed, the key that resumes it. */
void pattern_write_waiting(struct pen *pen, bool failed);

/* Write the panel's text on the overlay. */
void pattern_write_overlay(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen);

/* panel.c */

/* Write "name  from+1-to", or "all of" if these are all. */
void pattern_write_span(struct pen *pen, const char *name, int64_t from, int64_t to, int64_t of);

/* Return the lines of the overview in a panel beside the picture; 0 if the panel is too low for one. */
int pattern_overview_high(struct rect panel);

/* Draw the panel into `panel`, beside the picture or below it. */
void pattern_draw_panel(struct explorer *explorer, struct pattern *pattern, struct surface *surface,
                        struct rect panel, bool beside);

/* twin.c: a second picture, of the matrix in another order. */

/* Return the case whose picture is shown beside this one; NULL if there is none, if the user does not want
 * it, or if it does not fit. */
const struct matrix_case *pattern_twin_of(const struct explorer *explorer, const struct pattern *pattern,
                                          struct rect area);

/* Draw both pictures, that of the natural order at the left, and the panel. */
void pattern_draw_pair(struct explorer *explorer, struct pattern *pattern, struct surface *surface,
                       struct rect area);

/* Free the twin. */
void pattern_twin_free(struct pattern *pattern);

/* Find the position, in the shown case, of cell (y, x) of the surface if the twin is drawn there: the first
 * position of the dot. Returns false if the twin is not there. */
bool pattern_twin_at(const struct explorer *explorer, const struct pattern *pattern, int y, int x,
                     int64_t *row, int64_t *col);

/* Write into a panel the cursor's position in the other order, and the cost of the orders. */
void pattern_write_orders(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen);

/* view.c */

/* Free a pattern with all its data. NULL is allowed. */
void pattern_close(void *state);

/* Lay out the picture in the area, show the cursor if it has moved, and count the dots. */
void pattern_bring_up(struct explorer *explorer, struct pattern *pattern, struct rect area);

/* Draw the picture, with its margins. */
void pattern_paint(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

#endif
