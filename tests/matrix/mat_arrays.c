/* matrix/files/mat: arrays of MATLAB files, written here byte by byte: full and sparse, real and complex, of
 * every stored type and both byte orders; and the same cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "matrix/matrix.h"
#include "support/files.h"

#define ROWS 3
#define COLS 2

enum { INT8 = 1, UINT8, INT16, UINT16, INT32, UINT32, SINGLE, DOUBLE = 9, INT64 = 12, UINT64, MATRIX };

static const int types[] = {INT8, UINT8, INT16, UINT16, INT32, UINT32, SINGLE, DOUBLE, INT64, UINT64};
#define TYPES (sizeof types / sizeof *types)

struct file {
    unsigned char bytes[1024];
    size_t size;
    bool big;
};

static size_t bytes_of_type(int type)
{
    return type <= UINT8 ? 1 : type <= UINT16 ? 2 : type <= SINGLE ? 4 : 8;
}

/* Append the bytes of a number in the file's order. */
static void put(struct file *file, const void *number, size_t size)
{
    assert_true(file->size + size <= sizeof file->bytes);
    for (size_t k = 0; k < size; k++) /* the machine is little-endian, as all tests of files assume */
        file->bytes[file->size + (file->big ? size - 1 - k : k)] = ((const unsigned char *)number)[k];
    file->size += size;
}

static void put_word(struct file *file, uint32_t word)
{
    put(file, &word, sizeof word);
}

static void put_value(struct file *file, int type, int value)
{
    const int64_t whole = value;
    const double real = value;
    const float single = (float)value;
    if (type == DOUBLE)
        put(file, &real, sizeof real);
    else if (type == SINGLE)
        put(file, &single, sizeof single);
    else
        put(file, &whole, bytes_of_type(type));
}

/* An element: its type and its length, then the data, up to a multiple of 8 bytes. Four bytes or fewer stand
 * beside the type. */
static void put_element(struct file *file, int type, int count, const int *values)
{
    const size_t bytes = (size_t)count * bytes_of_type(type), begin = file->size;
    if (bytes <= 4)
        put_word(file, (uint32_t)bytes << 16 | (uint32_t)type);
    else {
        put_word(file, (uint32_t)type);
        put_word(file, (uint32_t)bytes);
    }
    for (int k = 0; k < count; k++)
        put_value(file, type, values[k]);
    while ((file->size - begin) % 8)
        file->bytes[file->size++] = 0;
}

/* The parts of the entry at (i, j). */
static int real_of(int i, int j)
{
    return 1 + i + 10 * j;
}

static int imaginary_of(int i, int j)
{
    return 50 + 7 * i - 3 * j;
}

/* A sparse array has no entry here. */
static bool is_empty(bool sparse, int i, int j)
{
    return sparse && i == 1 && j == 0;
}

struct kind {
    bool sparse, complex, big;
    int class, type;
};

static void make(const struct kind *kind, struct file *file)
{
    int rows[ROWS * COLS], real[ROWS * COLS], imaginary[ROWS * COLS], pointers[COLS + 1] = {0}, count = 0;
    *file = (struct file){.big = kind->big};
    memset(file->bytes, ' ', 124);
    file->size = 124;
    const uint16_t version = 0x0100, order = 'M' << 8 | 'I';
    put(file, &version, sizeof version);
    put(file, &order, sizeof order);
    put_word(file, MATRIX);
    put_word(file, 0);
    const int flags[] = {kind->class | (kind->complex ? 0x800 : 0), 8}, size[] = {ROWS, COLS}, name[] = {'A'};
    put_element(file, UINT32, 2, flags);
    put_element(file, INT32, 2, size);
    put_element(file, INT8, 1, name);
    for (int j = 0; j < COLS; j++) {
        for (int i = 0; i < ROWS; i++) {
            if (is_empty(kind->sparse, i, j)) continue;
            rows[count] = i;
            real[count] = real_of(i, j);
            imaginary[count++] = imaginary_of(i, j);
        }
        pointers[j + 1] = count;
    }
    if (kind->sparse) {
        put_element(file, INT32, count, rows);
        put_element(file, INT32, COLS + 1, pointers);
    }
    put_element(file, kind->type, count, real);
    if (kind->complex) put_element(file, kind->type, count, imaginary);
    const size_t all = file->size;
    file->size = 132;
    put_word(file, (uint32_t)(all - 136));
    file->size = all;
}

static enum status read_matrix(const struct file *file, size_t size, struct matrix *matrix,
                               struct error *error)
{
    const struct load_options options = {0};
    files_write("array.mat", (const char *)file->bytes, size);
    return matrix_load("array.mat:A", &options, NULL, matrix, error);
}

static void check(const struct kind *kind, const struct matrix *matrix)
{
    const struct csr *a = &matrix->csr;
    assert_int_equal(a->rows, ROWS);
    assert_int_equal(a->cols, COLS);
    assert_int_equal(matrix->field == FIELD_COMPLEX, kind->complex);
    assert_int_equal(a->imaginary != NULL, kind->complex);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            const int64_t k = csr_find(a, i, j);
            assert_int_equal(k < 0, is_empty(kind->sparse, i, j));
            if (k < 0) continue;
            assert_true(a->val[k] == real_of(i, j));
            if (kind->complex) assert_true(a->imaginary[k] == imaginary_of(i, j));
        }
}

/* Read it whole, and cut: then it is refused, and never read as less than it is. */
static void try(const struct kind *kind)
{
    struct file file;
    struct matrix matrix;
    struct error error = {0};
    make(kind, &file);
    if (read_matrix(&file, file.size, &matrix, &error) != STATUS_OK)
        fail_msg("class %d of type %d, sparse %d, complex %d, big %d: %s", kind->class, kind->type,
                 kind->sparse, kind->complex, kind->big, error.message);
    check(kind, &matrix);
    matrix_free(&matrix);
    for (size_t size = file.size - 8; size > 128; size -= 24) {
        error_clear(&error);
        if (read_matrix(&file, size, &matrix, &error) == STATUS_OK)
            fail_msg("class %d of type %d is read from %zu of %zu bytes", kind->class, kind->type, size,
                     file.size);
        assert_int_equal(error.status, STATUS_INPUT);
        assert_string_equal(error.path, "array.mat");
    }
}

static void arrays_of_all_kinds_are_read(void **state)
{
    enum { CLASS_SPARSE = 5, CLASS_DOUBLE };
    for (int turn = 0; turn < 8; turn++)
        for (size_t t = 0; t < TYPES; t++)
            try(&(struct kind){.sparse = turn & 1,
                               .complex = turn & 2,
                               .big = turn & 4,
                               .class = turn & 1 ? CLASS_SPARSE : CLASS_DOUBLE,
                               .type = types[t]});
}

/* Full arrays of the classes of single precision and whole numbers. */
static void arrays_of_all_classes_are_read(void **state)
{
    static const int stored[] = {SINGLE, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64};
    for (int class = 7; class <= 15; class ++)
        for (int turn = 0; turn < 4; turn++)
            try(&(struct kind){
                .complex = turn & 1, .big = turn & 2, .class = class, .type = stored[class - 7]});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_of_all_kinds_are_read, files_begin, files_end),
        cmocka_unit_test_setup_teardown(arrays_of_all_classes_are_read, files_begin, files_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
