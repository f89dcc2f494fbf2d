/* Filling of formats on the device, by lines side by side or by runs one after another. */
#ifndef SPARSIGHT_KERNELS_CUDA_CONVERT_LINES_CUH
#define SPARSIGHT_KERNELS_CUDA_CONVERT_LINES_CUH

#include "kernels/cuda/convert/work.cuh"

/* Return the largest i in low .. high-1 with offsets[i] <= e; offsets[low] <= e. */
template <class offset>
__device__ inline int64_t find_run(const offset *offsets, int64_t low, int64_t high, int64_t e)
{
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The lines of a format: line l is row order[l], or row l if there is no order. Lines from `rows` on have no
 * row and are padding. */
template <class offset> struct stored_lines {
    const offset *row_ptr;
    const int32_t *col;
    const int32_t *order;
    int64_t rows, count;
};

/* The entries of a line. */
struct entries {
    int64_t begin, length;
};

template <class offset> __device__ inline entries entries_of(const stored_lines<offset> &lines, int64_t l)
{
    entries entries = {0, 0};
    if (l >= lines.rows) return entries;
    int64_t row = lines.order ? lines.order[l] : l;
    entries.begin = lines.row_ptr[row];
    entries.length = lines.row_ptr[row + 1] - entries.begin;
    return entries;
}

/* A warp fills a task at a time: TASK_WIDE positions of a group of 32 lines. The d-th positions of a group
 * lie side by side in formats that are filled so, and the positions of a line lie side by side in CSR. Group
 * g has tasks[g] .. tasks[g+1]-1, or `each` tasks if `tasks` is NULL. */
#define TASK_WIDE 8

struct tasks {
    const int64_t *begin; /* groups + 1 elements */
    int64_t groups, each;
};

/* A `Place` maps the positions of lines to slots:
 *
 *     wide(l, length)   the number of slots of line l
 *     base(l)           the data of line l for slot()
 *     slot(base, d)     the slot of its position d
 *
 * Positions from the length on are padding. */
template <class offset, class Place>
__global__ void count_tasks(stored_lines<offset> lines, Place place, int64_t groups, int64_t *tasks)
{
    int64_t l = thread_of_grid(), g = l / WARP;
    int64_t wide = l < lines.count ? place.wide(l, entries_of(lines, l).length) : 0;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        int64_t other = __shfl_xor_sync(WHOLE_WARP, wide, distance);
        if (other > wide) wide = other;
    }
    if (l % WARP == 0 && g <= groups) tasks[g] = g < groups ? (wide + TASK_WIDE - 1) / TASK_WIDE : 0;
}

#define TASKS_AHEAD 2 /* tasks that a warp takes one after another before it searches its next ones */

template <class word, class offset, class Place>
__global__ void fill_lines(stored_lines<offset> lines, Place place, tasks tasks, bool sentinel,
                           const word *__restrict__ from, int32_t *__restrict__ col, word *__restrict__ val)
{
    int lane = threadIdx.x % WARP;
    int64_t warp = thread_of_grid() / WARP, warps = static_cast<int64_t>(gridDim.x) * blockDim.x / WARP;
    int64_t all = tasks.begin ? tasks.begin[tasks.groups] : tasks.groups * tasks.each;
    for (int64_t first = warp * TASKS_AHEAD; first < all; first += warps * TASKS_AHEAD) {
        int64_t end = first + TASKS_AHEAD < all ? first + TASKS_AHEAD : all;
        int64_t g = tasks.begin ? find_run(tasks.begin, 0, tasks.groups, first) : first / tasks.each;
        for (int64_t task = first; task < end; task++) {
            while (task >= (tasks.begin ? tasks.begin[g + 1] : (g + 1) * tasks.each))
                g++;
            int64_t l = g * WARP + lane;
            int64_t d = (task - (tasks.begin ? tasks.begin[g] : g * tasks.each)) * TASK_WIDE;
            if (l >= lines.count) continue;
            entries entries = entries_of(lines, l);
            int64_t wide = place.wide(l, entries.length);
            if (d >= wide) continue;
            auto base = place.base(l);
            int n = wide - d < TASK_WIDE ? static_cast<int>(wide - d) : TASK_WIDE;
            int64_t left = entries.length - d;
            int full = left < 0 ? 0 : left < n ? static_cast<int>(left) : n;
            int32_t pad = sentinel ? -1 : entries.length ? lines.col[entries.begin + entries.length - 1] : 0;
            int32_t columns[TASK_WIDE];
            word values[TASK_WIDE];
#pragma unroll
            for (int k = 0; k < TASK_WIDE; k++) {
                columns[k] = k < full ? lines.col[entries.begin + d + k] : pad;
                values[k] = k < full ? from[entries.begin + d + k] : word{};
            }
#pragma unroll
            for (int k = 0; k < TASK_WIDE; k++)
                if (k < n) {
                    int64_t e = place.slot(base, d + k);
                    col[e] = columns[k];
                    val[e] = values[k];
                }
        }
    }
}

/* Enqueue the filling of lines. `slots` is their number, which bounds the useful blocks. */
template <class word, class offset, class Place>
inline void put_lines(work *w, const stored_lines<offset> &lines, const Place &place, const tasks &tasks,
                      bool sentinel, int64_t slots, int q_col, int q_val)
{
    int64_t most = (slots / TASK_WIDE + tasks.groups) / (WORK_BLOCK / WARP * TASKS_AHEAD) + 1;
    int64_t blocks = static_cast<int64_t>(w->context->multiprocessors) * 16;
    if (slots == 0) return;
    put_blocks(w, "fill_lines", most < blocks ? most : blocks, WORK_BLOCK, fill_lines<word, offset, Place>,
               lines, place, tasks, sentinel, csr_array<word>(w, CSR_VAL), to_array<int32_t>(w, q_col),
               to_array<word>(w, q_val));
}

/* Count the tasks of groups, before their filling is enqueued. `begin` has groups + 1 elements. */
template <class offset, class Place>
inline tasks put_tasks(work *w, const stored_lines<offset> &lines, const Place &place, int64_t *begin,
                       const scan &scan)
{
    int64_t groups = (lines.count + WARP - 1) / WARP;
    tasks tasks = {begin, groups, 0};
    put_threads(w, "count_tasks", (groups + 1) * WARP, count_tasks<offset, Place>, lines, place, groups,
                begin);
    put_scan(w, scan, begin, groups + 1);
    return tasks;
}

/* Runs: elements 0 .. count-1, of which run i has begin[i] .. begin[i+1]-1. A block of threads takes RUN_TILE
 * consecutive elements, and searches their runs among those that the tile touches. */
#define RUN_EACH 8
#define RUN_TILE (WORK_BLOCK * RUN_EACH)

template <class offset, class Use>
__global__ void each_of_runs(const offset *__restrict__ begin, int64_t runs, int64_t count, Use use)
{
    __shared__ int64_t bound[2];
    int64_t first = static_cast<int64_t>(blockIdx.x) * RUN_TILE;
    int64_t end = first + RUN_TILE < count ? first + RUN_TILE : count;
    if (threadIdx.x == 0) bound[0] = find_run(begin, 0, runs, first);
    if (threadIdx.x == WARP) bound[1] = find_run(begin, 0, runs, end - 1) + 1;
    __syncthreads();
    int64_t low = bound[0], high = bound[1];
    for (int64_t e = first + threadIdx.x; e < end; e += WORK_BLOCK) {
        low = find_run(begin, low, high, e);
        use(e, low);
    }
}

/* Call use(e, i) for each element e, which lies in run i. */
template <class offset, class Use>
inline void put_runs(work *w, const char *name, const offset *begin, int64_t runs, int64_t count,
                     const Use &use)
{
    put_blocks(w, name, (count + RUN_TILE - 1) / RUN_TILE, WORK_BLOCK, each_of_runs<offset, Use>, begin, runs,
               count, use);
}

#endif
