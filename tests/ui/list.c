/* ui/widgets/list: the dialog with rows to choose from. */
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
    int chosen; /* the last chosen row, -1: none */
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

static struct explorer explorer;
static struct shelf shelf;
static struct list list;
static struct surface surface;
static struct text picture;

static int end(void **state)
{
    list_free(&list);
    surface_free(&surface);
    text_free(&picture);
    return 0;
}

TESTS_BETWEEN(NULL, end)

/* Open a list with nothing left of the one before. */
static void begin(const struct list_kind *kind, int wide)
{
    end(NULL);
    explorer = (struct explorer){0};
    shelf = (struct shelf){.count = ROWS, .chosen = -1};
    list = (struct list){0};
    surface = (struct surface){0};
    picture = (struct text){0};
    assert_int_equal(surface_resize(&surface, 20, wide, NULL), STATUS_OK);
    list_open(&explorer, &list, kind, &shelf, 0);
}

static const char *drawn(void)
{
    text_free(&picture);
    picture = (struct text){0};
    surface_clear(&surface);
    if (list_is_open(&list))
        list_draw(&explorer, &list, &surface, (struct rect){0, 0, surface.high, surface.wide});
    surface_dump(&surface, &picture);
    return picture.data;
}

static bool press(int key)
{
    bool taken = list_key(&explorer, &list, key);
    drawn();
    return taken;
}

static void type(const char *characters)
{
    for (; *characters; characters++)
        press(*characters);
}

static void click(int y, int x)
{
    list_mouse(&explorer, &list, &(struct mouse){y, x, MOUSE_PRESS});
}

/* A frame that is nearly as wide as the screen takes it all, so that no cut words remain beside it. */
TEST(a_frame_takes_all_columns_but_for_few)
{
    begin(&marking, 77);
    assert_says(drawn(), "\u250c\u2500 Shelf");
    assert_int_equal(surface.cells[surface.wide].character, 0x2502);
    begin(&marking, 78);
    drawn();
    assert_int_equal(surface.cells[surface.wide + 3].character, 0x2502);
}

TEST(rows_stand_in_columns_with_their_marks)
{
    begin(&marking, 80);
    shelf.marked[2] = true;
    assert_says(drawn(), "Shelf", "name                                       square",
                "[ ] row 1                                           1", "[\u2022] row 2 ",
                "row 7                                          49  not available", "26 more", "about row 0");
    explorer.ascii = true;
    assert_says(drawn(), "[x] row 2 ");
    assert_int_equal(surface.cut, 0);
}

/* The square of 5, and nothing else. */
TEST(cells_that_deserve_attention_are_coloured)
{
    int warned = 0;
    begin(&marking, 80);
    drawn();
    for (int k = 0; k < surface.high * surface.wide; k++)
        if (surface.cells[k].foreground == COLOUR_WARN && surface.cells[k].character != ' ') {
            assert_int_equal(k / surface.wide, list.area.top + 5);
            assert_true(strchr("25", (int)surface.cells[k].character));
            warned++;
        }
    assert_int_equal(warned, 2);
}

TEST(keys_move_and_the_selected_row_stays_in_sight)
{
    begin(&marking, 80);
    drawn();
    int page = list.area.high;
    assert_int_equal(page, 14);
    static const struct {
        int key, selected;
    } steps[] = {{UIKEY_UP, 0},         {UIKEY_DOWN, 1}, {'j', 2},           {'k', 1},
                 {UIKEY_PAGE_DOWN, 15}, {UIKEY_END, 39}, {UIKEY_DOWN, 39},   {UIKEY_PAGE_UP, 25},
                 {UIKEY_HOME, 0},       {'z', 0},        {UIKEY_PAGE_UP, 0}, {UIKEY_PAGE_DOWN, 14}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        assert_int_equal(press(steps[k].key), steps[k].key != 'z');
        assert_int_equal(list.selected, steps[k].selected);
        assert_true(list.top <= list.selected && list.selected < list.top + page);
        char about_it[32];
        snprintf(about_it, sizeof about_it, "about row %d", steps[k].selected);
        assert_says(drawn(), about_it);
        int y = list.area.top + list.selected - list.top;
        assert_true(surface.cells[y * surface.wide + list.area.left].attributes & ATTRIBUTE_REVERSE);
    }
    assert_says(drawn(), " 25 more"); /* rows 1 to 14 are in sight */
    press(UIKEY_END);
    assert_lacks(drawn(), " more");
}

TEST(choosing_marks_or_closes)
{
    begin(&marking, 80);
    press(UIKEY_DOWN);
    press(' ');
    assert_int_equal(shelf.chosen, 1);
    assert_true(list_is_open(&list));
    assert_says(drawn(), "[\u2022] row 1");
    press('0'); /* a key of this list alone */
    assert_int_equal(shelf.cleared, 5);
    press(UIKEY_ENTER);
    assert_false(list_is_open(&list));
    assert_int_equal(shelf.chosen, 1);
    assert_lacks(drawn(), "Shelf");

    static const int choose_keys[] = {UIKEY_ENTER, ' '}, close_keys[] = {UIKEY_ESCAPE, UIKEY_BACKSPACE};
    for (int k = 0; k < 2; k++) {
        begin(&choosing, 80);
        press(UIKEY_END);
        press(choose_keys[k]);
        assert_false(list_is_open(&list));
        assert_int_equal(shelf.chosen, ROWS - 1);
        begin(&choosing, 80);
        assert_lacks(drawn(), "[ ]");
        assert_false(press('0'));
        press(close_keys[k]);
        assert_false(list_is_open(&list));
        assert_int_equal(shelf.chosen, -1);
    }
}

TEST(unavailable_rows_have_a_reason)
{
    begin(&choosing, 80);
    for (int k = 0; k < 7; k++)
        press(UIKEY_DOWN);
    assert_says(drawn(), "row 7                  not available", "about row 7 seven is out of order");
}

TEST(rows_are_found_by_typing)
{
    begin(&marking, 80);
    type("n");
    assert_says(explorer.message, "nothing to repeat");
    type("/");
    assert_says(drawn(), "Find:");
    assert_lacks(drawn(), "close");
    type("TWENTY");
    assert_int_equal(list.selected, 23);
    assert_says(drawn(), "Find: TWENTY");
    press(UIKEY_ENTER);
    assert_int_equal(list.selected, 23);
    assert_says(drawn(), "close");
    type("/row 3");
    assert_int_equal(list.selected, 30); /* the next one from 23 on */
    type("9");
    assert_int_equal(list.selected, 39);
    press(UIKEY_BACKSPACE);
    assert_int_equal(list.selected, 30);
    press(UIKEY_ESCAPE); /* back to where it began */
    assert_int_equal(list.selected, 23);
    assert_true(list_is_open(&list));
    type("/196"); /* in any column: 14 x 14 */
    assert_int_equal(list.selected, 14);
    press(UIKEY_DOWN);
    assert_int_equal(list.selected, 15);
    type("/q1 ?"); /* neither keys of the list nor of all screens; not found */
    assert_int_equal(list.selected, 15);
    assert_says(drawn(), "Find: q1 ?");
    press(UIKEY_ESCAPE);
    type("/row 1");
    assert_int_equal(list.selected, 15);
    press(UIKEY_ENTER);
    type("nn");
    assert_int_equal(list.selected, 17);
    press(UIKEY_END);
    type("n"); /* round to the first */
    assert_int_equal(list.selected, 1);
    type("/");
    type("0123456789012345678901234567890123456789"); /* longer than the limit */
    assert_says(drawn(), "Find: 0123456789012345678901234567890 ");
}

TEST(the_mouse_selects_marks_and_presses_keys)
{
    begin(&marking, 80);
    drawn();
    int top = list.area.top, left = list.area.left;
    click(top + 3, left + 10);
    assert_int_equal(list.selected, 3);
    assert_int_equal(shelf.chosen, -1);
    click(top + 4, left + 1);
    assert_int_equal(shelf.chosen, 4);
    list_mouse(&explorer, &list, &(struct mouse){0, 0, MOUSE_WHEEL_DOWN});
    assert_int_equal(list.selected, 5);
    list_mouse(&explorer, &list, &(struct mouse){0, 0, MOUSE_WHEEL_UP});
    assert_int_equal(list.selected, 4);
    int y = 0;
    const char *line = drawn();
    while (strcspn(line, "\n") < strlen(line) &&
           !(strstr(line, "clears") && strstr(line, "clears") < strchr(line, '\n'))) {
        line = strchr(line, '\n') + 1;
        y++;
    }
    for (int x = 0; x < 80; x++) /* somewhere in the line are the names of keys */
        if (surface.cells[y * 80 + x].character == '0') click(y, x);
    assert_int_equal(shelf.cleared, 5);

    begin(&choosing, 80);
    drawn();
    shelf.count = 6; /* the list shrank after drawing; the click */
    click(list.area.top + 6, list.area.left + 9);
    assert_int_equal(shelf.chosen, 5);

    begin(&choosing, 80);
    drawn();
    click(list.area.top + 6, list.area.left + 9);
    assert_int_equal(shelf.chosen, 6);
    assert_false(list_is_open(&list));
}

TEST(without_memory_there_are_no_rows)
{
    begin(&marking, 80);
    list_free(&list);
    memory_fail_after(0);
    list_open(&explorer, &list, &marking, &shelf, 3);
    assert_int_equal(memory_failures(), 1);
    memory_fail_after(-1);
    assert_int_equal(list.count, 0);
    assert_int_equal(list.selected, 0);
    memory_fail_after(0);
    list_key(&explorer, &list, ' ');
    memory_fail_after(-1);
    assert_int_equal(shelf.chosen, -1);
}
