/* Replaces device.cu and cusparse.cu in a build without nvcc. There is no device, so that no other function
 * is called. */
#include <stddef.h>

#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/trisolve/solve.h"
#include "kernels/cuda/trisolve/spsv.h"

static enum status check_absent(struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "built without CUDA: configure with nvcc");
}

static int count_none(void)
{
    return 0;
}

const struct device_type device_type_cuda = {
    .check = check_absent, .count = count_none, .converts = cuda_converts};

/* The library is unavailable for the same reason as the device. */
const char *cusparse_unavailable(void)
{
    return "built without CUDA: configure with nvcc";
}

const struct device_library *cusparse_found(void)
{
    return NULL;
}

const char *cusparse_op_unavailable(void)
{
    return cusparse_unavailable();
}

const char *cusparse_sell_unavailable(void)
{
    return cusparse_unavailable();
}

const char *cusparse_bsr_unavailable(void)
{
    return cusparse_unavailable();
}

const char *cusparse_spsv_unavailable(void)
{
    return cusparse_unavailable();
}

enum status spsv_describe(struct spsv *spsv, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "%s", cusparse_unavailable());
}

void spsv_forget(struct spsv *spsv)
{
}

size_t cuda_solve_shared(const struct device *device)
{
    return device->facts.shared;
}

enum status cuda_solve_fit(struct cuda_solve *solve, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "%s", cusparse_unavailable());
}

enum status cusparse_prepare(struct launch *launch, enum cusparse_way way, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "%s", cusparse_unavailable());
}

void cusparse_multiply(const struct launch *launch)
{
}

void cusparse_release(struct launch *launch)
{
}

/* Tables are made on no device. */
#define REMAKE_ABSENT(kernel)                                                      \
    CUDA_REMAKE(kernel)                                                            \
    {                                                                              \
        return error_set(error, STATUS_UNAVAILABLE, "%s", cusparse_unavailable()); \
    }
REMAKE_ABSENT(csr_balanced)
REMAKE_ABSENT(ell_bounded)
REMAKE_ABSENT(hyb_fused)
REMAKE_ABSENT(jds)
REMAKE_ABSENT(sell)
