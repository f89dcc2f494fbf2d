/* Tables of GPU kernels beside a format's arrays: products computed from the tables alone, as a GPU would,
 * compared with a plain loop; the bytes of the tables; and that nothing leaks if memory runs out. A device in
 * the host's memory replaces a GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/cuda/sell.h"
#include "support/cmocka.h"
#include "support/device_memory.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static struct device memory_device = {.type = &device_of_memory, .facts = {.multiprocessors = 4}};

/* Matrices: small whole numbers, so that sums are exact in any order, in single precision too */

/* Row lengths that are hard for tiles; some rows span several chunks. */
static int64_t length_of(int kind, int64_t i, int64_t rows, uint64_t *seed)
{
    switch (kind) {
    case 0:
        return support_random(seed, 8);
    case 1:
        return support_random(seed, 50) == 0 ? support_random(seed, 9000) : support_random(seed, 3);
    case 2:
        return support_random(seed, 3) ? 0 : 1 + support_random(seed, 40);
    case 3:
        return i == rows / 2 ? 30000 : i > rows / 3 && i < rows / 2 ? 0 : support_random(seed, 5);
    case 4:
        return 32; /* rows end at the ends of tiles */
    case 5:
        return i < 200 ? (i % 2 ? 924 : 100) : 0; /* as here, where rows begin in an earlier tile */
    default:
        return i == 0 ? 2 : 0;
    }
}
#define KINDS 7

/* Columns ascend, as they do in every matrix; `step` apart on average. */
static struct csr make_matrix(int kind, int64_t rows, uint32_t step)
{
    struct csr a = {.rows = rows, .cols = (int64_t)30001 * step};
    uint64_t seed = (uint64_t)kind + 7;
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + length_of(kind, i, rows, &seed);
    a.col = memory_array((size_t)csr_nnz(&a), sizeof *a.col, NULL);
    a.val = memory_array((size_t)csr_nnz(&a), sizeof *a.val, NULL);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            a.col[k] = (int32_t)((k - a.row_ptr[i]) * step + support_random(&seed, step));
            a.val[k] = (double)support_random(&seed, 7) - 3;
        }
    return a;
}

static double x_at(int64_t j)
{
    return (double)(j * 2654435761u % 7) - 3;
}

static double *plain_product(const struct csr *a)
{
    double *y = memory_zeroed((size_t)a->rows, sizeof *y, NULL);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            y[i] += a->val[k] * x_at(a->col[k]);
    return y;
}

static struct storage store(const struct format *format, const char *parameters, const struct csr *a,
                            enum precision precision, bool wide)
{
    const struct storing options = {.precision = precision, .wide = wide};
    struct storage storage = storing_done(format, parameters, &options, a);
    return storage;
}

static double value_at(const void *values, enum precision precision, int64_t e)
{
    return precision == PRECISION_F32 ? ((const float *)values)[e] : ((const double *)values)[e];
}

/* A product from tiles, chunks in any order */

struct evaluation {
    const struct storage *storage;
    const struct csr_tiles *tiles;
    double *y; /* NaN in rows that are not stored yet */
    double *head, *tail;
    int *arrived; /* by chunk */
};

static void put_row(struct evaluation *v, int64_t row, double sum)
{
    assert_in_range(row, 0, v->storage->rows - 1);
    if (!isnan(v->y[row])) fail_msg("row %lld is put twice", (long long)row);
    v->y[row] = sum;
}

/* A part of a row that lies in chunks from .. to has been added up. The part that arrives last sums them
 * all. */
static void arrive(struct evaluation *v, int from, int to, int64_t row)
{
    double sum = v->head[to];
    if (v->arrived[to]++ < to - from) return;
    for (int chunk = from; chunk < to; chunk++)
        sum += v->tail[chunk];
    put_row(v, row, sum);
}

/* Column and value of entry e of tile t. */
static double product_at(const struct evaluation *v, int t, int e)
{
    const struct csr_tiles *tiles = v->tiles;
    int entries = csr_tile_entries(tiles);
    bool last = t == tiles->tiles - 1;
    int64_t k = (int64_t)t * entries + e;
    const int32_t *col = v->storage->array[CSR_COL].data;
    int32_t j = last ? tiles->last_col[e] : col[k];
    if (tiles->col16 && tiles->base[t] >= 0)
        j = tiles->base[t] + tiles->col16[(int64_t)t * entries + csr_tile_place(tiles->each, e)];
    enum precision precision = v->storage->precision;
    double value = last ? value_at(tiles->last_val, precision, e)
                        : value_at(v->storage->array[CSR_VAL].data, precision, k);
    assert_in_range(j, 0, v->storage->cols - 1);
    return value * x_at(j);
}

static uint32_t mark_at(const struct csr_tiles *tiles, int64_t k)
{
    return tiles->each == TILE_LANE_MAX ? ((const uint32_t *)tiles->mark)[k]
                                        : ((const uint16_t *)tiles->mark)[k];
}

static void end_row(struct evaluation *v, int chunk, bool *begins, int64_t row, double sum)
{
    const struct tile_span *span = &v->tiles->spans[chunk];
    if (*begins && span->from >= 0) {
        v->head[chunk] = sum;
        assert_int_equal(span->row, row);
        arrive(v, span->from, chunk, row);
    } else {
        put_row(v, row, sum);
    }
    *begins = false;
}

static void multiply_chunk(struct evaluation *v, int chunk)
{
    const struct csr_tiles *tiles = v->tiles;
    const struct tile_span *span = &tiles->spans[chunk];
    int first = chunk << tiles->shift, end = first + (1 << tiles->shift);
    double open = 0;
    bool begins = true;
    for (int t = first; t < end && t < tiles->tiles; t++) {
        int count = 0;
        for (int e = 0; e < csr_tile_entries(tiles); e++) {
            uint32_t mark = mark_at(tiles, (int64_t)t * TILE_LANES + e / tiles->each);
            if (e % tiles->each == 0) assert_int_equal(mark >> tiles->each, count);
            open += product_at(v, t, e);
            if (!(mark >> e % tiles->each & 1)) continue;
            int32_t row = tiles->first[t];
            end_row(v, chunk, &begins, row >= 0 ? row + count : tiles->rows[~row + count], open);
            open = 0;
            count++;
        }
    }
    if (span->to < 0) return;
    v->tail[chunk] = open;
    arrive(v, span->to_from, span->to, span->to_row);
}

static void clear_empty(struct evaluation *v)
{
    for (int64_t i = 0; i < (int64_t)v->tiles->words * 32; i++)
        if (v->tiles->empty[i / 32] >> i % 32 & 1) put_row(v, i, 0);
}

static void expect_product(const struct storage *storage, const struct csr_tiles *tiles, const double *wanted)
{
    size_t rows = (size_t)storage->rows, chunks = (size_t)tiles->chunks;
    struct evaluation v = {.storage = storage, .tiles = tiles};
    v.y = memory_array(rows, sizeof *v.y, NULL);
    v.head = memory_zeroed(chunks, sizeof *v.head, NULL);
    v.tail = memory_zeroed(chunks, sizeof *v.tail, NULL);
    v.arrived = memory_zeroed(chunks, sizeof *v.arrived, NULL);
    for (size_t i = 0; i < rows; i++)
        v.y[i] = NAN;
    clear_empty(&v);
    size_t step = chunks > 7 ? 7 : 1; /* every seventh chunk, then the others */
    for (size_t first = 0; first < step; first++)
        for (size_t c = first; c < chunks; c += step)
            multiply_chunk(&v, (int)(chunks - 1 - c));
    for (size_t i = 0; i < rows; i++)
        if (!(v.y[i] == wanted[i])) fail_msg("row %zu is %g instead of %g", i, v.y[i], wanted[i]);
    free(v.y);
    free(v.head);
    free(v.tail);
    free(v.arrived);
}

/* A block takes its chunks by tickets, which are divided by `run` by means of an inverse. The quotients must
 * be exact for all tickets. */
static void expect_inverse(const struct csr_tiles *tiles, int blocks)
{
    for (uint64_t k = 0; k < (uint64_t)(tiles->chunks / blocks + 2 * tiles->run + 64) && tiles->inverse; k++)
        assert_int_equal(k * tiles->inverse >> 32, k / (uint64_t)tiles->run);
}

static void tiles_give_the_product(void **state)
{
    static const int widths[] = {0, 16, 32};
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t step = 1; step <= 301; step += 300) {
            struct csr a = make_matrix(kind, kind == 3 ? 700 : 2001, step);
            double *wanted = plain_product(&a);
            for (int k = 0; k < 16; k++) {
                struct storage storage = store(&format_csr, "", &a, k & 1, k >> 1 & 1);
                const struct tile_plan plan = {widths[k % 3], k % 5, k & 4 ? 20 : 320, 1 + k % 4, 0};
                struct csr_tiles tiles;
                assert_int_equal(csr_tiles_make(&storage, &plan, &tiles, NULL), STATUS_OK);
                expect_product(&storage, &tiles, wanted);
                expect_inverse(&tiles, plan.multiprocessors);
                if (plan.columns) assert_int_equal(tiles.col16 != NULL, plan.columns == 16);
                csr_tiles_free(&tiles);
                csr_tiles_free(&tiles);
                storage_free(&storage);
            }
            free(wanted);
            csr_free(&a);
        }
}

/* All tiles within 65536 columns, some of them, and none. */
static void columns_are_narrow_where_they_fit(void **state)
{
    static const struct {
        int kind;
        uint32_t step;
        bool narrow, all;
    } cases[] = {{0, 1, true, true}, {4, 301, true, true}, {3, 3, true, false}, {3, 301, false, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = make_matrix(cases[k].kind, 700, cases[k].step);
        struct storage storage = store(&format_csr, "", &a, PRECISION_F64, false);
        const struct tile_plan plan = {0, 2, 80, 4, 0}, forced = {16, 2, 80, 4, 0};
        struct csr_tiles tiles;
        assert_int_equal(csr_tiles_make(&storage, &plan, &tiles, NULL), STATUS_OK);
        assert_int_equal(tiles.col16 != NULL, cases[k].narrow);
        csr_tiles_free(&tiles);
        assert_int_equal(csr_tiles_make(&storage, &forced, &tiles, NULL), STATUS_OK);
        assert_int_equal(tiles.wide == 0, cases[k].all);
        csr_tiles_free(&tiles);
        storage_free(&storage);
        csr_free(&a);
    }
}

static void no_entry_makes_no_tile(void **state)
{
    struct csr a = make_matrix(6, 0, 1);
    struct storage storage = store(&format_csr, "", &a, PRECISION_F64, false);
    struct launch launch;
    assert_int_equal(preparing_on(&memory_device, &kernel_cuda_csr_balanced, "", &storage, &storage,
                                  &(struct preparing){0}, &launch, NULL),
                     STATUS_OK);
    assert_int_equal(balanced_grid(&launch).blocks, 0);
    assert_true(kernel_bytes(&launch).plus == 8.0 * (double)a.cols);
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* SELL */

/* The product from the kernel's arrays: 16-bit columns if there are any, else the format's. */
static void expect_sell_product(const struct storage *storage, const struct sell_columns *columns,
                                const double *wanted)
{
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    const int32_t *col = storage->array[SELL_COL].data;
    bool sorted = storage->values.number[SELL_SIGMA] > 1;
    int64_t parts = sell_chunk_slices(storage);
    for (int64_t place = 0; place < storage->rows; place++) {
        int64_t s = place / SELL_SLICE, chunk = s / parts, step = parts * SELL_SLICE;
        int64_t slot = array_integer(chunk_ptr, chunk) + s % parts * SELL_SLICE + place % SELL_SLICE;
        int64_t row = sorted ? ((const int32_t *)storage->array[SELL_PERM].data)[place] : place;
        double sum = 0;
        for (; slot < array_integer(chunk_ptr, chunk + 1); slot += step) {
            bool narrow = columns->narrow && columns->base[s] >= 0;
            int64_t j = narrow ? columns->base[s] + columns->narrow[slot] : col[slot];
            assert_in_range(j, 0, storage->cols - 1);
            sum += value_at(storage->array[SELL_VAL].data, storage->precision, slot) * x_at(j);
        }
        if (sum != wanted[row]) fail_msg("row %lld is %g, not %g", (long long)row, sum, wanted[row]);
    }
}

static void columns_of_sell_give_the_product(void **state)
{
    static const char *const parameters[] = {"c=32", "c=32,sigma=512", "c=64,sigma=64", "c=96,sigma=1024"};
    static const int widths[] = {0, 16, 32};
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t step = 1; step <= 301; step += 300) {
            struct csr a = make_matrix(kind, 333, step);
            double *wanted = plain_product(&a);
            for (int k = 0; k < 24; k++) {
                struct storage storage = store(&format_sell, parameters[k % 4], &a, k >> 2 & 1, k >> 3 & 1);
                struct sell_columns columns;
                assert_int_equal(sell_columns_make(&storage, widths[k % 3], 0, &columns, NULL), STATUS_OK);
                expect_sell_product(&storage, &columns, wanted);
                if (widths[k % 3]) assert_int_equal(columns.narrow != NULL, widths[k % 3] == 16);
                sell_columns_free(&columns);
                storage_free(&storage);
            }
            free(wanted);
            csr_free(&a);
        }
}

/* An empty row, and a row with two entries: column 1000, and the last column within 16 bits from there, or
 * the next one. The padding of the empty row has column 0, and must not be read beyond x. */
static void sixteen_bits_reach_65535_columns(void **state)
{
    int64_t row_ptr[] = {0, 0, 2};
    double val[] = {1, 1};
    for (int32_t last = 66535; last <= 66536; last++) {
        int32_t col[] = {1000, last};
        struct csr a = {.rows = 2, .cols = 70000, .row_ptr = row_ptr, .col = col, .val = val};
        double wanted[] = {0, x_at(1000) + x_at(last)};
        struct storage storage = store(&format_csr, "", &a, PRECISION_F64, false);
        const struct tile_plan plan = {16, 0, 20, 4, 0};
        struct csr_tiles tiles;
        struct sell_columns columns;
        assert_int_equal(csr_tiles_make(&storage, &plan, &tiles, NULL), STATUS_OK);
        assert_int_equal(tiles.wide, last - 66535);
        expect_product(&storage, &tiles, wanted);
        csr_tiles_free(&tiles);
        storage_free(&storage);
        storage = store(&format_sell, "c=32", &a, PRECISION_F64, false);
        assert_int_equal(sell_columns_make(&storage, 16, 0, &columns, NULL), STATUS_OK);
        assert_int_equal(columns.wide, last - 66535);
        assert_int_equal(columns.wide_slots, (last - 66535) * 64);
        assert_int_equal(columns.narrow[0], 0);
        expect_sell_product(&storage, &columns, wanted);
        sell_columns_free(&columns);
        storage_free(&storage);
    }
}

/* The kernels */

static struct launch prepare(const struct kernel *kernel, const char *parameters,
                             const struct storage *storage, bool accumulate, enum status wanted)
{
    struct launch launch;
    struct error error = {0};
    enum status status = preparing_on(&memory_device, kernel, parameters, storage, storage,
                                      &(struct preparing){.product.accumulate = accumulate}, &launch, &error);
    if (status != wanted) fail_msg("%s:%s: %s", kernel->name, parameters, error.message);
    return launch;
}

/* The arrays on the device equal the host's. */
static void tables_are_put_on_the_device(void **state)
{
    struct csr a = make_matrix(1, 2001, 1);
    double *wanted = plain_product(&a);
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        struct storage storage = store(&format_csr, "", &a, precision, false);
        struct launch launch = prepare(&kernel_cuda_csr_balanced, "", &storage, false, STATUS_OK);
        const struct balanced *balanced = launch.state;
        expect_product(&storage, &balanced->tiles, wanted);
        for (int k = 0; k < balanced->tiles.chunks * 4; k++)
            assert_true(balanced->partials[k] == 0 && balanced->arrived[k / 4] == 0);
        assert_int_equal(balanced_grid(&launch).blocks, 4);
        kernel_release(&launch);
        storage_free(&storage);
        storage = store(&format_sell, "c=32,sigma=512", &a, precision, false);
        launch = prepare(&kernel_cuda_sell, "columns=16", &storage, false, STATUS_OK);
        expect_sell_product(&storage, &((const struct sell_state *)launch.state)->columns, wanted);
        kernel_release(&launch);
        storage_free(&storage);
        assert_int_equal(device_memory.arrays, 0);
    }
    free(wanted);
    csr_free(&a);
}

/* Columns per entry, and from them the tiles of a chunk and of a run. In the first case, columns per entry
 * suggest 4 tiles, and 160 or 80 per run. But then 4 multiprocessors of 20 warps, with tiles of 256 or 512
 * entries, would have fewer chunks than warps. One multiprocessor has enough chunks. Given numbers stay. */
static void the_pace_follows_from_the_matrix(void **state)
{
    static const struct {
        int kind;
        uint32_t step;
        const char *parameters;
        double tiles[2], run[2]; /* by precision */
        int multiprocessors;
    } cases[] = {
        {4, 1, "", {2, 1}, {160, 80}, 4}, /* 30001 columns, 64032 entries */
        {4, 1, "", {4, 4}, {160, 80}, 1},
        {4, 3, "", {2, 1}, {20, 20}, 4}, /* 3 x as many columns */
        {4, 3, "", {2, 1}, {20, 20}, 1},
        {4, 3, "tiles=8,run=40", {8, 8}, {40, 40}, 4} /* as requested */,
        {4, 3, "tiles=7", {4, 4}, {20, 20}, 4}, /* rounded down to a power of two */
    };
    const int before = memory_device.facts.multiprocessors;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
            struct csr a = make_matrix(cases[k].kind, 2001, cases[k].step);
            struct storage storage = store(&format_csr, "", &a, precision, false);
            memory_device.facts.multiprocessors = cases[k].multiprocessors;
            struct launch launch =
                prepare(&kernel_cuda_csr_balanced, cases[k].parameters, &storage, false, STATUS_OK);
            assert_true(launch.values.number[BALANCED_TILES] == cases[k].tiles[precision]);
            assert_true(launch.values.number[BALANCED_RUN] == cases[k].run[precision]);
            kernel_release(&launch);
            storage_free(&storage);
            csr_free(&a);
        }
    memory_device.facts.multiprocessors = before;
}

static void impossible_launches_are_refused_with_the_reason(void **state)
{
    static const struct {
        const char *format, *parameters, *reason;
    } cases[] = {{"c=16", "", "c=16 is none"}, {"c=32", "block=100", "whole warps"}};
    struct csr a = make_matrix(0, 100, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct storage storage = store(&format_sell, cases[k].format, &a, PRECISION_F64, false);
        struct launch launch;
        struct error error = {0};
        assert_int_equal(preparing_on(&memory_device, &kernel_cuda_sell, cases[k].parameters, &storage,
                                      &storage, &(struct preparing){0}, &launch, &error),
                         STATUS_UNAVAILABLE);
        assert_non_null(strstr(error.message, cases[k].reason));
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

/* 3 x 4 with 5 entries and an empty row:
 *
 *     1 . 2 .
 *     . . . .
 *     4 . 1 5 */
static const double five_entries[] = {1, 0, 2, 0, 0, 0, 0, 0, 4, 0, 1, 5};

/* By hand. Tiles: 32 marks of 2 bytes, first and base; two rows that are listed because an empty row lies
 * between them, whose bits are one word; the span, parts and count of a chunk. SELL: a chunk of 3 x 32 slots
 * with two pointers and a base. x and y take 56 bytes. */
static void bytes_are_those_that_are_read(void **state)
{
    static const struct {
        const struct kernel *kernel;
        const char *parameters;
        int bytes, added; /* further bytes of y += A x: y is read, but not the list of empty rows */
    } cases[] = {
        {&kernel_cuda_csr_balanced, "", 5 * (8 + 2) + 64 + 4 + 4 + 2 * 4 + 4 + 32 + 32 + 4, 24 - 4},
        {&kernel_cuda_csr_balanced, "columns=32", 5 * (8 + 4) + 64 + 4 + 2 * 4 + 4 + 32 + 32 + 4, 24 - 4},
        {&kernel_cuda_sell, "", 96 * (8 + 2) + 2 * 4 + 4, 24},
        {&kernel_cuda_sell, "columns=32", 96 * (8 + 4) + 2 * 4, 24},
    };
    struct csr a = support_dense(3, 4, five_entries);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int added = 0; added < 2; added++) {
            struct storage storage = store(cases[k].kernel->format, "", &a, PRECISION_F64, false);
            struct launch launch = prepare(cases[k].kernel, cases[k].parameters, &storage, added, STATUS_OK);
            double bytes = kernel_bytes(&launch).plus;
            if (bytes != cases[k].bytes + 56 + (added ? cases[k].added : 0))
                fail_msg("%s:%s reads %g bytes", cases[k].kernel->name, cases[k].parameters, bytes);
            kernel_release(&launch);
            storage_free(&storage);
        }
    csr_free(&a);
}

static void preparing_may_fail(void **state)
{
    static const struct {
        const struct kernel *kernel;
        const char *parameters;
        long min; /* allocations */
    } cases[] = {{&kernel_cuda_csr_balanced, "columns=16", 20},
                 {&kernel_cuda_csr_balanced, "columns=32", 16},
                 {&kernel_cuda_sell, "columns=16", 5},
                 {&kernel_cuda_csr_balanced, "values=8", 24},
                 {&kernel_cuda_sell, "values=8", 9}};
    struct csr a = make_matrix(1, 2001, 1);
    for (int64_t e = 0; e < a.row_ptr[a.rows]; e++)
        a.val[e] = 1 + (double)(e % 100);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct storage storage = store(cases[k].kernel->format, "", &a, PRECISION_F64, false);
        long fail = 0;
        for (long failed = 1; failed; fail++) {
            struct launch launch;
            memory_fail_after(fail);
            enum status status = preparing_on(&memory_device, cases[k].kernel, cases[k].parameters, &storage,
                                              &storage, &(struct preparing){0}, &launch, NULL);
            failed = memory_failures();
            memory_fail_after(-1);
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            kernel_release(&launch);
            kernel_release(&launch);
            assert_int_equal(device_memory.arrays, 0);
        }
        assert_in_range(fail, cases[k].min, 64);
        storage_free(&storage);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_give_the_product),
        cmocka_unit_test(columns_are_narrow_where_they_fit),
        cmocka_unit_test(no_entry_makes_no_tile),
        cmocka_unit_test(columns_of_sell_give_the_product),
        cmocka_unit_test(sixteen_bits_reach_65535_columns),
        cmocka_unit_test(tables_are_put_on_the_device),
        cmocka_unit_test(the_pace_follows_from_the_matrix),
        cmocka_unit_test(impossible_launches_are_refused_with_the_reason),
        cmocka_unit_test(bytes_are_those_that_are_read),
        cmocka_unit_test(preparing_may_fail),
    };
    return cmocka_run_group_tests_name("gpu_tables", tests, NULL, NULL);
}
