/* Fuzz target (libFuzzer): any bytes are read as a Matrix Market file, strictly and leniently, in place and
 * streamed. Nothing may crash, what is read must be a valid matrix, and in place and streamed must agree. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/threads.h"
#include "matrix/files/container.h"
#include "matrix/files/market/market.h"

/* A pipe takes this much without anyone reading. */
#define BYTES_MAX 60000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum status read_descriptor(int descriptor, bool lenient, struct matrix *matrix, struct error *error)
{
    char path[64];
    struct container *container;
    struct load_options options = {.lenient = lenient, .limit = (size_t)64 << 20};
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    *matrix = (struct matrix){0};
    enum status status = container_open(path, &container, error);
    if (status) return status;
    status = market_read(container, &options, NULL, matrix, error);
    if (!status && csr_validate(&matrix->csr, NULL)) abort();
    container_close(container);
    return status;
}

static enum status read_in_place(const uint8_t *data, size_t size, bool lenient, struct matrix *matrix,
                                 struct error *error)
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) exit(1);
    enum status status = read_descriptor(descriptor, lenient, matrix, error);
    close(descriptor);
    return status;
}

static enum status read_streamed(const uint8_t *data, size_t size, bool lenient, struct matrix *matrix,
                                 struct error *error)
{
    int ends[2];
    if (pipe(ends) || write(ends[1], data, size) != (ssize_t)size) exit(1);
    close(ends[1]);
    enum status status = read_descriptor(ends[0], lenient, matrix, error);
    close(ends[0]);
    return status;
}

/* Only in place can the size line be held against the file's size, and can a file be opened twice; and what
 * is streamed goes through libarchive, which takes some binary files for archives without members. */
static bool may_differ(const struct error *error)
{
    return strstr(error->message, "cannot stand in") || strstr(error->message, "of memory, more than") ||
           strstr(error->message, "archive") || strstr(error->message, "damaged") ||
           strstr(error->message, "file is empty");
}

static void compare(const struct matrix *a, const struct matrix *b)
{
    size_t nnz = (size_t)csr_nnz(&a->csr);
    if (csr_nnz(&b->csr) != (int64_t)nnz || a->stored != b->stored || a->field != b->field) abort();
    if (nnz && memcmp(a->csr.col, b->csr.col, nnz * sizeof *a->csr.col)) abort();
    if (nnz && memcmp(a->csr.val, b->csr.val, nnz * sizeof *a->csr.val)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > BYTES_MAX) return -1;
    threads_set(1);
    for (int lenient = 0; lenient < 2; lenient++) {
        struct matrix a, b;
        struct error first = {0}, second = {0};
        enum status in_place = read_in_place(data, size, lenient, &a, &first);
        enum status streamed = read_streamed(data, size, lenient, &b, &second);
        if (!in_place && !streamed) compare(&a, &b);
        if (in_place != streamed && !may_differ(&first) && !may_differ(&second)) abort();
        if (in_place && streamed && !may_differ(&first) && !may_differ(&second) &&
            (first.line != second.line || first.column != second.column ||
             strcmp(first.message, second.message)))
            abort();
        matrix_free(&a);
        matrix_free(&b);
    }
    return 0;
}
