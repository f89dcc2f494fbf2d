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
    int32_t *slots; /* a hash table: 1 + the number of a name, 0 where there is none */
    int64_t room;   /* of slots, a power of 2 */
    char *text;     /* all names, one after the other */
    int64_t *ends;  /* where each ends in the text */
    int64_t text_room, ends_room;
};

/* Find the number of the name text[0..length-1], which is new if it has not occurred. STATUS_MEMORY;
 * STATUS_LIMIT if there are more than 32 bits hold. O(length). */
enum status names_number(struct names *names, const char *text, int64_t length, int32_t *number,
                         struct error *error);

/* Find the number of a name that has occurred; -1 if it has not. Several threads may do so at once. */
int32_t names_find(const struct names *names, const char *text, int64_t length);

void names_free(struct names *names);

/* The form of all lines of a file. */
struct edge_form {
    bool table;    /* rows and columns, not vertices */
    bool named;    /* vertices are words */
    bool numbered; /* before the vertices there is a word that says nothing */
    bool braces;   /* behind the vertices there are attributes, as Python writes a dictionary */
    int columns;   /* words of each line but the one that says nothing; attributes are one */
};

/* Reads the lines next .. block->end - 1. */
struct edge_parser {
    const struct edge_form *form;
    struct lines *lines;
    const struct lines_block *block;
    const char *next;
    bool values;         /* the words after the vertices are wanted */
    struct names *names; /* if vertices are words */
    bool again;          /* all names have occurred: several threads may parse at once */
    const char *last;    /* the first name of a line before, its length, 0 if there is none, and its number */
    int64_t last_length;
    int32_t last_number;
    bool fractional;       /* found: a value is not a whole number */
    bool weights, missing; /* found: attributes with a weight, and without */
    bool others;           /* found: attributes that are no weight */
};

/* Read up to `capacity` entries, the indices of which are at most INT32_MAX - 1; values are 1 where there
 * are none, and val is looked at only if they are wanted. Returns how many, 0 at the end; or -1 with
 * *error filled in: STATUS_INPUT with the position in the file, STATUS_MEMORY, STATUS_LIMIT. */
int edge_parse(struct edge_parser *parser, int32_t *row, int32_t *col, double *val, int capacity,
               struct error *error);

#endif
