#include "matrix/files/mat/inflated.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define WINDOW ((size_t)32 << 10)
#define INPUT ((int64_t)64 << 10)
#define SPACING ((int64_t)1 << 20)
#define POINTS 1024
#define CHUNK_MOST ((int64_t)64 << 20)

/* A point at which inflating can begin again. */
struct point {
    int64_t out, in;       /* bytes of the text before it; the next byte of the file */
    int bits;              /* bits of the byte before `in` that are still to be inflated */
    unsigned char *window; /* owned; NULL at the beginning */
};

enum state { CHUNK_FREE, CHUNK_LOADING, CHUNK_THERE, CHUNK_FAILED };

/* A chunk that is in memory. */
struct chunk {
    enum state state;
    int64_t number, used; /* the chunk, and when it was last asked for */
    int users;
    int64_t room;
    unsigned char *text; /* owned */
};

struct inflated {
    struct span file;
    int64_t begin, end, size; /* the element's bytes in the file, and the bytes of its text */
    struct point *points;
    int64_t count, room;
    struct chunk *chunks;
    int chunk_count;
    int64_t clock;
    pthread_mutex_t lock; /* protects the chunks, except the text of those that load or have users */
    pthread_cond_t changed;
};

/* --- the points --- */

/* A pass over the element. */
struct pass {
    z_stream z;
    int64_t at, out;             /* the next byte to read from the file, and the bytes of text so far */
    unsigned char *input, *text; /* INPUT and WINDOW bytes; owned */
};

static enum status add_point(struct inflated *i, const struct pass *pass, struct error *error)
{
    const size_t left = pass->z.avail_out;
    if (i->count == i->room) {
        struct point *more = memory_resize(i->points, 2 * (size_t)i->room + 16, sizeof *more, error);
        if (!more) return STATUS_MEMORY;
        i->points = more;
        i->room = 2 * i->room + 16;
    }
    struct point *point = &i->points[i->count];
    *point = (struct point){pass->out, pass->at - (int64_t)pass->z.avail_in, pass->z.data_type & 7, NULL};
    if (pass->out > 0) {
        point->window = memory_zeroed(WINDOW, 1, error);
        if (!point->window) return STATUS_MEMORY;
        /* The window is a ring; at the first point a part of it may not have been written yet. */
        if (pass->out >= (int64_t)WINDOW) memcpy(point->window, pass->text + WINDOW - left, left);
        memcpy(point->window + left, pass->text, WINDOW - left);
    }
    i->count++;
    return STATUS_OK;
}

/* Read more of the element if nothing is left. Returns STATUS_OK at its end, too. */
static enum status refill(const struct inflated *i, z_stream *z, unsigned char *input, int64_t *at,
                          struct error *error)
{
    const int64_t some = min(i->end - *at, INPUT);
    if (z->avail_in > 0 || some == 0) return STATUS_OK;
    enum status status = span_read(&i->file, *at, input, some, error);
    if (status != STATUS_OK) return status;
    *at += some;
    z->next_in = input;
    z->avail_in = (uInt)some;
    return STATUS_OK;
}

/* The outcome of the pass, as that of element_inflate. */
static enum status judge(const struct inflated *i, const struct pass *pass, int code, struct error *error)
{
    if (code == Z_MEM_ERROR) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    if (pass->out < i->size) return span_damaged(&i->file, i->begin, "a variable cannot be unpacked", error);
    if (code == Z_DATA_ERROR && pass->out == i->size) /* a longer text is not read to its end */
        return span_damaged(&i->file, i->begin, "the checksum of a variable is wrong", error);
    return STATUS_OK;
}

/* Inflate everything, block by block. *far becomes true if points are too far apart. */
static enum status run(struct inflated *i, struct pass *pass, int64_t spacing, bool *far, struct error *error)
{
    int code = Z_OK;
    while (code == Z_OK && pass->out <= i->size && !*far) {
        enum status status = refill(i, &pass->z, pass->input, &pass->at, error);
        if (status != STATUS_OK) return status;
        if (pass->z.avail_in == 0) break;
        if (pass->z.avail_out == 0) {
            pass->z.next_out = pass->text;
            pass->z.avail_out = (uInt)WINDOW;
        }
        const uInt room = pass->z.avail_out;
        code = inflate(&pass->z, Z_BLOCK);
        pass->out += (int64_t)(room - pass->z.avail_out);
        const int64_t last = i->count ? i->points[i->count - 1].out : 0;
        const bool between = (pass->z.data_type & 128) && !(pass->z.data_type & 64);
        if (code == Z_OK && between && pass->out < i->size && (i->count == 0 || pass->out - last >= spacing))
            status = add_point(i, pass, error);
        if (status != STATUS_OK) return status;
        *far = pass->out - last > CHUNK_MOST;
    }
    return *far ? STATUS_OK : judge(i, pass, code, error);
}

static enum status find_points(struct inflated *i, int64_t spacing, bool *far, struct error *error)
{
    struct pass pass = {.at = i->begin};
    if (inflateInit(&pass.z) != Z_OK) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    pass.input = memory_array((size_t)INPUT, 1, error);
    pass.text = pass.input ? memory_array(WINDOW, 1, error) : NULL;
    enum status status = pass.text ? run(i, &pass, spacing, far, error) : STATUS_MEMORY;
    inflateEnd(&pass.z);
    free(pass.input);
    free(pass.text);
    if (status == STATUS_OK && !*far && i->count == 0)
        status = span_damaged(&i->file, i->begin, "a variable cannot be unpacked", error);
    return status;
}

enum status inflated_open(const struct span *file, const struct element *element, int64_t size,
                          int64_t spacing, struct inflated **inflated, struct error *error)
{
    bool far = false;
    *inflated = NULL;
    struct inflated *i = memory_zeroed(1, sizeof *i, error);
    if (!i) return STATUS_MEMORY;
    *i = (struct inflated){.file = *file,
                           .begin = element->begin,
                           .end = element->begin + element->bytes,
                           .size = size,
                           .chunk_count = 2 * threads_count() + 2};
    pthread_mutex_init(&i->lock, NULL);
    pthread_cond_init(&i->changed, NULL);
    i->chunks = memory_zeroed((size_t)i->chunk_count, sizeof *i->chunks, error);
    if (spacing == 0) spacing = max(SPACING, size / POINTS);
    enum status status = i->chunks ? find_points(i, spacing, &far, error) : STATUS_MEMORY;
    if (status == STATUS_OK && !far)
        *inflated = i;
    else
        inflated_close(i);
    return status;
}

void inflated_close(struct inflated *i)
{
    if (!i) return;
    for (int64_t p = 0; p < i->count; p++)
        free(i->points[p].window);
    for (int c = 0; c < i->chunk_count && i->chunks; c++)
        free(i->chunks[c].text);
    free(i->points);
    free(i->chunks);
    pthread_mutex_destroy(&i->lock);
    pthread_cond_destroy(&i->changed);
    free(i);
}

/* --- reading --- */

static int64_t end_of(const struct inflated *i, int64_t number)
{
    return number + 1 < i->count ? i->points[number + 1].out : i->size;
}

/* Begin to inflate at a point. */
static enum status begin_at(const struct inflated *i, const struct point *point, z_stream *z,
                            struct error *error)
{
    unsigned char before;
    if (point->bits) {
        enum status status = span_read(&i->file, point->in - 1, &before, 1, error);
        if (status != STATUS_OK) return status;
        inflatePrime(z, point->bits, before >> (8 - point->bits));
    }
    if (point->window) inflateSetDictionary(z, point->window, (uInt)WINDOW);
    return STATUS_OK;
}

/* Inflate `size` bytes from a point on. */
static enum status inflate_from(const struct inflated *i, const struct point *point, unsigned char *text,
                                int64_t size, struct error *error)
{
    z_stream z = {0};
    int64_t at = point->in;
    int code = Z_OK;
    unsigned char *input = memory_array((size_t)INPUT, 1, error);
    if (!input) return STATUS_MEMORY;
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        free(input);
        return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    }
    enum status status = begin_at(i, point, &z, error);
    z.next_out = text;
    z.avail_out = (uInt)size;
    while (status == STATUS_OK && z.avail_out > 0 && code == Z_OK) {
        status = refill(i, &z, input, &at, error);
        if (status == STATUS_OK && z.avail_in == 0) break;
        if (status == STATUS_OK) code = inflate(&z, Z_NO_FLUSH);
    }
    if (status == STATUS_OK && code == Z_MEM_ERROR)
        status = error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    else if (status == STATUS_OK && z.avail_out > 0)
        status = error_at(error, STATUS_INPUT, i->file.path, 0, 0, "changed while it was read");
    inflateEnd(&z);
    free(input);
    return status;
}

static enum status load(const struct inflated *i, struct chunk *chunk, struct error *error)
{
    const struct point *point = &i->points[chunk->number];
    const int64_t size = end_of(i, chunk->number) - point->out;
    if (size > chunk->room) {
        free(chunk->text);
        chunk->room = 0;
        chunk->text = memory_array((size_t)size, 1, error);
        if (!chunk->text) return STATUS_MEMORY;
        chunk->room = size;
    }
    return inflate_from(i, point, chunk->text, size, error);
}

/* Return the chunk of this number if it is in memory, or the one that was not in use for longest; NULL if all
 * are in use. */
static struct chunk *choose(struct inflated *i, int64_t number)
{
    struct chunk *oldest = NULL;
    for (int c = 0; c < i->chunk_count; c++) {
        struct chunk *chunk = &i->chunks[c];
        const bool there = chunk->state == CHUNK_LOADING || chunk->state == CHUNK_THERE;
        if (there && chunk->number == number) return chunk;
        if (chunk->users == 0 && (!oldest || chunk->used < oldest->used)) oldest = chunk;
    }
    return oldest;
}

/* Get a chunk, which stays until it is put back. Several threads that need the same one wait for the first.
 */
static enum status take(struct inflated *i, int64_t number, struct chunk **taken, struct error *error)
{
    enum status status = STATUS_OK;
    struct chunk *chunk;
    pthread_mutex_lock(&i->lock);
    while (!(chunk = choose(i, number)) || (chunk->number == number && chunk->state == CHUNK_LOADING))
        pthread_cond_wait(&i->changed, &i->lock);
    chunk->users++;
    chunk->used = ++i->clock;
    if (chunk->number != number || chunk->state != CHUNK_THERE) {
        chunk->number = number;
        chunk->state = CHUNK_LOADING;
        pthread_mutex_unlock(&i->lock);
        status = load(i, chunk, error);
        pthread_mutex_lock(&i->lock);
        chunk->state = status == STATUS_OK ? CHUNK_THERE : CHUNK_FAILED;
        chunk->users -= status != STATUS_OK;
        pthread_cond_broadcast(&i->changed);
    }
    pthread_mutex_unlock(&i->lock);
    *taken = chunk;
    return status;
}

static void put_back(struct inflated *i, struct chunk *chunk)
{
    pthread_mutex_lock(&i->lock);
    chunk->users--;
    pthread_cond_broadcast(&i->changed);
    pthread_mutex_unlock(&i->lock);
}

/* Return the chunk with this byte. */
static int64_t chunk_of(const struct inflated *i, int64_t at)
{
    int64_t low = 1, high = i->count;
    BISECT(low, high, i->points[middle].out <= at);
    return low - 1;
}

enum status inflated_read(void *inflated, int64_t at, void *out, size_t count, struct error *error)
{
    struct inflated *i = inflated;
    const int64_t end = at + (int64_t)count;
    for (int64_t from = at, some; from < end; from += some) {
        const int64_t number = chunk_of(i, from);
        struct chunk *chunk;
        enum status status = take(i, number, &chunk, error);
        if (status != STATUS_OK) return status;
        some = min(end, end_of(i, number)) - from;
        memcpy((char *)out + (from - at), chunk->text + (from - i->points[number].out), (size_t)some);
        put_back(i, chunk);
    }
    return STATUS_OK;
}
