/* The windows of a launch before they are replayed: which blocks of which multiprocessors. For windows.c. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_PLAN_H
#define SPARSIGHT_ANALYSIS_FORECAST_WINDOWS_PLAN_H

#include "analysis/forecast/windows.h"

struct stage_plan {
    int64_t stage, blocks; /* units of the stage; multiprocessors get them in turn */
    int64_t warps;         /* warps of a unit */
    int64_t run;           /* consecutive units of one multiprocessor */
    int64_t all_warps;
    int64_t windows; /* number of windows in this stage */
    int resident;    /* units that a multiprocessor runs at a time */
    size_t l1;
};

/* The part of a launch that a window replays. */
struct window_place {
    const struct stage_plan *plan;
    int64_t multiprocessor, first, last; /* units first .. last - 1 of the multiprocessor */
    int64_t step;                        /* the number of multiprocessors that units are dealt to */
};

/* The windows of all stages of a launch. */
struct windows_layout {
    struct stage_plan *plans;
    struct window_place *windows;
    int64_t stages, count;
};

/* Return the number of multiprocessors for a launch of one part of a product: those of the GPU, divided by
 * `times`. */
int64_t windows_multiprocessors(const struct windows_options *options);

/* Plan stage s of a launch, but for its number of windows. */
void windows_plan_stage(const struct launch *launch, const struct windows_options *options, int64_t s,
                        struct stage_plan *plan);

/* Return the number of multiprocessors that the units of a stage are dealt to. */
int64_t windows_dealt(const struct stage_plan *plan, const struct windows_options *options);

/* Plan all stages, and choose their windows. The caller frees both arrays with free(), also after an error.
 * STATUS_MEMORY. */
enum status windows_lay(const struct launch *launch, const struct windows_options *options,
                        struct windows_layout *layout, struct error *error);

#endif
