/* matrix/files/graph: edge lists and tables of many blocks of text, in all ways that lines are written,
 * against the same entries in a Matrix Market file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/chance.h"
#include "support/cmocka.h"
#include "support/files.h"

#define ENTRIES 50000

static struct entry {
    int i, j, quarters; /* the value is quarters / 4 */
} entries[ENTRIES];

enum way { PLAIN, NUMBERED, FOUR, BRACES, NAMES };

static const struct layout {
    const char *reader, *header, *separator, *end;
    int base;
    enum way way;
    bool values, comments;
} layouts[] = {
    {"edges", "", "\t", "\n", 0, PLAIN, false, false},
    {"edges", "", " ", "\n", 1, PLAIN, true, true},
    {"edges", "", "  ", " \n", 0, FOUR, true, true},
    {"edges", "source,target,weight\n", ",", "\r\n", 1, PLAIN, true, false},
    {"edges", "", " ", "\n", 0, BRACES, true, true},
    {"edges", "", "\t", "\n", 0, NAMES, true, false},
    {"csv", "row,col,value\n", ",", "\n", 0, PLAIN, true, true},
    {"csv", ",row,col\n", ",", "\n", 1, NUMBERED, false, false},
    {"csv", "\"\";\"i\";\"j\";\"x\"\n", ";", "\n", 1, NUMBERED, true, false},
};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

static uint64_t chance(void)
{
    static uint64_t state = CHANCE_SEED;
    return chance_next(&state);
}

/* Row numbers grow towards the end of the file, so that the first part never shows them all. Some entries
 * come in runs of one row, and some twice. The first entry has index 0, and the last one the largest
 * index. */
static void make_entries(void)
{
    for (int k = 0; k < ENTRIES; k++) {
        struct entry *e = &entries[k];
        bool run = k % 5 && k > 0;
        *e = (struct entry){run ? e[-1].i : (int)(chance() % (uint64_t)(k + 1)), (int)(chance() % 9000),
                            (int)(chance() % 4000) - 2000};
        if (k % 50 == 7) *e = e[-3];
    }
    entries[0] = (struct entry){0, 0, 3};
    entries[ENTRIES - 1] = (struct entry){ENTRIES + 40, 3, 8};
}

static void put_value(struct text *text, int quarters)
{
    text_append(text, "%d", quarters / 4);
    if (quarters % 4) text_append(text, ".%02d", abs(quarters % 4) * 25);
}

/* The value is the written one: -1/4 loses its sign, which keeps the writer short. */
static double value_of(int quarters)
{
    double part = quarters % 4 ? abs(quarters % 4) / 4.0 : 0;
    return quarters / 4 + (quarters <= -4 ? -part : part);
}

static void write_line(struct text *text, const struct layout *l, int k)
{
    const struct entry *e = &entries[k];
    if (l->comments && k % 900 == 5) text_append(text, k % 1800 == 5 ? "# 1 2 3, and more\n" : "%% 5\n\n");
    if (l->way == NUMBERED) text_append(text, k % 2 ? "%d%s" : "\"%d\"%s", k, l->separator);
    if (l->way == NAMES)
        text_append(text, "v%d%sv%d", e->i, l->separator, e->j);
    else
        text_append(text, "%d%s%d", e->i + l->base, l->separator, e->j + l->base);
    if (l->values && l->way == BRACES) {
        text_append(text, " {%s'weight': ", k % 3 ? "" : "'of': \"a b\", ");
        put_value(text, e->quarters);
        text_append(text, k % 4 ? "}" : ", 'for': np.float64(7.5), \"it's\": None}");
    } else if (l->values) {
        text_append(text, "%s", l->separator);
        put_value(text, e->quarters);
    }
    if (l->way == FOUR) text_append(text, "%s%d", l->separator, 77);
    text_append(text, "%s", l->end);
}

static void write_list(const char *path, const struct layout *l)
{
    struct text text = {0};
    text_append(&text, "%s", l->header);
    for (int k = 0; k < ENTRIES; k++)
        write_line(&text, l, k);
    assert_false(text.failed);
    files_write(path, text.data, text.length);
    text_free(&text);
}

/* The same entries in a Matrix Market file; vertices with names are numbered as they occur. */
static void write_market(const char *path, const struct layout *l)
{
    static int number[2 * ENTRIES];
    struct text text = {0};
    int vertices = 0, rows = ENTRIES + 41, cols = strcmp(l->reader, "csv") == 0 ? 0 : rows;
    memset(number, 0, sizeof number);
    for (int k = 0; k < ENTRIES; k++) {
        const struct entry *e = &entries[k];
        if (number[e->i] == 0) number[e->i] = ++vertices;
        if (number[e->j] == 0) number[e->j] = ++vertices;
        if (cols < e->j + 1) cols = e->j + 1;
    }
    if (l->way == NAMES) rows = cols = vertices;
    text_append(&text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows, cols, ENTRIES);
    for (int k = 0; k < ENTRIES; k++) {
        const struct entry *e = &entries[k];
        int i = l->way == NAMES ? number[e->i] : e->i + 1, j = l->way == NAMES ? number[e->j] : e->j + 1;
        text_append(&text, "%d %d %.17g\n", i, j, l->values ? value_of(e->quarters) : 1.0);
    }
    assert_false(text.failed);
    files_write(path, text.data, text.length);
    text_free(&text);
}

static void load(const char *path, const char *reader, bool names, struct matrix *matrix)
{
    struct error error = {0};
    char text[sizeof error.path + sizeof error.message];
    const struct load_options options = {.from = reader_find(reader, NULL), .names = names};
    if (matrix_load(path, &options, NULL, matrix, &error) != STATUS_OK)
        fail_msg("%s", error_text(&error, text, sizeof text));
}

static void expect_equal(const struct matrix *one, const struct matrix *other)
{
    const struct csr *a = &one->csr, *b = &other->csr;
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_int_equal(csr_nnz(a), csr_nnz(b));
    assert_memory_equal(a->row_ptr, b->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr);
    assert_memory_equal(a->col, b->col, (size_t)csr_nnz(a) * sizeof *a->col);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        assert_true(a->val[k] == b->val[k]);
    assert_int_equal(one->stored, other->stored);
    assert_int_equal(one->duplicates, other->duplicates);
}

static void lists_of_many_blocks_are_read(void **state)
{
    for (size_t l = 0; l < LAYOUTS; l++) {
        struct matrix expected;
        write_list("a.txt", &layouts[l]);
        write_market("a.mtx", &layouts[l]);
        load("a.mtx", "mtx", false, &expected);
        for (int threads = 1; threads <= 3; threads++) {
            struct matrix matrix;
            threads_set(threads);
            load("a.txt", layouts[l].reader, layouts[l].way == NAMES, &matrix);
            expect_equal(&matrix, &expected);
            assert_int_equal(matrix.field, layouts[l].values ? FIELD_REAL : FIELD_PATTERN);
            matrix_free(&matrix);
        }
        threads_set(0);
        matrix_free(&expected);
    }
}

/* Without memory to count rows in the first pass, another pass counts them. */
static void rows_need_not_be_counted_on_the_way(void **state)
{
    struct matrix expected;
    int read = 0;
    write_list("a.txt", &layouts[0]);
    load("a.txt", "edges", false, &expected);
    for (long fail = 0;; fail++) {
        struct matrix matrix;
        struct error error = {0};
        const struct load_options options = {.from = reader_find("edges", NULL)};
        memory_fail_after(fail);
        enum status status = matrix_load("a.txt", &options, NULL, &matrix, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        if (status != STATUS_OK) {
            assert_int_equal(status, STATUS_MEMORY);
            continue;
        }
        expect_equal(&matrix, &expected);
        matrix_free(&matrix);
        read += failures > 0;
        if (!failures) break;
    }
    assert_true(read > 2); /* the counts grow several times */
    matrix_free(&expected);
}

/* The table of counts grows by powers of two, and 512 entries are counted at once. The last row of some of
 * these groups is the first that exceeds the table. */
static void rows_at_the_end_of_the_table_are_counted(void **state)
{
    struct text text = {0};
    struct matrix matrix;
    for (int k = 1; k <= 20000; k++)
        text_append(&text, "%d 0\n", k);
    files_write("a.txt", text.data, text.length);
    text_free(&text);
    load("a.txt", "edges", false, &matrix);
    assert_int_equal(matrix.csr.rows, 20001);
    for (int i = 0; i <= 20001; i++)
        assert_int_equal(matrix.csr.row_ptr[i], i > 0 ? i - 1 : 0);
    matrix_free(&matrix);
}

/* An edge list is square, even if only columns have the largest index. */
static void rows_behind_the_last_entry_are_empty(void **state)
{
    static const char list[] = "0 1\n2 70000\n1 3\n";
    static const int begins[] = {0, 1, 2};
    struct matrix matrix;
    files_write("a.txt", list, sizeof list - 1);
    load("a.txt", "edges", false, &matrix);
    assert_int_equal(matrix.csr.rows, 70001);
    for (int i = 0; i <= 70001; i++)
        assert_int_equal(matrix.csr.row_ptr[i], i < 3 ? begins[i] : 3);
    matrix_free(&matrix);
}

/* The first pass reads indices only. Still the error that is reported is the first of the file. */
static void the_first_error_is_told(void **state)
{
    static const struct {
        const char *early, *late, *words;
    } faults[] = {
        {"3 4 5x\n", "x 4 5\n", ":40000:5: '5x' where a value"},
        {"3 4\n", "3 4x 5\n", ":40000:4: the line has 2 columns"},
        {"3 4 5 6\n", "3 4 5 6\n", ":40000:8: the line has 4 columns, and the first has 3"},
        {"3 4 5\n", "4294967297 4 5\n", ":90001:1: vertex 4294967297 is beyond"},
        {"3 4 5\n", "3\n", ":90001:2: the line ends where a vertex is expected"},
    };
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct text text = {0};
        struct matrix matrix;
        struct error error = {0};
        char message[sizeof error.path + sizeof error.message];
        const struct load_options options = {.from = reader_find("edges", NULL)};
        for (int k = 1; k <= 100000; k++)
            if (k == 40000 || k == 90001)
                text_append(&text, "%s", k == 40000 ? faults[f].early : faults[f].late);
            else
                text_append(&text, "%d %d %d\n", k, 100000 - k, k % 10);
        files_write("a.txt", text.data, text.length);
        text_free(&text);
        for (int threads = 1; threads <= 3; threads += 2) {
            threads_set(threads);
            assert_int_equal(matrix_load("a.txt", &options, NULL, &matrix, &error), STATUS_INPUT);
            error_text(&error, message, sizeof message);
            if (!strstr(message, faults[f].words)) fail_msg("'%s', not '%s'", message, faults[f].words);
            assert_null(matrix.csr.row_ptr);
            error_clear(&error);
        }
        threads_set(0);
    }
}

/* A comment is one in both passes, though the first word of a numbered line is skipped. */
static void comments_of_numbered_lines_are_no_entries(void **state)
{
    struct text text = {0};
    struct matrix matrix;
    text_append(&text, ",source,target,weight\n");
    for (int k = 0; k < 5000; k++)
        text_append(&text, "%d,%d,%d,0.5\n%s,5,3,0,9\n", k, k, k, k % 2 ? "%" : "#");
    files_write("a.csv", text.data, text.length);
    text_free(&text);
    load("a.csv", "edges", false, &matrix);
    assert_int_equal(matrix.csr.rows, 5000);
    assert_int_equal(matrix.stored, 5000);
    for (int k = 0; k < 5000; k++) {
        assert_int_equal(matrix.csr.row_ptr[k], k);
        assert_int_equal(matrix.csr.col[k], k);
        assert_true(matrix.csr.val[k] == 0.5);
    }
    matrix_free(&matrix);
}

/* A title has no number in place of an index. A first line with indices is read as an entry or refused, but
 * never skipped. */
static void a_first_line_with_indices_is_an_entry(void **state)
{
    static const struct {
        const char *word, *refused;
        double value;
    } firsts[] = {{"nan", NULL, 0},
                  {"-inf", NULL, -INFINITY},
                  {"Infinity", NULL, INFINITY},
                  {"0x10", NULL, 16},
                  {"many", "'many' where a value (a number) is expected", 0},
                  {"0xg", "'0xg' where a value", 0}};
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++)
        for (int table = 0; table < 2; table++) {
            const struct load_options options = {.from = reader_find(table ? "csv" : "edges", NULL)};
            struct error error = {0};
            struct matrix matrix;
            char text[64];
            int length = snprintf(text, sizeof text, "0,1,%s\n1,0,2\n2,2,3\n", firsts[k].word);
            files_write("a.txt", text, (size_t)length);
            enum status status = matrix_load("a.txt", &options, NULL, &matrix, &error);
            assert_int_equal(status, firsts[k].refused ? STATUS_INPUT : STATUS_OK);
            if (firsts[k].refused) {
                assert_non_null(strstr(error.message, firsts[k].refused));
                assert_int_equal(error.line, 1);
                continue;
            }
            assert_int_equal(matrix.stored, 3);
            double first = matrix.csr.val[0];
            assert_true(k == 0 ? first != first : first == firsts[k].value);
            matrix_free(&matrix);
        }
}

/* Words with digits are titles; a number for either index makes the line an entry. */
static void titles_have_no_number_where_indices_are(void **state)
{
    static const struct {
        const char *first, *refused;
    } firsts[] = {{"id1,id2,weight", NULL},     {"a1,e2,d3", NULL},         {"-,.,e5", NULL},
                  {"2nd,1st,3", NULL},          {"1,b,w", "'b' where a"},   {"a,2,w", "'a' where a"},
                  {"0x1,b,w", "'0x1' where a"}, {"b,-2.5e3,w", "'b' where"}};
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++)
        for (int table = 0; table < 2; table++) {
            const struct load_options options = {.from = reader_find(table ? "csv" : "edges", NULL)};
            struct error error = {0};
            struct matrix matrix;
            char text[64];
            int length = snprintf(text, sizeof text, "%s\n1,0,2\n2,2,3\n", firsts[k].first);
            files_write("a.txt", text, (size_t)length);
            enum status status = matrix_load("a.txt", &options, NULL, &matrix, &error);
            assert_int_equal(status, firsts[k].refused ? STATUS_INPUT : STATUS_OK);
            if (firsts[k].refused) {
                assert_non_null(strstr(error.message, firsts[k].refused));
                continue;
            }
            assert_int_equal(matrix.stored, 2);
            matrix_free(&matrix);
        }
}

/* An index may have any number of digits: the message shows the first ones, and that there are more. */
static void messages_are_short(void **state)
{
    static const struct {
        const char *reader, *before, *after, *words;
    } cases[] = {{"edges", "1 2\n", " 2\n", "vertex 1111111111111111111111111111... is beyond"},
                 {"csv", "row,column\n1,2\n", ";2\n", "row 1111111111111111111111111111... is beyond"},
                 {"metis", "3 2\n2 ", "\n1 3\n2\n", "'1111111111111111111111111111...' is not a vertex"},
                 {"edges", "1;2;3\n1;2;y", ";2\n", "'y1111111111111111111111111111..."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct load_options options = {.from = reader_find(cases[k].reader, NULL)};
        for (int digits = 60; digits <= 60000; digits *= 1000) {
            struct text text = {0};
            struct error error = {0};
            struct matrix matrix;
            char shown[sizeof error.message], *from;
            text_append(&text, "%s", cases[k].before);
            for (int d = 0; d < digits; d++)
                text_append(&text, "1");
            text_append(&text, "%s", cases[k].after);
            files_write("a.txt", text.data, text.length);
            text_free(&text);
            assert_int_equal(matrix_load("a.txt", &options, NULL, &matrix, &error), STATUS_INPUT);
            /* The test accepts any number of shown digits that is at least that of `words`. */
            strcpy(shown, error.message);
            for (from = shown; (from = strstr(from, "11111111111111111111111111111")) != NULL;)
                memmove(from, from + 1, strlen(from));
            if (strlen(error.message) > 150 || !strstr(shown, cases[k].words)) fail_msg("%s", error.message);
        }
    }
}

int main(void)
{
    make_entries();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_many_blocks_are_read),
        cmocka_unit_test(rows_need_not_be_counted_on_the_way),
        cmocka_unit_test(rows_at_the_end_of_the_table_are_counted),
        cmocka_unit_test(rows_behind_the_last_entry_are_empty),
        cmocka_unit_test(the_first_error_is_told),
        cmocka_unit_test(comments_of_numbered_lines_are_no_entries),
        cmocka_unit_test(a_first_line_with_indices_is_an_entry),
        cmocka_unit_test(titles_have_no_number_where_indices_are),
        cmocka_unit_test(messages_are_short),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
