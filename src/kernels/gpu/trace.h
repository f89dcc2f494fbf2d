/* What the warps of a kernel ask of memory, replayed from the arrays that the kernel reads, on any machine.
 *
 * A kernel of a GPU has a `struct trace` beside its code. It goes through one warp as the compiled loop does
 * and tells a tracer each request in order: which lanes take part, and where each of them reads or writes.
 * The tracer counts, and shows the requests to whoever wants to see them. What is counted is what NVIDIA's
 * profiler counts (data/measured has the experiments); caches play no part in it. */
#ifndef SPARSIGHT_KERNELS_GPU_TRACE_H
#define SPARSIGHT_KERNELS_GPU_TRACE_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_LANES 32

struct launch;

/* What an array is to the product. */
enum operand {
    OPERAND_VALUES,
    OPERAND_COLUMNS,
    OPERAND_ROWS,     /* rows of entries, in a strip or in all; permutations */
    OPERAND_POINTERS, /* where rows, strips, chunks, diagonals begin, and lengths of rows */
    OPERAND_TABLES,   /* what prepare made beside the format */
    OPERAND_X,
    OPERAND_Y,
    OPERAND_SHARED, /* shared memory */
    OPERANDS,
};

/* "values", "columns", ... */
extern const char *const operand_names[OPERANDS];

enum access {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_REDUCTION, /* an atomic operation whose result is not used */
    ACCESS_ATOMIC,    /* one whose result is */
    ACCESSES,
};

extern const char *const access_names[ACCESSES]; /* "load", ... */

/* One instruction's access, but for lanes and addresses. */
struct ask {
    enum access access;
    enum operand operand;
    const char *text; /* as the source has it: "val[k]" */
    int size;         /* bytes of each lane: 1, 2, 4, 8 or 16 */
};

/* One load, store or atomic instruction of a warp with an active lane. */
struct request {
    const struct ask *ask;
    uint32_t active;         /* bit l: lane l takes part */
    const uint64_t *address; /* TRACE_LANES, of which those of active lanes are set: bytes from where the
                                array begins (of shared memory: the block's, or the warp's part of it), which
                                is a multiple of 256; a multiple of the size */
};

/* All are sums over requests. */
struct trace_counts {
    int64_t requests;
    int64_t sectors;   /* distinct blocks of 32 bytes within a request; of reductions and atomics, within each
                          of its turns (see trace_turns); 0 of shared memory */
    int64_t lines;     /* likewise of 128 bytes */
    int64_t bytes;     /* that active lanes asked for */
    int64_t lanes;     /* that were active */
    int64_t conflicts; /* of shared memory: passes beyond those that so many bytes need at least, since lanes
                          meet in a bank; of reductions and atomics: lanes that meet in an element, beyond the
                          first */
};

/* Start with {0}; set show if requests are to be seen. */
struct tracer {
    struct trace_counts count[ACCESSES][OPERANDS];
    /* NULL: nobody looks. May leave by longjmp, since a trace holds nothing that would have to be released;
       the tracer is not to be used again then. */
    void (*show)(void *context, const struct request *request);
    void *context;
    /* The tracer's own: blocks that the request at hand has met, and their sectors. */
    uint64_t now, stamp[128], met[128], seen[128];
};

/* The requests of a warp: elements of ask->size bytes, counted from where the array begins. In all of them
 * nothing is asked for if no lane is active. */

/* Lanes first .. first + count - 1 have neighbouring elements, the first of them `element`. O(1). */
void trace_line(struct tracer *tracer, const struct ask *ask, int first, int count, int64_t element);

/* Lanes 0 .. count - 1 have elements that lie `stride` > 0 apart, the first of them `element`. O(1) if no two
 * of them share a line, else O(count). */
void trace_stride(struct tracer *tracer, const struct ask *ask, int count, int64_t element, int64_t stride);

/* Lanes in groups of `wide` each, of which the first `each` are active: those of group g have element + g. Of
 * memory, no reductions and atomics. O(1). */
void trace_groups(struct tracer *tracer, const struct ask *ask, int groups, int wide, int each,
                  int64_t element);

/* All active lanes have the same element. O(1). */
void trace_same(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element);

/* Each active lane has element index[lane]. O(active lanes). */
void trace_index(struct tracer *tracer, const struct ask *ask, uint32_t active,
                 const int64_t index[TRACE_LANES]);

/* Each active lane adds a float or double to its element of shared memory, and does not want to know what was
 * there: a loop, in each round of which the lanes that wait load what is there (`load`, ACCESS_LOAD) and try
 * to swap it for the sum (`swap`, ACCESS_ATOMIC). One lane a bank gets through, the lowest, of doubles in
 * each half of the warp; in the upper half none whose element the lower one has just changed. */
void trace_add_in_shared(struct tracer *tracer, const struct ask *load, const struct ask *swap,
                         uint32_t active, const int64_t index[TRACE_LANES]);

/* Add what `from` has counted. */
void trace_add(struct tracer *to, const struct tracer *from);

/* Lanes 0 .. count - 1. */
static inline uint32_t lanes_below(int64_t count)
{
    return count <= 0 ? 0 : count >= TRACE_LANES ? UINT32_MAX : ((uint32_t)1 << count) - 1;
}

/* A launch of a product: the kernel's code, how it is cut into blocks, and the warps to replay. */
struct trace_stage {
    char function[128]; /* with its template arguments, as cuda_resources has it */
    int64_t blocks;
    int threads;      /* of a block */
    size_t shared;    /* bytes that a block is given at launch */
    int64_t warps;    /* to replay: 0 .. warps - 1; those of the grid, unless `unit` says otherwise */
    const char *unit; /* NULL: a warp; else what warps take as they come and what is replayed one at a time,
                         "chunk" */
};

/* How a kernel is replayed. The launch is one that was prepared on a device whose memory is the host's
 * (kernels/paper.h), so that the resident arrays and the tables of prepare can be read here. Replaying
 * changes nothing but the tracer: warps may be replayed in any order, by several threads. */
struct trace {
    int64_t (*stages)(const struct launch *launch); /* launches of a product; NULL: one */
    void (*stage)(const struct launch *launch, int64_t s, struct trace_stage *stage);
    void (*warp)(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer);
    /* The row that each lane of a warp works on, -1 for none. NULL: lanes do not keep to a row each, or
       nobody said so. */
    void (*rows)(const struct launch *launch, int64_t s, int64_t warp, int64_t row[TRACE_LANES]);
};

/* launch->kernel->trace must not be NULL. */
int64_t trace_stages(const struct launch *launch);
void trace_stage(const struct launch *launch, int64_t s, struct trace_stage *stage);
void trace_warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer);

#endif
