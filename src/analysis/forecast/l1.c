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

/* Return the first slot of the line's set. A multiplicative hash spreads lines over the sets: lines of arrays
 * at round addresses do not collide. */
static size_t place_of(const struct l1 *l1, uint64_t line)
{
    uint64_t hash = line * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (size_t)(hash * l1->sets >> 32) * L1_WAYS;
}

/* Return the slot with the least recently used line among some drawn slots of the set. The generator is
 * Knuth's MMIX; the upper bits of its numbers are used. */
static size_t victim_of(struct l1 *l1, size_t first)
{
    size_t victim = first;
    for (int k = 0; k < L1_DRAWN; k++) {
        l1->random = l1->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t p = first + (size_t)(l1->random >> 40) % L1_WAYS;
        if (k == 0 || l1->used[p] < l1->used[victim]) victim = p;
    }
    return victim;
}

/* Load a sector of the line in a slot. */
static bool touch(struct l1 *l1, size_t place, uint8_t bit, bool keep)
{
    bool there = l1->sectors[place] & bit;
    if (keep) l1->sectors[place] |= bit;
    l1->used[place] = ++l1->now;
    l1->last = place;
    return there;
}

bool l1_load(struct l1 *l1, uint64_t sector, bool keep)
{
    const uint64_t line = sector / (L1_LINE / L1_SECTOR) + 1;
    const uint8_t bit = (uint8_t)(1u << sector % (L1_LINE / L1_SECTOR));
    if (l1->sets == 0) return false;
    /* Successive sectors are usually of one line. */
    if (l1->line[l1->last] == line) return touch(l1, l1->last, bit, keep);
    /* A set is filled from its end: all slots before an empty one are empty. */
    const size_t first = place_of(l1, line);
    size_t place = first + L1_WAYS - 1;
    while (place > first && l1->line[place] != line && l1->line[place] != 0)
        place--;
    if (l1->line[place] == line) return touch(l1, place, bit, keep);
    if (!keep) return false;
    if (l1->line[place] != 0) place = victim_of(l1, first);
    l1->last = place;
    l1->line[place] = line;
    l1->sectors[place] = bit;
    l1->used[place] = ++l1->now;
    return false;
}

void l1_free(struct l1 *l1)
{
    free(l1->line);
    free(l1->used);
    free(l1->sectors);
    *l1 = (struct l1){0};
}
