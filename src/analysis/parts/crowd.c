#include "analysis/parts/crowd.h"

#include <math.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "base/range.h"

/* Return the seconds per byte if `threads` threads read in order at the same time. The loop's factor is that
 * of one rank's threads. For a team of all threads it would include that they wait for each other, which the
 * threads of different ranks do not. */
static double ordered(const struct crowd *crowd, int threads, double bytes)
{
    return loop_stream(crowd->loop, crowd->threads, bytes) / processor_read(crowd->processor, threads, bytes);
}

/* The time of computing in a rank's own caches while `ranks` ranks of its node compute, relative to one
 * alone. Each doubling of the ranks costs the same factor: the clocks, and the cores that two processors
 * share, were slower by about that on 2, 4 and 8 ranks of 16 processors
 * (data/measured/scaling-xeon-2026-11-29.tsv). */
static double crowded(const struct network *network, double all, int ranks)
{
    return all > 1 && ranks > 1 ? pow(all, log(ranks) / log(network->node)) : 1;
}

static double pace(const struct crowd *crowd, const struct network *network, int64_t parts, int ranks,
                   double own)
{
    const struct processor *processor = crowd->processor;
    const struct combination combination = cpu_combination();
    const int alone = crowd->threads > 1 ? crowd->threads : 1, all = alone * ranks;
    const double share = 1 / (double)parts;
    double term[BOUNDS];
    if (!processor || !crowd->loop || processor->threads < all) return own;
    const double before = ordered(crowd, alone, crowd->bytes),
                 far = processor_far(processor, alone, crowd->bytes),
                 whole = combination_seconds(&combination, crowd->term);
    if (!(before > 0) || !(whole > 0)) return own;
    double slower = ranks * ordered(crowd, all, ranks * share * crowd->bytes) / before;
    if (network->memory_crowd > 0) slower = fmin(slower, crowded(network, network->memory_crowd, ranks));
    memcpy(term, crowd->term, sizeof term);
    term[BOUND_ARITHMETIC] *= share * own;
    term[BOUND_LONGEST] *= share * own;
    term[BOUND_DRAM] *= share * slower;
    term[BOUND_L2] *= share * slower;
    term[BOUND_LATENCY] *= share * own * (far > 0 ? processor_far(processor, all, crowd->bytes) / far : 1);
    return combination_seconds(&combination, term) / (share * whole);
}

/* Lengths of rows that take as long for each entry as a loop over a list. */
enum { LONG = 64, LONGER = 128 };

/* Return the seconds of one more entry in a long row. */
static double slot_seconds(const struct loop_pace *loop)
{
    return (loop_row(loop, LONGER) - loop_row(loop, LONG)) / (LONGER - LONG);
}

/* Bytes of an entry of CSR and of a row, with its element of y. */
#define ENTRY_BYTES 12.0
#define ROW_BYTES 16.0

/* Return the entries that take as long as a row. */
static double row_entries(const struct crowd *crowd)
{
    const double arithmetic = crowd->term[BOUND_ARITHMETIC],
                 ordered = crowd->term[BOUND_DRAM] + crowd->term[BOUND_L2],
                 all = arithmetic + ordered + crowd->term[BOUND_LATENCY];
    if (!crowd->host || !crowd->by_rows || !crowd->loop || !(all > 0)) return 0;
    const double slot = slot_seconds(crowd->loop), computed = slot > 0 ? loop_row(crowd->loop, 0) / slot : 0;
    return (arithmetic * computed + ordered * ROW_BYTES / ENTRY_BYTES) / all;
}

void crowd_costs(const struct crowd *crowd, const struct network *network, int64_t parts,
                 struct scaling_costs *costs)
{
    const int ranks = (int)min(parts, max(network->node, 1));
    const double own = crowded(network, network->crowd, ranks);
    const struct loop_pace *csr = crowd->csr;
    *costs =
        (struct scaling_costs){.pace = ranks > 1 && crowd->host ? pace(crowd, network, parts, ranks, own) : 1,
                               .row_entries = row_entries(crowd)};
    if (!csr) return;
    costs->row_us = own * 1e6 * loop_row(csr, 0);
    costs->pack_us = own * 1e6 * slot_seconds(csr);
}
