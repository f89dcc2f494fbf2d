/* Finding cuSPARSE, with fake libraries, and the products that it must not be asked for, on machines with and
 * without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "kernels/cuda/cusparse_library.h"
#include "kernels/gpu/device.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* The reason that a kernel has on a 5 x 8 matrix in this storage. No device is asked. */
static void refuse(const struct kernel *kernel, const char *format_parameters, bool wide, const char *reason)
{
    struct csr a = support_matrix(5, 8, 0.5, false, false, 1);
    const struct storing options = {.wide = wide};
    struct launch launch;
    struct device device = {0};
    struct error error = {0};
    struct storage storage = storing_done(kernel->format, format_parameters, &options, &a);
    assert_int_equal(
        preparing_on(&device, kernel, "", &storage, &storage, &(struct preparing){0}, &launch, &error),
        STATUS_UNAVAILABLE);
    if (!strstr(error.message, reason)) fail_msg("%s: %s", kernel->name, error.message);
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

static void storages_that_it_cannot_read_are_refused(void **state)
{
    refuse(&kernel_cusparse_coo_alg1, "order=random", false, "leave out order=random");
    refuse(&kernel_cusparse_coo_alg2, "order=random", false, "leave out order=random");
    refuse(&kernel_cusparse_sell, "c=4,sigma=2", false, "take sigma=1");
    refuse(&kernel_cusparse_bsr, "size=2", false, "5 rows and 8 columns are no multiples of size=2");
    refuse(&kernel_cusparse_bsr, "size=5", false, "5 rows and 8 columns are no multiples of size=5");
}

static void wide_offsets_are_refused(void **state)
{
    refuse(&kernel_cusparse_csr_alg1, "", true, "64-bit offsets");
    refuse(&kernel_cusparse_csr_alg2, "", true, "64-bit offsets");
    refuse(&kernel_cusparse_sell, "c=4,sigma=1", true, "64-bit offsets");
}

/* The library's answers about a device that it does not know. */
static const char *refusal_of_other_devices(void)
{
    struct error error = {0};
    bool absent = backend_cuda.devices->check(&error) != STATUS_OK && strstr(error.message, "built without");
    return absent ? "built without CUDA" : "cuSPARSE runs on NVIDIA's GPUs only";
}

/* All other requests reach the library, which refuses foreign devices. */
static void other_devices_are_refused(void **state)
{
    const char *reason = refusal_of_other_devices();
    refuse(&kernel_cusparse_csr_alg1, "", false, reason);
    refuse(&kernel_cusparse_csr_op1, "", false, reason);
    refuse(&kernel_cusparse_coo_alg1, "", true, reason);
    refuse(&kernel_cusparse_sell, kernel_cusparse_sell.format_defaults, false, reason);
}

/* SpMVOp takes 64-bit offsets, so that these go on to the library as well. */
static void wide_offsets_go_on_to_spmvop(void **state)
{
    refuse(&kernel_cusparse_csr_op1, "", true, refusal_of_other_devices());
    refuse(&kernel_cusparse_csr_op2, "", true, refusal_of_other_devices());
}

static void spmvop_multiplies_real_matrices_by_single_vectors_alone(void **state)
{
    const struct kernel *both[] = {&kernel_cusparse_csr_op1, &kernel_cusparse_csr_op2};
    for (int k = 0; k < 2; k++) {
        assert_false(both[k]->complex || both[k]->transposes || both[k]->columns_max > 1);
        assert_false(kernel_takes_csr(both[k])); /* its plan is a conversion */
        assert_int_equal(kernel_order(both[k], (struct product){0}, 0), KERNEL_ORDER_UNKNOWN);
        assert_null(both[k]->like);
    }
}

/* Finding the library */

#define FAKE "tests/support/fake_cusparse.so"
#define LACKING "tests/support/lacking_cusparse.so"
#define LACKING_OP "tests/support/lacking_cusparse_op.so"

/* Look in a file, each time under another name of it, since results are kept. */
static const struct cusparse_library *look(const char *file, const char *version)
{
    static int times;
    char name[600] = ".";
    times++;
    for (int k = 0; k < times; k++)
        strcat(name, "/");
    strcat(name, file);
    setenv("FAKE_CUSPARSE", version, true);
    setenv("SPARSIGHT_CUSPARSE", name, true);
    return cusparse_look();
}

static void a_library_that_is_whole_is_found_with_its_version_and_file(void **state)
{
    const struct cusparse_library *library = look(FAKE, "12.9.4");
    assert_string_equal(library->reason, "");
    assert_string_equal(library->op_reason, "");
    assert_string_equal(library->found.title, "cuSPARSE");
    assert_string_equal(library->found.version, "12.9.4");
    assert_non_null(strstr(library->found.path, "/" FAKE));
    assert_int_equal(library->found.path[0], '/');
    assert_true(library->functions.multiply && library->functions.op_plan && library->functions.op_multiply);
    assert_null(library->functions.preprocess); /* not all releases have it */
    assert_ptr_equal(cusparse_look(), library); /* the result is kept */
    assert_string_equal(look(FAKE, "13.0.0")->op_reason, "");
}

static void a_folder_can_be_named(void **state)
{
    char folder[] = "/tmp/sparsight-cusparse-XXXXXX", link[64], file[4096];
    assert_non_null(mkdtemp(folder));
    setenv("SPARSIGHT_CUSPARSE", folder, true);
    if (!strstr(cusparse_look()->reason, "cuSPARSE is not found: SPARSIGHT_CUSPARSE says /tmp/") ||
        !strstr(cusparse_look()->reason, ", which has no such file"))
        fail_msg("%s", cusparse_look()->reason);
    snprintf(link, sizeof link, "%s/libcusparse.so.12", folder);
    assert_non_null(realpath(FAKE, file));
    assert_int_equal(symlink(file, link), 0);
    look(FAKE, "12.8.1"); /* another folder in between */
    setenv("SPARSIGHT_CUSPARSE", folder, true);
    assert_string_equal(cusparse_look()->reason, "");
    assert_string_equal(cusparse_look()->found.version, "12.8.1");
    unlink(link);
    rmdir(folder);
}

static void says(const char *reason, const char *words)
{
    if (!strstr(reason, words)) fail_msg("'%s', not '%s'", reason, words);
}

static void unusable_libraries_have_a_reason(void **state)
{
    says(look("no/such/file", "12.9.4")->reason, "no/such/file, which is not there");
    says(look(FAKE, "11.7.5")->reason, "cuSPARSE is too old: version 12 is needed");
    assert_string_equal(cusparse_look()->found.version, "");
    says(look(FAKE, "none")->reason, "cuSPARSE is too old");
    says(look(LACKING, "12.9.4")->reason, "cuSPARSE lacks cusparseSpMV, which version 12 has");
    says(look("tests/support/fake_cusparse.so/", "12.9.4")->reason, "cuSPARSE");
}

/* All other functions are still used. Functions with the same names but other arguments are not called. */
static void spmvop_of_other_releases_has_its_reason(void **state)
{
    const struct cusparse_library *library = look(FAKE, "12.7.10");
    assert_string_equal(library->reason, "");
    says(library->op_reason, "the experimental SpMVOp of this cuSPARSE, 12.7.10, takes other arguments: "
                             "version 12.8 is needed");
    assert_true(library->functions.multiply && !library->functions.op_plan &&
                !library->functions.op_multiply);
    library = look(LACKING_OP, "12.9.4");
    assert_string_equal(library->reason, "");
    says(library->op_reason, "this cuSPARSE, 12.9.4, has no cusparseSpMVOp_createPlan");
    assert_non_null(library->functions.multiply);
}

static void triangular_solves_may_be_missing(void **state)
{
    assert_null(cusparse_solve_lacks(look(FAKE, "12.9.4")));
    const struct cusparse_library *library = look(LACKING_OP, "12.9.4");
    assert_string_equal(library->reason, "");
    assert_string_equal(cusparse_solve_lacks(library), "cusparseSpSV_solve");
    assert_true(library->functions.solve_analysis && !library->functions.solve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_that_it_cannot_read_are_refused),
        cmocka_unit_test(wide_offsets_are_refused),
        cmocka_unit_test(other_devices_are_refused),
        cmocka_unit_test(wide_offsets_go_on_to_spmvop),
        cmocka_unit_test(spmvop_multiplies_real_matrices_by_single_vectors_alone),
        cmocka_unit_test(a_library_that_is_whole_is_found_with_its_version_and_file),
        cmocka_unit_test(a_folder_can_be_named),
        cmocka_unit_test(unusable_libraries_have_a_reason),
        cmocka_unit_test(spmvop_of_other_releases_has_its_reason),
        cmocka_unit_test(triangular_solves_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
