#include "kernels/trisolve/schedule.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* The number of times that a waiting thread reads another thread's count of tasks before it yields its
 * processor. */
#define SPINS 4096

/* What strands are made from. */
struct making {
    const struct trisolve_parts *parts;
    const struct trisolve_triangle *own, *other; /* `other` is NULL if it is not requested */
    const struct trisolve_division *division;
    struct trisolve_schedule *schedule;
};

static void count(const struct making *making)
{
    for (int64_t i = 0; i < making->parts->rows; i++) {
        struct trisolve_strand *strand = &making->schedule->strands[making->division->thread[i]];
        strand->tasks = max(strand->tasks, making->division->task[i] + 1);
        strand->rows++;
        strand->entries += making->own->row_ptr[i + 1] - making->own->row_ptr[i];
        if (making->other) strand->others += making->other->row_ptr[i + 1] - making->other->row_ptr[i];
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

static bool make_strand(const struct making *making, int t, struct error *error)
{
    struct trisolve_strand *strand = &making->schedule->strands[t];
    const size_t rows = (size_t)strand->rows, tasks = (size_t)strand->tasks;
    const bool mirrored = making->schedule->mirrored;
    strand->task = memory_zeroed(tasks + 2, sizeof *strand->task, error);
    strand->row = memory_array(rows, sizeof *strand->row, error);
    strand->inverse = memory_array(rows, sizeof *strand->inverse, error);
    strand->diagonal = memory_array(rows, sizeof *strand->diagonal, error);
    if (mirrored) strand->right = memory_array(rows, sizeof *strand->right, error);
    for (int way = 0; way <= mirrored; way++) {
        strand->waits[way].from = memory_zeroed(tasks + 1, sizeof *strand->waits[way].from, error);
        if (!strand->waits[way].from) return false;
    }
    return strand->task && strand->row && strand->inverse && strand->diagonal &&
           (!mirrored || strand->right) &&
           make_triangle(strand->rows, strand->entries, &strand->own, error) &&
           (!making->other || make_triangle(strand->rows, strand->others, &strand->other, error));
}

/* Give each strand its rows, by task. The rows of a task are in the order of a solve by one thread. */
static void list_rows(const struct making *making)
{
    const int64_t rows = making->parts->rows;
    const struct trisolve_division *division = making->division;
    for (int64_t i = 0; i < rows; i++)
        making->schedule->strands[division->thread[i]].task[division->task[i] + 2]++;
    for (int t = 0; t < making->schedule->threads; t++) {
        struct trisolve_strand *strand = &making->schedule->strands[t];
        for (int64_t k = 0; k < strand->tasks; k++)
            strand->task[k + 2] += strand->task[k + 1];
    }
    for (int64_t k = 0; k < rows; k++) {
        const int32_t i = division->order[k];
        struct trisolve_strand *strand = &making->schedule->strands[division->thread[i]];
        strand->row[strand->task[division->task[i] + 1]++] = i;
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

static void copy_rows(const struct making *making, struct trisolve_strand *strand)
{
    for (int64_t r = 0; r < strand->rows; r++) {
        const int32_t i = strand->row[r];
        copy_row(making->own, i, &strand->own, r);
        if (making->other) copy_row(making->other, i, &strand->other, r);
        strand->inverse[r] = making->parts->inverse[i];
        strand->diagonal[r] = making->parts->diagonal[i];
    }
}

/* Let needed[u] be the number of tasks of thread u that the rows of task k of strand t need on this way. */
static void need(const struct making *making, enum trisolve_way way, int t, int64_t k, int32_t *needed)
{
    const struct trisolve_strand *strand = &making->schedule->strands[t];
    const struct trisolve_triangle *triangle = way == TRISOLVE_BACK ? &strand->other : &strand->own;
    const struct trisolve_division *division = making->division;
    for (int64_t e = triangle->row_ptr[strand->task[k]]; e < triangle->row_ptr[strand->task[k + 1]]; e++) {
        const int32_t j = triangle->col[e], u = division->thread[j];
        if (u == t) continue;
        const int32_t tasks = way == TRISOLVE_BACK
                                  ? (int32_t)making->schedule->strands[u].tasks - division->task[j]
                                  : division->task[j] + 1;
        if (tasks > needed[u]) needed[u] = tasks;
    }
}

/* Find the waits of strand t; write them unless the list is NULL. `needed` has room for all threads, `known`
 * too. */
static void find_waits(const struct making *making, enum trisolve_way way, int t, int32_t *needed,
                       int32_t *known)
{
    const struct trisolve_strand *strand = &making->schedule->strands[t];
    const struct trisolve_waits *waits = &strand->waits[way];
    const int threads = making->schedule->threads;
    int64_t number = 0;
    memset(known, 0, (size_t)threads * sizeof *known);
    for (int64_t k = 0; k < strand->tasks; k++) {
        memcpy(needed, known, (size_t)threads * sizeof *known);
        need(making, way, t, way == TRISOLVE_BACK ? strand->tasks - 1 - k : k, needed);
        for (int u = 0; u < threads; u++) {
            if (needed[u] <= known[u]) continue;
            if (waits->list) waits->list[number] = (struct trisolve_wait){u, needed[u]};
            known[u] = needed[u];
            number++;
        }
        waits->from[k + 1] = number;
    }
}

static enum status add_waits(const struct making *making, enum trisolve_way way, struct error *error)
{
    const size_t threads = (size_t)making->schedule->threads;
    int32_t *room = memory_array(2 * threads, sizeof *room, error);
    bool all = room;
    for (int t = 0; t < making->schedule->threads && all; t++) {
        struct trisolve_strand *strand = &making->schedule->strands[t];
        struct trisolve_waits *waits = &strand->waits[way];
        find_waits(making, way, t, room, room + threads);
        waits->list = memory_array((size_t)waits->from[strand->tasks], sizeof *waits->list, error);
        all = waits->list;
        if (all) find_waits(making, way, t, room, room + threads);
    }
    free(room);
    return all ? STATUS_OK : STATUS_MEMORY;
}

static enum status make(const struct making *making, struct error *error)
{
    struct trisolve_schedule *schedule = making->schedule;
    schedule->strands = memory_zeroed((size_t)schedule->threads, sizeof *schedule->strands, error);
    if (!schedule->strands) return STATUS_MEMORY;
    count(making);
    bool all = true;
    for (int t = 0; t < schedule->threads && all; t++)
        all = make_strand(making, t, error);
    if (!all) return STATUS_MEMORY;
    list_rows(making);
#pragma omp parallel for schedule(static) num_threads(schedule->threads)
    for (int t = 0; t < schedule->threads; t++)
        copy_rows(making, &schedule->strands[t]);
    enum status status = add_waits(making, TRISOLVE_AHEAD, error);
    if (status == STATUS_OK && schedule->mirrored) status = add_waits(making, TRISOLVE_BACK, error);
    return status;
}

enum status trisolve_schedule_make(const struct trisolve_parts *parts, const struct trisolve_wish *wish,
                                   struct trisolve_schedule *schedule, struct error *error)
{
    struct trisolve_division division;
    *schedule = (struct trisolve_schedule){
        .threads = wish->threads, .levels = wish->level_count, .mirrored = wish->both && wish->mirrored};
    enum status status = trisolve_divide(parts, wish, &division, error);
    schedule->shared = division.shared;
    const struct making making = {.parts = parts,
                                  .own = &parts->triangle[wish->triangle],
                                  .other = wish->both ? &parts->triangle[!wish->triangle] : NULL,
                                  .division = &division,
                                  .schedule = schedule};
    const bool gains = division.shared || division.delay > 1;
    if (status == STATUS_OK && (gains || wish->always)) status = make(&making, error);
    trisolve_division_free(&division);
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
        for (int way = 0; way < TRISOLVE_WAYS; way++) {
            free(strand->waits[way].from);
            free(strand->waits[way].list);
        }
        free(strand->right);
        free(strand->row);
        free(strand->inverse);
        free(strand->diagonal);
        free_triangle(&strand->own);
        free_triangle(&strand->other);
    }
    free(schedule->strands);
    *schedule = (struct trisolve_schedule){0};
}

void trisolve_schedule_begin(struct trisolve_schedule *schedule, enum trisolve_way way)
{
    schedule->way = way;
    for (int t = 0; t < schedule->threads; t++) {
        schedule->strands[t].next = 0;
        atomic_store_explicit(&schedule->strands[t].done, 0, memory_order_relaxed);
    }
}

static bool is_ready(const struct trisolve_schedule *schedule, const struct trisolve_strand *strand)
{
    const struct trisolve_waits *waits = &strand->waits[schedule->way];
    for (int64_t w = waits->from[strand->next]; w < waits->from[strand->next + 1]; w++) {
        const struct trisolve_wait *wait = &waits->list[w];
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
        const int64_t k = schedule->way == TRISOLVE_BACK ? strand->tasks - 1 - strand->next : strand->next;
        rows(strand, strand->task[k], strand->task[k + 1], argument);
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
        int64_t number = strand->waits[TRISOLVE_AHEAD].from[strand->tasks];
        if (schedule->mirrored) number += strand->waits[TRISOLVE_BACK].from[strand->tasks];
        most = max(most, number);
    }
    return most;
}
