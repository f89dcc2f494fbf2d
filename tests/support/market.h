/* For the tests of Matrix Market files: banners, and reading a single file. */
#ifndef SPARSIGHT_TESTS_SUPPORT_MARKET_H
#define SPARSIGHT_TESTS_SUPPORT_MARKET_H

#include "matrix/matrix.h"

#define REAL "%%MatrixMarket matrix coordinate real general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define HERMITIAN "%%MatrixMarket matrix coordinate complex hermitian\n"
#define COMPLEX "%%MatrixMarket matrix coordinate complex general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

/* A well-formed file, and its meaning. */
struct wellformed {
    const char *text;
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols, stored;
    int64_t entries;       /* the number of entries of the matrix */
    double expected[9][4]; /* row and column from 1, value and imaginary part of each entry, row by row */
};

extern const struct wellformed market_good[];
extern const size_t market_good_count;

/* Open `path` and read it by market_read; a failure must leave no matrix behind. */
enum status read_file(const char *path, const struct load_options *options, struct progress *progress,
                      struct matrix *matrix, struct error *error);

#endif
