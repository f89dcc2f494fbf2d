/* Writing the picture of the screen to a file that the user names. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "drawing/picture.h"
#include "drawing/screen.h"
#include "report/figures/figure.h"
#include "ui/loop/loop.h"

#define STEM_SIZE 61

/* Propose a name from the matrix and the screen that is new in the current directory. */
static void propose(const struct ui *ui, char out[PROMPT_SIZE])
{
    const char *name = ui->session.shown->matrix.name;
    const struct picture_form *form = picture_forms; /* the first one that can be made here */
    while (!picture_form_there(form))
        form++;
    char stem[STEM_SIZE];
    snprintf(stem, sizeof stem, "%.40s-%.16s", name && name[0] ? name : "matrix", ui_active(ui)->title);
    for (char *c = stem; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    save_name(stem, form->name, out);
}

void ui_ask_picture(struct ui *ui)
{
    char name[PROMPT_SIZE], key[KEY_TEXT];
    if (work_guarded(&ui->work)) {
        ui_say_timing(ui, "a picture");
    } else if (ui->picturing.running) {
        explorer_say(&ui->explorer, "a picture is being drawn: %s cancels that",
                     everywhere_key(DEMAND_CANCEL, key));
    } else if (!ui_usable(ui) && !ui_is_coming(ui)) {
        explorer_say(&ui->explorer, "there is nothing to draw yet");
    } else {
        ui->picturing.saving = (struct saving){0};
        propose(ui, name);
        struct text endings = {0};
        picture_endings(", ", ", ", &endings);
        snprintf(ui->picturing.label, sizeof ui->picturing.label, "Write this picture (%s) to",
                 endings.data ? endings.data : "...");
        text_free(&endings);
        ui_propose(ui, PROMPT_PICTURE, ui->picturing.label, name);
    }
}

/* The screen without its last line, which held the prompt. */
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
    screen_draw(&surface, ui->term.cell, canvas);
    return STATUS_OK;
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

static enum status write_figure(const struct picturing *picturing, struct error *error)
{
    int wide, high;
    struct text bytes = {0};
    figure_size(picturing->figure, &wide, &high);
    enum status status = figure_write(picturing->figure, &picturing->subject, picturing->form, wide, high,
                                      picturing->light, &bytes, error);
    if (status == STATUS_OK) status = write_file(&bytes, picturing->path, error);
    text_free(&bytes);
    return status;
}

/* Write the characters of the screen as the terminal shows them. */
static enum status write_screen(const struct ui *ui, struct error *error)
{
    const struct surface surface = shown(ui);
    int wide, high;
    struct text bytes = {0};
    screen_size(&surface, &wide, &high);
    const struct picture picture = {wide, high, ui->term.light, ui_active(ui)->title, draw_screen, ui};
    enum status status = ui->picturing.form->write(&picture, &bytes, error);
    if (status == STATUS_OK) status = write_file(&bytes, ui->picturing.path, error);
    text_free(&bytes);
    return status;
}

static void say_end(struct ui *ui, enum status status, const struct error *error)
{
    char text[sizeof ui->explorer.message];
    if (status == STATUS_CANCELLED)
        explorer_say(&ui->explorer, "cancelled: no picture was written");
    else
        explorer_say(&ui->explorer, "%s%s", status == STATUS_OK ? "the picture is in " : "",
                     status == STATUS_OK ? ui->picturing.path : error_text(error, text, sizeof text));
}

static enum status draw_figure(void *argument, struct progress *progress, struct error *error)
{
    struct picturing *picturing = argument;
    picturing->subject.progress = progress;
    progress_phase(progress, "drawing the picture", 0);
    enum status status = write_figure(picturing, error);
    picturing->subject.progress = NULL;
    return status;
}

/* Copy the owners for the job, because the screens may release theirs meanwhile. */
static enum status copy_owners(struct picturing *picturing, struct error *error)
{
    const struct partition *theirs = picturing->subject.partition;
    if (!theirs) return STATUS_OK;
    const struct csr *a = &picturing->subject.of->matrix.csr;
    enum status status = partition_copy(theirs, a->cols, csr_nnz(a), &picturing->partition, error);
    if (status != STATUS_OK) return status;
    snprintf(picturing->partition_name, sizeof picturing->partition_name, "%s",
             picturing->subject.partition_name);
    picturing->subject.partition = &picturing->partition;
    picturing->subject.partition_name = picturing->partition_name;
    return STATUS_OK;
}

/* Begin to draw a figure that reads all entries, which takes long. */
static enum status begin(struct picturing *picturing, struct error *error)
{
    enum status status = copy_owners(picturing, error);
    if (status == STATUS_OK) status = job_start(&picturing->job, draw_figure, picturing, error);
    picturing->running = status == STATUS_OK;
    if (status != STATUS_OK) partition_free(&picturing->partition);
    return status;
}

void ui_end_picture(struct ui *ui)
{
    struct picturing *picturing = &ui->picturing;
    enum status status = job_join(&picturing->job);
    picturing->running = false;
    partition_free(&picturing->partition);
    say_end(ui, status, &picturing->job.error);
    ui->dirty = true;
}

void ui_close_picture(struct ui *ui)
{
    if (!ui->picturing.running) return;
    if (ui->gone) progress_cancel(&ui->picturing.job.progress);
    ui_end_picture(ui);
}

/* Write the picture of the screen's figure. A screen without a figure, or with nothing to draw in it, is
 * written as characters. Figures that take milliseconds are written at once, others by a job. */
static void make(struct ui *ui)
{
    struct picturing *picturing = &ui->picturing;
    const struct explorer *explorer = &ui->explorer;
    const struct view *view = ui_active(ui);
    struct error error = {0};
    enum status status;
    picturing->light = ui->term.light;
    picturing->subject = (struct figure_subject){.session = &ui->session,
                                                 .of = ui->session.shown,
                                                 .row = explorer->cursor.row,
                                                 .col = explorer->cursor.col};
    const struct figure *figure =
        view->figure ? view->figure(&ui->explorer, ui_state(ui), &picturing->subject) : NULL;
    picturing->figure = figure;
    if (!figure || (figure->check && figure->check(&picturing->subject, NULL) != STATUS_OK)) {
        status = write_screen(ui, &error);
    } else if (figure->long_draw) {
        status = begin(picturing, &error);
        if (status == STATUS_OK) return;
    } else {
        status = write_figure(picturing, &error);
    }
    say_end(ui, status, &error);
}

void ui_accept_picture(struct ui *ui)
{
    struct picturing *picturing = &ui->picturing;
    struct error error = {0};
    char path[PROMPT_SIZE];
    const char *label;
    snprintf(path, sizeof path, "%s", ui->prompts[PROMPT_PICTURE].text);
    picturing->form = picture_form_find(NULL, path, &error);
    if (!picturing->form) {
        say_end(ui, error.status, &error);
    } else if (!save_accept(&picturing->saving, path, &label)) {
        ui_propose(ui, PROMPT_PICTURE, label, path);
    } else if (!ui_usable(ui)) {
        explorer_say(&ui->explorer, "no picture was written: the screen is not computed");
    } else if (!work_make_way(&ui->work)) {
        ui_say_timing(ui, "a picture");
    } else {
        snprintf(picturing->path, sizeof picturing->path, "%s", picturing->saving.path);
        make(ui);
    }
}
