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
#    define picture_cairo() false
#endif

const struct picture_form picture_forms[] = {
    {"png", "pixels", picture_png},
    {"svg", "a drawing for pages and for editing, with its texts as texts", picture_svg},
    {"pdf", "a drawing for print, with its texts as texts", picture_pdf},
    {.name = NULL},
};

bool picture_form_there(const struct picture_form *form)
{
    return form->write && (form->write == picture_svg || picture_cairo());
}

void picture_endings(const char *between, const char *last, struct text *text)
{
    int count = 0, told = 0;
    for (const struct picture_form *form = picture_forms; form->name; form++)
        count += picture_form_there(form);
    for (const struct picture_form *form = picture_forms; form->name; form++) {
        if (!picture_form_there(form)) continue;
        text_append(text, "%s.%s", told == 0 ? "" : told == count - 1 ? last : between, form->name);
        told++;
    }
}

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
    struct text endings = {0};
    picture_endings(", ", " or ", &endings);
    if (name)
        error_set(error, STATUS_USAGE, "no form of pictures is called '%.40s'; there are png, svg and pdf",
                  name);
    else
        error_at(error, STATUS_USAGE, path, 0, 0, "the ending does not say what picture it is to be: %s",
                 endings.data ? endings.data : ".svg");
    text_free(&endings);
    return NULL;
}
