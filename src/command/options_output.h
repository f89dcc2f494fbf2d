/* The options that name what is written: -o and --permutation. */
#ifndef SPARSIGHT_OPTIONS_OUTPUT_H
#define SPARSIGHT_OPTIONS_OUTPUT_H

#include "base/error.h"
#include "command/options.h"

/* STATUS_USAGE if a file that is to be written is one that the command reads, by whatever name, or if both
 * files to be written are one. `convert` may write a matrix to the file that it was read from. */
enum status output_options_check(const struct options *options, struct error *error);

#endif
