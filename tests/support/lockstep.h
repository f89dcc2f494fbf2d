/* The memory requests of a warp without traces: each of its threads runs by itself, as the kernel's source in
 * src/kernels/cuda has it, and notes its loads and stores with their moments. The accesses of a warp's
 * threads at the same moment are one request. */
#ifndef SPARSIGHT_TESTS_SUPPORT_LOCKSTEP_H
#define SPARSIGHT_TESTS_SUPPORT_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

struct note {
    int64_t moment;
    enum access access;
    enum operand operand;
    int size, lane;
    uint64_t address;
    bool padding; /* the lane works on padding */
};

struct lockstep {
    struct note *notes, *sorted; /* rooms that all warps use, one after the other */
    int64_t count, room;
    int lane;     /* of the thread that runs */
    bool padding; /* the thread that runs works on a slot that is padding, and says so by setting this */
};

/* The thread that runs asks for element e of an array, at a moment: any number that is the same in all lanes
 * for the same turn of the same instruction, and differs otherwise. */
void note(struct lockstep *warp, int64_t moment, enum access access, enum operand operand, int size,
          int64_t e);

/* The thread that runs adds to element e of y by a reduction: by one for the real part, and half a hundred
 * moments later one for the imaginary part, if the matrix is complex. */
void note_reduction(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e);

/* Moments: turn t of a loop's instruction number n. */
static inline int64_t turn(int64_t t, int n)
{
    return 1000 + 100 * t + n;
}

/* Add the counts of a request, the notes of one moment by ascending lanes: written down as the rules were
 * found (data/measured), without any thought of speed. */
void lockstep_count(const struct note *notes, int count, struct tracer *sum);

/* Thread `thread` of block `block` in launch s: notes all its accesses. Where the stage has a unit: lane
 * `thread` of the work on unit `block`. */
typedef void thread_of_kernel(const struct launch *launch, int64_t s, int64_t block, int thread,
                              struct lockstep *warp);

/* Hold the trace of each warp against its threads, for a kernel and its parameters of its own and of its
 * format (NULL: the kernel's defaults of it, or the format's), on all small matrices that can be stored so,
 * in double precision and in single precision with wide offsets, y = A x and y += A x, and if the kernel
 * takes them, on complex ones too. Ends the test where they differ. Returns how many warps were held. */
int64_t expect_trace(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                     thread_of_kernel *thread);

/* The same for real matrices whose entries have up to `count` values that differ, and for no complex ones. */
int64_t expect_trace_few(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                         int count, thread_of_kernel *thread);

/* The same for one matrix. */
int64_t expect_trace_of(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                        const struct csr *a, thread_of_kernel *thread);

#endif
