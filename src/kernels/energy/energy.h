/* The energy of a product, in joules, and what it is uncertain by. */
#ifndef SPARSIGHT_KERNELS_ENERGY_ENERGY_H
#define SPARSIGHT_KERNELS_ENERGY_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

/* The energy of one kernel's products, which ran one after another for a window of time. Unknown numbers are
 * NaN. {0}: it was not asked for. */
struct energy {
    bool asked;
    char meter[64];   /* the meter that told it: "RAPL, 2 packages with DRAM"; "" without one */
    char reason[320]; /* why it is unknown; "" if it is known */
    double gross;     /* joules of a product, those of the idle machine included */
    double net;   /* the same above the idle power; below 0 if a product takes less than the uncertainty */
    double error; /* uncertainty of `net`, joules: energy_sum */
    double watts; /* average power in the window */
    double idle;  /* power of the idle machine before it, and */
    double idle_spread; /* half the range of that power over its last windows */
    double tick;        /* seconds between two changes of the meter's counter, and */
    double step;        /* joules of a change, on the idle machine */
    double seconds;     /* of the window, and */
    int64_t products;   /* products in it */
    double load;        /* processors that other programs kept busy meanwhile (base/load.h) */
    int processes;      /* on the device, with this one; 0: unknown, or on the host */
};

/* Make all numbers unknown, and set `asked`. */
void energy_clear(struct energy *energy, bool asked);

/* Set the numbers of a window in which the meter counted `joules`, from the idle power and the tick of
 * *energy:
 *
 *     W     = joules / seconds
 *     gross = joules / products
 *     net   = (joules - idle seconds) / products
 *     error = sqrt((W tick)^2 + (idle_spread seconds)^2) / products
 *
 * The counter that is read is up to a tick old at both ends of the window, so that its difference is wrong by
 * the energy of a tick at most. */
void energy_sum(struct energy *energy, double joules, double seconds, int64_t products);

#endif
