#include "ui/summary/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/values.h"
#include "base/text.h"
#include "drawing/bars.h"
#include "formats/csr.h"

/* The widths of a line's columns. Each but the first follows a gap. The bar gets the remaining width. */
#define NAME_WIDE FORMAT_NAME_WIDE
#define BYTES_WIDE 10
#define RATIO_WIDE 6
#define FACTOR_WIDE 9

/* A full bar stands for this multiple of CSR's bytes. The bars of larger formats end in a mark. */
#define TIMES_FULL 2.0

/* A line of the bars: a format, in one of its variants. */
struct bar_line {
    const struct format *format;
    const char *variant;
};

/* The lines are computed once, because they are needed often and never change. */
#define LINES_MAX 128
static struct bar_line lines[LINES_MAX];

static int find_lines(void)
{
    int count = 0;
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v] && count < LINES_MAX; v++)
            lines[count++] = (struct bar_line){formats[f], formats[f]->variants[v]};
    return count;
}

int format_bars_count(void)
{
    static int count;
    if (count == 0) count = find_lines();
    return count;
}

struct format_choice format_bars_choice(int k)
{
    struct format_choice choice = {.format = NULL};
    if (k >= 0 && k < format_bars_count())
        format_choice_read(lines[k].format, lines[k].variant, PRECISION_F64, &choice, NULL);
    return choice;
}

const struct conversion *format_bars_conversion(const struct session *session, int k)
{
    const struct format_choice choice = format_bars_choice(k);
    return conversions_find(&session->shown->conversions, &choice);
}

static bool is_sized(const struct conversion *conversion)
{
    return conversion && atomic_load(&conversion->sized);
}

static bool is_refused(const struct conversion *conversion)
{
    return conversion && conversion_state(conversion) == CONVERSION_REFUSED;
}

struct format_scale format_bars_scale(const struct session *session)
{
    struct format_scale scale = {0};
    for (int k = 0, count = format_bars_count(); k < count; k++) {
        const struct conversion *conversion = format_bars_conversion(session, k);
        if (!is_sized(conversion)) continue;
        double bytes = (double)conversion->size.bytes;
        if (conversion->choice.format == &format_csr) scale.csr = bytes;
        if (!is_refused(conversion) && (!(scale.least > 0) || bytes < scale.least)) scale.least = bytes;
    }
    return scale;
}

void format_bars_order(const struct matrix_case *of, struct surface *surface, int y, int x, int wide)
{
    int room = wide > 0 ? wide : 0;
    surface_text_right(surface, y, x, room, COLOUR_DIM, 0, "%.*s", room, of->order);
}

void format_bars_heading(const struct explorer *explorer, struct surface *surface, int y, int x, int wide)
{
    int used = surface_text(surface, y, x, wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "Formats");
    surface_text(surface, y, x + used + 2, wide - used - 2, COLOUR_DIM, 0, "relative to CSR");
    if (!explorer->beside) {
        surface_text_right(surface, y, x, wide, COLOUR_DIM, 0, "padding factor");
        return;
    }
    format_bars_order(explorer->session->shown, surface, y, x + wide - FACTOR_WIDE - 1 - BYTES_WIDE,
                      BYTES_WIDE);
    format_bars_order(explorer->beside, surface, y, x + wide - FACTOR_WIDE, FACTOR_WIDE);
}

/* Write the name with the parameters that the format has chosen. If that is too long, write the name of the
 * variant, cut if necessary. */
static const char *name_of(const struct conversion *conversion, int k, bool ascii, char out[CHOICE_NAME])
{
    const struct format_choice choice = format_bars_choice(k);
    if (is_sized(conversion) && strlen(conversion->name) <= NAME_WIDE) return conversion->name;
    format_choice_name(&choice, out, CHOICE_NAME);
    const int cut = NAME_WIDE - (ascii ? 3 : 1);
    if (strlen(out) > NAME_WIDE)
        snprintf(out + cut, (size_t)(CHOICE_NAME - cut), "%s", ascii ? "..." : "\u2026");
    return out;
}

/* Return the reason for a refusal in two or three words. */
static const char *refusal_text(const struct conversion *conversion)
{
    switch (conversion->refusal.status) {
    case STATUS_LIMIT:
        return is_sized(conversion) ? "over the limit" : "cannot hold it";
    case STATUS_MEMORY:
        return "not enough memory";
    case STATUS_USAGE:
        return "not known";
    default:
        return "not possible";
    }
}

/* Write the bytes of line k's format in the order shown beside. */
static void draw_other(const struct explorer *explorer, int k, double bytes, struct surface *surface, int y,
                       int x)
{
    const struct format_choice choice = format_bars_choice(k);
    const struct conversion *other = conversions_find(&explorer->beside->conversions, &choice);
    char out[32];
    bool known = is_sized(other) && !is_refused(other);
    double taken = known ? (double)other->size.bytes : 0;
    enum colour colour = !known || taken == bytes ? COLOUR_DIM : COLOUR_TEXT;
    if (known) format_bytes(out, sizeof out, taken);
    surface_text_right(surface, y, x, FACTOR_WIDE, colour, 0, "%s",
                       known               ? out
                       : is_refused(other) ? "-"
                                           : "...");
}

/* Draw the bar of a format with a known size, followed by its number. A mark shows that the size exceeds a
 * full bar. */
static void draw_ratio(const struct explorer *explorer, const struct format_scale *scale, double bytes,
                       struct bar *bar, struct surface *surface)
{
    const double ratio = bytes / scale->csr;
    const int end = bar->rect.left + bar->rect.wide;
    char out[32];
    bar->length = fmin(1, ratio / TIMES_FULL);
    bar_draw(surface, bar);
    if (ratio > TIMES_FULL)
        surface_put(surface, bar->rect.top, end - 1, explorer->ascii ? '>' : 0x25b8, bar->colour, COLOUR_TEXT,
                    0);
    if (ratio < 999.5)
        snprintf(out, sizeof out, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
    else
        format_short(out, sizeof out, ratio);
    surface_text_right(surface, bar->rect.top, end, RATIO_WIDE, COLOUR_TEXT, 0, "%s", out);
}

void format_bars_line(const struct explorer *explorer, int k, const struct format_scale *scale,
                      struct surface *surface, int y, int x, int wide, bool chosen)
{
    const struct conversion *conversion = format_bars_conversion(explorer->session, k);
    bool sized = is_sized(conversion), refused = is_refused(conversion);
    char out[32], name[CHOICE_NAME];
    double bytes = sized ? (double)conversion->size.bytes : 0;
    bool best = sized && bytes <= scale->least && !refused;
    struct bar bar = {.kind = BAR_LINE,
                      .rect = {y, x, 1, wide - RATIO_WIDE - BYTES_WIDE - FACTOR_WIDE - 2},
                      .colour = best ? COLOUR_GOOD : COLOUR_ROWS,
                      .ascii = explorer->ascii,
                      .label = name_of(conversion, k, explorer->ascii, name),
                      .label_wide = NAME_WIDE + 1,
                      .label_colour = COLOUR_TEXT,
                      .label_attributes = chosen ? ATTRIBUTE_BOLD : 0};
    if (sized && !refused && scale->csr > 0)
        draw_ratio(explorer, scale, bytes, &bar, surface);
    else
        bar_draw(surface, &bar);
    if (best)
        surface_put(surface, y, x + NAME_WIDE, explorer->ascii ? '<' : 0x25c2, COLOUR_GOOD, COLOUR_TEXT, 0);
    if (explorer->beside) draw_other(explorer, k, bytes, surface, y, x + wide - FACTOR_WIDE);
    if (refused)
        surface_text(surface, y, x + bar.label_wide, bar.rect.wide + RATIO_WIDE - bar.label_wide, COLOUR_WARN,
                     0, "%s", refusal_text(conversion));
    if (!sized) {
        bool waits = !refused && case_has_entries(explorer->session->shown);
        surface_text_right(surface, y, x, wide - FACTOR_WIDE - 1, COLOUR_DIM, 0, waits ? "..." : "-");
        return;
    }
    surface_text_right(surface, y, x, wide - FACTOR_WIDE - 1, refused ? COLOUR_WARN : COLOUR_ACCENT, 0, "%s",
                       format_bytes(out, sizeof out, bytes));
    if (!explorer->beside)
        surface_text_right(surface, y, x, wide, COLOUR_TEXT, 0, "%s",
                           format_brief(out, sizeof out, conversion->size.padding_ratio));
}

void format_bars_words(const struct session *session, int k, char *out, size_t size)
{
    const struct format *format = format_bars_choice(k).format;
    const struct conversion *conversion = format_bars_conversion(session, k);
    char slots[32], padding[32], integers[32];
    if (is_refused(conversion)) {
        snprintf(out, size, "%s: %s", format->title, conversion->refusal.message);
        return;
    }
    int used = snprintf(out, size, "%s, %s: %s", format->title, conversion ? conversion->name : format->name,
                        format->summary);
    if (!is_sized(conversion) || used < 0 || (size_t)used >= size) return;
    const struct format_size *sizes = &conversion->size;
    snprintf(out + used, size - (size_t)used, "; %s slots, %s of them padding, %s integers",
             format_count(slots, sizeof slots, sizes->slots),
             format_count(padding, sizeof padding, sizes->padding),
             format_count(integers, sizeof integers, sizes->integers));
}

bool format_bars_none(const struct session *session)
{
    for (int k = 0, count = format_bars_count(); k < count; k++)
        if (!is_refused(format_bars_conversion(session, k))) return false;
    return true;
}

/* The maximum number of bins: the columns of a wide panel. */
#define BINS_MAX 80

/* The maximum width of a bar with the gap after it. */
#define THICK_MAX 6

/* Write the exponents of the bins, as many as fit. */
static void label(const struct value_bin *bins, int count, int thick, struct surface *surface,
                  struct rect rect)
{
    int y = rect.top + rect.high - 1, free = 0;
    for (int k = 0; k < count; k++) {
        char out[16];
        int length = snprintf(out, sizeof out, "%d", bins[k].first), x = k * thick;
        if (x < free || x + length > rect.wide) continue;
        surface_text(surface, y, rect.left + x, length, COLOUR_DIM, 0, "%s", out);
        free = x + length + 1;
    }
}

void value_bars_draw(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    const struct matrix_case *shown = explorer->session->shown;
    struct value_bin bins[BINS_MAX];
    char text[32];
    int width, limit = rect.wide < BINS_MAX ? rect.wide : BINS_MAX;
    if (rect.high < 3 || rect.wide < 6) return;
    bool known = case_has(shown, SESSION_VALUES) && shown->matrix.field != FIELD_PATTERN;
    int count = known ? values_bins(&shown->values, bins, limit, &width) : 0;
    int64_t most = 0;
    for (int k = 0; k < count; k++)
        if (bins[k].count > most) most = bins[k].count;
    int used = surface_text(surface, rect.top, rect.left, rect.wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                            rect.wide < 24 ? "log10 |a|" : "Values by log10 |a|");
    if (count == 0) {
        surface_text(surface, rect.top + 1, rect.left, rect.wide, COLOUR_DIM, 0, "%s",
                     case_has(shown, SESSION_VALUES) ? "none"
                     : case_has_entries(shown)       ? "..."
                                                     : "-");
        return;
    }
    format_short(text, sizeof text, (double)most);
    int room = rect.wide - used - 1, wide = surface_columns(text);
    if (wide <= room)
        surface_text_right(surface, rect.top, rect.left + used + 1, room, COLOUR_DIM, 0, "%s%s",
                           wide + 7 <= room ? "log to " : "", text);
    int thick = rect.wide / count < THICK_MAX ? rect.wide / count : THICK_MAX;
    for (int k = 0; k < count; k++) {
        const struct bar bar = {
            .kind = BAR_UPRIGHT,
            .rect = {rect.top + 1, rect.left + k * thick, rect.high - 2, thick > 2 ? thick - 1 : thick},
            .length = log1p((double)bins[k].count) / log1p((double)most),
            .colour = COLOUR_ACCENT,
            .ascii = explorer->ascii};
        bar_draw(surface, &bar);
    }
    label(bins, count, thick, surface, rect);
}
