/* What the arguments of options and the operands of commands can be, as far as it is typed. */
#ifndef SPARSIGHT_COMMAND_COMPLETION_VALUES_H
#define SPARSIGHT_COMMAND_COMPLETION_VALUES_H

#include <stddef.h>

#include "base/text.h"

/* A word of which some is typed. Candidates leave word[0 .. from-1] and go on from there. */
struct typing {
    const char *word;
    size_t from;
    struct text *text; /* where candidates are appended, a line each */
};

/* Append the candidate `word` with `after` behind it, if it begins as what is typed; `help` may be NULL, and
 * its first line alone is told. */
void offer_word(const struct typing *typing, const char *word, const char *after, const char *help);

/* Offer each of the words of "a|b|c". */
void offer_choice(const struct typing *typing, const char *words);

/* Offer names of the tables; in lists, those of the item that is being typed, and its parameters with their
 * values. */
void offer_kernels(const struct typing *typing);
void offer_format(const struct typing *typing); /* one of them */
void offer_format_list(const struct typing *typing);
void offer_orders(const struct typing *typing);
void offer_partitions(const struct typing *typing);
void offer_network(const struct typing *typing);
void offer_figures(const struct typing *typing);
void offer_reports(const struct typing *typing);
void offer_readers(const struct typing *typing);
void offer_writers(const struct typing *typing);
void offer_protocols(const struct typing *typing);
void offer_precisions(const struct typing *typing);
void offer_gpus(const struct typing *typing); /* also those of the user's profiles */

/* Offer a synthetic matrix: a generator, its parameters and their values. */
void offer_specifications(const struct typing *typing);

/* Offer folders and files: all of them, or those that end as a matrix or an archive does, and synthetic
 * matrices; or saved reports. Names with a dot in front are offered if one is typed, and those with control
 * characters never. */
void offer_files(const struct typing *typing);
void offer_matrices(const struct typing *typing);
void offer_matrices_and_reports(const struct typing *typing);

#endif
