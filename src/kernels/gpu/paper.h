/* An estimated GPU: a device in the host's memory that runs nothing. Kernels are prepared on it as on a GPU
 * with the same facts, so that their memory requests can be replayed (kernels/gpu/trace.h), without a GPU and
 * without CUDA. */
#ifndef SPARSIGHT_KERNELS_GPU_PAPER_H
#define SPARSIGHT_KERNELS_GPU_PAPER_H

#include "kernels/gpu/device.h"
#include "kernels/kernel.h"

/* Make *device an estimated GPU with these facts. device_close does nothing to it. */
void paper_open(const struct device_facts *facts, struct device *device);

/* Prepare a kernel of a GPU on an estimated GPU, as kernel_prepare_on does on a real one; `storage` is also
 * the resident copy. The caller must call kernel_release, also after failure. Returns STATUS_UNAVAILABLE for
 * a kernel without a trace, for one that does not accept this storage or compute this product, or if the
 * matrix is complex and the kernel is not; STATUS_LIMIT if a table is larger than options->limit, since the
 * device's memory is the host's. */
enum status paper_prepare(struct device *device, const struct kernel_choice *choice,
                          const struct storage *storage, const struct launch_options *options,
                          struct launch *launch, struct error *error);

#endif
