#include "matrix/files/gunzip_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/memory_share.h"
#include "base/threads.h"
#include "matrix/files/inflater.h"

#define HEADER_BYTES 18 /* of a BGZF member, with its extra field */
#define MEMBER_MIN 28   /* an empty one */
#define PLAIN_HEADER 10 /* bytes of a header without fields, which another member may have */
#define TRAILER 8       /* the checksum and the size of the text at the end of a member */

/* Members of more packed bytes, or with more text, are not unpacked ahead. */
#define PACKED_MOST ((size_t)8 << 20)
#define TEXT_MOST ((size_t)32 << 20)

/* The part of the user's limit on memory that each of these sizes has at most. */
#define LIMIT_PART 64

/* The most bytes, packed and unpacked, that wait for the reader. */
#define HELD_MOST ((size_t)48 << 20)

/* Larger buffers are freed after use, except this number of texts, which are used again. */
#define BUFFER_MOST ((size_t)1 << 20)
#define SPARES 2

/* The bytes of the source in which a border is sought at a time. */
#define SOUGHT ((size_t)64 << 10)

#define WORKERS_MAX 16
#define SLOTS_EACH 4 /* members for each worker */

enum state { SLOT_PACKED, SLOT_TAKEN, SLOT_DONE };

/* A member, packed and unpacked. */
struct slot {
    enum state state;
    bool right; /* it was unpacked, and its text has the stated length */
    size_t packed_bytes, text_bytes;
    size_t stated; /* bytes of the text, as the member's end states them */
    size_t packed_room, text_room;
    unsigned char *packed, *text; /* owned */
};

/* A large buffer that no slot uses. */
struct spare {
    unsigned char *bytes; /* NULL: none */
    size_t room;
};

/* Members are numbered from 0 on; number k is in slot k % slots. 0 <= head <= next <= tail. */
struct ahead {
    gunzip_source *source;
    void *context;
    struct slot *slot;
    int slots;
    struct inflater *inflater; /* the reader's own */
    pthread_mutex_t lock;      /* protects the states, next, tail and quit */
    pthread_cond_t packed, done;
    int64_t head; /* the next member for the reader */
    int64_t next; /* the next member for a worker */
    int64_t tail; /* the number of members read from the source; slot `tail` is being filled */
    bool quit;
    struct spare spare[SPARES]; /* the lock protects these, too */
    pthread_t worker[WORKERS_MAX];
    int workers, workers_most;
    /* Only the reader uses the following members. */
    size_t filled;             /* bytes in slot `tail` */
    size_t held;               /* bytes, packed and unpacked, of the slots head .. tail-1 */
    const unsigned char *left; /* bytes of the source that are in no slot */
    size_t left_bytes;
    ssize_t last; /* the last result of the source; if more than 0, it has more bytes */
    bool over;    /* no more members of this kind */
};

static struct slot *slot_of(const struct ahead *a, int64_t k)
{
    return &a->slot[k % a->slots];
}

static size_t little(const unsigned char *bytes, int count)
{
    size_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

/* Make room for this number of bytes, of which the first `kept` stay. */
static bool make_room(unsigned char **bytes, size_t *room, size_t kept, size_t count)
{
    if (count <= *room) return true;
    const size_t more = count < 2 * *room ? 2 * *room : count;
    unsigned char *grown = memory_array(more, 1, NULL);
    if (!grown) return false;
    if (kept > 0) memcpy(grown, *bytes, kept);
    free(*bytes);
    *bytes = grown;
    *room = more;
    return true;
}

static void free_large(unsigned char **bytes, size_t *room)
{
    if (*room <= BUFFER_MOST) return;
    free(*bytes);
    *bytes = NULL;
    *room = 0;
}

/* Unpack a member. It is right if it ends with its packed bytes, and has as much text as it says: a border
 * that was a wrong guess fails here. */
static void unpack(struct slot *slot, struct inflater *inflater)
{
    const char *why;
    slot->right = false;
    slot->text_bytes = 0;
    if (!make_room(&slot->text, &slot->text_room, 0, slot->stated + 1)) return;
    struct inflater_bytes bytes = {slot->packed, slot->packed_bytes, slot->text, slot->stated + 1};
    enum inflated result = INFLATED_MORE;
    inflater_reset(inflater);
    for (size_t before = SIZE_MAX; result == INFLATED_MORE && bytes.in_left + bytes.out_left < before;) {
        before = bytes.in_left + bytes.out_left;
        result = inflater_run(inflater, &bytes, &why);
    }
    slot->text_bytes = slot->stated + 1 - bytes.out_left;
    slot->right = result == INFLATED_MEMBER && bytes.in_left == 0 && slot->text_bytes == slot->stated;
}

/* Give a slot without a buffer of its own a spare one, with the lock held. */
static void take_spare(struct ahead *a, struct slot *slot)
{
    for (int k = 0; k < SPARES && !slot->text; k++) {
        slot->text = a->spare[k].bytes;
        slot->text_room = slot->text ? a->spare[k].room : 0;
        a->spare[k].bytes = NULL;
    }
}

/* Keep the text's buffer of a slot for others if it is large. */
static void put_spare(struct ahead *a, struct slot *slot)
{
    pthread_mutex_lock(&a->lock);
    for (int k = 0; k < SPARES && slot->text_room > BUFFER_MOST; k++) {
        if (a->spare[k].bytes) continue;
        a->spare[k] = (struct spare){slot->text, slot->text_room};
        slot->text = NULL;
        slot->text_room = 0;
    }
    pthread_mutex_unlock(&a->lock);
    free_large(&slot->text, &slot->text_room);
}

/* Unpack the member that comes next, with the lock held before and after. */
static void unpack_next(struct ahead *a, struct inflater *inflater)
{
    struct slot *slot = slot_of(a, a->next++);
    slot->state = SLOT_TAKEN;
    if (slot->stated > BUFFER_MOST) take_spare(a, slot);
    pthread_mutex_unlock(&a->lock);
    unpack(slot, inflater);
    pthread_mutex_lock(&a->lock);
    slot->state = SLOT_DONE;
    pthread_cond_broadcast(&a->done);
}

static void *work(void *argument)
{
    struct ahead *a = argument;
    struct inflater *inflater = inflater_open(NULL);
    pthread_mutex_lock(&a->lock);
    while (inflater && !a->quit) {
        if (a->next < a->tail)
            unpack_next(a, inflater);
        else
            pthread_cond_wait(&a->packed, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    inflater_close(inflater);
    return NULL;
}

/* Start the threads. Signals are delivered to others. Fewer threads than wanted are no failure. */
static void start(struct ahead *a)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (a->workers < a->workers_most && pthread_create(&a->worker[a->workers], NULL, work, a) == 0)
        a->workers++;
    a->workers_most = a->workers;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Move bytes of the source into the slot that is being filled, until it has `count`. Returns false if the
 * source has no more, or without memory. */
static bool fill(struct ahead *a, size_t count)
{
    struct slot *slot = slot_of(a, a->tail);
    if (!make_room(&slot->packed, &slot->packed_room, a->filled, count)) return false;
    while (a->filled < count) {
        if (a->left_bytes == 0) {
            const void *bytes = NULL;
            if (a->last > 0) a->last = a->source(a->context, &bytes);
            if (a->last <= 0) return false;
            a->left = bytes;
            a->left_bytes = (size_t)a->last;
        }
        size_t some = count - a->filled < a->left_bytes ? count - a->filled : a->left_bytes;
        memcpy(slot->packed + a->filled, a->left, some);
        a->filled += some;
        a->left += some;
        a->left_bytes -= some;
    }
    return true;
}

/* Return true if a member of gzip may begin here. Programs write few values of the last two bytes (RFC 1952),
 * so that other data seldom look like this. */
static bool may_begin(const unsigned char *bytes)
{
    return memcmp(bytes, "\x1f\x8b\x08", 3) == 0 && bytes[3] < 32 &&
           (bytes[8] == 0 || bytes[8] == 2 || bytes[8] == 4) && (bytes[9] <= 13 || bytes[9] == 255);
}

/* Return the first place from `from` on at which another member may begin; `count` if there is none. */
static size_t border(const unsigned char *bytes, size_t from, size_t count)
{
    while (from + PLAIN_HEADER <= count) {
        const unsigned char *found = memchr(bytes + from, 0x1f, count - PLAIN_HEADER + 1 - from);
        if (!found) break;
        from = (size_t)(found - bytes);
        if (may_begin(found)) return from;
        from++;
    }
    return count;
}

/* Complete the slot `tail` with a member of `size` bytes. The bytes behind them are of the next slot, whose
 * packed bytes are no longer in use. Returns false without memory. */
static bool close_slot(struct ahead *a, size_t size)
{
    struct slot *slot = slot_of(a, a->tail), *next = slot_of(a, a->tail + 1);
    const size_t rest = a->filled - size;
    if (!make_room(&next->packed, &next->packed_room, 0, rest + 1)) return false;
    memcpy(next->packed, slot->packed + size, rest);
    slot->packed_bytes = size;
    slot->stated = little(slot->packed + size - 4, 4);
    slot->state = SLOT_PACKED;
    a->filled = rest;
    return true;
}

/* Read a member without a size: up to the place where another one may begin, or to the end of the file. A
 * member that is alone in its file is left to the caller. */
static bool read_plain(struct ahead *a)
{
    struct slot *slot = slot_of(a, a->tail);
    size_t from = HEADER_BYTES, size;
    bool more = true;
    while ((size = border(slot->packed, from, a->filled)) == a->filled && more) {
        if (a->filled > memory_share(PACKED_MOST, LIMIT_PART)) return false;
        from = a->filled > HEADER_BYTES + PLAIN_HEADER ? a->filled - PLAIN_HEADER + 1 : HEADER_BYTES;
        more = fill(a, a->filled + SOUGHT);
    }
    const bool whole = size < a->filled || a->last == 0;
    if (!whole || (size == a->filled && a->tail == 0) || size < HEADER_BYTES) return false;
    return little(slot->packed + size - 4, 4) <= memory_share(TEXT_MOST, LIMIT_PART) && close_slot(a, size);
}

/* Read a member into the slot `tail`. Returns false if there is none that can be unpacked ahead. */
static bool read_member(struct ahead *a)
{
    static const unsigned char extra[] = {6, 0, 'B', 'C', 2, 0};
    const struct slot *slot = slot_of(a, a->tail);
    if (!fill(a, HEADER_BYTES) || memcmp(slot->packed, "\x1f\x8b\x08", 3) != 0) return false;
    if (slot->packed[3] != 4 || memcmp(slot->packed + 10, extra, sizeof extra) != 0) return read_plain(a);
    size_t size = little(slot->packed + 16, 2) + 1;
    return size >= MEMBER_MIN && fill(a, size) &&
           little(slot->packed + size - 4, 4) <= memory_share(TEXT_MOST, LIMIT_PART) && close_slot(a, size);
}

/* The bytes that a member takes until the reader has had it. */
static size_t bytes_of(const struct slot *slot)
{
    return slot->packed_bytes + slot->stated;
}

/* Fill all free slots. */
static void read_members(struct ahead *a)
{
    while (!a->over && a->tail - a->head < a->slots - 1 &&
           (a->held < memory_share(HELD_MOST, LIMIT_PART) || a->head == a->tail)) {
        a->over = !read_member(a);
        if (a->over) return;
        a->held += bytes_of(slot_of(a, a->tail));
        pthread_mutex_lock(&a->lock);
        a->tail++;
        pthread_cond_signal(&a->packed);
        pthread_mutex_unlock(&a->lock);
        if (a->workers < a->workers_most && a->tail > 1) start(a);
    }
}

/* Wait until the member at the head is unpacked, or do that. */
static struct slot *await_head(struct ahead *a)
{
    struct slot *slot = slot_of(a, a->head);
    pthread_mutex_lock(&a->lock);
    while (slot->state != SLOT_DONE) {
        if (a->next == a->head)
            unpack_next(a, a->inflater);
        else
            pthread_cond_wait(&a->done, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return slot;
}

/* Let workers take no further member, and wait for those that they have taken. */
static void settle(struct ahead *a)
{
    pthread_mutex_lock(&a->lock);
    const int64_t taken = a->next;
    a->next = a->tail;
    for (int64_t k = a->head; k < taken; k++)
        while (slot_of(a, k)->state == SLOT_TAKEN)
            pthread_cond_wait(&a->done, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

ssize_t ahead_text(struct ahead *a, const void **bytes, bool *some)
{
    if (a->head > 0) put_spare(a, slot_of(a, a->head - 1));
    for (;;) {
        read_members(a); /* one slot stays free, because the reader still uses its text */
        if (a->head == a->tail) return 0;
        struct slot *slot = await_head(a);
        if (!slot->right) {
            a->over = true;
            settle(a);
            return 0;
        }
        a->head++;
        a->held -= bytes_of(slot);
        free_large(&slot->packed, &slot->packed_room);
        *some = true;
        *bytes = slot->text;
        if (slot->text_bytes > 0) return (ssize_t)slot->text_bytes;
    }
}

ssize_t ahead_bytes(struct ahead *a, const void **bytes)
{
    if (a->head < a->tail) {
        const struct slot *slot = slot_of(a, a->head++);
        *bytes = slot->packed;
        return (ssize_t)slot->packed_bytes;
    }
    if (a->filled > 0) {
        *bytes = slot_of(a, a->tail)->packed;
        ssize_t count = (ssize_t)a->filled;
        a->filled = 0;
        return count;
    }
    if (a->left_bytes > 0) {
        *bytes = a->left;
        ssize_t count = (ssize_t)a->left_bytes;
        a->left_bytes = 0;
        return count;
    }
    return a->last > 0 ? a->last = a->source(a->context, bytes) : a->last;
}

void ahead_restart(struct ahead *a)
{
    settle(a);
    pthread_mutex_lock(&a->lock);
    a->head = a->next = a->tail = 0;
    pthread_mutex_unlock(&a->lock);
    a->filled = a->left_bytes = a->held = 0;
    a->last = 1;
    a->over = false;
}

enum status ahead_open(gunzip_source *source, void *context, struct ahead **ahead, struct error *error)
{
    int threads = threads_count() < WORKERS_MAX ? threads_count() : WORKERS_MAX;
    *ahead = NULL;
    if (threads == 1) return STATUS_OK;
    struct ahead *a = memory_zeroed(1, sizeof *a, error);
    if (!a) return STATUS_MEMORY;
    *a = (struct ahead){.source = source,
                        .context = context,
                        .slots = threads * SLOTS_EACH,
                        .workers_most = threads,
                        .last = 1};
    a->slot = memory_zeroed((size_t)a->slots, sizeof *a->slot, error);
    a->inflater = a->slot ? inflater_open(error) : NULL;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->packed, NULL);
    pthread_cond_init(&a->done, NULL);
    *ahead = a;
    if (a->inflater) return STATUS_OK;
    ahead_close(a);
    *ahead = NULL;
    return STATUS_MEMORY;
}

void ahead_close(struct ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->quit = true;
    a->next = a->tail;
    pthread_cond_broadcast(&a->packed);
    pthread_mutex_unlock(&a->lock);
    for (int k = 0; k < a->workers; k++)
        pthread_join(a->worker[k], NULL);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->packed);
    pthread_cond_destroy(&a->done);
    inflater_close(a->inflater);
    for (int k = 0; k < a->slots && a->slot; k++) {
        free(a->slot[k].packed);
        free(a->slot[k].text);
    }
    for (int k = 0; k < SPARES; k++)
        free(a->spare[k].bytes);
    free(a->slot);
    free(a);
}
