/* The table of tuned parameters of kernels and of their formats, and the values to try. Only space.c and
 * tests include this. */
#ifndef SPARSIGHT_KERNELS_TUNING_AXES_H
#define SPARSIGHT_KERNELS_TUNING_AXES_H

/* How the values of a line are meant. */
enum tuning_values {
    TUNING_LISTED, /* the values of the table */
    TUNING_ROWS,   /* numbers of rows: those after the first one that covers all rows are left out */
    TUNING_LENGTHS /* shares of the rows, 0 to 1: the length that this share of rows does not exceed */
};

struct tuning_line {
    const char *kernels;   /* a glob for the full names of the kernels that the line is about */
    const char *parameter; /* of the kernel, or of its format */
    const char *values;    /* separated by blanks, ascending */
    enum tuning_values meaning;
};

/* Ends with a NULL in `kernels`. */
extern const struct tuning_line tuning_lines[];

/* Two parameters that do not go together: where one has this value, the other must have that one. */
struct tuning_rule {
    const char *kernels;
    const char *parameter, *value; /* "reduce", "shared" */
    const char *other, *needed;    /* "threads", "32" */
};

/* Ends with a NULL in `kernels`. */
extern const struct tuning_rule tuning_rules[];

#endif
