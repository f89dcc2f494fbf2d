#include "kernels/cuda/csr_balanced.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/products/products.h"

static const char *const widths[] = {"16", "32", NULL};

static const struct parameter balanced_parameters[] = {
    [BALANCED_COLUMNS] = {.name = "columns",
                          .help = "bits of a column: 16 count from each tile's smallest column; where they "
                                  "do not suffice, 32 are read",
                          .type = PARAMETER_WORD,
                          .words = widths,
                          .automatic = "16 if it suffices for most tiles"},
    [BALANCED_VALUES] = {.name = "values",
                         .help = TOLD_HELP_OR_ONE,
                         .type = PARAMETER_WORD,
                         .words = told_words_or_one,
                         .automatic = TOLD_RULE_OR_ONE},
    [BALANCED_TILES] = {"tiles", "tiles of a chunk; a warp processes whole chunks", 1, 32,
                        .type = PARAMETER_POWER, .automatic = "by columns an entry and a warp's entries"},
    [BALANCED_RUN] = {"run", "consecutive tiles of a block of threads", 1, 1024, .type = PARAMETER_POWER,
                      .automatic = "by columns an entry"},
    {0},
};

/* Pace */

/* Maximum partial sums of a row that the last warp to arrive adds up: 64 for each of its threads. */
#define PARTIALS_MAX 2048

/* Number of partial sums that are added up quickly. */
#define PARTIALS_FEW 256

/* Choose the tiles of a chunk and of a run. With long chunks and runs the elements of x in use fit in L1,
 * since neighbouring entries mostly have neighbouring columns. With many columns per entry, short ones keep
 * the elements of x that all blocks use at a time within L2. The bounds, 0.75 and 0.15 columns an entry, lie
 * in gaps between the measured matrices, which have 0.48 and 1, and 0.11 and 0.16. Chunks are short enough
 * for every warp of the GPU to have one, so that a small matrix is spread over all of them, unless a row then
 * had many partial sums; chunks are longer if a row would otherwise have too many of them. */
static void choose_pace(struct launch *launch)
{
    const struct storage *storage = launch->storage;
    bool single = storage->precision == PRECISION_F32;
    double *tiles = &launch->values.number[BALANCED_TILES], *run = &launch->values.number[BALANCED_RUN];
    double nnz = launch->times * (double)storage->nnz, columns = nnz > 0 ? (double)storage->cols / nnz : 0;
    bool many = columns >= 0.75, some = columns >= 0.15;
    if (isnan(*run)) *run = many ? 20 : some ? (single ? 80 : 160) : 320;
    if (isnan(*tiles)) {
        int64_t row = storage->number[CSR_LONGEST];
        int64_t tile = TILE_LANES * TILE_LANE_BYTES / (int64_t)value_size(storage);
        double warps = (double)max(launch->device->facts.multiprocessors, 1) * balanced_warps(launch);
        *tiles = many ? (single ? 1 : 2) : some ? 4 : 8;
        while (*tiles > 1 && (double)storage->nnz < warps * *tiles * (double)tile &&
               (double)row <= PARTIALS_FEW * *tiles / 2 * (double)tile)
            *tiles /= 2;
        while (*tiles < 32 && (double)row > PARTIALS_MAX * *tiles * (double)tile)
            *tiles *= 2;
    }
    *tiles = exp2(floor(log2(*tiles)));
}

static struct tile_plan plan_of(const struct launch *launch)
{
    double columns = launch->values.number[BALANCED_COLUMNS];
    return (struct tile_plan){.columns = isnan(columns) ? 0
                                         : columns == 0 ? 16
                                                        : 32,
                              .shift = (int)log2(launch->values.number[BALANCED_TILES]),
                              .run = (int)launch->values.number[BALANCED_RUN],
                              .multiprocessors = launch->device->facts.multiprocessors,
                              .limit = launch->limit};
}

/* Tables on the device */

/* Return a copy of a table on the device, or NULL if the table is missing or after a failure. */
static void *place(const struct launch *launch, const void *table, size_t count, size_t size,
                   struct error *reason)
{
    size_t bytes;
    size_multiply(count, size, &bytes);
    if (!table || reason->status != STATUS_OK) return NULL;
    return device_copy_of(launch->device, table, bytes, "a table of csr-balanced", reason);
}

static void *place_zeros(const struct launch *launch, size_t count, size_t size, struct error *reason)
{
    struct device *device = launch->device;
    if (reason->status != STATUS_OK) return NULL;
    void *there = device_array(device, count, size, "the partial sums of csr-balanced", reason);
    if (there) device->type->fill(device, there, 0, count * size, reason);
    return there;
}

static void place_tables(const struct launch *launch, const struct csr_tiles *tiles, struct error *reason)
{
    struct balanced *balanced = launch->state;
    struct csr_tiles *there = &balanced->tiles;
    size_t count = (size_t)tiles->tiles, entries = (size_t)csr_tile_entries(tiles);
    size_t value = element_size(launch->storage->array[CSR_VAL].element), chunks = (size_t)tiles->chunks;
    *there = *tiles;
    there->mark = place(launch, tiles->mark, count * TILE_LANES, csr_tile_mark(tiles), reason);
    there->first = place(launch, tiles->first, count, sizeof *tiles->first, reason);
    there->rows = place(launch, tiles->rows, (size_t)tiles->ends, sizeof *tiles->rows, reason);
    there->empty = place(launch, tiles->empty, (size_t)tiles->words, sizeof *tiles->empty, reason);
    there->spans = place(launch, tiles->spans, chunks, sizeof *tiles->spans, reason);
    there->last_col = place(launch, tiles->last_col, entries, sizeof *tiles->last_col, reason);
    there->last_val = place(launch, tiles->last_val, entries, value, reason);
    there->base = place(launch, tiles->base, count, sizeof *tiles->base, reason);
    there->col16 = place(launch, tiles->col16, count * entries, sizeof *tiles->col16, reason);
    balanced->partials =
        place_zeros(launch, chunks * (size_t)balanced_words(launch), sizeof *balanced->partials, reason);
    balanced->arrived = place_zeros(launch, chunks, sizeof *balanced->arrived, reason);
}

/* Return the bytes of the matrix that a product reads, each array once: only the columns in use, and no
 * row_ptr. */
static size_t bytes_read(const struct launch *launch, const struct csr_tiles *tiles)
{
    size_t nnz = (size_t)launch->storage->nnz, count = (size_t)tiles->tiles, chunks = (size_t)tiles->chunks;
    size_t entries = (size_t)csr_tile_entries(tiles), wide = (size_t)tiles->wide * entries;
    if (count == 0) return 0;
    if (wide > nnz) wide = nnz;
    size_t bytes = nnz * element_size(launch->storage->array[CSR_VAL].element);
    bytes += tiles->col16 ? (nnz - wide) * sizeof(uint16_t) + wide * sizeof(int32_t) + count * sizeof(int32_t)
                          : nnz * sizeof(int32_t);
    bytes += count * (TILE_LANES * csr_tile_mark(tiles) + sizeof(int32_t));
    bytes += (size_t)tiles->listed * sizeof(int32_t);
    if (!launch->product.accumulate) bytes += (size_t)tiles->words * sizeof(uint32_t);
    return bytes + chunks * (sizeof(struct tile_span) + (size_t)balanced_words(launch) * sizeof(uint64_t) +
                             sizeof(uint32_t));
}

/* Sort the indices into the order in which tiles read them. */
static enum status order_indices(const struct csr_tiles *tiles, int64_t nnz, struct unique *unique,
                                 struct error *error)
{
    const int entries = csr_tile_entries(tiles);
    uint8_t *index = memory_zeroed((size_t)tiles->tiles * (size_t)entries, sizeof *index, error);
    if (!index) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (tiles->tiles > 1024)
    for (int64_t t = 0; t < tiles->tiles; t++)
        for (int e = 0; e < min(entries, nnz - t * entries); e++)
            index[t * entries + csr_tile_place(tiles->each, e)] = unique->index[t * entries + e];
    free(unique->index);
    unique->index = index;
    return STATUS_OK;
}

static enum status prepare_values(struct launch *launch, const struct csr_tiles *tiles, struct error *error)
{
    struct balanced *balanced = launch->state;
    const struct storage *storage = launch->storage;
    const struct array *values = &storage->array[CSR_VAL];
    const size_t nnz = (size_t)storage->nnz;
    struct unique unique;
    struct error reason = {0};
    enum status status = told_values_choose(launch, BALANCED_VALUES, true, values, &unique, error);
    if (status == STATUS_OK)
        balanced->read -= nnz * value_size(storage) - told_values_read(launch, &unique, nnz);
    if (status == STATUS_OK && unique.index) status = order_indices(tiles, storage->nnz, &unique, error);
    if (status == STATUS_OK)
        told_values_place(launch, &unique, (size_t)tiles->tiles * (size_t)csr_tile_entries(tiles),
                          &balanced->unique, &reason);
    unique_free(&unique);
    if (status != STATUS_OK || reason.status == STATUS_OK) return status;
    return error_set(error, reason.status, "%s", reason.message);
}

/* Products other than y = A x read CSR itself, in shares of equal numbers of entries. */
static enum status prepare_product(struct launch *launch, struct error *error)
{
    choose_pace(launch);
    launch->values.number[BALANCED_COLUMNS] = 1;
    launch->values.number[BALANCED_VALUES] = TOLD_FULL;
    return product_prepare(launch, PRODUCT_WALKS, error);
}

static enum status prepare(struct launch *launch, struct error *error)
{
    if (!product_plain(launch->product)) return prepare_product(launch, error);
    struct balanced *balanced = memory_zeroed(1, sizeof *balanced, error);
    struct csr_tiles tiles;
    struct error reason = {0};
    launch->state = balanced;
    if (!balanced) return STATUS_MEMORY;
    choose_pace(launch);
    const struct tile_plan plan = plan_of(launch);
    enum status status = csr_tiles_make(launch->storage, &plan, &tiles, error);
    if (status != STATUS_OK) return status;
    launch->values.number[BALANCED_COLUMNS] = tiles.col16 || plan.columns == 16 ? 0 : 1;
    balanced->read = bytes_read(launch, &tiles);
    if (tiles.tiles > 0) place_tables(launch, &tiles, &reason);
    status = reason.status == STATUS_OK ? prepare_values(launch, &tiles, error)
                                        : error_set(error, reason.status, "%s", reason.message);
    csr_tiles_free(&tiles);
    return status;
}

static void release(struct launch *launch)
{
    if (!product_plain(launch->product)) return product_release(launch);
    struct balanced *balanced = launch->state;
    struct csr_tiles *tiles = &balanced->tiles;
    void *const tables[] = {tiles->mark,  tiles->first,       tiles->rows,      tiles->empty,
                            tiles->spans, tiles->last_col,    tiles->last_val,  tiles->base,
                            tiles->col16, balanced->partials, balanced->arrived};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        device_release(launch->device, tables[k]);
    told_values_release(launch, &balanced->unique);
    free(balanced);
    launch->state = NULL;
}

static enum status remake(const struct launch *launch, const struct storage *csr, double *seconds,
                          struct error *error)
{
    if (product_plain(launch->product)) return cuda_remake_csr_balanced(launch, csr, seconds, error);
    *seconds = 0;
    return STATUS_OK;
}

static void traffic(const struct launch *launch, struct traffic *traffic)
{
    if (!product_plain(launch->product)) return product_traffic(launch, traffic);
    traffic->array_bytes = ((const struct balanced *)launch->state)->read;
}

static const struct tuning_line tuning[] = {
    {"columns", "16 32"}, {"tiles", "1 2 4 8 16 32"}, {"run", "5 10 20 40 80 160 320 640"}, {NULL}};

const struct kernel kernel_cuda_csr_balanced = {
    .name = "csr-balanced",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "each warp has equally many entries, whatever the rows; bits mark the ends of rows",
    .source = "after CSR5: Liu and Vinter, \"CSR5: an efficient storage format for cross-platform "
              "sparse matrix-vector multiplication\", ICS 2015; values=8: CSR-VI of Kourtis, Goumas "
              "and Koziris, \"Optimizing sparse matrix-vector multiplication using index and value "
              "compression\", Computing Frontiers 2008",
    .wins =
        "It suits large matrices with rows of many lengths or with scattered columns: no row delays a warp, "
        "and nothing is converted. Beyond the caches it or sell is the fastest kernel on most matrices.",
    .parameters = balanced_parameters,
    .unordered = UNORDERED_COLUMNS,
    .complex = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_csr_balanced),
    .remake = remake,
    .trace = &trace_csr_balanced,
    .release = release,
    .traffic = traffic,
    .pace = {.turn = 0.746,
             .request = 0.157,
             .shared = 0.533,
             .start = 0.967,
             .handover = 14.5,
             .overlap = 0.676},
    .product_way = PRODUCT_WAY_SHARES,
    .tuning = tuning,
};
