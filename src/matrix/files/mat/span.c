#include "matrix/files/mat/span.h"

#include <inttypes.h>
#include <string.h>

enum status span_damaged(const struct span *span, int64_t at, const char *what, struct error *error)
{
    return error_at(error, STATUS_INPUT, span->path, 0, 0, "damaged or cut short at byte %" PRId64 "%s: %s",
                    at + 1, span->container ? "" : " of the unpacked variable", what);
}

enum status span_read(const struct span *span, int64_t at, void *out, int64_t size, struct error *error)
{
    if (at < span->begin || at > span->end || size > span->end - at)
        return span_damaged(span, at, "it ends within a variable", error);
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
                          .memory = span->container ? NULL : span->memory + at,
                          .type = type,
                          .big = span->big,
                          .count = count};
    return STATUS_OK;
}
