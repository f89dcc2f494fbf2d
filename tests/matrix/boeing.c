/* matrix/files/boeing: files of many blocks of text, of all fields and with right-hand sides behind them,
 * against the same entries in a Matrix Market file; and faults in each section of them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/threads.h"
#include "matrix/files/boeing/boeing.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/chance.h"
#include "support/cmocka.h"
#include "support/files.h"

#define COLS 5000
#define ROWS 6000
#define ENTRIES_MAX (COLS * 20)

static const struct kind {
    const char *type; /* rua and the like */
    const char *format;
    int wide; /* values of a line */
    bool sides;
} kinds[] = {
    {"rua", "(3E25.16)", 3, false}, {"rsa", "(1P,4D24.16)", 4, true},
    {"iua", "(12I6)", 12, false},   {"cua", "(3E25.16)", 3, true},
    {"pua", "", 1, false},          {"rza", "(5F16.6)", 5, false},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static int begins[COLS + 1], rows_of[ENTRIES_MAX];
static double values[2 * ENTRIES_MAX];

static uint64_t chance(void)
{
    static uint64_t state = CHANCE_SEED;
    return chance_next(&state);
}

/* Rows of a column ascend; some columns are empty. Of a symmetric matrix the lower triangle is made, of a
 * skew-symmetric one without the diagonal. */
static void make_entries(const struct kind *kind)
{
    bool half = kind->type[1] != 'u';
    int count = 0;
    for (int j = 0; j < COLS; j++) {
        begins[j] = count;
        int i = half ? j + (kind->type[1] == 'z') : (int)(chance() % 300);
        for (int k = j % 13 == 4 ? 20 : 0; k < 20 && i < (half ? COLS : ROWS); k++) {
            rows_of[count++] = i;
            i += 1 + (int)(chance() % 280);
        }
    }
    begins[COLS] = count;
    for (int k = 0; k < 2 * ENTRIES_MAX; k++)
        values[k] = (double)((int)(chance() % 20000) - 10000) / (kind->type[0] == 'i' ? 1 : 16);
}

static void write_numbers(struct text *text, const struct kind *kind, int count)
{
    char number[64];
    for (int k = 0; k < count; k++) {
        int used = 0;
        if (kind->format[1] == '3')
            used = snprintf(number, sizeof number, "%25.16E", values[k]);
        else if (kind->format[1] == '1' && kind->format[2] == 'P') {
            used = snprintf(number, sizeof number, "%24.16E", values[k]);
            *strchr(number, 'E') = 'D';
        } else if (kind->format[1] == '1')
            used = snprintf(number, sizeof number, "%6d", (int)values[k]);
        else
            used = snprintf(number, sizeof number, "%16.6f", values[k]);
        text_append(text, "%.*s%s", used, number,
                    k % kind->wide == kind->wide - 1 || k == count - 1 ? "\n" : "");
    }
}

/* Write a file of Harwell-Boeing. *sections becomes the bytes before each section, and at the end. */
static void write_boeing(const char *path, const struct kind *kind, size_t sections[4], struct text *text)
{
    int count = begins[COLS], numbers = kind->type[0] == 'p' ? 0 : kind->type[0] == 'c' ? 2 * count : count;
    int pointers = (COLS + 1 + 6) / 7, indices = (count + 7) / 8,
        lines = (numbers + kind->wide - 1) / kind->wide;
    int sides = kind->sides ? 20000 : 0;
    text_append(text, "%-72s%-8s\n", "A matrix of many blocks", "MANY");
    text_append(text, "%14d%14d%14d%14d%14d\n", pointers + indices + lines + sides, pointers, indices, lines,
                sides);
    text_append(text, "%-14s%14d%14d%14d%14d\n", kind->type, kind->type[1] == 'u' ? ROWS : COLS, COLS, count,
                0);
    text_append(text, "%-16s%-16s%-20s%-20s\n", "(7I11)", "(8I10)", kind->format,
                kind->sides ? "(1E25.16)" : "");
    if (kind->sides) text_append(text, "F%13s%14d%14d\n", "", 1, 0);
    sections[0] = text->length;
    for (int j = 0; j <= COLS; j++)
        text_append(text, "%11d%s", begins[j] + 1, j % 7 == 6 || j == COLS ? "\n" : "");
    sections[1] = text->length;
    for (int k = 0; k < count; k++)
        text_append(text, "%10d%s", rows_of[k] + 1, k % 8 == 7 || k == count - 1 ? "\n" : "");
    sections[2] = text->length;
    write_numbers(text, kind, numbers);
    sections[3] = text->length;
    for (int k = 0; k < sides; k++)
        text_append(text, "%25.16E\n", 1.5);
    assert_false(text->failed);
    files_write(path, text->data, text->length);
}

static void write_market(const char *path, const struct kind *kind)
{
    struct text text = {0};
    const char *field = kind->type[0] == 'p'   ? "pattern"
                        : kind->type[0] == 'c' ? "complex"
                        : kind->type[0] == 'i' ? "integer"
                                               : "real";
    text_append(&text, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n", field,
                kind->type[1] == 's'   ? "symmetric"
                : kind->type[1] == 'z' ? "skew-symmetric"
                                       : "general",
                kind->type[1] == 'u' ? ROWS : COLS, COLS, begins[COLS]);
    for (int j = 0; j < COLS; j++)
        for (int k = begins[j]; k < begins[j + 1]; k++) {
            text_append(&text, "%d %d", rows_of[k] + 1, j + 1);
            if (kind->type[0] == 'c')
                text_append(&text, " %.17g %.17g\n", values[2 * k], values[2 * k + 1]);
            else if (kind->type[0] == 'p')
                text_append(&text, "\n");
            else
                text_append(&text, " %.17g\n", values[k]);
        }
    assert_false(text.failed);
    files_write(path, text.data, text.length);
    text_free(&text);
}

static enum status load(const char *path, struct matrix *matrix, struct error *error)
{
    const struct load_options options = {0};
    *error = (struct error){0};
    return matrix_load(path, &options, NULL, matrix, error);
}

static void expect_equal(const struct matrix *one, const struct matrix *other)
{
    const struct csr *a = &one->csr, *b = &other->csr;
    size_t nnz = (size_t)csr_nnz(b);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->row_ptr, b->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr);
    assert_memory_equal(a->col, b->col, nnz * sizeof *a->col);
    assert_memory_equal(a->val, b->val, nnz * sizeof *a->val);
    assert_true((a->imaginary != NULL) == (b->imaginary != NULL));
    if (a->imaginary) assert_memory_equal(a->imaginary, b->imaginary, nnz * sizeof *a->imaginary);
    assert_int_equal(one->stored, other->stored);
    assert_int_equal(one->field, other->field);
    assert_int_equal(one->symmetry, other->symmetry);
}

static void files_of_many_blocks_are_read(void **state)
{
    for (size_t k = 0; k < KINDS; k++) {
        struct text text = {0};
        size_t sections[4];
        struct matrix expected, matrix;
        struct error error;
        make_entries(&kinds[k]);
        write_boeing("a.rua", &kinds[k], sections, &text);
        write_market("a.mtx", &kinds[k]);
        assert_int_equal(load("a.mtx", &expected, &error), STATUS_OK);
        assert_true(text.length > 3 * (256 << 10)); /* of the blocks that the text is cut into */
        for (int threads = 1; threads <= 3; threads += 2) {
            threads_set(threads);
            if (load("a.rua", &matrix, &error) != STATUS_OK) fail_msg("%s: %s", kinds[k].type, error.message);
            expect_equal(&matrix, &expected);
            matrix_free(&matrix);
        }
        threads_set(0);
        matrix_free(&expected);
        text_free(&text);
    }
}

/* A letter instead of a digit, in the middle of each section, is reported with its line; of two letters the
 * first. */
static void a_fault_is_told_with_its_line(void **state)
{
    struct text text = {0};
    size_t sections[4];
    struct error error;
    struct matrix matrix;
    make_entries(&kinds[0]);
    write_boeing("a.rua", &kinds[0], sections, &text);
    for (int s = 2; s >= 0; s--) {
        int64_t line = 1;
        size_t at = (sections[s] + sections[s + 1]) / 2;
        while (text.data[at] < '0' || text.data[at] > '9' || text.data[at + 1] != '\n')
            at++;
        for (size_t c = 0; c < at; c++)
            line += text.data[c] == '\n';
        text.data[at] = 'x';
        files_write("a.rua", text.data, text.length);
        for (int threads = 1; threads <= 3; threads += 2) {
            threads_set(threads);
            assert_int_equal(load("a.rua", &matrix, &error), STATUS_INPUT);
            assert_int_equal(error.line, line);
            assert_null(matrix.csr.row_ptr);
        }
        threads_set(0);
    }
    text_free(&text);
}

/* A file that is cut in any section is refused. */
static void a_part_is_refused(void **state)
{
    struct text text = {0};
    size_t sections[4];
    struct error error;
    struct matrix matrix;
    make_entries(&kinds[0]);
    write_boeing("a.rua", &kinds[0], sections, &text);
    for (int s = 0; s < 6; s++) {
        size_t size = s % 2 ? (sections[s / 2] + sections[s / 2 + 1]) / 2 : sections[s / 2];
        files_write("a.rua", text.data, size);
        assert_int_equal(load("a.rua", &matrix, &error), STATUS_INPUT);
        if (!strstr(error.message, "cut short")) fail_msg("%d: %s", s, error.message);
        assert_null(matrix.csr.row_ptr);
    }
    text_free(&text);
}

/* A file whose last number lacks its last characters is refused, although the rest is a number. */
static void a_number_that_is_cut_is_refused(void **state)
{
    for (size_t k = 0; k < KINDS; k++) {
        struct text text = {0};
        size_t sections[4];
        struct error error;
        struct matrix matrix;
        if (kinds[k].sides) continue; /* right-hand sides come last there */
        make_entries(&kinds[k]);
        write_boeing("a.rua", &kinds[k], sections, &text);
        for (int cut = 1; cut <= 4; cut++) { /* first the line end alone */
            files_write("a.rua", text.data, text.length - (size_t)cut);
            enum status status = load("a.rua", &matrix, &error);
            assert_int_equal(status, cut == 1 ? STATUS_OK : STATUS_INPUT);
            if (cut == 1)
                matrix_free(&matrix);
            else if (!strstr(error.message, "cut short"))
                fail_msg("%s: %s", kinds[k].type, error.message);
        }
        text_free(&text);
    }
}

/* Formats have bounded repetitions, with any text between their parentheses. */
static void formats_come_to_an_end(void **state)
{
    static const struct {
        const char *text, *wrong; /* NULL: a valid format */
        int fields, start;        /* and the column where the last one begins */
    } cases[] = {
        {"(10I8)", NULL, 10, 72},
        {"(2(1X,2(I3,2X)))", NULL, 4, 17},
        {"(1P5D16.9)", NULL, 5, 64},
        {"(1000(1000(1000())))", "has too many parentheses", 0, 0},
        {"(1000(1000(1000X)),I8)", "is too long", 0, 0},
        {"(1000(1000X),1000(1000X),I8)", "is too long", 0, 0},
        {"(33(1000X),I8)", "is too long", 0, 0},
        {"(32I1000)", NULL, 32, 31000},
        {"(33I1000)", "is too long", 0, 0},
        {"(32(1000X),I1000)", "is too long", 0, 0},
        {"(0I8)", "repeats something 0 times", 0, 0},
        {"(0(I8),I8)", "repeats something 0 times", 0, 0},
        {"(P,I8)", "is not a format of numbers", 0, 0},
        {"(((((I8)))))", "has too many parentheses", 0, 0},
        {"(I8", "has no end", 0, 0},
        {"(-5X,I8)", "has numbers that are too large", 0, 0},
        {"(1001I8)", "has numbers that are too large", 0, 0},
        {"(99999999999999999999I8)", "has numbers that are too large", 0, 0},
        {"(1001X,I8)", "has numbers that are too large", 0, 0},
        {"(1000X,I8)", NULL, 1, 1000},
        {"(I1000)", NULL, 1, 0},
        {"(I1001)", "has no widths", 0, 0},
        {"(E30.1000)", NULL, 1, 0},
        {"(E30.1001)", "has no widths", 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct line_format format;
        const char *text = cases[k].text, *wrong = format_read(text, text + strlen(text), &format);
        if (!wrong != !cases[k].wrong || (wrong && strcmp(wrong, cases[k].wrong)))
            fail_msg("%s: %s", text, wrong ? wrong : "is one");
        if (wrong) continue;
        assert_int_equal(format.count, cases[k].fields);
        assert_int_equal(format.fields[format.count - 1].start, cases[k].start);
    }
}

/* The words of C's strtod for reals, and those of Fortran. */
static void words_of_reals_have_their_sign(void **state)
{
    static const struct {
        const char *text;
        double value; /* NAN with `number`: not a number; without: no real */
        bool number;
    } cases[] = {{"-Inf", -INFINITY, true},
                 {"+Infinity", INFINITY, true},
                 {" -inf ", -INFINITY, true},
                 {"inf", INFINITY, true},
                 {"NaN", NAN, true},
                 {"5inf", 0, false},
                 {"-5nan", 0, false},
                 {".inf", 0, false},
                 {"--inf", 0, false},
                 {"-1.5-3", -1.5e-3, true},
                 {"-", 0, false},
                 {"1x", 0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char line[128] = {0};
        const struct field_place field = {0, (short)strlen(cases[k].text), 0, 0};
        double value = 0;
        strcpy(line, cases[k].text);
        const char *wrong = field_real(&field, line, line + strlen(line), &value);
        if (!wrong != cases[k].number) fail_msg("'%s': %s", cases[k].text, wrong ? wrong : "a number");
        if (!wrong)
            assert_true(value == cases[k].value || (value != value && cases[k].value != cases[k].value));
        /* a line may end within a field, whose further columns are blanks, and not the next line's */
        const struct field_place cut = {0, (short)(strlen(cases[k].text) + 6), 0, 0};
        double again = 0;
        strcat(line, "\n7.5 8.5");
        wrong = field_real(&cut, line, line + strlen(cases[k].text), &again);
        if (!wrong != cases[k].number) fail_msg("'%s' at the end of a line: %s", cases[k].text, wrong);
        if (!wrong) assert_true(again == value || (again != again && value != value));
    }
}

/* A number outside its columns may be anywhere in the line, up to the maximum length, even if columns exceed
 * the 16 bits of a field. */
static void long_lines_are_refused(void **state)
{
    static const struct {
        int line, blanks;
        enum status status;
    } cases[] = {{5, 3000, STATUS_OK},     {6, 3000, STATUS_OK},     {7, 3000, STATUS_OK},
                 {5, 5000, STATUS_INPUT},  {6, 5000, STATUS_INPUT},  {7, 5000, STATUS_INPUT},
                 {5, 40000, STATUS_INPUT}, {6, 40000, STATUS_INPUT}, {7, 40000, STATUS_INPUT},
                 {6, 65536, STATUS_INPUT}, {7, 65536, STATUS_INPUT}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text text = {0};
        struct error error = {0};
        struct matrix matrix;
        int line = cases[k].line;
        text_append(&text, "%-72s%-8s\n%14d%14d%14d%14d\n", "One entry", "ONE", 3, 1, 1, 1);
        text_append(&text, "%-14s%14d%14d%14d%14d\n", "RUA", 1, 1, 1, 0);
        text_append(&text, "%-16s%-16s%-20s\n", "(2I8)", "(1I8)", "(1E20.12)");
        text_append(&text, "%*s%8d%8d\n", line == 5 ? cases[k].blanks : 0, "", 1, 2);
        text_append(&text, "%*s%8d\n", line == 6 ? cases[k].blanks : 0, "", 1);
        text_append(&text, "%*s%20.12E\n", line == 7 ? cases[k].blanks : 0, "", 0.5);
        files_write("a.rua", text.data, text.length);
        assert_int_equal(load("a.rua", &matrix, &error), cases[k].status);
        if (cases[k].status == STATUS_OK) {
            assert_int_equal(matrix.csr.col[0], 0);
            assert_true(matrix.csr.val[0] == 0.5);
            matrix_free(&matrix);
        } else {
            assert_int_equal(error.line, line);
            if (!strstr(error.message, "the line is longer than 4096 bytes")) fail_msg("%s", error.message);
        }
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_many_blocks_are_read),
        cmocka_unit_test(a_fault_is_told_with_its_line),
        cmocka_unit_test(a_part_is_refused),
        cmocka_unit_test(a_number_that_is_cut_is_refused),
        cmocka_unit_test(formats_come_to_an_end),
        cmocka_unit_test(words_of_reals_have_their_sign),
        cmocka_unit_test(long_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
