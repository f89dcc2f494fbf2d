#include "kernels/cuda/sell.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/fill.h"
#include "formats/sorted.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/products/products.h"
#include "kernels/gpu/device.h"

#define NARROW 65536 /* number of columns that 16 bits distinguish */

static const char *const widths[] = {"16", "32", NULL};

#define SELL_VALUES_RULE TOLD_RULE ", in f32 also 12 slots a row"

static const struct parameter sell_parameters[] = {
    [SELL_COLUMNS] = {.name = "columns",
                      .help = "bits of a column: 16 count from the smallest column of 32 rows; where they do "
                              "not suffice, 32 are read",
                      .type = PARAMETER_WORD,
                      .words = widths,
                      .automatic = "16 if it suffices for nearly all rows"},
    [SELL_VALUES] = {.name = "values",
                     .help = TOLD_HELP,
                     .type = PARAMETER_WORD,
                     .words = told_words,
                     .automatic = SELL_VALUES_RULE},
    [SELL_AHEAD] = {"ahead", "loads that a thread has in flight", 4, SELL_AHEAD_MAX, .type = PARAMETER_POWER,
                    .automatic = "by slots a row"},
    [SELL_BLOCK] = {"block", "threads of a block", 32, 1024, 128, .type = PARAMETER_POWER},
    [SELL_EARLY] = EARLY_PARAMETER,
    {0},
};

/* Columns of 16 bits */

/* A slice of 32 rows. Its chunk has C rows, and the slot in column p of the chunk's rectangle, for row r of
 * the chunk, is begin + p C + r. Slice number k of the chunk has rows 32 k to 32 k + 31:
 *
 *     first = begin + 32 k,  step = C
 *
 *     slots  first      first + 1      ...  first + 31           p = 0
 *            first + C  first + C + 1  ...  first + C + 31       p = 1
 *            ...                                                 before `end`, the end of the chunk
 *            row 0      row 1               row 31               of the slice */
struct slice {
    int64_t first, end, step;
};

static struct slice slice_of(const struct storage *storage, int64_t s)
{
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    int64_t slices = sell_chunk_slices(storage), chunk = s / slices, begin = array_integer(chunk_ptr, chunk);
    return (struct slice){.first = begin + s % slices * SELL_SLICE,
                          .end = array_integer(chunk_ptr, chunk + 1),
                          .step = slices * SELL_SLICE};
}

static int64_t slice_wide(const struct slice *slice)
{
    return slice->end > slice->first ? (slice->end - slice->first + slice->step - 1) / slice->step : 0;
}

/* Returns the smallest column of the entries of slice s, 0 if it has none, or -1 if they span too many
 * columns for 16 bits. Columns ascend in a row, so that the first and the last entry of each row suffice. */
static int32_t slice_base(const struct storage *storage, int64_t s)
{
    const struct slice slice = slice_of(storage, s);
    const int32_t *col = storage->array[SELL_COL].data;
    int64_t wide = slice_wide(&slice);
    int32_t low = INT32_MAX, high = -1;
    for (int64_t slot = slice.first; slot < slice.first + SELL_SLICE; slot++) {
        int64_t length = padded_length(storage, slot, slice.step, wide);
        if (length == 0) continue;
        if (col[slot] < low) low = col[slot];
        if (col[slot + (length - 1) * slice.step] > high) high = col[slot + (length - 1) * slice.step];
    }
    if (high < 0) return 0;
    return high - low < NARROW ? low : -1;
}

static void narrow_slice(const struct storage *storage, const struct sell_columns *columns, int64_t s)
{
    const struct slice slice = slice_of(storage, s);
    const int32_t *col = storage->array[SELL_COL].data;
    int32_t base = columns->base[s];
    for (int64_t row = slice.first; row < slice.end; row += slice.step)
        for (int64_t slot = row; slot < row + SELL_SLICE; slot++)
            columns->narrow[slot] = (uint16_t)(base < 0 || col[slot] < base ? 0 : col[slot] - base);
}

enum status sell_columns_make(const struct storage *storage, int bits, size_t limit,
                              struct sell_columns *columns, struct error *error)
{
    int64_t slices = sell_slices(storage), wide = 0, wide_slots = 0;
    size_t slots = (size_t)storage->slots[0];
    *columns = (struct sell_columns){.slices = slices};
    if (bits == 32) return STATUS_OK;
    size_t bytes = slots * sizeof(uint16_t) + (size_t)slices * sizeof(int32_t);
    enum status status = memory_check(bytes, limit, "columns of 16 bits", error);
    if (status != STATUS_OK) return status;
    columns->base = memory_array((size_t)slices, sizeof *columns->base, error);
    if (!columns->base) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) reduction(+ : wide, wide_slots) if (slices > 256)
    for (int64_t s = 0; s < slices; s++) {
        const struct slice slice = slice_of(storage, s);
        columns->base[s] = slice_base(storage, s);
        if (columns->base[s] >= 0) continue;
        wide++;
        wide_slots += slice_wide(&slice) * SELL_SLICE;
    }
    columns->wide = wide;
    columns->wide_slots = wide_slots;
    if (bits == 0 && wide_slots > storage->slots[0] / 16) {
        sell_columns_free(columns);
        return STATUS_OK;
    }
    columns->narrow = memory_array(slots, sizeof *columns->narrow, error);
    if (!columns->narrow) {
        sell_columns_free(columns);
        return STATUS_MEMORY;
    }
#pragma omp parallel for schedule(static) if (slices > 256)
    for (int64_t s = 0; s < slices; s++)
        narrow_slice(storage, columns, s);
    return STATUS_OK;
}

void sell_columns_free(struct sell_columns *columns)
{
    free(columns->base);
    free(columns->narrow);
    *columns = (struct sell_columns){0};
}

/* The kernel */

/* A thread has eight loads in flight, but four in double precision if the rows have fewer than eight slots on
 * average, and four with complex values, which are twice as long. A given number is rounded down to a power
 * of two. */
static void choose_ahead(struct launch *launch)
{
    const struct storage *storage = launch->storage;
    double *ahead = &launch->values.number[SELL_AHEAD];
    bool narrow = (double)storage->slots[0] < 8.0 * (double)sell_slices(storage) * SELL_SLICE;
    if (isnan(*ahead)) *ahead = (storage->precision == PRECISION_F64 && narrow) || storage->complex ? 4 : 8;
    *ahead = exp2(floor(log2(*ahead)));
}

/* Returns the bytes of the matrix that a product reads. Each slot's column takes 2 bytes instead of 4, except
 * in the slices that span too many columns, and each slice has a smallest column of 4 bytes:
 *
 *     bytes of the storage - 2 (slots - wide slots) + 4 slices */
static size_t bytes_read(const struct storage *storage, const struct sell_columns *columns)
{
    size_t bytes = storage_size(storage).bytes, slots = (size_t)storage->slots[0];
    if (!columns->narrow) return bytes;
    bytes -= (slots - (size_t)columns->wide_slots) * (sizeof(int32_t) - sizeof(uint16_t));
    return bytes + (size_t)columns->slices * sizeof(int32_t);
}

static enum status place_columns(const struct launch *launch, const struct sell_columns *columns,
                                 struct error *error)
{
    struct sell_columns *there = &((struct sell_state *)launch->state)->columns;
    struct error reason = {0};
    *there = (struct sell_columns){.slices = columns->slices};
    if (!columns->narrow) return STATUS_OK;
    there->base = device_copy_of(launch->device, columns->base, (size_t)columns->slices * sizeof(int32_t),
                                 "the smallest columns of slices", &reason);
    if (there->base)
        there->narrow = device_copy_of(launch->device, columns->narrow,
                                       (size_t)launch->storage->slots[0] * sizeof(uint16_t),
                                       "columns of 16 bits", &reason);
    if (there->narrow) return STATUS_OK;
    return error_set(error, reason.status, "%s", reason.message);
}

/* By default, single-precision values with short rows are not encoded by bytes: reading their table takes as
 * long as it saves. */
#define SHORT_SLOTS 12

static enum status prepare_values(struct launch *launch, struct error *error)
{
    struct sell_state *state = launch->state;
    const struct storage *storage = launch->storage;
    const struct array *values = &storage->array[SELL_VAL];
    const size_t slots = (size_t)storage->slots[0];
    struct unique unique;
    struct error reason = {0};
    bool narrow = slots < (size_t)SHORT_SLOTS * (size_t)storage->rows;
    if (isnan(launch->values.number[SELL_VALUES]) && storage->precision == PRECISION_F32 && narrow)
        launch->values.number[SELL_VALUES] = TOLD_FULL;
    enum status status = told_values_choose(launch, SELL_VALUES, false, values, &unique, error);
    if (status != STATUS_OK) return status;
    state->read -= slots * value_size(storage) - told_values_read(launch, &unique, slots);
    told_values_place(launch, &unique, slots, &state->unique, &reason);
    unique_free(&unique);
    return reason.status == STATUS_OK ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

/* Products other than y = A x read the format's own columns, by loops that take no other parameters. */
static enum status prepare_product(struct launch *launch, struct error *error)
{
    choose_ahead(launch);
    choose_early(launch, SELL_EARLY);
    launch->values.number[SELL_COLUMNS] = 1;
    launch->values.number[SELL_VALUES] = TOLD_FULL;
    return product_prepare_beside(launch, SELL_COL, WARP, error);
}

static enum status prepare(struct launch *launch, struct error *error)
{
    int64_t c = storage_parameter(launch->storage, SELL_C);
    double bits = launch->values.number[SELL_COLUMNS];
    struct sell_columns columns;
    if (c % SELL_SLICE)
        return error_set(error, STATUS_UNAVAILABLE,
                         "sell takes chunks of 32 rows, or a multiple of that: c=%lld is none", (long long)c);
    if (check_warps(launch, SELL_BLOCK, error) != STATUS_OK) return STATUS_UNAVAILABLE;
    if (!product_plain(launch->product)) return prepare_product(launch, error);
    struct sell_state *state = memory_zeroed(1, sizeof *state, error);
    launch->state = state;
    if (!state) return STATUS_MEMORY;
    choose_ahead(launch);
    choose_early(launch, SELL_EARLY);
    enum status status = sell_columns_make(launch->storage,
                                           isnan(bits) ? 0
                                           : bits == 0 ? 16
                                                       : 32,
                                           launch->limit, &columns, error);
    if (status != STATUS_OK) return status;
    launch->values.number[SELL_COLUMNS] = columns.narrow ? 0 : 1;
    state->read = bytes_read(launch->storage, &columns);
    status = place_columns(launch, &columns, error);
    sell_columns_free(&columns);
    return status == STATUS_OK ? prepare_values(launch, error) : status;
}

static void release(struct launch *launch)
{
    if (!product_plain(launch->product)) return product_release(launch);
    struct sell_state *state = launch->state;
    device_release(launch->device, state->columns.base);
    device_release(launch->device, state->columns.narrow);
    told_values_release(launch, &state->unique);
    free(state);
    launch->state = NULL;
}

/* The only tables are 16-bit columns. */
static enum status remake(const struct launch *launch, const struct storage *csr, double *seconds,
                          struct error *error)
{
    if (product_plain(launch->product)) return cuda_remake_sell(launch, csr, seconds, error);
    *seconds = 0;
    return STATUS_OK;
}

static void traffic(const struct launch *launch, struct traffic *traffic)
{
    if (!product_plain(launch->product)) return product_traffic(launch, traffic);
    traffic->array_bytes = ((const struct sell_state *)launch->state)->read;
}

static const struct tuning_line tuning[] = {
    {"c", "32 64 128 256"},      {"sigma", "1 32 128 512 2048 8192 32768 131072", TUNING_ROWS},
    {"columns", "16 32"},        {"ahead", "4 8"},
    {"block", "64 128 256 512"}, {NULL}};

const struct kernel kernel_cuda_sell = {
    .name = "sell",
    .backend = &backend_cuda,
    .format = &format_sell,
    .summary = "a warp 32 rows of a chunk, a thread each, with several loads in flight",
    .source = "Kreutzer et al., SIAM J. Sci. Comput. 36, 2014; values=8: CSR-VI of Kourtis, Goumas "
              "and Koziris, \"Optimizing sparse matrix-vector multiplication using index and value "
              "compression\", Computing Frontiers 2008; 16-bit columns and loads ahead are our own",
    .wins = "It suits grids and other large matrices with rows of similar length within a window of 512. "
            "Beyond the caches it is the fastest kernel on most finite elements and, in double precision, on "
            "stencils of few values. It does not suit matrices with a few very long rows.",
    .parameters = sell_parameters,
    .unordered = UNORDERED_TRANSPOSED,
    .complex = true,
    .format_defaults = "c=32,sigma=512",
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare,
    .run = CUDA_CODE(cuda_sell),
    .remake = remake,
    .trace = &trace_sell,
    .release = release,
    .traffic = traffic,
    .pace = {.turn = 5.74, .request = 0.103, .start = 0.318, .overlap = 0.929},
    .product_way = PRODUCT_WAY_STRIDED,
    .tuning = tuning,
};
