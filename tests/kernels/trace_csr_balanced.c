/* The chunks of csr-balanced: the lanes of the warp that takes one, as in src/kernels/cuda/csr_balanced.cu,
 * one at a time; the loop that stores sums as the compiler has it. */
#include <string.h>

#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* The state of a lane in a chunk. */
struct way {
    const struct launch *launch;
    const struct csr_tiles *tiles;
    struct lockstep *warp;
    const struct tile_span *span;
    int64_t chunk, t, moment; /* the first moment of the tile */
    int lane, each, value;
    bool begins;
};

/* Moments of a tile. */
enum {
    COLUMNS = 0,
    INDICES = 30,
    BASE = 40,
    WIDE = 50,
    VALUES = 100,
    ELEMENTS = 200,
    MARK = 300,
    PUT = 400,
    TAKE = 500,
    SCAN = 600,
    HANDED = 700,
    HEAD = 800,
    EARLY = 900,  /* sums beyond a multiple of four, */
    EIGHT = 1000, /* eight, */
    FOUR = 2000,  /* and four at a time */
    CLEAR = 5000,
    TILE = 1000000,
};

static void ask(const struct way *way, int64_t n, enum access access, enum operand operand, int size,
                int64_t e)
{
    note(way->warp, way->moment + n, access, operand, size, e);
}

static void load(const struct way *way, int64_t n, enum operand operand, int size, int64_t e)
{
    ask(way, n, ACCESS_LOAD, operand, size, e);
}

static bool last_tile(const struct way *way)
{
    return way->t == way->tiles->tiles - 1;
}

/* The position of the tile's entries in val and col, or in the arrays that replace their end. */
static int64_t begin(const struct way *way)
{
    return last_tile(way) ? 0 : way->t * way->each * 32;
}

/* The load of a lane for entry e of the tile, which may lie beyond the last entry of the matrix. */
static void load_entry(const struct way *way, int64_t n, enum operand operand, int size, int64_t at,
                       int64_t e)
{
    way->warp->padding = way->t * way->each * 32 + e >= way->launch->storage->nnz;
    load(way, n, operand, size, at);
    way->warp->padding = false;
}

static void load_wide(const struct way *way, int64_t n)
{
    for (int j = 0; j < way->each; j++)
        load_entry(way, n + j, OPERAND_COLUMNS, 4, begin(way) + j * 32 + way->lane, j * 32 + way->lane);
}

static const struct unique *unique_of(const struct way *way)
{
    return &((const struct balanced *)way->launch->state)->unique;
}

static void load_columns(const struct way *way)
{
    const struct csr_tiles *tiles = way->tiles;
    for (int q = 0; unique_of(way)->index && q < way->each / 8; q++)
        load_entry(way, INDICES + q, OPERAND_VALUES, 8, way->t * way->each * 4 + way->lane + q * 32,
                   q * 256 + way->lane);
    if (!tiles->col16) {
        load_wide(way, COLUMNS);
        return;
    }
    load(way, BASE, OPERAND_TABLES, 4, way->t);
    int some = way->each < 8 ? 4 : 8;
    for (int q = 0; tiles->base[way->t] >= 0 && q < way->each / some; q++)
        load_entry(way, COLUMNS + q, OPERAND_COLUMNS, 2 * some,
                   (way->t * way->each * 32 + way->lane * some + q * some * 32) / some,
                   q * some * 32 + way->lane);
}

static int64_t column(const struct way *way, int e)
{
    const struct csr_tiles *tiles = way->tiles;
    if (tiles->col16 && tiles->base[way->t] >= 0)
        return tiles->base[way->t] + tiles->col16[way->t * way->each * 32 + csr_tile_place(way->each, e)];
    if (last_tile(way)) return tiles->last_col[e];
    return array_integer(&way->launch->storage->array[CSR_COL], begin(way) + e);
}

/* The bits of the value of entry k. */
static uint64_t value_of(const struct way *way, int64_t k)
{
    const struct array *val = &way->launch->storage->array[CSR_VAL];
    uint64_t bits = 0;
    memcpy(&bits, (const char *)val->data + k * way->value, (size_t)way->value);
    return bits;
}

static int place_of(const struct way *way, uint64_t value)
{
    const char *table = unique_of(way)->value;
    for (int k = 0; k < unique_of(way)->count; k++)
        if (memcmp(table + k * way->value, &value, (size_t)way->value) == 0) return k;
    fail_msg("no value of the table is that of the entry");
    return -1;
}

static void load_tile(const struct way *way)
{
    const struct csr_tiles *tiles = way->tiles;
    for (int j = 0; j < way->each && unique_of(way)->count <= 0; j++)
        load_entry(way, VALUES + j, OPERAND_VALUES, way->value, begin(way) + j * 32 + way->lane,
                   j * 32 + way->lane);
    for (int j = 0; j < way->each && unique_of(way)->index; j++) {
        int64_t e = j * 32 + way->lane, there = way->t * way->each * 32 + e < way->launch->storage->nnz;
        uint64_t value = there ? value_of(way, way->t * way->each * 32 + e) : 0;
        load_entry(way, VALUES + j, OPERAND_TABLES, way->value, there ? place_of(way, value) : 0, e);
    }
    if (tiles->col16 && tiles->base[way->t] < 0) load_wide(way, WIDE);
    for (int j = 0; j < way->each; j++)
        load_entry(way, ELEMENTS + j, OPERAND_X, way->value, column(way, j * 32 + way->lane),
                   j * 32 + way->lane);
    load(way, MARK, OPERAND_TABLES, way->each < 16 ? 2 : 4, way->t * 32 + way->lane);
    load(way, MARK + 1, OPERAND_TABLES, 4, way->t);
    if (way->t == way->chunk << tiles->shift && way->lane < 5)
        load(way, MARK + 2, OPERAND_TABLES, 4, way->chunk * 8 + way->lane);
}

static uint32_t mark_of(const struct way *way, int lane)
{
    int64_t k = way->t * 32 + lane;
    return way->each < 16 ? ((const uint16_t *)way->tiles->mark)[k] : ((const uint32_t *)way->tiles->mark)[k];
}

static int swizzled(const struct way *way, int i)
{
    int each = 128 / way->value; /* products of 128 bytes */
    return i ^ i / each % 8 * (16 / way->value);
}

static void shared(const struct way *way, int64_t n, enum access access, int64_t e)
{
    ask(way, n, access, OPERAND_SHARED, way->value, e);
}

static void scan(const struct way *way)
{
    uint32_t mark = mark_of(way, way->lane);
    int out = (int)(mark >> way->each), before = out, unit = 16 / way->value;
    for (int j = 0; j < way->each; j++)
        shared(way, PUT + j, ACCESS_STORE, swizzled(way, j * 32 + way->lane));
    for (int j = 0; j < way->each / unit; j++)
        load(way, TAKE + j, OPERAND_SHARED, 16, swizzled(way, way->lane * way->each + unit * j) / unit);
    for (int j = 0; j < way->each; j++)
        if (mark >> j & 1) shared(way, SCAN + j, ACCESS_STORE, out++);
    if (way->lane == 0 || out == before) return;
    shared(way, HANDED, ACCESS_LOAD, before);
    shared(way, HANDED + 1, ACCESS_STORE, before);
}

/* y[...] = products[i], at four moments. */
static void put(const struct way *way, int64_t n, int i, bool inside)
{
    int64_t row = way->tiles->first[way->t];
    if (inside && i == 0) return;
    shared(way, n, ACCESS_LOAD, i);
    if (row < 0) {
        load(way, n + 1, OPERAND_ROWS, 4, ~row + i);
        row = way->tiles->rows[~row + i];
    } else {
        row += i;
    }
    if (way->launch->product.accumulate) load(way, n + 2, OPERAND_Y, way->value, row);
    ask(way, n + 3, ACCESS_STORE, OPERAND_Y, way->value, row);
}

/* for (int i = lane; i < count; i += 32) put(i), unrolled as in the machine code for compute capability 9.0;
 * of a complex matrix it is not unrolled. */
static void store(const struct way *way, int count, bool inside)
{
    bool eights = way->each == 8 && !way->launch->product.accumulate && way->tiles->first[way->t] >= 0;
    int i = way->lane, left = i < count ? (count - 1 - i) / 32 + 1 : 0;
    for (int k = 0; way->launch->storage->complex && i < count; k++, i += 32)
        put(way, EARLY + 4 * k, i, inside);
    if (way->launch->storage->complex) return;
    for (int k = 0; k < left % 4; k++, i += 32)
        put(way, EARLY + 4 * k, i, inside);
    if (eights && count - i > 128)
        for (int k = 0; k < 8; k++, i += 32)
            put(way, EIGHT + 4 * k, i, inside);
    for (int turns = 0; i < count; turns++)
        for (int k = 0; k < 4; k++, i += 32)
            put(way, FOUR + 100 * turns + 4 * k, i, inside);
}

static void sum_tile(struct way *way)
{
    uint32_t last = mark_of(way, 31);
    int count = (int)(last >> way->each) + __builtin_popcount(last & ((1u << way->each) - 1));
    bool inside = false;
    if (count == 0) return;
    scan(way);
    if (way->begins) {
        inside = way->span->from >= 0;
        way->begins = false;
        if (inside) shared(way, HEAD, ACCESS_LOAD, 0);
    }
    store(way, count, inside);
}

/* A partial sum has two words of 8 bytes, or four, each with a moment. `half` says which of the two of a
 * chunk it is. */
static void part(const struct way *way, int64_t n, enum access access, int64_t chunk, int half)
{
    int words = way->launch->storage->complex ? 4 : 2;
    for (int k = 0; k < words; k++)
        ask(way, n + k, access, OPERAND_TABLES, 8, (2 * chunk + half) * words + k);
}

/* The warp in whose chunk the row ends comes last. */
static void complete(const struct way *way)
{
    int64_t n = 100, c = way->span->from + way->lane;
    for (; c < way->chunk; c += 32, n += 8) {
        part(way, n, ACCESS_LOAD, c, 0);
        part(way, n + 4, ACCESS_STORE, c, 0);
    }
    if (way->lane != 1) return;
    part(way, 50, ACCESS_LOAD, way->chunk, 1);
    part(way, 54, ACCESS_STORE, way->chunk, 1);
    if (way->launch->product.accumulate) load(way, 58, OPERAND_Y, way->value, way->span->row);
    ask(way, 59, ACCESS_STORE, OPERAND_Y, way->value, way->span->row);
    ask(way, 60, ACCESS_STORE, OPERAND_TABLES, 4, way->chunk);
}

static void clear_empty(const struct way *way)
{
    const struct csr_tiles *tiles = way->tiles;
    int64_t words = tiles->words, last = words * (way->chunk + 1) / tiles->chunks;
    for (int64_t w = words * way->chunk / tiles->chunks; w < last; w += 32) {
        if (w + way->lane < last) load(way, CLEAR + 100 * w, OPERAND_TABLES, 4, w + way->lane);
        for (int i = 0; i < 32 && w + i < last; i++)
            if (tiles->empty[w + i] >> way->lane & 1)
                ask(way, CLEAR + 100 * w + 1 + i, ACCESS_STORE, OPERAND_Y, way->value,
                    (w + i) * 32 + way->lane);
    }
}

static void end_chunk(const struct way *way)
{
    if (way->lane == 0 && way->span->to >= 0) {
        part(way, 0, ACCESS_STORE, way->chunk, 0);
        ask(way, 4, ACCESS_ATOMIC, OPERAND_TABLES, 4, way->span->to);
    }
    if (way->lane == 1 && way->span->from >= 0 && !way->begins) {
        part(way, 0, ACCESS_STORE, way->chunk, 1);
        ask(way, 4, ACCESS_ATOMIC, OPERAND_TABLES, 4, way->chunk);
    }
    if (way->span->from >= 0 && !way->begins) complete(way);
    if (!way->launch->product.accumulate && way->tiles->empty) clear_empty(way);
}

static void lane_of_chunk(const struct launch *launch, int64_t s, int64_t chunk, int lane,
                          struct lockstep *warp)
{
    const struct csr_tiles *tiles = &((const struct balanced *)launch->state)->tiles;
    struct way way = {.launch = launch,
                      .tiles = tiles,
                      .warp = warp,
                      .span = &tiles->spans[chunk],
                      .chunk = chunk,
                      .lane = lane,
                      .each = 64 / value_width(launch->storage->precision, launch->storage->complex),
                      .value = value_width(launch->storage->precision, launch->storage->complex),
                      .begins = true};
    if (lane == 0) note(warp, 0, ACCESS_ATOMIC, OPERAND_SHARED, 4, 0);
    for (int64_t k = 0; k < 1 << tiles->shift; k++) {
        way.t = (chunk << tiles->shift) + k;
        way.moment = (k + 1) * TILE;
        if (way.t >= tiles->tiles) break;
        load_columns(&way);
        load_tile(&way);
        sum_tile(&way);
    }
    way.moment = 100 * TILE;
    end_chunk(&way);
}

static void chunks_are_read_as_by_their_lanes(void **state)
{
    static const char *const sets[] = {"", "columns=16,tiles=1", "columns=32,tiles=2,run=1", "tiles=32",
                                       "columns=16,run=1024"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace(&kernel_cuda_csr_balanced, sets[k], NULL, lane_of_chunk) > 50);
}

static void values_are_told_by_bytes_or_once(void **state)
{
    assert_true(expect_trace_few(&kernel_cuda_csr_balanced, "values=8", NULL, 256, lane_of_chunk) > 20);
    assert_true(expect_trace_few(&kernel_cuda_csr_balanced, "values=8,columns=32", NULL, 1, lane_of_chunk) >
                20);
    assert_true(expect_trace_few(&kernel_cuda_csr_balanced, "values=0", NULL, 1, lane_of_chunk) > 20);
}

/* Growing rows, so that the number of rows in a tile ranges from all possible to few. Some of the last rows
 * are empty. */
static int64_t growing(int64_t i)
{
    if (i > 1500 && i * 7919 % 11 < 3) return 0;
    return 1 + i * 7919 % 101 * (i % 1500) / 20000;
}

/* Some lanes store one sum more than others, up to 16. */
static void many_rows_of_a_tile_are_stored_as_compiled(void **state)
{
    struct csr a = support_rows(3000, growing);
    assert_true(expect_trace_of(&kernel_cuda_csr_balanced, "tiles=1", NULL, &a, lane_of_chunk) > 50);
    csr_free(&a);
}

/* Rows of more chunks than a warp has lanes. */
static void long_rows_are_added_up(void **state)
{
    struct csr a = support_matrix(3, 20000, 0.8, false, false, 1);
    assert_true(expect_trace_of(&kernel_cuda_csr_balanced, "tiles=1", NULL, &a, lane_of_chunk) > 100);
    csr_free(&a);
}

/* If the matrix does not fill the last tile, that is a copy. Its columns and values begin at the start of the
 * copied arrays. */
static void note_first(void *context, const struct request *request)
{
    uint64_t *first = context;
    if (strcmp(request->ask->text, "last_col[e]") == 0 && first[0] == UINT64_MAX)
        first[0] = request->address[0];
    if (strcmp(request->ask->text, "last_val[e]") == 0 && first[1] == UINT64_MAX)
        first[1] = request->address[0];
}

static void the_last_tile_is_a_copy(void **state)
{
    static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};
    struct csr a = support_matrix(200, 90, 0.1, false, false, 3);
    struct device device;
    struct launch launch;
    uint64_t first[2] = {UINT64_MAX, UINT64_MAX};
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    paper_open(&facts, &device);
    assert_int_equal(preparing_on_paper(&device, &kernel_cuda_csr_balanced, "columns=32,tiles=1", &storage,
                                        &(struct preparing){0}, &launch, NULL),
                     STATUS_OK);
    const struct csr_tiles *tiles = &((const struct balanced *)launch.state)->tiles;
    assert_true(tiles->tiles > 1);
    struct tracer tracer = {.show = note_first, .context = first};
    trace_warp(&launch, 0, tiles->tiles - 1, &tracer);
    assert_int_equal(first[0], 0);
    assert_int_equal(first[1], 0);
    kernel_release(&launch);
    device_close(&device);
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_read_as_by_their_lanes),
        cmocka_unit_test(values_are_told_by_bytes_or_once),
        cmocka_unit_test(many_rows_of_a_tile_are_stored_as_compiled),
        cmocka_unit_test(long_rows_are_added_up),
        cmocka_unit_test(the_last_tile_is_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
