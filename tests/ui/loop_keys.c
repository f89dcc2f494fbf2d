/* ui/loop/keys: each key and each click has its effect, whatever is open over the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/loop/loop.h"

static struct ui ui;
static struct ui_options given;

/* A matrix of three rows on the first screen, with all parts, so that no screen waits. */
static int begin(void **state)
{
    static const double values[] = {1, 0, 2, 0, 3, 0, 4, 0, 5};
    struct matrix matrix = {0};
    if (files_begin(state) != 0) return -1;
    memset(&ui, 0, sizeof ui);
    memset(&given, 0, sizeof given);
    ui.name = "a.mtx";
    ui.given = &given;
    ui.work.session = &ui.session;
    ui.work.shown = &ui.explorer.shown;
    ui.session.shown = session_add_case(&ui.session, "natural", &matrix, NULL);
    ui.session.shown->matrix.csr = support_dense(3, 3, values);
    ui.session.shown->matrix.field = FIELD_REAL;
    if (session_need(&ui.session, NULL, SESSION_MATRIX | SESSION_ROW_LENGTHS | SESSION_COL_PTR, NULL, NULL) !=
        STATUS_OK)
        return -1;
    ui.explorer = (struct explorer){.session = &ui.session, .colours = true};
    ui.states = calloc((size_t)view_count() * SESSION_CASES, sizeof *ui.states);
    ui.explorer.states = ui_states(&ui, 0);
    ui.term.high = 36;
    ui.term.wide = 120;
    ui_fit(&ui);
    everywhere_actions(ui.everywhere);
    explorer_move(&ui.explorer, 1, 1);
    return 0;
}

static int end(void **state)
{
    ui_cancel_orders(&ui);
    list_close(&ui.orders.list);
    list_close(&ui.settings.list);
    row_list_free(&ui.entries);
    session_free(&ui.session);
    surface_free(&ui.surface);
    free(ui.states);
    return files_end(state);
}

static void press(int key)
{
    ui.dirty = false;
    ui_take_key(&ui, key, NULL);
    assert_true(ui.dirty == (key != TERM_NOTHING));
    assert_int_equal(ui.explorer.demand, DEMAND_NONE);
}

static void click(int y, int x)
{
    ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = y, .x = x, .kind = MOUSE_PRESS});
}

static void says(const char *words)
{
    assert_string_equal(ui.explorer.message, words);
}

/* The column of a text in a line of the surface; -1: it is not there. */
static int column_of(int y, const char *words)
{
    const int wide = ui.surface.wide, length = (int)strlen(words);
    for (int x = 0; x + length <= wide; x++) {
        int k = 0;
        while (k < length && ui.surface.cells[y * wide + x + k].character == (uint32_t)words[k])
            k++;
        if (k == length) return x;
    }
    return -1;
}

/* Each tab of the bar leads to its screen, at its first and its last character. The rest of the bar does
 * nothing, and neither do other events of the mouse there. */
TEST_BETWEEN(begin, end, tabs_lead_to_their_screens)
{
    chrome_head(&ui.explorer, &ui.surface);
    for (int k = 0; k < view_count(); k++) {
        const int at = column_of(0, views[k]->title), wide = (int)strlen(views[k]->title);
        assert_true(at >= 0);
        for (int x = at; x < at + wide; x += wide - 1) {
            ui.explorer.view = (k + 1) % view_count();
            click(0, x);
            assert_int_equal(ui.explorer.view, k);
            ui.explorer.view = (k + 1) % view_count();
            ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = 0, .x = x, .kind = MOUSE_WHEEL_UP});
            ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = 0, .x = x, .kind = MOUSE_DRAG});
            click(1, x);
            assert_int_equal(ui.explorer.view, (k + 1) % view_count());
        }
    }
    const int view = ui.explorer.view;
    click(0, ui.surface.wide - 1);
    assert_int_equal(ui.explorer.view, view);
}

TEST_BETWEEN(begin, end, digits_and_tab_lead_to_screens)
{
    char words[80];
    const int count = view_count();
    for (int k = 0; k < count; k++) {
        ui.explorer.view = (k + 2) % count;
        press(view_key(k));
        assert_int_equal(ui.explorer.view, k);
        says("");
        press(UIKEY_TAB);
        assert_int_equal(ui.explorer.view, (k + 1) % count);
        press(UIKEY_BACKTAB);
        press(UIKEY_BACKTAB);
        assert_int_equal(ui.explorer.view, (k + count - 1) % count);
    }
    ui.explorer.view = 0;
    while (!ui_waiting(&ui)) /* a screen whose part is missing and declined, so that no key waits */
        ui.explorer.view++;
    ui.work.declined[0] = ~0U;
    for (int key = '1'; key <= '9'; key++)
        if (key > '0' + count) {
            const int view = ui.explorer.view;
            press(key);
            assert_int_equal(ui.explorer.view, view);
            snprintf(words, sizeof words, "there is no screen %c; screens are 1 to %d", key, count);
            says(words);
            press('%'); /* any key takes the message away */
            says("");
        }
}

TEST_BETWEEN(begin, end, back_leads_where_one_was)
{
    ui.explorer.view = 0;
    press(view_key(2));
    explorer_move(&ui.explorer, 2, 0);
    press(view_key(1));
    explorer_move(&ui.explorer, 0, 2);
    press(UIKEY_BACKSPACE);
    assert_true(ui.explorer.view == 2 && ui.explorer.cursor.row == 2 && ui.explorer.cursor.col == 0);
    press(UIKEY_BACKSPACE);
    assert_true(ui.explorer.view == 0 && ui.explorer.cursor.row == 1 && ui.explorer.cursor.col == 1);
    says("");
    press(UIKEY_BACKSPACE);
    assert_int_equal(ui.explorer.view, 0);
    says("this is the first screen");
}

TEST_BETWEEN(begin, end, prompts_take_keys_until_they_close)
{
    press('g');
    assert_int_equal(ui.prompt, PROMPT_GOTO);
    for (const char *at = "3 2"; *at; at++)
        press(*at);
    assert_int_equal(ui.prompt, PROMPT_GOTO);
    press(UIKEY_ENTER);
    assert_int_equal(ui.prompt, PROMPT_NONE);
    assert_true(ui.explorer.cursor.row == 2 && ui.explorer.cursor.col == 1);
    says("");
    press('g');
    for (const char *at = "9 9"; *at; at++)
        press(*at);
    press(UIKEY_ENTER);
    assert_true(ui.explorer.message[0] && ui.explorer.cursor.row == 2);
    press('g');
    for (const char *at = "1,3"; *at; at++)
        press(*at);
    press(UIKEY_ENTER);
    assert_true(ui.explorer.cursor.row == 0 && ui.explorer.cursor.col == 2);
    press('/');
    assert_int_equal(ui.prompt, PROMPT_FIND);
    press('q'); /* a letter, not a demand */
    assert_false(ui.quit);
    press(UIKEY_ESCAPE);
    assert_int_equal(ui.prompt, PROMPT_NONE);
    assert_false(ui.searching || ui.searched);
    ui.searching = true; /* the text of another search is no keys of the screen */
    press('/');
    assert_int_equal(ui.prompt, PROMPT_FIND);
    press(UIKEY_ESCAPE);
    assert_true(ui.searching);
    ui.searching = false;
}

static void type(const char *text)
{
    for (; *text; text++)
        press(*text);
    press(UIKEY_ENTER);
}

/* Another search replaces the one that runs; n while one runs finds the next one after it. */
TEST_BETWEEN(begin, end, searches_follow_each_other)
{
    press('/');
    type("value>1");
    assert_true(ui.searching && ui.repeats == 0);
    press('/');
    type("value>3");
    press('n');
    press('n');
    assert_true(ui.searching && ui.repeats == 2);
    while (ui.searching)
        ui_end_search(&ui); /* it waits for the job */
    assert_int_equal(ui.repeats, 0);
    says("found value>3 at row 3, column 1, starting again from the top"); /* the third of two */
    assert_true(ui.explorer.cursor.row == 2 && ui.explorer.cursor.col == 0);
    press('/');
    type("value>9");
    press('n');
    ui_end_search(&ui);
    assert_true(!ui.searching && ui.repeats == 0);
    says("none found: value>9");
    press('/');
    type("value>3");
    press('n');
    press('x');
    assert_int_equal(ui.repeats, 0);
    ui_end_search(&ui);
    assert_false(ui.searching);
}

static bool is_drawn(const char *words)
{
    for (int y = 0; y < ui.surface.high; y++)
        if (column_of(y, words) >= 0) return true;
    return false;
}

/* A screen that lacks nothing is drawn at once if one of its keys comes. Keys and answers wait for one whose
 * parts are being computed, and keep their order. */
TEST_BETWEEN(begin, end, keys_of_a_screen_may_come_before_it)
{
    const unsigned part = SESSION_ROW_LENGTHS;
    press(view_key(2)); /* Rows */
    assert_true(ui_is_coming(&ui) && !ui_waiting(&ui));
    press(UIKEY_LEFT);
    assert_true(ui_usable(&ui) && ui.held.count == 0);
    ui_compose(&ui);
    assert_true(is_drawn("Cut at K = 1"));
    press(view_key(2));
    atomic_fetch_and(&ui.session.shown->ready, ~part);
    assert_true(ui_is_coming(&ui));
    press(UIKEY_RIGHT);
    press('P');
    press(UIKEY_ENTER);
    says("writing the picture once the screen is computed");
    press('/');
    type("no such line");
    says("searching once the screen is computed");
    assert_int_equal(ui.held.count, 1);
    assert_int_equal(ui.held.answered, PROMPT_FIND);
    ui_take_held(&ui);
    assert_true(ui.held.count == 1 && ui.held.answered == PROMPT_FIND);
    atomic_fetch_or(&ui.session.shown->ready, part);
    ui_take_held(&ui);
    assert_true(ui.held.count == 0 && ui.held.answered == PROMPT_NONE);
    assert_says(ui.explorer.message, "no such line"); /* the key before it has not taken this away */
    ui_compose(&ui);
    assert_true(is_drawn("Cut at K = 2"));
}

TEST_BETWEEN(begin, end, the_help_takes_keys_and_the_wheel)
{
    const struct help_section sections[] = {{"Keys everywhere", ui.everywhere}, {.title = NULL}};
    for (int k = 0; k < 2; k++) {
        press(k ? UIKEY_F1 : '?');
        assert_true(ui.help.open);
        ui.help.explorer = &ui.explorer;
        help_draw(&ui.help, &ui.surface, (struct rect){3, 0, 8, 120}, false, views[0], sections);
        assert_int_equal(ui.help.top, 0);
        press(UIKEY_DOWN);
        assert_int_equal(ui.help.top, 1);
        ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = 9, .x = 9, .kind = MOUSE_WHEEL_DOWN});
        assert_true(ui.help.top > 1);
        const int top = ui.help.top;
        ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = 9, .x = 9, .kind = MOUSE_WHEEL_UP});
        assert_true(ui.help.top < top);
        click(0, 1); /* a tab is below the help */
        assert_int_equal(ui.explorer.view, 0);
        press(view_key(1)); /* and so is a screen's key */
        assert_int_equal(ui.explorer.view, 0);
        assert_true(ui.help.open);
        press(UIKEY_ESCAPE);
        assert_false(ui.help.open);
    }
}

/* Requests with a condition give the reason if nothing happens. */
TEST_BETWEEN(begin, end, demands_say_why_nothing_happens)
{
    press('(');
    says("only one matrix was named: 'sparsight FOLDER' goes through several");
    press(')');
    says("only one matrix was named: 'sparsight FOLDER' goes through several");
    assert_false(ui.quit || ui.step);
    press('S');
    assert_int_equal(ui.prompt, PROMPT_NONE);
    ui.explorer.view = 1;
    assert_true(ui_waiting(&ui));
    ui.work.declined[0] = ~0U;
    press('P');
    says("there is nothing to draw yet");
    ui.work.declined[0] = 0;
    press('P');
    says("");
    assert_int_equal(ui.prompt, PROMPT_PICTURE);
    press(UIKEY_ESCAPE);
    press('E');
    assert_non_null(strstr(ui.explorer.message, "the matrix has only its natural order: "));
    press('n'); /* nothing was sought */
    assert_false(ui.searching);
}

TEST_BETWEEN(begin, end, lists_cover_the_screen)
{
    press('e');
    assert_ptr_equal(ui_over(&ui), &ui.orders.list);
    const struct cursor before = ui.explorer.cursor;
    press(UIKEY_DOWN);
    press(UIKEY_LEFT);
    assert_true(ui.explorer.cursor.row == before.row && ui.explorer.cursor.col == before.col);
    assert_ptr_equal(ui_over(&ui), &ui.orders.list);
    press(view_key(3)); /* goes to the screen, and closes the list */
    assert_int_equal(ui.explorer.view, 3);
    assert_null(ui_over(&ui));
    press('e');
    press(view_key(3)); /* is shown already */
    assert_int_equal(ui.explorer.view, 3);
    assert_ptr_equal(ui_over(&ui), &ui.orders.list);
    press('I'); /* one list at a time */
    assert_ptr_equal(ui_over(&ui), &ui.entries.list);
    assert_false(list_is_open(&ui.orders.list));
    press('e');
    assert_ptr_equal(ui_over(&ui), &ui.orders.list);
    assert_false(list_is_open(&ui.entries.list));
    press(UIKEY_ESCAPE);
    assert_null(ui_over(&ui));
}

TEST_BETWEEN(begin, end, leaving_without_runs_asks_nothing)
{
    static const int keys[] = {'q', UIKEY_F10};
    for (int k = 0; k < 2; k++) {
        ui.quit = false;
        ui.step = 1;
        ui.again = true;
        press(keys[k]);
        assert_true(ui.quit && !ui.leaving && !ui.gone);
        assert_true(ui.step == 0 && !ui.again);
    }
    ui.quit = false;
    ui_reopen(&ui);
    assert_true(ui.quit && ui.again && ui.step == 0);
    ui.quit = false;
    press(TERM_NOTHING);
    assert_false(ui.quit || ui.gone);
    press(TERM_GONE);
    assert_true(ui.quit && ui.gone);
}

/* The answers to the question whether to quit: y quits, s asks for a file, all others stay. */
TEST_BETWEEN(begin, end, the_question_of_leaving_is_answered)
{
    static const struct {
        int key;
        bool quits, saves;
    } answers[] = {{'y', true, false},  {'Y', true, false},           {'s', false, true}, {'S', false, true},
                   {'n', false, false}, {UIKEY_ESCAPE, false, false}, {'q', false, false}};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        ui.quit = false;
        ui.leaving = true;
        press(answers[k].key);
        assert_false(ui.leaving);
        assert_true(ui.quit == answers[k].quits);
        says(answers[k].saves ? "nothing to save: nothing was run yet" : "");
    }
    ui.leaving = true; /* a click does not answer; it removes the question, and has its own effect */
    ui.explorer.view = 1;
    click(0, 1);
    assert_true(!ui.leaving && !ui.quit && ui.explorer.view == 0);
}

/* In a terminal that is too small only quitting has an effect. */
TEST_BETWEEN(begin, end, small_terminals_can_be_left)
{
    static const int sizes[][2] = {{CHROME_HIGH - 1, CHROME_WIDE}, {CHROME_HIGH, CHROME_WIDE - 1}};
    for (int k = 0; k < 2; k++) {
        ui.term.high = sizes[k][0];
        ui.term.wide = sizes[k][1];
        ui.quit = false;
        press(UIKEY_RESIZE);
        assert_true(ui.surface.high == sizes[k][0] && ui.surface.wide == sizes[k][1]);
        ui.explorer.view = 0;
        press(view_key(1));
        press('?');
        press('g');
        click(0, 1);
        assert_true(ui.explorer.view == 0 && !ui.help.open && ui.prompt == PROMPT_NONE && !ui.quit);
        ui.leaving = true;
        press('s'); /* the file could not be asked for */
        assert_int_equal(ui.prompt, PROMPT_NONE);
        says("");
        press('q');
        assert_true(ui.quit);
    }
    ui.quit = false;
    ui.term.high = CHROME_HIGH;
    ui.term.wide = CHROME_WIDE;
    press(UIKEY_RESIZE);
    press(view_key(1));
    assert_int_equal(ui.explorer.view, 1);
}

/* Each item in the bottom line is a button. */
TEST_BETWEEN(begin, end, keys_of_the_footer_are_buttons)
{
    const struct footer_table own = {.actions = NULL}, everywhere = {ui.everywhere, &ui.explorer, NULL};
    const int bottom = ui.surface.high - 1;
    chrome_footer(&ui.footer, &ui.surface, &own, &everywhere);
    chrome_bottom(&ui.explorer, &ui.surface, NULL, NULL, &ui.footer);
    const int at = column_of(bottom, "go to");
    assert_true(at >= 0);
    click(bottom, at);
    assert_int_equal(ui.prompt, PROMPT_GOTO);
    press(UIKEY_ESCAPE);
    ui_take_key(&ui, TERM_MOUSE, &(struct mouse){.y = bottom, .x = at, .kind = MOUSE_WHEEL_UP});
    click(bottom - 1, at);
    assert_int_equal(ui.prompt, PROMPT_NONE);
    click(bottom, column_of(bottom, "help"));
    assert_true(ui.help.open);
}

/* x stops one thing at a time, what the user waits for first. */
TEST_BETWEEN(begin, end, cancelling_stops_one_thing)
{
    const bool *const running[] = {&ui.searching, &ui.picturing.running, &ui.arranging.running,
                                   &ui.entries.running};
    struct progress *const progress[] = {&ui.search.progress, &ui.picturing.job.progress,
                                         &ui.arranging.job.progress, &ui.entries.job.progress};
    for (int from = 0; from < 4; from++) {
        for (int k = 0; k < 4; k++) {
            *(bool *)running[k] = k >= from;
            atomic_store(&progress[k]->cancel, false);
        }
        ui.held.count = 1;
        press('x');
        assert_int_equal(ui.held.count, 0);
        for (int k = 0; k < 4; k++)
            assert_true(progress_cancelled(progress[k]) == (k == from));
    }
    for (int k = 0; k < 4; k++)
        *(bool *)running[k] = false;
}
