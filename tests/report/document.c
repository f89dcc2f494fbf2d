/* report/document, and its writers: the contents of a document are in every form of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/document/build.h"
#include "report/markdown.h"
#include "report/text/text.h"
#include "support/report.h"

/* One block of each kind, with all difficulties of a form: names that are too long for their column, marks,
 * characters with a meaning in Markdown, control characters. */
static void make_by_hand(struct document *document)
{
    static const struct column length = {.title = "Length", .unit = "entries", .heading = "len"},
                               time = {.title = "Time", .unit = "us", .role = COLUMN_TIME, .heading = "time"};
    static const struct column *table_columns[] = {&length, &time};
    static struct number numbers[] = {
        {&length, {{.type = VALUE_INTEGER, .integer = 1234567}, {.type = VALUE_NULL}}}};
    static struct range ranges[] = {{0, 0, 1}, {1, 2, 2}};
    static struct table_cell first[] = {{{.type = VALUE_INTEGER, .integer = 7}, MARK_CACHED},
                                        {{.type = VALUE_REAL, .real = 12.5}, MARK_NONE}},
                             second[] = {{{.type = VALUE_NULL}, MARK_NONE},
                                         {{.type = VALUE_REAL, .real = 1e6}, MARK_NONE}};
    static struct table_row rows[] = {{MARK_NONE, "a", first},
                                      {MARK_BAD, "a_name_that_is_longer_than_28_characters", second}};
    *document = (struct document){.title = "m|x", .summary = "2 x 2", .source = "a\x1b*b"};
    document_section(document, "Sizes");
    document_add(document,
                 (struct block){.kind = BLOCK_NUMBERS, .numbers = {{"rows", "columns"}, 2, numbers, 1}});
    document_add(document, (struct block){.kind = BLOCK_CHART,
                                          .chart = {"row length", "rows", range_name, ranges, 2, 4}});
    document_section(document, "List");
    document_add(document,
                 (struct block){.kind = BLOCK_TABLE, .table = {"thing", table_columns, 2, rows, 2}});
    document_note(document, MARK_NONE, "first of %d", 2);
    document_note(document, MARK_CACHED, "means <this>");
    document_section(document, "Empty");
    document_add(document, (struct block){.kind = BLOCK_PARAGRAPH, .words = "nothing at all"});
}

static void plain_text_aligns(void **state)
{
    struct document document;
    struct text text = {0};
    make_by_hand(&document);
    text_write(&document, &text);
    assert_false(text.failed);
    assert_string_equal(text.data,
                        "m|x\n"
                        "================================================================================\n"
                        "2 x 2\n"
                        "a?*b\n"
                        "\n"
                        "Sizes                                    rows          columns\n"
                        "  Length                            1,234,567                -  entries\n"
                        "\n"
                        "       Row length                                                  rows  of all\n"
                        "                0  ####################                               1  25.00%\n"
                        "              1-2  ########################################           2  50.00%\n"
                        "\n"
                        "List                            len     time\n"
                        "  a                              7*  12.5 us\n"
                        "! a_name_that_is_longer_than_28_characters\n"
                        "                                  -   1.00 s\n"
                        "  first of 2\n"
                        "* means <this>\n"
                        "\n"
                        "Empty\n"
                        "  nothing at all\n");
    text_free(&text);
    document_free(&document);
}

/* A name of 28 characters, and columns two blanks apart. Integers are written in full if they fit in 80
 * columns; otherwise the longest of them are rounded to three digits. */
static void integers_make_room_for_names(void **state)
{
    static const char name[] = "a_name_with_28_characters_ab";
    static const struct column length = {.title = "Length", .unit = "entries", .heading = "len"};
    static const struct {
        int count;
        int64_t integers[7];
        const char *cells;
    } cases[] = {
        {6, {12345, 12345, 12345, 12345, 12345, 12345}, "12,345  12,345  12,345  12,345  12,345  12,345"},
        {7,
         {12345, 12345, 12345, 12345, 12345, 12345, 12345},
         "12.3k  12.3k  12.3k  12.3k  12.3k  12.3k  12.3k"},
        {6, {1234567, 1234567, 1, 1, 1234567, 1234567}, "1.23M  1.23M    1    1  1.23M  1.23M"},
        {6, {123456, 123456, 123456, 12345, 12345, 12345}, "123k  123k  123k  12,345  12,345  12,345"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct column *shown[7];
        struct table_cell cells[7];
        struct table_row row = {MARK_NONE, name, cells};
        struct table table = {"thing", shown, cases[k].count, &row, 1};
        struct text text = {0};
        for (int c = 0; c < cases[k].count; c++) {
            shown[c] = &length;
            cells[c] =
                (struct table_cell){{.type = VALUE_INTEGER, .integer = cases[k].integers[c]}, MARK_NONE};
        }
        text_table(&text, "List", &table);
        const char *line = strchr(text.data, '\n') + 1;
        char found[100];
        snprintf(found, sizeof found, "%.*s", (int)strcspn(line, "\n"), line);
        assert_int_equal(strncmp(found, "  a_name_with_28_characters_ab ", 31), 0);
        assert_string_equal(found + 30 + strspn(found + 30, " "), cases[k].cells);
        assert_true(strlen(found) <= 80);
        text_free(&text);
    }
}

static void markdown_escapes(void **state)
{
    struct document document;
    struct text text = {0};
    make_by_hand(&document);
    markdown_write(&document, &text);
    assert_false(text.failed);
    assert_string_equal(text.data,
                        "# m\\|x\n"
                        "\n"
                        "2 x 2: a?\\*b\n"
                        "\n"
                        "## Sizes\n"
                        "\n"
                        "| number | rows | columns | unit |\n"
                        "|---|---:|---:|---|\n"
                        "| Length | 1,234,567 | - | entries |\n"
                        "\n"
                        "| row length | rows | of all |\n"
                        "|---:|---:|---:|\n"
                        "| 0 | 1 | 25.00% |\n"
                        "| 1-2 | 2 | 50.00% |\n"
                        "\n"
                        "## List\n"
                        "\n"
                        "| thing | Length, entries | Time |\n"
                        "|---|---:|---:|\n"
                        "| a | 7\\* | 12.5 us |\n"
                        "| a\\_name\\_that\\_is\\_longer\\_than\\_28\\_characters ! | - | 1.00 s |\n"
                        "\n"
                        "- first of 2\n"
                        "- \\* means \\<this\\>\n"
                        "\n"
                        "## Empty\n"
                        "\n"
                        "nothing at all\n");
    text_free(&text);
    document_free(&document);
}

/* Keep letters and digits only, since forms differ in the other characters. */
static char *letters_of(const char *words)
{
    size_t length = 0;
    char *letters = malloc(strlen(words) + 1);
    assert_non_null(letters);
    for (const char *c = words; *c; c++)
        if ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z'))
            letters[length++] = *c;
    letters[length] = 0;
    return letters;
}

static void expect_words(const char *form, const char *written, const char *words)
{
    char *letters = letters_of(words);
    if (!strstr(written, letters)) fail_msg("%s does not have: %s", form, words);
    free(letters);
}

/* The title of a section, the words of a note, the names of a table's rows and of numbers. */
static void expect_block(const char *form, const char *written, const struct block *block)
{
    if (block->kind == BLOCK_SECTION || block->kind == BLOCK_PARAGRAPH)
        expect_words(form, written, block->words);
    if (block->kind == BLOCK_NOTE) expect_words(form, written, block->note.words);
    for (int k = 0; block->kind == BLOCK_TABLE && k < block->table.row_count; k++)
        expect_words(form, written, block->table.rows[k].name);
    for (int k = 0; block->kind == BLOCK_NUMBERS && k < block->numbers.count; k++)
        expect_words(form, written, block->numbers.items[k].column->title);
    for (int q = 0; block->kind == BLOCK_ARRAYS && q < block->storage->count; q++)
        expect_words(form, written, block->storage->array[q].help);
}

/* A session with every kind of content: refused formats, arrays, kernels that ran, that could not run, and
 * that are estimated. */
static void every_form_tells_everything(void **state)
{
    struct report_request request = request_kernels("csr-seq ell-seq cuda/cmrs cuda/csr-vector:threads=32");
    struct session session;
    struct document document = {0};
    struct text forms[2] = {{0}};
    int kinds[BLOCK_ARRAYS + 1] = {0};
    assert_int_equal(format_list_add(&request.arrays, "csr,ell", NULL), STATUS_OK);
    load_for_report(&session, "gen:arrow,n=3000", &request); /* ELL has 9,000,000 slots, over LIMIT */
    report_request_free(&request);
    document_build(&document, &session, session.shown);
    assert_false(document.failed);
    text_write(&document, &forms[0]);
    markdown_write(&document, &forms[1]);
    for (int f = 0; f < 2; f++) {
        char *written = letters_of(forms[f].data);
        for (int k = 0; k < document.count; k++)
            expect_block(f ? "Markdown" : "text", written, &document.blocks[k]);
        expect_words("a report", written, document.summary);
        free(written);
        text_free(&forms[f]);
    }
    for (int k = 0; k < document.count; k++)
        kinds[document.blocks[k].kind]++;
    for (int kind = 0; kind <= BLOCK_ARRAYS; kind++)
        assert_true(kinds[kind] > 0);
    document_free(&document);
    session_free(&session);
}

/* A case that is not shown has a document of its own: arrow,n=4 has 10 entries, laplace2d,n=2 has 12. */
static void a_document_is_of_a_case(void **state)
{
    struct session session, other;
    struct error error = {0};
    load_plain(&session, "gen:arrow,n=4");
    load_plain(&other, "gen:laplace2d,n=2");
    struct matrix_case *added = session_add_case(&session, "other", &other.shown->matrix, &error);
    assert_non_null(added);
    assert_int_equal(case_need(added, REPORT_NEEDS & ~(unsigned)SESSION_GPU, 0, NULL, &error), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        struct document document = {0};
        struct text text = {0};
        document_build(&document, &session, &session.cases[k]);
        text_write(&document, &text);
        assert_non_null(strstr(text.data, k ? "\n  Entries                                  12\n"
                                            : "\n  Entries                                  10\n"));
        text_free(&text);
        document_free(&document);
    }
    session_free(&session);
    session_free(&other);
}

/* Whichever allocation fails, the document says so, and a writer passes it on. */
static void documents_survive_failing_allocations(void **state)
{
    struct report_request request = request_kernels("csr-seq cuda/cmrs");
    struct session session;
    bool failed = true;
    assert_int_equal(format_list_add(&request.arrays, "csr", NULL), STATUS_OK);
    load_for_report(&session, "gen:laplace2d,n=2", &request);
    report_request_free(&request);
    for (long k = 0; failed; k++) {
        struct document document = {0};
        struct text text = {0};
        assert_true(k < 10000);
        memory_fail_after(k);
        document_build(&document, &session, session.shown);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(document.failed, failed);
        text_write(&document, &text);
        assert_int_equal(text.failed, failed);
        text_free(&text);
        markdown_write(&document, &text);
        assert_int_equal(text.failed, failed);
        text_free(&text);
        document_free(&document);
    }
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_aligns),       cmocka_unit_test(integers_make_room_for_names),
        cmocka_unit_test(markdown_escapes),        cmocka_unit_test(every_form_tells_everything),
        cmocka_unit_test(a_document_is_of_a_case), cmocka_unit_test(documents_survive_failing_allocations),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
