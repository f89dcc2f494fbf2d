#include "ui/settings.h"

#include <stdio.h>
#include <string.h>

#define HELP_MAX 512

/* Write the choice that follows `value` in "a|b|c", or the first choice. */
static void next_choice(const char *choices, const char *value, char *out, size_t size)
{
    const size_t length = strlen(value);
    const char *word = choices;
    for (;;) {
        const size_t wide = strcspn(word, "|");
        const bool same = wide == length && memcmp(word, value, length) == 0;
        const char *after = word[wide] ? word + wide + 1 : NULL;
        if (same || !after) {
            const char *next = same && after ? after : choices;
            snprintf(out, size, "%.*s", (int)strcspn(next, "|"), next);
            return;
        }
        word = after;
    }
}

static void reopen(struct explorer *explorer, void *state, int unused)
{
    struct settings_list *settings = state;
    settings->wish = SETTING_REOPEN;
}

static const struct action actions[] = {
    {.keys = {'r'}, .run = reopen, .name = "reopen", .help = "open the matrix again with these settings"},
    {.run = NULL},
};

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    static const char *const effects[] = {"now", "next matrix", "next start"};
    const struct settings_list *settings = state;
    for (int k = 0; k < settings->settings->count; k++) {
        const struct setting *setting = &settings->settings->items[k];
        struct list_row *row = list_add(list);
        list_write(row, 0, "%s", setting->name);
        list_write(row, 1, "%s", setting->value[0] ? setting->value : "default");
        list_write(row, 2, "%s", effects[setting->effect]);
    }
}

#define REOPENING (KEY_TEXT + 24)

/* Name the key that opens the matrix again. Returns out. */
static const char *reopening(char out[REOPENING])
{
    char key[KEY_TEXT];
    snprintf(out, REOPENING, "%s opens this one again", key_text(actions[0].keys[0], key));
    return out;
}

void settings_answer(struct explorer *explorer, struct settings_list *list, const char *value)
{
    static const char *const effects[] = {"", ", from the next matrix on", ", from the next start on"};
    const struct setting *setting = &list->settings->items[list->row];
    struct error error = {0};
    char key[REOPENING];
    const bool again = setting->effect == SETTING_MATRIX && !list->lone;
    const enum status status = list->settings->set(list->settings, list->row, value, &error);
    if (status != STATUS_OK)
        explorer_say_error(explorer, &error);
    else
        explorer_say(explorer, "%s = %s%s%s%s", setting->name, setting->value[0] ? setting->value : "default",
                     effects[setting->effect], again ? "; " : "", again ? reopening(key) : "");
    list->wish = SETTING_CHANGED;
}

/* Take the next choice, or let the user type a value. The list stays open. */
static void choose(struct explorer *explorer, void *state, int row)
{
    struct settings_list *settings = state;
    const struct setting *setting = &settings->settings->items[row];
    char next[sizeof setting->value];
    settings->row = row;
    if (!setting->choices) {
        settings->wish = SETTING_TYPE;
        return;
    }
    next_choice(setting->choices, setting->value, next, sizeof next);
    settings_answer(explorer, settings, next);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct settings_list *settings = state;
    const struct setting *setting = &settings->settings->items[list->selected];
    char help[HELP_MAX];
    snprintf(help, sizeof help, "%s", setting->help);
    for (char *c = help; *c; c++)
        if (*c == '\n') *c = ' '; /* the option's help has several lines */
    flow_words(flow, COLOUR_TEXT, help);
    flow_break(flow);
    if (settings->settings->path[0]) flow_item(flow, COLOUR_DIM, "kept in %s", settings->settings->path);
}

#define SETTINGS_LIST(keys)                                                                                 \
    {                                                                                                       \
        .title = "Settings", .wide = 72, .foot_high = 4, .stays = true,                                     \
        .columns = {{.title = "setting"}, {.title = "value", .wide = 36}, {.title = "effect", .wide = 12}}, \
        .actions = keys, .fill = fill, .choose = choose, .about = about,                                    \
    }

static const struct list_kind settings_list = SETTINGS_LIST(actions), lone_list = SETTINGS_LIST(NULL);

void settings_open(struct explorer *explorer, struct settings_list *list, struct settings *settings)
{
    list->settings = settings;
    list->wish = SETTING_NOTHING;
    if (settings && settings->count)
        list_open(explorer, &list->list, list->lone ? &lone_list : &settings_list, list, 0);
    else
        explorer_say(explorer, "no settings here");
}
