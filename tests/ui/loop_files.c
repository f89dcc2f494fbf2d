/* ui/loop/saving, ui/loop/picture: files for runs and for the screen's picture, from the question to the
 * file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "drawing/picture.h"
#include "report/report.h"
#include "support/files.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/loop/loop.h"

static struct ui ui;
static int there; /* stands for the state of the screen */

/* The first screen, Summary, with all that reports need. */
static int begin(void **state)
{
    static const double values[] = {1, 0, 2, 0, 3, 0, 4, 0, 5};
    struct matrix matrix = {0};
    if (files_begin(state) != 0) return -1;
    memset(&ui, 0, sizeof ui);
    ui.session.shown = session_add_case(&ui.session, "natural", &matrix, NULL);
    ui.session.shown->matrix.csr = support_dense(3, 3, values);
    ui.session.shown->matrix.field = FIELD_REAL;
    ui.session.shown->matrix.name = strdup("Three Rows");
    if (session_need(&ui.session, NULL, REPORT_NEEDS, NULL, NULL) != STATUS_OK) return -1;
    ui.explorer = (struct explorer){.session = &ui.session};
    ui.explorer.states = calloc((size_t)view_count(), sizeof *ui.explorer.states);
    ui.explorer.states[0] = &there;
    ui.work.session = &ui.session;
    return surface_resize(&ui.surface, 10, 40, NULL) == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
    session_free(&ui.session);
    surface_free(&ui.surface);
    free(ui.explorer.states);
    return files_end(state);
}

static void add_run(const char *label)
{
    struct results results = {0};
    struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, "cpu/csr-seq", NULL), STATUS_OK);
    assert_int_equal(results_want(&results, &list.choices[0], NULL), STATUS_OK);
    struct result *result = &results.items[0];
    *result = result_unrun(&result->choice, false, (struct product){0});
    result->samples =
        (struct samples){.count = 3, .median = 1, .low = 1, .high = 1, .min = 1, .mean = 1, .time = 1};
    kernel_list_free(&list);
    assert_non_null(runs_add(&ui.session.shown->runs, label, &results, NULL));
}

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_size > 0;
}

static void enter(enum prompt_kind kind, const char *path)
{
    snprintf(ui.prompts[kind].text, PROMPT_SIZE, "%s", path);
    ui.prompt = PROMPT_NONE;
    ui.explorer.message[0] = 0;
    if (kind == PROMPT_SAVE)
        ui_accept_file(&ui);
    else
        ui_accept_picture(&ui);
}

TEST_BETWEEN(begin, end, runs_are_saved_in_the_named_file)
{
    ui_ask_file(&ui, false);
    assert_string_equal(ui.explorer.message, "nothing to save: nothing was run yet");
    assert_int_equal(ui.prompt, PROMPT_NONE);
    add_run("one");
    assert_int_equal(ui_runs(&ui, true), 1);
    ui_ask_file(&ui, false);
    assert_int_equal(ui.prompt, PROMPT_SAVE);
    assert_string_equal(ui.prompts[PROMPT_SAVE].label, "Save runs in");
    assert_string_equal(ui.prompts[PROMPT_SAVE].text, "Three-Rows-runs.json");
    enter(PROMPT_SAVE, "a.json");
    assert_string_equal(ui.explorer.message, "1 run is saved in a.json, which --results=FILE opens");
    assert_true(exists("a.json") && ui.dirty && !ui.quit && !ui.saving.wanted);
    assert_int_equal(ui_runs(&ui, true), 0);
    assert_int_equal(ui_runs(&ui, false), 1);
    /* The same name asks once more; leaving waits for the file. */
    add_run("two");
    ui_ask_file(&ui, true);
    enter(PROMPT_SAVE, "a.json");
    assert_int_equal(ui.prompt, PROMPT_SAVE);
    assert_says(ui.prompts[PROMPT_SAVE].label, "exists already");
    assert_false(ui.quit);
    enter(PROMPT_SAVE, "a.json");
    assert_string_equal(ui.explorer.message, "2 runs are saved in a.json, which --results=FILE opens");
    assert_true(ui.quit);
}

/* Saving waits until all numbers of the report are computed, except for parts that were declined. If a file
 * cannot be written, that is an error, and the explorer stays. */
TEST_BETWEEN(begin, end, saving_waits_for_the_report)
{
    add_run("one");
    atomic_fetch_and(&ui.session.shown->ready, ~(unsigned)SESSION_STRUCTURE);
    ui_ask_file(&ui, true);
    enter(PROMPT_SAVE, "a.json");
    assert_string_equal(ui.explorer.message, "saving in a.json once the numbers of the report are computed");
    assert_true(ui.saving.wanted && !exists("a.json") && !ui.quit);
    atomic_fetch_or(&ui.session.shown->ready, SESSION_STRUCTURE);
    ui_save(&ui);
    assert_true(!ui.saving.wanted && exists("a.json") && ui.quit);
    ui.quit = false;
    ui_ask_file(&ui, true);
    enter(PROMPT_SAVE, "no/such/folder.json");
    assert_says(ui.explorer.message, "no/such/folder.json");
    assert_true(!ui.quit && !ui.saving.then_quit && !ui.saving.wanted);
}

TEST_BETWEEN(begin, end, pictures_go_into_the_named_file)
{
    const char *form = picture_form_there(&picture_forms[0]) ? "png" : "svg";
    char name[64];
    ui.explorer.view = 2; /* Rows */
    atomic_fetch_and(&ui.session.shown->ready, ~(unsigned)SESSION_ROW_LENGTHS);
    ui.work.declined[0] = SESSION_ROW_LENGTHS; /* the screen's parts could not be computed */
    ui_ask_picture(&ui);
    assert_string_equal(ui.explorer.message, "there is nothing to draw yet");
    assert_int_equal(ui.prompt, PROMPT_NONE);
    ui.work.declined[0] = 0; /* they are being computed */
    ui_ask_picture(&ui);
    assert_int_equal(ui.prompt, PROMPT_PICTURE);
    atomic_fetch_or(&ui.session.shown->ready, SESSION_ROW_LENGTHS);
    ui.prompt = PROMPT_NONE;
    ui.explorer.view = 0;
    ui.explorer.states[0] = NULL; /* the screen was not drawn yet */
    ui_ask_picture(&ui);
    assert_int_equal(ui.prompt, PROMPT_PICTURE);
    ui.explorer.states[0] = &there;
    ui.explorer.message[0] = 0;
    snprintf(name, sizeof name, "three-rows-summary.%s", form);
    assert_string_equal(ui.prompts[PROMPT_PICTURE].text, name);
    assert_string_equal(ui.prompts[PROMPT_PICTURE].label, form[0] == 'p'
                                                              ? "Write this picture (.png, .svg, .pdf) to"
                                                              : "Write this picture (.svg) to");
    enter(PROMPT_PICTURE, "a.doc");
    assert_says(ui.explorer.message, "a.doc", "the ending does not say what picture it is to be");
    assert_false(exists("a.doc"));
    surface_text(&ui.surface, 2, 3, 20, COLOUR_TEXT, 0, "what is shown");
    surface_text(&ui.surface, 9, 3, 20, COLOUR_TEXT, 0, "the prompt");
    enter(PROMPT_PICTURE, "a.svg");
    assert_string_equal(ui.explorer.message, "the picture is in a.svg");
    char text[16384] = "";
    FILE *file = fopen("a.svg", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "what is shown"));
    assert_null(strstr(text, "the prompt"));
    enter(PROMPT_PICTURE, "a.svg"); /* it exists now */
    assert_int_equal(ui.prompt, PROMPT_PICTURE);
    assert_says(ui.prompts[PROMPT_PICTURE].label, "exists already");
    ui.picturing.running = true;
    ui_ask_picture(&ui);
    assert_string_equal(ui.explorer.message, "a picture is being drawn: x cancels that");
    ui.picturing.running = false;
}
