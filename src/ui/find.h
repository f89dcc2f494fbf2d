/* Places and searches in words: what the goto and find prompts understand. */
#ifndef SPARSIGHT_UI_FIND_H
#define SPARSIGHT_UI_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Read "row" or "row,col" (1-based, as in Matrix Market; digits may be grouped by ' or _) into 0-based *row
 * and *col, which keeps its value if there is no col. STATUS_USAGE if it is no place of a rows x cols matrix.
 */
enum status place_parse(const char *text, int64_t rows, int64_t cols, int64_t *row, int64_t *col,
                        struct error *error);

enum search_kind {
    SEARCH_LONGEST,  /* a row as long as the longest */
    SEARCH_SHORTEST, /* a row as short as the shortest */
    SEARCH_EMPTY,    /* a row without entries */
    SEARCH_DIAGONAL, /* a row i < min(rows, cols) without entry (i, i) */
    SEARCH_LENGTH,   /* a row whose length compares so */
    SEARCH_VALUE,    /* an entry whose value (its real part) compares so */
    SEARCH_ABS,      /* an entry whose absolute value, or modulus, compares so */
    SEARCH_ZERO,     /* an explicit zero */
    SEARCH_NAN,      /* an entry with a part that is not a number */
    SEARCH_INF,      /* an entry with an infinite part */
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
    enum relation relation;
    double bound;
};

/* Read a search: longest, shortest, empty, diag, zero, nan, inf, or one of len, value, abs followed by
 * < <= = >= > != and a number. Blanks and upper or lower case do not matter. STATUS_USAGE, with the list of
 * what there is, for anything else. */
enum status search_parse(const char *text, struct search *search, struct error *error);

/* One search from a place on: rows from the next one, entries from the next one in row-major order, to the
 * end and round to the place itself. */
struct finding {
    const struct csr *a;
    struct search search;
    int64_t row, col; /* from here; afterwards the place found */
    bool found;
    bool wrapped; /* the end of the matrix was passed */
};

/* Search; a row found keeps the column for empty ones and missing diagonals get j = i, else the row's first
 * entry. Takes a struct finding, so that it can be the work of a job. O(rows) for rows, O(nnz) for entries.
 */
enum status finding_run(void *finding, struct progress *progress, struct error *error);

/* The kinds of search in a few words, one a line, for the help; ends with a NULL word. */
struct search_word {
    const char *word, *help;
};
extern const struct search_word search_words[];

#endif
