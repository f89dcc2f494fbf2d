#include "command/survey_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "command/say.h"
#include "drawing/picture.h"

#define CHART_PATH 4096

static const struct picture_form *form_of(const struct options *options, struct error *error)
{
    return picture_form_find(options->form ? options->form : "svg", NULL, error);
}

/* Write one chart. *written is false if there is nothing to draw. */
static enum status write_chart(const struct options *options, const struct sheet_chart *chart,
                               const struct collection *collection, const struct sheets *sheets,
                               bool *written, struct error *error)
{
    const struct picture_form *form = form_of(options, error);
    struct output output = {0};
    struct text picture = {0};
    char path[CHART_PATH];
    *written = false;
    if (!form) return error->status;
    if (snprintf(path, sizeof path, "%s/%s.%s", options->plots, sheet_chart_name(chart), form->name) >=
        CHART_PATH)
        return error_set(error, STATUS_USAGE, "the name of the folder of --plots is too long");
    int wide = options->size[0] ? options->size[0] : PICTURE_WIDE;
    int high = options->size[1] ? options->size[1] : PICTURE_HIGH;
    bool light = options->background != BACKGROUND_DARK;
    enum status status =
        sheet_chart_write(chart, collection, sheets, form, wide, high, light, &picture, error);
    if (status == STATUS_UNAVAILABLE) {
        text_free(&picture);
        return STATUS_OK;
    }
    if (status == STATUS_OK) status = output_open(&output, path, error);
    if (status == STATUS_OK) status = output_write(&output, picture.data, picture.length, error);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    text_free(&picture);
    *written = status == STATUS_OK;
    return status;
}

enum status survey_charts(const struct options *options, const struct collection *collection,
                          const struct sheets *sheets, struct error *error)
{
    struct text names = {0};
    char folder[CHART_PATH];
    enum status status = STATUS_OK;
    if (mkdir(options->plots, 0777) != 0 && errno != EEXIST)
        return error_at(error, STATUS_IO, options->plots, 0, 0, "%s", strerror(errno));
    for (int k = 0; sheet_charts[k] && status == STATUS_OK; k++) {
        bool written;
        status = write_chart(options, sheet_charts[k], collection, sheets, &written, error);
        if (written) text_append(&names, "%s%s", names.length ? ", " : "", sheet_chart_name(sheet_charts[k]));
    }
    struct text words = {0};
    snprintf(folder, sizeof folder, "%s", options->plots);
    text_visible(folder);
    if (names.length)
        text_append(&words, "pictures in %s: %s\n", folder, names.data);
    else
        text_append(&words, "no pictures, since no kernel was timed; --kernels=LIST times kernels\n");
    if (status == STATUS_OK && words.data) say_words(words.data);
    text_free(&words);
    text_free(&names);
    return status;
}

enum status survey_charts_check(const struct options *options, struct error *error)
{
    bool sized = options->size[0] > 0;
    if (!options->plots) {
        if (options->form || sized)
            return error_set(error, STATUS_USAGE, "%s needs --plots=FOLDER, which writes the pictures",
                             options->form ? "--form" : "--size");
        return STATUS_OK;
    }
    if (!form_of(options, error)) return error->status;
    if (sized && (options->size[0] < PICTURE_MIN || options->size[1] < PICTURE_MIN))
        return error_set(error, STATUS_USAGE,
                         "--size=%dx%d: pictures in files have %d to %d pixels in each direction",
                         options->size[0], options->size[1], PICTURE_MIN, PICTURE_MAX);
    return STATUS_OK;
}

void survey_charts_help(struct text *text)
{
    text_append(text, "\nThe pictures of --plots:\n");
    for (int k = 0; sheet_charts[k]; k++)
        text_append(text, "  %-12s %s\n", sheet_chart_name(sheet_charts[k]),
                    sheet_chart_title(sheet_charts[k]));
}
