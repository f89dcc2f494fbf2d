/* Suggestions for an unknown word: the known words that are most similar to it. */
#ifndef SPARSIGHT_BASE_GUESS_H
#define SPARSIGHT_BASE_GUESS_H

#include <stddef.h>

#include "base/error.h"

#define GUESS_NAMES 4  /* max number of equally similar words that are named */
#define GUESS_WORD 64  /* bytes of a word; longer ones are cut */
#define GUESS_TEXT 320 /* bytes of guess_text */

struct guess {
    char word[GUESS_WORD]; /* as it was typed, in lower case */
    int fewest;            /* the number of letters that differ in the names; before the first name, the
                              maximum */
    int count;
    char names[GUESS_NAMES][GUESS_WORD];
};

/* Start a guess for the first `length` bytes of `word`. A known word may be meant if at most a third of the
 * letters differ, and at most one of two to five letters; upper and lower case are alike. */
void guess_start(struct guess *guess, const char *word, size_t length);

/* Consider a known word. `name` is the form in which messages name it. */
void guess_offer(struct guess *guess, const char *known, const char *name);

/* Write "; did you mean A or B", to which the caller puts a question mark, or "" if no offered word is
 * similar enough. Returns out. */
char *guess_text(const struct guess *guess, char out[GUESS_TEXT]);

/* Fail with STATUS_USAGE, since the first `length` bytes of `word` are no name of a table: "START 'WORD'; did
 * you mean A? There are A, B, C". `start` is "no order is called". name(k) is the table's k-th name; NULL
 * after the last. */
enum status guess_refuse(const char *start, const char *word, size_t length, const char *(*name)(int k),
                         struct error *error);

#endif
