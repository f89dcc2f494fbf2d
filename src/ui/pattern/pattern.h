/* The Pattern screen's own parts: its state, its layout, its pictures. Only view_pattern.c and pattern_*.c
 * include this. */
#ifndef SPARSIGHT_UI_PATTERN_PATTERN_H
#define SPARSIGHT_UI_PATTERN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/derive.h"
#include "analysis/entries.h"
#include "drawing/pen.h"
#include "drawing/shade.h"
#include "drawing/viewport.h"
#include "formats/format.h"
#include "ui/errand.h"
#include "ui/view.h"

/* How dots are drawn. */
enum picture {
    PICTURE_BLOCKS,     /* half blocks in shades of colour: 2 x 1 dots a character */
    PICTURE_CHARACTERS, /* one dot a character, by ink */
    PICTURE_BRAILLE,    /* 4 x 2 dots a character: there is an entry or not */
    PICTURE_NUMBERS,    /* one place a field of characters */
};

/* What the user wants to see. */
enum wish { WISH_AUTOMATIC, WISH_SHADED, WISH_BRAILLE };

/* What is drawn over the pattern, or the order that its rows are drawn in. */
enum overlay { OVERLAY_NONE, OVERLAY_STRIPS, OVERLAY_HYB, OVERLAY_JDS, OVERLAY_SELL, OVERLAY_COUNT };

/* What a derived pattern is: the entries beyond the number-th of their row, or the rows by length within
 * windows of `number`. */
struct derivation {
    enum { DERIVE_NOTHING, DERIVE_REST, DERIVE_ORDER } kind;
    int64_t number;
};

/* The overlay and the derived pattern that it needs, which an errand makes. The last one made is kept. */
struct overlays {
    enum overlay shown;
    int64_t height;         /* of strips */
    int64_t chunk, window;  /* C and sigma of SELL */
    struct derived derived; /* what is there: */
    struct derivation held;
    struct errand errand;
    const struct session *session; /* these are the errand's: */
    struct derivation making;
    struct derived made;
};

/* Positions that are stored together: a strip, a chunk, rows of one length. */
struct block {
    int64_t first, end;
};

/* A picture to come back to. */
struct pattern_visit {
    int level;
    int64_t start[2];
    struct cursor cursor;
};

#define PATTERN_VISITS 64

struct pattern {
    struct rect area;   /* what the layout was made for */
    bool ascii, shades; /* the same */
    bool laid_out;

    struct rect insides[2], panels[2]; /* of pictures, and of numbers, which leave the panel less */
    struct rect inside;                /* the characters of the picture, without its frame and labels */
    struct rect panel;
    bool beside;    /* the panel is to the right, not below */
    int label_wide; /* of row labels */

    struct zoom zoom;
    int level;            /* zoom_levels(&zoom): numbers */
    enum wish wish;       /* by hand */
    enum picture picture; /* what is drawn */
    int per[2];           /* dots of a character */
    int large[2];         /* a dot is so many dots high and wide: 1 but for small matrices */
    int lines, field;     /* numbers: lines of a row, columns of a field */
    struct viewport port;

    struct overlays overlays;
    bool ordered; /* the rows shown are those of overlays.derived, in its order */
    bool parted;  /* the entries of overlays.derived are set apart */

    int64_t *counts; /* of the dots in use, row-major; owned */
    int64_t *marked; /* how many of them are set apart; within counts, or NULL */
    size_t capacity;
    struct viewport counted; /* what they are counted for */
    struct shade shade;      /* their scale */
    int64_t max, total;      /* the largest count, and their sum */
    bool lacking;            /* no memory for them */

    struct cursor seen; /* the cursor when last drawn */
    bool diagonal, bands;
    struct pattern_visit visits[PATTERN_VISITS]; /* a stack: where Enter was pressed */
    int depth;
    int drag_y, drag_x;
};

/* pattern_source.c: which matrix is drawn. "Positions" are its rows: those of the session's matrix, or their
 * places in an order. */

/* Begin without an overlay. */
void pattern_start(struct explorer *explorer, struct pattern *pattern);
/* Take what the errand has made, and want what is missing. To be called when the overlay changed, and before
 * drawing. */
void pattern_settle(struct explorer *explorer, struct pattern *pattern);
/* True if what the overlay shows is being computed, or (failed) could not be. */
bool pattern_waits(const struct explorer *explorer, const struct pattern *pattern, bool *failed);
/* The matrix that is drawn, which may have no values, and its pyramid. */
const struct csr *pattern_csr(const struct explorer *explorer, const struct pattern *pattern);
const struct pyramid *pattern_pyramid(const struct explorer *explorer, const struct pattern *pattern);
/* The row at a position, and the position and column of the cursor. */
int64_t pattern_row(const struct pattern *pattern, int64_t position);
void pattern_cursor(const struct explorer *explorer, const struct pattern *pattern, int64_t place[2]);
/* The entry of the session's matrix that entry k of the one drawn, which stands at this position, is. */
int64_t pattern_entry(const struct explorer *explorer, const struct pattern *pattern, int64_t position,
                      int64_t k);

/* pattern_overlay.c */

/* What keys do, with the pattern as `state`: the next or previous overlay; its strip height, K or C, and by
 * much; its strip height, K or sigma; a prompt for them. */
void pattern_choose_overlay(struct explorer *explorer, void *state, int step);
void pattern_change_overlay(struct explorer *explorer, void *state, int step);
void pattern_change_overlay_far(struct explorer *explorer, void *state, int step);
void pattern_ask(struct explorer *explorer, void *state, int unused);
/* Take what was typed in that prompt. */
void pattern_answer(struct explorer *explorer, struct pattern *pattern, const char *text);
/* The block that holds a position; false if the overlay has none. */
bool pattern_block(const struct pattern *pattern, int64_t position, struct block *block);
/* Whether a block begins in row y of dots, which is not the first one, and is high enough to be ruled off:
 * RULE_MAJOR for a window of SELL. */
enum rule pattern_rule(const struct pattern *pattern, int64_t y);
/* True if the dots are too large for the overlay's rules. */
bool pattern_unruled(const struct pattern *pattern);
/* Draw a thin line under characters that are there. */
void pattern_underline(struct surface *surface, int y, int x, int wide);

/* pattern_layout.c */

/* Divide the area, and keep level and picture as they were as far as it can. */
void pattern_lay_out(struct explorer *explorer, struct pattern *pattern, struct rect area);
/* Go to a zoom level; `place` keeps its place on the screen. */
void pattern_zoom(struct explorer *explorer, struct pattern *pattern, int level, const int64_t place[2]);
/* Number of levels of pictures; the level of this number shows numbers. */
int pattern_numbers_level(const struct pattern *pattern);
/* The level that shows the whole matrix: numbers if they all fit. */
int pattern_fit_level(const struct pattern *pattern);
/* Count what is shown, unless that was done already. */
void pattern_count(struct explorer *explorer, struct pattern *pattern);
/* True if at least half of this many entries are set apart. */
static inline bool pattern_mostly(int64_t marked, int64_t count)
{
    return marked > 0 && 2 * marked >= count;
}
/* Entries / places of a dot with this many entries; one that reaches beyond the matrix counts as whole. */
double pattern_density(const struct pattern *pattern, int64_t count);
/* The matrix places of dot (y, x) of the picture, clipped to the matrix. */
struct range pattern_dot(const struct pattern *pattern, int64_t y, int64_t x);
/* The dot under a character of the surface; false if there is none. */
bool pattern_at(const struct pattern *pattern, int y, int x, int64_t dot[2]);

/* pattern_picture.c */
void pattern_draw_picture(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* The colour of a level of the scale (-1: no entry) in this picture, of dots set apart or others. */
enum colour pattern_colour(const struct pattern *pattern, int level, bool marked);

/* pattern_frame.c: the frame with its ticks and labels; `high` x `wide` characters of `inside` are in use. */
void pattern_draw_frame(struct explorer *explorer, struct pattern *pattern, struct surface *surface, int high,
                        int wide);

/* pattern_numbers.c */
void pattern_draw_numbers(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

/* pattern_words.c: the overlay's part of the panel. */
void pattern_write_overlay(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen);

/* pattern_panel.c */

/* Indices from+1 .. to, of `of`. */
void pattern_write_span(struct pen *pen, const char *name, int64_t from, int64_t to, int64_t of);
void pattern_draw_panel(struct explorer *explorer, struct pattern *pattern, struct surface *surface);

#endif
