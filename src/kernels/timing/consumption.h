/* The energy of kernels that have been timed: the meters of their machines, and one kernel after another. */
#ifndef SPARSIGHT_KERNELS_TIMING_CONSUMPTION_H
#define SPARSIGHT_KERNELS_TIMING_CONSUMPTION_H

#include "kernels/energy/meter.h"
#include "kernels/timing/rounds.h"

/* The meters of the host and of each device, opened when they are first needed. Start with {0}. */
struct consumption {
    struct machine_meter {
        struct energy_meter meter;
        bool looked;
        struct error error; /* why there is no meter; STATUS_OK if there is one */
    } host, device[DEVICES_MAX];
};

/* Measure the energy of each contender that is ready, by rounds->options->energy. Before the first one of a
 * machine, the tick of its meter and its idle power are found (kernels/energy/measure.h). A failure is the
 * reason in the energy of the result; fails itself with STATUS_CANCELLED only. */
enum status consumption_measure(struct consumption *consumption, struct rounds *rounds,
                                struct contender *contenders, int count, struct error *error);

/* Close the meters. */
void consumption_end(struct consumption *consumption);

#endif
