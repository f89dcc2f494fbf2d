/* Orders, readers, writers and graph algorithms read and write only elements of their arrays, and read none
 * that was never written: memory blocks have inaccessible pages before or after them (support/guard.h). The
 * files are whole, and cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/reader.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "support/allocations.h"
#include "support/files.h"
#include "support/generate.h"
#include "support/guard.h"
#include "support/orders.h"
#include "support/support.h"

static const char *const names[] = {"laplace2d,n=9",
                                    "random,m=61,mean=3,seed=5",
                                    "powerlaw,scale=6",
                                    "permutation,n=31",
                                    "arrow,n=40",
                                    "dense,m=12",
                                    "random,m=40,n=71,mean=3",
                                    "random,m=70,n=31,mean=2",
                                    "dense,m=1,n=9",
                                    "dense,m=9,n=1",
                                    "blocks,n=50,size=5,mean=2",
                                    "dissection",
                                    "dense,m=1,n=1"};
#define NAMES (sizeof names / sizeof *names)

static void begin(enum guard guard)
{
    guard_blocks(guard);
    threads_set(2);
    allocations_begin();
}

static void end(void)
{
    guard_blocks(GUARD_NONE);
    threads_set(0);
    assert_int_equal(allocations_now().guarded, 0);
}

/* Returns how many orders apply to the matrix. */
static int order(const struct matrix *matrix)
{
    int applied = 0;
    for (int k = 0; orders[k]; k++) {
        struct permutation permutation;
        struct matrix other;
        struct error error = {0};
        if (orders[k]->absent || orders[k]->ranked || orders[k]->wants) continue;
        enum status status = order_of_matrix(orders[k]->name, matrix, &permutation, &error);
        if (status == STATUS_OK) {
            assert_int_equal(permute_matrix(matrix, &permutation, 0, NULL, &other, &error), STATUS_OK);
            assert_int_equal(csr_nnz(&other.csr), csr_nnz(&matrix->csr));
            matrix_free(&other);
            applied++;
        } else if (status != STATUS_UNAVAILABLE || matrix->csr.rows == matrix->csr.cols) /* or crashed */
            fail_msg("%s of %s: %s", orders[k]->name, matrix->name, error.message);
        permutation_free(&permutation);
    }
    return applied;
}

static void no_order_reaches_beyond_its_arrays(void **state)
{
    for (enum guard guard = GUARD_BEHIND; guard <= GUARD_BEFORE; guard++) {
        int applied = 0;
        begin(guard);
        for (size_t k = 0; k < NAMES; k++) {
            struct matrix matrix = generated(names[k]);
            applied += order(&matrix);
            matrix_free(&matrix);
        }
        end();
        assert_true(applied > 4 * (int)NAMES);
    }
}

static const struct packed {
    const char *ending;
    enum packing packing;
} packings[] = {{"", PACKED_NOT}, {".gz", PACKED_GZIP}, {".bz2", PACKED_BZIP2}, {".xz", PACKED_XZ}};

static char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Read a file: an error is as good as a matrix unless `whole`. */
static void read_file(const char *path, const struct reader *reader, bool whole)
{
    const struct load_options options = {.from = reader};
    struct matrix matrix;
    struct error error = {0};
    enum status status = matrix_load(path, &options, NULL, &matrix, &error);
    if (whole && status != STATUS_OK) fail_msg("%s: %s", path, error.message);
    if (status == STATUS_OK) matrix_free(&matrix);
}

/* Read the bytes packed in every way, and of each file some beginnings. */
static void read_cut(const struct reader *reader, const char *bytes, size_t size)
{
    for (size_t k = 0; k < sizeof packings / sizeof *packings; k++) {
        char path[64];
        size_t packed;
        if (k > 0 && reader->packed) continue;
        snprintf(path, sizeof path, "read%s%s", reader->endings[0], packings[k].ending);
        files_pack(path, bytes, size, packings[k].packing);
        read_file(path, reader, true);
        char *whole = slurp(path, &packed);
        for (size_t cut = 0; cut < 12; cut++) {
            files_write(path, whole, cut < 4 ? packed - packed * cut / 4 - 1 : packed * cut / 12);
            read_file(path, reader, false);
        }
        free(whole);
    }
}

static void write_and_read(const struct reader *reader, const struct matrix *matrix)
{
    char path[64];
    size_t size;
    struct error error = {0};
    snprintf(path, sizeof path, "written%s", reader->endings[0]);
    FILE *file = fopen(path, "wb+");
    assert_non_null(file);
    enum status status = reader->write(file, matrix, "a comment", NULL, &error);
    fclose(file);
    if (status != STATUS_OK) fail_msg("%s of %s: %s", reader->name, matrix->name, error.message);
    char *bytes = slurp(path, &size);
    read_cut(reader, bytes, size);
    free(bytes);
}

static void no_file_leads_beyond_an_array(void **state)
{
    int written = 0;
    for (enum guard guard = GUARD_BEHIND; guard <= GUARD_BEFORE; guard++) {
        begin(guard);
        for (int k = 0; readers[k]; k++) {
            if (!readers[k]->write || readers[k]->package) continue;
            for (int complex = 0; complex < 2; complex++) {
                struct matrix matrix = made_matrix(support_matrix(23, 37, 0.2, true, complex, 5));
                matrix.field = complex ? FIELD_COMPLEX : FIELD_REAL;
                write_and_read(readers[k], &matrix);
                matrix_free(&matrix);
                written++;
            }
        }
        end();
    }
    assert_true(written >= 12);
}

/* Texts that are read and not written. */
static const struct text_file {
    const char *reader, *text;
} texts[] = {
    {"edges", "# a comment\n0 1\n1 2 0.5\n2 0\n"},
    {"edges", "1,2\r\n2,3\r\n30,1"},
    {"edges", "anna bert\nbert carl\ncarl anna"},
    {"csv", "row,col,value\n0,1,2.5\n1,0,3\n"},
    {"csv", "\"\";\"i\";\"j\";\"x\"\n\"1\";1;2;0,5\n\"2\";3;1;7"},
    {"metis", "% a comment\n3 2\n2 3\n1\n1"},
    {"metis", "4 3 1\n2 5 3 6\n1 5\n1 6 4 7\n3 7\n"},
    {"mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6"},
    {"mtx", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n1 1 2 0\n3 1 1 -1\n"},
};

static void no_text_leads_beyond_an_array(void **state)
{
    for (enum guard guard = GUARD_BEHIND; guard <= GUARD_BEFORE; guard++) {
        begin(guard);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            const struct reader *reader = NULL;
            for (int r = 0; readers[r]; r++)
                if (strcmp(readers[r]->name, texts[k].reader) == 0) reader = readers[r];
            for (size_t size = strlen(texts[k].text); reader && size > 0; size--) {
                files_write("text", texts[k].text, size);
                read_file("text", reader, false);
            }
        }
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_reaches_beyond_its_arrays),
        cmocka_unit_test_setup_teardown(no_file_leads_beyond_an_array, files_begin, files_end),
        cmocka_unit_test_setup_teardown(no_text_leads_beyond_an_array, files_begin, files_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
