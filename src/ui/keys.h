/* Keys, and tables of their actions. A screen or a dialog has one table of all of its keys: actions, help,
 * footer and clicks on the footer all come from it. */
#ifndef SPARSIGHT_UI_KEYS_H
#define SPARSIGHT_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/surface.h"

struct explorer;

/* Whether an action helps in the present state of the screen. The footer leaves out useless ones, and begins
 * with those that are urgent. Their keys work all the same. */
enum use { USE_NONE, USE_SOME, USE_URGENT };

/* The keys that are not characters. The number of a character's key is its code point. */
enum key {
    UIKEY_FIRST = 0x110000,
    UIKEY_UP,
    UIKEY_DOWN,
    UIKEY_LEFT,
    UIKEY_RIGHT,
    UIKEY_PAGE_UP,
    UIKEY_PAGE_DOWN,
    UIKEY_HOME,
    UIKEY_END,
    UIKEY_ENTER,
    UIKEY_BACKSPACE,
    UIKEY_DELETE,
    UIKEY_TAB,
    UIKEY_BACKTAB,
    UIKEY_ESCAPE,
    UIKEY_F1,
    UIKEY_F10,
    UIKEY_RESIZE,
};

/* The key of a letter that is pressed together with Ctrl. */
#define CTRL(letter) ((letter)&0x1f)

#define ACTION_KEYS 6
#define KEYS_TEXT 80 /* bytes that hold the keys of a line of help as they are written */

/* The action of a key. A table of actions ends with one without `run`. Related keys, such as Up and Down, are
 * consecutive actions that share a line of help. The first of them has the `help`; the others have none. */
struct action {
    int keys[ACTION_KEYS]; /* the keys that trigger it; 0 ends the list */
    void (*run)(struct explorer *explorer, void *state,
                int argument); /* `state` is the view or the list that this table belongs to */
    int argument;
    const char *name; /* its name in the footer: a verb, with its object unless the screen makes that plain
                         ("select", "draw bands"); NULL if the footer leaves it out */
    const char *help; /* its text in the help; NULL if it shares that of the action before it */
    enum use (*use)(const struct explorer *explorer, const void *state,
                    int argument); /* NULL: always USE_SOME */
};

/* Arguments of actions that move a cursor or scroll, beside 1 and -1: by a page, and to an end. */
#define MOVE_PAGE 1000000
#define MOVE_END 1000000000

/* The number of items to move by for such an argument, if a page has `page` items. For an end, it is larger
 * than any list. */
static inline int moved_by(int argument, int page)
{
    const int step = page > 1 ? page : 1;
    return argument == MOVE_PAGE ? step : argument == -MOVE_PAGE ? -step : argument;
}

/* Return the action of a key in a table, or NULL if there is none. */
const struct action *action_find(const struct action *table, int key);

/* Return the number of actions that share the line of help that begins with this one. */
int action_count(const struct action *first);

/* Write the keys of the line of help that begins with this action, such as "Up Down, k j". Returns out. */
char *action_keys(const struct action *first, char out[KEYS_TEXT]);

#define KEY_TEXT 16 /* bytes that hold the name of a key */

/* Write the name of a key, such as "Enter", "x" or "Ctrl-L". Returns out. */
char *key_text(int key, char out[KEY_TEXT]);

#define PROSE_SIZE 320 /* bytes of keys_prose */

/* Write a sentence that names keys of a table: "{run 2} runs all" becomes "R runs all". A word in braces is
 * the footer's name of a line of help, or the beginning of the line; a number after it picks one of the
 * line's keys; without a number all keys are written, as in the footer. A name that the table lacks is left
 * unchanged. Returns out. */
char *keys_prose(const struct action *table, const char *text, char out[PROSE_SIZE]);

#define FOOTER_ITEMS 32
#define FOOTER_GAP 2 /* columns between two items */

/* An item of a footer: the keys of one line of help with their name, such as "Space select". */
struct footer_item {
    const struct action *action; /* the first action of the line of help */
    int x, wide;                 /* it covers these columns of the surface */
};

/* A footer is a line of items: "r R run  Space select". Start with {0}. */
struct footer {
    struct footer_item items[FOOTER_ITEMS];
    int count;
    int y; /* it was drawn in this row of the surface */
};

/* A table of keys with the state that its actions get. Without an explorer all of its actions are useful. */
struct footer_table {
    const struct action *actions; /* NULL: no keys */
    const struct explorer *explorer;
    const void *state;
};

/* Add items, from column x on and before column `end`, for those keys of a table that have a name. An item
 * that does not fit completely is left out. Returns the column after the last item. */
int footer_add(struct footer *footer, const struct action *table, int x, int end);

/* Add only those whose use is this one, as footer_add does. */
int footer_add_useful(struct footer *footer, const struct footer_table *table, enum use use, int x, int end);

/* Make a footer of several tables, some of which may be NULL, and draw it in the lower edge of a frame. */
void footer_edge(struct footer *footer, struct surface *surface, struct rect frame,
                 const struct action *const *tables, int count);

/* Draw a footer in row y. */
void footer_draw(struct footer *footer, struct surface *surface, int y);

/* Return the key that a click on (y, x) triggers. If the item has several keys, it is the key that was hit,
 * or the first if none was. Returns 0 if there is no item. */
int footer_key_at(const struct footer *footer, int y, int x);

#endif
