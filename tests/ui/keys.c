/* ui/keys, ui/everywhere: the tables of keys of all screens. This test compares their statements; each
 * screen's test checks the effects of its keys. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/browser/browser.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"
#include "ui/help.h"
#include "ui/widgets/list.h"

/* The keys of a line of help leave room for its text, and a name in the footer is a word or two. */
#define KEYS_MAX 34
#define NAME_MAX_COLUMNS 14

/* A name of the footer begins with one of these: it names the action of the key. */
static const char *const verbs[] = {
    "name",    "browse", "cancel", "change", "choose",  "close",  "colour", "compare", "compute", "draw",
    "edit",    "expand", "fill",   "filter", "find",    "fit",    "go",     "help",    "hide",    "jump",
    "learn",   "leave",  "move",   "open",   "overlay", "pick",   "play",   "plot",    "quit",    "reset",
    "reverse", "run",    "save",   "scale",  "scroll",  "select", "set",    "shade",   "show",    "solve",
    "sort",    "split",  "stack",  "step",   "sweep",   "tune",   "switch", "zoom",
};

static bool begins_with_a_verb(const char *name)
{
    size_t length = strcspn(name, " ");
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
        if (strlen(verbs[k]) == length && strncmp(name, verbs[k], length) == 0) return true;
    return false;
}

static const int pressed[] = {UIKEY_UP,      UIKEY_DOWN,      UIKEY_LEFT,   UIKEY_RIGHT,
                              UIKEY_PAGE_UP, UIKEY_PAGE_DOWN, UIKEY_HOME,   UIKEY_END,
                              UIKEY_ENTER,   UIKEY_BACKSPACE, UIKEY_DELETE, UIKEY_TAB,
                              UIKEY_F1,      UIKEY_BACKTAB,   UIKEY_ESCAPE, UIKEY_F10};

/* Every action has a key and a line of help; no key appears twice. */
static void check_table(const char *title, const struct action *table)
{
    assert_true(table->run && table->help); /* the first action has a line of help */
    for (const struct action *action = table; action->run; action++) {
        char keys[KEYS_TEXT];
        if (!action->keys[0]) fail_msg("%s: an action without a key", title);
        for (int k = 0; k < ACTION_KEYS && action->keys[k]; k++)
            if (action_find(table, action->keys[k]) != action)
                fail_msg("%s: %s has a key of another one", title, action_keys(action, keys));
        if (!action->help) {
            assert_null(action->name); /* it shares the line of the one before */
            continue;
        }
        assert_int_equal(islower((unsigned char)action->help[0]) || isdigit((unsigned char)action->help[0]) ||
                             strncmp(action->help, "K ", 2) == 0,
                         1);
        if (strlen(action_keys(action, keys)) > KEYS_MAX) fail_msg("%s: %s is long", title, keys);
        if (strchr(keys, '?') && !action_find(action, '?'))
            fail_msg("%s: a key of '%s' has no name", title, action->help);
        if (action->name && strlen(action->name) > NAME_MAX_COLUMNS)
            fail_msg("%s: %s is no short name", title, action->name);
        if (action->name && !begins_with_a_verb(action->name))
            fail_msg("%s: %s is no verb", title, action->name);
    }
}

static void check_apart(const char *title, const struct action *table, const struct action *other)
{
    for (const struct action *action = table; action->run; action++)
        for (int k = 0; k < ACTION_KEYS && action->keys[k]; k++) {
            char keys[KEYS_TEXT];
            if (action_find(other, action->keys[k]))
                fail_msg("%s: %s means something on all screens", title, action_keys(action, keys));
        }
}

TEST(every_key_is_said_and_means_one_thing)
{
    struct action everywhere[EVERYWHERE_MAX];
    everywhere_actions(everywhere);
    check_table("everywhere", everywhere);
    check_table("the help", help_actions);
    check_table("waiting", waiting_actions);
    check_table("loading", loading_actions);
    check_table("small", small_actions);
    everywhere_browsing(everywhere);
    check_table("everywhere, for a browser", everywhere);
    check_table("browser", browser_about()->actions);
    check_apart("waiting", waiting_actions, everywhere);
    for (int k = 0; views[k]; k++) {
        check_table(views[k]->title, views[k]->actions);
        check_apart(views[k]->title, views[k]->actions, everywhere);
        const size_t length = strlen(views[k]->question);
        assert_true(length > 0 && length < 32 && views[k]->question[length - 1] == '?');
        assert_true((views[k]->mouse != NULL) == (views[k]->gesture.name != NULL));
        assert_true((views[k]->gesture.name != NULL) == (views[k]->gesture.help != NULL));
    }
}

static bool says(const struct surface *surface, const char *text)
{
    FREED(text_free) struct text dump = {0};
    surface_dump(surface, &dump);
    bool found = strstr(dump.data, text) != NULL;
    return found;
}

/* The help has each line of the table, with its keys; names of the footer are in the footer. */
TEST(help_and_footer_are_of_the_tables)
{
    struct action everywhere[EVERYWHERE_MAX];
    FREED(surface_free) struct surface surface = {0};
    everywhere_actions(everywhere);
    for (int v = 0; views[v]; v++) {
        const struct help_section sections[] = {
            {"Keys of this screen", views[v]->actions}, {"Keys everywhere", everywhere}, {NULL, NULL}};
        const struct action *tables[] = {views[v]->actions, everywhere};
        struct help help = {0};
        struct footer footer = {0};
        assert_int_equal(surface_resize(&surface, 120, 200, NULL), STATUS_OK);
        surface_clear(&surface);
        help_draw(&help, &surface, (struct rect){0, 0, 119, 200}, true, views[v], sections);
        assert_true(help.lines <= help.room);
        chrome_footer(&footer, &surface, &(struct footer_table){.actions = views[v]->actions},
                      &(struct footer_table){.actions = everywhere});
        struct footer wide = {0};
        footer_add(&wide, views[v]->actions, 0, 1000);
        for (int t = 0; t < 2; t++)
            for (const struct action *at = tables[t]; at->run; at += action_count(at)) {
                char keys[KEYS_TEXT], line[KEYS_TEXT + 80];
                snprintf(line, sizeof line, "| %-10s ", action_keys(at, keys));
                if (!says(&surface, line)) fail_msg("%s: no '%s'", views[v]->title, line);
                snprintf(line, sizeof line, "%.25s", at->help);
                if (!says(&surface, line)) fail_msg("%s: no '%s'", views[v]->title, line);
                bool listed = t == 1;
                for (int k = 0; k < wide.count; k++)
                    listed = listed || wide.items[k].action == at;
                assert_true(listed == (t == 1 || at->name));
            }
        if (views[v]->gesture.name) assert_true(says(&surface, views[v]->gesture.name));
    }
}

/* At each width the footer has the key of the help, and keys of the screen, or all keys that all screens
 * share. A click on a name presses its key. */
TEST(the_footer_is_clicked)
{
    struct action everywhere[EVERYWHERE_MAX];
    FREED(surface_free) struct surface surface = {0};
    everywhere_actions(everywhere);
    for (int v = 0; views[v]; v++)
        for (int wide = 72; wide <= 160; wide += 8)
            for (int lone = 0; lone < 2; lone++) {
                struct footer footer = {0};
                const struct explorer explorer = {.view = v};
                const struct footer_table shown = {.actions = lone ? NULL : views[v]->actions},
                                          common = {.actions = everywhere};
                int last = 0, own = 0;
                assert_int_equal(surface_resize(&surface, 24, wide, NULL), STATUS_OK);
                surface_clear(&surface);
                chrome_footer(&footer, &surface, &shown, &common);
                chrome_bottom(&explorer, &surface, NULL, NULL, &footer);
                assert_int_equal(surface.cut, 0);
                assert_true(says(&surface, "? help"));
                if (lone && !says(&surface, "? help  g go to  / find  n find next  Tab switch"))
                    fail_msg("%s, %d columns: keys of all screens are missing", views[v]->title, wide);
                for (int k = 0; k < footer.count; k++) {
                    const struct footer_item *item = &footer.items[k];
                    assert_true(item->x >= last && item->x + item->wide < wide);
                    last = item->x + item->wide;
                    assert_int_equal(footer_key_at(&footer, 23, item->x), item->action->keys[0]);
                    assert_int_equal(footer_key_at(&footer, 23, last - 1), item->action->keys[0]);
                    assert_int_equal(footer_key_at(&footer, 22, item->x), 0);
                    assert_int_equal(footer_key_at(&footer, 23, last), 0);
                    own += action_find(views[v]->actions, item->action->keys[0]) != NULL;
                }
                assert_true(lone ? own == 0 : own >= 3);
            }
}

static enum use use_as(const struct explorer *explorer, const void *state, int use)
{
    return *(const bool *)state ? (enum use)use : USE_NONE;
}

static void nothing(struct explorer *explorer, void *state, int unused)
{
}

/* The footer has the urgent keys first, then the others that help, and leaves out useless ones. Those of all
 * screens come last, but for urgent ones. */
TEST(the_footer_has_what_helps_now)
{
    static const struct action own[] =
        {{.keys = {'a'}, .run = nothing, .name = "add", .help = "add"},
         {.keys = {'b'}, .run = nothing, .argument = USE_NONE, .name = "beat", .help = "beat", .use = use_as},
         {.keys = {'c'}, .run = nothing, .argument = USE_URGENT, .name = "cut", .help = "cut", .use = use_as},
         {.keys = {'d'}, .run = nothing, .argument = USE_SOME, .name = "drop", .help = "drop", .use = use_as},
         {.run = NULL}},
                               all[] = {{.keys = {'?'}, .run = nothing, .name = "help", .help = "help"},
                                        {.keys = {'x'},
                                         .run = nothing,
                                         .argument = USE_URGENT,
                                         .name = "stop",
                                         .help = "stop",
                                         .use = use_as},
                                        {.run = NULL}};
    const struct explorer explorer = {.view = 0};
    FREED(surface_free) struct surface surface = {0};
    const bool yes = true, no = false;
    struct footer footer = {0};
    assert_int_equal(surface_resize(&surface, 24, 80, NULL), STATUS_OK);
    surface_clear(&surface);
    chrome_footer(&footer, &surface, &(struct footer_table){own, &explorer, &yes},
                  &(struct footer_table){all, &explorer, &yes});
    footer_draw(&footer, &surface, 23);
    assert_true(says(&surface, " x stop  c cut  a add  d drop  ? help\n"));
    surface_clear(&surface);
    chrome_footer(&footer, &surface, &(struct footer_table){own, &explorer, &no},
                  &(struct footer_table){all, &explorer, &no});
    footer_draw(&footer, &surface, 23);
    assert_true(says(&surface, "\n a add  ? help\n"));
}

/* On the smallest terminal all of the help can be reached, and no key or word of it is cut. */
TEST(the_help_is_whole_on_a_small_terminal)
{
    struct action everywhere[EVERYWHERE_MAX];
    FREED(surface_free) struct surface surface = {0};
    everywhere_actions(everywhere);
    assert_int_equal(surface_resize(&surface, 17, 72, NULL), STATUS_OK);
    for (int v = 0; views[v]; v++) {
        const struct help_section sections[] = {{"Keys of this screen", views[v]->actions},
                                                {"Keys everywhere", everywhere},
                                                {"Keys of this help", help_actions},
                                                {NULL, NULL}};
        struct help help = {0};
        FREED(text_free) struct text seen = {0};
        do {
            surface_clear(&surface);
            help_draw(&help, &surface, (struct rect){0, 0, 17, 72}, true, views[v], sections);
            if (surface.cut) fail_msg("%s: the help is cut at line %d", views[v]->title, help.top);
            surface_dump(&surface, &seen);
            help.top++;
        } while (help.top + help.room <= help.lines);
        for (int s = 0; sections[s].title; s++)
            for (const struct action *at = sections[s].actions; at->run; at += action_count(at)) {
                char keys[KEYS_TEXT];
                if (!strstr(seen.data, action_keys(at, keys))) fail_msg("%s: no '%s'", views[v]->title, keys);
            }
    }
}

static const struct view *view_of_title(const char *title)
{
    int k = 0;
    while (strcmp(views[k]->title, title) != 0)
        k++;
    return views[k];
}

/* A sentence that names a key names the right one. */
TEST(sentences_name_keys_of_the_tables)
{
    struct action everywhere[EVERYWHERE_MAX];
    char key[KEY_TEXT], keys[KEYS_TEXT];
    everywhere_actions(everywhere);
    for (const struct action *at = everywhere; at->run; at++) {
        struct explorer explorer = {0};
        at->run(&explorer, NULL, at->argument);
        if (explorer.demand == DEMAND_NONE) continue;
        everywhere_key(explorer.demand, key);
        assert_true(strlen(key) > 0);
        assert_int_equal(strncmp(action_keys(at, keys), key, strlen(key)), 0);
    }
    assert_string_equal(everywhere_key(DEMAND_CANCEL, key), "x");
    assert_string_equal(everywhere_key(DEMAND_COMPUTE, key), "Enter");
    assert_string_equal(everywhere_key(DEMAND_NONE, key), "");
}

/* A sentence has the keys of the table; other letters stay as they are. */
TEST(sentences_take_keys_from_a_table)
{
    static const char *const cases[][2] = {
        {"{run 2} runs all kernels, {run 1} one", "R runs all kernels, r one"},
        {"{run} runs", "r R runs"},
        {"{remove} removes, {older and newer runs 2} goes on", "Del removes, ] goes on"},
        {"{expand}", "Enter"},
        {"{run 3} {nothing} {run", "{run 3} {nothing} {run"},
        {"", ""},
    };
    char prose[PROSE_SIZE], text[2 * PROSE_SIZE];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(keys_prose(view_of_title("Kernels")->actions, cases[k][0], prose), cases[k][1]);
    memset(text, 'a', sizeof text - 1);
    memcpy(text + PROSE_SIZE - 4, "{expand}", 8);
    text[sizeof text - 1] = 0;
    keys_prose(view_of_title("Kernels")->actions, text, prose);
    assert_int_equal(strlen(prose), PROSE_SIZE - 1); /* "Ent", and no more */
}

/* Each word in braces in a sentence of the sources is in a table of keys, so that this test finds a renamed
 * line of help. */
TEST(sentences_name_lines_that_there_are)
{
    const char *source = getenv("SRCDIR");
    struct action everywhere[EVERYWHERE_MAX];
    char command[4096], line[512], prose[PROSE_SIZE];
    int words = 0;
    everywhere_actions(everywhere);
    snprintf(command, sizeof command,
             "grep -rhE '\"[^\"]*[{][a-z][A-Za-z, ]*( [1-9])?[}][^\"]*\"' '%s/src/ui' --include='*.c' | "
             "grep -oE '[{][a-z][A-Za-z, ]*( [1-9])?[}]'",
             source ? source : ".");
    FILE *found = popen(command, "r");
    assert_non_null(found);
    for (; fgets(line, sizeof line, found); words++) {
        line[strcspn(line, "\n")] = 0;
        bool known = strcmp(keys_prose(everywhere, line, prose), line) != 0 ||
                     strcmp(keys_prose(browser_about()->actions, line, prose), line) != 0;
        for (int k = 0; views[k]; k++)
            known = known || strcmp(keys_prose(views[k]->actions, line, prose), line) != 0;
        if (!known) fail_msg("no table of keys has %s", line);
    }
    pclose(found);
    assert_true(words >= 20);
}

/* A click on one of several keys presses that one. */
TEST(keys_of_one_line_are_apart)
{
    static const struct action table[] = {
        {.keys = {UIKEY_LEFT, 'h'}, .run = nothing, .name = "move", .help = "move"},
        {.keys = {UIKEY_RIGHT, 'l'}, .run = nothing},
        {.keys = {'['}, .run = nothing, .name = "turn", .help = "turn"},
        {.keys = {']'}, .run = nothing},
        {.run = NULL},
    };
    struct footer footer = {0};
    FREED(surface_free) struct surface surface = {0};
    assert_int_equal(surface_resize(&surface, 1, 40, NULL), STATUS_OK);
    assert_int_equal(footer_add(&footer, table, 2, 40), 2 + 15 + 2 + 8);
    footer_draw(&footer, &surface, 0);
    assert_true(says(&surface, "  Left Right move  [ ] turn"));
    assert_int_equal(footer_key_at(&footer, 0, 2), UIKEY_LEFT);
    assert_int_equal(footer_key_at(&footer, 0, 5), UIKEY_LEFT);
    assert_int_equal(footer_key_at(&footer, 0, 6), UIKEY_RIGHT); /* a blank belongs to the next word */
    assert_int_equal(footer_key_at(&footer, 0, 7), UIKEY_RIGHT);
    assert_int_equal(footer_key_at(&footer, 0, 14), UIKEY_LEFT); /* the name */
    assert_int_equal(footer_key_at(&footer, 0, 17), 0);
    assert_int_equal(footer_key_at(&footer, 0, 19), '[');
    assert_int_equal(footer_key_at(&footer, 0, 21), ']');
    for (int end = 7; end <= 12;
         end++) { /* names that do not fit are left out: 8 columns or more are there */
        footer.count = 0;
        assert_int_equal(footer_add(&footer, table, 0, end), end < 8 ? 0 : 8);
        assert_int_equal(footer.count, end >= 8);
    }
    assert_ptr_equal(footer.items[0].action, &table[2]);
}

TEST(keys_are_written_as_on_the_keyboard)
{
    static const struct action arrows[] = {
        {.keys = {UIKEY_LEFT, 'h'}, .run = nothing, .help = "move"},
        {.keys = {UIKEY_DOWN, 'j'}, .run = nothing},
        {.keys = {UIKEY_UP, 'k'}, .run = nothing},
        {.keys = {UIKEY_RIGHT, 'l'}, .run = nothing},
        {.keys = {' ', CTRL('L'), UIKEY_DELETE}, .run = nothing, .help = "another"},
        {.keys = {'1'}, .run = nothing, .help = "digits"},
        {.keys = {'2'}, .run = nothing},
        {.keys = {'3'}, .run = nothing},
        {.keys = {'4'}, .run = nothing},
        {.keys = {UIKEY_UP}, .run = nothing, .help = "one direction"},
        {.keys = {UIKEY_DOWN}, .run = nothing},
        {.run = NULL},
    };
    char keys[KEYS_TEXT];
    assert_int_equal(action_count(&arrows[0]), 4);
    assert_string_equal(action_keys(&arrows[0], keys), "arrows, hjkl");
    assert_string_equal(action_keys(&arrows[4], keys), "Space, Ctrl-L, Del");
    assert_string_equal(action_keys(&arrows[5], keys), "1 .. 4");
    assert_string_equal(action_keys(&arrows[9], keys), "Up Down");
    for (size_t k = 0; k < sizeof pressed / sizeof *pressed; k++) {
        const struct action one[] = {{.keys = {pressed[k]}, .run = nothing, .help = "it"}, {.run = NULL}};
        assert_null(strchr(action_keys(one, keys), '?')); /* all have names */
    }
}

/* Each screen of the table of views has its digit. */
TEST(screens_are_those_of_the_table)
{
    struct action everywhere[EVERYWHERE_MAX];
    char keys[KEYS_TEXT], expected[16];
    everywhere_actions(everywhere);
    snprintf(expected, sizeof expected, "1 .. %d", view_count());
    assert_string_equal(action_keys(everywhere, keys), expected);
    for (int k = 0; k < view_count(); k++) {
        struct explorer explorer = {.view = (k + 1) % view_count()};
        const struct action *action = action_find(everywhere, view_key(k));
        assert_non_null(action);
        action->run(&explorer, NULL, action->argument);
        assert_int_equal(explorer.view, k);
        action = action_find(everywhere, UIKEY_TAB);
        action->run(&explorer, NULL, action->argument);
        assert_int_equal(explorer.view, (k + 1) % view_count());
        action = action_find(everywhere, UIKEY_BACKTAB);
        action->run(&explorer, NULL, action->argument);
        assert_int_equal(explorer.view, k);
    }
    assert_null(action_find(everywhere, view_key(view_count())));
    assert_int_equal(view_of_key(view_key(view_count())), view_count());
    assert_int_equal(view_of_key('0'), -1);
    assert_int_equal(view_of_key('a'), -1);
}
