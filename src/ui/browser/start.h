/* The first level of the browser if no matrix was named: files of the current folder, files that were opened
 * before, the lessons, examples, folders, and generators. */
#ifndef SPARSIGHT_UI_BROWSER_START_H
#define SPARSIGHT_UI_BROWSER_START_H

#include "matrix/files/catalogue.h"

/* The groups of its items, in their order on the screen. */
enum start_group { START_HERE, START_RECENT, START_LESSONS, START_EXAMPLE, START_FOLDER, START_GENERATOR };

/* The kind of an item in the list, as "generator"; NULL: that of its header. */
const char *start_kind(int group);

/* List them, as catalogue_list does for a folder. Fails as that does; what was listed by then stays. */
enum status start_list(struct catalogue *catalogue, const struct load_options *options,
                       struct progress *progress, struct error *error);

/* Append the folder of the example matrices: that of the installation, the bundle or the sources that the
 * program is in. Appends nothing if there is none. */
void start_examples(struct text *path);

/* Append the parameters of a generator with their defaults, as "gen:stencil27,n=12", for the user to edit. */
void start_specification(const char *name, struct text *text);

#endif
