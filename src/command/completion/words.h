/* Completion of the command line: candidates for a partly typed word, from the tables of commands, options,
 * kernels, formats, orders, generators, file formats and GPUs, and from the folders' files. */
#ifndef SPARSIGHT_COMMAND_COMPLETION_WORDS_H
#define SPARSIGHT_COMMAND_COMPLETION_WORDS_H

#include <stdbool.h>

#include "base/text.h"
#include "command/options_table.h"

/* Append a line for each candidate for words[count - 1], the typed text, which may be "". The words before it
 * are those of the command line without the program's name. A line is the whole word, followed by a tab and
 * its description if it has one. A word that ends in one of = : , / is not complete yet. With count 0 nothing
 * is appended. */
void completion_words(int count, char *const *words, struct text *text);

/* True if the completion of an option's argument is defined, even if it offers nothing, as for a number; true
 * for options without an argument. */
bool completion_knows(const struct option_row *row);

#endif
