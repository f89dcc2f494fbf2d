#include "support/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"
#include "support/valid.h"

static char folder[] = "/tmp/sparsight-report-XXXXXX";

int make_report_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

int remove_report_folder(void **state)
{
    return rmdir(folder) == 0 ? valid_check() : -1;
}

int empty_report_folder(void)
{
    return rmdir(folder) == 0 ? mkdir(folder, 0700) : -1;
}

void report_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

void load_for_report(struct session *session, const char *name, const struct report_request *request)
{
    struct load_options options = {.limit = LIMIT};
    struct error error = {0};
    assert_int_equal(session_load(session, name, &options, NULL, &error), STATUS_OK);
    assert_int_equal(report_prepare(session, request, NULL, &error), STATUS_OK);
}

void load_plain(struct session *session, const char *name)
{
    static const struct report_request nothing;
    load_for_report(session, name, &nothing);
}

struct report_request request_everything(void)
{
    struct report_request request = {.f64 = true, .f32 = true};
    assert_int_equal(format_list_add(&request.convert, "all", NULL), STATUS_OK);
    assert_int_equal(format_list_add(&request.arrays, "all", NULL), STATUS_OK);
    return request;
}

char *read_whole(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

const json_t *json_at(const json_t *object, const char *key)
{
    char name[64];
    const char *dot = strchr(key, '.');
    if (!dot) return json_object_get(object, key);
    snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
    return json_at(json_object_get(object, name), dot + 1);
}

struct report_request request_kernels(const char *list)
{
    struct report_request request = {.f64 = true, .f32 = true, .timing = {.repeat = 2, .min_seconds = 1e-9}};
    assert_int_equal(kernel_list_add(&request.kernels, list, NULL), STATUS_OK);
    return request;
}

void report_of_two(const char *format_name, const char *path, enum status expected)
{
    struct error error = {0}, failure = {0};
    struct report report;
    struct session session;
    const struct report_format *format = report_format_find(format_name, &error);
    assert_non_null(format);
    assert_int_equal(report_open(&report, format, path, &error), STATUS_OK);
    load_plain(&session, "gen:laplace2d,n=3");
    enum status status = report_matrix(&report, &session, &error);
    session_free(&session);
    error_at(&failure, STATUS_INPUT, "bad.mtx", 3, 7, "a row of %d", 0);
    if (status == STATUS_OK) status = report_failure(&report, &failure, &error);
    load_plain(&session, "gen:arrow,n=4");
    if (status == STATUS_OK) status = report_matrix(&report, &session, &error);
    session_free(&session);
    if (status == STATUS_OK) status = report_close(&report, &error);
    report_abandon(&report);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
}

enum status try_report(const struct report_format *format, const char *path, const struct session *session,
                       struct error *error)
{
    struct report report;
    struct error failure = {.status = STATUS_IO, .path = "x", .message = "y"};
    enum status status = report_open(&report, format, path, error);
    if (status == STATUS_OK) status = report_matrix(&report, session, error);
    if (status == STATUS_OK) status = report_failure(&report, &failure, error);
    if (status == STATUS_OK) status = report_close(&report, error);
    report_abandon(&report);
    return status;
}
