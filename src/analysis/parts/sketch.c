#include "analysis/parts/sketch.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

/* Maximum number of dots along a side of each picture. The steps are small, so that one of the pictures
 * nearly fills a window. */
static const int sides[SKETCH_PICTURES] = {SKETCH_SIDE, 72, 48, 36, 24, 16};

void sketch_dots(int64_t rows, int64_t cols, int64_t row_step, int64_t col_step, struct size_dots *dots)
{
    *dots = (struct size_dots){.dot_rows = row_step, .dot_cols = col_step};
    dots->high = (int)divide_up(rows, row_step);
    dots->wide = (int)divide_up(cols, col_step);
}

/* Set the dots of picture number k. */
static void choose_dots(int64_t rows, int64_t cols, int k, struct size_dots *dots)
{
    int64_t down = divide_up(rows, sides[k]), across = divide_up(cols, sides[k]);
    const bool oblong = rows / SKETCH_OBLONG_MAX > cols || cols / SKETCH_OBLONG_MAX > rows;
    if (!oblong) down = across = max(down, across);
    sketch_dots(rows, cols, down, across, dots);
}

bool sketch_choose(int64_t rows, int64_t cols, int k, struct size_dots *dots)
{
    struct size_dots before;
    if (rows < 1 || cols < 1) return false;
    choose_dots(rows, cols, k, dots);
    if (k == 0) return true;
    choose_dots(rows, cols, k - 1, &before);
    return before.dot_rows != dots->dot_rows || before.dot_cols != dots->dot_cols;
}

int64_t sketch_step(int64_t parts)
{
    int64_t step = 1;
    while (divide_up(parts, step) > SKETCH_TILES)
        step *= 2;
    return step;
}

int sketch_tiles_of(int64_t parts, int64_t step)
{
    return (int)divide_up(parts, step);
}

static enum status draw_pictures(const struct csr *a, const struct partition *partition,
                                 struct progress *progress, struct sketch *sketch, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < SKETCH_PICTURES && status == STATUS_OK; k++) {
        struct sketch_picture *picture = &sketch->picture[sketch->pictures];
        if (!sketch_choose(a->rows, a->cols, k, &picture->dots)) continue;
        picture->marks = memory_array((size_t)picture->dots.high * (size_t)picture->dots.wide,
                                      sizeof *picture->marks, error);
        if (!picture->marks) return STATUS_MEMORY;
        sketch->pictures++;
        status = owners_of_dots(a, partition, &picture->dots, progress, picture->marks, error);
    }
    return status;
}

static enum status count_volumes(int64_t parts, const struct halo_pair *pairs, int64_t messages,
                                 struct sketch *sketch, struct error *error)
{
    sketch->step = sketch_step(parts);
    sketch->tiles = sketch_tiles_of(parts, sketch->step);
    size_t count = (size_t)sketch->tiles * (size_t)sketch->tiles;
    sketch->elements = memory_array(count, sizeof *sketch->elements, error);
    if (!sketch->elements) return STATUS_MEMORY;
    halo_tiles(pairs, messages, sketch->step, sketch->tiles, sketch->elements);
    return STATUS_OK;
}

static enum status find_runs(const struct partition *partition, struct sketch *sketch, struct error *error)
{
    int64_t runs = 0;
    for (int64_t i = 0; i < partition->rows && runs <= SKETCH_RUNS; i++)
        runs += i == 0 || partition->owner[i] != partition->owner[i - 1];
    if (runs == 0 || runs > SKETCH_RUNS) return STATUS_OK;
    sketch->runs = memory_array((size_t)runs, sizeof *sketch->runs, error);
    if (!sketch->runs) return STATUS_MEMORY;
    for (int64_t i = 0; i < partition->rows; i++)
        if (i == 0 || partition->owner[i] != partition->owner[i - 1])
            sketch->runs[sketch->run_count++] = (struct owner_run){i, partition->owner[i]};
    return STATUS_OK;
}

enum status sketch_complete(const struct partition *partition, const struct halo_pair *pairs,
                            int64_t messages, struct sketch *sketch, struct error *error)
{
    enum status status = count_volumes(partition->parts, pairs, messages, sketch, error);
    return status == STATUS_OK ? find_runs(partition, sketch, error) : status;
}

enum status sketch_make(const struct csr *a, const struct partition *partition, const struct halo_pair *pairs,
                        int64_t messages, struct progress *progress, struct sketch *sketch,
                        struct error *error)
{
    *sketch = (struct sketch){0};
    enum status status = draw_pictures(a, partition, progress, sketch, error);
    if (status == STATUS_OK) status = sketch_complete(partition, pairs, messages, sketch, error);
    if (status != STATUS_OK) sketch_free(sketch);
    return status;
}

int sketch_fold(const int64_t *elements, int tiles, int64_t times, int64_t *into)
{
    const int count = sketch_tiles_of(tiles, times);
    for (int k = 0; k < count * count; k++)
        into[k] = 0;
    for (int to = 0; to < tiles; to++)
        for (int from = 0; from < tiles; from++)
            into[to / times * count + from / times] += elements[to * tiles + from];
    return count;
}

int32_t sketch_owner(const struct sketch *sketch, int64_t row)
{
    int64_t low = 1, high = sketch->run_count; /* the run is among low - 1 .. high - 1 */
    if (high == 0) return -1;
    BISECT(low, high, sketch->runs[middle].first <= row);
    return sketch->runs[low - 1].owner;
}

void sketch_free(struct sketch *sketch)
{
    for (int k = 0; k < SKETCH_PICTURES; k++)
        free(sketch->picture[k].marks);
    free(sketch->elements);
    free(sketch->runs);
    *sketch = (struct sketch){0};
}
