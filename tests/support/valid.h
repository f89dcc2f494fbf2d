/* Reports that tests make are compared with the JSON Schema, all of a program together at its end, by
 * validate.py. Without Python or its jsonschema nothing is checked. */
#ifndef SPARSIGHT_TESTS_SUPPORT_VALID_H
#define SPARSIGHT_TESTS_SUPPORT_VALID_H

#include <jansson.h>

#include "session/session.h"

/* Make the report of the matrix that is shown, which is the caller's and is noted. */
json_t *valid_json(const struct session *session);

/* Note the contents of a file, JSON or JSON lines. */
void valid_file(const char *path);

/* Hold all that was noted against the schema, and forget it. -1, after a message, if something is not valid.
 */
int valid_check(void);

#endif
