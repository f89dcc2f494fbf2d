/* report/: text for people, its contents and its width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"
#include "report/report.h"
#include "report/text/text.h"
#include "support/report.h"

static void long_words_are_wrapped(void **state)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    char words[512], expected[512];
    struct text text = {0};
    text_wrapped(&text, "short", 78, 2);
    text_wrapped(&text, "", 0, 2);
    /* A blank right behind the 80th column ends a line of 80. */
    text_wrapped(&text, "ab de fg", 75, 2);
    /* Words of 52 letters, one a line, broken after the comma. A word of 104 letters is cut at the 80th
     * column. */
    snprintf(words, sizeof words, "%s,%s %s%s", letters, letters, letters, letters);
    text_wrapped(&text, words, 10, 4);
    snprintf(expected, sizeof expected, "sh\n  ort\n\nab de\n  fg\n%s,\n    %s\n    %s%.24s\n    %s\n",
             letters, letters, letters, letters, letters + 24);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

static void check_fits(const char *name, const struct session *session)
{
    struct text text = {0};
    report_text(session, &text);
    assert_false(text.failed);
    for (const char *line = text.data; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > 80) fail_msg("%s: %zu columns: %.*s", name, length, (int)length, line);
        assert_true(length == 0 || line[length - 1] != ' ');
        for (size_t c = 0; c < length; c++)
            assert_true(line[c] >= ' ' && line[c] < 0x7f);
        line += length + 1;
    }
    text_free(&text);
}

/* 80 columns of printable characters, for any matrix; no blanks at the ends of lines. */
static void text_fits_a_terminal(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=5", "gen:powerlaw", "gen:arrow,n=30000",
                                        "gen:random,mean=300,spread=200", "gen:permutation,n=3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct session session;
        struct report_request request = request_everything();
        if (k) format_list_free(&request.arrays);
        load_for_report(&session, names[k], &request);
        report_request_free(&request);
        check_fits(names[k], &session);
        session_free(&session);
    }
}

/* Numbers as long as they get, and a name with a line of its own. */
static void text_of_kernels_fits(void **state)
{
    struct report_request request = request_kernels("csr-* sell-seq:c=1000,sigma=2147483647");
    struct session session;
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    check_fits("kernels", &session);
    for (int k = 0; k < session.shown->results.count; k++) {
        struct result *result = &session.shown->results.items[k];
        struct samples *samples = &result->samples;
        samples->time = samples->median = k % 2 ? 12345.678 : 1.23e-7;
        samples->low = samples->time / 2;
        samples->high = samples->time * 1e3;
        result->resolved.threads = 1024;
        result->flops = k % 2 ? 1.2345e-3 : 1.2345e15;
        result->bytes.plus = 1.2345e15;
        result->size.padding_ratio = 123456.789;
        result->convert_seconds = 1e5;
    }
    session.shown->results.machines.host.read = 1e12;
    check_fits("long numbers", &session);
    session_free(&session);
}

/* A result with this time, its median between low and high. */
static void set_time(struct result *result, double low, double time, double high)
{
    result->samples.low = low;
    result->samples.time = result->samples.median = time;
    result->samples.high = high;
}

/* The fastest first, ties with it marked, kernels that did not run below with the reason. */
static void kernels_stand_by_time(void **state)
{
    struct report_request request = request_kernels("csr-seq csr-omp cpu/csr-balanced coo-seq");
    struct session session;
    struct text text = {0};
    request.f32 = false;
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    struct result *items = session.shown->results.items;
    set_time(&items[0], 3, 3, 3);
    set_time(&items[1], 1, 1, 2.5);
    set_time(&items[2], 2, 2, 2);
    items[3].status = error_set(&items[3].error, STATUS_INPUT, "row 7 is wrong");
    session.shown->results.machines.host.read = session.shown->results.machines.host.read_low = 4e9;
    session.shown->results.machines.host.threads = 2;
    session.shown->results.machines.host.share = (size_t)1 << 27;
    session.shown->results.machines.devices = 1;
    session.shown->results.machines.device[0] = (struct machine){.type = backend_cuda.devices,
                                                                 .name = "NVIDIA H200",
                                                                 .read = 4.5454e12,
                                                                 .read_low = 4.5e12,
                                                                 .copy = 4.27e12,
                                                                 .cache = 62914560};
    items[0].transfer_seconds = 21e-6;
    report_text(&session, &text);
    const char *table = strstr(text.data, "\nKernels, f64 "), *line[4];
    static const char *const starts[] = {"\n= cpu/csr-omp ", "\n= cpu/csr-balanced ", "\n  cpu/csr-seq ",
                                         "\n! cpu/coo-seq: row 7 is wrong\n"};
    assert_non_null(table);
    for (int k = 0; k < 4; k++) {
        line[k] = strstr(table, starts[k]);
        assert_non_null(line[k]);
        assert_true(k == 0 || line[k] > line[k - 1]);
    }
    assert_non_null(strstr(table, "\n= a tie: "));
    assert_non_null(strstr(table, "\n* fits in the cache: "));
    assert_non_null(strstr(text.data, "\n  memory: read 4 GB/s, "));
    assert_non_null(strstr(text.data, "\n  NVIDIA H200: read 4545 GB/s, copy 4270 GB/s; L2 60.0 MiB\n"));
    assert_non_null(strstr(table, "\n  cpu/csr-seq: 21.0 us of each product copy y to the host and back\n"));
    assert_null(strstr(strstr(table, "to the host and back") + 1, "to the host and back"));
    assert_null(strstr(text.data, "reading fell"));
    assert_null(strstr(text.data, "because of the limit"));
    text_free(&text);
    session.shown->results.machines.host.read_low = 2e9;
    items[1].samples.high = 1;
    for (int k = 0; k < 3; k++)
        items[k].cached = false;
    session.shown->results.machines.host.share = (size_t)1 << 20;
    report_text(&session, &text);
    assert_non_null(strstr(text.data, "\n! reading fell to 2 GB/s at times: another program was running\n"));
    assert_null(strstr(text.data, "= a tie"));
    assert_non_null(strstr(
        text.data,
        "\n! measured within 2.00 MiB because of the limit: this may be the bandwidth of a\n    cache\n"));
    assert_null(strstr(text.data, "* fits in the cache"));
    assert_non_null(strstr(text.data, "\n  cpu/csr-omp "));
    text_free(&text);
    session_free(&session);
}

/* Results with equal times keep the order of the requests. */
static void kernels_as_fast_stand_as_they_were_asked_for(void **state)
{
    static const char *const names[] = {"cpu/csr-omp ", "cpu/coo-seq ", "cpu/csr-seq ", "cpu/ell-seq "};
    struct report_request request = request_kernels("csr-omp coo-seq csr-seq ell-seq");
    struct session session;
    struct text text = {0};
    request.f32 = false;
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    for (int k = 0; k < 4; k++)
        set_time(&session.shown->results.items[k], 1, 1, 1);
    report_text(&session, &text);
    const char *at = strstr(text.data, "\nKernels, f64 ");
    for (int k = 0; k < 4; k++) {
        assert_non_null(at);
        at = strstr(at, names[k]);
    }
    assert_non_null(at);
    text_free(&text);
    session_free(&session);
}

/* Estimates are sorted by their sectors, the fewest first, and ties by the order of requests. */
static void estimates_stand_by_sectors(void **state)
{
    static const int64_t sectors[] = {300, 100, 200, 100};
    static const char *const names[] = {"\n  cuda/csr-vector ", "\n  cuda/jds ", "\n  cuda/cmrs",
                                        "\n  cuda/csr-scalar "};
    struct report_request request =
        request_kernels("cuda/csr-scalar cuda/csr-vector cuda/cmrs:height=4 cuda/jds");
    struct session session;
    struct text text = {0};
    request.f32 = false;
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    assert_int_equal(session.shown->results.estimates.count, 4);
    for (int k = 0; k < 4; k++) {
        struct estimate *estimate = &session.shown->results.estimates.items[k];
        assert_true(estimate->there);
        for (int a = 0; a < ACCESSES; a++)
            estimate->accesses[a].sectors = 0;
        estimate->accesses[ACCESS_LOAD].sectors = sectors[k];
    }
    report_text(&session, &text);
    const char *at = strstr(text.data, "\nMemory access, f64 ");
    for (int k = 0; k < 4; k++) {
        if (!at) fail_msg("not so: %s", text.data);
        at = strstr(at, names[k]);
    }
    assert_non_null(at);
    text_free(&text);
    session_free(&session);
}

/* If all kernels disagree with b, one line says so. If only some do, the line names them. */
static void a_wrong_b_is_said_once(void **state)
{
    static const struct {
        double residuals[3];
        const char *line;
        int count; /* lines with "A x is" */
    } cases[] = {
        {{1e-6, 1e-5, 0}, "\n  A x is b: max abs(A x - b) / max abs(b) is 1e-05, at most 1e-05\n", 1},
        {{3, 2, INFINITY},
         "\n! A x is not b: max abs(A x - b) / max abs(b) is 2 or more by every kernel,",
         1},
        {{NAN, 2, 3}, "\n! A x is not b: max abs(A x - b) / max abs(b) is 2 or more by every kernel,", 1},
        {{0, 2, 3}, "\n! cpu/csr-omp: A x is not b: max abs(A x - b) / max abs(b) is 2, more than", 2},
    };
    struct report_request request = request_kernels("csr-seq csr-omp coo-seq");
    struct session session;
    request.f32 = false;
    load_for_report(&session, "gen:laplace2d,n=5", &request);
    report_request_free(&request);
    session.shown->results.held = true;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct text text = {0};
        int count = 0;
        for (int k = 0; k < 3; k++)
            session.shown->results.items[k].residual = cases[c].residuals[k];
        report_text(&session, &text);
        if (!strstr(text.data, cases[c].line)) fail_msg("%s", text.data);
        for (const char *at = text.data; (at = strstr(at, "A x is ")); at++)
            count++;
        assert_int_equal(count, cases[c].count);
        text_free(&text);
    }
    session_free(&session);
}

/* arrow,n=1000: a row of 1000 and 999 of 2. The ranges of a histogram hold every row once. */
static void text_shows_the_numbers(void **state)
{
    struct session session;
    struct text text = {0};
    load_plain(&session, "gen:arrow,n=1000");
    report_text(&session, &text);
    assert_non_null(strstr(text.data, "1,000 x 1,000, real general\n"));
    assert_non_null(strstr(text.data, "  Entries                               2,998\n"));
    assert_non_null(strstr(text.data, "  Lower bandwidth                         999  diagonals\n"));
    assert_non_null(
        strstr(text.data, "  Maximum                               1,000            1,000  entries\n"));
    assert_non_null(strstr(text.data, "                2  ########################################"
                                      "         999  99.90%\n"));
    assert_non_null(strstr(text.data, "            1,000  #                                       "
                                      "           1   0.10%\n"));
    text_free(&text);
    session_free(&session);
}

/* 2 rows of 3 entries are 3 columns of 2. */
static void lengths_of_rows_and_columns_stand_below_their_heads(void **state)
{
    struct session session;
    struct text text = {0};
    load_plain(&session, "gen:dense,m=2,n=3");
    report_text(&session, &text);
    assert_non_null(strstr(text.data, "Lengths                                  rows          columns\n"));
    assert_non_null(
        strstr(text.data, "  Maximum                                   3                2  entries\n"));
    text_free(&text);
    session_free(&session);
}

/* The format with the fewest bytes, among those that are not refused. */
static void the_smallest_format_is_named(void **state)
{
    struct session session;
    load_plain(&session, "gen:laplace2d,n=3");
    struct conversions *conversions = &session.shown->conversions;
    int count = atomic_load(&conversions->count);
    assert_true(count > 5);
    for (int k = 0; k < count; k++)
        conversions->items[k]->size.bytes = (size_t)(900 + (k + 3) % count);
    conversions->items[2]->size.bytes = 800;
    conversions->items[4]->size.bytes = 700;
    for (int refused = 0; refused < 2; refused++) {
        struct text text = {0};
        char line[200];
        if (refused) atomic_store(&conversions->items[4]->state, CONVERSION_REFUSED);
        snprintf(line, sizeof line, "\n  Smallest: %s, %d bytes\n", conversions->items[refused ? 2 : 4]->name,
                 refused ? 800 : 700);
        report_text(&session, &text);
        if (!strstr(text.data, line)) fail_msg("no line%sin\n%s", line, text.data);
        text_free(&text);
    }
    session_free(&session);
}

/* Ten offsets have the indices 0 to 9, which take one character. The grid's corners have 3 entries each, its
 * sides 4, and its centre 5. */
static void indices_are_as_wide_as_the_last_one(void **state)
{
    struct report_request request = {0};
    struct session session;
    struct text text = {0};
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=3", &request);
    report_request_free(&request);
    report_text(&session, &text);
    if (!strstr(text.data, "\n    0:  0  3  7 10 14 19 23 26 30 33\n")) fail_msg("not so: %s", text.data);
    text_free(&text);
    session_free(&session);
}

/* An integer with its thousands separators, read from the end of line[0..length-1] backwards. */
static int64_t read_count(const char *line, size_t length)
{
    int64_t count = 0, place = 1;
    while (length && (line[length - 1] == ',' || (line[length - 1] >= '0' && line[length - 1] <= '9')))
        if (line[--length] != ',') {
            count += place * (line[length] - '0');
            place *= 10;
        }
    return count;
}

/* In any case the ranges ascend without overlap, and every row is in one of them. */
static void the_histogram_holds_every_row(void **state)
{
    static const struct {
        const char *name;
        int64_t rows, longest;
    } cases[] = {{"gen:laplace2d,n=5", 25, 5},
                 {"gen:powerlaw", 1024, 1023},
                 {"gen:random,mean=300,spread=200", 1000, 500},
                 {"gen:random,mean=15,spread=12", 1000, 27},
                 {"gen:arrow,n=30000", 30000, 30000},
                 {"gen:banded,lower=0,n=3", 3, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct session session;
        struct text text = {0};
        load_plain(&session, cases[k].name);
        report_text(&session, &text);
        const char *line = strstr(text.data, "Row length ");
        assert_non_null(line);
        int64_t rows = 0, last = -1;
        for (line = strchr(line, '\n') + 1; *line != '\n'; line += strcspn(line, "\n") + 1) {
            size_t dash = strcspn(line, "-\n");
            int64_t min = read_count(line, dash < 17 ? dash : 17);
            assert_true(min > last);
            last = read_count(line, 17);
            assert_true(last >= min);
            rows += read_count(line, 17 + 2 + 40 + 1 + 11);
        }
        assert_int_equal(rows, cases[k].rows);
        assert_true(last <= 2 * cases[k].longest);
        text_free(&text);
        session_free(&session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_words_are_wrapped),
        cmocka_unit_test(text_fits_a_terminal),
        cmocka_unit_test(text_of_kernels_fits),
        cmocka_unit_test(kernels_stand_by_time),
        cmocka_unit_test(a_wrong_b_is_said_once),
        cmocka_unit_test(text_shows_the_numbers),
        cmocka_unit_test(the_histogram_holds_every_row),
        cmocka_unit_test(estimates_stand_by_sectors),
        cmocka_unit_test(kernels_as_fast_stand_as_they_were_asked_for),
        cmocka_unit_test(lengths_of_rows_and_columns_stand_below_their_heads),
        cmocka_unit_test(the_smallest_format_is_named),
        cmocka_unit_test(indices_are_as_wide_as_the_last_one),
    };
    return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}
