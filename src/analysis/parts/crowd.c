#include "analysis/parts/crowd.h"

#include <string.h>

#include "analysis/forecast/cpu.h"

/* Return the seconds per byte if `threads` threads read in order at the same time. The loop's factor is that
 * of one rank's threads. For a team of all threads it would include that they wait for each other, which the
 * threads of different ranks do not. */
static double ordered(const struct crowd *crowd, int threads, double bytes)
{
    return loop_stream(crowd->loop, crowd->threads, bytes) / processor_read(crowd->processor, threads, bytes);
}

double crowd_pace(const struct crowd *crowd, int64_t parts, int ranks)
{
    const struct processor *processor = crowd->processor;
    const struct combination combination = cpu_combination();
    const int alone = crowd->threads > 1 ? crowd->threads : 1, all = alone * ranks;
    const double share = 1 / (double)parts;
    double term[BOUNDS];
    if (!processor || !crowd->loop || parts <= 1 || processor->threads < all) return 1;
    const double before = ordered(crowd, alone, crowd->bytes),
                 far = processor_far(processor, alone, crowd->bytes),
                 whole = combination_seconds(&combination, crowd->term);
    if (!(before > 0) || !(whole > 0)) return 1;
    const double slower = ranks * ordered(crowd, all, ranks * share * crowd->bytes) / before;
    memcpy(term, crowd->term, sizeof term);
    term[BOUND_ARITHMETIC] *= share;
    term[BOUND_LONGEST] *= share;
    term[BOUND_DRAM] *= share * slower;
    term[BOUND_L2] *= share * slower;
    term[BOUND_LATENCY] *= share * (far > 0 ? processor_far(processor, all, crowd->bytes) / far : 1);
    return combination_seconds(&combination, term) / (share * whole);
}
