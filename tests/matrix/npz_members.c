/* matrix/files/npz: the members of a written archive, read by libarchive alone: each is a header of NumPy,
 * and exactly the elements that this header states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/files/reader.h"
#include "support/files.h"
#include "support/orders.h"
#include "support/support.h"

#define MEMBER_MAX 4096

static const char *const members[] = {"indices.npy", "indptr.npy", "format.npy", "shape.npy", "data.npy"};
#define MEMBERS (int)(sizeof members / sizeof *members)

static void write_npz(const struct matrix *matrix)
{
    FILE *file = fopen("made.npz", "wb+");
    struct error error = {0};
    assert_non_null(file);
    if (reader_find("npz", NULL)->write(file, matrix, NULL, NULL, &error)) fail_msg("%s", error.message);
    fclose(file);
}

/* The value of a key in a header: a Python dictionary as NumPy writes it. */
static void expect_key(const char *header, const char *key, const char *value)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "'%s': %s,", key, value);
    if (!strstr(header, wanted)) fail_msg("%s lacks %s", header, wanted);
}

/* The header of version 1.0 is a multiple of 64 bytes and ends with a newline. Returns its length. */
static size_t check_header(const unsigned char *bytes, size_t size, const char *type, const char *shape)
{
    char header[512], quoted[16];
    assert_true(size >= 10);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
    const size_t length = bytes[8] + 256u * bytes[9], all = length + 10;
    assert_true(all % 64 == 0 && all <= size && length < sizeof header);
    memcpy(header, bytes + 10, length);
    header[length] = 0;
    assert_int_equal(header[length - 1], '\n');
    snprintf(quoted, sizeof quoted, "'%s'", type);
    expect_key(header, "descr", quoted);
    expect_key(header, "fortran_order", "False");
    expect_key(header, "shape", shape);
    return all;
}

struct expected {
    const char *type;
    char shape[32];
    size_t bytes;
};

static struct expected expected_of(const struct matrix *matrix, int member)
{
    const long long nnz = csr_nnz(&matrix->csr), rows = matrix->csr.rows;
    struct expected expected = {.type = "<i4"};
    const bool pattern = matrix->field == FIELD_PATTERN, complex = matrix->field == FIELD_COMPLEX;
    const long long counts[] = {nnz, rows + 1, 1, 2, nnz};
    const size_t sizes[] = {4, 4, 3, 8, pattern ? 1 : complex ? 16 : 8};
    if (member == 2) expected.type = "|S3";
    if (member == 3 || (member == 4 && matrix->field == FIELD_INTEGER)) expected.type = "<i8";
    if (member == 4 && matrix->field != FIELD_INTEGER)
        expected.type = pattern ? "|b1" : complex ? "<c16" : "<f8";
    expected.bytes = (size_t)counts[member] * sizes[member];
    if (member == 2)
        snprintf(expected.shape, sizeof expected.shape, "()"); /* a scalar */
    else
        snprintf(expected.shape, sizeof expected.shape, "(%lld,)", counts[member]);
    return expected;
}

static void check_member(const struct matrix *matrix, int member, const unsigned char *bytes, size_t size)
{
    const struct csr *a = &matrix->csr;
    const struct expected expected = expected_of(matrix, member);
    const size_t begin = check_header(bytes, size, expected.type, expected.shape);
    assert_int_equal(size - begin, expected.bytes);
    const unsigned char *data = bytes + begin;
    const int64_t shape[] = {a->rows, a->cols};
    if (member == 0) assert_memory_equal(data, a->col, expected.bytes);
    if (member == 2) assert_memory_equal(data, "csr", 3);
    if (member == 3) assert_memory_equal(data, shape, sizeof shape);
    for (int64_t i = 0; i <= a->rows && member == 1; i++) {
        const int32_t offset = (int32_t)a->row_ptr[i];
        assert_memory_equal(data + 4 * i, &offset, 4);
    }
    for (int64_t k = 0; k < csr_nnz(a) && member == 4; k++) {
        const double pair[] = {a->val[k], a->imaginary ? a->imaginary[k] : 0};
        const int64_t whole = (int64_t)a->val[k];
        if (matrix->field == FIELD_PATTERN)
            assert_int_equal(data[k], 1);
        else if (matrix->field == FIELD_INTEGER)
            assert_memory_equal(data + 8 * k, &whole, 8);
        else if (matrix->field == FIELD_COMPLEX)
            assert_memory_equal(data + 16 * k, pair, 16);
        else
            assert_memory_equal(data + 8 * k, pair, 8);
    }
}

static void members_have_what_their_headers_state(void **state)
{
    static const enum field fields[] = {FIELD_REAL, FIELD_COMPLEX, FIELD_INTEGER, FIELD_PATTERN};
    for (int f = 0; f < 4; f++) {
        struct matrix matrix = made_matrix(support_matrix(13, 21, 0.3, true, fields[f] == FIELD_COMPLEX, 3));
        unsigned char bytes[MEMBER_MAX];
        struct archive_entry *entry;
        int met = 0;
        matrix.field = fields[f];
        for (int64_t k = 0; k < csr_nnz(&matrix.csr) && fields[f] == FIELD_PATTERN; k++)
            matrix.csr.val[k] = 1;
        write_npz(&matrix);
        struct archive *archive = archive_read_new();
        archive_read_support_format_zip(archive);
        assert_int_equal(archive_read_open_filename(archive, "made.npz", 10240), ARCHIVE_OK);
        while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
            for (int m = 0; m < MEMBERS; m++) {
                if (strcmp(archive_entry_pathname(entry), members[m]) != 0) continue;
                const la_ssize_t size = archive_read_data(archive, bytes, sizeof bytes);
                assert_true(size > 0 && (size_t)size < sizeof bytes);
                check_member(&matrix, m, bytes, (size_t)size);
                met |= 1 << m;
            }
        }
        assert_int_equal(met, (1 << MEMBERS) - 1);
        archive_read_free(archive);
        matrix_free(&matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_have_what_their_headers_state, files_begin, files_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
