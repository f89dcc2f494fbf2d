/* Shared by the tests of reports: sessions that are ready for a report, a folder for files, and reading
 * JSON. */
#ifndef SPARSIGHT_TESTS_SUPPORT_REPORT_H
#define SPARSIGHT_TESTS_SUPPORT_REPORT_H

#include <jansson.h>
#include <stddef.h>

#include "report/report.h"
#include "session/session.h"

/* A folder for the files of a group of tests, and the path of one in it. Removing it, or making it again,
 * returns -1 if a file was left in it. Removing it also fails if a noted report is invalid
 * (support/valid.h). */
int make_report_folder(void **state);
int remove_report_folder(void **state);
int empty_report_folder(void);
void report_path(char *path, size_t size, const char *name);

/* Larger formats are refused, such as ELL of an arrow, which has the slots of the dense matrix. */
#define LIMIT ((size_t)32 << 20)

/* Load a matrix within LIMIT, and prepare it for a report with the requested parts, or with no part. */
void load_for_report(struct session *session, const char *name, const struct report_request *request);
void load_plain(struct session *session, const char *name);

/* A request for everything, with all formats. */
struct report_request request_everything(void);

/* A request for two samples of these kernels, in both precisions. */
struct report_request request_kernels(const char *list);

/* The text of a file, in static memory; NULL if it cannot be read. */
char *read_whole(const char *path);

/* The value at a dotted key. */
const json_t *json_at(const json_t *object, const char *key);

/* A report of two matrices with a failure between them, which ends with `expected`. */
void report_of_two(const char *format_name, const char *path, enum status expected);

/* Write a report of a matrix and a failure; any step may fail. */
enum status try_report(const struct report_format *format, const char *path, const struct session *session,
                       struct error *error);

#endif
