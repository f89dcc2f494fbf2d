/* What cuSPARSE is not asked to multiply, told on machines with it and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "kernels/cuda/cusparse.h"
#include "kernels/gpu/device.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* The reason that a kernel has on a 5 x 8 matrix in this storage. No device is asked. */
static void refuse(const struct kernel *kernel, const char *format_parameters, bool wide, const char *reason)
{
    struct csr a = support_matrix(5, 8, 0.5, false, false, 1);
    const struct storing options = {.wide = wide};
    struct storage storage;
    struct launch launch;
    struct device device = {0};
    struct error error = {0};
    assert_int_equal(storing_convert(kernel->format, format_parameters, &options, &a, NULL, &storage, NULL),
                     STATUS_OK);
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
    (void)state;
    refuse(&kernel_cusparse_coo_alg1, "order=random", false, "leave out order=random");
    refuse(&kernel_cusparse_coo_alg2, "order=random", false, "leave out order=random");
    refuse(&kernel_cusparse_sell, "c=4,sigma=2", false, "take sigma=1");
    refuse(&kernel_cusparse_bsr, "size=2", false, "5 rows and 8 columns are no multiples of size=2");
    refuse(&kernel_cusparse_bsr, "size=5", false, "5 rows and 8 columns are no multiples of size=5");
}

static void wide_offsets_are_refused(void **state)
{
    (void)state;
    refuse(&kernel_cusparse_csr_alg1, "", true, "64-bit offsets");
    refuse(&kernel_cusparse_csr_alg2, "", true, "64-bit offsets");
    refuse(&kernel_cusparse_sell, "c=4,sigma=1", true, "64-bit offsets");
}

/* All else goes on to the library, which this device knows nothing of. */
static void other_devices_are_refused(void **state)
{
    struct error error = {0};
    const char *reason = "cuSPARSE runs on NVIDIA's GPUs only";
    (void)state;
    if (backend_cuda.devices->check(&error) != STATUS_OK && strstr(error.message, "built without"))
        reason = "built without CUDA";
    refuse(&kernel_cusparse_csr_alg1, "", false, reason);
    refuse(&kernel_cusparse_coo_alg1, "", true, reason);
    refuse(&kernel_cusparse_sell, kernel_cusparse_sell.format_defaults, false, reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_that_it_cannot_read_are_refused),
        cmocka_unit_test(wide_offsets_are_refused),
        cmocka_unit_test(other_devices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
