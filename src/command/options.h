/* The command line. Parsing it and its help come from one table of options. */
#ifndef SPARSIGHT_COMMAND_OPTIONS_H
#define SPARSIGHT_COMMAND_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/matrix.h"
#include "report/figures/figure.h"
#include "report/records/sheets.h"
#include "report/report.h"
#include "ui/escapes/background.h"
#include "ui/escapes/graphics.h"

enum command_id {
    COMMAND_EXPLORE = 1,
    COMMAND_REPORT = 2,
    COMMAND_GEN = 4,
    COMMAND_KERNELS = 8,
    COMMAND_CONVERT = 16,
    COMMAND_PLOT = 32,
    COMMAND_SCHEMA = 256,
    COMMAND_COMPARE = 64,
    COMMAND_SURVEY = 128,
    COMMAND_COMPLETION = 4096,
    COMMAND_MANUAL = 8192,
    COMMAND_RANKS = 16384, /* the report of sparsight-mpi */
    COMMAND_LEARN = 32768,
    COMMAND_RANKS_CONVERT = 65536 /* convert of sparsight-mpi; the last one */
};

/* The commands of sparsight-mpi. */
#define COMMANDS_OF_RANKS (COMMAND_RANKS | COMMAND_RANKS_CONVERT)

/* The maximum number of options. */
#define OPTIONS_MAX 96

/* Whether a text report has a picture of the pattern. */
enum picture_wish { PICTURE_ON_TERMINALS, PICTURE_ALWAYS, PICTURE_NEVER };

/* The parsed command line. The strings belong to argv. The caller frees it with options_free. */
struct options {
    enum command_id command;
    bool help;
    bool version;
    bool carried; /* request.carry was given */
    bool ascii;
    enum picture_wish picture; /* of a text report */
    bool no_mouse;
    bool no_config;    /* the file of settings is not read */
    bool calibrate;    /* measure the GPU */
    int calibrations;  /* measurements of the processors at most; 0 stands for PROCESSOR_TIMES */
    bool json;         /* the list of kernels is JSON */
    bool device_named; /* --device was given */
    enum background background;
    enum graphics_wish graphics;
    struct load_options load;
    const char *saved[RUNS_MAX]; /* the files of saved reports whose runs the explorer shows too */
    int saved_count;
    int threads; /* the number of threads, or the largest of several; 0 stands for one per processor */
    const struct report_format *format;
    struct report_request request;
    const struct sheet_format *sheet_format; /* of tables from several reports */
    double threshold;   /* threshold of compare for slower kernels: a share of the base's time */
    int jobs;           /* processes of a survey */
    bool resume;        /* the survey continues its own output */
    bool retry;         /* the same, and it tries failed inputs again */
    const char *list;   /* a file of names of matrices for a survey; NULL: none */
    const char *plots;  /* the folder of a survey's pictures; NULL: none are drawn */
    struct text config; /* of the explorer: the file of settings, which strings below point into */
    const char *values[OPTIONS_MAX]; /* of the explorer: the last value of each option, by its row, "on" of
                                        one without an argument; NULL: not given */
    struct text settings;       /* of a survey: the options that its records depend on, as they were given */
    const char *permutation;    /* the path of a file for the permutation; NULL: none is written */
    const char *to;             /* the name of the file format to write; NULL: by the ending */
    const char *form;           /* the name of the form of a picture; NULL: by the ending of the output */
    enum figure_by by;          /* quantity of the colours of a pattern */
    int size[2];                /* of a picture, wide and high; 0: that of the figure */
    int64_t at[2];              /* the row and the column that a picture marks, from 0; -1: none */
    struct format_list storage; /* the format whose layout is drawn; owned */
    struct text command_line;   /* as a shell would read it again */
    const char *output;         /* a path; NULL stands for standard output */
    char **operands; /* the matrices, or the specification of a synthetic one; NULL follows the last. For
                        the explorer there may be none on a terminal, where it offers a choice */
    int operand_count;
};

/* Parse the command line, permuting argv. Fails with STATUS_USAGE if it is wrong, and with another status if
 * a file that it names, such as a GPU's profile, cannot be read; options->command is set in any case. May be
 * called once. The caller frees *options, also after failure. */
enum status options_parse(int argc, char **argv, struct options *options, struct error *error);

void options_free(struct options *options);

/* STATUS_USAGE if a permutation is requested without an order. */
enum status options_check_permutation(const struct options *options, struct error *error);

/* STATUS_USAGE if the requested product cannot be combined with the other options. */
enum status options_check_product(const struct options *options, struct error *error);

#endif
