#include "matrix/files/gzip.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/threads.h"

#define WINDOW 32768
#define BLOCK ((size_t)128 << 10)
/* deflateBound for raw blocks of this size, and for the empty block after a flush. */
#define PACKED (BLOCK + BLOCK / 1000 + 256)

/* A block during filling or compression, or waiting to be written. */
struct slot {
    unsigned char text[WINDOW + BLOCK]; /* after the end of the previous block */
    unsigned char packed[PACKED];
    size_t window, count, length; /* bytes of that end, of the block itself, and compressed */
    uint32_t crc;
    bool last, done;
};

/* Blocks are numbered in the order of the output. Block b is in slot b mod slots until it has been
 * written. */
struct gzip {
    FILE *into;
    struct slot *slots;
    z_stream *streams; /* one for each worker, or one for the caller */
    pthread_t *workers;
    int slot_count, stream_count, worker_count;
    int begun;                      /* workers that have taken their stream */
    int64_t filled, taken, written; /* numbers of blocks; only the caller uses the last */
    bool ending;
    int code; /* errno of the first failure */
    uint32_t crc;
    uint64_t size;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
};

static voidpf allocate(voidpf unused, uInt count, uInt size)
{
    return memory_array(count, size, NULL);
}

static void release(voidpf unused, voidpf memory)
{
    free(memory);
}

/* Compress a block so that it ends at a byte boundary, and others can follow. */
static void pack(z_stream *z, struct slot *slot)
{
    deflateReset(z);
    if (slot->window) deflateSetDictionary(z, slot->text + WINDOW - slot->window, (uInt)slot->window);
    z->next_in = slot->text + WINDOW;
    z->avail_in = (uInt)slot->count;
    z->next_out = slot->packed;
    z->avail_out = PACKED;
    deflate(z, slot->last ? Z_FINISH : Z_SYNC_FLUSH);
    slot->length = PACKED - z->avail_out;
    slot->crc = (uint32_t)crc32(0, slot->text + WINDOW, (uInt)slot->count);
}

/* A worker takes filled blocks until the end. */
static void *run(void *argument)
{
    struct gzip *gzip = argument;
    pthread_mutex_lock(&gzip->lock);
    z_stream *z = &gzip->streams[gzip->begun++];
    for (;;) {
        while (gzip->taken == gzip->filled && !gzip->ending)
            pthread_cond_wait(&gzip->work, &gzip->lock);
        if (gzip->taken == gzip->filled) break;
        struct slot *slot = &gzip->slots[gzip->taken++ % gzip->slot_count];
        pthread_mutex_unlock(&gzip->lock);
        pack(z, slot);
        pthread_mutex_lock(&gzip->lock);
        slot->done = true;
        pthread_cond_signal(&gzip->done);
    }
    pthread_mutex_unlock(&gzip->lock);
    return NULL;
}

static void put_out(struct gzip *gzip, const void *bytes, size_t count)
{
    errno = 0;
    if (gzip->code || fwrite(bytes, 1, count, gzip->into) == count) return;
    gzip->code = errno ? errno : EIO;
}

/* Write the next block, when it is compressed. */
static void write_block(struct gzip *gzip)
{
    struct slot *slot = &gzip->slots[gzip->written++ % gzip->slot_count];
    pthread_mutex_lock(&gzip->lock);
    while (!slot->done)
        pthread_cond_wait(&gzip->done, &gzip->lock);
    pthread_mutex_unlock(&gzip->lock);
    put_out(gzip, slot->packed, slot->length);
    gzip->crc = (uint32_t)crc32_combine(gzip->crc, slot->crc, (z_off_t)slot->count);
    gzip->size += slot->count;
    slot->done = false;
}

/* The slot that is being filled. */
static struct slot *current(const struct gzip *gzip)
{
    return &gzip->slots[gzip->filled % gzip->slot_count];
}

/* Give the block that is full to the workers, and begin the next, whose slot may have to be written first. */
static void hand_over(struct gzip *gzip, bool last)
{
    struct slot *slot = current(gzip);
    slot->last = last;
    if (gzip->worker_count == 0) {
        pack(&gzip->streams[0], slot);
        slot->done = true;
    }
    pthread_mutex_lock(&gzip->lock);
    gzip->filled++;
    pthread_cond_signal(&gzip->work);
    pthread_mutex_unlock(&gzip->lock);
    if (last) return;
    if (gzip->filled - gzip->written == gzip->slot_count) write_block(gzip);
    struct slot *next = current(gzip);
    next->window = slot->count < WINDOW ? slot->count : WINDOW;
    next->count = 0;
    memcpy(next->text + WINDOW - next->window, slot->text + WINDOW + slot->count - next->window,
           next->window);
}

bool gzip_write(struct gzip *gzip, const char *bytes, size_t count)
{
    while (count > 0 && !gzip->code) {
        struct slot *slot = current(gzip);
        if (slot->count == BLOCK) {
            hand_over(gzip, false);
            continue;
        }
        size_t some = count < BLOCK - slot->count ? count : BLOCK - slot->count;
        memcpy(slot->text + WINDOW + slot->count, bytes, some);
        slot->count += some;
        bytes += some;
        count -= some;
    }
    errno = gzip->code;
    return gzip->code == 0;
}

static void gzip_free(struct gzip *gzip)
{
    for (int k = 0; gzip->streams && k < gzip->stream_count; k++)
        deflateEnd(&gzip->streams[k]);
    free(gzip->streams);
    free(gzip->workers);
    free(gzip->slots);
    free(gzip);
}

/* Make a stream for each thread before it starts, so that failures occur here. */
static bool start_streams(struct gzip *gzip, int count)
{
    for (gzip->stream_count = 0; gzip->stream_count < count; gzip->stream_count++) {
        z_stream *z = &gzip->streams[gzip->stream_count];
        *z = (z_stream){.zalloc = allocate, .zfree = release};
        if (deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return false;
    }
    return true;
}

enum status gzip_open(struct gzip **out, FILE *into, struct error *error)
{
    /* No name, no time, written under Unix. */
    static const unsigned char header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    int threads = threads_count();
    *out = NULL;
    struct gzip *gzip = memory_zeroed(1, sizeof *gzip, error);
    if (!gzip) return STATUS_MEMORY;
    gzip->into = into;
    gzip->slot_count = 2 * threads + 1;
    gzip->slots = memory_array((size_t)gzip->slot_count, sizeof *gzip->slots, error);
    gzip->streams = memory_zeroed((size_t)threads, sizeof *gzip->streams, error);
    gzip->workers = memory_array((size_t)threads, sizeof *gzip->workers, error);
    if (!gzip->slots || !gzip->streams || !gzip->workers || !start_streams(gzip, threads)) {
        gzip_free(gzip);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    for (int k = 0; k < gzip->slot_count; k++)
        gzip->slots[k].done = false;
    gzip->slots[0].window = gzip->slots[0].count = 0;
    pthread_mutex_init(&gzip->lock, NULL);
    pthread_cond_init(&gzip->work, NULL);
    pthread_cond_init(&gzip->done, NULL);
    put_out(gzip, header, sizeof header);
    while (gzip->worker_count < threads &&
           pthread_create(&gzip->workers[gzip->worker_count], NULL, run, gzip) == 0)
        gzip->worker_count++;
    threads_fit();
    *out = gzip;
    return STATUS_OK;
}

bool gzip_close(struct gzip *gzip)
{
    unsigned char trailer[8];
    hand_over(gzip, true);
    while (gzip->written < gzip->filled)
        write_block(gzip);
    pthread_mutex_lock(&gzip->lock);
    gzip->ending = true;
    pthread_cond_broadcast(&gzip->work);
    pthread_mutex_unlock(&gzip->lock);
    for (int k = 0; k < gzip->worker_count; k++)
        pthread_join(gzip->workers[k], NULL);
    for (int b = 0; b < 4; b++) {
        trailer[b] = (unsigned char)(gzip->crc >> 8 * b);
        trailer[4 + b] = (unsigned char)(gzip->size >> 8 * b);
    }
    put_out(gzip, trailer, sizeof trailer);
    int code = gzip->code;
    pthread_cond_destroy(&gzip->done);
    pthread_cond_destroy(&gzip->work);
    pthread_mutex_destroy(&gzip->lock);
    gzip_free(gzip);
    errno = code;
    return code == 0;
}
