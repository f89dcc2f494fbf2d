/* Running the kernels of triangular solves that run on a device. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_ON_DEVICE_H
#define SPARSIGHT_KERNELS_TRISOLVE_ON_DEVICE_H

#include "kernels/trisolve/trisolve.h"

/* An open device with b and x. Start with {0}; end with trisolve_bed_close. */
struct trisolve_bed {
    struct device device;
    int64_t rows;
    double *b, *x; /* rows, in the device's memory */
};

/* Open a device, and make b and x there. STATUS_UNAVAILABLE with the reason. */
enum status trisolve_bed_open(const struct device_type *type, int index, int64_t rows,
                              struct trisolve_bed *bed, struct error *error);
void trisolve_bed_close(struct trisolve_bed *bed);

/* Copy b from the host; set x to 0; copy x to the host. STATUS_UNAVAILABLE. */
enum status trisolve_bed_put(struct trisolve_bed *bed, const double *b, struct error *error);
enum status trisolve_bed_reset(struct trisolve_bed *bed, struct error *error);
enum status trisolve_bed_get(struct trisolve_bed *bed, double *x, struct error *error);

/* Run a prepared kernel this number of times, one after another. *seconds is the time of a run, by events of
 * the device. STATUS_UNAVAILABLE, also if a run failed. */
enum status trisolve_bed_time(struct trisolve_bed *bed, const struct trisolve_kernel *kernel, void *state,
                              int runs, double *seconds, struct error *error);

#endif
