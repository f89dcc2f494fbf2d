#include "analysis/forecast/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/l1.h"
#include "analysis/forecast/windows.h"
#include "base/memory.h"
#include "base/range.h"
#include "formats/sorted.h"

#define HALVINGS 40
#define LOST_EXACT 1e-12

/* The inputs of the model of L2 for a kernel. */
struct parts {
    const struct gpu *gpu;
    struct windows windows;
    double scale[OPERANDS]; /* the factor from counts in the windows to counts in the product */
    double ticks;           /* requests of a multiprocessor in the product */
    bool wide_x, wide_y;    /* x and y are known from the whole matrix instead of the windows */
    struct reuse x, y;
};

double memory_sum(const double of[OPERANDS])
{
    double sum = 0;
    for (int o = 0; o < OPERANDS; o++)
        sum += of[o];
    return sum;
}

static double times_of(const struct memory_options *options)
{
    return fmax(options->times, 1);
}

static int value_bytes(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static bool streams(enum operand o)
{
    return o != OPERAND_X && o != OPERAND_Y && o != OPERAND_SHARED;
}

/* The number of copies in L2 of data that one multiprocessor reads. */
static double copies_of_one(const struct gpu *gpu)
{
    return 2 - 1 / (double)gpu->partitions;
}

/* The share of an operand's granules that are not advised for early eviction. */
static double kept(const struct window_counts *counts)
{
    return counts->misses > 0 ? 1 - (double)counts->once / (double)counts->misses : 1;
}

static double granules(const struct parts *parts, int o)
{
    return (double)parts->windows.operand[o].granules * parts->scale[o] * REUSE_GRANULE;
}

/* The lost share of lines that are touched in turn, if they are u times the capacity. With strict replacement
 * of the least recently used line, all would be lost as soon as u > 1. An H200 loses fewer, about as many as
 * with random replacement. Let a share m of lines be lost each time. Then m u times the capacity is refilled
 * between two touches of a line. The line remains with probability exp(-m u), so m = 1 - exp(-m u). For u <=
 * 1 the only solution is 0. */
static double lost(double u)
{
    double m = 1;
    if (u <= 1) return 0;
    for (int k = 0; k < HALVINGS; k++) {
        const double before = m;
        m = 1 - exp(-m * u);
        if (before - m < LOST_EXACT) break;
    }
    return m;
}

/* The expected number of touches that find their data lost, from the gaps before them. */
static double again_softly(const int64_t gaps[REUSE_BINS], double t)
{
    double sum = 0;
    for (int b = 0; b < REUSE_BINS - 1; b++)
        if (gaps[b]) sum += (double)gaps[b] * lost((reuse_bin_start(b) + reuse_bin_start(b + 1)) / 2 / t);
    return sum;
}

/* The bytes of an operand touched in a window of time t, a share of the product. Its lines stay in L2 only
 * for a short time, so the ends of the product do not matter. Lines untouched for w arrive at the rate of
 * first touches and of gaps above w. The integral of this rate over w up to t is the touched amount. */
static double footprint(const struct parts *parts, int o, double t)
{
    const struct window_counts *counts = &parts->windows.operand[o];
    const double lines = (double)counts->lines;
    const double again = reuse_within(counts->line_gap, t * parts->ticks) / parts->ticks;
    return fmin(lines * t + again, lines) * parts->scale[o] * L1_LINE * kept(counts);
}

/* The bytes of an operand that are fetched again because L2 has lost them. */
static double fetched_again(const struct parts *parts, int o, double t)
{
    const int64_t *gaps = parts->windows.operand[o].granule_gap;
    return again_softly(gaps, t * parts->ticks) * parts->scale[o] * REUSE_GRANULE;
}

/* The content of L2 if it kept the data touched within time t. */
static double held(const struct parts *parts, double t)
{
    const double one = copies_of_one(parts->gpu), all = parts->gpu->partitions;
    double sum = 0;
    for (int o = 0; o < OPERANDS; o++)
        if (streams((enum operand)o) || (o == OPERAND_X && !parts->wide_x) ||
            (o == OPERAND_Y && !parts->wide_y))
            sum += footprint(parts, o, t) * (o == OPERAND_X ? all : one);
    if (parts->wide_x) sum += reuse_footprint(&parts->x, t * parts->x.ticks) * all;
    if (parts->wide_y) sum += reuse_footprint(&parts->y, t * parts->y.ticks) * one;
    return sum;
}

/* The largest t for which L2 can hold the data touched within t. */
static double find_stay(const struct parts *parts)
{
    const double room = (double)parts->gpu->cache;
    double low = 0, high = 1;
    if (held(parts, 1) <= room) return 1;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;
        if (held(parts, middle) <= room)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Find the order in which lanes process rows if it is not the natural order. *order is owned by the caller,
 * or NULL. Rows without a lane come last. */
static enum status find_order(const struct launch *launch, const struct csr *a, int32_t **order,
                              struct error *error)
{
    const struct trace *trace = launch->kernel->trace;
    int64_t count = 0, row[TRACE_LANES], stages = trace_stages(launch), before = -1;
    bool falls = false;
    *order = NULL;
    if (!trace->rows || a->rows == 0) return STATUS_OK;
    int32_t *rows = memory_array((size_t)a->rows, sizeof *rows, error);
    unsigned char *met = memory_zeroed((size_t)a->rows, 1, error);
    for (int64_t s = 0; rows && met && s < stages; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        for (int64_t w = 0; w < stage.warps; w++) {
            trace->rows(launch, s, w, row);
            for (int lane = 0; lane < TRACE_LANES; lane++) {
                if (row[lane] < 0 || row[lane] >= a->rows || met[row[lane]]) continue;
                met[row[lane]] = 1;
                falls |= row[lane] < before;
                before = row[lane];
                rows[count++] = (int32_t)row[lane];
            }
        }
    }
    for (int64_t i = 0; falls && rows && met && i < a->rows; i++)
        if (!met[i]) rows[count++] = (int32_t)i;
    bool enough = rows && met;
    free(met);
    if (enough && falls && count == a->rows)
        *order = rows;
    else
        free(rows);
    return enough ? STATUS_OK : STATUS_MEMORY;
}

void memory_reuse_free(struct memory_reuse *reuse)
{
    free(reuse->order);
    reuse->order = NULL;
}

/* The launch has an excerpt. If its storage sorts rows by length, find the order of the rows of the whole
 * matrix. */
static enum status find_whole_order(const struct launch *launch, const struct csr *a, int32_t **order,
                                    struct progress *progress, struct error *error)
{
    const struct storage *storage = launch->storage;
    const bool sorted = storage_sorted_window(storage) > 1;
    free(*order);
    *order = NULL;
    if (!sorted) return STATUS_OK;
    *order = memory_array((size_t)a->rows + 1, sizeof **order, error);
    if (!*order) return STATUS_MEMORY;
    /* A window of all rows of the excerpt corresponds to all rows of the matrix. */
    const int64_t window = storage_sorted_window(storage);
    enum status status = sort_rows(a, window < storage->rows ? window : a->rows, progress, *order, error);
    if (status == STATUS_OK) return status;
    free(*order);
    *order = NULL;
    return status;
}

static struct touches touches_by(const struct memory_reuse *reuse)
{
    return reuse->excerpt ? excerpt_touches(reuse->excerpt, reuse->a->row_ptr) : touches_of(reuse->a);
}

/* Find the reuse of x and y with rows in another order, and keep both in `reuse`. Kernels of a format share
 * one order, so only the last order is kept. */
static enum status know_ordered(struct memory_reuse *reuse, int32_t *order, int size, uint64_t seed,
                                struct progress *progress, struct error *error)
{
    const struct csr *a = reuse->a;
    enum status status = STATUS_OK;
    if (reuse->order && reuse->size == size &&
        memcmp(reuse->order, order, (size_t)a->rows * sizeof *order) == 0) {
        free(order);
        return STATUS_OK;
    }
    memory_reuse_free(reuse);
    const struct touches touches = touches_by(reuse);
    status = reuse_of_x(&touches, order, size, seed, &reuse->ordered_x, progress, error);
    if (status == STATUS_OK) status = reuse_of_y(a, order, size, &reuse->ordered_y, error);
    if (status != STATUS_OK) {
        free(order);
        return status;
    }
    reuse->order = order;
    reuse->size = size;
    return STATUS_OK;
}

/* True if warps process the columns of the whole matrix one after the other. */
static bool is_by_columns(const struct launch *launch, const struct memory_reuse *reuse)
{
    return launch->kernel->trace->by_columns && !reuse->excerpt;
}

/* Return the bit of the operand that know_x_and_y always finds from the whole matrix. */
static unsigned known(const struct launch *launch, const struct memory_reuse *reuse)
{
    if (!reuse || !reuse->a) return 0;
    return is_by_columns(launch, reuse) ? 1u << OPERAND_Y : 1u << OPERAND_X;
}

static enum status know_x_and_y(const struct launch *launch, const struct memory_options *options,
                                struct parts *parts, struct progress *progress, struct error *error)
{
    struct memory_reuse *reuse = options->reuse;
    const struct csr *a = reuse ? reuse->a : NULL;
    const int size = value_bytes(launch), k = size == 8;
    enum status status = STATUS_OK;
    int32_t *order = NULL;
    if (!a) return STATUS_OK;
    if (is_by_columns(launch, reuse)) {
        status = reuse_of_y_by_columns(a, size, options->seed, &parts->y, error);
        parts->wide_y = true;
        return status;
    }
    status = find_order(launch, reuse->excerpt ? &reuse->excerpt->rows : a, &order, error);
    if (status == STATUS_OK && order && reuse->excerpt)
        status = find_whole_order(launch, a, &order, progress, error);
    if (status == STATUS_OK && order) {
        status = know_ordered(reuse, order, size, options->seed, progress, error);
        parts->x = reuse->ordered_x;
        parts->y = reuse->ordered_y;
        parts->wide_y = true;
    } else if (status == STATUS_OK) {
        const struct touches touches = touches_by(reuse);
        if (!reuse->there[k])
            status = reuse_of_x(&touches, NULL, size, options->seed, &reuse->x[k], progress, error);
        reuse->there[k] = status == STATUS_OK;
        parts->x = reuse->x[k];
    }
    parts->wide_x = true;
    return status;
}

static const struct trace_counts *counts_of(const struct memory_options *options, enum access access, int o)
{
    return &options->coalescing->count[access][o];
}

/* Find the factors from the windows to the product. The loads of each operand are counted in all warps, or in
 * many. */
static void scale(const struct memory_options *options, struct parts *parts, double requests)
{
    const double all = share_of(requests, (double)parts->windows.requests);
    for (int o = 0; o < OPERANDS; o++) {
        const double loads = (double)counts_of(options, ACCESS_LOAD, o)->sectors;
        const double seen = (double)parts->windows.operand[o].loads;
        parts->scale[o] = seen > 0 ? loads / seen : parts->windows.requests > 0 ? all : 0;
    }
    parts->ticks = fmax(1, requests / (double)parts->windows.active);
}

static void set_l2(const struct memory_options *options, const struct parts *parts,
                   struct memory_traffic *traffic)
{
    for (int o = 0; o < OPERANDS; o++) {
        if (o == OPERAND_SHARED) continue;
        traffic->misses[o] = (double)parts->windows.operand[o].misses * parts->scale[o];
        traffic->sectors[o] = traffic->misses[o];
        for (int a = ACCESS_STORE; a < ACCESSES; a++)
            traffic->sectors[o] += (double)counts_of(options, (enum access)a, o)->sectors;
    }
}

/* Find the bytes read of streamed arrays, for the first time and again. First reads are at most the size of
 * the arrays, although granules shared by blocks of two multiprocessors are counted for each. Reads of values
 * are at least the bytes that lanes request, because the windows see only the beginning of very long
 * warps. */
static void read_streams(const struct memory_options *options, const struct launch *launch,
                         const struct parts *parts, double t, struct memory_traffic *traffic)
{
    const struct traffic most = kernel_traffic(launch);
    const double slots = (double)(launch->storage->slots[0] + launch->storage->slots[1]);
    const double values = fmin((double)counts_of(options, ACCESS_LOAD, OPERAND_VALUES)->bytes,
                               times_of(options) * slots * value_bytes(launch));
    double first = 0;
    for (int o = 0; o < OPERANDS; o++)
        if (streams((enum operand)o)) first += granules(parts, o);
    const double arrays =
        times_of(options) * ((double)most.array_bytes + (double)most.passed_bytes + (double)most.own_bytes);
    const double cut = first > arrays ? arrays / first : 1;
    for (int o = 0; o < OPERANDS; o++) {
        if (!streams((enum operand)o)) continue;
        traffic->reads[o] = granules(parts, o) * cut + fetched_again(parts, o, t);
        if (o == OPERAND_VALUES)
            traffic->reads[o] = fmax(traffic->reads[o], fmin(values, arrays - first + granules(parts, o)));
    }
}

/* Find the bytes read of these streams if the same product ran before. If L2 can hold all data that it should
 * keep (t = 1), loads that advise early eviction share the rest of its capacity. They pass through it in
 * turn, once a product. */
static void read_streams_again(const struct parts *parts, double t, struct memory_traffic *traffic)
{
    const double room = (double)parts->gpu->cache - held(parts, 1);
    double passing = 0;
    for (int o = 0; o < OPERANDS; o++)
        if (streams((enum operand)o)) passing += traffic->reads[o] * (1 - kept(&parts->windows.operand[o]));
    passing *= copies_of_one(parts->gpu);
    const double gone = passing <= 0 ? 0 : room > 0 ? lost(passing / room) : 1;
    for (int o = 0; o < OPERANDS; o++) {
        if (!streams((enum operand)o)) continue;
        traffic->warm_reads[o] =
            t < 1 ? traffic->reads[o] : traffic->reads[o] * (1 - kept(&parts->windows.operand[o])) * gone;
    }
}

static void read_x(const struct parts *parts, double t, struct memory_traffic *traffic)
{
    const double least = traffic->misses[OPERAND_X] * REUSE_GRANULE;
    double first = granules(parts, OPERAND_X), again, round;
    if (parts->wide_x) {
        first = reuse_first(&parts->x);
        again = reuse_again(&parts->x, t * parts->x.ticks);
        round = reuse_round(&parts->x, t * parts->x.ticks);
    } else {
        again = fetched_again(parts, OPERAND_X, t);
        round = first;
    }
    traffic->reads[OPERAND_X] = fmin(first + again, least);
    traffic->warm_reads[OPERAND_X] = t < 1 ? fmin(round + again, least) : 0;
}

/* y is read if the kernel adds to it. It is also read if the kernel writes a part of a granule that L2 no
 * longer has. This happens twice for each gap, because the part written before the gap was not a whole
 * granule either. Data written to L2 goes to memory when it is evicted, if the product still runs then. */
static void move_y(const struct memory_options *options, const struct launch *launch,
                   const struct parts *parts, double t, struct memory_traffic *traffic)
{
    const double bytes = times_of(options) * (double)launch->storage->rows * value_bytes(launch);
    const bool adds = counts_of(options, ACCESS_LOAD, OPERAND_Y)->requests > 0 ||
                      counts_of(options, ACCESS_REDUCTION, OPERAND_Y)->requests > 0 ||
                      counts_of(options, ACCESS_ATOMIC, OPERAND_Y)->requests > 0;
    double first = fmin(granules(parts, OPERAND_Y), bytes), again, last = 1 - t;
    if (parts->wide_y) {
        first = reuse_first(&parts->y);
        again = reuse_again(&parts->y, t * parts->y.ticks);
        last = fmin(1, reuse_longer(parts->y.edge, t * parts->y.ticks) / (double)max(parts->y.granules, 1));
    } else {
        again = fetched_again(parts, OPERAND_Y, t);
    }
    const double most = REUSE_GRANULE * (double)(counts_of(options, ACCESS_LOAD, OPERAND_Y)->sectors +
                                                 counts_of(options, ACCESS_REDUCTION, OPERAND_Y)->sectors +
                                                 counts_of(options, ACCESS_ATOMIC, OPERAND_Y)->sectors);
    traffic->reads[OPERAND_Y] = adds ? fmin(first + again, most) : fmin(2 * again, first + again);
    traffic->warm_reads[OPERAND_Y] = t < 1 ? traffic->reads[OPERAND_Y] : 0;
    if (t >= 1) last = 0;
    traffic->writes = first * last + again / 2;
    traffic->warm_writes = t < 1 ? first + again / 2 : 0;
}

/* Sectors and bytes are whole numbers, so reports that are read back give the same sums. */
static void round_off(struct memory_traffic *traffic)
{
    double *const of[] = {traffic->misses, traffic->sectors, traffic->reads, traffic->warm_reads};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (int o = 0; o < OPERANDS; o++)
            of[k][o] = round(of[k][o]);
    traffic->writes = round(traffic->writes);
    traffic->warm_writes = round(traffic->warm_writes);
}

enum status memory_forecast(const struct launch *launch, const struct memory_options *options,
                            struct memory_traffic *traffic, struct progress *progress, struct error *error)
{
    const struct trace_counts all = coalescing_sum_of_all(options->coalescing);
    const struct windows_options windows = {.gpu = options->gpu,
                                            .requests = (int64_t)((double)all.requests / times_of(options)),
                                            .times = times_of(options),
                                            .seed = options->seed,
                                            .budget = options->budget,
                                            .unfollowed = known(launch, options->reuse)};
    struct parts *parts = memory_zeroed(1, sizeof *parts, error);
    *traffic = (struct memory_traffic){.there = parts != NULL, .stays = 1};
    if (!parts) return STATUS_MEMORY;
    parts->gpu = options->gpu;
    enum status status = windows_replay(launch, &windows, &parts->windows, progress, error);
    if (status == STATUS_OK) status = know_x_and_y(launch, options, parts, progress, error);
    if (status == STATUS_OK) {
        scale(options, parts, (double)all.requests);
        traffic->served = share_of((double)parts->windows.served, (double)parts->windows.waits);
        traffic->stays = find_stay(parts);
        set_l2(options, parts, traffic);
        read_streams(options, launch, parts, traffic->stays, traffic);
        read_streams_again(parts, traffic->stays, traffic);
        read_x(parts, traffic->stays, traffic);
        move_y(options, launch, parts, traffic->stays, traffic);
    }
    free(parts);
    round_off(traffic);
    if (status != STATUS_OK) *traffic = (struct memory_traffic){0};
    return status;
}
