/* The list of the explorer's settings. The command line owns them: it reads and keeps their values. */
#ifndef SPARSIGHT_UI_SETTINGS_H
#define SPARSIGHT_UI_SETTINGS_H

#include "base/error.h"
#include "ui/widgets/list.h"

/* The time at which a changed setting takes effect: now, with the next matrix, at the next start. */
enum setting_effect { SETTING_NOW, SETTING_MATRIX, SETTING_START };

struct setting {
    const char *name;    /* "gpu": the name of the option, and of the line in the file */
    const char *choices; /* "f64|f32", which Enter goes through in turn; NULL: the user types the value */
    const char *help;    /* one line or more */
    enum setting_effect effect;
    char value[96]; /* "" without a value: the program's default applies */
};

struct settings {
    struct setting *items; /* the caller's */
    int count;
    const char *path; /* the file that keeps the settings; "": there is none */
    void *context;    /* the context of `set` */

    /* Give setting k this value, "" for the program's default, and keep it in the file. A wrong value changes
     * nothing. STATUS_IO means that the setting has changed but could not be kept. */
    enum status (*set)(struct settings *settings, int k, const char *value, struct error *error);
};

/* The user's request, which the explorer's loop executes. */
enum setting_wish { SETTING_NOTHING, SETTING_TYPE, SETTING_CHANGED, SETTING_REOPEN };

/* Start with {0}; free with list_free(&list). */
struct settings_list {
    struct list list;
    struct settings *settings; /* the caller's */
    enum setting_wish wish;    /* the loop executes it, and resets it to SETTING_NOTHING */
    int row;                   /* the setting that it concerns */
    bool lone;                 /* there is no matrix that could be opened again */
};

/* Open the list. A message says so if there are no settings. Set `lone` before. */
void settings_open(struct explorer *explorer, struct settings_list *list, struct settings *settings);

/* Set the value of the row that the wish concerns. A message reports the effect. */
void settings_answer(struct explorer *explorer, struct settings_list *list, const char *value);

#endif
