/* The roofline of the table's lines: their points, and the machines that these were measured on. */
#include <stdio.h>

#include "base/range.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/roofline.h"

/* Make points of all lines that were timed, and the roofs of their machines. */
static void make_roofline(const struct kernels_screen *screen, struct speeds *speeds)
{
    speeds->count = speeds->left_out = speeds->roof_count = 0;
    for (int k = 0; k < screen->line_count; k++) {
        const struct result *result = screen->lines[k].result;
        if (!result || !(result_intensity(result) > 0 && result_speed(result) > 0)) continue;
        const struct machine *machine =
            kernels_newest_machine(screen, result->choice.kernel->backend->devices);
        struct speed speed = {.speed = result_speed(result),
                              .intensity = result_intensity(result),
                              .roof = machine ? speeds_roof(speeds, machine->name, machine->read) : -1,
                              .cached = result->cached,
                              .item = k};
        snprintf(speed.name, sizeof speed.name, "%s", result->name);
        speeds_add(speeds, &speed);
    }
}

const struct result *kernels_point_result(const struct kernels_screen *screen, const struct run **run)
{
    struct speeds speeds;
    make_roofline(screen, &speeds);
    *run = NULL;
    if (speeds.count == 0) return NULL;
    const struct line *line = &screen->lines[speeds.items[clip_index(screen->point, speeds.count)].item];
    *run = line->run;
    return line->result;
}

static const char nothing[] =
    "No line of the table has a time. {run 2} runs all kernels; each becomes a point here, "
    "over the operations that it does for each byte that must be moved. {plot roofline} goes "
    "back to the table.";

void kernels_draw_roofline(const struct explorer *explorer, struct kernels_screen *screen,
                           struct surface *surface, struct rect rect)
{
    struct speeds speeds;
    make_roofline(screen, &speeds);
    if (speeds.count == 0) {
        kernels_draw_empty(surface, rect, nothing);
        return;
    }
    screen->point = clip_index(screen->point, speeds.count);
    screen->rows = roofline_pane(explorer, &speeds, screen->point, surface, rect);
}
