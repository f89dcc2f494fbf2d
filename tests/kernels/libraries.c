/* Libraries that are loaded when one of their kernels is requested: a fake one, which makes every possible
 * fault (tests/support/fake_library.c), and the real ones on this machine. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/sss.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/library.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

#define FAKE "tests/support/fake_library.so"
#define LACKING "tests/support/lacking_library.so"

/* The libraries; the fake library's functions that prepare and multiply; the message about an old version;
 * and the function that the lacking library does not have. */
static const struct one {
    const struct kernel *kernel;
    const char *variable, *version;
    const char *prepares[8];
    const char *multiplies[2];
    const char *old, *lacks;
    bool memory; /* it reports lack of memory */
} all[] = {
    {&kernel_mkl_csr,
     "SPARSIGHT_MKL",
     "2031.5",
     {"mkl_sparse_d_create_csr", "mkl_sparse_set_mv_hint", "mkl_sparse_set_memory_hint",
      "mkl_sparse_optimize"},
     {"mkl_sparse_d_mv", "mkl_sparse_s_mv"},
     "MKL_Get_Version_String",
     "mkl_sparse_destroy",
     true},
    {&kernel_aocl_csr,
     "SPARSIGHT_AOCL",
     "31.5.0",
     {"aoclsparse_create_dcsr", "aoclsparse_set_mv_hint", "aoclsparse_optimize"},
     {"aoclsparse_dmv", "aoclsparse_smv"},
     "aoclsparse_get_version",
     "aoclsparse_destroy",
     true},
    {&kernel_rsb_csr,
     "SPARSIGHT_RSB",
     "fake_library.so",
     {"rsb_mtx_alloc_from_csr_const", "rsb_tune_spmm"},
     {"rsb_spmv", "rsb_spmv"},
     NULL,
     "rsb_mtx_free",
     true},
    {&kernel_graphblas_csr,
     "SPARSIGHT_GRAPHBLAS",
     "31.5.1",
     {"GrB_Matrix_new", "GrB_Vector_new", "GxB_Matrix_pack_CSR", "GrB_Matrix_wait", "GrB_mxv"},
     {"GrB_mxv", "GrB_mxv"},
     "GxB_Global_Option_get_INT32",
     "GrB_mxv",
     true},
    {&kernel_armpl_csr,
     "SPARSIGHT_ARMPL",
     "31.5",
     {"armpl_spmat_create_csr_d", "armpl_spmat_hint", "armpl_spmv_optimize"},
     {"armpl_spmv_exec_d", "armpl_spmv_exec_s"},
     "armplversion",
     "armpl_spmat_destroy",
     false},
};
#define ALL (sizeof all / sizeof *all)

static const struct library *library_of(const struct one *one)
{
    return one->kernel->backend->library;
}

static void ask(const char *function, const char *action, bool large)
{
    char text[128];
    snprintf(text, sizeof text, "%s=%s", function, action);
    setenv("FAKE_LIBRARY", text, true);
    if (large)
        setenv("FAKE_LARGE", "1", true);
    else
        unsetenv("FAKE_LARGE");
}

/* Look for the library in a file; each time under another name of it, since results are kept. */
static const char *look(const struct one *one, const char *file)
{
    static int times;
    char name[1024] = "";
    if (file[0] != '/') strcat(name, "./");
    times++;
    for (int k = 0; k < times % 400; k++)
        strcat(name, "/");
    strcat(name, file);
    setenv(one->variable, name, true);
    return library_look(library_of(one));
}

/* The fake library in this process, whose functions are never unloaded. */
static int *seen(void)
{
    void *file = dlopen("./" FAKE, RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(file);
    return dlsym(file, "fake_seen");
}
enum { THREADS, OPTIMIZED, ALIVE };

static void reset(void)
{
    unsetenv("FAKE_LIBRARY");
    unsetenv("FAKE_LARGE");
}

static void have_fake(const struct one *one)
{
    reset();
    const char *reason = look(one, FAKE);
    if (reason) fail_msg("%s", reason);
}

static double element(const void *data, bool single, int64_t e)
{
    return single ? (double)((const float *)data)[e] : ((const double *)data)[e];
}

static void set_element(void *data, bool single, int64_t e, double value)
{
    if (single)
        ((float *)data)[e] = (float)value;
    else
        ((double *)data)[e] = value;
}

/* Multiply, and compare with a plain sum. All numbers are small integers, so that any order of summation is
 * exact. */
static void multiply(const struct kernel *kernel, const struct csr *a, bool single, bool accumulate,
                     int threads)
{
    const struct storing storing = {.precision = single ? PRECISION_F32 : PRECISION_F64};
    const struct preparing how = {.product.accumulate = accumulate, .threads = threads};
    struct launch launch;
    struct error error = {0};
    double *x = calloc((size_t)a->cols + 1, 8), *y = calloc((size_t)a->rows + 1, 8);
    int before = threads_count();
    assert_true(x && y);
    struct storage storage = storing_done(kernel->format, "", &storing, a);
    if (preparing_here(kernel, "", &storage, &how, &launch, &error) != STATUS_OK)
        fail_msg("%s: %s", kernel->backend->name, error.message);
    for (int64_t j = 0; j < a->cols; j++)
        set_element(x, single, j, (double)(j % 5 - 2));
    for (int product = 0; product < 2; product++) {
        for (int64_t i = 0; i < a->rows; i++)
            set_element(y, single, i, accumulate ? (double)(i % 7) : NAN);
        kernel_run(&launch, x, y);
        for (int64_t i = 0; i < a->rows; i++) {
            double sum = accumulate ? (double)(i % 7) : 0;
            for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                sum += a->val[k] * (double)(a->col[k] % 5 - 2);
            if (!(element(y, single, i) == sum))
                fail_msg("%s, %d threads, %d x %d: row %d is %g, not %g", kernel->backend->name, threads,
                         (int)a->rows, (int)a->cols, (int)i, element(y, single, i), sum);
        }
    }
    assert_int_equal(threads_count(), before);
    kernel_release(&launch);
    storage_free(&storage);
    free(x);
    free(y);
}

/* Elements of X and Y for other products: element i of vector c. */
static double whole(int64_t i, int64_t c)
{
    return (double)((3 * i + 5 * c) % 7 - 3);
}

static void multiply_product(const struct kernel *kernel, const struct csr *a, bool single,
                             struct product product, int threads)
{
    const struct storing storing = {.precision = single ? PRECISION_F32 : PRECISION_F64};
    const struct preparing how = {.product = product, .threads = threads};
    int64_t x_size = product_x_size(product, a->rows, a->cols),
            y_size = product_y_size(product, a->rows, a->cols);
    int columns = product_columns(product);
    struct launch launch;
    struct error error = {0};
    char text[PRODUCT_TEXT];
    double *x = calloc((size_t)(x_size * columns) + 1, 8), *y = calloc((size_t)(y_size * columns) + 1, 8);
    double *sum = calloc((size_t)(y_size * columns) + 1, 8);
    assert_true(x && y && sum);
    struct storage storage = storing_done(&format_csr, "", &storing, a);
    if (preparing_here(kernel, "", &storage, &how, &launch, &error) != STATUS_OK)
        fail_msg("%s: %s", kernel->backend->name, error.message);
    for (int c = 0; c < columns; c++) {
        for (int64_t j = 0; j < x_size; j++)
            set_element(x, single, product_place(product, x_size, j, c), whole(j, c));
        for (int64_t i = 0; i < y_size; i++) {
            sum[product_place(product, y_size, i, c)] = product.accumulate ? (double)(i % 7) : 0;
            set_element(y, single, product_place(product, y_size, i, c),
                        product.accumulate ? (double)(i % 7) : NAN);
        }
        for (int64_t i = 0; i < a->rows; i++)
            for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                sum[product_place(product, y_size, product.transposed ? a->col[k] : i, c)] +=
                    a->val[k] * whole(product.transposed ? i : a->col[k], c);
    }
    kernel_run(&launch, x, y);
    for (int64_t e = 0; e < y_size * columns; e++)
        if (!(element(y, single, e) == sum[e]))
            fail_msg("%s, %s, %d threads, %d x %d: number %d is %g, not %g", kernel->backend->name,
                     product_write(product, text), threads, (int)a->rows, (int)a->cols, (int)e,
                     element(y, single, e), sum[e]);
    kernel_release(&launch);
    storage_free(&storage);
    free(x);
    free(y);
    free(sum);
}

/* The products that the kernel computes beside y = A x. */
static void multiply_products(const struct kernel *kernel)
{
    static const struct {
        int64_t rows, cols;
        double density;
    } shapes[] = {{1, 1, 1}, {30, 40, 0.3}, {300, 20, 0.2}, {30, 20, 0}, {5, 0, 1}};
    static const int several[] = {1, 2, 5, 8};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct csr a = support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, true, false, 3 + s);
        for (int kind = 0; kind < 16; kind++)
            for (size_t n = 0; n < sizeof several / sizeof *several; n++) {
                const struct product product = {kind & 1, kind & 2, kind & 4, several[n]};
                if (product_plain(product) || (product.transposed && !kernel->transposes)) continue;
                if (product.columns > 1 && product.columns > kernel->columns_max) continue;
                multiply_product(kernel, &a, kind & 8, product, 2);
            }
        csr_free(&a);
    }
}

static void multiply_all(const struct kernel *kernel)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed;
    } shapes[] = {{1, 1, 1, false},     {5, 8, 0.5, false},     {300, 40, 0.2, true},
                  {40, 300, 0.2, true}, {700, 700, 0.05, true}, {30, 20, 0, false},
                  {0, 5, 1, false},     {5, 0, 1, false},       {0, 0, 1, false}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct csr a =
            support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, shapes[s].skewed, false, 1 + s);
        for (int mode = 0; mode < 4; mode++)
            for (int threads = 1; threads <= 3; threads++)
                multiply(kernel, &a, mode & 1, mode & 2, threads);
        csr_free(&a);
    }
}

/* oneMKL gets the lower triangle of a symmetric matrix, of which some rows lack the diagonal. */
static void multiply_half(void)
{
    for (int64_t n = 1; n <= 300; n += 299) {
        struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, n, 0.1, true, false, 6);
        for (int mode = 0; mode < 4; mode++)
            for (int threads = 1; threads <= 3; threads++)
                multiply(&kernel_mkl_sss, &a, mode & 1, mode & 2, threads);
        csr_free(&a);
    }
}

/* Real libraries are those that the system finds, or that the environment names. */
static void real_libraries_multiply(void **state)
{
    int count = 0;
    for (size_t k = 0; k < ALL; k++) {
        const char *reason = library_look(library_of(&all[k]));
        print_message("# %s: %s\n", all[k].kernel->backend->name,
                      reason ? reason : library_path(library_of(&all[k])));
        if (reason) continue;
        count++;
        multiply_all(all[k].kernel);
        multiply_products(all[k].kernel);
        if (all[k].kernel == &kernel_mkl_csr) multiply_half();
    }
    if (count == 0) skip();
}

/* No library is loaded before it is requested. Until then it does not rule out its kernels. */
static void nothing_is_looked_for_by_itself(void **state)
{
    for (size_t k = 0; k < ALL; k++) {
        assert_int_equal(kernel_check(all[k].kernel, false, (struct product){0}, NULL), STATUS_OK);
        assert_string_equal(library_version(library_of(&all[k])), "");
    }
}

static void the_fake_library_multiplies(void **state)
{
    for (size_t k = 0; k < ALL; k++) {
        have_fake(&all[k]);
        assert_string_equal(library_version(library_of(&all[k])), all[k].version);
        assert_non_null(strstr(library_path(library_of(&all[k])), FAKE));
        int before = seen()[OPTIMIZED];
        multiply_all(all[k].kernel);
        assert_int_equal(seen()[OPTIMIZED] - before, 5 * 4 * 3);
        multiply_products(all[k].kernel);
        assert_int_equal(seen()[ALIVE], 0);
        struct csr a = support_matrix(5, 8, 1, false, false, 1);
        for (int threads = 1; threads <= 3; threads++) {
            multiply(all[k].kernel, &a, false, false, threads);
            assert_int_equal(seen()[THREADS], threads);
        }
        csr_free(&a);
    }
}

/* It has no skew-symmetric matrices. */
static void half_a_matrix_is_multiplied(void **state)
{
    struct csr skew = support_symmetric(SYMMETRY_SKEW, 30, 0.2, false, false, 6);
    struct storage storage = storing_done(&format_sss, "", NULL, &skew);
    struct launch launch;
    struct error error = {0};
    have_fake(&all[0]);
    multiply_half();
    assert_int_equal(seen()[ALIVE], 0);
    assert_int_equal(
        preparing_here(&kernel_mkl_sss, "", &storage, &(struct preparing){.threads = 1}, &launch, &error),
        STATUS_UNAVAILABLE);
    assert_string_equal(error.message,
                        "oneMKL multiplies symmetric matrices by half, and not skew-symmetric ones");
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&skew);
}

/* A fault is noticed when the library is looked for. */
static void expect_reason(const struct one *one, const char *file, const char *words)
{
    const char *reason = look(one, file);
    if (!reason || !strstr(reason, words)) fail_msg("%s: %s, not '%s'", one->variable, reason, words);
    if (strcmp(reason, library_unavailable(library_of(one))) != 0) fail_msg("%s", reason);
    assert_string_equal(library_version(library_of(one)), "");
    struct error error = {0};
    assert_int_equal(kernel_check(one->kernel, false, (struct product){0}, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, reason);
    reset();
}

static void unusable_libraries_have_a_reason(void **state)
{
    char folder[] = "/tmp/sparsight-XXXXXX", text[128];
    assert_non_null(mkdtemp(folder));
    for (size_t k = 0; k < ALL; k++) {
        const struct one *one = &all[k];
        reset();
        expect_reason(one, "nowhere.so", "which is not there");
        expect_reason(one, folder, "which has no such file");
        expect_reason(one, "Makefile", "cannot be loaded: ");
        snprintf(text, sizeof text, "has no %s: it is too old, or not whole", one->lacks);
        expect_reason(one, LACKING, text);
        ask(one->prepares[0], "fail", false);
        snprintf(text, sizeof text, "%s fails at %.4s", library_of(one)->place.title, one->prepares[0]);
        expect_reason(one, FAKE, text);
        ask(one->multiplies[1], "wrong", false);
        expect_reason(one, FAKE, "should be 5: is it built for 64-bit integers?");
        ask(one->multiplies[0], "exit", false);
        snprintf(text, sizeof text, "ends the program that loads it, saying: FAKE FATAL ERROR: no %s",
                 one->multiplies[0]);
        expect_reason(one, FAKE, text);
        ask(one->prepares[1], "crash", false);
        expect_reason(one, FAKE, "crashes (Segmentation fault)");
        if (one->old) {
            ask(one->old, "old", false);
            expect_reason(one, FAKE, "is too old: version ");
        }
    }
    assert_int_equal(rmdir(folder), 0);
    ask("MKL_Set_Interface_Layer", "insist", false);
    expect_reason(&all[0], FAKE, "it insists on the interface with 64-bit integers");
    ask("MKL_Set_Threading_Layer", "insist", false);
    expect_reason(&all[0], FAKE, "it insists on layer 0 of threads");
    ask("rsb_lib_init", "fail", false);
    expect_reason(&all[2], FAKE, "librsb fails at rsb_lib_init: error 1 of the fake");
    ask("GrB_init", "fail", false);
    expect_reason(&all[3], FAKE, "SuiteSparse:GraphBLAS fails at GrB_init: GrB_Info -3");
}

/* Without a named file, the reason says what to install. */
static void missing_libraries_name_the_remedy(void **state)
{
    const struct one *armpl = &all[4];
    unsetenv(armpl->variable);
    const char *reason = library_look(library_of(armpl));
    if (!reason) skip();
    assert_non_null(strstr(reason, "Arm Performance Libraries is not found: it is for Arm's processors"));
    assert_non_null(strstr(reason, ", or name the file in SPARSIGHT_ARMPL; no libarmpl_lp64_mp.so is in a "
                                   "folder of LD_LIBRARY_PATH or among the system's libraries"));
}

static void version_7_of_graphblas_has_other_numbers(void **state)
{
    const struct one *graphblas = &all[3];
    ask("GxB_Global_Option_get_INT32", "seven", false);
    const char *reason = look(graphblas, FAKE);
    if (reason) fail_msg("%s", reason);
    assert_string_equal(library_version(library_of(graphblas)), "7.5.1");
    struct csr a = support_matrix(5, 8, 1, false, false, 1);
    multiply(graphblas->kernel, &a, false, false, 3);
    assert_int_equal(seen()[THREADS], 3);
    csr_free(&a);
    reset();
}

/* The child is not waited for for ever. On a busy machine it may need more than 0.3 s to name the file that
 * it tries. */
static void a_library_that_hangs_is_given_up(void **state)
{
    static struct library_names names = {.name = {"./" FAKE}, .count = 1};
    const struct library *library = library_of(&all[0]);
    char reason[1024];
    pthread_mutex_lock(&library->found->lock);
    ask("mkl_sparse_optimize", "hang", false);
    for (double seconds = 0.3; seconds < 100; seconds *= 3) {
        assert_int_equal(library_try(library, &names, seconds, reason, sizeof reason), -1);
        if (strstr(reason, FAKE)) break;
        assert_string_equal(reason, "oneMKL: oneMKL does not answer in time");
    }
    assert_string_equal(reason, "oneMKL: ./" FAKE " does not answer in time");
    reset();
    assert_int_equal(library_try(library, &names, 30, reason, sizeof reason), 0);
    pthread_mutex_unlock(&library->found->lock);
}

/* Of the leak sanitizer, if the program is linked with it. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

/* Faults that appear only with larger matrices, after the library was accepted. */
static void errors_of_a_matrix_are_told(void **state)
{
    struct csr a = support_matrix(50, 40, 0.3, false, false, 1);
    struct launch launch;
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    for (size_t k = 0; k < ALL; k++) {
        have_fake(&all[k]);
        for (int f = 0; all[k].prepares[f]; f++)
            for (int memory = 0; memory < 2; memory++) {
                struct error error = {0};
                bool wordless = strcmp(all[k].prepares[f], "GrB_mxv") == 0 || !all[k].memory;
                ask(all[k].prepares[f], memory ? "memory" : "fail", true);
                /* GraphBLAS may still hold the arrays of a product that failed, so that these stay. */
                const bool held = strcmp(all[k].prepares[f], "GrB_mxv") == 0 && __lsan_disable;
                if (held) __lsan_disable();
                enum status status = preparing_here(all[k].kernel, "", &storage,
                                                    &(struct preparing){.threads = 2}, &launch, &error);
                if (held) __lsan_enable();
                assert_int_equal(status, memory && !wordless ? STATUS_MEMORY : STATUS_UNAVAILABLE);
                if (!strstr(error.message, " fails at "))
                    fail_msg("%s: %s", all[k].prepares[f], error.message);
                kernel_release(&launch);
                assert_int_equal(seen()[ALIVE], 0);
                assert_null(library_unavailable(library_of(&all[k])));
            }
    }
    reset();
    storage_free(&storage);
    csr_free(&a);
}

/* If the library fails in a product, that does not pass the check. */
static void failed_products_are_no_numbers(void **state)
{
    struct csr a = support_matrix(50, 40, 0.3, false, false, 1);
    double x[40] = {0}, y[50];
    for (size_t k = 0; k < ALL; k++) {
        have_fake(&all[k]);
        struct storage storage = storing_done(&format_csr, "", NULL, &a);
        struct launch launch = preparing_done(all[k].kernel, "", &storage, &(struct preparing){.threads = 2});
        for (int i = 0; i < 50; i++)
            y[i] = 0;
        ask(all[k].multiplies[0], "fail", true);
        kernel_run(&launch, x, y);
        for (int i = 0; i < 50; i++)
            assert_true(isnan(y[i]));
        kernel_release(&launch);
        storage_free(&storage);
        reset();
    }
    csr_free(&a);
}

static void offsets_of_64_bits_are_refused(void **state)
{
    struct csr a = support_matrix(5, 8, 0.5, false, false, 1);
    struct storage storage = storing_done(&format_csr, "", &(struct storing){.wide = true}, &a);
    for (size_t k = 0; k < ALL; k++) {
        struct launch launch;
        struct error error = {0};
        have_fake(&all[k]);
        assert_int_equal(preparing_here(all[k].kernel, "", &storage, &(struct preparing){0}, &launch, &error),
                         STATUS_UNAVAILABLE);
        assert_non_null(
            strstr(error.message, "is called with 32-bit integers, and the offsets of this matrix have 64"));
        kernel_release(&launch);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* Every allocation of preparing fails once. */
static void preparing_may_fail(void **state)
{
    struct csr a = support_matrix(50, 40, 0.3, true, false, 1);
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    for (size_t k = 0; k < ALL; k++) {
        long failed = 1;
        have_fake(&all[k]);
        for (long fail = 0; failed; fail++) {
            struct launch launch;
            memory_fail_after(fail);
            enum status status =
                preparing_here(all[k].kernel, "", &storage, &(struct preparing){.threads = 3}, &launch, NULL);
            failed = memory_failures();
            memory_fail_after(-1);
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            kernel_release(&launch);
        }
        assert_int_equal(seen()[ALIVE], 0);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* GraphBLAS stores the matrix again, with wider integers: the limit covers that. */
static void stored_copies_keep_the_limit(void **state)
{
    struct csr a = support_matrix(500, 400, 0.3, false, false, 1);
    struct launch launch;
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    have_fake(&all[3]);
    assert_int_equal(
        preparing_here(all[3].kernel, "", &storage, &(struct preparing){.limit = 100000}, &launch, NULL),
        STATUS_LIMIT);
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_looked_for_by_itself),
        cmocka_unit_test(real_libraries_multiply),
        cmocka_unit_test(missing_libraries_name_the_remedy),
        cmocka_unit_test(the_fake_library_multiplies),
        cmocka_unit_test(half_a_matrix_is_multiplied),
        cmocka_unit_test(version_7_of_graphblas_has_other_numbers),
        cmocka_unit_test(unusable_libraries_have_a_reason),
        cmocka_unit_test(a_library_that_hangs_is_given_up),
        cmocka_unit_test(errors_of_a_matrix_are_told),
        cmocka_unit_test(failed_products_are_no_numbers),
        cmocka_unit_test(offsets_of_64_bits_are_refused),
        cmocka_unit_test(preparing_may_fail),
        cmocka_unit_test(stored_copies_keep_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
