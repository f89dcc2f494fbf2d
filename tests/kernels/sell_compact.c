/* sell-compact: the encoding of columns, and products of matrices with chunks of every kind. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/sell.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/sell_compact.h"
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

static const struct sell_compact *compacted_make(const struct csr *a, const char *parameters,
                                                 const struct storing *storing,
                                                 const struct preparing *preparing, struct compacted *made)
{
    const struct kernel *kernel = &kernel_cpu_sell_compact;
    made->storage = storing_done(kernel->format, parameters, storing, a);
    made->launch = preparing_done(kernel, "", &made->storage, preparing);
    return made->launch.state;
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
        assert_int_equal(compact->place[0] % SELL_TOLD_KINDS, cases[n].told);
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

#define COLS 200000

/* Rows on diagonals, in narrow bands, in wide bands and at random, of different lengths, some of them
 * empty. */
static struct csr all_kinds(void)
{
    struct csr a = integers_new(5003, COLS, 4000000);
    uint64_t seed = 9;
    int64_t i = 0;
    while (i < a.rows) {
        int64_t kind = (int64_t)support_random(&seed, 5), run = 1 + (int64_t)support_random(&seed, 300),
                length = 1 + (int64_t)support_random(&seed, 12), first = (int64_t)support_random(&seed, 1000);
        for (int64_t r = 0; r < run && i < a.rows; r++, i++) {
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
    return a;
}

static void products_are_exact(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
    static const char *const parameters[] = {"c=1",  "c=4",  "c=5", "c=8,sigma=64", "c=16", "c=32,sigma=1024",
                                             "c=64", "c=512"};
    struct csr a = all_kinds();
    for (size_t n = 0; n < 5 * 8 * 2 * 2; n++) {
        const enum precision precision = n % 2 ? PRECISION_F32 : PRECISION_F64;
        const bool accumulate = n / 2 % 2;
        const struct preparing how = {.threads = n % 3 ? 3 : 1, .product.accumulate = accumulate};
        struct compacted made;
        if (!loops_choose(sets[n / 4 % 5])) continue;
        const struct sell_compact *compact =
            compacted_make(&a, parameters[n / 20],
                           &(struct storing){.precision = precision, .wide = n % 5 == 0}, &how, &made);
        for (int k = 0; k < SELL_TOLD_KINDS; k++)
            assert_true(compact->counts.chunks[k] > 0 || (n / 20 == 0 && k > 0) || n / 20 > 3);
        assert_true(integers_run(&made.launch, &a));
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
        assert_int_equal(sell_told_estimate(&storage, &a, NULL, &planned, NULL), STATUS_OK);
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
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(a_plan_comes_to_the_same),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
