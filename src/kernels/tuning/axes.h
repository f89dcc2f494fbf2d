/* The tuned parameters of a kernel: its descriptor names its own parameters and those of its format, and the
 * values to try. A parameter that does not affect speed, such as the order of COO's entries, is not tuned.
 *
 * Koza et al., section 6.3, tune CMRS by brute force over height, block, aligned and sorted; packed columns
 * and, for the padded variant, modulo (section 6.7) are this program's own addition. */
#ifndef SPARSIGHT_KERNELS_TUNING_AXES_H
#define SPARSIGHT_KERNELS_TUNING_AXES_H

/* The meaning of the values of a line. */
enum tuning_values {
    TUNING_LISTED, /* the values of the table */
    TUNING_ROWS,   /* numbers of rows, up to the first one that covers all rows */
    TUNING_LENGTHS /* shares of the rows, 0 to 1: the length that this share of rows does not exceed */
};

struct tuning_line {
    const char *parameter; /* of the kernel, or of its format; NULL ends a list of lines */
    const char *values;    /* separated by blanks, ascending */
    enum tuning_values meaning;
};

/* A rule for two parameters: if the first has this value, the other must have that one. */
struct tuning_rule {
    const char *parameter, *value; /* "reduce", "shared"; NULL ends a list of rules */
    const char *other, *needed;    /* "threads", "32" */
};

/* Values that several kernels have. */
#define TUNING_BLOCKS "32 64 128 256 512 1024"
#define TUNING_HEIGHTS "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
#define TUNING_SHARES "0 0.1 0.25 0.3333 0.5 0.6667 0.75 0.9 0.95 0.99 1"

#endif
