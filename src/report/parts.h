/* Parts of a report that have a file of their own. */
#ifndef SPARSIGHT_REPORT_PARTS_H
#define SPARSIGHT_REPORT_PARTS_H

#include <jansson.h>

#include "base/text.h"
#include "columns.h"
#include "session.h"

/* Plain text is this wide. */
#define REPORT_WIDE 80

/* For people: a table of all formats for each precision, and the arrays that were asked for. */
void append_formats(struct text *text, const struct session *session);
void append_arrays(struct text *text, const struct session *session);

/* Append words in lines of at most REPORT_WIDE, broken at blanks, or after commas where there are none,
 * each but the first indented by `indent`. The first one begins at column `at`. Ends the last line. */
void append_wrapped(struct text *text, const char *words, int at, int indent);

/* A column's value: text, number, object or null. */
json_t *value_json(struct value value);

/* The list `formats`: an object for each conversion, in their order. NULL without memory. */
json_t *formats_json(const struct session *session);

#endif
