#include "formats/sorted.h"

#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

/* A window of at most BLOCK_ROWS rows is sorted by one thread. A larger one is cut into blocks of about this
 * number of rows, which threads share. */
#define BLOCK_ROWS 65536
#define BLOCKS_MAX 1024

/* A window to be sorted: rows first .. first+n-1. The key of a row is longest - length, which ascends while
 * lengths descend.
 *
 * This is a radix sort from the lowest digit to the highest. A pass reads the rows in the order of the pass
 * before it and puts them in the order of one more digit; rows with the same digit stay in order. It is a
 * counting sort in three steps. First each block counts its rows with each digit. Then the counts become the
 * positions at which the blocks' rows go, digit by digit, and for each digit block by block:
 *
 *              digit 0            digit 1            digit 2
 *         | block 0 | block 1 | block 0 | block 1 | block 0 | block 1 |
 *
 * Then each block puts its rows from these positions on. Blocks of one digit are in the order of the rows, so
 * that the result does not depend on the assignment of blocks to threads. */
struct window {
    const struct csr *a;
    struct progress *progress;
    int64_t first, n, blocks;
    int64_t longest, shortest;
    int32_t *order, *scratch; /* n each */
    uint32_t *counts; /* counts[b * DIGITS + digit], first of the rows of block b with that digit, and then
                         the position of the next of them */
};

/* A pass over all rows of a window, by one digit of the key. */
struct pass {
    const int32_t *from; /* the rows in the order of the pass before; NULL in the first pass, which reads them
                            by index */
    int32_t *to;
    int shift, bits; /* the digit is (key >> shift) mod 2^bits */
    int passes;      /* the number of passes of this window */
};

static inline int64_t block_first(const struct window *w, int64_t b)
{
    return w->n / w->blocks * b + min(b, w->n % w->blocks);
}

static inline int32_t row_at(const struct window *w, const struct pass *pass, int64_t t)
{
    return pass->from ? pass->from[t] : (int32_t)(w->first + t);
}

static inline int64_t digit_of(const struct window *w, const struct pass *pass, int32_t row)
{
    return (w->longest - row_length(w->a, row)) >> pass->shift & (((int64_t)1 << pass->bits) - 1);
}

static void count_digits(const struct window *w, const struct pass *pass, int64_t b)
{
    uint32_t *counts = w->counts + b * DIGITS;
    memset(counts, 0, ((size_t)1 << pass->bits) * sizeof *counts);
    for (int64_t t = block_first(w, b); t < block_first(w, b + 1); t++)
        counts[digit_of(w, pass, row_at(w, pass, t))]++;
}

/* Turn the counts into positions: that of block b and a digit becomes the number of rows with a smaller
 * digit, and of rows with the same digit in blocks before b. */
static void add_up_digits(const struct window *w, const struct pass *pass)
{
    uint32_t next = 0;
    for (int64_t digit = 0; digit < (int64_t)1 << pass->bits; digit++)
        for (int64_t b = 0; b < w->blocks; b++) {
            uint32_t *count = &w->counts[b * DIGITS + digit], n = *count;
            *count = next;
            next += n;
        }
}

static void place_rows(const struct window *w, const struct pass *pass, int64_t b)
{
    uint32_t *next = w->counts + b * DIGITS;
    for (int64_t t = block_first(w, b); t < block_first(w, b + 1); t++) {
        int32_t row = row_at(w, pass, t);
        pass->to[next[digit_of(w, pass, row)]++] = row;
    }
}

/* A window of one block needs no region: there may be very many, and a region takes longer than their rows.
 */
static void sort_by_digit(const struct window *w, const struct pass *pass)
{
    if (w->blocks == 1) {
        count_digits(w, pass, 0);
        add_up_digits(w, pass);
        place_rows(w, pass, 0);
        progress_add(w->progress, w->n / pass->passes);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t b = 0; b < w->blocks; b++)
        if (!progress_cancelled(w->progress)) count_digits(w, pass, b);
    if (progress_cancelled(w->progress)) return;
    add_up_digits(w, pass);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t b = 0; b < w->blocks; b++) {
        if (progress_cancelled(w->progress)) continue;
        place_rows(w, pass, b);
        progress_add(w->progress, (block_first(w, b + 1) - block_first(w, b)) / pass->passes);
    }
}

static void extremes_of(const struct window *w, int64_t b, int64_t *longest, int64_t *shortest)
{
    for (int64_t t = block_first(w, b); t < block_first(w, b + 1); t++) {
        int64_t length = row_length(w->a, w->first + t);
        if (length > *longest) *longest = length;
        if (length < *shortest) *shortest = length;
    }
}

static void find_extremes(struct window *w)
{
    int64_t longest = 0, shortest = INT64_MAX;
    if (w->blocks == 1) {
        extremes_of(w, 0, &longest, &shortest);
        w->longest = longest;
        w->shortest = shortest;
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) reduction(max : longest) reduction(min : shortest)
    for (int64_t b = 0; b < w->blocks; b++) {
        if (!progress_cancelled(w->progress)) extremes_of(w, b, &longest, &shortest);
    }
    w->longest = longest;
    w->shortest = shortest;
}

/* Keys range from 0 to longest - shortest, and have the bits of this range. The bits are divided evenly among
 * as few passes as possible. `order` and `scratch` alternate as targets. */
static void sort_window(struct window *w)
{
    int bits = 0;
    find_extremes(w);
    while (bits < 32 && (w->longest - w->shortest) >> bits)
        bits++;
    int passes = bits > 0 ? (bits + DIGIT_BITS - 1) / DIGIT_BITS : 1;
    struct pass pass = {.bits = (bits + passes - 1) / passes, .passes = passes};
    for (int p = 0; p < passes; p++) {
        pass.to = (passes - p) % 2 ? w->order : w->scratch; /* the last pass, p = passes - 1, writes order */
        sort_by_digit(w, &pass);
        if (progress_cancelled(w->progress)) return;
        pass.from = pass.to;
        pass.shift += pass.bits;
    }
}

/* Rows without entries stay in order. Returns false if the window has an entry, and does nothing then. */
static bool pass_empty(const struct window *w)
{
    if (w->a->row_ptr[w->first] != w->a->row_ptr[w->first + w->n]) return false;
    for (int64_t t = 0; t < w->n; t++)
        w->order[t] = (int32_t)(w->first + t);
    progress_add(w->progress, w->n);
    return true;
}

/* Sort windows of `size` rows, each by one thread. A thread takes several small ones at a time. */
static void sort_small(const struct window *all, int64_t size)
{
    int64_t windows = (all->n + size - 1) / size, group = 1 + BLOCK_ROWS / size;
#pragma omp parallel for schedule(dynamic, 1) if (all->n > BLOCK_ROWS)
    for (int64_t g = 0; g < (windows + group - 1) / group; g++) {
        uint32_t counts[DIGITS];
        for (int64_t k = g * group; k < min((g + 1) * group, windows); k++) {
            if (progress_cancelled(all->progress)) break;
            struct window w = *all;
            w.first = k * size;
            w.n = min(size, all->n - w.first);
            w.blocks = 1;
            w.order += w.first;
            if (pass_empty(&w)) continue;
            w.scratch += w.first;
            w.counts = counts;
            sort_window(&w);
        }
    }
}

static int64_t blocks_of_window(int64_t size)
{
    return min(1 + size / BLOCK_ROWS, BLOCKS_MAX);
}

/* Sort windows of `size` rows one after the other, each by all threads. */
static enum status sort_large(const struct window *all, int64_t size, struct error *error)
{
    int64_t blocks = blocks_of_window(size);
    uint32_t *counts = memory_array((size_t)blocks * DIGITS, sizeof *counts, error);
    if (!counts) return STATUS_MEMORY;
    for (int64_t first = 0; first < all->n && !progress_cancelled(all->progress); first += size) {
        struct window w = *all;
        w.first = first;
        w.n = min(size, all->n - first);
        w.blocks = blocks;
        w.order += first;
        if (pass_empty(&w)) continue;
        w.scratch += first;
        w.counts = counts;
        sort_window(&w);
    }
    free(counts);
    return STATUS_OK;
}

size_t sort_rows_bytes(const struct csr *a, int64_t window)
{
    size_t scratch = (size_t)a->rows * sizeof(int32_t);
    window = min(window, a->rows);
    if (window <= BLOCK_ROWS) return scratch;
    return scratch + (size_t)blocks_of_window(window) * DIGITS * sizeof(uint32_t);
}

enum status sort_rows(const struct csr *a, int64_t window, struct progress *progress, int32_t *order,
                      struct error *error)
{
    struct window all = {.a = a, .progress = progress, .n = a->rows, .order = order};
    enum status status = STATUS_OK;
    if (window > a->rows) window = a->rows;
    if (window == 0) return STATUS_OK;
    progress_phase(progress, "sorting rows", a->rows);
    all.scratch = memory_array((size_t)a->rows, sizeof *all.scratch, error);
    if (!all.scratch) return STATUS_MEMORY;
    if (window <= BLOCK_ROWS)
        sort_small(&all, window);
    else
        status = sort_large(&all, window, error);
    free(all.scratch);
    return status == STATUS_OK ? progress_status(progress, error) : status;
}

/* Most rows are shorter than SHORT. Each thread has its own counts for these, so that threads do not wait for
 * each other; the longer rows are counted in `counts` by all threads. */
#define SHORT 1024

void count_lengths(const struct csr *a, int64_t longest, struct progress *progress, uint32_t *counts)
{
    uint32_t brief[SHORT] = {0};
    int64_t blocks = 1 + a->rows / BLOCK_ROWS;
    memset(counts, 0, ((size_t)longest + 1) * sizeof *counts);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : brief[:SHORT]) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        const int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        brief[0] += (uint32_t)(end - first);
        for (int64_t i = nonempty_from(a->row_ptr, first, end); i < end;
             i = nonempty_from(a->row_ptr, i + 1, end)) {
            brief[0]--;
            int64_t length = row_length(a, i);
            if (length < SHORT)
                brief[length]++;
            else
                __atomic_fetch_add(&counts[length], 1, __ATOMIC_RELAXED);
        }
    }
    memcpy(counts, brief, (size_t)min(longest + 1, SHORT) * sizeof *counts);
}

int64_t sorted_position(const struct csr *a, const int32_t *order, int64_t first, int64_t end, int64_t i)
{
    int64_t length = row_length(a, i);
    while (first < end) {
        int64_t middle = first + (end - first) / 2, row = order[middle], other = row_length(a, row);
        if (other > length || (other == length && row < i))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Return the end of the run of rows of equal length that begins at sorted position r. */
static int64_t run_end(const struct storage *storage, int64_t r, int64_t end,
                       int64_t (*length)(const struct storage *storage, int64_t r))
{
    int64_t this = length(storage, r), low = r + 1;
    while (low < end) {
        int64_t middle = low + (end - low) / 2;
        if (length(storage, middle) == this)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

int64_t sorted_search(const struct storage *storage, const int32_t *order, int64_t first, int64_t end,
                      int64_t i, int64_t (*length)(const struct storage *storage, int64_t r))
{
    for (int64_t next; first < end; first = next) {
        int64_t low = first, high = next = run_end(storage, first, end, length);
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (order[middle] < i)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < next && order[low] == i) return low;
    }
    return -1;
}

int64_t padded_length(const struct storage *storage, int64_t slot, int64_t stride, int64_t wide)
{
    int64_t low = 0, high = wide;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (storage_padding(storage, 0, slot + middle * stride))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
