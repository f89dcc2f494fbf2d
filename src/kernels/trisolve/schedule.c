#include "kernels/trisolve/schedule.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* The work of a row in addition to its entries, in units of an entry. */
#define ROW_WORK 4
/* The minimum work of a task: a smaller task takes less time than waiting for another thread. */
#define TASK_WORK 1024
/* The bounds move if a thread has more than this multiple of the mean work in a level. */
#define UNEVEN 1.25
/* The number of times that a waiting thread reads another thread's count of tasks before it yields its
 * processor. */
#define SPINS 4096

/* The state of dividing. */
struct division {
    const struct trisolve_parts *parts;
    const struct trisolve_triangle *own, *other; /* `other` is NULL if it is not requested */
    struct trisolve_schedule *schedule;
    bool backward;   /* a solve by one thread begins with the last row */
    int64_t *from;   /* level l has the rows order[from[l]] .. order[from[l + 1] - 1] */
    int32_t *order;  /* rows by level, ascending in each */
    int32_t *thread; /* of each row */
    int32_t *task;   /* of each row, in its strand */
    int32_t *bound;  /* thread t has the rows bound[t] .. bound[t + 1] - 1; thread 0 also has all rows before
                        them, and the last thread all rows after them */
    int bounds;      /* the number of threads of the bounds; 0: no bounds exist */
};

static int64_t work_of(const struct division *division, int64_t i)
{
    return ROW_WORK + division->own->row_ptr[i + 1] - division->own->row_ptr[i];
}

static void sort(const struct division *division, const int32_t *levels)
{
    int64_t *from = division->from;
    const int64_t rows = division->parts->rows;
    for (int64_t i = 0; i < rows; i++)
        from[levels[i] + 2]++;
    for (int64_t l = 0; l < division->schedule->levels; l++)
        from[l + 2] += from[l + 1];
    for (int64_t i = 0; i < rows; i++)
        division->order[from[levels[i] + 1]++] = (int32_t)i;
}

/* Return the thread, of `count`, that owns row i; it is t or a later one. */
static int owner_of(const struct division *division, int count, int32_t i, int t)
{
    while (t + 1 < count && i >= division->bound[t + 1])
        t++;
    return t;
}

/* Return the largest work of a thread in this level with the present bounds. */
static int64_t most_work(const struct division *division, int64_t level, int count)
{
    int64_t most = 0, work = 0;
    int t = 0;
    for (int64_t k = division->from[level]; k < division->from[level + 1]; k++) {
        const int now = owner_of(division, count, division->order[k], t);
        if (now != t) work = 0;
        t = now;
        work += work_of(division, division->order[k]);
        most = max(most, work);
    }
    return most;
}

/* Set bounds that give each thread about the same work in this level. */
static void set_bounds(struct division *division, int64_t level, int64_t work, int count)
{
    int64_t done = 0;
    int t = 0;
    for (int64_t k = division->from[level]; k < division->from[level + 1]; k++) {
        const int now = (int)(done * count / work);
        while (t < now)
            division->bound[++t] = division->order[k];
        done += work_of(division, division->order[k]);
    }
    while (t + 1 < count)
        division->bound[++t] = INT32_MAX;
    division->bounds = count;
}

/* Divide the rows of a level among the first `count` threads. Each has the rows between two bounds. The
 * bounds stay the same from level to level as long as they divide the work well, so that a thread needs few
 * rows of others. The rows of a thread are a new task. With `more`, they continue the last task of thread 0
 * instead. */
static void deal(struct division *division, int64_t level, int64_t work, int count, bool more)
{
    int t = -1;
    if (count > 1) {
        division->schedule->shared = true;
        if (division->bounds != count ||
            (double)most_work(division, level, count) > UNEVEN * (double)work / count)
            set_bounds(division, level, work, count);
    }
    for (int64_t k = division->from[level]; k < division->from[level + 1]; k++) {
        const int32_t i = division->order[k];
        const int now = count > 1 ? owner_of(division, count, i, t < 0 ? 0 : t) : 0;
        struct trisolve_strand *strand = &division->schedule->strands[now];
        if (now != t && !(more && strand->tasks > 0)) strand->tasks++;
        t = now;
        division->thread[i] = t;
        division->task[i] = (int32_t)(strand->tasks - 1);
        strand->rows++;
        strand->entries += division->own->row_ptr[i + 1] - division->own->row_ptr[i];
        if (division->other) strand->others += division->other->row_ptr[i + 1] - division->other->row_ptr[i];
    }
}

/* Give each row a thread and a task. One thread has a level with little work, and successive levels with
 * little work are one task. */
static void divide(struct division *division)
{
    bool alone = false;
    for (int64_t l = 0; l < division->schedule->levels; l++) {
        int64_t work = 0;
        for (int64_t k = division->from[l]; k < division->from[l + 1]; k++)
            work += work_of(division, division->order[k]);
        const int count = (int)max(1, min(work / TASK_WORK, division->schedule->threads));
        deal(division, l, work, count, count == 1 && alone);
        alone = count == 1;
    }
}

static bool make_triangle(int64_t rows, int64_t entries, struct trisolve_triangle *triangle,
                          struct error *error)
{
    triangle->row_ptr = memory_zeroed((size_t)rows + 1, sizeof *triangle->row_ptr, error);
    triangle->col = memory_array((size_t)entries, sizeof *triangle->col, error);
    triangle->val = memory_array((size_t)entries, sizeof *triangle->val, error);
    return triangle->row_ptr && triangle->col && triangle->val;
}

static bool make_strand(const struct division *division, int t, struct error *error)
{
    struct trisolve_strand *strand = &division->schedule->strands[t];
    const size_t rows = (size_t)strand->rows, tasks = (size_t)strand->tasks;
    strand->task = memory_zeroed(tasks + 2, sizeof *strand->task, error);
    strand->wait = memory_zeroed(tasks + 1, sizeof *strand->wait, error);
    strand->row = memory_array(rows, sizeof *strand->row, error);
    strand->inverse = memory_array(rows, sizeof *strand->inverse, error);
    strand->diagonal = memory_array(rows, sizeof *strand->diagonal, error);
    return strand->task && strand->wait && strand->row && strand->inverse && strand->diagonal &&
           make_triangle(strand->rows, strand->entries, &strand->own, error) &&
           (!division->other || make_triangle(strand->rows, strand->others, &strand->other, error));
}

/* Give each strand its rows, by task. The rows of a task are in the order of a solve by one thread, so that
 * neighbours stay together. */
static void list_rows(const struct division *division)
{
    const int64_t rows = division->parts->rows;
    for (int64_t i = 0; i < rows; i++)
        division->schedule->strands[division->thread[i]].task[division->task[i] + 2]++;
    for (int t = 0; t < division->schedule->threads; t++) {
        struct trisolve_strand *strand = &division->schedule->strands[t];
        for (int64_t k = 0; k < strand->tasks; k++)
            strand->task[k + 2] += strand->task[k + 1];
    }
    for (int64_t k = 0; k < rows; k++) {
        const int64_t i = division->backward ? rows - 1 - k : k;
        struct trisolve_strand *strand = &division->schedule->strands[division->thread[i]];
        strand->row[strand->task[division->task[i] + 1]++] = (int32_t)i;
    }
}

static void copy_row(const struct trisolve_triangle *from, int64_t i, struct trisolve_triangle *to, int64_t r)
{
    const int64_t first = from->row_ptr[i], at = to->row_ptr[r];
    const size_t number = (size_t)(from->row_ptr[i + 1] - first);
    to->row_ptr[r + 1] = at + (int64_t)number;
    if (number == 0) return;
    memcpy(to->col + at, from->col + first, number * sizeof *to->col);
    memcpy(to->val + at, from->val + first, number * sizeof *to->val);
}

static void copy_rows(const struct division *division, struct trisolve_strand *strand)
{
    for (int64_t r = 0; r < strand->rows; r++) {
        const int32_t i = strand->row[r];
        copy_row(division->own, i, &strand->own, r);
        if (division->other) copy_row(division->other, i, &strand->other, r);
        strand->inverse[r] = division->parts->inverse[i];
        strand->diagonal[r] = division->parts->diagonal[i];
    }
}

/* Let needed[u] be the number of tasks of thread u that the rows of task k of strand t need. */
static void need(const struct division *division, int t, int64_t k, int32_t *needed)
{
    const struct trisolve_strand *strand = &division->schedule->strands[t];
    for (int64_t e = strand->own.row_ptr[strand->task[k]]; e < strand->own.row_ptr[strand->task[k + 1]];
         e++) {
        const int32_t j = strand->own.col[e], u = division->thread[j];
        if (u != t && division->task[j] >= needed[u]) needed[u] = division->task[j] + 1;
    }
}

/* Find the waits of strand t; write them unless strand->waits is NULL. `needed` has room for all threads,
 * `known` too. */
static void find_waits(const struct division *division, int t, int32_t *needed, int32_t *known)
{
    struct trisolve_strand *strand = &division->schedule->strands[t];
    const int threads = division->schedule->threads;
    int64_t count = 0;
    memset(known, 0, (size_t)threads * sizeof *known);
    for (int64_t k = 0; k < strand->tasks; k++) {
        memcpy(needed, known, (size_t)threads * sizeof *known);
        need(division, t, k, needed);
        for (int u = 0; u < threads; u++) {
            if (needed[u] <= known[u]) continue;
            if (strand->waits) strand->waits[count] = (struct trisolve_wait){u, needed[u]};
            known[u] = needed[u];
            count++;
        }
        strand->wait[k + 1] = count;
    }
}

static enum status add_waits(const struct division *division, struct error *error)
{
    const size_t threads = (size_t)division->schedule->threads;
    int32_t *room = memory_array(2 * threads, sizeof *room, error);
    bool all = room;
    for (int t = 0; t < division->schedule->threads && all; t++) {
        struct trisolve_strand *strand = &division->schedule->strands[t];
        find_waits(division, t, room, room + threads);
        strand->waits = memory_array((size_t)strand->wait[strand->tasks], sizeof *strand->waits, error);
        all = strand->waits;
        if (all) find_waits(division, t, room, room + threads);
    }
    free(room);
    return all ? STATUS_OK : STATUS_MEMORY;
}

static enum status make(struct division *division, const struct trisolve_division *wanted,
                        struct error *error)
{
    const size_t rows = (size_t)division->parts->rows;
    struct trisolve_schedule *schedule = division->schedule;
    division->from = memory_zeroed((size_t)schedule->levels + 2, sizeof *division->from, error);
    division->order = memory_array(rows, sizeof *division->order, error);
    division->thread = memory_array(rows, sizeof *division->thread, error);
    division->task = memory_array(rows, sizeof *division->task, error);
    division->bound = memory_array((size_t)schedule->threads + 1, sizeof *division->bound, error);
    if (!division->from || !division->order || !division->thread || !division->task || !division->bound)
        return STATUS_MEMORY;
    sort(division, wanted->levels);
    divide(division);
    if (!schedule->shared && !wanted->alone) return STATUS_OK;
    bool all = true;
    for (int t = 0; t < schedule->threads && all; t++)
        all = make_strand(division, t, error);
    if (!all) return STATUS_MEMORY;
    list_rows(division);
#pragma omp parallel for schedule(static) num_threads(schedule->threads)
    for (int t = 0; t < schedule->threads; t++)
        copy_rows(division, &schedule->strands[t]);
    return add_waits(division, error);
}

enum status trisolve_schedule_make(const struct trisolve_parts *parts, const struct trisolve_division *wanted,
                                   struct trisolve_schedule *schedule, struct error *error)
{
    struct division division = {.parts = parts,
                                .own = &parts->triangle[wanted->triangle],
                                .other = wanted->both ? &parts->triangle[!wanted->triangle] : NULL,
                                .backward = wanted->triangle == TRIANGLE_UPPER,
                                .schedule = schedule};
    *schedule = (struct trisolve_schedule){.threads = wanted->threads, .levels = wanted->level_count};
    schedule->strands = memory_zeroed((size_t)wanted->threads, sizeof *schedule->strands, error);
    if (!schedule->strands) return STATUS_MEMORY;
    enum status status = make(&division, wanted, error);
    free(division.from);
    free(division.order);
    free(division.thread);
    free(division.task);
    free(division.bound);
    return status;
}

static void free_triangle(struct trisolve_triangle *triangle)
{
    free(triangle->row_ptr);
    free(triangle->col);
    free(triangle->val);
}

void trisolve_schedule_free(struct trisolve_schedule *schedule)
{
    for (int t = 0; schedule->strands && t < schedule->threads; t++) {
        struct trisolve_strand *strand = &schedule->strands[t];
        free(strand->task);
        free(strand->wait);
        free(strand->waits);
        free(strand->row);
        free(strand->inverse);
        free(strand->diagonal);
        free_triangle(&strand->own);
        free_triangle(&strand->other);
    }
    free(schedule->strands);
    *schedule = (struct trisolve_schedule){0};
}

void trisolve_schedule_begin(struct trisolve_schedule *schedule)
{
    for (int t = 0; t < schedule->threads; t++) {
        schedule->strands[t].next = 0;
        atomic_store_explicit(&schedule->strands[t].done, 0, memory_order_relaxed);
    }
}

static bool is_ready(const struct trisolve_schedule *schedule, const struct trisolve_strand *strand)
{
    for (int64_t w = strand->wait[strand->next]; w < strand->wait[strand->next + 1]; w++) {
        const struct trisolve_wait *wait = &strand->waits[w];
        if (atomic_load_explicit(&schedule->strands[wait->thread].done, memory_order_acquire) < wait->tasks)
            return false;
    }
    return true;
}

/* Run the tasks of a strand that need not wait. True if it is finished. */
static bool advance(struct trisolve_schedule *schedule, struct trisolve_strand *strand, trisolve_rows *rows,
                    void *argument)
{
    while (strand->next < strand->tasks && is_ready(schedule, strand)) {
        rows(strand, strand->task[strand->next], strand->task[strand->next + 1], argument);
        strand->next++;
        atomic_store_explicit(&strand->done, (int)strand->next, memory_order_release);
    }
    return strand->next == strand->tasks;
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void trisolve_schedule_run(struct trisolve_schedule *schedule, int thread, int count, trisolve_rows *rows,
                           void *argument)
{
    int spins = 0;
    for (bool finished = false; !finished;) {
        finished = true;
        for (int t = thread; t < schedule->threads; t += count)
            finished = advance(schedule, &schedule->strands[t], rows, argument) && finished;
        if (finished) return;
        pause_briefly();
        if (++spins % SPINS == 0) sched_yield();
    }
}

int64_t trisolve_schedule_waits(const struct trisolve_schedule *schedule)
{
    int64_t most = 0;
    for (int t = 0; t < schedule->threads; t++) {
        const struct trisolve_strand *strand = &schedule->strands[t];
        if (strand->wait) most = max(most, strand->wait[strand->tasks]);
    }
    return most;
}
