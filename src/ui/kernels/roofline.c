/* The roofline of the table's lines: their points, and the machines that these were measured on. */
#include "ui/widgets/roofline.h"
#include "drawing/flow.h"
#include "ui/kernels/kernels.h"

_Static_assert(ROOFLINE_ROOFS >= DEVICES_MAX + 1, "there is a roof for the host and for each device");

static const struct device_type *type_of(const struct result *result)
{
    return result->choice.kernel->backend->devices;
}

/* Return the roof of a type of machines, of which NULL stands for the host; it is added if lines were
 * measured on one. -1 if none was. */
static int roof_of(const struct kernels_screen *screen, const struct device_type *type,
                   struct roofline *roofline, const struct device_type *types[ROOFLINE_ROOFS])
{
    for (int r = 0; r < roofline->roof_count; r++)
        if (types[r] == type) return r;
    const struct machine *machine = kernels_newest_machine(screen, type);
    if (!machine || roofline->roof_count == ROOFLINE_ROOFS) return -1;
    types[roofline->roof_count] = type;
    roofline->roofs[roofline->roof_count] = (struct roofline_roof){machine->name, machine->read, false};
    return roofline->roof_count++;
}

/* Make points of all lines that were timed, and the roofs of their machines. */
static void make_roofline(const struct kernels_screen *screen, struct roofline *roofline)
{
    const struct device_type *types[ROOFLINE_ROOFS];
    *roofline = (struct roofline){.count = 0};
    for (int k = 0; k < screen->line_count; k++) {
        const struct result *result = screen->lines[k].result;
        struct roofline_point point = {.item = k};
        if (!result) continue;
        point.name = result->name;
        point.intensity = result_intensity(result);
        point.speed = result_speed(result);
        point.cached = result->cached;
        if (!(point.intensity > 0 && point.speed > 0)) continue;
        point.roof = roof_of(screen, type_of(result), roofline, types);
        roofline_add(roofline, &point);
    }
    roofline->cursor = screen->point < roofline->count ? screen->point : roofline->count - 1;
}

const struct result *kernels_point_result(const struct kernels_screen *screen, const struct run **run)
{
    struct roofline roofline;
    make_roofline(screen, &roofline);
    *run = NULL;
    if (roofline.count == 0) return NULL;
    const struct line *line = &screen->lines[roofline.points[roofline.cursor].item];
    *run = line->run;
    return line->result;
}

static const char nothing[] =
    "No kernel of the table was timed. {run 2} runs all kernels; each becomes a point here, by its "
    "operations per byte that must be moved. {plot roofline} goes back to the table.";

void kernels_draw_roofline(const struct explorer *explorer, struct kernels_screen *screen,
                           struct surface *surface, struct rect rect)
{
    struct roofline roofline;
    make_roofline(screen, &roofline);
    if (roofline.count == 0) {
        kernels_draw_empty(surface, rect, nothing);
        return;
    }
    screen->point = roofline.cursor;
    roofline_draw(&roofline, explorer->ascii, surface, rect);
    screen->rows = roofline.rows;
}
