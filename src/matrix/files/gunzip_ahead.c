#include "matrix/files/gunzip_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/inflater.h"

#define MEMBER_BYTES ((size_t)64 << 10)
#define HEADER_BYTES 18 /* of a BGZF member, with its extra field */
#define MEMBER_MIN 28   /* an empty one */
#define WORKERS_MAX 16
#define SLOTS_EACH 4 /* members for each worker */

enum state { SLOT_PACKED, SLOT_TAKEN, SLOT_DONE };

/* A member, packed and unpacked. */
struct slot {
    enum state state;
    bool right; /* it was unpacked, and its text has the stated length */
    size_t packed_bytes, text_bytes;
    unsigned char packed[MEMBER_BYTES], text[MEMBER_BYTES];
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
    pthread_t worker[WORKERS_MAX];
    int workers, workers_most;
    /* Only the reader uses the following members. */
    size_t filled;             /* bytes in slot `tail` */
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

/* Unpack a member. It is right if it ends with its packed bytes, and has as much text as it says. */
static void unpack(struct slot *slot, struct inflater *inflater)
{
    const char *why;
    struct inflater_bytes bytes = {slot->packed, slot->packed_bytes, slot->text, MEMBER_BYTES};
    enum inflated result = INFLATED_MORE;
    inflater_reset(inflater);
    for (size_t before = SIZE_MAX; result == INFLATED_MORE && bytes.in_left + bytes.out_left < before;) {
        before = bytes.in_left + bytes.out_left;
        result = inflater_run(inflater, &bytes, &why);
    }
    slot->text_bytes = MEMBER_BYTES - bytes.out_left;
    slot->right = result == INFLATED_MEMBER && bytes.in_left == 0;
}

/* Unpack the member that comes next, with the lock held before and after. */
static void unpack_next(struct ahead *a, struct inflater *inflater)
{
    struct slot *slot = slot_of(a, a->next++);
    slot->state = SLOT_TAKEN;
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
 * source has no more. */
static bool fill(struct ahead *a, size_t count)
{
    struct slot *slot = slot_of(a, a->tail);
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

/* Read a member into the slot `tail`. Returns false if there is none of this kind. */
static bool read_member(struct ahead *a)
{
    static const unsigned char begin[] = {0x1f, 0x8b, 8, 4}, extra[] = {6, 0, 'B', 'C', 2, 0};
    struct slot *slot = slot_of(a, a->tail);
    const unsigned char *packed = slot->packed;
    if (!fill(a, HEADER_BYTES)) return false;
    if (memcmp(packed, begin, sizeof begin) != 0 || memcmp(packed + 10, extra, sizeof extra) != 0)
        return false;
    size_t size = little(packed + 16, 2) + 1;
    if (size < MEMBER_MIN || !fill(a, size)) return false;
    slot->packed_bytes = size;
    slot->state = SLOT_PACKED;
    a->filled = 0;
    return true;
}

/* Fill all free slots. */
static void read_members(struct ahead *a)
{
    while (!a->over && a->tail - a->head < a->slots - 1) {
        a->over = !read_member(a);
        if (a->over) return;
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
    a->filled = a->left_bytes = 0;
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
    a->slot = memory_array((size_t)a->slots, sizeof *a->slot, error);
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
    free(a->slot);
    free(a);
}
