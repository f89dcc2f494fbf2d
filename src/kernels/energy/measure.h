/* Measuring the energy of products with an open meter: its resolution, the idle power, and then kernels one
 * after another. */
#ifndef SPARSIGHT_KERNELS_ENERGY_MEASURE_H
#define SPARSIGHT_KERNELS_ENERGY_MEASURE_H

#include "base/job.h"
#include "kernels/energy/energy.h"
#include "kernels/energy/meter.h"

#define ENERGY_RESOLUTION 0.02 /* of a window, that a tick of the meter may be */
#define ENERGY_SECONDS 10      /* for a kernel at most, unless the user says otherwise, */
#define ENERGY_SECONDS_MAX 1e5 /* which is at most this */

/* Find the meter's tick and step, on an idle machine: the mean over ten changes of its counter, within two
 * seconds. A source that tells its tick has no step. Fails with STATUS_UNAVAILABLE if the counter stands
 * still, as some of virtual machines do, with STATUS_CANCELLED, and as the meter does. */
enum status energy_resolve(struct energy_meter *meter, struct progress *progress, struct error *error);

/* Measure the idle power after energy_resolve, in windows of half a second, or a tick if that is longer,
 * which begin and end when the counter changes. Power falls for some time after work: windows follow each
 * other until the last four differ by at most 2% of their mean, or until twelve. The idle power is the mean
 * of the last four, and its spread half their range. */
enum status energy_idle(struct energy_meter *meter, struct progress *progress, struct error *error);

/* The work of a kernel. */
struct energy_work {
    /* Runs this number of products, and returns when they are done. */
    enum status (*run)(void *state, int products, struct error *error);
    void *state;
    double seconds; /* of a product, roughly; more than 0 */
    double limit;   /* seconds for all of it, at most but for the products that are running then */
};

/* Run products for a window of time, and set the numbers of *energy with energy_sum. The power settles in
 * products before the window, for 0.3 s or three ticks, and at most a quarter of the limit. The window lasts
 * half a second or 50 ticks, after which a tick is ENERGY_RESOLUTION of it, or as long as the limit allows;
 * energy->error tells the rest. Fails with STATUS_CANCELLED, and as the meter and the work do. */
enum status energy_measure(struct energy_meter *meter, const struct energy_work *work,
                           struct progress *progress, struct energy *energy, struct error *error);

#endif
