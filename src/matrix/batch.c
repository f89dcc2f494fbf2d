#include "matrix/batch.h"

#include "matrix/mirrors.h"

struct batch batch_of(const struct sink *sink)
{
    return (struct batch){sink->count,     sink->row,   sink->col,   sink->val,
                          sink->imaginary, sink->block, sink->before};
}

/* Return the end of the run of entries in one row that begins with entry `first`: a run takes one addition.
 */
static inline int run_end(const struct batch *batch, int first)
{
    int end = first + 1;
    while (end < batch->count && batch->row[end] == batch->row[first])
        end++;
    return end;
}

static void count_batch(const struct batch *batch, int64_t first_row, int64_t *row_ptr)
{
    for (int k = 0, end; k < batch->count; k = end) {
        end = run_end(batch, k);
        __atomic_fetch_add(&row_ptr[batch->row[k] - first_row], end - k, __ATOMIC_RELAXED);
    }
}

/* position[k] is the index for entry k. First all positions are taken, then the entries written, so that the
 * prefetched lines of col and val arrive meanwhile. */
static void place_batch(const struct batch *batch, int64_t first_row, struct csr *a)
{
    int64_t position[SINK_ENTRIES], room = a->row_ptr[a->rows];
    for (int k = 0, end; k < batch->count; k = end) {
        end = run_end(batch, k);
        int64_t first = __atomic_fetch_add(&a->row_ptr[batch->row[k] - first_row], end - k, __ATOMIC_RELAXED);
        /* The file changed between the passes: ends_settle will report it. */
        if (__builtin_expect(first + (end - k) > room, 0)) return;
        for (int t = k; t < end; t++)
            position[t] = first + (t - k);
        __builtin_prefetch(&a->col[first], 1);
        __builtin_prefetch(&a->val[first], 1);
    }
    for (int k = 0; k < batch->count; k++) {
        a->col[position[k]] = batch->col[k];
        a->val[position[k]] = batch->val[k];
    }
    if (a->imaginary)
        for (int k = 0; k < batch->count; k++)
            a->imaginary[position[k]] = batch->imaginary[k];
}

/* An atomic addition waits for all earlier loads and stores. So the lines of row_ptr for a batch are
 * prefetched first, and the additions are a separate loop. */
void batch_take(const struct batch *batch, enum pass pass, int64_t first, struct csr *a)
{
    for (int k = 0; k < batch->count; k++)
        __builtin_prefetch(&a->row_ptr[batch->row[k] - first], 1);
    if (pass == PASS_COUNT)
        count_batch(batch, first, a->row_ptr);
    else
        place_batch(batch, first, a);
}

struct batch batch_mirror(const struct sink *sink, enum symmetry symmetry, struct batch_room *room,
                          unsigned *orientations)
{
    const struct mirror_signs signs = mirror_signs(symmetry);
    struct batch batch = {0, room->row, room->col, room->val, room->imaginary, 0, 0};
    *orientations = 0;
    for (int k = 0; k < sink->count; k++) {
        if (sink->row[k] == sink->col[k]) continue;
        *orientations |= sink->row[k] > sink->col[k] ? MIRROR_LOWER : MIRROR_UPPER;
        room->row[batch.count] = sink->col[k];
        room->col[batch.count] = sink->row[k];
        if (sink->values) {
            room->val[batch.count] = signs.real * sink->val[k];
            if (sink->complex) room->imaginary[batch.count] = signs.imaginary * sink->imaginary[k];
        }
        batch.count++;
    }
    return batch;
}

enum status batch_produce(const struct source *source, int64_t k, bool values,
                          void (*flush)(struct sink *sink), void *owner, int64_t *stored, struct error *error)
{
    struct sink sink;
    sink.count = 0;
    sink.values = values;
    sink.columns = true;
    sink.glimpse = source->glimpse;
    sink.complex = source->complex;
    sink.flush = flush;
    sink.owner = owner;
    sink.block = k;
    sink.before = 0;
    enum status status = source->block(source->self, k, &sink, error);
    if (status == STATUS_OK) sink_flush(&sink);
    *stored = sink.before;
    return status;
}
