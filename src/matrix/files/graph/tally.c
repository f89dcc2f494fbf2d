#include "matrix/files/graph/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

#define ROOM_MIN ((int64_t)4096)

void tally_start(struct tally *tally, size_t limit, bool off)
{
    *tally = (struct tally){.limit = limit, .off = off};
    pthread_rwlock_init(&tally->lock, NULL);
}

void tally_end(struct tally *tally)
{
    free(tally->lengths);
    pthread_rwlock_destroy(&tally->lock);
    *tally = (struct tally){.off = true};
}

static void give_up(struct tally *tally)
{
    free(tally->lengths);
    tally->lengths = NULL;
    tally->room = 0;
    tally->off = true;
}

/* Make room for rows below `wanted`: twice as much as there was, unless that is a large part of the limit.
 * The counts have as many bytes as the matrix needs for its rows: if they do not fit, it does not either. */
static void make_room(struct tally *tally, int64_t wanted)
{
    pthread_rwlock_wrlock(&tally->lock);
    int64_t room = max(2 * tally->room, ROOM_MIN);
    if (room < wanted || (size_t)room * sizeof *tally->lengths > tally->limit / 8) room = wanted;
    if (!tally->off && tally->room < wanted) {
        int64_t *lengths = (size_t)room * sizeof *lengths <= tally->limit
                               ? memory_zeroed((size_t)room, sizeof *lengths, NULL)
                               : NULL;
        if (lengths) {
            if (tally->room) memcpy(lengths, tally->lengths, (size_t)tally->room * sizeof *lengths);
            free(tally->lengths);
            tally->lengths = lengths;
            tally->room = room;
        } else
            give_up(tally);
    }
    pthread_rwlock_unlock(&tally->lock);
}

/* An atomic addition waits for all loads and stores before it: so the lines of the counts that are needed are
 * fetched first, and a run of entries in one row takes one addition. */
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

void tally_add(struct tally *tally, const int32_t *row, int some, int32_t most)
{
    if (some == 0) return;
    pthread_rwlock_rdlock(&tally->lock);
    if (!tally->off && most >= tally->room) {
        pthread_rwlock_unlock(&tally->lock);
        make_room(tally, (int64_t)most + 1);
        pthread_rwlock_rdlock(&tally->lock);
    }
    if (!tally->off) count(tally->lengths, row, some);
    pthread_rwlock_unlock(&tally->lock);
}

int64_t *tally_take(struct tally *tally, int64_t base, int64_t rows)
{
    int64_t there = min(max(tally->room - base, 0), rows);
    if (tally->off) return NULL;
    if (base && there) memmove(tally->lengths, tally->lengths + base, (size_t)there * sizeof(int64_t));
    int64_t *lengths = memory_resize(tally->lengths, (size_t)rows + 1, sizeof *lengths, NULL);
    if (!lengths) return NULL;
    memset(lengths + there, 0, (size_t)(rows + 1 - there) * sizeof *lengths);
    tally->lengths = NULL;
    give_up(tally);
    return lengths;
}
