/* csr-compact: the encoding of rows, and products of matrices that have rows of all kinds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr_compact.h"
#include "kernels/list.h"
#include "support/cmocka.h"
#include "support/integers.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* A prepared csr-compact, and its arrays. */
struct compacted {
    struct kernel_list list;
    struct storage storage;
    struct launch launch;
};

static const struct compact *compacted_make(const struct csr *a, enum precision precision, bool wide,
                                            bool accumulate, int threads, struct compacted *made)
{
    const struct storing options = {.precision = precision, .wide = wide};
    const struct preparing preparing = {.threads = threads, .product.accumulate = accumulate};
    *made = (struct compacted){.list = {0}};
    assert_int_equal(kernel_list_add(&made->list, "csr-compact", NULL), STATUS_OK);
    const struct kernel *kernel = made->list.choices[0].kernel;
    made->storage = storing_done(kernel->format, "", &options, a);
    made->launch = preparing_done(kernel, "", &made->storage, &preparing);
    return made->launch.state;
}

static void compacted_free(struct compacted *made)
{
    kernel_release(&made->launch);
    storage_free(&made->storage);
    kernel_list_free(&made->list);
}

/* Diagonals from row 3 on, 21 rows of three entries: two lines of eight doubles are SHIFTED, or one of
 * sixteen floats, and the rows around them are NARROW. */
static void rows_on_diagonals_are_found(void **state)
{
    struct csr a = integers_new(26, 60, 100);
    struct compacted made;
    for (int64_t i = 0; i < 26; i++) {
        integers_row(&a, i);
        for (int64_t c = 0; c < (i < 3 ? i : i < 24 ? 3 : 1); c++)
            integers_put(&a, i, i < 24 ? i + 7 * c : 0);
    }
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        const struct compact *compact = compacted_make(&a, precision, false, false, 1, &made);
        const struct compact_stretch *stretch = compact->stretch;
        assert_int_equal(compact->counts.stretches, 3);
        assert_int_equal(stretch[0].kind, COMPACT_NARROW);
        assert_int_equal(stretch[1].kind, COMPACT_SHIFTED);
        assert_int_equal(stretch[1].row, 3);
        assert_int_equal(stretch[1].entry, 3);
        assert_int_equal(stretch[2].kind, COMPACT_NARROW);
        assert_int_equal(stretch[2].row, 19);
        assert_int_equal(stretch[3].row, 26);
        assert_int_equal(compact->counts.shifted_rows, 16);
        assert_int_equal(compact->counts.shifted_entries, 48);
        assert_int_equal(compact->counts.full_columns, 3);
        assert_int_equal(compact->counts.row_ends, 3 + 1 + 7);
        compacted_free(&made);
    }
    csr_free(&a);
}

/* 65535 columns apart is the largest distance in 16 bits. */
static void far_columns_stay_whole(void **state)
{
    for (int64_t span = 65534; span <= 65537; span++) {
        struct csr a = integers_new(1, 70000, 2);
        struct compacted made;
        integers_row(&a, 0);
        integers_put(&a, 0, 5);
        integers_put(&a, 0, 5 + span);
        const struct compact *compact = compacted_make(&a, PRECISION_F64, false, false, 1, &made);
        assert_int_equal(compact->counts.stretches, 1);
        if (span > 65535) {
            assert_int_equal(compact->stretch[0].kind, COMPACT_FULL);
            assert_int_equal(compact->counts.full_columns, 2);
        } else {
            assert_int_equal(compact->stretch[0].kind, COMPACT_NARROW);
            assert_int_equal(compact->stretch[0].base, 5);
            assert_int_equal(compact->narrow[1], span);
        }
        compacted_free(&made);
        csr_free(&a);
    }
}

/* Stretches are joined only while 16 bits can encode the columns. Rows 0 to 15 have columns from 7 on, and
 * rows 16 to 31 columns `far` further right. No two rows are on diagonals. */
static void far_rows_stay_apart(void **state)
{
    for (int64_t far = 65000; far <= 66000; far += 1000) {
        struct csr a = integers_new(32, 70000, 100);
        struct compacted made;
        for (int64_t i = 0; i < 32; i++) {
            integers_row(&a, i);
            integers_put(&a, i, 7 + i % 2 + (i < 16 ? 0 : far));
            integers_put(&a, i, 20 - i % 2 + (i < 16 ? 0 : far));
        }
        const struct compact *compact = compacted_make(&a, PRECISION_F64, false, false, 1, &made);
        assert_int_equal(compact->counts.stretches, far > 65535 ? 2 : 1);
        assert_int_equal(compact->stretch[0].kind, COMPACT_NARROW);
        assert_int_equal(compact->stretch[0].base, 7);
        if (far > 65535) {
            assert_int_equal(compact->stretch[1].row, 16);
            assert_int_equal(compact->stretch[1].base, 7 + far);
        }
        compacted_free(&made);
        csr_free(&a);
    }
}

/* Zeros follow the 16-bit columns of a stretch, up to those of the next one, since whole vectors are
 * loaded. */
static void expect_zeros_behind(const struct compact *compact)
{
    int64_t passed = 0;
    for (int64_t s = 0; s < compact->counts.stretches; s++) {
        const struct compact_stretch *stretch = &compact->stretch[s];
        if (stretch->kind != COMPACT_NARROW) continue;
        assert_int_equal(stretch->narrow, passed);
        passed += stretch[1].entry - stretch->entry;
        for (; passed % COMPACT_PAD; passed++)
            assert_int_equal(compact->narrow[passed], 0);
    }
    assert_int_equal(passed, compact->counts.narrows);
}

#define COLS 200000

/* Runs of diagonals of 1 to 40 entries a row, rows with entries far apart, empty rows, rows of 3000 entries;
 * more than one chunk of rows. */
static struct csr all_kinds(void)
{
    struct csr a = integers_new(9001, COLS, 4000000);
    uint64_t seed = 5;
    int64_t i = 0;
    while (i < a.rows) {
        int64_t kind = (int64_t)support_random(&seed, 5), run = 1 + (int64_t)support_random(&seed, 45),
                length = 1 + (int64_t)support_random(&seed, 40), first = (int64_t)support_random(&seed, 1000);
        for (int64_t r = 0; r < run && i < a.rows; r++, i++) {
            integers_row(&a, i);
            if (kind == 4 && r > 0) continue;
            if (kind == 4) length = i % 3 ? 0 : 3000;
            if (kind == 3) length = 1 + (int64_t)support_random(&seed, 40);
            for (int64_t c = 0; c < length; c++)
                integers_put(&a, i,
                             kind < 2    ? first + r + c * 3
                             : kind == 2 ? first + c * (COLS / 50)
                                         : first + c * 7);
        }
    }
    return a;
}

static void products_are_exact(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
    static const int threads[] = {1, 2, 5};
    struct csr a = all_kinds();
    for (size_t n = 0; n < 5 * 2 * 2 * 3; n++) {
        enum precision precision = n % 2 ? PRECISION_F32 : PRECISION_F64;
        bool accumulate = n / 2 % 2;
        struct compacted made;
        if (!loops_choose(sets[n / 4 % 5])) continue;
        const struct compact *compact =
            compacted_make(&a, precision, n % 3 == 0, accumulate, threads[n / 20], &made);
        assert_true(compact->counts.shifted_rows > 0 && compact->counts.narrows > 0);
        assert_true(compact->counts.full_columns > compact->counts.shifted_entries / 8);
        assert_true(integers_run(&made.launch, &a));
        compacted_free(&made);
    }
    assert_true(loops_choose(NULL));
    csr_free(&a);
}

/* Rows are summed together with others, but a NaN in one of them does not spread to the others. */
static void rows_do_not_spoil_each_other(void **state)
{
    static const char *const names[] = {"csr-omp", "cpu/csr-balanced", "csr-compact"};
    struct csr a = integers_new(64, 100, 1000);
    for (int64_t i = 0; i < a.rows; i++) {
        integers_row(&a, i);
        for (int64_t c = 0; c < i % 11; c++)
            integers_put(&a, i, (i * 5 + c * 7) % 20 + c * 2);
    }
    for (size_t n = 0; n < 3; n++) {
        struct kernel_list list = {0};
        double *x = integers_vector(a.cols, PRECISION_F64, integers_x),
               *y = integers_vector(a.rows, PRECISION_F64, integers_x);
        x[13] = NAN;
        assert_int_equal(kernel_list_add(&list, names[n], NULL), STATUS_OK);
        struct storage storage = storing_done(list.choices[0].kernel->format, "", NULL, &a);
        struct launch launch =
            preparing_done(list.choices[0].kernel, "", &storage, &(struct preparing){.threads = 1});
        kernel_run(&launch, x, y);
        for (int64_t i = 0; i < a.rows; i++) {
            bool has = false;
            for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
                has = has || a.col[k] == 13;
            assert_int_equal(isnan(y[i]) != 0, has);
        }
        kernel_release(&launch);
        storage_free(&storage);
        kernel_list_free(&list);
        free(x);
        free(y);
    }
    csr_free(&a);
}

/* The counts alone equal those of the arrays that are made, and so do the bytes of its traffic. */
static void counts_are_those_of_what_is_made(void **state)
{
    struct csr a = all_kinds();
    struct compacted made;
    const struct compact *compact = compacted_make(&a, PRECISION_F64, true, false, 3, &made);
    struct compact_counts counts =
        compact_count(&made.storage.array[CSR_ROW_PTR], a.col, a.rows, sizeof(double));
    assert_memory_equal(&counts, &compact->counts, sizeof counts);
    expect_zeros_behind(compact);
    int64_t shifted = 0;
    for (int64_t s = 0; s < counts.stretches; s++) {
        const struct compact_stretch *stretch = &compact->stretch[s];
        assert_true(stretch[0].row < stretch[1].row);
        if (stretch->kind == COMPACT_SHIFTED) shifted += stretch[1].entry - stretch[0].entry;
    }
    assert_int_equal(shifted, counts.shifted_entries);
    struct traffic traffic = kernel_traffic(&made.launch);
    assert_int_equal(traffic.array_bytes, csr_nnz(&a) * 8);
    assert_int_equal(traffic.own_bytes, compact_bytes(&counts, 8));
    compacted_free(&made);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_on_diagonals_are_found),  cmocka_unit_test(far_columns_stay_whole),
        cmocka_unit_test(far_rows_stay_apart),          cmocka_unit_test(products_are_exact),
        cmocka_unit_test(rows_do_not_spoil_each_other), cmocka_unit_test(counts_are_those_of_what_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
