/* The command line: one table of options, from which it is parsed and the help is written. */
#ifndef SPARSIGHT_OPTIONS_H
#define SPARSIGHT_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/matrix.h"
#include "report/report.h"

enum command { COMMAND_EXPLORE = 1, COMMAND_REPORT = 2, COMMAND_GEN = 4, COMMAND_KERNELS = 8 };

/* What the command line asks for. Strings belong to argv. Free with options_free. */
struct options {
    enum command command;
    bool help;
    bool version;
    bool ascii;
    bool no_mouse;
    struct load_options load;
    const char *saved[RUNS_MAX]; /* reports to be shown beside */
    int saved_count;
    int threads; /* 0: one per processor; of several, the most */
    const struct report_format *format;
    struct report_request request;
    const char *output; /* NULL: standard output */
    char **operands;    /* matrices, or the specification */
    int operand_count;
};

/* Parse the command line; argv is permuted. STATUS_USAGE says what is wrong with it, another status that a
 * file it names (a GPU's profile) cannot be read; options->command is set then too. Called once. options_free
 * afterwards, also after failure. */
enum status options_parse(int argc, char **argv, struct options *options, struct error *error);

void options_free(struct options *options);

/* Bytes of "4096", "512K", "3M", "2G", "1T" (powers of 1024); STATUS_USAGE for anything else. */
enum status options_bytes(const char *text, size_t *bytes, struct error *error);

/* "report", "gen", "kernels"; "" for the explorer, which has no word of its own. */
const char *command_name(enum command command);

/* The help of a command. */
void options_help(enum command command, struct text *text);

#endif
