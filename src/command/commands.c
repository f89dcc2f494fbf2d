/* The table of `sparsight`'s commands, in a separate file since sparsight-mpi has another table. */
#include "command/command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "command/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "command/commands.def"
#undef COMMAND
    NULL,
};
