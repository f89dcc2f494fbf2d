#include "analysis/forecast/l1.h"

#include <stdlib.h>

#include "base/memory.h"

enum status l1_make(struct l1 *l1, size_t bytes, struct error *error)
{
    *l1 = (struct l1){.sets = bytes / (L1_LINE * L1_WAYS)};
    size_t places = l1->sets * L1_WAYS;
    l1->line = memory_zeroed(places, sizeof *l1->line, error);
    l1->used = memory_zeroed(places, sizeof *l1->used, error);
    l1->sectors = memory_zeroed(places, sizeof *l1->sectors, error);
    if (l1->line && l1->used && l1->sectors) return STATUS_OK;
    l1_free(l1);
    return STATUS_MEMORY;
}

/* Return the first place of the line's set. Lines are spread over the sets by a multiplicative hash, so that
 * those of arrays that begin at round addresses do not meet. */
static size_t place_of(const struct l1 *l1, uint64_t line)
{
    uint64_t hash = line * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (size_t)(hash * l1->sets >> 32) * L1_WAYS;
}

bool l1_load(struct l1 *l1, uint64_t sector, bool keep)
{
    const uint64_t line = sector / 4 + 1;
    const uint8_t bit = (uint8_t)(1u << sector % 4);
    if (l1->sets == 0) return false;
    size_t first = place_of(l1, line), oldest = first;
    for (size_t p = first; p < first + L1_WAYS; p++) {
        if (l1->line[p] == line) {
            bool there = l1->sectors[p] & bit;
            if (keep) l1->sectors[p] |= bit;
            l1->used[p] = ++l1->now;
            return there;
        }
        if (l1->used[p] < l1->used[oldest]) oldest = p;
    }
    if (!keep) return false;
    l1->line[oldest] = line;
    l1->sectors[oldest] = bit;
    l1->used[oldest] = ++l1->now;
    return false;
}

void l1_free(struct l1 *l1)
{
    free(l1->line);
    free(l1->used);
    free(l1->sectors);
    *l1 = (struct l1){0};
}
