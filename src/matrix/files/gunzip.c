#include "matrix/files/gunzip.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/gunzip_ahead.h"
#include "matrix/files/inflater.h"

#define PIECE ((size_t)128 << 10)

struct gunzip {
    gunzip_source *source;
    void *context;
    struct inflater *inflater;
    struct ahead *ahead; /* unpacks members by several threads as long as it can; NULL: it never does */
    bool alone;          /* it cannot any more, and gives the remaining bytes */
    struct inflater_bytes bytes; /* to unpack */
    bool inside;                 /* the file must not end here: a member has begun, or none was found yet */
    bool ended, failed;
    enum status status; /* after failure: the reason; STATUS_OK if the source has failed */
    const char *why;
    unsigned char text[PIECE];
};

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
    g->inflater = inflater_open(error);
    g->ahead = NULL;
    if (!g->inflater || ahead_open(source, context, &g->ahead, error) != STATUS_OK) {
        gunzip_close(g);
        return NULL;
    }
    gunzip_restart(g);
    return g;
}

void gunzip_restart(struct gunzip *g)
{
    inflater_reset(g->inflater);
    if (g->ahead) ahead_restart(g->ahead);
    g->alone = !g->ahead;
    g->bytes = (struct inflater_bytes){0};
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
    if (g->bytes.in_left > 0) return;
    ssize_t count = g->ahead ? ahead_bytes(g->ahead, &bytes) : g->source(g->context, &bytes);
    if (count < 0) fail(g, STATUS_OK, NULL);
    if (count == 0 && g->inside) fail(g, STATUS_INPUT, "truncated gzip input");
    if (count == 0) g->ended = true;
    if (count <= 0) return;
    g->bytes.in = bytes;
    g->bytes.in_left = (size_t)count;
}

static void unpack(struct gunzip *g)
{
    const char *why = NULL;
    g->bytes.out = g->text;
    g->bytes.out_left = PIECE;
    switch (inflater_run(g->inflater, &g->bytes, &why)) {
    case INFLATED_MORE:
        break;
    case INFLATED_MEMBER:
        g->inside = false;
        break;
    case INFLATED_DAMAGED:
        fail(g, STATUS_INPUT, why);
        break;
    case INFLATED_MEMORY:
        fail(g, STATUS_MEMORY, "out of memory");
        break;
    }
}

ssize_t gunzip_next(struct gunzip *g, const void **bytes, struct error *error)
{
    if (!g->alone) {
        bool some = false;
        ssize_t count = ahead_text(g->ahead, bytes, &some);
        if (some) g->inside = false;
        if (count > 0) return count;
        g->alone = true;
    }
    for (;;) {
        if (!g->failed && !g->ended) fill(g);
        if (!g->failed && !g->ended && !g->inside) {
            g->inside = g->bytes.in[0] == 0x1f;
            g->ended = !g->inside;
            inflater_reset(g->inflater);
        }
        if (g->failed && g->status != STATUS_OK) error_set(error, g->status, "%s", g->why);
        if (g->failed) return -1;
        if (g->ended) return 0;
        unpack(g);
        *bytes = g->text;
        if (g->bytes.out_left < PIECE) return (ssize_t)(PIECE - g->bytes.out_left);
    }
}

void gunzip_close(struct gunzip *g)
{
    if (!g) return;
    ahead_close(g->ahead);
    inflater_close(g->inflater);
    free(g);
}
