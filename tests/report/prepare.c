/* report/prepare: a report has exactly the parts that were requested. A part without memory leaves a note. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "support/report.h"
#include "support/unit.h"

static void ask_structure(struct report_request *request)
{
    request->structure = true;
}

static void ask_spgemm(struct report_request *request)
{
    request->spgemm = true;
}

static void ask_rounding(struct report_request *request)
{
    request->rounding = true;
}

static void ask_pyramid(struct report_request *request)
{
    request->wants = SESSION_PYRAMID;
}

/* Optional requests, beside the parts of every report. */
static const struct {
    const char *name;
    void (*ask)(struct report_request *request);
    unsigned parts;
} asked[] = {
    {"structure", ask_structure, SESSION_BLOCKS | SESSION_FILL | SESSION_SOLVES | SESSION_QR},
    {"spgemm", ask_spgemm, SESSION_SPGEMM},
    {"rounding", ask_rounding, SESSION_PRECISIONS},
    {"pyramid", ask_pyramid, SESSION_PYRAMID},
};
#define ASKED (sizeof asked / sizeof *asked)

TEST(parts_are_there_if_they_were_asked_for)
{
    for (unsigned set = 0; set < 1U << ASKED; set++) {
        struct report_request request = {0};
        struct session session;
        for (size_t k = 0; k < ASKED; k++)
            if (set >> k & 1) asked[k].ask(&request);
        load_for_report(&session, "gen:laplace2d,n=4", &request);
        assert_true(session_has(&session, REPORT_NEEDS & ~(unsigned)SESSION_GPU));
        for (size_t k = 0; k < ASKED; k++)
            for (unsigned bit = 1; bit; bit <<= 1)
                if (asked[k].parts & bit && session_has(&session, bit) != (set >> k & 1))
                    fail_msg("%s: part %u is %s", asked[k].name, bit, set >> k & 1 ? "missing" : "there");
        assert_int_equal(session.shown->matrix.notes.length, 0);
        session_free(&session);
    }
}

/* Without memory a part either exists all the same, or a note says why it is missing, and the report goes on.
 * Notes concern requested parts only. */
TEST(parts_without_memory_leave_a_note)
{
    int refused = 0;
    for (size_t k = 0; k < ASKED; k++) {
        struct report_request request = {0};
        struct error error = {0};
        struct session session;
        const struct load_options options = {0};
        assert_int_equal(
            session_load(&session, "gen:banded,n=500000,lower=2,upper=1", &options, NULL, &error), STATUS_OK);
        assert_int_equal(report_prepare(&session, &request, NULL, &error), STATUS_OK);
        assert_int_equal(session.shown->matrix.notes.length, 0);
        asked[k].ask(&request);
        const size_t held = memory_held();
        if (held <= MEMORY_SLACK) skip(); /* the C library does not report allocated bytes */
        memory_hold(held - MEMORY_SLACK);
        const enum status status = report_prepare(&session, &request, NULL, &error);
        memory_hold(0);
        if (status != STATUS_OK) fail_msg("%s: %s", asked[k].name, error.message);
        const bool whole = session_has(&session, asked[k].parts);
        const size_t length = session.shown->matrix.notes.length;
        if (whole != (length == 0))
            fail_msg("%s is %s, with %zu bytes of notes", asked[k].name, whole ? "there" : "missing", length);
        refused += !whole;
        if (!whole) assert_says(session.shown->matrix.notes.data, " would pass the limit of ");
        assert_string_equal(error.message, "");
        session_free(&session);
    }
    assert_true(refused > 0);
}

/* Beside other workers, work has a number of threads of its own, which remains after the report. Timing uses
 * the full number. */
TEST(threads_are_those_of_workers)
{
    const int before = threads_count();
    for (int timed = 0; timed < 2; timed++)
        for (int beside = 1; beside <= 3; beside++) {
            struct report_request request = timed ? request_kernels("csr-seq") : (struct report_request){0};
            struct session session;
            request.beside = beside;
            request.alone = 2;
            threads_set(beside);
            load_for_report(&session, "gen:laplace2d,n=200", &request);
            assert_int_equal(threads_count(), beside);
            assert_int_equal(session.shown->results.count > 0, timed);
            report_request_free(&request);
            session_free(&session);
        }
    threads_set(before);
}
