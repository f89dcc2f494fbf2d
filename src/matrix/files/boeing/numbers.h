/* The three sections of numbers of a Harwell-Boeing file, in lines of fixed width. Only files/boeing uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_BOEING_NUMBERS_H
#define SPARSIGHT_MATRIX_FILES_BOEING_NUMBERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/boeing/format.h"
#include "matrix/files/lines/lines.h"

enum section { POINTERS, INDICES, VALUES, SECTIONS };

/* What a number of each section is called. */
extern const char *const numbers_names[SECTIONS];

/* Fill in what the header says; numbers_parse makes the rest, which numbers_free frees. */
struct numbers {
    struct line_format formats[SECTIONS];
    int64_t counts[SECTIONS]; /* numbers of each section */
    int64_t wanted[SECTIONS]; /* lines that these take */
    int64_t rows;             /* indices are at most this */
    bool kept;                /* values are parsed with the rest; or else numbers_values parses them */
    int64_t *pointers;
    int32_t *indices;
    double *values;    /* NULL unless kept */
    int64_t blocks;    /* of values that are not kept */
    int64_t *firsts;   /* the number of the first value of each block; and how many there are */
    atomic_bool words; /* lines have numbers that are not in the columns that the format names */
    struct lines lines;
    int64_t first_block; /* of the text, in which values are */
};

/* Parse the sections, which begin at byte `begin` of the container with line `first`, from 1. STATUS_INPUT
 * with the place, STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status numbers_parse(struct numbers *numbers, const struct container *container, int64_t begin,
                          int64_t first, struct progress *progress, struct error *error);

/* Parse the values of a block: firsts[block + 1] - firsts[block] of them. Several threads may do so at once.
 */
enum status numbers_values(void *numbers, int64_t block, double *values, struct error *error);

void numbers_free(struct numbers *numbers);

#endif
