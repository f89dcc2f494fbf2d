#include "analysis/forecast/windows.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/l1.h"
#include "analysis/forecast/windows_plan.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define WARP_MIN 256    /* the least limit on a warp's replayed requests */
#define ALONE_MAX 65536 /* the limit for a warp that runs alone */
#define ARRAYS 64
#define ARRAY_SHIFT 46 /* lower bits: the line's number in its array; above: the array's number */

/* An item of a warp's requests is a line with some of its sectors, which are asked for in ascending order,
 * and these flags in its uppermost bits. */
#define FIRST (UINT64_C(1) << 63) /* the first line of its request */
#define LOAD (UINT64_C(1) << 62)
#define ONCE (UINT64_C(1) << 61)
#define WAITS (UINT64_C(1) << 60) /* the warp waits for it */
#define OPERAND_SHIFT 56          /* three bits for the operand */
#define SECTORS_SHIFT 52          /* four bits for the sectors */
#define LINE ((UINT64_C(1) << SECTORS_SHIFT) - 1)
#define LINE_SECTORS (L1_LINE / L1_SECTOR)
#define ALL_SECTORS ((UINT64_C(1) << LINE_SECTORS) - 1)

/* The array of a sector. The operand and the name before the index identify it: "row_ptr[i]" and
 * "row_ptr[i + 1]" belong to one array. */
struct arrays {
    struct {
        const char *text;
        size_t length;
        enum operand operand;
    } item[ARRAYS];
    int count;
};

static int array_of(struct arrays *arrays, const struct ask *ask)
{
    for (int k = 0; k < arrays->count; k++)
        if (arrays->item[k].text == ask->text && arrays->item[k].operand == ask->operand) return k;
    size_t length = strcspn(ask->text, "[(");
    for (int k = 0; k < arrays->count; k++)
        if (arrays->item[k].operand == ask->operand && arrays->item[k].length == length &&
            memcmp(arrays->item[k].text, ask->text, length) == 0)
            return k;
    if (arrays->count == ARRAYS) return ARRAYS - 1;
    arrays->item[arrays->count].text = ask->text;
    arrays->item[arrays->count].length = length;
    arrays->item[arrays->count].operand = ask->operand;
    return arrays->count++;
}

/* The requests of a warp. */
struct stream {
    uint64_t *item;
    size_t count, room, at;
};

/* A slot of a hash table: a line that one multiprocessor has requested from L2, the time of the last request,
 * and the requested granules. A slot is empty unless its key has the table's present turn. A window makes
 * far fewer than 2^31 requests. */
struct asked {
    uint64_t key; /* the line plus 1, with the turn in the bits above */
    int32_t tick; /* -1 if the line is new */
    uint32_t granules;
};

#define TURN_SHIFT 53
#define TURNS (1 << 11)

/* Each window is a new turn, so the slots of the previous window need not be cleared. */
struct seen {
    struct asked *slot;
    size_t room, count; /* room is a power of two */
    uint64_t turn;      /* from 1 on */
    uint64_t latest;    /* the last requested line, plus 1 */
    size_t place;       /* the index of its slot */
};

/* A window being replayed. A thread replays its windows one after the other in the same memory. */
struct window {
    const struct launch *launch;
    struct window_place at;
    size_t warp_max;     /* max number of replayed requests of a warp */
    unsigned unfollowed; /* as in windows_options */
    struct tracer tracer;
    struct arrays arrays;
    struct l1 l1;
    size_t l1_bytes;
    struct seen seen;
    struct stream *streams; /* at least resident * warps streams */
    size_t room;            /* the number of streams */
    struct stream *into;    /* the stream being recorded */
    size_t recorded;
    jmp_buf enough;
    bool failed;
    int64_t tick, warming;  /* requests made; requests left before counting begins */
    struct windows *counts; /* of all windows of the thread; owned */
};

static bool widen_stream(struct stream *stream)
{
    size_t room = stream->room ? 2 * stream->room : 1024;
    uint64_t *wider = memory_resize(stream->item, room, sizeof *wider, NULL);
    if (!wider) return false;
    stream->item = wider;
    stream->room = room;
    return true;
}

/* Make items of the sectors of a request: successive sectors of a line are one item if they ascend. Returns
 * the number of items. */
static size_t join_lines(const uint64_t *sector, int count, uint64_t flags, uint64_t *item)
{
    uint64_t line = UINT64_MAX, before = 0;
    size_t items = 0;
    for (int k = 0; k < count; k++) {
        const uint64_t of = sector[k] / LINE_SECTORS, bit = UINT64_C(1)
                                                            << SECTORS_SHIFT << sector[k] % LINE_SECTORS;
        if (of == line && sector[k] > before)
            item[items - 1] |= bit;
        else
            item[items++] = of | bit | flags;
        line = of;
        before = sector[k];
    }
    item[0] |= FIRST;
    return items;
}

/* Begin to record a request in the window's stream. Returns the flags of its items. */
static uint64_t begin_request(struct window *window, const struct ask *ask)
{
    struct stream *stream = window->into;
    uint64_t flags = (uint64_t)array_of(&window->arrays, ask) << ARRAY_SHIFT | (uint64_t)ask->operand
                                                                                   << OPERAND_SHIFT;
    if (stream->count + TRACE_LANES > stream->room && !widen_stream(stream)) {
        window->failed = true;
        longjmp(window->enough, 1);
    }
    if (ask->access == ACCESS_LOAD) flags |= LOAD;
    if (ask->once) flags |= ONCE;
    if ((ask->access == ACCESS_LOAD && !ask->copied) || ask->access == ACCESS_ATOMIC) flags |= WAITS;
    return flags;
}

/* Record the sectors of a request. */
static void note(void *context, const struct ask *ask, const uint64_t *sector, int count)
{
    struct window *window = context;
    struct stream *stream = window->into;
    const uint64_t flags = begin_request(window, ask);
    stream->count += join_lines(sector, count, flags, stream->item + stream->count);
    if (++window->recorded >= window->warp_max) longjmp(window->enough, 1);
}

/* Record a request of sectors first .. last. */
static void note_stretch(void *context, const struct ask *ask, uint64_t first, uint64_t last)
{
    struct window *window = context;
    struct stream *stream = window->into;
    const uint64_t flags = begin_request(window, ask);
    uint64_t *item = stream->item + stream->count;
    const uint64_t line = first / LINE_SECTORS, lines = last / LINE_SECTORS - line;
    for (uint64_t k = 0; k <= lines; k++)
        item[k] = (line + k) | ALL_SECTORS << SECTORS_SHIFT | flags;
    item[0] &= ~((((uint64_t)1 << first % LINE_SECTORS) - 1) << SECTORS_SHIFT);
    item[lines] &= ~((ALL_SECTORS & ~(uint64_t)1 << last % LINE_SECTORS) << SECTORS_SHIFT);
    item[0] |= FIRST;
    stream->count += lines + 1;
    if (++window->recorded >= window->warp_max) longjmp(window->enough, 1);
}

static void record(struct window *window, int64_t warp, struct stream *stream)
{
    stream->count = stream->at = 0;
    window->into = stream;
    window->recorded = 0;
    window->tracer.sectors = note;
    window->tracer.stretch = note_stretch;
    window->tracer.context = window;
    window->tracer.padding = 0;
    if (warp < window->at.plan->all_warps && setjmp(window->enough) == 0)
        trace_warp(window->launch, window->at.plan->stage, warp, &window->tracer);
}

static bool widen(struct seen *seen);

/* Return the record of a line; NULL without memory. */
static struct asked *asked_of(struct seen *seen, uint64_t line)
{
    if (seen->latest == line + 1) return &seen->slot[seen->place];
    if (2 * seen->count >= seen->room && !widen(seen)) return NULL;
    const uint64_t key = (line + 1) | seen->turn << TURN_SHIFT;
    size_t p = (size_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (seen->room - 1);
    while (seen->slot[p].key != key && seen->slot[p].key >> TURN_SHIFT == seen->turn)
        p = (p + 1) & (seen->room - 1);
    if (seen->slot[p].key != key) {
        seen->slot[p] = (struct asked){.key = key, .tick = -1};
        seen->count++;
    }
    seen->latest = line + 1;
    seen->place = p;
    return &seen->slot[p];
}

static bool widen(struct seen *seen)
{
    struct seen wider = {.room = seen->room ? 4 * seen->room : 1024, .turn = seen->turn};
    wider.slot = memory_zeroed(wider.room, sizeof *wider.slot, NULL);
    if (!wider.slot) return false;
    for (size_t p = 0; p < seen->room; p++) {
        const struct asked asked = seen->slot[p];
        if (asked.key >> TURN_SHIFT != seen->turn) continue;
        *asked_of(&wider, (asked.key & ((UINT64_C(1) << TURN_SHIFT) - 1)) - 1) = asked;
    }
    free(seen->slot);
    *seen = wider;
    return true;
}

/* Begin the next turn, in which no line has been requested. */
static void forget(struct seen *seen)
{
    seen->count = 0;
    seen->latest = 0;
    if (++seen->turn < TURNS) return;
    if (seen->room > 0) memset(seen->slot, 0, seen->room * sizeof *seen->slot);
    seen->turn = 1;
}

/* Return the number of sectors, or granules, in a set of those of a line. */
static inline int count_of(unsigned set)
{
    static const uint8_t counts[ALL_SECTORS + 1] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[set];
}

/* Return the granules of sectors of a line. A granule is two sectors. */
static inline unsigned granules_of(unsigned sectors)
{
    return (sectors & 3 ? 1u : 0u) | (sectors & 12 ? 2u : 0u);
}

/* Count the request of these sectors of a line, which is in `asked` as it was before. The first sector comes
 * after a gap, the others at once. */
static void count_asked(struct window_counts *counts, const struct asked *asked, int64_t tick,
                        unsigned sectors)
{
    const int bin = reuse_bin(tick - asked->tick), count = count_of(sectors);
    const bool fresh = asked->tick < 0;
    const unsigned granules = granules_of(sectors), fresh_granules = granules & ~asked->granules;
    const unsigned first = granules & -granules;
    const bool first_again = (asked->granules & first) != 0;
    counts->touches += count;
    counts->lines += fresh;
    counts->line_gap[bin] += !fresh;
    counts->line_gap[0] += count - 1;
    counts->granules += count_of(fresh_granules);
    counts->granule_gap[bin] += first_again;
    counts->granule_gap[0] += count - count_of(fresh_granules) - first_again;
}

/* Request sectors of a line from L2. */
static void ask_l2(struct window *window, struct window_counts *counts, uint64_t line, unsigned sectors,
                   bool counted)
{
    struct asked *asked = asked_of(&window->seen, line);
    if (!asked) {
        window->failed = true;
        return;
    }
    if (counted) count_asked(counts, asked, window->tick, sectors);
    asked->tick = (int32_t)window->tick;
    asked->granules |= granules_of(sectors);
}

/* Make the stream's next request. */
static void make_request(struct window *window, struct stream *stream)
{
    const bool counted = window->warming <= 0;
    const uint64_t *item = stream->item + stream->at, *const end = stream->item + stream->count;
    const bool waits = *item & WAITS;
    bool served = true;
    window->warming--;
    window->tick++;
    window->counts->requests += counted;
    do {
        const uint64_t line = *item & LINE;
        unsigned sectors = *item >> SECTORS_SHIFT & ALL_SECTORS;
        const unsigned operand = *item >> OPERAND_SHIFT & 7;
        struct window_counts *counts = &window->counts->operand[operand];
        if (*item & LOAD) {
            const unsigned all = sectors;
            sectors &= ~l1_load(&window->l1, line, all, !(*item & ONCE));
            const int misses = count_of(sectors);
            counts->loads += counted ? count_of(all) : 0;
            counts->misses += counted ? misses : 0;
            counts->once += counted && (*item & ONCE) ? misses : 0;
            if (sectors == 0) continue;
        }
        served = false;
        if (!(window->unfollowed >> operand & 1)) ask_l2(window, counts, line, sectors, counted);
    } while (++item < end && !(*item & FIRST));
    stream->at = (size_t)(item - stream->item);
    window->counts->waits += counted && waits;
    window->counts->served += counted && waits && served;
}

/* Record the warps of the next unit into a unit's slot. Returns the number of its requests. */
static int64_t begin_unit(struct window *window, int place, int64_t number)
{
    const struct stage_plan *plan = window->at.plan;
    const int64_t turn = number / plan->run * window->at.step + window->at.multiprocessor;
    int64_t requests = 0, unit = turn * plan->run + number % plan->run;
    for (int64_t w = 0; w < plan->warps && !window->failed; w++) {
        record(window, unit * plan->warps + w, &window->streams[place * plan->warps + w]);
        requests += (int64_t)window->recorded;
    }
    return requests;
}

/* Alternate between the slots, and the warps in them, until no unit is left. */
static void run(struct window *window, struct progress *progress)
{
    const struct stage_plan *plan = window->at.plan;
    int64_t next = window->at.first, looked = 0;
    bool warm = window->at.first > 0;
    for (int place = 0; place < plan->resident && next < window->at.last; place++) {
        int64_t requests = begin_unit(window, place, next++);
        if (warm) window->warming += requests;
    }
    for (bool busy = true; busy && !window->failed;) {
        busy = false;
        for (int place = 0; place < plan->resident && !window->failed; place++) {
            struct stream *streams = &window->streams[place * plan->warps];
            bool some = false;
            for (int64_t w = 0; w < plan->warps; w++) {
                if (streams[w].at >= streams[w].count) continue;
                make_request(window, &streams[w]);
                some = true;
            }
            while (!some && next < window->at.last && !window->failed)
                some = begin_unit(window, place, next++) > 0;
            busy |= some;
        }
        if (++looked % 256 == 0 && progress_cancelled(progress)) return;
    }
}

/* Empty L1. It is made anew if its size changes. */
static bool empty_l1(struct window *window, size_t bytes)
{
    if (window->l1.line && window->l1_bytes == bytes) {
        l1_clear(&window->l1);
        return true;
    }
    l1_free(&window->l1);
    window->l1_bytes = bytes;
    return l1_make(&window->l1, bytes, NULL) == STATUS_OK;
}

/* Provide at least `count` streams, and empty the first `count` of them. */
static bool empty_streams(struct window *window, size_t count)
{
    if (count > window->room) {
        struct stream *wider = memory_resize(window->streams, count, sizeof *wider, NULL);
        if (!wider) return false;
        memset(wider + window->room, 0, (count - window->room) * sizeof *wider);
        window->streams = wider;
        window->room = count;
    }
    for (size_t s = 0; s < count; s++)
        window->streams[s].count = window->streams[s].at = 0;
    return true;
}

/* Replay a window. False without memory. */
static bool replay(struct window *window, const struct window_place *place, struct progress *progress)
{
    const struct stage_plan *plan = place->plan;
    window->at = *place;
    window->arrays.count = 0;
    window->failed = false;
    window->tick = window->warming = 0;
    forget(&window->seen);
    if (!empty_l1(window, plan->l1)) return false;
    if (!empty_streams(window, (size_t)plan->resident * (size_t)plan->warps)) return false;
    run(window, progress);
    return !window->failed;
}

static void free_window(struct window *window)
{
    if (!window) return;
    for (size_t s = 0; s < window->room; s++)
        free(window->streams[s].item);
    free(window->streams);
    free(window->seen.slot);
    free(window->counts);
    l1_free(&window->l1);
    free(window);
}

/* Return the memory of a thread; NULL without memory. */
static struct window *make_window(const struct launch *launch, const struct windows_options *options)
{
    struct window *window = memory_zeroed(1, sizeof *window, NULL);
    if (!window) return NULL;
    window->launch = launch;
    window->warp_max = WARP_MIN + (size_t)(options->budget / 16);
    window->unfollowed = options->unfollowed;
    window->counts = memory_zeroed(1, sizeof *window->counts, NULL);
    if (window->counts) return window;
    free_window(window);
    return NULL;
}

static void add(struct windows *to, const struct windows *from)
{
    to->requests += from->requests;
    to->waits += from->waits;
    to->served += from->served;
    for (int o = 0; o < OPERANDS; o++) {
        struct window_counts *sum = &to->operand[o];
        const struct window_counts *more = &from->operand[o];
        sum->loads += more->loads;
        sum->misses += more->misses;
        sum->once += more->once;
        sum->touches += more->touches;
        sum->lines += more->lines;
        sum->granules += more->granules;
        for (int b = 0; b < REUSE_BINS; b++) {
            sum->line_gap[b] += more->line_gap[b];
            sum->granule_gap[b] += more->granule_gap[b];
        }
    }
}

/* Replay all windows, and sum their counts. Counts are whole numbers, so the order of threads does not
 * matter. False without memory. */
static bool replay_all(const struct launch *launch, const struct windows_layout *layout,
                       const struct windows_options *options, struct windows *windows,
                       struct progress *progress)
{
    const bool many = launch->storage->nnz > PARALLEL_MIN; /* else another thread would wake too late */
    bool failed = false;
#pragma omp parallel num_threads(threads_count()) reduction(|| : failed) if (many)
    {
        struct window *window = make_window(launch, options);
        failed = !window;
#pragma omp for schedule(dynamic, 1)
        for (int64_t w = 0; w < layout->count; w++) {
            if (!window || progress_cancelled(progress)) continue;
            failed = !replay(window, &layout->windows[w], progress) || failed;
            progress_add(progress, 1);
        }
#pragma omp critical
        if (window) add(windows, window->counts);
        free_window(window);
    }
    return !failed;
}

enum status windows_replay(const struct launch *launch, const struct windows_options *options,
                           struct windows *windows, struct progress *progress, struct error *error)
{
    struct windows_layout layout = {0};
    *windows = (struct windows){.active = 1};
    enum status status = windows_lay(launch, options, &layout, error);
    if (status != STATUS_OK) goto out;
    progress_phase(progress, "replaying multiprocessors", layout.count);
    status = replay_all(launch, &layout, options, windows, progress)
                 ? progress_status(progress, error)
                 : error_set(error, STATUS_MEMORY, "out of memory: no room for a window of warps");
    for (int64_t s = 0; s < layout.stages; s++)
        windows->active = max(windows->active, windows_dealt(&layout.plans[s], options));
    if (options->times > 1)
        windows->active = min(options->gpu->multiprocessors,
                              llround((double)windows->active * options->gpu->multiprocessors /
                                      (double)windows_multiprocessors(options)));
out:
    free(layout.windows);
    free(layout.plans);
    return status;
}

/* Make the next request of a stream that runs alone. */
static void request_alone(struct window *window, struct stream *stream, struct window_alone *sum)
{
    const bool waits = stream->item[stream->at] & WAITS;
    int64_t missed = 0;
    do {
        const uint64_t item = stream->item[stream->at++];
        unsigned sectors = item >> SECTORS_SHIFT & ALL_SECTORS;
        if (item & LOAD) sectors &= ~l1_load(&window->l1, item & LINE, sectors, !(item & ONCE));
        missed += count_of(sectors);
    } while (stream->at < stream->count && !(stream->item[stream->at] & FIRST));
    if (!waits) return;
    sum->hits += missed == 0;
    sum->missed += (double)missed;
}

enum status windows_alone(const struct launch *launch, const struct gpu *gpu, int64_t stage, int64_t warp,
                          struct window_alone *alone, struct error *error)
{
    struct stage_plan plan;
    struct stream stream = {0};
    windows_plan_stage(launch, &(struct windows_options){.gpu = gpu}, stage, &plan);
    struct window window = {.launch = launch, .at.plan = &plan, .warp_max = ALONE_MAX};
    double requests = 0;
    *alone = (struct window_alone){0};
    enum status status = l1_make(&window.l1, plan.l1, error);
    if (status == STATUS_OK) record(&window, warp, &stream);
    while (status == STATUS_OK && stream.at < stream.count) {
        requests += (stream.item[stream.at] & WAITS) != 0;
        request_alone(&window, &stream, alone);
    }
    alone->hits /= fmax(1, requests);
    alone->missed /= fmax(1, requests);
    free(stream.item);
    l1_free(&window.l1);
    return window.failed ? error_set(error, STATUS_MEMORY, "out of memory: no room for a warp") : status;
}
