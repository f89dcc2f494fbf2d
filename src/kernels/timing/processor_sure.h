/* How sure a profile of the processors is, and how it is made surer: measured again while the machine is
 * busy, with numbers that no processor has left out, and doubted later if a probe disagrees. */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/timing/processor.h"

/* From this spread on a profile is doubted: forecasts are not better than that by themselves. */
#define PROCESSOR_SPREAD 0.10

/* Maximum ratio between the fastest sample of a probe and the profile: a processor with raised clocks, or
 * another one of the same name, differs by less. */
#define PROCESSOR_APART 1.3

/* Bytes of a sentence that is written below. */
#define PROCESSOR_WORDS 256

/* Write why the numbers of a profile are in doubt: "other programs kept 1.6 of 2 processors busy", "its times
 * repeat within 31% only". Returns out, "" if nothing speaks against them. */
const char *processor_doubt(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write the date, number, load and repeatability of its measurements. Returns out. */
const char *processor_say(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write the implausible number of a profile, and the reason: "reading 256 MiB with all threads came out as
 * 9e9 bytes/s, ..." Returns true if there is one. The bounds stand in processor_sure.c, each with its
 * reason. */
bool processor_implausible(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Replace each implausible number by the assumed one (processor_fill), and count them in `mended`. How loops
 * stream is replaced, too, if it was measured beside other work: such a profile is not complete. */
void processor_mend(struct processor *processor);

/* Let *processor have the best of each number of both, since other work only ever makes slower; its spread
 * becomes the share within which nine in ten times of both agree, if that is more than its own, and its load
 * the lower one. What one of them alone has measured completely stays. */
void processor_merge(struct processor *processor, const struct processor *other);

/* Let *processor, which was measured quickly, have what another profile knows of how loops stream and of what
 * scattered loads take: these are ratios, which load changes less than they differ between loops. */
void processor_inherit(struct processor *processor, const struct processor *other);

/* Measure completely, up to three times while the machine is busy or samples differ; before each time it
 * waits up to PROCESSOR_PATIENCE seconds for the machine to become quiet, but none is begun after
 * PROCESSOR_LAST seconds. The best of each number counts. What comes out may still be in doubt
 * (processor_doubt). Fails as processor_measure does. */
#define PROCESSOR_PATIENCE 10.0
#define PROCESSOR_TIMES 3
#define PROCESSOR_LAST 60.0
enum status processor_calibrate(struct processor *processor, size_t limit, struct progress *progress,
                                struct error *error);

/* What a probe of some milliseconds finds: the seconds of rows of 8 and of 32 entries of csr-omp on one
 * thread, and the bytes/s of reading 64 KiB. */
struct processor_probe {
    double row[2], read;
};
struct processor_probe processor_probe(void);

/* Return true if the profile says that the processor is slower than the probe has found it, by more than
 * PROCESSOR_APART: it was measured beside other work. */
bool processor_disagrees(const struct processor *processor, const struct processor_probe *probe);

/* How much may be done to know the processors. */
enum processor_effort {
    PROCESSOR_KEPT,  /* the saved profile, else the assumed one: at once */
    PROCESSOR_PROBED /* a profile that is missing or in doubt is measured, quickly, and kept */
};

/* Find the profile of this machine's processors: that of SPARSIGHT_PROCESSOR, the path of a profile or
 * "assumed"; else the saved profile; else by `effort`. The process owns the result, which is found once. If a
 * measurement fails for lack of memory or threads, it is the assumed profile. STATUS_INPUT and STATUS_IO for
 * SPARSIGHT_PROCESSOR, STATUS_CANCELLED. */
enum status processor_here(struct processor *processor, enum processor_effort effort, size_t limit,
                           struct progress *progress, struct error *error);

/* Keep a profile that was just measured, and let the process know it from now on, whether it can be kept or
 * not. The path is appended to *path. Fails as processor_keep does. */
enum status processor_learn(const struct processor *processor, struct text *path, struct error *error);

/* Return true if a profile that was kept should stay, since nothing speaks against it, but against the other
 * one, and it says as much. */
bool processor_is_surer(const struct processor *kept, const struct processor *other);

/* Discard the profile of the process. */
void processor_forget(void);

#endif
