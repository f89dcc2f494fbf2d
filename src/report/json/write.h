/* JSON as text. jansson keeps the tree, and this file writes it. So reals have the fewest digits that read
 * back to the same double with any version of jansson, and lists of small objects have one object on each
 * line. */
#ifndef SPARSIGHT_REPORT_JSON_WRITE_H
#define SPARSIGHT_REPORT_JSON_WRITE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/text.h"

/* Append `value` (RFC 8259). compact: on one line; else indented by two blanks a level. No newline at the
 * end. */
void json_write(const json_t *value, bool compact, struct text *text);

/* A string of any bytes: those that are not UTF-8 become U+FFFD. NULL without memory. */
json_t *json_from_bytes(const char *bytes);

/* Set the value of a dotted key, "loads.sectors": missing objects on the way are made. Takes the value. False
 * without memory. */
bool json_set_dotted(json_t *object, const char *key, json_t *value);

#endif
