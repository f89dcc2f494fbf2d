/* Comparing the reports of tests with the JSON Schema: validate.py checks all reports of a program together
 * at its end. Without Python or its jsonschema nothing is checked. */
#ifndef SPARSIGHT_TESTS_SUPPORT_VALID_H
#define SPARSIGHT_TESTS_SUPPORT_VALID_H

#include <jansson.h>

#include "session/session.h"

/* Make the report of the shown matrix, and note it. The caller owns it. */
json_t *valid_json(const struct session *session);

/* Note the contents of a file, JSON or JSON lines. */
void valid_file(const char *path);

/* Compare all noted reports with the schema, and forget them. Returns -1 after a message if one is invalid.
 */
int valid_check(void);

#endif
