/* The commands of a program: each is a descriptor in a separate file, and a line in commands.def, or in the
 * table of sparsight-mpi (src/main_mpi.c). */
#ifndef SPARSIGHT_COMMAND_COMMAND_H
#define SPARSIGHT_COMMAND_COMMAND_H

#include "base/error.h"
#include "base/text.h"
#include "command/options.h"

struct command {
    enum command_id id;
    const char *name;     /* its word on the command line; "" for the explorer */
    const char *usage;    /* the first line of its help */
    const char *summary;  /* one line on its purpose */
    const char *operands; /* their help after MATRIX; NULL: none */
    const char *failure;  /* meaning of the exit status 1, after "1 "; NULL: not in the help */
    /* Append the part of the help after the options. May be NULL. */
    void (*help)(struct text *text);
    /* Fail with STATUS_USAGE if operands or options cannot be combined. */
    enum status (*check)(const struct options *options, struct error *error);
    /* Run the command, and return the exit status. */
    int (*run)(const struct options *options);
};

/* All commands of this program; NULL after the last. */
extern const struct command *const commands[];

/* Return the command of this number; the first one if this program does not have it. */
const struct command *command_of(enum command_id id);

/* Append the words of the commands, with `between` between two of them, and `last` before the last. */
void commands_list(const char *between, const char *last, struct text *text);

#endif
