#include "analysis/forecast/windows_plan.h"

#include <math.h>

#include "analysis/warps/occupancy.h"
#include "base/memory.h"
#include "base/range.h"

#define KIB 1024
#define REGISTERS 32 /* per thread, if unknown */
#define WINDOWS_MIN 4
#define WINDOWS_MAX 64

size_t windows_l1(const struct gpu *gpu, size_t shared, int blocks)
{
    static const int steps[] = {8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    const size_t need = (shared + gpu->shared_reserved) * (size_t)blocks;
    if (!gpu->l1_shared) return gpu->l1;
    size_t given = gpu->shared;
    for (int k = (int)(sizeof steps / sizeof *steps) - 1; k >= 0; k--) {
        size_t step = (size_t)steps[k] * KIB;
        if (step >= need && step < given && step >= 32 * (size_t)KIB) given = step;
    }
    return gpu->l1 > given ? gpu->l1 - given : 0;
}

int64_t windows_multiprocessors(const struct windows_options *options)
{
    return options->times > 1 ? max(1, llround(options->gpu->multiprocessors / options->times))
                              : options->gpu->multiprocessors;
}

void windows_plan_stage(const struct launch *launch, const struct windows_options *options, int64_t s,
                        struct stage_plan *plan)
{
    const struct gpu *gpu = options->gpu;
    struct trace_stage stage;
    struct trace_resources resources = {.registers = REGISTERS};
    trace_stage(launch, s, &stage);
    trace_resources(launch, &stage, 10 * gpu->major + gpu->minor, &resources);
    const size_t shared = stage.shared + (size_t)resources.shared;
    const struct occupancy occupancy = occupancy_of(gpu, resources.registers, stage.threads, shared);
    const int warps = (stage.threads + TRACE_LANES - 1) / TRACE_LANES, held = (int)max(occupancy.blocks, 1);
    *plan = (struct stage_plan){.stage = s, .all_warps = stage.warps, .run = max(stage.run, 1)};
    if (stage.unit) {
        int64_t blocks = min(held, 1 + (stage.blocks - 1) / windows_multiprocessors(options));
        plan->warps = 1;
        plan->blocks = stage.warps;
        plan->resident = (int)max(blocks * warps, 1);
    } else {
        plan->warps = max(warps, 1);
        plan->blocks = (stage.warps + plan->warps - 1) / plan->warps;
        plan->resident = held;
    }
    plan->l1 = windows_l1(gpu, shared, held);
}

static uint64_t mix(uint64_t z)
{
    z = (z + UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

int64_t windows_dealt(const struct stage_plan *plan, const struct windows_options *options)
{
    return max(1, min(windows_multiprocessors(options), plan->blocks));
}

/* The number of units of a window: three times the resident ones, or all units of a multiprocessor if these
 * are fewer. */
static int64_t units_of(const struct stage_plan *plan, const struct windows_options *options)
{
    return max(1, min(plan->blocks / windows_dealt(plan, options), (int64_t)3 * plan->resident));
}

/* Choose window number k of its stage. If each multiprocessor gets few units, windows have all units of
 * multiprocessors at equal distances. Else the multiprocessor is random, and windows begin at equal distances
 * in its units. */
static void place_window(const struct windows_options *options, int64_t k, struct window_place *window)
{
    const struct stage_plan *plan = window->plan;
    const int64_t all = plan->blocks / windows_dealt(plan, options), units = units_of(plan, options);
    window->step = windows_dealt(plan, options);
    if (all <= units)
        window->multiprocessor = (2 * k + 1) * window->step / (2 * plan->windows);
    else
        window->multiprocessor = (int64_t)(mix(options->seed * 1000 + (uint64_t)k) % (uint64_t)window->step);
    window->first = plan->windows > 1 ? (all - units) * k / (plan->windows - 1) : 0;
    window->last = window->first + units;
    if (window->last == all && window->multiprocessor < plan->blocks % window->step) window->last++;
}

/* Plan the stages, and give each a number of windows by its share of the warps. Returns the total number of
 * windows. */
static int64_t plan_stages(const struct launch *launch, const struct windows_options *options,
                           struct windows_layout *layout)
{
    int64_t warps = 0, count = 0;
    for (int64_t s = 0; s < layout->stages; s++) {
        windows_plan_stage(launch, options, s, &layout->plans[s]);
        warps += layout->plans[s].all_warps;
    }
    for (int64_t s = 0; s < layout->stages; s++) {
        struct stage_plan *plan = &layout->plans[s];
        if (plan->all_warps == 0) continue;
        const double share = (double)plan->all_warps / (double)warps;
        const double warp = (double)options->requests / (double)warps;
        const double window = fmax(1, warp * (double)(plan->warps * units_of(plan, options)));
        const double most = fmin((double)windows_dealt(plan, options), WINDOWS_MAX);
        const double least = share > 0.5 ? WINDOWS_MIN : 1;
        plan->windows = (int64_t)fmin(fmax(share * options->budget / window, least), most);
        count += plan->windows;
    }
    return count;
}

enum status windows_lay(const struct launch *launch, const struct windows_options *options,
                        struct windows_layout *layout, struct error *error)
{
    layout->stages = trace_stages(launch);
    layout->plans = memory_zeroed((size_t)layout->stages, sizeof *layout->plans, error);
    if (!layout->plans) return STATUS_MEMORY;
    layout->count = plan_stages(launch, options, layout);
    layout->windows = memory_zeroed((size_t)layout->count, sizeof *layout->windows, error);
    if (!layout->windows) return STATUS_MEMORY;
    struct window_place *window = layout->windows;
    for (int64_t s = 0; s < layout->stages; s++) {
        for (int64_t k = 0; k < layout->plans[s].windows; k++, window++) {
            window->plan = &layout->plans[s];
            place_window(options, k, window);
        }
    }
    return STATUS_OK;
}
