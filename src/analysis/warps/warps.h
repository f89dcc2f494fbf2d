/* Single warps of a kernel: finding the worst warp, a typical one, and those of a row; and the requests of a
 * warp, step by step. All launches here were prepared for an estimate (kernels/gpu/paper.h) and have a
 * trace. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_WARPS_H
#define SPARSIGHT_ANALYSIS_WARPS_WARPS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/warps/coalescing.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* A warp of a product: warp number `warp` of launch number `stage`. */
struct warp_at {
    int64_t stage, warp;
};

/* The amount of work that may be replayed before the caller does something else. Without a budget (NULL)
 * functions run to the end. */
struct warp_budget {
    int64_t left;              /* number of requests, or of warps whose rows are checked */
    struct progress *progress; /* reports them, and may be cancelled; may be NULL */
    bool exhausted;            /* it did not suffice or was cancelled; the result is then undefined */
};

/* The distribution of the sectors that warps move, over the busy warps, which make requests of memory. A
 * warp's sectors are those of its loads, stores, reductions and atomics together. */
struct warp_costs {
    int64_t warps;          /* the warps of all launches, including those without requests */
    int64_t looked;         /* the number of warps replayed */
    int64_t busy;           /* the number of these that are busy; if 0, all members below are 0 */
    struct warp_at longest; /* the first warp with the most requests, which takes the longest */
    int64_t requests;       /* the requests of that warp */
    struct warp_at worst;   /* the first warp that moves `max` sectors */
    struct warp_at typical; /* the first warp that moves `median` sectors */
    int64_t max, median;    /* in sectors; the median is the lower of two middle elements */
};

/* Replay warps and find *costs. With share in (0, 1], every ceil(1 / share)-th block of COALESCING_BLOCK
 * neighbouring warps is replayed, which temporarily takes 4 bytes for each of these warps. STATUS_CANCELLED,
 * STATUS_MEMORY. O(what is replayed), parallel; the result does not depend on the threads. */
enum status warp_costs_find(const struct launch *launch, double share, struct warp_costs *costs,
                            struct progress *progress, struct error *error);

/* This number of sectors / sectors of the typical warp; NaN if no warp has a request. */
double warp_costs_times(const struct warp_costs *costs, int64_t sectors);

/* A step of a warp is one request. */
struct warp_step {
    uint32_t active;        /* bit l is 1 if lane l takes part in it */
    uint32_t padding;       /* bit l is 1 if lane l takes part, and works on padding */
    uint16_t useful;        /* bytes, as in struct trace_counts */
    uint8_t ask;            /* the index in `asks` of the record */
    uint8_t sectors, lines; /* 0 for shared memory */
    uint8_t conflicts;      /* as in struct trace_counts, but no more than 255 */
};

#define WARP_ASKS 64
#define WARP_WINDOW 1024 /* number of steps whose addresses are kept */
#define WARP_MARK 1024   /* distance of marks in steps */

/* Sums over the first `step` steps of a warp. */
struct warp_sums {
    int64_t step;
    int64_t lanes; /* active lanes that did not work on padding */
    int64_t requests[ACCESSES][OPERANDS];
    int64_t cost[ACCESSES][OPERANDS]; /* sectors; for shared memory, passes */
};

/* All requests of a warp. Start with {0}, free with warp_record_free. */
struct warp_record {
    struct warp_at at;
    struct ask asks[WARP_ASKS]; /* the distinct requests; the last represents all that do not fit */
    int ask_count;
    struct warp_step *steps; /* owned */
    int64_t count;
    int64_t room;                     /* room for steps */
    struct warp_sums *marks;          /* mark k is the sums over the first k WARP_MARK steps; owned */
    int64_t mark_count, mark_room;    /* a mark precedes each step number k WARP_MARK */
    struct coalescing sum;            /* the counts of this warp */
    struct warp_sums all;             /* the sums over all steps */
    int64_t first_row, last_row;      /* the first and last row of y that it stores or adds to; -1 if none */
    int64_t row[TRACE_LANES];         /* the row that each lane writes; -1 if it writes none, or several */
    uint64_t (*address)[TRACE_LANES]; /* the addresses of steps window .. window + WARP_WINDOW-1; owned */
    int64_t window;
};

/* Replay a warp into *record, replacing its contents. The window of addresses contains this step, or the last
 * one if there are fewer. STATUS_MEMORY, or STATUS_CANCELLED if the budget is exhausted; *record is {0} then.
 * O(the warp's requests). */
enum status warp_record_make(const struct launch *launch, struct warp_at at, int64_t step,
                             struct warp_budget *budget, struct warp_record *record, struct error *error);

/* Useful bytes of a step / bytes moved for it, in blocks of `granule` bytes; NaN for shared memory. */
double warp_step_efficiency(const struct warp_record *record, int64_t step, int granule);

/* True if each lane of the warp writes a different row, with rows of other warps between them. */
bool warp_record_scattered(const struct warp_record *record);

/* True if the addresses of a step are kept. */
bool warp_record_has(const struct warp_record *record, int64_t step);

void warp_record_free(struct warp_record *record);

/* A moment that can be found in any kernel: request number `ordinal`, counted from 0, of this kind. */
struct warp_moment {
    enum access access;
    enum operand operand;
    int64_t ordinal;
};

/* The moment of a step. O(1). */
struct warp_moment warp_moment(const struct warp_record *record, int64_t step);

/* The step of a moment. If there are fewer such requests, it is the last of them; if there are none, the step
 * number `otherwise`, or the last step if there are fewer. 0 for a warp without steps. O(log steps). */
int64_t warp_step_of(const struct warp_record *record, struct warp_moment moment, int64_t otherwise);

/* The first and the last row of a warp; -1 if there is none. They come from the trace's data on the warp's
 * lanes in O(1), or else from the warp's stores, in O(the warp's requests). */
struct warp_rows {
    int64_t first, last;
};
struct warp_rows warp_rows(const struct launch *launch, struct warp_at at, struct warp_budget *budget);

/* row[l] becomes the row that lane l works on, -1 if there is none. False if the trace does not know. */
bool warp_lane_rows(const struct launch *launch, struct warp_at at, int64_t row[TRACE_LANES]);

/* Find the first warp of launch `stage` that works on a row; if there is none, the first of the first launch
 * that has one. False if none was found. If rows ascend from warp to warp, this takes O(log warps) replays.
 * Otherwise it takes O(warps) if the trace knows the rows of lanes, and finds none if it does not. */
bool warp_of_row(const struct launch *launch, int64_t row, int64_t stage, struct warp_budget *budget,
                 struct warp_at *at);

/* Trace a warp as trace_warp does, with a tracer that shows its requests. False if the budget was exhausted
 * before the end. */
bool warp_replay(const struct launch *launch, struct warp_at at, struct warp_budget *budget,
                 struct tracer *tracer);

/* Take one from the budget. False if it is exhausted. */
bool warp_spend(struct warp_budget *budget);

/* A line of memory that a request touches, in cells of 4 bytes. */
#define LINE_CELLS 32
enum { CELL_UNUSED = 255, CELL_SEVERAL = 254, CELL_PADDING = 253 };
struct warp_line {
    uint64_t line;   /* address / 128 */
    uint8_t touched; /* bit s is 1 if sector s is requested */
    /* The lane with an entry that requests each cell; CELL_SEVERAL if there are several, CELL_PADDING if only
     * lanes on padding request it, CELL_UNUSED if no lane does. */
    uint8_t lane[LINE_CELLS];
};

/* Write the lines that a request touches, ascending, at most TRACE_LANES. Returns their number. */
int warp_lines(const struct request *request, struct warp_line lines[TRACE_LANES]);

/* A chart of a warp's steps merges neighbouring steps into columns. */
struct warp_column {
    float lanes; /* active lanes of a step that do not work on padding, mean over the column's steps */
    float sectors[ACCESSES][OPERANDS]; /* mean over the column's requests of this kind (passes for shared
                                          memory); -1 without requests */
};

/* The column of a step, of this number of columns. Each step has its own column if they suffice. */
int warp_column_of(const struct warp_record *record, int64_t step, int columns);

/* Compute all columns. Columns after the last step have 0 lanes and no requests. O(columns x WARP_MARK), or
 * O(steps) if that is less. */
void warp_columns(const struct warp_record *record, int columns, struct warp_column *out);

#endif
