/* ranks/ranks and ranks/share, run by any number of ranks: compared with the same matrix in one process. */
#include "config.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "matrix/matrix.h"
#include "ranks/costs.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "ranks/tests.h"
#include "support/cmocka.h"

static struct ranks ranks;

static void test_sums(void **state)
{
    const int64_t count = ((int64_t)1 << 20) + 3; /* more than a round */
    int64_t *array = malloc((size_t)count * sizeof *array);
    for (int64_t k = 0; k < count; k++)
        array[k] = k * (ranks.rank + 1);
    ranks_sum(&ranks, array, count);
    int64_t all = (int64_t)ranks.count * (ranks.count + 1) / 2;
    for (int64_t k = 0; k < count; k++)
        assert_int_equal(array[k], k * all);
    array[0] = array[1] = ranks.rank;
    ranks_max(&ranks, array, 1);
    ranks_min(&ranks, array + 1, 1);
    assert_int_equal(array[0], ranks.count - 1);
    assert_int_equal(array[1], 0);
    assert_int_equal(ranks_before(&ranks, 10 + ranks.rank),
                     10 * ranks.rank + ranks.rank * (ranks.rank - 1) / 2);
    free(array);
}

/* The error of the first failing rank is reported, whatever the others report. */
/* The costs of a part are those of the slowest rank. */
static void test_costs(void **state)
{
    struct costs costs = {.count = 2};
    costs.items[0] = (struct cost){.name = "first", .cpu = ranks.rank + 1, .wall = 10};
    costs.items[1] = (struct cost){.name = "second", .cpu = 5, .wall = ranks.count - ranks.rank};
    ranks_costs(&ranks, &costs);
    assert_int_equal(costs.count, 2);
    assert_true(fabs(costs.items[0].cpu - ranks.count) < 1e-6 && fabs(costs.items[0].wall - 10) < 1e-6);
    assert_true(fabs(costs.items[1].cpu - 5) < 1e-6 && fabs(costs.items[1].wall - ranks.count) < 1e-6);
}

static void test_agree(void **state)
{
    struct error error = {0};
    assert_int_equal(ranks_agree(&ranks, STATUS_OK, &error), STATUS_OK);
    for (int first = 0; first < ranks.count; first++) {
        char expected[64];
        error_clear(&error);
        enum status mine = STATUS_OK;
        if (ranks.rank >= first)
            mine = error_set(&error, STATUS_INPUT + (ranks.rank > first), "rank %d", ranks.rank);
        assert_int_equal(ranks_agree(&ranks, mine, &error), STATUS_INPUT);
        snprintf(expected, sizeof expected, "rank %d", first);
        assert_string_equal(error.message, expected);
    }
}

/* Rank r sends r + 2 s + 1 numbers to rank s, or none. Each number contains its sender and its index. */
static void test_exchange(void **state)
{
    int64_t out_counts[64], in_counts[64], total = 0, k = 0;
    assert_true(ranks.count <= 64);
    for (int s = 0; s < ranks.count; s++)
        total += out_counts[s] = (s + ranks.rank) % 3 == 2 ? 0 : ranks.rank + 2 * s + 1;
    int64_t *out = malloc((size_t)total * sizeof *out), in_total = 0;
    for (int s = 0; s < ranks.count; s++)
        for (int64_t t = 0; t < out_counts[s]; t++)
            out[k++] = ranks.rank * 1000000 + s * 1000 + t;
    ranks_counts(&ranks, out_counts, in_counts);
    for (int r = 0; r < ranks.count; r++)
        in_total += in_counts[r];
    int64_t *in = malloc((size_t)in_total * sizeof *in);
    ranks_exchange(&ranks, out, out_counts, in, in_counts, sizeof *in);
    k = 0;
    for (int r = 0; r < ranks.count; r++) {
        assert_int_equal(in_counts[r], (r + ranks.rank) % 3 == 2 ? 0 : r + 2 * ranks.rank + 1);
        for (int64_t t = 0; t < in_counts[r]; t++)
            assert_int_equal(in[k++], r * 1000000 + ranks.rank * 1000 + t);
    }
    free(out);
    free(in);
}

static void test_join(void **state)
{
    size_t sizes[64], total = 0;
    for (int r = 0; r < ranks.count; r++)
        total += sizes[r] = (size_t)r * 5;
    char *mine = malloc(sizes[ranks.rank] + 1), *all = malloc(total + 1);
    memset(mine, 'a' + ranks.rank, sizes[ranks.rank]);
    int root = ranks.count - 1;
    ranks_join(&ranks, root, mine, sizes, all);
    for (int r = 0, k = 0; ranks.rank == root && r < ranks.count; r++)
        for (size_t t = 0; t < sizes[r]; t++)
            assert_int_equal(all[k++], 'a' + r);
    free(mine);
    free(all);
}

/* This rank's rows are those of the whole matrix, element for element, and the shares join without a gap. */
static void check_share(const struct matrix *whole, const struct share *share)
{
    const struct csr *a = &whole->csr;
    assert_int_equal(share->rows, a->rows);
    assert_int_equal(share->cols, a->cols);
    assert_int_equal(share->nnz, csr_nnz(a));
    assert_int_equal(share->cuts[0], 0);
    assert_int_equal(share->cuts[ranks.count], a->rows);
    assert_int_equal(share->first, share->cuts[ranks.rank]);
    assert_int_equal(share->last, share->cuts[ranks.rank + 1]);
    assert_true(share->first <= share->last);
    assert_int_equal(share->before, a->row_ptr[share->first]);
    assert_int_equal(share->own.rows, share->last - share->first);
    assert_int_equal(share->own.cols, a->cols);
    for (int64_t i = 0; i <= share->own.rows; i++)
        assert_int_equal(share->own.row_ptr[i], a->row_ptr[share->first + i] - share->before);
    int64_t nnz = csr_nnz(&share->own);
    assert_memory_equal(share->own.col, a->col + share->before, (size_t)nnz * sizeof *a->col);
    assert_memory_equal(share->own.val, a->val + share->before, (size_t)nnz * sizeof *a->val);
    for (int64_t i = share->first; i < share->last; i++)
        assert_int_equal(share_owner(share, &ranks, i), ranks.rank);
    assert_string_equal(share->matrix.name, whole->name);
    assert_int_equal(share->matrix.stored, whole->stored);
}

static void test_shares(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=20", "gen:powerlaw,scale=9",
                                        "gen:random,m=3,n=9,mean=4"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix whole;
        struct share share;
        struct error error = {0};
        struct load_options options = {0};
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
        check_share(&whole, &share);
        share_free(&share);
        assert_int_equal(share_load(&ranks, names[k], &options, &share, &error), STATUS_OK);
        check_share(&whole, &share);
        share_free(&share);
        matrix_free(&whole);
    }
}

/* Each rank is bound to a processor, and knows the number of processors that all ranks of the node have. The
 * rank that takes the node runs on all of them meanwhile. */
static void test_node(void **state)
{
    struct ranks bound = ranks;
    struct whole_node taken;
    struct processors mine, now;
    cpu_set_t before, one;
    const int threads = threads_count();
    if (omp_get_proc_bind() != omp_proc_bind_false) skip();
    assert_int_equal(ranks.crowded, ranks.near > ranks.cores);
    assert_in_range(ranks_threads(&ranks), 1, ranks.cores);
    sched_getaffinity(0, sizeof before, &before);
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    processors_here(&mine);
    bound.cores = bound.near = 3;
    assert_int_equal(ranks_threads(&bound), 1);
    threads_set(1);
    ranks_take_node(&bound, &taken);
    processors_here(&now);
    const int many = threads_count();
    ranks_leave_node(&taken);
    const int few = threads_count();
    struct processors after;
    processors_here(&after);
    sched_setaffinity(0, sizeof before, &before);
    threads_set(threads);
    assert_memory_equal(&now, &ranks.processors, sizeof now);
    assert_memory_equal(&after, &mine, sizeof mine);
    assert_int_equal(many, 3);
    assert_int_equal(few, 1);
    bound.cores = 8;
    bound.near = 2;
    assert_int_equal(ranks_threads(&bound), placement_threads() < 4 ? placement_threads() : 4);
    threads_set(7); /* more than its part, since the user says so */
    ranks_take_node(&bound, &taken);
    assert_int_equal(threads_count(), 8);
    ranks_leave_node(&taken);
    assert_int_equal(threads_count(), 7);
    threads_set(threads);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),    cmocka_unit_test(test_sums), cmocka_unit_test(test_agree),
        cmocka_unit_test(test_exchange), cmocka_unit_test(test_join), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_node),
    };
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    return ranks_run_tests(&ranks, "ranks/share", tests, sizeof tests / sizeof *tests);
}
