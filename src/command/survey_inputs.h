/* What a survey is to report on. */
#ifndef SPARSIGHT_COMMAND_SURVEY_INPUTS_H
#define SPARSIGHT_COMMAND_SURVEY_INPUTS_H

#include <sys/types.h>

#include "base/error.h"
#include "command/options.h"

/* A name of a matrix that report takes, or, with a reason, of what cannot be listed. */
struct survey_input {
    char *name;
    char *failure; /* NULL: it can be tried */
};

/* A folder of the file system, whatever names lead to it. */
struct survey_folder {
    dev_t device;
    ino_t node;
};

/* Start with {0}; free with inputs_free. */
struct survey_inputs {
    struct survey_input *items;
    int count, room;
    int repeated;                  /* names that were there already, and were left out */
    struct survey_folder *folders; /* that were listed, sorted */
    int folder_count, folder_room;
};

/* List the matrices of the operands and of options->list: files as they are, the matrices of folders and of
 * the folders in them by name, the members of archives with several, the lines of the list, of which blank
 * ones and those that begin with # are none. Each folder is listed once, though symbolic links may lead to it
 * by many names. What is no matrix by its ending and its beginning is left out of
 * folders. Starts no thread, so that the process may be forked afterwards. A folder or archive that cannot be
 * listed is an input that has failed; STATUS_IO if the list cannot be read, STATUS_MEMORY. */
enum status inputs_list(const struct options *options, struct survey_inputs *inputs, struct error *error);

void inputs_free(struct survey_inputs *inputs);

#endif
