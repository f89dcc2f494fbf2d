#include "drawing/svg.h"

#include <math.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/words.h"
#include "drawing/png.h"

static struct text *out_of(struct canvas *canvas)
{
    return canvas->own;
}

/* Append a number with a precision of a hundredth of a pixel, in every locale with a point. */
static void append_number(struct text *out, double value)
{
    long hundredths = lround(value * 100);
    const char *sign = hundredths < 0 ? "-" : "";
    hundredths = labs(hundredths);
    text_append(out, hundredths % 100 ? "%s%ld.%02ld" : "%s%ld", sign, hundredths / 100, hundredths % 100);
}

static void append_attribute(struct text *out, const char *name, double value)
{
    text_append(out, " %s=\"", name);
    append_number(out, value);
    text_append(out, "\"");
}

static void svg_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                          enum colour colour)
{
    struct text *out = out_of(canvas);
    text_append(out, "<rect");
    append_attribute(out, "x", x);
    append_attribute(out, "y", y);
    append_attribute(out, "width", wide);
    append_attribute(out, "height", high);
    text_append(out, " fill=\"#%06x\"/>\n", (unsigned)canvas_rgb(canvas->light, colour));
}

static void svg_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                     double thick, bool dashed)
{
    struct text *out = out_of(canvas);
    text_append(out, "<polyline points=\"");
    for (int k = 0; k < count; k++) {
        if (k) text_append(out, " ");
        append_number(out, points[k].x);
        text_append(out, ",");
        append_number(out, points[k].y);
    }
    text_append(out, "\" fill=\"none\" stroke=\"#%06x\"", (unsigned)canvas_rgb(canvas->light, colour));
    append_attribute(out, "stroke-width", thick);
    text_append(out, "%s/>\n", dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void svg_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, enum colour colour,
                     unsigned writing, const char *words)
{
    static const char *const anchors[] = {
        [ANCHOR_START] = "start", [ANCHOR_MIDDLE] = "middle", [ANCHOR_END] = "end"};
    struct text *out = out_of(canvas);
    text_append(out, "<text");
    if (writing & WRITING_UPWARDS) {
        text_append(out, " transform=\"translate(");
        append_number(out, x);
        text_append(out, ",");
        append_number(out, y);
        text_append(out, ") rotate(-90)\" x=\"0\" y=\"0\"");
    } else {
        append_attribute(out, "x", x);
        append_attribute(out, "y", y);
    }
    /* The middle of digits and capitals is 0.36 em above the base line. */
    text_append(out, " dy=\"0.36em\" text-anchor=\"%s\" fill=\"#%06x\"%s", anchors[anchor],
                (unsigned)canvas_ink(canvas, colour), writing & WRITING_BOLD ? " font-weight=\"bold\"" : "");
    if (writing & WRITING_EVEN) {
        /* The length that programs with another font should give the text. */
        append_attribute(out, "textLength", CANVAS_EVEN * surface_columns(words));
        text_append(out, " font-family=\"DejaVu Sans Mono, monospace\" xml:space=\"preserve\"");
    }
    text_append(out, ">");
    words_append(out, MEDIUM_XML, words);
    text_append(out, "</text>\n");
}

/* Append bytes as letters. */
static void append_letters(struct text *out, const struct text *bytes)
{
    char letters[4096];
    const size_t step = sizeof letters / 4 * 3;
    for (size_t k = 0; k < bytes->length; k += step) {
        size_t n = bytes->length - k < step ? bytes->length - k : step;
        text_append_bytes(out, letters, base64_encode((const unsigned char *)bytes->data + k, n, letters));
    }
}

static void svg_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                      double high)
{
    struct text *out = out_of(canvas), png = {0};
    struct pixmap_colours colours;
    for (int c = 0; c < COLOUR_COUNT; c++)
        colours.rgb[c] = canvas_rgb(canvas->light, (enum colour)c);
    png_write(pixmap, &colours, &png);
    text_append(out, "<image");
    append_attribute(out, "x", x);
    append_attribute(out, "y", y);
    append_attribute(out, "width", pixmap->wide * wide);
    append_attribute(out, "height", pixmap->high * high);
    /* Both attributes are written: browsers know the second, older programs only the first. */
    text_append(out, " preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
                     "style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,");
    append_letters(out, &png);
    text_append(out, "\"/>\n");
    if (png.failed) out->failed = true;
    text_free(&png);
}

static const struct canvas_kind svg_kind = {
    .rectangle = svg_rectangle, .line = svg_line, .text = svg_text, .image = svg_image};

struct canvas svg_begin(int wide, int high, bool light, const char *title, struct text *out)
{
    text_append(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                "font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"%d\">\n<title>",
                wide, high, wide, high, CANVAS_FONT);
    words_append(out, MEDIUM_XML, title);
    text_append(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", wide, high,
                (unsigned)canvas_background(light));
    return (struct canvas){.kind = &svg_kind,
                           .wide = wide,
                           .high = high,
                           .column = CANVAS_COLUMN,
                           .line = CANVAS_LINE,
                           .tall = 1,
                           .turns = true,
                           .light = light,
                           .own = out};
}

enum status svg_end(struct canvas *canvas, struct error *error)
{
    struct text *out = out_of(canvas);
    text_append(out, "</svg>\n");
    return out->failed ? error_set(error, STATUS_MEMORY, "out of memory for the picture") : STATUS_OK;
}
