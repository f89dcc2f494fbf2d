#include "analysis/forecast/scatter.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define COUNTED 16777216 /* for more touches, 1 in 2^k groups of lines is counted */
#define GROUP_BITS 6     /* a group has 2^GROUP_BITS lines */
#define LOOK 65536       /* rows between two checks for cancellation */

struct counting {
    struct scatter *scatter;
    int64_t *last; /* the tick of each line's last touch, -1 before the first */
    int shift;     /* from an element to its line */
    uint64_t mask; /* a line counts if its group's hash has none of these bits */
};

static inline bool counts(const struct counting *counting, int64_t line)
{
    uint64_t group = (uint64_t)(line >> GROUP_BITS);
    return ((group * UINT64_C(0x9E3779B97F4A7C15)) >> 40 & counting->mask) == 0;
}

/* True if the previous line was touched recently, and much later than this one. */
static inline bool is_near(const struct counting *counting, int64_t line, int64_t tick, int64_t gap)
{
    int64_t before = line > 0 ? counting->last[line - 1] : -1;
    return before >= 0 && tick - before < SCATTER_NEAR && tick - before < gap / 4;
}

static inline void touch(struct counting *counting, int64_t line, int64_t tick)
{
    struct scatter *scatter = counting->scatter;
    if (!counts(counting, line)) return;
    int64_t last = counting->last[line], gap = last < 0 ? INT64_MAX : tick - last;
    bool near = gap > 64 && is_near(counting, line, tick, gap);
    counting->last[line] = tick;
    scatter->touches++;
    if (last < 0) {
        if (near)
            scatter->first_near++;
        else
            scatter->first_far++;
    } else if (near) {
        scatter->near[reuse_bin(gap)]++;
    } else {
        scatter->far[reuse_bin(gap)]++;
    }
}

static enum status begin(struct counting *counting, int64_t elements, int64_t touches, int size,
                         struct error *error)
{
    int bits = 0;
    counting->shift = __builtin_ctz((unsigned)(REUSE_GRANULE / size));
    int64_t lines = ((elements - 1) >> counting->shift) + 1;
    while (touches >> bits > COUNTED && bits < 16)
        bits++;
    counting->mask = ((uint64_t)1 << bits) - 1;
    counting->scatter->scale = (double)((int64_t)1 << bits);
    counting->last = memory_array((size_t)lines, sizeof *counting->last, error);
    for (int64_t line = 0; counting->last && line < lines; line++)
        counting->last[line] = -1;
    return counting->last ? STATUS_OK : STATUS_MEMORY;
}

enum status scatter_of_x(const struct touches *touches, const int32_t *order, int size,
                         struct scatter *scatter, struct progress *progress, struct error *error)
{
    const struct csr *a = touches->a;
    const int64_t *row_ptr = touches->row_ptr;
    struct counting counting = {.scatter = scatter};
    *scatter = (struct scatter){.there = true, .ticks = (double)row_ptr[a->rows], .scale = 1};
    if (csr_nnz(a) == 0) return STATUS_OK;
    if (begin(&counting, a->cols, csr_nnz(a), size, error) != STATUS_OK) return STATUS_MEMORY;
    scatter->scale *= touches->scale;
    for (int64_t r = 0, tick = 0; r < a->rows; r++) {
        const int64_t i = order ? order[r] : r;
        if (r % LOOK == 0 && progress_cancelled(progress)) break;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            touch(&counting, a->col[k] >> counting.shift,
                  a->row_ptr == row_ptr ? tick + k - a->row_ptr[i] : tick);
        tick += row_ptr[i + 1] - row_ptr[i];
    }
    free(counting.last);
    return progress_status(progress, error);
}

enum status scatter_of_y(const struct csr *a, const int32_t *order, int size, struct scatter *scatter,
                         struct error *error)
{
    struct counting counting = {.scatter = scatter};
    *scatter = (struct scatter){.there = true, .ticks = (double)a->rows, .scale = 1};
    if (a->rows == 0) return STATUS_OK;
    if (begin(&counting, a->rows, a->rows, size, error) != STATUS_OK) return STATUS_MEMORY;
    for (int64_t r = 0; r < a->rows; r++)
        touch(&counting, (order ? order[r] : r) >> counting.shift, r);
    free(counting.last);
    return STATUS_OK;
}

void scatter_seconds(const struct scatter *scatter, const struct processor *processor,
                     const struct loop_pace *loop, int threads, double bytes, double footprint, double lines,
                     bool cold, double *far, double *near)
{
    double longer = (double)scatter->touches, held = 0;
    *far = *near = 0;
    if (scatter->touches == 0) return;
    for (int b = 0; b < REUSE_BINS - 1; b++) {
        double count = (double)(scatter->near[b] + scatter->far[b]);
        double start = reuse_bin_start(b), end = reuse_bin_start(b + 1);
        double beside = held + bytes * (start + end) / 2;
        if (count > 0) {
            *far += (double)scatter->far[b] * processor_far(processor, threads, beside) *
                    loop_scattered(loop, beside);
            const double ordered = lines * (double)scatter->near[b] + (lines - 1) * (double)scatter->far[b];
            if (ordered > 0) *near += ordered * REUSE_GRANULE / processor_read(processor, 1, beside);
        }
        held += lines * REUSE_GRANULE * (longer - count / 2) / (double)scatter->touches * (end - start);
        longer -= count;
        if (longer <= 0) break;
    }
    double all = cold ? INFINITY : footprint;
    *far += (double)scatter->first_far * processor_far(processor, threads, all) * loop_scattered(loop, all);
    const double ordered = lines * (double)scatter->first_near + (lines - 1) * (double)scatter->first_far;
    *near += ordered * REUSE_GRANULE / processor_read(processor, 1, all);
    *far *= scatter->scale / threads;
    *near *= scatter->scale / threads;
}
