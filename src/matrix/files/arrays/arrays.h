/* Builds the canonical matrix from the arrays of a binary file; shared by the readers of such formats. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_ARRAYS_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/view.h"
#include "matrix/matrix.h"

/* The arrangement of the positions of entries. A line is a row or, if columns are compressed, a column. */
enum arrangement {
    ARRANGED_ROWS,       /* pointers: the offset of each row, and the end; cols: the column of each entry */
    ARRANGED_COLUMNS,    /* pointers: the offset of each column, and the end; rows: the row of each entry */
    ARRANGED_LOOSE,      /* rows and cols of each entry */
    ARRANGED_BLOCKS,     /* pointers: the offset of each block row; cols: the block column of each block;
                            values: blocks of block_rows x block_cols, row by row */
    ARRANGED_DIAGONALS,  /* cols: number j - i of each diagonal; values: a line of `stride` for each, in which
                            element j belongs to column j; zeros are no entries */
    ARRANGED_DENSE_ROWS, /* values alone, row by row */
    ARRANGED_DENSE_COLUMNS, /* values alone, column by column */
};

/* Values in a text, read block by block when their entries are placed. */
struct arrays_text {
    int64_t blocks;
    const int64_t *firsts; /* the number of the first value of each block; and the number of values */
    /* Read the values of a block; several threads do so at once. */
    enum status (*read)(void *self, int64_t block, double *values, struct error *error);
    void *self;
};

struct arrays {
    enum arrangement arrangement;
    int64_t rows, cols;
    enum field field; /* with a pattern there are no values */
    enum symmetry symmetry;
    int64_t base;                   /* first index, and first pointer: 0 or 1 */
    bool single;                    /* all entries have the first value */
    bool agreeing_mirrors;          /* an entry of a symmetric matrix may be listed in both triangles */
    struct view pointers;           /* {0} if the arrangement has none */
    struct view lines;              /* the numbers of the lines that have pointers, ascending; {0}: all
                                       lines */
    struct view row, col;           /* see the arrangement */
    struct view value;              /* may be complex, */
    struct view imaginary;          /* or this has the imaginary parts */
    const struct arrays_text *text; /* replaces `value` for rows or columns with real values */
    int64_t block_rows, block_cols, stride;
    const char *path;
};

/* Check the arrays' sizes against each other and the file, and build the matrix. Fills in field, symmetry,
 * coordinate, stored, duplicates, csr, summed and notes of *matrix. Returns STATUS_INPUT with the array and
 * its wrong element, STATUS_LIMIT before it allocates more than the limit, STATUS_IO, STATUS_MEMORY,
 * STATUS_CANCELLED. Rows in ascending order are read once, directly into the CSR arrays; everything else goes
 * through build_csr, which reads it twice. Beside the matrix this takes 8 bytes for each line that has a
 * pointer. */
enum status arrays_build(const struct arrays *arrays, const struct load_options *options,
                         struct progress *progress, struct matrix *matrix, struct error *error);

#endif
