/* The limit covers the memory of a session's analyses beside the matrix. */
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "formats/list.h"
#include "session/session.h"
#include "support/files.h"
#include "support/market.h"
#include "support/unit.h"

#if defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#endif

static const unsigned every_part = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE |
                                   SESSION_PYRAMID | SESSION_COL_PTR | SESSION_SIZES | SESSION_VALUES;

static size_t resident_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

/* Plan a choice of format. Returns its slots, -1 if it is refused, and -2 on failure. */
static int64_t plan(struct session *session, const char *name)
{
    struct format_list list = {0};
    struct error error = {0};
    struct conversion *conversion = NULL;
    if (format_list_add(&list, name, &error) == STATUS_OK)
        conversion = conversions_want(&session->shown->conversions, &list.choices[0], &error);
    format_list_free(&list);
    if (!conversion || conversion_plan(conversion, session->limit, NULL, &error) != STATUS_OK) return -2;
    return conversion_state(conversion) == CONVERSION_PLANNED ? (int64_t)conversion->size.slots : -1;
}

/* Load 16,000,000 rows with three entries, which take 128 MB of offsets, and compute everything that a report
 * or a screen may need. Also SELL-C-sigma, which is planned in parts, but refused if one window has all rows.
 * Returns 0, the number of the step that failed, or 9 if the peak memory exceeded the limit, the slack and a
 * little for threads. */
static int compute_within(size_t limit)
{
    const struct load_options options = {.limit = limit, .beside = case_bytes};
    static struct session session;
    struct error error = {0};
    size_t before = resident_peak();
    if (session_load(&session, "tall.mtx", &options, NULL, &error) != STATUS_OK) return 1;
    if (conversions_want_all(&session.shown->conversions, PRECISION_F64, &error) != STATUS_OK) return 2;
    for (unsigned part = 1; part <= every_part; part *= 2) {
        enum status status = session_need(&session, NULL, part & every_part, NULL, &error);
        if (status != STATUS_OK && status != STATUS_LIMIT) return 3;
        error_clear(&error);
    }
    if (!session_has(&session, every_part & ~(unsigned)SESSION_COL_PTR)) return 4;
    if (plan(&session, "sell:sigma=1024") != 32 * 1 + 32 * 2) return 5; /* two chunks have entries */
    if (plan(&session, "sell:sigma=16777216") != -1) return 6;
    size_t used = resident_peak() - before;
    session_free(&session);
    return used <= limit + MEMORY_SLACK + ((size_t)8 << 20) ? 0 : 9;
}

/* The child process measures the peak of this test alone. */
TEST(analyses_keep_the_limit)
{
    static const char text[] = REAL "16000000 16000000 3\n5 7 1\n10000001 1 1\n10000001 2 1\n";
    int ended = 0;
#ifdef SANITIZED
    skip();
#endif
    files_write("tall.mtx", text, sizeof text - 1);
    pid_t child = fork();
    if (child == 0) _exit(compute_within((size_t)192 << 20));
    assert_true(child > 0 && waitpid(child, &ended, 0) == child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

/* A file of a few bytes that claims as many rows as there can be is refused before anything is allocated for
 * them, if there is room for the matrix but not for its analysis. */
TEST(a_claim_of_rows_is_refused_at_once)
{
    static const char text[] = REAL "2147483647 2147483647 1\n1 1 1\n";
    const size_t matrix = (size_t)8 * 2147483648u + 12;
    struct load_options options = {.limit = matrix + ((size_t)512 << 20), .beside = case_bytes, .keep = true};
    struct session session;
    struct error error = {0};
    files_write("rows.mtx", text, sizeof text - 1);
    size_t before = resident_peak();
    assert_int_equal(session_load(&session, "rows.mtx", &options, NULL, &error), STATUS_LIMIT);
    assert_int_equal(error.line, 2);
    assert_says(error.message, "the matrix and its analysis need 16.9 GiB of memory, more than the "
                               "limit of 16.5 GiB; --limit=BYTES sets it");
    assert_true(resident_peak() - before < MEMORY_SLACK);
    session_free(&session);
    error = (struct error){0};
    options.keep = false; /* a stream also keeps the rows, and more bytes for each */
    assert_int_equal(session_load(&session, "rows.mtx", &options, NULL, &error), STATUS_LIMIT);
    assert_says(error.message, "2147483647 rows and 2147483647 columns need 16.9 GiB of memory with "
                               "their analysis, more than the limit of 16.5 GiB");
    assert_true(resident_peak() - before < MEMORY_SLACK);
    session_free(&session);
}

/* A row of 200,000,000 columns: the sets of columns and of diagonals have one bit for each. */
TEST(an_analysis_beyond_the_limit_is_refused)
{
    static const char text[] = REAL "1 200000000 1\n1 9 1\n";
    struct load_options options = {.limit = (size_t)32 << 20};
    struct session session;
    struct error error = {0};
    files_write("wide.mtx", text, sizeof text - 1);
    assert_int_equal(session_load(&session, "wide.mtx", &options, NULL, &error), STATUS_OK);
    assert_int_equal(session_need(&session, NULL, SESSION_STRUCTURE, NULL, &error), STATUS_LIMIT);
    assert_string_equal(error.path, "wide.mtx");
    assert_string_equal(error.message,
                        "the structure, with the matrix, needs 47.7 MiB of memory, more than the "
                        "limit of 32.0 MiB");
    error_clear(&error);
    assert_int_equal(session_need(&session, NULL, SESSION_PYRAMID | SESSION_COL_LENGTHS, NULL, &error),
                     STATUS_OK);
    session_free(&session);
    options.beside = case_bytes;
    assert_int_equal(session_load(&session, "wide.mtx", &options, NULL, &error), STATUS_LIMIT);
    session_free(&session);
}

/* case_bytes is at least the bytes of the matrix's parts afterwards. */
TEST(announced_bytes_are_no_less_than_kept_ones)
{
    static const char *const names[] = {"gen:laplace2d,n=300", "gen:powerlaw,scale=12", "gen:arrow,n=20000"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct load_options options = {0};
        FREED(session_free) struct session session;
        assert_int_equal(session_load(&session, names[k], &options, NULL, NULL), STATUS_OK);
        assert_int_equal(session_need(&session, NULL, every_part, NULL, NULL), STATUS_OK);
        const struct matrix_case *shown = session.shown;
        const struct csr *a = &shown->matrix.csr;
        size_t kept =
            (size_t)(shown->pyramid.grid_rows + 1) * (size_t)(shown->pyramid.grid_cols + 1) * 4 +
            (size_t)(shown->row_lengths.bins + shown->col_lengths.bins) * sizeof(struct length_count);
        size_t announced = case_bytes(a->rows, a->cols, csr_nnz(a), false);
        assert_true(announced >= kept + structure_bytes(a->rows, a->cols));
        assert_true(announced < 4 * csr_bytes(a->rows, csr_nnz(a), false));
    }
}

/* Each allocation fails in turn. The part is then missing, and is made on the next request. */
TEST(want_of_memory_leaves_lengths_to_be_asked_again)
{
    const unsigned parts = SESSION_ROW_LENGTHS | SESSION_COL_PTR;
    int failed = 0;
    for (long after = 0;; after++) {
        struct session session;
        struct error error = {0};
        assert_int_equal(
            session_load(&session, "gen:powerlaw,scale=10", &(struct load_options){0}, NULL, &error),
            STATUS_OK);
        memory_fail_after(after);
        enum status status = session_need(&session, NULL, parts, NULL, &error);
        memory_fail_after(-1);
        const struct matrix_case *shown = session.shown;
        if (status != STATUS_OK) {
            failed++;
            assert_int_equal(status, STATUS_MEMORY);
            assert_false(session_has(&session, parts));
            assert_int_equal(session_need(&session, NULL, parts, NULL, &error), STATUS_OK);
        }
        assert_int_equal(spans_stretch(&shown->row_spans, 0, 1024).max, shown->row_lengths.max);
        assert_int_equal(shown->col_spans.offsets[1024], csr_nnz(&shown->matrix.csr));
        session_free(&session);
        if (status == STATUS_OK) break;
    }
    assert_true(failed > 3);
}

TESTS_BETWEEN(files_begin, files_end)
