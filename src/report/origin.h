/* The origin of a report: program, date, command line and machine. Numbers are useless without it. It is an
 * object with the keys version, date, command and host, as at the top of a JSON report, so that new reports
 * and saved ones show it in the same way. */
#ifndef SPARSIGHT_REPORT_ORIGIN_H
#define SPARSIGHT_REPORT_ORIGIN_H

#include <jansson.h>

#include "report/document/document.h"

/* Return the present time (UTC) as "2026-11-29T00:47:57Z"; that of SOURCE_DATE_EPOCH if the environment has
 * it, for output that can be reproduced. NULL without memory. The caller frees with json_decref. */
json_t *origin_date(void);

/* Make the origin of a report of this process, begun at this date. `command` is its command line; NULL:
 * unknown. NULL without memory. The caller frees with json_decref. */
json_t *origin_here(json_t *date, const char *command);

/* Add a section with the facts of an origin, of which unknown ones are left out. */
void origin_section(const json_t *origin, const char *title, struct document *document);

/* Add the same facts in four notes without a title, for the beginning of a report. */
void origin_head(const json_t *origin, struct document *document);

/* The facts that a line of a table has room for; the last key is NULL. */
struct origin_fact {
    const char *key; /* "host.cpu" */
    const char *help;
};
extern const struct origin_fact origin_facts[];

/* Append the value of such a fact to a text, "" if it is unknown: a number or words, not escaped. */
void origin_append(const json_t *origin, const struct origin_fact *fact, struct text *text);

#endif
