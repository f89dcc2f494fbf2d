/* The roofline of the candidates: measured and forecast speeds below what the memory of the machine allows.
 */
#include <stdio.h>

#include "ui/advice/screen.h"
#include "ui/widgets/roofline.h"

/* Return the roof of the machine that the advice is for: its read bandwidth where it was measured, else that
 * of the profile. -1 if neither is known. */
static int find_roof(const struct explorer *explorer, const struct advice_screen *screen,
                     const struct advice *advice, struct speeds *speeds)
{
    const struct processor *processor = &explorer->session->processor;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct machine *machine = results_machine(candidate->results, candidate->result);
        if (candidate->measured && machine->read > 0)
            return speeds_roof(speeds, machine->name, machine->read);
    }
    if (advice->place == ADVICE_CPU && screen->foretold && processor->there)
        return speeds_roof(speeds, "", processor->read[1][PROCESSOR_SIZES - 1]);
    return advice->place == ADVICE_GPU
               ? speeds_roof(speeds, advice->machine, explorer->session->gpu.pace.read)
               : -1;
}

void advice_draw_roofline(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct advice_screen *screen = state;
    const struct advice *advice = advice_shown(screen);
    struct speeds speeds = {.count = 0};
    const struct matrix_case *shown = explorer->session->shown;
    double flops =
        product_flops((double)case_nnz(shown), case_is_complex(shown), product_columns(explorer->product));
    int roof = find_roof(explorer, screen, advice, &speeds), cursor = 0;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        struct speed speed = {.intensity = speeds_intensity(candidate, flops),
                              .speed = flops / candidate->seconds,
                              .roof = roof,
                              .cached = candidate->measured && candidate->result->cached,
                              .forecast = !candidate->measured,
                              .item = k};
        snprintf(speed.name, sizeof speed.name, "%s", candidate->result->name);
        if (speed.intensity > 0) speeds_add(&speeds, &speed);
    }
    for (int k = 0; k < speeds.count; k++)
        if (speeds.items[k].item == screen->cursor) cursor = k;
    if (speeds.count > 0)
        roofline_pane(explorer, &speeds, cursor, surface, rect);
    else
        surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "The matrix has no entries.");
}
