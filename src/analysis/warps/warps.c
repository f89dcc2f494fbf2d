#include "analysis/warps/warps.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* The launches of a product. */
struct stages {
    int64_t *before; /* element s is the number of warps in launches before s, s = 0 .. count; owned */
    int64_t count;
};

static enum status list_stages(const struct launch *launch, struct stages *stages, struct error *error)
{
    stages->count = trace_stages(launch);
    stages->before = memory_array((size_t)stages->count + 1, sizeof *stages->before, error);
    if (!stages->before) return STATUS_MEMORY;
    stages->before[0] = 0;
    for (int64_t s = 0; s < stages->count; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        stages->before[s + 1] = stages->before[s] + stage.warps;
    }
    return STATUS_OK;
}

/* Warp number w, counted over all launches. */
static struct warp_at warp_number(const struct stages *stages, int64_t w)
{
    int64_t low = 0, high = stages->count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (stages->before[middle] <= w)
            low = middle;
        else
            high = middle - 1;
    }
    return (struct warp_at){low, w - stages->before[low]};
}

/* The worst warp and a typical one */

/* The sectors and requests that a tracer has counted. */
struct so_far {
    int64_t sectors, requests;
};

static struct so_far count_so_far(const struct tracer *tracer)
{
    struct so_far sum = {0, 0};
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++) {
            sum.sectors += tracer->count[a][o].sectors;
            sum.requests += tracer->count[a][o].requests;
        }
    return sum;
}

/* The longest warp of a block, the first of several: its requests, and its number among the replayed
 * warps. */
struct longest {
    int64_t requests, k;
};

/* The warps to replay: those of blocks 0, stride, 2 stride, ... */
struct look {
    struct stages stages;
    int64_t warps, stride;
    int64_t blocks;          /* number of replayed blocks */
    uint32_t *sectors;       /* for each warp of these its sectors; owned */
    struct longest *longest; /* for each block; owned */
};

/* Return the number of the k-th warp to replay. */
static int64_t look_warp(const struct look *look, int64_t k)
{
    return k / COALESCING_BLOCK * look->stride * COALESCING_BLOCK + k % COALESCING_BLOCK;
}

static void replay_block(const struct launch *launch, const struct look *look, int64_t b,
                         struct tracer *tracer)
{
    struct so_far before = count_so_far(tracer);
    struct longest longest = {0, b * COALESCING_BLOCK};
    for (int64_t k = b * COALESCING_BLOCK; k < (b + 1) * COALESCING_BLOCK; k++) {
        int64_t w = look_warp(look, k);
        look->sectors[k] = 0;
        if (w >= look->warps) continue;
        const struct warp_at at = warp_number(&look->stages, w);
        trace_warp(launch, at.stage, at.warp, tracer);
        const struct so_far now = count_so_far(tracer);
        const int64_t requests = now.requests - before.requests;
        look->sectors[k] = (uint32_t)min(now.sectors - before.sectors, UINT32_MAX);
        if (requests > longest.requests) longest = (struct longest){requests, k};
        before = now;
    }
    look->longest[b] = longest;
}

/* Return element `rank`, counted from 0, of the sorted numbers that are not 0. First the upper halves of all
 * numbers are counted, which gives the upper half of the result. Then the lower halves of the numbers with
 * this upper half are counted. `count` has room for 65537. */
static uint32_t select_rank(const uint32_t *number, int64_t n, int64_t rank, int64_t *count)
{
    uint32_t found = 0;
    for (int half = 1; half >= 0; half--) {
        uint32_t k = 0;
        memset(count, 0, 65537 * sizeof *count);
        for (int64_t e = 0; e < n; e++)
            if (number[e] && (half || number[e] >> 16 == found))
                count[half ? number[e] >> 16 : number[e] & 0xffff]++;
        while (rank >= count[k])
            rank -= count[k++];
        found = half ? k : found << 16 | k;
    }
    return found;
}

/* Return the first warp that moves this number of sectors. */
static struct warp_at first_of(const struct look *look, int64_t n, uint32_t sectors)
{
    int64_t k = 0;
    while (k < n && look->sectors[k] != sectors)
        k++;
    return warp_number(&look->stages, look_warp(look, k));
}

static enum status rank_warps(const struct look *look, struct warp_costs *costs, struct error *error)
{
    int64_t n = look->blocks * COALESCING_BLOCK;
    int64_t *count = memory_array(65537, sizeof *count, error);
    if (!count) return STATUS_MEMORY;
    for (int64_t k = 0; k < n; k++) {
        costs->looked += look_warp(look, k) < look->warps;
        costs->busy += look->sectors[k] > 0;
        costs->max = max(costs->max, look->sectors[k]);
    }
    for (int64_t b = 0; b < look->blocks; b++) {
        if (look->longest[b].requests <= costs->requests) continue;
        costs->requests = look->longest[b].requests;
        costs->longest = warp_number(&look->stages, look_warp(look, look->longest[b].k));
    }
    if (costs->busy) {
        costs->median = select_rank(look->sectors, n, (costs->busy - 1) / 2, count);
        costs->worst = first_of(look, n, (uint32_t)costs->max);
        costs->typical = first_of(look, n, (uint32_t)costs->median);
    }
    free(count);
    return STATUS_OK;
}

static enum status start_look(const struct launch *launch, double share, struct look *look,
                              struct error *error)
{
    if (list_stages(launch, &look->stages, error) != STATUS_OK) return STATUS_MEMORY;
    look->warps = look->stages.before[look->stages.count];
    look->stride = share >= 1 ? 1 : (int64_t)ceil(1 / share);
    int64_t wide = look->stride * COALESCING_BLOCK;
    look->blocks = (look->warps + wide - 1) / wide;
    look->sectors = memory_array((size_t)look->blocks * COALESCING_BLOCK, sizeof *look->sectors, error);
    look->longest = look->sectors ? memory_array((size_t)look->blocks, sizeof *look->longest, error) : NULL;
    return look->longest ? STATUS_OK : STATUS_MEMORY;
}

double warp_costs_times(const struct warp_costs *costs, int64_t sectors)
{
    return share_of((double)sectors, (double)costs->median);
}

enum status warp_costs_find(const struct launch *launch, double share, struct warp_costs *costs,
                            struct progress *progress, struct error *error)
{
    struct look look = {.warps = 0};
    int threads = threads_count();
    *costs = (struct warp_costs){0};
    enum status status = start_look(launch, share, &look, error);
    struct tracer *tracers =
        status == STATUS_OK ? memory_zeroed((size_t)threads, sizeof *tracers, error) : NULL;
    if (!tracers) {
        status = STATUS_MEMORY;
        goto out;
    }
    progress_phase(progress, "looking for the worst warp", look.blocks);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t b = 0; b < look.blocks; b++) {
        if (progress_cancelled(progress)) continue;
        replay_block(launch, &look, b, &tracers[omp_get_thread_num()]);
        progress_add(progress, 1);
    }
    status = progress_status(progress, error);
    costs->warps = look.warps;
    if (status == STATUS_OK) status = rank_warps(&look, costs, error);
out:
    if (status != STATUS_OK) *costs = (struct warp_costs){0};
    free(tracers);
    free(look.longest);
    free(look.sectors);
    free(look.stages.before);
    return status;
}

/* Budgets */

#define SPENT_AT_ONCE 4096 /* requests between two updates of the progress */

static bool is_exhausted(const struct warp_budget *budget)
{
    return budget && budget->exhausted;
}

bool warp_spend(struct warp_budget *budget)
{
    if (!budget) return true;
    if (budget->left <= 0) budget->exhausted = true;
    if (budget->exhausted) return false;
    if (--budget->left % SPENT_AT_ONCE == 0) {
        progress_add(budget->progress, SPENT_AT_ONCE);
        budget->exhausted = progress_cancelled(budget->progress);
    }
    return !budget->exhausted;
}

/* A guard receives a tracer's requests, takes each from the budget, and passes it on. When the budget is
 * exhausted, it leaves the trace by longjmp to way_out. Traces own no memory, so that nothing leaks. */
struct guard {
    struct warp_budget *budget;
    void (*show)(void *context, const struct request *request);
    void *context;
    jmp_buf way_out;
};

static void show_guarded(void *context, const struct request *request)
{
    struct guard *guard = context;
    if (!warp_spend(guard->budget)) longjmp(guard->way_out, 1);
    guard->show(guard->context, request);
}

/* True if the trace ran to its end. The guard belongs to the caller, since variables that a function itself
 * changes between setjmp and longjmp are undefined. */
static bool replay_guarded(struct guard *guard, const struct launch *launch, struct warp_at at,
                           struct tracer *tracer)
{
    if (setjmp(guard->way_out)) return false;
    trace_warp(launch, at.stage, at.warp, tracer);
    return true;
}

bool warp_replay(const struct launch *launch, struct warp_at at, struct warp_budget *budget,
                 struct tracer *tracer)
{
    struct guard guard = {.budget = budget, .show = tracer->show, .context = tracer->context};
    tracer->show = show_guarded;
    tracer->context = &guard;
    bool whole = replay_guarded(&guard, launch, at, tracer);
    tracer->show = guard.show;
    tracer->context = guard.context;
    return whole;
}

/* Rows */

/* Note the minimum and the maximum of the rows of y that a warp writes. */
static void note_rows(void *context, const struct request *request)
{
    struct warp_rows *rows = context;
    if (request->ask->operand != OPERAND_Y) return;
    for (uint32_t rest = request->active; rest; rest &= rest - 1) {
        int64_t row = (int64_t)(request->address[__builtin_ctz(rest)] / (uint64_t)request->ask->size);
        if (rows->first < 0 || row < rows->first) rows->first = row;
        if (row > rows->last) rows->last = row;
    }
}

bool warp_lane_rows(const struct launch *launch, struct warp_at at, int64_t row[TRACE_LANES])
{
    const struct trace *trace = launch->kernel->trace;
    if (!trace->rows) return false;
    trace->rows(launch, at.stage, at.warp, row);
    return true;
}

struct warp_rows warp_rows(const struct launch *launch, struct warp_at at, struct warp_budget *budget)
{
    struct warp_rows rows = {-1, -1};
    int64_t row[TRACE_LANES];
    if (!warp_lane_rows(launch, at, row)) {
        struct tracer tracer = {.show = note_rows, .context = &rows};
        if (!warp_replay(launch, at, budget, &tracer)) rows = (struct warp_rows){-1, -1};
        return rows;
    }
    if (!warp_spend(budget)) return rows;
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        if (row[lane] < 0) continue;
        if (rows.first < 0 || row[lane] < rows.first) rows.first = row[lane];
        if (row[lane] > rows.last) rows.last = row[lane];
    }
    return rows;
}

static bool works_on(const struct launch *launch, struct warp_at at, int64_t row, struct warp_budget *budget)
{
    int64_t lanes[TRACE_LANES];
    if (!warp_spend(budget)) return false;
    if (warp_lane_rows(launch, at, lanes)) {
        for (int lane = 0; lane < TRACE_LANES; lane++)
            if (lanes[lane] == row) return true;
        return false;
    }
    const struct warp_rows rows = warp_rows(launch, at, budget);
    return rows.first >= 0 && rows.first <= row && row <= rows.last;
}

/* The first warp whose last row is `row` or a later one, if rows ascend from warp to warp and warps without
 * rows are the last ones; else any warp. */
static int64_t bisect(const struct launch *launch, int64_t row, int64_t s, int64_t warps,
                      struct warp_budget *budget)
{
    int64_t low = 0, high = warps;
    while (low < high && !is_exhausted(budget)) {
        int64_t middle = low + (high - low) / 2;
        const struct warp_rows rows = warp_rows(launch, (struct warp_at){s, middle}, budget);
        if (rows.first < 0 || rows.last >= row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool search_stage(const struct launch *launch, int64_t row, int64_t s, struct warp_budget *budget,
                         struct warp_at *at)
{
    struct trace_stage stage;
    trace_stage(launch, s, &stage);
    *at = (struct warp_at){s, bisect(launch, row, s, stage.warps, budget)};
    if (at->warp < stage.warps && works_on(launch, *at, row, budget)) return true;
    if (!launch->kernel->trace->rows) return false;
    for (at->warp = 0; at->warp < stage.warps && !is_exhausted(budget); at->warp++)
        if (works_on(launch, *at, row, budget)) return true;
    return false;
}

bool warp_of_row(const struct launch *launch, int64_t row, int64_t stage, struct warp_budget *budget,
                 struct warp_at *at)
{
    int64_t stages = trace_stages(launch);
    struct warp_at found;
    bool there = stage < stages && search_stage(launch, row, stage, budget, &found);
    for (int64_t s = 0; s < stages && !there; s++)
        there = s != stage && search_stage(launch, row, s, budget, &found);
    there &= !is_exhausted(budget);
    if (there) *at = found;
    return there;
}
