/* The JSON Schemas (draft 2020-12) of surveys and comparisons, made from the tables of columns. All return
 * NULL without memory; the caller frees with json_decref. */
#ifndef SPARSIGHT_REPORT_RECORDS_SCHEMAS_H
#define SPARSIGHT_REPORT_RECORDS_SCHEMAS_H

#include <jansson.h>

/* A line of the file of a survey: its first line, a matrix, an error or the end of an input. */
json_t *survey_lines_schema(void);

/* The documents that `survey --format=json` and `compare --format=json` print. */
json_t *survey_tables_schema(void);
json_t *compare_schema(void);

#endif
