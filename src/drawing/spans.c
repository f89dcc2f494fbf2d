#include "drawing/spans.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

static bool is_coarse(const struct spans *spans)
{
    return spans->step > 1;
}

/* The lines of a block. */
static int64_t block_lines(const struct spans *spans)
{
    return is_coarse(spans) ? spans->step : SPANS_BLOCK;
}

static int64_t blocks_of(const struct spans *spans)
{
    int64_t each = block_lines(spans);
    return spans->lines / each + (spans->lines % each != 0);
}

size_t spans_bytes(int64_t lines)
{
    return (size_t)blocks_of(&(struct spans){.lines = lines}) * sizeof(int64_t);
}

/* The maximum of the lengths of lines from .. to-1. */
static int64_t longest_of(const struct spans *spans, int64_t from, int64_t to)
{
    int64_t max = 0;
    if (spans->offsets[from] == spans->offsets[to]) return 0;
    for (int64_t k = from; k < to; k++)
        if (spans_length(spans, k) > max) max = spans_length(spans, k);
    return max;
}

static enum status find_maxima(struct spans *spans, struct error *error)
{
    int64_t blocks = blocks_of(spans);
    spans->maxima = memory_array((size_t)blocks, sizeof *spans->maxima, error);
    if (!spans->maxima) {
        spans_free(spans);
        return STATUS_MEMORY;
    }
#pragma omp parallel for schedule(static) if (spans->lines > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++)
        spans->maxima[b] = longest_of(spans, b * SPANS_BLOCK, min((b + 1) * SPANS_BLOCK, spans->lines));
    return STATUS_OK;
}

enum status spans_make(const int64_t *offsets, int64_t lines, struct spans *spans, struct error *error)
{
    *spans = (struct spans){.lines = offsets ? lines : 0, .step = 1, .offsets = offsets};
    return find_maxima(spans, error);
}

enum status spans_own(int64_t *offsets, int64_t lines, struct spans *spans, struct error *error)
{
    *spans = (struct spans){.lines = offsets ? lines : 0, .step = 1, .offsets = offsets, .own = offsets};
    return find_maxima(spans, error);
}

static enum status keep_longest(const struct spans *spans, const struct lengths *lengths,
                                struct spans *coarse, struct error *error)
{
    int64_t longest[SPANS_LONGEST];
    coarse->longest_count = spans_longest(spans, lengths, longest, SPANS_LONGEST);
    coarse->longest = memory_array((size_t)coarse->longest_count, sizeof *coarse->longest, error);
    if (!coarse->longest) return STATUS_MEMORY;
    for (int k = 0; k < coarse->longest_count; k++)
        coarse->longest[k] = (struct long_line){longest[k], spans_length(spans, longest[k])};
    return STATUS_OK;
}

enum status spans_coarsen(const struct spans *spans, const struct lengths *lengths, int64_t step,
                          struct spans *coarse, struct error *error)
{
    *coarse = (struct spans){.lines = spans->lines, .step = step};
    int64_t steps = spans_steps(coarse);
    coarse->own = memory_array((size_t)steps + 1, sizeof *coarse->own, error);
    coarse->maxima = coarse->own ? memory_array((size_t)steps, sizeof *coarse->maxima, error) : NULL;
    if (!coarse->maxima || keep_longest(spans, lengths, coarse, error) != STATUS_OK) {
        spans_free(coarse);
        return STATUS_MEMORY;
    }
    coarse->offsets = coarse->own;
    for (int64_t k = 0; k <= steps; k++)
        coarse->own[k] = spans->lines > 0 ? spans->offsets[min(k * step, spans->lines)] : 0;
    for (int64_t k = 0; k < steps; k++)
        coarse->maxima[k] = spans_stretch(spans, k * step, (k + 1) * step).max;
    return STATUS_OK;
}

int64_t spans_length_of(const struct spans *spans, int64_t k)
{
    if (!is_coarse(spans)) return spans_length(spans, k);
    for (int j = 0; j < spans->longest_count; j++)
        if (spans->longest[j].line == k) return spans->longest[j].length;
    return -1;
}

/* The data of the whole steps that contain lines from .. to-1. */
static struct stretch coarse_stretch(const struct spans *spans, int64_t from, int64_t to)
{
    struct stretch stretch = {-1, -1, 0};
    int64_t first = from / spans->step, end = (to - 1) / spans->step + 1;
    int64_t lines = min(end * spans->step, spans->lines) - first * spans->step;
    stretch.mean = (double)(spans->offsets[end] - spans->offsets[first]) / (double)lines;
    for (int64_t k = first; k < end; k++)
        if (spans->maxima[k] > stretch.max) {
            stretch.max = spans->maxima[k];
            stretch.at = k * spans->step;
        }
    return stretch;
}

struct stretch spans_stretch(const struct spans *spans, int64_t from, int64_t to)
{
    struct stretch stretch = {0, -1, 0};
    from = from < 0 ? 0 : from;
    to = min(to, spans->lines);
    if (from >= to) return stretch;
    if (is_coarse(spans)) return coarse_stretch(spans, from, to);
    stretch.mean = (double)(spans->offsets[to] - spans->offsets[from]) / (double)(to - from);
    stretch.max = -1;
    for (int64_t k = from; k < to;) {
        int64_t block = k / SPANS_BLOCK, end = min((block + 1) * SPANS_BLOCK, spans->lines);
        if (k % SPANS_BLOCK == 0 && end <= to) {
            if (spans->maxima[block] > stretch.max) {
                stretch.max = spans->maxima[block];
                stretch.at = k; /* the line itself is searched at the end, in one block only */
            }
            k = end;
            continue;
        }
        for (; k < min(end, to); k++)
            if (spans_length(spans, k) > stretch.max) {
                stretch.max = spans_length(spans, k);
                stretch.at = k;
            }
    }
    while (spans_length(spans, stretch.at) < stretch.max)
        stretch.at++;
    return stretch;
}

/* The length of the last of the `max` longest lines; *equal becomes the number of these with exactly that
 * length. */
static int64_t threshold(const struct lengths *lengths, int64_t max, int64_t *equal)
{
    for (int64_t k = lengths->bins - 1; k >= 0; k--) {
        *equal = min(max, lengths->histogram[k].count);
        max -= *equal;
        if (max == 0 || k == 0) return lengths->histogram[k].length;
    }
    *equal = 0;
    return INT64_MAX;
}

/* Insert line k into the list of `count` lines, sorted by length. */
static void insert(const struct spans *spans, int64_t *longest, int count, int64_t k)
{
    int at = count;
    while (at > 0 && spans_length(spans, longest[at - 1]) < spans_length(spans, k)) {
        longest[at] = longest[at - 1];
        at--;
    }
    longest[at] = k;
}

int spans_longest(const struct spans *spans, const struct lengths *lengths, int64_t *longest, int max)
{
    int64_t equal = 0, min_length = threshold(lengths, max, &equal);
    int count = 0;
    if (is_coarse(spans)) {
        for (; count < max && count < spans->longest_count; count++)
            longest[count] = spans->longest[count].line;
        return count;
    }
    for (int64_t b = 0; b < blocks_of(spans); b++) {
        if (spans->maxima[b] < min_length || (spans->maxima[b] == min_length && equal <= 0)) continue;
        for (int64_t k = b * SPANS_BLOCK; k < min((b + 1) * SPANS_BLOCK, spans->lines); k++) {
            int64_t length = spans_length(spans, k);
            if (length < min_length || count == max) continue;
            if (length == min_length && equal-- <= 0) continue;
            insert(spans, longest, count++, k);
        }
    }
    return count;
}

void spans_free(struct spans *spans)
{
    free(spans->maxima);
    free(spans->own);
    free(spans->longest);
    *spans = (struct spans){0};
}
