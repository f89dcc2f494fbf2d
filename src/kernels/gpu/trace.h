/* Replays the memory requests of a kernel's warps, from the arrays that the kernel reads, on any machine.
 *
 * A kernel of a GPU has a `struct trace` beside its code. It steps through one warp as the compiled loop
 * does, and reports each request to a tracer in order: the active lanes, and the element that each of them
 * reads or writes. The tracer counts the requests, and passes them to an observer if there is one. For a
 * request whose lanes l ask for `size` bytes at address(l), it counts for
 *
 *     loads and stores      sectors: the number of distinct floor(address(l) / 32)
 *     of memory             lines: the number of distinct floor(address(l) / 128)
 *
 *     reductions and        sectors and lines, turn by turn, since lanes with the same element
 *     atomics of memory     wait for each other (kernels/gpu/turns.h)
 *
 *     shared memory         passes: the maximum over the 32 banks of the number of distinct words
 *                           of 4 bytes in a bank, word w being in bank w mod 32; lanes are served
 *                           all at once, or in halves for 8 bytes a lane, in quarters for 16
 *
 * NVIDIA's profiler counts the same; data/measured has the experiments behind the rules. The counts do not
 * depend on the contents of caches. */
#ifndef SPARSIGHT_KERNELS_GPU_TRACE_H
#define SPARSIGHT_KERNELS_GPU_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_LANES 32

struct launch;

/* The role of an array. */
enum operand {
    OPERAND_VALUES,
    OPERAND_COLUMNS,
    OPERAND_ROWS,     /* rows of entries, in the matrix or in a strip, and permutations */
    OPERAND_POINTERS, /* offsets of rows, strips, chunks and diagonals, and lengths of rows */
    OPERAND_TABLES,   /* tables made by `prepare` beside the format */
    OPERAND_X,
    OPERAND_Y,
    OPERAND_SHARED, /* shared memory */
    OPERANDS,
};

/* The names of operands: "values", "columns", ... */
extern const char *const operand_names[OPERANDS];

enum access {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_REDUCTION, /* an atomic operation whose result is not used */
    ACCESS_ATOMIC,    /* an atomic operation whose result is used */
    ACCESSES,
};

/* The names of accesses: "load", ... */
extern const char *const access_names[ACCESSES];

/* The request of an instruction, independent of its lanes and their elements. */
struct ask {
    enum access access;
    enum operand operand;
    const char *text; /* as the source has it: "val[k]" */
    int size;         /* bytes that each lane asks for: 1, 2, 4, 8 or 16 */
    bool once;        /* a load with the hints to L1 not to keep its data, and to L2 to evict them first */
    bool copied;      /* a part of a bulk copy into shared memory, for which its warp does not wait */
};

/* One load, store or atomic instruction of a warp with an active lane. */
struct request {
    const struct ask *ask;
    uint32_t active;  /* bit l is 1 if lane l takes part (is active) */
    uint32_t padding; /* bit l is 1 if lane l is active, and works on padding */
    /* For each active lane, the offset in bytes of its request in the array, or in the shared memory of the
     * block or the warp. Arrays begin at multiples of 256, and addresses are multiples of the size. */
    const uint64_t *address;
};

/* Counts that are summed over requests. */
struct trace_counts {
    int64_t requests;
    int64_t sectors; /* counted by the rules at the head of this file; 0 for shared memory */
    int64_t lines;   /* counted by the rules at the head of this file; 0 for shared memory */
    int64_t bytes;   /* the bytes that active lanes asked for */
    int64_t useful; /* the distinct bytes requested by active lanes that do not work on padding; in reductions
                       and atomics they count once for each turn; 0 for shared memory. Negative if unknown, as
                       in reports of earlier versions */
    int64_t lanes;  /* the number of active lanes */
    int64_t padding;   /* the number of those that work on padding */
    int64_t conflicts; /* in shared memory, the passes beyond one for each group of lanes served together; in
                          reductions and atomics, the lanes beyond the first with the same element */
};

/* A tracer counts requests. It starts as {0}; set `show` to observe requests. */
struct tracer {
    struct trace_counts count[ACCESSES][OPERANDS];
    int64_t waits; /* memory requests for which the warp waits, and calls of trace_wait */
    /* The trace sets bit l while lane l works on padding. The bytes for such a lane are moved, but
     * useless. */
    uint32_t padding;
    /* The tracer calls this for each request, unless it is NULL. It may leave by longjmp, since a trace owns
     * nothing; the tracer must not be used afterwards. */
    void (*show)(void *context, const struct request *request);
    void *context;
    /* If it is not NULL, nothing is counted, and `show` is not called. The tracer calls this for each request
     * of memory with its sectors: the distinct numbers floor(address / 32), in the order of the lanes that
     * ask for them first. It may leave by longjmp, too. */
    void (*sectors)(void *context, const struct ask *ask, const uint64_t *sector, int count);
    /* If it is not NULL, it is called instead of `sectors` for requests of all sectors first .. last. */
    void (*stretch)(void *context, const struct ask *ask, uint64_t first, uint64_t last);
    /* If it is not NULL, each sector of y that a turn of a reduction or an atomic operation adds to adds 1 to
     * lines[k], where k is the line of y that it lies in. Several tracers may share the table. */
    uint32_t *lines;
    /* The tracer's own data: a table of the blocks and sectors of the current request. */
    uint64_t now, stamp[128], met[128], seen[128];
};

/* A trace reports the requests of a warp by these functions. The comment of each defines the active lanes,
 * and the element that each of them requests. Elements have ask->size bytes and are counted from the start of
 * the array. If no lane is active, there is no request. */

/* Count a wait for bulk copies as one for a request. */
void trace_wait(struct tracer *tracer);

/* Lane first + k has element `element` + k, for k < count. O(1). */
void trace_line(struct tracer *tracer, const struct ask *ask, int first, int count, int64_t element);

/* Lane k has element `element` + k * stride, for k < count; stride > 0. O(1) if no two of them share a line,
 * else O(count). */
void trace_stride(struct tracer *tracer, const struct ask *ask, int count, int64_t element, int64_t stride);

/* Lanes g * wide + k have element `element` + g, for g < groups and k < each. This is for loads and stores of
 * memory only, and for lanes that do not work on padding. O(1). */
void trace_groups(struct tracer *tracer, const struct ask *ask, int groups, int wide, int each,
                  int64_t element);

/* All active lanes have the same element. O(1). */
void trace_same(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element);

/* Each active lane l has element index[l]. O(active lanes). */
void trace_index(struct tracer *tracer, const struct ask *ask, uint32_t active,
                 const int64_t index[TRACE_LANES]);

/* Each active lane l, none of which works on padding, adds a float or double to element index[l] of shared
 * memory, and does not use the old value. The compiler makes this a loop: in each round the waiting lanes
 * load the element (`load`, ACCESS_LOAD) and try to swap it for the sum (`swap`, ACCESS_ATOMIC). The lowest
 * lane of each bank succeeds; for doubles, which are served by half warps, the lowest of each half, except
 * lanes of the upper half whose element the lower half has just changed. */
void trace_add_in_shared(struct tracer *tracer, const struct ask *load, const struct ask *swap,
                         uint32_t active, const int64_t index[TRACE_LANES]);

/* Add the counts of `from` to `to`. */
void trace_add(struct tracer *to, const struct tracer *from);

/* Return the bits of lanes 0 .. count - 1. */
static inline uint32_t lanes_below(int64_t count)
{
    return count <= 0 ? 0 : count >= TRACE_LANES ? UINT32_MAX : ((uint32_t)1 << count) - 1;
}

/* A launch of a product: the kernel's code, its blocks, and the warps to replay. */
struct trace_stage {
    char function[128]; /* its name with template arguments, as cuda_resources has it */
    int64_t blocks;
    int threads;      /* the threads of a block */
    size_t shared;    /* the bytes of a block's dynamic shared memory */
    int64_t warps;    /* the warps of the grid, numbered 0 .. warps - 1 */
    const char *unit; /* if warps fetch work dynamically, the name of a piece of work ("chunk"); pieces are
                         then replayed instead of warps, and `warps` is their number; else NULL */
    int64_t run;      /* number of consecutive work items of a block; 0: 1 */
    bool early;       /* it begins while the previous launch in the queue still runs */
};

/* The replay of a kernel. The launch was prepared on a device whose memory is the host's
 * (kernels/gpu/paper.h), so that the resident arrays and the tables of `prepare` can be read. Replaying
 * changes only the tracer, so warps may be replayed in any order and by several threads. */
struct trace {
    /* Return the number of launches of a product. NULL: one. */
    int64_t (*stages)(const struct launch *launch);
    /* Describe launch number s. */
    void (*stage)(const struct launch *launch, int64_t s, struct trace_stage *stage);
    /* Report the requests of a warp of launch s to the tracer. */
    void (*warp)(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer);
    /* row[l] becomes the row that lane l of a warp works on, -1 if there is none. NULL if a lane works on
     * several rows, or if unknown. */
    void (*rows)(const struct launch *launch, int64_t s, int64_t warp, int64_t row[TRACE_LANES]);
    /* Estimate the steps of a warp of launch s, to find the heaviest warps without replaying. O(TRACE_LANES).
     * NULL: all warps of a launch take about the same number. */
    int64_t (*weight)(const struct launch *launch, int64_t s, int64_t warp);
    bool meets;      /* neighbouring warps add to the same lines of y, so that they wait for each other */
    bool by_columns; /* warps traverse the matrix column by column, not row by row */
};

/* Call the functions of launch->kernel->trace, which must not be NULL. */
int64_t trace_stages(const struct launch *launch);
void trace_stage(const struct launch *launch, int64_t s, struct trace_stage *stage);
void trace_warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer);

/* Call its function `weight`; 1 if there is none. */
int64_t trace_weight(const struct launch *launch, int64_t s, int64_t warp);

/* The resources of a stage's code on a multiprocessor, from the compiler of this build. */
struct trace_resources {
    int registers; /* the registers of a thread */
    int shared;    /* the bytes of static shared memory of a block */
};

/* Find the resources of a stage on a GPU of compute capability `arch` (90 is 9.0). Returns false if they are
 * unknown, as in a build without nvcc. */
bool trace_resources(const struct launch *launch, const struct trace_stage *stage, int arch,
                     struct trace_resources *resources);

#endif
