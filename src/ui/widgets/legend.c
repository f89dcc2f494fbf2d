#include "ui/widgets/legend.h"

void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect)
{
    int room = rect.wide - 2 - surface_columns(legend->said) - legend->gap;
    surface_put(surface, rect.top, rect.left, legend->mark, legend->colour, COLOUR_TEXT, ATTRIBUTE_BOLD);
    surface_text_short(surface, rect.top, rect.left + 2, room, ascii,
                       legend->chosen ? COLOUR_ACCENT : COLOUR_TEXT, legend->chosen ? ATTRIBUTE_BOLD : 0,
                       legend->name);
    surface_text_right(surface, rect.top, rect.left, rect.wide, COLOUR_TEXT, 0, "%s", legend->said);
    if (legend->chosen) surface_cursor(surface, rect);
}
