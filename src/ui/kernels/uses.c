/* The keys of the Kernels screen that help now: first running and choosing; after a run also comparing,
 * drawing and saving. */
#include "ui/kernels/kernels.h"

static enum use use_if(bool helps)
{
    return helps ? USE_SOME : USE_NONE;
}

static bool is_idle(const struct explorer *explorer, const struct kernels_screen *screen)
{
    return case_has_entries(explorer->session->shown) && !kernels_running(screen);
}

enum use kernels_use_run(const struct explorer *explorer, const void *state, int unused)
{
    return is_idle(explorer, state) ? USE_URGENT : USE_NONE;
}

enum use kernels_use_run_more(const struct explorer *explorer, const void *state, int unused)
{
    return use_if(is_idle(explorer, state));
}

enum use kernels_use_table(const struct explorer *explorer, const void *state, int unused)
{
    const struct kernels_screen *screen = state;
    return use_if(screen->mode == MODE_TABLE && screen->line_count > 0);
}

enum use kernels_use_choosing(const struct explorer *explorer, const void *state, int unused)
{
    const struct kernels_screen *screen = state;
    return use_if(screen->mode == MODE_TABLE && is_idle(explorer, screen));
}

enum use kernels_use_filter(const struct explorer *explorer, const void *state, int unused)
{
    const struct kernels_screen *screen = state;
    if (screen->mode != MODE_TABLE) return USE_NONE;
    return screen->filter[0] ? USE_URGENT : use_if(screen->line_count > 0);
}

enum use kernels_use_columns(const struct explorer *explorer, const void *state, int unused)
{
    const struct kernels_screen *screen = state;
    const bool pairs = screen->mode == MODE_MAP && kernels_tuned_run(explorer, screen) &&
                       tune_chart_has_pairs(&screen->chart);
    return use_if(screen->mode == MODE_TABLE || pairs);
}

enum use kernels_use_mode(const struct explorer *explorer, const void *state, int mode)
{
    const struct kernels_screen *screen = state;
    if ((int)screen->mode == mode) return USE_URGENT; /* the key leads back to the table */
    switch (mode) {
    case MODE_CURVES:
        return use_if(kernels_sweep(explorer, screen) != NULL);
    case MODE_MAP:
        return use_if(kernels_tuned_run(explorer, screen) != NULL);
    case MODE_ROOFLINE:
        return screen->timed > 0 ? USE_URGENT : USE_NONE;
    default:
        return explorer->session->shown->runs.count > 1 ? USE_URGENT : USE_NONE;
    }
}

enum use kernels_use_saving(const struct explorer *explorer, const void *state, int unused)
{
    return runs_own(&explorer->session->shown->runs, true) > 0 ? USE_URGENT : USE_NONE;
}

enum use kernels_use_name(const struct explorer *explorer, const void *state, int unused)
{
    return use_if(explorer->session->shown->runs.count > 0);
}
