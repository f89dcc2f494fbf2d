/* The memory requests of a warp without traces. Each of its threads runs separately, like the kernel's source
 * in src/kernels/cuda, and records its loads and stores with their moments. The accesses of a warp's threads
 * at the same moment are one request. */
#ifndef SPARSIGHT_TESTS_SUPPORT_LOCKSTEP_H
#define SPARSIGHT_TESTS_SUPPORT_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

struct note {
    int64_t moment;
    uint64_t address;
    uint8_t access, operand; /* of enum access and enum operand: there are millions of notes */
    int16_t size, lane;
    bool padding; /* the lane works on padding */
};

struct lockstep {
    struct note *notes; /* memory that all warps use, one after the other */
    int64_t count, room;
    int lane;     /* the lane of the running thread */
    bool padding; /* set by the running thread while it works on a slot of padding */
};

/* Record that the running thread requests element e of an array at a moment. The moment is any number that is
 * equal in all lanes for the same turn of the same instruction, and different otherwise. */
void note(struct lockstep *warp, int64_t moment, enum access access, enum operand operand, int size,
          int64_t e);

/* Record that the running thread adds to element e of y by a reduction. If the matrix is complex, a second
 * reduction adds the imaginary part 50 moments later. */
void note_reduction(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e);

/* Return the moment of turn t of instruction number n of a loop. */
static inline int64_t turn(int64_t t, int n)
{
    return 1000 + 100 * t + n;
}

/* Add the counts of a request, the notes of one moment by ascending lanes: a direct implementation of the
 * rules (data/measured), without regard to speed. */
void lockstep_count(const struct note *notes, int count, struct tracer *sum);

/* Thread `thread` of block `block` in launch s: records all its accesses. If the stage has units, this is
 * lane `thread` of the work on unit `block`. */
typedef void thread_of_kernel(const struct launch *launch, int64_t s, int64_t block, int thread,
                              struct lockstep *warp);

/* Compare the trace of each warp with its threads, for a kernel with these parameters and these parameters of
 * its format (NULL: the defaults of the kernel, or of the format). This covers all small matrices that can be
 * stored so, also complex ones if the kernel supports them; double precision, and single precision with wide
 * offsets; y = A x and y += A x. A difference ends the test. Returns the number of compared warps. */
int64_t expect_trace(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                     thread_of_kernel *thread);

/* The same for real matrices with at most `count` distinct values only. */
int64_t expect_trace_few(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                         int count, thread_of_kernel *thread);

/* The same for one matrix. */
int64_t expect_trace_of(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                        const struct csr *a, thread_of_kernel *thread);

#endif
