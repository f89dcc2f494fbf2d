#include "kernels/gpu/tell.h"

#define SECTOR_BITS 5
#define HASHES 8 /* words of a set of hashes */

void trace_tell_line(const struct tracer *tracer, const struct ask *ask, int64_t first, int64_t last)
{
    const int shift = SECTOR_BITS - __builtin_ctz((unsigned)ask->size);
    uint64_t sector[TRACE_LANES];
    int count = 0;
    if (ask->operand == OPERAND_SHARED) return;
    if (tracer->stretch) {
        tracer->stretch(tracer->context, ask, (uint64_t)(first >> shift), (uint64_t)(last >> shift));
        return;
    }
    for (int64_t of = first >> shift; of <= last >> shift; of++)
        sector[count++] = (uint64_t)of;
    tracer->sectors(tracer->context, ask, sector, count);
}

/* True if the sector is none of those before it, of which none has more than `most`. `hashes` has a bit for
 * each of them, and mostly shows that. */
static bool is_new(const uint64_t *sector, int count, uint64_t one, uint64_t most, uint64_t hashes[HASHES])
{
    const uint64_t hash = one * UINT64_C(0x9E3779B97F4A7C15) >> 55, bit = (uint64_t)1 << (hash & 63);
    const bool maybe = count > 0 && one <= most && hashes[hash >> 6] & bit;
    hashes[hash >> 6] |= bit;
    for (int k = 0; maybe && k < count; k++)
        if (sector[k] == one) return false;
    return true;
}

/* Write the sectors of the elements of the active lanes, without those that equal the one before;
 * neighbouring lanes often ask for one sector. Returns their number. *falls becomes true if one is lower than
 * the one before. */
static int sectors_of(uint32_t active, const int64_t index[TRACE_LANES], int shift,
                      uint64_t sector[TRACE_LANES], bool *falls)
{
    uint64_t before = UINT64_MAX;
    int count = 0, some = 0;
    if (active == UINT32_MAX) {
        for (int lane = 0; lane < TRACE_LANES; lane++) {
            const uint64_t one = (uint64_t)index[lane] >> shift;
            sector[count] = one;
            count += one != before;
            some += one < before;
            before = one;
        }
    } else {
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            const uint64_t one = (uint64_t)index[__builtin_ctz(rest)] >> shift;
            sector[count] = one;
            count += one != before;
            some += one < before;
            before = one;
        }
    }
    *falls = some > 1; /* the first one is lower than UINT64_MAX */
    return count;
}

void trace_tell_lanes(const struct tracer *tracer, const struct ask *ask, uint32_t active,
                      const int64_t index[TRACE_LANES])
{
    const int shift = SECTOR_BITS - __builtin_ctz((unsigned)ask->size);
    uint64_t sector[TRACE_LANES], most = 0, hashes[HASHES] = {0};
    bool falls;
    if (ask->operand == OPERAND_SHARED) return;
    int count = sectors_of(active, index, shift, sector, &falls);
    if (falls) {
        const int all = count;
        count = 0;
        for (int k = 0; k < all; k++) {
            const uint64_t one = sector[k];
            if (!is_new(sector, count, one, most, hashes)) continue;
            sector[count++] = one;
            most = one > most ? one : most;
        }
    }
    tracer->sectors(tracer->context, ask, sector, count);
}
