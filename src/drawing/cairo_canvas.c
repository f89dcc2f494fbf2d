#include "drawing/picture.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>

#include "base/libraries.h"
#include "config.h"

/* cairo, loaded when the first picture is drawn. */
static struct {
#define SYMBOL(name) __typeof__(name) *name;
#include "drawing/cairo.def"
#undef SYMBOL
} library;

#define SYMBOL(name) {#name, &library.name},
static const struct library_symbol wanted[] = {
#include "drawing/cairo.def"
    {0},
};
#undef SYMBOL

static const char *const files[] = {CAIRO_FILE, NULL};
static const char *const folders[] = {CAIRO_FOLDER, NULL};
static const struct library_place place = {
    .title = "cairo",
    .variable = "SPARSIGHT_CAIRO",
    .files = files,
    .folders = folders,
    .install = "to install it: apt-get install libcairo2",
};

static enum status load(struct error *error)
{
    static struct library_once once = LIBRARY_ONCE;
    return library_need(&once, &place, wanted, error);
}

bool picture_cairo(void)
{
    return load(NULL) == STATUS_OK;
}

static cairo_t *cairo_of(struct canvas *canvas)
{
    return canvas->own;
}

static void set_rgb(cairo_t *cairo, int rgb)
{
    library.cairo_set_source_rgb(cairo, (rgb >> 16 & 255) / 255., (rgb >> 8 & 255) / 255.,
                                 (rgb & 255) / 255.);
}

static void set_colour(struct canvas *canvas, enum colour colour)
{
    set_rgb(cairo_of(canvas), canvas_rgb(canvas->light, colour));
}

static void draw_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                           enum colour colour)
{
    set_colour(canvas, colour);
    library.cairo_rectangle(cairo_of(canvas), x, y, wide, high);
    library.cairo_fill(cairo_of(canvas));
}

static void draw_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                      double thick, bool dashed)
{
    static const double dashes[] = {6, 4};
    cairo_t *cairo = cairo_of(canvas);
    set_colour(canvas, colour);
    library.cairo_set_line_width(cairo, thick);
    library.cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    library.cairo_set_dash(cairo, dashes, dashed ? 2 : 0, 0);
    library.cairo_new_path(cairo); /* an earlier text leaves a current point */
    for (int k = 0; k < count; k++)
        library.cairo_line_to(cairo, points[k].x, points[k].y);
    library.cairo_stroke(cairo);
}

/* The middle of digits and capitals is 0.36 em above the base line. */
static void draw_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor,
                      enum colour colour, unsigned writing, const char *words)
{
    static const double shares[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    cairo_t *cairo = cairo_of(canvas);
    cairo_text_extents_t extents;
    set_rgb(cairo, canvas_ink(canvas, colour));
    library.cairo_select_font_face(
        cairo, writing & WRITING_EVEN ? "DejaVu Sans Mono" : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
        writing & WRITING_BOLD ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    library.cairo_set_font_size(cairo, CANVAS_FONT);
    library.cairo_text_extents(cairo, words, &extents);
    library.cairo_save(cairo);
    library.cairo_translate(cairo, x, y);
    if (writing & WRITING_UPWARDS) library.cairo_rotate(cairo, -acos(0));
    library.cairo_move_to(cairo, -shares[anchor] * extents.x_advance, 0.36 * CANVAS_FONT);
    library.cairo_show_text(cairo, words);
    library.cairo_restore(cairo);
}

/* The pixels in cairo's format: 32 bits each, alpha above red, green and blue. */
static void draw_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                       double high)
{
    cairo_t *cairo = cairo_of(canvas);
    cairo_surface_t *image =
        library.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixmap->wide, pixmap->high);
    unsigned char *bytes = library.cairo_image_surface_get_data(image);
    uint32_t known[COLOUR_COUNT];
    for (int c = 0; c < COLOUR_COUNT; c++)
        known[c] = c == COLOUR_TEXT ? 0 : 0xff000000u | (uint32_t)canvas_rgb(canvas->light, (enum colour)c);
    for (int r = 0; bytes && r < pixmap->high; r++) {
        uint32_t *row =
            (uint32_t *)(void *)(bytes + (size_t)r * (size_t)library.cairo_image_surface_get_stride(image));
        const uint8_t *pixels = pixmap_row(pixmap, r);
        for (int c = 0; c < pixmap->wide; c++)
            row[c] = known[pixels[c]];
    }
    library.cairo_surface_mark_dirty(image);
    library.cairo_save(cairo);
    library.cairo_translate(cairo, x, y);
    library.cairo_scale(cairo, wide, high);
    library.cairo_set_source_surface(cairo, image, 0, 0);
    library.cairo_pattern_set_filter(library.cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    library.cairo_paint(cairo);
    library.cairo_restore(cairo);
    /* Without memory the image is one in an error state, which the drawing takes over. */
    library.cairo_surface_destroy(image);
}

static const struct canvas_kind cairo_kind = {
    .rectangle = draw_rectangle, .line = draw_line, .text = draw_text, .image = draw_image};

static cairo_status_t append(void *out, const unsigned char *bytes, unsigned length)
{
    struct text *text = out;
    text_append_bytes(text, (const char *)bytes, length);
    return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* Draw the picture on this surface, which is freed. `bytes` receives PNG; NULL for surfaces that write their
 * own output. */
static enum status draw(const struct picture *picture, cairo_surface_t *surface, struct text *bytes,
                        struct error *error)
{
    cairo_t *cairo = library.cairo_create(surface);
    struct canvas canvas = {.kind = &cairo_kind,
                            .wide = picture->wide,
                            .high = picture->high,
                            .column = CANVAS_COLUMN,
                            .line = CANVAS_LINE,
                            .tall = 1,
                            .turns = true,
                            .light = picture->light,
                            .own = cairo};
    set_rgb(cairo, canvas_background(picture->light));
    library.cairo_paint(cairo);
    enum status status = picture->draw(picture->subject, &canvas, error);
    cairo_status_t outcome = library.cairo_status(cairo);
    if (outcome == CAIRO_STATUS_SUCCESS && status == STATUS_OK && bytes)
        outcome = library.cairo_surface_write_to_png_stream(surface, append, bytes);
    library.cairo_destroy(cairo);
    library.cairo_surface_finish(surface);
    if (outcome == CAIRO_STATUS_SUCCESS) outcome = library.cairo_surface_status(surface);
    library.cairo_surface_destroy(surface);
    if (status != STATUS_OK || outcome == CAIRO_STATUS_SUCCESS) return status;
    return error_set(error, STATUS_MEMORY, "cairo could not make the picture: %s",
                     library.cairo_status_to_string(outcome));
}

enum status picture_png(const struct picture *picture, struct text *out, struct error *error)
{
    enum status status = load(error);
    if (status != STATUS_OK) return status;
    return draw(picture, library.cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture->wide, picture->high),
                out, error);
}

enum status picture_pdf(const struct picture *picture, struct text *out, struct error *error)
{
    enum status status = load(error);
    if (status != STATUS_OK) return status;
    cairo_surface_t *surface =
        library.cairo_pdf_surface_create_for_stream(append, out, picture->wide, picture->high);
    library.cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, picture->title);
    return draw(picture, surface, NULL, error);
}
