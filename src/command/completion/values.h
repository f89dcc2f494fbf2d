/* Candidates for arguments of options and operands of commands, given the typed part. */
#ifndef SPARSIGHT_COMMAND_COMPLETION_VALUES_H
#define SPARSIGHT_COMMAND_COMPLETION_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* A partly typed word. Candidates keep word[0 .. from-1] and replace the rest. */
struct typing {
    const char *word;
    size_t from;
    struct text *text; /* where candidates are appended, a line each */
};

/* Append the candidate `word` followed by `after` if it begins with the typed text; `help` may be NULL, and
 * only its first line is used. */
void offer_word(const struct typing *typing, const char *word, const char *after, const char *help);

/* Offer each of the words of "a|b|c". */
void offer_choice(const struct typing *typing, const char *words);

/* Offers the candidates for an argument or an operand. */
typedef void offering(const struct typing *typing);

/* Numbers, lists of them, and names that the user makes up: nothing is offered. */
offering offer_number;

/* Names of the tables; in lists, those of the item that is being typed, and its parameters with their values.
 * offer_format offers one of the items of offer_format_list, offer_gpus also those of the user's profiles. */
offering offer_kernels, offer_format, offer_format_list, offer_orders, offer_partitions, offer_network;
offering offer_figures, offer_reports, offer_sections, offer_solve, offer_trisolve, offer_readers,
    offer_writers, offer_protocols, offer_precisions, offer_gpus;

/* The numbers of the lessons. */
offering offer_lessons;

/* A synthetic matrix: a generator, its parameters and their values. */
offering offer_specifications;

/* Folders and files: all of them, or those that end as a matrix or an archive does, and synthetic matrices;
 * or saved reports. Names that begin with a dot are offered if a dot is typed. Names with control characters
 * are never offered. */
offering offer_files, offer_matrices, offer_matrices_and_reports;

/* Completion of names of files. */

/* Offer folders, and of the files those that end as a matrix or an archive does, and as a saved report if
 * `reports`. */
void offer_matrix_files(const struct typing *typing, bool reports);

#endif
