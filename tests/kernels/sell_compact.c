/* sell-compact: the encoding of columns, and products of matrices with chunks of every kind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/sell.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/sell_compact.h"
#include "kernels/told.h"
#include "support/cmocka.h"
#include "support/integers.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* A prepared sell-compact, and its arrays. */
struct compacted {
    struct storage storage;
    struct launch launch;
};

static const struct sell_compact *compacted_with(const char *own, const struct csr *a, const char *parameters,
                                                 const struct storing *storing,
                                                 const struct preparing *preparing, struct compacted *made)
{
    const struct kernel *kernel = &kernel_cpu_sell_compact;
    made->storage = storing_done(kernel->format, parameters, storing, a);
    made->launch = preparing_done(kernel, own, &made->storage, preparing);
    return made->launch.state;
}

static const struct sell_compact *compacted_make(const struct csr *a, const char *parameters,
                                                 const struct storing *storing,
                                                 const struct preparing *preparing, struct compacted *made)
{
    return compacted_with("", a, parameters, storing, preparing, made);
}

static void compacted_free(struct compacted *made)
{
    kernel_release(&made->launch);
    storage_free(&made->storage);
}

/* Two rows of two entries. The first line of the chunk lies on a diagonal; the columns of the second one
 * differ by `span` - 1 and more. */
static struct csr spanning(int64_t span)
{
    struct csr a = integers_new(2, 100000, 4);
    for (int64_t i = 0; i < 2; i++) {
        integers_row(&a, i);
        integers_put(&a, i, 3 + i);
        integers_put(&a, i, 7 + i * span);
    }
    return a;
}

static void columns_are_told_in_the_shortest_way(void **state)
{
    static const struct {
        int64_t span;
        enum sell_told told;
        int64_t bytes;
    } cases[] = {{1, SELL_TOLD_IN_ORDER, 0}, {2, SELL_TOLD_BYTE, 4},      {255, SELL_TOLD_BYTE, 4},
                 {256, SELL_TOLD_SHORT, 8},  {65535, SELL_TOLD_SHORT, 8}, {65536, SELL_TOLD_WHOLE, 0}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct csr a = spanning(cases[n].span);
        struct compacted made;
        const struct sell_compact *compact =
            compacted_make(&a, "c=2", &(struct storing){0}, &(struct preparing){.threads = 1}, &made);
        assert_int_equal(compact->place[0] % SELL_TOLD_STEP, cases[n].told);
        assert_int_equal(compact->counts.chunks[cases[n].told], 1);
        assert_int_equal(compact->counts.lines[cases[n].told], 2);
        assert_int_equal(compact->counts.bytes, cases[n].bytes);
        assert_int_equal(compact->base[0], 3);
        assert_int_equal(compact->base[1], 7);
        /* two offsets, 4 values, one table entry of the chunk; whole columns, else two base columns and the
         * differences */
        const size_t columns = cases[n].told == SELL_TOLD_WHOLE ? 4 * 4 : 2 * 4 + (size_t)cases[n].bytes;
        struct traffic traffic = kernel_traffic(&made.launch);
        assert_int_equal(traffic.array_bytes + traffic.own_bytes, 2 * 4 + 4 * 8 + 8 + columns);

        compacted_free(&made);
        csr_free(&a);
    }
}

/* Columns are stored as differences from the lowest column of their line, also where the lower column comes
 * second. Padding has a column like other slots. */
static void bases_are_the_lowest_columns(void **state)
{
    struct csr a = integers_new(3, 1000, 6);
    struct compacted made;
    integers_row(&a, 0);
    integers_put(&a, 0, 500);
    integers_put(&a, 0, 600);
    integers_row(&a, 1);
    integers_put(&a, 1, 400);
    integers_row(&a, 2);
    const struct sell_compact *compact =
        compacted_make(&a, "c=3", &(struct storing){0}, &(struct preparing){.threads = 1}, &made);
    const uint16_t *difference = (const uint16_t *)(const void *)compact->difference;
    const uint16_t expected[] = {500, 400, 0, 600, 400, 0}; /* the third row is empty: column 0 */
    assert_int_equal(compact->place[0], SELL_TOLD_SHORT);
    for (int k = 0; k < 6; k++)
        assert_int_equal(difference[k] + compact->base[k / 3], expected[k]);
    compacted_free(&made);
    csr_free(&a);
}

/* 300 rows: the first line has column 0 throughout, the second is the diagonal. The diagonal is encoded by
 * differences up to 299, since one encoding holds for the whole chunk. */
static void long_lines_in_order_need_their_bits(void **state)
{
    struct csr a = integers_new(300, 300, 599);
    struct compacted made;
    double *x = integers_vector(a.cols, PRECISION_F64, integers_x),
           *y = integers_vector(a.rows, PRECISION_F64, integers_start);
    for (int64_t i = 0; i < a.rows; i++) {
        integers_row(&a, i);
        integers_put(&a, i, 0);
        if (i > 0) integers_put(&a, i, i);
    }
    const struct sell_compact *compact =
        compacted_make(&a, "c=300", &(struct storing){0}, &(struct preparing){.threads = 1}, &made);
    assert_int_equal(compact->counts.chunks[SELL_TOLD_SHORT], 1);
    kernel_run(&made.launch, x, y);
    for (int64_t i = 0; i < a.rows; i++)
        assert_true(y[i] == integers_product(&a, i));
    compacted_free(&made);
    free(x);
    free(y);
    csr_free(&a);
}

/* The five-point stencil on a grid of this width and height; row i has its diagonal in column i + right. */
static void put_grid(struct csr *a, int64_t first, int64_t right, int64_t wide, int64_t high)
{
    for (int64_t k = 0; k < wide * high; k++) {
        const int64_t i = first + k;
        integers_row(a, i);
        if (k >= wide) integers_put(a, i, i + right - wide);
        if (k % wide > 0) integers_put(a, i, i + right - 1);
        integers_put(a, i, i + right);
        if (k % wide < wide - 1) integers_put(a, i, i + right + 1);
        if (k + wide < wide * high) integers_put(a, i, i + right + wide);
    }
}

/* Rows of a grid of width 4 in chunks of 8 rows: in the first chunk rows 0 .. 3 lack the diagonal -4, so that
 * its columns begin at -4, rows 0 and 4 lack -1, and rows 3 and 7 lack 1. The last chunk has four rows. */
static void gaps_bring_entries_to_diagonals(void **state)
{
    static const int32_t base[] = {-4, -1, 0, 1, 4, 4, 7, 8, 9, 12};
    static const uint8_t there[] = {0xf0, 0xee, 0xff, 0x77, 0xff, 0xff, 0xee, 0xff, 0x77, 0x0f};
    struct csr a = integers_new(16, 16, 64);
    struct compacted made;
    put_grid(&a, 0, 0, 4, 4);
    const struct sell_compact *compact =
        compacted_with("values=full", &a, "c=8", NULL, &(struct preparing){.threads = 1}, &made);
    assert_int_equal(compact->counts.chunks[SELL_TOLD_GAPS], 2);
    assert_int_equal(compact->counts.lines[SELL_TOLD_GAPS], 10);
    assert_int_equal(compact->counts.bytes, 0);
    assert_int_equal(compact->place[1], SELL_TOLD_GAPS);
    assert_memory_equal(compact->base, base, sizeof base);
    assert_memory_equal(compact->there, there, sizeof there);
    assert_int_equal(compact->gaps, 80 - 64);
    for (int64_t s = 0, e = 0; s < 80; s++) {
        const int64_t i = s / 40 * 8 + s % 8, column = base[s / 8] + s % 8;
        for (e = a.row_ptr[i]; e < a.row_ptr[i + 1] && a.col[e] != column;)
            e++;
        assert_true(((const double *)compact->gapped)[s] == (there[s / 8] >> s % 8 & 1 ? a.val[e] : 0));
    }
    /* three offsets, 80 values, two table entries of the chunks, ten base columns, and a bit for each slot */
    const struct traffic traffic = kernel_traffic(&made.launch);
    assert_int_equal(traffic.array_bytes, 3 * 4);
    assert_int_equal(traffic.own_bytes, 80 * 8 + 2 * 8 + 10 * 4 + 10);
    assert_int_equal(traffic.x_loads, 64);
    assert_int_equal(sell_compact_aside(&made.storage, &compact->counts), traffic.own_bytes);
    compacted_free(&made);
    csr_free(&a);
}

/* There are no gaps with c = 4, whose lines are no whole cache lines; in storages of more than 64 MiB of
 * values; and where they would need further lines: here each of eight rows has a separate diagonal. */
static void gaps_add_no_lines(void **state)
{
    struct csr grid = integers_new(16, 16, 64), apart = integers_new(8, 100, 16);
    struct sell_told_counts counts;
    struct storage storage;
    put_grid(&grid, 0, 0, 4, 4);
    storage = storing_done(&format_sell, "c=4", NULL, &grid);
    counts = sell_told_count(&storage);
    assert_int_equal(counts.chunks[SELL_TOLD_GAPS], 0);
    storage_free(&storage);
    storage = storing_done(&format_sell, "c=8", NULL, &grid);
    storage.slots[0] = 8 << 20;
    assert_int_equal(sell_told_estimate(&storage, &grid, 0, NULL, &counts, NULL), STATUS_OK);
    assert_true(counts.chunks[SELL_TOLD_GAPS] > 0);
    storage.slots[0]++;
    assert_int_equal(sell_told_estimate(&storage, &grid, 0, NULL, &counts, NULL), STATUS_OK);
    assert_int_equal(counts.chunks[SELL_TOLD_GAPS], 0);
    assert_int_equal(sell_told_estimate(&storage, &grid, 3, NULL, &counts, NULL), STATUS_OK);
    assert_true(counts.chunks[SELL_TOLD_GAPS] > 0); /* with values by bytes */
    assert_int_equal(counts.distinct, 3);
    storage_free(&storage);
    for (int64_t i = 0; i < 8; i++) {
        integers_row(&apart, i);
        integers_put(&apart, i, i);
        integers_put(&apart, i, 8 + 2 * i);
    }
    storage = storing_done(&format_sell, "c=8", NULL, &apart);
    counts = sell_told_count(&storage);
    assert_int_equal(counts.chunks[SELL_TOLD_BYTE], 1);
    storage_free(&storage);
    csr_free(&grid);
    csr_free(&apart);
}

/* An element of x that is NaN reaches only rows with an entry in its column, not rows with a gap there. These
 * elements are so far apart that a row with a gap at one has no entry at another. */
static void gaps_do_not_read_x(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    struct csr a = integers_new(64, 64, 400);
    double *x = integers_vector(a.cols, PRECISION_F64, integers_x),
           *y = integers_vector(a.rows, PRECISION_F64, integers_start);
    put_grid(&a, 0, 0, 4, 16);
    for (int64_t i = 0; i < a.cols; i += 7)
        x[i] = NAN;
    for (size_t n = 0; n < 3 * 2 * 2; n++) {
        struct compacted made;
        if (!loops_choose(sets[n % 3])) continue;
        const struct sell_compact *compact =
            compacted_with(n / 6 ? "values=8" : "values=full", &a, n / 3 % 2 ? "c=16" : "c=8", NULL,
                           &(struct preparing){.threads = 1}, &made);
        assert_true(compact->counts.chunks[SELL_TOLD_GAPS] > 2);
        kernel_run(&made.launch, x, y);
        for (int64_t i = 0; i < a.rows; i++) {
            bool reached = false;
            for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
                reached = reached || a.col[k] % 7 == 0;
            assert_int_equal(isnan(y[i]) != 0, reached);
        }
        compacted_free(&made);
    }
    assert_true(loops_choose(NULL));
    free(x);
    free(y);
    csr_free(&a);
}

#define COLS 200000
#define ROWS 5003

/* Rows on diagonals, in narrow bands, in wide bands and at random, of different lengths, some of them
 * empty, between grids that begin at the first column and end at the last one. */
static struct csr all_kinds(void)
{
    struct csr a = integers_new(ROWS, COLS, 4000000);
    uint64_t seed = 9;
    int64_t i = 13 * 9;
    put_grid(&a, 0, 0, 13, 9);
    while (i < ROWS - 10 * 7) {
        int64_t kind = (int64_t)support_random(&seed, 5), run = 1 + (int64_t)support_random(&seed, 300),
                length = 1 + (int64_t)support_random(&seed, 12), first = (int64_t)support_random(&seed, 1000);
        for (int64_t r = 0; r < run && i < ROWS - 10 * 7; r++, i++) {
            integers_row(&a, i);
            if (kind == 4 && r % 3) continue;
            for (int64_t d = 0; d < length; d++)
                integers_put(&a, i,
                             kind == 0   ? first + r + d * 400
                             : kind == 1 ? first + d * 150 + (int64_t)support_random(&seed, 100)
                             : kind == 2 ? first + d * 1000 + (int64_t)support_random(&seed, 900)
                                         : d * (COLS / 12) + (int64_t)support_random(&seed, COLS / 12));
        }
    }
    put_grid(&a, i, COLS - ROWS, 10, 7);
    return a;
}

static void products_are_exact(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
    static const char *const parameters[] = {
        "c=1", "c=4", "c=5", "c=8,sigma=64", "c=8", "c=16", "c=32,sigma=1024", "c=64", "c=512"};
    struct csr a = all_kinds();
    for (size_t n = 0; n < 5 * 9 * 2 * 2; n++) {
        const enum precision precision = n % 2 ? PRECISION_F32 : PRECISION_F64;
        const bool accumulate = n / 2 % 2;
        const struct preparing how = {.threads = n % 3 ? 3 : 1, .product.accumulate = accumulate};
        struct compacted made;
        if (!loops_choose(sets[n / 4 % 5])) continue;
        const struct sell_compact *compact =
            compacted_make(&a, parameters[n / 20],
                           &(struct storing){.precision = precision, .wide = n % 5 == 0}, &how, &made);
        /* sorted or very long chunks lack some kinds */
        for (int k = 0; k < SELL_TOLD_KINDS && n / 20 > 0 && n / 20 < 5; k++)
            assert_true(compact->counts.chunks[k] > 0 ||
                        (k == SELL_TOLD_GAPS && (n / 20 < 4 || precision == PRECISION_F32)));
        assert_true(integers_run(&made.launch, &a));
        compacted_free(&made);
    }
    assert_true(loops_choose(NULL));
    csr_free(&a);
}

/* Let this many values differ: 1, 2, ..., in an order without a short period. */
static void few_values(struct csr *a, int64_t distinct)
{
    for (int64_t k = 0; k < csr_nnz(a); k++)
        a->val[k] = (double)(1 + (k < distinct ? k : (k * k + k / 7) % distinct));
}

/* The numbers of values are those on both sides of each size of a table in registers (4, 8, 16 and 32 values)
 * and of a byte. Padding is a further value, 0. */
static void products_by_bytes_are_exact(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
    static const char *const parameters[] = {"c=1", "c=5", "c=8,sigma=64", "c=8", "c=16", "c=32", "c=64"};
    static const int64_t distinct[] = {1, 3, 4, 7, 8, 15, 16, 31, 32, 255};
    struct csr a = all_kinds();
    for (size_t d = 0; d < sizeof distinct / sizeof *distinct; d++) {
        few_values(&a, distinct[d]);
        for (size_t n = 0; n < 5 * 7 * 2; n++) {
            const enum precision precision = n % 2 ? PRECISION_F32 : PRECISION_F64;
            const struct preparing how = {.threads = n % 3 ? 3 : 1, .product.accumulate = n / 2 % 3 == 0};
            struct compacted made;
            if (!loops_choose(sets[n / 2 % 5])) continue;
            const struct sell_compact *compact =
                compacted_with("values=8", &a, parameters[n / 10],
                               &(struct storing){.precision = precision, .wide = n % 5 == 0}, &how, &made);
            assert_in_range(compact->unique.count, distinct[d], distinct[d] + 1);
            assert_true(compact->unique.index && !compact->gapped);
            assert_true(integers_run(&made.launch, &a));
            compacted_free(&made);
        }
    }
    assert_true(loops_choose(NULL));
    csr_free(&a);
}

#define ROWS_WORTH ((2 << 20) / 8 / 2)

/* Check the bytes of sell-compact for ROWS_WORTH or fewer rows on two diagonals, in chunks of eight, with
 * this number of values by bytes or full ones, and that the plan says the same. */
static void check_bytes(const struct launch *launch, int64_t distinct)
{
    const struct sell_compact *compact = launch->state;
    const struct traffic traffic = kernel_traffic(launch);
    const int64_t rows = launch->storage->rows, chunks = rows / 8, slots = 2 * rows,
                  values = distinct ? slots + 8 * distinct : 8 * slots,
                  rest = 4 * (chunks + 1) + 4 * 2 * chunks + 8 * chunks; /* offsets, bases, places */
    assert_int_equal(compact->unique.count, distinct);
    assert_int_equal(launch->values.number[SELL_COMPACT_VALUES], distinct ? TOLD_BYTE : TOLD_FULL);
    assert_int_equal(traffic.array_bytes + traffic.own_bytes, values + rest);
    assert_int_equal(sell_compact_bytes(launch->storage, &compact->counts), values + rest);
    assert_int_equal(sell_compact_aside(launch->storage, &compact->counts),
                     (distinct ? values : 0) + 4 * 2 * chunks + 8 * chunks);
}

/* By default values are told by bytes if they fit in registers: 16 of AVX-512, 4 of AVX2 if the values take
 * 2 MiB. */
static void few_values_are_told_by_bytes(void **state)
{
    static const struct {
        const char *isa, *own;
        int64_t distinct; /* 0: one of three is infinite */
        int64_t fewer;
        bool by_bytes, refused;
    } cases[] = {{"avx512", "", 16, 8, true},
                 {"avx512", "", 17, 0, false},
                 {"avx512", "", 0, 0, false},
                 {"avx512", "values=full", 3, 0, false},
                 {"avx2", "", 4, 0, true},
                 {"avx2", "", 5, 0, false},
                 {"avx2", "", 4, 8, false},
                 {"portable", "", 1, 0, false},
                 {"portable", "values=8", 3, 8, true},
                 {"avx2", "values=8", 256, 0, true},
                 {"portable", "values=8", 257, 0, false, true},
                 {"portable", "values=8", 0, 0, false, true}};
    struct csr a = integers_new(ROWS_WORTH, ROWS_WORTH + 1, 2 * ROWS_WORTH);
    const struct preparing how = {.threads = 1};
    for (int64_t i = 0; i < a.rows; i++) {
        integers_row(&a, i);
        integers_put(&a, i, i);
        integers_put(&a, i, i + 1);
    }
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct error error = {0};
        struct launch launch;
        if (!loops_choose(cases[n].isa)) continue;
        few_values(&a, cases[n].distinct ? cases[n].distinct : 3);
        a.rows = ROWS_WORTH - cases[n].fewer;
        if (cases[n].distinct == 0) a.val[csr_nnz(&a) - 1] = -INFINITY;
        struct storage storage = storing_done(&format_sell, "c=8", NULL, &a);
        const struct kernel_choice choice =
            preparing_choice(&kernel_cpu_sell_compact, cases[n].own, PRECISION_F64, 1);
        const struct distinct_values values = distinct_values(&a, false);
        const enum status status =
            preparing_here(&kernel_cpu_sell_compact, cases[n].own, &storage, &how, &launch, &error);
        assert_int_equal(status, cases[n].refused ? STATUS_UNAVAILABLE : STATUS_OK);
        if (cases[n].refused) assert_non_null(strstr(error.message, "256 values differ"));
        if (!cases[n].refused) check_bytes(&launch, cases[n].by_bytes ? cases[n].distinct : 0);
        assert_int_equal(sell_planned_distinct(&choice, &storage, &values),
                         cases[n].by_bytes ? cases[n].distinct : 0);
        kernel_release(&launch);
        storage_free(&storage);
    }
    assert_true(loops_choose(NULL));
    a.rows = ROWS_WORTH;
    csr_free(&a);
}

/* Padding is a further value, unless 0 is one already; and only loops with vectors are for a few values. */
static void padding_counts_as_a_value(void **state)
{
    struct csr a = integers_new(16, 16, 31);
    if (!loops_choose("avx512")) return;
    for (int64_t i = 0; i < 16; i++) {
        integers_row(&a, i);
        integers_put(&a, i, i);
        if (i > 0) integers_put(&a, i, i - 1);
    }
    for (int zero = 0; zero < 2; zero++)
        for (int c = 8; c <= 16; c += 4) {
            const struct preparing how = {.threads = 1};
            struct compacted made;
            for (int64_t k = 0; k < 31; k++)
                a.val[k] = (double)(k % 16 + !zero);
            const struct distinct_values values = distinct_values(&a, false);
            const struct kernel_choice choice =
                preparing_choice(&kernel_cpu_sell_compact, "", PRECISION_F64, 1);
            const int64_t expected = zero && c != 12 ? 16 : 0;
            const struct sell_compact *compact = compacted_make(&a,
                                                                c == 8    ? "c=8"
                                                                : c == 12 ? "c=12"
                                                                          : "c=16",
                                                                &(struct storing){0}, &how, &made);
            assert_int_equal(compact->unique.count, expected);
            assert_int_equal(sell_planned_distinct(&choice, &made.storage, &values), expected);
            compacted_free(&made);
        }
    assert_true(loops_choose(NULL));
    csr_free(&a);
}

/* A plan lacks columns, but the matrix has them. The estimate is exact if all rows are read and windows of
 * rows end where chunks end. */
static void a_plan_comes_to_the_same(void **state)
{
    static const char *const parameters[] = {"c=8", "c=32,sigma=1024", "c=4,sigma=64"};
    struct csr a = all_kinds();
    for (size_t n = 0; n < 3; n++) {
        struct sell_told_counts counts, planned;
        struct storage storage = storing_done(&format_sell, parameters[n], NULL, &a);
        counts = sell_told_count(&storage);
        assert_int_equal(sell_told_estimate(&storage, &a, 0, NULL, &planned, NULL), STATUS_OK);
        assert_memory_equal(&planned, &counts, sizeof counts);
        storage_free(&storage);
    }
    csr_free(&a);
}

static void too_little_memory_is_said(void **state)
{
    struct csr a = spanning(2);
    struct launch launch;
    struct error error = {0};
    struct storage storage = storing_done(&format_sell, "c=2", NULL, &a);
    assert_int_equal(preparing_here(&kernel_cpu_sell_compact, "", &storage,
                                    &(struct preparing){.threads = 1, .limit = 8}, &launch, &error),
                     STATUS_LIMIT);
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_told_in_the_shortest_way),
        cmocka_unit_test(bases_are_the_lowest_columns),
        cmocka_unit_test(long_lines_in_order_need_their_bits),
        cmocka_unit_test(gaps_bring_entries_to_diagonals),
        cmocka_unit_test(gaps_add_no_lines),
        cmocka_unit_test(gaps_do_not_read_x),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(products_by_bytes_are_exact),
        cmocka_unit_test(few_values_are_told_by_bytes),
        cmocka_unit_test(padding_counts_as_a_value),
        cmocka_unit_test(a_plan_comes_to_the_same),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
