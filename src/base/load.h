/* How busy other programs keep the processors that this process may run on, and the memory behind them:
 * whoever times something asks before and after, since what is timed beside other work is not what the
 * machine takes. */
#ifndef SPARSIGHT_BASE_LOAD_H
#define SPARSIGHT_BASE_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/placement.h"

/* What the system had counted when the watch began. Times are in seconds. */
struct load_watch {
    double started; /* clock_seconds() */
    double busy;    /* that the processors had worked, for anybody; NaN: the system does not tell */
    double own;     /* that they had worked for this process */
};

/* Begin to watch the processors that the process may run on. */
void load_begin(struct load_watch *watch);

/* The number of processors that other programs kept busy since, on average, between 0 and all of them:
 *
 *     ((busy now - busy then) - (own now - own then)) / (seconds in between)
 *
 * with the time that a virtual machine's host took away counting as busy. /proc/stat counts in ticks of 10
 * ms, so that over t seconds the number is right to about 0.02 s / t for each processor. After less than
 * LOAD_SECONDS, and where there is no /proc/stat, it is what /proc/loadavg says of the last minute less one
 * for this process; NaN if that is missing, too. */
#define LOAD_SECONDS 0.1
double load_end(const struct load_watch *watch);

/* Watch for so many seconds without doing anything. */
double load_now(double seconds);

/* Return true if so many processors that others keep busy, of `processors`, disturb what is timed on all of
 * them: more than LOAD_QUIET of one, which is more than a system's own services take, and one in a hundred.
 * Unknown is not busy: then the spread of the samples alone tells. */
#define LOAD_QUIET 0.25
bool load_is_busy(double others, int processors);

/* Return the seconds that these processors have worked, by /proc/stat with so many ticks a second; NaN if it
 * has none of them. */
double load_busy_seconds(FILE *stat, const struct processors *here, double ticks);

#endif
