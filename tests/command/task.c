/* One thread reads a small file, and no idle team is started for that. All threads read a larger file, and
 * wait passively. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/passive.h"
#include "base/threads.h"
#include "command/task.h"
#include "report/sections.h"

#define THREADS 3

/* Calls of passive_begin during reading, and in all; threads during reading, and afterwards. */
static int begun_for_reading, begun, reading_threads, later_threads;

void __real_passive_begin(struct passive *passive, int threads);
void __wrap_passive_begin(struct passive *passive, int threads);
void __wrap_passive_begin(struct passive *passive, int threads)
{
    begun++;
    __real_passive_begin(passive, threads);
}

enum status __real_session_load(struct session *session, const char *name, const struct load_options *options,
                                struct progress *progress, struct error *error);
enum status __wrap_session_load(struct session *session, const char *name, const struct load_options *options,
                                struct progress *progress, struct error *error);
enum status __wrap_session_load(struct session *session, const char *name, const struct load_options *options,
                                struct progress *progress, struct error *error)
{
    begun_for_reading = begun;
    reading_threads = threads_count();
    return __real_session_load(session, name, options, progress, error);
}

enum status __real_report_prepare(struct session *session, const struct report_request *request,
                                  struct progress *progress, struct error *error);
enum status __wrap_report_prepare(struct session *session, const struct report_request *request,
                                  struct progress *progress, struct error *error);
enum status __wrap_report_prepare(struct session *session, const struct report_request *request,
                                  struct progress *progress, struct error *error)
{
    later_threads = threads_count();
    return __real_report_prepare(session, request, progress, error);
}

/* Prepare a report of a diagonal matrix of n rows, whose file has about 14 n bytes. */
static void report_diagonal(int n)
{
    char name[] = "/tmp/sparsight-task-XXXXXX";
    FILE *file = fdopen(mkstemp(name), "w");
    const struct load_options options = {0};
    const struct report_request request = {.only = SECTION_MATRIX};
    struct task task = {.name = name, .options = &options, .request = &request};
    struct error error = {0};
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, n);
    for (int i = 1; i <= n; i++)
        fprintf(file, "%05d %05d 1\n", i, i);
    assert_int_equal(fclose(file), 0);
    threads_set(THREADS);
    begun = begun_for_reading = 0;
    assert_int_equal(finish_task(&task, &error), STATUS_OK);
    assert_int_equal(task.session.shown->matrix.csr.rows, n);
    task_free(&task);
    unlink(name);
}

static void a_small_file_is_read_by_one_thread(void **state)
{
    report_diagonal(100);
    assert_int_equal(begun, 0);
    assert_int_equal(reading_threads, 1);
    assert_int_equal(later_threads, THREADS);
}

/* The file has 378,000 bytes, but so many entries that all threads analyse them. */
static void many_entries_begin_an_idle_team_after_reading(void **state)
{
    report_diagonal(27000);
    assert_int_equal(reading_threads, 1);
    assert_int_equal(begun_for_reading, 0);
    assert_true(begun > 0);
    assert_int_equal(later_threads, THREADS);
}

static void a_large_file_is_read_by_all_threads(void **state)
{
    report_diagonal(40000);
    assert_int_equal(reading_threads, THREADS);
    assert_true(begun_for_reading > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file_is_read_by_one_thread),
        cmocka_unit_test(many_entries_begin_an_idle_team_after_reading),
        cmocka_unit_test(a_large_file_is_read_by_all_threads),
    };
    return cmocka_run_group_tests_name("command/task", tests, NULL, NULL);
}
