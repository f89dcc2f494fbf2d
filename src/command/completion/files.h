/* The names of files, of which some is typed. */
#ifndef SPARSIGHT_COMMAND_COMPLETION_FILES_H
#define SPARSIGHT_COMMAND_COMPLETION_FILES_H

#include <stdbool.h>

#include "command/completion/values.h"

/* Offer folders, and of the files those that end as a matrix or an archive does, and as a saved report if
 * `reports`. */
void offer_matrix_files(const struct typing *typing, bool reports);

#endif
