/* The L1 of a multiprocessor: lines of 128 bytes, of which each of the four sectors is there or not.
 *
 * NVIDIA states neither how many lines a set has nor which one is replaced. Here it is the one that was used
 * least recently of L1_DRAWN lines of the set that are drawn. With all of them drawn, lines that are used in
 * turn would never be met again as soon as they are a few more than fit, and with one drawn, those that are
 * used often would be lost like others; an H200 does neither. L1_DRAWN was chosen by its counters. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_L1_H
#define SPARSIGHT_ANALYSIS_FORECAST_L1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define L1_LINE 128
#define L1_SECTOR 32
#define L1_WAYS 16 /* lines of a set */
#define L1_DRAWN 3 /* lines of a set of which one is replaced */

/* Start with l1_make, end with l1_free, which takes {0}. */
struct l1 {
    size_t sets;
    uint64_t *line;   /* the line in each place, plus 1; 0 if there is none; owned */
    uint64_t *used;   /* when each place was used last; owned */
    uint8_t *sectors; /* bit s says that sector s of the line is there; owned */
    size_t last;      /* the place that was used last */
    uint64_t now, random;
};

/* Make an empty L1 of so many bytes. With less than a set's worth of lines nothing is kept. STATUS_MEMORY. */
enum status l1_make(struct l1 *l1, size_t bytes, struct error *error);

/* Load sector number `sector`, which lies in line sector / 4. Returns true if it was there. If not, it is
 * there from now on, if need be in the place of another line, unless `keep` is false. O(L1_WAYS). */
bool l1_load(struct l1 *l1, uint64_t sector, bool keep);

void l1_free(struct l1 *l1);

#endif
