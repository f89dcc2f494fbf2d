/* Vertices with names: each gets the next number when it first occurs. Only files/graph uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_NAMES_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_NAMES_H

#include <stdint.h>

#include "base/error.h"

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

#endif
