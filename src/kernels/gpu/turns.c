#include "kernels/gpu/turns.h"

#include <stdbool.h>

#define SECTOR 32
#define LINE 128

/* Return the quarter of the memory that a line belongs to: two bits, each the parity of some bits of the
 * line's number. The array is assumed to begin at a multiple of 4 MiB; the effect of higher bits of the
 * number is unknown. */
static int quarter_of(int64_t line)
{
    return __builtin_parityll((unsigned long long)line & 0x7ab5) |
           __builtin_parityll((unsigned long long)line & 0x55da) << 1;
}

/* For elements that do not descend, lanes of one element are neighbours, and the k-th lanes of all elements
 * of a line share a turn. It therefore suffices to keep, for each k, the last sector and line of the k-th
 * lanes. */
static uint32_t ascending(const int64_t *index, int count, int size, struct trace_counts *sum)
{
    int64_t sector[TRACE_LANES], line[TRACE_LANES];
    uint32_t counted = 0;
    int turns = 0, rank = 0;
    for (int k = 0; k < count; k++) {
        int64_t address = index[k] * size;
        rank = k > 0 && index[k] == index[k - 1] ? rank + 1 : 0;
        if (rank == turns) {
            sector[turns] = line[turns] = -1;
            turns++;
        }
        if (sector[rank] != address / SECTOR) counted |= (uint32_t)1 << k;
        sum->lines += line[rank] != address / LINE;
        sector[rank] = address / SECTOR;
        line[rank] = address / LINE;
    }
    sum->sectors += __builtin_popcount(counted);
    return counted;
}

/* Return true if a lane below k waits for the same offset in lane k's line, or in another line of its
 * quarter. */
static bool held(const int64_t *address, uint32_t waiting, int k)
{
    for (uint32_t rest = waiting & (((uint32_t)1 << k) - 1); rest; rest &= rest - 1) {
        int lower = __builtin_ctz(rest);
        if (address[lower] % LINE == address[k] % LINE &&
            quarter_of(address[lower] / LINE) == quarter_of(address[k] / LINE))
            return true;
    }
    return false;
}

/* Return the lanes that the next turn takes. */
static uint32_t take(const int64_t *address, uint32_t waiting)
{
    const int64_t line = address[__builtin_ctz(waiting)] / LINE;
    uint32_t taken = 0;
    for (uint32_t rest = waiting; rest; rest &= rest - 1) {
        int k = __builtin_ctz(rest);
        if (address[k] / LINE == line && !held(address, waiting, k)) taken |= (uint32_t)1 << k;
    }
    return taken;
}

uint32_t trace_turns(const int64_t *index, int count, int size, struct trace_counts *sum)
{
    int64_t address[TRACE_LANES];
    uint32_t counted = 0;
    bool falls = false;
    for (int k = 0; k < count; k++) {
        address[k] = index[k] * size;
        falls = falls || (k > 0 && index[k] < index[k - 1]);
    }
    if (!falls) return ascending(index, count, size, sum);
    for (uint32_t waiting = lanes_below(count), taken; waiting; waiting &= ~taken) {
        unsigned sectors = 0;
        taken = take(address, waiting);
        for (uint32_t rest = taken; rest; rest &= rest - 1) {
            const int k = __builtin_ctz(rest);
            const unsigned sector = 1u << address[k] % LINE / SECTOR;
            if (!(sectors & sector)) counted |= (uint32_t)1 << k;
            sectors |= sector;
        }
        sum->lines++;
    }
    sum->sectors += __builtin_popcount(counted);
    return counted;
}
