/* matrix/build.c, rows.c: entries in any order become the canonical CSR. The expected matrix is always summed
 * up in a dense array by a plain loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/build.h"
#include "support/cmocka.h"
#include "support/listed.h"

/* The expected matrix: the sum and the number of the entries at each position. Values are small integers, so
 * that sums are exact in any order. */
struct dense {
    double val[LISTED_SIDE][LISTED_SIDE], imaginary[LISTED_SIDE][LISTED_SIDE];
    int given[LISTED_SIDE][LISTED_SIDE];
};

static void add(struct dense *dense, int i, int j, double val, double imaginary)
{
    dense->val[i][j] += val;
    dense->imaginary[i][j] += imaginary;
    dense->given[i][j]++;
}

static struct dense *expand(const struct listed *list, enum symmetry symmetry)
{
    struct dense *dense = calloc(1, sizeof *dense);
    for (int e = 0; e < list->count; e++) {
        int i = list->row[e], j = list->col[e];
        double re = list->val[e], im = list->imaginary[e];
        add(dense, i, j, re, im);
        if (i == j || symmetry == SYMMETRY_GENERAL) continue;
        if (symmetry == SYMMETRY_SYMMETRIC) add(dense, j, i, re, im);
        if (symmetry == SYMMETRY_SKEW) add(dense, j, i, -re, -im);
        if (symmetry == SYMMETRY_HERMITIAN) add(dense, j, i, re, -im);
    }
    return dense;
}

static void assert_is(const struct csr *a, const struct dense *dense)
{
    struct error error = {0};
    assert_int_equal(csr_validate(a, &error), STATUS_OK);
    int64_t nnz = 0;
    for (int i = 0; i < LISTED_SIDE; i++)
        for (int j = 0; j < LISTED_SIDE; j++) {
            int64_t k = csr_find(a, i, j);
            nnz += dense->given[i][j] > 0;
            assert_int_equal(k >= 0, dense->given[i][j] > 0);
            if (k < 0) continue;
            assert_true(a->val[k] == dense->val[i][j]);
            if (a->imaginary) assert_true(a->imaginary[k] == dense->imaginary[i][j]);
        }
    assert_int_equal(csr_nnz(a), nnz);
}

/* The list has each position that was given more than once, in row-major order. */
static void assert_lists(const struct summed *summed, const struct dense *dense)
{
    int64_t n = 0;
    for (int i = 0; i < LISTED_SIDE; i++)
        for (int j = 0; j < LISTED_SIDE; j++) {
            if (dense->given[i][j] < 2) continue;
            assert_true(n < summed->kept);
            assert_int_equal(summed->list[n].row, i);
            assert_int_equal(summed->list[n].col, j);
            assert_int_equal(summed->list[n].entries, dense->given[i][j]);
            n++;
        }
    assert_int_equal(summed->kept, n);
    assert_int_equal(summed->count, n);
}

static void any_order_gives_the_dense_sum(void **state)
{
    static const int counts[] = {0, 1, 50, 3000, 8000};
    for (unsigned seed = 0; seed < 10; seed++)
        for (int kind = 0; kind < 4; kind++)
            for (int threads = 1; threads <= 3; threads++) {
                struct listed *list =
                    listed_random(seed, listed_kinds[kind], counts[seed % 5], seed < 5 ? 7 : 4000);
                struct source source = listed_source(list, listed_kinds[kind], true);
                struct dense *dense = expand(list, listed_kinds[kind]);
                struct csr a;
                struct build_result result;
                struct error error = {0};
                struct summed summed = {0};
                source.summed = &summed;
                threads_set(threads);
                assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_OK);
                assert_is(&a, dense);
                assert_lists(&summed, dense);
                summed_free(&summed);
                assert_int_equal(result.stored, list->count);
                int distinct = 0;
                for (int i = 0; i < LISTED_SIDE; i++)
                    for (int j = 0; j < (kind ? i + 1 : LISTED_SIDE); j++)
                        distinct += dense->given[i][j] > 0;
                assert_int_equal(result.duplicates, list->count - distinct);
                assert_int_equal(list->released, source.blocks);
                csr_free(&a);
                free(dense);
                free(list);
            }
    threads_set(0);
}

/* Floating-point sums depend on their order, which must not depend on the number of threads. */
static void sums_do_not_depend_on_threads(void **state)
{
    uint64_t bits[4];
    for (int threads = 1; threads <= 4; threads++) {
        struct listed *list = listed_new(3);
        srand(7);
        for (int e = 0; e < 4000; e++)
            listed_put(list, e % 3, 5, ldexp(1 + rand() % 1000, rand() % 40 - 20) * (rand() % 2 ? 0.1 : -0.3),
                       0);
        struct source source = listed_source(list, SYMMETRY_GENERAL, false);
        struct csr a;
        struct build_result result;
        threads_set(threads);
        assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
        assert_int_equal(csr_nnz(&a), 3);
        memcpy(&bits[threads - 1], &a.val[1], sizeof bits[0]);
        assert_int_equal(bits[threads - 1], bits[0]);
        csr_free(&a);
        free(list);
    }
    threads_set(0);
}

/* The sum of three duplicates depends on their order, which must be the same for their mirror images. */
static void sums_of_mirror_images_mirror(void **state)
{
    for (int kind = 1; kind < 4; kind++)
        for (int upper = 0; upper < 2; upper++) {
            struct listed *list = listed_new(2);
            static const double given[] = {1, -1e16, 1};
            for (int e = 0; e < 3; e++)
                listed_put(list, upper ? 2 : 7, upper ? 7 : 2, given[e], given[e]);
            struct source source = listed_source(list, listed_kinds[kind], true);
            double sign = listed_kinds[kind] == SYMMETRY_SKEW ? -1 : 1, imaginary_sign = kind == 1 ? 1 : -1;
            struct csr a;
            struct build_result result;
            assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
            int64_t here = csr_find(&a, 7, 2), there = csr_find(&a, 2, 7);
            assert_true(a.val[there] == sign * a.val[here]);
            assert_true(a.imaginary[there] == imaginary_sign * a.imaginary[here]);
            csr_free(&a);
            free(list);
        }
}

/* Where the real parts are no numbers, the imaginary ones still give the order. */
static void sums_beside_nan_do_not_depend_on_the_order(void **state)
{
    static const double given[] = {1, -1e16, 1};
    uint64_t bits[3];
    for (int turn = 0; turn < 3; turn++) {
        struct listed *list = listed_new(3);
        for (int e = 0; e < 3; e++)
            listed_put(list, 3, 4, NAN, given[(e + turn) % 3]);
        struct source source = listed_source(list, SYMMETRY_GENERAL, true);
        struct csr a;
        struct build_result result;
        assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
        memcpy(&bits[turn], a.imaginary, sizeof bits[0]);
        assert_int_equal(bits[turn], bits[0]);
        csr_free(&a);
        free(list);
    }
}

/* The order in which quicksort with the median of the first, the middle and the last gets nowhere, but for
 * its last 24 elements: each pivot is the second least. Found by an adversary (McIlroy, "A killer adversary
 * for quicksort", Software - Practice and Experience 29, 1999). */
static int slowest_order(int length, int e)
{
    if (e == 0) return 0;
    if (e == length - 1) return 1;
    if (e > length - 26) return e + 1;
    return e % 2 ? e + 2 : e;
}

/* One long row in every kind of order that sorting meets. */
static void long_rows_are_sorted(void **state)
{
    enum { LENGTH = 8000 };
    for (int order = 0; order < 6; order++) {
        struct listed *list = listed_new(LENGTH);
        for (int e = 0; e < LENGTH; e++) {
            int j = order == 0   ? e
                    : order == 1 ? LENGTH - 1 - e
                    : order == 2 ? (int)((int64_t)e * 3571 % LENGTH)
                    : order == 3 ? (e % 2 ? LENGTH - 1 - e / 2 : e / 2)
                    : order == 4 ? e / 3 * 3
                                 : slowest_order(LENGTH, e);
            listed_put(list, 0, j, 1, 0);
        }
        struct source source = listed_source(list, SYMMETRY_GENERAL, false);
        source.rows = 1;
        source.cols = LENGTH;
        struct csr a;
        struct build_result result;
        assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
        assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
        assert_int_equal(csr_nnz(&a), order == 4 ? (LENGTH + 2) / 3 : LENGTH);
        double sum = 0;
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            sum += a.val[k];
        assert_true(sum == LENGTH);
        csr_free(&a);
        free(list);
    }
}

/* Leave the process `bytes` more of address space; *before gets the limit there was. */
static void leave(size_t bytes, struct rlimit *before)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
    if (!pages) skip();
    struct rlimit limit = *before;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* The offsets take 80 of 120 MiB. The limit of the matrix must include them, not be the rest. */
static void memory_is_counted_once(void **state)
{
    struct rlimit before;
    struct listed *list = listed_new(2);
    listed_put(list, 1, 1, 5, 0);
    struct source source = listed_source(list, SYMMETRY_GENERAL, false);
    source.rows = 10 << 20;
    struct csr a;
    struct build_result result;
    struct error error = {0};
    threads_set(1);
    leave((size_t)120 << 20, &before);
    enum status status = build_csr(&source, NULL, &a, &result, &error);
    source.rows *= 2;
    struct csr refused;
    enum status large = build_csr(&source, NULL, &refused, &result, NULL);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_string_equal(error.message, "");
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(csr_nnz(&a), 1);
    assert_int_equal(large, STATUS_LIMIT);
    csr_free(&a);
    free(list);
    threads_set(0);
}

/* Rows of every length up to 69, columns distinct and in a stirred order; the values tell where each came
 * from. */
static void rows_of_every_length_are_sorted(void **state)
{
    struct listed *list = listed_new(97);
    for (int i = 0; i < 70; i++)
        for (int k = 0; k < i; k++) {
            int j = (k * 37 + i) % 71; /* 71 is prime: distinct for k < 71 */
            listed_put(list, i, j, i * 100 + j, -j);
        }
    struct source source = listed_source(list, SYMMETRY_GENERAL, true);
    source.rows = 70;
    source.cols = 71;
    struct csr a;
    struct build_result result;
    assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
    assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
    for (int i = 0; i < 70; i++) {
        assert_int_equal(a.row_ptr[i + 1] - a.row_ptr[i], i);
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            assert_true(a.val[k] == i * 100 + a.col[k]);
            assert_true(a.imaginary[k] == -a.col[k]);
        }
    }
    csr_free(&a);
    free(list);
}

static void kept_duplicates_are_not_summed(void **state)
{
    struct listed *list = listed_new(2);
    listed_put(list, 1, 1, 5, 0);
    listed_put(list, 1, 1, 5, 0);
    listed_put(list, 1, 0, 2, 0);
    listed_put(list, 1, 1, 5, 0);
    struct source source = listed_source(list, SYMMETRY_GENERAL, false);
    source.duplicates = DUPLICATES_KEEP;
    struct csr a;
    struct build_result result;
    assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&a), 2);
    assert_true(a.val[csr_find(&a, 1, 1)] == 5);
    assert_int_equal(result.duplicates, 0);
    csr_free(&a);
    free(list);
}

/* The list of summed positions is limited, and counting continues. The search for the next listed position is
 * compared with a small grid by hand. */
static void places_of_sums_are_bounded(void **state)
{
    struct summed summed = {0};
    for (int64_t k = 0; k < SUMMED_MAX + 5; k++)
        assert_int_equal(summed_add(&summed, k / 1000, 2 * (k % 1000), 2, NULL), STATUS_OK);
    assert_int_equal(summed.kept, SUMMED_MAX);
    assert_int_equal(summed.count, SUMMED_MAX + 5);
    assert_int_equal(summed.list[SUMMED_MAX - 1].row, (SUMMED_MAX - 1) / 1000);
    assert_int_equal(summed_after(&summed, 0, 0), 1);
    assert_int_equal(summed_after(&summed, 0, 1), 1);
    assert_int_equal(summed_after(&summed, 0, 1998), 1000);
    assert_int_equal(summed_after(&summed, 7, 4001), 8000);
    assert_int_equal(summed_after(&summed, SUMMED_MAX / 1000, 0), SUMMED_MAX);
    summed_free(&summed);
    assert_int_equal(summed_after(&summed, 0, 0), 0);
    assert_int_equal(summed_add(&summed, 1, 1, (int64_t)UINT32_MAX + 1, NULL), STATUS_OK);
    assert_true(summed.list[0].entries == UINT32_MAX);
    summed_free(&summed);
}

/* Without memory for the positions there is no matrix. */
static void places_of_sums_need_memory(void **state)
{
    int refused = 0;
    struct error error = {0};
    for (long k = 0;; k++) {
        struct listed *list = listed_new(4);
        struct summed summed = {0};
        struct build_result result;
        struct csr a;
        for (int e = 0; e < 300; e++)
            listed_put(list, e / 6, e / 2, 1, 0);
        struct source source = listed_source(list, SYMMETRY_GENERAL, false);
        source.cols = 150;
        source.summed = &summed;
        error_clear(&error);
        memory_fail_after(k);
        enum status status = build_csr(&source, NULL, &a, &result, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            assert_int_equal(summed.kept, 150); /* the list grows twice for this number */
            csr_free(&a);
        } else {
            assert_int_equal(status, STATUS_MEMORY);
            assert_int_equal(error.status, STATUS_MEMORY);
            refused++;
        }
        summed_free(&summed);
        free(list);
        if (failures == 0) break;
    }
    assert_int_equal(refused, 3 + 3); /* offsets, columns and values; the list, and its two growths */
}

/* 3 and -3 make 0 below the diagonal, and above it the mirror image, with the sign of the zero. */
static void sums_that_are_zero_mirror(void **state)
{
    for (int kind = 1; kind < 4; kind++)
        for (int upper = 0; upper < 2; upper++)
            for (int n = 2; n <= 4; n += 2) {
                struct listed *list = listed_new(2);
                for (int k = 0; k < n; k++)
                    listed_put(list, upper ? 2 : 7, upper ? 7 : 2, k % 2 ? -3 : 3, k % 2 ? 1 : -1);
                struct source source = listed_source(list, listed_kinds[kind], true);
                bool skew = listed_kinds[kind] == SYMMETRY_SKEW,
                     hermitian = listed_kinds[kind] == SYMMETRY_HERMITIAN;
                struct csr a;
                struct build_result result;
                assert_int_equal(build_csr(&source, NULL, &a, &result, NULL), STATUS_OK);
                int64_t below = csr_find(&a, 7, 2), above = csr_find(&a, 2, 7);
                assert_true(a.val[below] == 0 && a.imaginary[below] == 0);
                assert_true(a.val[above] == 0 && a.imaginary[above] == 0);
                assert_false(signbit(a.val[below]) || signbit(a.imaginary[below]));
                assert_int_equal(signbit(a.val[above]) != 0, skew);
                assert_int_equal(signbit(a.imaginary[above]) != 0, skew || hermitian);
                csr_free(&a);
                free(list);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_gives_the_dense_sum),
        cmocka_unit_test(places_of_sums_are_bounded),
        cmocka_unit_test(places_of_sums_need_memory),
        cmocka_unit_test(sums_do_not_depend_on_threads),
        cmocka_unit_test(long_rows_are_sorted),
        cmocka_unit_test(sums_of_mirror_images_mirror),
        cmocka_unit_test(sums_that_are_zero_mirror),
        cmocka_unit_test(sums_beside_nan_do_not_depend_on_the_order),
        cmocka_unit_test(memory_is_counted_once),
        cmocka_unit_test(rows_of_every_length_are_sorted),
        cmocka_unit_test(kept_duplicates_are_not_summed),
    };
    return cmocka_run_group_tests_name("build", tests, NULL, NULL);
}
