/* The reliability of a processor profile. It is measured again while the machine is busy, implausible numbers
 * are replaced, and it is in doubt if a later probe disagrees with it. */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/timing/processor.h"

/* Spread from which a profile is in doubt: it exceeds the error of forecasts themselves. */
#define PROCESSOR_SPREAD 0.10

/* Maximum ratio between the fastest sample of a probe and the profile: a processor with raised clocks, or
 * another one of the same name, differs by less. */
#define PROCESSOR_APART 1.3

/* Bytes of a sentence written by the functions below. */
#define PROCESSOR_WORDS 256

/* Write the reason why the numbers of a profile are in doubt: "other programs kept 1.6 of 2 processors busy",
 * "its times repeat within 31% only". Returns out, "" if there is no doubt. */
const char *processor_doubt(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write the date, number, load and repeatability of its measurements. Returns out. */
const char *processor_say(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write the implausible number of a profile, and the reason: "reading 256 MiB with all threads came out as
 * 9e9 bytes/s, ..." Returns true if there is one. processor_sure.c has the bounds with their reasons. */
bool processor_implausible(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Replace each implausible number by the assumed one (processor_fill), and count them in `mended`. Streaming
 * times of loops are replaced, too, if they were measured beside other work; such a profile is not
 * complete. */
void processor_mend(struct processor *processor);

/* Merge another profile into *processor, taking the better of each number, since other work only slows down.
 * Its spread becomes the share within which nine in ten times of both agree, if that is more than its own;
 * its load becomes the lower one. Numbers that only one has measured completely are kept. */
void processor_merge(struct processor *processor, const struct processor *other);

/* Copy the streaming and scattered-load factors of another profile to *processor, which was measured quickly.
 * These are ratios, which vary less with load than between loops. */
void processor_inherit(struct processor *processor, const struct processor *other);

/* Make each number the median of those of several complete measurements, of the same loops. */
void processor_typical(const struct processor *passes, int count, struct processor *processor);

/* Measure completely, `times` times, 1 to PROCESSOR_TIMES; before each further measurement it waits up to
 * PROCESSOR_PATIENCE seconds for the machine to become quiet, and it begins none after PROCESSOR_LAST
 * seconds. Of measurements that are not in doubt, the median of each number counts: a core that shares its
 * hardware with other guests of a host is slow for seconds, while all samples of a loop are taken within
 * milliseconds, and a forecast is of its usual speed. If all are in doubt, other programs were running, and
 * the best of each number counts. The result is then still in doubt (processor_doubt). Fails as
 * processor_measure does. */
#define PROCESSOR_PATIENCE 10.0
#define PROCESSOR_TIMES 3
#define PROCESSOR_LAST 60.0
enum status processor_calibrate(struct processor *processor, int times, size_t limit,
                                struct progress *progress, struct error *error);

/* The result of a probe of some milliseconds: the seconds of rows of 8 and of 32 entries of csr-omp on one
 * thread, and the bytes/s of reading 64 KiB. */
struct processor_probe {
    double row[2], read;
};
struct processor_probe processor_probe(void);

/* Return true if the profile is slower than the probe by more than PROCESSOR_APART, since it was measured
 * beside other work. */
bool processor_disagrees(const struct processor *processor, const struct processor_probe *probe);

/* A saved profile is used as it is for this number of seconds after it was measured or confirmed, and one in
 * doubt for fewer. Then one in doubt is measured again, and another one is compared with a probe. */
#define PROCESSOR_AGAIN 600.0
#define PROCESSOR_DOUBTED 30.0

/* The allowed effort for obtaining the profile. */
enum processor_effort {
    PROCESSOR_KEPT,  /* the saved profile, else the assumed one, without measuring */
    PROCESSOR_PROBED /* a missing or doubtful profile is measured quickly and saved */
};

/* Find the profile of this machine's processors: that of SPARSIGHT_PROCESSOR, the path of a profile or
 * "assumed"; else the saved profile; else by `effort`. The process owns the result, which is determined once.
 * If a measurement fails for lack of memory or threads, it is the assumed profile. STATUS_INPUT and STATUS_IO
 * for SPARSIGHT_PROCESSOR, STATUS_CANCELLED. */
enum status processor_here(struct processor *processor, enum processor_effort effort, size_t limit,
                           struct progress *progress, struct error *error);

/* Save a newly measured profile, and use it in this process from now on, even if it cannot be saved. The path
 * is appended to *path. Fails as processor_keep does. */
enum status processor_learn(const struct processor *processor, struct text *path, struct error *error);

/* Return true if the saved profile should not be replaced by the other one: it is not in doubt, the other one
 * is, and it is as complete. */
bool processor_is_surer(const struct processor *kept, const struct processor *other);

/* Discard the profile of the process. */
void processor_forget(void);

#endif
