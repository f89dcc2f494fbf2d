#include "matrix/files/arrays/put.h"

#include <errno.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/turns.h"

/* Number of elements made and written at a time. */
#define BLOCK 32768

int64_t put_size(const struct put *array)
{
    int64_t size;
    if (__builtin_mul_overflow(array->count, (int64_t)number_bytes(array->type), &size)) return INT64_MAX;
    return size;
}

unsigned char *put_little(unsigned char *at, uint64_t number, int width)
{
    for (int b = 0; b < width; b++)
        *at++ = (unsigned char)(number >> 8 * b);
    return at;
}

static enum status write_failed(int code, struct error *error)
{
    return rows_file_failed(code, error);
}

enum status put_bytes(FILE *file, const void *bytes, size_t count, struct error *error)
{
    errno = 0;
    if (count && fwrite(bytes, 1, count, file) != count) return write_failed(errno, error);
    return STATUS_OK;
}

static bool is_swapped(const struct put *array)
{
    return number_bytes(array->type) > 1 && array->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Reverse the bytes of each number; of complex ones those of each part. */
static void swap(const struct put *array, int64_t count, char *bytes)
{
    size_t wide = number_bytes(array->type), part = number_is_complex(array->type) ? wide / 2 : wide;
    for (char *at = bytes, *end = bytes + (size_t)count * wide; at < end; at += part)
        for (size_t b = 0; b < part / 2; b++) {
            char kept = at[b];
            at[b] = at[part - 1 - b];
            at[part - 1 - b] = kept;
        }
}

/* Return the bytes of some elements in the file's form: those in memory, or converted ones in `buffer`. */
static const void *bytes_of(const struct put *array, int64_t from, int64_t count, char *buffer)
{
    size_t wide = number_bytes(array->type);
    const char *there = array->memory ? (const char *)array->memory + (size_t)from * wide : NULL;
    if (there && !is_swapped(array)) return there;
    if (there)
        memcpy(buffer, there, (size_t)count * wide);
    else
        array->fill(array, from, count, buffer);
    if (is_swapped(array)) swap(array, count, buffer);
    return buffer;
}

enum status put_array(FILE *file, const struct put *array, struct progress *progress, struct error *error)
{
    size_t wide = number_bytes(array->type), size = BLOCK * wide;
    int64_t blocks = array->count / BLOCK + (array->count % BLOCK != 0);
    _Atomic int code = 0;
    struct turns turns;
    char *buffers = memory_array((size_t)threads_count(), size, error);
    if (!buffers) return STATUS_MEMORY;
    turns_start(&turns);
#pragma omp parallel for schedule(monotonic : dynamic, 1) if (array->count > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t from = b * BLOCK, count = min(array->count - from, BLOCK);
        const void *bytes = NULL;
        if (!atomic_load(&code) && !progress_cancelled(progress))
            bytes = bytes_of(array, from, count, buffers + (size_t)omp_get_thread_num() * size);
        turns_wait(&turns, b);
        if (bytes && !atomic_load(&code)) {
            errno = 0;
            if (fwrite(bytes, wide, (size_t)count, file) != (size_t)count)
                atomic_store(&code, errno ? errno : EIO);
            progress_add(progress, count * (int64_t)wide);
        }
        turns_pass(&turns);
    }
    turns_end(&turns);
    free(buffers);
    return code ? write_failed(code, error) : progress_status(progress, error);
}

enum status put_array_at(const struct rows_file *file, int64_t offset, const struct put *array,
                         struct error *error)
{
    const size_t wide = number_bytes(array->type), size = BLOCK * wide;
    const int64_t blocks = array->count / BLOCK + (array->count % BLOCK != 0);
    _Atomic int code = 0;
    char *buffers = memory_array((size_t)threads_count(), size, error);
    if (!buffers) return STATUS_MEMORY;
    rows_file_claim(file, offset, put_size(array));
#pragma omp parallel for schedule(dynamic, 1) if (array->count > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t from = b * BLOCK, count = min(array->count - from, BLOCK);
        if (atomic_load(&code)) continue;
        const void *bytes = bytes_of(array, from, count, buffers + (size_t)omp_get_thread_num() * size);
        const int failed = rows_file_put(file, offset + from * (int64_t)wide, bytes, (size_t)count * wide);
        if (failed) atomic_store(&code, failed);
    }
    free(buffers);
    return code ? write_failed(code, error) : STATUS_OK;
}
