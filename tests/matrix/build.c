/* matrix/build.c, rows.c, mirrors.c: entries in any order become the canonical CSR. The expected matrix is
 * always summed up in a dense array by a plain loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/build.h"

#define SIDE 60

/* A source that reads its entries from an array, `per_block` of them a block; line k + 1 is entry k. */
struct listed {
    int count, per_block;
    int32_t row[8000], col[8000];
    double val[8000], imaginary[8000];
    int bad_place; /* entry that fails in both passes, or -1 */
    int bad_value; /* entry that fails only where values are looked at, or -1 */
    int released;
};

static enum status listed_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    struct listed *list = self;
    int end = ((int)k + 1) * list->per_block < list->count ? ((int)k + 1) * list->per_block : list->count;
    for (int e = (int)k * list->per_block; e < end; e++) {
        if (e == list->bad_place) return error_at(error, STATUS_INPUT, "list", e + 1, 1, "bad place");
        if (e == list->bad_value && sink->values)
            return error_at(error, STATUS_INPUT, "list", e + 1, 1, "bad value");
        sink_put(sink, list->row[e], list->col[e], list->val[e], list->imaginary[e]);
    }
    return STATUS_OK;
}

static int64_t listed_line(void *self, int64_t k, int64_t ordinal)
{
    return k * ((struct listed *)self)->per_block + ordinal + 1;
}

static void listed_release(void *self, int64_t k)
{
    (void)k;
    __atomic_fetch_add(&((struct listed *)self)->released, 1, __ATOMIC_RELAXED);
}

static struct source source_of(struct listed *list, enum symmetry symmetry, bool complex)
{
    return (struct source){
        .rows = SIDE,
        .cols = SIDE,
        .blocks = (list->count + list->per_block - 1) / list->per_block,
        .complex = complex,
        .symmetry = symmetry,
        .path = "list",
        .self = list,
        .block = listed_block,
        .line = listed_line,
        .release = listed_release,
    };
}

static struct listed *new_list(int per_block)
{
    struct listed *list = calloc(1, sizeof *list);
    list->per_block = per_block;
    list->bad_place = list->bad_value = -1;
    return list;
}

static void put(struct listed *list, int i, int j, double val, double imaginary)
{
    list->row[list->count] = i;
    list->col[list->count] = j;
    list->val[list->count] = val;
    list->imaginary[list->count++] = imaginary;
}

/* What the matrix must be: sums and numbers of entries of every place. Values are small integers, so that
 * sums are exact in any order. */
struct dense {
    double val[SIDE][SIDE], imaginary[SIDE][SIDE];
    int given[SIDE][SIDE];
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
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int64_t k = csr_find(a, i, j);
            nnz += dense->given[i][j] > 0;
            assert_int_equal(k >= 0, dense->given[i][j] > 0);
            if (k < 0) continue;
            assert_true(a->val[k] == dense->val[i][j]);
            if (a->imaginary) assert_true(a->imaginary[k] == dense->imaginary[i][j]);
        }
    assert_int_equal(csr_nnz(a), nnz);
}

/* The list has each place that was given more than once, in row-major order. */
static void assert_lists(const struct summed *summed, const struct dense *dense)
{
    int64_t n = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
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

static const enum symmetry kinds[] = {SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW,
                                      SYMMETRY_HERMITIAN};

/* Random entries, in one triangle for symmetric kinds (the upper one for odd seeds), many given repeatedly.
 */
static struct listed *random_list(unsigned seed, enum symmetry symmetry, int count, int per_block)
{
    struct listed *list = new_list(per_block);
    srand(seed);
    for (int e = 0; e < count; e++) {
        int i = rand() % SIDE, j = rand() % (1 + rand() % SIDE);
        if (symmetry != SYMMETRY_GENERAL && (seed % 2 ? i > j : i < j)) {
            int t = i;
            i = j;
            j = t;
        }
        if (symmetry == SYMMETRY_SKEW && i == j) continue;
        put(list, i, j, rand() % 201 - 100, symmetry == SYMMETRY_HERMITIAN && i == j ? 0 : rand() % 21 - 10);
    }
    return list;
}

static void any_order_gives_the_dense_sum(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 50, 3000, 8000};
    for (unsigned seed = 0; seed < 10; seed++)
        for (int kind = 0; kind < 4; kind++)
            for (int threads = 1; threads <= 3; threads++) {
                struct listed *list = random_list(seed, kinds[kind], counts[seed % 5], seed < 5 ? 7 : 4000);
                struct source source = source_of(list, kinds[kind], true);
                struct dense *dense = expand(list, kinds[kind]);
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
                for (int i = 0; i < SIDE; i++)
                    for (int j = 0; j < (kind ? i + 1 : SIDE); j++)
                        distinct += dense->given[i][j] > 0;
                assert_int_equal(result.duplicates, list->count - distinct);
                assert_int_equal(list->released, source.blocks);
                csr_free(&a);
                free(dense);
                free(list);
            }
    threads_set(0);
}

/* Floating sums depend on their order; the builder's must not depend on the number of threads. */
static void sums_do_not_depend_on_threads(void **state)
{
    (void)state;
    uint64_t bits[4];
    for (int threads = 1; threads <= 4; threads++) {
        struct listed *list = new_list(3);
        srand(7);
        for (int e = 0; e < 4000; e++)
            put(list, e % 3, 5, ldexp(1 + rand() % 1000, rand() % 40 - 20) * (rand() % 2 ? 0.1 : -0.3), 0);
        struct source source = source_of(list, SYMMETRY_GENERAL, false);
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

/* Of three duplicates the sum depends on their order: that of the mirror images must be the same. */
static void sums_of_mirror_images_mirror(void **state)
{
    (void)state;
    for (int kind = 1; kind < 4; kind++)
        for (int upper = 0; upper < 2; upper++) {
            struct listed *list = new_list(2);
            static const double given[] = {1, -1e16, 1};
            for (int e = 0; e < 3; e++)
                put(list, upper ? 2 : 7, upper ? 7 : 2, given[e], given[e]);
            struct source source = source_of(list, kinds[kind], true);
            double sign = kinds[kind] == SYMMETRY_SKEW ? -1 : 1, imaginary_sign = kind == 1 ? 1 : -1;
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
    (void)state;
    static const double given[] = {1, -1e16, 1};
    uint64_t bits[3];
    for (int turn = 0; turn < 3; turn++) {
        struct listed *list = new_list(3);
        for (int e = 0; e < 3; e++)
            put(list, 3, 4, NAN, given[(e + turn) % 3]);
        struct source source = source_of(list, SYMMETRY_GENERAL, true);
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
    (void)state;
    enum { LENGTH = 8000 };
    for (int order = 0; order < 6; order++) {
        struct listed *list = new_list(LENGTH);
        for (int e = 0; e < LENGTH; e++) {
            int j = order == 0   ? e
                    : order == 1 ? LENGTH - 1 - e
                    : order == 2 ? (int)((int64_t)e * 3571 % LENGTH)
                    : order == 3 ? (e % 2 ? LENGTH - 1 - e / 2 : e / 2)
                    : order == 4 ? e / 3 * 3
                                 : slowest_order(LENGTH, e);
            put(list, 0, j, 1, 0);
        }
        struct source source = source_of(list, SYMMETRY_GENERAL, false);
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

/* The offsets take 80 of 120 MiB: what is left when they are there is not what the matrix is held against. */
static void memory_is_counted_once(void **state)
{
    (void)state;
    struct rlimit before;
    struct listed *list = new_list(2);
    put(list, 1, 1, 5, 0);
    struct source source = source_of(list, SYMMETRY_GENERAL, false);
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
    (void)state;
    struct listed *list = new_list(97);
    for (int i = 0; i < 70; i++)
        for (int k = 0; k < i; k++) {
            int j = (k * 37 + i) % 71; /* 71 is prime: distinct for k < 71 */
            put(list, i, j, i * 100 + j, -j);
        }
    struct source source = source_of(list, SYMMETRY_GENERAL, true);
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
    (void)state;
    struct listed *list = new_list(2);
    put(list, 1, 1, 5, 0);
    put(list, 1, 1, 5, 0);
    put(list, 1, 0, 2, 0);
    put(list, 1, 1, 5, 0);
    struct source source = source_of(list, SYMMETRY_GENERAL, false);
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

static void a_mirror_image_given_too_names_both_lines(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        struct listed *list = new_list(2);
        put(list, 4, 2, 1, 0);
        put(list, 9, 1, 7, 0);
        put(list, 9, 1, 7, 0); /* a true duplicate is none of it */
        put(list, 3, 3, 1, 0);
        put(list, 5, 6, 1, 0);
        put(list, 2, 4, 1, 0); /* line 6 mirrors line 1 */
        put(list, 6, 5, 1, 0); /* line 7 mirrors line 5 */
        struct source source = source_of(list, SYMMETRY_SYMMETRIC, false);
        struct csr a;
        struct build_result result;
        struct error error = {0};
        threads_set(threads);
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_int_equal(error.line, 6);
        assert_non_null(strstr(error.message, "entry (3, 5) is the mirror image of line 1"));
        assert_null(a.row_ptr);
        free(list);
    }
    threads_set(0);
}

/* More entries than a sink holds come before both in their block. */
static void mirror_images_deep_in_a_block_have_their_lines(void **state)
{
    (void)state;
    struct listed *list = new_list(4000);
    for (int e = 0; e < 2000; e++)
        put(list, e == 1500 ? 7 : SIDE - 1, e == 1500 ? 3 : e == 1900 ? 0 : e % 50 + 1, 1, 0);
    list->row[1900] = 3;
    list->col[1900] = 7;
    struct source source = source_of(list, SYMMETRY_SYMMETRIC, false);
    struct csr a;
    struct build_result result;
    struct error error = {0};
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
    assert_int_equal(error.line, 1901);
    assert_non_null(strstr(error.message, "entry (4, 8) is the mirror image of line 1501"));
    free(list);
}

/* Whether (2, 1) with `lower` and (1, 2) with `upper`, which stands there `times`, are taken for one entry.
 */
static enum status build_mirrors(double lower[2], double upper[2], int times, struct csr *a)
{
    struct listed *list = new_list(2);
    struct build_result result;
    put(list, 2, 1, lower[0], lower[1]);
    for (int k = 0; k < times; k++)
        put(list, 1, 2, upper[0], upper[1]);
    struct source source = source_of(list, SYMMETRY_SYMMETRIC, true);
    source.agreeing_mirrors = true;
    enum status status = build_csr(&source, NULL, a, &result, NULL);
    free(list);
    return status;
}

static void mirrors_agree_in_both_parts_and_once(void **state)
{
    (void)state;
    struct csr a;
    double one[2] = {3, 5}, conjugate[2] = {3, -5}, none[2] = {NAN, 5};
    assert_int_equal(build_mirrors(one, one, 1, &a), STATUS_OK);
    csr_free(&a);
    assert_int_equal(build_mirrors(one, conjugate, 1, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(one, one, 2, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(none, one, 1, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(none, none, 1, &a), STATUS_OK); /* what is no number is given twice, too */
    assert_int_equal(csr_nnz(&a), 2);
    csr_free(&a);
}

static void agreeing_mirrors_are_one_entry_if_allowed(void **state)
{
    (void)state;
    for (int kind = 1; kind < 4; kind++) {
        struct listed *list = new_list(2);
        double sign = kinds[kind] == SYMMETRY_SKEW ? -1 : 1, imaginary_sign = kind == 1 ? 1 : -1;
        put(list, 4, 2, 3, 5);
        put(list, 7, 6, 2, 1);
        put(list, 2, 4, sign * 3, imaginary_sign * 5);
        put(list, 8, 1, 4, 1);
        put(list, 8, 1, 6, 1);
        struct source source = source_of(list, kinds[kind], true);
        source.agreeing_mirrors = true;
        struct csr a;
        struct build_result result;
        struct error error = {0};
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_OK);
        assert_int_equal(csr_nnz(&a), 6);
        assert_true(a.val[csr_find(&a, 4, 2)] == 3);
        assert_true(a.imaginary[csr_find(&a, 2, 4)] == imaginary_sign * 5);
        assert_true(a.val[csr_find(&a, 8, 1)] == 10);
        assert_int_equal(result.agreeing_mirrors, 1);
        assert_int_equal(result.duplicates, 1);
        csr_free(&a);

        list->val[2] += 1;
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_int_equal(error.line, 3);
        assert_non_null(strstr(error.message, "they differ"));
        free(list);
    }
}

static void the_first_error_of_the_input_is_reported(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (int bad_value = -1; bad_value < 3000; bad_value += 997) {
            struct listed *list = random_list(3, SYMMETRY_GENERAL, 3000, 10);
            list->bad_place = 2000;
            list->bad_value = bad_value;
            struct source source = source_of(list, SYMMETRY_GENERAL, false);
            struct csr a;
            struct build_result result;
            struct error error = {0};
            threads_set(threads);
            assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
            assert_int_equal(error.line, bad_value >= 0 && bad_value < 2000 ? bad_value + 1 : 2001);
            assert_null(a.row_ptr);
            free(list);
        }
    threads_set(0);
}

static void sizes_are_refused_before_allocating(void **state)
{
    (void)state;
    struct listed *list = random_list(1, SYMMETRY_GENERAL, 3000, 10);
    struct source source = source_of(list, SYMMETRY_GENERAL, false);
    struct csr a;
    struct build_result result;
    struct error error = {0};
    source.rows = INT64_C(1) << 31;
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "32 bits"));
    source.rows = SIDE;
    source.limit = 10000;
    error_clear(&error);
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "more than the limit of 9.77 KiB"));
    free(list);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct listed *list = random_list(4, SYMMETRY_HERMITIAN, 500, 10);
    put(list, 5, 9, 1, 1); /* both triangles, so that mirrors are looked for */
    struct source source = source_of(list, SYMMETRY_HERMITIAN, true);
    source.agreeing_mirrors = true;
    struct csr a;
    struct build_result result;
    bool failed = true;
    for (int k = 0; failed; k++) {
        struct error error = {0};
        memory_fail_after(k);
        enum status status = build_csr(&source, NULL, &a, &result, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (status == STATUS_OK || status == STATUS_INPUT) /* a refusal to shrink is no failure */
            csr_free(&a);
        else
            assert_int_equal(status, STATUS_MEMORY);
    }
    free(list);
}

static void cancelling_gives_nothing(void **state)
{
    (void)state;
    struct listed *list = random_list(1, SYMMETRY_GENERAL, 3000, 10);
    struct source source = source_of(list, SYMMETRY_GENERAL, false);
    struct progress progress = {0};
    struct csr a;
    struct build_result result;
    progress_cancel(&progress);
    assert_int_equal(build_csr(&source, &progress, &a, &result, NULL), STATUS_CANCELLED);
    assert_null(a.row_ptr);
    free(list);
}

/* One entry when counted, *self of them when placed: as from a file that is changed meanwhile. */
static enum status growing_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    (void)k;
    (void)error;
    for (int e = 0; e < (sink->values ? *(int *)self : 1); e++)
        sink_put(sink, SIDE - 1, 0, 1, 0);
    return STATUS_OK;
}

static void more_entries_in_the_second_pass_are_refused(void **state)
{
    (void)state;
    static int grown[] = {2, 1000};
    for (int k = 0; k < 2; k++) {
        struct csr a;
        struct build_result result;
        struct error error = {0};
        struct source source = {.rows = SIDE,
                                .cols = SIDE,
                                .blocks = 1,
                                .path = "list",
                                .self = &grown[k],
                                .block = growing_block};
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_string_equal(error.message, "changed while it was read");
        assert_null(a.row_ptr);
    }
}

/* Two blocks at the same time, both with an error in a place: that of the later block comes last. Where
 * blocks are asked for again, for errors in values, there are none. */
static enum status block_with_error(void *self, int64_t k, struct sink *sink, struct error *error)
{
    atomic_int *begun = self;
    const struct timespec moment = {0, 1000 * 1000}, while_longer = {0, 100 * 1000 * 1000};
    if (sink->values) return STATUS_OK;
    atomic_fetch_add(begun, 1);
    for (int turn = 0; atomic_load(begun) < 2 && turn < 5000; turn++)
        nanosleep(&moment, NULL);
    if (k > 0) nanosleep(&while_longer, NULL);
    return error_at(error, STATUS_INPUT, "list", k + 1, 1, "bad place");
}

static void the_error_that_comes_last_is_not_the_first(void **state)
{
    (void)state;
    atomic_int begun = 0;
    struct csr a;
    struct build_result result;
    struct error error = {0};
    struct source source = {
        .rows = SIDE, .cols = SIDE, .blocks = 2, .path = "list", .self = &begun, .block = block_with_error};
    threads_set(2);
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
    threads_set(0);
    assert_int_equal(error.line, 1);
}

/* The list of places with sums stops growing at its bound, and goes on counting. The place behind another one
 * is looked for in all rows and columns of a small grid by hand. */
static void places_of_sums_are_bounded(void **state)
{
    (void)state;
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

/* Where there is no memory for the places, there is no matrix without them. */
static void places_of_sums_need_memory(void **state)
{
    (void)state;
    int refused = 0;
    struct error error = {0};
    for (long k = 0;; k++) {
        struct listed *list = new_list(4);
        struct summed summed = {0};
        struct build_result result;
        struct csr a;
        for (int e = 0; e < 300; e++)
            put(list, e / 6, e / 2, 1, 0);
        struct source source = source_of(list, SYMMETRY_GENERAL, false);
        source.cols = 150;
        source.summed = &summed;
        error_clear(&error);
        memory_fail_after(k);
        enum status status = build_csr(&source, NULL, &a, &result, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            assert_int_equal(summed.kept, 150); /* the list grows twice for so many */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_entries_in_the_second_pass_are_refused),
        cmocka_unit_test(any_order_gives_the_dense_sum),
        cmocka_unit_test(places_of_sums_are_bounded),
        cmocka_unit_test(places_of_sums_need_memory),
        cmocka_unit_test(sums_do_not_depend_on_threads),
        cmocka_unit_test(long_rows_are_sorted),
        cmocka_unit_test(sums_of_mirror_images_mirror),
        cmocka_unit_test(sums_beside_nan_do_not_depend_on_the_order),
        cmocka_unit_test(memory_is_counted_once),
        cmocka_unit_test(rows_of_every_length_are_sorted),
        cmocka_unit_test(kept_duplicates_are_not_summed),
        cmocka_unit_test(a_mirror_image_given_too_names_both_lines),
        cmocka_unit_test(mirror_images_deep_in_a_block_have_their_lines),
        cmocka_unit_test(mirrors_agree_in_both_parts_and_once),
        cmocka_unit_test(agreeing_mirrors_are_one_entry_if_allowed),
        cmocka_unit_test(the_first_error_of_the_input_is_reported),
        cmocka_unit_test(the_error_that_comes_last_is_not_the_first),
        cmocka_unit_test(sizes_are_refused_before_allocating),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cancelling_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
