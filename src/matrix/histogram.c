#include "matrix/histogram.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "matrix/nonempty.h"

/* Lengths below SHORT are counted in an array with an element for each. The others are listed and sorted. At
 * most nnz / SHORT lines are that long, so that neither many short lines nor a few enormous ones take much
 * memory. */
#define SHORT 4096
#define BLOCK_LINES 65536

static int64_t line_blocks(const struct lines *from)
{
    return from->count / BLOCK_LINES + (from->count % BLOCK_LINES != 0);
}

/* Return the first line of i .. end-1 that may have entries, or `end`. */
static int64_t next_line(const struct lines *from, int64_t i, int64_t end)
{
    return from->offsets ? nonempty_from(from->offsets, i, end) : i;
}

/* counts[length] += 1 for each line of first .. end-1 that is shorter than SHORT. Returns the number of
 * others. */
static int64_t count_block(const struct lines *from, int64_t first, int64_t end, int64_t *counts)
{
    int64_t longer = 0, nonempty = 0;
    for (int64_t i = next_line(from, first, end); i < end; i = next_line(from, i + 1, end)) {
        int64_t length = lines_length(from, i);
        nonempty++;
        if (length < SHORT)
            counts[length]++;
        else
            longer++;
    }
    counts[0] += end - first - nonempty;
    return longer;
}

/* counts[length] becomes the number of lines of that length, length < SHORT. Returns the number of longer
 * lines. */
static int64_t count_short(const struct lines *from, struct progress *progress, int64_t *counts)
{
    int64_t longer = 0, blocks = line_blocks(from);
    memset(counts, 0, SHORT * sizeof *counts);
#pragma omp parallel for schedule(dynamic) reduction(+ : counts[:SHORT], longer) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_LINES, end = min(first + BLOCK_LINES, from->count);
        longer += count_block(from, first, end, counts);
        progress_add(progress, end - first);
    }
    return longer;
}

static void list_long(const struct lines *from, struct progress *progress, int64_t *list)
{
    _Atomic int64_t next = 0;
    int64_t blocks = line_blocks(from);
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        const int64_t end = min((b + 1) * BLOCK_LINES, from->count);
        for (int64_t i = next_line(from, b * BLOCK_LINES, end); i < end; i = next_line(from, i + 1, end)) {
            int64_t length = lines_length(from, i);
            if (length >= SHORT) list[atomic_fetch_add(&next, 1)] = length;
        }
    }
}

/* Write the histogram: the short lengths that occur, then those of the sorted list. Returns the number of
 * lengths; if bins is NULL, does nothing else. */
static int64_t merge_bins(const int64_t *counts, const int64_t *list, int64_t longer,
                          struct length_count *bins)
{
    int64_t n = 0;
    for (int64_t length = 0; length < SHORT; length++) {
        if (!counts[length]) continue;
        if (bins) bins[n] = (struct length_count){length, counts[length]};
        n++;
    }
    for (int64_t k = 0, next; k < longer; k = next) {
        for (next = k + 1; next < longer && list[next] == list[k];)
            next++;
        if (bins) bins[n] = (struct length_count){list[k], next - k};
        n++;
    }
    return n;
}

/* Long lengths are listed, and there are as many bins as different lengths. */
size_t histogram_bytes(const struct lines *lines, int64_t nnz)
{
    int64_t longer = min(nnz / SHORT, lines->count), bins = min(SHORT + longer, lines->count + 1);
    return (size_t)longer * sizeof(int64_t) + (size_t)bins * sizeof(struct length_count);
}

enum status histogram_of(const struct lines *lines, struct progress *progress,
                         struct length_count **histogram, int64_t *bins, struct error *error)
{
    int64_t counts[SHORT];
    int64_t longer = count_short(lines, progress, counts);
    counts[0] += lines->empty;
    progress_add(progress, lines->empty);
    *histogram = NULL;
    *bins = 0;
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    int64_t *list = memory_array((size_t)longer, sizeof *list, error);
    if (!list) return STATUS_MEMORY;
    if (longer) {
        list_long(lines, progress, list);
        status = progress_status(progress, error);
        if (status != STATUS_OK) goto out;
        qsort(list, (size_t)longer, sizeof *list, compare_integers);
    }
    *bins = merge_bins(counts, list, longer, NULL);
    *histogram = memory_array((size_t)*bins, sizeof **histogram, error);
    if (*histogram)
        merge_bins(counts, list, longer, *histogram);
    else
        status = STATUS_MEMORY;
out:
    free(list);
    return status;
}
