#include "ui/browser/browser.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ui/browser/level.h"
#include "ui/browser/start.h"

/* Milliseconds between drawings while a job runs: fewer soon after its start, when most jobs end. */
#define TICK_MS 50
#define FIRST_TICK_MS 10

enum status browser_open(const char *path, const struct load_options *options, struct browser **browser,
                         struct error *error)
{
    struct browser *b = memory_zeroed(1, sizeof *b, error);
    *browser = NULL;
    if (!b) return STATUS_MEMORY;
    b->options = b->large.options = b->other.options = options;
    b->levels[0] = level_open(path ? path : "", options, error);
    b->depth = 1;
    if (!b->levels[0]) {
        free(b);
        return STATUS_MEMORY;
    }
    *browser = b;
    return STATUS_OK;
}

void browser_offer(struct browser *browser, struct settings *settings)
{
    browser->offered = settings;
    browser->settings.lone = true;
}

void browser_tell(struct browser *browser, const struct error *error)
{
    explorer_say_error(&browser->explorer, error);
}

void browser_close(struct browser *browser)
{
    if (!browser) return;
    browser_stop(browser);
    list_free(&browser->settings.list);
    for (int k = 0; k < browser->depth; k++) {
        browser_forget(browser, browser->levels[k]);
        level_close(browser->levels[k]);
    }
    thumbnail_free(&browser->thumbnail);
    free(browser);
}

int browser_step(struct browser *browser)
{
    struct level *level = browser_level(browser);
    level_update(level);
    bool peeking = browser_peek(browser);
    int wait = browser_preview(browser);
    int job = !level->listed ? FIRST_TICK_MS : peeking || level->stale ? TICK_MS : -1;
    if (peeking && clock_seconds() - browser->peek.started < 0.1) job = FIRST_TICK_MS;
    if (wait < 0 || (job >= 0 && job < wait)) wait = job;
    int hold = browser_hold(browser);
    return hold && (wait < 0 || hold < wait) ? hold : wait;
}

void browser_rest(struct browser *browser)
{
    browser->panel_level = NULL; /* others draw on the surface */
    browser_stop(browser);
}

const char *browser_chosen(const struct browser *browser)
{
    const struct level *level = browser_level(browser);
    const struct row *row = level_row(level, level->selected);
    return row ? row->item->path : "";
}

bool browser_choose(struct browser *browser, int step, bool choose)
{
    struct level *level = browser_level(browser);
    for (int place = level->selected + step; place >= 0 && place < level->shown; place += step)
        if (row_opens(level_row(level, place))) {
            if (choose) level->selected = place;
            return true;
        }
    return false;
}

/* Go into a folder or an archive. */
static void enter(struct browser *browser, const char *path)
{
    struct error error = {0};
    if (browser->depth == LEVELS_MAX) {
        explorer_say(&browser->explorer, "folders nested more than %d deep cannot be opened", LEVELS_MAX);
        return;
    }
    struct level *level = level_open(path, browser->options, &error);
    if (!level) {
        explorer_say(&browser->explorer, "%s", error.message);
        return;
    }
    browser_stop(browser);
    browser->levels[browser->depth++] = level;
    browser->typing = false;
}

void browser_refused(struct browser *browser, const struct error *error)
{
    const struct level *level = browser_level(browser);
    struct row *row = level_row(level, level->selected);
    struct error plain = *error;
    if (!row) return;
    if (error->status == STATUS_SEVERAL) {
        row->kind = CATALOGUE_ARCHIVE;
        enter(browser, row->item->path);
        return;
    }
    if (error->status == STATUS_INPUT || error->status == STATUS_IO) row_refuse(row, error);
    plain.path[0] = 0;
    explorer_say_error(&browser->explorer, &plain);
}

/* --- actions of keys --- */

static void touch(struct browser *browser)
{
    browser->moved = clock_seconds();
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct browser *browser = state;
    struct level *level = browser_level(browser);
    level_select(level, level->selected + moved_by(step, level->room));
    touch(browser);
}

static void open_row(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    const struct level *level = browser_level(browser);
    const struct row *row = level_row(level, level->selected);
    if (!row) return;
    const char *reason = row_reason(row);
    if (row->item->group == START_LESSONS)
        browser->answer = BROWSER_LEARN;
    else if (row->kind != CATALOGUE_MATRIX)
        enter(browser, row->item->path);
    else if (reason)
        explorer_say(explorer, "%s", reason);
    else
        browser->answer = BROWSER_OPEN;
}

/* Leave the shown folder or archive. */
static void leave(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    if (browser->depth == 1) {
        explorer_say_keys(explorer, browser_about()->actions, "this is the top; {quit 1} quits");
        return;
    }
    struct level *level = browser_level(browser);
    browser_stop(browser);
    browser_forget(browser, level);
    level_close(level);
    browser->depth--;
    touch(browser);
}

static void show_all(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    struct level *level = browser_level(browser);
    browser->typing = false;
    if (!level->filter[0]) return;
    level->filter[0] = 0;
    level_arrange(level, true);
    touch(browser);
}

/* Let the user type the parameters of a generator. */
static void edit(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    const struct level *level = browser_level(browser);
    const struct row *row = level_row(level, level->selected);
    struct text text = {0};
    if (!row || row->item->group != START_GENERATOR) {
        explorer_say(explorer, "only generators have parameters");
        return;
    }
    if (strchr(row->item->path, ','))
        text_append(&text, "%s", row->item->path);
    else
        start_specification(row->item->path, &text);
    browser->editing = text.failed ? EDITS_NOTHING : EDITS_GENERATOR;
    if (browser->editing) prompt_open_with(&browser->prompt, "Generate", text.data);
    text_free(&text);
}

/* Take the typed parameters. The row becomes another matrix, which is loaded for its picture. */
static void take_parameters(struct browser *browser)
{
    struct level *level = browser_level(browser);
    struct row *row = level_row(level, level->selected);
    struct error error = {0};
    const char *text = browser->prompt.text;
    if (!row || strncmp(text, "gen:", 4) != 0) {
        explorer_say(&browser->explorer, "a specification begins with gen:");
        return;
    }
    browser_stop(browser);
    browser_forget(browser, level);
    if (catalogue_rename(row->item, text, &error) != STATUS_OK) {
        explorer_say(&browser->explorer, "%s", error.message);
        return;
    }
    free(row->reason);
    row->reason = NULL;
    row->tried = false;
    row->glyph = (struct glyph){.drawn = false};
    browser->panel_level = NULL;
    touch(browser);
}

/* Execute the choice in the list of settings. */
static void serve_settings(struct browser *browser)
{
    struct settings_list *list = &browser->settings;
    const enum setting_wish wish = list->wish;
    list->wish = SETTING_NOTHING;
    if (wish == SETTING_CHANGED) browser->answer = BROWSER_SET;
    if (wish != SETTING_TYPE) return;
    const struct setting *setting = &list->settings->items[list->row];
    browser->editing = EDITS_SETTING;
    prompt_open_with(&browser->prompt, setting->name, setting->value);
}

static void take_answer(struct browser *browser, int edited)
{
    if (edited == EDITS_GENERATOR) take_parameters(browser);
    if (edited != EDITS_SETTING) return;
    settings_answer(&browser->explorer, &browser->settings, browser->prompt.text);
    serve_settings(browser);
}

static void set(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    settings_open(explorer, &browser->settings, browser->offered);
}

static void learn(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    browser->answer = BROWSER_LEARN;
}

static void filter(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    browser->typing = true;
}

static void sort_by(struct browser *browser, enum sort sort)
{
    struct level *level = browser_level(browser);
    level->sort = sort;
    level->reverse = false;
    level_arrange(level, true);
}

static void next_sort(struct explorer *explorer, void *state, int unused)
{
    sort_by(state, (enum sort)((browser_level(state)->sort + 1) % SORTS));
}

static void turn_round(struct explorer *explorer, void *state, int unused)
{
    struct level *level = browser_level(state);
    level->reverse = !level->reverse;
    level_arrange(level, true);
}

static void help(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    help_open(&browser->help);
}

static void quit(struct explorer *explorer, void *state, int unused)
{
    struct browser *browser = state;
    browser->answer = BROWSER_QUIT;
}

static enum use use_of_rows(const struct explorer *explorer, const void *state, int unused)
{
    return browser_level(state)->shown > 0 ? USE_SOME : USE_NONE;
}

static enum use use_of_order(const struct explorer *explorer, const void *state, int unused)
{
    return browser_level(state)->shown > 1 ? USE_SOME : USE_NONE;
}

static enum use use_of_filter(const struct explorer *explorer, const void *state, int unused)
{
    return browser_level(state)->count > 1 ? USE_SOME : USE_NONE;
}

static enum use use_of_showing_all(const struct explorer *explorer, const void *state, int unused)
{
    return browser_level(state)->filter[0] ? USE_URGENT : USE_NONE;
}

static enum use use_of_editing(const struct explorer *explorer, const void *state, int unused)
{
    const struct level *level = browser_level(state);
    const struct row *row = level_row(level, level->selected);
    return row && row->item->group == START_GENERATOR ? USE_SOME : USE_NONE;
}

static enum use use_of_lessons(const struct explorer *explorer, const void *state, int unused)
{
    return level_starts(browser_level(state)) ? USE_SOME : USE_NONE;
}

static enum use use_of_leaving(const struct explorer *explorer, const void *state, int unused)
{
    const struct browser *browser = state;
    return browser->depth > 1 ? USE_SOME : USE_NONE;
}

/* The owner of the terminal takes these two keys before the browser does. */
static void ask(struct explorer *explorer, void *state, int demand)
{
    explorer->demand = (enum demand)demand;
}

static const struct action browser_actions[] = {
    {.keys = {UIKEY_ENTER, UIKEY_RIGHT, 'l'},
     .run = open_row,
     .name = "open",
     .help = "open the matrix, or go into the folder or the archive",
     .use = use_of_rows},
    {.keys = {'/'},
     .run = filter,
     .name = "filter",
     .help = "show only names and kinds that contain the typed text",
     .use = use_of_filter},
    {.keys = {UIKEY_ESCAPE},
     .run = show_all,
     .name = "show all",
     .help = "show all again",
     .use = use_of_showing_all},
    {.keys = {'L'},
     .run = learn,
     .name = "learn",
     .help = "lessons on storage formats, in which tasks are done on the screens",
     .use = use_of_lessons},
    {.keys = {'s'},
     .run = next_sort,
     .name = "sort",
     .help = "sort by name, date, size, rows or stored entries",
     .use = use_of_order},
    {.keys = {'r'}, .run = turn_round, .name = "reverse", .help = "reverse the order", .use = use_of_order},
    {.keys = {UIKEY_UP, 'k'}, .run = move, .argument = -1, .help = "the row above, the row below"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = move, .argument = -MOVE_PAGE, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN, ' '}, .run = move, .argument = MOVE_PAGE},
    {.keys = {UIKEY_HOME}, .run = move, .argument = -MOVE_END, .help = "the first row, the last row"},
    {.keys = {UIKEY_END}, .run = move, .argument = MOVE_END},
    {.keys = {'?', UIKEY_F1}, .run = help, .name = "help", .help = "this help"},
    {.keys = {CTRL('L')}, .run = ask, .argument = DEMAND_REDRAW, .help = "draw the screen again"},
    {.keys = {CTRL('Z')}, .run = ask, .argument = DEMAND_SUSPEND, .help = "suspend"},
    {.keys = {'q', UIKEY_F10}, .run = quit, .name = "quit", .help = "quit"},
    {.keys = {UIKEY_BACKSPACE, UIKEY_LEFT, 'h'},
     .run = leave,
     .name = "go back",
     .help = "leave the folder or the archive",
     .use = use_of_leaving},
    {.keys = {'p'},
     .run = edit,
     .name = "edit",
     .help = "type the parameters of a generator; its picture follows",
     .use = use_of_editing},
    {.keys = {';'},
     .run = set,
     .name = "set options",
     .help = "settings: GPU, precision, threads, protocol, network, colours; a file keeps them"},
    {.run = NULL},
};

static const struct view about = {
    .title = "Matrices",
    .help =
        "The matrices of a folder or an archive. Each line comes from the header of a file: rows and "
        "columns, stored entries, field and symmetry. Small matrices are loaded in the background, and "
        "their patterns drawn. The line of a damaged file states the fault. Without a matrix or a folder the "
        "list begins with the current folder; then come matrices opened before, lessons, examples, folders "
        "and generators.",
    .actions = browser_actions,
    .gesture = {"click, wheel", "select a row, and open the selected one; scroll; sort by a column's title"},
};

const struct view *browser_about(void)
{
    return &about;
}

/* --- keys and mouse --- */

static void set_filter(struct browser *browser, const char *text)
{
    struct level *level = browser_level(browser);
    memmove(level->filter, text, strlen(text) + 1);
    level_arrange(level, true);
    touch(browser);
}

/* Handle a key while the user types. Returns false if the browser must handle it. */
static bool typing_key(struct browser *browser, int key)
{
    const struct level *level = browser_level(browser);
    char text[FILTER_SIZE];
    size_t length = strlen(level->filter);
    memcpy(text, level->filter, length + 1);
    if (key >= ' ' && key < 0x7f) {
        if (length + 1 == sizeof text) return true;
        text[length] = (char)key;
        text[length + 1] = 0;
    } else if (key == UIKEY_BACKSPACE && length > 0) {
        text[length - 1] = 0;
    } else {
        if (key != UIKEY_UP && key != UIKEY_DOWN) browser->typing = false;
        return key == UIKEY_ENTER || key == UIKEY_BACKSPACE;
    }
    set_filter(browser, text);
    return true;
}

enum browser_answer browser_key(struct browser *browser, int key)
{
    const struct action *action;
    browser->answer = BROWSER_STAY;
    browser->explorer.message[0] = 0;
    if (browser->editing) {
        const enum prompt_result result = prompt_key(&browser->prompt, key);
        const int edited = browser->editing;
        if (result != PROMPT_OPEN) browser->editing = EDITS_NOTHING;
        if (result == PROMPT_DONE) take_answer(browser, edited);
        return browser->answer;
    }
    if (list_is_open(&browser->settings.list)) {
        list_key(&browser->explorer, &browser->settings.list, key);
        serve_settings(browser);
        return browser->answer;
    }
    if (browser->help.open) {
        action = action_find(help_actions, key);
        if (action) action->run(&browser->explorer, &browser->help, action->argument);
    } else if (!browser->typing || !typing_key(browser, key)) {
        action = action_find(browser_actions, key);
        if (action) action->run(&browser->explorer, browser, action->argument);
    }
    return browser->answer;
}

enum browser_answer browser_mouse(struct browser *browser, const struct mouse *mouse)
{
    struct level *level = browser_level(browser);
    int key = footer_key_at(&browser->footer, mouse->y, mouse->x);
    bool wheel = mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN;
    browser->answer = BROWSER_STAY;
    if (browser->help.open && !key && mouse->kind == MOUSE_PRESS)
        key = footer_key_at(&browser->help.footer, mouse->y, mouse->x);
    if (list_is_open(&browser->settings.list)) {
        list_mouse(&browser->explorer, &browser->settings.list, mouse);
        serve_settings(browser);
        return browser->answer;
    }
    if (wheel) return browser_key(browser, mouse->kind == MOUSE_WHEEL_UP ? UIKEY_UP : UIKEY_DOWN);
    if (mouse->kind != MOUSE_PRESS) return BROWSER_STAY;
    if (key) return browser_key(browser, key);
    if (browser->help.open) return BROWSER_STAY;
    for (int k = 0; k < SORTS && mouse->y == browser->list.top - 1; k++) {
        if (mouse->x < browser->title_x[k] || mouse->x >= browser->title_x[k + 1]) continue;
        if ((int)level->sort == k)
            turn_round(&browser->explorer, browser, 0);
        else
            sort_by(browser, (enum sort)k);
    }
    int place = level->top + mouse->y - browser->list.top;
    if (!rect_holds(browser->list, mouse->y, mouse->x) || place >= level->shown) return BROWSER_STAY;
    if (place == level->selected) return browser_key(browser, UIKEY_ENTER);
    move(&browser->explorer, browser, place - level->selected);
    return BROWSER_STAY;
}
