#include "matrix/files/graph/row_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

#define ROOM_MIN ((int64_t)4096)

void row_counts_start(struct row_counts *counts, size_t limit, bool off)
{
    *counts = (struct row_counts){.limit = limit, .off = off};
    pthread_rwlock_init(&counts->lock, NULL);
}

void row_counts_end(struct row_counts *counts)
{
    free(counts->lengths);
    pthread_rwlock_destroy(&counts->lock);
    *counts = (struct row_counts){.off = true};
}

static void give_up(struct row_counts *counts)
{
    free(counts->lengths);
    counts->lengths = NULL;
    counts->room = 0;
    counts->off = true;
}

/* Make room for rows below `wanted`: twice as much as there was, unless that is a large part of the limit.
 * The counts take the bytes that the matrix needs for its rows: if they do not fit, neither does the
 * matrix. */
static void make_room(struct row_counts *counts, int64_t wanted)
{
    pthread_rwlock_wrlock(&counts->lock);
    int64_t room = max(2 * counts->room, ROOM_MIN);
    if (room < wanted || (size_t)room * sizeof *counts->lengths > counts->limit / 8) room = wanted;
    if (!counts->off && counts->room < wanted) {
        int64_t *lengths = (size_t)room * sizeof *lengths <= counts->limit
                               ? memory_zeroed((size_t)room, sizeof *lengths, NULL)
                               : NULL;
        if (lengths) {
            if (counts->room) memcpy(lengths, counts->lengths, (size_t)counts->room * sizeof *lengths);
            free(counts->lengths);
            counts->lengths = lengths;
            counts->room = room;
        } else
            give_up(counts);
    }
    pthread_rwlock_unlock(&counts->lock);
}

/* An atomic addition waits for all earlier loads and stores. So the needed lines of the counts are prefetched
 * first, and a run of entries in one row takes one addition. */
static void count(int64_t *lengths, const int32_t *row, int count)
{
    for (int k = 0; k < count; k++)
        __builtin_prefetch(&lengths[row[k]], 1);
    for (int k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && row[end] == row[k];)
            end++;
        __atomic_fetch_add(&lengths[row[k]], end - k, __ATOMIC_RELAXED);
    }
}

void row_counts_add(struct row_counts *counts, const int32_t *row, int some, int32_t most)
{
    if (some == 0) return;
    pthread_rwlock_rdlock(&counts->lock);
    if (!counts->off && most >= counts->room) {
        pthread_rwlock_unlock(&counts->lock);
        make_room(counts, (int64_t)most + 1);
        pthread_rwlock_rdlock(&counts->lock);
    }
    if (!counts->off) count(counts->lengths, row, some);
    pthread_rwlock_unlock(&counts->lock);
}

int64_t *row_counts_take(struct row_counts *counts, int64_t base, int64_t rows)
{
    int64_t there = min(max(counts->room - base, 0), rows);
    if (counts->off) return NULL;
    if (base && there) memmove(counts->lengths, counts->lengths + base, (size_t)there * sizeof(int64_t));
    int64_t *lengths = memory_resize(counts->lengths, (size_t)rows + 1, sizeof *lengths, NULL);
    if (!lengths) return NULL;
    memset(lengths + there, 0, (size_t)(rows + 1 - there) * sizeof *lengths);
    counts->lengths = NULL;
    give_up(counts);
    return lengths;
}
