#include "kernels/trisolve/on_device.h"

#include "kernels/kernel.h"

enum status trisolve_bed_open(const struct device_type *type, int index, int64_t rows,
                              struct trisolve_bed *bed, struct error *error)
{
    struct error reason = {0};
    *bed = (struct trisolve_bed){.rows = rows};
    enum status status = device_open(type, index, &bed->device, &reason);
    if (status == STATUS_OK) bed->b = device_array(&bed->device, (size_t)rows, sizeof *bed->b, "b", &reason);
    if (bed->b) bed->x = device_array(&bed->device, (size_t)rows, sizeof *bed->x, "x", &reason);
    if (bed->x) return STATUS_OK;
    trisolve_bed_close(bed);
    return error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

void trisolve_bed_close(struct trisolve_bed *bed)
{
    device_release(&bed->device, bed->b);
    device_release(&bed->device, bed->x);
    device_close(&bed->device);
    *bed = (struct trisolve_bed){0};
}

static size_t bytes_of(const struct trisolve_bed *bed)
{
    return (size_t)bed->rows * sizeof(double);
}

enum status trisolve_bed_put(struct trisolve_bed *bed, const double *b, struct error *error)
{
    return bed->rows ? bed->device.type->write(&bed->device, bed->b, b, bytes_of(bed), error) : STATUS_OK;
}

enum status trisolve_bed_reset(struct trisolve_bed *bed, struct error *error)
{
    return bed->rows ? bed->device.type->fill(&bed->device, bed->x, 0, bytes_of(bed), error) : STATUS_OK;
}

enum status trisolve_bed_get(struct trisolve_bed *bed, double *x, struct error *error)
{
    return bed->rows ? bed->device.type->read(&bed->device, x, bed->x, bytes_of(bed), error) : STATUS_OK;
}

/* A solve as the product of a kernel, which devices time. */
struct timed {
    const struct trisolve_kernel *kernel;
    void *state;
    const double *b;
    double *x;
};

static void run_timed(const struct launch *launch)
{
    const struct timed *timed = launch->state;
    timed->kernel->run(timed->state, timed->b, timed->x);
}

enum status trisolve_bed_time(struct trisolve_bed *bed, const struct trisolve_kernel *kernel, void *state,
                              int runs, double *seconds, struct error *error)
{
    const struct kernel as_product = {.name = kernel->name, .run = run_timed};
    struct timed timed = {kernel, state, bed->b, bed->x};
    const struct launch launch = {.kernel = &as_product, .device = &bed->device, .state = &timed};
    enum status status = device_check(&bed->device, error);
    if (status == STATUS_OK) status = bed->device.type->time(&bed->device, &launch, runs, seconds, error);
    if (status == STATUS_OK && kernel->outcome) status = kernel->outcome(state, error);
    return status;
}
