/* ranks/transpose, run by any number of ranks: a rank without memory for its share of A^T. What ranks load
 * transposed is compared with one process in tests/ranks/read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "ranks/stage.h"
#include "ranks/tests.h"
#include "ranks/transpose.h"
#include "support/cmocka.h"
#include "support/files.h"

static struct ranks ranks;

static void load(const char *name, struct share *share)
{
    const struct load_options options = {0};
    struct matrix whole;
    struct error error = {0};
    assert_int_equal(matrix_load(name, &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, share, &error), STATUS_OK);
    matrix_free(&whole);
}

/* Let allocation k of one rank fail. Returns whether it did; then all ranks say so, and none waits for
 * another. */
static bool fail_once(const char *name, int victim, int k)
{
    struct error error = {0};
    struct share share;
    load(name, &share);
    if (ranks.rank == victim) memory_fail_after(k);
    const enum status status = share_transpose(&ranks, &share, 0, &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
    assert_int_equal(error.status, status);
    assert_int_equal(share.matrix.transposed, !failed);
    share_free(&share);
    return failed;
}

/* Every allocation of the first rank and of the last fails once: with summed entries, and for a symmetric
 * matrix, of which nothing but the name changes. */
static void test_failing_allocations(void **state)
{
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate real general\n3 4 6\n1 1 1\n1 1 2\n2 4 5\n2 4 -5\n3 2 1\n3 2 1\n",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 2\n"};
    struct error error = {0};
    for (int t = 0; t < 2; t++) {
        if (ranks.rank == 0) files_write("few.mtx", texts[t], strlen(texts[t]));
        ranks_agree(&ranks, STATUS_OK, &error);
        for (int victim = 0; victim<ranks.count; victim += ranks.count> 1 ? ranks.count - 1 : 1) {
            int k = 0;
            while (fail_once("few.mtx", victim, k))
                k++;
            assert_true(t == 0 ? k > 8 : k == 1);
        }
        ranks_agree(&ranks, STATUS_OK, &error);
    }
}

/* The limit covers both shares, which a rank holds at the same time, and the buffers of the exchange. */
static void test_limits(void **state)
{
    const int64_t buffers = 4 * (int64_t)STAGE_BYTES;
    struct share share;
    struct error error = {0};
    load("gen:random,m=3000,mean=20", &share);
    const struct csr *own = &share.own;
    int64_t bytes = (int64_t)csr_bytes(own->rows, csr_nnz(own), false);
    ranks_max(&ranks, &bytes, 1);
    assert_int_equal(share_transpose(&ranks, &share, (size_t)(bytes + bytes / 2 + buffers), &error),
                     STATUS_LIMIT);
    assert_non_null(
        strstr(error.message, "that limit is what the matrix before transposing leaves of --limit"));
    assert_false(share.matrix.transposed);
    share_free(&share);
    error_clear(&error);
    load("gen:random,m=3000,mean=20", &share);
    assert_int_equal(share_transpose(&ranks, &share, (size_t)(3 * bytes + buffers), &error), STATUS_OK);
    share_free(&share);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations),
                                       cmocka_unit_test(test_limits)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    return ranks_run_tests(&ranks, "ranks/transpose", tests, sizeof tests / sizeof *tests);
}
