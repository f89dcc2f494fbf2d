/* Shared by the tests of reports: sessions that are ready for one, a folder for files, JSON that is read. */
#ifndef SPARSIGHT_TESTS_SUPPORT_REPORT_H
#define SPARSIGHT_TESTS_SUPPORT_REPORT_H

#include <jansson.h>
#include <stddef.h>

#include "report/report.h"
#include "session/session.h"

/* A folder for the files of a group of tests, and the path of one in it. Removing it and making it again
 * fails, with -1, where something was left in it; so does removing it if a report that was noted is not valid
 * (support/valid.h). */
int make_report_folder(void **state);
int remove_report_folder(void **state);
int empty_report_folder(void);
void report_path(char *path, size_t size, const char *name);

/* Formats that would take more are refused: ELL of an arrow has as many slots as the dense matrix. */
#define LIMIT ((size_t)32 << 20)

/* Load a matrix, held within LIMIT, and get it ready for a report: with the requested parts, or with
 * nothing. */
void load_for_report(struct session *session, const char *name, const struct report_request *request);
void load_plain(struct session *session, const char *name);

/* Everything that can be asked for, of all formats. */
struct report_request request_everything(void);

/* Two samples of these kernels, in both precisions. */
struct report_request request_kernels(const char *list);

/* The text of a file, in static memory; NULL if it cannot be read. */
char *read_whole(const char *path);

/* The value at a dotted key. */
const json_t *json_at(const json_t *object, const char *key);

/* A report of two matrices with a failure between them, which ends with `expected`. */
void report_of_two(const char *format_name, const char *path, enum status expected);

/* A report of a matrix and a failure, in which anything may go wrong. */
enum status try_report(const struct report_format *format, const char *path, const struct session *session,
                       struct error *error);

#endif
