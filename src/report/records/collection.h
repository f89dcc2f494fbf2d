/* Collections: the files of surveys, read back.
 *
 * A survey's file has JSON lines: first {"survey": {...}} with `schema`, the members of its origin
 * (report/origin.h) and `settings`, the options that records depend on; then for each input the lines of
 * `report --format=jsonl`, one for each matrix and order, or an error. {"input": {...}} with the input's
 * `name`, `failed` and `seconds` follows and makes these lines valid. A name that is not UTF-8 also has its
 * bytes in `bytes`, as hexadecimal digits. */
#ifndef SPARSIGHT_REPORT_RECORDS_COLLECTION_H
#define SPARSIGHT_REPORT_RECORDS_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
#include "base/text.h"
#include "report/records/record.h"

#define SURVEY_SCHEMA "sparsight-survey/1"

/* Start with {0}; free with collection_free. */
struct collection {
    struct record *records; /* of matrices that were read, in the order of the file; owned */
    int count, room;
    char **inputs; /* the names of the finished inputs, sorted; owned */
    int input_count, input_room;
    char **failures; /* the names of those that failed, in the order of the file; owned */
    int failed, failure_room;
    const char *path; /* of the file, the caller's */
    json_t *origin;   /* of its first line (report/origin.h); owned */
    char *settings;   /* NULL: the file has no first line; owned */
    json_t *errors;   /* an array of the reports' error objects; owned */
    int64_t whole;    /* bytes up to the end of the last finished input; the rest is incomplete and ignored */
};

/* Read a survey's file from its beginning. `path` names it in errors. With `records` the records are kept,
 * else only the data for resuming. Incomplete data after the last finished input are left out: half a line,
 * or some orders of a matrix. STATUS_INPUT with the line if the first or another line was not written by a
 * survey. STATUS_IO, STATUS_MEMORY. */
enum status collection_read(FILE *file, const char *path, bool records, struct collection *collection,
                            struct error *error);

/* Write the lines of a survey's file from its beginning to `output`, without those of inputs that failed and
 * without incomplete data at the end. Errors as for collection_read, and those of writing. */
enum status collection_copy_good(FILE *file, const char *path, struct output *output, struct error *error);

/* True if this input is finished. O(log inputs). */
bool collection_has(const struct collection *collection, const char *input);

void collection_free(struct collection *collection);

/* The first line, {"survey": ...}, and that of a finished input, {"input": ...}, with their line ends.
 * Without memory both append nothing and let the text fail. */
void survey_line(const char *settings, const char *command, struct text *text);
void input_line(const char *name, bool failed, double seconds, struct text *text);

/* A line {"error": {...}} of an input that could not be reported. */
void error_line(const char *path, const char *message, struct text *text);

#endif
