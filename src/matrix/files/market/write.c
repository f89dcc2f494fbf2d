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
#include "matrix/files/rows_file.h"
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
    int64_t first_row; /* row 0 of `a`, of the whole matrix */
};

/* Return true if entry (i, j) is written: of symmetric kinds the lower triangle, of skew-symmetric ones
 * without the diagonal. */
static bool is_written(enum symmetry symmetry, int64_t i, int64_t j)
{
    return symmetry == SYMMETRY_GENERAL || j < i || (j == i && symmetry != SYMMETRY_SKEW);
}

static int64_t count_written(const struct csr *a, int64_t first_row, enum symmetry symmetry)
{
    int64_t count = 0;
    if (symmetry == SYMMETRY_GENERAL) return csr_nnz(a);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += is_written(symmetry, first_row + i, a->col[k]);
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

/* Write entries from .. to-1 into buffer, which has room for BLOCK_ENTRIES. Returns their bytes. */
static size_t format_block(const struct writing *w, int64_t from, int64_t to, char *buffer)
{
    char *out = buffer;
    int64_t i = csr_row_of(w->a, from);
    for (int64_t k = from; k < to; k++) {
        while (k >= w->a->row_ptr[i + 1])
            i++;
        const int64_t row = w->first_row + i;
        if (is_written(w->symmetry, row, w->a->col[k])) out = format_entry(out, w, row, k);
    }
    return (size_t)(out - buffer);
}

static int64_t blocks_of(const struct csr *a)
{
    const int64_t nnz = csr_nnz(a);
    return nnz / BLOCK_ENTRIES + (nnz % BLOCK_ENTRIES != 0);
}

/* Format block b into buffer. Returns its bytes. */
static size_t format_numbered(const struct writing *w, int64_t b, char *buffer)
{
    const int64_t nnz = csr_nnz(w->a), from = b * BLOCK_ENTRIES;
    return format_block(w, from, nnz - from < BLOCK_ENTRIES ? nnz : from + BLOCK_ENTRIES, buffer);
}

/* Format blocks of entries by all threads, and write them in their order. Returns 0, or errno of the first
 * that could not be written. */
static int write_entries(const struct writing *w, char *buffers, size_t size)
{
    const int64_t nnz = csr_nnz(w->a), blocks = blocks_of(w->a);
    _Atomic int code = 0;
    struct turns turns;
    turns_start(&turns);
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (int64_t b = 0; b < blocks; b++) {
        char *buffer = buffers + (size_t)omp_get_thread_num() * size;
        bool goes_on = !atomic_load(&code) && !progress_cancelled(w->progress);
        size_t length = goes_on ? format_numbered(w, b, buffer) : 0;
        turns_wait(&turns, b);
        if (goes_on && !atomic_load(&code)) {
            errno = 0;
            if (fwrite(buffer, 1, length, w->file) != length) atomic_store(&code, errno ? errno : EIO);
            progress_add(w->progress, b + 1 < blocks ? BLOCK_ENTRIES : nnz - b * BLOCK_ENTRIES);
        }
        turns_pass(&turns);
    }
    turns_end(&turns);
    return code;
}

/* Write all that comes before the entries. */
static void write_head(FILE *file, enum field field, enum symmetry symmetry, const char *comment,
                       const int64_t sizes[MM_SIZES_MAX])
{
    MM_typecode matcode;
    market_typecode(true, field, symmetry, &matcode);
    mm_write_banner(file, matcode);
    write_comment(file, comment);
    mm_write_sizes(file, sizes, MM_SIZES_MAX);
}

enum status market_write(FILE *file, const struct csr *a, enum field field, enum symmetry symmetry,
                         const char *comment, struct progress *progress, struct error *error)
{
    const struct writing w = {
        .file = file, .a = a, .field = field, .symmetry = symmetry, .progress = progress};
    const int64_t sizes[] = {a->rows, a->cols, count_written(a, 0, symmetry)};
    const size_t size = (size_t)BLOCK_ENTRIES * ENTRY_BYTES;
    enum status status = decimal_start(error);
    if (status != STATUS_OK) return status;
    char *buffers = memory_array((size_t)threads_count(), size, error);
    if (!buffers) return STATUS_MEMORY;
    progress_phase(progress, "writing", csr_nnz(a));
    write_head(file, field, symmetry, comment, sizes);
    int code = write_entries(&w, buffers, size);
    free(buffers);
    if (code) return rows_file_failed(code, error);
    if (fflush(file) || ferror(file)) return rows_file_failed(errno, error);
    return progress_status(progress, error);
}

/* --- by several processes --- */

/* What a process needs to write its part. */
struct part {
    struct writing w;
    char *buffers;      /* one for each thread */
    int64_t *ends;      /* the end of each block in the file, after the sizes of all blocks */
    char *head;         /* of the first process */
    size_t head_length; /* the same; 0 on the others */
};

static enum status make_head(const struct rows_file *file, const int64_t sizes[MM_SIZES_MAX],
                             struct part *part, struct error *error)
{
    if (file->part != 0) return STATUS_OK;
    FILE *head = open_memstream(&part->head, &part->head_length);
    if (!head) return error_set(error, STATUS_MEMORY, "out of memory");
    write_head(head, part->w.field, part->w.symmetry, file->comment, sizes);
    const bool bad = ferror(head);
    return fclose(head) != 0 || bad ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

static enum status prepare(const struct rows_file *file, const int64_t sizes[MM_SIZES_MAX], struct part *part,
                           struct error *error)
{
    enum status status = decimal_start(error);
    if (status != STATUS_OK) return status;
    part->buffers = memory_array((size_t)threads_count(), (size_t)BLOCK_ENTRIES * ENTRY_BYTES, error);
    part->ends = memory_array((size_t)blocks_of(part->w.a), sizeof *part->ends, error);
    if (!part->buffers || !part->ends) return STATUS_MEMORY;
    return make_head(file, sizes, part, error);
}

/* Format all blocks, to know their sizes, or to write them if `file` is not NULL: text of all entries would
 * take more memory than the matrix. Returns 0 or errno. */
static int format_all(const struct part *part, const struct rows_file *file)
{
    const int64_t blocks = blocks_of(part->w.a);
    _Atomic int code = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t b = 0; b < blocks; b++) {
        char *buffer = part->buffers + (size_t)omp_get_thread_num() * BLOCK_ENTRIES * ENTRY_BYTES;
        if (atomic_load(&code)) continue;
        const size_t length = format_numbered(&part->w, b, buffer);
        if (!file) {
            part->ends[b] = (int64_t)length;
            continue;
        }
        const int failed = rows_file_put(file, part->ends[b] - (int64_t)length, buffer, length);
        if (failed) atomic_store(&code, failed);
    }
    return code;
}

/* Find the offsets of all blocks from their sizes, and write them. */
static enum status write_part(const struct rows_file *file, struct part *part, struct error *error)
{
    const int64_t blocks = blocks_of(part->w.a);
    int64_t own = 0;
    format_all(part, NULL);
    for (int64_t b = 0; b < blocks; b++)
        own = part->ends[b] += own;
    int64_t begin = file->sum(file->self, (int64_t)part->head_length);
    begin += file->preceding(file->self, own);
    for (int64_t b = 0; b < blocks; b++)
        part->ends[b] += begin;
    rows_file_claim(file, 0, (int64_t)part->head_length);
    rows_file_claim(file, begin, own);
    int code = rows_file_put(file, 0, part->head, part->head_length);
    if (!code) code = format_all(part, file);
    return code ? rows_file_failed(code, error) : STATUS_OK;
}

enum status market_write_rows(const struct rows_file *file, enum field field, enum symmetry symmetry,
                              struct error *error)
{
    const struct csr *a = &file->matrix->csr;
    struct part part = {.w = {.a = a, .field = field, .symmetry = symmetry, .first_row = file->first_row}};
    const int64_t sizes[] = {file->rows, file->cols,
                             file->sum(file->self, count_written(a, file->first_row, symmetry))};
    enum status status = file->agree(file->self, prepare(file, sizes, &part, error), error);
    if (status == STATUS_OK) status = file->agree(file->self, write_part(file, &part, error), error);
    free(part.buffers);
    free(part.ends);
    free(part.head);
    return status;
}
