/* The texts of a matrix of the SuiteSparse collection: fields of a struct, each of which becomes a comment in
 * the form of the collection's Matrix Market files. ssget of the collection describes their names. */
#ifndef SPARSIGHT_MATRIX_FILES_PROBLEM_TEXTS_H
#define SPARSIGHT_MATRIX_FILES_PROBLEM_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/about.h"

/* A MATLAB array of characters, column by column: character c of line l is code[c lines + l], a unit of
 * UTF-16 or a whole character of Unicode. */
struct characters {
    int32_t *code; /* owned by the maker of the struct */
    int64_t count, lines;
};

/* The maximum number of characters of a text. */
#define CHARACTERS_MAX ((int64_t)1 << 20)

/* True if a field of this name is one of the texts. */
bool texts_are_in(const char *field);

/* Read a field of this name: every line of notes, and the only line of other fields. */
void texts_take(const char *field, const struct characters *all, struct about *about);

/* Read the collection's number of the matrix, its field `id`. Anything except a number >= 1 is ignored. */
void texts_take_id(double number, struct about *about);

#endif
