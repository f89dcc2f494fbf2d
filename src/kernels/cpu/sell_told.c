#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/sell.h"
#include "formats/sorted.h"
#include "kernels/cpu/sell_compact.h"
#include "kernels/told.h"

/* Maximum differences of 8 and of 16 bits. */
#define BYTE_SPAN 255
#define SHORT_SPAN 65535

/* Chunks have gaps only if the values of the storage have at most this many bytes: gaps need a second copy of
 * all values. */
#define GAPS_BYTES ((size_t)64 << 20)

/* A storage of SELL. */
struct telling {
    const struct array *chunk_ptr;
    const int32_t *col;
    const char *val; /* the values, or their indices */
    size_t size;     /* of an element of val */
    int64_t c, chunks, rows;
    bool gaps; /* chunks may have gaps */
};

/* Return whether chunks of a storage may have gaps: if its lines are 1, 2, 4 or 8 cache lines of values, for
 * which there are loops with vectors. */
static bool may_have_gaps(const struct storage *storage, bool by_bytes)
{
    const size_t size = element_size(storage->array[SELL_VAL].element),
                 line = (size_t)storage->values.number[SELL_C] * size;
    return (line == 64 || line == 128 || line == 256 || line == 512) &&
           (by_bytes || (size_t)storage->slots[0] * size <= GAPS_BYTES);
}

/* `unique` has the values of the storage by bytes, or is {0}. */
static struct telling telling_of(const struct storage *storage, const struct unique *unique)
{
    const bool by_bytes = unique->count > 0;
    return (struct telling){.chunk_ptr = &storage->array[SELL_CHUNK_PTR],
                            .col = storage->array[SELL_COL].data,
                            .val = by_bytes ? (const char *)unique->index : storage->array[SELL_VAL].data,
                            .size = by_bytes ? 1 : element_size(storage->array[SELL_VAL].element),
                            .c = (int64_t)storage->values.number[SELL_C],
                            .chunks = storage->number[SELL_CHUNKS],
                            .rows = storage->rows,
                            .gaps = may_have_gaps(storage, by_bytes)};
}

static int64_t chunk_begin(const struct telling *telling, int64_t i)
{
    return array_integer(telling->chunk_ptr, i);
}

/* A line of slots, or all lines of a chunk: the shortest differences that encode its columns relative to the
 * lowest, and whether columns are consecutive. */
struct line {
    int32_t base;
    enum sell_told told;
    bool in_order;
};

/* Analyse a line of c slots with these columns. */
static struct line line_of(const int32_t *col, int64_t c)
{
    int32_t low = col[0], high = col[0];
    struct line line = {.told = SELL_TOLD_WHOLE, .in_order = true};
    for (int64_t l = 1; l < c; l++) {
        low = min(low, col[l]);
        high = max(high, col[l]);
        line.in_order = line.in_order && col[l] == col[l - 1] + 1;
    }
    line.base = low;
    if (high - low <= SHORT_SPAN) line.told = high - low <= BYTE_SPAN ? SELL_TOLD_BYTE : SELL_TOLD_SHORT;
    return line;
}

/* The initial state of a chunk, to which lines are added. */
static const struct line no_lines = {.told = SELL_TOLD_BYTE, .in_order = true};

static void add_line(struct line *all, const int32_t *col, int64_t c)
{
    const struct line line = line_of(col, c);
    all->told = max(all->told, line.told);
    all->in_order = all->in_order && line.in_order;
}

/* The largest c of the format. */
#define ROWS_MAX 1024

/* The rows of a chunk: column t of row l is row[l][t * step]. Empty rows have the column of their padding. */
struct chunk {
    int64_t rows, lines, step;
    int64_t length[ROWS_MAX];
    const int32_t *row[ROWS_MAX];
};

/* Column t of row l, counted from that of row 0 on the same diagonal. */
static inline int64_t diagonal(const struct chunk *chunk, int64_t l, int64_t t)
{
    return chunk->row[l][t * chunk->step] - l;
}

/* The first row of full length of a chunk. If the lines of the chunk can be diagonals, they are those of this
 * row. A copy of the numbers, which the stores of its users cannot change, stays in registers. */
struct full_row {
    const int32_t *col; /* column t is col[t * step] */
    int64_t l, length, step, lines;
};

static struct full_row full_row(const struct chunk *chunk)
{
    int64_t l = 0;
    while (l < chunk->rows - 1 && chunk->length[l] < chunk->lines)
        l++;
    return (struct full_row){chunk->row[l], l, chunk->length[l], chunk->step, chunk->lines};
}

/* Return the first line, from `line` on, whose diagonal is `wanted`; full.lines if there is none. Line d is
 * the diagonal of entry d of the full row. */
static inline int64_t line_with(struct full_row full, int64_t line, int64_t wanted)
{
    while (line < full.length && full.col[line * full.step] - full.l < wanted)
        line++;
    return line < full.length && full.col[line * full.step] - full.l == wanted ? line : full.lines;
}

/* Return whether each line becomes one diagonal by gaps alone, without further lines. */
static bool takes_gaps(const struct chunk *chunk)
{
    const struct full_row full = full_row(chunk);
    for (int64_t l = 0; l < chunk->rows; l++)
        for (int64_t t = 0, line = 0; t < chunk->length[l]; t++, line++) {
            line = line_with(full, line, diagonal(chunk, l, t));
            if (line == chunk->lines) return false;
        }
    return true;
}

/* The rows of chunk i of a storage. Padding repeats the last column of its row. */
static void chunk_of(const struct telling *telling, int64_t i, struct chunk *chunk)
{
    const int64_t c = telling->c, begin = chunk_begin(telling, i);
    chunk->rows = min(c, telling->rows - i * c);
    chunk->lines = (chunk_begin(telling, i + 1) - begin) / c;
    chunk->step = c;
    for (int64_t l = 0; l < chunk->rows; l++) {
        const int32_t *col = telling->col + begin + l;
        int64_t length = chunk->lines;
        while (length > 1 && col[(length - 1) * c] == col[(length - 2) * c])
            length--;
        chunk->row[l] = col;
        chunk->length[l] = length;
    }
}

/* Return the encoding of a chunk with these lines. Consecutive lines among others share their encoding, and
 * may need longer differences. */
static enum sell_told told_of(const struct line *all, bool gaps, const struct chunk *chunk)
{
    if (all->in_order) return SELL_TOLD_IN_ORDER;
    return gaps && takes_gaps(chunk) ? SELL_TOLD_GAPS : all->told;
}

static enum sell_told chunk_told(const struct telling *telling, int64_t i)
{
    struct line all = no_lines;
    struct chunk chunk;
    for (int64_t e = chunk_begin(telling, i); e < chunk_begin(telling, i + 1); e += telling->c)
        add_line(&all, telling->col + e, telling->c);
    if (telling->gaps && !all.in_order) chunk_of(telling, i, &chunk);
    return told_of(&all, telling->gaps, &chunk);
}

/* The bytes of the differences of a chunk with this number of slots and this encoding. */
static int64_t told_bytes(int64_t slots, enum sell_told told)
{
    if (told == SELL_TOLD_BYTE) return (slots + 1) / 2 * 2;
    return told == SELL_TOLD_SHORT ? 2 * slots : 0;
}

/* Count all chunks. Unless `place` is NULL, place[i] becomes SELL_TOLD_STEP times the bytes of the
 * differences of chunk i, plus its encoding. */
static struct sell_told_counts count_chunks(const struct telling *telling, int64_t *place)
{
    int64_t chunks[SELL_TOLD_KINDS] = {0}, lines[SELL_TOLD_KINDS] = {0}, bytes = 0;
    struct sell_told_counts counts = {.distinct = 0};
#pragma omp parallel for schedule(static) if (telling->chunks * telling->c > PARALLEL_MIN) \
    reduction(+ : chunks[:SELL_TOLD_KINDS], lines[:SELL_TOLD_KINDS], bytes)
    for (int64_t i = 0; i < telling->chunks; i++) {
        enum sell_told told = chunk_told(telling, i);
        const int64_t slots = chunk_begin(telling, i + 1) - chunk_begin(telling, i);
        chunks[told]++;
        lines[told] += slots / telling->c;
        bytes += told_bytes(slots, told);
        if (place) place[i] = told_bytes(slots, told) * SELL_TOLD_STEP + told;
    }
    counts.bytes = bytes;
    for (int k = 0; k < SELL_TOLD_KINDS; k++) {
        counts.chunks[k] = chunks[k];
        counts.lines[k] = lines[k];
    }
    return counts;
}

struct sell_told_counts sell_told_count(const struct storage *storage)
{
    const struct telling telling = telling_of(storage, &(struct unique){0});
    return count_chunks(&telling, NULL);
}

/* rows of the windows in which a planned matrix is sampled, minimum */
#define WINDOW_ROWS 4096
/* and maximum rows of all windows, unless one window has more */
#define SAMPLE_ROWS 131072

/* Collect the columns of a line: entries d of c sorted rows, which are the n rows order[0] .. of `a`, padded
 * as in SELL. */
static void gather_line(const struct csr *a, const int32_t *order, int64_t n, int64_t d, int64_t c,
                        int32_t *col)
{
    for (int64_t l = 0; l < c; l++) {
        int64_t from = l < n ? a->row_ptr[order[l]] : 0, end = l < n ? a->row_ptr[order[l] + 1] : 0;
        col[l] = from == end ? 0 : a->col[min(from + d, end - 1)];
    }
}

/* The chunk of n rows order[0] .. of `a`. */
static void gather_chunk(const struct csr *a, const int32_t *order, int64_t n, struct chunk *chunk)
{
    static const int32_t padding = 0;
    chunk->rows = n;
    chunk->lines = 0;
    chunk->step = 1;
    for (int64_t l = 0; l < n; l++) {
        const int64_t from = a->row_ptr[order[l]], length = a->row_ptr[order[l] + 1] - from;
        chunk->lines = max(chunk->lines, length);
        chunk->row[l] = length ? a->col + from : &padding;
        chunk->length[l] = max(length, 1);
    }
}

/* Add the counts of the chunks of c rows that these rows form in this order. */
static void add_window(const struct csr *a, const int32_t *order, int64_t c, bool gaps,
                       struct sell_told_counts *counts)
{
    int32_t col[ROWS_MAX];
    struct chunk chunk;
    for (int64_t r = 0; r < a->rows; r += c) {
        const int64_t n = min(c, a->rows - r);
        struct line all = no_lines;
        gather_chunk(a, order + r, n, &chunk);
        for (int64_t d = 0; d < chunk.lines; d++) {
            gather_line(a, order + r, n, d, c, col);
            add_line(&all, col, c);
        }
        const enum sell_told told = told_of(&all, gaps, &chunk);
        counts->chunks[told]++;
        counts->lines[told] += chunk.lines;
        counts->bytes += told_bytes(chunk.lines * c, told);
    }
}

/* Scale the counts of a sample to all slots of the storage. */
static void scale(const struct storage *plan, int64_t c, struct sell_told_counts *counts)
{
    int64_t lines = 0;
    for (int k = 0; k < SELL_TOLD_KINDS; k++)
        lines += counts->lines[k];
    const double times = lines > 0 ? (double)plan->slots[0] / (double)(lines * c) : 0;
    for (int k = 0; k < SELL_TOLD_KINDS; k++) {
        counts->lines[k] = (int64_t)(times * (double)counts->lines[k]);
        counts->chunks[k] = (int64_t)(times * (double)counts->chunks[k]);
    }
    counts->bytes = (int64_t)(times * (double)counts->bytes);
}

/* Values of fewer bytes stay in the caches of a core, where indices gain nothing with vectors of 32 bytes. */
#define BY_BYTES_WORTH ((size_t)2 << 20)

/* Tables in memory are not used by default: with one thread they take 0.45 to 1.03 times as long as full
 * values, with 16 threads 0.98 to 1.46 times (data/measured/values-by-bytes-2026-11-30.txt). Plain loops gain
 * nothing. */
bool sell_few_pay(const struct storage *storage, int64_t distinct)
{
    const struct loops *loops = loops_for(storage->precision);
    const size_t size = element_size(storage->array[SELL_VAL].element),
                 line = (size_t)storage->values.number[SELL_C] * size, vector = (size_t)loops->vector;
    return distinct > 0 && distinct <= loops->few &&
           (line == vector || line == 2 * vector || line == 4 * vector || line == 8 * vector) &&
           (vector == 64 || (size_t)storage->slots[0] * size >= BY_BYTES_WORTH);
}

int64_t sell_planned_distinct(const struct kernel_choice *choice, const struct storage *plan,
                              const struct distinct_values *values)
{
    const double requested = choice->values.number[SELL_COMPACT_VALUES];
    const int64_t distinct = values->count + (storage_pads(plan) && !values->zero);
    if (plan->complex || requested == TOLD_FULL || values->count == 0 || !values->finite) return 0;
    if (distinct > UNIQUE_MAX || (isnan(requested) && !sell_few_pay(plan, distinct))) return 0;
    return distinct;
}

enum status sell_told_estimate(const struct storage *plan, const struct csr *a, int64_t distinct,
                               struct progress *progress, struct sell_told_counts *counts,
                               struct error *error)
{
    const int64_t c = (int64_t)plan->values.number[SELL_C], sigma = (int64_t)plan->values.number[SELL_SIGMA],
                  whole = common_multiple(sigma, c), rows = (WINDOW_ROWS + whole - 1) / whole * whole,
                  windows = (a->rows + rows - 1) / rows, step = max(1, windows / max(1, SAMPLE_ROWS / rows));
    enum status status = STATUS_OK;
    *counts = (struct sell_told_counts){.bytes = 0};
    int32_t *order = memory_array((size_t)min(rows, a->rows) + 1, sizeof *order, error);
    if (!order) return STATUS_MEMORY;
    for (int64_t w = 0; w < windows && status == STATUS_OK; w += step) {
        struct csr part = *a;
        part.row_ptr += w * rows;
        part.rows = min(rows, a->rows - w * rows);
        status = sort_rows(&part, sigma, progress, order, error);
        if (status == STATUS_OK) add_window(&part, order, c, may_have_gaps(plan, distinct > 0), counts);
    }
    free(order);
    scale(plan, c, counts);
    counts->distinct = distinct;
    return status;
}

static size_t all_lines(const struct sell_told_counts *counts)
{
    size_t lines = 0;
    for (int k = 0; k < SELL_TOLD_KINDS; k++)
        lines += (size_t)counts->lines[k];
    return lines;
}

/* The slots that have a bit each: all, if a chunk has gaps. */
static size_t slots_with_bits(const struct storage *storage, const struct sell_told_counts *counts)
{
    return counts->lines[SELL_TOLD_GAPS] > 0 ? all_lines(counts) * (size_t)storage->values.number[SELL_C] : 0;
}

/* The slots whose values, or their indices, are not those of SELL: all, if a chunk has gaps or values are
 * told by bytes. */
static size_t slots_again(const struct storage *storage, const struct sell_told_counts *counts)
{
    return counts->distinct > 0 ? all_lines(counts) * (size_t)storage->values.number[SELL_C]
                                : slots_with_bits(storage, counts);
}

static size_t value_bytes(const struct storage *storage)
{
    return element_size(storage->array[SELL_VAL].element);
}

/* The bytes of the values that are not those of SELL. */
static size_t bytes_again(const struct storage *storage, const struct sell_told_counts *counts)
{
    const size_t again = slots_again(storage, counts);
    return counts->distinct > 0 ? again + (size_t)counts->distinct * value_bytes(storage)
                                : again * value_bytes(storage);
}

size_t sell_compact_unread(const struct storage *storage, const struct sell_told_counts *counts)
{
    return slots_again(storage, counts) * value_bytes(storage);
}

size_t sell_compact_bytes(const struct storage *storage, const struct sell_told_counts *counts)
{
    const size_t c = (size_t)storage->values.number[SELL_C], whole = (size_t)counts->lines[SELL_TOLD_WHOLE],
                 lines = all_lines(counts), bits = (size_t)counts->lines[SELL_TOLD_GAPS] * c / 8;
    return storage_size(storage).bytes - sell_compact_unread(storage, counts) + bytes_again(storage, counts) -
           (lines - whole) * (c - 1) * sizeof(int32_t) + (size_t)counts->bytes + bits +
           (size_t)storage->number[SELL_CHUNKS] * sizeof(int64_t);
}

/* Copy an element of `size` bytes. Copies of a constant size need no call. */
static inline void copy_value(char *to, const char *from, size_t size)
{
    if (size == sizeof(double))
        memcpy(to, from, sizeof(double));
    else if (size == sizeof(float))
        memcpy(to, from, sizeof(float));
    else
        *to = *from;
}

/* Write the values or indices, and the bits, of row l of a chunk with gaps, whose first slot has val[0]. */
static void tell_row(const struct chunk *chunk, struct full_row full, int64_t l, const char *val, size_t size,
                     char *value, uint8_t *there)
{
    const int32_t *col = chunk->row[l];
    const int64_t length = chunk->length[l], c = chunk->step;
    for (int64_t t = 0, line = 0; t < length; t++, line++) {
        line = line_with(full, line, col[t * c] - l);
        const int64_t to = line * c + l;
        copy_value(value + to * (int64_t)size, val + (t * c + l) * (int64_t)size, size);
        there[to / 8] |= (uint8_t)(1 << to % 8);
    }
}

/* Write the bases, values or indices, and bits of chunk i, which has gaps. Returns the number of its gaps. */
static int64_t tell_gaps(const struct telling *telling, int64_t i, const struct sell_compact *compact)
{
    const int64_t c = telling->c, begin = chunk_begin(telling, i), size = (int64_t)telling->size;
    char *value = (char *)compact->gapped + begin * size;
    uint8_t *there = compact->there + begin / 8;
    struct chunk chunk;
    chunk_of(telling, i, &chunk);
    const struct full_row full = full_row(&chunk);
    int64_t gaps = chunk.lines * c;
    memset(value, 0, (size_t)(chunk.lines * c * size));
    memset(there, 0, (size_t)(chunk.lines * c / 8));
    for (int64_t d = 0; d < chunk.lines; d++)
        compact->base[begin / c + d] = (int32_t)diagonal(&chunk, full.l, d);
    for (int64_t l = 0; l < chunk.rows; l++) {
        tell_row(&chunk, full, l, telling->val + begin * size, telling->size, value, there);
        gaps -= chunk.length[l];
    }
    return gaps;
}

/* Write the bases and differences of chunk i. Returns the number of its gaps. */
static int64_t tell_chunk(const struct telling *telling, int64_t i, const struct sell_compact *compact)
{
    const enum sell_told told = (enum sell_told)(compact->place[i] % SELL_TOLD_STEP);
    const int64_t begin = chunk_begin(telling, i), end = chunk_begin(telling, i + 1), c = telling->c;
    if (told == SELL_TOLD_GAPS) return tell_gaps(telling, i, compact);
    uint8_t *byte = compact->difference + compact->place[i] / SELL_TOLD_STEP;
    uint16_t *two = (uint16_t *)(void *)byte;
    if (compact->gapped)
        memcpy((char *)compact->gapped + (size_t)begin * telling->size,
               telling->val + (size_t)begin * telling->size, (size_t)(end - begin) * telling->size);
    if (told == SELL_TOLD_BYTE && (end - begin) % 2) byte[end - begin] = 0;
    for (int64_t e = begin; e < end; e += c) {
        const int32_t base = compact->base[e / c] = line_of(telling->col + e, c).base;
        for (int64_t l = e; l < e + c && told == SELL_TOLD_BYTE; l++)
            *byte++ = (uint8_t)(telling->col[l] - base);
        for (int64_t l = e; l < e + c && told == SELL_TOLD_SHORT; l++)
            *two++ = (uint16_t)(telling->col[l] - base);
    }
    return 0;
}

/* Turn the bytes of each chunk into the offset of its first byte. */
static void place_chunks(int64_t *place, int64_t chunks)
{
    for (int64_t i = 0, at = 0; i < chunks; i++) {
        int64_t bytes = place[i] / SELL_TOLD_STEP;
        place[i] = at * SELL_TOLD_STEP + place[i] % SELL_TOLD_STEP;
        at += bytes;
    }
}

/* Allocate the arrays beside `place`. */
static enum status tell_room(const struct launch *launch, size_t lines, struct sell_compact *compact,
                             struct error *error)
{
    const struct sell_told_counts *counts = &compact->counts;
    const size_t bytes = sell_compact_aside(launch->storage, counts),
                 again = slots_with_bits(launch->storage, counts),
                 size = counts->distinct > 0 ? 1 : value_bytes(launch->storage);
    enum status status = memory_check(bytes, launch->limit, "columns in fewer bits", error);
    if (status != STATUS_OK) return status;
    compact->base = memory_array(lines + 1, sizeof *compact->base, error);
    if (!compact->base) return STATUS_MEMORY;
    compact->difference = memory_array((size_t)counts->bytes + 2, sizeof *compact->difference, error);
    if (!compact->difference) return STATUS_MEMORY;
    if (again == 0) return STATUS_OK;
    compact->gapped = memory_array(again, size, error);
    if (!compact->gapped) return STATUS_MEMORY;
    compact->there = memory_array(again / 8, sizeof *compact->there, error);
    return compact->there ? STATUS_OK : STATUS_MEMORY;
}

enum status sell_compact_tell(const struct launch *launch, struct sell_compact *compact, struct error *error)
{
    const struct telling telling = telling_of(launch->storage, &compact->unique);
    const size_t lines = (size_t)(chunk_begin(&telling, telling.chunks) / telling.c);
    compact->place = memory_array((size_t)telling.chunks + 1, sizeof *compact->place, error);
    if (!compact->place) return STATUS_MEMORY;
    compact->counts = count_chunks(&telling, compact->place);
    compact->counts.distinct = compact->unique.count;
    place_chunks(compact->place, telling.chunks);
    enum status status = tell_room(launch, lines, compact, error);
    if (status != STATUS_OK) return status;
    int64_t gaps = 0;
#pragma omp parallel for schedule(static) if (telling.chunks * telling.c > PARALLEL_MIN) reduction(+ : gaps)
    for (int64_t i = 0; i < telling.chunks; i++)
        gaps += tell_chunk(&telling, i, compact);
    compact->gaps = gaps;
    if (compact->unique.count > 0 && compact->gapped) {
        free(compact->unique.index);
        compact->unique.index = compact->gapped;
        compact->gapped = NULL;
    }
    return STATUS_OK;
}

size_t sell_compact_aside(const struct storage *storage, const struct sell_told_counts *counts)
{
    size_t bytes =
        (size_t)counts->bytes + bytes_again(storage, counts) + slots_with_bits(storage, counts) / 8;
    for (int k = 0; k < SELL_TOLD_KINDS; k++)
        bytes += (size_t)counts->chunks[k] * sizeof(int64_t) + (size_t)counts->lines[k] * sizeof(int32_t);
    return bytes;
}
