/* The surroundings of the screens, without a terminal: the Summary, help, the bars, palettes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/palette.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"
#include "ui/help.h"
#include "ui/prompt.h"
#include "ui/save.h"
#include "ui/summary/bars.h"

static struct session session;
static struct surface surface;
static struct explorer explorer;

static int load(void **state)
{
    static const struct load_options options;
    if (session_load(&session, "gen:laplace2d,n=8", &options, NULL, NULL) != STATUS_OK) return -1;
    if (conversions_want_all(&session.shown->conversions, PRECISION_F64, NULL) != STATUS_OK) return -1;
    explorer = (struct explorer){.session = &session, .colours = true, .shades = true};
    explorer_move(&explorer, 0, 0);
    return surface_resize(&surface, 24, 80, NULL) == STATUS_OK ? 0 : -1;
}

static int unload(void **state)
{
    session_free(&session);
    surface_free(&surface);
    return 0;
}

static bool shows(const char *text)
{
    FREED(text_free) struct text dump = {0};
    surface_dump(&surface, &dump);
    bool found = strstr(dump.data, text) != NULL;
    return found;
}

/* The line of the surface that has this text first, counted from 0; -1 if there is none. */
static int line_with(const char *text)
{
    struct text dump = {0};
    int line = 0;
    surface_dump(&surface, &dump);
    const char *found = strstr(dump.data, text);
    for (const char *c = dump.data; found && c < found; c++)
        line += *c == '\n';
    text_free(&dump);
    return found ? line : -1;
}

TEST(prompts_can_begin_with_a_text)
{
    struct prompt prompt = {0};
    prompt_open_with(&prompt, "hyb (k)", "k=12");
    assert_int_equal(prompt_key(&prompt, UIKEY_BACKSPACE), PROMPT_OPEN);
    assert_int_equal(prompt_key(&prompt, '3'), PROMPT_OPEN);
    assert_int_equal(prompt_key(&prompt, UIKEY_ENTER), PROMPT_DONE);
    assert_string_equal(prompt.text, "k=13");
    prompt_open_with(&prompt, "hyb (k)", "");
    assert_int_equal(prompt_key(&prompt, UIKEY_ENTER), PROMPT_DONE); /* an empty answer counts */
    prompt_open(&prompt, "Find");
    assert_int_equal(prompt_key(&prompt, UIKEY_ENTER), PROMPT_CLOSED);
}

TEST_BETWEEN(load, unload, the_cursor_stays_in_the_matrix)
{
    explorer_move(&explorer, 63, 62); /* 8 x 8 grid: 62 and 63 are neighbours */
    assert_true(explorer.cursor.entry >= 0);
    assert_true(session.shown->matrix.csr.val[explorer.cursor.entry] == -1);
    explorer_move(&explorer, INT64_MAX, -5);
    assert_int_equal(explorer.cursor.row, 63);
    assert_int_equal(explorer.cursor.col, 0);
    assert_int_equal(explorer.cursor.entry, -1);
}

static void draw_summary(void *summary)
{
    surface_clear(&surface);
    view_summary.draw(&explorer, summary, &surface, chrome_area(&explorer, &surface));
}

TEST_BETWEEN(load, unload, the_summary_shows_every_number)
{
    struct error error = {0};
    void *summary = view_summary.open(&explorer, &error);
    surface_resize(&surface, 76, 260, NULL);
    draw_summary(summary);
    for (const struct column *column = columns; column->key; column++)
        assert_true(shows(column->title));
    assert_true(shows(" ..."));
    assert_int_equal(session_need(&session, NULL, ALL_PARTS, NULL, NULL), STATUS_OK);
    draw_summary(summary);
    assert_false(shows(" ...")); /* no number waits; the verdict is "Choosing a kernel..." */
    assert_true(shows("laplace2d,n=8  64 x 64, 288 entries, real general"));
    view_summary.close(summary);
}

TEST_BETWEEN(load, unload, every_number_can_be_selected)
{
    static const int sizes[][2] = {{24, 80}, {30, 130}, {60, 250}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        void *summary = view_summary.open(&explorer, NULL);
        surface_resize(&surface, sizes[s][0], sizes[s][1], NULL);
        for (int format = 0; format < format_bars_count(); format++) {
            char of_format[64];
            draw_summary(summary);
            snprintf(of_format, sizeof of_format, " %s, ", format_bars_choice(format).format->title);
            assert_true(shows(of_format));
            view_take_key(&explorer, &view_summary, summary, UIKEY_DOWN);
        }
        for (const struct column *column = columns; column->key; column++) {
            char foot[64];
            draw_summary(summary);
            snprintf(foot, sizeof foot, " %s: ", column->title);
            assert_true(shows(foot));
            view_take_key(&explorer, &view_summary, summary, UIKEY_DOWN);
        }
        view_summary.close(summary);
    }
}

/* The first cell of a title in bold, as of the selected number; NULL if there is none. */
static const struct cell *find_bold(const char *title)
{
    int length = (int)strlen(title);
    for (int k = 0; k + length <= surface.high * surface.wide; k++) {
        int same = 0;
        while (same < length && surface.cells[k + same].character == (unsigned char)title[same] &&
               surface.cells[k + same].attributes & ATTRIBUTE_BOLD &&
               surface.cells[k + same].foreground == COLOUR_TEXT)
            same++;
        if (same == length) return &surface.cells[k];
    }
    return NULL;
}

/* For the first number of a group its heading is visible, too. */
TEST_BETWEEN(load, unload, the_selected_number_is_in_sight)
{
    void *summary = view_summary.open(&explorer, NULL);
    surface_resize(&surface, 24, 80, NULL);
    draw_summary(summary);
    for (int direction = 0; direction < 2; direction++) {
        const struct column *before = NULL;
        int seen = 0, numbers = 0;
        for (const struct column *column = columns; column->key; column++)
            numbers++;
        for (int k = 0; k < numbers + 40; k++) {
            for (const struct column *column = columns; column->key; column++) {
                char foot[64];
                snprintf(foot, sizeof foot, " %s: ", column->title);
                const struct cell *title = find_bold(column->title);
                if (!shows(foot) || !title) continue;
                size_t group = strcspn(column->key, ".");
                bool first = column == columns || strcspn(column[-1].key, ".") != group ||
                             strncmp(column[-1].key, column->key, group) != 0;
                if (first && column->key[group])
                    assert_int_equal(title[-surface.wide].foreground, COLOUR_TITLE);
                seen += column != before;
                before = column;
                break;
            }
            view_take_key(&explorer, &view_summary, summary, direction ? UIKEY_UP : UIKEY_DOWN);
            draw_summary(summary);
        }
        assert_true(seen >= numbers);
    }
    view_summary.close(summary);
}

/* Each note has a line, but more than four share the fourth line. The list begins below. */
TEST_BETWEEN(load, unload, the_summary_has_all_notes)
{
    void *summary = view_summary.open(&explorer, NULL);
    text_append(&session.shown->matrix.notes, "first thing\nsecond thing\nthird");
    surface_resize(&surface, 24, 80, NULL);
    draw_summary(summary);
    int first = line_with(" first thing");
    assert_true(first > 0);
    assert_int_equal(line_with(" second thing"), first + 1);
    assert_int_equal(line_with(" third"), first + 2);
    assert_int_equal(line_with(" Formats"), first + 3);
    text_append(&session.shown->matrix.notes, "\nfourth\nfifth\nsixth\n");
    draw_summary(summary);
    assert_int_equal(line_with(" fourth  fifth  sixth"), first + 3);
    assert_int_equal(line_with(" Formats"), first + 4);
    about_add(&session.shown->matrix.about, "% author: I. Newton", 19);
    about_add(&session.shown->matrix.about, "% [A TITLE]", 11);
    draw_summary(summary);
    assert_int_equal(line_with(" A TITLE  by I. Newton"), first);
    assert_int_equal(line_with(" first thing"), first + 1);
    assert_int_equal(line_with(" Formats"), first + 5);
    about_add(&session.shown->matrix.about, "% ed: E. Halley", 15);
    about_add(&session.shown->matrix.about, "% notes:", 8);
    about_add(&session.shown->matrix.about, "% on falling", 12);
    about_add(&session.shown->matrix.about, "% apples", 8);
    draw_summary(summary); /* they do not fit */
    assert_int_equal(line_with(" Formats"), first + 5);
    surface_resize(&surface, 50, 200, NULL); /* the portrait takes two more lines */
    draw_summary(summary);
    first += 2;
    assert_int_equal(line_with(" A TITLE  by I. Newton  edited by E. Halley"), first);
    assert_int_equal(line_with(" Notes: on falling apples"), first + 1);
    assert_int_equal(line_with(" first thing"), first + 3);
    view_summary.close(summary);
}

TEST_BETWEEN(load, unload, the_summary_of_nothing_is_drawn)
{
    int64_t empty[] = {0, 0};
    struct session none = {0};
    struct matrix nothing = {.csr = {1, 0, empty, NULL, NULL, NULL}};
    none.shown = session_add_case(&none, "natural", &nothing, NULL);
    explorer.session = &none;
    explorer_move(&explorer, 0, 0);
    void *summary = view_summary.open(&explorer, NULL);
    draw_summary(summary);
    chrome_status(&explorer, &surface, NULL);
    assert_true(shows("the matrix is empty"));
    none.shown->matrix.csr.rows = 0;
    draw_summary(summary);
    view_summary.close(summary);
}

/* Both parts, with the sign of the second part between. */
TEST_BETWEEN(load, unload, the_status_has_both_parts_of_a_value)
{
    int64_t row_ptr[] = {0, 2};
    int32_t col[] = {0, 1};
    double val[] = {1.5, -2}, imaginary[] = {-0.25, 4};
    struct session one = {0};
    struct matrix matrix = {.csr = {1, 2, row_ptr, col, val, imaginary}, .field = FIELD_COMPLEX};
    one.shown = session_add_case(&one, "natural", &matrix, NULL);
    explorer.session = &one;
    explorer_move(&explorer, 0, 0);
    chrome_status(&explorer, &surface, NULL);
    assert_true(shows("value 1.5 - 0.25i"));
    explorer_move(&explorer, 0, 1);
    chrome_status(&explorer, &surface, NULL);
    assert_true(shows("value -2 + 4i"));
    explorer.session = &session;
}

TEST_BETWEEN(load, unload, want_of_memory_loses_the_picture_only)
{
    struct error error = {0};
    memory_fail_after(0);
    assert_null(view_summary.open(&explorer, &error));
    memory_fail_after(-1);
    assert_int_equal(error.status, STATUS_MEMORY);
    assert_int_equal(session_need(&session, NULL, ALL_PARTS, NULL, NULL), STATUS_OK);
    void *summary = view_summary.open(&explorer, NULL);
    memory_fail_after(0);
    draw_summary(summary);
    memory_fail_after(-1);
    assert_true(shows("relative to CSR"));
    view_summary.close(summary);
}

static void press_help(struct help *help, int key)
{
    const struct action *action = action_find(help_actions, key);
    assert_non_null(action);
    action->run(&explorer, help, action->argument);
}

/* Return true if a page of the help shows the text, and stay there. */
static bool a_page_shows(struct help *help, const struct help_section *sections, const char *text)
{
    struct rect area = chrome_area(&explorer, &surface);
    press_help(help, UIKEY_HOME);
    for (int before = -1; help->top != before; press_help(help, UIKEY_PAGE_DOWN)) {
        before = help->top;
        help_draw(help, &surface, area, true, &view_summary, sections);
        if (shows(text)) return true;
    }
    return false;
}

TEST_BETWEEN(load, unload, help_tells_every_key)
{
    struct action everywhere[EVERYWHERE_MAX];
    everywhere_actions(everywhere);
    const struct help_section sections[] = {
        {"Keys of this screen", view_summary.actions}, {"Keys everywhere", everywhere}, {NULL, NULL}};
    struct rect area = chrome_area(&explorer, &surface);
    struct help help = {0};
    help_open(&help);
    help_draw(&help, &surface, area, true, &view_summary, sections);
    assert_true(shows("Home End                   the first and the last"));
    /* The purpose of the screen takes several lines below its title. None of them begins with the blank at
     * which it was broken. */
    const struct cell *line = &surface.cells[(area.top + 2) * surface.wide + area.left + 2];
    int lines = 0;
    for (; line[1].character != ' '; line += surface.wide, lines++)
        assert_int_not_equal(line->character, ' ');
    assert_true(lines > 1);
    assert_true(help.lines > help.room);
    press_help(&help, UIKEY_END);
    help_draw(&help, &surface, area, true, &view_summary, sections);
    assert_true(shows("zero, nan, inf"));
    assert_int_equal(help.top, help.lines - help.room);
    assert_true(a_page_shows(&help, sections, "q, F10                     quit"));
    press_help(&help, UIKEY_END);
    for (int pages = help.lines / help.room + 1; pages > 0; pages--)
        press_help(&help, UIKEY_PAGE_UP);
    help_draw(&help, &surface, area, true, &view_summary, sections);
    assert_int_equal(help.top, 0);
    press_help(&help, UIKEY_ESCAPE);
    assert_false(help.open);
}

TEST_BETWEEN(load, unload, tabs_are_where_they_are_clicked)
{
    chrome_head(&explorer, &surface);
    for (int k = 0, x = 0; views[k]; k++) {
        assert_int_equal(surface.cells[x + 1].character, view_key(k));
        while (chrome_tab_at(x) == k)
            x++;
        assert_true(chrome_tab_at(x) == k + 1 || (!views[k + 1] && chrome_tab_at(x) == -1));
    }
}

TEST_BETWEEN(load, unload, the_status_line_is_a_bar)
{
    chrome_status(&explorer, &surface, NULL);
    for (int x = 0; x < surface.wide; x++)
        assert_int_equal(surface.cells[(surface.high - 2) * surface.wide + x].background, COLOUR_BAR);
}

TEST(palettes_keep_text_and_background_apart)
{
    for (int palette = PALETTE_8; palette <= PALETTE_DIRECT; palette++)
        for (int colour = 0; colour < COLOUR_BAR; colour++)
            for (int back = 0; back < COLOUR_DENSITY; back++) {
                bool ground =
                    back == COLOUR_TEXT || back == COLOUR_BAR || back == COLOUR_CURSOR || back == COLOUR_MARK;
                struct look look =
                    palette_look((enum palette)palette, false, (enum colour)colour, (enum colour)back, 0);
                if (ground) assert_true(look.foreground != look.background || look.background == -1);
            }
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        struct look look = palette_look(PALETTE_NONE, false, (enum colour)colour, COLOUR_TEXT, 0);
        assert_int_equal(look.foreground, -1);
        assert_int_equal(look.background, -1);
    }
    for (int level = 1; level < DENSITY_LEVELS; level++) {
        enum colour colour = (enum colour)(COLOUR_DENSITY + level),
                    before = (enum colour)(COLOUR_DENSITY + level - 1);
        assert_int_not_equal(palette_look(PALETTE_256, false, colour, COLOUR_TEXT, 0).foreground,
                             palette_look(PALETTE_256, false, before, COLOUR_TEXT, 0).foreground);
    }
}

/* The question names the results that would be lost, and offers only possible answers. */
TEST(quitting_asks_for_what_would_be_lost)
{
    static const struct {
        int unsaved;
        bool timing;
        const char *question;
    } cases[] = {
        {1, false, "1 run is not saved. Quit? y quits, s saves first, n stays"},
        {12, false, "12 runs are not saved. Quit? y quits, s saves first, n stays"},
        {0, true, "kernels are being timed. Quit? y quits, n stays"},
        {2, true, "kernels are being timed, 2 runs are not saved. Quit? y quits, n stays"},
    };
    char question[SAVE_QUESTION];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(save_question(cases[k].unsaved, cases[k].timing, question));
        assert_string_equal(question, cases[k].question);
        assert_true(strlen(question) < 72); /* it stands on one line, also on a terminal that is too small */
    }
    assert_false(save_question(0, false, question));
    assert_true(save_question(1000000000, true, question));
    assert_says(question, "n stays");
}
