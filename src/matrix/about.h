/* Metadata of a matrix in the comments of its file. */
#ifndef SPARSIGHT_MATRIX_ABOUT_H
#define SPARSIGHT_MATRIX_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

#define ABOUT_TEXT 200      /* bytes of a text, with the final 0; longer texts are cut */
#define ABOUT_COMMENTS 2048 /* bytes of the first comments */
#define ABOUT_NOTES 8192    /* bytes of the notes; further lines are left out */

/* A text that the file lacks is empty. Texts have no control characters, except line ends in the last two. */
struct about {
    char title[ABOUT_TEXT], author[ABOUT_TEXT], editor[ABOUT_TEXT], kind[ABOUT_TEXT], date[ABOUT_TEXT];
    char name[ABOUT_TEXT], id[ABOUT_TEXT]; /* in the collection: "HB/orani678", "224" */
    char comments[ABOUT_COMMENTS]; /* the first lines, each with a line end, without rules and blank lines */
    char notes[ABOUT_NOTES];       /* the lines after "notes:", each with a line end; a blank line separates
                                      paragraphs */
    bool in_notes;                 /* the previous comment was one of the notes */
};

/* Take a comment of `length` bytes, which begins with blanks and % signs. The SuiteSparse collection writes
 * "% title: TEXT", or in older files "% [TEXT]", and "author", "ed", "kind", "date", "name" and "id" in the
 * same way; of several with one name the first counts. The lines after "% notes:" are the notes, up to a
 * rule. */
void about_add(struct about *about, const char *line, size_t length);

/* Return text number k, from 0 on, and in *name its name, "title", "author", "editor", "kind", "date", "name"
 * or "id"; NULL after the last. */
const char *about_text(const struct about *about, int k, const char **name);

#endif
