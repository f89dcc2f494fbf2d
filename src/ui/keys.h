/* Keys, and tables of what they do. One table of a screen or of a dialog says all of its keys: it takes them,
 * and the help, the footer and clicks on the footer are made from it. */
#ifndef SPARSIGHT_UI_KEYS_H
#define SPARSIGHT_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/surface.h"

struct explorer;

/* Keys that are not characters; characters are their code points. */
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

/* The code of a letter that is pressed together with Ctrl. */
#define CTRL(letter) ((letter)&0x1f)

#define ACTION_KEYS 6
#define KEYS_TEXT 80 /* bytes that hold the keys of a line of help as they are written */

/* What some keys do. A table of actions ends with one that has no `run`. `state` is what the table is of: a
 * view's state, a list. Keys that belong together, such as Up and Down, are actions one behind the other that
 * share a line of help: all but the first of them have no `help`. */
struct action {
    int keys[ACTION_KEYS]; /* any of them; 0 behind the last one */
    void (*run)(struct explorer *explorer, void *state, int argument);
    int argument;
    const char *name; /* what the footer calls it, a word or two; NULL: it is not in the footer */
    const char *help; /* what it does; NULL: the action before says it */
};

/* The action of a table that the key is for; NULL if there is none. */
const struct action *action_find(const struct action *table, int key);

/* Actions that share the line of help that begins with this one. */
int action_count(const struct action *first);

/* The keys of a line of help as they are written: "Up Down, k j". Writes into out and returns it. */
char *action_keys(const struct action *first, char out[KEYS_TEXT]);

/* A row of keys with their names, as it stands in the footer: "r R run  Space select". */
#define FOOTER_ITEMS 32
#define FOOTER_GAP 2 /* columns between two items */

struct footer_item {
    const struct action *action; /* the first one of its line of help */
    int x, wide;                 /* on the surface */
};

struct footer {
    struct footer_item items[FOOTER_ITEMS];
    int count;
    int y; /* on the surface, where it was drawn */
};

/* Put the keys of a table, those with names, behind what the footer has, from column x up to before column
 * `end`: an item that does not fit whole is left out. Returns the column behind the last one. */
int footer_add(struct footer *footer, const struct action *table, int x, int end);

/* Columns that footer_add takes where there is room for all. */
int footer_wide(const struct action *table);

/* A footer in the lower edge of a frame, of several tables, some of which may be NULL. */
void footer_edge(struct footer *footer, struct surface *surface, struct rect frame,
                 const struct action *const *tables, int count);

void footer_draw(struct footer *footer, struct surface *surface, int y);

/* The key that a click on (y, x) is for: that of several that is hit, else the first of the item; 0 if no
 * item is there. */
int footer_key_at(const struct footer *footer, int y, int x);

#endif
