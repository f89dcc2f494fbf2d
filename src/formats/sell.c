#include "formats/sell.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"
#include "formats/fill.h"
#include "formats/sorted.h"
#include "formats/tiling.h"
#include "matrix/nonempty.h"

static const struct parameter parameters[] = {
    [SELL_C] = {.name = "c",
                .help = "rows of a chunk",
                .min = 1,
                .max = 1024,
                .standard = 32,
                .type = PARAMETER_POWER},
    [SELL_SIGMA] = {.name = "sigma",
                    .help = "rows of a window that is sorted by length, best a multiple of c; 1: not sorted",
                    .min = 1,
                    .max = INT32_MAX,
                    .standard = 1,
                    .type = PARAMETER_POWER},
    {0},
};

static inline int64_t at(const struct storage *storage, int q, int64_t e)
{
    return array_integer(&storage->array[q], e);
}

static inline bool is_sorted(const struct storage *storage)
{
    return storage_parameter(storage, SELL_SIGMA) > 1;
}

/* Planning and filling */

/* Return the length of chunk i's longest row. order[r] is the row at sorted position r; if order is NULL,
 * that is row r. */
static int64_t chunk_width(const struct csr *a, const int32_t *order, int64_t c, int64_t i)
{
    int64_t wide = 0;
    for (int64_t r = i * c; r < min((i + 1) * c, a->rows); r++) {
        int64_t length = row_length(a, order ? order[r] : r);
        if (length > wide) wide = length;
    }
    return wide;
}

/* Return the number of chunks that a thread takes at a time. */
static int64_t chunks_per_block(int64_t c)
{
    return 1 + 65536 / c;
}

/* Return the first chunk >= i that may have entries. Chunks before the window of the next row with an entry
 * have none, nor have those between the sorted rows of a window and its end. */
static int64_t next_chunk(const struct storage *storage, const struct csr *a, int64_t i)
{
    int64_t c = storage_parameter(storage, SELL_C), sigma = storage_parameter(storage, SELL_SIGMA);
    int64_t row = nonempty_from(a->row_ptr, min(i * c, a->rows), a->rows);
    return row < a->rows ? max(i, row / sigma * sigma / c) : INT64_MAX;
}

/* Add the slots of all chunks of a matrix, or of a part with whole chunks. */
static enum status add_slots_of(struct storage *storage, const struct csr *a, const int32_t *order,
                                struct progress *progress, struct error *error)
{
    int64_t c = storage_parameter(storage, SELL_C), chunks = (a->rows + c - 1) / c, columns = 0;
    int64_t block = chunks_per_block(c), blocks = (chunks + block - 1) / block;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : columns) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        for (int64_t i = next_chunk(storage, a, b * block), end = min((b + 1) * block, chunks); i < end;
             i = next_chunk(storage, a, i + 1))
            columns += chunk_width(a, order, c, i);
    }
    storage->slots[0] += columns * c;
    return progress_status(progress, error);
}

static void plan_arrays(struct storage *storage)
{
    plan_offsets(storage, SELL_CHUNK_PTR, "chunk_ptr", storage->number[SELL_CHUNKS] + 1, storage->slots[0],
                 "first slot of chunk i");
    plan_slots(storage, SELL_COL, "col", ROLE_COLUMNS, 0, "column of slot k");
    plan_slots(storage, SELL_VAL, "val", ROLE_VALUES, 0, "value of slot k");
    if (is_sorted(storage))
        plan_array(storage, SELL_PERM, "perm", ROLE_ROWS, ELEMENT_I32, storage->rows,
                   "row at sorted position r");
}

/* Return the number of tiles of a chunk: one of more than TILE_LINES rows takes several. */
static int64_t tiles_per_chunk(int64_t c)
{
    return (c + TILE_LINES - 1) / TILE_LINES;
}

/* Rows sorted at a time for planning, unless a window has more. So planning needs no memory for each row. */
#define SORTED_ROWS ((int64_t)1 << 21)

/* Return the rows from `first` on that planning sorts at a time: whole windows and chunks. The returned
 * matrix borrows the offsets of `a` and owns nothing. */
static struct csr sorted_rows(const struct storage *storage, const struct csr *a, int64_t first)
{
    const int64_t whole =
        common_multiple(storage_parameter(storage, SELL_C), storage_parameter(storage, SELL_SIGMA));
    struct csr part = *a;
    part.row_ptr = a->row_ptr + first;
    part.rows = min(a->rows - first, max(SORTED_ROWS / whole, 1) * whole);
    return part;
}

/* Return the bytes that sorting the rows takes, including their order. */
static size_t order_bytes(const struct storage *storage, const struct csr *a)
{
    const struct csr part = sorted_rows(storage, a, 0);
    return (size_t)part.rows * sizeof(int32_t) +
           sort_rows_bytes(&part, storage_parameter(storage, SELL_SIGMA));
}

/* Announce the memory of each step of filling: sorting the rows, adding up the widths of chunks, and filling
 * the tiles. */
static void plan_fill(struct storage *storage, const struct csr *a)
{
    int64_t chunks = storage->number[SELL_CHUNKS], c = storage_parameter(storage, SELL_C);
    if (is_sorted(storage)) plan_scratch(storage, sort_rows_bytes(a, storage_parameter(storage, SELL_SIGMA)));
    plan_scratch(storage, ((size_t)chunks + 1) * sizeof(int64_t));
    plan_scratch(storage, tiling_bytes(chunks * tiles_per_chunk(c)));
}

static enum status plan_sell(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    int64_t c = storage_parameter(storage, SELL_C);
    int32_t *order = NULL;
    enum status status = may_plan(storage, is_sorted(storage) ? order_bytes(storage, a) : 0, error);
    if (status != STATUS_OK) return status;
    if (is_sorted(storage)) {
        order = memory_array((size_t)sorted_rows(storage, a, 0).rows, sizeof *order, error);
        if (!order) return STATUS_MEMORY;
    }
    storage->number[SELL_CHUNKS] = (a->rows + c - 1) / c;
    storage->number[SELL_LONGEST] = longest_row(a);
    storage->slots[0] = 0;
    if (!order) status = add_slots_of(storage, a, NULL, progress, error);
    for (int64_t first = 0; order && status == STATUS_OK && first < a->rows;) {
        const struct csr part = sorted_rows(storage, a, first);
        status = sort_rows(&part, storage_parameter(storage, SELL_SIGMA), progress, order, error);
        if (status == STATUS_OK) status = add_slots_of(storage, &part, order, progress, error);
        first += part.rows;
    }
    if (status == STATUS_OK) plan_arrays(storage);
    plan_fill(storage, a);
    free(order);
    return status;
}

static enum status fill_chunk_ptr(struct storage *storage, const struct csr *a, const int32_t *order,
                                  struct progress *progress, struct error *error)
{
    int64_t c = storage_parameter(storage, SELL_C), chunks = storage->number[SELL_CHUNKS];
    int64_t block = chunks_per_block(c), blocks = (chunks + block - 1) / block;
    int64_t *columns = memory_array((size_t)chunks + 1, sizeof *columns, error);
    if (!columns) return STATUS_MEMORY;
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = b * block; i < min((b + 1) * block, chunks) && !progress_cancelled(progress); i++)
            columns[i] = chunk_width(a, order, c, i);
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) {
        threads_offsets(columns, chunks);
#pragma omp parallel for if (chunks > PARALLEL_MIN)
        for (int64_t i = 0; i <= chunks; i++)
            array_set(&storage->array[SELL_CHUNK_PTR], i, columns[i] * c);
    }
    free(columns);
    return status;
}

/* Return the slots that chunk i has for each row. */
static int64_t width_of(const struct storage *storage, int64_t i)
{
    int64_t slots = at(storage, SELL_CHUNK_PTR, i + 1) - at(storage, SELL_CHUNK_PTR, i);
    return slots / storage_parameter(storage, SELL_C);
}

static struct tile tile_of_chunk(const struct tiling *tiling, int64_t t)
{
    int64_t c = storage_parameter(tiling->storage, SELL_C), per = tiles_per_chunk(c);
    int64_t i = t / per, first = t % per * TILE_LINES;
    return (struct tile){
        .first = i * c + first,
        .lines = min(TILE_LINES, c - first),
        .wide = width_of(tiling->storage, i),
        .slot = at(tiling->storage, SELL_CHUNK_PTR, i) + first,
        .stride = c,
    };
}

static enum status fill_sell(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    int64_t c = storage_parameter(storage, SELL_C);
    int32_t *perm = is_sorted(storage) ? array_i32(storage, SELL_PERM) : NULL;
    enum status status = STATUS_OK;
    if (perm) status = sort_rows(a, storage_parameter(storage, SELL_SIGMA), progress, perm, error);
    if (status == STATUS_OK) status = fill_chunk_ptr(storage, a, perm, progress, error);
    if (status != STATUS_OK) return status;
    const struct tiling tiling = {
        .storage = storage,
        .a = a,
        .phase = "converting to SELL",
        .col = &storage->array[SELL_COL],
        .val = &storage->array[SELL_VAL],
        .order = perm,
        .rows = a->rows,
        .tiles = storage->number[SELL_CHUNKS] * tiles_per_chunk(c),
        .tile = tile_of_chunk,
    };
    return fill_tiles(&tiling, progress, error);
}

static enum status validate_sell(const struct storage *storage, struct error *error)
{
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    int64_t c = storage_parameter(storage, SELL_C);
    enum status status = check_ascending(chunk_ptr, storage->slots[0], error);
    for (int64_t i = 0; i < storage->number[SELL_CHUNKS] && status == STATUS_OK; i++)
        if (array_integer(chunk_ptr, i) % c) status = bad_element(chunk_ptr, i, "is no multiple of c", error);
    if (status == STATUS_OK) status = check_within(&storage->array[SELL_COL], 0, storage->cols - 1, error);
    if (status == STATUS_OK && is_sorted(storage))
        status = check_distinct(&storage->array[SELL_PERM], storage->rows, error);
    return status;
}

/* Places */

/* Return the row at sorted position r, or -1 beyond the last row. */
static int64_t row_at(const struct storage *storage, int64_t r)
{
    if (r >= storage->rows) return -1;
    return is_sorted(storage) ? at(storage, SELL_PERM, r) : r;
}

/* Return the slot of position d of sorted row r, or -1 if its chunk is narrower. */
static int64_t slot_of(const struct storage *storage, int64_t r, int64_t d)
{
    int64_t c = storage_parameter(storage, SELL_C), i = r / c;
    return d < width_of(storage, i) ? at(storage, SELL_CHUNK_PTR, i) + d * c + r % c : -1;
}

/* A sorted row and a position in it. */
struct cell {
    int64_t r, d;
};

/* Return the sorted row and the position of slot e: within its chunk, e is d * c + l. */
static struct cell cell_of(const struct storage *storage, int64_t e)
{
    int64_t c = storage_parameter(storage, SELL_C);
    int64_t i = offset_find(&storage->array[SELL_CHUNK_PTR], storage->number[SELL_CHUNKS], e);
    int64_t within = e - at(storage, SELL_CHUNK_PTR, i);
    return (struct cell){i * c + within % c, within / c};
}

/* Return the number of entries of sorted row r, from the arrays alone. */
static int64_t length_of(const struct storage *storage, int64_t r)
{
    int64_t c = storage_parameter(storage, SELL_C), i = r / c;
    return padded_length(storage, at(storage, SELL_CHUNK_PTR, i) + r % c, c, width_of(storage, i));
}

/* Return the window of row i, which is the same for rows and for sorted positions. */
static struct extent window_of(const struct storage *storage, int64_t i)
{
    int64_t sigma = storage_parameter(storage, SELL_SIGMA), first = i / sigma * sigma;
    return extent_of(first, min(sigma, storage->rows - first));
}

/* Return the sorted position of a spot's row. */
static int64_t position_of(const struct storage *storage, const struct spot *spot)
{
    if (spot->slot >= 0) return cell_of(storage, spot->slot).r;
    if (!is_sorted(storage)) return spot->place.row;
    struct extent window = window_of(storage, spot->place.row);
    return sorted_search(storage, storage->array[SELL_PERM].data, window.first, window.end, spot->place.row,
                         length_of);
}

static struct place place_sell(const struct storage *storage, int part, int64_t e)
{
    return (struct place){row_at(storage, cell_of(storage, e).r), at(storage, SELL_COL, e)};
}

static int64_t locate_sell(const struct storage *storage, const struct csr *a, int64_t i, int64_t k,
                           int *part)
{
    int64_t r = i;
    *part = 0;
    if (is_sorted(storage)) {
        struct extent window = window_of(storage, i);
        r = sorted_position(a, storage->array[SELL_PERM].data, window.first, window.end, i);
    }
    return slot_of(storage, r, k - a->row_ptr[i]);
}

/* A kernel needs the row's element of perm, and the two offsets of its chunk's beginning and end. */
static struct extent touch_sell(const struct storage *storage, int q, const struct spot *spot)
{
    int64_t r = position_of(storage, spot);
    if (r < 0) return extent_none();
    return q == SELL_PERM ? extent_of(r, 1) : extent_of(r / storage_parameter(storage, SELL_C), 2);
}

/* An element of perm leads to its row, an offset to the position of its chunk's first slot, or to the chunk's
 * first row if the chunk has no slots. */
static struct place leads_sell(const struct storage *storage, int q, int64_t e)
{
    if (q == SELL_PERM) return (struct place){row_at(storage, e), -1};
    if (e >= storage->number[SELL_CHUNKS]) return (struct place){-1, -1};
    if (width_of(storage, e) > 0) return place_sell(storage, 0, at(storage, SELL_CHUNK_PTR, e));
    return (struct place){row_at(storage, e * storage_parameter(storage, SELL_C)), -1};
}

/* A thick rule before each chunk, and a thin one before each position d of its rows. */
static enum rule rule_sell(const struct storage *storage, int q, int64_t e)
{
    int64_t c = storage_parameter(storage, SELL_C);
    if (q == SELL_CHUNK_PTR) return RULE_NONE;
    if (q == SELL_PERM) return e % c == 0 ? RULE_MAJOR : RULE_NONE;
    struct cell cell = cell_of(storage, e);
    if (cell.r % c != 0) return RULE_NONE;
    return cell.d == 0 ? RULE_MAJOR : RULE_MINOR;
}

/* A line of the picture is a sorted row. Rows of the last chunk beyond the matrix are drawn, too, since they
 * are stored as padding. */
static struct shape shape_sell(const struct storage *storage)
{
    return (struct shape){
        .line = LINE_ROW,
        .lines = storage->number[SELL_CHUNKS] * storage_parameter(storage, SELL_C),
        .wide = storage->number[SELL_LONGEST],
    };
}

static int64_t cell_sell(const struct storage *storage, int64_t line, int64_t c)
{
    return slot_of(storage, line, c);
}

static void find_sell(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c)
{
    *line = position_of(storage, spot);
    *c = spot->slot < 0 ? -1 : cell_of(storage, spot->slot).d;
}

static int64_t longest(const struct storage *storage)
{
    return storage->number[SELL_LONGEST];
}

/* The five criteria */

static int64_t height_of_chunk(const struct storage *storage)
{
    return storage_parameter(storage, SELL_C);
}

static int64_t slots_of_chunk(const struct layout *layout, int64_t g, const struct progress *progress)
{
    int64_t wide = 0;
    for (int64_t r = g * layout->height; r < min((g + 1) * layout->height, layout->a->rows); r++)
        wide = max(wide, row_length(layout->a, sorted_row(layout, r)));
    return wide * layout->height;
}

static double term_chunks(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t c = layout->height;
    double sum = 0;
    for (int64_t g = first; g < end; g++) {
        int64_t next = group_start(layout, g + 1), wide = (next - group_start(layout, g)) / c;
        double bytes = moved_bytes(layout, layout->storage->slots[0] - next + c - 1, layout->groups - g);
        for (int64_t r = g * c; r < min((g + 1) * c, layout->lines); r++) {
            int64_t i = sorted_row(layout, r);
            if (line_length(layout, i) == wide) sum += free_places(layout, i) * at_most_all(layout, bytes);
        }
    }
    return sum;
}

static double writes_sell(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_chunks);
}

static struct look_ups look_ups_of_sell(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    struct look_ups look_ups = {2, bisection((double)layout->groups)};
    if (!layout->order) return look_ups;
    look_ups.row += look_ups_of_order(storage->rows, storage_parameter(storage, SELL_SIGMA));
    look_ups.entry += 1;
    return look_ups;
}

static double fetches_sell(const struct layout *layout)
{
    if (storage_parameter(layout->storage, SELL_C) % WARP_THREADS) return NAN;
    return work_groups(layout) * (double)layout->slot;
}

static const struct criteria_rules criteria = {
    .height = height_of_chunk,
    .slots = slots_of_chunk,
    .writes = writes_sell,
    .look_ups = look_ups_of_sell,
    .fetches = fetches_sell,
    .lanes = lanes_groups,
};

static const char *const variants[] = {"", "sigma=1024", NULL};

static int64_t sorted_window(const struct storage *storage)
{
    return storage_parameter(storage, SELL_SIGMA);
}

static const struct format_trial trials[] = {{"", .first = true},           {"c=4"}, {"c=8"}, {"c=128"},
                                             {"sigma=1024", .quick = true}, {NULL}};

const struct format format_sell = {
    .name = "sell",
    .title = "SELL-C-sigma",
    .summary =
        "chunks of c rows, each padded to its longest row, after sorting windows of sigma rows by length",
    .source = "Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci. Comput. 36, 2014",
    .wins = "It suits grids and rows of similar length within a window, on GPUs and on processors with wide "
            "vectors. Rows are padded only to the longest of their chunk. A large sigma reduces padding if "
            "lengths differ.",
    .parameters = parameters,
    .tells_values = true,
    .convert_cost = 5,
    .example = "c=2",
    .variants = variants,
    .lines = FORMAT_CHUNKS,
    .trials = trials,
    .sorted_window = sorted_window,
    .longest = longest,
    .criteria = &criteria,
    .plan = plan_sell,
    .fill = fill_sell,
    .validate = validate_sell,
    .place = place_sell,
    .locate = locate_sell,
    .touch = touch_sell,
    .leads = leads_sell,
    .rule = rule_sell,
    .shape = shape_sell,
    .cell = cell_sell,
    .find = find_sell,
    .label = row_at,
};
