/* The program's folders of the user's own, where the XDG Base Directory Specification places them. */
#ifndef SPARSIGHT_BASE_FOLDER_H
#define SPARSIGHT_BASE_FOLDER_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum folder {
    FOLDER_CONFIG, /* $XDG_CONFIG_HOME/sparsight, or else ~/.config/sparsight: what the user wrote */
    FOLDER_CACHE,  /* $XDG_CACHE_HOME or ~/.cache: what can be made again */
    FOLDER_STATE   /* $XDG_STATE_HOME or ~/.local/state: what the program remembers */
};

/* Append the path of a folder, whether it exists or not; nothing if the environment names no place for it.
 * Returns the length of the user's home at the beginning of the path, for folder_make; 0 if the path does not
 * begin with it. */
size_t folder_append(struct text *path, enum folder folder);

/* Make the folder of this path and those that it is in, but not the home, which is so long: an account may
 * have none. What is there already stays as it is. What cannot be made is noticed by whoever writes there. */
void folder_make(char *path, size_t home);

/* Write a file of this path whole, in a folder that is made as folder_make does. `what` names it in messages:
 * "the profile". STATUS_IO if it cannot be written, or the path is empty, as the environment named no place
 * for it; STATUS_MEMORY, also if *path or *text has failed. */
enum status folder_keep(struct text *path, size_t home, const struct text *text, const char *what,
                        struct error *error);

#endif
