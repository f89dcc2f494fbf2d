/* The roofline: the speed of each kernel over its arithmetic intensity, below the speed that the memory of
 * its machine allows (Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009). Both axes are
 * logarithmic. The flat part of a roof, the speed of the arithmetic, is far above any product with a sparse
 * matrix, and is not drawn. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/plot.h"
#include "ui/kernels/kernels.h"

#define LABEL_WIDE 8
#define DOTS_MAX 1024
#define LETTERS 26
#define LEGEND_MIN 44 /* the width of a legend beside the plot */
#define LEGEND_ROWS 6 /* the lines of a legend below it */
#define PLOT_HIGH 4   /* the min height of the plot */
#define MARGIN 1.5    /* the factor between the outermost points and the edges of the plot */
#define ROOFS_MAX (DEVICES_MAX + 1)

/* A kernel that was timed. */
struct point {
    const struct line *line;
    double intensity; /* FLOP/byte */
    double speed;     /* FLOP/s */
};

/* The bandwidth of the memory of one machine. */
struct roof {
    const struct device_type *type; /* NULL stands for the host */
    const struct machine *machine;
};

/* A rectangle of the surface in which x is the logarithm of the intensity and y that of the speed. */
struct frame {
    struct surface *surface;
    struct rect rect;
    double left, right; /* FLOP/byte */
    double bottom, top; /* FLOP/s */
    bool ascii;
};

static const enum colour colours[ROOFS_MAX] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_MARK};

/* Points and roofs */

static bool make_point(const struct line *line, struct point *point)
{
    if (!line->result) return false;
    *point = (struct point){line, result_intensity(line->result), result_speed(line->result)};
    return point->intensity > 0 && point->speed > 0;
}

/* Write the points of all lines, the fastest first; the slowest are left out if there is no room. Returns how
 * many. */
static int list_points(const struct kernels_screen *screen, struct point points[KERNELS_POINTS])
{
    int count = 0;
    for (int k = 0; k < screen->line_count; k++) {
        struct point point;
        if (!make_point(&screen->lines[k], &point)) continue;
        int at = count;
        while (at > 0 && points[at - 1].speed < point.speed)
            at--;
        if (at == KERNELS_POINTS) continue;
        if (count < KERNELS_POINTS) count++;
        memmove(&points[at + 1], &points[at], (size_t)(count - at - 1) * sizeof *points);
        points[at] = point;
    }
    return count;
}

static const struct device_type *type_of(const struct point *point)
{
    return point->line->result->choice.kernel->backend->devices;
}

/* Write the machines that the points were measured on. Returns how many. */
static int list_roofs(const struct kernels_screen *screen, const struct point *points, int count,
                      struct roof roofs[ROOFS_MAX])
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        bool there = false;
        for (int r = 0; r < found; r++)
            there = there || roofs[r].type == type_of(&points[k]);
        const struct machine *machine =
            there || found == ROOFS_MAX ? NULL : kernels_newest_machine(screen, type_of(&points[k]));
        if (machine) roofs[found++] = (struct roof){type_of(&points[k]), machine};
    }
    return found;
}

static int roof_of(const struct roof *roofs, int count, const struct point *point)
{
    for (int r = 0; r < count; r++)
        if (roofs[r].type == type_of(point)) return r;
    return -1;
}

static int cursor_of(const struct kernels_screen *screen, int count)
{
    return screen->point < count ? screen->point : count - 1;
}

const struct result *kernels_point_result(const struct kernels_screen *screen, const struct run **run)
{
    struct point points[KERNELS_POINTS];
    int count = list_points(screen, points);
    *run = NULL;
    if (count == 0) return NULL;
    const struct line *line = points[cursor_of(screen, count)].line;
    *run = line->run;
    return line->result;
}

/* The plot */

/* The place of an intensity, 0 to 1 from the left to the right edge, and of a speed from the bottom to the
 * top. */
static double across(const struct frame *frame, double intensity)
{
    return log(intensity / frame->left) / log(frame->right / frame->left);
}

static double up(const struct frame *frame, double speed)
{
    return log(speed / frame->bottom) / log(frame->top / frame->bottom);
}

static int column_of(const struct frame *frame, double intensity)
{
    return frame->rect.left + (int)lround(across(frame, intensity) * (frame->rect.wide - 1));
}

static int row_of(const struct frame *frame, double speed)
{
    return frame->rect.top + (int)lround((1 - up(frame, speed)) * (frame->rect.high - 1));
}

/* The edges leave room around all points, and for the part of each roof that is above its points. */
static void fit(struct frame *frame, const struct point *points, int count, const struct roof *roofs,
                int roof_count)
{
    frame->left = frame->bottom = INFINITY;
    frame->right = frame->top = 0;
    for (int k = 0; k < count; k++) {
        int roof = roof_of(roofs, roof_count, &points[k]);
        double bound = roof < 0 ? 0 : points[k].intensity * roofs[roof].machine->read;
        frame->left = fmin(frame->left, points[k].intensity);
        frame->right = fmax(frame->right, points[k].intensity);
        frame->bottom = fmin(frame->bottom, points[k].speed);
        frame->top = fmax(frame->top, fmax(points[k].speed, bound));
    }
    frame->left /= MARGIN;
    frame->right *= MARGIN;
    frame->bottom /= MARGIN;
    frame->top *= MARGIN;
}

/* Draw speed = intensity x bandwidth, as far as it is in the frame. */
static void draw_roof(const struct frame *frame, double bandwidth, enum colour colour)
{
    double heights[DOTS_MAX];
    int dots = 2 * frame->rect.wide < DOTS_MAX ? 2 * frame->rect.wide : DOTS_MAX, first = dots, last = -1;
    for (int k = 0; k < dots; k++) {
        double intensity = frame->left * pow(frame->right / frame->left, (double)k / (dots - 1));
        heights[k] = up(frame, intensity * bandwidth);
        if (!(heights[k] >= 0 && heights[k] <= 1)) continue;
        if (first == dots) first = k;
        last = k;
    }
    if (last < first) return;
    struct rect span = frame->rect;
    span.left += first / 2;
    span.wide = last / 2 - first / 2 + 1;
    plot_curve(frame->surface, span, heights + first / 2 * 2, colour, frame->ascii, '.');
}

/* Return the next tick after this one: 1, 2 or 5 times a power of ten. */
static double next_tick(double tick)
{
    double power = pow(10, floor(log10(tick) + 1e-9)), first = tick / power;
    return first < 1.5 ? 2 * power : first < 3 ? 5 * power : 10 * power;
}

static double first_tick(double from)
{
    double tick = pow(10, floor(log10(from)));
    while (tick < from)
        tick = next_tick(tick);
    return tick;
}

static void draw_axes(const struct frame *frame)
{
    const struct rect *rect = &frame->rect;
    char label[32];
    int free = rect->left, above = rect->top + rect->high;
    plot_axes(frame->surface, *rect, frame->ascii, LABEL_WIDE, "", "");
    for (double speed = first_tick(frame->bottom); speed <= frame->top; speed = next_tick(speed)) {
        int y = row_of(frame, speed);
        if (y >= above) continue; /* the label below takes this line */
        kernels_label_speed(frame->surface, y, rect->left - 1 - LABEL_WIDE, LABEL_WIDE - 1, speed);
        above = y;
    }
    for (double x = first_tick(frame->left); x <= frame->right; x = next_tick(x)) {
        int length = snprintf(label, sizeof label, "%.3g", x), at = column_of(frame, x) - length / 2;
        if (at < free || at + length > rect->left + rect->wide) continue;
        surface_text(frame->surface, rect->top + rect->high + 1, at, length, COLOUR_DIM, 0, "%s", label);
        free = at + length + 2;
    }
}

static unsigned letter_of(int k)
{
    return k < LETTERS ? (unsigned)('a' + k) : '+';
}

static void draw_point(const struct frame *frame, const struct point *point, int k, int roof, bool here)
{
    surface_put(frame->surface, row_of(frame, point->speed), column_of(frame, point->intensity), letter_of(k),
                roof < 0 ? COLOUR_TEXT : colours[roof], COLOUR_TEXT,
                here ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE : ATTRIBUTE_BOLD);
}

/* Write a line for each point, scrolled so that the one under the cursor is in sight. */
static void draw_legend(const struct explorer *explorer, struct surface *surface, struct rect rect,
                        const struct point *points, int count, int cursor, const struct roof *roofs,
                        int roof_count)
{
    int first = cursor < rect.high ? 0 : cursor - rect.high + 1;
    for (int k = first; k < count && k - first < rect.high; k++) {
        char speed[32];
        int y = rect.top + k - first, roof = roof_of(roofs, roof_count, &points[k]);
        snprintf(speed, sizeof speed, "%.3g GFLOP/s", points[k].speed * 1e-9);
        const struct legend legend = {.mark = letter_of(k),
                                      .colour = roof < 0 ? COLOUR_TEXT : colours[roof],
                                      .name = points[k].line->result->name,
                                      .said = speed,
                                      .gap = 1,
                                      .chosen = k == cursor};
        kernels_draw_legend(explorer, surface, (struct rect){y, rect.left, 1, rect.wide}, &legend);
    }
}

/* Say how far the point under the cursor is below its roof, and which bandwidth that is. */
static void draw_words(const struct explorer *explorer, struct surface *surface, struct rect rect,
                       const struct point *point, int k, const struct machine *machine)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char read[32];
    flow_item(&flow, COLOUR_ACCENT, "%c %s", (char)letter_of(k), point->line->result->name);
    flow_item(&flow, COLOUR_TEXT, "%.3g FLOP/byte, %.3g GFLOP/s", point->intensity, point->speed * 1e-9);
    if (!machine) return;
    double bound = point->intensity * machine->read;
    if (point->line->result->cached)
        flow_item(&flow, COLOUR_WARN, "in the cache: the %.3g GFLOP/s of the memory do not limit it",
                  bound * 1e-9);
    else
        flow_item(&flow, COLOUR_TEXT, "%.0f%% of the %.3g GFLOP/s that the memory allows",
                  100 * point->speed / bound, bound * 1e-9);
    flow_item(&flow, COLOUR_DIM, "%s %s read %s", explorer->ascii ? "..." : "\u2571",
              machine->name[0] ? machine->name : "memory",
              format_bandwidth(read, sizeof read, machine->read));
}

static void draw_empty(struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top + 1, rect.left + 1, 4, rect.wide - 2}};
    char prose[PROSE_SIZE];
    flow_words(
        &flow, COLOUR_TEXT,
        keys_prose(kernels_actions,
                   "No line of the table has a time. {run 2} runs all kernels; each becomes a point here, "
                   "over the operations that it does for each byte that must be moved. {plot roofline} goes "
                   "back to the table.",
                   prose));
}

void kernels_draw_roofline(const struct explorer *explorer, struct kernels_screen *screen,
                           struct surface *surface, struct rect rect)
{
    struct point points[KERNELS_POINTS];
    struct roof roofs[ROOFS_MAX];
    int count = list_points(screen, points);
    if (count == 0) {
        draw_empty(surface, rect);
        return;
    }
    int roof_count = list_roofs(screen, points, count, roofs), cursor = cursor_of(screen, count);
    screen->point = cursor;
    bool beside = rect.wide >= 2 * LEGEND_MIN;
    int below = beside ? 0 : count < LEGEND_ROWS ? count : LEGEND_ROWS;
    while (below > 1 && rect.high - 5 - below < PLOT_HIGH)
        below--;
    struct frame frame = {.surface = surface,
                          .rect = {rect.top + 1, rect.left + LABEL_WIDE + 1, rect.high - 5 - below,
                                   rect.wide - LABEL_WIDE - 3 - (beside ? LEGEND_MIN + 1 : 0)},
                          .ascii = explorer->ascii};
    if (2 * frame.rect.wide > DOTS_MAX) frame.rect.wide = DOTS_MAX / 2;
    if (frame.rect.high < 2 || frame.rect.wide < 2) return;
    fit(&frame, points, count, roofs, roof_count);
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                      "GFLOP/s over FLOP/byte") +
         2;
    int end = rect.left + rect.wide - 1;
    int used = surface_text_whole(surface, rect.top, x, end - x, COLOUR_DIM, 0,
                                  "2 nnz over the bytes that must be moved");
    if (used)
        surface_text_whole(surface, rect.top, x + used, end - x - used, COLOUR_DIM, 0,
                           ", x once (beta-plus)");
    draw_axes(&frame);
    for (int r = 0; r < roof_count; r++)
        draw_roof(&frame, roofs[r].machine->read, colours[r]);
    for (int k = count - 1; k >= 0; k--)
        if (k != cursor) draw_point(&frame, &points[k], k, roof_of(roofs, roof_count, &points[k]), false);
    int roof = roof_of(roofs, roof_count, &points[cursor]);
    draw_point(&frame, &points[cursor], cursor, roof, true);
    struct rect legend =
        beside
            ? (struct rect){rect.top + 1, rect.left + rect.wide - LEGEND_MIN - 1, rect.high - 3, LEGEND_MIN}
            : (struct rect){rect.top + rect.high - 2 - below, rect.left + 1, below, rect.wide - 2};
    screen->rows = legend.high;
    draw_legend(explorer, surface, legend, points, count, cursor, roofs, roof_count);
    draw_words(explorer, surface, (struct rect){rect.top + rect.high - 2, rect.left + 1, 2, rect.wide - 2},
               &points[cursor], cursor, roof < 0 ? NULL : roofs[roof].machine);
}
