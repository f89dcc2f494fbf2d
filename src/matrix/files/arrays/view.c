#include "matrix/files/arrays/view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/wide.h"

/* Bytes of elements converted at a time. */
#define PIECE_BYTES 16384

static const struct {
    unsigned char bytes;
    bool integer, complex;
} kinds[] = {
    [NUMBER_BOOL] = {1, true, false}, [NUMBER_I8] = {1, true, false},   [NUMBER_U8] = {1, true, false},
    [NUMBER_I16] = {2, true, false},  [NUMBER_U16] = {2, true, false},  [NUMBER_I32] = {4, true, false},
    [NUMBER_U32] = {4, true, false},  [NUMBER_I64] = {8, true, false},  [NUMBER_U64] = {8, true, false},
    [NUMBER_F32] = {4, false, false}, [NUMBER_F64] = {8, false, false}, [NUMBER_C64] = {8, false, true},
    [NUMBER_C128] = {16, false, true}};

size_t number_bytes(enum number type)
{
    return kinds[type].bytes;
}

bool number_is_integer(enum number type)
{
    return kinds[type].integer;
}

bool number_is_complex(enum number type)
{
    return kinds[type].complex;
}

static bool is_swapped(const struct view *view)
{
    return number_bytes(view->type) > 1 && view->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

enum status view_check(const struct view *view, struct error *error)
{
    int64_t bytes;
    if (view->memory || !view->container) return STATUS_OK;
    int64_t size = container_size(view->container);
    if (!__builtin_mul_overflow(view->count, (int64_t)number_bytes(view->type), &bytes) && view->count >= 0 &&
        view->offset >= 0 && view->offset <= size && bytes <= size - view->offset)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(view->container), 0, 0,
                    "%s should have %" PRId64 " elements of %zu bytes from byte %" PRId64
                    " on, but the file has %" PRId64 " bytes; it is cut short or damaged",
                    view->name, view->count, number_bytes(view->type), view->offset, size);
}

enum status view_copy(const struct view *view, int64_t from, int64_t count, void *out, struct error *error)
{
    size_t width = number_bytes(view->type), bytes = (size_t)count * width;
    if (view->read) return view->read(view->self, view->offset + from * (int64_t)width, out, bytes, error);
    if (view->memory || !view->container) {
        memcpy(out, (const char *)view->memory + (size_t)from * width, bytes);
        return STATUS_OK;
    }
    ssize_t got = container_pread(view->container, out, bytes, view->offset + from * (int64_t)width, error);
    if (got < 0) return STATUS_IO;
    if ((size_t)got == bytes) return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(view->container), 0, 0, "changed while it was read");
}

WIDE static void swap_8(unsigned char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        word = __builtin_bswap64(word);
        memcpy(bytes, &word, sizeof word);
    }
}

WIDE static void swap_4(unsigned char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++, bytes += 4) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        word = __builtin_bswap32(word);
        memcpy(bytes, &word, sizeof word);
    }
}

/* Reverse the bytes of each of `count` words of `width` bytes. */
static void swap(unsigned char *bytes, size_t count, size_t width)
{
    if (width == 8)
        swap_8(bytes, count);
    else if (width == 4)
        swap_4(bytes, count);
    else
        for (size_t k = 0; k < count; k++, bytes += width)
            for (size_t b = 0; b < width / 2; b++) {
                unsigned char kept = bytes[b];
                bytes[b] = bytes[width - 1 - b];
                bytes[width - 1 - b] = kept;
            }
}

enum status view_copy_native(const struct view *view, int64_t from, int64_t count, void *out,
                             struct error *error)
{
    enum status status = view_copy(view, from, count, out, error);
    bool complex = number_is_complex(view->type);
    size_t width = number_bytes(view->type) / (complex ? 2 : 1);
    if (status == STATUS_OK && is_swapped(view)) swap(out, (size_t)count * (complex ? 2 : 1), width);
    return status;
}

/* Let element k of `bytes` be of type T. */
#define ELEMENT(T, k) (((const T *)(const void *)bytes)[k])

/* Return element k as an integer. *fits becomes false if it is not one. */
static int64_t integer_of(enum number type, const unsigned char *bytes, int64_t k, bool *fits)
{
    switch (type) {
    case NUMBER_BOOL:
        return bytes[k] != 0;
    case NUMBER_I8:
        return ELEMENT(int8_t, k);
    case NUMBER_U8:
        return bytes[k];
    case NUMBER_I16:
        return ELEMENT(int16_t, k);
    case NUMBER_U16:
        return ELEMENT(uint16_t, k);
    case NUMBER_I32:
        return ELEMENT(int32_t, k);
    case NUMBER_U32:
        return ELEMENT(uint32_t, k);
    case NUMBER_I64:
        return ELEMENT(int64_t, k);
    case NUMBER_U64:
        *fits = ELEMENT(uint64_t, k) <= INT64_MAX;
        return (int64_t)ELEMENT(uint64_t, k);
    case NUMBER_F32:
    case NUMBER_F64: {
        double value = type == NUMBER_F32 ? (double)ELEMENT(float, k) : ELEMENT(double, k);
        *fits = value >= -9007199254740992.0 && value <= 9007199254740992.0 && value == floor(value);
        return *fits ? (int64_t)value : 0;
    }
    default:
        *fits = false;
        return 0;
    }
}

enum status view_integers(const struct view *view, int64_t from, int64_t count, int64_t *out,
                          struct error *error)
{
    _Alignas(16) unsigned char bytes[PIECE_BYTES];
    int64_t most = PIECE_BYTES / (int64_t)number_bytes(view->type);
    if (view->type == NUMBER_I64) return view_copy_native(view, from, count, out, error);
    for (int64_t done = 0; done < count;) {
        int64_t some = count - done < most ? count - done : most;
        bool fits = true;
        enum status status = view_copy_native(view, from + done, some, bytes, error);
        if (status != STATUS_OK) return status;
        if (view->type == NUMBER_I32)
            for (int64_t k = 0; k < some; k++)
                out[done + k] = ELEMENT(int32_t, k);
        else
            for (int64_t k = 0; k < some; k++) {
                out[done + k] = integer_of(view->type, bytes, k, &fits);
                if (fits) continue;
                return error_at(error, STATUS_INPUT, view->container ? container_path(view->container) : "",
                                0, 0, "element %" PRId64 " of %s is no whole number that fits in 64 bits",
                                from + done + k + 1, view->name);
            }
        done += some;
    }
    return STATUS_OK;
}

static void reals_of(enum number type, const unsigned char *bytes, int64_t count, double *real,
                     double *imaginary, int64_t *rounded)
{
    bool unused = true;
    if (imaginary) memset(imaginary, 0, (size_t)count * sizeof *imaginary);
    switch (type) {
    case NUMBER_F32:
        for (int64_t k = 0; k < count; k++)
            real[k] = (double)ELEMENT(float, k);
        break;
    case NUMBER_C64:
        for (int64_t k = 0; k < count; k++) {
            real[k] = (double)ELEMENT(float, 2 * k);
            if (imaginary) imaginary[k] = (double)ELEMENT(float, 2 * k + 1);
        }
        break;
    case NUMBER_C128:
        for (int64_t k = 0; k < count; k++) {
            real[k] = ELEMENT(double, 2 * k);
            if (imaginary) imaginary[k] = ELEMENT(double, 2 * k + 1);
        }
        break;
    case NUMBER_U64:
        for (int64_t k = 0; k < count; k++) {
            real[k] = (double)ELEMENT(uint64_t, k);
            *rounded += real[k] >= 0x1p64 || (uint64_t)real[k] != ELEMENT(uint64_t, k);
        }
        break;
    default:
        for (int64_t k = 0; k < count; k++) {
            int64_t value = integer_of(type, bytes, k, &unused);
            real[k] = (double)value;
            *rounded += real[k] >= 0x1p63 || (int64_t)real[k] != value;
        }
    }
}

enum status view_reals(const struct view *view, int64_t from, int64_t count, double *real, double *imaginary,
                       int64_t *rounded, struct error *error)
{
    _Alignas(16) unsigned char bytes[PIECE_BYTES];
    int64_t most = PIECE_BYTES / (int64_t)number_bytes(view->type);
    if (view->type == NUMBER_F64) {
        if (imaginary) memset(imaginary, 0, (size_t)count * sizeof *imaginary);
        return view_copy_native(view, from, count, real, error);
    }
    for (int64_t done = 0; done < count;) {
        int64_t some = count - done < most ? count - done : most;
        enum status status = view_copy_native(view, from + done, some, bytes, error);
        if (status != STATUS_OK) return status;
        reals_of(view->type, bytes, some, real + done, imaginary ? imaginary + done : NULL, rounded);
        done += some;
    }
    return STATUS_OK;
}
