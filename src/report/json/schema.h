/* The schema of the report in JSON. */
#ifndef SPARSIGHT_REPORT_JSON_SCHEMA_H
#define SPARSIGHT_REPORT_JSON_SCHEMA_H

#include <jansson.h>

/* The value of `schema` in a report. */
#define REPORT_SCHEMA "sparsight-report/2"

/* Reports of the previous schema, in which spread, read_share and predicted.error were percents, are still
 * read: these three are recomputed from other, unchanged numbers. */
#define REPORT_SCHEMA_BEFORE "sparsight-report/1"

/* Make the JSON Schema (draft 2020-12) of the documents that `report --format=json` writes, from the tables
 * of columns and from schema_keys. Each key has its title, its definition as description and its unit as
 * x-unit. Keys that this version always writes are required; other keys are allowed, since later versions may
 * have some. A line of JSON lines is its $defs.line. Returns NULL without memory; the caller frees with
 * json_decref. */
json_t *schema_json(void);

#endif
