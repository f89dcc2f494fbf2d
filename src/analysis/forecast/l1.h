/* The L1 of a multiprocessor: lines of 128 bytes; each of their four sectors is present or not.
 *
 * NVIDIA states neither the number of lines in a set nor the rule of replacement. Here L1_DRAWN lines of the
 * set are drawn at random, and the least recently used of them is replaced. If all lines were drawn, lines
 * used in turn would always miss once there are slightly more than fit; if one were drawn, frequently used
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
    size_t last;      /* the slot that was used last */
    uint64_t now, random;
};

/* Make an empty L1 of this number of bytes. If it is smaller than one set, it keeps nothing.
 * STATUS_MEMORY. */
enum status l1_make(struct l1 *l1, size_t bytes, struct error *error);

/* Load sector number `sector`, of line sector / 4. Returns true on a hit. After a miss the sector is present,
 * perhaps instead of another line, unless `keep` is false. O(L1_WAYS). */
bool l1_load(struct l1 *l1, uint64_t sector, bool keep);

void l1_free(struct l1 *l1);

#endif
