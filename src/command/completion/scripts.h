/* The completion scripts for shells, as they are installed. They ask the program for the words.
 */
#ifndef SPARSIGHT_COMMAND_COMPLETION_SCRIPTS_H
#define SPARSIGHT_COMMAND_COMPLETION_SCRIPTS_H

struct completion_script {
    const char *shell; /* "bash" */
    const char *text;
};

/* The table of scripts; the last has a NULL shell. */
extern const struct completion_script completion_scripts[];

#endif
