#include "matrix/relay.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"
#include "matrix/batch.h"
#include "matrix/mirrors.h"

/* The order of the list is checked in a separate turn, before the stages of the taker. */
#define TURNS (STREAM_STAGES + 1)

/* The check of a list's order: keys by rows are row << 32 | col, by columns col << 32 | row. */
struct order {
    int64_t count;
    uint64_t first, last;     /* by rows */
    bool by_rows, by_columns; /* the list ascends so far */
    bool strict;              /* it ascends by rows, without duplicates */
    int64_t repeated;
};

/* A thread's buffer for the entries of a block. */
struct room {
    int64_t count, capacity;
    int32_t *row, *col;
    double *val, *imaginary;
    struct order order;
    int64_t dropped;
    unsigned sides; /* MIRROR_LOWER, MIRROR_UPPER */
};

struct turn {
    pthread_mutex_t lock;
    pthread_cond_t next;
    int64_t block; /* the block whose turn it is */
};

struct relay {
    const struct source *source;
    struct taker *taker;
    struct room *rooms;
    int threads;
    struct turn turn[TURNS];
    bool failed[TURNS]; /* a block before the current one has failed */
    struct order order;
    struct stream_found found;
    unsigned sides;
};

/* --- the order of the list --- */

static uint64_t place_of(const struct entries *entries, int64_t k)
{
    return (uint64_t)entries->row[k] << 32 | (uint32_t)entries->col[k];
}

static uint64_t by_columns(uint64_t place)
{
    return place << 32 | place >> 32;
}

/* True if positions ascend. The successors of the elements of `major` and `minor` have separate pointers: the
 * compiler vectorises the loop only if it does not know that these are the same arrays. */
WIDE static bool each_is_behind(const int32_t *major, const int32_t *minor, const int32_t *next_major,
                                const int32_t *next_minor, int64_t count)
{
    int32_t down = 0;
    for (int64_t k = 0; k < count; k++)
        down |= (next_major[k] < major[k]) | ((next_major[k] == major[k]) & (next_minor[k] <= minor[k]));
    return !down;
}

static bool ascends(const int32_t *major, const int32_t *minor, int64_t count)
{
    return each_is_behind(major, minor, major + 1, minor + 1, count - 1);
}

/* Check positions one after the other. */
static void order_walk(struct order *order, const struct entries *entries)
{
    uint64_t last = place_of(entries, 0);
    int64_t repeated = 0, down_rows = 0, down_columns = 0;
    for (int64_t k = 1; k < entries->count; k++) {
        uint64_t place = place_of(entries, k);
        repeated += place == last;
        down_rows += place < last;
        down_columns += by_columns(place) < by_columns(last);
        last = place;
    }
    order->repeated += repeated;
    order->by_rows = order->by_rows && down_rows == 0;
    order->by_columns = order->by_columns && down_columns == 0;
}

/* The number of duplicates is not needed for a list that ascends neither by rows nor by columns. */
static void order_look(struct order *order, const struct entries *entries)
{
    if (entries->count == 0) return;
    uint64_t first = place_of(entries, 0);
    if (order->count == 0)
        order->first = order->last = first;
    else
        order->repeated += first == order->last;
    order->by_rows = order->by_rows && first >= order->last;
    order->by_columns = order->by_columns && by_columns(first) >= by_columns(order->last);
    bool rows = order->by_rows, columns = order->by_columns;
    bool row_by_row = rows && ascends(entries->row, entries->col, entries->count);
    order->strict = order->strict && row_by_row && (order->count == 0 || first > order->last);
    bool plain = row_by_row && !columns;
    plain = plain || (columns && !rows && ascends(entries->col, entries->row, entries->count));
    if ((rows || columns) && !plain) order_walk(order, entries);
    order->last = place_of(entries, entries->count - 1);
    order->count += entries->count;
}

/* Put a list behind another one. */
static void order_join(struct order *all, const struct order *next)
{
    if (next->count == 0) return;
    if (all->count == 0) {
        *all = *next;
        return;
    }
    all->repeated += next->repeated + (next->first == all->last);
    all->by_rows = all->by_rows && next->by_rows && next->first >= all->last;
    all->by_columns = all->by_columns && next->by_columns && by_columns(next->first) >= by_columns(all->last);
    all->last = next->last;
    all->count += next->count;
}

/* --- gathering --- */

static enum status make_room(struct room *room, int64_t count, bool complex, struct error *error)
{
    if (room->capacity - room->count >= count) return STATUS_OK;
    int64_t capacity = 2 * room->capacity > room->count + count ? 2 * room->capacity : room->count + count;
    int32_t *row = memory_resize(room->row, (size_t)capacity, sizeof *row, error);
    if (row) room->row = row;
    int32_t *col = row ? memory_resize(room->col, (size_t)capacity, sizeof *col, error) : NULL;
    if (col) room->col = col;
    double *val = col ? memory_resize(room->val, (size_t)capacity, sizeof *val, error) : NULL;
    if (val) room->val = val;
    if (!val) return STATUS_MEMORY;
    if (complex) {
        double *imaginary = memory_resize(room->imaginary, (size_t)capacity, sizeof *imaginary, error);
        if (!imaginary) return STATUS_MEMORY;
        room->imaginary = imaginary;
    }
    room->capacity = capacity;
    return STATUS_OK;
}

static inline bool is_zero(const struct entries *entries, int64_t k)
{
    return entries->val[k] == 0 && (!entries->imaginary || entries->imaginary[k] == 0);
}

static void put(struct room *room, const struct entries *entries)
{
    size_t count = (size_t)entries->count;
    if (count == 0) return; /* there may be no buffer if there are no entries */
    memcpy(room->row + room->count, entries->row, count * sizeof *room->row);
    memcpy(room->col + room->count, entries->col, count * sizeof *room->col);
    memcpy(room->val + room->count, entries->val, count * sizeof *room->val);
    if (entries->imaginary)
        memcpy(room->imaginary + room->count, entries->imaginary, count * sizeof *room->imaginary);
}

/* Add `count` entries, written after the others, to those of the buffer, except zeros. */
static void add_others(struct room *room, const struct entries *entries)
{
    int64_t end = room->count;
    for (int64_t k = 0; k < entries->count; k++) {
        if (is_zero(entries, k)) {
            room->dropped++;
            continue;
        }
        room->row[end] = entries->row[k];
        room->col[end] = entries->col[k];
        room->val[end] = entries->val[k];
        if (entries->imaginary) room->imaginary[end] = entries->imaginary[k];
        end++;
    }
    room->count = end;
}

/* Append the mirror images of the buffer's entries from number `first` on. */
static void put_mirrors(struct room *room, int64_t first, enum symmetry symmetry)
{
    const struct mirror_signs signs = mirror_signs(symmetry);
    int64_t end = room->count;
    for (int64_t k = first; k < end; k++) {
        int32_t i = room->row[k], j = room->col[k];
        if (i == j) continue;
        room->sides |= i > j ? MIRROR_LOWER : MIRROR_UPPER;
        room->row[room->count] = j;
        room->col[room->count] = i;
        room->val[room->count] = signs.real * room->val[k];
        if (room->imaginary) room->imaginary[room->count] = signs.imaginary * room->imaginary[k];
        room->count++;
    }
}

/* `count` entries of a buffer from number `first` on. */
static struct entries entries_from(const struct relay *relay, const struct room *room, int64_t first,
                                   int64_t count)
{
    bool general = relay->source->symmetry == SYMMETRY_GENERAL;
    if (!room->row) return (struct entries){.ascend = general}; /* never written */
    return (struct entries){count,
                            room->row + first,
                            room->col + first,
                            room->val + first,
                            relay->source->complex ? room->imaginary + first : NULL,
                            general && room->order.strict};
}

static enum status room_for(struct relay *relay, int thread, int64_t count, struct error *error)
{
    bool general = relay->source->symmetry == SYMMETRY_GENERAL;
    return make_room(&relay->rooms[thread], general ? count : 2 * count, relay->source->complex, error);
}

/* Take `count` entries, written after the others of a buffer. */
static void take(struct relay *relay, int thread, int64_t count)
{
    struct room *room = &relay->rooms[thread];
    int64_t first = room->count;
    const struct entries listed = entries_from(relay, room, first, count);
    glimpse_take(relay->source->glimpse, listed.row, listed.col, count, thread, room->order.count);
    order_look(&room->order, &listed);
    if (relay->taker->drop_zeros)
        add_others(room, &listed);
    else
        room->count += count;
    if (relay->source->symmetry != SYMMETRY_GENERAL) put_mirrors(room, first, relay->source->symmetry);
    const struct entries taken = entries_from(relay, room, first, room->count - first);
    relay->taker->any(relay->taker->self, thread, &taken);
}

enum status relay_gather(struct relay *relay, int thread, const struct entries *entries, struct error *error)
{
    if (room_for(relay, thread, entries->count, error) != STATUS_OK) return STATUS_MEMORY;
    put(&relay->rooms[thread], entries);
    take(relay, thread, entries->count);
    return STATUS_OK;
}

/* --- handing over --- */

static void turn_wait(struct turn *turn, int64_t k)
{
    pthread_mutex_lock(&turn->lock);
    while (turn->block != k)
        pthread_cond_wait(&turn->next, &turn->lock);
    pthread_mutex_unlock(&turn->lock);
}

static void turn_end(struct turn *turn)
{
    pthread_mutex_lock(&turn->lock);
    turn->block++;
    pthread_cond_broadcast(&turn->next);
    pthread_mutex_unlock(&turn->lock);
}

static void note(struct relay *relay, const struct room *room)
{
    order_join(&relay->order, &room->order);
    relay->found.entries += room->count;
    relay->found.dropped += room->dropped;
    relay->sides |= room->sides;
}

void relay_hand(struct relay *relay, int thread, int64_t k, bool whole)
{
    struct room *room = &relay->rooms[thread];
    const struct taker *taker = relay->taker;
    const struct entries entries = entries_from(relay, room, 0, room->count);
    for (int t = 0; t < TURNS; t++) {
        turn_wait(&relay->turn[t], k);
        relay->failed[t] = relay->failed[t] || !whole;
        if (!relay->failed[t] && t == 0) note(relay, room);
        if (!relay->failed[t] && t > 0) taker->stage[t - 1](taker->self, &entries);
        turn_end(&relay->turn[t]);
    }
    room->count = room->order.count = room->order.repeated = 0;
    room->order.strict = true;
    room->dropped = 0;
}

enum status relay_open(const struct source *source, int threads, struct relay **relay, struct error *error)
{
    struct taker *taker = source->taker;
    *relay = NULL;
    enum status status = taker->begin(taker->self, source, threads, error);
    if (status != STATUS_OK) return status;
    struct relay *opened = memory_zeroed(1, sizeof *opened, error);
    if (!opened) return STATUS_MEMORY;
    opened->rooms = memory_zeroed((size_t)threads, sizeof *opened->rooms, error);
    if (!opened->rooms) {
        free(opened);
        return STATUS_MEMORY;
    }
    opened->source = source;
    opened->taker = taker;
    opened->threads = threads;
    for (int t = 0; t < threads; t++)
        opened->rooms[t].order = (struct order){.by_rows = true, .by_columns = true, .strict = true};
    for (int t = 0; t < TURNS; t++) {
        pthread_mutex_init(&opened->turn[t].lock, NULL);
        pthread_cond_init(&opened->turn[t].next, NULL);
    }
    *relay = opened;
    return STATUS_OK;
}

void relay_close(struct relay *relay)
{
    if (!relay) return;
    struct stream_found *found = &relay->taker->found;
    *found = relay->found;
    found->stored = relay->order.count;
    found->repeated = relay->order.repeated;
    found->ascending = relay->order.count == 0 || relay->order.by_rows || relay->order.by_columns;
    found->both_sides = relay->sides == (MIRROR_LOWER | MIRROR_UPPER);
    for (int t = 0; t < TURNS; t++) {
        pthread_mutex_destroy(&relay->turn[t].lock);
        pthread_cond_destroy(&relay->turn[t].next);
    }
    for (int t = 0; t < relay->threads; t++) {
        free(relay->rooms[t].row);
        free(relay->rooms[t].col);
        free(relay->rooms[t].val);
        free(relay->rooms[t].imaginary);
    }
    free(relay->rooms);
    free(relay);
}

void stream_result(const struct source *source, struct csr *a, struct build_result *result)
{
    const struct stream_found *found = &source->taker->found;
    source->taker->chosen = true;
    *a = (struct csr){.rows = source->rows, .cols = source->cols};
    *result =
        (struct build_result){.stored = found->stored, .duplicates = found->ascending ? found->repeated : 0};
}

/* --- a source that is asked for its blocks --- */

/* A sink whose entries are gathered. */
struct gathering {
    struct relay *relay;
    int thread;
    enum status status;
    struct error *error;
};

static void flush(struct sink *sink)
{
    struct gathering *gathering = sink->owner;
    const struct entries entries = {
        sink->count, sink->row, sink->col, sink->val, sink->complex ? sink->imaginary : NULL, false};
    if (gathering->status == STATUS_OK)
        gathering->status = relay_gather(gathering->relay, gathering->thread, &entries, gathering->error);
}

/* Number of entries copied at once, which are then processed in the first-level cache. */
#define COPIED 2048

/* Gather a block of a source that has plain arrays. */
static enum status copy_block(struct relay *relay, int thread, int64_t k, struct error *error)
{
    const struct source *source = relay->source;
    struct room *room = &relay->rooms[thread];
    int64_t size = source->size(source->self, k);
    enum status status = room_for(relay, thread, size, error);
    for (int64_t from = 0, count; from < size && status == STATUS_OK; from += count) {
        const int64_t first = room->count;
        const struct entry_arrays to = {room->row + first, room->col + first, room->val + first,
                                        source->complex ? room->imaginary + first : NULL};
        count = min(size - from, COPIED);
        status = source->copy(source->self, k, from, count, &to, error);
        if (status == STATUS_OK) take(relay, thread, count);
    }
    return status;
}

static enum status gather_block(struct relay *relay, int thread, int64_t k, struct error *error)
{
    const struct source *source = relay->source;
    if (source->copy) return copy_block(relay, thread, k, error);
    struct gathering gathering = {.relay = relay, .thread = thread, .error = error};
    int64_t stored;
    enum status status = batch_produce(source, k, true, flush, &gathering, &stored, error);
    return status == STATUS_OK ? gathering.status : status;
}

/* The data shared by the threads of a pass. */
struct reading {
    _Atomic int64_t next;
    struct failing failing;
};

static void work(struct relay *relay, struct reading *reading, struct progress *progress)
{
    const struct source *source = relay->source;
    int thread = omp_get_thread_num();
    for (int64_t k; (k = atomic_fetch_add(&reading->next, 1)) < source->blocks;) {
        struct error mine = {0};
        bool whole = !failing_before(&reading->failing, k) && !progress_cancelled(progress);
        if (whole && gather_block(relay, thread, k, &mine) != STATUS_OK) {
            whole = false;
            failing_note(&reading->failing, k, &mine);
        }
        relay_hand(relay, thread, k, whole);
        glimpse_block(source->glimpse);
        if (source->release) source->release(source->self, k);
        progress_add(progress, 1);
    }
}

enum status stream_source(const struct source *source, struct progress *progress, struct error *error)
{
    struct relay *relay;
    struct reading reading = {0};
    int threads = threads_count();
    if (threads > source->blocks) threads = source->blocks > 0 ? (int)source->blocks : 1;
    enum status status = relay_open(source, threads, &relay, error);
    if (status != STATUS_OK) return status;
    failing_start(&reading.failing, source->blocks);
    progress_phase(progress, "streaming", source->blocks);
#pragma omp parallel num_threads(threads)
    work(relay, &reading, progress);
    relay_close(relay);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    return failing_status(&reading.failing, error);
}
