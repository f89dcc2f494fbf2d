#include "support/recorded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct drawn *add(struct canvas *canvas, enum drawn_kind kind, double x, double y, double wide,
                         double high)
{
    struct recorded *recorded = canvas->own;
    assert_true(recorded->count < RECORDED_MAX);
    struct drawn *drawn = &recorded->items[recorded->count++];
    *drawn = (struct drawn){.kind = kind, .x = x, .y = y, .wide = wide, .high = high};
    return drawn;
}

static void rectangle(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour)
{
    add(canvas, DRAWN_RECTANGLE, x, y, wide, high)->colour = colour;
}

static void line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                 double thick, bool dashed)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int k = 0; k < count; k++) {
        left = fmin(left, points[k].x);
        right = fmax(right, points[k].x);
        top = fmin(top, points[k].y);
        bottom = fmax(bottom, points[k].y);
    }
    struct drawn *drawn = add(canvas, DRAWN_LINE, left, top, right - left, bottom - top);
    drawn->points = count;
    drawn->colour = colour;
    drawn->thick = thick;
    drawn->dashed = dashed;
}

static void text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, enum colour colour,
                 unsigned writing, const char *words)
{
    struct drawn *drawn = add(canvas, DRAWN_TEXT, x, y, 0, 0);
    drawn->anchor = anchor;
    drawn->colour = colour;
    drawn->writing = writing;
    snprintf(drawn->words, sizeof drawn->words, "%s", words);
}

static void image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                  double high)
{
    add(canvas, DRAWN_IMAGE, x, y, wide * pixmap->wide, high * pixmap->high);
}

static void bar(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour,
                bool upright)
{
    struct drawn *drawn = add(canvas, DRAWN_BAR, x, y, wide, high);
    drawn->colour = colour;
    drawn->upright = upright;
}

static void axes(struct canvas *canvas, double x, double y, double wide, double high,
                 const struct canvas_ticks *across, const struct canvas_ticks *up)
{
    add(canvas, DRAWN_AXES, x, y, wide, high);
}

struct recorded *recorded_new(double wide, double high)
{
    static const struct canvas_kind kind = {rectangle, line, text, image, bar, axes};
    struct recorded *recorded = malloc(sizeof *recorded);
    assert_non_null(recorded);
    recorded->count = 0;
    recorded->canvas = (struct canvas){.kind = &kind,
                                       .wide = wide,
                                       .high = high,
                                       .column = CANVAS_COLUMN,
                                       .line = CANVAS_LINE,
                                       .tall = 1,
                                       .turns = true,
                                       .light = true,
                                       .own = recorded};
    return recorded;
}

const struct drawn *recorded_text(const struct recorded *recorded, const char *words)
{
    for (int k = 0; k < recorded->count; k++)
        if (recorded->items[k].kind == DRAWN_TEXT && strcmp(recorded->items[k].words, words) == 0)
            return &recorded->items[k];
    return NULL;
}

int recorded_texts(const struct recorded *recorded, const char *words)
{
    int found = 0;
    for (int k = 0; k < recorded->count; k++)
        found += recorded->items[k].kind == DRAWN_TEXT && strcmp(recorded->items[k].words, words) == 0;
    return found;
}

double drawn_x(const struct drawn *drawn)
{
    return drawn->x + drawn->wide / 2;
}

double drawn_y(const struct drawn *drawn)
{
    return drawn->y + drawn->high / 2;
}
