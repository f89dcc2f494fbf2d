/* The explorer's settings: options that a file keeps. A line of the file is `name = value`; `#` begins a
 * comment. Any option of the explorer is allowed, without its dashes; options of the command line come after
 * those of the file. */
#ifndef SPARSIGHT_COMMAND_SETTINGS_H
#define SPARSIGHT_COMMAND_SETTINGS_H

#include "command/options.h"

/* Append the path of the file, FOLDER_CONFIG/sparsight.conf; nothing if the environment names no folder.
 * Returns the length of the home in it, as folder_append does. */
size_t settings_path(struct text *path);

/* Read the options of the file into *options, whose text `config` they point into. A missing file is no
 * error. Fails with STATUS_USAGE or as a reader of options does, at the line of the file; with STATUS_IO if
 * the file cannot be read. */
enum status settings_read(struct options *options, struct error *error);

/* Write `name = value` into the file: it replaces the last line with this name, or becomes a new last line.
 * All other lines stay. An empty value removes the lines with this name. Fails as folder_keep does. */
enum status settings_keep(const char *name, const char *value, struct error *error);

#endif
