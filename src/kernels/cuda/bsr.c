#include "kernels/cuda/bsr.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "kernels/cuda/code.h"
#include "kernels/gpu/device.h"

extern const struct kernel kernel_cuda_csr_vector;

static const struct parameter parameters[] = {
    [BSR_LANES] = {"lanes",
                   "threads a block row; at least those of a block, and 32 if these are no power of two", 1,
                   WARP, .type = PARAMETER_POWER, .automatic = "by mean row length"},
    [BSR_BLOCK] = {"block", "threads of a block", 32, BSR_THREADS_MAX, .type = PARAMETER_POWER,
                   .automatic = "64 with copies and 4 or 6 rows, else 128"},
    [BSR_COPIES] = {.name = "copies",
                    .help = "1: a block of threads copies the values of its block rows into shared memory",
                    .type = PARAMETER_YES_NO,
                    .automatic =
                        "1 for 3 to 7 rows and few blocks a block row, from compute capability 9.0 on"},
    [BSR_EARLY] = EARLY_PARAMETER,
    {0},
};

static int64_t blocks_in(const struct launch *launch, int64_t row)
{
    const struct array *row_ptr = &launch->storage->array[BSR_ROW_PTR];
    return array_integer(row_ptr, row + 1) - array_integer(row_ptr, row);
}

/* The lanes of a block row */

/* A lane gets at least this number of blocks of a mean block row, or fewer if the lanes would not fill half
 * of the GPU. */
#define BLOCKS_A_LANE 3

static int lanes_of_block(const struct launch *launch)
{
    const int size = (int)launch->storage->number[BSR_SIZE], value = (int)value_size(launch->storage);
    return BSR_SHARE(size, value);
}

static bool power_of_two(int number)
{
    return (number & (number - 1)) == 0;
}

static void choose_lanes(struct launch *launch)
{
    double *lanes = &launch->values.number[BSR_LANES];
    const int64_t rows = launch->storage->number[BSR_BLOCK_ROWS],
                  blocks = launch->storage->number[BSR_BLOCKS];
    const int block = lanes_of_block(launch);
    if (!power_of_two(block)) {
        *lanes = WARP;
    } else if (isnan(*lanes)) {
        int64_t some = block;
        while (some < WARP && blocks * block >= 2 * BLOCKS_A_LANE * some * rows)
            some *= 2;
        while (some < WARP && some * rows < grid_resident_threads(launch) / 2)
            some *= 2;
        *lanes = (double)some;
    } else {
        *lanes = fmax(exp2(floor(log2(*lanes))), block);
    }
}

/* Pieces of long block rows */

/* A block row is cut into pieces if its lanes take more than a limit of steps, which is from STEPS_MIN to
 * STEPS_MAX. A warp takes this number of steps for a piece. */
#define STEPS_MAX 64
#define STEPS_MIN 8
#define PIECES_MAX 1024 /* of a block row */

static int steps_of(const struct launch *launch)
{
    const int64_t steps =
        launch->storage->number[BSR_BLOCKS] * lanes_of_block(launch) / grid_resident_threads(launch);
    return (int)clip(steps < STEPS_MIN ? STEPS_MIN : steps, STEPS_MAX);
}

/* Return the number of blocks of each piece, for a row with this number of blocks. */
static int64_t piece_blocks(const struct launch *launch, int64_t blocks)
{
    const int64_t least = (int64_t)steps_of(launch) * (WARP / lanes_of_block(launch));
    return max(least, (blocks + PIECES_MAX - 1) / PIECES_MAX);
}

static enum status count_pieces(struct launch *launch, struct error *error)
{
    struct bsr_state *state = launch->state;
    const int64_t lanes = (int64_t)launch->values.number[BSR_LANES];
    int64_t pieces = 0, cut = 0;
    state->whole = (int32_t)(steps_of(launch) * (lanes / lanes_of_block(launch)));
    if (launch->storage->number[BSR_LONGEST] <= state->whole) return STATUS_OK;
    for (int64_t r = 0; r < launch->storage->number[BSR_BLOCK_ROWS]; r++) {
        const int64_t blocks = blocks_in(launch, r), each = piece_blocks(launch, blocks);
        if (blocks <= state->whole) continue;
        pieces += (blocks + each - 1) / each;
        cut++;
    }
    if (pieces > INT32_MAX / 2)
        return error_set(error, STATUS_LIMIT, "bsr: too many pieces of long block rows");
    state->pieces = (int32_t)pieces;
    state->cut = (int32_t)cut;
    return STATUS_OK;
}

static void cut_rows(const struct launch *launch, struct bsr_piece *piece)
{
    const struct bsr_state *state = launch->state;
    const struct array *row_ptr = &launch->storage->array[BSR_ROW_PTR];
    int32_t number = 0, which = 0;
    for (int64_t r = 0; r < launch->storage->number[BSR_BLOCK_ROWS]; r++) {
        const int64_t first = array_integer(row_ptr, r), blocks = blocks_in(launch, r);
        if (blocks <= state->whole) continue;
        const int64_t each = piece_blocks(launch, blocks);
        const int32_t from = number, pieces = (int32_t)((blocks + each - 1) / each);
        for (int32_t p = 0; p < pieces; p++)
            piece[number++] = (struct bsr_piece){.first = first + p * each,
                                                 .count = (int32_t)min(each, blocks - p * each),
                                                 .row = (int32_t)r,
                                                 .from = from,
                                                 .pieces = pieces,
                                                 .which = which};
        which++;
    }
}

static void *zeros(const struct launch *launch, size_t count, size_t size, struct error *reason)
{
    struct device *device = launch->device;
    if (reason->status != STATUS_OK) return NULL;
    void *there = device_array(device, count, size, "the partial sums of bsr", reason);
    if (there) device->type->fill(device, there, 0, count * size, reason);
    return there;
}

static enum status make_pieces(struct launch *launch, struct error *error)
{
    struct bsr_state *state = launch->state;
    struct error reason = {0};
    const size_t pieces = (size_t)state->pieces, size = (size_t)launch->storage->number[BSR_SIZE];
    if (pieces == 0) return STATUS_OK;
    struct bsr_piece *piece = memory_array(pieces, sizeof *piece, error);
    if (!piece) return STATUS_MEMORY;
    cut_rows(launch, piece);
    state->piece = device_copy_of(launch->device, piece, pieces * sizeof *piece,
                                  "the pieces of long block rows", &reason);
    free(piece);
    state->partials =
        zeros(launch, pieces * size * (launch->storage->complex ? 4 : 2), sizeof *state->partials, &reason);
    state->arrived = zeros(launch, (size_t)state->cut, sizeof *state->arrived, &reason);
    return reason.status == STATUS_OK ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

/* Copies into shared memory */

/* Copies are the default only up to this mean number of blocks per block row: one thread multiplies all
 * blocks of its row. */
#define COPIED_MEAN 10

/* On an H200, beyond L2, blocks of 4 rows take 80 us with copies and 91 without, of 6 rows 55 and 90, but of
 * 8 rows 71 and 70, and of 2 rows 94 and 72. With some 19 blocks a block row, bcsstk33 takes 22 us with
 * copies of blocks of 4 rows, and 4.6 without. */
static bool copies_pay(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const int64_t size = storage->number[BSR_SIZE],
                  slots = (int64_t)launch->values.number[BSR_LANES] / lanes_of_block(launch);
    return launch->device->facts.major >= 9 && size > 2 && size < 8 &&
           storage->number[BSR_BLOCKS] <= COPIED_MEAN * storage->number[BSR_BLOCK_ROWS] &&
           storage->number[BSR_LONGEST] <= steps_of(launch) * slots;
}

/* Resolve the parameters that say whether there are copies, and for how many threads. */
static void choose_copies(struct launch *launch)
{
    double *copies = &launch->values.number[BSR_COPIES], *block = &launch->values.number[BSR_BLOCK];
    const int64_t size = launch->storage->number[BSR_SIZE];
    if (isnan(*copies)) *copies = copies_pay(launch);
    if (isnan(*block)) *block = *copies != 0 && (size == 4 || size == 6) ? 64 : 128;
}

/* The room for a copy holds the mean number of blocks of a tile, or as many as fit. Larger tiles are copied
 * in turns. With more room fewer tiles are resident, and products take up to 1.1 times as long. */
static void make_tiles(struct launch *launch)
{
    struct bsr_state *state = launch->state;
    const struct storage *storage = launch->storage;
    const int size = (int)storage->number[BSR_SIZE], bytes = size * size * (int)value_size(storage),
              tile = BSR_TILE_ROWS(size, (int)launch->values.number[BSR_BLOCK]);
    const int64_t rows = storage->number[BSR_BLOCK_ROWS], blocks = storage->number[BSR_BLOCKS];
    const double mean = rows > 0 ? (double)blocks / (double)rows : 0;
    const int fits = (SHARED_PLAIN - bsr_room_of(tile, 0, bytes).bytes) / (bytes + (int)sizeof(int32_t)) - 4;
    state->tile = tile;
    state->copied = (int32_t)fmin(fits, ceil(mean * tile) + 1);
}

static enum status prepare(struct launch *launch, struct error *error)
{
    struct bsr_state *state = memory_zeroed(1, sizeof *state, error);
    launch->state = state;
    if (!state) return STATUS_MEMORY;
    choose_early(launch, BSR_EARLY);
    choose_lanes(launch);
    choose_copies(launch);
    enum status status = check_warps(launch, BSR_BLOCK, error);
    if (status == STATUS_OK && launch->values.number[BSR_COPIES] != 0) make_tiles(launch);
    if (status != STATUS_OK || state->tile > 0) return status;
    status = count_pieces(launch, error);
    return status == STATUS_OK ? make_pieces(launch, error) : status;
}

static void release(struct launch *launch)
{
    struct bsr_state *state = launch->state;
    if (!state) return;
    device_release(launch->device, state->piece);
    device_release(launch->device, state->partials);
    device_release(launch->device, state->arrived);
    free(state);
    launch->state = NULL;
}

/* In a request, each row of a block loads the elements of x for all columns of the block that lie in the
 * matrix. With copies, all rows of a block do so. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const int64_t size = storage->number[BSR_SIZE], rows = storage->number[BSR_BLOCK_ROWS];
    const int32_t *col = storage->array[BSR_COL].data;
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR];
    int64_t loads = storage->number[BSR_BLOCKS] * size;
#pragma omp parallel for reduction(- : loads) if (rows > PARALLEL_MIN)
    for (int64_t r = 0; r < rows; r++) {
        const int64_t end = array_integer(row_ptr, r + 1);
        if (end > array_integer(row_ptr, r))
            loads -= max(0, ((int64_t)col[end - 1] + 1) * size - storage->cols);
    }
    const struct bsr_state *state = launch->state;
    const size_t words = (storage->complex ? 4 : 2) * (size_t)size;
    traffic->own_bytes = (size_t)state->pieces * (sizeof *state->piece + words * sizeof *state->partials) +
                         (size_t)state->cut * sizeof *state->arrived;
    traffic->x_loads = loads * (state->tile > 0 ? size : BSR_HIGH(size, (int64_t)value_size(storage)));
}

/* With copies, bytes and passes of shared memory limit the loop. Latencies count little, because many bytes
 * are in flight. Fitted by `make fit-copies` to 40 times on an H200, median error 7%
 * (data/measured/bsr-copies-h200-2026-11-30.tsv). */
static const struct kernel_pace copied_pace = {
    .turn = 0.0327, .request = 0.024, .shared = 5.22, .start = 1.09, .overlap = 1.74};

static const struct kernel_pace *pace_of(const struct launch *launch)
{
    const struct bsr_state *state = launch->state;
    return state->tile > 0 ? &copied_pace : NULL;
}

static const struct tuning_line tuning[] = {{"size", "2 3 4 5 6 7 8"},
                                            {"lanes", "1 2 4 8 16 32"},
                                            {"block", "64 128 256 512"},
                                            {"copies", "0 1"},
                                            {NULL}};

const struct kernel kernel_cuda_bsr = {
    .name = "bsr",
    .backend = &backend_cuda,
    .format = &format_bsr,
    .summary =
        "a group of lanes a block row, with several blocks in flight; long block rows are cut; blocks of "
        "3, 5, 6 and 7 rows by copies into shared memory",
    .source = "",
    .wins = "It suits dense blocks of 4 to 8 rows that are full, and in single precision those of 2 rows.",
    .parameters = parameters,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_bsr),
    .release = release,
    .traffic = traffic,
    .trace = &trace_bsr,
    /* Fitted to 20 warm times on an H200, mean error 10% (data/measured/bsr-own-h200-2026-11-30.txt). */
    .pace = {.turn = 0.0667, .request = 0.861, .start = 0.285, .overlap = 0.484, .handover = 5.96},
    .pace_of = pace_of,
    .tuning = tuning,
};
