/* This reads what is typed in the "Go to" and "Find" prompts, and searches a matrix. */
#ifndef SPARSIGHT_UI_FIND_H
#define SPARSIGHT_UI_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Read a place of a rows x cols matrix: a row, or a row and a column with blanks, tabs, brackets, a comma or
 * a semicolon between them, as "17", "17,4", "(17, 4)"; or a line of a file, "17 4 -0.5", whose value is not
 * looked at. The numbers count from 1, and their digits may be grouped by ' or _, and by commas as the
 * program writes them: "1,849" is row 1849 unless the matrix has fewer rows, and then row 1 and column 849.
 * *ambiguous becomes true if the matrix has both places. *row and *col count from 0; *col is not changed if
 * there is only a row. Fails with STATUS_USAGE if the text is no place of the matrix. */
enum status place_parse(const char *text, int64_t rows, int64_t cols, int64_t *row, int64_t *col,
                        bool *ambiguous, struct error *error);

/* What is searched for. Searches for rows come before those for entries. */
enum search_kind {
    SEARCH_LONGEST,    /* a row as long as the longest */
    SEARCH_SHORTEST,   /* a row as short as the shortest */
    SEARCH_EMPTY,      /* a row without entries */
    SEARCH_DIAGONAL,   /* a row i < min(rows, cols) without entry (i, i) */
    SEARCH_LENGTH,     /* a row whose length is in the relation to the bound */
    SEARCH_MAX,        /* an entry with the largest absolute value */
    SEARCH_MIN,        /* an entry with the smallest absolute value above 0 */
    SEARCH_ASYMMETRIC, /* an entry (i, j) whose mirror image (j, i) is missing or has another value */
    SEARCH_VALUE,      /* an entry whose value, or its real part, is in the relation to the bound */
    SEARCH_ABS,        /* an entry whose absolute value is in the relation to the bound */
    SEARCH_ZERO,       /* an explicit zero */
    SEARCH_NAN,        /* an entry with a part that is not a number */
    SEARCH_INF,        /* an entry with an infinite part */
};

enum relation {
    RELATION_LESS,
    RELATION_AT_MOST,
    RELATION_EQUAL,
    RELATION_AT_LEAST,
    RELATION_MORE,
    RELATION_NOT
};

struct search {
    enum search_kind kind;
    bool columns; /* a column is searched for, and not a row: the longest, the shortest, an empty one, or one
                     whose length is in the relation to the bound */
    enum relation relation;
    double bound;
};

/* Read a search: longest, shortest, empty, diag, max, min, asym, zero, nan, inf, or one of len, value, abs
 * followed by < <= = >= > != and a number; col before longest, shortest, empty or len means columns. Blanks
 * and upper or lower case do not matter. Fails with STATUS_USAGE for anything else, and *search stays as it
 * was; the error says what can be searched for. */
enum status search_parse(const char *text, struct search *search, struct error *error);

/* A search for the first row or column after (row, col), or for the first entry after it in row-major order.
 * It goes on at the beginning of the matrix and ends where it began. */
struct finding {
    const struct csr *a;
    const int64_t *col_ptr; /* column_offsets of `a`; NULL has them counted if the search needs them, */
    size_t limit;           /* within this limit of memory */
    struct search search;
    int64_t row, col; /* where the search begins; afterwards the place that was found */
    bool found;
    bool wrapped; /* the search went on at the beginning of the matrix */
};

/* Run the search of a struct finding; the work of a job. The place of a row is its first entry, or column
 * `col` as it was if the row is empty; that of a column likewise, or row `row`; for SEARCH_DIAGONAL it is
 * (i, i). O(rows) for rows, O(cols + rows log len) for columns, or O(nnz) more if they have to be counted,
 * O(nnz) for entries, and O(nnz log len) for SEARCH_ASYMMETRIC. Fails if it is cancelled, or if there is no
 * memory to count columns. */
enum status finding_run(void *finding, struct progress *progress, struct error *error);

/* What the help says of searches, a line each. The last one has no word. */
struct search_word {
    const char *word, *help;
};
extern const struct search_word search_words[];

#endif
