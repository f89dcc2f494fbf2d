/* report/html: hostile words, limits that hold for any matrix, and the contents of its parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/level.h"
#include "base/base64.h"
#include "base/memory.h"
#include "report/html/html.h"
#include "report/packed/numbers.h"
#include "support/report.h"

static void words_are_escaped(void **state)
{
    static const struct {
        const char *words, *written;
    } cases[] = {
        {"", ""},
        {"a < b && \"c\" > 'd'", "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'"},
        {"</script><script>x()</script>", "&lt;/script&gt;&lt;script&gt;x()&lt;/script&gt;"},
        {"\x1b[31m\n\t\x7f", "?[31m???"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e", "\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e"},
        {"\xc2\x9b", "?"},              /* a control character, U+009B */
        {"\xe9", "?"},                  /* Latin 1 */
        {"\xe2\x82", "??"},             /* cut off */
        {"\xc0\xbcscript", "??script"}, /* '<' in two bytes */
        {"\xe0\x80\xbc", "???"},        /* and in three */
        {"\xed\xa0\x80", "???"},        /* a surrogate, U+D800, is not UTF-8 */
        {"\xef\xbf\xbf", "?"},          /* a noncharacter, U+FFFF */
        {"\xf4\x90\x80\x80", "????"},   /* nor are those beyond U+10FFFF */
        {"\xff\xfe<", "??&lt;"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text text = {0};
        html_words(&text, cases[k].words);
        assert_string_equal(text.data ? text.data : "", cases[k].written);
        text_free(&text);
    }
}

static void long_words_are_cut(void **state)
{
    struct text text = {0};
    html_words_most(&text, "<abc>", 3);
    html_words_most(&text, "def", 3);
    assert_string_equal(text.data, "&lt;ab ...def");
    text_free(&text);
}

/* A table with this number of rows, each with the same number. */
static void make_table(struct document *document, int rows)
{
    static const struct column length = {.title = "Length",
                                         .unit = "entries",
                                         .help = "how <long> it is",
                                         .heading = "len",
                                         .type = VALUE_INTEGER},
                               further = {.title = "Further", .help = "more", .type = VALUE_INTEGER};
    struct table table = {.names = "thing", .column_count = 1, .further_count = 1, .row_count = rows};
    table.columns = document_array(document, 2, sizeof *table.columns);
    table.rows = document_array(document, rows, sizeof *table.rows);
    assert_true(table.columns && table.rows);
    table.columns[0] = &length;
    table.columns[1] = &further;
    struct table_cell *cells = document_array(document, 2, sizeof *cells);
    cells[0].value = integer_value(1234567);
    cells[1].value = integer_value(7);
    for (int k = 0; k < rows; k++)
        table.rows[k] = (struct table_row){MARK_NONE, document_words(document, "row <%d>", k), cells};
    document_section(document, "List");
    document_add(document, (struct block){.kind = BLOCK_TABLE, .table = table});
}

static int count_of(const char *text, const char *words)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        count++;
    return count;
}

static void tables_have_definitions_and_numbers(void **state)
{
    struct document document = {.title = "m", .summary = "", .source = ""};
    struct text text = {0}, beside = {0};
    make_table(&document, 3);
    html_blocks(&document, &beside, &text);
    assert_false(text.failed || document.failed);
    assert_int_equal(count_of(text.data, "title=\"how &lt;long&gt; it is\""), 1);
    assert_int_equal(count_of(text.data, "<td data-v=\"1234567\">1,234,567</td>"), 3);
    assert_int_equal(count_of(text.data, "<td class=\"more\" data-v=\"7\">7</td>"), 3);
    assert_int_equal(count_of(text.data, "> all 2 columns<"), 1);
    assert_int_equal(count_of(text.data,
                              "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"List\">\n"
                              "<table class=\"sort\">\n<thead><tr><th scope=\"col\">thing</th>"),
                     1);
    assert_non_null(strstr(text.data, "row &lt;2&gt;"));
    assert_null(strstr(text.data, "no room"));
    text_free(&text);
    document_free(&document);
}

/* Rows that exceed the limit are counted, the next blocks still fit, and open elements are closed. */
static void rows_without_room_are_counted(void **state)
{
    struct document document = {.title = "m", .summary = "", .source = ""};
    struct text text = {0}, beside = {0};
    const int rows = 30000;
    make_table(&document, rows);
    make_table(&document, 5);
    for (int k = 0; k < 3000; k++)
        document_note(&document, MARK_BAD, "<%0999d", k);
    html_blocks(&document, &beside, &text);
    assert_true(text.length <= HTML_BLOCKS_MAX);
    assert_true(text.length >= HTML_BLOCKS_MAX / 2);
    int written = count_of(text.data, "<th scope=\"row\">") - 5, left_out = 0;
    const char *said = strstr(text.data, " more rows do not fit");
    assert_non_null(said);
    while (said > text.data && said[-1] != '>')
        said--;
    for (; *said != ' '; said++)
        if (*said != ',') left_out = 10 * left_out + (*said - '0');
    assert_int_equal(written + left_out, rows);
    int notes = count_of(text.data, "<li "), parts = 0;
    said = strstr(text.data, " more parts of the report do not fit");
    assert_non_null(said);
    while (said > text.data && said[-1] != '>')
        said--;
    parts = atoi(said);
    assert_int_equal(notes + parts, 3000);
    static const char *const elements[] = {"table", "tr", "td", "th", "ul", "li", "section", "tbody"};
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
        char begin[32], more[32], end[32];
        snprintf(begin, sizeof begin, "<%s>", elements[k]);
        snprintf(more, sizeof more, "<%s ", elements[k]);
        snprintf(end, sizeof end, "</%s>", elements[k]);
        assert_int_equal(count_of(text.data, begin) + count_of(text.data, more), count_of(text.data, end));
    }
    text_free(&text);
    document_free(&document);
}

/* The attribute of the figure. */
static long long attribute(const char *text, const char *name)
{
    char words[64];
    snprintf(words, sizeof words, " %s=\"", name);
    const char *at = strstr(text, words);
    assert_non_null(at);
    return atoll(at + strlen(words));
}

/* The script's way of reading cells: letters to bytes, which are inflated, and numbers of seven bits a
 * byte. */
static unsigned char *unpack(const char *page, unsigned long *length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strstr(page, "class=\"cells\">");
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    size_t count = strcspn(at, "<"), used = 0;
    unsigned char *bytes = malloc(count), *inflated = malloc(64 << 20);
    assert_true(bytes && inflated);
    for (size_t k = 0; k + 4 <= count; k += 4) {
        unsigned value = 0;
        for (size_t i = 0; i < 4; i++) {
            const char *letter = at[k + i] == '=' ? letters : strchr(letters, at[k + i]);
            assert_non_null(letter);
            value = value << 6 | (unsigned)(letter - letters);
        }
        for (int i = 2; i >= 0; i--)
            bytes[used++] = (unsigned char)(value >> 8 * i);
    }
    *length = 64 << 20;
    assert_int_equal(uncompress(inflated, length, bytes, used), Z_OK);
    free(bytes);
    return inflated;
}

static long long next_number(const unsigned char **at)
{
    long long value = 0;
    for (int shift = 0;; shift += 7) {
        value |= (long long)(**at & 127) << shift;
        if (*(*at)++ < 128) return value;
    }
}

/* Compare the packed cells with those of the matrix with the same steps. */
static void compare_cells(const struct csr *a, const char *page)
{
    struct level level;
    unsigned long length;
    unsigned char *bytes = unpack(page, &length);
    const unsigned char *at = bytes;
    assert_int_equal(level_of_matrix(a, &level, NULL), STATUS_OK);
    while (level.row_step < attribute(page, "data-row-step"))
        assert_int_equal(level_coarsen(&level, NULL), STATUS_OK);
    assert_int_equal(attribute(page, "data-cells"), level_number(&level));
    for (int64_t r = 0; r < level.rows; r++)
        assert_int_equal(next_number(&at), level.start[r + 1] - level.start[r]);
    for (int64_t r = 0, first = 0; r < level.rows; r++) {
        if (level.start[r] == level.start[r + 1]) continue;
        long long step = next_number(&at);
        first += step % 2 ? -(step + 1) / 2 : step / 2;
        assert_int_equal(first, level.col[level.start[r]]);
    }
    for (int64_t r = 0; r < level.rows; r++)
        for (int64_t k = level.start[r] + 1; k < level.start[r + 1]; k++)
            assert_int_equal(next_number(&at), level.col[k] - level.col[k - 1] - 1);
    const bool ones = strstr(page, "data-ones");
    for (int64_t k = 0; k < level_number(&level) && !ones; k++)
        assert_int_equal(next_number(&at) + 1, level.count[k]);
    assert_int_equal(at - bytes, length);
    level_free(&level);
    free(bytes);
}

/* Random entries do not compress: less room makes coarser cells, and the output fits. */
static void patterns_fit(void **state)
{
    static const size_t rooms[] = {3000000, 400000, 150000, 90000, 65000};
    struct session session;
    struct report_request request = {.wants = SESSION_PYRAMID};
    load_for_report(&session, "gen:random,m=20000,mean=15", &request);
    long long before = 0;
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) {
        struct text text = {0}, still = {0};
        assert_int_equal(html_pattern(&session, session.shown, rooms[k], &text, &still), STATUS_OK);
        assert_true(text.length <= rooms[k]);
        long long step = attribute(text.data, "data-row-step");
        assert_int_equal(step, attribute(text.data, "data-col-step"));
        assert_true(k == 0 ? step == 1 : step >= before);
        compare_cells(&session.shown->matrix.csr, text.data);
        before = step;
        assert_non_null(strstr(still.data, "data:image/png;base64,iVBOR"));
        text_free(&text);
        text_free(&still);
    }
    assert_true(before > 8);
    session_free(&session);
}

static void nothing_to_show_is_said(void **state)
{
    struct session session;
    struct text text = {0}, still = {0};
    load_plain(&session, "gen:random,m=5,mean=0");
    assert_int_equal(html_pattern(&session, session.shown, 1000000, &text, &still), STATUS_OK);
    assert_non_null(strstr(text.data, "no entries"));
    assert_int_equal(still.length, 0);
    text_free(&text);
    session_free(&session);
}

/* If memory does not suffice for single entries, the pyramid's cells are shown; without a pyramid, a
 * sentence. */
static void without_memory_there_are_coarser_cells(void **state)
{
    struct session session;
    struct text text = {0}, still = {0};
    struct report_request request = {.wants = SESSION_PYRAMID};
    load_for_report(&session, "gen:laplace2d,n=600", &request);
    session.limit = 1;
    assert_int_equal(html_pattern(&session, session.shown, 1000000, &text, &still), STATUS_OK);
    assert_int_equal(attribute(text.data, "data-row-step"), session.shown->pyramid.row_step);
    text_cut(&text, 0);
    text_cut(&still, 0);
    atomic_fetch_and(&session.shown->ready, ~(unsigned)SESSION_PYRAMID);
    assert_int_equal(html_pattern(&session, session.shown, 1000000, &text, &still), STATUS_OK);
    assert_non_null(strstr(text.data, "Not enough memory"));
    text_free(&text);
    text_free(&still);
    session_free(&session);
}

/* Owners that are found are kept, and drawn or not, whichever allocation fails. */
static void owners_survive_failing_allocations(void **state)
{
    struct session session;
    struct report_request request = {.wants = report_format_html.wants, .distribution.keep = true};
    assert_int_equal(distribution_read_parts("2,3", &request.distribution, NULL), STATUS_OK);
    assert_int_equal(partition_list_add(&request.distribution.partitions, "natural", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=4", &request);
    assert_int_equal(session.shown->distribution.items[0].partition.rows, 16);
    assert_null(session.shown->distribution.items[1].partition.owner);
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        struct text text = {0};
        assert_true(k < 3000);
        memory_fail_after(k);
        status = html_owners(&session, session.shown, &text);
        if (text.failed) status = STATUS_MEMORY;
        long failures = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        if (status == STATUS_OK) assert_non_null(strstr(text.data, "natural, 2 parts"));
        text_free(&text);
    }
    report_request_free(&request);
    session_free(&session);
}

/* Numbers that are too large or missing are refused, and so is everything that follows. */
static void refused_numbers_stay_refused(void **state)
{
    struct text bytes = {0};
    char letters[256] = "";
    struct packer *packer = packer_open(&bytes, 100);
    packer_put(packer, 5);
    packer_put(packer, 300);
    assert_int_equal(packer_close(packer), STATUS_OK);
    letters[base64_encode((const unsigned char *)bytes.data, bytes.length, letters)] = 0;
    for (int most = 299; most <= 300; most++)
        for (int more = 0; more < 2; more++) {
            struct unpacker *unpacker;
            uint64_t number = 0;
            const bool whole = most == 300;
            assert_int_equal(unpacker_open(letters, &unpacker, NULL), STATUS_OK);
            assert_true(unpacker_next(unpacker, 5, &number) && number == 5);
            assert_false(unpacker_done(unpacker) && more);
            assert_int_equal(unpacker_next(unpacker, (uint64_t)most, &number), whole);
            assert_int_equal(number, whole ? 300 : 5);
            if (more) assert_false(unpacker_next(unpacker, 1000, &number));
            assert_int_equal(unpacker_done(unpacker), whole && !more);
            unpacker_close(unpacker);
        }
    text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_escaped),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(tables_have_definitions_and_numbers),
        cmocka_unit_test(rows_without_room_are_counted),
        cmocka_unit_test(patterns_fit),
        cmocka_unit_test(nothing_to_show_is_said),
        cmocka_unit_test(without_memory_there_are_coarser_cells),
        cmocka_unit_test(owners_survive_failing_allocations),
        cmocka_unit_test(refused_numbers_stay_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
