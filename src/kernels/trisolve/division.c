#include "kernels/trisolve/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "kernels/trisolve/order.h"

/* The minimum work of a task of a level: a smaller task takes less time than waiting for another thread.
 * Work is in units of an entry, some 0.4 ns. */
#define TASK_WORK 1024
/* The bounds between threads move if a thread has more than this multiple of the mean work in a level. */
#define UNEVEN 1.25
/* The work of waiting for another thread (its counter and its first x come from another core's cache), of an
 * entry whose x another thread has computed, and of starting
 * all threads. */
#define WAIT_WORK 500
#define FOREIGN_WORK 2
#define START_WORK 4000
/* One thread solves all rows unless several are expected to take at most this share of its time. */
#define WORTH 0.9

/* The works of pieces that are tried. Smaller ones, with more waits, must be expected to take at most this
 * share of the best time until then. */
static const int64_t piece_works[] = {4096, 2048, 1024, 512};
#define SMALLER 0.95

/* The state of dividing. */
struct state {
    const struct trisolve_parts *parts;
    const struct trisolve_wish *wish;
    const struct trisolve_triangle *own, *other; /* `other` is NULL if it is not requested */
    struct trisolve_division now;                /* the way that is tried; its order is not used */
    const int32_t *order;                        /* the rows in the order of one thread */
    int32_t *tasks;                              /* the number of tasks of each thread */
    double *cost, *most;                         /* scratch, one for each thread */
    double *ready;                               /* the time at which a thread is ready */
    int64_t *from;   /* level l has the rows sorted[from[l]] .. sorted[from[l + 1] - 1] */
    int32_t *sorted; /* rows by level, ascending in each */
    int32_t *bound;  /* thread t has the rows bound[t] .. bound[t + 1] - 1; thread 0 also has all rows
                        before them, and the last thread all rows after them */
    int bounds;      /* the number of threads of the bounds; 0: no bounds exist */
    int32_t *piece;  /* of each row */
    int32_t *owner;  /* the thread of each piece */
    double *finish;  /* the time at which each piece is finished */
};

static int64_t work_of(const struct state *state, int64_t i)
{
    int64_t work = TRISOLVE_ROW_WORK + state->own->row_ptr[i + 1] - state->own->row_ptr[i];
    if (state->other) work += state->other->row_ptr[i + 1] - state->other->row_ptr[i];
    return work;
}

static void sort_by_level(const struct state *state)
{
    int64_t *from = state->from;
    const int32_t *levels = state->wish->levels;
    const int64_t rows = state->parts->rows;
    for (int64_t i = 0; i < rows; i++)
        from[levels[i] + 2]++;
    for (int64_t l = 0; l < state->wish->level_count; l++)
        from[l + 2] += from[l + 1];
    for (int64_t i = 0; i < rows; i++)
        state->sorted[from[levels[i] + 1]++] = (int32_t)i;
}

/* Return the thread, of `count`, that owns row i; it is t or a later one. */
static int owner_of(const struct state *state, int count, int32_t i, int t)
{
    while (t + 1 < count && i >= state->bound[t + 1])
        t++;
    return t;
}

/* Return the largest work of a thread in this level with the present bounds. */
static int64_t most_work(const struct state *state, int64_t level, int count)
{
    int64_t most = 0, work = 0;
    int t = 0;
    for (int64_t k = state->from[level]; k < state->from[level + 1]; k++) {
        const int now = owner_of(state, count, state->sorted[k], t);
        if (now != t) work = 0;
        t = now;
        work += work_of(state, state->sorted[k]);
        most = max(most, work);
    }
    return most;
}

/* Set bounds that give each thread about the same work in this level. */
static void set_bounds(struct state *state, int64_t level, int64_t work, int count)
{
    int64_t done = 0;
    int t = 0;
    for (int64_t k = state->from[level]; k < state->from[level + 1]; k++) {
        const int now = (int)(done * count / work);
        while (t < now)
            state->bound[++t] = state->sorted[k];
        done += work_of(state, state->sorted[k]);
    }
    while (t + 1 < count)
        state->bound[++t] = INT32_MAX;
    state->bounds = count;
}

/* Divide the rows of a level among the first `count` threads. Each has the rows between two bounds. The
 * bounds stay the same from level to level as long as they divide the work well, so that a thread needs few
 * rows of others. The rows of a thread are a new task. With `more`, they continue the last task of thread 0
 * instead. */
static void deal(struct state *state, int64_t level, int64_t work, int count, bool more)
{
    int t = -1;
    if (count > 1) {
        state->now.shared = true;
        if (state->bounds != count || (double)most_work(state, level, count) > UNEVEN * (double)work / count)
            set_bounds(state, level, work, count);
    }
    for (int64_t k = state->from[level]; k < state->from[level + 1]; k++) {
        const int32_t i = state->sorted[k];
        const int now = count > 1 ? owner_of(state, count, i, t < 0 ? 0 : t) : 0;
        if (now != t && !(more && state->tasks[now] > 0)) state->tasks[now]++;
        t = now;
        state->now.thread[i] = t;
        state->now.task[i] = state->tasks[t] - 1;
    }
}

/* Return the expected time of a level that `count` threads share. */
static double level_time(struct state *state, int64_t level, int count)
{
    double longest = 0;
    for (int t = 0; t < count; t++)
        state->cost[t] = 0;
    for (int64_t k = state->from[level]; k < state->from[level + 1]; k++) {
        const int32_t i = state->sorted[k], t = state->now.thread[i];
        double cost = (double)work_of(state, i);
        for (int64_t e = state->own->row_ptr[i]; e < state->own->row_ptr[i + 1]; e++)
            if (state->now.thread[state->own->col[e]] != t) cost += FOREIGN_WORK;
        state->cost[t] += cost;
        longest = fmax(longest, state->cost[t]);
    }
    return longest + (count > 1 ? WAIT_WORK : 0);
}

/* Divide by levels. One thread has a level with little work, and successive levels with little work are one
 * task. */
static void divide_by_levels(struct state *state)
{
    bool alone = false;
    state->now.time = START_WORK;
    for (int64_t l = 0; l < state->wish->level_count; l++) {
        int64_t work = 0;
        for (int64_t k = state->from[l]; k < state->from[l + 1]; k++)
            work += work_of(state, state->sorted[k]);
        const int count = (int)max(1, min(work / TASK_WORK, state->wish->threads));
        deal(state, l, work, count, count == 1 && alone);
        state->now.time += level_time(state, l, count);
        alone = count == 1;
    }
}

/* Return the thread that finishes a piece first, and the time. The piece waits for other threads until
 * most[u]. Thread t needs work + cost[t]. */
static int choose(const struct state *state, double work, double *soonest)
{
    int latest = -1, best = 0;
    double second = 0;
    for (int u = 0; u < state->wish->threads; u++) {
        if (latest < 0 || state->most[u] > state->most[latest]) {
            second = latest < 0 ? 0 : state->most[latest];
            latest = u;
        } else {
            second = fmax(second, state->most[u]);
        }
    }
    *soonest = INFINITY;
    for (int t = 0; t < state->wish->threads; t++) {
        const double until = t == latest ? second : state->most[latest];
        const double start = fmax(state->ready[t], until > 0 ? until + WAIT_WORK : 0);
        const double finish = start + work + state->cost[t];
        if (finish >= *soonest) continue;
        *soonest = finish;
        best = t;
    }
    return best;
}

/* Give the piece with the rows order[first] .. order[last - 1] to the thread that finishes it first. */
static void place(struct state *state, int32_t piece, int64_t first, int64_t last)
{
    const int threads = state->wish->threads;
    double work = 0, foreign = 0;
    memset(state->cost, 0, (size_t)threads * sizeof *state->cost);
    memset(state->most, 0, (size_t)threads * sizeof *state->most);
    for (int64_t k = first; k < last; k++) {
        const int32_t i = state->order[k];
        work += (double)work_of(state, i);
        for (int64_t e = state->own->row_ptr[i]; e < state->own->row_ptr[i + 1]; e++) {
            const int32_t needed = state->piece[state->own->col[e]];
            if (needed == piece) continue;
            const int32_t t = state->owner[needed];
            foreign += FOREIGN_WORK;
            state->cost[t] -= FOREIGN_WORK;
            state->most[t] = fmax(state->most[t], state->finish[needed]);
        }
    }
    double soonest;
    const int best = choose(state, work + foreign, &soonest);
    state->ready[best] = state->finish[piece] = soonest;
    state->owner[piece] = best;
    state->now.time = fmax(state->now.time, START_WORK + soonest);
    state->now.shared = state->now.shared || best > 0;
    for (int64_t k = first; k < last; k++) {
        state->now.thread[state->order[k]] = best;
        state->now.task[state->order[k]] = state->tasks[best];
    }
    state->tasks[best]++;
}

/* True if row i needs a row of the piece. */
static bool continues(const struct state *state, int64_t i, int32_t piece)
{
    for (int64_t e = state->own->row_ptr[i]; e < state->own->row_ptr[i + 1]; e++)
        if (state->piece[state->own->col[e]] == piece) return true;
    return false;
}

/* Divide by pieces. A row that needs no row of the piece, such as the first of a line, begins another piece:
 * the rest of its line then need not wait for this piece. */
static void divide_by_pieces(struct state *state, int64_t piece_work)
{
    const int64_t rows = state->parts->rows;
    int32_t piece = 0;
    state->now.time = 0;
    memset(state->ready, 0, (size_t)state->wish->threads * sizeof *state->ready);
    for (int64_t first = 0, last; first < rows; first = last, piece++) {
        int64_t work = 0;
        for (last = first; last < rows && work < piece_work; last++) {
            const int32_t i = state->order[last];
            if (work > piece_work / 8 && !continues(state, i, piece)) break;
            state->piece[i] = piece;
            work += work_of(state, i);
        }
        place(state, piece, first, last);
    }
}

/* Try a way of dividing, and keep it if it is the best one until now. */
static void attempt(struct state *state, int64_t piece_work, struct trisolve_division *best)
{
    memset(state->tasks, 0, (size_t)state->wish->threads * sizeof *state->tasks);
    state->now.shared = false;
    if (piece_work)
        divide_by_pieces(state, piece_work);
    else
        divide_by_levels(state);
    const double share = best->shared ? SMALLER : 1;
    if (!state->now.shared || state->now.time >= share * best->time) return;
    const struct trisolve_division other = *best;
    *best = state->now;
    best->order = other.order;
    state->now = other;
}

static bool make_state(struct state *state, struct error *error)
{
    const size_t rows = (size_t)state->parts->rows, threads = (size_t)state->wish->threads;
    state->now.thread = memory_array(rows, sizeof *state->now.thread, error);
    state->now.task = memory_array(rows, sizeof *state->now.task, error);
    state->tasks = memory_array(threads, sizeof *state->tasks, error);
    state->cost = memory_array(threads, sizeof *state->cost, error);
    state->most = memory_array(threads, sizeof *state->most, error);
    state->ready = memory_array(threads, sizeof *state->ready, error);
    state->from = memory_zeroed((size_t)state->wish->level_count + 2, sizeof *state->from, error);
    state->sorted = memory_array(rows, sizeof *state->sorted, error);
    state->bound = memory_array(threads + 1, sizeof *state->bound, error);
    state->piece = memory_array(rows, sizeof *state->piece, error);
    state->owner = memory_array(rows, sizeof *state->owner, error);
    state->finish = memory_array(rows, sizeof *state->finish, error);
    return state->now.thread && state->now.task && state->tasks && state->cost && state->most &&
           state->ready && state->from && state->sorted && state->bound && state->piece && state->owner &&
           state->finish;
}

static void free_state(struct state *state)
{
    free(state->now.thread);
    free(state->now.task);
    free(state->tasks);
    free(state->cost);
    free(state->most);
    free(state->ready);
    free(state->from);
    free(state->sorted);
    free(state->bound);
    free(state->piece);
    free(state->owner);
    free(state->finish);
}

/* Compare the ways of dividing among several threads. */
static enum status share(struct state *state, struct trisolve_division *division, struct error *error)
{
    if (!make_state(state, error)) return STATUS_MEMORY;
    double alone = 0;
    for (int64_t i = 0; i < state->parts->rows; i++)
        alone += (double)work_of(state, i);
    division->time = WORTH * alone;
    sort_by_level(state);
    attempt(state, 0, division);
    for (size_t k = 0; k < sizeof piece_works / sizeof *piece_works; k++)
        attempt(state, piece_works[k], division);
    return STATUS_OK;
}

enum status trisolve_divide(const struct trisolve_parts *parts, const struct trisolve_wish *wish,
                            struct trisolve_division *division, struct error *error)
{
    const size_t rows = (size_t)parts->rows;
    struct state state = {.parts = parts,
                          .wish = wish,
                          .own = &parts->triangle[wish->triangle],
                          .other = wish->both ? &parts->triangle[!wish->triangle] : NULL};
    *division = (struct trisolve_division){0};
    division->order = memory_array(rows, sizeof *division->order, error);
    division->thread = memory_zeroed(rows, sizeof *division->thread, error);
    division->task = memory_zeroed(rows, sizeof *division->task, error);
    if (!division->order || !division->thread || !division->task) return STATUS_MEMORY;
    int64_t *scratch = memory_array(rows, sizeof *scratch, error);
    if (!scratch) return STATUS_MEMORY;
    const int delay = trisolve_delay(state.own, wish->triangle, parts->rows, scratch);
    free(scratch);
    enum status status =
        trisolve_order(state.own, wish->triangle, parts->rows, delay, division->order, error);
    state.order = division->order;
    if (status == STATUS_OK && wish->threads > 1) status = share(&state, division, error);
    free_state(&state);
    division->delay = delay;
    return status;
}

void trisolve_division_free(struct trisolve_division *division)
{
    free(division->order);
    free(division->thread);
    free(division->task);
    *division = (struct trisolve_division){0};
}
