#include "support/valid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"

/* Exit status of validate.py without jsonschema, and of a shell without python3. */
#define NO_SCHEMA 77
#define NO_PYTHON 127

static void path_of(char *path, size_t size)
{
    snprintf(path, size, "/tmp/sparsight-valid-%ld.jsonl", (long)getpid());
}

/* Append one line. */
static void note(const json_t *value)
{
    char path[64];
    path_of(path, sizeof path);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_int_equal(json_dumpf(value, file, JSON_COMPACT), 0);
    assert_true(fputc('\n', file) == '\n');
    assert_int_equal(fclose(file), 0);
}

json_t *valid_json(const struct session *session)
{
    json_t *object = report_json(session);
    if (object) note(object);
    return object;
}

void valid_file(const char *path)
{
    FILE *file = fopen(path, "r");
    json_error_t error;
    json_t *value;
    assert_non_null(file);
    while ((value = json_loadf(file, JSON_DISABLE_EOF_CHECK, &error))) {
        note(value);
        json_decref(value);
    }
    assert_true(feof(file));
    fclose(file);
}

int valid_check(void)
{
    char path[64], command[4096];
    const char *source = getenv("SRCDIR");
    path_of(path, sizeof path);
    if (access(path, R_OK) != 0) return 0;
    snprintf(command, sizeof command,
             "python3 '%s/tests/support/validate.py' '%s/data/sparsight-report-2.schema.json' '%s' 1>&2",
             source, source, path);
    int state = system(command), status = state >= 0 && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    remove(path);
    return status == 0 || status == NO_SCHEMA || status == NO_PYTHON ? 0 : -1;
}
