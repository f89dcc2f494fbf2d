#include "matrix/files/market/market.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/turns.h"
#include "matrix/files/decimal.h"
#include "matrix/files/decimal_write.h"
#include "matrix/files/market/header.h"
#include "matrix/mmio/grammar.h"

/* A thread formats BLOCK_ENTRIES entries at a time. Each takes up to ENTRY_BYTES bytes: two indices, two
 * values, of which an integer may have 309 digits, and the separators. */
#define BLOCK_ENTRIES 4096
#define VALUE_BYTES 320
#define ENTRY_BYTES (2 * (11 + VALUE_BYTES + 1))

struct writing {
    FILE *file;
    const struct csr *a;
    enum field field;
    enum symmetry symmetry;
    struct progress *progress;
};

/* Return true if entry (i, j) is written: of symmetric kinds the lower triangle, of skew-symmetric ones
 * without the diagonal. */
static bool is_written(enum symmetry symmetry, int64_t i, int64_t j)
{
    return symmetry == SYMMETRY_GENERAL || j < i || (j == i && symmetry != SYMMETRY_SKEW);
}

static int64_t count_written(const struct csr *a, enum symmetry symmetry)
{
    int64_t count = 0;
    if (symmetry == SYMMETRY_GENERAL) return csr_nnz(a);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += is_written(symmetry, i, a->col[k]);
    return count;
}

static void write_comment(FILE *file, const char *comment)
{
    while (comment && *comment) {
        size_t length = strcspn(comment, "\n");
        fprintf(file, "%% %.*s\n", (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

static char *format_value(char *out, enum field field, double value)
{
    *out++ = ' ';
    if (field == FIELD_INTEGER && isfinite(value) && fabs(value) >= 1e15)
        return out + snprintf(out, VALUE_BYTES, "%.0f", value);
    return decimal_write(out, value);
}

static char *format_entry(char *out, const struct writing *w, int64_t i, int64_t k)
{
    out = decimal_write_integer(out, i + 1);
    *out++ = ' ';
    out = decimal_write_integer(out, (int64_t)w->a->col[k] + 1);
    if (w->field != FIELD_PATTERN) out = format_value(out, w->field, w->a->val[k]);
    if (w->field == FIELD_COMPLEX)
        out = format_value(out, w->field, w->a->imaginary ? w->a->imaginary[k] : 0);
    *out++ = '\n';
    return out;
}

/* Write entries from .. to-1 into buffer. Returns their bytes. */
static size_t format_block(const struct writing *w, int64_t from, int64_t to, char *buffer)
{
    char *out = buffer;
    int64_t i = csr_row_of(w->a, from);
    for (int64_t k = from; k < to; k++) {
        while (k >= w->a->row_ptr[i + 1])
            i++;
        if (is_written(w->symmetry, i, w->a->col[k])) out = format_entry(out, w, i, k);
    }
    return (size_t)(out - buffer);
}

/* Format blocks of entries by all threads, and write them in their order. Returns 0, or errno of the first
 * that could not be written. */
static int write_entries(const struct writing *w, char *buffers, size_t size)
{
    int64_t nnz = csr_nnz(w->a), blocks = nnz / BLOCK_ENTRIES + (nnz % BLOCK_ENTRIES != 0);
    _Atomic int code = 0;
    struct turns turns;
    turns_start(&turns);
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t from = b * BLOCK_ENTRIES, to = nnz - from < BLOCK_ENTRIES ? nnz : from + BLOCK_ENTRIES;
        char *buffer = buffers + (size_t)omp_get_thread_num() * size;
        bool goes_on = !atomic_load(&code) && !progress_cancelled(w->progress);
        size_t length = goes_on ? format_block(w, from, to, buffer) : 0;
        turns_wait(&turns, b);
        if (goes_on && !atomic_load(&code)) {
            errno = 0;
            if (fwrite(buffer, 1, length, w->file) != length) atomic_store(&code, errno ? errno : EIO);
            progress_add(w->progress, to - from);
        }
        turns_pass(&turns);
    }
    turns_end(&turns);
    return code;
}

static enum status write_failed(int code, struct error *error)
{
    return error_set(error, STATUS_IO, "the matrix cannot be written: %s", strerror(code));
}

enum status market_write(FILE *file, const struct csr *a, enum field field, enum symmetry symmetry,
                         const char *comment, struct progress *progress, struct error *error)
{
    const struct writing w = {file, a, field, symmetry, progress};
    const int64_t sizes[] = {a->rows, a->cols, count_written(a, symmetry)};
    MM_typecode matcode;
    const size_t size = (size_t)BLOCK_ENTRIES * ENTRY_BYTES;
    enum status status = decimal_start(error);
    if (status != STATUS_OK) return status;
    char *buffers = memory_array((size_t)threads_count(), size, error);
    if (!buffers) return STATUS_MEMORY;
    progress_phase(progress, "writing", csr_nnz(a));
    market_typecode(true, field, symmetry, &matcode);
    mm_write_banner(file, matcode);
    write_comment(file, comment);
    mm_write_sizes(file, sizes, MM_SIZES_MAX);
    int code = write_entries(&w, buffers, size);
    free(buffers);
    if (code) return write_failed(code, error);
    if (fflush(file) || ferror(file)) return write_failed(errno, error);
    return progress_status(progress, error);
}
