/* The requests to L1 and L2 in loops of products other than y = A x. */
#include <math.h>

#include "analysis/forecast/products_parts.h"
#include "base/range.h"
#include "kernels/cuda/products/entries.h"

#define SAMPLED 2048       /* sample about this number of requests */
#define BLOCKS_HELD 4      /* blocks of a multiprocessor, limited by registers (kernels/cuda/resources.txt) */
#define LIBRARY_LANES 16.0 /* cuSPARSE takes about the same time for 2 to 16 vectors stored by rows */
#define LIBRARY_SHARE 4096.0 /* assumed number of consecutive entries of a library's block */

/* The mean number of sectors that `wide` bytes touch if they begin at a multiple of `wide`. */
static double sectors_of(double wide)
{
    double apart = PRODUCT_SECTOR; /* the greatest common divisor of `wide` and a sector */
    while (fmod(wide, apart) != 0)
        apart /= 2;
    return (wide - apart) / PRODUCT_SECTOR + 1;
}

/* The entries of a request: consecutive entries of a row, or entries at the same index in consecutive
 * rows. */
enum direction { ALONG, ACROSS };

/* Count the sectors that a request touches for the elements of these columns. A request of additions touches
 * a sector again for each further lane that adds to the same element. */
static int distinct(const int64_t *column, int count, double wide, bool adds)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        const int64_t own = (int64_t)((double)column[k] * wide) / PRODUCT_SECTOR;
        int most = 0, same = 0; /* touches of the sector's most touched element, and of this element */
        for (int j = 0; j < k; j++) {
            same += column[j] == column[k];
            if ((int64_t)((double)column[j] * wide) / PRODUCT_SECTOR == own) {
                int times = 1;
                for (int i = 0; i < j; i++)
                    times += column[i] == column[j];
                most = times > most ? times : most;
            }
        }
        found += adds ? same + 1 > most : most == 0;
    }
    return found;
}

/* The mean number of sectors per entry in a request of `group` entries. Narrow elements share sectors. */
static double sectors_an_entry(const struct product_counting *c, double wide, int group,
                               enum direction direction, bool adds)
{
    const struct csr *a = c->reuse->excerpt ? &c->reuse->excerpt->rows : c->reuse->a;
    int64_t touched = 0, entries = 0, column[WARP];
    if (csr_nnz(a) == 0 || group <= 1 || (wide >= PRODUCT_SECTOR && !adds)) return sectors_of(wide);
    const int64_t step = max(1, a->rows / SAMPLED);
    for (int64_t i = 0; i < a->rows; i += step) {
        int count = 0;
        if (direction == ALONG)
            for (int64_t k = a->row_ptr[i]; k < min(a->row_ptr[i] + group, csr_nnz(a)); k++)
                column[count++] = a->col[k];
        for (int64_t r = i; direction == ACROSS && r < min(i + group, a->rows); r++) {
            const int64_t length = a->row_ptr[i + 1] - a->row_ptr[i], k = a->row_ptr[r] + length / 2;
            if (k < a->row_ptr[r + 1]) column[count++] = a->col[k];
        }
        touched += distinct(column, count, fmin(wide, PRODUCT_SECTOR), adds);
        entries += count;
    }
    return entries > 0 ? (double)touched / (double)entries * fmax(1, sectors_of(wide)) : sectors_of(wide);
}

static double longest_row(const struct csr *a)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->rows; i++)
        longest = max(longest, a->row_ptr[i + 1] - a->row_ptr[i]);
    return (double)longest;
}

/* The number of collisions in one line of Y when entries are added row by row, `flying` at a time. It is the
 * maximum of each turn, summed over the turns. */
static double met_in_rows(const struct product_counting *c, double flying)
{
    const struct csr *a = c->reuse->a;
    const int64_t each = max(1, (int64_t)(PRODUCT_LINE / c->wide));
    double sum = 0, most = 0, left = flying;
    for (int64_t i = 0; i < a->rows; i += each) {
        double some = (double)(a->row_ptr[min(i + each, a->rows)] - a->row_ptr[i]);
        for (; some >= left; left = flying) {
            sum += fmax(most, left);
            some -= left;
            most = 0;
        }
        most = fmax(most, some);
        left -= some;
    }
    return sum + most;
}

void product_add_loads(const struct product_counting *c, double sectors, double lines)
{
    struct trace_counts *loads = &c->estimate->accesses[ACCESS_LOAD];
    loads->sectors += llround(sectors);
    loads->lines += llround(lines);
}

/* Add loads of `bytes` in order, which hit L1 only within one request. */
static void add_stream(const struct product_counting *c, enum operand o, double sectors, double lines,
                       double bytes)
{
    product_add_loads(c, sectors, lines);
    c->estimate->memory.misses[o] += bytes / PRODUCT_SECTOR;
    c->estimate->memory.sectors[o] += bytes / PRODUCT_SECTOR;
}

/* The bytes that `entries` successive entries touch in L1. */
static double held_by_block(const struct product_counting *c, double entries)
{
    return reuse_footprint(&c->reuse->several, entries) * product_granules(c) + entries * (c->value + 4);
}

/* The share of touches that hit L1. Their gaps are short enough for its capacity, and lie within the entries
 * of a block. */
static double l1_share(const struct product_counting *c, double entries)
{
    const struct reuse *reuse = &c->reuse->several;
    const double room = (double)c->gpu->l1 / BLOCKS_HELD;
    double low = 0, high = fmin(entries, reuse->ticks), hits = 0;
    for (int k = 0; k < PRODUCT_HALVINGS && held_by_block(c, high) > room; k++) {
        const double middle = (low + high) / 2;
        if (held_by_block(c, middle) <= room)
            low = middle;
        else
            high = middle;
    }
    for (int b = 0; b < REUSE_BINS - 1; b++) {
        const double gap = (reuse_bin_start(b) + reuse_bin_start(b + 1) - 1) / 2;
        if (gap <= high) hits += (double)reuse->gap[b] * fmax(0, 1 - gap / entries);
    }
    return reuse->touches > 0 ? hits / (double)reuse->touches : 0;
}

/* Add the loads of columns' elements for `entries` entries: in requests of `group` entries, in blocks of
 * `share` entries. */
static void add_gather(const struct product_counting *c, double entries, int group, enum direction direction,
                       double share)
{
    const double times = c->apart ? c->columns : c->passes, wide = c->apart ? c->value : c->wide;
    const double each = sectors_an_entry(c, wide, group, direction, false);
    const double asked = entries * times * each;
    const double misses = 1 - l1_share(c, share);
    /* Both sectors of a granule are used if it is touched frequently. */
    const double together = wide >= REUSE_GRANULE ? wide / PRODUCT_SECTOR : 1 + (1 - misses);
    const double missed = fmin(asked, entries * times * misses * together);
    product_add_loads(c, asked, entries * times * fmax(wide / PRODUCT_LINE, fmin(each, 1)));
    c->estimate->memory.misses[OPERAND_X] += missed;
    c->estimate->memory.sectors[OPERAND_X] += missed;
}

/* Add the sectors that additions to Y touch in all requests. */
static void add_additions(const struct product_counting *c, double sectors)
{
    c->estimate->accesses[ACCESS_REDUCTION].sectors += llround(sectors);
    c->estimate->memory.sectors[OPERAND_Y] += sectors;
}

static void add_scattered_additions(const struct product_counting *c, double entries, int group,
                                    enum direction direction)
{
    const double times = c->apart ? c->columns : c->passes, wide = c->apart ? c->value : c->wide;
    add_additions(c, entries * times * sectors_an_entry(c, wide, group, direction, true));
    c->estimate->steps.hottest += llround(c->reuse->added_most * (c->apart ? 1 : c->passes));
}

/* The number of warps that run at a time. */
static double places_of(const struct product_counting *c)
{
    return (double)c->gpu->multiprocessors * BLOCKS_HELD * (PRODUCT_THREADS / WARP);
}

/* Set the steps of a launch with this number of warps. They make this number of requests in total, one after
 * the other. */
static void set_steps(const struct product_counting *c, double warps, double requests, double longest)
{
    struct estimate_steps *steps = &c->estimate->steps;
    const double places = fmax(1, fmin(warps, places_of(c)));
    steps->requests = requests / places;
    steps->turns = warps / places;
    steps->longest = llround(longest);
}

/* The successive requests of a row: 1 for its beginning, then 2 in each round, for columns and values and for
 * X. If columns and values are loaded ahead, or the product is transposed, a round takes only 1. Then 1 more
 * precedes the rounds. */
static double row_steps(const struct product_counting *c, double slots, bool ahead)
{
    const double rounds = ceil(slots / (PRODUCT_AHEAD * c->cut.slices));
    return c->launch->product.transposed ? 2 + rounds : ahead ? 2 + rounds : 1 + 2 * rounds;
}

/* The sum of steps over groups of `together` rows, which a warp processes at a time. Each group takes the
 * steps of its longest row. */
static double rows_steps(const struct product_counting *c, int together, bool ahead, double *longest)
{
    const struct csr *a = c->reuse->a;
    const double mean = c->slots / fmax(1, (double)a->rows);
    double sum = 0, most = 0;
    *longest = 0;
    if (c->launch->kernel->product_way == PRODUCT_WAY_STRIDED) {
        const struct storage *storage = c->launch->storage;
        const double wide = storage->format->longest ? (double)storage->format->longest(storage) : mean;
        *longest = row_steps(c, wide, ahead);
        return ceil((double)a->rows / together) * row_steps(c, mean, ahead);
    }
    for (int64_t i = 0; i < a->rows; i++) {
        most = fmax(most, row_steps(c, (double)(a->row_ptr[i + 1] - a->row_ptr[i]), ahead));
        if ((i + 1) % together && i + 1 < a->rows) continue;
        sum += most;
        *longest = fmax(*longest, most);
        most = 0;
    }
    return sum;
}

static void count_rows(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const bool strided = launch->kernel->product_way == PRODUCT_WAY_STRIDED;
    const bool transposed = launch->product.transposed;
    const int width = c->cut.lanes * c->cut.slices, together = WARP / width;
    const double rows = (double)launch->storage->rows;
    const bool by_columns = !transposed && product_by_columns(launch);
    const struct product_blocks blocks =
        product_blocks_of(launch->storage->rows, c->cut, by_columns, c->gpu->multiprocessors);
    const bool ahead = !transposed && product_ahead((int64_t)c->slots, launch->storage->rows, c->cut);
    double longest;
    const double steps = c->passes * rows_steps(c, together, ahead, &longest);
    const double warps = (double)blocks.passing * c->passes * PRODUCT_THREADS / WARP;
    set_steps(c, warps, steps, longest);
    /* `side` slots of a request are neighbours in memory. They belong to different rows if strided, else to
     * one row. */
    const double side = strided ? together : c->cut.slices;
    const double requests = c->passes * c->slots / side;
    add_stream(c, OPERAND_COLUMNS, requests * fmax(1, side * 4 / PRODUCT_SECTOR), requests,
               c->passes * c->slots * 4);
    add_stream(c, OPERAND_VALUES, requests * fmax(1, side * c->value / PRODUCT_SECTOR), requests,
               c->passes * c->slots * c->value);
    add_stream(c, OPERAND_POINTERS, c->passes * rows / together, c->passes * rows / together,
               c->passes * fmax(0, c->arrays - c->slots * (c->value + 4)));
    const int group = strided ? together : c->cut.slices;
    const double share = blocks.rows * c->slots / fmax(1, rows);
    if (transposed) {
        const double each = c->apart ? c->columns : sectors_of(c->wide);
        add_stream(c, OPERAND_X, c->passes * rows * each, c->passes * rows, rows * c->columns * c->value);
        add_scattered_additions(c, c->slots, group, strided ? ACROSS : ALONG);
    } else {
        add_gather(c, c->slots, group, strided ? ACROSS : ALONG, share);
        c->estimate->memory.sectors[OPERAND_Y] += rows * c->columns * c->value / PRODUCT_SECTOR;
    }
}

/* A thread has a row, and a warp 32, whose slots at one index are neighbours in memory. It takes the vectors
 * of a pass as they lie. */
static void count_straight(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const struct storage *storage = launch->storage;
    const double rows = (double)storage->rows, each = ceil((double)c->columns / c->passes);
    const double ahead = each > 4 ? 2 : PRODUCT_AHEAD, mean = c->slots / fmax(1, rows);
    const double wide = storage->format->longest ? (double)storage->format->longest(storage) : mean;
    const double warps = ceil(rows / PRODUCT_THREADS) * c->passes * PRODUCT_THREADS / WARP;
    set_steps(c, warps, warps * (1 + 2 * ceil(mean / ahead)), 1 + 2 * ceil(wide / ahead));
    add_stream(c, OPERAND_COLUMNS, c->passes * c->slots * 4 / PRODUCT_SECTOR,
               c->passes * c->slots * 4 / PRODUCT_LINE, c->passes * c->slots * 4);
    add_stream(c, OPERAND_VALUES, c->passes * c->slots * c->value / PRODUCT_SECTOR,
               c->passes * c->slots * c->value / PRODUCT_LINE, c->passes * c->slots * c->value);
    add_gather(c, c->slots, WARP, ACROSS, PRODUCT_THREADS * mean);
    c->estimate->memory.sectors[OPERAND_Y] += rows * c->columns * c->value / PRODUCT_SECTOR;
}

/* Add the loads of the windows' tables, which each pass makes. */
static void count_tiles(const struct product_counting *c)
{
    const double tiles = c->passes * (double)c->windows->tiles, windows = (double)c->windows->windows;
    add_stream(c, OPERAND_POINTERS, windows * c->passes, windows * c->passes, windows * sizeof(int64_t));
    add_stream(c, OPERAND_COLUMNS, tiles, tiles, tiles * WINDOW_COLUMNS * sizeof(int32_t));
    add_stream(c, OPERAND_VALUES, tiles * WINDOW_SLOTS * c->value / PRODUCT_SECTOR,
               tiles * WINDOW_SLOTS * c->value / PRODUCT_LINE, tiles * WINDOW_SLOTS * c->value);
}

/* A warp has a window and the vectors of a pass. It loads two tiles at a time of double precision, and a
 * column of each slice of single precision; a block has few windows, which share no columns to speak of. */
static void count_windows(const struct product_counting *c)
{
    const double tiles = (double)c->windows->tiles, windows = (double)c->windows->windows;
    const double rows = (double)c->launch->storage->rows, passes = c->passes;
    const struct product_cut cut = product_cut_of(c->columns, (int)c->value, 4, 0, WARP);
    const double at_once = c->value < 8 ? (double)cut.slices / WINDOW_COLUMNS : 2;
    const double warps = windows * passes, requests = 2 + ceil(tiles / fmax(1, windows) / at_once);
    set_steps(c, warps, warps * requests, requests);
    count_tiles(c);
    const double elements = passes * tiles * WINDOW_COLUMNS, sectors = elements * sectors_of(c->wide);
    product_add_loads(c, sectors, elements * fmax(1, c->wide / PRODUCT_LINE));
    c->estimate->memory.misses[OPERAND_X] += sectors;
    c->estimate->memory.sectors[OPERAND_X] += sectors;
    c->estimate->memory.sectors[OPERAND_Y] += rows * c->columns * c->value / PRODUCT_SECTOR;
}

/* A^T: a warp takes two tiles at a time in double precision, and four in single precision. For each vector it
 * adds the sum of each column over the window once. It reads X eight rows at a time, in any layout. */
static void count_windows_added(const struct product_counting *c)
{
    const double tiles = (double)c->windows->tiles, windows = (double)c->windows->windows;
    const double warps = windows * c->passes, rows = (double)c->launch->storage->rows;
    const double requests = 2 + ceil(tiles / fmax(1, windows) / (c->value < 8 ? 4 : 2));
    const double added = c->passes * tiles * WINDOW_COLUMNS;
    set_steps(c, warps, warps * requests, requests);
    count_tiles(c);
    add_stream(c, OPERAND_X, rows * c->columns * c->value / PRODUCT_SECTOR,
               rows * c->columns * c->value / PRODUCT_LINE, rows * c->columns * c->value);
    /* If Y is stored by columns, the four columns of a tile are adjacent elements at best. */
    add_additions(
        c, added * (c->turned_y || c->launch->product.by_rows ? sectors_of(c->wide) : WINDOW_ADDED / 2.0));
}

bool product_tells_rows(const struct storage *storage)
{
    for (int q = 0; q < storage->count; q++)
        if (storage->array[q].role == ROLE_ROWS && storage->array[q].per_slot) return true;
    return false;
}

/* Add the loads of columns and values of entries, and of their rows if these are stored. A request has `room`
 * entries. */
static void count_entries(const struct product_counting *c, double room)
{
    const double entries = (double)c->launch->storage->nnz, requests = c->passes * entries / room;
    const bool coo = product_tells_rows(c->launch->storage);
    add_stream(c, OPERAND_COLUMNS, requests * fmax(1, room * 4 / PRODUCT_SECTOR), requests,
               c->passes * entries * 4);
    add_stream(c, OPERAND_VALUES, requests * fmax(1, room * c->value / PRODUCT_SECTOR), requests,
               c->passes * entries * c->value);
    if (coo)
        add_stream(c, OPERAND_ROWS, requests * fmax(1, room * 4 / PRODUCT_SECTOR), requests,
                   c->passes * entries * 4);
}

static void count_shares(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const int64_t nnz = launch->storage->nnz, rows = launch->storage->rows;
    const int64_t resident = grid_resident_threads(launch);
    const int taken = product_tells_rows(launch->storage) ? product_staged(nnz, c->cut, resident) : 0;
    const bool staged = taken > 0;
    const int64_t interval = staged ? taken : product_interval(nnz, c->cut, resident);
    const double intervals = ceil((double)nnz / (double)interval);
    const double warps =
        (double)(product_entries_passing(nnz, c->cut, interval) * c->passes) * PRODUCT_THREADS / WARP;
    const double search = product_tells_rows(launch->storage) ? 1 : log2(fmax(2, (double)rows));
    const double each = search + 2 * ceil((double)interval / PRODUCT_AHEAD) + 1;
    const double share = (double)interval * PRODUCT_THREADS / c->cut.lanes;
    const double vector = c->cut.vector, sectors = c->apart ? c->columns : c->passes * sectors_of(c->wide);
    set_steps(c, warps, warps * each, each);
    count_entries(c, staged ? WARP : PRODUCT_AHEAD);
    add_gather(c, (double)nnz, 1, ALONG, share);
    /* Groups of a warp that stage entries first join the sums of the rows that they share. */
    add_additions(c, 2 * (staged ? intervals * c->cut.lanes / WARP : intervals) * vector * sectors);
    c->estimate->memory.sectors[OPERAND_Y] += (double)rows * sectors;
    c->estimate->steps.hottest += llround(vector * longest_row(c->reuse->a) / share);
}

static void count_atomic(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const bool transposed = launch->product.transposed;
    const double nnz = (double)launch->storage->nnz, rows = (double)launch->storage->rows;
    /* Each lane has its own entry if vectors are not turned. */
    const int room = c->straight ? WARP : WARP / c->cut.lanes;
    const int64_t passing = c->straight
                                ? grid_for(launch->storage->nnz, 1, PRODUCT_THREADS).blocks
                                : product_entries_passing(launch->storage->nnz, c->cut, PRODUCT_AHEAD);
    const double warps = (double)(passing * c->passes) * PRODUCT_THREADS / WARP;
    const double sectors = c->apart ? c->columns : c->passes * sectors_of(c->wide);
    set_steps(c, warps, 2 * warps, 2);
    count_entries(c, room);
    /* Neighbouring entries belong to few rows. */
    const double met = fmin(nnz, nnz / room + rows);
    if (transposed) {
        add_stream(c, OPERAND_X, met * sectors, met * fmax(1, c->wide / PRODUCT_LINE),
                   rows * c->columns * c->value);
        add_scattered_additions(c, nnz, room, ALONG);
        return;
    }
    add_gather(c, nnz, room, ALONG, (double)PRODUCT_THREADS / c->cut.lanes * PRODUCT_AHEAD);
    add_additions(c, nnz * sectors); /* lanes with entries of one row wait for each other */
    const double flying = fmin(warps, places_of(c)) * room * PRODUCT_AHEAD;
    c->estimate->steps.hottest += llround(met_in_rows(c, flying) * c->passes);
}

/* A library's kernel is assumed to process entries as the kernels here do, for all rows. Lanes read
 * neighbouring entries, and columns' elements in their layout. */
static void count_library(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const double nnz = (double)launch->storage->nnz, rows = (double)launch->storage->rows;
    const double all = c->columns * c->value;
    /* Libraries use at least LIBRARY_LANES lanes, even for fewer interleaved vectors. */
    const double lanes =
        c->columns > 1 && launch->product.by_rows ? fmax(LIBRARY_LANES, c->columns) : c->columns;
    const double warps = ceil(nnz * lanes / WARP / PRODUCT_AHEAD);
    set_steps(c, warps, 2 * warps, 2);
    count_entries(c, WARP);
    if (launch->product.transposed) {
        add_stream(c, OPERAND_X, rows * all / PRODUCT_SECTOR, rows * fmax(1, all / PRODUCT_LINE), rows * all);
        add_scattered_additions(c, nnz, WARP, ALONG);
        return;
    }
    add_gather(c, nnz, WARP, ALONG, LIBRARY_SHARE);
    c->estimate->memory.sectors[OPERAND_Y] += rows * all / PRODUCT_SECTOR;
}

void product_count(const struct product_counting *c)
{
    if (c->windows) {
        if (c->launch->product.transposed)
            count_windows_added(c);
        else
            count_windows(c);
        return;
    }
    if (c->straight && c->launch->kernel->product_way != PRODUCT_WAY_ATOMIC) {
        count_straight(c);
        return;
    }
    switch (c->launch->kernel->product_way) {
    case PRODUCT_WAY_ROWS:
    case PRODUCT_WAY_STRIDED:
        count_rows(c);
        break;
    case PRODUCT_WAY_SHARES:
        count_shares(c);
        break;
    case PRODUCT_WAY_ATOMIC:
        count_atomic(c);
        break;
    default:
        count_library(c);
    }
}
