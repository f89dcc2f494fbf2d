/* Parts of a report that have a file of their own. */
#ifndef SPARSIGHT_REPORT_PARTS_H
#define SPARSIGHT_REPORT_PARTS_H

#include <jansson.h>

#include "base/text.h"
#include "columns/columns.h"
#include "session/session.h"

/* Plain text is this wide. */
#define REPORT_WIDE 80

/* For people: a table of all formats for each precision, and the arrays that were asked for. */
void append_formats(struct text *text, const struct session *session);
void append_arrays(struct text *text, const struct session *session);

/* The machine's memory as it was measured and how products were timed; a table of the kernels for each
 * precision, the fastest first; what did not run, and why; whether A x agrees with b. Nothing if none was
 * asked for. */
void append_kernels(struct text *text, const struct session *session);

/* Appends a line of words on kernels. mark: what rows are marked with that the words explain, '!' for bad
 * news, or ' '. */
typedef void append_note(struct text *text, char mark, const char *words);

/* What is said beside the tables: how kernels were timed and what the machine can do; and of one precision
 * what its marks mean, what did not run, and whether A x is b. */
void say_timing(struct text *text, const struct session *session, append_note *note);
void say_outcome(struct text *text, const struct session *session, enum precision precision,
                 append_note *note);

/* Append words in lines of at most REPORT_WIDE, broken at blanks, or after commas where there are none,
 * each but the first indented by `indent`. The first one begins at column `at`. Ends the last line. */
void append_wrapped(struct text *text, const char *words, int at, int indent);

/* A column's value: text, number, object or null. */
json_t *value_json(struct value value);

/* The list `formats`: an object for each conversion, in their order. NULL without memory. */
json_t *formats_json(const struct session *session);

/* The list `kernels`: an object for each result. NULL without memory. */
json_t *kernels_json(const struct session *session);

/* How the kernels were timed, and the machine's figures; null if none was asked for. NULL without memory. */
json_t *timing_json(const struct session *session);

/* A figure that was not measured, or no number, is null. */
json_t *figure_json(double figure);

#endif
