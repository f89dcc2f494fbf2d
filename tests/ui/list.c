/* ui/widgets/list: the dialog whose rows are chosen among. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "support/unit.h"
#include "ui/widgets/list.h"

#define ROWS 40

/* The rows of the list: "row 0" .. with their squares. Number 7 is not available. */
struct shelf {
    bool marked[ROWS];
    int count;  /* of rows */
    int chosen; /* the last one, -1: none */
    int cleared;
};

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct shelf *shelf = state;
    for (int k = 0; k < shelf->count; k++) {
        struct list_row *row = list_add(list);
        list_write(row, 0, "%s %d", k == 23 ? "Twenty-three" : "row", k);
        list_write(row, 1, "%d", k * k);
        if (!row) return;
        row->marked = shelf->marked[k];
        row->alerts[1] = k == 5;
        if (k == 7) snprintf(row->reason, sizeof row->reason, "seven is out of order");
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    struct shelf *shelf = state;
    shelf->chosen = row;
    shelf->marked[row] = !shelf->marked[row];
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    flow_words(flow, COLOUR_TEXT, "about");
    flow_words(flow, COLOUR_TEXT, list->rows[list->selected].cells[0]);
    flow_words(flow, COLOUR_BAD, list->rows[list->selected].reason);
}

static void clear(struct explorer *explorer, void *state, int argument)
{
    struct shelf *shelf = state;
    shelf->cleared += argument;
}

static const struct action own[] = {
    {.keys = {'0'}, .run = clear, .argument = 5, .name = "clears", .help = "clear the shelf"},
    {.run = NULL},
};

static const struct list_kind marking = {
    .title = "Shelf",
    .wide = 72,
    .foot_high = 2,
    .marks = true,
    .columns = {{.title = "name"}, {.title = "square", .wide = 9, .numbers = true}},
    .actions = own,
    .fill = fill,
    .choose = choose,
    .about = about,
};

static const struct list_kind choosing = {
    .title = "One of them",
    .wide = 40,
    .foot_high = 1,
    .columns = {{.title = "name"}},
    .fill = fill,
    .choose = choose,
    .about = about,
};

struct fixture {
    struct explorer explorer;
    struct shelf shelf;
    struct list list;
    struct surface surface;
    struct text picture;
};

static void begin(struct fixture *fixture, const struct list_kind *kind, int high, int wide)
{
    *fixture = (struct fixture){.shelf = {.count = ROWS, .chosen = -1}};
    assert_int_equal(surface_resize(&fixture->surface, high, wide, NULL), STATUS_OK);
    list_open(&fixture->explorer, &fixture->list, kind, &fixture->shelf, 0);
}

static void end(struct fixture *fixture)
{
    list_free(&fixture->list);
    surface_free(&fixture->surface);
    text_free(&fixture->picture);
}

static const char *drawn(struct fixture *fixture)
{
    struct rect area = {0, 0, fixture->surface.high, fixture->surface.wide};
    text_free(&fixture->picture);
    fixture->picture = (struct text){0};
    surface_clear(&fixture->surface);
    if (list_is_open(&fixture->list)) list_draw(&fixture->explorer, &fixture->list, &fixture->surface, area);
    surface_dump(&fixture->surface, &fixture->picture);
    return fixture->picture.data;
}

static void shows(struct fixture *fixture, const char *text)
{
    if (!strstr(drawn(fixture), text)) fail_msg("no '%s' in\n%s", text, fixture->picture.data);
}

static void hides(struct fixture *fixture, const char *text)
{
    if (strstr(drawn(fixture), text)) fail_msg("'%s' in\n%s", text, fixture->picture.data);
}

static bool press(struct fixture *fixture, int key)
{
    bool taken = list_key(&fixture->explorer, &fixture->list, key);
    drawn(fixture);
    return taken;
}

static void type(struct fixture *fixture, const char *characters)
{
    for (; *characters; characters++)
        press(fixture, *characters);
}

/* Beside a frame that is nearly as wide as the screen no cut words are left. */
TEST(a_frame_takes_all_columns_but_for_few)
{
    struct fixture f;
    begin(&f, &marking, 20, 77);
    assert_non_null(strstr(drawn(&f), "\u250c\u2500 Shelf"));
    assert_int_equal(f.surface.cells[f.surface.wide].character, 0x2502);
    end(&f);
    begin(&f, &marking, 20, 78);
    drawn(&f);
    assert_int_equal(f.surface.cells[f.surface.wide + 3].character, 0x2502);
    end(&f);
}

TEST(rows_stand_in_columns_with_their_marks)
{
    struct fixture f;
    begin(&f, &marking, 20, 80);
    f.shelf.marked[2] = true;
    shows(&f, "Shelf");
    shows(&f, "name                                       square");
    shows(&f, "[ ] row 1                                           1");
    shows(&f, "[\u2022] row 2 ");
    shows(&f, "row 7                                          49  not available");
    shows(&f, "26 more");
    shows(&f, "about row 0");
    f.explorer.ascii = true;
    shows(&f, "[x] row 2 ");
    assert_int_equal(f.surface.cut, 0);
    end(&f);
}

/* The square of 5, and nothing else. */
TEST(cells_that_deserve_attention_are_coloured)
{
    struct fixture f;
    int warned = 0;
    begin(&f, &marking, 20, 80);
    drawn(&f);
    for (int k = 0; k < f.surface.high * f.surface.wide; k++)
        if (f.surface.cells[k].foreground == COLOUR_WARN && f.surface.cells[k].character != ' ') {
            assert_int_equal(k / f.surface.wide, f.list.area.top + 5);
            assert_true(strchr("25", (int)f.surface.cells[k].character));
            warned++;
        }
    assert_int_equal(warned, 2);
    end(&f);
}

TEST(keys_move_and_the_selected_row_stays_in_sight)
{
    struct fixture f;
    begin(&f, &marking, 20, 80);
    drawn(&f);
    int page = f.list.area.high;
    assert_int_equal(page, 14);
    static const struct {
        int key, selected;
    } steps[] = {{UIKEY_UP, 0},         {UIKEY_DOWN, 1}, {'j', 2},           {'k', 1},
                 {UIKEY_PAGE_DOWN, 15}, {UIKEY_END, 39}, {UIKEY_DOWN, 39},   {UIKEY_PAGE_UP, 25},
                 {UIKEY_HOME, 0},       {'z', 0},        {UIKEY_PAGE_UP, 0}, {UIKEY_PAGE_DOWN, 14}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        assert_int_equal(press(&f, steps[k].key), steps[k].key != 'z');
        assert_int_equal(f.list.selected, steps[k].selected);
        assert_true(f.list.top <= f.list.selected && f.list.selected < f.list.top + page);
        char about_it[32];
        snprintf(about_it, sizeof about_it, "about row %d", steps[k].selected);
        shows(&f, about_it);
        int y = f.list.area.top + f.list.selected - f.list.top;
        assert_true(f.surface.cells[y * f.surface.wide + f.list.area.left].attributes & ATTRIBUTE_REVERSE);
    }
    shows(&f, " 25 more"); /* rows 1 to 14 are in sight */
    press(&f, UIKEY_END);
    hides(&f, " more");
    end(&f);
}

TEST(choosing_marks_or_closes)
{
    struct fixture f;
    begin(&f, &marking, 20, 80);
    press(&f, UIKEY_DOWN);
    press(&f, ' ');
    assert_int_equal(f.shelf.chosen, 1);
    assert_true(list_is_open(&f.list));
    shows(&f, "[\u2022] row 1");
    press(&f, '0'); /* a key of this list alone */
    assert_int_equal(f.shelf.cleared, 5);
    press(&f, UIKEY_ENTER);
    assert_false(list_is_open(&f.list));
    assert_int_equal(f.shelf.chosen, 1);
    hides(&f, "Shelf");
    end(&f);

    static const int choose_keys[] = {UIKEY_ENTER, ' '}, close_keys[] = {UIKEY_ESCAPE, UIKEY_BACKSPACE};
    for (int k = 0; k < 2; k++) {
        begin(&f, &choosing, 20, 80);
        press(&f, UIKEY_END);
        press(&f, choose_keys[k]);
        assert_false(list_is_open(&f.list));
        assert_int_equal(f.shelf.chosen, ROWS - 1);
        end(&f);
        begin(&f, &choosing, 20, 80);
        hides(&f, "[ ]");
        assert_false(press(&f, '0'));
        press(&f, close_keys[k]);
        assert_false(list_is_open(&f.list));
        assert_int_equal(f.shelf.chosen, -1);
        end(&f);
    }
}

TEST(unavailable_rows_have_a_reason)
{
    struct fixture f;
    begin(&f, &choosing, 20, 80);
    for (int k = 0; k < 7; k++)
        press(&f, UIKEY_DOWN);
    shows(&f, "row 7                  not available");
    shows(&f, "about row 7 seven is out of order");
    end(&f);
}

TEST(rows_are_found_by_typing)
{
    struct fixture f;
    begin(&f, &marking, 20, 80);
    type(&f, "n");
    assert_non_null(strstr(f.explorer.message, "nothing to repeat"));
    type(&f, "/");
    shows(&f, "Find:");
    hides(&f, "close");
    type(&f, "TWENTY");
    assert_int_equal(f.list.selected, 23);
    shows(&f, "Find: TWENTY");
    press(&f, UIKEY_ENTER);
    assert_int_equal(f.list.selected, 23);
    shows(&f, "close");
    type(&f, "/row 3");
    assert_int_equal(f.list.selected, 30); /* the next one from 23 on */
    type(&f, "9");
    assert_int_equal(f.list.selected, 39);
    press(&f, UIKEY_BACKSPACE);
    assert_int_equal(f.list.selected, 30);
    press(&f, UIKEY_ESCAPE); /* back to where it began */
    assert_int_equal(f.list.selected, 23);
    assert_true(list_is_open(&f.list));
    type(&f, "/196"); /* in any column: 14 x 14 */
    assert_int_equal(f.list.selected, 14);
    press(&f, UIKEY_DOWN);
    assert_int_equal(f.list.selected, 15);
    type(&f, "/q1 ?"); /* not the keys of the list, nor of all screens; and nowhere */
    assert_int_equal(f.list.selected, 15);
    shows(&f, "Find: q1 ?");
    press(&f, UIKEY_ESCAPE);
    type(&f, "/row 1");
    assert_int_equal(f.list.selected, 15);
    press(&f, UIKEY_ENTER);
    type(&f, "nn");
    assert_int_equal(f.list.selected, 17);
    press(&f, UIKEY_END);
    type(&f, "n"); /* round to the first */
    assert_int_equal(f.list.selected, 1);
    type(&f, "/");
    type(&f, "0123456789012345678901234567890123456789"); /* more than is kept */
    shows(&f, "Find: 0123456789012345678901234567890 ");
    end(&f);
}

TEST(the_mouse_selects_marks_and_presses_keys)
{
    struct fixture f;
    begin(&f, &marking, 20, 80);
    const char *picture = drawn(&f);
    int top = f.list.area.top, left = f.list.area.left;
    const struct mouse row = {top + 3, left + 10, MOUSE_PRESS}, box = {top + 4, left + 1, MOUSE_PRESS};
    list_mouse(&f.explorer, &f.list, &row);
    assert_int_equal(f.list.selected, 3);
    assert_int_equal(f.shelf.chosen, -1);
    list_mouse(&f.explorer, &f.list, &box);
    assert_int_equal(f.shelf.chosen, 4);
    list_mouse(&f.explorer, &f.list, &(struct mouse){0, 0, MOUSE_WHEEL_DOWN});
    assert_int_equal(f.list.selected, 5);
    list_mouse(&f.explorer, &f.list, &(struct mouse){0, 0, MOUSE_WHEEL_UP});
    assert_int_equal(f.list.selected, 4);
    picture = drawn(&f);
    int y = 0;
    const char *line = picture;
    while (strcspn(line, "\n") < strlen(line) &&
           !(strstr(line, "clears") && strstr(line, "clears") < strchr(line, '\n'))) {
        line = strchr(line, '\n') + 1;
        y++;
    }
    for (int x = 0; x < 80; x++) /* somewhere in the line are the names of keys */
        if (f.surface.cells[y * 80 + x].character == '0')
            list_mouse(&f.explorer, &f.list, &(struct mouse){y, x, MOUSE_PRESS});
    assert_int_equal(f.shelf.cleared, 5);
    end(&f);

    begin(&f, &choosing, 20, 80);
    drawn(&f);
    f.shelf.count = 6; /* since the list was drawn: the click was on the seventh row */
    list_mouse(&f.explorer, &f.list, &(struct mouse){f.list.area.top + 6, f.list.area.left + 9, MOUSE_PRESS});
    assert_int_equal(f.shelf.chosen, 5);
    end(&f);

    begin(&f, &choosing, 20, 80);
    drawn(&f);
    list_mouse(&f.explorer, &f.list, &(struct mouse){f.list.area.top + 6, f.list.area.left + 9, MOUSE_PRESS});
    assert_int_equal(f.shelf.chosen, 6);
    assert_false(list_is_open(&f.list));
    end(&f);
}

TEST(without_memory_there_are_no_rows)
{
    struct fixture f = {.shelf = {.count = ROWS, .chosen = -1}};
    assert_int_equal(surface_resize(&f.surface, 20, 80, NULL), STATUS_OK);
    memory_fail_after(0);
    list_open(&f.explorer, &f.list, &marking, &f.shelf, 3);
    assert_int_equal(memory_failures(), 1);
    memory_fail_after(-1);
    assert_int_equal(f.list.count, 0);
    assert_int_equal(f.list.selected, 0);
    memory_fail_after(0);
    list_key(&f.explorer, &f.list, ' ');
    memory_fail_after(-1);
    assert_int_equal(f.shelf.chosen, -1);
    end(&f);
}
