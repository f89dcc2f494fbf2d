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

/* Start with l1_make, end with l1_free, which takes {0}. */
struct l1 {
    size_t sets;
    uint64_t *line;   /* the line in each slot, plus 1; 0 if there is none; owned */
    uint64_t *used;   /* the time of each slot's last use; owned */
    uint8_t *sectors; /* bit s: sector s of the line is present; owned */
    uint8_t *marks;   /* of each slot's line, 8 bits of its hash, by which it is found; owned */
    uint8_t *filled;  /* slots of each set that have a line; owned */
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
    return l1_search(l1, line + 1, sectors, keep);
}

void l1_free(struct l1 *l1);

#endif
