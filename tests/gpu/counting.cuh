/* The rules by which a GPU counts the memory accesses of a warp; rules.cu states them in words. */
#ifndef SPARSIGHT_TESTS_GPU_COUNTING_CUH
#define SPARSIGHT_TESTS_GPU_COUNTING_CUH

#include "gpu/patterns.cuh"

#define LINE 128

/* Distinct offset / granule of these lanes. */
static int distinct(const pattern &p, uint32_t lanes, uint32_t granule)
{
    int found = 0;
    for (int lane = 0; lane < WARP; lane++) {
        bool seen = !(lanes >> lane & 1);
        for (int other = 0; other < lane && !seen; other++)
            seen = (lanes >> other & 1) && p.offset[other] / granule == p.offset[lane] / granule;
        found += !seen;
    }
    return found;
}

/* One of four parts of the cache that a line belongs to, by its number: exclusive ors of its bits, as far as
 * they were tried, which is up to 4 MiB. */
static int quarter_of(uint32_t line)
{
    return __builtin_parity(line & 0x7ab5) << 1 | __builtin_parity(line & 0x55da);
}

/* The lanes of a reduction's next turn. It goes to the line of the lowest lane that waits, and takes those of
 * the line but who finds a lower lane waiting for the same word of the line, or of another line of the same
 * part. */
static uint32_t next_turn(const pattern &p, uint32_t waiting)
{
    uint32_t line = p.offset[__builtin_ctz(waiting)] / LINE, out = 0;
    for (int lane = 0; lane < WARP; lane++) {
        if (!(waiting >> lane & 1) || p.offset[lane] / LINE != line) continue;
        bool late = false;
        for (int lower = 0; lower < lane && !late; lower++)
            late = (waiting >> lower & 1) && p.offset[lower] % LINE == p.offset[lane] % LINE &&
                   quarter_of(p.offset[lower] / LINE) == quarter_of(line);
        if (!late) out |= 1u << lane;
    }
    return out;
}

/* The most distinct words that one of the 32 banks has to give to these lanes. */
static int words_of_a_bank(const pattern &p, uint32_t lanes, int size)
{
    uint32_t words[WARP * 4];
    int found = 0, max = 0, of_bank[32] = {};
    for (int lane = 0; lane < WARP; lane++) {
        for (int part = 0; part < (size + 3) / 4 && lanes >> lane & 1; part++) {
            uint32_t word = p.offset[lane] / 4 + static_cast<uint32_t>(part);
            bool seen = false;
            for (int k = 0; k < found && !seen; k++)
                seen = words[k] == word;
            if (seen) continue;
            words[found++] = word;
            int here = ++of_bank[word % 32];
            if (here > max) max = here;
        }
    }
    return max;
}

/* The most lanes that one of the 32 banks has. */
static int lanes_of_a_bank(const pattern &p, uint32_t lanes)
{
    int max = 0, of_bank[32] = {};
    for (int lane = 0; lane < WARP; lane++)
        if (lanes >> lane & 1) {
            int here = ++of_bank[p.offset[lane] / 4 % 32];
            if (here > max) max = here;
        }
    return max;
}

/* Whether lanes l and l ^ apart, if both are active, have one address. */
static bool paired(const pattern &p, uint32_t lanes, int apart)
{
    for (int lane = 0; lane < WARP; lane++) {
        int other = lane ^ apart;
        if ((lanes >> lane & 1) && (lanes >> other & 1) && p.offset[lane] != p.offset[other]) return false;
    }
    return true;
}

/* The number of neighbouring lanes that shared memory serves together. */
static int lanes_together(const pattern &p, uint32_t lanes, int size, bool loads)
{
    if (size <= 4) return WARP;
    int count = WARP * 4 / size;
    return loads && (paired(p, lanes, 1) || paired(p, lanes, 2)) ? 2 * count : count;
}

struct shared_count {
    int wavefronts, conflicts;
};

static shared_count &operator+=(shared_count &sum, shared_count more)
{
    sum.wavefronts += more.wavefronts;
    sum.conflicts += more.conflicts;
    return sum;
}

static shared_count predict_shared(const pattern &p, uint32_t lanes, int size, bool loads)
{
    shared_count out = {};
    int together = lanes_together(p, lanes, size, loads);
    for (int first = 0; first < WARP; first += together) {
        int max = words_of_a_bank(p, lanes & 0xffffffffu >> (WARP - together) << first, size);
        out += {max, max ? max - 1 : 0};
    }
    return out;
}

/* The lanes of `half` whose swap is done: the lowest of each bank, unless the value that it loaded is no
 * longer there, since a lane of the half before has changed it. The lower lane 0 adds 0, and changes nothing.
 */
static uint32_t swapped(const pattern &p, uint32_t half, uint32_t before, int size)
{
    uint32_t out = 0, banks = 0;
    for (int lane = 0; lane < WARP; lane++) {
        uint32_t own = (size == 8 ? 3u : 1u) << p.offset[lane] / 4 % 32;
        if (!(half >> lane & 1) || (banks & own)) continue;
        banks |= own;
        bool stale = false;
        for (int other = 1; other < WARP; other++)
            stale = stale || ((before >> other & 1) && p.offset[other] == p.offset[lane]);
        if (!stale) out |= 1u << lane;
    }
    return out;
}

/* An addition of reals: load, compare and swap, again for those whose swap failed. A swap takes two
 * wavefronts, of 8 bytes two for each half that has lanes. */
static void predict_swaps(const pattern &p, int size, shared_count *loads, shared_count *swaps)
{
    for (uint32_t waiting = p.mask; waiting;) {
        *loads += predict_shared(p, waiting, size, true);
        uint32_t done = 0, halves[2] = {waiting, 0};
        if (size == 8) {
            halves[0] &= 0xffff;
            halves[1] = waiting & ~0xffffu;
        }
        for (uint32_t half : halves) {
            if (half) *swaps += {2, 0};
            done |= swapped(p, half, done, size);
        }
        waiting &= ~done;
    }
}

struct prediction {
    int requests, sectors, lines; /* of global memory */
    shared_count loads, others;   /* of shared memory; others: stores or atomics */
};

static void predict_global(const pattern &p, bool adds, prediction *out)
{
    out->requests += p.mask != 0;
    for (uint32_t waiting = p.mask; waiting;) {
        uint32_t now = adds ? next_turn(p, waiting) : waiting;
        out->sectors += distinct(p, now, 32);
        out->lines += distinct(p, now, LINE);
        waiting &= ~now;
    }
}

#endif
