/* The elementary costs of this machine's processors, measured with the CPU kernels themselves on small
 * generated matrices, without data from another machine. They are the basis of forecast times
 * (analysis/forecast/cpu.h), like struct gpu_pace for GPUs. */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"
#include "base/text.h"
#include "kernels/kernel.h"

/* Lengths of rows in the timings of each loop: 1, 2, 4, 8, 12, 16, 32, 64, 256. */
#define PROCESSOR_LENGTHS 9
extern const int processor_length[PROCESSOR_LENGTHS];

/* Sizes of memory that is read in order, and at random: 16 KiB, 64 KiB, ..., 256 MiB, each four times the one
 * before. */
#define PROCESSOR_SIZES 8
#define PROCESSOR_FIRST ((size_t)1 << 14)

#define PROCESSOR_LOOPS 256

/* Random loads are timed with rows of this number of entries, which wait together. */
#define PROCESSOR_FLIGHT 16

/* Computing and waiting for memory overlap in part: together they take (computing^q + waiting^q)^(1/q)
 * seconds. */
#define PROCESSOR_OVERLAP 3.0

/* Entries of the matrices for timing whole products: 32,768, 524,288 and 6,000,000. */
#define PROCESSOR_WHOLES 3
extern const int processor_whole_entries[PROCESSOR_WHOLES];

#define PROCESSOR_MEANS 3 /* mean lengths of rows of varying length: 4, 8 and 32 */
extern const int processor_mean[PROCESSOR_MEANS];

/* Matrices beyond a core's caches on which loops are timed: 524,288 entries, which a cache of all cores
 * mostly holds, and 6,000,000. */
enum processor_level { LEVEL_MIDDLE, LEVEL_LARGE, PROCESSOR_LEVELS };

/* A loop on one of them. */
struct loop_factors {
    double stream[2]; /* time to read its data in order, for one thread and for all, / time of a vectorised
                         sum of the same number of bytes */
    double scattered; /* time of its scattered loads / time in a loop of csr-omp with such loads */
};

/* One kernel with one choice of its format, on one thread. */
struct loop_pace {
    char name[64]; /* the short name of its choice: "cmrs-omp:packed=1" */
    enum precision precision;
    double row[PROCESSOR_LENGTHS]; /* seconds of a row with this number of slots, all rows equal, in a core's
                                      caches */
    double uneven[2][PROCESSOR_MEANS]; /* additional seconds per row if lengths are random, for a matrix whose
                                          branches the processor learns, and for a long one; 0 if padding
                                          makes rows equal */
    struct loop_factors beyond[PROCESSOR_LEVELS];
};

struct processor {
    bool there;
    bool complete;   /* `beyond` is measured too; else it is assumed */
    bool assumed;    /* nothing was measured (processor_assume) */
    char title[128]; /* the system's name of it: "Intel(R) Xeon(R) Processor" */
    char isa[16];    /* of the loops: "avx512" */
    char date[24];   /* when it was measured: "2026-01-31 14:05 UTC" */
    double load;   /* processors kept busy by other work during the measurement (base/load.h); NaN: unknown */
    double spread; /* nine in ten of all times were reproduced, by another sample or the previous measurement,
                      within this share; NaN: unknown */
    int measurements;                /* number of measurements; the best of each number counts */
    int mended;                      /* implausible numbers that were replaced by assumed ones */
    int derived;                     /* numbers that an older profile lacks: derived from its others */
    int threads;                     /* one thread for each processor */
    double wake;                     /* seconds of an empty parallel region of all threads, */
    double alone;                    /* and of one of a single thread */
    double read[2][PROCESSOR_SIZES]; /* bytes/s of reading memory in order, of one thread and of all together,
                                        each its share */
    double far[2][PROCESSOR_SIZES];  /* seconds of a random load in it, and of the other reads of the loop, by
                                        one thread or by all at the same time */
    double store[PROCESSOR_SIZES];   /* seconds of a store at random in it, while all threads store: each to
                                        elements of its own, which share lines with those of others */
    double moved; /* seconds of a line of 64 bytes that one thread writes and another reads, in order, while
                     all threads do so */
    double whole[2][PROCESSOR_WHOLES]; /* time of a product / sum of its terms, for one thread and for all, by
                                          the size of the matrix; 1 except for all threads and the smallest
                                          one, since the factors of loops are of whole products */
    struct loop_pace loop[PROCESSOR_LOOPS];
    int loops;
};

/* Measure the processors. Quickly: the loops of all kernels of the host, with the parameters that their
 * formats have by default or list, in both precisions, on matrices that a core's caches hold; and memory up
 * to 64 MiB. It begins nothing more after PROCESSOR_QUICK seconds, on a busy machine too: missing numbers are
 * then assumed (processor_fill). It takes 100 MB. Completely: with further parameters, memory up to 256 MiB,
 * and the streaming of matrices larger than the caches by each kernel; some 20 seconds and 1 GB. Measurements
 * use at most half of `limit` bytes of memory (0: the default of memory_check); larger sizes get the numbers
 * of the largest measured one. Other work on the machine only slows a loop down, so that the fastest of
 * several samples counts. STATUS_CANCELLED, STATUS_MEMORY and STATUS_LIMIT; *processor is {0} then. */
#define PROCESSOR_QUICK 0.3
enum status processor_measure(struct processor *processor, bool completely, size_t limit,
                              struct progress *progress, struct error *error);

/* The same, but begin nothing more after this number of seconds; INFINITY: measure all. */
enum status processor_measure_within(struct processor *processor, bool completely, double seconds,
                                     size_t limit, struct progress *progress, struct error *error);

/* Fill in the members that are not measured: title, loops' instruction set, threads. */
void processor_identify(struct processor *processor);

/* Make *processor the assumed profile for processors that were not measured: the compiled-in one
 * (data/processors), with the number of threads that suits this process. In private caches, n threads read n
 * times as fast as one; from memory at most PROCESSOR_CHANNELS times as fast. */
#define PROCESSOR_CHANNELS 4
void processor_assume(struct processor *processor);

/* Fill in unmeasured numbers, which are 0, and missing loops from the assumed profile. Times are scaled by
 * the median ratio of measured to assumed loops, bandwidths by the median ratio of bandwidths. */
void processor_fill(struct processor *processor);

/* The measured loop of a kernel whose format is stored with these values (storage_choice): the one with the
 * nearest parameters. NULL if the kernel was not measured. */
const struct loop_pace *processor_loop(const struct processor *processor, const struct kernel *kernel,
                                       const struct format_choice *stored);

/* The seconds of a row of this number of slots: linear interpolation between measured lengths, extrapolation
 * through the last two beyond, and for an empty row at least half of the time of a row of 1. */
double loop_row(const struct loop_pace *loop, double slots);

/* The additional seconds of a row if lengths vary, in a thread with this number of entries. Successive rows
 * differ by `apart` entries on average; this difference decides, not the mean length, since it is by it that
 * the end of a row is mispredicted. Lengths from 0 to 2 m differ by 2/3 m. A processor predicts the ends of
 * rows that it has met before: all for few rows, none for many. */
double loop_uneven(const struct loop_pace *loop, double apart, double entries);

/* Time of the loop to stream this number of bytes / time of a sum over them, with one thread or all. Loops
 * were timed in a core's caches, where the factor is 1, and on the matrices of both levels; between these it
 * is interpolated by the logarithm of the size. loop_scattered does the same for `scattered`, by the size of
 * the memory in which loads are scattered. */
double loop_stream(const struct loop_pace *loop, int threads, double bytes);
double loop_scattered(const struct loop_pace *loop, double bytes);

/* The bandwidth of reading `bytes` in order, in bytes/s, by `threads` together; and the additional seconds of
 * a random load in `bytes` over one in the first-level cache, by each of `threads`. Between measured sizes it
 * interpolates linearly in the logarithm of the size. The bandwidth grows in proportion to the threads, up to
 * that of all. */
double processor_read(const struct processor *processor, int threads, double bytes);
double processor_far(const struct processor *processor, int threads, double bytes);

/* Seconds of one thread for passing repeatedly through `stretch` bytes, `bytes` in all, beyond the time with
 * the first-level cache: a loop that was timed in a core's caches does not include it. */
double processor_again(const struct processor *processor, double bytes, double stretch);

/* The bytes that a kernel of one thread passes through again for each slot: y for each diagonal of DIA and
 * JDS (host_way.again). 0 for all others. *stretch becomes the bytes of a pass. */
double processor_passes(const struct kernel *kernel, const struct storage *storage, double *stretch);

/* The seconds of a random store in `bytes`, to lines to which other threads store as well, by each of
 * `threads`; 0 for one thread. */
double processor_store(const struct processor *processor, int threads, double bytes);

/* Time of a product / sum of its terms, if `threads` read `bytes`. Interpolated by the logarithm of the
 * size. */
double processor_whole(const struct processor *processor, int threads, double bytes);

/* The seconds that each of `threads` needs for its share of `bytes` that one thread writes and another reads;
 * 0 for one thread. */
double processor_move(const struct processor *processor, int threads, double bytes);

/* The overhead in seconds of a parallel region of this number of threads. */
double processor_wake(const struct processor *processor, int threads);

/* Profiles: text of lines "key = value", saved in $XDG_CACHE_HOME/sparsight/processors, by default
 * ~/.cache/sparsight/processors. The file name contains title, instruction set and threads, so that machines
 * with a shared home directory have separate files. */

/* Append the profile. */
void processor_describe(const struct processor *processor, struct text *text);

/* Read the profile text[0..length-1], the file `path` in messages. STATUS_INPUT with the line and the
 * fault. */
enum status processor_read_profile(const char *text, size_t length, const char *path,
                                   struct processor *processor, struct error *error);

/* Save the profile; its path is appended to *path. STATUS_IO, STATUS_MEMORY. */
enum status processor_keep(const struct processor *processor, struct text *path, struct error *error);

/* The seconds since the saved profile of these processors was written or confirmed; INFINITY if there is
 * none. Confirming it makes that 0. */
double processor_age(const struct processor *processor);
void processor_confirm(const struct processor *processor);

/* Read the saved profile of this machine's processors: of the cores that this process may run on, or else of
 * all. False if it is missing, unreadable, or of other processors; *processor is then {0}. */
bool processor_find(struct processor *processor);

#endif
