/* Choosing the member of an archive that the user means, from the names alone. Only container.c and
 * catalogue.c use this. */
#ifndef SPARSIGHT_MATRIX_FILES_MEMBERS_H
#define SPARSIGHT_MATRIX_FILES_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Return the part of a path after its last slash. */
const char *member_base(const char *path);

/* Return true if text[0..length-1] ends with this ending, without regard to case. */
bool member_ends_with(const char *text, size_t length, const char *ending);

/* Return the length of a file name without the endings of compression and archives; and also without those of
 * readers. */
size_t member_unpacked(const char *base);
size_t member_stem(const char *base);

/* Return true if the member's name has an ending that only matrices have. */
bool member_is_matrix(const char *member);

/* Return true if the member is DIR/NAME with the ending of a matrix, and DIR or the archive `file` (NULL:
 * unknown) is called NAME. */
bool member_has_the_name(const char *file, const char *member);

/* Return true if `wanted` names the member, with its folders or without, or a variable in it as MEMBER:NAME.
 * Its name may be given as messages show it, with '?' for control characters. */
bool member_is_wanted(const char *wanted, const char *member);

/* Return the NAME of a MEMBER:NAME that names the member, or NULL if it is the MEMBER alone. */
const char *member_variable(const char *wanted, const char *member);

/* Return true if the member on this line of a list, with one member on each line, is also on a previous
 * line. */
bool member_stands_before(const char *list, const char *line);

/* Find the only matrix among the members, one per line, that is not a right-hand side or solution of another.
 * *chosen becomes a copy of its name, which the caller frees. Returns STATUS_MEMORY, or the status of
 * members_refuse. */
enum status members_choose(const char *file, const struct text *members, char **chosen, struct error *error);

/* Fail with the reason why no member was chosen: STATUS_SEVERAL if the user has to name one of several, else
 * STATUS_INPUT. `wanted` is the requested name, or NULL; `candidates` is the number of matrices. */
enum status members_refuse(const char *file, const struct text *members, const char *wanted, int candidates,
                           struct error *error);

#endif
