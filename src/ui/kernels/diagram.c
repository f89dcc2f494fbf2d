/* What the diagrams share: labels of speeds, and the lines below them that say which mark is which kernel. */
#include <stdio.h>

#include "ui/kernels/kernels.h"

void kernels_label_speed(struct surface *surface, int y, int x, int wide, double speed)
{
    char label[32];
    snprintf(label, sizeof label, "%.3g", speed * 1e-9);
    surface_text_right(surface, y, x, wide, COLOUR_DIM, 0, "%s", label);
}

void kernels_draw_legend(const struct explorer *explorer, struct surface *surface, struct rect rect,
                         const struct legend *legend)
{
    int room = rect.wide - 2 - surface_columns(legend->said) - legend->gap;
    surface_put(surface, rect.top, rect.left, legend->mark, legend->colour, COLOUR_TEXT, ATTRIBUTE_BOLD);
    surface_text_short(surface, rect.top, rect.left + 2, room, explorer->ascii,
                       legend->chosen ? COLOUR_ACCENT : COLOUR_TEXT, legend->chosen ? ATTRIBUTE_BOLD : 0,
                       legend->name);
    surface_text_right(surface, rect.top, rect.left, rect.wide, COLOUR_TEXT, 0, "%s", legend->said);
    if (legend->chosen) surface_cursor(surface, rect);
}
