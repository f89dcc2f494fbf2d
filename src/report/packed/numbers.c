#include "report/packed/numbers.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/base64.h"
#include "base/memory.h"

#define BLOCK ((size_t)1 << 15)
#define NUMBER_MAX 10 /* bytes of the largest number */
#define LETTERS_MAX (1 << 30)

struct packer {
    z_stream stream;
    unsigned char in[BLOCK];
    size_t filled;
    struct text *out;
    size_t end; /* `out` must not become longer */
    bool over;  /* it would become longer */
};

struct packer *packer_open(struct text *out, size_t most)
{
    struct packer *packer = memory_zeroed(1, sizeof *packer, NULL);
    if (!packer) return NULL;
    packer->out = out;
    packer->end = out->length + most;
    if (deflateInit(&packer->stream, Z_DEFAULT_COMPRESSION) == Z_OK) return packer;
    free(packer);
    return NULL;
}

/* Deflate the pending input, and with Z_FINISH the rest. */
static void flush(struct packer *packer, int how)
{
    unsigned char out[BLOCK];
    z_stream *stream = &packer->stream;
    stream->next_in = packer->in;
    stream->avail_in = (uInt)packer->filled;
    do {
        stream->next_out = out;
        stream->avail_out = sizeof out;
        deflate(stream, how);
        size_t made = sizeof out - stream->avail_out;
        packer->over = packer->over || packer->out->length + made > packer->end;
        if (!packer->over) text_append_bytes(packer->out, (const char *)out, made);
    } while (stream->avail_out == 0 && !packer->over);
    packer->filled = 0;
}

void packer_put(struct packer *packer, uint64_t number)
{
    if (packer->over) return;
    if (packer->filled + NUMBER_MAX > BLOCK) flush(packer, Z_NO_FLUSH);
    for (; number >= 128; number >>= 7)
        packer->in[packer->filled++] = (unsigned char)(number | 128);
    packer->in[packer->filled++] = (unsigned char)number;
}

bool packer_full(const struct packer *packer)
{
    return packer->over;
}

enum status packer_close(struct packer *packer)
{
    if (!packer) return STATUS_MEMORY;
    if (!packer->over) flush(packer, Z_FINISH);
    deflateEnd(&packer->stream);
    enum status status = packer->out->failed ? STATUS_MEMORY : packer->over ? STATUS_LIMIT : STATUS_OK;
    free(packer);
    return status;
}

struct unpacker {
    z_stream stream;
    unsigned char *bytes; /* the bytes to inflate */
    unsigned char out[BLOCK];
    size_t from, filled; /* the inflated bytes that were not yet read */
    bool ended;          /* all bytes are inflated */
    bool refused;
};

enum status unpacker_open(const char *letters, struct unpacker **unpacker, struct error *error)
{
    *unpacker = NULL;
    size_t length = strlen(letters), used = 0;
    if (length > LETTERS_MAX) return error_set(error, STATUS_INPUT, "more than %d letters", LETTERS_MAX);
    *unpacker = memory_zeroed(1, sizeof **unpacker, error);
    if (!*unpacker) return STATUS_MEMORY;
    (*unpacker)->bytes = memory_array(length / 4 * 3 + 3, 1, error);
    enum status status = (*unpacker)->bytes ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && !base64_decode(letters, length, (*unpacker)->bytes, &used))
        status = error_set(error, STATUS_INPUT, "letters that are not base64");
    if (status == STATUS_OK && inflateInit(&(*unpacker)->stream) != Z_OK)
        status = error_set(error, STATUS_MEMORY, "out of memory to unpack numbers");
    if (status == STATUS_OK) {
        (*unpacker)->stream.next_in = (*unpacker)->bytes;
        (*unpacker)->stream.avail_in = (uInt)used;
        return STATUS_OK;
    }
    free((*unpacker)->bytes);
    free(*unpacker);
    *unpacker = NULL;
    return status;
}

/* Inflate more. False if there is no more. */
static bool fill(struct unpacker *unpacker)
{
    z_stream *stream = &unpacker->stream;
    if (unpacker->ended) return false;
    stream->next_out = unpacker->out;
    stream->avail_out = sizeof unpacker->out;
    int status = inflate(stream, Z_NO_FLUSH);
    unpacker->from = 0;
    unpacker->filled = sizeof unpacker->out - stream->avail_out;
    unpacker->ended = status != Z_OK || unpacker->filled == 0;
    if (status != Z_OK && status != Z_STREAM_END) unpacker->refused = true;
    return unpacker->filled > 0;
}

bool unpacker_next(struct unpacker *unpacker, uint64_t max, uint64_t *number)
{
    uint64_t value = 0;
    for (int shift = 0; !unpacker->refused; shift += 7) {
        if (unpacker->from == unpacker->filled && !fill(unpacker)) break;
        uint64_t group = unpacker->out[unpacker->from++], bits = group & 127;
        if (shift > 63 || (shift == 63 && bits > 1)) break;
        value |= bits << shift;
        if (group >= 128) continue;
        if (value > max) break;
        *number = value;
        return true;
    }
    unpacker->refused = true;
    return false;
}

bool unpacker_done(struct unpacker *unpacker)
{
    return !unpacker->refused && unpacker->from == unpacker->filled && !fill(unpacker) && !unpacker->refused;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (!unpacker) return;
    inflateEnd(&unpacker->stream);
    free(unpacker->bytes);
    free(unpacker);
}
