/* The traces of the kernels of csr.cu: the memory requests of their warps. */
#include "formats/csr.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/traces/replay.h"

/* The requests for loads that both kernels make. */
struct asks {
    struct ask begin, end;
    struct replay_product product;
};

static struct asks asks_of(const struct launch *launch, int q_row_ptr, int q_col, int q_val)
{
    int offset = replay_size(launch, q_row_ptr);
    return (struct asks){.begin = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[i]", offset},
                         .end = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[i + 1]", offset},
                         .product = replay_product(launch, q_col, q_val)};
}

/* Return the lanes that have entries left. */
static uint32_t busy(int lanes, const int64_t *k, const int64_t *end)
{
    uint32_t active = 0;
    for (int lane = 0; lane < lanes; lane++)
        active |= (uint32_t)(k[lane] < end[lane]) << lane;
    return active;
}

/* Each of the first `lanes` lanes goes from entry k to `end`, `step` entries at a time; at each step those
 * lanes are active that have an entry left. If only few are active, the replay skips the others: a long row
 * among short ones leaves one lane for most of the steps. */
static void loop(struct tracer *tracer, const struct replay_product *product, int lanes, int64_t k[WARP],
                 const int64_t end[WARP], int step)
{
    uint32_t active = busy(lanes, k, end);
    while (active) {
        replay_multiply(tracer, product, active, k);
        if (__builtin_popcount(active) > WARP / 4) {
            for (int lane = 0; lane < lanes; lane++)
                k[lane] += step;
            active = busy(lanes, k, end);
        } else {
            for (uint32_t rest = active; rest; rest &= rest - 1) {
                int lane = __builtin_ctz(rest);
                k[lane] += step;
                if (k[lane] >= end[lane]) active &= ~((uint32_t)1 << lane);
            }
        }
    }
}

/* csr-scalar */

static void stage_scalar(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, csr_scalar_grid(launch), "csr_scalar<%s, %s>", replay_real(launch),
                 replay_offset(launch));
    stage->early = begins_early(launch, CSR_SCALAR_EARLY);
}

void replay_rows(struct tracer *tracer, const struct launch *launch, int q_row_ptr, int q_col, int q_val,
                 int64_t first, int lanes)
{
    const struct array *row_ptr = &launch->resident->array[q_row_ptr];
    const struct asks asks = asks_of(launch, q_row_ptr, q_col, q_val);
    int64_t k[WARP], end[WARP];
    trace_line(tracer, &asks.end, 0, lanes, first + 1);
    trace_line(tracer, &asks.begin, 0, lanes, first);
    for (int lane = 0; lane < lanes; lane++) {
        k[lane] = array_integer(row_ptr, first + lane);
        end[lane] = array_integer(row_ptr, first + lane + 1);
    }
    loop(tracer, &asks.product, lanes, k, end, 1);
}

static void warp_scalar(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = csr_scalar_grid(launch);
    int64_t first;
    int lanes = replay_threads(&grid, launch->storage->rows, warp, &first);
    replay_rows(tracer, launch, CSR_ROW_PTR, CSR_COL, CSR_VAL, first, lanes);
    replay_put_line(tracer, launch, lanes, first);
}

static void rows_scalar(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    for (int lane = 0; lane < WARP; lane++) {
        int64_t i = warp * WARP + lane;
        row[lane] = i < launch->storage->rows ? i : -1;
    }
}

static int64_t weight_scalar(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct grid grid = csr_scalar_grid(launch);
    int64_t first;
    int lanes = replay_threads(&grid, launch->storage->rows, warp, &first);
    return replay_longest(&launch->resident->array[CSR_ROW_PTR], first, lanes);
}

const struct trace trace_csr_scalar = {
    .stage = stage_scalar, .warp = warp_scalar, .rows = rows_scalar, .weight = weight_scalar};

/* csr-vector */

static void stage_vector(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    const double *number = launch->values.number;
    replay_stage(stage, csr_vector_grid(launch), "csr_vector<%d, %s, %s, %s>",
                 (int)number[CSR_VECTOR_THREADS], replay_bool((int)number[CSR_VECTOR_REDUCE] == CSR_SHARED),
                 replay_real(launch), replay_offset(launch));
    stage->early = begins_early(launch, CSR_VECTOR_EARLY);
}

/* Replay a row that all lanes share: they take its entries from k on, 32 consecutive ones at a time. */
static void long_row(struct tracer *tracer, const struct replay_product *product, int64_t k, int64_t end)
{
    for (; k < end; k += WARP)
        replay_multiply_line(tracer, product, lanes_below(end - k), k);
}

/* Replay sum_in_shared: each thread stores its sum into a cell; in each round the lanes below `distance` load
 * the cell that lies `distance` above theirs, and store to their own. */
static void sum_in_shared(const struct launch *launch, struct tracer *tracer)
{
    int value = replay_value(launch);
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "*cell", value};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "cell[distance]", value};
    trace_line(tracer, &store, 0, WARP, 0);
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        trace_line(tracer, &load, 0, distance, distance);
        trace_line(tracer, &store, 0, distance, 0);
    }
}

/* Replay the loop of csr_vector for `rows` rows from `first` on, each for `threads` lanes. Lanes beyond these
 * wait.
 */
static void vector_rows(const struct launch *launch, struct tracer *tracer, int64_t first, int rows,
                        int threads)
{
    const struct array *row_ptr = &launch->resident->array[CSR_ROW_PTR];
    const struct asks asks = asks_of(launch, CSR_ROW_PTR, CSR_COL, CSR_VAL);
    bool aligned = launch->values.number[CSR_VECTOR_ALIGNED] != 0;
    int64_t k[WARP], end[WARP];
    uint32_t first_step = 0; /* lanes that have an entry of their row in the first step */
    int lanes = rows * threads;
    for (int r = 0; r < rows; r++) {
        const int64_t begin = array_integer(row_ptr, first + r), stop = array_integer(row_ptr, first + r + 1);
        const bool back = aligned && stop - begin > threads;
        for (int lane = r * threads; lane < (r + 1) * threads; lane++) {
            k[lane] = (back ? begin / threads * threads : begin) + lane - r * threads;
            end[lane] = stop;
            first_step |= (uint32_t)(k[lane] >= begin && k[lane] < stop) << lane;
        }
    }
    trace_groups(tracer, &asks.begin, rows, threads, threads, first);
    trace_groups(tracer, &asks.end, rows, threads, threads, first + 1);
    replay_multiply(tracer, &asks.product, first_step, k);
    for (int lane = 0; lane < lanes; lane++)
        k[lane] += threads;
    if (threads == WARP)
        long_row(tracer, &asks.product, k[0], end[0]);
    else
        loop(tracer, &asks.product, lanes, k, end, threads);
}

static void warp_vector(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    int threads = (int)launch->values.number[CSR_VECTOR_THREADS];
    int64_t first = warp * (WARP / threads);
    int rows = (int)min(WARP / threads, launch->storage->rows - first);
    if (rows > 0) vector_rows(launch, tracer, first, rows, threads);
    if ((int)launch->values.number[CSR_VECTOR_REDUCE] == CSR_SHARED) sum_in_shared(launch, tracer);
    replay_put_groups(tracer, launch, rows, threads, first);
}

static void rows_vector(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    int threads = (int)launch->values.number[CSR_VECTOR_THREADS];
    for (int lane = 0; lane < WARP; lane++) {
        int64_t i = warp * (WARP / threads) + lane / threads;
        row[lane] = i < launch->storage->rows ? i : -1;
    }
}

static int64_t weight_vector(const struct launch *launch, int64_t s, int64_t warp)
{
    int threads = (int)launch->values.number[CSR_VECTOR_THREADS];
    int64_t first = warp * (WARP / threads), rows = clip(launch->storage->rows - first, WARP / threads);
    return replay_longest(&launch->resident->array[CSR_ROW_PTR], first, rows) / threads;
}

const struct trace trace_csr_vector = {
    .stage = stage_vector, .warp = warp_vector, .rows = rows_vector, .weight = weight_vector};
