/* Partitions that libraries find (analysis/parts): of graphs whose good partitions are known. */
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/halo.h"
#include "base/threads.h"
#include "config.h"
#include "support/cmocka.h"
#include "support/parts.h"
#include "support/support.h"

#if defined(HAVE_METIS) || defined(HAVE_SCOTCH)
/* Two blocks without an entry between them: libraries find them, however their rows are strewn. */
static void find_what_hangs_together(const char *const ways[])
{
    double *values = calloc(80 * 80, sizeof *values);
    for (int i = 0; i < 80; i++)
        for (int j = 0; j < 80; j++)
            if (i % 2 == j % 2 && (i == j || abs(i - j) < 9)) values[i * 80 + j] = 1;
    struct csr a = support_dense(80, 80, values);
    for (size_t w = 0; ways[w]; w++) {
        struct partition partition = support_partition(ways[w], &a, true, 2);
        struct halo halo;
        for (int64_t i = 0; i < 80; i++)
            assert_int_equal(partition.owner[i], partition.owner[i % 2]);
        assert_true(partition.owner[0] != partition.owner[1]);
        assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
        assert_int_equal(halo.volume, 0);
        assert_int_equal(halo.messages, 0);
        halo_free(&halo);
        partition_free(&partition);
    }
    free(values);
    csr_free(&a);
}
#endif

#ifdef HAVE_METIS
static void metis_finds_what_hangs_together(void **state)
{
    find_what_hangs_together(
        (const char *const[]){"metis", "metis:objective=cut", "metis:weights=rows,seed=3", NULL});
}
#endif

#ifdef HAVE_SCOTCH
static void scotch_finds_what_hangs_together(void **state)
{
    find_what_hangs_together((const char *const[]){"scotch", "scotch:strategy=quality",
                                                   "scotch:strategy=recursive", "scotch:weights=rows,seed=3",
                                                   "scotch:strategy=speed,imbalance=0.5", NULL});
}

/* The five-point stencil on a grid of side x side. */
static struct csr grid(int64_t side)
{
    struct csr a = {.rows = side * side, .cols = side * side};
    a.row_ptr = calloc((size_t)a.rows + 1, sizeof *a.row_ptr);
    a.col = malloc((size_t)(5 * a.rows) * sizeof *a.col);
    a.val = calloc((size_t)(5 * a.rows), sizeof *a.val);
    for (int64_t i = 0, k = 0; i < a.rows; i++) {
        int64_t y = i / side, x = i % side;
        if (y > 0) a.col[k++] = (int32_t)(i - side);
        if (x > 0) a.col[k++] = (int32_t)(i - 1);
        a.col[k++] = (int32_t)i;
        if (x < side - 1) a.col[k++] = (int32_t)(i + 1);
        if (y < side - 1) a.col[k++] = (int32_t)(i + side);
        a.row_ptr[i + 1] = k;
    }
    return a;
}

/* Every part of a grid has rows, and no part exceeds the allowed share of rows or entries. The cut is not
 * much worse than that of strips of `side` lines, which have 2 side (parts - 1) entries between them. */
static void scotch_divides_grids_evenly(void **state)
{
    enum { SIDE = 48 };
    struct csr a = grid(SIDE);
    static const struct {
        const char *choice;
        int64_t parts;
        bool by_rows;
        double allowed;
    } cases[] = {
        {"scotch", 8, false, 1.06},
        {"scotch:strategy=balance,imbalance=0.01", 16, false, 1.06},
        {"scotch:weights=rows,imbalance=0.2", 8, true, 1.2},
        {"scotch:strategy=quality", 64, false, 1.12}, /* 36 rows a part: one more is 3% */
        {"scotch:strategy=recursive", 5, false, 1.06},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct partition partition = support_partition(cases[c].choice, &a, true, cases[c].parts);
        struct halo halo;
        assert_int_equal(partition.parts, cases[c].parts);
        assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
        for (int64_t p = 0; p < partition.parts; p++)
            assert_true(halo.part[p].rows > 0);
        double most =
            cases[c].by_rows ? (double)halo.most_rows * (double)halo.parts / (double)a.rows : halo.imbalance;
        if (most > cases[c].allowed) fail_msg("%s: imbalance %g", cases[c].choice, most);
        assert_in_range(halo.cut, 1, 2 * SIDE * (cases[c].parts - 1));
        halo_free(&halo);
        partition_free(&partition);
    }
    csr_free(&a);
}

/* A chain whose first quarter has eight times the entries a row: halves of equally many entries are not
 * halves of equally many rows. */
static void scotch_weighs_entries_or_rows(void **state)
{
    enum { N = 400 };
    double *values = calloc((size_t)N * N, sizeof *values);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (abs(i - j) <= (i < N / 4 && j < N / 4 ? 12 : 1)) values[i * N + j] = 1;
    struct csr a = support_dense(N, N, values);
    struct partition entries = support_partition("scotch", &a, true, 2),
                     rows = support_partition("scotch:weights=rows", &a, true, 2);
    struct halo of_entries, of_rows;
    assert_int_equal(halo_count(&a, &entries, 0, NULL, &of_entries, NULL), STATUS_OK);
    assert_int_equal(halo_count(&a, &rows, 0, NULL, &of_rows, NULL), STATUS_OK);
    assert_true(of_entries.imbalance < 1.06 && of_entries.most_rows > N * 6 / 10);
    assert_true(of_rows.imbalance > 1.3 && of_rows.most_rows < N * 52 / 100);
    halo_free(&of_entries);
    halo_free(&of_rows);
    partition_free(&entries);
    partition_free(&rows);
    free(values);
    csr_free(&a);
}

/* The same seed gives the same partition, on any number of threads. */
static void scotch_depends_on_its_seed_alone(void **state)
{
    struct csr a = grid(60);
    threads_set(1);
    struct partition first = support_partition("scotch:seed=5", &a, true, 12),
                     other = support_partition("scotch:seed=6", &a, true, 12);
    for (int threads = 1; threads <= 4; threads *= 2) {
        threads_set(threads);
        struct partition again = support_partition("scotch:seed=5", &a, true, 12);
        assert_memory_equal(again.owner, first.owner, (size_t)a.rows * sizeof *first.owner);
        partition_free(&again);
    }
    assert_memory_not_equal(other.owner, first.owner, (size_t)a.rows * sizeof *first.owner);
    threads_set(1);
    partition_free(&first);
    partition_free(&other);
    csr_free(&a);
}

/* More parts than rows, rows without entries, and no entry at all but on the diagonal. */
static void scotch_takes_what_is_odd(void **state)
{
    static const double few[9] = {1, 1, 0, 1, 1, 0, 0, 0, 0};
    static const double apart[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct csr a = support_dense(3, 3, few), b = support_dense(3, 3, apart);
    struct partition partition = support_partition("scotch", &a, true, 7);
    for (int64_t i = 0; i < 3; i++)
        assert_in_range(partition.owner[i], 0, 6);
    partition_free(&partition);
    partition = support_partition("scotch", &b, true, 3);
    assert_memory_equal(partition.owner, ((int32_t[]){0, 1, 2}), 12);
    partition_free(&partition);
    partition = support_partition("scotch", &a, true, 1);
    assert_memory_equal(partition.owner, ((int32_t[]){0, 0, 0}), 12);
    partition_free(&partition);
    csr_free(&a);
    csr_free(&b);
}
#endif

/* An unavailable partitioner names its package. All others can be computed, or are found over ranks. */
static void partitioners_are_there_or_say_what_lacks(void **state)
{
    for (int k = 0; partitioners[k]; k++) {
        const struct partitioner *partitioner = partitioners[k];
        assert_true(!partitioner->absent || partitioner->package);
        assert_true(partitioner->ranked ||
                    partitioner->absent == !(partitioner->compute || partitioner->divide));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitioners_are_there_or_say_what_lacks),
#ifdef HAVE_METIS
        cmocka_unit_test(metis_finds_what_hangs_together),
#endif
#ifdef HAVE_SCOTCH
        cmocka_unit_test(scotch_finds_what_hangs_together),
        cmocka_unit_test(scotch_divides_grids_evenly),
        cmocka_unit_test(scotch_weighs_entries_or_rows),
        cmocka_unit_test(scotch_depends_on_its_seed_alone),
        cmocka_unit_test(scotch_takes_what_is_odd),
#endif
    };
    return cmocka_run_group_tests_name("analysis_partitioners", tests, NULL, NULL);
}
