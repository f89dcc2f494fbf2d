/* What stands for kernels/cuda/device.cu in a build without nvcc: there is no device, and nothing else is
 * asked for then. */
#include <stddef.h>

#include "kernels/cuda/cuda.h"
#include "kernels/cuda/resources.h"

const struct cuda_resources cuda_resources[] = {{0}};

static enum status check_absent(struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "built without CUDA: configure with nvcc");
}

static int count_none(void)
{
    return 0;
}

const struct device_type device_type_cuda = {.check = check_absent, .count = count_none};
