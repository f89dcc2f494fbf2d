/* Collections: what a survey has written, read back.
 *
 * A survey's file has a line of JSON for everything (JSON lines): first {"survey": {...}} with `schema`,
 * `version`, `host` and `settings`, the options that records depend on; then for each input what `report
 * --format=jsonl` writes of it, a matrix a line, one for each order, or an error; and behind these {"input":
 * {...}} with the input's `name`, `failed` and `seconds`, which makes them count. A name that is no UTF-8 has
 * its bytes in `bytes` too, as hexadecimal digits. */
#ifndef SPARSIGHT_REPORT_RECORDS_COLLECTION_H
#define SPARSIGHT_REPORT_RECORDS_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "report/records/record.h"

#define SURVEY_SCHEMA "sparsight-survey/1"

/* Start with {0}; free with collection_free. */
struct collection {
    struct record *records; /* of matrices that were read, in the order of the file; owned */
    int count, room;
    char **inputs; /* the names of those that are done, sorted; owned */
    int input_count, input_room;
    int failed;     /* how many of them failed */
    char *settings; /* NULL: the file has no first line; owned */
    json_t *errors; /* an array of the reports' error objects; owned */
    int64_t whole;  /* bytes up to the end of the last input that is done: what follows was cut off, and does
                       not count */
};

/* Read a survey's file from its beginning. `path` names it in errors. With `records` the records are kept,
 * else only what resuming needs. Incomplete data after the last finished input are left out: half a line, or
 * some orders of a matrix. STATUS_INPUT with the line if the file does not begin like a survey's, or another
 * line is not one of a survey: such a file was not written by a survey. STATUS_IO, STATUS_MEMORY. */
enum status collection_read(FILE *file, const char *path, bool records, struct collection *collection,
                            struct error *error);

/* True if this input is done. O(log inputs). */
bool collection_has(const struct collection *collection, const char *input);

void collection_free(struct collection *collection);

/* The first line, {"survey": ...}, and that of an input which is done, {"input": ...}, with their line ends.
 * Both append nothing without memory, and let the text fail. */
void survey_line(const char *settings, struct text *text);
void input_line(const char *name, bool failed, double seconds, struct text *text);

/* A line {"error": {...}} of an input of which nothing can be told but why. */
void error_line(const char *path, const char *message, struct text *text);

#endif
