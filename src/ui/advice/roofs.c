/* The roofline of the candidates: measured and forecast speeds below what the memory of the machine allows.
 */
#include "ui/advice/screen.h"
#include "ui/widgets/roofline.h"

/* The memory of the machine that the advice is for: its read bandwidth where it was measured, else that of
 * the GPU's profile. False if neither is known. */
static bool find_roof(const struct explorer *explorer, const struct advice_screen *screen,
                      const struct advice *advice, struct roofline_roof *roof)
{
    const struct gpu *gpu = &explorer->session->gpu;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct machine *machine = results_machine(candidate->results, candidate->result);
        if (!candidate->measured || !(machine->read > 0)) continue;
        *roof = (struct roofline_roof){machine->name, machine->read, false};
        return true;
    }
    const struct processor *processor = &explorer->session->processor;
    if (advice->place == ADVICE_CPU && screen->foretold && processor->there) {
        *roof = (struct roofline_roof){"", processor->read[1][PROCESSOR_SIZES - 1], false};
        return roof->bandwidth > 0;
    }
    if (advice->place != ADVICE_GPU || !(gpu->pace.read > 0)) return false;
    *roof = (struct roofline_roof){advice->machine, gpu->pace.read, false};
    return true;
}

/* The operations for each byte that must be moved. A kernel that was not run reads its storage and x once and
 * writes y. */
static double intensity_of(const struct advice_candidate *candidate, double flops)
{
    const struct kernel_bytes *bytes = &candidate->result->bytes;
    return flops / (bytes->plus > 0 ? bytes->plus : candidate->memory);
}

void advice_draw_roofline(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                          struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    struct roofline roofline = {.count = 0};
    const struct matrix_case *shown = explorer->session->shown;
    double flops =
        product_flops((double)case_nnz(shown), case_is_complex(shown), product_columns(explorer->product));
    roofline.roof_count = find_roof(explorer, screen, advice, &roofline.roofs[0]);
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct roofline_point point = {.name = candidate->result->name,
                                             .intensity = intensity_of(candidate, flops),
                                             .speed = flops / candidate->seconds,
                                             .roof = roofline.roof_count ? 0 : -1,
                                             .cached = candidate->measured && candidate->result->cached,
                                             .forecast = !candidate->measured,
                                             .item = k};
        if (point.intensity > 0 && point.speed > 0) roofline_add(&roofline, &point);
    }
    for (int k = 0; k < roofline.count; k++)
        if (roofline.points[k].item == screen->cursor) roofline.cursor = k;
    if (roofline.count > 0)
        roofline_draw(&roofline, explorer->ascii, surface, rect);
    else
        surface_text_short(surface, rect.top, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM, 0,
                           "The matrix has no entries.");
}
