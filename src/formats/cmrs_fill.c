/* Filling of CMRS: strips row by row, sorted by column, or divided into groups. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/cmrs_strip.h"
#include "formats/fill.h"

/* The arguments of the functions that fill strips. */
struct filling {
    struct storage *storage;
    const struct csr *a;
    struct progress *progress;
    uint32_t *col_ind;     /* if it is not packed, its elements are int32, which has the same bits */
    uint8_t *row_in_strip; /* NULL if packed */
    struct array *val;
};

static struct filling filling_of(struct storage *storage, const struct csr *a, struct progress *progress)
{
    return (struct filling){
        .storage = storage,
        .a = a,
        .progress = progress,
        .col_ind = storage->array[CMRS_COL_IND].data,
        .row_in_strip = storage->number[CMRS_PACKED] ? NULL : storage->array[CMRS_ROW_IN_STRIP].data,
        .val = &storage->array[CMRS_VAL],
    };
}

static inline void put_indices(const struct filling *f, int64_t e, uint32_t col, uint32_t r)
{
    if (f->row_in_strip) {
        f->col_ind[e] = col;
        f->row_in_strip[e] = (uint8_t)r;
    } else
        f->col_ind[e] = col << CMRS_ROW_BITS | r;
}

/* Put entries k .. k+n-1 of row r of the strip into the slots from e on. */
static void put_run(const struct filling *f, int64_t e, int r, int64_t k, int64_t n)
{
    for (int64_t p = 0; p < n; p++)
        put_indices(f, e + p, (uint32_t)f->a->col[k + p], (uint32_t)r);
    for (int64_t p = 0; p < n; p++)
        put_value(f->storage, f->val, e + p, f->a, k + p);
}

/* Number of entries between two checks for cancellation, since a row may be very long. */
#define STRETCH 65536

static void fill_by_rows(const struct filling *f, const struct strip *strip, int64_t e)
{
    for (int r = 0; r < strip->rows; r++) {
        int64_t end = strip->ptr[r + 1];
        for (int64_t k = strip->ptr[r]; k < end; k += STRETCH) {
            if (progress_cancelled(f->progress)) return;
            put_run(f, e + k - strip->ptr[0], r, k, min(STRETCH, end - k));
        }
    }
}

/* A tournament that finds the smallest of up to 16 heads. The head of row r is column * 16 + r of its next
 * entry, so that heads compare by column and then by row. It is at node[leaves + r]; every other node p has
 * the smaller of its children, node[2p] and node[2p + 1], so that the smallest of all is at node[1]:
 *
 *                       node[1]
 *               node[2]         node[3]
 *           node[4] node[5] node[6] node[7]         leaves = 4
 *     row      0       1       2       3
 *
 * A finished row has the head AT_END, which is larger than all others. */
struct tournament {
    int leaves; /* a power of two */
    uint64_t node[2 * CMRS_HEIGHT_MAX];
};

#define AT_END UINT64_MAX

static inline uint64_t head_of(const struct csr *a, int64_t k, int64_t end, uint32_t r)
{
    return k < end ? (uint64_t)(uint32_t)a->col[k] << CMRS_ROW_BITS | r : AT_END;
}

static inline uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct tournament tournament_of(const struct csr *a, const struct strip *strip)
{
    struct tournament t = {.leaves = 1};
    while (t.leaves < strip->rows)
        t.leaves *= 2;
    for (int r = 0; r < t.leaves; r++)
        t.node[t.leaves + r] =
            r < strip->rows ? head_of(a, strip->ptr[r], strip->ptr[r + 1], (uint32_t)r) : AT_END;
    for (int p = t.leaves - 1; p > 0; p--)
        t.node[p] = lesser(t.node[2 * p], t.node[2 * p + 1]);
    return t;
}

/* Fill a strip by merging its rows, each of which is sorted. When a row's head changes, only the nodes above
 * its leaf have to be compared again, each with its sibling, node ^ 1: log2 height comparisons an entry. */
static void fill_sorted(const struct filling *f, const struct strip *strip, int64_t e)
{
    struct tournament t = tournament_of(f->a, strip);
    int64_t next[CMRS_HEIGHT_MAX], entries = strip_entries(strip);
    memcpy(next, strip->ptr, (size_t)strip->rows * sizeof *next);
    for (int64_t p = 0; p < entries; p++) {
        if (p % STRETCH == 0 && progress_cancelled(f->progress)) return;
        uint64_t head = t.node[1];
        uint32_t r = head & ((1 << CMRS_ROW_BITS) - 1);
        int64_t k = next[r]++;
        put_indices(f, e + p, (uint32_t)(head >> CMRS_ROW_BITS), r);
        put_value(f->storage, f->val, e + p, f->a, k);
        uint64_t winner = head_of(f->a, k + 1, strip->ptr[r + 1], r);
        uint32_t node = (uint32_t)t.leaves + r;
        for (t.node[node] = winner; node > 1; node /= 2)
            t.node[node / 2] = winner = lesser(winner, t.node[node ^ 1]);
    }
}

/* Fill slots `from` .. 31 of the group that begins at slot e with padding: the row and column of the entry
 * before them, and the value 0. */
static void put_padding(const struct filling *f, int64_t e, int64_t from)
{
    for (int64_t p = from; p < CMRS_GROUP; p++) {
        f->col_ind[e + p] = f->col_ind[e + from - 1];
        if (f->row_in_strip) f->row_in_strip[e + p] = f->row_in_strip[e + from - 1];
        put_zero(f->val, e + p);
    }
}

/* Fill a strip group by group (strip_groups). No group is empty, since there are no more groups than
 * entries. */
static void fill_groups(const struct filling *f, const struct strip *strip, int64_t groups, int64_t e)
{
    int64_t next[CMRS_HEIGHT_MAX];
    if (groups == 0) return;
    struct deal deal = strip_deal(strip, groups);
    memcpy(next, strip->ptr, (size_t)strip->rows * sizeof *next);
    for (int64_t g = 0; g < groups; g++, e += CMRS_GROUP) {
        if (g % (STRETCH / CMRS_GROUP) == 0 && progress_cancelled(f->progress)) return;
        int64_t start = 0;
        for (int r = 0; r < strip->rows; r++) {
            int64_t end = deal_start(&deal, r + 1, g);
            put_run(f, e + start, r, next[r], end - start);
            next[r] += end - start;
            start = end;
        }
        put_padding(f, e, start);
    }
}

/* Fill strips first .. end-1, whose slots begin at e. */
static void fill_strips(const struct filling *f, int64_t first, int64_t end, int64_t e)
{
    struct array *strip_ptr = &f->storage->array[CMRS_STRIP_PTR];
    const int64_t *number = f->storage->number;
    for (int64_t s = first; s < end; s++) {
        struct strip strip = strip_at(f->a, number[CMRS_HEIGHT], s);
        array_set(strip_ptr, s, e);
        int64_t slots = strip_slots(&strip, number[CMRS_MODULO]);
        if (number[CMRS_MODULO])
            fill_groups(f, &strip, slots / CMRS_GROUP, e);
        else if (number[CMRS_SORTED])
            fill_sorted(f, &strip, e);
        else
            fill_by_rows(f, &strip, e);
        e += slots;
    }
}

size_t cmrs_scratch(const struct csr *a)
{
    return ((size_t)row_blocks(a) + 1) * sizeof(int64_t);
}

/* Return the first slot of each block of strips, or NULL if memory is short. If cancelled, the slots are
 * wrong.
 */
static int64_t *block_slots(const struct storage *storage, const struct csr *a, int64_t blocks,
                            struct progress *progress, struct error *error)
{
    int64_t height = storage->number[CMRS_HEIGHT];
    int64_t *slots = memory_zeroed((size_t)blocks + 1, sizeof *slots, error);
    if (!slots) return NULL;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = strip_block_first(a, height, blocks, b + 1);
        for (int64_t s = strip_block_first(a, height, blocks, b); s < end; s++) {
            struct strip strip = strip_at(a, height, s);
            slots[b] += strip_slots(&strip, storage->number[CMRS_MODULO]);
        }
    }
    threads_offsets(slots, blocks);
    return slots;
}

enum status fill_cmrs(struct storage *storage, const struct csr *a, struct progress *progress,
                      struct error *error)
{
    const struct filling f = filling_of(storage, a, progress);
    int64_t blocks = row_blocks(a), height = storage->number[CMRS_HEIGHT];
    int64_t *slots = block_slots(storage, a, blocks, progress, error);
    if (!slots) return STATUS_MEMORY;
    progress_phase(progress, "converting to CMRS", blocks);
    array_set(&storage->array[CMRS_STRIP_PTR], storage->number[CMRS_STRIPS], slots[blocks]);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        fill_strips(&f, strip_block_first(a, height, blocks, b), strip_block_first(a, height, blocks, b + 1),
                    slots[b]);
        progress_add(progress, 1);
    }
    free(slots);
    return progress_status(progress, error);
}
