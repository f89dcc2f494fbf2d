/* The memory requests of the warps of csr_balanced.cu.
 *
 * Warps fetch chunks dynamically, so chunks are replayed instead of warps: all requests of a warp for a
 * chunk. Requests that a warp makes once, and not for a chunk, are left out: the atomic operation that shows
 * that no chunk is left, the load of the value that all entries have (TOLD_ONE), and the store by which each
 * block sets `taken` to 0. The sum of a row that lies in several chunks is made by the warp whose partial sum
 * comes last. Here that is the warp of the chunk in which the row ends, which is likely, and it finds each
 * partial sum at the first read. */
#include "kernels/cuda/csr_balanced.h"
#include "base/range.h"
#include "formats/csr.h"
#include "kernels/cuda/traces/replay.h"

#define K_MAX TILE_LANE_MAX
#define SPAN_WORDS 8 /* words of a struct tile_span */

static const struct balanced *balanced_of(const struct launch *launch)
{
    return launch->state;
}

static const struct csr_tiles *tiles_of(const struct launch *launch)
{
    return &balanced_of(launch)->tiles;
}

static const struct unique *unique_of(const struct launch *launch)
{
    return &balanced_of(launch)->unique;
}

static void stage_balanced(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    const struct csr_tiles *tiles = tiles_of(launch);
    replay_stage(stage, balanced_grid(launch), "csr_balanced<%s, %d, %s, %d, %s>", replay_real(launch),
                 tiles->each, replay_bool(tiles->col16 != NULL), values_told(unique_of(launch)),
                 replay_bool(launch->product.accumulate));
    stage->warps = tiles->chunks;
    stage->unit = "chunk";
    stage->run = tiles->run;
}

/* The loads of a tile */

/* Return the lanes whose j-th entry of tile t does not exist: it fills up the last tile. */
static uint32_t beyond(const struct launch *launch, int64_t t, int j)
{
    const int64_t e = t * csr_tile_entries(tiles_of(launch)) + (int64_t)j * WARP;
    return ~lanes_below(launch->storage->nnz - e);
}

static void load_wide(const struct launch *launch, struct tracer *tracer, int64_t t)
{
    const struct csr_tiles *tiles = tiles_of(launch);
    bool last = t == tiles->tiles - 1;
    const struct ask col = {ACCESS_LOAD, OPERAND_COLUMNS, last ? "last_col[e]" : "col[e]", sizeof(int32_t),
                            true};
    int64_t begin = last ? 0 : t * csr_tile_entries(tiles);
    for (int j = 0; j < tiles->each; j++) {
        tracer->padding = beyond(launch, t, j);
        trace_line(tracer, &col, 0, WARP, begin + (int64_t)j * WARP);
    }
    tracer->padding = 0;
}

static bool narrow_at(const struct csr_tiles *tiles, int64_t t)
{
    return tiles->col16 && tiles->base[t] >= 0;
}

/* A lane reads the indices of eight of its values at once. */
static void load_indices(const struct launch *launch, struct tracer *tracer, int64_t t)
{
    static const struct ask index = {ACCESS_LOAD, OPERAND_VALUES, "index[...]", 8, true};
    const struct csr_tiles *tiles = tiles_of(launch);
    for (int j = 0; j < tiles->each; j += 8) {
        tracer->padding = beyond(launch, t, j);
        trace_line(tracer, &index, 0, WARP, (t * tiles->each + j) / 8 * WARP);
    }
    tracer->padding = 0;
}

/* Read the values of 32 entries of tile t out of their table, from the tile's entry e on. */
static void read_table(const struct launch *launch, struct tracer *tracer, int64_t t, int e)
{
    const struct csr_tiles *tiles = tiles_of(launch);
    const struct ask table = {ACCESS_LOAD, OPERAND_TABLES, "value[index[...]]", replay_value(launch)};
    const uint8_t *index = unique_of(launch)->index + t * csr_tile_entries(tiles);
    int64_t which[WARP];
    for (int lane = 0; lane < WARP; lane++)
        which[lane] = index[csr_tile_place(tiles->each, e + lane)];
    trace_index(tracer, &table, UINT32_MAX, which);
}

static void load_columns(const struct launch *launch, struct tracer *tracer, int64_t t)
{
    static const struct ask base = {ACCESS_LOAD, OPERAND_TABLES, "base[t]", sizeof(int32_t)};
    const struct csr_tiles *tiles = tiles_of(launch);
    const int some = (int)min(tiles->each, 8);
    if (unique_of(launch)->index) load_indices(launch, tracer, t);
    const struct ask col16 = {ACCESS_LOAD, OPERAND_COLUMNS, "col16[...]", 2 * some, true};
    if (!tiles->col16) {
        load_wide(launch, tracer, t);
        return;
    }
    trace_same(tracer, &base, UINT32_MAX, t);
    if (tiles->base[t] < 0) return;
    /* A lane reads the columns of eight of its entries at once, or of four, of which the first ones exist the
     * longest. */
    for (int j = 0; j < tiles->each; j += some) {
        tracer->padding = beyond(launch, t, j);
        trace_line(tracer, &col16, 0, WARP, (t * tiles->each + j) / some * WARP);
    }
    tracer->padding = 0;
}

/* Replay the loads of the elements of x for 32 entries from e on. The padding of the last tile has column
 * 0, or if columns have 16 bits the smallest one of the tile. */
static void load_element(const struct launch *launch, struct tracer *tracer, const struct ask *x, int64_t t,
                         int64_t e)
{
    const struct csr_tiles *tiles = tiles_of(launch);
    const int32_t *col = launch->resident->array[CSR_COL].data;
    int there = (int)clip(launch->storage->nnz - e, WARP);
    int64_t j[WARP];
    for (int lane = 0; lane < there; lane++)
        j[lane] = col[e + lane];
    for (int lane = there; lane < WARP; lane++)
        j[lane] = narrow_at(tiles, t) ? tiles->base[t] : 0;
    trace_index(tracer, x, UINT32_MAX, j);
}

static void load(const struct launch *launch, struct tracer *tracer, int64_t t)
{
    static const struct ask first = {ACCESS_LOAD, OPERAND_TABLES, "first[t]", sizeof(int32_t)};
    static const struct ask span = {ACCESS_LOAD, OPERAND_TABLES, "spans[chunk]", sizeof(int32_t)};
    const struct csr_tiles *tiles = tiles_of(launch);
    const struct ask mark = {ACCESS_LOAD, OPERAND_TABLES, "marks[lane]", (int)csr_tile_mark(tiles), true};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[columns[j]]", replay_value(launch)};
    bool last = t == tiles->tiles - 1;
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, last ? "last_val[e]" : "val[e]",
                            replay_value(launch), true};
    int64_t begin = t * csr_tile_entries(tiles);
    const int told = values_told(unique_of(launch));
    for (int j = 0; j < tiles->each && told != TOLD_ONE; j++) {
        tracer->padding = beyond(launch, t, j);
        if (told == TOLD_BYTE)
            read_table(launch, tracer, t, j * WARP);
        else
            trace_line(tracer, &val, 0, WARP, (last ? 0 : begin) + (int64_t)j * WARP);
    }
    tracer->padding = 0;
    if (tiles->col16 && tiles->base[t] < 0) load_wide(launch, tracer, t);
    for (int j = 0; j < tiles->each; j++) {
        tracer->padding = beyond(launch, t, j);
        load_element(launch, tracer, &x, t, begin + (int64_t)j * WARP);
    }
    tracer->padding = 0;
    trace_line(tracer, &mark, 0, WARP, t * WARP);
    trace_same(tracer, &first, UINT32_MAX, t);
    if (t % ((int64_t)1 << tiles->shift) == 0)
        trace_line(tracer, &span, 0, 5, (t >> tiles->shift) * SPAN_WORDS);
}

/* The rows that end in a tile */

struct ends {
    uint32_t bits[WARP]; /* for each lane, bit j says that its entry j is the last of a row */
    int before[WARP];    /* for each lane, such entries of lower lanes */
    int count;           /* rows that end in the tile */
};

static void find_ends(const struct csr_tiles *tiles, int64_t t, struct ends *ends)
{
    const uint16_t *narrow = tiles->mark;
    const uint32_t *wide = tiles->mark;
    for (int lane = 0; lane < WARP; lane++) {
        uint32_t mark = tiles->each == TILE_LANE_MAX ? wide[t * WARP + lane] : narrow[t * WARP + lane];
        ends->bits[lane] = mark & (((uint32_t)1 << tiles->each) - 1);
        ends->before[lane] = (int)(mark >> tiles->each);
    }
    ends->count = ends->before[WARP - 1] + __builtin_popcount(ends->bits[WARP - 1]);
}

/* Return where product i of a tile lies in shared memory (swizzle, in csr_balanced.cu). */
static int swizzle(int value, int i)
{
    return value == 16 ? i ^ (i >> 3 & 7) : value == 8 ? i ^ (i >> 4 & 7) << 1 : i ^ (i >> 5 & 7) << 2;
}

/* Products move between lanes: each lane stores its own, and then loads those it sums, in units of 16 bytes.
 * Neither has bank conflicts (swizzle). */
static void turn_in(const struct launch *launch, struct tracer *tracer)
{
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "products[swizzle(...)]", replay_value(launch)};
    int each = tiles_of(launch)->each;
    int64_t place[WARP];
    for (int j = 0; j < each; j++) {
        for (int lane = 0; tracer->show && lane < WARP; lane++)
            place[lane] = swizzle(replay_value(launch), j * WARP + lane);
        replay_apart(tracer, &store, UINT32_MAX, place);
    }
}

static void turn_out(const struct launch *launch, struct tracer *tracer)
{
    static const struct ask load_unit = {ACCESS_LOAD, OPERAND_SHARED, "products[swizzle(...)]", 16};
    int each = tiles_of(launch)->each, unit = 16 / replay_value(launch);
    int64_t place[WARP];
    for (int j = 0; j < each; j += unit) {
        for (int lane = 0; tracer->show && lane < WARP; lane++)
            place[lane] = swizzle(replay_value(launch), lane * each + j) / unit;
        replay_apart(tracer, &load_unit, UINT32_MAX, place);
    }
}

/* Report a request for the sums of a tile's rows to the tracer. If all lie in different banks, no conflicts
 * need be counted. */
static void at_sums(struct tracer *tracer, const struct ask *ask, const struct ends *ends, uint32_t active,
                    const int64_t index[WARP])
{
    if (!active) return;
    if (ends->count * ask->size <= 128)
        replay_apart(tracer, ask, active, index);
    else
        trace_index(tracer, ask, active, index);
}

/* Replay the requests of scan(). For each j < K, the lanes whose entry j is the last of its row store that
 * row's sum. Then those lanes in which a row ends, except lane 0, add the lower lanes' part to the first of
 * their sums. */
static void scan(const struct launch *launch, struct tracer *tracer, const struct ends *ends)
{
    const struct ask sum = {ACCESS_STORE, OPERAND_SHARED, "*out++ = sum", replay_value(launch)};
    const struct ask load_sum = {ACCESS_LOAD, OPERAND_SHARED, "products[before] +=", replay_value(launch)};
    const struct ask store_sum = {ACCESS_STORE, OPERAND_SHARED, "products[before] +=", replay_value(launch)};
    uint32_t active[K_MAX] = {0}, some = 0;
    int64_t out[K_MAX][WARP], before[WARP];
    for (int lane = 0; lane < WARP; lane++) {
        int64_t at = before[lane] = ends->before[lane];
        some |= (uint32_t)(ends->bits[lane] != 0) << lane;
        for (uint32_t rest = ends->bits[lane]; rest; rest &= rest - 1) {
            int j = __builtin_ctz(rest);
            active[j] |= (uint32_t)1 << lane;
            out[j][lane] = at++;
        }
    }
    turn_out(launch, tracer);
    for (int j = 0; j < tiles_of(launch)->each; j++)
        at_sums(tracer, &sum, ends, active[j], out[j]);
    at_sums(tracer, &load_sum, ends, some & ~(uint32_t)1, before);
    at_sums(tracer, &store_sum, ends, some & ~(uint32_t)1, before);
}

/* Writing sums to y
 *
 * Lane l writes sums l, l + 32, ...: lanes below the cut, count mod 32, one more than those above it. The
 * compiler has unrolled that loop: first a lane takes the up to three sums by which their number exceeds a
 * multiple of four, and then four at a time. So lanes below and above the cut may be at different turns of
 * the source's loop at the same moment, or some wait for others. */

struct sums {
    struct ask row, load, add, store;
    const int32_t *rows; /* the rows of the sums; NULL if they follow each other */
    int64_t first;       /* the row of the first sum, if they do */
    int64_t at;          /* the index of rows[0] among all that the tables list */
    int count, cut;
    bool inside; /* the first sum is that of a row which began in an earlier chunk, and is not written */
};

static struct sums sums_of(const struct launch *launch, int64_t t, int count, bool inside)
{
    const struct csr_tiles *tiles = tiles_of(launch);
    int value = replay_value(launch);
    bool listed = tiles->first[t] < 0;
    return (struct sums){.row = {ACCESS_LOAD, OPERAND_ROWS, "rows[i]", sizeof(int32_t)},
                         .load = {ACCESS_LOAD, OPERAND_SHARED, "products[i]", value},
                         .add = {ACCESS_LOAD, OPERAND_Y, "y[row]", launch->product.accumulate ? value : 0},
                         .store = {ACCESS_STORE, OPERAND_Y, "y[row]", value},
                         .rows = listed ? tiles->rows + ~tiles->first[t] : NULL,
                         .first = listed ? 0 : tiles->first[t],
                         .at = listed ? ~tiles->first[t] : 0,
                         .count = count,
                         .cut = count % WARP ? count % WARP : WARP,
                         .inside = inside};
}

/* Replay one turn of each lane's loop: the lanes below the cut are at turn `low`, and the others at turn
 * `high`; -1 says that they wait. */
static void store_turn(struct tracer *tracer, const struct sums *sums, int low, int high)
{
    int from = low >= 0 ? 0 : sums->cut, to = high >= 0 ? WARP : sums->cut;
    int64_t i[WARP], row[WARP];
    if (from == 0 && low == 0 && sums->inside) from = 1;
    if (from >= to) return;
    uint32_t active = lanes_below(to - from) << from;
    for (int lane = from; lane < to; lane++) {
        i[lane] = (int64_t)(lane < sums->cut ? low : high) * WARP + lane;
        row[lane] = sums->rows ? sums->rows[i[lane]] : sums->first + i[lane];
    }
    replay_apart(tracer, &sums->load, active, i);
    if (sums->rows) {
        for (int lane = from; lane < to; lane++)
            i[lane] += sums->at;
        trace_index(tracer, &sums->row, active, i);
    }
    if (sums->add.size) trace_index(tracer, &sums->add, active, row);
    trace_index(tracer, &sums->store, active, row);
}

/* Replay four turns: done[0] .. done[0] + 3 of the lanes below the cut and done[1] .. done[1] + 3 of the
 * others, as far as they have any left of some[0] and some[1]. */
static void store_four(struct tracer *tracer, const struct sums *sums, const int some[2], int done[2])
{
    bool low = done[0] < some[0], high = done[1] < some[1];
    for (int k = 0; k < 4; k++)
        store_turn(tracer, sums, low ? done[0] + k : -1, high ? done[1] + k : -1);
    if (low) done[0] += 4;
    if (high) done[1] += 4;
}

/* Write all sums of a tile. A special case is y = A x in double precision for rows that follow each other:
 * where lanes below the cut have eight turns left and the others four, the code that nvcc makes lets the
 * former go through all eight first. Complex sums are written one turn after the other. */
static void store(const struct launch *launch, struct tracer *tracer, const struct sums *sums)
{
    int max = (sums->count + WARP - 1) / WARP;
    const int some[2] = {max, max - (sums->cut < WARP)};
    for (int k = 0; launch->storage->complex && k < max; k++)
        store_turn(tracer, sums, k, k < some[1] ? k : -1);
    if (launch->storage->complex) return;
    int done[2] = {some[0] % 4, some[1] % 4};
    bool eights = !launch->product.accumulate && launch->storage->precision == PRECISION_F64 && !sums->rows;
    for (int k = 0; k < 3; k++)
        store_turn(tracer, sums, k < done[0] ? k : -1, k < done[1] ? k : -1);
    if (eights && some[0] - done[0] == 8 && some[1] - done[1] == 4) {
        const int eight[2] = {some[0], done[1]};
        store_four(tracer, sums, eight, done);
        store_four(tracer, sums, eight, done);
    }
    while (done[0] < some[0] || done[1] < some[1])
        store_four(tracer, sums, some, done);
}

/* A chunk */

/* Add up the partial sums of a row that ends in this chunk and began in an earlier one. */
static void complete(const struct launch *launch, struct tracer *tracer, int64_t chunk,
                     const struct tile_span *span)
{
    static const struct ask take = {ACCESS_LOAD, OPERAND_TABLES, "take(partials_of(c))", sizeof(uint64_t)};
    static const struct ask leave = {ACCESS_STORE, OPERAND_TABLES, "take(partials_of(c))", sizeof(uint64_t)};
    static const struct ask none = {ACCESS_STORE, OPERAND_TABLES, "arrived[to] = 0", sizeof(uint32_t)};
    const uint32_t giver = 2; /* lane 1, which gave the partial sum of the row's last chunk */
    const int64_t row[WARP] = {[1] = span->row};
    const int words = balanced_words(launch);
    for (int64_t c = span->from; c < chunk; c += WARP) {
        int lanes = (int)min(WARP, chunk - c);
        for (int k = 0; k < words / 2; k++)
            trace_stride(tracer, &take, lanes, c * words + k, words);
        for (int k = 0; k < words / 2; k++)
            trace_stride(tracer, &leave, lanes, c * words + k, words);
    }
    for (int k = words / 2; k < words; k++)
        trace_same(tracer, &take, giver, chunk * words + k);
    for (int k = words / 2; k < words; k++)
        trace_same(tracer, &leave, giver, chunk * words + k);
    replay_put(tracer, launch, giver, row);
    trace_same(tracer, &none, giver, chunk);
}

/* Replay how partial sums are left for other warps: lane 0 gives that of the row that is open at the chunk's
 * end, lane 1 that of the row that was open at its start, if it has ended. */
static void give(const struct launch *launch, struct tracer *tracer, int64_t chunk,
                 const struct tile_span *span, bool ended)
{
    static const struct ask partial = {ACCESS_STORE, OPERAND_TABLES, "give(partials_of(chunk))",
                                       sizeof(uint64_t)};
    static const struct ask arrive = {ACCESS_ATOMIC, OPERAND_TABLES, "arrived[due]", sizeof(uint32_t)};
    const int64_t due[WARP] = {span->to, chunk};
    const int words = balanced_words(launch);
    int64_t word[WARP] = {chunk * words, chunk * words + words / 2};
    uint32_t active = (uint32_t)(span->to >= 0) | (uint32_t)(span->from >= 0 && ended) << 1;
    for (int k = 0; k < words / 2; k++, word[0]++, word[1]++)
        trace_index(tracer, &partial, active, word);
    trace_index(tracer, &arrive, active, due);
}

/* Replay how this chunk's share of the rows without entries is set to 0. */
static void clear_empty(const struct launch *launch, struct tracer *tracer, int64_t chunk)
{
    static const struct ask load_word = {ACCESS_LOAD, OPERAND_TABLES, "empty[w]", sizeof(uint32_t), true};
    const struct ask clear = {ACCESS_STORE, OPERAND_Y, "y[...] = 0", replay_value(launch)};
    const struct csr_tiles *tiles = tiles_of(launch);
    int64_t words = tiles->words, w = words * chunk / tiles->chunks;
    int64_t last = words * (chunk + 1) / tiles->chunks;
    int64_t row[WARP];
    for (; w < last; w += WARP) {
        trace_line(tracer, &load_word, 0, (int)min(WARP, last - w), w);
        for (int64_t k = w; k < min(w + WARP, last); k++) {
            if (!tiles->empty[k]) continue;
            for (int lane = 0; lane < WARP; lane++)
                row[lane] = k * WARP + lane;
            trace_index(tracer, &clear, tiles->empty[k], row);
        }
    }
}

static void warp_balanced(const struct launch *launch, int64_t s, int64_t chunk, struct tracer *tracer)
{
    static const struct ask taken = {ACCESS_ATOMIC, OPERAND_SHARED, "*taken", sizeof(uint32_t)};
    const struct ask head = {ACCESS_LOAD, OPERAND_SHARED, "products[0]", replay_value(launch)};
    const struct csr_tiles *tiles = tiles_of(launch);
    const struct tile_span *span = &tiles->spans[chunk];
    int64_t t = chunk << tiles->shift, end = min((chunk + 1) << tiles->shift, tiles->tiles);
    bool ended = false;
    trace_same(tracer, &taken, 1, 0);
    for (; t < end; t++) {
        struct ends ends;
        load_columns(launch, tracer, t);
        load(launch, tracer, t);
        find_ends(tiles, t, &ends);
        if (ends.count == 0) continue;
        bool inside = !ended && span->from >= 0;
        const struct sums sums = sums_of(launch, t, ends.count, inside);
        turn_in(launch, tracer);
        scan(launch, tracer, &ends);
        if (inside) trace_same(tracer, &head, UINT32_MAX, 0);
        store(launch, tracer, &sums);
        ended = true;
    }
    give(launch, tracer, chunk, span, ended);
    if (span->from >= 0 && ended) complete(launch, tracer, chunk, span);
    if (!launch->product.accumulate && tiles->empty) clear_empty(launch, tracer, chunk);
}

const struct trace trace_csr_balanced = {.stage = stage_balanced, .warp = warp_balanced};
