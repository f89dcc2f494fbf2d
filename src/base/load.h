/* The load by other programs on the processors of this process. Timing code reads it before and after, since
 * times under load do not describe the machine. */
#ifndef SPARSIGHT_BASE_LOAD_H
#define SPARSIGHT_BASE_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/placement.h"

/* The system's counters at the start of the watch. Times are in seconds. */
struct load_watch {
    double started; /* clock_seconds() */
    double busy;    /* time that the processors had worked, for any process; NaN: unknown */
    double own;     /* time that they had worked for this process */
};

/* Begin to watch the processors that the process may run on. */
void load_begin(struct load_watch *watch);

/* Return the mean number of processors that other programs have kept busy since load_begin, between 0 and all
 * of them:
 *
 *     ((busy now - busy then) - (own now - own then)) / (seconds in between)
 *
 * with the time that a virtual machine's host took away counting as busy. /proc/stat counts in ticks of 10
 * ms, so that over t seconds the number is right to about 0.02 s / t for each processor. After less than
 * LOAD_SECONDS, or without /proc/stat, it is the load of the last minute in /proc/loadavg minus one for this
 * process; NaN if that is missing, too. */
#define LOAD_SECONDS 0.1
double load_end(const struct load_watch *watch);

/* Watch for this number of seconds while idle. */
double load_now(double seconds);

/* Return true if `others` of `processors` processors, used by other programs, disturb the timing on all of
 * them: more than LOAD_QUIET of one, which is more than a system's own services use, and more than one in a
 * hundred. An unknown load counts as not busy; then only the spread of the samples shows it. */
#define LOAD_QUIET 0.25
bool load_is_busy(double others, int processors);

/* Return the factor by which this number of runnable threads of other programs prolongs a thread's work: each
 * gets its share of the processors. 1 if they suffice for all, or if `others` is unknown. */
double load_slowdown(double others, int processors);

/* Return the seconds that these processors have worked, by /proc/stat with this number of ticks a second; NaN
 * if it lists none of them. */
double load_busy_seconds(FILE *stat, const struct processors *here, double ticks);

#endif
