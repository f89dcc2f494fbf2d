/* The memory requests of the warps of bsr.cu. x is assumed to be aligned. If a block row is cut, the warp
 * that records its last piece adds up the sums of all pieces. Here this is the warp of the row's last piece,
 * as is likely, and it finds each sum at the first read. No lane makes the copies into shared memory; they
 * are recorded as loads of a block's first warp, 16 bytes a lane. Barriers are left out. */
#include "kernels/cuda/bsr.h"
#include "kernels/cuda/traces/replay.h"

static const struct bsr_state *state_of(const struct launch *launch)
{
    return launch->state;
}

/* The division of blocks among lanes. */
struct sharing {
    int size, times, wide, across, high, lanes_of_block;
    int lanes; /* for a block row, or for a piece */
    int slots; /* number of blocks in a step */
};

static struct sharing sharing_of(const struct launch *launch, int lanes)
{
    const int size = (int)launch->storage->number[BSR_SIZE], value = replay_value(launch);
    struct sharing d = {.size = size, .times = BSR_TIMES(size, value), .lanes = lanes};
    d.wide = BSR_WIDE(size, value);
    d.across = BSR_ACROSS(size, value);
    d.high = BSR_HIGH(size, value);
    d.lanes_of_block = BSR_SHARE(size, value);
    d.slots = lanes / d.lanes_of_block;
    return d;
}

static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, bsr_grid(launch), state_of(launch)->tile > 0 ? "bsr_copied<%d, %s>" : "bsr<%d, %s>",
                 (int)launch->storage->number[BSR_SIZE], replay_real(launch));
    stage->early = begins_early(launch, BSR_EARLY);
}

/* The part of a lane: its group, the number of its block in the step, and its first row and column in the
 * block. */
struct part {
    int group, slot, row, column;
};

/* The blocks that a warp processes: those of one block row for each group of lanes. */
struct walk {
    struct sharing d;
    struct part part[WARP]; /* of each lane */
    int groups;
    int64_t k[WARP], end[WARP]; /* for each group: the first block of the next step, and the end of its row */
};

/* Find the parts of all lanes. */
static void find_parts(struct walk *walk)
{
    const struct sharing *d = &walk->d;
    struct part part = {0};
    int lane_of_group = 0, lane_of_block = 0;
    for (int lane = 0; lane < WARP; lane++) {
        walk->part[lane] = part;
        part.column += d->wide;
        if (part.column == d->across * d->wide) {
            part.column = 0;
            part.row++;
        }
        if (++lane_of_block == d->lanes_of_block) {
            lane_of_block = part.row = part.column = 0;
            part.slot++;
        }
        if (++lane_of_group == d->lanes) {
            lane_of_group = lane_of_block = 0;
            part = (struct part){.group = part.group + 1};
        }
    }
}

/* Return the lanes that have a block in this step. */
static uint32_t lanes_active(const struct walk *walk, int64_t k[WARP])
{
    const struct sharing *d = &walk->d;
    uint32_t active = 0;
    for (int lane = 0; lane < walk->groups * d->lanes; lane++) {
        const int slot = walk->part[lane].slot, group = walk->part[lane].group;
        k[lane] = walk->k[group] + slot;
        active |= (uint32_t)(slot < d->slots && k[lane] < walk->end[group]) << lane;
    }
    return active;
}

/* Replay request number q of the blocks' values. Returns the lanes that load padding alone. */
static uint32_t load_values(const struct launch *launch, struct tracer *tracer, const struct walk *walk,
                            uint32_t active, const int64_t k[WARP], int q)
{
    const struct sharing *d = &walk->d;
    const int alone = d->lanes_of_block == 1 ? d->times : 1, each = d->wide * alone;
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, "val[(k size + i) size + j]",
                            each * replay_value(launch), true};
    const struct replay_slots slots = replay_slots(launch, BSR_VAL);
    const int shift = __builtin_ctz((unsigned)each); /* the bytes of a load are a power of two */
    int64_t index[WARP];
    uint32_t some = 0, padding = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const struct part part = walk->part[lane];
        const int row = part.row + q * d->high;
        if (row >= d->size) continue;
        const int64_t e = (k[lane] * d->size + row) * d->size + part.column;
        some |= (uint32_t)1 << lane;
        index[lane] = e >> shift;
        if (!tracer->sectors)
            padding |= (uint32_t)(replay_padding(&slots, lanes_below(each), e) == lanes_below(each)) << lane;
    }
    tracer->padding = padding;
    trace_index(tracer, &val, some, index);
    tracer->padding = 0;
    return padding | (active & ~some);
}

/* Replay the loads of x: of neighbouring elements at once if all blocks lie within the matrix. */
static void load_elements(const struct launch *launch, struct tracer *tracer, const struct walk *walk,
                          uint32_t active, const int64_t k[WARP], uint32_t padding)
{
    const struct sharing *d = &walk->d;
    const int32_t *col = launch->resident->array[BSR_COL].data;
    const int64_t cols = launch->storage->cols;
    const int at_once = cols % d->size == 0 ? d->wide : 1;
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[col[k] size + j]", at_once * replay_value(launch)};
    const int shift = __builtin_ctz((unsigned)at_once);
    int64_t index[WARP];
    for (int w = 0; w < d->wide; w += at_once) {
        uint32_t some = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            const int64_t j = (int64_t)col[k[lane]] * d->size + walk->part[lane].column + w;
            index[lane] = j >> shift;
            some |= (uint32_t)(j < cols) << lane;
        }
        tracer->padding = padding & some;
        trace_index(tracer, &x, some, index);
    }
    tracer->padding = 0;
}

static void go(const struct launch *launch, struct tracer *tracer, struct walk *walk)
{
    const struct ask col = {ACCESS_LOAD, OPERAND_COLUMNS, "col[k]", sizeof(int32_t)};
    int64_t k[WARP];
    for (uint32_t active; (active = lanes_active(walk, k));) {
        uint32_t padding = active;
        const int requests = walk->d.lanes_of_block == 1 ? 1 : walk->d.times;
        trace_index(tracer, &col, active, k);
        for (int q = 0; q < requests; q++)
            padding &= load_values(launch, tracer, walk, active, k, q);
        load_elements(launch, tracer, walk, active, k, padding);
        for (int group = 0; group < walk->groups; group++)
            walk->k[group] += walk->d.slots;
    }
}

/* The sums */

/* Return the lanes that get the sums of the rows of request q. row[lane] becomes the row within the block. */
static uint32_t leaders(const struct walk *walk, int q, int row[WARP])
{
    uint32_t active = 0;
    for (int lane = 0; lane < walk->groups * walk->d.lanes; lane++) {
        const struct part part = walk->part[lane];
        row[lane] = part.row + q * walk->d.high;
        active |= (uint32_t)(part.slot == 0 && part.column == 0 && row[lane] < walk->d.size) << lane;
    }
    return active;
}

static bool is_cut(const struct launch *launch, int64_t row)
{
    const struct array *row_ptr = &launch->resident->array[BSR_ROW_PTR];
    return array_integer(row_ptr, row + 1) - array_integer(row_ptr, row) > state_of(launch)->whole;
}

static void put_sums(const struct launch *launch, struct tracer *tracer, const struct walk *walk,
                     int64_t first)
{
    for (int q = 0; q < walk->d.times; q++) {
        int row[WARP];
        int64_t index[WARP];
        uint32_t active = leaders(walk, q, row);
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            const int64_t block_row = first + walk->part[lane].group;
            index[lane] = block_row * walk->d.size + row[lane];
            if (index[lane] >= launch->storage->rows || is_cut(launch, block_row))
                active &= ~((uint32_t)1 << lane);
        }
        replay_put(tracer, launch, active, index);
    }
}

static int words_of(const struct launch *launch)
{
    return launch->storage->complex ? 4 : 2;
}

static void give_sums(const struct launch *launch, struct tracer *tracer, const struct walk *walk,
                      int64_t piece)
{
    static const struct ask give = {ACCESS_STORE, OPERAND_TABLES, "give(partials)", sizeof(uint64_t)};
    for (int q = 0; q < walk->d.times; q++) {
        int row[WARP];
        int64_t index[WARP];
        const uint32_t active = leaders(walk, q, row);
        for (int word = 0; word < words_of(launch); word++) {
            for (uint32_t rest = active; rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                index[lane] = (piece * walk->d.size + row[lane]) * words_of(launch) + word;
            }
            trace_index(tracer, &give, active, index);
        }
    }
}

/* Add the sums of all pieces of a row. */
static void take_sums(const struct launch *launch, struct tracer *tracer, const struct bsr_piece *piece,
                      int size)
{
    static const struct ask take = {ACCESS_LOAD, OPERAND_TABLES, "take(partials)", sizeof(uint64_t)};
    static const struct ask leave = {ACCESS_STORE, OPERAND_TABLES, "take(partials)", sizeof(uint64_t)};
    for (int i = 0; i < size; i++) {
        const int64_t row[WARP] = {(int64_t)piece->row * size + i};
        for (int p = 0; p < piece->pieces; p += WARP) {
            const int lanes = (int)min(WARP, piece->pieces - p), words = words_of(launch);
            for (int word = 0; word < words; word++) {
                int64_t index[WARP];
                for (int lane = 0; lane < lanes; lane++)
                    index[lane] = ((int64_t)(piece->from + p + lane) * size + i) * words + word;
                trace_index(tracer, &take, lanes_below(lanes), index);
                trace_index(tracer, &leave, lanes_below(lanes), index);
            }
        }
        if (row[0] < launch->storage->rows) replay_put(tracer, launch, 1, row);
    }
}

static void warp_piece(const struct launch *launch, struct tracer *tracer, int64_t number)
{
    static const struct ask half = {ACCESS_LOAD, OPERAND_TABLES, "piece", sizeof(struct bsr_piece) / 2};
    static const struct ask arrive = {ACCESS_ATOMIC, OPERAND_TABLES, "arrived[which]", sizeof(uint32_t)};
    static const struct ask none = {ACCESS_STORE, OPERAND_TABLES, "arrived[which] = 0", sizeof(uint32_t)};
    const struct bsr_piece *piece = &state_of(launch)->piece[number];
    struct walk walk = {.d = sharing_of(launch, WARP), .groups = 1};
    walk.k[0] = piece->first;
    walk.end[0] = piece->first + piece->count;
    find_parts(&walk);
    trace_same(tracer, &half, UINT32_MAX, 2 * number);
    go(launch, tracer, &walk);
    give_sums(launch, tracer, &walk, number);
    trace_same(tracer, &half, UINT32_MAX, 2 * number + 1);
    trace_same(tracer, &arrive, 1, piece->which);
    if (number != piece->from + piece->pieces - 1) return;
    take_sums(launch, tracer, piece, walk.d.size);
    trace_same(tracer, &none, 1, piece->which);
}

static void warp_rows(const struct launch *launch, struct tracer *tracer, int64_t first)
{
    const struct array *row_ptr = &launch->resident->array[BSR_ROW_PTR];
    const int offset = replay_size(launch, BSR_ROW_PTR);
    const struct ask begin = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[r]", offset};
    const struct ask end = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[r + 1]", offset};
    struct walk walk = {.d = sharing_of(launch, (int)launch->values.number[BSR_LANES])};
    walk.groups = (int)clip(launch->storage->number[BSR_BLOCK_ROWS] - first, WARP / walk.d.lanes);
    if (walk.groups <= 0) return;
    find_parts(&walk);
    trace_groups(tracer, &begin, walk.groups, walk.d.lanes, walk.d.lanes, first);
    trace_groups(tracer, &end, walk.groups, walk.d.lanes, walk.d.lanes, first + 1);
    for (int group = 0; group < walk.groups; group++) {
        walk.k[group] = array_integer(row_ptr, first + group);
        walk.end[group] =
            is_cut(launch, first + group) ? walk.k[group] : array_integer(row_ptr, first + group + 1);
    }
    go(launch, tracer, &walk);
    put_sums(launch, tracer, &walk, first);
}

/* Copies */

/* The tile of a warp's block of threads. */
struct tile {
    int size, value, wide, pieces; /* a row of a block has `pieces` parts of `wide` values */
    int64_t base, rows;            /* its block rows */
    int64_t first, blocks;         /* and blocks */
    int64_t warp, threads;         /* the warp in the block of threads, and the latter's threads */
    struct bsr_room room;
    /* Of each lane: whether it has a row, its block row in the tile, its row there, and its next and last
     * block, counted from the tile's first. */
    uint32_t works;
    int64_t block_row[WARP], k[WARP], stop[WARP];
    int row[WARP];
};

static struct tile tile_of(const struct launch *launch, int64_t warp)
{
    const struct storage *storage = launch->storage;
    const struct array *row_ptr = &launch->resident->array[BSR_ROW_PTR];
    const int most = state_of(launch)->tile;
    struct tile t = {.size = (int)storage->number[BSR_SIZE], .value = replay_value(launch)};
    t.threads = (int64_t)launch->values.number[BSR_BLOCK];
    t.warp = warp % (t.threads / WARP);
    t.wide = BSR_WIDE(t.size, t.value);
    t.pieces = t.size / t.wide;
    t.base = warp / (t.threads / WARP) * most;
    t.rows = min(storage->number[BSR_BLOCK_ROWS] - t.base, most);
    t.first = array_integer(row_ptr, t.base);
    t.blocks = array_integer(row_ptr, t.base + t.rows) - t.first;
    t.room = bsr_room_of(most, state_of(launch)->copied, t.size * t.size * t.value);
    for (int lane = 0; lane < WARP; lane++) {
        const int64_t r = t.warp * (WARP / t.size) + lane / t.size;
        if (lane / t.size >= WARP / t.size || r >= t.rows) continue;
        t.works |= (uint32_t)1 << lane;
        t.block_row[lane] = r;
        t.row[lane] = lane % t.size;
        t.k[lane] = array_integer(row_ptr, t.base + r) - t.first;
        t.stop[lane] = array_integer(row_ptr, t.base + r + 1) - t.first;
    }
    return t;
}

/* The beginnings of block rows go through shared memory. */
static void read_begins(const struct launch *launch, struct tracer *tracer, const struct tile *t)
{
    static const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "begins[r]", sizeof(int)},
                            load = {ACCESS_LOAD, OPERAND_SHARED, "begins[r]", sizeof(int)};
    const struct ask pointer = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[base + r]",
                                replay_size(launch, BSR_ROW_PTR)};
    int64_t index[WARP];
    trace_same(tracer, &pointer, UINT32_MAX, t->base);
    for (int64_t r = t->warp * WARP; r <= t->rows; r += t->threads) {
        const int lanes = (int)min(WARP, t->rows + 1 - r);
        trace_line(tracer, &pointer, 0, lanes, t->base + r);
        trace_line(tracer, &store, 0, lanes, 4 + r);
    }
    trace_same(tracer, &load, UINT32_MAX, 4 + t->rows);
    for (int after = 0; after < 2 && t->works; after++) {
        for (int lane = 0; lane < WARP; lane++)
            index[lane] = 4 + t->block_row[lane] + after;
        trace_index(tracer, &load, t->works, index);
    }
}

/* The part of an array of `all` bytes that is copied for its bytes first .. end-1 (struct copy_part). */
struct copied {
    int64_t low, bytes, rest;
};

static struct copied copied_of(int64_t first, int64_t end, int64_t all)
{
    struct copied c = {.low = first / 16 * 16};
    c.bytes = max(min((end + 15) / 16 * 16, all / 16 * 16) - c.low, 0);
    c.rest = max(end - c.low - c.bytes, 0);
    return c;
}

/* Replay a copy, and the loads of the bytes after it. `at` is its position in shared memory. */
static void copy(struct tracer *tracer, const struct tile *t, struct copied c, enum operand operand,
                 const struct replay_slots *slots, int at)
{
    const struct ask whole = {ACCESS_LOAD, operand, "copy", 16, true, .copied = true},
                     rest = {ACCESS_LOAD, operand, "rest", 4};
    static const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "rest", 4};
    const int each = 16 / t->value;
    for (int64_t b = 0; t->warp == 0 && b < c.bytes; b += 16 * WARP) {
        const int lanes = (int)min(WARP, (c.bytes - b) / 16);
        tracer->padding = 0;
        for (int lane = 0; slots && !tracer->sectors && lane < lanes; lane++)
            tracer->padding |=
                (uint32_t)(replay_padding(slots, lanes_below(each), (c.low + b + 16 * lane) / t->value) ==
                           lanes_below(each))
                << lane;
        trace_line(tracer, &whole, 0, lanes, (c.low + b) / 16);
        tracer->padding = 0;
    }
    const int lanes = (int)clip(c.rest / 4 - t->warp * WARP, WARP);
    if (lanes <= 0) return;
    trace_line(tracer, &rest, 0, lanes, (c.low + c.bytes) / 4 + t->warp * WARP);
    trace_line(tracer, &store, 0, lanes, (at + c.bytes) / 4 + t->warp * WARP);
}

static int part_of(const struct tile *t, int lane, int p)
{
    const bool turns = t->pieces > 1 && (t->pieces & (t->pieces - 1)) == 0;
    const int turn = BSR_COPIED_TURN(t->size, t->value, t->row[lane], lane / t->size);
    return (turns ? (p + turn) % t->pieces : p) * t->wide;
}

/* Return the active lanes that work on padding alone in part p of block k + d. */
static uint32_t padding_of(const struct launch *launch, const struct tracer *tracer, const struct tile *t,
                           uint32_t active, int d, int p)
{
    const struct replay_slots slots = replay_slots(launch, BSR_VAL);
    uint32_t padding = 0;
    for (uint32_t rest = tracer->sectors ? 0 : active; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const int64_t e =
            ((t->first + t->k[lane] + d) * t->size + t->row[lane]) * t->size + part_of(t, lane, p);
        padding |= (uint32_t)(replay_padding(&slots, lanes_below(t->wide), e) == lanes_below(t->wide))
                   << lane;
    }
    return padding;
}

/* Replay the loads of x for block k + d of each active lane. */
static void load_copied_x(const struct launch *launch, struct tracer *tracer, const struct tile *t,
                          uint32_t active, int d)
{
    const int32_t *col = launch->resident->array[BSR_COL].data;
    const int64_t cols = launch->storage->cols;
    const int at_once = cols % t->size == 0 ? t->wide : 1;
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[col[k] size + j]", at_once * t->value};
    for (int p = 0; p < t->pieces; p++) {
        const uint32_t padding = padding_of(launch, tracer, t, active, d, p);
        for (int w = 0; w < t->wide; w += at_once) {
            int64_t index[WARP];
            uint32_t some = 0;
            for (uint32_t rest = active; rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                const int64_t j = (int64_t)col[t->first + t->k[lane] + d] * t->size + part_of(t, lane, p) + w;
                index[lane] = j / at_once;
                some |= (uint32_t)(j < cols) << lane;
            }
            tracer->padding = padding & some;
            trace_index(tracer, &x, some, index);
            tracer->padding = 0;
        }
    }
}

/* Replay a turn: the blocks from `begin` to `end`, which lie in shared memory from these bytes on. */
static void multiply_copied(const struct launch *launch, struct tracer *tracer, struct tile *t, int64_t begin,
                            int64_t end, int64_t columns, int64_t values)
{
    static const struct ask col = {ACCESS_LOAD, OPERAND_SHARED, "col[k + d]", sizeof(int32_t)};
    const struct ask val = {ACCESS_LOAD, OPERAND_SHARED, "val[k + d]", t->wide * t->value};
    const int ahead = BSR_COPIED_AHEAD(t->value);
    uint32_t active[2];
    do {
        for (int d = 0; d < ahead; d++) {
            int64_t index[WARP];
            active[d] = 0;
            for (uint32_t rest = t->works; rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                index[lane] = columns / 4 + t->k[lane] + d - begin;
                active[d] |= (uint32_t)(t->k[lane] + d < min(end, t->stop[lane])) << lane;
            }
            trace_index(tracer, &col, active[d], index);
            load_copied_x(launch, tracer, t, active[d], d);
        }
        for (int d = 0; d < ahead; d++)
            for (int p = 0; p < t->pieces; p++) {
                int64_t index[WARP];
                for (uint32_t rest = active[d]; rest; rest &= rest - 1) {
                    const int lane = __builtin_ctz(rest);
                    const int64_t e =
                        ((t->k[lane] + d - begin) * t->size + t->row[lane]) * t->size + part_of(t, lane, p);
                    index[lane] = (values / t->value + e) / t->wide;
                }
                tracer->padding = padding_of(launch, tracer, t, active[d], d, p);
                trace_index(tracer, &val, active[d], index);
                tracer->padding = 0;
            }
        for (uint32_t rest = active[0]; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            t->k[lane] = min(t->k[lane] + ahead, min(end, t->stop[lane]));
        }
    } while (active[0]);
}

static void warp_copied(const struct launch *launch, struct tracer *tracer, int64_t warp)
{
    struct tile t = tile_of(launch, warp);
    const int64_t block = (int64_t)t.size * t.size * t.value, all = launch->storage->number[BSR_BLOCKS];
    const struct replay_slots slots = replay_slots(launch, BSR_VAL);
    int64_t index[WARP];
    uint32_t active = t.works;
    read_begins(launch, tracer, &t);
    for (int64_t begin = 0; begin < t.blocks; begin += state_of(launch)->copied) {
        const int64_t end = min(begin + state_of(launch)->copied, t.blocks), from = t.first + begin,
                      to = t.first + end;
        const struct copied col = copied_of(4 * from, 4 * to, 4 * all),
                            val = copied_of(block * from, block * to, block * all);
        copy(tracer, &t, col, OPERAND_COLUMNS, NULL, t.room.columns);
        copy(tracer, &t, val, OPERAND_VALUES, &slots, t.room.values);
        trace_wait(tracer);
        multiply_copied(launch, tracer, &t, begin, end, t.room.columns + 4 * from - col.low,
                        t.room.values + block * from - val.low);
    }
    for (int lane = 0; lane < WARP; lane++) {
        index[lane] = (t.base + t.block_row[lane]) * t.size + t.row[lane];
        if (index[lane] >= launch->storage->rows) active &= ~((uint32_t)1 << lane);
    }
    replay_put(tracer, launch, active, index);
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const int64_t pieces = state_of(launch)->pieces;
    if (state_of(launch)->tile > 0)
        warp_copied(launch, tracer, warp);
    else if (warp < pieces)
        warp_piece(launch, tracer, warp);
    else
        warp_rows(launch, tracer, (warp - pieces) * (WARP / (int64_t)launch->values.number[BSR_LANES]));
}

static int64_t stages(const struct launch *launch)
{
    return launch->storage->number[BSR_BLOCK_ROWS] > 0;
}

/* The number of steps of the longest block row, or of the piece. */
static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct bsr_state *state = state_of(launch);
    if (warp < state->pieces) return state->piece[warp].count / sharing_of(launch, WARP).slots;
    const struct sharing d = sharing_of(launch, (int)launch->values.number[BSR_LANES]);
    const int64_t groups = WARP / d.lanes, first = (warp - state->pieces) * groups;
    int64_t longest = 0;
    for (int64_t r = first; r < min(first + groups, launch->storage->number[BSR_BLOCK_ROWS]); r++)
        if (!is_cut(launch, r))
            longest = max(longest, replay_longest(&launch->resident->array[BSR_ROW_PTR], r, 1));
    return longest / d.slots;
}

const struct trace trace_bsr = {.stages = stages, .stage = stage, .warp = warp, .weight = weight};
