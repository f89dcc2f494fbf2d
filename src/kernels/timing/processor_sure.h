/* How sure a profile of the processors is, and how it is made surer: measured again while the machine is
 * busy, with numbers that no processor has left out, and doubted later if a probe disagrees. */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_SURE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/timing/processor.h"

/* From this spread on a profile is doubted: forecasts are not better than that by themselves. */
#define PROCESSOR_SPREAD 0.10

/* Between the fastest of a probe's samples and the profile may lie so many times: a processor that has raised
 * its clocks, or another one of the same name, differs by less. */
#define PROCESSOR_APART 1.3

/* Bytes of a sentence that is written below. */
#define PROCESSOR_WORDS 256

/* Write why the numbers of a profile are in doubt: "other programs kept 1.6 of 2 processors busy", "its times
 * repeat within 31% only". Returns out, "" if nothing speaks against them. */
const char *processor_doubt(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write when it was measured, how often, beside what load, and how well its times repeat. Returns out. */
const char *processor_say(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Write which number of a profile no processor has, and why: "reading 256 MiB with all threads came out as
 * 9e9 bytes/s, ..." Returns true if there is one. The bounds stand in processor_sure.c, each with its reason.
 */
bool processor_implausible(const struct processor *processor, char out[PROCESSOR_WORDS]);

/* Replace each number that no processor has by what is assumed (processor_fill), and count them in `mended`.
 * How loops stream is replaced, too, if it was measured beside other work: such a profile is not complete. */
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
    PROCESSOR_KEPT,  /* what was kept, else what is assumed: at once */
    PROCESSOR_PROBED /* a profile that is missing or in doubt is measured, quickly, and kept */
};

/* Find out what this machine's processors take: what SPARSIGHT_PROCESSOR says, the path of a profile or
 * "assumed"; else the profile that was kept; else as `effort` says. What was found belongs to the process,
 * and is found once. Where a measurement fails for want of memory or threads, it is what is assumed.
 * STATUS_INPUT and STATUS_IO for SPARSIGHT_PROCESSOR, STATUS_CANCELLED. */
enum status processor_here(struct processor *processor, enum processor_effort effort, size_t limit,
                           struct progress *progress, struct error *error);

/* Keep a profile that was just measured, and let the process know it from now on, whether it can be kept or
 * not. The path is appended to *path. Fails as processor_keep does. */
enum status processor_learn(const struct processor *processor, struct text *path, struct error *error);

/* Return true if a profile that was kept should stay, since nothing speaks against it, but against the other
 * one, and it says as much. */
bool processor_is_surer(const struct processor *kept, const struct processor *other);

/* Forget what the process has found. */
void processor_forget(void);

#endif
