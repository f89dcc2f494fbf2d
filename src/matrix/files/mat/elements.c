#include "matrix/files/mat/elements.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/memory.h"

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
    unsigned char *input = memory_array(INPUT_BYTES, 1, error);
    if (!input) return STATUS_MEMORY;
    if (inflateInit(&z) != Z_OK) {
        free(input);
        return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
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
    /* With all its bytes there, zlib still has to look at the checksum behind them. */
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
            if (z.avail_out == 0) break;
        }
        if (code == Z_DATA_ERROR)
            status = span_damaged(span, element->begin, "the checksum of a variable is wrong", error);
    }
    inflateEnd(&z);
    free(input);
    return status;
}
