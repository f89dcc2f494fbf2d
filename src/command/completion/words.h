/* What may be typed next on the command line: candidates for a word of which some is typed, from the tables
 * of commands, options, kernels, formats, orders, generators, file formats and GPUs, and from the folders'
 * files. */
#ifndef SPARSIGHT_COMMAND_COMPLETION_WORDS_H
#define SPARSIGHT_COMMAND_COMPLETION_WORDS_H

#include <stdbool.h>

#include "base/text.h"
#include "command/options_table.h"

/* Append a line for each candidate for words[count - 1], which is what is typed of it and may be "". The
 * words before it are those of the command line without the program's own name. A line is the whole word, and
 * where there is something to say of it a tab and that. What ends in one of = : , / is not yet complete. With
 * count 0 nothing is appended. */
void completion_words(int count, char *const *words, struct text *text);

/* True if it is known what the argument of an option can be, be it that nothing is offered, as for a number.
 * Options without an argument are known. */
bool completion_knows(const struct option_row *row);

#endif
