#include "analysis/forecast/l1.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BIG_ENDIAN_BYTES (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

enum status l1_make(struct l1 *l1, size_t bytes, struct error *error)
{
    *l1 = (struct l1){.sets = bytes / (L1_LINE * L1_WAYS)};
    size_t places = l1->sets * L1_WAYS;
    l1->line = memory_zeroed(places, sizeof *l1->line, error);
    l1->used = memory_zeroed(places, sizeof *l1->used, error);
    l1->sectors = memory_zeroed(places, sizeof *l1->sectors, error);
    l1->marks = memory_zeroed(places, sizeof *l1->marks, error);
    l1->filled = memory_zeroed(l1->sets, sizeof *l1->filled, error);
    l1->hint = memory_zeroed(L1_HINTS, sizeof *l1->hint, error);
    if (l1->line && l1->used && l1->sectors && l1->marks && l1->filled && l1->hint) return STATUS_OK;
    l1_free(l1);
    return STATUS_MEMORY;
}

/* Empty slots may keep old lines, except the first one: `last` and all hints refer to it now. */
void l1_clear(struct l1 *l1)
{
    if (l1->sets == 0) return;
    memset(l1->filled, 0, l1->sets);
    memset(l1->hint, 0, L1_HINTS * sizeof *l1->hint);
    l1->line[0] = 0;
    l1->last = 0;
    l1->now = l1->random = 0;
}

/* The set depends on the upper 32 bits of the hash, and its lowest bits are poorly mixed. So the mark is bits
 * 24 to 31. */
static uint8_t mark_of(uint64_t hash)
{
    return (uint8_t)(hash >> 24);
}

/* Return a word with the highest bit set in each byte whose slot, of eight, has this mark. Other bytes may
 * have it set too. A byte of `same` is 0 where the marks are equal. Subtracting 1 from such a byte sets its
 * highest bit (Warren, Hacker's Delight, section 6-1). */
static uint64_t slots_with(const uint8_t marks[8], uint8_t mark)
{
    uint64_t same;
    memcpy(&same, marks, sizeof same);
    same ^= mark * UINT64_C(0x0101010101010101);
    return (same - UINT64_C(0x0101010101010101)) & ~same & UINT64_C(0x8080808080808080);
}

/* Return the slot of the line among eight from `first` on; -1 if it is not there. Slots below `from` are
 * empty. */
static int64_t find(const struct l1 *l1, size_t first, size_t from, uint64_t line, uint8_t mark)
{
    for (uint64_t rest = slots_with(l1->marks + first, mark); rest; rest &= rest - 1) {
        const size_t byte = (size_t)__builtin_ctzll(rest) / 8,
                     slot = first + (BIG_ENDIAN_BYTES ? 7 - byte : byte);
        if (l1->line[slot] == line && slot >= from) return (int64_t)slot;
    }
    return -1;
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

unsigned l1_search(struct l1 *l1, uint64_t line, unsigned sectors, bool keep)
{
    const uint64_t hash = l1_hash(line);
    const size_t set = (size_t)((hash >> 32) * l1->sets >> 32), first = set * L1_WAYS;
    const size_t from = first + L1_WAYS - l1->filled[set]; /* a set is filled from its end */
    const uint8_t mark = mark_of(hash);
    int64_t there = find(l1, first + L1_WAYS / 2, from, line, mark);
    if (there < 0 && from < first + L1_WAYS / 2) there = find(l1, first, from, line, mark);
    if (there >= 0) *l1_hint(l1, hash) = (uint32_t)there;
    if (there >= 0) return l1_touch(l1, (size_t)there, sectors, keep);
    if (!keep) return 0;
    const size_t slot = from > first ? from - 1 : victim_of(l1, first);
    l1->filled[set] += from > first;
    l1->last = slot;
    *l1_hint(l1, hash) = (uint32_t)slot;
    l1->line[slot] = line;
    l1->marks[slot] = mark;
    l1->sectors[slot] = (uint8_t)sectors;
    l1->used[slot] = ++l1->now;
    return 0;
}

void l1_free(struct l1 *l1)
{
    free(l1->line);
    free(l1->used);
    free(l1->sectors);
    free(l1->marks);
    free(l1->filled);
    free(l1->hint);
    *l1 = (struct l1){0};
}
