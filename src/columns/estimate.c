/* The columns of a kernel's memory requests on a GPU. */
#include <math.h>

#include "columns/lists.h"

static const struct estimate *estimate_of(const struct subject *subject)
{
    return results_estimate_of(subject->results, subject->result);
}

const void *owner_estimate(const struct subject *subject)
{
    return estimate_of(subject);
}

static struct value get_sectors_per_load(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    if (!estimate) return null_value();
    const struct trace_counts *loads = &estimate->accesses[ACCESS_LOAD];
    return real_value((double)loads->sectors / (double)loads->requests);
}

static struct value get_operand(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? real_value(coalescing_efficiency(&estimate->operands[column->index], estimate->granule))
                    : null_value();
}

static struct value get_all(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? real_value(estimate_efficiency(estimate)) : null_value();
}

static struct value get_limit(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    if (!estimate || isnan(estimate->occupancy)) return null_value();
    return text_value(occupancy_limit_name(estimate->limit));
}

static struct value get_banks(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? integer_value(estimate_bank_conflicts(estimate)) : null_value();
}

static struct value get_atomics(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? integer_value(estimate_atomic_conflicts(estimate)) : null_value();
}

/* The forecast of the caches, if there is one. */
const void *owner_memory(const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate && estimate->memory.there ? &estimate->memory : NULL;
}

/* The sum over the operands. */
static struct value get_memory_sum(const struct column *column, const struct subject *subject)
{
    const char *memory = owner_memory(subject);
    if (!memory) return null_value();
    return integer_value(llround(memory_sum((const double *)(const void *)(memory + column->offset))));
}

static bool is_estimated(const struct subject *subject)
{
    return estimate_of(subject) != NULL;
}

const struct column_part part_estimate = {
    .key = "estimate", .title = "Memory access", .applies = is_estimated};

#define OF(member) COLUMN_STORED(owner_estimate, struct estimate, member)
#define OF_MEMORY(member) COLUMN_WHOLE(owner_memory, struct memory_traffic, member)

const struct column estimate_leading_columns[] = {
    {.key = "estimate.coalescing_efficiency",
     .title = "Coalescing efficiency",
     .unit = "of the bytes moved",
     .role = COLUMN_SHARE,
     .heading = "coalesced",
     .leading = true,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_all,
     .help = "bytes requested by lanes, each once and without padding / (granule x granules touched), over "
             "all requests"},
    {.key = "estimate.lane_utilisation",
     .title = "Lane utilisation",
     .unit = "of 32 lanes",
     .role = COLUMN_SHARE,
     .heading = "lanes",
     .leading = true,
     .largest_first = true,
     OF(lane_utilisation),
     .help = "active lanes that work on no padding / (32 x loads): control divergence, short rows, tails and "
             "padding together"},
    {.key = NULL},
};

const struct column estimate_columns[] = {
    {.key = "estimate.gpu", .title = "Estimated for", OF(gpu), .help = "profile of the GPU of the estimate"},
    {.key = "estimate.granule",
     .title = "Granule",
     .unit = "bytes",
     OF(granule),
     .help = "bytes that a load of this GPU fetches at a time: 32, a sector, or 128, a line"},
    {.key = "estimate.sampled",
     .title = "Warps replayed",
     .unit = "of all",
     .role = COLUMN_SHARE,
     .largest_first = true,
     OF(sampled),
     .help = "share of the warps whose requests were counted; at 1 the counts are exact"},
    {.key = "estimate.sampling_error",
     .title = "Sampling error",
     .unit = "of all sectors",
     .role = COLUMN_SHARE,
     OF(error),
     .help = "half the 95% interval of the number of sectors; null if too few warps were replayed"},
    {.key = "estimate.loads.requests",
     .title = "Load requests",
     OF(accesses[ACCESS_LOAD].requests),
     .help = "load instructions of warps with an active lane, of global memory"},
    {.key = "estimate.loads.sectors",
     .title = "Load sectors",
     .heading = "sectors",
     OF(accesses[ACCESS_LOAD].sectors),
     .help = "distinct blocks of 32 bytes within each load request, over all loads"},
    {.key = "estimate.loads.lines",
     .title = "Load lines",
     OF(accesses[ACCESS_LOAD].lines),
     .help = "distinct blocks of 128 bytes within each load request, over all loads"},
    {.key = "estimate.loads.bytes",
     .title = "Bytes loaded",
     .unit = "bytes",
     OF(accesses[ACCESS_LOAD].bytes),
     .help = "bytes requested by the active lanes of loads"},
    {.key = "estimate.sectors_per_load",
     .title = "Sectors a load",
     .unit = "sectors a request",
     .type = VALUE_REAL,
     .get = get_sectors_per_load,
     .help = "sectors of loads / load requests: 1 to 32"},
    {.key = "estimate.stores.requests",
     .title = "Store requests",
     OF(accesses[ACCESS_STORE].requests),
     .help = "store instructions of warps with an active lane, of global memory"},
    {.key = "estimate.stores.sectors",
     .title = "Store sectors",
     OF(accesses[ACCESS_STORE].sectors),
     .help = "distinct blocks of 32 bytes within each store request, over all stores"},
    {.key = "estimate.reductions.requests",
     .title = "Reduction requests",
     OF(accesses[ACCESS_REDUCTION].requests),
     .help = "atomic instructions of warps with an active lane, of global memory, whose result is not used"},
    {.key = "estimate.reductions.sectors",
     .title = "Reduction sectors",
     OF(accesses[ACCESS_REDUCTION].sectors),
     .help = "blocks of 32 bytes within each reduction request, counted again for each pass over lanes that "
             "update the same element"},
    {.key = "estimate.atomics.requests",
     .title = "Atomic requests",
     OF(accesses[ACCESS_ATOMIC].requests),
     .help = "atomic instructions of warps with an active lane, of global memory, whose result is used"},
    {.key = "estimate.atomics.sectors",
     .title = "Atomic sectors",
     OF(accesses[ACCESS_ATOMIC].sectors),
     .help = "blocks of 32 bytes within each atomic request, counted again for each pass over lanes that "
             "update the same element"},
    {.key = NULL},
};

/* The operands of a product. Shared memory is not one of them: bank conflicts cover its accesses. */
const struct column_instance operands[] = {
    [OPERAND_VALUES] = {.key = "values", .words = "values", .index = OPERAND_VALUES},
    [OPERAND_COLUMNS] = {.key = "columns", .words = "columns", .index = OPERAND_COLUMNS},
    [OPERAND_ROWS] = {.key = "rows", .words = "row indices", .index = OPERAND_ROWS},
    [OPERAND_POINTERS] = {.key = "pointers", .words = "pointers", .index = OPERAND_POINTERS},
    [OPERAND_TABLES] = {.key = "tables", .words = "its own tables", .index = OPERAND_TABLES},
    [OPERAND_X] = {.key = "x", .words = "x", .index = OPERAND_X},
    [OPERAND_Y] = {.key = "y", .words = "y", .index = OPERAND_Y},
    [OPERAND_SHARED] = {.key = NULL},
};

/* These exist for each operand. */
const struct column operand_columns[] = {
    {.key = "estimate.operands.@.coalescing_efficiency",
     .title = "Coalescing of @",
     .unit = "of the bytes moved",
     .role = COLUMN_SHARE,
     .heading = "@",
     .headed = 1u << OPERAND_VALUES | 1u << OPERAND_COLUMNS | 1u << OPERAND_X,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_operand,
     .help = "bytes requested by lanes, each once and without padding / bytes moved in granules: @; null if "
             "not accessed"},
    {.key = NULL},
};

/* The traffic of L2 and of the memory. */
const struct column memory_columns[] = {
    {.key = "estimate.l2.misses",
     .title = "Load sectors that miss L1",
     .type = VALUE_INTEGER,
     .get = get_memory_sum,
     .offset = offsetof(struct memory_traffic, misses),
     .help = "sectors of loads requested from L2, since the L1 of a multiprocessor no longer has them"},
    {.key = "estimate.l2.served",
     .title = "Requests served by L1",
     .unit = "of the requests",
     .role = COLUMN_SHARE,
     .largest_first = true,
     COLUMN_STORED(owner_memory, struct memory_traffic, served),
     .help = "share of the requests that warps wait for of which L1 has all sectors"},
    {.key = "estimate.l2.sectors",
     .title = "Sectors requested from L2",
     .heading = "L2",
     .type = VALUE_INTEGER,
     .get = get_memory_sum,
     .offset = offsetof(struct memory_traffic, sectors),
     .help = "sectors of loads that miss L1, and those of stores, reductions and atomics"},
    {.key = "estimate.l2.stays",
     .title = "Time for which L2 keeps data",
     .unit = "of the product",
     .role = COLUMN_SHARE,
     .largest_first = true,
     COLUMN_STORED(owner_memory, struct memory_traffic, stays),
     .help = "share of a product's time after which L2 has evicted data that was not touched again; 1: all "
             "data of the product stays"},
    {.key = "estimate.dram.reads",
     .title = "Memory reads",
     .unit = "bytes",
     .heading = "DRAM",
     .type = VALUE_INTEGER,
     .get = get_memory_sum,
     .offset = offsetof(struct memory_traffic, reads),
     .help = "bytes read from the GPU's memory for a product that starts with empty caches"},
    {.key = "estimate.dram.writes",
     .title = "Memory writes",
     .unit = "bytes",
     OF_MEMORY(writes),
     .help = "bytes that L2 writes to memory before the end of a product that starts with empty caches"},
    {.key = "estimate.dram.warm_reads",
     .title = "Memory reads if repeated",
     .unit = "bytes",
     .type = VALUE_INTEGER,
     .get = get_memory_sum,
     .offset = offsetof(struct memory_traffic, warm_reads),
     .help = "bytes read from the GPU's memory for a product that repeats the previous one; 0 if all its "
             "data stays in L2"},
    {.key = "estimate.dram.warm_writes",
     .title = "Memory writes if repeated",
     .unit = "bytes",
     OF_MEMORY(warm_writes),
     .help = "bytes that L2 writes to memory during a product that repeats the previous one"},
    {.key = NULL},
};

/* These exist for each operand. */
const struct column memory_operand_columns[] = {
    {.key = "estimate.l2.operands.@",
     .title = "Sectors requested from L2: @",
     OF_MEMORY(sectors[0]),
     .help = "sectors of loads that miss L1, of stores, reductions and atomics: @"},
    {.key = "estimate.l2.loads.@",
     .title = "Load sectors that miss L1: @",
     OF_MEMORY(misses[0]),
     .help = "sectors of loads requested from L2, since the L1 of a multiprocessor no longer has them: @"},
    {.key = "estimate.dram.operands.@",
     .title = "Memory reads: @",
     .unit = "bytes",
     OF_MEMORY(reads[0]),
     .help = "bytes read from the GPU's memory for a product that starts with empty caches: @"},
    {.key = "estimate.dram.warm_operands.@",
     .title = "Memory reads if repeated: @",
     .unit = "bytes",
     OF_MEMORY(warm_reads[0]),
     .help = "bytes read from the GPU's memory for a product that repeats the previous one: @"},
    {.key = NULL},
};

const struct column estimate_later_columns[] = {
    {.key = "estimate.occupancy",
     .title = "Occupancy",
     .unit = "of the maximum",
     .role = COLUMN_SHARE,
     .heading = "occup.",
     .largest_first = true,
     OF(occupancy),
     .help = "resident warps of a multiprocessor in the largest launch / its maximum; 0: not one block fits; "
             "null in a build without nvcc"},
    {.key = "estimate.occupancy_limit",
     .title = "Occupancy bounded by",
     .type = VALUE_TEXT,
     .get = get_limit,
     .help = "the resource that a multiprocessor exhausts first: warps, registers, shared memory or blocks"},
    {.key = "estimate.steps.launches",
     .title = "Launches",
     OF(steps.launches),
     .help = "launches of a product"},
    {.key = "estimate.steps.longest",
     .title = "Longest warp",
     .unit = "requests",
     OF(steps.longest),
     .help =
         "memory loads and atomic operations that the longest replayed warp waits for, summed over launches"},
    {.key = "estimate.steps.longest_hits",
     .title = "Longest warp, L1 hits",
     .unit = "requests",
     OF(steps.longest_hits),
     .help = "of these requests, those served by an L1 that the longest warp has for itself"},
    {.key = "estimate.steps.longest_missed",
     .title = "Longest warp, missed sectors",
     .unit = "sectors",
     OF(steps.longest_missed),
     .help = "sectors of these requests that such an L1 lacks"},
    {.key = "estimate.steps.longest_shared",
     .title = "Longest warp, shared",
     .unit = "requests",
     OF(steps.longest_shared),
     .help = "shared memory requests that the longest replayed warp waits for, summed over launches"},
    {.key = "estimate.steps.hottest",
     .title = "Hottest line of y",
     .unit = "additions",
     OF(steps.hottest),
     .help = "simultaneous atomic additions to the most contended 128-byte line of y, which the GPU performs "
             "one after another; summed over turns of the warps"},
    {.key = "estimate.steps.requests",
     .title = "Requests per warp slot",
     .unit = "requests",
     OF(steps.requests),
     .help = "memory loads and atomic operations that warps wait for / the warps that run at a time, summed "
             "over launches"},
    {.key = "estimate.steps.shared",
     .title = "Shared requests per warp slot",
     .unit = "requests",
     OF(steps.shared),
     .help = "requests of shared memory of all warps / the warps that run at a time, summed over launches"},
    {.key = "estimate.steps.turns",
     .title = "Warps per warp slot",
     .unit = "warps",
     OF(steps.turns),
     .help = "warps, or work items that warps fetch dynamically / the warps that run at a time, summed over "
             "launches"},
    {.key = "estimate.bank_conflicts",
     .title = "Bank conflicts",
     .unit = "passes",
     .type = VALUE_INTEGER,
     .get = get_banks,
     .help = "passes of shared memory beyond the minimum for the bytes requested"},
    {.key = "estimate.atomic_conflicts",
     .title = "Atomic conflicts",
     .unit = "lanes",
     .type = VALUE_INTEGER,
     .get = get_atomics,
     .help = "lanes whose atomic operation hits the same element as that of another lane of the warp"},
    {.key = NULL},
};
