/* The costs of a rank's product. Ranks that share a node share the bandwidth of its memory, and perhaps
 * clocks and cores. So a rank computes slower than its share of the time of one rank alone, or faster if its
 * part fits in caches. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_CROWD_H
#define SPARSIGHT_ANALYSIS_PARTS_CROWD_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/scaling.h"
#include "kernels/prediction.h"
#include "kernels/timing/processor.h"

/* The product of one rank that has its node for itself. {0}: unknown. It owns nothing. */
struct crowd {
    bool host;    /* it runs on processors; the costs of devices are unknown */
    bool by_rows; /* its storage is CSR, so that each row takes time beside its entries */
    const struct processor *processor; /* the profile of the node's processors; NULL: none */
    const struct loop_pace *loop;      /* the pace of the kernel on these processors */
    const struct loop_pace *csr;       /* that of the CSR kernel that multiplies the halo; NULL: unknown */
    double term[BOUNDS];               /* the terms of the product's forecast (analysis/forecast/cpu.h) */
    double bytes;                      /* bytes of the storage, x and y */
    int threads;                       /* threads of the rank */
};

/* The costs of a rank that has one of `parts` equal parts. Of its node, `ranks` = min(parts, network->node)
 * ranks compute.
 *
 * `pace` is its time as a multiple of 1 / parts of the time of the product of one rank alone. By the terms of
 * the product's forecast, with T threads and B bytes for one rank:
 *
 *     crowded     crowd^(log ranks / log node)
 *     arithmetic  in proportion to the entries, times `crowded`
 *     dram, l2    the same bytes at the bandwidth of `ranks` T threads for ranks B / parts bytes together;
 *                 at most memory_crowd^(log ranks / log node) times as long, if that was measured
 *     latency     random loads of `ranks` T threads, times `crowded`
 *
 * The terms are combined as in that forecast. Without a profile, or if it has fewer threads, `pace` is
 * `crowded`; for devices it is 1.
 *
 * `row_entries` is the mean of three costs of a row in entries, weighted by the terms of the forecast.
 * Arithmetic: the time of an empty row / that of one more entry in a long row, by the kernel's pace. Reading
 * in order: the bytes of a row (its offset and y) / those of an entry. Random loads: 0, as entries alone
 * cause them.
 *
 * `row_us` is the time of an empty row, `pack_us` that of one more entry in a long row, both by the CSR
 * kernel and times `crowded`; 0 if they are unknown. */
void crowd_costs(const struct crowd *crowd, const struct network *network, int64_t parts,
                 struct scaling_costs *costs);

#endif
