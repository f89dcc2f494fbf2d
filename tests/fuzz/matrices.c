/* Fuzz targets of file formats of matrices. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz/readers.h"
#include "fuzz/targets.h"

static const struct load_options plain;

int fuzz_market(const uint8_t *data, size_t size)
{
    return fuzz_read("mtx", &plain, data, size);
}

int fuzz_npz(const uint8_t *data, size_t size)
{
    return fuzz_read("npz", &plain, data, size);
}

int fuzz_boeing(const uint8_t *data, size_t size)
{
    return fuzz_read("rb", &plain, data, size);
}

int fuzz_mat(const uint8_t *data, size_t size)
{
    return fuzz_read("mat", &plain, data, size);
}

/* A file of PETSc's as its length says, and as one of the kinds that the user may name. */
int fuzz_petsc(const uint8_t *data, size_t size)
{
    static const struct load_options kinds[] = {
        {.kind = "real"}, {.kind = "complex"}, {.kind = "single"}, {.kind = "single-complex"}};
    int read = fuzz_read("petsc", &plain, data, size);
    return fuzz_read("petsc", &kinds[size % 4], data, size) | read;
}

int fuzz_metis(const uint8_t *data, size_t size)
{
    return fuzz_read("metis", &plain, data, size);
}

int fuzz_table(const uint8_t *data, size_t size)
{
    return fuzz_read("csv", &plain, data, size);
}

/* Edge lists whose indices count from 1, and from 0; those that have names. */
int fuzz_edges(const uint8_t *data, size_t size)
{
    static const struct load_options zero = {.from_zero = true};
    int read = fuzz_read("edges", &plain, data, size);
    return fuzz_read("edges", &zero, data, size) | read;
}

int fuzz_names(const uint8_t *data, size_t size)
{
    static const struct load_options names = {.names = true};
    return fuzz_read("edges", &names, data, size);
}

static void put_word(uint8_t *at, uint32_t word)
{
    for (int k = 0; k < 4; k++)
        at[k] = (uint8_t)(word >> 8 * k);
}

/* A MATLAB file of version 7: a head, and for each of the parts into which bytes of 255 cut the input, a
 * compressed element of it. zlib's stored blocks are as good as others, and fast. */
int fuzz_mat_packed(const uint8_t *data, size_t size)
{
    static const char title[] = "MATLAB 5.0 MAT-file";
    size_t room = 128 + size * 2 + 64 * (size + 1), used = 128;
    uint8_t *file = calloc(room, 1);
    struct input input = {data, size};
    if (!file) abort();
    memset(file, ' ', 116);
    memcpy(file, title, sizeof title - 1);
    memcpy(file + 124, "\x00\x01IM", 4);
    do {
        const uint8_t *from = input.at;
        free(input_text(&input, 0xff));
        size_t length = (size_t)(input.at - from), packed = length + 11;
        uint8_t *at = file + used;
        put_word(at, 15);
        put_word(at + 4, (uint32_t)packed);
        memcpy(at + 8, "\x78\x01\x01", 3);
        put_word(at + 11, (uint32_t)length | (uint32_t)~length << 16);
        if (length) memcpy(at + 15, from, length);
        uint32_t sum = (uint32_t)adler32(1, from, (uInt)length);
        for (int k = 0; k < 4; k++)
            at[15 + length + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
        used += 8 + packed;
    } while (input.left);
    int read = fuzz_read("mat", &plain, file, used);
    free(file);
    return read;
}
