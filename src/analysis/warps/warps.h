/* Single warps of a kernel: what each of them moves, which is the worst and which a typical one, where a row
 * is worked on, and the requests of one warp step by step. All launches were prepared on paper
 * (kernels/paper.h) and have a trace. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_WARPS_H
#define SPARSIGHT_ANALYSIS_WARPS_WARPS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/warps/coalescing.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* A warp of a product: of which of its launches, and which there. */
struct warp_at {
    int64_t stage, warp;
};

/* What may be replayed before something else has its turn. NULL where one is taken: all there is. */
struct warp_budget {
    int64_t left;              /* requests, and warps whose rows are looked at */
    struct progress *progress; /* told of them, and asked whether to stop; NULL: nobody watches */
    bool exhausted;            /* it did not suffice, or was cancelled: what came out means nothing */
};

/* Of the warps that ask memory for anything. */
struct warp_costs {
    int64_t warps;          /* of all launches, idle ones included */
    int64_t looked;         /* of them were looked at */
    int64_t busy;           /* of those ask for anything; if none does, all below is 0 */
    struct warp_at worst;   /* the first of those that move the most sectors, */
    struct warp_at typical; /* and of those that move the (lower) median of them */
    int64_t max, median;    /* sectors of loads, stores, reductions and atomics together */
};

/* share in (0, 1]: less than 1 looks at each 1 / share-th block of COALESCING_BLOCK neighbouring warps. 4
 * bytes a warp that is looked at, while it lasts. Fails with STATUS_CANCELLED or STATUS_MEMORY. O(what is
 * replayed), parallel; does not depend on the threads. */
enum status warp_costs_find(const struct launch *launch, double share, struct warp_costs *costs,
                            struct progress *progress, struct error *error);

/* One request. */
struct warp_step {
    uint32_t active;
    uint8_t ask;            /* index into the record's asks */
    uint8_t sectors, lines; /* 0 of shared memory */
    uint8_t conflicts;      /* as in trace_counts, at most 255 */
};

#define WARP_ASKS 64
#define WARP_WINDOW 1024 /* steps whose addresses are kept */
#define WARP_MARK 1024   /* steps from one mark to the next */

/* Sums over the first steps of a warp. */
struct warp_sums {
    int64_t step; /* so many */
    int64_t lanes;
    int64_t requests[ACCESSES][OPERANDS];
    int64_t cost[ACCESSES][OPERANDS]; /* sectors; of shared memory passes */
};

/* All requests of a warp. Start with {0}, free with warp_record_free. */
struct warp_record {
    struct warp_at at;
    struct ask asks[WARP_ASKS]; /* the last one stands for all that there is no room for */
    int ask_count;
    struct warp_step *steps; /* owned */
    int64_t count;
    int64_t room;                     /* for steps */
    struct warp_sums *marks;          /* over the first 0, WARP_MARK, 2 WARP_MARK, ... steps; owned */
    int64_t mark_count, mark_room;    /* may be fewer than there are steps for */
    struct coalescing sum;            /* of this warp */
    struct warp_sums all;             /* over all steps */
    int64_t first_row, last_row;      /* rows of y that it stores or adds to; -1: none */
    int64_t row[TRACE_LANES];         /* that each lane writes, -1: none, or several */
    uint64_t (*address)[TRACE_LANES]; /* of steps window .. window + WARP_WINDOW - 1; owned */
    int64_t window;
};

/* Replay a warp into *record, which may hold another; addresses are kept about this step (clipped to what
 * there is). STATUS_MEMORY, or STATUS_CANCELLED if the budget is exhausted, and *record is {0} then. O(the
 * warp's requests), or the budget. */
enum status warp_record_make(const struct launch *launch, struct warp_at at, int64_t step,
                             struct warp_budget *budget, struct warp_record *record, struct error *error);

/* True if the addresses of a step are kept. */
bool warp_record_has(const struct warp_record *record, int64_t step);

void warp_record_free(struct warp_record *record);

/* A moment that two kernels have in common: the n-th request, counted from 0, of this kind. */
struct warp_moment {
    enum access access;
    enum operand operand;
    int64_t ordinal;
};

/* The moment of a step. O(1). */
struct warp_moment warp_moment(const struct warp_record *record, int64_t step);

/* The step of a moment: if there are fewer such requests the last of them, if there is none the step with the
 * number `otherwise`, or the last one; 0 of an idle warp. O(log steps). */
int64_t warp_step_of(const struct warp_record *record, struct warp_moment moment, int64_t otherwise);

/* Rows that a warp works on, first <= last; -1 if it has none. From what the trace knows of its lanes (O(1)),
 * else from what it stores (O(the warp's requests)). */
struct warp_rows {
    int64_t first, last;
};
struct warp_rows warp_rows(const struct launch *launch, struct warp_at at, struct warp_budget *budget);

/* The row of each lane, -1 where there is none. False if the trace does not know. */
bool warp_lane_rows(const struct launch *launch, struct warp_at at, int64_t row[TRACE_LANES]);

/* The first warp of launch `stage`, or if it has none of the first launch that has one, that works on a row.
 * False if none was found. O(log warps) replays where rows ascend from warp to warp; else, if the trace knows
 * the lanes' rows, O(warps), and of others none is found. */
bool warp_of_row(const struct launch *launch, int64_t row, int64_t stage, struct warp_budget *budget,
                 struct warp_at *at);

/* Go through a warp as trace_warp does, as far as the budget goes: false if that is not to its end. The
 * tracer must show its requests. */
bool warp_replay(const struct launch *launch, struct warp_at at, struct warp_budget *budget,
                 struct tracer *tracer);

/* Take one from the budget: false if it is exhausted. */
bool warp_spend(struct warp_budget *budget);

/* The line of memory that some lanes ask for a part of. */
#define LINE_CELLS 32 /* of 4 bytes */
enum { CELL_UNUSED = 255, CELL_SEVERAL = 254 };
struct warp_line {
    uint64_t line;            /* address / 128 */
    uint8_t touched;          /* bit s: its sector s is */
    uint8_t lane[LINE_CELLS]; /* that asks for these 4 bytes, or one of the above */
};

/* The lines of a request in ascending order, at most TRACE_LANES; returns how many. */
int warp_lines(const struct ask *ask, uint32_t active, const uint64_t address[TRACE_LANES],
               struct warp_line lines[TRACE_LANES]);

/* What happens over the steps of a warp, in columns of neighbouring steps. */
struct warp_column {
    float lanes;                       /* active, mean over the column's requests */
    float sectors[ACCESSES][OPERANDS]; /* a request (of shared memory: passes); -1 where there is none */
};

/* The column of a step, if there are so many columns: one a step where they suffice. */
int warp_column_of(const struct warp_record *record, int64_t step, int columns);

/* All columns; those beyond the last step have 0 lanes and nothing else. O(columns x WARP_MARK), or O(steps)
 * where they are fewer. */
void warp_columns(const struct warp_record *record, int columns, struct warp_column *out);

#endif
