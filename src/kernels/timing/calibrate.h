/* Makes a profile of a GPU of this machine, with its elementary costs. */
#ifndef SPARSIGHT_KERNELS_TIMING_CALIBRATE_H
#define SPARSIGHT_KERNELS_TIMING_CALIBRATE_H

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/profile.h"

/* Open the device with this index, measure it, and close it again. *gpu becomes a profile with the driver's
 * facts and a measured pace. The pace is measured two to four times, until two measurements agree and the
 * host is quiet. The best of each number counts, and `source` states the agreement. Implausible numbers
 * (kernels/gpu/plausible.h) are discarded. It takes some ten seconds, and 2 GiB of the device's memory or 32
 * times its L2, whichever is more, but at most half of the free memory. Fails with STATUS_UNAVAILABLE if
 * there is no such device, if it cannot be measured or a number is implausible, with STATUS_LIMIT if too
 * little of its memory is free, with STATUS_CANCELLED, and as the device does; *gpu is {0} then. */
enum status gpu_calibrate(const struct device_type *type, int index, struct gpu *gpu,
                          struct progress *progress, struct error *error);

#endif
