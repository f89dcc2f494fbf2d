/* The keys that work on every screen, and those that work while no screen can be shown. */
#ifndef SPARSIGHT_UI_EVERYWHERE_H
#define SPARSIGHT_UI_EVERYWHERE_H

#include "ui/view.h"

#define EVERYWHERE_MAX 40

/* Write the table of the keys that work on every screen: one for each screen of the table of views, then the
 * others. Their actions change only the explorer, and ignore `state`. */
void everywhere_actions(struct action table[EVERYWHERE_MAX]);

/* Change the table's text of quitting: it leads back to the browser. */
void everywhere_browsing(struct action table[EVERYWHERE_MAX]);

/* Write the name of the key with this demand on every screen or, for DEMAND_COMPUTE, on a waiting screen; for
 * sentences that name a key. Returns out. */
char *everywhere_key(enum demand demand, char out[KEY_TEXT]);

/* The keys on a waiting screen without background work, during loading, and in too small a terminal. */
extern const struct action waiting_actions[], loading_actions[], small_actions[];

#endif
