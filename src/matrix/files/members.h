/* Which member of an archive is meant, told from the names alone. Used by container.c. */
#ifndef SPARSIGHT_MATRIX_FILES_MEMBERS_H
#define SPARSIGHT_MATRIX_FILES_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* The part of a path behind its last slash. */
const char *member_base(const char *path);

/* text[0..length-1] ends with this ending, in small letters or capitals. */
bool member_ends_with(const char *text, size_t length, const char *ending);

/* Length of the file name `base` without the endings of compression, archive and Matrix Market. */
size_t member_stem(const char *base);

bool member_is_matrix(const char *member);

/* The member is DIR/NAME.mtx, and DIR or the archive `file` (NULL: not known) is called NAME. */
bool member_has_the_name(const char *file, const char *member);

/* The member is the one called `wanted`, with or without its folders. */
bool member_is_wanted(const char *wanted, const char *member);

/* Of the members listed (one a line), the only matrix that is nobody's companion: a copy in *chosen, which
 * the caller frees. Errors: members_refuse's, STATUS_MEMORY. */
enum status members_choose(const char *file, const struct text *members, char **chosen, struct error *error);

/* STATUS_INPUT: why none of the members is meant. `wanted` is the name that was asked for, or NULL; there
 * were `candidates` matrices to choose from. */
enum status members_refuse(const char *file, const struct text *members, const char *wanted, int candidates,
                           struct error *error);

#endif
