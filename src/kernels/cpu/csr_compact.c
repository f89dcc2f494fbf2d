#include "kernels/cpu/csr_compact.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr.h"
#include "kernels/cpu/transposed.h"

/* Rows of a chunk. Stretches are found within each chunk separately, so that they do not depend on the number
 * of threads. */
#define CHUNK_ROWS 4096

/* Maximum entries of a stretch of diagonals, so that threads can share it. */
#define SHIFTED_ENTRIES 8192

/* The largest 16-bit difference from the lowest column. */
#define NARROW_SPAN 65535

/* The matrix and its encoding. */
struct compacting {
    const struct array *row_ptr;
    const int32_t *col;
    int64_t rows;
    int64_t line;              /* rows of a line of y, 64 bytes: SHIFTED stretches are a multiple of this */
    struct compact *compact;   /* the output for stretches; NULL while they are only counted */
    int64_t *stretches_before; /* of each chunk: number of stretches, */
    int64_t *narrows_before;   /* and the number of narrow columns of the chunks before it */
};

/* The encoding of one chunk so far. The last stretch may still grow. */
struct chunk {
    struct compact_counts counts;             /* without the last stretch */
    int64_t stretches_before, narrows_before; /* of the chunks before this one */
    struct compact_stretch last;
    int64_t last_end;  /* the row after the last stretch; the first row of the chunk without one */
    int32_t low, high; /* the columns that the last stretch spans */
};

static int64_t offset(const struct compacting *compacting, int64_t i)
{
    return array_integer(compacting->row_ptr, i);
}

/* Return true if row i has an entry, as many as row i - 1, and each one column further right. */
static bool is_shifted(const struct compacting *compacting, int64_t i)
{
    int64_t above = offset(compacting, i - 1), from = offset(compacting, i);
    int64_t length = offset(compacting, i + 1) - from;
    if (length == 0 || from - above != length) return false;
    for (int64_t k = 0; k < length; k++)
        if (compacting->col[from + k] != compacting->col[above + k] + 1) return false;
    return true;
}

/* Write the columns of a NARROW stretch, followed by zeros. */
static void put_narrow(const struct compacting *compacting, const struct compact_stretch *stretch,
                       int64_t entries, int64_t padded)
{
    uint16_t *to = compacting->compact->narrow + stretch->narrow;
    for (int64_t k = 0; k < entries; k++)
        to[k] = (uint16_t)(compacting->col[stretch->entry + k] - stretch->base);
    memset(to + entries, 0, (size_t)(padded - entries) * sizeof *to);
}

/* Count the last stretch, if there is one, and write it unless stretches are only counted. */
static void close_last(const struct compacting *compacting, struct chunk *chunk)
{
    struct compact_stretch *last = &chunk->last;
    struct compact_counts *counts = &chunk->counts;
    const int64_t rows = chunk->last_end - last->row, end = offset(compacting, chunk->last_end),
                  entries = end - last->entry;
    const int64_t padded =
        last->kind == COMPACT_NARROW ? (entries + COMPACT_PAD - 1) / COMPACT_PAD * COMPACT_PAD : 0;
    if (rows == 0) return;
    last->narrow = chunk->narrows_before + counts->narrows;
    if (compacting->compact) {
        compacting->compact->stretch[chunk->stretches_before + counts->stretches] = *last;
        if (last->kind == COMPACT_NARROW) put_narrow(compacting, last, entries, padded);
    }
    counts->stretches++;
    counts->narrows += padded;
    if (last->kind == COMPACT_SHIFTED) {
        counts->full_columns += entries / rows;
        counts->row_ends++;
        counts->shifted_rows += rows;
        counts->shifted_entries += entries;
    } else {
        counts->full_columns += last->kind == COMPACT_FULL ? entries : 0;
        counts->row_ends += rows;
    }
    *last = (struct compact_stretch){.row = chunk->last_end, .entry = end};
}

/* Put rows i .. end-1, which lie on diagonals, into one or several stretches. */
static void add_shifted(const struct compacting *compacting, struct chunk *chunk, int64_t i, int64_t end)
{
    int64_t length = offset(compacting, i + 1) - offset(compacting, i);
    int64_t rows = max(SHIFTED_ENTRIES / length / compacting->line, 1) * compacting->line;
    close_last(compacting, chunk);
    for (; i < end; i = chunk->last_end) {
        chunk->last.kind = COMPACT_SHIFTED;
        chunk->last_end = min(i + rows, end);
        close_last(compacting, chunk);
    }
}

/* Put rows i .. end-1 into the last stretch if it can take them, else into a new one. */
static void add_rows(const struct compacting *compacting, struct chunk *chunk, int64_t i, int64_t end)
{
    const int32_t *col = compacting->col;
    int32_t low = INT32_MAX, high = 0;
    for (int64_t k = offset(compacting, i); k < offset(compacting, end); k++) {
        low = min(low, col[k]);
        high = max(high, col[k]);
    }
    if (low > high) low = high = 0;
    enum compact_kind kind = high - low > NARROW_SPAN ? COMPACT_FULL : COMPACT_NARROW;
    bool grows = chunk->last_end > chunk->last.row && chunk->last.kind == kind &&
                 offset(compacting, end) - chunk->last.entry <= COMPACT_ENTRIES;
    if (grows && kind == COMPACT_NARROW)
        grows = (int64_t)max(high, chunk->high) - min(low, chunk->low) <= NARROW_SPAN;
    if (!grows) {
        close_last(compacting, chunk);
        chunk->low = low;
        chunk->high = high;
    }
    chunk->low = min(low, chunk->low);
    chunk->high = max(high, chunk->high);
    chunk->last.kind = kind;
    chunk->last.base = kind == COMPACT_NARROW ? chunk->low : 0;
    chunk->last_end = end;
}

/* Divide the rows of a chunk into stretches. If at least a cache line of rows lies on diagonals, whole lines
 * become SHIFTED stretches. The rows between are added line by line to stretches, up to the maximum of
 * entries. */
static void compact_chunk(const struct compacting *compacting, int64_t number, struct chunk *chunk)
{
    int64_t i = number * CHUNK_ROWS, stop = min(i + CHUNK_ROWS, compacting->rows);
    int16_t run[CHUNK_ROWS + 1]; /* number of rows from this one on with the same diagonals */
    const int64_t first = i, line = compacting->line;
    run[stop - first] = 0;
    for (int64_t r = stop - 1; r >= first; r--)
        run[r - first] =
            (int16_t)(r + 1 < stop && is_shifted(compacting, r + 1) ? run[r + 1 - first] + 1 : 1);
    chunk->last = (struct compact_stretch){.row = i, .entry = offset(compacting, i)};
    chunk->last_end = i;
    while (i < stop) {
        int64_t end = i;
        if (run[i - first] >= line && offset(compacting, i + 1) > offset(compacting, i)) {
            end = i + run[i - first] / line * line;
            add_shifted(compacting, chunk, i, end);
        } else {
            do
                end++;
            while (end < stop && end < i + line && run[end - first] < line &&
                   offset(compacting, end) - offset(compacting, i) <= COMPACT_ENTRIES);
            add_rows(compacting, chunk, i, end);
        }
        i = end;
    }
    close_last(compacting, chunk);
}

static int64_t chunks_of(const struct compacting *compacting)
{
    return (compacting->rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
}

/* Encode all chunks, and return the counts. */
static struct compact_counts compact_chunks(const struct compacting *compacting)
{
    int64_t stretches = 0, narrows = 0, full_columns = 0, row_ends = 0, shifted_rows = 0, shifted_entries = 0;
#pragma omp parallel for schedule(dynamic, 4) if (compacting->rows > PARALLEL_MIN) \
    reduction(+ : stretches, narrows, full_columns, row_ends, shifted_rows, shifted_entries)
    for (int64_t c = 0; c < chunks_of(compacting); c++) {
        struct chunk chunk = {.last_end = 0};
        if (compacting->compact) {
            chunk.stretches_before = compacting->stretches_before[c];
            chunk.narrows_before = compacting->narrows_before[c];
        }
        compact_chunk(compacting, c, &chunk);
        if (!compacting->compact && compacting->stretches_before) {
            compacting->stretches_before[c] = chunk.counts.stretches;
            compacting->narrows_before[c] = chunk.counts.narrows;
        }
        stretches += chunk.counts.stretches;
        narrows += chunk.counts.narrows;
        full_columns += chunk.counts.full_columns;
        row_ends += chunk.counts.row_ends;
        shifted_rows += chunk.counts.shifted_rows;
        shifted_entries += chunk.counts.shifted_entries;
    }
    return (struct compact_counts){stretches, narrows, full_columns, row_ends, shifted_rows, shifted_entries};
}

/* Rows that fill a cache line of y. */
static int64_t line_of(size_t size)
{
    return 64 / (int64_t)size;
}

struct compact_counts compact_count(const struct array *row_ptr, const int32_t *col, int64_t rows,
                                    size_t size)
{
    const struct compacting compacting = {
        .row_ptr = row_ptr, .col = col, .rows = rows, .line = line_of(size)};
    return compact_chunks(&compacting);
}

size_t compact_bytes(const struct compact_counts *counts, size_t offset)
{
    return (size_t)counts->stretches * sizeof(struct compact_stretch) +
           (size_t)counts->narrows * sizeof(uint16_t) + (size_t)counts->full_columns * sizeof(int32_t) +
           (size_t)(counts->row_ends + 1) * offset;
}

size_t compact_aside(const struct compact_counts *counts)
{
    return (size_t)(counts->stretches + 1) * sizeof(struct compact_stretch) +
           (size_t)counts->narrows * sizeof(uint16_t);
}

static int64_t entries_before(const void *of, int64_t s)
{
    const struct compact *compact = of;
    return compact->stretch[s].entry;
}

/* Allocate the counted sizes, and encode. */
static enum status fill(struct compacting *compacting, struct compact *compact, const struct launch *launch,
                        struct error *error)
{
    const struct compact_counts *counts = &compact->counts;
    threads_offsets(compacting->stretches_before, chunks_of(compacting));
    threads_offsets(compacting->narrows_before, chunks_of(compacting));
    size_t bytes = (size_t)counts->stretches * sizeof *compact->stretch +
                   (size_t)counts->narrows * sizeof *compact->narrow;
    enum status status = memory_check(bytes, launch->limit, "columns of 16 bits", error);
    if (status != STATUS_OK) return status;
    compact->narrow = memory_array((size_t)counts->narrows + 1, sizeof *compact->narrow, error);
    if (!compact->narrow) return STATUS_MEMORY;
    compact->stretch = memory_array((size_t)counts->stretches + 1, sizeof *compact->stretch, error);
    if (!compact->stretch) return STATUS_MEMORY;
    compacting->compact = compact;
    compact_chunks(compacting);
    compact->stretch[counts->stretches] =
        (struct compact_stretch){.row = launch->storage->rows, .entry = launch->storage->nnz};
    return STATUS_OK;
}

static enum status divide_stretches(const struct launch *launch, struct error *error)
{
    struct compact *compact = launch->state;
    struct division *division =
        division_new(launch, compact->counts.stretches, entries_before, compact, error);
    if (!division) return STATUS_MEMORY;
    memcpy(compact->bound, division->bound, ((size_t)launch->threads + 1) * sizeof compact->bound[0]);
    free(division);
    return STATUS_OK;
}

static enum status prepare_plain(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    struct compact *compact =
        memory_zeroed(sizeof *compact + ((size_t)launch->threads + 1) * sizeof compact->bound[0], 1, error);
    launch->state = compact;
    if (!compact) return STATUS_MEMORY;
    compact->loops = loops_for(storage->precision);
    compact->scattered = csr_is_scattered(storage);
    struct compacting compacting = {
        .row_ptr = &storage->array[CSR_ROW_PTR],
        .col = storage->array[CSR_COL].data,
        .rows = storage->rows,
        .line = line_of(element_size(storage->array[CSR_VAL].element)),
    };
    const size_t chunks = (size_t)chunks_of(&compacting);
    compacting.stretches_before = memory_zeroed(chunks + 1, sizeof(int64_t), error);
    compacting.narrows_before = memory_zeroed(chunks + 1, sizeof(int64_t), error);
    enum status status = compacting.stretches_before && compacting.narrows_before ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) compact->counts = compact_chunks(&compacting);
    if (status == STATUS_OK) status = fill(&compacting, compact, launch, error);
    if (status == STATUS_OK) status = divide_stretches(launch, error);
    free(compacting.stretches_before);
    free(compacting.narrows_before);
    return status;
}

static void release_plain(struct launch *launch)
{
    struct compact *compact = launch->state;
    if (!compact) return;
    free(compact->stretch);
    free(compact->narrow);
    free(compact);
    launch->state = NULL;
}

static void run_plain(const struct launch *launch)
{
    const struct compact *compact = launch->state;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        compact->loops->csr_compact(launch, compact->bound[t], compact->bound[t + 1]);
}

static void traffic_plain(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const struct compact *compact = launch->state;
    const struct array *row_ptr = &storage->array[CSR_ROW_PTR], *val = &storage->array[CSR_VAL];
    traffic->array_bytes = (size_t)storage->nnz * element_size(val->element);
    traffic->own_bytes = compact_bytes(&compact->counts, element_size(row_ptr->element));
}

/* The transposed matrix is stored, with its columns encoded in the same way. */

static enum status prepare(struct launch *launch, struct error *error)
{
    return transposed_prepare(launch, prepare_plain, error);
}

static void release(struct launch *launch)
{
    transposed_release(launch, release_plain);
}

static void run(const struct launch *launch)
{
    transposed_run(launch, run_plain);
}

static void traffic(const struct launch *launch, struct traffic *of)
{
    transposed_traffic(launch, of, traffic_plain);
}

const struct kernel kernel_cpu_csr_compact = {
    .name = "csr-compact",
    .backend = &backend_cpu,
    .format = &format_csr,
    .summary = "columns of 16 bits, or none for rows on diagonals, whose x is read in sequence",
    .source = "after CSR-DU: Kourtis, Goumas and Koziris, \"Optimizing sparse matrix-vector "
              "multiplication using index and value compression\", Computing Frontiers 2008; diagonals "
              "after CSX: Kourtis, Karakasis, Goumas and Koziris, \"CSX: an extended compression "
              "format for SpMV on shared memory systems\", PPoPP 2011",
    .wins = "It suits grids, stencils and bands larger than the caches: it leaves out most of the bytes that "
            "other kernels read for columns. A conversion makes its own columns.",
    .parameters = no_parameters,
    .real_only = "its short columns save too little beside complex values to be faster than csr-omp",
    .transposes = true,
    .prepare_cost = 20,
    .prepare = prepare,
    .run = run,
    .release = release,
    .traffic = traffic,
    .host = {.work = HOST_COMPACT, .rest = &kernel_cpu_csr_omp, .streams_y = csr_streams_y},
    .stores_transposed = transposed_always,
};
