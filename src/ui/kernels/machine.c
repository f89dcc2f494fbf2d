/* The measured bandwidths of machines, for comparison with the speed of kernels. */
#include <stdio.h>

#include "base/text.h"
#include "ui/kernels/kernels.h"

#define GAP 3 /* columns between two machines */

/* On an otherwise idle machine the lowest bandwidth of a run is at least this share of the highest. */
#define DRIFT 0.75

const struct machine *kernels_newest_machine(const struct kernels_screen *screen,
                                             const struct device_type *type)
{
    const struct machine *found = NULL;
    int number = 0;
    for (int k = 0; k < screen->line_count; k++) {
        const struct run *run = screen->lines[k].run;
        const struct machine *machine = run ? machines_of(&run->results.machines, type) : NULL;
        if (!machine || !(machine->read > 0) || (found && run->number <= number)) continue;
        found = machine;
        number = run->number;
    }
    return found;
}

/* Return the type of devices that the kernel under the cursor runs on; NULL stands for the host. */
static const struct device_type *type_in_focus(const struct kernels_screen *screen)
{
    if (screen->cursor >= screen->line_count) return NULL;
    const struct line *line = &screen->lines[screen->cursor];
    const struct kernel *kernel =
        line->result ? line->result->choice.kernel : screen->list.choices[line->choice].kernel;
    return kernel->backend->devices;
}

void kernels_machine_words(const struct machine *machine, char *out, size_t size)
{
    char cache[32], read[32], copy[32];
    out[0] = 0;
    if (!(machine->read > 0)) return;
    format_bytes(cache, sizeof cache, (double)machine->cache);
    format_bandwidth(read, sizeof read, machine->read);
    format_bandwidth(copy, sizeof copy, machine->copy);
    if (machine->name[0])
        snprintf(out, size, "%s: read %s, copy %s, L2 %s", machine->name, read, copy, cache);
    else
        snprintf(out, size, "memory read %s, copy %s by %d thread%s, cache %s", read, copy, machine->threads,
                 machine->threads > 1 ? "s" : "", cache);
}

/* Draw the figures of a machine if all of them fit. Returns the number of columns written. */
static int draw_machine(const struct machine *machine, struct surface *surface, int y, int x, int wide)
{
    char words[256], low[32];
    kernels_machine_words(machine, words, sizeof words);
    int used = surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "%s", words);
    if (machine->read_low >= DRIFT * machine->read || used == 0) return used;
    return used + surface_text_whole(surface, y, x + used, wide - used, COLOUR_WARN, 0,
                                     "; read fell to %s: something else ran",
                                     format_bandwidth(low, sizeof low, machine->read_low));
}

/* The part of a line that is still empty. */
struct rest {
    struct surface *surface;
    int y, x, wide;
};

static void draw_newest(const struct kernels_screen *screen, const struct device_type *type,
                        struct rest *rest)
{
    const struct machine *machine = kernels_newest_machine(screen, type);
    int used = machine ? draw_machine(machine, rest->surface, rest->y, rest->x, rest->wide) : 0;
    rest->x += used ? used + GAP : 0;
    rest->wide -= used ? used + GAP : 0;
}

void kernels_draw_machines(const struct kernels_screen *screen, struct surface *surface, int y, int x,
                           int wide)
{
    const struct device_type *focus = type_in_focus(screen);
    struct rest rest = {surface, y, x, wide};
    draw_newest(screen, focus, &rest);
    if (focus) draw_newest(screen, NULL, &rest);
    for (int t = 0; device_types[t]; t++)
        if (device_types[t] != focus) draw_newest(screen, device_types[t], &rest);
}
