/* matrix/files: written files read back as the same matrix, in every written format, with every field and
 * symmetry; by any number of threads to the same bytes; and a failure of writing is an error.
 * commands/convert tests other programs' readings of these files. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/compress.h"
#include "matrix/files/npz/zip.h"
#include "matrix/files/reader.h"
#include "support/cmocka.h"
#include "support/files.h"

/* The properties of a matrix that a format keeps. */
static const struct kept {
    const char *name, *ending;
    bool symmetry, integers, patterns;
} kept[] = {
    {"mtx", ".mtx", true, true, true},        {"npz", ".npz", false, true, true},
    {"rb", ".rb", true, true, true},          {"mat", ".mat", false, false, true},
    {"petsc", ".petsc", false, false, false}, {"bsp", ".bsp.h5", true, true, true},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sizes: nothing, one entry, little, wide, tall, almost empty, and large enough for several blocks. */
static const struct shape {
    int rows, cols, entries;
} shapes[] = {{3, 3, 0},     {1, 1, 1},      {9, 9, 12},         {4, 700, 300},
              {700, 4, 300}, {900, 900, 20}, {2000, 2000, 70000}};

static uint32_t next(uint32_t *word)
{
    *word = *word * 1664525 + 1013904223;
    return *word >> 8;
}

static double value_of(enum field field, uint32_t *word)
{
    static const double special[] = {
        5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1. / 3, 0, 0.1, -7, 1e22, 123456789.125,
        -0.0};
    uint32_t random = next(word);
    if (field == FIELD_PATTERN) return 1;
    if (field == FIELD_INTEGER) return (double)(random % 1000003) - 500000;
    if (random % 16 < COUNT(special)) return special[random % 16];
    return ldexp((double)random / 7 - 1e5, (int)(next(word) % 1900) - 1000);
}

/* Write a Matrix Market file by plain loops, and load it. A hash chooses the positions with entries. */
static void make(enum field field, enum symmetry symmetry, const struct shape *shape, struct matrix *matrix)
{
    uint32_t word = 5;
    const struct load_options options = {0};
    int64_t places = (int64_t)shape->rows * shape->cols, count = 0;
    int64_t step = shape->entries ? places / shape->entries : places + 1;
    for (int pass = 0; pass < 2; pass++) {
        FILE *file = fopen("made.mtx", pass ? "a" : "w");
        if (pass)
            fprintf(file,
                    "%%%%MatrixMarket matrix coordinate %s %s\n%% title: Of tests\n%% author: N. \xc3\x91.\n"
                    "%% ed: E. D.\n%% date: 1999\n%d %d %d\n",
                    field_name(field), symmetry_name(symmetry), shape->rows, shape->cols, (int)count);
        for (int64_t place = 0; place < places; place += step) {
            int64_t i = place / shape->cols, j = place % shape->cols;
            bool there = symmetry == SYMMETRY_GENERAL || j < i || (j == i && symmetry != SYMMETRY_SKEW);
            if (!pass) count += there;
            if (!pass || !there) continue;
            double real = value_of(field, &word), imaginary = value_of(field, &word);
            fprintf(file, "%d %d", (int)i + 1, (int)j + 1);
            if (field != FIELD_PATTERN) fprintf(file, " %.17g", real);
            if (field == FIELD_COMPLEX)
                fprintf(file, " %.17g", i == j && symmetry == SYMMETRY_HERMITIAN ? 0 : imaginary);
            fprintf(file, "\n");
        }
        fclose(file);
    }
    struct error error = {0};
    if (matrix_load("made.mtx", &options, NULL, matrix, &error)) fail_msg("%s", error.message);
}

static const struct reader *writer(const struct kept *k)
{
    const struct reader *reader = reader_find(k->name, NULL);
    assert_non_null(reader);
    assert_non_null(reader->write);
    return reader;
}

static void compare(const char *name, const struct matrix *a, const struct matrix *b, bool bits)
{
    size_t nnz = (size_t)csr_nnz(&a->csr);
    if (a->csr.rows != b->csr.rows || a->csr.cols != b->csr.cols || csr_nnz(&b->csr) != (int64_t)nnz)
        fail_msg("%s: %d x %d, %d entries", name, (int)b->csr.rows, (int)b->csr.cols, (int)csr_nnz(&b->csr));
    assert_memory_equal(a->csr.row_ptr, b->csr.row_ptr, ((size_t)a->csr.rows + 1) * sizeof(int64_t));
    assert_memory_equal(a->csr.col, b->csr.col, nnz * sizeof *a->csr.col);
    assert_true(nnz == 0 || !a->csr.imaginary == !b->csr.imaginary);
    for (size_t k = 0; k < nnz; k++) {
        double parts[4] = {a->csr.val[k], b->csr.val[k], a->csr.imaginary ? a->csr.imaginary[k] : 0,
                           b->csr.imaginary ? b->csr.imaginary[k] : 0};
        /* Integers have no negative zero. */
        bool same = bits ? !memcmp(&parts[0], &parts[1], 8) && !memcmp(&parts[2], &parts[3], 8)
                         : parts[0] == parts[1] && parts[2] == parts[3];
        if (!same) fail_msg("%s: entry %zu is %a, not %a", name, k, parts[1], parts[0]);
    }
}

/* Write a matrix, read it again, and compare all properties that the format keeps. */
static void go_round(const struct kept *k, const struct matrix *first)
{
    const struct load_options options = {0};
    struct matrix second;
    struct error error = {0};
    char name[32], what[96];
    snprintf(name, sizeof name, "written%s", k->ending);
    snprintf(what, sizeof what, "%s, %s %s, %d", k->name, field_name(first->field),
             symmetry_name(first->symmetry), (int)csr_nnz(&first->csr));
    FILE *file = fopen(name, "w");
    if (writer(k)->write(file, first, "made for tests", NULL, &error))
        fail_msg("%s: %s", what, error.message);
    assert_int_equal(fclose(file), 0);
    if (writer(k)->package) return;
    if (matrix_load(name, &options, NULL, &second, &error)) fail_msg("%s: %s", what, error.message);
    compare(what, first, &second, first->field != FIELD_INTEGER);
    enum field field =
        (first->field == FIELD_INTEGER && !k->integers) || (first->field == FIELD_PATTERN && !k->patterns)
            ? FIELD_REAL
            : first->field;
    /* The length of a PETSc file determines the type of its values, which a file without values lacks. */
    if (strcmp(k->name, "petsc") == 0 && csr_nnz(&first->csr) == 0) field = second.field;
    if (second.field != field) fail_msg("%s: the field is %s", what, field_name(second.field));
    if (second.symmetry != (k->symmetry ? first->symmetry : SYMMETRY_GENERAL)) fail_msg("%s: symmetry", what);
    matrix_free(&second);
}

static void every_field_and_symmetry_goes_round(void **state)
{
    for (int field = FIELD_REAL; field <= FIELD_PATTERN; field++)
        for (int symmetry = SYMMETRY_GENERAL; symmetry <= SYMMETRY_HERMITIAN; symmetry++)
            for (size_t s = 0; s < COUNT(shapes); s++) {
                struct matrix matrix;
                if (symmetry != SYMMETRY_GENERAL && shapes[s].rows != shapes[s].cols) continue;
                if (symmetry == SYMMETRY_HERMITIAN && field != FIELD_COMPLEX) continue;
                if (symmetry == SYMMETRY_SKEW && field == FIELD_PATTERN) continue;
                make((enum field)field, (enum symmetry)symmetry, &shapes[s], &matrix);
                for (size_t k = 0; k < COUNT(kept); k++)
                    go_round(&kept[k], &matrix);
                matrix_free(&matrix);
            }
}

static void every_writer_is_tested(void **state)
{
    int found = 0;
    for (int r = 0; readers[r]; r++)
        for (size_t k = 0; k < COUNT(kept) && readers[r]->write; k++)
            found += strcmp(kept[k].name, readers[r]->name) == 0;
    int written = 0;
    for (int r = 0; readers[r]; r++)
        written += readers[r]->write != NULL;
    assert_int_equal(found, written);
    assert_int_equal(found, COUNT(kept));
}

/* Entries of a pattern that were added up have values, which are kept as whole numbers or, where there are
 * none, as reals. */
static void a_pattern_that_was_added_up_has_values(void **state)
{
    static const char text[] =
        "%%MatrixMarket matrix coordinate pattern general\n2 3 4\n1 2\n1 2\n1 2\n2 1\n";
    const struct load_options options = {0};
    files_write("sums.mtx", text, strlen(text));
    for (size_t k = 0; k < COUNT(kept); k++) {
        struct matrix first, second;
        if (writer(&kept[k])->package) continue;
        assert_int_equal(matrix_load("sums.mtx", &options, NULL, &first, NULL), STATUS_OK);
        FILE *file = fopen("sums", "w");
        assert_int_equal(writer(&kept[k])->write(file, &first, NULL, NULL, NULL), STATUS_OK);
        fclose(file);
        assert_int_equal(matrix_load("sums", &options, NULL, &second, NULL), STATUS_OK);
        assert_int_equal(csr_nnz(&second.csr), 2);
        assert_true(second.csr.val[0] == 3 && second.csr.val[1] == 1);
        assert_int_equal(second.field, kept[k].integers ? FIELD_INTEGER : FIELD_REAL);
        matrix_free(&first);
        matrix_free(&second);
    }
}

/* Whole numbers that 64 bits, or the lines of Rutherford-Boeing, do not hold become reals, as they are. */
static void large_whole_numbers_stay_exact(void **state)
{
    static const char text[] =
        "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 9007199254740993000\n"
        "1 2 -5\n2 2 18446744073709551616\n";
    struct matrix matrix;
    const struct load_options options = {.lenient = true};
    files_write("large.mtx", text, strlen(text));
    assert_int_equal(matrix_load("large.mtx", &options, NULL, &matrix, NULL), STATUS_OK);
    for (size_t k = 1; k < COUNT(kept); k++) {
        struct kept real = kept[k];
        real.integers = false;
        go_round(&real, &matrix);
    }
    matrix_free(&matrix);
}

static void texts_are_kept_where_there_is_room(void **state)
{
    static const char *const names[] = {"rb", "mat", "bsp"};
    const struct load_options options = {0};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct matrix first, second;
        const struct reader *reader = reader_find(names[k], NULL);
        if (reader->package) continue;
        make(FIELD_REAL, SYMMETRY_GENERAL, &shapes[2], &first);
        FILE *file = fopen("texts", "w");
        assert_int_equal(reader->write(file, &first, NULL, NULL, NULL), STATUS_OK);
        fclose(file);
        assert_int_equal(matrix_load("texts", &options, NULL, &second, NULL), STATUS_OK);
        assert_string_equal(second.about.title, "Of tests");
        if (strcmp(names[k], "rb") != 0) {
            assert_string_equal(second.about.author, "N. \xc3\x91.");
            assert_string_equal(second.about.editor, "E. D.");
            assert_string_equal(second.about.date, "1999");
        }
        matrix_free(&first);
        matrix_free(&second);
    }
}

static char *bytes_of(const struct reader *reader, const struct matrix *matrix, size_t *length)
{
    char *bytes = NULL;
    struct progress progress = {0};
    FILE *file = open_memstream(&bytes, length);
    assert_int_equal(reader->write(file, matrix, "a comment", &progress, NULL), STATUS_OK);
    fclose(file);
    if (progress.done != progress.total)
        fail_msg("%s: %d of %d steps", reader->name, (int)progress.done, (int)progress.total);
    return bytes;
}

/* In a file of HDF5 each dataset begins at a multiple of 8 bytes, however long the texts before it are. Each
 * is filled up to 8 bytes, so that the file's length is such a multiple, too. */
static void datasets_lie_at_multiples_of_8(void **state)
{
    const struct reader *reader = reader_find("bsp", NULL);
    struct matrix matrix;
    if (reader->package) skip();
    make(FIELD_REAL, SYMMETRY_GENERAL, &shapes[2], &matrix);
    for (int length = 1; length <= 9; length++) {
        char *bytes = NULL;
        size_t size;
        FILE *file = open_memstream(&bytes, &size);
        assert_int_equal(reader->write(file, &matrix, &"123456789"[9 - length], NULL, NULL), STATUS_OK);
        fclose(file);
        assert_int_equal(size % 8, 0);
        free(bytes);
    }
    matrix_free(&matrix);
}

static void the_bytes_do_not_depend_on_threads(void **state)
{
    static const enum symmetry symmetries[] = {SYMMETRY_GENERAL, SYMMETRY_HERMITIAN};
    for (size_t s = 0; s < COUNT(symmetries); s++) {
        struct matrix matrix;
        make(FIELD_COMPLEX, symmetries[s], &shapes[6], &matrix);
        for (size_t k = 0; k < COUNT(kept); k++) {
            size_t first, length;
            threads_set(1);
            char *one = bytes_of(writer(&kept[k]), &matrix, &first);
            threads_set(5);
            char *several = bytes_of(writer(&kept[k]), &matrix, &length);
            threads_set(0);
            assert_int_equal(length, first);
            assert_memory_equal(one, several, length);
            free(one);
            free(several);
        }
        matrix_free(&matrix);
    }
}

static void lines_of_boeing_files_have_80_columns(void **state)
{
    struct matrix matrix;
    char line[128], kind[4] = "";
    long lines = -4, cards[4] = {0}, cols = 0, count = 0, words = 0;
    make(FIELD_COMPLEX, SYMMETRY_HERMITIAN, &shapes[6], &matrix);
    FILE *file = fopen("lines.rb", "w");
    assert_int_equal(writer(&kept[2])->write(file, &matrix, NULL, NULL, NULL), STATUS_OK);
    fclose(file);
    file = fopen("lines.rb", "r");
    while (fgets(line, sizeof line, file)) {
        assert_true(strlen(line) <= 81 && line[strlen(line) - 1] == '\n');
        if (lines == -3)
            assert_int_equal(sscanf(line, "%ld %ld %ld %ld", &cards[0], &cards[1], &cards[2], &cards[3]), 4);
        if (lines == -2) {
            memcpy(kind, line, 3);
            assert_int_equal(sscanf(line + 3, "%*d %ld %ld", &cols, &count), 2);
        }
        for (char *word = lines >= 0 ? strtok(line, " \n") : NULL; word; word = strtok(NULL, " \n"))
            words++;
        lines++;
    }
    fclose(file);
    assert_string_equal(kind, "cha");
    assert_int_equal(lines, cards[0]);
    assert_int_equal(lines, cards[1] + cards[2] + cards[3]);
    /* All numbers are separated by blanks, for programs that split at blanks. */
    assert_int_equal(words, cols + 1 + 3 * count);
    matrix_free(&matrix);
}

/* Reading a written file fails for each allocation that fails, and leaves nothing. */
static void failing_allocations_are_errors_of_reading(void **state)
{
    const struct load_options options = {0};
    struct matrix matrix, again;
    make(FIELD_REAL, SYMMETRY_GENERAL, &shapes[2], &matrix);
    for (size_t k = 0; k < COUNT(kept); k++) {
        char name[32];
        enum status status = STATUS_MEMORY;
        long fail = 0;
        snprintf(name, sizeof name, "read%s", kept[k].ending);
        FILE *file = fopen(name, "w");
        assert_int_equal(writer(&kept[k])->write(file, &matrix, "made for tests", NULL, NULL), STATUS_OK);
        assert_int_equal(fclose(file), 0);
        if (writer(&kept[k])->package) continue;
        for (bool failed = true; failed; fail++) {
            struct error error = {0};
            memory_fail_after(fail);
            status = matrix_load(name, &options, NULL, &again, &error);
            failed = memory_failures() > 0 || status != STATUS_OK; /* a child's failures are its own */
            memory_fail_after(-1);
            if (status == STATUS_OK) matrix_free(&again);
            if (status != STATUS_OK && status != STATUS_MEMORY)
                fail_msg("%s: allocation %ld: %s", name, fail, error.message);
        }
        assert_true(fail > 3);
    }
    matrix_free(&matrix);
}

static void failing_allocations_and_cancelling_are_errors(void **state)
{
    struct matrix matrix;
    make(FIELD_COMPLEX, SYMMETRY_GENERAL, &shapes[2], &matrix);
    for (size_t k = 0; k < COUNT(kept); k++) {
        struct progress progress = {0};
        struct error error = {0};
        FILE *file = fopen("failed", "w");
        progress_cancel(&progress);
        assert_int_equal(writer(&kept[k])->write(file, &matrix, NULL, &progress, NULL), STATUS_CANCELLED);
        const struct reader *reader = writer(&kept[k]);
        long fail = 0;
        for (;; fail++) {
            memory_fail_after(fail);
            enum status status = reader->write(file, &matrix, NULL, NULL, &error);
            long failures = memory_failures();
            memory_fail_after(-1);
            if (!failures) break;
            if (status != STATUS_MEMORY) fail_msg("%s: allocation %ld", kept[k].name, fail);
        }
        assert_true(fail > 0);
        fclose(file);
    }
    matrix_free(&matrix);
}

static void a_full_disk_is_an_error(void **state)
{
    struct matrix matrix;
    make(FIELD_REAL, SYMMETRY_GENERAL, &shapes[6], &matrix);
    for (size_t k = 0; k < COUNT(kept); k++)
        /* With no buffer the first bytes fail; with a large one, later ones. */
        for (size_t room = 0; room < 200000; room += 100000) {
            struct error error = {0};
            static char buffer[200000];
            FILE *file = fopen("/dev/full", "w");
            if (!file) skip();
            setvbuf(file, room ? buffer : NULL, room ? _IOFBF : _IONBF, room);
            if (writer(&kept[k])->write(file, &matrix, NULL, NULL, &error) != STATUS_IO)
                fail_msg("%s: '%s'", kept[k].name, error.message);
            if (!strstr(error.message, strerror(ENOSPC))) fail_msg("%s: '%s'", kept[k].name, error.message);
            fclose(file);
        }
    matrix_free(&matrix);
}

/* A matrix that consists of its size only. */
static void matrices_too_large_for_mat_are_refused(void **state)
{
    int64_t row_ptr[2] = {0, 200000000};
    struct matrix matrix = {.csr = {.rows = 1, .cols = 1000, .row_ptr = row_ptr}};
    struct error error = {0};
    FILE *file = fopen("large.mat", "w");
    assert_int_equal(reader_find("mat", NULL)->write(file, &matrix, NULL, NULL, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "2400004080 bytes"));
    assert_non_null(strstr(error.message, "at most 2147483647"));
    assert_non_null(strstr(error.message, "npz"));
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

/* Write bytes to a file, whose descriptor `cookie` points to; zeros as holes, so that they take no room. */
static ssize_t write_sparsely(void *cookie, const char *bytes, size_t count)
{
    const int *file = cookie;
    if (count > 4096 && bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0)
        return lseek(*file, (off_t)count, SEEK_CUR) < 0 ? -1 : (ssize_t)count;
    return write(*file, bytes, count);
}

static void write_large(const int64_t *sizes, int count)
{
    static char zeros[1 << 20];
    int descriptor = open("large.zip", O_RDWR | O_CREAT | O_TRUNC, 0666);
    FILE *file = fopencookie(&descriptor, "w", (cookie_io_functions_t){.write = write_sparsely});
    struct compressor zip;
    assert_int_equal(compressor_open_zip(&zip, file, NULL), STATUS_OK);
    for (int k = 0; k < count; k++) {
        char name[16];
        snprintf(name, sizeof name, "%d.npy", k);
        assert_int_equal(compressor_member(&zip, name, sizes[k], NULL), STATUS_OK);
        fputc('a' + k, zip.file);
        for (int64_t left = sizes[k] - 1, some; left > 0; left -= some) {
            some = left < (int64_t)sizeof zeros ? left : (int64_t)sizeof zeros;
            assert_int_equal(fwrite(zeros, 1, (size_t)some, zip.file), some);
        }
    }
    assert_int_equal(compressor_close(&zip, NULL), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(close(descriptor), 0);
}

static void large_archives_are_zip64(void **state)
{
    static const int64_t sizes[] = {10, 4294967300, 20};
    struct zip *zip = calloc(1, sizeof *zip);
    struct container *container;
    struct error error = {0};
    write_large(sizes, COUNT(sizes));
    assert_int_equal(container_open("large.zip", &container, NULL), STATUS_OK);
    assert_int_equal(container_unpack(container, 0, NULL, NULL), STATUS_OK);
    if (zip_open(container, zip, &error)) fail_msg("%s", error.message);
    assert_int_equal(zip->count, COUNT(sizes));
    for (int k = 0; k < zip->count; k++) {
        char first, name[16];
        snprintf(name, sizeof name, "%d.npy", k);
        assert_string_equal(zip->members[k].name, name);
        assert_int_equal(zip->members[k].size, sizes[k]);
        assert_int_equal(zip->members[k].packed, sizes[k]);
        assert_false(zip->members[k].deflated);
        assert_int_equal(container_pread(container, &first, 1, zip->members[k].offset, NULL), 1);
        assert_int_equal(first, 'a' + k);
    }
    char bytes[20];
    assert_int_equal(zip_read(container, &zip->members[2], bytes, sizeof bytes, NULL), STATUS_OK);
    container_close(container);
    free(zip);
}

/* The bytes of a constant repeat, so that halves of doubles such as 0.3 look like numbers of single
 * precision. */
static void constants_are_no_complex_numbers(void **state)
{
    int64_t row_ptr[10];
    int32_t col[9];
    double val[9];
    struct matrix first = {.field = FIELD_REAL, .csr = {9, 9, row_ptr, col, val, NULL}};
    const struct load_options options = {0};
    for (int hundredths = 1; hundredths < 1000; hundredths++) {
        struct matrix second;
        for (int k = 0; k < 9; k++) {
            row_ptr[k] = col[k] = k;
            val[k] = hundredths / 100.0;
        }
        row_ptr[9] = 9;
        FILE *file = fopen("constant.petsc", "w");
        assert_int_equal(reader_find("petsc", NULL)->write(file, &first, NULL, NULL, NULL), STATUS_OK);
        fclose(file);
        assert_int_equal(matrix_load("constant.petsc", &options, NULL, &second, NULL), STATUS_OK);
        if (second.field != FIELD_REAL) fail_msg("%g is read as complex", val[0]);
        compare("petsc", &first, &second, true);
        matrix_free(&second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_and_symmetry_goes_round),
        cmocka_unit_test(every_writer_is_tested),
        cmocka_unit_test(a_pattern_that_was_added_up_has_values),
        cmocka_unit_test(large_whole_numbers_stay_exact),
        cmocka_unit_test(texts_are_kept_where_there_is_room),
        cmocka_unit_test(datasets_lie_at_multiples_of_8),
        cmocka_unit_test(the_bytes_do_not_depend_on_threads),
        cmocka_unit_test(lines_of_boeing_files_have_80_columns),
        cmocka_unit_test(failing_allocations_and_cancelling_are_errors),
        cmocka_unit_test(failing_allocations_are_errors_of_reading),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(matrices_too_large_for_mat_are_refused),
        cmocka_unit_test(large_archives_are_zip64),
        cmocka_unit_test(constants_are_no_complex_numbers),
    };
    return cmocka_run_group_tests_name("written", tests, files_begin, files_end);
}
