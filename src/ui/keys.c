#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

/* At least this number of characters with successive codes are written as "a .. f". */
#define RANGE_MIN 4

/* At least this number of other characters are written without blanks, as "hjkl". */
#define LETTERS_MIN 4

const struct action *action_find(const struct action *table, int key)
{
    for (; table && table->run; table++)
        for (int k = 0; k < ACTION_KEYS && table->keys[k]; k++)
            if (table->keys[k] == key) return table;
    return NULL;
}

int action_count(const struct action *first)
{
    int count = 1;
    while (first[count].run && !first[count].help)
        count++;
    return count;
}

static size_t write_key(int key, char *out, size_t size)
{
    static const struct {
        int key;
        const char *name;
    } names[] = {{UIKEY_UP, "Up"},
                 {UIKEY_DOWN, "Down"},
                 {UIKEY_LEFT, "Left"},
                 {UIKEY_RIGHT, "Right"},
                 {UIKEY_PAGE_UP, "PgUp"},
                 {UIKEY_PAGE_DOWN, "PgDn"},
                 {UIKEY_HOME, "Home"},
                 {UIKEY_END, "End"},
                 {UIKEY_ENTER, "Enter"},
                 {UIKEY_BACKSPACE, "Backspace"},
                 {UIKEY_DELETE, "Del"},
                 {UIKEY_TAB, "Tab"},
                 {UIKEY_BACKTAB, "Shift-Tab"},
                 {UIKEY_ESCAPE, "Esc"},
                 {UIKEY_F1, "F1"},
                 {UIKEY_F10, "F10"},
                 {' ', "Space"}};
    int length;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].key == key) {
            length = snprintf(out, size, "%s", names[k].name);
            return length < (int)size ? (size_t)length : size - 1;
        }
    if (key > 0 && key < ' ')
        length = snprintf(out, size, "Ctrl-%c", key + '@');
    else
        length = snprintf(out, size, "%c", key > ' ' && key < 0x7f ? key : '?');
    return length < (int)size ? (size_t)length : size - 1;
}

char *key_text(int key, char out[KEY_TEXT])
{
    write_key(key, out, KEY_TEXT);
    return out;
}

/* Write keys[column] of each of `count` actions as one list. Returns its length. */
static size_t write_column(const struct action *first, int count, int column, char *out, size_t size)
{
    int keys[KEYS_TEXT], found = 0, arrows = 0, letters = 0;
    bool range = true;
    size_t length = 0;
    for (int k = 0; k < count && found < KEYS_TEXT; k++) {
        int key = first[k].keys[column];
        if (!key) continue;
        range = range && (found == 0 || key == keys[found - 1] + 1);
        arrows += key >= UIKEY_UP && key <= UIKEY_RIGHT;
        letters += key > ' ' && key < 0x7f;
        keys[found++] = key;
    }
    out[0] = 0;
    if (arrows == 4 && found == 4) return (size_t)snprintf(out, size, "arrows");
    if (range && letters == found && found >= RANGE_MIN)
        return (size_t)snprintf(out, size, "%c .. %c", keys[0], keys[found - 1]);
    for (int k = 0; k < found && length + 2 < size; k++) {
        if (k && (letters < found || found < LETTERS_MIN)) out[length++] = ' ';
        length += write_key(keys[k], out + length, size - length);
    }
    return length;
}

char *action_keys(const struct action *first, char out[KEYS_TEXT])
{
    int count = action_count(first);
    size_t length = 0;
    for (int column = 0; column < ACTION_KEYS && length + 3 < KEYS_TEXT; column++) {
        char list[KEYS_TEXT];
        if (!write_column(first, count, column, list, sizeof list)) continue;
        int more = snprintf(out + length, KEYS_TEXT - length, "%s%s", length ? ", " : "", list);
        length = length + (size_t)more < KEYS_TEXT ? length + (size_t)more : KEYS_TEXT - 1;
    }
    out[length] = 0;
    return out;
}

/* Return the first action of the line of help whose name in the footer is this word, or whose help begins
 * with it; NULL if there is none. */
static const struct action *line_of(const struct action *table, const char *word, size_t length)
{
    for (const struct action *at = table; at && at->run; at += action_count(at))
        if (at->name && strlen(at->name) == length && strncmp(at->name, word, length) == 0) return at;
    for (const struct action *at = table; at && at->run; at += action_count(at))
        if (at->help && strncmp(at->help, word, length) == 0) return at;
    return NULL;
}

/* Write the keys for a word in braces, "run" or "run 2". Returns their length; 0 if the table has no such
 * key. */
static size_t write_word(const struct action *table, const char *word, size_t length, char *out, size_t size)
{
    int number = 0;
    if (length > 2 && word[length - 2] == ' ' && word[length - 1] >= '1' && word[length - 1] <= '9') {
        number = word[length - 1] - '0';
        length -= 2;
    }
    const struct action *line = line_of(table, word, length);
    if (!line || number > action_count(line)) return 0;
    return number ? write_key(line[number - 1].keys[0], out, size)
                  : write_column(line, action_count(line), 0, out, size);
}

char *keys_prose(const struct action *table, const char *text, char out[PROSE_SIZE])
{
    size_t used = 0;
    while (*text && used + 1 < PROSE_SIZE) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        char keys[KEYS_TEXT];
        size_t length = end ? write_word(table, text + 1, (size_t)(end - text - 1), keys, sizeof keys) : 0;
        if (length) {
            used += (size_t)snprintf(out + used, PROSE_SIZE - used, "%s", keys);
            if (used >= PROSE_SIZE) used = PROSE_SIZE - 1;
            text = end + 1;
        } else {
            out[used++] = *text++;
        }
    }
    out[used] = 0;
    return out;
}

/* The text of an item is the keys, a blank and the name. */
static int item_wide(const struct action *action)
{
    char keys[KEYS_TEXT];
    return (int)write_column(action, action_count(action), 0, keys, sizeof keys) + 1 +
           (int)strlen(action->name);
}

static enum use use_of(const struct footer_table *table, const struct action *action)
{
    if (!table->explorer || !action->use) return USE_SOME;
    return action->use(table->explorer, table->state, action->argument);
}

int footer_add_useful(struct footer *footer, const struct footer_table *table, enum use use, int x, int end)
{
    const struct action *at = table->actions;
    for (; at && at->run && footer->count < FOOTER_ITEMS; at += action_count(at)) {
        if (!at->name || use_of(table, at) != use) continue;
        int wide = item_wide(at), gap = footer->count ? FOOTER_GAP : 0;
        if (x + gap + wide > end) continue;
        footer->items[footer->count++] = (struct footer_item){at, x + gap, wide};
        x += gap + wide;
    }
    return x;
}

int footer_add(struct footer *footer, const struct action *table, int x, int end)
{
    return footer_add_useful(footer, &(struct footer_table){.actions = table}, USE_SOME, x, end);
}

void footer_edge(struct footer *footer, struct surface *surface, struct rect frame,
                 const struct action *const *tables, int count)
{
    int y = frame.top + frame.high - 1, left = frame.left + 3, x = left;
    footer->count = 0;
    for (int t = 0; t < count; t++)
        x = footer_add(footer, tables[t], x, frame.left + frame.wide - 3);
    if (footer->count) surface_blank(surface, (struct rect){y, left - 1, 1, x - left + 2});
    footer_draw(footer, surface, y);
}

void footer_draw(struct footer *footer, struct surface *surface, int y)
{
    footer->y = y;
    for (int k = 0; k < footer->count; k++) {
        const struct footer_item *item = &footer->items[k];
        char keys[KEYS_TEXT];
        write_column(item->action, action_count(item->action), 0, keys, sizeof keys);
        int used = surface_text(surface, y, item->x, item->wide, COLOUR_ACCENT, 0, "%s ", keys);
        surface_text(surface, y, item->x + used, item->wide - used, COLOUR_DIM, 0, "%s", item->action->name);
    }
}

/* Return the key whose name covers column `at` of an item. */
static int key_within(const struct action *first, int at)
{
    char keys[KEYS_TEXT], name[16];
    int count = action_count(first);
    write_column(first, count, 0, keys, sizeof keys);
    for (int k = 0, from = 0; k < count; k++) {
        if (!first[k].keys[0]) continue;
        write_key(first[k].keys[0], name, sizeof name);
        const char *found = strstr(keys + from, name);
        if (!found) break; /* the keys are written as "a .. f" or "arrows" */
        from = (int)(found - keys) + (int)strlen(name);
        if (at < from) return first[k].keys[0];
    }
    return first->keys[0];
}

int footer_key_at(const struct footer *footer, int y, int x)
{
    for (int k = 0; k < footer->count && y == footer->y; k++) {
        const struct footer_item *item = &footer->items[k];
        if (x >= item->x && x < item->x + item->wide) return key_within(item->action, x - item->x);
    }
    return 0;
}
