/* ui/layouts: the shown formats, their parameters, and the reasons for formats that cannot be shown. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "drawing/flow.h"
#include "support/layouts.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/layouts/layouts.h"

/* One of 30 rows is full: ELL takes 900 slots for 59 entries, and so is not shown first. */
TEST(the_first_two_formats_suit_the_matrix)
{
    double dense[30 * 30] = {0};
    for (int i = 0; i < 30; i++)
        dense[i] = dense[i * 30] = 1;
    struct stage stage;
    stage_open(&stage, &view_layouts, support_dense(30, 30, dense), FIELD_REAL, 21, 80);
    layouts_build(&stage);
    stage_shows(&stage, " HYB");
    stage_hides(&stage, "ELLPACK");
    assert_true(layouts_has_picture(layouts_of(&stage)->panels[0].shown->storage));
    stage_close(&stage);
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 80);
    layouts_build(&stage);
    stage_shows(&stage, "ELLPACK");
    stage_close(&stage);
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 80);
    stage.session.limit = 120; /* ELL takes 144, HYB and SELL more than 120 too */
    layouts_build(&stage);
    layouts_build(&stage);
    stage_shows(&stage, " COO");
    stage_close(&stage);
}

/* One of 30 rows has 30 entries, and four have one. Fewer than a third of the rows have any entry, so that
 * HYB would keep all entries in its COO part, and have no picture. */
TEST(an_empty_picture_is_not_what_is_seen_first)
{
    double dense[30 * 30] = {0};
    for (int i = 0; i < 30; i++)
        dense[i] = 1;
    for (int i = 1; i < 5; i++)
        dense[i * 30] = 1;
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_layouts, support_dense(30, 30, dense), FIELD_REAL, 21, 80);
    layouts_build(&stage);
    layouts_build(&stage);
    stage_hides(&stage, "HYB");
    stage_shows(&stage, " SELL");
    assert_int_equal(conversion_state(layouts_of(&stage)->panels[1].conversion), CONVERSION_BUILT);
    assert_false(layouts_of(&stage)->tentative);
}

/* As many panels are drawn as fit, and a line counts the others. */
TEST(hidden_panels_are_counted)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "ell", "coo", "dia", NULL});
    stage_key(&stage, 's');
    stage_shows(&stage, "2 of 4 formats out of sight:", "below coo", "below dia");
    stage_hides(&stage, "above");
    for (int k = 0; k < 3; k++)
        stage_key(&stage, '}');
    stage_shows(&stage, "2 of 4 formats out of sight:", "above csr", "above ell");
    stage_hides(&stage, "below");
    assert_int_equal(stage.surface.cut, 0);
    stage_resize(&stage, 57, 80);
    stage_hides(&stage, "out of sight");
}

/* A format that another screen has chosen is shown with its parameters, and gets the focus. A shown format is
 * not shown again. */
TEST(a_chosen_format_is_shown)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 80);
    layouts_build(&stage);
    for (int k = 0; k < 2; k++) {
        format_choice_read(format_find("cmrs"), "packed=1", PRECISION_F64, &stage.explorer.chosen, NULL);
        stage_draw(&stage);
        layouts_build(&stage);
        assert_null(stage.explorer.chosen.format);
        assert_int_equal(layouts_of(&stage)->count, 2);
        assert_int_equal(layouts_of(&stage)->focus.panel, 1);
        stage_shows(&stage, "packed=1");
    }
    stage.explorer.chosen = format_choice_default(format_find("csr"), PRECISION_F64);
    stage_draw(&stage);
    assert_int_equal(layouts_of(&stage)->focus.panel, 0);
    stage_shows(&stage, "packed=1");
}

/* Formats that are not shown are dropped, beginning with the oldest request. */
TEST(unused_formats_are_freed)
{
    FREED(csr_free) struct csr a = layouts_pmpp();
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions all = {.pool = &pool};
    struct conversions_shown shown = {0};
    struct conversion *items[24];
    for (int k = 0; k < 24; k++) {
        char parameters[32];
        snprintf(parameters, sizeof parameters, "k=%d", k);
        items[k] = storing_want(&all, k ? format_find("hyb") : format_find("csr"), k ? parameters : "",
                                PRECISION_F64, NULL);
        items[k]->keep = true;
        assert_int_equal(conversion_build(items[k], 0, NULL, NULL), STATUS_OK);
    }
    shown.items[shown.count++] = items[1];
    conversions_trim(&all, &shown, (size_t)1 << 20);
    assert_int_equal(atomic_load(&all.count), 2 + 16); /* CSR is listed, k=1 shown, and the last 16 */
    assert_int_equal(conversion_state(items[0]), CONVERSION_BUILT);
    size_t last = items[23]->size.allocated;
    conversions_trim(&all, &shown, last);
    assert_int_equal(atomic_load(&all.count), 3);
    assert_int_equal(conversion_state(items[0]), CONVERSION_PLANNED);
    assert_null(items[0]->storage);
    assert_int_equal(conversion_state(items[1]), CONVERSION_BUILT);
    assert_int_equal(conversion_state(items[23]), CONVERSION_BUILT);
    conversions_trim(&all, &(struct conversions_shown){0}, 0);
    assert_int_equal(atomic_load(&all.count), 1);
    assert_int_equal(conversion_build(items[0], 0, NULL, NULL), STATUS_OK); /* again */
    assert_int_equal(conversion_state(items[0]), CONVERSION_BUILT);
}

TEST(parameters_are_stepped_and_typed)
{
    FREED(stage_close) struct stage stage;
    struct layouts *layouts =
        layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "cmrs:height=2", NULL});
    stage_key(&stage, '}');
    stage_shows(&stage, "cmrs:height=2");
    stage_key(&stage, '>');
    layouts_build(&stage);
    stage_hides(&stage, "cmrs:height=2");
    stage_shows(&stage, "cmrs:height=");
    const struct conversion *stepped = layouts->panels[1].conversion;
    stage_key(&stage, '<');
    layouts_build(&stage);
    stage_shows(&stage, "cmrs:height=2 ");
    stage_key(&stage, '>');
    assert_ptr_equal(layouts->panels[1].conversion, stepped); /* still there */
    stage_draw(&stage);
    assert_ptr_equal(layouts->panels[1].shown, stepped);
    stage_key(&stage, 'p');
    assert_true(stage.explorer.question.asked);
    assert_says(stage.explorer.question.text, "height=");
    view_take_answer(&stage.explorer, stage.view, stage.state, "height=1");
    layouts_build(&stage);
    stage_shows(&stage, "cmrs:height=1 ",
                "StripPtr       0    2    2    5    7"); /* strips of one row are rows */
    view_take_answer(&stage.explorer, stage.view, stage.state, "height=99");
    assert_says(stage.explorer.message, "height", "99");
    layouts_build(&stage);
    stage_shows(&stage, "cmrs:height=1 ");
    for (int k = 0; k < 3; k++)
        stage_key(&stage, '<');
    assert_says(stage.explorer.message, "height: 1..16");
    stage_key(&stage, '{');
    stage_key(&stage, '>');
    assert_string_equal(stage.explorer.message, "csr has no parameters");
}

/* Halving a power of two gives the next lower integer. Steps stay in the range. */
TEST(steps_halve_and_end)
{
    struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"sell:c=7", NULL});
    stage_key(&stage, '<');
    layouts_build(&stage);
    stage_shows(&stage, "sell:c=3 ");
    stage_key(&stage, '>');
    layouts_build(&stage);
    stage_shows(&stage, "sell:c=6 ");
    stage_close(&stage);
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"cmrs:height=15", NULL});
    const struct conversion *const *shown =
        (const struct conversion *const *)&layouts_of(&stage)->panels[0].conversion;
    stage_key(&stage, '>');
    layouts_build(&stage);
    stage_shows(&stage, "cmrs:height=16 ");
    const struct conversion *last = *shown;
    stage.explorer.message[0] = 0;
    stage_key(&stage, '>');
    assert_says(stage.explorer.message, "height: 1..16");
    assert_ptr_equal(*shown, last);
    stage_close(&stage);
}

/* The focus is in an existing panel. */
TEST(the_focus_moves_up_where_a_panel_is_closed)
{
    FREED(stage_close) struct stage stage;
    const struct layouts *layouts =
        layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"csr", "coo", "ell", NULL});
    stage_key(&stage, '}');
    stage_key(&stage, '}');
    assert_int_equal(layouts->focus.panel, 2);
    stage_key(&stage, UIKEY_DELETE); /* the last one */
    assert_int_equal(layouts->count, 2);
    assert_int_equal(layouts->focus.panel, 1);
    stage_key(&stage, '{');
    stage_key(&stage, UIKEY_DELETE); /* the first one: the focus is where that was */
    assert_int_equal(layouts->count, 1);
    assert_int_equal(layouts->focus.panel, 0);
    assert_string_equal(layouts->panels[0].conversion->choice.format->name, "coo");
}

/* The previous arrays are not shown under the name of a format that cannot be built. */
TEST(a_refused_format_takes_the_place_of_the_one_before)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"cmrs:height=2", NULL});
    stage_shows(&stage, "StripPtr");
    stage.session.limit = 10;
    view_take_answer(&stage.explorer, stage.view, stage.state, "height=1");
    layouts_build(&stage);
    stage_shows(&stage, "Not available");
    stage_hides(&stage, "StripPtr");
}

TEST(single_precision_is_a_key_away)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    stage_shows(&stage, "f64");
    stage_key(&stage, 'f');
    layouts_build(&stage);
    stage_hides(&stage, "f64");
    stage_shows(&stage, "76 B"); /* 28 less than 104 */
}

TEST(a_refused_format_says_why)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 120);
    stage.session.limit = 100; /* CSR takes 104 bytes */
    layouts_build(&stage);
    stage_shows(&stage, "Not available: csr would take 104 B");
}

TEST(a_cancelled_format_waits_to_be_asked_for)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 80);
    stage_shows(&stage, "queued");
    stage.explorer.shown.items[0]->declined = true;
    layouts_build(&stage);
    stage_shows(&stage, "Not converted. x resumes");
    stage_key(&stage, 'x');
    layouts_build(&stage);
    stage_shows(&stage, "row_ptr");
    assert_false(view_layouts.retry(&stage.explorer, stage.state)); /* x then has its general meaning */
}

/* The list of all formats: Space shows and hides. */
TEST(formats_are_chosen_from_a_list)
{
    FREED(stage_close) struct stage stage;
    struct layouts *layouts = layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", NULL});
    stage_key(&stage, ' ');
    assert_true(list_is_open(&layouts->dialog));
    stage_shows(&stage, "[•] csr", "[ ] coo", "[ ] cmrs:packed=1");
    stage_key(&stage, ' '); /* the last shown format cannot be hidden */
    assert_int_equal(layouts->count, 1);
    stage_key(&stage, UIKEY_HOME);
    stage_key(&stage, ' ');
    assert_int_equal(layouts->count, 2);
    assert_ptr_equal(layouts->panels[1].conversion->choice.format, formats[0]);
    stage_key(&stage, ' ');
    assert_int_equal(layouts->count, 1);
    stage_key(&stage, ' ');
    stage_key(&stage, UIKEY_ESCAPE);
    assert_false(list_is_open(&layouts->dialog));
    layouts_build(&stage);
    stage_key(&stage, UIKEY_DELETE);
    assert_int_equal(layouts->count, 1);
}

/* Each variant is listed once, and other shown ones follow those of their format. Those of the panels are
 * marked in any precision, and much padding is marked. */
TEST(the_list_has_each_format_once)
{
    FREED(stage_close) struct stage stage;
    int rows = 1, marked = 0, own = 0;
    layouts_open(&stage, layouts_pmpp(), 40, 100, (const char *[]){"csr", "ell", "hyb:k=1", NULL});
    const struct list *list = &layouts_of(&stage)->dialog;
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++)
            rows++;
    stage_key(&stage, 'f');
    layouts_build(&stage);
    stage_key(&stage, ' ');
    assert_int_equal(list->count, rows);
    for (int k = 0; k < list->count; k++) {
        const char *name = list->rows[k].cells[0];
        marked += list->rows[k].marked;
        own += strcmp(name, "hyb:k=1") == 0;
        if (strcmp(name, "csr") == 0) assert_true(list->rows[k].marked && !list->rows[k].alerts[2]);
        if (strcmp(name, "ell") == 0) assert_true(list->rows[k].marked && list->rows[k].alerts[2]);
    }
    assert_int_equal(marked, 3);
    assert_int_equal(own, 1);
}

TEST(nothing_is_drawn_of_nothing)
{
    static const int sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {3, 3}, {1, 1}};
    for (int s = 0; s < 5; s++)
        for (int f = 0; formats[f]; f++) {
            struct csr a = {.rows = sizes[s][0], .cols = sizes[s][1]};
            a.row_ptr = memory_zeroed((size_t)a.rows + 1, sizeof *a.row_ptr, NULL);
            a.col = memory_array(1, sizeof *a.col, NULL);
            a.val = memory_array(1, sizeof *a.val, NULL);
            FREED(stage_close) struct stage stage;
            layouts_open(&stage, a, 21, 80, (const char *[]){formats[f]->name, "coo", NULL});
            static const int all_keys[] = {UIKEY_RIGHT, UIKEY_DOWN, UIKEY_END, ']', UIKEY_RIGHT,    ']',
                                           UIKEY_HOME,  '>',        'v',       'm', UIKEY_PAGE_DOWN};
            stage_keys(&stage, all_keys, sizeof all_keys / sizeof *all_keys);
            assert_int_equal(stage.surface.cut, 0);
        }
}

TEST(want_of_memory_is_an_error)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_layouts, layouts_pmpp(), FIELD_REAL, 21, 80);
    for (long k = 0;; k++) {
        struct error error = {0};
        struct session *session = &stage.session;
        conversions_free(&session->shown->conversions);
        memory_fail_after(k);
        void *opened = view_layouts.open(&stage.explorer, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (opened) view_layouts.close(opened);
        if (!failed) break;
        assert_null(opened);
        assert_int_equal(error.status, STATUS_MEMORY);
    }
    layouts_of(&stage)->count = 0;
}

TEST(flows_break_lines_and_cut_nothing)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text dump = {0};
    surface_resize(&surface, 4, 12, NULL);
    struct flow flow = {.surface = &surface, .rect = {0, 0, 4, 12}};
    assert_int_equal(flow_lines(&flow), 0);
    assert_true(flow_item(&flow, COLOUR_TEXT, "one"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "%s", "three"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "four"));
    assert_false(flow_item(&flow, COLOUR_TEXT, "more than twelve"));
    assert_true(flow_words(&flow, COLOUR_TEXT, "a longlonglonglong b"));
    assert_int_equal(flow_lines(&flow), 4);
    assert_false(flow_words(&flow, COLOUR_TEXT, "no room"));
    surface_dump(&surface, &dump);
    assert_string_equal(dump.data, "one  three\nfour a\nlonglonglong\nlong b no\n");
    assert_int_equal(surface.cut, 0);
}
