/* The table of options, from which the command line is parsed and its help is made. */
#ifndef SPARSIGHT_COMMAND_OPTIONS_TABLE_H
#define SPARSIGHT_COMMAND_OPTIONS_TABLE_H

#include <stdbool.h>

#include "command/options.h"

struct option_entry {
    int letter;           /* its short form, or a FLAG_ number if it has none */
    const char *name;     /* its long form */
    const char *argument; /* what the help calls its argument; NULL if it takes none */
    const char *help;     /* lines with '\n' between them */
    unsigned commands;    /* the commands that have it */
    bool optional;        /* the argument may be left out */
};

/* The letters of options without one. */
enum {
    FLAG_ASCII = 256,
    FLAG_NO_MOUSE,
    FLAG_BACKGROUND,
    FLAG_GRAPHICS,
    FLAG_RESULTS,
    FLAG_FORMAT,
    FLAG_CONVERT,
    FLAG_PRECISION,
    FLAG_ARRAYS,
    FLAG_REORDER,
    FLAG_PERMUTATION,
    FLAG_KERNELS,
    FLAG_TUNE,
    FLAG_PROTOCOL,
    FLAG_REPEAT,
    FLAG_WARMUP,
    FLAG_STRUCTURE,
    FLAG_PARTS,
    FLAG_PARTITION,
    FLAG_NETWORK,
    FLAG_COLD,
    FLAG_ACCUMULATE,
    FLAG_PRODUCT,
    FLAG_COLUMNS,
    FLAG_LAYOUT,
    FLAG_DEVICE,
    FLAG_GPU,
    FLAG_CALIBRATE,
    FLAG_X,
    FLAG_B,
    FLAG_SAMPLE,
    FLAG_CARRY,
    FLAG_SEED,
    FLAG_DROP_ZEROS,
    FLAG_LENIENT,
    FLAG_TRANSPOSE,
    FLAG_BASE,
    FLAG_LIMIT,
    FLAG_STREAM,
    FLAG_FROM,
    FLAG_TO,
    FLAG_NAMES,
    FLAG_THREADS,
    FLAG_THREADS_LIST,
    FLAG_LIST,
    FLAG_FORM,
    FLAG_BY,
    FLAG_SIZE,
    FLAG_AT,
    FLAG_STORAGE,
    FLAG_THRESHOLD,
    FLAG_JOBS,
    FLAG_RESUME,
    FLAG_INPUTS,
    FLAG_PLOTS,
    FLAG_VERSION
};

/* All options, at most so many; one without a name is behind the last. */
#define OPTIONS_MAX 80
extern const struct option_entry option_entries[OPTIONS_MAX + 1];

/* The commands that read a MATRIX. */
#define COMMANDS_READING \
    (COMMAND_EXPLORE | COMMAND_REPORT | COMMAND_SURVEY | COMMAND_CONVERT | COMMAND_PLOT | COMMAND_RANKS)

#endif
