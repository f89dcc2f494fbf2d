/* The L1 of a multiprocessor: lines of 128 bytes; each of their four sectors is present or not.
 *
 * NVIDIA states neither the number of lines in a set nor the rule of replacement. Here L1_DRAWN lines of the
 * set are drawn at random, and the least recently used of them is replaced. If all lines were drawn, lines
 * used in turn would always miss as soon as they slightly exceed the set. If one were drawn, frequently used
 * lines would be lost like others. An H200 does neither. L1_DRAWN was chosen by its counters. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_L1_H
#define SPARSIGHT_ANALYSIS_FORECAST_L1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define L1_LINE 128
#define L1_SECTOR 32
#define L1_WAYS 16 /* lines of a set */
#define L1_DRAWN 3 /* number of drawn lines of a set; one is replaced */
#define L1_HINTS 1024

/* Start with l1_make, end with l1_free, which takes {0}. */
struct l1 {
    size_t sets;
    uint64_t *line;   /* the line in each slot, plus 1; 0 if there is none; owned */
    uint64_t *used;   /* the time of each slot's last use; owned */
    uint8_t *sectors; /* bit s: sector s of the line is present; owned */
    uint8_t *marks;   /* of each slot's line, 8 bits of its hash, by which it is found; owned */
    uint8_t *filled;  /* slots of each set that have a line; owned */
    uint32_t *hint;   /* the slot that was last used for a line, by its hash (l1_hint); owned */
    size_t last;      /* the slot that was used last */
    uint64_t now, random;
};

/* Make an empty L1 of this number of bytes. If it is smaller than one set, it keeps nothing.
 * STATUS_MEMORY. */
enum status l1_make(struct l1 *l1, size_t bytes, struct error *error);

/* Empty the L1, as after l1_make. */
void l1_clear(struct l1 *l1);

/* Load sectors of the line in a slot. Returns those that are present. */
static inline unsigned l1_touch(struct l1 *l1, size_t slot, unsigned sectors, bool keep)
{
    const unsigned there = l1->sectors[slot] & sectors;
    if (keep) l1->sectors[slot] |= (uint8_t)sectors;
    l1->used[slot] = ++l1->now;
    l1->last = slot;
    return there;
}

/* A multiplicative hash spreads lines over the sets, so that lines of arrays at round addresses do not
 * collide. The line is numbered from 1 on. */
static inline uint64_t l1_hash(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15);
}

/* Return the hint for lines with this hash: the slot to check before the line is searched for. It is the
 * first slot, or one that was filled since the L1 was emptied. */
static inline uint32_t *l1_hint(const struct l1 *l1, uint64_t hash)
{
    return &l1->hint[hash >> 44 & (L1_HINTS - 1)];
}

/* Load sectors of a line other than the last one, which is numbered from 1 on. For l1_load alone. */
unsigned l1_search(struct l1 *l1, uint64_t line, unsigned sectors, bool keep);

/* Load some sectors of a line: bit s stands for sector s. Returns those that hit. The others are present
 * afterwards, perhaps instead of another line, unless `keep` is false. O(1) if no two lines of a set have the
 * same mark. */
static inline unsigned l1_load(struct l1 *l1, uint64_t line, unsigned sectors, bool keep)
{
    if (l1->sets == 0) return 0;
    /* Successive requests are often of one line. */
    if (l1->line[l1->last] == line + 1) return l1_touch(l1, l1->last, sectors, keep);
    const size_t hint = *l1_hint(l1, l1_hash(line + 1));
    if (l1->line[hint] == line + 1) return l1_touch(l1, hint, sectors, keep);
    return l1_search(l1, line + 1, sectors, keep);
}

void l1_free(struct l1 *l1);

#endif
