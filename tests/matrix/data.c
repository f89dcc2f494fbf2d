/* data/: every matrix loads and agrees with data/README.md. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/matrix.h"
#include "support/cmocka.h"

static const struct load_options usual;

/* Matrices written by hand have their values here, row by row; the others have the specification of their
 * generator. */
static const struct known {
    const char *file;
    int64_t rows, cols, nnz;
    const char *specification;
    double dense[36];
} known[] = {
    {"pmpp.mtx", 4, 4, 7, NULL, {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1}},
    {"course.mtx", 4, 4, 7, NULL, {11, 12, 0, 0, 0, 22, 23, 0, 0, 0, 33, 0, 0, 0, 43, 44}},
    {"cmrs.mtx", 5, 5, 10, NULL, {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5,
                                  0, 6, 0, 0, 7, 8, 9, 0, 0, 0, 0, 10}},
    {"cranfield.mtx", 5, 5, 10, NULL, {3, 4, 0, 0, 0, 0, 5, 1, 0, 0, 0, 1, 2,
                                       0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 1, 6}},
    {"hpcg5.mtx", 5, 5, 5, NULL, {10, 0,  0, 0, 0, 0,  20, 0, 0, 0, 30, 0, 0,
                                  0,  40, 0, 0, 0, 50, 0,  0, 0, 0, 0,  0}},
    {"hpcg6.mtx", 6, 6, 11, NULL, {10, 0, 0, 70, 0, 40, 0, 20, 0,  0, 0,  10, 30, 0, 0, 0, 40, 0,
                                   0,  0, 0, 50, 0, 0,  0, 0,  70, 0, 60, 10, 0,  0, 0, 0, 0,  0}},
    {"demo.mtx.gz", 3000, 3000, 68324, "mosaic", {0}},
    {"stencil27.mtx.gz", 1728, 1728, 39304, "stencil27,n=12", {0}},
    {"dissection.mtx.gz", 3969, 3969, 19593, "dissection,n=63", {0}},
    {"banded.mtx.gz", 1500, 1500, 15834, "banded,n=1500,lower=16,upper=8,fill=0.4", {0}},
    {"blocks.mtx.gz", 600, 600, 14724, "blocks,n=600,size=6,mean=4,spread=3", {0}},
    {"arrow.mtx.gz", 3000, 3000, 8998, "arrow,n=3000", {0}},
    {"powerlaw.mtx.gz", 1024, 1024, 9598, "powerlaw,scale=10,edge=12", {0}},
    {"random.mtx.gz", 1200, 800, 8566, "random,m=1200,n=800,mean=7,spread=7", {0}},
    {"permutation.mtx.gz", 2000, 2000, 2000, "permutation,n=2000", {0}},
};

#define KNOWN (sizeof known / sizeof *known)

static const char *path_of(const char *file)
{
    static char path[4096];
    const char *source = getenv("SRCDIR");
    snprintf(path, sizeof path, "%s/data/%s", source ? source : ".", file);
    return path;
}

static struct matrix loaded(const char *name)
{
    struct matrix matrix;
    struct error error = {0};
    if (matrix_load(name, &usual, NULL, &matrix, &error) != STATUS_OK)
        fail_msg("%s: %s", name, error.message);
    return matrix;
}

static void all_have_the_size_that_is_documented(void **state)
{
    for (size_t k = 0; k < KNOWN; k++) {
        struct matrix matrix = loaded(path_of(known[k].file));
        if (matrix.csr.rows != known[k].rows || matrix.csr.cols != known[k].cols ||
            csr_nnz(&matrix.csr) != known[k].nnz || matrix.stored != known[k].nnz)
            fail_msg("%s is %lld x %lld with %lld entries", known[k].file, (long long)matrix.csr.rows,
                     (long long)matrix.csr.cols, (long long)csr_nnz(&matrix.csr));
        assert_int_equal(matrix.explicit_zeros, 0);
        matrix_free(&matrix);
    }
}

static void small_ones_have_their_values(void **state)
{
    for (size_t k = 0; k < KNOWN; k++) {
        if (known[k].specification) continue;
        struct matrix matrix = loaded(path_of(known[k].file));
        int64_t cols = matrix.csr.cols;
        for (int64_t i = 0; i < matrix.csr.rows; i++)
            for (int64_t j = 0; j < cols; j++) {
                int64_t e = csr_find(&matrix.csr, i, j);
                assert_true((e < 0 ? 0 : matrix.csr.val[e]) == known[k].dense[i * cols + j]);
            }
        matrix_free(&matrix);
    }
}

static void generated_ones_are_generated_again(void **state)
{
    for (size_t k = 0; k < KNOWN; k++) {
        if (!known[k].specification) continue;
        char name[256];
        snprintf(name, sizeof name, "gen:%s", known[k].specification);
        struct matrix file = loaded(path_of(known[k].file)), fresh = loaded(name);
        size_t nnz = (size_t)known[k].nnz;
        assert_int_equal(file.field, fresh.field);
        assert_int_equal(csr_nnz(&fresh.csr), nnz);
        assert_memory_equal(file.csr.row_ptr, fresh.csr.row_ptr,
                            (size_t)(known[k].rows + 1) * sizeof(int64_t));
        assert_memory_equal(file.csr.col, fresh.csr.col, nnz * sizeof(int32_t));
        assert_memory_equal(file.csr.val, fresh.csr.val, nnz * sizeof(double));
        matrix_free(&file);
        matrix_free(&fresh);
    }
}

static int is_known(const char *file)
{
    for (size_t k = 0; k < KNOWN; k++)
        if (strcmp(known[k].file, file) == 0) return 1;
    return 0;
}

static void nothing_else_is_there(void **state)
{
    DIR *folder = opendir(path_of(""));
    size_t matrices = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".mtx")) continue;
        if (!is_known(entry->d_name)) fail_msg("data/%s is not in this test", entry->d_name);
        matrices++;
    }
    closedir(folder);
    assert_int_equal(matrices, KNOWN);
}

/* The line of the README that begins "| FILE |" must name the sizes and the specification. */
static void the_readme_tells_the_same(void **state)
{
    static char text[65536];
    FILE *readme = fopen(path_of("README.md"), "r");
    assert_non_null(readme);
    text[fread(text, 1, sizeof text - 1, readme)] = 0;
    fclose(readme);
    for (size_t k = 0; k < KNOWN; k++) {
        char line[512];
        const char *specification = known[k].specification;
        snprintf(line, sizeof line, "\n| %s |%s%s%s %lld | %lld | %lld |", known[k].file,
                 specification ? " " : "", specification ? specification : "", specification ? " |" : "",
                 (long long)known[k].rows, (long long)known[k].cols, (long long)known[k].nnz);
        if (!strstr(text, line)) fail_msg("data/README.md has no line%s", line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_have_the_size_that_is_documented),
        cmocka_unit_test(small_ones_have_their_values),
        cmocka_unit_test(generated_ones_are_generated_again),
        cmocka_unit_test(nothing_else_is_there),
        cmocka_unit_test(the_readme_tells_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
