/* The strongly connected components of a pattern that is too large to be gathered: vertices on no cycle are
 * removed, then the component of a vertex with many entries, which consists of the vertices that it can reach
 * and that can reach it (Fleischer, Hendrickson and Pinar, "On identifying strongly connected components in
 * parallel", IPDPS 2000; McLendon et al., JPDC 65, 2005, for the trimming). If one component is large, the
 * rest is small, and rank 0 gathers it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "ranks/sums/parts.h"

/* The search ends without a result after this number of rounds of trimming or of reaching, or of components
 * found one by one. A chain that alternates between ranks takes a round for each step. */
#define TRIM_ROUNDS 200
#define REACH_ROUNDS 2000
#define PIVOTS 16

/* Bytes per vertex of the gathered rest on rank 0, until its components are found. */
#define STRONG_VERTEX_BYTES ((size_t)32)

/* Number of times that a rank follows its own rows before it exchanges with the others. */
#define PASSES 64

#define ROUND_WORDS ((int64_t)1 << 15)

/* All sets are sets of vertices. Between two steps they are equal on all ranks. */
struct search {
    const struct sums *sums;
    int64_t vertices, words;
    uint64_t *active;         /* vertices whose component is not known */
    uint64_t *after, *before; /* vertices with entries to others, from others; or reached vertices */
    uint8_t *followed;        /* for each of this rank's rows: it was followed */
    int64_t count, largest;
};

static inline bool has(const uint64_t *set, int64_t k)
{
    return set[k >> 6] >> (k & 63) & 1;
}

static void unite(const struct search *search, uint64_t *set)
{
    const struct ranks *ranks = search->sums->ranks;
    struct flight flight;
    flight_begin(&flight, ranks, ROUNDS_AHEAD);
    for (int64_t k = 0; k < search->words; k += ROUND_WORDS)
        MPI_Iallreduce(MPI_IN_PLACE, set + k, (int)min(search->words - k, ROUND_WORDS), MPI_UINT64_T, MPI_BOR,
                       ranks->all, flight_next(&flight));
    flight_end(&flight);
}

static void clear(const struct search *search, uint64_t *set)
{
    memset(set, 0, (size_t)search->words * sizeof *set);
}

static int64_t number_of(const struct search *search, const uint64_t *set)
{
    return set_count(set, search->vertices);
}

/* Remove the vertices of `active` that are not in both sets; each is a component. Returns their number. */
static int64_t take_away(struct search *search)
{
    int64_t were = number_of(search, search->active);
    for (int64_t k = 0; k < search->words; k++)
        search->active[k] &= search->after[k] & search->before[k];
    int64_t gone = were - number_of(search, search->active);
    search->count += gone;
    if (gone) search->largest = max(search->largest, 1);
    return gone;
}

/* A vertex without an entry to another, or from another, is on no cycle. */
static void trim(struct search *search)
{
    const struct csr *own = &search->sums->share->own;
    int64_t first = search->sums->share->first, gone = 1;
    for (int round = 0; round < TRIM_ROUNDS && gone > 0; round++) {
        clear(search, search->after);
        clear(search, search->before);
        for (int64_t r = 0; r < own->rows; r++) {
            if (!has(search->active, first + r)) continue;
            for (int64_t k = own->row_ptr[r]; k < own->row_ptr[r + 1]; k++) {
                if (own->col[k] == first + r || !has(search->active, own->col[k])) continue;
                set_add(search->after, first + r);
                set_add(search->before, own->col[k]);
            }
        }
        unite(search, search->after);
        unite(search, search->before);
        gone = take_away(search);
    }
}

/* Follow the entries of this rank's reached rows. Returns whether that reached further rows of it. */
static bool follow(struct search *search)
{
    const struct csr *own = &search->sums->share->own;
    int64_t first = search->sums->share->first, last = first + own->rows;
    bool again = false;
    for (int64_t r = 0; r < own->rows; r++) {
        if (search->followed[r] || !has(search->after, first + r)) continue;
        search->followed[r] = 1;
        for (int64_t k = own->row_ptr[r]; k < own->row_ptr[r + 1]; k++) {
            int64_t j = own->col[k];
            if (!has(search->active, j) || has(search->after, j)) continue;
            set_add(search->after, j);
            again = again || (j >= first && j < last);
        }
    }
    return again;
}

/* Mark this rank's rows with an entry that leads to the set of vertices that reach the vertex. */
static bool follow_back(struct search *search)
{
    const struct csr *own = &search->sums->share->own;
    int64_t first = search->sums->share->first;
    bool again = false;
    for (int64_t r = own->rows - 1; r >= 0; r--) {
        if (!has(search->active, first + r) || has(search->before, first + r)) continue;
        for (int64_t k = own->row_ptr[r]; k < own->row_ptr[r + 1]; k++) {
            if (!has(search->before, own->col[k])) continue;
            set_add(search->before, first + r);
            again = true;
            break;
        }
    }
    return again;
}

/* Extend a set by `step` until no rank adds to it. Returns false after too many rounds. */
static bool reach(struct search *search, uint64_t *set, int64_t vertex, bool (*step)(struct search *search))
{
    int64_t reached = 0, before = -1;
    clear(search, set);
    memset(search->followed, 0, (size_t)search->sums->share->own.rows);
    set_add(set, vertex);
    for (int round = 0; round < REACH_ROUNDS && reached != before; round++) {
        for (int pass = 0; pass < PASSES && step(search); pass++)
            ;
        unite(search, set);
        before = reached;
        reached = number_of(search, set);
    }
    return reached == before;
}

/* Return the active vertex whose row has the most entries, -1 if there is none. */
static int64_t choose(const struct search *search)
{
    const struct csr *own = &search->sums->share->own;
    int64_t first = search->sums->share->first, best = -1;
    for (int64_t r = 0; r < own->rows; r++) {
        int64_t length = own->row_ptr[r + 1] - own->row_ptr[r];
        if (has(search->active, first + r)) best = max(best, length << 31 | (first + r));
    }
    ranks_max(search->sums->ranks, &best, 1);
    return best < 0 ? -1 : best & INT32_MAX;
}

/* Find the component of a vertex, and remove it. Returns false after too many rounds. */
static bool take_component(struct search *search)
{
    int64_t vertex = choose(search), size = 0;
    if (vertex < 0) return true;
    if (!reach(search, search->after, vertex, follow)) return false;
    if (!reach(search, search->before, vertex, follow_back)) return false;
    for (int64_t k = 0; k < search->words; k++) {
        uint64_t both = search->after[k] & search->before[k];
        size += __builtin_popcountll(both);
        search->active[k] &= ~both;
    }
    search->count++;
    search->largest = max(search->largest, size);
    return true;
}

/* The rest: the active vertices, renumbered, and the entries between them. */
struct rest {
    int64_t vertices, entries; /* over all ranks */
    int64_t *number;           /* the number of the first vertex of each word of the set */
    size_t *rows, *columns;    /* bytes of lengths and of columns of each rank */
    int64_t *lengths;          /* lengths of this rank's rows; on rank 0, `all` has the offsets of all */
    int32_t *col;
    struct csr all;
};

static void rest_free(struct rest *rest)
{
    free(rest->number);
    free(rest->rows);
    free(rest->columns);
    free(rest->lengths);
    free(rest->col);
    csr_free(&rest->all);
}

/* Count the entries between active vertices in this rank's rows, and write them if there are buffers. */
static int64_t list_rest(const struct search *search, struct rest *rest)
{
    const struct csr *own = &search->sums->share->own;
    int64_t first = search->sums->share->first, entries = 0, row = 0;
    for (int64_t r = 0; r < own->rows; r++) {
        int64_t before = entries;
        if (!has(search->active, first + r)) continue;
        for (int64_t k = own->row_ptr[r]; k < own->row_ptr[r + 1]; k++) {
            int64_t j = own->col[k];
            if (j == first + r || !has(search->active, j)) continue;
            uint64_t below = search->active[j >> 6] & (((uint64_t)1 << (j & 63)) - 1);
            if (rest->col) rest->col[entries] = (int32_t)(rest->number[j >> 6] + __builtin_popcountll(below));
            entries++;
        }
        if (rest->lengths) rest->lengths[row] = entries - before;
        row++;
    }
    return entries;
}

static int64_t own_vertices(const struct search *search)
{
    int64_t first = search->sums->share->first, rows = 0;
    for (int64_t r = 0; r < search->sums->share->own.rows; r++)
        rows += has(search->active, first + r);
    return rows;
}

static enum status take_memory(const struct search *search, struct rest *rest, int64_t rows, int64_t entries,
                               struct error *error)
{
    const struct ranks *ranks = search->sums->ranks;
    rest->number = memory_array((size_t)search->words + 1, sizeof *rest->number, error);
    rest->rows = memory_array((size_t)ranks->count, sizeof *rest->rows, error);
    rest->columns = memory_array((size_t)ranks->count, sizeof *rest->columns, error);
    rest->lengths = memory_array((size_t)rows, sizeof *rest->lengths, error);
    rest->col = memory_array((size_t)entries, sizeof *rest->col, error);
    bool there = rest->number && rest->rows && rest->columns && rest->lengths && rest->col;
    if (there && ranks->rank == 0) {
        rest->all.rows = rest->all.cols = rest->vertices;
        rest->all.row_ptr = memory_zeroed((size_t)rest->vertices + 1, sizeof *rest->all.row_ptr, error);
        rest->all.col = memory_array((size_t)rest->entries, sizeof *rest->all.col, error);
        there = rest->all.row_ptr && rest->all.col;
    }
    return there ? STATUS_OK : STATUS_MEMORY;
}

/* Send the byte counts of each rank to all ranks. */
static void tell_bytes(const struct ranks *ranks, int64_t rows, int64_t entries, struct rest *rest)
{
    for (int r = 0; r < ranks->count; r++) {
        int64_t bytes[] = {rows * (int64_t)sizeof(int64_t), entries * (int64_t)sizeof(int32_t)};
        ranks_broadcast(ranks, r, bytes, sizeof bytes);
        rest->rows[r] = (size_t)bytes[0];
        rest->columns[r] = (size_t)bytes[1];
    }
}

/* Gather the rest on rank 0, which finds its components. */
static enum status find_rest(struct search *search, int64_t entries, int64_t all_entries, struct error *error)
{
    const struct ranks *ranks = search->sums->ranks;
    struct rest rest = {.vertices = number_of(search, search->active), .entries = all_entries};
    int64_t rows = own_vertices(search), before = 0, count = 0, largest = 0;
    enum status status = ranks_agree(ranks, take_memory(search, &rest, rows, entries, error), error);
    if (status == STATUS_OK) {
        for (int64_t k = 0; k < search->words; k++) {
            rest.number[k] = before;
            before += __builtin_popcountll(search->active[k]);
        }
        list_rest(search, &rest);
        tell_bytes(ranks, rows, entries, &rest);
        ranks_join(ranks, 0, rest.lengths, rest.rows, rest.all.row_ptr ? rest.all.row_ptr + 1 : NULL);
        ranks_join(ranks, 0, rest.col, rest.columns, rest.all.col);
        if (ranks->rank == 0) {
            for (int64_t v = 0; v < rest.vertices; v++)
                rest.all.row_ptr[v + 1] += rest.all.row_ptr[v];
            status = strong_components(&rest.all, NULL, NULL, NULL, NULL, &count, &largest, error);
        }
        status = ranks_agree(ranks, status, error);
        search->count += count;
        search->largest = max(search->largest, largest);
    }
    rest_free(&rest);
    return status;
}

/* True on all ranks if rank 0 has memory for the rest, beyond the usual maximum. */
static bool has_room(const struct search *search, int64_t vertices, int64_t entries)
{
    size_t bytes, more;
    size_multiply((size_t)entries, 2 * sizeof(int32_t), &bytes);
    size_multiply((size_t)vertices, STRONG_VERTEX_BYTES, &more);
    size_add(bytes, more, &bytes);
    int room = memory_check(bytes, search->sums->options.limit, "", NULL) == STATUS_OK;
    ranks_broadcast(search->sums->ranks, 0, &room, sizeof room);
    return room;
}

/* Remove components until the rest is small enough to be gathered. If no more can be removed, gather it if
 * rank 0 has memory for it. *known becomes whether it was gathered. */
static enum status find(struct search *search, bool *known, struct error *error)
{
    *known = false;
    trim(search);
    for (int pivot = 0;; pivot++) {
        int64_t entries = list_rest(search, &(struct rest){0}), all = entries;
        ranks_sum(search->sums->ranks, &all, 1);
        int64_t left = number_of(search, search->active);
        if (all <= search->sums->options.gathered && left <= max(search->sums->options.gathered, 1)) {
            *known = true;
            return find_rest(search, entries, all, error);
        }
        if (pivot == PIVOTS || !take_component(search)) {
            *known = has_room(search, left, all);
            return *known ? find_rest(search, entries, all, error) : STATUS_OK;
        }
        trim(search);
    }
}

enum status sums_strong(struct sums *sums, struct components *components, struct error *error)
{
    struct search search = {.sums = sums, .vertices = sums->share->rows};
    bool known = false;
    search.words = (int64_t)(set_bytes(search.vertices) / sizeof *search.active);
    search.active = set_new(search.vertices, error);
    search.after = set_new(search.vertices, error);
    search.before = set_new(search.vertices, error);
    search.followed = memory_array((size_t)sums->share->own.rows, 1, error);
    bool there = search.active && search.after && search.before && search.followed;
    enum status status = ranks_agree(sums->ranks, there ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        for (int64_t v = 0; v < search.vertices; v++)
            set_add(search.active, v);
        status = find(&search, &known, error);
    }
    components->strong = known ? search.count : -1;
    components->largest_strong = known ? search.largest : -1;
    free(search.active);
    free(search.after);
    free(search.before);
    free(search.followed);
    return status;
}
