#include "drawing/pixmap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

enum status pixmap_resize(struct pixmap *pixmap, int high, int wide, struct error *error)
{
    size_t count = 0;
    high = high > 0 ? high : 0;
    wide = wide > 0 ? wide : 0;
    size_multiply((size_t)high, (size_t)wide, &count);
    if (count > pixmap->capacity) {
        uint8_t *pixels = memory_resize(pixmap->pixels, count, 1, error);
        if (!pixels) return STATUS_MEMORY;
        pixmap->pixels = pixels;
        pixmap->capacity = count;
    }
    pixmap->high = high;
    pixmap->wide = wide;
    return STATUS_OK;
}

void pixmap_free(struct pixmap *pixmap)
{
    free(pixmap->pixels);
    *pixmap = (struct pixmap){0};
}

/* Clamp *from .. *from + *length - 1 to 0 .. all-1. */
static void hold(int *from, int *length, int all)
{
    int end = *length > all - *from ? all : *from + *length;
    if (*from < 0) *from = 0;
    *length = end > *from ? end - *from : 0;
}

struct rect pixmap_part(const struct pixmap *pixmap, struct rect part)
{
    hold(&part.top, &part.high, pixmap->high);
    hold(&part.left, &part.wide, pixmap->wide);
    return part;
}

static int different(const bool *used, const struct pixmap_colours *colours)
{
    int count = 0;
    for (int c = COLOUR_TEXT + 1; c < COLOUR_COUNT; c++) {
        int k = COLOUR_TEXT + 1;
        while (k < c && !(used[k] && colours->rgb[k] == colours->rgb[c]))
            k++;
        count += used[c] && k == c;
    }
    return count;
}

void pixmap_reduce(const struct pixmap *pixmap, int most, struct pixmap_colours *colours)
{
    bool used[256] = {false};
    size_t count = pixmap ? (size_t)pixmap->high * (size_t)pixmap->wide : 0;
    for (size_t k = 0; k < count; k++)
        used[pixmap->pixels[k]] = true;
    for (int group = 2; group <= DENSITY_LEVELS / 2 && different(used, colours) > most; group *= 2)
        for (int c = COLOUR_DENSITY; c < COLOUR_PART; c++) {
            int level = (c - COLOUR_DENSITY) % DENSITY_LEVELS; /* the highest of a group represents it */
            colours->rgb[c] = colours->rgb[c - level + (level | (group - 1))];
        }
}
