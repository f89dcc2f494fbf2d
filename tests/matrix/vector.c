/* Vectors from files: arrays and coordinates, members of archives, and files that are no vector for a
 * matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/vector.h"
#include "support/cmocka.h"
#include "support/files.h"

#define ARRAY "%%MatrixMarket matrix array real general\n"
#define COORDINATES "%%MatrixMarket matrix coordinate real general\n"

/* An x for the columns of a matrix. */
static enum status load(const char *path, int64_t size, bool complex, struct progress *progress,
                        struct vector *vector, struct error *error)
{
    const struct vector_wanted wanted = {.what = "x", .lines = "columns", .size = size, .complex = complex};
    return vector_load(path, &wanted, progress, vector, error);
}

static void expect_vector(const char *path, int64_t size, const double *values)
{
    for (int complex = 0; complex < 2; complex++) {
        struct vector vector;
        struct error error = {0};
        if (load(path, size, complex, NULL, &vector, &error) != STATUS_OK)
            fail_msg("%s: %s", path, error.message);
        for (int64_t i = 0; i < size; i++)
            if (vector.real[i] != values[i]) fail_msg("%s: element %d is %g", path, (int)i, vector.real[i]);
        assert_null(vector.imaginary);
        vector_free(&vector);
    }
}

static void expect_text(const char *text, int64_t size, const double *values)
{
    files_write("v.mtx", text, strlen(text));
    expect_vector("v.mtx", size, values);
}

static void every_kind_of_file_is_a_vector(void **state)
{
    static const double reals[] = {1.5, 0, -2e-3}, integers[] = {3, -4, 0}, sum[] = {0, 7, 0};
    expect_text(ARRAY "3 1\n1.5\n0\n-2e-3\n", 3, reals);
    expect_text("%%MatrixMarket matrix array integer general\n% of whole numbers\n3 1\n3\n-4\n0\n", 3,
                integers);
    expect_text(COORDINATES "3 1 2\n3 1 -2e-3\n1 1 1.5\n", 3, reals);
    expect_text("%%MatrixMarket matrix coordinate integer general\n3 1 2\n1 1 3\n2 1 -4\n", 3, integers);
    expect_text(COORDINATES "3 1 2\n2 1 3\n2 1 4\n", 3, sum);
    expect_text(ARRAY "1 1\n1.5\n", 1, reals);
    expect_text(COORDINATES "0 1 0\n", 0, NULL);
}

static void a_complex_matrix_takes_a_complex_vector(void **state)
{
    static const char *const texts[] = {
        "%%MatrixMarket matrix array complex general\n3 1\n1.5 -2\n0 0\n0 4\n",
        "%%MatrixMarket matrix coordinate complex general\n3 1 2\n3 1 0 4\n1 1 1.5 -2\n"};
    static const double real[] = {1.5, 0, 0}, imaginary[] = {-2, 0, 4};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct vector vector;
        struct error error = {0};
        files_write("v.mtx", texts[k], strlen(texts[k]));
        assert_int_equal(load("v.mtx", 3, true, NULL, &vector, NULL), STATUS_OK);
        for (int64_t i = 0; i < 3; i++)
            assert_true(vector.real[i] == real[i] && vector.imaginary[i] == imaginary[i]);
        vector_free(&vector);
        assert_null(vector.imaginary);
        assert_int_equal(load("v.mtx", 3, false, NULL, &vector, &error), STATUS_INPUT);
        assert_string_equal(error.message, "it is complex; the matrix is real, so x must be real");
        assert_null(vector.real);
    }
}

static void members_of_archives_are_vectors(void **state)
{
    static const struct member members[] = {
        {"cage/cage.mtx", COORDINATES "2 3 1\n1 1 1\n"},
        {"cage/cage_b.mtx", ARRAY "2 1\n5\n6\n"},
        {"cage/cage_x.mtx", ARRAY "3 1\n7\n8\n9\n"},
        {0},
    };
    static const double b[] = {5, 6}, x[] = {7, 8, 9};
    struct vector vector;
    const struct vector_wanted rows = {.what = "b", .lines = "rows", .size = 2};
    struct error error = {0};
    char line[2048];
    files_archive("cage.tar.gz", members, PACKED_GZIP);
    expect_vector("cage.tar.gz:cage_b.mtx", 2, b);
    expect_vector("cage.tar.gz:cage/cage_x.mtx", 3, x);
    assert_int_equal(vector_load("cage.tar.gz", &rows, NULL, &vector, &error), STATUS_INPUT);
    error_text(&error, line, sizeof line);
    if (!strstr(line, "2 x 3") || !strstr(line, "cage_b.mtx")) fail_msg("%s", line);
}

static void other_matrices_are_refused_as_vectors(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {ARRAY "2 1\n1\n2\n", "it is 2 x 1; the matrix has 3 columns, so x must be 3 x 1"},
        {ARRAY "1 3\n1\n2\n3\n", "it is 1 x 3; the matrix has 3 columns, so x must be 3 x 1"},
        {ARRAY "3 2\n1\n2\n3\n4\n5\n6\n", "it is 3 x 2; the matrix has 3 columns, so x must be 3 x 1"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 1 1\n2 1\n",
         "it is a pattern, but x needs values"},
        {ARRAY "3 1\n1\nnan\n2\n", "row 2 is nan: a vector must be finite"},
        {ARRAY "3 1\n1\n2\n-inf\n", "row 3 is -inf: a vector must be finite"},
        {"%%MatrixMarket matrix array complex general\n3 1\n1 0\n2 inf\n3 0\n",
         "row 2 is inf: a vector must be finite"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct vector vector;
        struct error error = {0};
        files_write("w.mtx", wrong[k].text, strlen(wrong[k].text));
        if (load("w.mtx", 3, true, NULL, &vector, &error) != STATUS_INPUT)
            fail_msg("taken: %s", wrong[k].text);
        assert_null(vector.real);
        assert_string_equal(error.message, wrong[k].message);
        assert_string_equal(error.path, "w.mtx");
    }
}

static void a_file_that_is_not_there_is_said(void **state)
{
    struct vector vector;
    struct error error = {0};
    assert_int_equal(load("nowhere.mtx", 3, false, NULL, &vector, &error), STATUS_IO);
    assert_null(vector.real);
    assert_int_equal(load("", 3, false, NULL, &vector, NULL), STATUS_INPUT);
}

static void every_allocation_may_fail(void **state)
{
    static const char text[] = "%%MatrixMarket matrix coordinate complex general\n3 1 2\n3 1 2 1\n1 1 1 1\n";
    files_write("v.mtx", text, sizeof text - 1);
    for (long fail = 0;; fail++) {
        struct vector vector;
        memory_fail_after(fail);
        enum status status = load("v.mtx", 3, true, NULL, &vector, NULL);
        long failed = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        vector_free(&vector);
        if (!failed) return;
        assert_null(vector.real);
    }
}

static void cancelling_is_heard(void **state)
{
    static const char text[] = COORDINATES "3 1 2\n3 1 2\n1 1 1\n";
    struct progress progress = {0};
    struct vector vector;
    files_write("v.mtx", text, sizeof text - 1);
    progress_cancel(&progress);
    assert_int_equal(load("v.mtx", 3, false, &progress, &vector, NULL), STATUS_CANCELLED);
    assert_null(vector.real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file_is_a_vector),
        cmocka_unit_test(a_complex_matrix_takes_a_complex_vector),
        cmocka_unit_test(members_of_archives_are_vectors),
        cmocka_unit_test(other_matrices_are_refused_as_vectors),
        cmocka_unit_test(a_file_that_is_not_there_is_said),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cancelling_is_heard),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
