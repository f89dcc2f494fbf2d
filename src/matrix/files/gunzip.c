#include "matrix/files/gunzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#define PIECE ((size_t)128 << 10)
#define GZIP_BITS (15 + 16) /* the largest window, in the format of gzip */

struct gunzip {
    gunzip_source *source;
    void *context;
    z_stream z;
    bool inside; /* the file must not end here: a member has begun, or none was found yet */
    bool ended, failed;
    enum status status; /* after failure: the reason; STATUS_OK if the source has failed */
    const char *why;
    unsigned char text[PIECE];
};

static voidpf allocate(voidpf unused, uInt count, uInt size)
{
    return memory_array(count, size, NULL);
}

static void release(voidpf unused, voidpf memory)
{
    free(memory);
}

bool gunzip_begins(const char *bytes, size_t count)
{
    return count >= 3 && !memcmp(bytes, "\x1f\x8b\x08", 3);
}

struct gunzip *gunzip_open(gunzip_source *source, void *context, struct error *error)
{
    struct gunzip *g = memory_array(1, sizeof *g, error);
    if (!g) return NULL;
    g->source = source;
    g->context = context;
    g->z = (z_stream){.zalloc = allocate, .zfree = release};
    if (inflateInit2(&g->z, GZIP_BITS) != Z_OK) {
        free(g);
        error_set(error, STATUS_MEMORY, "out of memory while unpacking");
        return NULL;
    }
    gunzip_restart(g);
    return g;
}

void gunzip_restart(struct gunzip *g)
{
    inflateReset(&g->z);
    g->z.avail_in = 0;
    g->inside = true;
    g->ended = g->failed = false;
    g->status = STATUS_OK;
}

static void fail(struct gunzip *g, enum status status, const char *why)
{
    g->failed = true;
    g->status = status;
    g->why = why;
}

/* Get bytes of the file if none are left to unpack. The file may end or fail. */
static void fill(struct gunzip *g)
{
    const void *bytes;
    if (g->z.avail_in > 0) return;
    ssize_t count = g->source(g->context, &bytes);
    if (count < 0) fail(g, STATUS_OK, NULL);
    if (count == 0 && g->inside) fail(g, STATUS_INPUT, "truncated gzip input");
    if (count == 0) g->ended = true;
    if (count <= 0) return;
    g->z.next_in = (Bytef *)bytes;
    g->z.avail_in = (uInt)count;
}

ssize_t gunzip_next(struct gunzip *g, const void **bytes, struct error *error)
{
    for (;;) {
        if (!g->failed && !g->ended) fill(g);
        if (!g->failed && !g->ended && !g->inside) {
            g->inside = g->z.next_in[0] == 0x1f;
            g->ended = !g->inside;
            inflateReset(&g->z);
        }
        if (g->failed && g->status != STATUS_OK) error_set(error, g->status, "%s", g->why);
        if (g->failed) return -1;
        if (g->ended) return 0;
        g->z.next_out = g->text;
        g->z.avail_out = PIECE;
        int code = inflate(&g->z, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            g->inside = false;
        else if (code == Z_MEM_ERROR)
            fail(g, STATUS_MEMORY, "out of memory");
        else if (code != Z_OK && code != Z_BUF_ERROR)
            fail(g, STATUS_INPUT, g->z.msg ? g->z.msg : "damaged gzip input");
        *bytes = g->text;
        if (g->z.avail_out < PIECE) return (ssize_t)(PIECE - g->z.avail_out);
    }
}

void gunzip_close(struct gunzip *g)
{
    if (!g) return;
    inflateEnd(&g->z);
    free(g);
}
