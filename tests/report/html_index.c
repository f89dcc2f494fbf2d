/* report/html: each matrix has a part of the page and a row of the index, with its name, its summary and the
 * numbers of its columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "support/report.h"
#include "support/unit.h"

#define COUNT 4
static const char *const names[COUNT] = {"gen:laplace2d,n=3", "lost&found.mtx", "gen:arrow,n=9",
                                         "gen:laplace2d,n=2"};
static const char *const sizes[COUNT][3] = {{"9", "9", "33"}, {NULL}, {"9", "9", "25"}, {"4", "4", "12"}};

/* A generated matrix is called by what follows "gen:". */
static const char *shown(int k)
{
    return sizes[k][0] ? names[k] + strlen("gen:") : "lost&amp;found.mtx";
}

/* The page of the first `count`; number 1 cannot be read. */
static char *page_of(int count)
{
    char path[128];
    struct report report;
    report_path(path, sizeof path, "index.html");
    assert_int_equal(report_open(&report, &report_format_html, path, NULL), STATUS_OK);
    for (int k = 0; k < count; k++) {
        struct session session;
        struct report_request request = {.wants = report_format_html.wants};
        struct error error = {.status = STATUS_IO, .message = "No <such> file"};
        snprintf(error.path, sizeof error.path, "%s", names[k]);
        if (!sizes[k][0]) {
            assert_int_equal(report_failure(&report, &error, NULL), STATUS_OK);
            continue;
        }
        load_for_report(&session, names[k], &request);
        assert_int_equal(report_matrix(&report, &session, NULL), STATUS_OK);
        session_free(&session);
    }
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    char *page = read_whole(path);
    assert_int_equal(unlink(path), 0);
    return page;
}

/* Return the text between two others, the first of which follows `from`; in static memory. */
static const char *between(const char *from, const char *before, const char *after)
{
    static char out[4096];
    const char *begin = strstr(from, before);
    if (!begin) fail_msg("no '%s'", before);
    begin += strlen(before);
    const char *stop = strstr(begin, after);
    assert_non_null(stop);
    const size_t length = (size_t)(stop - begin);
    assert_true(length < sizeof out);
    memcpy(out, begin, length);
    out[length] = 0;
    return out;
}

TEST(each_matrix_has_a_row_of_the_index)
{
    char *page = page_of(COUNT), words[200];
    const char *index = strstr(page, "<nav id=\"index\"");
    assert_non_null(index);
    assert_says(index, "data-title=\"4 matrices - sparsight\"");
    int rows = 0;
    for (const char *at = strstr(index, "<tr><td"); at; at = strstr(at + 1, "<tr><td"))
        rows++;
    assert_int_equal(rows, COUNT + 1); /* and the headings */
    for (int k = 0; k < COUNT; k++) {
        snprintf(words, sizeof words, "<a href=\"#m%d\"><bdi>", k + 1);
        const char *row = strstr(index, words);
        assert_non_null(row);
        assert_string_equal(between(row, "<bdi>", "</bdi>"), shown(k));
        const char *summary = between(row, "<small>", "</small>");
        if (!sizes[k][0]) {
            assert_string_equal(summary, "could not be read");
            assert_string_equal(between(row, "</th>", "</tr>"),
                                "<td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td>");
            continue;
        }
        snprintf(words, sizeof words, "%s x %s, real general", sizes[k][0], sizes[k][1]);
        assert_says(summary, words);
        const double mean = atof(sizes[k][2]) / atof(sizes[k][0]);
        const char *cells = between(row, "</th>", "</tr>");
        snprintf(words, sizeof words,
                 "<td data-v=\"%s\">%s</td><td data-v=\"%s\">%s</td><td data-v=\"%s\">%s</td>", sizes[k][0],
                 sizes[k][0], sizes[k][1], sizes[k][1], sizes[k][2], sizes[k][2]);
        assert_true(strstr(cells, words) == cells);
        const char *exact = cells + strlen(words);
        assert_true(strncmp(exact, "<td data-v=\"", 12) == 0 && fabs(atof(exact + 12) - mean) < 1e-12);
        assert_says(cells, "<td class=\"words\">-</td>"); /* no kernel was run */
    }
}

TEST(each_matrix_has_a_part)
{
    char *page = page_of(COUNT), words[200];
    for (int k = 0; k < COUNT; k++) {
        snprintf(words, sizeof words, "<article id=\"m%d\" aria-labelledby=\"m%d-name\">", k + 1, k + 1);
        const char *part = strstr(page, words);
        assert_non_null(part);
        assert_null(strstr(part + 1, words));
        snprintf(words, sizeof words, "<h2 id=\"m%d-name\"><bdi>", k + 1);
        assert_string_equal(between(part, words, "</bdi></h2>"), shown(k));
        if (!sizes[k][0]) {
            assert_says(between(part, "<p class=\"bad\">", "</p>"), "lost&amp;found.mtx",
                        "No &lt;such&gt; file");
            continue;
        }
        snprintf(words, sizeof words, "%s x %s, real general", sizes[k][0], sizes[k][1]);
        assert_says(between(part, "<p class=\"summary\">", "</p>"), words);
        assert_says(between(part, "<p class=\"source\"><bdi>", "</bdi></p>"), "gen:");
    }
    snprintf(words, sizeof words, "id=\"m%d\"", COUNT + 1);
    assert_lacks(page, words);
}

TEST(one_matrix_needs_no_index)
{
    const char *page = page_of(1);
    assert_lacks(page, "<nav id=\"index\"");
    assert_says(page, "<article id=\"m1\"", "</footer>");
    assert_lacks(page_of(0), "<article id=\"m1\"", "<nav id=\"index\"");
}

TESTS_BETWEEN(make_report_folder, remove_report_folder)
