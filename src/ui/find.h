/* Reading the answers to the "Go to" and "Find" prompts, and searching a matrix. */
#ifndef SPARSIGHT_UI_FIND_H
#define SPARSIGHT_UI_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/matrix.h"

/* Read a position of a rows x cols matrix: a row, or a row and a column, as "17", "17,4", "(17, 4)". Blanks,
 * tabs, brackets, a comma or a semicolon may stand between them. A line of a file, "17 4 -0.5", is a position
 * too; its value is ignored. The numbers count from 1, and their digits may be grouped by ' or _, and by
 * commas as the program writes them. So "1,849" is row 1849 unless the matrix has fewer rows, and then row 1
 * and column 849. *ambiguous becomes true if the matrix has both positions. *row and *col count from 0; *col
 * is not changed if there is only a row. STATUS_USAGE if the text is not a position of the matrix. */
enum status place_parse(const char *text, int64_t rows, int64_t cols, int64_t *row, int64_t *col,
                        bool *ambiguous, struct error *error);

/* The kinds of searches. Searches for rows come before those for entries. */
enum search_kind {
    SEARCH_LONGEST,         /* a row as long as the longest */
    SEARCH_SHORTEST,        /* a row as short as the shortest */
    SEARCH_EMPTY,           /* a row without entries */
    SEARCH_REPEATED,        /* a row with the pattern of an earlier one (analysis/repeats.h), */
    SEARCH_REPEATED_VALUES, /* and the same values there */
    SEARCH_DIAGONAL,        /* a row i < min(rows, cols) without entry (i, i) */
    SEARCH_LENGTH,          /* a row whose length is in the relation to the bound */
    SEARCH_MAX,             /* an entry with the largest absolute value */
    SEARCH_MIN,             /* an entry with the smallest absolute value above 0 */
    SEARCH_ASYMMETRIC,      /* an entry (i, j) whose mirror image (j, i) is missing or has another value */
    SEARCH_SUMMED,          /* a position where entries of the file were summed (matrix/summed.h) */
    SEARCH_VALUE,           /* an entry whose value, or its real part, is in the relation to the bound */
    SEARCH_ABS,             /* an entry whose absolute value is in the relation to the bound */
    SEARCH_ZERO,            /* an explicit zero */
    SEARCH_NAN,             /* an entry with a part that is not a number */
    SEARCH_INF,             /* an entry with an infinite part */
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
    bool columns; /* a column is searched for, and not a row; only if the word is for columns, too */
    enum relation relation;
    double bound;
};

/* Read a search, a word that search_help lists. After len, value and abs follow < <= = >= > != and a number.
 * "col" before a word that is for columns, too, searches columns. Blanks and upper or lower case do not
 * matter. Fails with STATUS_USAGE for anything else, and *search does not change. The error proposes a
 * similar word, and lists all of them. */
enum status search_parse(const char *text, struct search *search, struct error *error);

/* A search for the first row or column after (row, col), or for the first entry after it in row-major order.
 * From the end of the matrix it continues at the beginning, and ends where it began. */
struct finding {
    const struct csr *a;
    const int64_t *col_ptr; /* column_offsets of `a`; NULL: they are counted if the search needs them, */
    size_t limit;           /* within this limit of memory, which holds for repeated rows and columns, too */
    const struct summed *summed; /* for SEARCH_SUMMED; NULL: there are no such positions */
    struct search search;
    int64_t row, col; /* where the search begins; afterwards the position found */
    bool found;
    bool wrapped;     /* the search went on at the beginning of the matrix */
    int64_t earlier;  /* the row or column that a repeated one repeats */
    bool same_values; /* its values, too */
    int64_t entries;  /* of the file, that were summed at a position of SEARCH_SUMMED */
};

/* Prepare a search of a matrix. The caller sets its limit, position and offsets of columns. */
struct finding finding_of(const struct matrix *matrix, const struct search *search);

/* Run the search of a struct finding; the work of a job. The position of a row is its first entry, or `col`
 * is unchanged if the row is empty. That of a column likewise, with `row`. For SEARCH_DIAGONAL it is (i, i).
 * O(rows) for rows, O(cols + rows log len) for columns, O(nnz) for entries, O(nnz log len) for
 * SEARCH_ASYMMETRIC. Counting columns and finding repeated lines (repeats_make) adds O(nnz). Fails if it is
 * cancelled, or if there is no memory to count columns or to compare. */
enum status finding_run(void *finding, struct progress *progress, struct error *error);

#define FOUND_SIZE 512 /* bytes of finding_text */

/* Write the result of a search for the typed text `sought`: the position and details. Returns out. */
char *finding_text(const struct finding *finding, const char *sought, char out[FOUND_SIZE]);

/* The help on searches: words, and their meaning. */
struct search_help {
    char words[64];
    char help[256];
};

/* Write a line of that, counted from 0. Returns false if there are no more. */
bool search_help(int line, struct search_help *help);

#endif
