/* What the comments of a file say of its matrix. */
#ifndef SPARSIGHT_MATRIX_ABOUT_H
#define SPARSIGHT_MATRIX_ABOUT_H

#include <stddef.h>

#define ABOUT_TEXT 200      /* bytes of a text, with the 0 behind it; what is longer is cut */
#define ABOUT_COMMENTS 2048 /* bytes of the first comments */

/* Each text is empty if nothing says it. None has control characters. */
struct about {
    char title[ABOUT_TEXT], author[ABOUT_TEXT], kind[ABOUT_TEXT], date[ABOUT_TEXT];
    char comments[ABOUT_COMMENTS]; /* the first lines, each with a line end, but for rules and blank ones */
};

/* Take a comment of `length` bytes, which begins with blanks and % signs. The SuiteSparse collection writes
 * "% title: TEXT", or in older files "% [TEXT]", and "author", "kind" and "date" as it does "title"; of
 * several the first counts. */
void about_add(struct about *about, const char *line, size_t length);

/* Return the text of a number from 0 on, and in *name what it is, "title", "author", "kind" or "date"; NULL
 * behind the last. */
const char *about_text(const struct about *about, int k, const char **name);

#endif
