/* The picture of the screen is written to a file that the user names. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "drawing/picture.h"
#include "drawing/screen.h"
#include "report/figures/figure.h"
#include "ui/loop/loop.h"

#define STEM_WIDE 60
#define NUMBERS_MAX 1000

/* Write a name that no file of the current directory has, of the matrix and the screen. */
static void propose(const struct ui *ui, char out[PROMPT_SIZE])
{
    const char *name = ui->session.shown->matrix.name;
    struct error error = {0};
    const char *ending = picture_form_find("png", "", &error) ? "png" : "svg";
    char stem[STEM_WIDE + 1];
    snprintf(stem, sizeof stem, "%.40s-%.16s", name && name[0] ? name : "matrix", ui_active(ui)->title);
    for (char *c = stem; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '-';
    }
    if (stem[0] == '-' || stem[0] == '.') stem[0] = '_';
    snprintf(out, PROMPT_SIZE, "%s.%s", stem, ending);
    for (int k = 2; k < NUMBERS_MAX && access(out, F_OK) == 0; k++)
        snprintf(out, PROMPT_SIZE, "%s-%d.%s", stem, k, ending);
}

static void ask(struct ui *ui, const char *label, const char *text)
{
    ui->prompt = PROMPT_PICTURE;
    prompt_open_with(&ui->prompts[PROMPT_PICTURE], label, text);
    ui->prompts[PROMPT_PICTURE].empty = false;
}

void ui_ask_picture(struct ui *ui)
{
    char name[PROMPT_SIZE], key[KEY_TEXT];
    if (work_alone(&ui->work)) {
        explorer_say(&ui->explorer, "a picture would disturb what is timed: %s cancels that",
                     everywhere_key(DEMAND_CANCEL, key));
    } else if (!ui_usable(ui)) {
        explorer_say(&ui->explorer, "there is nothing to draw yet");
    } else {
        ui->picturing = (struct saving){0};
        propose(ui, name);
        ask(ui, "Write this picture (.png, .svg, .pdf) to", name);
    }
}

/* The screen without its last line, in which the name was typed. */
static struct surface shown(const struct ui *ui)
{
    struct surface surface = ui->surface;
    if (surface.high > 0) surface.high--;
    return surface;
}

static enum status draw_screen(const void *argument, struct canvas *canvas, struct error *error)
{
    const struct ui *ui = argument;
    const struct surface surface = shown(ui);
    (void)error;
    screen_draw(&surface, ui->term.cell, canvas);
    return STATUS_OK;
}

/* Append the picture of the screen's figure, or if it has none, or nothing to draw of it, of its characters
 * as they are in the terminal. */
static enum status make(struct ui *ui, const struct picture_form *form, struct text *bytes,
                        struct error *error)
{
    const struct explorer *explorer = &ui->explorer;
    const struct view *view = ui_active(ui);
    struct figure_subject subject = {.session = &ui->session,
                                     .of = ui->session.shown,
                                     .row = explorer->cursor.row,
                                     .col = explorer->cursor.col};
    const struct figure *figure = view->figure ? view->figure(&ui->explorer, ui_state(ui), &subject) : NULL;
    int wide, high;
    if (figure && (!figure->check || figure->check(&subject, NULL) == STATUS_OK)) {
        figure_size(figure, &wide, &high);
        return figure_write(figure, &subject, form, wide, high, ui->term.light, bytes, error);
    }
    const struct surface surface = shown(ui);
    screen_size(&surface, &wide, &high);
    const struct picture picture = {wide, high, ui->term.light, view->title, draw_screen, ui};
    return form->write(&picture, bytes, error);
}

static enum status write_file(const struct text *bytes, const char *path, struct error *error)
{
    struct output output;
    enum status status = output_open(&output, path, error);
    if (status == STATUS_OK) status = output_write(&output, bytes->data, bytes->length, error);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

void ui_accept_picture(struct ui *ui)
{
    struct saving *picturing = &ui->picturing;
    struct explorer *explorer = &ui->explorer;
    struct error error = {0};
    struct text bytes = {0};
    char path[PROMPT_SIZE], text[sizeof explorer->message];
    const char *label;
    snprintf(path, sizeof path, "%s", ui->prompts[PROMPT_PICTURE].text);
    const struct picture_form *form = picture_form_find(NULL, path, &error);
    if (form && !save_accept(picturing, path, &label)) {
        ask(ui, label, path);
        return;
    }
    enum status status = form ? make(ui, form, &bytes, &error) : error.status;
    if (status == STATUS_OK) status = write_file(&bytes, picturing->path, &error);
    text_free(&bytes);
    explorer_say(explorer, "%s%s", status == STATUS_OK ? "the picture is in " : "",
                 status == STATUS_OK ? picturing->path : error_text(&error, text, sizeof text));
}
