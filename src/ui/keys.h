/* Keys, and tables of what they do. A screen or a dialog has one table of all of its keys: what a key does,
 * the help, the footer and clicks on the footer all come from it. */
#ifndef SPARSIGHT_UI_KEYS_H
#define SPARSIGHT_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/surface.h"

struct explorer;

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

/* The action of a key. A table of actions ends with one that has no `run`. Related keys, such as Up and Down,
 * are consecutive actions that share a line of help: the first of them has the `help`, and the others have
 * none. */
struct action {
    int keys[ACTION_KEYS]; /* any of these keys; 0 follows the last one */
    void (*run)(struct explorer *explorer, void *state, int argument); /* `state` is the view's state, or the
                                                                          list, whose table this is */
    int argument;
    const char *name; /* what it does, for the footer: a verb, with its object where that is not plain from
                         the screen ("select", "draw bands"); NULL if the footer leaves it out */
    const char *help; /* what it does; NULL if the action before it says that */
};

/* Return the action of a table that a key is for, or NULL if there is none. */
const struct action *action_find(const struct action *table, int key);

/* Return how many actions share the line of help that begins with this one. */
int action_count(const struct action *first);

/* Write the keys of the line of help that begins with this action, such as "Up Down, k j". Returns out. */
char *action_keys(const struct action *first, char out[KEYS_TEXT]);

#define KEY_TEXT 16 /* bytes that hold the name of a key */

/* Write the name of a key, such as "Enter", "x" or "Ctrl-L". Returns out. */
char *key_text(int key, char out[KEY_TEXT]);

#define PROSE_SIZE 320 /* bytes of keys_prose */

/* Write a sentence that names keys of a table, which it takes from there: "{run 2} runs all" becomes "R runs
 * all". A word in braces is the footer's name of a line of help, or the beginning of the line; a number after
 * it picks one of the line's keys, and without one all are written, as in the footer. Words that the table
 * does not have are left unchanged. Returns out. */
char *keys_prose(const struct action *table, const char *text, char out[PROSE_SIZE]);

#define FOOTER_ITEMS 32
#define FOOTER_GAP 2 /* columns between two items */

/* An item is the keys of one line of help with their name, such as "Space select". */
struct footer_item {
    const struct action *action; /* the first one of the line of help */
    int x, wide;                 /* the columns of the surface that it takes */
};

/* A footer is a line of items: "r R run  Space select". Start with {0}. */
struct footer {
    struct footer_item items[FOOTER_ITEMS];
    int count;
    int y; /* the row of the surface that it was drawn in */
};

/* Add items for those keys of a table that have a name, from column x on and before column `end`. An item
 * that does not fit whole is left out. Returns the column behind the last item. */
int footer_add(struct footer *footer, const struct action *table, int x, int end);

/* Make a footer of several tables, some of which may be NULL, and draw it in the lower edge of a frame. */
void footer_edge(struct footer *footer, struct surface *surface, struct rect frame,
                 const struct action *const *tables, int count);

/* Draw a footer in row y. */
void footer_draw(struct footer *footer, struct surface *surface, int y);

/* Return the key that a click on (y, x) is for: of an item with several keys the one that was hit, or the
 * first if none was; 0 if there is no item. */
int footer_key_at(const struct footer *footer, int y, int x);

#endif
