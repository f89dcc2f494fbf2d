/* The program's folders in the user's home, by the XDG Base Directory Specification. */
#ifndef SPARSIGHT_BASE_FOLDER_H
#define SPARSIGHT_BASE_FOLDER_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum folder {
    FOLDER_CONFIG, /* $XDG_CONFIG_HOME/sparsight, or else ~/.config/sparsight: files that the user wrote */
    FOLDER_CACHE,  /* $XDG_CACHE_HOME or ~/.cache: files that can be made again */
    FOLDER_STATE   /* $XDG_STATE_HOME or ~/.local/state: state that the program keeps */
};

/* Append the path of a folder, whether it exists or not; nothing if the environment names none. Returns the
 * length of the user's home at the beginning of the path, for folder_make; 0 if the path does not begin with
 * it. */
size_t folder_append(struct text *path, enum folder folder);

/* Make the folder of this path and its parents, except the home, the first `home` bytes of the path: an
 * account may have none. Existing folders stay unchanged. A failure is not reported here; writing a file
 * there will fail. */
void folder_make(char *path, size_t home);

/* Write a file of this path, completely or not at all, and make its folder as folder_make does. `what` names
 * it in messages: "the profile". STATUS_IO if it cannot be written, or the path is empty, because the
 * environment names no folder; STATUS_MEMORY, also if *path or *text has failed. */
enum status folder_keep(struct text *path, size_t home, const struct text *text, const char *what,
                        struct error *error);

#endif
