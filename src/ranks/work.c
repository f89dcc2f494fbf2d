#include "ranks/work.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/threads.h"

/* Records of all passes except the last one. In the pass that counts, a record is only the row, as
 * int32_t. */
struct entry {
    int32_t row, col;
    double val;
};

struct complex_entry {
    int32_t row, col;
    double val, imaginary;
};

struct name {
    int32_t row, col;
    uint64_t name; /* block << 32 | number in the block, as struct mirror names entries */
};

/* --- entries at the owner of their rows --- */

/* Take entries that belong to this rank. */
static void keep(struct work *w, const struct batch *batch)
{
    if (w->pass == PASS_MATCH)
        mirrors_match(&w->mirrors, batch->row, batch->col, batch->count, batch->block, batch->before);
    else
        batch_take(batch, w->pass, w->first, &w->a);
}

/* Take `count` records, at most SINK_ENTRIES. */
static void deliver_some(struct work *w, const char *records, int count)
{
    int32_t row[SINK_ENTRIES], col[SINK_ENTRIES];
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
    struct batch batch = {count, row, col, val, imaginary, 0, 0};
    if (w->pass == PASS_COUNT) {
        memcpy(row, records, (size_t)count * sizeof *row);
    } else if (w->source->complex) {
        for (int k = 0; k < count; k++) {
            struct complex_entry entry;
            memcpy(&entry, records + (size_t)k * sizeof entry, sizeof entry);
            row[k] = entry.row;
            col[k] = entry.col;
            val[k] = entry.val;
            imaginary[k] = entry.imaginary;
        }
    } else {
        for (int k = 0; k < count; k++) {
            struct entry entry;
            memcpy(&entry, records + (size_t)k * sizeof entry, sizeof entry);
            row[k] = entry.row;
            col[k] = entry.col;
            val[k] = entry.val;
        }
    }
    keep(w, &batch);
}

static void match_names(struct work *w, const char *records, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        struct name name;
        memcpy(&name, records + (size_t)k * sizeof name, sizeof name);
        mirrors_match(&w->mirrors, &name.row, &name.col, 1, (int64_t)(name.name >> 32),
                      (int64_t)(name.name & UINT32_MAX));
    }
}

static void deliver(void *self, const char *records, int64_t count)
{
    struct work *w = self;
    if (w->pass == PASS_MATCH) {
        match_names(w, records, count);
        return;
    }
    for (int64_t k = 0; k < count; k += SINK_ENTRIES)
        deliver_some(w, records + (size_t)k * w->stage.size,
                     count - k < SINK_ENTRIES ? (int)(count - k) : SINK_ENTRIES);
}

/* --- from the source to the owners --- */

/* Return the row that determines the receiver of an entry: its own, or in the last pass that of the position
 * below the diagonal. */
static int32_t deciding_row(const struct work *w, const struct batch *batch, int k)
{
    return w->pass == PASS_MATCH && batch->col[k] > batch->row[k] ? batch->col[k] : batch->row[k];
}

static void write_record(const struct work *w, const struct batch *batch, int k, char *record)
{
    if (w->pass == PASS_COUNT) {
        memcpy(record, &batch->row[k], sizeof batch->row[k]);
    } else if (w->pass == PASS_MATCH) {
        struct name name = {batch->row[k], batch->col[k],
                            (uint64_t)batch->block << 32 | (uint64_t)(batch->before + k)};
        memcpy(record, &name, sizeof name);
    } else if (w->source->complex) {
        struct complex_entry entry = {batch->row[k], batch->col[k], batch->val[k], batch->imaginary[k]};
        memcpy(record, &entry, sizeof entry);
    } else {
        struct entry entry = {batch->row[k], batch->col[k], batch->val[k]};
        memcpy(record, &entry, sizeof entry);
    }
}

/* Return true if all of a batch belongs to this rank. */
static bool stays(const struct work *w, const struct batch *batch)
{
    int64_t first = w->cut->begin[w->ranks->rank], last = w->cut->begin[w->ranks->rank + 1];
    bool here = w->pass != PASS_MATCH || w->ranks->count == 1;
    for (int k = 0; k < batch->count; k++)
        here &= batch->row[k] >= first && batch->row[k] < last;
    return here;
}

static void route(struct work *w, const struct batch *batch)
{
    int32_t owner[SINK_ENTRIES], row[SINK_ENTRIES], col[SINK_ENTRIES], *to = NULL, me = w->ranks->rank;
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
    struct batch own = {0, row, col, val, imaginary, 0, 0};
    bool values = w->pass == PASS_PLACE, complex = values && w->source->complex;
    char *records = NULL;
    int away = 0;
    if (stays(w, batch)) {
        if (stage_put(&w->stage, omp_get_thread_num(), batch->count, 0, &records, &to)) keep(w, batch);
        return;
    }
    for (int k = 0; k < batch->count; k++) {
        owner[k] = cut_owner(w->cut, deciding_row(w, batch, k));
        away += owner[k] != me ||
                w->pass == PASS_MATCH; /* names of own entries are sent, too, since there are few */
    }
    if (!stage_put(&w->stage, omp_get_thread_num(), batch->count - away, away, &records, &to)) return;
    for (int k = 0; k < batch->count; k++) {
        if (owner[k] != me || w->pass == PASS_MATCH) {
            write_record(w, batch, k, records);
            records += w->stage.size;
            *to++ = owner[k];
            continue;
        }
        row[own.count] = batch->row[k];
        col[own.count] = batch->col[k];
        if (values) val[own.count] = batch->val[k];
        if (complex) imaginary[own.count] = batch->imaginary[k];
        own.count++;
    }
    keep(w, &own);
}

static void flush(struct sink *sink)
{
    struct work *w = sink->owner;
    const struct batch batch = batch_of(sink);
    struct batch_room room;
    unsigned orientations;
    if (w->pass == PASS_CHECK || atomic_load_explicit(&w->stage.stop, memory_order_relaxed)) return;
    route(w, &batch);
    if (w->pass == PASS_MATCH || w->source->symmetry == SYMMETRY_GENERAL) return;
    const struct batch images = batch_mirror(sink, w->source->symmetry, &room, &orientations);
    route(w, &images);
    if (w->pass == PASS_COUNT) atomic_fetch_or_explicit(&w->orientations, orientations, memory_order_relaxed);
}

/* Read block k. *stored is the number of its entries. */
static enum status produce(struct work *w, int64_t k, int64_t *stored, struct error *error)
{
    bool values = w->pass == PASS_PLACE || w->pass == PASS_CHECK;
    return batch_produce(w->source, k, values, flush, w, stored, error);
}

static int threads_for(const struct work *w)
{
    int64_t blocks = w->last_block - w->first_block;
    int threads = threads_count();
    return threads <= blocks ? threads : blocks > 0 ? (int)blocks : 1;
}

/* Read this rank's blocks up to `last` until one fails. STATUS_OK if none does. */
static enum status check_blocks(struct work *w, int64_t last, struct error *error)
{
    struct failing failing;
    failing_start(&failing, last);
    w->pass = PASS_CHECK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_for(w))
    for (int64_t k = w->first_block; k < last; k++) {
        struct error mine = {0};
        int64_t stored;
        if (!failing_before(&failing, k) && produce(w, k, &stored, &mine) != STATUS_OK)
            failing_note(&failing, k, &mine);
    }
    return failing_status(&failing, error);
}

static enum status others_failed(struct error *error)
{
    return error_set(error, STATUS_CANCELLED, "another rank has failed");
}

enum status work_learn(struct work *w, enum status status, struct error *error)
{
    struct error agreed = *error;
    if (ranks_agree(w->ranks, status, &agreed) == STATUS_OK) return STATUS_OK;
    w->together->failed = true;
    return status != STATUS_OK ? status : others_failed(error);
}

enum status work_pass(struct work *w, enum pass pass, bool release, struct error *error)
{
    static const size_t sizes[] = {[PASS_COUNT] = sizeof(int32_t), [PASS_MATCH] = sizeof(struct name)};
    struct error first = {0};
    int threads = threads_for(w);
    int64_t stored = 0, blocks = w->last_block - w->first_block;
    size_t entry = w->source->complex ? sizeof(struct complex_entry) : sizeof(struct entry);
    w->pass = pass;
    stage_begin(&w->stage, pass == PASS_PLACE ? entry : sizes[pass], threads, deliver, w);
#pragma omp parallel num_threads(threads) reduction(+ : stored)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
#pragma omp single
        w->stage.threads = team;
        int64_t end = w->first_block + blocks / team * (thread + 1) + blocks % team * (thread + 1) / team;
        int64_t k = w->first_block + blocks / team * thread + blocks % team * thread / team;
        struct error mine = {0};
        for (; k < end && mine.status == STATUS_OK && !atomic_load(&w->stage.stop); k++) {
            int64_t entries = 0;
            produce(w, k, &entries, &mine);
            stored += entries;
            if (release && w->source->release) w->source->release(w->source->self, k);
        }
        if (mine.status != STATUS_OK) {
#pragma omp critical(sparsight_ranks_error)
            if (first.status == STATUS_OK) first = mine;
        }
        stage_finish(&w->stage, thread, mine.status != STATUS_OK);
    }
    atomic_store(&w->stored, stored);
    int failed = w->stage.first_failed;
    if (failed == w->ranks->count) return STATUS_OK;
    w->together->failed = true;
    if (w->ranks->rank <= failed && (first.status == STATUS_OK || first.status == STATUS_INPUT) &&
        !(release && w->source->release)) {
        struct error earlier = {0};
        if (check_blocks(w, w->last_block, &earlier) != STATUS_OK) first = earlier;
    }
    if (first.status == STATUS_OK) return others_failed(error);
    *error = first;
    return first.status;
}
