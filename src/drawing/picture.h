/* Pictures as files: a drawing on a canvas in one of several forms. */
#ifndef SPARSIGHT_DRAWING_PICTURE_H
#define SPARSIGHT_DRAWING_PICTURE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "drawing/canvas.h"

/* The sizes that a picture may have, each way, and the default. */
#define PICTURE_MIN 160
#define PICTURE_MAX 16384
#define PICTURE_WIDE 800
#define PICTURE_HIGH 600

/* Draw on a canvas of any kind. May be called more than once. */
typedef enum status picture_draw(const void *subject, struct canvas *canvas, struct error *error);

struct picture {
    int wide, high; /* pixels, of PDF points */
    bool light;     /* the background; else dark */
    const char *title;
    picture_draw *draw;
    const void *subject; /* argument of `draw` */
};

struct picture_form {
    const char *name; /* the name for users, and the ending of files: "svg" */
    const char *summary;
    /* Append the picture to `out`. Fails as `draw` does, and with STATUS_MEMORY. NULL if this build cannot.
     */
    enum status (*write)(const struct picture *picture, struct text *out, struct error *error);
};

/* The forms; the last one has no name. */
extern const struct picture_form picture_forms[];

/* Find the form of this name, or if that is NULL, of the ending of this path. NULL with STATUS_USAGE and a
 * list of the forms, or with STATUS_UNAVAILABLE and the missing package. */
const struct picture_form *picture_form_find(const char *name, const char *path, struct error *error);

/* True if pictures of this form can be made here: by this build, with the libraries of this machine. */
bool picture_form_there(const struct picture_form *form);

/* Append the endings of the files of these forms: ".png, .svg or .pdf". */
void picture_endings(const char *between, const char *last, struct text *text);

/* Append a picture as SVG, which every build supports. */
enum status picture_svg(const struct picture *picture, struct text *out, struct error *error);

/* Pictures that the library cairo makes: PNG, and PDF with its texts as texts. Only builds with cairo have
 * these. */
bool picture_cairo(void); /* the library is there */
enum status picture_png(const struct picture *picture, struct text *out, struct error *error);
enum status picture_pdf(const struct picture *picture, struct text *out, struct error *error);

#endif
