#include "ranks/product/joint.h"

#include <math.h>
#include <stdlib.h>

#include "base/job.h"
#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_csr_seq, kernel_cpu_csr_balanced, kernel_cuda_csr_vector;

/* The kernel for the remote part: the same if it reads CSR, else a CSR kernel of the same backend. */
static struct kernel_choice choose_beyond(const struct kernel_choice *choice)
{
    const struct kernel *kernel = choice->kernel, *other = &kernel_cpu_csr_balanced;
    struct kernel_choice beyond = *choice;
    if (kernel->format == &format_csr) return beyond;
    if (kernel->sequential) other = &kernel_cpu_csr_seq;
    if (kernel->backend->devices) other = &kernel_cuda_csr_vector;
    if (kernel_choice_read(other, "", &beyond, NULL) != STATUS_OK) return *choice;
    return kernel_choice_with(&beyond, choice->format.precision, choice->threads);
}

static enum status check(const struct joint *joint, struct product product, struct error *error)
{
    const struct kernel *kernel = joint->choice.kernel;
    bool complex = joint->vectors->complex;
    if (!joint->device && !kernel->backend->ranks) return kernel_check(kernel, complex, product, error);
    enum status status = kernel_suits(kernel, complex, product, error);
    return status == STATUS_OK && joint->device ? device_check(joint->device, error) : status;
}

/* Store one of the two parts, on the device too. */
static enum status store(struct joint *joint, int part, const struct joint_options *options,
                         struct progress *progress, struct error *error)
{
    struct pool *pool = part == 0 ? &joint->split->stored : &joint->split->beyond;
    const struct kernel_choice *choice = part == 0 ? &joint->choice : &joint->beyond;
    const struct storage *storage;
    double seconds;
    enum status status = pool_take(pool, &choice->format, options->limit, progress, &storage, error);
    if (status != STATUS_OK) return status;
    joint->stored[part] = storage;
    joint->convert_seconds += storage->format == &format_csr ? 0 : storage->seconds;
    if (!joint->device) return STATUS_OK;
    status = device_store(joint->device, storage, &joint->resident[part], &seconds, error);
    if (status == STATUS_OK) joint->upload_seconds += seconds;
    return status;
}

static enum status prepare_part(struct joint *joint, int part, const struct joint_options *options,
                                struct error *error)
{
    struct launch *launch = part == 0 ? &joint->local : &joint->remote;
    const struct kernel_choice *choice = part == 0 ? &joint->choice : &joint->beyond;
    struct launch_options of = {.product = options->product, .limit = options->limit};
    /* The result of the remote part is added to y, or written to `sums`, from which it is added. */
    if (part == 1) of.product.accumulate = joint->split->row == NULL;
    if (joint->device)
        return kernel_prepare_on(joint->device, choice, joint->stored[part], &joint->resident[part], &of,
                                 launch, error);
    return kernel_prepare(choice, joint->stored[part], &of, launch, error);
}

static enum status prepare_parts(struct joint *joint, const struct joint_options *options,
                                 struct progress *progress, struct error *error)
{
    int parts = joint_reaches(joint) ? 2 : 1;
    enum status status = STATUS_OK;
    for (int part = 0; part < parts && status == STATUS_OK; part++)
        status = store(joint, part, options, progress, error);
    if (!joint->device)
        threads_gather(0); /* preparing is timed as conversion, which should not include starting threads */
    double start = clock_seconds();
    for (int part = 0; part < parts && status == STATUS_OK; part++)
        status = prepare_part(joint, part, options, error);
    joint->convert_seconds += clock_seconds() - start;
    return status;
}

enum status joint_prepare(struct split *split, const struct kernel_choice *choice,
                          const struct joint_options *options, struct operands *vectors,
                          struct device *device, struct progress *progress, struct joint *joint,
                          struct error *error)
{
    *joint = (struct joint){.split = split,
                            .vectors = vectors,
                            .device = device,
                            .linked = options->linked,
                            .choice = *choice,
                            .beyond = choose_beyond(choice),
                            .upload_seconds = device ? 0 : NAN,
                            .way = choice->kernel->backend->ranks ? &joint_by_petsc
                                   : device                       ? &joint_on_device
                                                                  : &joint_on_host};
    enum status status = check(joint, options->product, error);
    if (status == STATUS_OK && joint->way != &joint_by_petsc)
        status = prepare_parts(joint, options, progress, error);
    return status == STATUS_OK ? joint->way->prepare(joint, error) : status;
}

enum status joint_run(struct joint *joint, int products, struct phases *phases, struct error *error)
{
    enum status status = joint->way->run(joint, products, phases, error);
    if (phases) phases->products += products;
    *(joint->device ? &joint->vectors->placed.added : &joint->vectors->added) += products;
    return status;
}

struct kernel_bytes joint_bytes(const struct joint *joint)
{
    struct kernel_bytes bytes = {NAN, NAN};
    if (!joint->local.kernel) return bytes;
    bytes = kernel_bytes(&joint->local);
    if (!joint->remote.kernel) return bytes;
    struct kernel_bytes remote = kernel_bytes(&joint->remote);
    return (struct kernel_bytes){bytes.plus + remote.plus, bytes.minus + remote.minus};
}

void joint_release(struct joint *joint)
{
    if (joint->way) joint->way->release(joint);
    kernel_release(&joint->local);
    kernel_release(&joint->remote);
    for (int part = 0; part < 2; part++) {
        struct pool *pool = part == 0 ? &joint->split->stored : &joint->split->beyond;
        if (joint->resident[part].format) device_unstore(joint->device, &joint->resident[part]);
        if (joint->stored[part]) pool_release(pool, joint->stored[part]);
    }
    *joint = (struct joint){0};
}
