/* report/records/sheets: in each form a table has all headings and cells. Headings of pages are aligned like
 * their cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "report/records/sheets.h"

static const struct column heads[] = {SHEET_TEXT("name", "matrix name", "the name of it"),
                                      SHEET_COUNT("rows", "rows there", "how many rows"),
                                      SHEET_TEXT("kind", "kind of it", "which kind"),
                                      SHEET_REAL("share", "share of all", "the share"),
                                      {.key = NULL}};
#define WIDE 4
#define ROWS 3

static const char *const names[] = {"first<&", "second, \"b\"", "third"};
static const char *const kinds[] = {"plain", "odd", "even"};

static int64_t count_of(int row)
{
    return 123456 + row;
}

static double share_of(int row)
{
    return 0.1234567 * (row + 1);
}

/* The last row has no share. */
static void make(struct sheets *sheets)
{
    sheets_begin(sheets, "things", "All things", heads);
    for (int row = 0; row < ROWS; row++) {
        sheets_text(sheets, names[row]);
        sheets_value(sheets, (struct value){.type = VALUE_INTEGER, .integer = count_of(row)});
        sheets_text(sheets, kinds[row]);
        if (row < ROWS - 1)
            sheets_number(sheets, share_of(row));
        else
            sheets_value(sheets, (struct value){.type = VALUE_NULL});
    }
    assert_false(sheets->failed);
}

static char *written(const char *form, struct text *text)
{
    struct sheets sheets = {0};
    make(&sheets);
    sheet_format_find(form, NULL)->write(&sheets, "sparsight-test/1", text);
    assert_false(text->failed);
    sheets_free(&sheets);
    return text->data;
}

/* Store, for each tag of this kind in order, whether it has the class of words. Returns their number. */
static int classes(const char *page, const char *tag, bool words[], int most)
{
    int count = 0;
    for (const char *at = strstr(page, tag); at; at = strstr(at + 1, tag)) {
        const char *end = strchr(at, '>'), *class = strstr(at, "class=\"words\"");
        assert_true(end && count < most);
        words[count++] = class && class < end;
    }
    return count;
}

static void pages_align_headings_as_cells(void **state)
{
    bool words[64];
    char exact[64];
    struct text text = {0};
    const char *page = strstr(written("html", &text), "All things</h3>");
    assert_non_null(page);
    assert_int_equal(classes(page, "<th scope=\"col\"", words, 64), WIDE);
    for (int c = 0; c < WIDE; c++)
        assert_int_equal(words[c], heads[c].type == VALUE_TEXT);
    assert_int_equal(classes(page, "<td", words, 64), ROWS * (WIDE - 1)); /* the first is a heading */
    for (int k = 0; k < ROWS * (WIDE - 1); k++)
        assert_int_equal(words[k], heads[1 + k % (WIDE - 1)].type == VALUE_TEXT);
    for (int c = 0; c < WIDE; c++)
        assert_true(strstr(page, heads[c].heading) && strstr(page, heads[c].help));
    assert_non_null(strstr(page, "first&lt;&amp;"));
    for (int row = 0; row < ROWS; row++) {
        snprintf(exact, sizeof exact, "data-v=\"%lld\"", (long long)count_of(row));
        assert_non_null(strstr(page, exact));
    }
    text_free(&text);
}

/* A table can be scrolled by the keyboard, and a screen reader announces it by its heading. Tables of more
 * than 40 rows scroll by themselves. */
static void tables_of_pages_are_named_regions(void **state)
{
    for (int rows = 39; rows < 43; rows++) {
        char wanted[160];
        struct text text = {0};
        struct sheets sheets = {0};
        sheets_begin(&sheets, "things", "All \"things\" <here>", heads);
        for (int row = 0; row < rows; row++) {
            sheets_text(&sheets, "a");
            sheets_number(&sheets, 1);
            sheets_text(&sheets, "b");
            sheets_number(&sheets, 2);
        }
        sheet_format_find("html", NULL)->write(&sheets, "sparsight-test/1", &text);
        snprintf(wanted, sizeof wanted,
                 "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table",
                 rows > 40 ? " tall" : "", "All &quot;things&quot; &lt;here&gt;");
        const char *page = strstr(text.data, "<h3>All &quot;things&quot; &lt;here&gt;</h3>");
        assert_non_null(page);
        if (!strstr(page, wanted)) fail_msg("%d rows: no '%s'", rows, wanted);
        sheets_free(&sheets);
        text_free(&text);
    }
}

static void objects_have_each_cell(void **state)
{
    struct text text = {0};
    json_error_t fault;
    json_t *document = json_loads(written("json", &text), 0, &fault);
    if (!document) fail_msg("%s", fault.text);
    assert_string_equal(json_string_value(json_object_get(document, "schema")), "sparsight-test/1");
    const json_t *rows = json_object_get(document, "things");
    assert_int_equal(json_array_size(rows), ROWS);
    for (int row = 0; row < ROWS; row++) {
        const json_t *item = json_array_get(rows, (size_t)row), *share = json_object_get(item, "share");
        assert_int_equal(json_object_size(item), WIDE);
        assert_string_equal(json_string_value(json_object_get(item, "name")), names[row]);
        assert_int_equal(json_integer_value(json_object_get(item, "rows")), count_of(row));
        assert_string_equal(json_string_value(json_object_get(item, "kind")), kinds[row]);
        if (row < ROWS - 1)
            assert_true(json_real_value(share) == share_of(row));
        else
            assert_true(json_is_null(share));
    }
    json_decref(document);
    text_free(&text);
}

/* In text each cell is below its heading. Texts begin, and numbers end, in the same column as the heading. */
static void cells_stand_below_their_headings(void **state)
{
    struct text text = {0};
    const char *page = written("text", &text), *line = strstr(page, "matrix name");
    assert_non_null(line);
    while (line > page && line[-1] != '\n')
        line--;
    const size_t name = (size_t)(strstr(line, "matrix name") - line),
                 kind = (size_t)(strstr(line, "kind of it") - line),
                 rows = (size_t)(strstr(line, "rows there") - line) + strlen("rows there");
    for (int row = 0; row < ROWS; row++) {
        const char *own = strstr(page, names[row]);
        char count[32];
        assert_non_null(own);
        while (own > page && own[-1] != '\n')
            own--;
        assert_int_equal(strncmp(own + name, names[row], strlen(names[row])), 0);
        assert_int_equal(strncmp(own + kind, kinds[row], strlen(kinds[row])), 0);
        snprintf(count, sizeof count, "123,45%d", 6 + row);
        assert_int_equal(strncmp(own + rows - strlen(count), count, strlen(count)), 0);
    }
    text_free(&text);
}

/* Long texts of cells are shortened with dots. In general their end is kept; in the last column, and in
 * tables whose cells are whole, their beginning. */
static void long_cells_keep_the_end_that_says_most(void **state)
{
    static const int lengths[] = {1, 43, 44, 45, 46, 90, 499, 500, 501, 502, 700};
    for (int whole = 0; whole < 2; whole++)
        for (int column = 0; column < 3; column += 2)
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
                static const struct column three[] = {SHEET_TEXT("a", "a", "a"),
                                                      SHEET_COUNT("b", "b", "b"),
                                                      SHEET_TEXT("c", "c", "c"),
                                                      {.key = NULL}};
                const int length = lengths[n], most = column == 0 && !whole ? 44 : 500;
                char words[1024] = "", wanted[1024];
                struct sheets sheets = {0};
                struct text text = {0};
                for (int k = 0; k < length; k++)
                    words[k] = (char)('a' + (7 * k + k / 26) % 26);
                if (length <= most)
                    strcpy(wanted, words);
                else if (most == 44)
                    snprintf(wanted, sizeof wanted, "...%s", words + length - (most - 3));
                else
                    snprintf(wanted, sizeof wanted, "%.*s...", most - 3, words);
                sheets_begin(&sheets, "things", "Things", three);
                sheets.items[0].whole = whole;
                sheets_text(&sheets, column == 0 ? words : "<");
                sheets_value(&sheets, (struct value){.type = VALUE_INTEGER, .integer = 5});
                sheets_text(&sheets, column == 0 ? ">" : words);
                sheet_format_find("text", NULL)->write(&sheets, "sparsight-test/1", &text);
                char *line = strrchr(text.data, '5');
                assert_non_null(line);
                while (line[-1] != '\n')
                    line--;
                char row[2048];
                if (column == 0)
                    snprintf(row, sizeof row, "  %s  5  >\n", wanted);
                else
                    snprintf(row, sizeof row, "  <  5  %s\n", wanted);
                assert_string_equal(line, row);
                sheets_free(&sheets);
                text_free(&text);
            }
}

/* Each element of a page is closed, in the order in which they were opened; void elements have no end. */
static void pages_close_what_they_open(void **state)
{
    static const char *const nothing[] = {"meta",  "link", "br",       "img",     "hr",
                                          "input", "col",  "!doctype", "!DOCTYPE"};
    struct text text = {0};
    char open[64][16];
    int depth = 0, closed = 0;
    for (const char *at = written("html", &text); (at = strchr(at, '<')); at++) {
        char name[16];
        const bool end = at[1] == '/';
        if (strncmp(at, "<!--", 4) == 0) {
            at = strstr(at, "-->");
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1 + end, " >/\n"), at + 1 + end);
        const char *close = strchr(at, '>');
        bool empty = close[-1] == '/';
        for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++)
            empty = empty || strcmp(name, nothing[k]) == 0;
        if (empty) continue;
        if (!end) {
            assert_in_range(depth, 0, 63);
            strcpy(open[depth++], name);
            /* Scripts and styles have no elements. */
            if (strcmp(name, "script") == 0) at = strstr(at, "</script") - 1;
            if (strcmp(name, "style") == 0) at = strstr(at, "</style") - 1;
            continue;
        }
        if (depth == 0 || strcmp(open[depth - 1], name) != 0)
            fail_msg("</%s> within <%s>", name, depth ? open[depth - 1] : "");
        depth--;
        closed++;
    }
    assert_int_equal(depth, 0);
    assert_true(closed > 20);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_close_what_they_open),
        cmocka_unit_test(pages_align_headings_as_cells),
        cmocka_unit_test(tables_of_pages_are_named_regions),
        cmocka_unit_test(objects_have_each_cell),
        cmocka_unit_test(cells_stand_below_their_headings),
        cmocka_unit_test(long_cells_keep_the_end_that_says_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
