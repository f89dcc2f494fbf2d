#include "kernels/cuda/sweeps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csr.h"

#define NARROW 65536  /* number of columns that 16 bits distinguish */
#define AHEAD 8       /* maximum rounds' worth of entries that wait for a round in which their sum is free */
#define PADDING_MAX 4 /* maximum slots of the tables for each entry; small matrices may have some more */
#define EACH_MAX 4    /* maximum pieces for each multiprocessor to try */
#define ENOUGH 1.05   /* more pieces must speed up a product by this factor */
#define DIGIT_BITS 11 /* bits of a column in one pass of the sort */
#define NO_ENTRY INT32_MIN

/* An entry during sorting: its column, and its index in its band. */
struct item {
    uint32_t col, entry;
};

/* A band, and its pieces. */
struct band {
    int64_t row, rows, begin, end;
    int32_t pieces, first; /* number of pieces, and the index of the first */
};

/* The contents of a piece: slot p < places has entry order[p] of its band, or NO_ENTRY, and sum sums[p]. */
struct taken {
    int32_t *order;
    uint16_t *sums;
    int64_t places, room;
    struct sweep_copy *copies;
    int32_t copied, sums_used;
};

struct making {
    const struct storage *storage;
    const struct array *row_ptr;
    const int32_t *col;
    const struct sweep_plan *plan;
    struct band *bands;
    struct taken *taken; /* one for each piece */
    int64_t rows, nnz;   /* numbers of rows with sums, and of entries */
    int64_t band_rows;   /* maximum rows of a band */
    int64_t count;       /* of bands */
    int32_t pieces;
    struct sweeps *sweeps;
};

/* Bands and pieces */

/* Clearing and storing the sum of a row costs about a quarter of an entry, and twice that with several
 * pieces, whose sums are joined. The beginning and the end of a piece cost eight rounds. */
static int64_t work_of(const struct making *making, const struct band *band)
{
    return (band->end - band->begin) / band->pieces + band->rows / (band->pieces > 1 ? 2 : 4) +
           8 * (int64_t)making->plan->threads;
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Return the time of the pieces, in entries of one multiprocessor, if each goes to the first free
 * multiprocessor, longest first. `work` has room for all pieces, and `busy` for all multiprocessors. O(pieces
 * multiprocessors). */
static int64_t makespan(const struct making *making, int64_t *work, int64_t *busy)
{
    int64_t count = 0, last = 0;
    int processors = making->plan->multiprocessors;
    for (int64_t b = 0; b < making->count; b++)
        for (int32_t k = 0; k < making->bands[b].pieces; k++)
            work[count++] = work_of(making, &making->bands[b]);
    qsort(work, (size_t)count, sizeof *work, descending);
    memset(busy, 0, (size_t)processors * sizeof *busy);
    for (int64_t p = 0; p < count; p++) {
        int least = 0;
        for (int k = 1; k < processors; k++)
            if (busy[k] < busy[least]) least = k;
        busy[least] += work[p];
        last = max(last, busy[least]);
    }
    return last;
}

static int64_t row_begin(const struct making *making, int64_t r)
{
    return array_integer(making->row_ptr, r);
}

/* Return the first of the rows low .. high that begins at entry e or later; `high` does. */
static int64_t row_at(const struct making *making, int64_t low, int64_t high, int64_t e)
{
    BISECT(low, high, row_begin(making, middle) < e);
    return low;
}

/* Cut the matrix into bands, and these into pieces of about `target` entries each. A band has enough rows for
 * its pieces to have `target` entries, or the maximum of rows if these have fewer entries. The bands are
 * written if there is room for them. */
static void cut(struct making *making, int64_t target)
{
    making->count = 0;
    making->pieces = 0;
    for (int64_t r = 0; r < making->rows;) {
        int64_t last = min(r + making->band_rows, making->rows), begin = row_begin(making, r);
        int64_t pieces = (row_begin(making, last) - begin) / target;
        if (pieces > 0) last = max(row_at(making, r, last, begin + pieces * target), r + 1);
        int64_t end = row_begin(making, last);
        if (end - begin > pieces * target + target / 2) pieces = (end - begin + target / 2) / target;
        making->bands[making->count++] = (struct band){.row = r,
                                                       .rows = last - r,
                                                       .begin = begin,
                                                       .end = end,
                                                       .pieces = (int32_t)max(pieces, 1),
                                                       .first = making->pieces};
        making->pieces += (int32_t)max(pieces, 1);
        r = last;
    }
}

/* Return the entries of a piece for about `each` pieces per multiprocessor, plus n eighths, since the last
 * band and bands with few entries have their own pieces. */
static int64_t target_of(const struct making *making, int each, int n)
{
    int64_t pieces = (int64_t)each * making->plan->multiprocessors;
    return max((making->nnz * (8 + n) / 8 + pieces - 1) / pieces, making->plan->threads);
}

#define EIGHTHS 4 /* number of sizes to try for each number of pieces */

static enum status make_bands(struct making *making, struct error *error)
{
    const struct sweep_plan *plan = making->plan;
    const int first = plan->each ? plan->each : 1, last = plan->each ? plan->each : EACH_MAX;
    /* A band has all its rows, or its pieces have `target` entries each. */
    const int64_t most = making->rows / making->band_rows + 2 + 2 * (int64_t)last * plan->multiprocessors;
    int64_t *work = memory_array((size_t)most, sizeof *work, error);
    int64_t *busy = memory_array((size_t)plan->multiprocessors, sizeof *busy, error);
    making->bands = memory_array((size_t)most, sizeof *making->bands, error);
    bool there = work && busy && making->bands;
    if (there) {
        int64_t best = 0;
        double shortest = 0;
        for (int each = first; each <= last; each++)
            for (int n = 0; n <= EIGHTHS; n++) {
                cut(making, target_of(making, each, n));
                double span = (double)makespan(making, work, busy);
                if (best > 0 && span * ENOUGH >= shortest) continue;
                best = target_of(making, each, n);
                shortest = span;
            }
        cut(making, best);
    }
    free(work);
    free(busy);
    return there ? STATUS_OK : STATUS_MEMORY;
}

/* Sorting */

/* Write the entries of a band by their columns, those of a column by their rows, into `items`; `other` has
 * as much room. O(entries). */
static void sort_band(const struct making *making, const struct band *band, struct item *items,
                      struct item *other)
{
    const int64_t count = band->end - band->begin, cols = making->storage->cols;
    struct item *from = items, *to = other;
    for (int64_t k = 0; k < count; k++)
        items[k] = (struct item){(uint32_t)making->col[band->begin + k], (uint32_t)k};
    for (int shift = 0; cols >> shift > 0; shift += DIGIT_BITS) {
        int64_t place[(1 << DIGIT_BITS) + 1] = {0};
        const uint32_t digits = (1u << DIGIT_BITS) - 1;
        for (int64_t k = 0; k < count; k++)
            place[(from[k].col >> shift & digits) + 1]++;
        for (uint32_t d = 0; d < digits; d++)
            place[d + 1] += place[d];
        for (int64_t k = 0; k < count; k++)
            to[place[from[k].col >> shift & digits]++] = from[k];
        struct item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, (size_t)count * sizeof *items);
}

/* Rounds */

/* A piece during the assignment of entries to rounds. Element r of an array is for row r of the band. */
struct rounds {
    const struct making *making;
    const struct item *items; /* of the piece */
    int64_t count;
    const uint16_t *row;    /* of each entry of the band */
    int32_t *entries;       /* number of the piece's entries in a row */
    int32_t *copy, *copies; /* the first copy of a row, and the number of its copies */
    int32_t *turn;          /* the sum for the row's next entry: 0: its own, k: its copy k - 1 */
    int32_t *used;          /* element s: the last round that used sum s */
    struct item *waiting;
    int64_t waits;
    struct taken *taken;
    int32_t round;
    int fill;                 /* slots of the round in use */
    uint32_t lowest, highest; /* columns of the current group */
};

/* Return the number of sums of rows without copies: whole groups of 32 (sweep_sum). */
static int32_t sums_of_rows(int64_t rows)
{
    return (int32_t)((rows + 31) / 32 * 32);
}

/* Give copies to the rows with more entries than three quarters of the rounds. There are at most about 4/3 x
 * threads copies, for which band_rows leaves room. */
static bool make_copies(struct rounds *rounds, int32_t rows)
{
    const int64_t threads = rounds->making->plan->threads;
    const int64_t slow = max((rounds->count + threads - 1) / threads * 3 / 4, 1);
    int32_t next = sums_of_rows(rows), found = 0;
    memset(rounds->entries, 0, (size_t)rows * sizeof *rounds->entries);
    memset(rounds->copies, 0, (size_t)rows * sizeof *rounds->copies);
    memset(rounds->turn, 0, (size_t)rows * sizeof *rounds->turn);
    for (int64_t k = 0; k < rounds->count; k++)
        rounds->entries[rounds->row[rounds->items[k].entry]]++;
    for (int32_t r = 0; r < rows; r++) {
        int64_t wanted = (rounds->entries[r] - 1) / slow;
        int32_t copies = (int32_t)min(max(wanted, 0), rounds->making->plan->sums - next);
        rounds->copies[r] = copies;
        rounds->copy[r] = next;
        next += copies;
        found += copies > 0;
    }
    rounds->taken->sums_used = next;
    rounds->taken->copied = found;
    rounds->taken->copies = memory_array((size_t)found, sizeof *rounds->taken->copies, NULL);
    if (!rounds->taken->copies) return false;
    for (int32_t r = 0, k = 0; r < rows; r++)
        if (rounds->copies[r] > 0)
            rounds->taken->copies[k++] = (struct sweep_copy){
                .sum = sweep_sum(r), .first = rounds->copy[r], .count = rounds->copies[r]};
    for (int32_t s = 0; s < next; s++)
        rounds->used[s] = -1;
    return true;
}

static void put_place(struct rounds *rounds, int32_t entry, uint16_t sum)
{
    struct taken *taken = rounds->taken;
    taken->order[taken->places] = entry;
    taken->sums[taken->places++] = sum;
    rounds->fill++;
}

/* Add an entry to the round. Returns false if the round is full, or if its sum was already used in the round.
 * A group ends early if its columns would be too far apart. */
static bool give(struct rounds *rounds, const struct item *item)
{
    const int threads = rounds->making->plan->threads;
    const int32_t r = rounds->row[item->entry], turn = rounds->turn[r];
    const int32_t sum = turn == 0 ? sweep_sum(r) : rounds->copy[r] + turn - 1;
    if (rounds->fill == threads || rounds->used[sum] == rounds->round) return false;
    uint32_t lowest = (uint32_t)min(rounds->lowest, item->col);
    uint32_t highest = (uint32_t)max(rounds->highest, item->col);
    if (rounds->fill % SWEEP_LANES != 0 && highest - lowest >= NARROW)
        while (rounds->fill % SWEEP_LANES != 0)
            put_place(rounds, NO_ENTRY, SWEEP_NONE);
    if (rounds->fill == threads) return false;
    if (rounds->fill % SWEEP_LANES == 0) lowest = highest = item->col;
    rounds->lowest = lowest;
    rounds->highest = highest;
    rounds->used[sum] = rounds->round;
    rounds->turn[r] = turn == rounds->copies[r] ? 0 : turn + 1;
    put_place(rounds, (int32_t)item->entry, (uint16_t)sum);
    return true;
}

static bool make_room(struct taken *taken, int64_t more)
{
    if (taken->places + more <= taken->room) return true;
    taken->room = taken->places + more + taken->room / 2;
    int32_t *order = realloc(taken->order, (size_t)taken->room * sizeof *order);
    if (order) taken->order = order;
    uint16_t *sums = order ? realloc(taken->sums, (size_t)taken->room * sizeof *sums) : NULL;
    if (sums) taken->sums = sums;
    return sums != NULL;
}

/* Assign the entries of a piece to rounds: waiting ones first, and then the next ones. */
static bool fill_rounds(struct rounds *rounds)
{
    const int threads = rounds->making->plan->threads;
    int64_t next = 0;
    rounds->waits = 0;
    for (rounds->round = 0; next < rounds->count || rounds->waits > 0; rounds->round++) {
        int64_t left = 0;
        if (!make_room(rounds->taken, threads)) return false;
        rounds->fill = 0;
        for (int64_t k = 0; k < rounds->waits; k++)
            if (!give(rounds, &rounds->waiting[k])) rounds->waiting[left++] = rounds->waiting[k];
        rounds->waits = left;
        while (next < rounds->count && rounds->fill < threads && rounds->waits < AHEAD * (int64_t)threads) {
            if (!give(rounds, &rounds->items[next])) rounds->waiting[rounds->waits++] = rounds->items[next];
            next++;
        }
        while (rounds->fill < threads)
            put_place(rounds, NO_ENTRY, SWEEP_NONE);
    }
    return true;
}

/* Make the rounds of all pieces of a band. Returns false if there is no memory. */
static bool take_band(const struct making *making, const struct band *band)
{
    const size_t count = (size_t)(band->end - band->begin), rows = (size_t)band->rows;
    struct rounds rounds = {.making = making};
    struct item *items = memory_array(count, sizeof *items, NULL);
    struct item *other = memory_array(count, sizeof *other, NULL);
    uint16_t *row = memory_array(count, sizeof *row, NULL);
    rounds.entries = memory_array(4 * rows, sizeof *rounds.entries, NULL);
    rounds.used = memory_array((size_t)making->plan->sums, sizeof *rounds.used, NULL);
    rounds.waiting = memory_array((size_t)(AHEAD * making->plan->threads + 1), sizeof *rounds.waiting, NULL);
    bool done = items && other && row && rounds.entries && rounds.used && rounds.waiting;
    if (done) {
        rounds.copies = rounds.entries + rows;
        rounds.copy = rounds.copies + rows;
        rounds.turn = rounds.copy + rows;
        rounds.row = row;
        sort_band(making, band, items, other);
        for (int64_t r = 0; r < band->rows; r++)
            for (int64_t k = row_begin(making, band->row + r); k < row_begin(making, band->row + r + 1); k++)
                row[k - band->begin] = (uint16_t)r;
    }
    for (int64_t p = 0; p < band->pieces && done; p++) {
        int64_t begin = (int64_t)count * p / band->pieces;
        rounds.items = items + begin;
        rounds.count = (int64_t)count * (p + 1) / band->pieces - begin;
        rounds.taken = &making->taken[band->first + p];
        done = make_copies(&rounds, (int32_t)band->rows) && fill_rounds(&rounds);
    }
    free(items);
    free(other);
    free(row);
    free(rounds.entries);
    free(rounds.used);
    free(rounds.waiting);
    return done;
}

static enum status take_all(struct making *making, struct error *error)
{
    int failed = 0;
    making->taken = memory_zeroed((size_t)making->pieces, sizeof *making->taken, error);
    if (!making->taken) return STATUS_MEMORY;
#pragma omp parallel for schedule(dynamic, 1) reduction(| : failed) if (making->count > 1)
    for (int64_t b = 0; b < making->count; b++)
        failed |= !take_band(making, &making->bands[b]);
    if (failed) return error_set(error, STATUS_MEMORY, "no memory is left for the rounds of csr-swept");
    return STATUS_OK;
}

/* Tables */

/* Lanes with sums in one bank of shared memory are served one after the other: within a warp for 4-byte
 * values, else within a half or quarter of it. lanes[k] becomes the lane of slot p + k: those of one bank are
 * distributed over the halves or quarters. */
static void deal(const struct taken *taken, int64_t p, int parts, int lanes[SWEEP_LANES])
{
    const int banks = SWEEP_LANES / parts;
    int next[SWEEP_LANES + 2] = {0};
    for (int k = 0; k < SWEEP_LANES; k++)
        next[(taken->sums[p + k] == SWEEP_NONE ? banks : taken->sums[p + k] % banks) + 1]++;
    for (int bank = 0; bank <= banks; bank++)
        next[bank + 1] += next[bank];
    for (int k = 0; k < SWEEP_LANES; k++) {
        int i = next[taken->sums[p + k] == SWEEP_NONE ? banks : taken->sums[p + k] % banks]++;
        lanes[k] = i % parts * banks + i / parts;
    }
}

static void fill_group(const struct making *making, const struct band *band, const struct taken *taken,
                       int64_t p, int64_t group)
{
    struct sweeps *sweeps = making->sweeps;
    const struct array *val = &making->storage->array[CSR_VAL];
    const size_t value = element_size(val->element);
    int32_t lowest = INT32_MAX;
    int lanes[SWEEP_LANES];
    for (int k = 0; k < SWEEP_LANES; k++)
        if (taken->order[p + k] != NO_ENTRY)
            lowest = (int32_t)min(lowest, making->col[band->begin + taken->order[p + k]]);
    sweeps->bases[group] = lowest == INT32_MAX ? 0 : lowest;
    deal(taken, p, (int)value / 4, lanes);
    for (int k = 0; k < SWEEP_LANES; k++) {
        const int64_t at = group * SWEEP_LANES + lanes[k], e = band->begin + taken->order[p + k];
        const bool there = taken->order[p + k] != NO_ENTRY;
        sweeps->places[at] =
            (uint32_t)taken->sums[p + k] << 16 | (uint32_t)(there ? making->col[e] - lowest : 0);
        if (!sweeps->values) continue;
        char *to = (char *)sweeps->values + (size_t)at * value;
        if (there)
            memcpy(to, (const char *)val->data + (size_t)e * value, value);
        else
            memset(to, 0, value);
    }
}

/* Pieces with many rounds first, so that none of them begins when the others have ended. */
static int by_rounds(const void *a, const void *b)
{
    const struct sweep_piece *x = a, *y = b;
    if (x->rounds != y->rounds) return x->rounds < y->rounds ? 1 : -1;
    return (x->group > y->group) - (x->group < y->group);
}

static void fill_pieces(struct making *making)
{
    struct sweeps *sweeps = making->sweeps;
    int64_t group = 0, partials = 0;
    int32_t copies = 0;
    for (int64_t b = 0; b < making->count; b++) {
        const struct band *band = &making->bands[b];
        for (int32_t p = band->first; p < band->first + band->pieces; p++) {
            const struct taken *taken = &making->taken[p];
            sweeps->pieces[p] =
                (struct sweep_piece){.group = group,
                                     .rounds = (int32_t)(taken->places / making->plan->threads),
                                     .row = (int32_t)band->row,
                                     .rows = (int32_t)band->rows,
                                     .copies = copies,
                                     .copied = taken->copied,
                                     .partials = band->pieces > 1 ? (int32_t)partials : -1};
            if (taken->copied > 0)
                memcpy(sweeps->copies + copies, taken->copies, (size_t)taken->copied * sizeof *taken->copies);
            copies += taken->copied;
            group += taken->places / SWEEP_LANES;
            if (band->pieces > 1) partials += band->rows;
        }
    }
}

static void fill_joins(struct making *making)
{
    struct sweeps *sweeps = making->sweeps;
    int32_t join = 0;
    for (int64_t b = 0; b < making->count; b++) {
        const struct band *band = &making->bands[b];
        if (band->pieces == 1) continue;
        for (int64_t r = 0; r < band->rows; r += SWEEP_JOIN)
            sweeps->joins[join++] =
                (struct sweep_join){.row = (int32_t)(band->row + r),
                                    .rows = (int32_t)min(SWEEP_JOIN, band->rows - r),
                                    .partials = (int32_t)(sweeps->pieces[band->first].partials + r),
                                    .stride = (int32_t)band->rows,
                                    .pieces = band->pieces};
    }
}

/* Count the elements of the tables. Returns STATUS_UNAVAILABLE if they would be mostly padding. */
static enum status count_all(struct making *making, struct error *error)
{
    struct sweeps *sweeps = making->sweeps;
    int64_t places = 0, copied = 0, joined = 0;
    const int64_t round = making->plan->threads;
    sweeps->count = making->pieces;
    for (int64_t b = 0; b < making->count; b++) {
        const struct band *band = &making->bands[b];
        for (int32_t p = band->first; p < band->first + band->pieces; p++) {
            places += making->taken[p].places;
            copied += making->taken[p].copied;
            sweeps->sums = (int32_t)max(sweeps->sums, making->taken[p].sums_used);
        }
        if (band->pieces == 1) continue;
        sweeps->partials += band->pieces * band->rows;
        joined += (band->rows + SWEEP_JOIN - 1) / SWEEP_JOIN;
    }
    if (places > PADDING_MAX * (making->nnz + round * making->pieces))
        return error_set(
            error, STATUS_UNAVAILABLE,
            "csr-swept would take %lld places for %lld entries, since rows have their entries in "
            "few columns, or all have few that are far apart: give more sums, or take csr-balanced",
            (long long)places, (long long)making->nnz);
    if (copied > INT32_MAX || joined > INT32_MAX || sweeps->partials > INT32_MAX)
        return error_set(error, STATUS_UNAVAILABLE, "csr-swept takes up to %d sums of several pieces",
                         INT32_MAX);
    sweeps->groups = places / SWEEP_LANES;
    sweeps->copied = (int32_t)copied;
    sweeps->joined = (int32_t)joined;
    return STATUS_OK;
}

static enum status fill_all(struct making *making, struct error *error)
{
    struct sweeps *sweeps = making->sweeps;
    const struct array *val = &making->storage->array[CSR_VAL];
    size_t groups = (size_t)sweeps->groups, value = element_size(val->element), bytes;
    size_multiply(groups, SWEEP_LANES * (sizeof *sweeps->places + value) + sizeof *sweeps->bases, &bytes);
    enum status status = memory_check(bytes, making->plan->limit, "the tables of csr-swept", error);
    if (status != STATUS_OK) return status;
    sweeps->places = memory_array(groups * SWEEP_LANES, sizeof *sweeps->places, error);
    sweeps->bases = memory_array(groups, sizeof *sweeps->bases, error);
    if (val->data) sweeps->values = memory_array(groups * SWEEP_LANES, value, error);
    sweeps->pieces = memory_array((size_t)sweeps->count, sizeof *sweeps->pieces, error);
    sweeps->copies = memory_array((size_t)sweeps->copied, sizeof *sweeps->copies, error);
    sweeps->joins = memory_array((size_t)sweeps->joined, sizeof *sweeps->joins, error);
    if (!sweeps->places || !sweeps->bases || (val->data && !sweeps->values) || !sweeps->pieces ||
        !sweeps->copies || !sweeps->joins)
        return STATUS_MEMORY;
    fill_pieces(making);
    fill_joins(making);
#pragma omp parallel for schedule(dynamic, 1) if (making->count > 1)
    for (int64_t b = 0; b < making->count; b++) {
        const struct band *band = &making->bands[b];
        for (int32_t p = band->first; p < band->first + band->pieces; p++)
            for (int64_t k = 0; k < making->taken[p].places; k += SWEEP_LANES)
                fill_group(making, band, &making->taken[p], k, sweeps->pieces[p].group + k / SWEEP_LANES);
    }
    qsort(sweeps->pieces, (size_t)sweeps->count, sizeof *sweeps->pieces, by_rounds);
    return STATUS_OK;
}

static void free_taken(struct making *making)
{
    for (int32_t p = 0; making->taken && p < making->pieces; p++) {
        free(making->taken[p].order);
        free(making->taken[p].sums);
        free(making->taken[p].copies);
    }
    free(making->taken);
    free(making->bands);
}

/* Return the maximum rows of a band; the other sums are for copies. */
static int64_t rows_of_band(const struct sweep_plan *plan)
{
    return max(plan->sums - (plan->threads * (int64_t)4 / 3 + 1), plan->sums / 2) / 32 * 32;
}

enum status sweeps_make(const struct storage *storage, const struct sweep_plan *plan, struct sweeps *sweeps,
                        struct error *error)
{
    struct making making = {.storage = storage,
                            .row_ptr = &storage->array[CSR_ROW_PTR],
                            .col = storage->array[CSR_COL].data,
                            .plan = plan,
                            .rows = storage->rows,
                            .nnz = storage->nnz,
                            .band_rows = rows_of_band(plan),
                            .sweeps = sweeps};
    *sweeps = (struct sweeps){0};
    if (storage->rows == 0) return STATUS_OK;
    enum status status = make_bands(&making, error);
    for (int64_t b = 0; b < making.count && status == STATUS_OK; b++)
        if (making.bands[b].end - making.bands[b].begin > INT32_MAX)
            status = error_set(error, STATUS_UNAVAILABLE,
                               "csr-swept takes up to %d entries in %lld rows that follow each other",
                               INT32_MAX, (long long)making.bands[b].rows);
    if (status == STATUS_OK) status = take_all(&making, error);
    if (status == STATUS_OK) status = count_all(&making, error);
    if (status == STATUS_OK) status = fill_all(&making, error);
    free_taken(&making);
    if (status != STATUS_OK) sweeps_free(sweeps);
    return status;
}

void sweeps_free(struct sweeps *sweeps)
{
    free(sweeps->places);
    free(sweeps->bases);
    free(sweeps->values);
    free(sweeps->pieces);
    free(sweeps->copies);
    free(sweeps->joins);
    *sweeps = (struct sweeps){0};
}
