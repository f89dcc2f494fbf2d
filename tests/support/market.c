#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "matrix/files/container.h"
#include "matrix/files/market/market.h"
#include "support/market.h"

const struct wellformed market_good[] = {
    {REAL "2 3 3\n1 1 1.5\n2 3 -2\n1 2 1e3\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     3,
     3,
     {{1, 1, 1.5}, {1, 2, 1000}, {2, 3, -2}}},
    {"%%matrixmarket MATRIX Coordinate DOUBLE General\r\n% c\r\n\r\n  2\t3 1  \r\n%\r\n\r\n \t2  3\t 1D1 "
     "\t\r\n  % x\r\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     1,
     1,
     {{2, 3, 10}}},
    {REAL "1 4 4\n1 1 inf\n1 2 -Infinity\n1 3 0x1p4\n1 4 .5",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     1,
     4,
     4,
     4,
     {{1, 1, INFINITY}, {1, 2, -INFINITY}, {1, 3, 16}, {1, 4, .5}}},
    {INTEGER "2 2 3\n1 1 9007199254740993\n2 2 -7\n1 2 +3\n",
     FIELD_INTEGER,
     SYMMETRY_GENERAL,
     2,
     2,
     3,
     3,
     {{1, 1, 9007199254740992.0}, {1, 2, 3}, {2, 2, -7}}},
    {PATTERN "2 2 2\n2 1\n1 2\n", FIELD_PATTERN, SYMMETRY_GENERAL, 2, 2, 2, 2, {{1, 2, 1}, {2, 1, 1}}},
    {COMPLEX "1 1 1\n1 1 1.25 -2.5\n", FIELD_COMPLEX, SYMMETRY_GENERAL, 1, 1, 1, 1, {{1, 1, 1.25, -2.5}}},
    {SYMMETRIC "3 3 3\n1 1 4\n3 1 5\n2 3 6\n",
     FIELD_REAL,
     SYMMETRY_SYMMETRIC,
     3,
     3,
     3,
     5,
     {{1, 1, 4}, {1, 3, 5}, {2, 3, 6}, {3, 1, 5}, {3, 2, 6}}},
    {SKEW "2 2 2\n2 1 5\n1 1 0\n", FIELD_REAL, SYMMETRY_SKEW, 2, 2, 2, 3, {{1, 1, 0}, {1, 2, -5}, {2, 1, 5}}},
    {HERMITIAN "2 2 2\n2 1 5 3\n2 2 1 0\n",
     FIELD_COMPLEX,
     SYMMETRY_HERMITIAN,
     2,
     2,
     2,
     3,
     {{1, 2, 5, -3}, {2, 1, 5, 3}, {2, 2, 1, 0}}},
    {ARRAY "2 3\n1\n2\n3\n4\n5\n6\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     6,
     6,
     {{1, 1, 1}, {1, 2, 3}, {1, 3, 5}, {2, 1, 2}, {2, 2, 4}, {2, 3, 6}}},
    {"%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
     FIELD_INTEGER,
     SYMMETRY_SYMMETRIC,
     3,
     3,
     6,
     9,
     {{1, 1, 1}, {1, 2, 2}, {1, 3, 3}, {2, 1, 2}, {2, 2, 4}, {2, 3, 5}, {3, 1, 3}, {3, 2, 5}, {3, 3, 6}}},
    {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n\n2\n% c\n3\n",
     FIELD_REAL,
     SYMMETRY_SKEW,
     3,
     3,
     3,
     6,
     {{1, 2, -1}, {1, 3, -2}, {2, 1, 1}, {2, 3, -3}, {3, 1, 2}, {3, 2, 3}}},
    {"%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n",
     FIELD_COMPLEX,
     SYMMETRY_HERMITIAN,
     2,
     2,
     3,
     4,
     {{1, 1, 1, 0}, {1, 2, 2, -3}, {2, 1, 2, 3}, {2, 2, 4, 0}}},
    {REAL "2 2 3\n1 2 1\n1 2 2\n1 1 0\n", FIELD_REAL, SYMMETRY_GENERAL, 2, 2, 3, 2, {{1, 1, 0}, {1, 2, 3}}},
    {REAL "3 4 0\n", FIELD_REAL, SYMMETRY_GENERAL, 3, 4, 0, 0, {{0}}},
    {REAL "0 0 0", FIELD_REAL, SYMMETRY_GENERAL, 0, 0, 0, 0, {{0}}},
};

const size_t market_good_count = sizeof market_good / sizeof *market_good;

enum status read_file(const char *path, const struct load_options *options, struct progress *progress,
                      struct matrix *matrix, struct error *error)
{
    struct container *container;
    *matrix = (struct matrix){0};
    enum status status = container_open(path, &container, error);
    if (status) return status;
    status = market_read(container, options, progress, matrix, error);
    if (status) assert_null(matrix->csr.row_ptr);
    container_close(container);
    return status;
}
