#include "drawing/picture.h"

#include <string.h>
#include <strings.h>

#include "config.h"
#include "drawing/svg.h"

enum status picture_svg(const struct picture *picture, struct text *out, struct error *error)
{
    struct canvas canvas = svg_begin(picture->wide, picture->high, picture->light, picture->title, out);
    enum status status = picture->draw(picture->subject, &canvas, error);
    enum status ended = svg_end(&canvas, error);
    return status != STATUS_OK ? status : ended;
}

#ifndef HAVE_CAIRO
#    define picture_png NULL
#    define picture_pdf NULL
#endif

const struct picture_form picture_forms[] = {
    {"png", "pixels", picture_png},
    {"svg", "a drawing for pages and for editing, with its texts as texts", picture_svg},
    {"pdf", "a drawing for print, with its texts as texts", picture_pdf},
    {.name = NULL},
};

/* Return the ending of a path behind its last point, "" if it has none. */
static const char *ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *point = strrchr(base, '.');
    return point && point > base ? point + 1 : "";
}

const struct picture_form *picture_form_find(const char *name, const char *path, struct error *error)
{
    const char *wanted = name ? name : ending(path);
    for (const struct picture_form *form = picture_forms; form->name; form++) {
        if (strcasecmp(wanted, form->name) != 0) continue;
        if (form->write) return form;
        error_set(error, STATUS_UNAVAILABLE,
                  "this build writes no %s pictures: it was configured without cairo (on Debian: apt-get "
                  "install libcairo2-dev, then configure and make again); svg it can write",
                  form->name);
        return NULL;
    }
    if (name)
        error_set(error, STATUS_USAGE, "no form of pictures is called '%.40s'; there are png, svg and pdf",
                  name);
    else
        error_at(error, STATUS_USAGE, path, 0, 0,
                 "the ending does not say what picture it is to be: .png, .svg or .pdf");
    return NULL;
}
