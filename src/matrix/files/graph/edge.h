/* The lines of edge lists and tables, each of which is an entry. Only files/graph uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_EDGE_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_EDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/lines/lines.h"

/* Vertices with names: each gets the next number when it first occurs. Only files/graph uses this. */

/* Start with {0}. */
struct names {
    int64_t count;
    int32_t *slots; /* a hash table of 1 + the number of a name; 0: an empty slot */
    int64_t room;   /* of slots, a power of 2 */
    char *text;     /* all names, one after the other */
    int64_t *ends;  /* the end of each name in the text */
    int64_t text_room, ends_room;
};

/* Find the number of the name text[0..length-1]; a new name gets the next number. STATUS_MEMORY; STATUS_LIMIT
 * if 32 bits do not count the names. O(length). */
enum status names_number(struct names *names, const char *text, int64_t length, int32_t *number,
                         struct error *error);

/* Find the number of a name; -1 if it has not occurred. Several threads may call it at once. */
int32_t names_find(const struct names *names, const char *text, int64_t length);

void names_free(struct names *names);

/* The form of all lines of a file. */
struct edge_form {
    bool table;    /* rows and columns, not vertices */
    bool named;    /* vertices are words */
    bool numbered; /* a word without meaning precedes the vertices */
    bool braces;   /* attributes follow the vertices, written like a dictionary of Python */
    int columns;   /* number of words of each line, without the one before the vertices; all attributes count
                      as one */
};

/* Reads the lines next .. block->end - 1. */
struct edge_parser {
    const struct edge_form *form;
    struct lines *lines;
    const struct lines_block *block;
    const char *next;
    bool values;         /* the caller needs the words after the vertices */
    struct names *names; /* if vertices are words */
    bool again;          /* a second reading: all names are known, so several threads may parse at once */
    const char *last;    /* the first name of a previous line, its length (0: none), and its number */
    int64_t last_length;
    int32_t last_number;
    bool fractional;       /* found: a value is not an integer */
    bool weights, missing; /* found: attributes with a weight; attributes without one */
    bool others;           /* found: attributes other than the weight */
};

/* Read up to `capacity` entries, whose indices are at most INT32_MAX - 1. A missing value is 1; `val` is used
 * only if parser->values. Returns the number of entries, 0 at the end; or -1 with *error filled in:
 * STATUS_INPUT with the position in the file, STATUS_MEMORY, STATUS_LIMIT. */
int edge_parse(struct edge_parser *parser, int32_t *row, int32_t *col, double *val, int capacity,
               struct error *error);

#endif
