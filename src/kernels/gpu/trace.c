#include "kernels/gpu/trace.h"

#include <string.h>

#include "base/wide.h"
#include "kernels/gpu/tell.h"
#include "kernels/gpu/turns.h"
#include "kernels/kernel.h"

#define SECTOR_BITS 5
#define LINE_BITS 7
#define NEAR_LINES 256 /* elements within this number of lines are counted in a map of these lines */
#define BANK_BYTES 4
#define BANKS 32
#define MET 128 /* slots of the table for at most 32 blocks, so that collisions are rare */

const char *const operand_names[OPERANDS] = {
    [OPERAND_VALUES] = "values", [OPERAND_COLUMNS] = "columns",
    [OPERAND_ROWS] = "rows",     [OPERAND_POINTERS] = "pointers",
    [OPERAND_TABLES] = "tables", [OPERAND_X] = "x",
    [OPERAND_Y] = "y",           [OPERAND_SHARED] = "shared",
};

const char *const access_names[ACCESSES] = {
    [ACCESS_LOAD] = "load",
    [ACCESS_STORE] = "store",
    [ACCESS_REDUCTION] = "reduction",
    [ACCESS_ATOMIC] = "atomic",
};

/* Return true if this is the block's first access in this request. The table is a hash table with linear
 * probing; a slot is empty unless its stamp is `now`, so that a new request need not clear it. */
static int meet(struct tracer *tracer, uint64_t block)
{
    uint64_t *stamp = tracer->stamp, *met = tracer->met;
    unsigned k = (unsigned)(block * UINT64_C(0x9E3779B97F4A7C15) >> 57);
    while (stamp[k] == tracer->now) {
        if (met[k] == block) return 0;
        k = (k + 1) % MET;
    }
    stamp[k] = tracer->now;
    met[k] = block;
    return 1;
}

/* Return the number of distinct values of index >> shift. */
static int distinct(struct tracer *tracer, const int64_t *index, int count, int shift)
{
    int found = 0;
    tracer->now++;
    for (int k = 0; k < count; k++)
        found += meet(tracer, (uint64_t)(index[k] >> shift));
    return found;
}

/* The number of changes of the element, the sector and the line from one index to the next, and whether an
 * index is lower than the one before. An element of 2^bits bytes is in sector index >> (5 - bits) and in line
 * index >> (7 - bits). */
struct steps {
    int64_t elements, sectors, lines, falls;
};

WIDE static struct steps steps_of(const int64_t *index, int count, int sector, int line)
{
    struct steps steps = {0, 0, 0, 0};
    for (int k = 1; k < count; k++) {
        steps.falls |= index[k] < index[k - 1];
        steps.elements += index[k] != index[k - 1];
        steps.sectors += index[k] >> sector != index[k - 1] >> sector;
        steps.lines += index[k] >> line != index[k - 1] >> line;
    }
    return steps;
}

/* The minimum and the maximum of the indices. */
struct range {
    int64_t low, high;
};

WIDE static struct range range_of(const int64_t *index, int count)
{
    struct range range = {index[0], index[0]};
    for (int k = 1; k < count; k++) {
        range.low = index[k] < range.low ? index[k] : range.low;
        range.high = index[k] > range.high ? index[k] : range.high;
    }
    return range;
}

/* Let each bit be 1 if it or any of the following 2^bits - 1 is, where that holds for 2^from - 1 already. */
static inline uint64_t fold(uint64_t some, int from, int bits)
{
    for (int b = from; b < bits; b++)
        some |= some >> (1 << b);
    return some;
}

/* Count the bits of a map, and its groups of 2^sector and of 2^line bits with any. */
static inline struct steps count_bits(const uint64_t *map, int words, int sector, int line)
{
    const uint64_t sectors = UINT64_MAX / (((uint64_t)1 << (1 << sector)) - 1);
    const uint64_t lines = UINT64_MAX / (((uint64_t)1 << (1 << line)) - 1);
    struct steps found = {0, 0, 0, 0};
    for (int k = 0; k < words; k++) {
        const uint64_t some = fold(map[k], 0, sector);
        found.elements += __builtin_popcountll(map[k]);
        found.sectors += __builtin_popcountll(some & sectors);
        found.lines += __builtin_popcountll(fold(some, sector, line) & lines);
    }
    return found;
}

/* Count the elements, sectors and lines of indices in any order that lie within `wide` lines from line
 * `first` on. Each element is a bit of a map, whose words have whole lines. */
WIDE static struct steps near_of(const int64_t *index, int count, int bits, int64_t first, int wide)
{
    const int line = LINE_BITS - bits, words = ((wide << line) + 63) / 64;
    const int64_t start = first << line;
    uint64_t map[NEAR_LINES];
    memset(map, 0, (size_t)words * sizeof *map);
    for (int k = 0; k < count; k++)
        map[(index[k] - start) >> 6] |= (uint64_t)1 << ((index[k] - start) & 63);
    /* The compiler then knows the shifts. */
    return bits == 2   ? count_bits(map, words, SECTOR_BITS - 2, LINE_BITS - 2)
           : bits == 3 ? count_bits(map, words, SECTOR_BITS - 3, LINE_BITS - 3)
                       : count_bits(map, words, SECTOR_BITS - bits, line);
}

/* Count the elements, sectors and lines of indices in any order. Each is looked up by its line in the table,
 * which keeps a bit for each element of a line. Only the branch of the search depends on the indices. */
static struct steps scattered_of(struct tracer *tracer, const int64_t *index, int count, int sector, int line)
{
    const int64_t within = ((int64_t)1 << line) - 1;
    const uint64_t of_sector = ((uint64_t)1 << (1 << sector)) - 1;
    uint64_t *stamp = tracer->stamp, *met = tracer->met, *seen = tracer->seen;
    struct steps found = {0, 0, 0, 0};
    tracer->now++;
    for (int k = 0; k < count; k++) {
        int64_t place = index[k] & within;
        uint64_t block = (uint64_t)(index[k] >> line), bit = (uint64_t)1 << place;
        uint64_t beside = of_sector << (place >> sector << sector);
        unsigned p = (unsigned)(block * UINT64_C(0x9E3779B97F4A7C15) >> 57);
        while (stamp[p] == tracer->now && met[p] != block)
            p = (p + 1) % MET;
        int fresh = stamp[p] != tracer->now;
        uint64_t before = fresh ? 0 : seen[p];
        stamp[p] = tracer->now;
        met[p] = block;
        seen[p] = before | bit;
        found.lines += fresh;
        found.sectors += !(before & beside);
        found.elements += !(before & bit);
    }
    return found;
}

/* Count the distinct elements of 2^bits bytes, and the sectors and lines that they lie in. If they ascend, as
 * they mostly do, no element recurs, so that their number is that of the changes plus one. Elements of less
 * than 4 bytes are too many for the bits of a line, and are counted as separate blocks. */
static struct steps blocks_of(struct tracer *tracer, const int64_t *index, int count, int bits)
{
    const int sector = SECTOR_BITS - bits, line = LINE_BITS - bits;
    struct steps found = steps_of(index, count, sector, line);
    if (!found.falls) {
        found.elements++;
        found.sectors++;
        found.lines++;
        return found;
    }
    if (bits < 2) {
        found.elements = distinct(tracer, index, count, 0);
        found.sectors = distinct(tracer, index, count, sector);
        found.lines = distinct(tracer, index, count, line);
        return found;
    }
    const struct range range = range_of(index, count);
    const int64_t first = range.low >> line, wide = (range.high >> line) - first + 1;
    if (wide <= NEAR_LINES) return near_of(index, count, bits, first, (int)wide);
    return scattered_of(tracer, index, count, sector, line);
}

/* Count a load or a store of memory. `each` are the elements of all active lanes, in their order. */
static void count_moved(struct tracer *tracer, struct trace_counts *sum, const struct ask *ask,
                        uint32_t active, const int64_t *each, int count)
{
    const int bits = __builtin_ctz((unsigned)ask->size);
    struct steps found = blocks_of(tracer, each, count, bits);
    sum->sectors += found.sectors;
    sum->lines += found.lines;
    if (active & tracer->padding) {
        int64_t some[TRACE_LANES];
        int live = 0, k = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1, k++)
            if (!(tracer->padding >> __builtin_ctz(rest) & 1)) some[live++] = each[k];
        found.elements = live ? blocks_of(tracer, some, live, bits).elements : 0;
    }
    sum->useful += found.elements * ask->size;
}

/* Return the passes of lanes that are served together: the maximum over the banks of the distinct words of a
 * bank. */
static int passes(struct tracer *tracer, const int64_t *index, int count, int size)
{
    int load[BANKS] = {0}, max = 0;
    tracer->now++;
    for (int k = 0; k < count; k++) {
        for (int byte = 0; byte < (size < BANK_BYTES ? BANK_BYTES : size); byte += BANK_BYTES) {
            uint64_t word = (uint64_t)(index[k] * size + byte) / BANK_BYTES;
            if (meet(tracer, word) && ++load[word % BANKS] > max) max = load[word % BANKS];
        }
    }
    return max;
}

/* Return true if in each pair of lanes l and l xor distance, both have the same element or one is
 * inactive. */
static bool paired(uint32_t active, const int64_t *index, int distance)
{
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest), other = lane ^ distance;
        if (active >> other & 1 && index[lane] != index[other]) return false;
    }
    return true;
}

/* Return the number of lanes served together: all with up to 4 bytes a lane, half of them with 8, a quarter
 * with 16; and twice as many for a load in which pairs of lanes have the same element. */
static int served_together(const struct ask *ask, uint32_t active, const int64_t *index)
{
    if (ask->size <= BANK_BYTES) return TRACE_LANES;
    int lanes = TRACE_LANES * BANK_BYTES / ask->size;
    bool twice = ask->access == ACCESS_LOAD && (paired(active, index, 1) || paired(active, index, 2));
    return twice ? 2 * lanes : lanes;
}

/* Return true if the elements of all active lanes lie within the bytes of one pass over all banks: then no
 * two different ones lie in the same bank. *low becomes the minimum of the elements. */
static bool within_banks(uint32_t active, const int64_t *index, int size, int64_t *low)
{
    int64_t max = INT64_MIN;
    *low = INT64_MAX;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int64_t element = index[__builtin_ctz(rest)];
        if (element < *low) *low = element;
        if (element > max) max = element;
    }
    if (size < BANK_BYTES) return max * size / BANK_BYTES - *low * size / BANK_BYTES < BANKS;
    return max - *low < BANKS * BANK_BYTES / size;
}

/* Count the conflicts of a request of shared memory. */
static void count_banks(struct tracer *tracer, struct trace_counts *sum, const struct ask *ask,
                        uint32_t active, const int64_t *index)
{
    int64_t low;
    if (within_banks(active, index, ask->size, &low)) return;
    int together = served_together(ask, active, index);
    for (int first = 0; first < TRACE_LANES; first += together) {
        int64_t served[TRACE_LANES];
        int count = 0;
        for (int lane = first; lane < first + together; lane++)
            if (active >> lane & 1) served[count++] = index[lane];
        if (count) sum->conflicts += passes(tracer, served, count, ask->size) - 1;
    }
}

static void show(struct tracer *tracer, const struct ask *ask, uint32_t active, const int64_t *index)
{
    uint64_t address[TRACE_LANES];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        address[lane] = (uint64_t)index[lane] * (uint64_t)ask->size;
    }
    const struct request request = {ask, active, active & tracer->padding, address};
    tracer->show(tracer->context, &request);
}

static bool waits_for(const struct ask *ask)
{
    return (ask->access == ACCESS_LOAD || ask->access == ACCESS_ATOMIC) && ask->operand != OPERAND_SHARED &&
           !ask->copied;
}

void trace_wait(struct tracer *tracer)
{
    tracer->waits++;
}

/* Begin a request with this number of active lanes, of which `padding` work on padding. */
static struct trace_counts *begin(struct tracer *tracer, const struct ask *ask, int lanes, int padding)
{
    struct trace_counts *sum = &tracer->count[ask->access][ask->operand];
    sum->requests++;
    tracer->waits += waits_for(ask);
    sum->lanes += lanes;
    sum->padding += padding;
    sum->bytes += (int64_t)lanes * ask->size;
    return sum;
}

/* Return the number of active lanes that work on padding. */
static int padding_of(const struct tracer *tracer, uint32_t active)
{
    return tracer->padding ? __builtin_popcount(active & tracer->padding) : 0;
}

static bool atomic(const struct ask *ask)
{
    return ask->access == ACCESS_REDUCTION || ask->access == ACCESS_ATOMIC;
}

/* Note the number of turns that add to a sector of the element's line. */
static void note_line(const struct tracer *tracer, const struct ask *ask, int64_t element, int turns)
{
    if (!tracer->lines || ask->operand != OPERAND_Y) return;
    uint32_t *line = &tracer->lines[element * ask->size >> LINE_BITS];
#pragma omp atomic
    *line += (uint32_t)turns;
}

void trace_index(struct tracer *tracer, const struct ask *ask, uint32_t active,
                 const int64_t index[TRACE_LANES])
{
    int64_t some[TRACE_LANES];
    const int64_t *each = index;
    int count = TRACE_LANES;
    if (!active) return;
    if (tracer->sectors) {
        trace_tell_lanes(tracer, ask, active, index);
        return;
    }
    if (active != UINT32_MAX) {
        count = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1)
            some[count++] = index[__builtin_ctz(rest)];
        each = some;
    }
    const int padding = padding_of(tracer, active);
    struct trace_counts *sum = begin(tracer, ask, count, padding);
    if (ask->operand == OPERAND_SHARED) {
        if (!atomic(ask)) count_banks(tracer, sum, ask, active, index);
    } else if (atomic(ask)) {
        const uint32_t counted = trace_turns(each, count, ask->size, sum);
        sum->conflicts += count - distinct(tracer, each, count, 0);
        sum->useful += (int64_t)(count - padding) * ask->size;
        for (uint32_t rest = counted; rest; rest &= rest - 1)
            note_line(tracer, ask, each[__builtin_ctz(rest)], 1);
    } else {
        count_moved(tracer, sum, ask, active, each, count);
    }
    if (tracer->show) show(tracer, ask, active, index);
}

void trace_line(struct tracer *tracer, const struct ask *ask, int first, int count, int64_t element)
{
    if (count <= 0) return;
    if (tracer->sectors) {
        trace_tell_line(tracer, ask, element, element + count - 1);
        return;
    }
    const int padding = padding_of(tracer, lanes_below(count) << first);
    struct trace_counts *sum = begin(tracer, ask, count, padding);
    if (ask->operand != OPERAND_SHARED) {
        const int bits = __builtin_ctz((unsigned)ask->size);
        const int sector = SECTOR_BITS - bits, line = LINE_BITS - bits;
        int64_t last = element + count - 1;
        sum->sectors += (last >> sector) - (element >> sector) + 1;
        sum->lines += (last >> line) - (element >> line) + 1;
        sum->useful += (int64_t)(count - padding) * ask->size;
        for (int k = 0; k < count && atomic(ask); k++)
            if (k == 0 || (element + k) >> sector != (element + k - 1) >> sector)
                note_line(tracer, ask, element + k, 1);
    }
    if (!tracer->show) return;
    int64_t index[TRACE_LANES];
    for (int k = 0; k < count; k++)
        index[first + k] = element + k;
    show(tracer, ask, lanes_below(count) << first, index);
}

void trace_stride(struct tracer *tracer, const struct ask *ask, int count, int64_t element, int64_t stride)
{
    int64_t index[TRACE_LANES];
    if (count <= 0) return;
    if (!tracer->show && !tracer->sectors && !atomic(ask) && ask->operand != OPERAND_SHARED &&
        stride >= (1 << LINE_BITS) / ask->size) {
        const int padding = padding_of(tracer, lanes_below(count));
        struct trace_counts *sum = begin(tracer, ask, count, padding);
        sum->sectors += count;
        sum->lines += count;
        sum->useful += (int64_t)(count - padding) * ask->size;
        return;
    }
    for (int lane = 0; lane < count; lane++)
        index[lane] = element + lane * stride;
    trace_index(tracer, ask, lanes_below(count), index);
}

void trace_groups(struct tracer *tracer, const struct ask *ask, int groups, int wide, int each,
                  int64_t element)
{
    if (groups <= 0) return;
    if (tracer->sectors) {
        trace_tell_line(tracer, ask, element, element + groups - 1);
        return;
    }
    const int bits = __builtin_ctz((unsigned)ask->size);
    const int64_t last = element + groups - 1;
    struct trace_counts *sum = begin(tracer, ask, groups * each, 0);
    sum->useful += (int64_t)groups * ask->size;
    sum->sectors += (last >> (SECTOR_BITS - bits)) - (element >> (SECTOR_BITS - bits)) + 1;
    sum->lines += (last >> (LINE_BITS - bits)) - (element >> (LINE_BITS - bits)) + 1;
    if (!tracer->show) return;
    int64_t index[TRACE_LANES];
    uint32_t active = 0;
    for (int g = 0; g < groups; g++) {
        for (int lane = g * wide; lane < g * wide + each; lane++) {
            index[lane] = element + g;
            active |= (uint32_t)1 << lane;
        }
    }
    show(tracer, ask, active, index);
}

void trace_same(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element)
{
    if (!active) return;
    if (tracer->sectors) {
        trace_tell_line(tracer, ask, element, element);
        return;
    }
    int count = __builtin_popcount(active), padding = padding_of(tracer, active);
    struct trace_counts *sum = begin(tracer, ask, count, padding);
    if (ask->operand != OPERAND_SHARED) {
        int turns = atomic(ask) ? count : 1, useful = atomic(ask) ? count - padding : count > padding;
        sum->sectors += turns;
        sum->lines += turns;
        sum->conflicts += turns - 1;
        sum->useful += (int64_t)useful * ask->size;
        if (atomic(ask)) note_line(tracer, ask, element, count);
    }
    if (!tracer->show) return;
    int64_t index[TRACE_LANES];
    for (int lane = 0; lane < TRACE_LANES; lane++)
        index[lane] = element;
    show(tracer, ask, active, index);
}

/* Return the waiting lanes that succeed in a round (trace_add_in_shared). */
static uint32_t winners(uint32_t waiting, const int64_t *index, int size)
{
    const int banks = BANKS * BANK_BYTES / size, lanes = TRACE_LANES * BANK_BYTES / size;
    uint32_t through = 0, changed = 0;
    int64_t element[BANKS];
    for (int first = 0; first < TRACE_LANES; first += lanes) {
        uint32_t taken = 0, before = changed;
        for (uint32_t rest = waiting & lanes_below(lanes) << first; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            uint32_t bank = (uint32_t)1 << index[lane] % banks;
            if (taken & bank) continue;
            taken |= bank;
            if (before & bank && element[index[lane] % banks] == index[lane]) continue;
            through |= (uint32_t)1 << lane;
            changed |= bank;
            element[index[lane] % banks] = index[lane];
        }
    }
    return through;
}

/* If no two elements lie in the same bank, one lane of each element succeeds in each round. So a lane takes
 * part in one more round than there are lower lanes with its element. The number of rounds is the number of
 * lanes with the most frequent element. */
static void add_without_conflicts(struct tracer *tracer, const struct ask *load, const struct ask *swap,
                                  uint32_t active, const int64_t index[TRACE_LANES], int64_t low)
{
    int lanes[BANKS] = {0}, rounds = 0, sum = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int taken = ++lanes[index[__builtin_ctz(rest)] - low];
        if (taken > rounds) rounds = taken;
        sum += taken;
    }
    begin(tracer, load, sum, 0)->requests += rounds - 1;
    begin(tracer, swap, sum, 0)->requests += rounds - 1;
}

void trace_add_in_shared(struct tracer *tracer, const struct ask *load, const struct ask *swap,
                         uint32_t active, const int64_t index[TRACE_LANES])
{
    int64_t low;
    if (!active || tracer->sectors) return;
    if (!tracer->show && within_banks(active, index, load->size, &low)) {
        add_without_conflicts(tracer, load, swap, active, index, low);
        return;
    }
    for (uint32_t waiting = active; waiting; waiting &= ~winners(waiting, index, load->size)) {
        trace_index(tracer, load, waiting, index);
        trace_index(tracer, swap, waiting, index);
    }
}

void trace_add(struct tracer *to, const struct tracer *from)
{
    for (int a = 0; a < ACCESSES; a++) {
        for (int o = 0; o < OPERANDS; o++) {
            const struct trace_counts *more = &from->count[a][o];
            struct trace_counts *sum = &to->count[a][o];
            sum->requests += more->requests;
            sum->sectors += more->sectors;
            sum->lines += more->lines;
            sum->bytes += more->bytes;
            sum->useful += more->useful;
            sum->lanes += more->lanes;
            sum->padding += more->padding;
            sum->conflicts += more->conflicts;
        }
    }
}

int64_t trace_stages(const struct launch *launch)
{
    const struct trace *trace = launch->kernel->trace;
    return trace->stages ? trace->stages(launch) : 1;
}

void trace_stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    launch->kernel->trace->stage(launch, s, stage);
}

void trace_warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    launch->kernel->trace->warp(launch, s, warp, tracer);
}

int64_t trace_weight(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct trace *trace = launch->kernel->trace;
    return trace->weight ? trace->weight(launch, s, warp) : 1;
}

bool trace_resources(const struct launch *launch, const struct trace_stage *stage, int arch,
                     struct trace_resources *resources)
{
    const struct backend *backend = launch->kernel->backend;
    const struct kernel *library = launch->stands_for;
    if (!backend->resources || !backend->resources(stage->function, arch, resources)) return false;
    if (library && library->like_registers) resources->registers = library->like_registers;
    if (library && library->like_shared) resources->shared = library->like_shared;
    return true;
}
