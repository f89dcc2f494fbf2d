/* Files that change while they are read, so that later passes see other bytes. The reader must neither use
 * memory that was never written nor return an invalid matrix. This file defines pread: from call number
 * `turn` on it returns changed bytes, but the file's size and time stay the same. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/threads.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/cmocka.h"
#include "support/files.h"

/* Fresh memory has this byte everywhere, freed memory its complement. */
#define FRESH 0x01
#define FRESH_INDEX "16843009" /* its effect on an index of four bytes */

/* Changes of the bytes after `from`: each `old`, or only the first, becomes `new`. */
static struct {
    int calls, turn;
    int64_t from;
    char old, new;
    bool once;
} change;

ssize_t pread(int fd, void *bytes, size_t size, off_t offset);
ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    ssize_t count = syscall(SYS_pread64, fd, bytes, size, offset);
    char *text = bytes;
    if (++change.calls < change.turn) return count;
    for (ssize_t k = 0; k < count; k++) {
        if (offset + k < change.from || text[k] != change.old) continue;
        text[k] = change.new;
        if (change.once) change.from = INT64_MAX;
    }
    return count;
}

#define ROWS 40

/* A change affects one of this number of positions, each in its own part of the file. */
#define PLACES 5

/* Entries (i, i) and (i, i + 1), with values from 1 to 9, in each format of text. */
static size_t write_text(const char *format, char *text)
{
    char *at = text;
    bool market = !strcmp(format, "mtx"), metis = !strcmp(format, "metis"), rb = !strcmp(format, "rua");
    bool complex = !strcmp(format, "cua"), pattern = !strcmp(format, "pua");
    if (market)
        at += sprintf(at, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, ROWS,
                      2 * ROWS - 2);
    if (metis) at += sprintf(at, "%d %d 001\n", ROWS, ROWS - 1);
    if (!strcmp(format, "numbered")) at += sprintf(at, ",row,col,value\n");
    if (rb || complex || pattern) {
        int entries = 2 * ROWS - 2, values = complex ? 2 * entries : rb ? entries : 0;
        int lines[] = {(ROWS + 8) / 8, (entries + 7) / 8, (values + 3) / 4};
        at += sprintf(at, "%-72s%-8s\n%14d%14d%14d%14d\n", "title", "key", lines[0] + lines[1] + lines[2],
                      lines[0], lines[1], lines[2]);
        at += sprintf(at, "%-14s%14d%14d%14d%14d\n%-16s%-16s%-20s\n", format, ROWS, ROWS, entries, 0, "(8I8)",
                      "(8I8)", pattern ? "" : "(4E16.8)");
        for (int j = 0; j <= ROWS; j++)
            at += sprintf(at, "%8d%s", j < ROWS - 1 ? 2 * j + 1 : entries + 1,
                          j % 8 == 7 || j == ROWS ? "\n" : "");
        for (int k = 0; k < entries; k++)
            at += sprintf(at, "%8d%s", k / 2 + k % 2 + 1, k % 8 == 7 || k == entries - 1 ? "\n" : "");
        for (int k = 0; k < values; k++)
            at += sprintf(at, "%16.8e%s", k % 9 + 1.0, k % 4 == 3 || k == values - 1 ? "\n" : "");
        return (size_t)(at - text);
    }
    if (metis) {
        for (int i = 1; i <= ROWS; i++)
            at += sprintf(at, i == 1 ? "2 1\n" : i == ROWS ? "%d 1\n" : "%d 1 %d 1\n", i - 1, i + 1);
        return (size_t)(at - text);
    }
    char mark = market || !strcmp(format, "edges") ? ' ' : ',';
    for (int k = 0; k < 2 * ROWS - 2; k++) {
        if (!strcmp(format, "numbered")) at += sprintf(at, "%d,", k);
        at += sprintf(at, "%d%c%d%c%d\n", k / 2 + 1, mark, k / 2 + k % 2 + 1, mark, k % 9 + 1);
    }
    return (size_t)(at - text);
}

/* The matrix is one, and its numbers are those of the file. */
static void check_matrix(const struct csr *a)
{
    assert_int_equal(a->row_ptr[0], 0);
    for (int64_t i = 0; i < a->rows; i++) {
        assert_true(a->row_ptr[i] <= a->row_ptr[i + 1]);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            assert_in_range(a->col[k], 0, a->cols - 1);
            if (k > a->row_ptr[i]) assert_true(a->col[k] > a->col[k - 1]);
            assert_true(a->val[k] == 0 || (a->val[k] > -1e9 && a->val[k] < 1e9));
            assert_true(a->val[k] == 0 || a->val[k] > 1e-9 || a->val[k] < -1e-9);
            if (!a->imaginary) continue;
            assert_true(a->imaginary[k] == 0 || a->imaginary[k] > 1e-9 || a->imaginary[k] < -1e-9);
        }
    }
}

static enum status load(const char *path, const char *reader, int *calls)
{
    const struct load_options options = {.from = reader_find(reader, NULL)};
    struct matrix matrix;
    struct error error = {0};
    change.calls = 0;
    enum status status = matrix_load(path, &options, NULL, &matrix, &error);
    *calls = change.calls;
    if (status == STATUS_OK) check_matrix(&matrix.csr);
    if (status != STATUS_OK) assert_true(error.message[0] != 0);
    assert_null(strstr(error.message, FRESH_INDEX));
    matrix_free(&matrix);
    return status;
}

/* Added and removed line ends, changed digits, new comments: at every position, from each call on. */
static void no_pass_assumes_what_another_saw(void **state)
{
    static const char *const formats[][2] = {{"mtx", "mtx"},     {"edges", "edges"},  {"csv", "csv"},
                                             {"metis", "metis"}, {"numbered", "csv"}, {"rua", "rb"},
                                             {"cua", "rb"},      {"pua", "rb"}};
    enum { LINES = 3 }; /* changes of line ends, which happen once */
    static const char changes[][2] = {{'\n', ' '}, {' ', '\n'}, {',', '\n'},
                                      {'1', '%'},  {'2', '3'},  {'3', '1'}};
    mallopt(M_PERTURB, ~FRESH & 0xff);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char text[16384];
        int calls, unused, refused = 0, places = 0;
        size_t size = write_text(formats[f][0], text);
        files_write("a.txt", text, size);
        change.turn = INT32_MAX;
        assert_int_equal(load("a.txt", formats[f][1], &calls), STATUS_OK);
        for (int turn = 2; turn <= calls; turn++)
            for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
                for (size_t from = 0; from < size; from++) {
                    if (text[from] != changes[c][0] || places++ % PLACES) continue;
                    change.turn = turn;
                    change.from = (int64_t)from;
                    change.old = changes[c][0];
                    change.new = changes[c][1];
                    change.once = c < LINES;
                    refused += load("a.txt", formats[f][1], &unused) != STATUS_OK;
                }
        assert_true(refused > 0);
    }
    mallopt(M_PERTURB, 0);
}

int main(void)
{
    threads_set(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pass_assumes_what_another_saw),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
