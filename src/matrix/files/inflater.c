#include "config.h"

#include "matrix/files/inflater.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"

/* Both libraries count in unsigned int. */
static unsigned int part_of(size_t bytes)
{
    return bytes < UINT_MAX ? (unsigned int)bytes : UINT_MAX;
}

#ifdef HAVE_ISAL
#    include <isa-l/igzip_lib.h>

struct inflater {
    struct inflate_state state;
};

struct inflater *inflater_open(struct error *error)
{
    struct inflater *inflater = memory_array(1, sizeof *inflater, error);
    if (inflater) inflater_reset(inflater);
    return inflater;
}

void inflater_reset(struct inflater *inflater)
{
    isal_inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP;
}

enum inflated inflater_run(struct inflater *inflater, struct inflater_bytes *bytes, const char **why)
{
    struct inflate_state *state = &inflater->state;
    const unsigned int in = part_of(bytes->in_left), out = part_of(bytes->out_left);
    state->next_in = (unsigned char *)bytes->in;
    state->avail_in = in;
    state->next_out = bytes->out;
    state->avail_out = out;
    const int code = isal_inflate(state);
    bytes->in += in - state->avail_in;
    bytes->in_left -= in - state->avail_in;
    bytes->out += out - state->avail_out;
    bytes->out_left -= out - state->avail_out;
    if (code >= ISAL_DECOMP_OK && code != ISAL_NEED_DICT)
        return state->block_state == ISAL_BLOCK_FINISH ? INFLATED_MEMBER : INFLATED_MORE;
    *why = code == ISAL_INCORRECT_CHECKSUM ? "incorrect data check" : "damaged gzip input";
    return INFLATED_DAMAGED;
}

void inflater_close(struct inflater *inflater)
{
    free(inflater);
}
#else
#    include <zlib.h>

#    define GZIP_BITS (15 + 16) /* the largest window, in the format of gzip */

struct inflater {
    z_stream z;
};

static voidpf allocate(voidpf unused, uInt count, uInt size)
{
    return memory_array(count, size, NULL);
}

static void release(voidpf unused, voidpf memory)
{
    free(memory);
}

struct inflater *inflater_open(struct error *error)
{
    struct inflater *inflater = memory_array(1, sizeof *inflater, error);
    if (!inflater) return NULL;
    inflater->z = (z_stream){.zalloc = allocate, .zfree = release};
    if (inflateInit2(&inflater->z, GZIP_BITS) == Z_OK) return inflater;
    free(inflater);
    error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    return NULL;
}

void inflater_reset(struct inflater *inflater)
{
    inflateReset(&inflater->z);
}

enum inflated inflater_run(struct inflater *inflater, struct inflater_bytes *bytes, const char **why)
{
    z_stream *z = &inflater->z;
    const uInt in = part_of(bytes->in_left), out = part_of(bytes->out_left);
    z->next_in = (Bytef *)bytes->in;
    z->avail_in = in;
    z->next_out = bytes->out;
    z->avail_out = out;
    const int code = inflate(z, Z_NO_FLUSH);
    bytes->in += in - z->avail_in;
    bytes->in_left -= in - z->avail_in;
    bytes->out += out - z->avail_out;
    bytes->out_left -= out - z->avail_out;
    if (code == Z_STREAM_END) return INFLATED_MEMBER;
    if (code == Z_OK || code == Z_BUF_ERROR) return INFLATED_MORE;
    if (code == Z_MEM_ERROR) return INFLATED_MEMORY;
    *why = z->msg ? z->msg : "damaged gzip input";
    return INFLATED_DAMAGED;
}

void inflater_close(struct inflater *inflater)
{
    if (!inflater) return;
    inflateEnd(&inflater->z);
    free(inflater);
}
#endif
