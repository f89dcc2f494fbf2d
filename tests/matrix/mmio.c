/* matrix/mmio: the interface of NIST's package, used as programs use it; every return code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix/mmio/mmio.h"
#include "support/cmocka.h"

static FILE *text_file(const char *text)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    rewind(f);
    return f;
}

/* A name for a file that is not there yet. */
static const char *fresh_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "mmio-test-%ld.mtx", (long)getpid());
    return name;
}

static const char *file_with(const char *text)
{
    FILE *f = fopen(fresh_name(), "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return fresh_name();
}

static int banner(const char *text, MM_typecode *matcode)
{
    FILE *f = text_file(text);
    int code = mm_read_banner(f, matcode);
    fclose(f);
    return code;
}

static void banners_are_read(void **state)
{
    static const struct {
        const char *line;
        const char *typecode;
    } cases[] = {
        {"%%MatrixMarket matrix coordinate real general\n", "MCRG"},
        {"%%MatrixMarket MATRIX Coordinate Complex HERMITIAN\n", "MCCH"},
        {"%%MatrixMarket matrix coordinate pattern symmetric\r\n", "MCPS"},
        {"%%MatrixMarket  matrix\tarray integer skew-symmetric", "MAIK"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        MM_typecode matcode;
        assert_int_equal(banner(cases[k].line, &matcode), 0);
        assert_memory_equal(matcode, cases[k].typecode, 4);
    }
}

static void bad_banners_have_their_codes(void **state)
{
    MM_typecode matcode;
    char line[3000] = "%%MatrixMarket matrix coordinate real general";
    assert_int_equal(banner("", &matcode), MM_PREMATURE_EOF);
    assert_int_equal(banner("%%MatrixMarket matrix coordinate real\n", &matcode), MM_PREMATURE_EOF);
    assert_int_equal(banner("%MatrixMarket matrix coordinate real general\n", &matcode), MM_NO_HEADER);
    assert_int_equal(banner("%%MatrixMarket vector coordinate real general\n", &matcode),
                     MM_UNSUPPORTED_TYPE);
    assert_int_equal(banner("%%MatrixMarket matrix crd real general\n", &matcode), MM_UNSUPPORTED_TYPE);
    assert_int_equal(banner("%%MatrixMarket matrix array quaternion general\n", &matcode),
                     MM_UNSUPPORTED_TYPE);
    assert_int_equal(banner("%%MatrixMarket matrix array real lopsided\n", &matcode), MM_UNSUPPORTED_TYPE);
    assert_int_equal(
        banner("%%MatrixMarket matrix array real generalgeneralgeneralgeneralgeneralgeneralgeneral"
               "generalgeneralgeneral\n",
               &matcode),
        MM_UNSUPPORTED_TYPE);
    memset(line + strlen(line), ' ', 1500);
    assert_int_equal(banner(line, &matcode), MM_LINE_TOO_LONG);
    assert_int_equal(MM_COULD_NOT_READ_FILE, 11);
    assert_int_equal(MM_PREMATURE_EOF, 12);
    assert_int_equal(MM_NOT_MTX, 13);
    assert_int_equal(MM_NO_HEADER, 14);
    assert_int_equal(MM_UNSUPPORTED_TYPE, 15);
    assert_int_equal(MM_LINE_TOO_LONG, 16);
    assert_int_equal(MM_COULD_NOT_WRITE_FILE, 17);
}

static void typecodes_are_set_told_and_judged(void **state)
{
    MM_typecode matcode;
    mm_initialize_typecode(&matcode);
    assert_memory_equal(matcode, "   G", 4);
    assert_null(mm_typecode_to_str(matcode));
    assert_false(mm_is_valid(matcode));
    mm_set_matrix(&matcode);
    mm_set_sparse(&matcode);
    mm_set_integer(&matcode);
    mm_set_skew(&matcode);
    assert_true(mm_is_matrix(matcode) && mm_is_sparse(matcode) && mm_is_coordinate(matcode) &&
                mm_is_integer(matcode) && mm_is_skew(matcode));
    assert_false(mm_is_dense(matcode) || mm_is_array(matcode) || mm_is_real(matcode) ||
                 mm_is_complex(matcode) || mm_is_pattern(matcode) || mm_is_general(matcode) ||
                 mm_is_symmetric(matcode) || mm_is_hermitian(matcode));
    assert_true(mm_is_valid(matcode));
    char *text = mm_typecode_to_str(matcode);
    assert_string_equal(text, "matrix coordinate integer skew-symmetric");
    free(text);
    mm_set_dense(&matcode);
    mm_set_pattern(&matcode);
    mm_set_general(&matcode);
    assert_false(mm_is_valid(matcode));
    mm_set_real(&matcode);
    assert_true(mm_is_valid(matcode));
    mm_set_hermitian(&matcode);
    assert_false(mm_is_valid(matcode));
    mm_set_complex(&matcode);
    assert_true(mm_is_valid(matcode));
    mm_set_coordinate(&matcode);
    mm_set_pattern(&matcode);
    assert_false(mm_is_valid(matcode));
    mm_set_symmetric(&matcode);
    assert_true(mm_is_valid(matcode));
    mm_set_array(&matcode);
    assert_true(mm_is_array(matcode));
    char *copy = mm_strdup("copied");
    assert_string_equal(copy, "copied");
    free(copy);
}

static int crd_size(const char *text, int size[3])
{
    FILE *f = text_file(text);
    int code = mm_read_mtx_crd_size(f, &size[0], &size[1], &size[2]);
    fclose(f);
    return code;
}

static void sizes_are_read(void **state)
{
    int size[3];
    assert_int_equal(crd_size("% a comment\n%\n\n  \r\n 12\t7 30 \r\n1 1 1", size), 0);
    assert_int_equal(size[0], 12);
    assert_int_equal(size[1], 7);
    assert_int_equal(size[2], 30);
    char text[5000] = "%";
    memset(text + 1, 'c', 4000);
    strcpy(text + 4001, "\n2147483647 0 0");
    assert_int_equal(crd_size(text, size), 0);
    assert_int_equal(size[0], 2147483647);
    text[0] = ' ';
    assert_int_equal(crd_size(text, size), MM_LINE_TOO_LONG);
    assert_int_equal(crd_size("% only comments\n", size), MM_PREMATURE_EOF);
    assert_int_equal(crd_size("3 3\n", size), MM_NOT_MTX);
    assert_int_equal(crd_size("3 3 3 3\n", size), MM_NOT_MTX);
    assert_int_equal(crd_size("3 3 x\n", size), MM_NOT_MTX);
    assert_int_equal(crd_size("3 3 -1\n", size), MM_NOT_MTX);
    assert_int_equal(crd_size("3 3 2147483648\n", size), MM_NOT_MTX);
    assert_int_equal(crd_size("3 3 99999999999999999999\n", size), MM_NOT_MTX);
    FILE *f = text_file("%\n 4 5\n");
    assert_int_equal(mm_read_mtx_array_size(f, &size[0], &size[1]), 0);
    assert_int_equal(size[0] * 10 + size[1], 45);
    assert_int_equal(mm_read_mtx_array_size(f, &size[0], &size[1]), MM_PREMATURE_EOF);
    fclose(f);
}

/* How most programs read a file: banner, size, then entry after entry with fscanf or with the package. */
static void a_program_for_nist_works(void **state)
{
    FILE *f = text_file("%%MatrixMarket matrix coordinate real general\n% made by hand\n3 4 4\n"
                        "1 1 1.5\n2 3 -2e-3\n3 4 1d2\n3 1 inf\n");
    MM_typecode matcode;
    int rows, cols, entries;
    assert_int_equal(mm_read_banner(f, &matcode), 0);
    assert_false(mm_is_complex(matcode) && mm_is_matrix(matcode) && mm_is_sparse(matcode));
    assert_int_equal(mm_read_mtx_crd_size(f, &rows, &cols, &entries), 0);
    double sum = 0, value = 0;
    int i = 0, j = 0;
    assert_int_equal(fscanf(f, "%d %d %lg\n", &i, &j, &value), 3);
    assert_int_equal(i * 10 + j, 11);
    for (int k = 1; k < entries; k++) {
        assert_int_equal(mm_read_mtx_crd_entry(f, &i, &j, &value, NULL, matcode), 0);
        sum += k < 3 ? value : 0;
    }
    assert_true(isinf(value) && sum == -2e-3 + 100);
    assert_int_equal(mm_read_mtx_crd_entry(f, &i, &j, &value, NULL, matcode), MM_PREMATURE_EOF);
    fclose(f);
}

static int data(const char *typecode, const char *text, int I[], int J[], double val[])
{
    MM_typecode matcode;
    memcpy(matcode, typecode, 4);
    FILE *f = text_file(text);
    int code = mm_read_mtx_crd_data(f, 5, 6, 2, I, J, val, matcode);
    fclose(f);
    return code;
}

static void entries_of_all_fields_are_read(void **state)
{
    int I[2], J[2];
    double val[4];
    assert_int_equal(data("MCRG", "1 2 3.25\n5 6 -0x1p-3", I, J, val), 0);
    assert_true(I[1] == 5 && J[1] == 6 && val[0] == 3.25 && val[1] == -0.125);
    assert_int_equal(data("MCIG", "1 2 3\n5 6 -7\n", I, J, val), 0);
    assert_true(val[0] == 3 && val[1] == -7);
    assert_int_equal(data("MCCG", "1 2 3 4\n5 6 7\n8\n", I, J, val), 0);
    assert_true(val[0] == 3 && val[1] == 4 && val[2] == 7 && val[3] == 8);
    assert_int_equal(data("MCPG", "1 2\n5 6\n", I, J, NULL), 0);
    assert_true(I[0] == 1 && J[1] == 6);
}

static void bad_entries_have_their_codes(void **state)
{
    int I[2], J[2];
    double val[4];
    assert_int_equal(data("MC G", "1 2 3\n", I, J, val), MM_UNSUPPORTED_TYPE);
    assert_int_equal(data("MCRG", "1 2 3\n", I, J, val), MM_PREMATURE_EOF);
    assert_int_equal(data("MCRG", "1 2 3\n1 1", I, J, val), MM_PREMATURE_EOF);
    assert_int_equal(data("MCRG", "1 2 3\n1 x 3", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "1 2 3\n1 1 3x", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "1 2 3\n1.5 1 3", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "0 2 3\n1 1 3", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "6 2 3\n1 1 3", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "1 7 3\n1 1 3", I, J, val), MM_NOT_MTX);
    assert_int_equal(data("MCRG", "1 99999999999 3\n1 1 3", I, J, val), MM_NOT_MTX);
    char text[200] = "1 1 ";
    memset(text + 4, '1', 100);
    assert_int_equal(data("MCRG", text, I, J, val), MM_NOT_MTX);
}

static void written_files_read_back(void **state)
{
    static const char *const typecodes[] = {"MCRG", "MCCH", "MCPS", "MCIK"};
    int I[] = {1, 3, 3}, J[] = {2, 1, 4};
    double val[] = {0.1, -1.0 / 3, 1e-300, 2, 1e22, 9007199254740993.0};
    for (size_t t = 0; t < 4; t++) {
        MM_typecode matcode, read;
        memcpy(matcode, typecodes[t], 4);
        double whole[] = {5, -6, 1e18}, *values = mm_is_integer(matcode) ? whole : val;
        assert_int_equal(mm_write_mtx_crd(fresh_name(), 3, 4, 3, I, J, values, matcode), 0);
        int M, N, nz, *I2, *J2;
        double *val2;
        assert_int_equal(mm_read_mtx_crd(fresh_name(), &M, &N, &nz, &I2, &J2, &val2, &read), 0);
        assert_memory_equal(read, matcode, 4);
        assert_true(M == 3 && N == 4 && nz == 3);
        assert_memory_equal(I2, I, sizeof I);
        assert_memory_equal(J2, J, sizeof J);
        if (mm_is_pattern(matcode))
            assert_null(val2);
        else
            assert_memory_equal(val2, values, (mm_is_complex(matcode) ? 6 : 3) * sizeof *val2);
        free(I2);
        free(J2);
        free(val2);
    }
    unlink(fresh_name());
}

static void unsymmetric_files_are_read_from_zero(void **state)
{
    static const struct {
        const char *text;
        double first, second;
    } cases[] = {
        {"%%MatrixMarket matrix coordinate real general\n3 2 2\n1 2 2.5\n3 1 -1\n", 2.5, -1},
        {"%%MatrixMarket matrix coordinate integer general\n%\n3 2 2\n1 2 4\n3 1 5\n", 4, 5},
        {"%%MatrixMarket matrix coordinate pattern general\n3 2 2\n1 2\n3 1\n", 1, 1},
    };
    int M, N, nz, *I, *J;
    double *val;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(mm_read_unsymmetric_sparse(file_with(cases[k].text), &M, &N, &nz, &val, &I, &J), 0);
        assert_true(M == 3 && N == 2 && nz == 2);
        assert_true(I[0] == 0 && J[0] == 1 && I[1] == 2 && J[1] == 0);
        assert_true(val[0] == cases[k].first && val[1] == cases[k].second);
        free(I);
        free(J);
        free(val);
    }
    const char *complex = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n";
    assert_int_equal(mm_read_unsymmetric_sparse(file_with(complex), &M, &N, &nz, &val, &I, &J), -1);
    assert_true(!I && !J && !val);
    unlink(fresh_name());
    assert_int_equal(mm_read_unsymmetric_sparse(fresh_name(), &M, &N, &nz, &val, &I, &J), -1);
}

static int whole_file(const char *text)
{
    MM_typecode matcode;
    int M, N, nz, *I, *J;
    double *val;
    int code = mm_read_mtx_crd(file_with(text), &M, &N, &nz, &I, &J, &val, &matcode);
    if (code) assert_true(!I && !J && !val);
    free(code ? NULL : I);
    free(code ? NULL : J);
    free(code ? NULL : val);
    unlink(fresh_name());
    return code;
}

static void files_that_fail_have_their_codes(void **state)
{
    assert_int_equal(whole_file(""), MM_PREMATURE_EOF);
    assert_int_equal(whole_file("hello there you old world\n"), MM_NO_HEADER);
    assert_int_equal(whole_file("%%MatrixMarket matrix array real general\n1 1\n1\n"), MM_UNSUPPORTED_TYPE);
    assert_int_equal(whole_file("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"),
                     MM_UNSUPPORTED_TYPE);
    assert_int_equal(whole_file("%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n"),
                     MM_PREMATURE_EOF);
    assert_int_equal(whole_file("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 2 1\n"), MM_NOT_MTX);
    assert_int_equal(whole_file("%%MatrixMarket matrix coordinate real general\n0 0 0\n"), 0);
    MM_typecode matcode;
    int M, N, nz, *I, *J;
    double *val;
    assert_int_equal(mm_read_mtx_crd("/nowhere/at/all.mtx", &M, &N, &nz, &I, &J, &val, &matcode),
                     MM_COULD_NOT_READ_FILE);
    /* A folder can be opened, but not read. */
    assert_int_equal(mm_read_mtx_crd("/", &M, &N, &nz, &I, &J, &val, &matcode), MM_COULD_NOT_READ_FILE);
}

static void writing_that_fails_has_its_codes(void **state)
{
    MM_typecode matcode = {'M', 'C', 'R', 'G'};
    int index[] = {1};
    double val[] = {1};
    assert_int_equal(mm_write_mtx_crd("/nowhere/at/all.mtx", 1, 1, 1, index, index, val, matcode),
                     MM_COULD_NOT_WRITE_FILE);
    FILE *f = fopen("/dev/full", "w");
    if (f) {
        setvbuf(f, NULL, _IONBF, 0);
        assert_int_equal(mm_write_banner(f, matcode), MM_COULD_NOT_WRITE_FILE);
        assert_int_equal(mm_write_mtx_crd_size(f, 1, 1, 1), MM_COULD_NOT_WRITE_FILE);
        assert_int_equal(mm_write_mtx_array_size(f, 1, 1), MM_COULD_NOT_WRITE_FILE);
        fclose(f);
        assert_int_equal(mm_write_mtx_crd("/dev/full", 1, 1, 1, index, index, val, matcode),
                         MM_COULD_NOT_WRITE_FILE);
    }
    mm_set_array(&matcode);
    assert_int_equal(mm_write_mtx_crd(fresh_name(), 1, 1, 1, index, index, val, matcode),
                     MM_UNSUPPORTED_TYPE);
    assert_int_not_equal(access(fresh_name(), F_OK), 0);
    mm_clear_typecode(&matcode);
    f = tmpfile();
    assert_non_null(f);
    assert_int_equal(mm_write_banner(f, matcode), MM_UNSUPPORTED_TYPE);
    mm_set_matrix(&matcode);
    mm_set_array(&matcode);
    mm_set_real(&matcode);
    assert_int_equal(mm_write_banner(f, matcode), 0);
    assert_int_equal(mm_write_mtx_array_size(f, 2, 3), 0);
    rewind(f);
    char text[200] = "";
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    assert_string_equal(text, "%%MatrixMarket matrix array real general\n2 3\n");
    fclose(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banners_are_read),
        cmocka_unit_test(bad_banners_have_their_codes),
        cmocka_unit_test(typecodes_are_set_told_and_judged),
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(a_program_for_nist_works),
        cmocka_unit_test(entries_of_all_fields_are_read),
        cmocka_unit_test(bad_entries_have_their_codes),
        cmocka_unit_test(written_files_read_back),
        cmocka_unit_test(unsymmetric_files_are_read_from_zero),
        cmocka_unit_test(files_that_fail_have_their_codes),
        cmocka_unit_test(writing_that_fails_has_its_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
