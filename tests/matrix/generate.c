/* matrix/generate: specifications, sizes, files that are repeated, and failures. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generators/generate.h"
#include "support/cmocka.h"
#include "support/generate.h"

static const struct load_options usual;

static void sizes_are_those_of_closed_forms(void **state)
{
    static const struct {
        const char *specification;
        int64_t rows, cols, nnz;
    } cases[] = {
        /* 5 nx ny - 2 nx - 2 ny */
        {"laplace2d", 10000, 10000, 49600},
        {"laplace2d,n=1", 1, 1, 1},
        {"laplace2d,nx=7,ny=4", 28, 28, 118},
        {"laplace2d,n=3,ny=5", 15, 15, 59},
        /* 7 nx ny nz - 2 (nx ny + ny nz + nx nz) */
        {"laplace3d,n=10", 1000, 1000, 6400},
        {"laplace3d,nx=2,ny=3,nz=4", 24, 24, 116},
        /* (3 nx - 2) (3 ny - 2) (3 nz - 2) */
        {"stencil27,n=10", 1000, 1000, 21952},
        {"stencil27,nx=4,ny=1,nz=2", 8, 8, 40},
        {"dissection,n=33", 1089, 1089, 5313},
        {"dissection,nx=1,ny=9", 9, 9, 25},
        /* n^2 less two triangles outside the band */
        {"banded,n=100,lower=3,upper=5", 100, 100, 879},
        {"banded,n=5,lower=100", 5, 5, 25},
        {"banded,n=50,lower=0", 50, 50, 50},
        {"arrow,n=1000", 1000, 1000, 2998},
        {"arrow,n=1", 1, 1, 1},
        {"arrow,n=10,width=3", 10, 10, 58},
        {"arrow,n=10,width=30", 10, 10, 100},
        {"dense,m=30,n=40", 30, 40, 1200},
        {"dense,m=7", 7, 7, 49},
        {"random,m=500,n=300,mean=12", 500, 300, 6000},
        {"random,m=5,n=64,mean=64", 5, 64, 320},
        {"random,m=5,n=65,mean=64", 5, 65, 320},
        {"random,m=5,n=3,mean=0", 5, 3, 0},
        {"permutation,n=1", 1, 1, 1},
        {"permutation,n=1000", 1000, 1000, 1000},
        {"blocks,n=400,size=4,mean=6", 400, 400, 9600},
        {"blocks,n=10,size=4,mean=3", 10, 10, 100},
        {"powerlaw,scale=4,edge=0", 16, 16, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct matrix matrix = generated(cases[k].specification);
        if (matrix.csr.rows != cases[k].rows || matrix.csr.cols != cases[k].cols ||
            csr_nnz(&matrix.csr) != cases[k].nnz)
            fail_msg("%s is %lld x %lld with %lld entries", cases[k].specification,
                     (long long)matrix.csr.rows, (long long)matrix.csr.cols, (long long)csr_nnz(&matrix.csr));
        matrix_free(&matrix);
    }
}

static const char *tile_file(const char *text)
{
    static char name[64];
    snprintf(name, sizeof name, "tile-test,copies,n=%ld.mtx", (long)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return name;
}

/* Commas in the file's name, and "n=", which is no parameter of tile. */
static void tiles_repeat_a_file(void **state)
{
    char specification[256];
    const char *name = tile_file("%%MatrixMarket matrix coordinate complex general\n2 3 3\n"
                                 "1 1 2 -1\n1 3 3 0.5\n2 2 4 0\n");
    for (int order = 0; order < 2; order++) {
        snprintf(specification, sizeof specification,
                 order ? "tile,copies=3,file=%s" : "tile,file=%s,copies=3", name);
        struct matrix matrix = generated(specification);
        assert_true(matrix.csr.rows == 6 && matrix.csr.cols == 9 && csr_nnz(&matrix.csr) == 9);
        assert_int_equal(matrix.field, FIELD_COMPLEX);
        for (int c = 0; c < 3; c++) {
            int64_t k = 3 * c;
            assert_int_equal(matrix.csr.row_ptr[2 * c], k);
            assert_int_equal(matrix.csr.row_ptr[2 * c + 1], k + 2);
            assert_true(matrix.csr.col[k] == 3 * c && matrix.csr.col[k + 1] == 3 * c + 2 &&
                        matrix.csr.col[k + 2] == 3 * c + 1);
            assert_true(matrix.csr.val[k] == 2 && matrix.csr.val[k + 1] == 3 && matrix.csr.val[k + 2] == 4);
            assert_true(matrix.csr.imaginary[k] == -1 && matrix.csr.imaginary[k + 1] == 0.5 &&
                        matrix.csr.imaginary[k + 2] == 0);
        }
        matrix_free(&matrix);
    }
    snprintf(specification, sizeof specification, "tile,file=%s,copies=1e9", name);
    struct matrix matrix = {0};
    struct error error = {0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), STATUS_LIMIT);
    matrix_free(&matrix);
    unlink(name);
    error = (struct error){0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), STATUS_IO);
    matrix_free(&matrix);
}

static void tiles_repeat_what_is_generated(void **state)
{
    struct matrix whole = generated("tile,file=gen:banded,n=30,lower=2,upper=1,copies=4"),
                  one = generated("banded,n=30,lower=2,upper=1");
    assert_int_equal(whole.csr.rows, 120);
    assert_int_equal(csr_nnz(&whole.csr), 4 * csr_nnz(&one.csr));
    for (int64_t i = 0; i < 120; i++)
        for (int64_t j = 0; j < 120; j++)
            assert_true(value_at(&whole.csr, i, j) ==
                        (i / 30 == j / 30 ? value_at(&one.csr, i % 30, j % 30) : 0));
    matrix_free(&whole);
    matrix_free(&one);
}

static void threads_do_not_matter(void **state)
{
    static const char *const specifications[] = {
        "laplace2d,n=200",
        "stencil27,n=20",
        "dissection,n=150",
        "banded,n=20000,fill=0.5",
        "arrow,n=70000",
        "random,m=20000,mean=12,spread=12",
        "blocks,n=20000",
        "permutation,n=200000",
        "dense,m=600",
        "powerlaw,scale=14,edge=12",
        "laplace3d,n=40,nz=7",
        "mosaic,n=9000",
        "tile,file=gen:random,copies=20",
    };
    for (size_t s = 0; s < sizeof specifications / sizeof *specifications; s++) {
        threads_set(1);
        struct matrix one = generated(specifications[s]);
        for (int threads = 2; threads <= 3; threads++) {
            threads_set(threads);
            struct matrix more = generated(specifications[s]);
            if (!same_matrix(&one.csr, &more.csr)) fail_msg("%s with %d threads", specifications[s], threads);
            matrix_free(&more);
        }
        matrix_free(&one);
    }
    threads_set(0);
}

/* The least that each parameter may be is taken, and one less is refused. */
static void parameters_have_ends(void **state)
{
    static const struct {
        const char *name, *of;
        int least;
        const char *beside;
    } cases[] = {{"laplace2d", "n", 1, ""},
                 {"laplace2d", "nx", 1, ",ny=3"},
                 {"laplace2d", "ny", 1, ",nx=3"},
                 {"laplace3d", "n", 1, ""},
                 {"laplace3d", "nx", 1, ",n=3"},
                 {"laplace3d", "ny", 1, ",n=3"},
                 {"laplace3d", "nz", 1, ",n=3"},
                 {"stencil27", "nx", 1, ",n=3"},
                 {"stencil27", "ny", 1, ",n=3"},
                 {"stencil27", "nz", 1, ",n=3"},
                 {"dissection", "n", 1, ""},
                 {"dissection", "nx", 1, ",ny=9"},
                 {"dissection", "ny", 1, ",nx=9"},
                 {"dissection", "leaf", 2, ",n=9"},
                 {"banded", "n", 1, ""},
                 {"banded", "lower", 0, ",n=9"},
                 {"banded", "upper", 0, ",n=9"},
                 {"banded", "fill", 0, ",n=9"},
                 {"arrow", "n", 1, ""},
                 {"arrow", "width", 1, ",n=9"},
                 {"dense", "m", 1, ",n=2"},
                 {"dense", "n", 1, ",m=2"},
                 {"random", "m", 1, ",n=9,mean=2"},
                 {"random", "n", 1, ",m=9,mean=1"},
                 {"random", "mean", 0, ",m=9"},
                 {"random", "spread", 0, ",m=20"},
                 {"blocks", "n", 1, ",size=1,mean=1"},
                 {"blocks", "size", 1, ",n=9"},
                 {"blocks", "mean", 0, ",n=9"},
                 {"blocks", "spread", 0, ",n=90"},
                 {"permutation", "n", 1, ""},
                 {"powerlaw", "scale", 1, ""},
                 {"powerlaw", "edge", 0, ",scale=3"},
                 {"mosaic", "n", 64, ""},
                 {"tile", "copies", 1, ",file=gen:laplace2d,n=3"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int less = 0; less < 2; less++) {
            char specification[96];
            struct matrix matrix = {0};
            struct error error = {0};
            snprintf(specification, sizeof specification, "%s,%s=%d%s", cases[k].name, cases[k].of,
                     cases[k].least - less, cases[k].beside);
            enum status status = generate_matrix(specification, &usual, NULL, &matrix, &error);
            if (status != (less ? STATUS_USAGE : STATUS_OK)) fail_msg("%s: %s", specification, error.message);
            if (less && !strstr(error.message, "lies outside"))
                fail_msg("%s: %s", specification, error.message);
            matrix_free(&matrix);
        }
}

static void refused(const char *specification, enum status status, const char *message)
{
    struct matrix matrix = {0};
    struct error error = {0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), status);
    if (!strstr(error.message, message)) fail_msg("%s: %s", specification, error.message);
    assert_null(matrix.csr.row_ptr);
    matrix_free(&matrix);
}

static void bad_specifications_are_refused(void **state)
{
    refused("", STATUS_USAGE, "there are laplace2d, laplace3d, stencil27");
    refused("nothing,n=3", STATUS_USAGE, "no generator is called 'nothing'");
    refused("laplace", STATUS_USAGE, "no generator is called 'laplace'");
    refused("laplace2d,q=3", STATUS_USAGE, "laplace2d has no parameter 'q'; it has n, nx, ny");
    refused("laplace2d,", STATUS_USAGE, "has no parameter ''");
    refused("laplace2d,n=3,", STATUS_USAGE, "has no parameter ''");
    refused("laplace2d,n", STATUS_USAGE, "n needs a value");
    refused("laplace2d,n=", STATUS_USAGE, "n= is not a number");
    refused("laplace2d,n=3x", STATUS_USAGE, "n=3x is not a number");
    refused("laplace2d,n=nan", STATUS_USAGE, "n=nan is not a number");
    refused("laplace2d,n=1e999", STATUS_USAGE, "is not a number");
    refused("laplace2d,n=0", STATUS_USAGE, "n=0 lies outside 1..2147483647");
    refused("laplace2d,n=-1", STATUS_USAGE, "n=-1 lies outside");
    refused("laplace2d,n=2.5", STATUS_USAGE, "n=2.5 is not a whole number");
    refused("laplace2d,n=3,n=4", STATUS_USAGE, "n is given twice");
    refused("laplace2d,n=00000000000000000000000000000000000000000000000000000000000000003", STATUS_USAGE,
            "is not a number");
    refused("random,m=10,n=5,mean=6", STATUS_USAGE, "lengths of 6 to 6 do not lie in 0..5");
    refused("random,mean=3,spread=4", STATUS_USAGE, "lengths of -1 to 7 do not lie in 0..1000");
    refused("blocks,n=12,size=4,mean=4", STATUS_USAGE, "do not lie in 0..3");
    refused("banded,fill=1.5", STATUS_USAGE, "fill=1.5 lies outside 0..1");
    refused("tile", STATUS_USAGE, "needs a matrix to repeat");
    refused("tile,file=", STATUS_USAGE, "file= names nothing");
    refused("tile,file=a,file=b", STATUS_USAGE, "file is given twice");
    refused("tile,file=gen:tile,file=gen:tile,file=x", STATUS_USAGE, "given twice");
    refused("tile,file=gen:tile,copies=3", STATUS_USAGE, "cannot repeat another tile");
    refused("tile,file=gen:tile,leaf=3", STATUS_USAGE, "cannot repeat another tile");
    refused("tile,file=gen:nothing", STATUS_USAGE, "no generator is called 'nothing'");
    refused("mosaic,n=63", STATUS_USAGE, "lies outside 64..");
    refused("powerlaw,a=0.9", STATUS_USAGE, "a + b + c is 1.28");
}

static void sizes_that_cannot_be_held_are_refused(void **state)
{
    refused("laplace2d,n=46341", STATUS_LIMIT, "would have 2147488281 rows");
    refused("laplace3d,n=2147483647", STATUS_LIMIT, "would have over");
    refused("stencil27,n=2147483647", STATUS_LIMIT, "would have over");
    refused("dense,m=2147483647", STATUS_LIMIT, "the matrix needs");
    refused("banded,n=2147483647,lower=2147483647", STATUS_LIMIT, "needs");
    refused("random,m=2147483647,mean=2147483647", STATUS_LIMIT, "needs");
    refused("blocks,n=2147483647,mean=2097151,size=1024", STATUS_LIMIT, "needs");
    refused("powerlaw,scale=30,edge=2147483647", STATUS_LIMIT, "needs");
    refused("arrow,n=2147483647,width=2147483647", STATUS_LIMIT, "needs");
    struct matrix matrix = {0};
    struct error error = {0};
    struct load_options small = {.limit = 1000};
    assert_int_equal(generate_matrix("dense,m=10", &small, NULL, &matrix, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "limit of 1000 B"));
    matrix_free(&matrix);
}

static bool is_shrunk(const char *specification)
{
    return strncmp(specification, "powerlaw", 8) == 0 || strncmp(specification, "mosaic", 6) == 0;
}

static void failing_allocations_are_reported(void **state)
{
    static const char *const specifications[] = {"laplace2d,n=5", "random,m=50,mean=4", "powerlaw,scale=5",
                                                 "mosaic,n=100", "tile,file=gen:dense,m=4,copies=3"};
    for (size_t s = 0; s < sizeof specifications / sizeof *specifications; s++) {
        long count = 0;
        for (bool failed = true; failed; count++) {
            struct matrix matrix = {0};
            struct error error = {0};
            memory_fail_after(count);
            enum status status = generate_matrix(specifications[s], &usual, NULL, &matrix, &error);
            failed = memory_failures() > 0;
            memory_fail_after(-1);
            /* Arrays that could not be shrunk after merging stay as they are: no failure. */
            if (status != STATUS_OK || !failed || !is_shrunk(specifications[s]))
                assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            matrix_free(&matrix);
        }
        assert_in_range(count, 4, 100);
    }
}

static void a_cancelled_one_stops(void **state)
{
    struct matrix matrix = {0};
    struct error error = {0};
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(generate_matrix("stencil27,n=60", &usual, &progress, &matrix, &error), STATUS_CANCELLED);
    assert_null(matrix.csr.row_ptr);
    matrix_free(&matrix);
}

static void the_table_describes_itself(void **state)
{
    for (int g = 0; generators[g]; g++) {
        struct text text = {0};
        assert_ptr_equal(generator_find(generators[g]->name), generators[g]);
        assert_true((generators[g]->row != NULL) != (generators[g]->block != NULL));
        generator_describe(generators[g], &text);
        assert_false(text.failed);
        for (const struct parameter *p = generators[g]->parameters; p->name; p++) {
            assert_non_null(strstr(text.data, p->help));
            if (p->type != PARAMETER_TEXT && !p->like)
                assert_true(p->min <= p->standard && p->standard <= p->max);
        }
        text_free(&text);
    }
    assert_null(generator_find("nothing"));
    char out[64];
    const struct parameter *p = generator_find("laplace2d")->parameters;
    assert_string_equal(parameter_default(&p[0], out, sizeof out), "100");
    assert_string_equal(parameter_range(&p[0], out, sizeof out), "1..2147483647");
    assert_string_equal(parameter_default(&p[1], out, sizeof out), "as n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_closed_forms),
        cmocka_unit_test(tiles_repeat_a_file),
        cmocka_unit_test(tiles_repeat_what_is_generated),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(parameters_have_ends),
        cmocka_unit_test(bad_specifications_are_refused),
        cmocka_unit_test(sizes_that_cannot_be_held_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(a_cancelled_one_stops),
        cmocka_unit_test(the_table_describes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
