/* The keys that every screen has, and those of the explorer while there is no screen. */
#ifndef SPARSIGHT_UI_EVERYWHERE_H
#define SPARSIGHT_UI_EVERYWHERE_H

#include "ui/view.h"

#define EVERYWHERE_MAX 32

/* Write the table of the keys that every screen has: one for each screen of the table of views, then the
 * others. They work on the explorer alone; `state` is not used. */
void everywhere_actions(struct action table[EVERYWHERE_MAX]);

/* The screen whose key this would be, if there were as many: its place in the table of views; -1 if it is no
 * key of a screen. */
int everywhere_screen(int key);

/* The keys while a screen waits for what it needs, while the matrix is loaded, and while the terminal is too
 * small for a screen. */
extern const struct action waiting_actions[], loading_actions[], small_actions[];

#endif
