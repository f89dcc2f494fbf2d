/* Meters: counters of energy that the machine has, each by a source in a table. */
#ifndef SPARSIGHT_KERNELS_ENERGY_METER_H
#define SPARSIGHT_KERNELS_ENERGY_METER_H

#include <stdbool.h>

#include "base/error.h"

/* A clock in seconds, and how to wait for it. Tests have one that does not depend on time. */
struct energy_clock {
    double (*now)(void *state);
    void (*rest)(void *state, double seconds);
    void *state;
};

extern const struct energy_clock energy_clock_real;

struct energy_meter;

/* A source of energy counters. The functions that return a status fail with STATUS_UNAVAILABLE and the
 * reason, and its remedy, or with STATUS_MEMORY. */
struct energy_source {
    const char *name; /* "rapl" */
    const char *summary;
    bool device; /* it measures a device, by its PCI address; else the host */
    double tick; /* seconds over which a reading is an average; 0: measured (energy_resolve) */
    /* Opens the meter of the device with this PCI address; NULL: of the host. Sets meter->name and
     * meter->state. After a failure, `close` is called, too. */
    enum status (*open)(struct energy_meter *meter, const char *address, struct error *error);
    /* The joules since it was opened, or since another fixed time, and the clock's time of this reading. */
    enum status (*read)(struct energy_meter *meter, double *joules, double *seconds, struct error *error);
    /* The number of processes on the device, with this one; 0 if unknown. NULL: always unknown. */
    int (*processes)(struct energy_meter *meter);
    void (*close)(struct energy_meter *meter);
};

/* All sources, the best first; the last one is NULL. */
extern const struct energy_source *const energy_sources[];

/* An open meter. Start with {0}; end with energy_close. */
struct energy_meter {
    const struct energy_source *source;
    const struct energy_clock *clock;
    char name[64];            /* "RAPL, 2 packages with DRAM" */
    double tick, step;        /* seconds between two changes, and joules of one (energy_resolve) */
    double idle, idle_spread; /* watts (energy_idle) */
    void *state;              /* the source's own */
};

/* Open the first source that suits the device with this PCI address ("0000:1b:00.0"); NULL: the host. Fails
 * with the reason of the first one that suits. */
enum status energy_open(struct energy_meter *meter, const char *address, const struct energy_clock *clock,
                        struct error *error);
void energy_close(struct energy_meter *meter); /* takes {0} */

enum status energy_read(struct energy_meter *meter, double *joules, double *seconds, struct error *error);
int energy_processes(struct energy_meter *meter);

/* The sources. RAPL's files are in the folder that SPARSIGHT_POWERCAP names, by default /sys/class/powercap;
 * NVML's library is the file that SPARSIGHT_NVML names, by default libnvidia-ml.so.1. */
extern const struct energy_source energy_rapl, energy_nvml, energy_nvml_power;

#endif
