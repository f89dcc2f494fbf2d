#include "matrix/files/mat/elements.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "matrix/files/mat/inflated.h"

enum status span_damaged(const struct span *span, int64_t at, const char *what, struct error *error)
{
    return error_at(error, STATUS_INPUT, span->path, 0, 0, "damaged or cut short at byte %" PRId64 "%s: %s",
                    at + 1, span->container ? "" : " of the unpacked variable", what);
}

enum status span_read(const struct span *span, int64_t at, void *out, int64_t size, struct error *error)
{
    if (at < span->begin || at > span->end || size > span->end - at)
        return span_damaged(span, at, "it ends within a variable", error);
    if (span->inflated) return inflated_read(span->inflated, at, out, (size_t)size, error);
    if (!span->container) {
        memcpy(out, span->memory + at, (size_t)size);
        return STATUS_OK;
    }
    ssize_t count = container_pread(span->container, out, (size_t)size, at, error);
    if (count < 0) return STATUS_IO;
    return count == size ? STATUS_OK : span_damaged(span, at, "it ends within a variable", error);
}

enum status span_number(const struct span *span, int64_t at, uint32_t *value, struct error *error)
{
    unsigned char b[4];
    enum status status = span_read(span, at, b, sizeof b, error);
    if (status != STATUS_OK) return status;
    *value = span->big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                       : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
    return STATUS_OK;
}

enum status span_view(const struct span *span, int64_t at, enum number type, int64_t count, const char *name,
                      struct view *view, struct error *error)
{
    int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, (int64_t)number_bytes(type), &bytes) || at < span->begin ||
        at > span->end || bytes > span->end - at)
        return span_damaged(span, at, "an array reaches beyond the end", error);
    *view = (struct view){.name = name,
                          .container = span->container,
                          .offset = at,
                          .memory = span->memory ? span->memory + at : NULL,
                          .read = span->inflated ? inflated_read : NULL,
                          .self = span->inflated,
                          .type = type,
                          .big = span->big,
                          .count = count};
    return STATUS_OK;
}

#define INPUT_BYTES ((size_t)64 << 10)

enum status element_read(const struct span *span, int64_t at, struct element *element, struct error *error)
{
    uint32_t first, bytes;
    enum status status = span_number(span, at, &first, error);
    if (status != STATUS_OK) return status;
    if (first >> 16) { /* a small one: the data follow in the tag */
        *element = (struct element){first & 0xffff, at + 4, (int64_t)(first >> 16), at + 8};
        return element->bytes <= 4 ? STATUS_OK : span_damaged(span, at, "an element has no size", error);
    }
    status = span_number(span, at + 4, &bytes, error);
    if (status != STATUS_OK) return status;
    *element = (struct element){first, at + 8, (int64_t)bytes, at + 8 + (int64_t)bytes};
    if (first != MI_COMPRESSED) element->next = at + 8 + ((int64_t)bytes + 7) / 8 * 8;
    if (element->begin + element->bytes > span->end)
        return span_damaged(span, at, "an element reaches beyond the end", error);
    return STATUS_OK;
}

enum status element_view(const struct span *span, const struct element *element, const char *name,
                         struct view *view, struct error *error)
{
    static const int types[] = {
        [1] = NUMBER_I8,  [2] = NUMBER_U8,  [3] = NUMBER_I16, [4] = NUMBER_U16,  [5] = NUMBER_I32,
        [6] = NUMBER_U32, [7] = NUMBER_F32, [9] = NUMBER_F64, [12] = NUMBER_I64, [13] = NUMBER_U64};
    uint32_t type = element->type;
    if (type < 1 || type > 13 || type == 8 || type == 10 || type == 11)
        return span_damaged(span, element->begin, "an array has no numbers", error);
    enum number number = (enum number)types[type];
    return span_view(span, element->begin, number, element->bytes / (int64_t)number_bytes(number), name, view,
                     error);
}

enum status element_inflate(const struct span *span, const struct element *element, void *out, int64_t size,
                            int64_t *done, struct error *error)
{
    z_stream z = {0};
    enum status status = STATUS_OK;
    int code = Z_OK;
    int64_t at = element->begin, end = element->begin + element->bytes;
    *done = 0;
    if (inflateInit(&z) != Z_OK) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    unsigned char *input = memory_array(INPUT_BYTES, 1, error);
    if (!input) {
        inflateEnd(&z);
        return STATUS_MEMORY;
    }
    while (status == STATUS_OK && *done < size && code == Z_OK) {
        if (z.avail_in == 0) {
            int64_t some = end - at < (int64_t)INPUT_BYTES ? end - at : (int64_t)INPUT_BYTES;
            if (some == 0) break;
            status = span_read(span, at, input, some, error);
            if (status != STATUS_OK) break;
            at += some;
            z.next_in = input;
            z.avail_in = (uInt)some;
        }
        int64_t room = size - *done < (int64_t)1 << 30 ? size - *done : (int64_t)1 << 30;
        z.next_out = (unsigned char *)out + *done;
        z.avail_out = (uInt)room;
        code = inflate(&z, Z_NO_FLUSH);
        *done += room - (int64_t)z.avail_out;
        if (code == Z_MEM_ERROR) status = error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    }
    /* After all bytes, zlib still has to check the checksum after them. */
    if (status == STATUS_OK && *done == size && code == Z_OK && size > (int64_t)ELEMENT_PEEK) {
        unsigned char one;
        while (code == Z_OK && (z.avail_in > 0 || at < end)) {
            if (z.avail_in == 0) {
                status = span_read(span, at, input, 1, error);
                if (status != STATUS_OK) break;
                at++;
                z.next_in = input;
                z.avail_in = 1;
            }
            z.next_out = &one;
            z.avail_out = 1;
            code = inflate(&z, Z_NO_FLUSH);
            if (z.avail_out == 0) code = Z_STREAM_END; /* a longer text is not read to its end */
        }
    }
    if (status == STATUS_OK && *done == size && code == Z_DATA_ERROR && size > (int64_t)ELEMENT_PEEK)
        status = span_damaged(span, element->begin, "the checksum of a variable is wrong", error);
    inflateEnd(&z);
    free(input);
    return status;
}
