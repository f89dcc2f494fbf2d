/* The pattern: the positions of the entries; each dot shows its exact count, largest value or signs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/owners.h"
#include "analysis/sizes.h"
#include "base/memory.h"
#include "base/range.h"
#include "drawing/pixmap.h"
#include "drawing/shade.h"
#include "drawing/viewport.h"
#include "report/figures/figure.h"

#define TICKS_MAX 64

/* If one side would have fewer dots than this, the axes have different scales. */
#define DOTS_MIN 24

/* The dots of the picture. Here and below, element 0 of an array is for rows, and element 1 for columns. */
struct dots {
    int64_t start[2];        /* the first positions that are drawn, */
    int64_t size[2], dot[2]; /* their number, and the number for each dot */
    int count[2];            /* numbers of dots */
    int large[2];            /* units that a dot takes */
    bool same;               /* both axes have the same scale */
};

/* Return size / dot, rounded up. */
static int64_t parts_of(int64_t size, int64_t dot)
{
    return size / dot + (size % dot != 0);
}

/* With fewer entries than this, all are counted for the picture. With more, dots are whole cells of the
 * pyramid, whose counts are known. */
#define CELLS_FROM ((int64_t)1 << 23)

/* A dot larger than a cell consists of whole cells. */
static int64_t whole_cells(int64_t dot, int64_t step)
{
    return dot > step ? parts_of(dot, step) * step : dot;
}

/* Fit the matrix into room[] units, each `tall` times as high as wide. A dot covers as many positions as
 * necessary; for a small matrix it takes as many whole units as possible. Nothing is resampled. */
static struct dots fit(const int64_t size[2], const int64_t step[2], const double room[2], int tall)
{
    struct dots dots = {.size = {size[0], size[1]}, .dot = {1, 1}, .large = {1, 1}};
    int64_t most[2] = {max(1, (int64_t)room[0]), max(1, (int64_t)room[1])};
    int64_t wanted = max(parts_of(size[0], most[0] * tall), parts_of(size[1], most[1]));
    int64_t whole = max(whole_cells(wanted, step[0]), whole_cells(wanted, step[1]));
    dots.same = wanted <= 1 || (size[0] / (whole * tall) >= DOTS_MIN && size[1] / whole >= DOTS_MIN);
    if (wanted > 1 && dots.same) {
        dots.dot[0] = whole * tall;
        dots.dot[1] = whole;
    } else if (wanted > 1) {
        for (int a = 0; a < 2; a++)
            dots.dot[a] = whole_cells(parts_of(size[a], most[a]), step[a]);
    } else {
        int64_t times = min(most[0] * tall / max(1, size[0]), most[1] / max(1, size[1]));
        if (times < tall) dots.dot[0] = tall;
        dots.large[1] = (int)max(1, times / tall * tall);
        dots.large[0] = (int)max(1, dots.large[1] / tall);
        if (times < tall) dots.large[1] = 1;
    }
    for (int a = 0; a < 2; a++) {
        dots.count[a] = (int)parts_of(size[a], dots.dot[a]);
        if (!dots.same && dots.dot[a] == 1) dots.large[a] = (int)max(1, most[a] / max(1, size[a]));
    }
    return dots;
}

/* The data of the dots and their levels. */
struct shown {
    struct dots dots;
    struct shade shade; /* of densities or of sizes */
    struct pixmap pixmap;
    int64_t most; /* the maximum number of entries of a dot */
    bool zeros;   /* for signs: some dots have only zeros */
    bool several; /* for owners: some dots have rows of several parts */
};

static double places_of(const struct dots *dots)
{
    return (double)dots->dot[0] * (double)dots->dot[1];
}

/* Show exact counts by density, on the scale of the Pattern screen. */
static void show_counts(struct shown *shown, const int64_t *counts, size_t all)
{
    int64_t least = INT64_MAX;
    for (size_t k = 0; k < all; k++) {
        if (counts[k] > shown->most) shown->most = counts[k];
        if (counts[k] && counts[k] < least) least = counts[k];
    }
    double places = places_of(&shown->dots);
    if (shown->most) shown->shade = shade_scale((double)least / places, (double)shown->most / places);
    for (size_t k = 0; k < all; k++) {
        int level = shade_level(&shown->shade, (double)counts[k] / places);
        shown->pixmap.pixels[k] = level < 0 ? COLOUR_TEXT : (uint8_t)(COLOUR_DENSITY + level);
    }
}

static struct size_dots size_dots_of(const struct dots *dots)
{
    return (struct size_dots){dots->start[0], dots->start[1], dots->dot[0],
                              dots->dot[1],   dots->count[0], dots->count[1]};
}

/* Show the largest |a| of each dot. Dots with entries are visible even if these are 0. */
static enum status show_sizes(const struct figure_subject *subject, struct shown *shown,
                              const int64_t *counts, size_t all, struct error *error)
{
    struct size_dots dots = size_dots_of(&shown->dots);
    double low = 0, top = 0, *sizes = memory_array(all, sizeof *sizes, error);
    if (!sizes) return STATUS_MEMORY;
    enum status status =
        sizes_of_dots(&subject->of->matrix.csr, &dots, false, subject->progress, sizes, error);
    for (size_t k = 0; k < all && status == STATUS_OK; k++) {
        if (!(sizes[k] > 0) || isinf(sizes[k])) continue;
        low = low > 0 ? fmin(low, sizes[k]) : sizes[k];
        top = fmax(top, sizes[k]);
    }
    shown->shade = shade_scale(low, top);
    for (size_t k = 0; k < all && status == STATUS_OK; k++) {
        int level = shade_level(&shown->shade, sizes[k]);
        shown->pixmap.pixels[k] =
            counts[k] ? (uint8_t)(COLOUR_DENSITY + (level < 0 ? 0 : level)) : COLOUR_TEXT;
    }
    free(sizes);
    return status;
}

/* Show the positive share of each dot's values other than 0, from the lowest level, 0, to the highest, 1.
 * Dots with zeros alone are dim. */
static enum status show_signs(const struct figure_subject *subject, struct shown *shown,
                              const int64_t *counts, size_t all, struct error *error)
{
    struct size_dots dots = size_dots_of(&shown->dots);
    int64_t *signs = memory_array(2 * all, sizeof *signs, error);
    if (!signs) return STATUS_MEMORY;
    enum status status =
        signs_of_dots(&subject->of->matrix.csr, &dots, subject->progress, signs, signs + all, error);
    for (size_t k = 0; k < all && status == STATUS_OK; k++) {
        int64_t both = signs[k] + signs[all + k];
        shown->zeros = shown->zeros || (counts[k] > 0 && both == 0);
        int level = both ? (int)lround((double)signs[k] / (double)both * (DENSITY_LEVELS - 1)) : 0;
        shown->pixmap.pixels[k] = counts[k] == 0 ? COLOUR_TEXT
                                  : both == 0    ? COLOUR_DIM
                                                 : (uint8_t)(COLOUR_DENSITY + level);
    }
    free(signs);
    return status;
}

/* Show the owners of the dots: the colours of parts in turn, paler if at least half of the entries are
 * remote. */
static enum status show_owners(const struct figure_subject *subject, struct shown *shown, size_t all,
                               struct error *error)
{
    struct size_dots dots = size_dots_of(&shown->dots);
    int32_t *marks = memory_array(all, sizeof *marks, error);
    if (!marks) return STATUS_MEMORY;
    enum status status =
        owners_of_dots(&subject->of->matrix.csr, subject->partition, &dots, subject->progress, marks, error);
    for (size_t k = 0; k < all && status == STATUS_OK; k++) {
        shown->several = shown->several || marks[k] == OWNER_SEVERAL;
        shown->pixmap.pixels[k] = (uint8_t)owner_colour(marks[k]);
    }
    free(marks);
    return status;
}

/* Compute the data of the dots and their picture. */
static enum status show(const struct figure_subject *subject, struct shown *shown, struct error *error)
{
    const struct matrix_case *of = subject->of;
    const struct dots *dots = &shown->dots;
    size_t all = (size_t)dots->count[0] * (size_t)dots->count[1];
    enum status status = pixmap_resize(&shown->pixmap, dots->count[0], dots->count[1], error);
    if (status != STATUS_OK || all == 0) return status;
    if (subject->by == FIGURE_OWNER) return show_owners(subject, shown, all, error);
    int64_t *counts = memory_array(all, sizeof *counts, error);
    if (!counts) return STATUS_MEMORY;
    pyramid_dots(&of->pyramid, case_has(of, SESSION_TILES) && of->tiles.words ? &of->tiles : NULL,
                 &of->matrix.csr, dots->start[0], dots->start[1], dots->dot[0], dots->dot[1], dots->count[0],
                 dots->count[1], counts);
    if (subject->by == FIGURE_VALUE)
        status = show_sizes(subject, shown, counts, all, error);
    else if (subject->by == FIGURE_SIGN)
        status = show_signs(subject, shown, counts, all, error);
    else
        show_counts(shown, counts, all);
    free(counts);
    return status;
}

/* Write the numbers of rows and columns beside the picture, whose upper left corner is at (x, y). */
static void draw_axes(struct canvas *canvas, const struct dots *dots, double x, double y)
{
    struct tick ticks[TICKS_MAX];
    char out[32];
    double wide = (double)dots->count[1] * dots->large[1], high = (double)dots->count[0] * dots->large[0];
    double mark = canvas->line / 4;
    format_count(out, sizeof out, dots->start[1] + dots->size[1]);
    int gap = (int)ceil((canvas_text_wide(canvas, out) + 2 * canvas->column) / dots->large[1]);
    int count = axis_ticks(dots->start[1], dots->dot[1], dots->count[1], dots->start[1] + dots->size[1], gap,
                           ticks, TICKS_MAX);
    canvas_frame(canvas, x, y, wide, high);
    for (int k = 0; k < count; k++) {
        double at = x + (ticks[k].dot + 0.5) * dots->large[1];
        if (mark >= 1) canvas_stroke(canvas, at, y - mark - 0.5, at, y - 0.5, COLOUR_DIM, 1);
        canvas_text(canvas, at, y - mark - canvas->line / 2, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%s",
                    format_count(out, sizeof out, ticks[k].label));
    }
    gap = (int)ceil(1.5 * canvas->line / dots->large[0]);
    count = axis_ticks(dots->start[0], dots->dot[0], dots->count[0], dots->start[0] + dots->size[0], gap,
                       ticks, TICKS_MAX);
    for (int k = 0; k < count; k++) {
        double at = y + (ticks[k].dot + 0.5) * dots->large[0];
        if (mark >= 1) canvas_stroke(canvas, x - mark - 0.5, at, x - 0.5, at, COLOUR_DIM, 1);
        canvas_text(canvas, x - mark - canvas->column / 2, at, ANCHOR_END, COLOUR_DIM, 0, "%s",
                    format_count(out, sizeof out, ticks[k].label));
    }
}

/* Write the part of the matrix that a dot covers. */
static void write_dot(const struct dots *dots, char *out, size_t size)
{
    char rows[32], cols[32];
    if (dots->dot[0] == 1 && dots->dot[1] == 1)
        snprintf(out, size, "a dot is one position");
    else
        snprintf(out, size, "a dot is %s x %s positions", format_count(rows, sizeof rows, dots->dot[0]),
                 format_count(cols, sizeof cols, dots->dot[1]));
}

/* True if there is no room for words beside the levels. */
static bool is_narrow(const struct canvas *canvas)
{
    return canvas->wide < 70 * canvas->column;
}

/* Draw the colours of owners, with their meaning below. */
static void draw_owners(const struct figure_subject *subject, const struct shown *shown,
                        struct canvas *canvas, double x, double y)
{
    const int64_t parts = subject->partition->parts;
    const int colours = parts < OWNER_COLOURS ? (int)parts : OWNER_COLOURS;
    char dot[96];
    double each = 2 * canvas->column, high = fmax(1, canvas->line * 0.75), below = y + canvas->line * 1.5,
           at = x;
    for (int k = 0; k < colours; k++, at += each) {
        canvas_rectangle(canvas, at, y, each, high, (enum colour)(COLOUR_OWNER + k));
        canvas_text(canvas, at + each / 2, below, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%d", k + 1);
    }
    at += canvas->column;
    canvas_text(canvas, at, below, ANCHOR_START, COLOUR_DIM, 0, "half remote");
    double end = at + canvas_text_wide(canvas, "half remote");
    for (int k = 0; k < colours; k++, at += each)
        canvas_rectangle(canvas, at, y, each, high, (enum colour)(COLOUR_REMOTE + k));
    at = fmax(at, end) + 2 * canvas->column;
    if (shown->several) {
        canvas_rectangle(canvas, at, y, each, high, owner_colour(OWNER_SEVERAL));
        canvas_text(canvas, at, below, ANCHOR_START, COLOUR_DIM, 0, "mixed");
        at += canvas_text_wide(canvas, "mixed") + 2 * canvas->column;
    }
    write_dot(&shown->dots, dot, sizeof dot);
    bool narrow = is_narrow(canvas);
    double words = narrow ? x : at, line = narrow ? below + canvas->line : y + canvas->line * 0.5;
    canvas_text(canvas, words, line, ANCHOR_START, COLOUR_TEXT, 0, "owners: %s, %lld part%s%s",
                subject->partition_name, (long long)parts, parts == 1 ? "" : "s",
                parts > colours ? ", colours in turn" : "");
    canvas_text(canvas, words, line + canvas->line, ANCHOR_START, COLOUR_DIM, 0, "%s", dot);
}

/* Draw the levels side by side with their values, and the quantity below. */
static void draw_legend(const struct figure_subject *subject, const struct shown *shown,
                        struct canvas *canvas, double x, double y)
{
    char dot[96], left[32], middle[32], right[32];
    double each = canvas->wide >= 80 * canvas->column ? 2 * canvas->column : canvas->column;
    double end = x + each * DENSITY_LEVELS;
    if (subject->by == FIGURE_OWNER) {
        draw_owners(subject, shown, canvas, x, y);
        return;
    }
    if (subject->bare) {
        write_dot(&shown->dots, dot, sizeof dot);
        canvas_text(canvas, x, y + 0.5 * canvas->line, ANCHOR_START, COLOUR_DIM, 0, "%s", dot);
        return;
    }
    const struct shade *shade = &shown->shade;
    for (int level = 0; level < DENSITY_LEVELS; level++)
        canvas_rectangle(canvas, x + level * each, y, each, fmax(1, canvas->line * 0.75),
                         (enum colour)(COLOUR_DENSITY + level));
    if (subject->by == FIGURE_SIGN) {
        snprintf(left, sizeof left, "0%%");
        snprintf(middle, sizeof middle, "50%%");
        snprintf(right, sizeof right, "100%%");
    } else {
        snprintf(left, sizeof left, "%.2g", shade_density(shade, 0));
        snprintf(middle, sizeof middle, "%.2g", shade_density(shade, DENSITY_LEVELS / 2));
        snprintf(right, sizeof right, "%.2g", shade_density(shade, DENSITY_LEVELS - 1));
    }
    double below = y + canvas->line * 1.5, half = canvas_text_wide(canvas, middle) / 2;
    double centre = x + each * (DENSITY_LEVELS / 2 + 0.5);
    canvas_text(canvas, x, below, ANCHOR_START, COLOUR_DIM, 0, "%s", left);
    if (x + canvas_text_wide(canvas, left) + canvas->column <= centre - half &&
        centre + half + canvas->column <= end - canvas_text_wide(canvas, right))
        canvas_text(canvas, centre, below, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%s", middle);
    canvas_text(canvas, end, below, ANCHOR_END, COLOUR_DIM, 0, "%s", right);
    if (shown->zeros) {
        end += 2 * canvas->column;
        canvas_rectangle(canvas, end, y, 2 * canvas->column, fmax(1, canvas->line * 0.75), COLOUR_DIM);
        canvas_text(canvas, end, below, ANCHOR_START, COLOUR_DIM, 0, "no sign");
        end += canvas_text_wide(canvas, "no sign");
    }
    write_dot(&shown->dots, dot, sizeof dot);
    bool narrow = is_narrow(canvas);
    double words = narrow ? x : end + 2 * canvas->column,
           line = narrow ? below + canvas->line : y + canvas->line * 0.5;
    canvas_text(canvas, words, line, ANCHOR_START, COLOUR_TEXT, 0, "%s",
                subject->by == FIGURE_COUNT   ? "entries per position (density)"
                : subject->by == FIGURE_VALUE ? "largest |a| of a dot"
                                              : "positive share of the nonzero values");
    canvas_text(canvas, words, line + canvas->line, ANCHOR_START, COLOUR_DIM, 0, "%s", dot);
}

static enum status draw_pattern(const struct figure_subject *subject, struct canvas *canvas,
                                struct error *error)
{
    const struct csr *a = &subject->of->matrix.csr;
    const struct pyramid *pyramid = &subject->of->pyramid;
    char out[32];
    struct shown shown = {.most = 0};
    bool many = csr_nnz(a) >= CELLS_FROM;
    bool part = subject->to[0] > 0;
    int64_t size[2] = {part ? subject->to[0] - subject->from[0] : a->rows,
                       part ? subject->to[1] - subject->from[1] : a->cols};
    int64_t step[2] = {many ? pyramid->row_step : 1, many ? pyramid->col_step : 1};
    double mark = canvas->line / 4;
    double x =
        ceil(canvas_text_wide(canvas, format_count(out, sizeof out, a->rows)) + 2 * canvas->column + mark);
    const double heading = subject->bare ? 0 : figure_heading(subject, canvas, NULL);
    const double legend = subject->bare ? 2.3 : is_narrow(canvas) ? 5.3 : 3.3;
    double top = floor(heading + canvas->line + mark);
    double room[2] = {canvas->high - top - legend * canvas->line, canvas->wide - x - 2 * canvas->column};
    shown.dots = fit(size, step, room, canvas->tall);
    for (int axis = 0; part && axis < 2; axis++)
        shown.dots.start[axis] = subject->from[axis];
    enum status status = show(subject, &shown, error);
    if (status == STATUS_OK) {
        canvas_image(canvas, x, top, &shown.pixmap, shown.dots.large[1], shown.dots.large[0]);
        draw_axes(canvas, &shown.dots, x, top);
        double below = top + (double)shown.dots.count[0] * shown.dots.large[0];
        draw_legend(subject, &shown, canvas, x, canvas->line * ceil(below / canvas->line + 0.3));
    }
    pixmap_free(&shown.pixmap);
    return status;
}

static enum status check_pattern(const struct figure_subject *subject, struct error *error)
{
    const struct matrix *matrix = &subject->of->matrix;
    if (subject->by != FIGURE_SIGN || !matrix->csr.imaginary) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, matrix->path, 0, 0,
                    "complex values have no signs: use --by=count or --by=value");
}

const struct figure figure_pattern = {
    .name = "pattern",
    .summary = "the pattern: exact counts, largest values, signs or owners (--by)",
    .needs = SESSION_MATRIX | SESSION_PYRAMID,
    .square = true,
    .long_draw = true,
    .check = check_pattern,
    .draw = draw_pattern,
};
