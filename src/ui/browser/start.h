/* The list that a start without a matrix shows: the files of the folder, those opened last, and the
 * generators. The user opens one. */
#ifndef SPARSIGHT_UI_BROWSER_START_H
#define SPARSIGHT_UI_BROWSER_START_H

#include "ui/widgets/list.h"

/* Maximum number of files of the folder in the list: the first ones by name. */
#define START_FILES 1000

enum start_kind { START_HERE, START_RECENT, START_GENERATOR };

struct start_item {
    enum start_kind kind;
    char *name;          /* as matrix_load takes it; owned */
    const char *summary; /* of a generator; else NULL */
    int64_t bytes;       /* the size of a file */
};

/* Start with {0}. */
struct start {
    struct list list;
    struct start_item *items; /* owned */
    int count;
    int64_t left_out; /* files of the folder that are not listed */
    int chosen;       /* the item, once the list is closed; -1 if none was chosen */
};

/* Find the items, and open the list. Fails only if there is no memory. */
enum status start_open(struct explorer *explorer, struct start *start, struct error *error);

void start_free(struct start *start);

#endif
