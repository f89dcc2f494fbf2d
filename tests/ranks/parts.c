/* ranks/parts, run by any number of ranks: the communication of a matrix that is spread over any number of
 * parts, compared with that of one process. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "base/memory.h"
#include "base/threads.h"
#include "ranks/parts/distribute.h"
#include "ranks/parts/parts.h"
#include "ranks/tests.h"
#include "support/cmocka.h"
#include "support/support.h"

static struct ranks ranks;

static void same_halo(const struct halo *h, const struct halo *i)
{
    assert_int_equal(h->parts, i->parts);
    assert_int_equal(h->messages, i->messages);
    assert_memory_equal(h->part, i->part, (size_t)i->parts * sizeof *i->part);
    if (i->pairs && i->messages) {
        assert_non_null(h->pairs);
        assert_memory_equal(h->pairs, i->pairs, (size_t)i->messages * sizeof *i->pairs);
    }
    assert_int_equal(h->volume, i->volume);
    assert_int_equal(h->expand, i->expand);
    assert_int_equal(h->fold, i->fold);
    assert_int_equal(h->largest_send, i->largest_send);
    assert_int_equal(h->most_messages, i->most_messages);
    assert_int_equal(h->cut, i->cut);
    assert_int_equal(h->largest_halo, i->largest_halo);
    assert_int_equal(h->most_neighbours, i->most_neighbours);
    assert_int_equal(h->most_rows, i->most_rows);
    assert_int_equal(h->most_entries, i->most_entries);
    assert_true(h->imbalance == i->imbalance);
}

static void same_sketch(const struct sketch *s, const struct sketch *t)
{
    assert_int_equal(s->pictures, t->pictures);
    for (int k = 0; k < t->pictures; k++) {
        const struct size_dots *dots = &t->picture[k].dots;
        assert_memory_equal(&s->picture[k].dots, dots, sizeof *dots);
        assert_memory_equal(s->picture[k].marks, t->picture[k].marks,
                            (size_t)dots->high * (size_t)dots->wide * sizeof *t->picture[k].marks);
    }
    assert_int_equal(s->step, t->step);
    assert_int_equal(s->tiles, t->tiles);
    assert_memory_equal(s->elements, t->elements, (size_t)t->tiles * (size_t)t->tiles * sizeof *t->elements);
    assert_int_equal(s->run_count, t->run_count);
    for (int64_t r = 0; r < t->run_count; r++) {
        assert_int_equal(s->runs[r].first, t->runs[r].first);
        assert_int_equal(s->runs[r].owner, t->runs[r].owner);
    }
}

/* Compare the ranks' results for a partition that all know with those of rank 0 for the whole. */
static void check_partition(const struct share *share, const struct csr *whole,
                            const struct partition *partition, int64_t round)
{
    struct error error = {0};
    struct halo halo, expected;
    struct sketch sketch, drawn;
    struct partition own = *partition; /* a rank knows the owners of its own entries only */
    if (own.entry) own.entry += share->before;
    assert_int_equal(ranks_halo(&ranks, share, &own, round, 0, &halo, &error), STATUS_OK);
    assert_int_equal(ranks_sketch(&ranks, share, &own, &halo, &sketch, &error), STATUS_OK);
    if (ranks.rank == 0) {
        assert_int_equal(halo_count(whole, partition, 0, NULL, &expected, &error), STATUS_OK);
        assert_int_equal(
            sketch_make(whole, partition, expected.pairs, expected.messages, NULL, &drawn, &error),
            STATUS_OK);
        same_halo(&halo, &expected);
        same_sketch(&sketch, &drawn);
        halo_free(&expected);
        sketch_free(&drawn);
    } else {
        assert_null(halo.pairs);
        assert_int_equal(sketch.pictures, 0);
    }
    halo_free(&halo);
    sketch_free(&sketch);
}

/* A partition whose parts are spread over all ranks, in runs of `run` rows. */
static struct partition scatter(int64_t rows, int64_t parts, int64_t run, uint64_t seed)
{
    struct partition partition = {.parts = parts, .rows = rows};
    partition.owner = memory_array((size_t)rows, sizeof *partition.owner, NULL);
    for (int64_t i = 0; i < rows; i++)
        partition.owner[i] =
            i % run && i ? partition.owner[i - 1] : (int32_t)support_random(&seed, (uint64_t)parts);
    return partition;
}

static const int64_t part_counts[] = {1, 2, 3, 7, 64, 500, 3000};
#define PART_COUNTS (sizeof part_counts / sizeof *part_counts)

/* Square and rectangular matrices, some without rows, columns or entries, or with fewer rows than ranks. The
 * communication takes one round, or many. */
static void test_scattered(void **state)
{
    static const int64_t shapes[][2] = {{700, 700}, {90, 3000}, {3000, 90}, {2, 2},
                                        {7, 7},     {0, 0},     {5, 0},     {0, 5}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct matrix whole = {.name = strdup("scattered"), .path = strdup("scattered"), .field = FIELD_REAL};
        struct error error = {0};
        struct share share;
        whole.csr = support_matrix(shapes[s][0], shapes[s][1], 0.03, s % 2, false, 5 + s);
        assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
        for (size_t c = 0; c < PART_COUNTS; c++)
            for (int64_t run = 1; run < 10; run *= 7) {
                struct partition partition = scatter(whole.csr.rows, part_counts[c], run, s + c);
                check_partition(&share, &whole.csr, &partition, run == 7 ? 16 : RANKS_HALO_ROUND);
                partition_free(&partition);
            }
        share_free(&share);
        matrix_free(&whole);
    }
}

/* The owners of `count` things, spread over all parts. */
static int32_t *scatter_list(int64_t count, int64_t parts, uint64_t *seed)
{
    int32_t *list = memory_array((size_t)count, sizeof *list, NULL);
    for (int64_t k = 0; k < count; k++)
        list[k] = (int32_t)support_random(seed, (uint64_t)parts);
    return list;
}

/* The entries are spread over all parts, and so are the elements of x if the matrix is rectangular. */
static void test_scattered_entries(void **state)
{
    static const int64_t shapes[][2] = {{400, 400}, {90, 900}, {900, 90}, {2, 2}, {0, 0}, {5, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct matrix whole = {.name = strdup("scattered"), .path = strdup("scattered"), .field = FIELD_REAL};
        struct error error = {0};
        struct share share;
        uint64_t seed = 7 + s;
        whole.csr = support_matrix(shapes[s][0], shapes[s][1], 0.03, s % 2, false, 5 + s);
        assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
        for (size_t c = 0; c < PART_COUNTS; c++) {
            struct partition partition = scatter(whole.csr.rows, part_counts[c], 3, s + c);
            partition.entry = scatter_list(csr_nnz(&whole.csr), part_counts[c], &seed);
            if (shapes[s][0] != shapes[s][1])
                partition.col_owner = scatter_list(whole.csr.cols, part_counts[c], &seed);
            check_partition(&share, &whole.csr, &partition, c % 2 ? 16 : RANKS_HALO_ROUND);
            partition_free(&partition);
        }
        share_free(&share);
        matrix_free(&whole);
    }
}

/* Data on the pattern that rank 0 already has: nothing, the offsets of rows, or also the columns of all
 * entries. */
enum known { KNOWN_NOTHING, KNOWN_OFFSETS, KNOWN_COLUMNS };

/* Compare all results for a list of partitions with those of rank 0 for the whole. */
static void check_distribution(struct matrix *whole, const char *list, enum known known)
{
    struct distribution_request request = {.sketched = true};
    struct distribution distribution, expected;
    struct error error = {0};
    struct share share;
    const struct csr offsets = {.rows = whole->csr.rows,
                                .cols = whole->csr.cols,
                                .row_ptr = whole->csr.row_ptr,
                                .col = known == KNOWN_COLUMNS ? whole->csr.col : NULL};
    const bool told = ranks.rank == 0 && known != KNOWN_NOTHING;
    assert_int_equal(distribution_read_parts("1,2,5,33", &request, &error), STATUS_OK);
    if (list) assert_int_equal(partition_list_add(&request.partitions, list, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    assert_int_equal(
        ranks_distribute(&ranks, &share, &request, told ? &offsets : NULL, 0, &distribution, &error),
        STATUS_OK);
    if (ranks.rank == 0) {
        assert_int_equal(distribution_make(whole, &request, 0, NULL, &expected, &error), STATUS_OK);
        assert_int_equal(distribution.count, expected.count);
        for (int k = 0; k < expected.count; k++) {
            const struct distributed *d = &distribution.items[k], *e = &expected.items[k];
            assert_string_equal(d->name, e->name);
            assert_int_equal(d->parts, e->parts);
            assert_int_equal(d->status, e->status);
            assert_string_equal(d->refusal.message, e->refusal.message);
            if (e->status != STATUS_OK) continue;
            same_halo(&d->halo, &e->halo);
            same_sketch(&d->sketch, &e->sketch);
        }
        distribution_free(&expected);
    } else {
        assert_int_equal(distribution.count, 0);
    }
    distribution_free(&distribution);
    partition_list_free(&request.partitions);
    share_free(&share);
}

/* All partitions that need no file, and one that does. */
static void test_distributions(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=30", "gen:powerlaw,scale=9",
                                        "gen:random,m=60,n=90,mean=4", "gen:random,m=3,n=3,mean=1"};
    char path[64], list[96];
    snprintf(path, sizeof path, "parts-of-rank-%d.txt", ranks.rank);
    snprintf(list, sizeof list, "natural,file:path=%s,entries", path);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix whole;
        struct error error = {0};
        struct load_options options = {0};
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        FILE *file = fopen(path, "w");
        for (int64_t i = 0; i < whole.csr.rows; i++)
            fprintf(file, "%d\n", (int)(i * i % 11));
        fclose(file);
        check_distribution(&whole, NULL, (enum known)(k % 3));
        check_distribution(&whole, list, KNOWN_NOTHING);
        matrix_free(&whole);
        remove(path);
    }
}

/* The ranks find PT-Scotch's partition together. Its communication is also counted in the whole matrix. */
static void test_ptscotch(void **state)
{
    struct partition_choice choice;
    struct matrix whole;
    struct error error = {0};
    struct share share;
    struct load_options options = {0};
    assert_int_equal(partition_choice_read("ptscotch", &choice, &error), STATUS_OK);
    assert_int_equal(matrix_load("gen:powerlaw,scale=9", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    for (size_t c = 0; c < 5; c++) {
        struct pattern pattern = {0};
        struct partition partition;
        enum status status =
            ranks_partition(&ranks, &share, &choice, part_counts[c], 0, &pattern, &partition, &error);
        pattern_free(&pattern);
        if (choice.partitioner->absent) {
            assert_int_equal(status, STATUS_UNAVAILABLE);
            continue;
        }
        assert_int_equal(status, STATUS_OK);
        for (int64_t i = 0; i < whole.csr.rows; i++)
            assert_in_range(partition.owner[i], 0, part_counts[c] - 1);
        check_partition(&share, &whole.csr, &partition, RANKS_HALO_ROUND);
        partition_free(&partition);
    }
    partition_choice_free(&choice);
    share_free(&share);
    matrix_free(&whole);
}

/* All ranks report a missing file, and lack of memory, alike. */
/* Find a partition of Zoltan's. The volume that is counted for its owners is the cut that Zoltan evaluates
 * itself. Its communication is also counted in the whole matrix, for which all ranks learn the owners of all
 * entries. */
static void check_zoltan(const struct share *share, const struct csr *whole, const char *text, int64_t parts)
{
    struct partition_choice choice;
    struct partition partition = {.parts = parts, .rows = share->rows};
    struct halo halo;
    struct error error = {0};
    double cut = -1;
    int32_t *mine = memory_array((size_t)share->own.rows, sizeof *mine, NULL);
    size_t *sizes = memory_array((size_t)ranks.count, sizeof *sizes, NULL);
    assert_int_equal(partition_choice_read(text, &choice, &error), STATUS_OK);
    partition.owner = memory_array((size_t)share->rows, sizeof *partition.owner, NULL);
    enum status status = zoltan_owners_cut(&ranks, share, &choice, &partition, mine, &cut, &error);
    if (status != STATUS_OK)
        fail_msg("%s, %d rows, %d parts: %s", text, (int)share->rows, (int)parts, error.message);
    for (int r = 0; r < ranks.count; r++)
        sizes[r] = (size_t)(share->cuts[r + 1] - share->cuts[r]) * sizeof *mine;
    ranks_join(&ranks, 0, mine, sizes, partition.owner);
    ranks_broadcast(&ranks, 0, partition.owner, (size_t)share->rows * sizeof *mine);
    for (int64_t i = 0; i < share->rows; i++)
        assert_in_range(partition.owner[i], 0, parts - 1);
    for (int64_t k = 0; partition.entry && k < csr_nnz(&share->own); k++)
        assert_in_range(partition.entry[k], 0, parts - 1);
    assert_int_equal(ranks_halo(&ranks, share, &partition, RANKS_HALO_ROUND, 0, &halo, &error), STATUS_OK);
    if (ranks.rank == 0) {
        assert_int_equal(halo.volume, (int64_t)cut);
        if (share->rows > 100) {
            assert_true(parts == 1 || halo.volume > 0);
            assert_true(strstr(text, "weights") || halo.imbalance < 1.15);
        }
        if (!partition.entry) assert_int_equal(halo.fold, 0);
    }
    halo_free(&halo);
    if (!partition.entry) check_partition(share, whole, &partition, RANKS_HALO_ROUND);
    partition_free(&partition);
    partition_choice_free(&choice);
    free(sizes);
    free(mine);
}

static void test_zoltan(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=20",
                                        "gen:powerlaw,scale=8",
                                        "gen:random,m=200,n=300,mean=4",
                                        "gen:random,m=300,n=300,mean=3",
                                        "gen:arrow,n=60,width=1",
                                        "gen:permutation,n=31",
                                        "gen:random,m=3,n=3,mean=1",
                                        "gen:dense,m=9,n=1"};
    static const char *const texts[] = {"hypergraph", "hypergraph:weights=rows,imbalance=0.1,seed=7",
                                        "finegrain"};
    struct partition_choice choice;
    assert_int_equal(partition_choice_read("hypergraph", &choice, NULL), STATUS_OK);
    if (choice.partitioner->absent) skip();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct matrix whole;
        struct share share;
        struct error error = {0};
        assert_int_equal(matrix_load(names[n], &(struct load_options){0}, NULL, &whole, &error), STATUS_OK);
        assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            for (int64_t parts = 1; parts <= 16; parts *= 4)
                check_zoltan(&share, &whole.csr, texts[t], parts);
        share_free(&share);
        matrix_free(&whole);
    }
}

static void test_refusals(void **state)
{
    struct matrix whole;
    struct error error = {0};
    struct load_options options = {0};
    struct share share;
    struct distribution distribution;
    struct distribution_request request = {.parts = {4}, .count = 1};
    assert_int_equal(matrix_load("gen:laplace2d,n=750", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    assert_int_equal(partition_list_add(&request.partitions, "natural,metis", &error), STATUS_OK);
    assert_int_equal(
        ranks_distribute(&ranks, &share, &request, NULL, (size_t)10 << 20, &distribution, &error), STATUS_OK);
    if (ranks.rank == 0) {
        assert_int_equal(distribution.items[0].status, STATUS_OK);
        assert_int_not_equal(distribution.items[1].status, STATUS_OK);
        assert_true(strlen(distribution.items[1].refusal.message) > 10);
    }
    distribution_free(&distribution);
    partition_list_free(&request.partitions);
    assert_int_equal(partition_list_add(&request.partitions, "file:path=absent.txt", &error), STATUS_OK);
    assert_int_equal(ranks_distribute(&ranks, &share, &request, NULL, 0, &distribution, &error), STATUS_IO);
    assert_non_null(strstr(error.path, "absent.txt"));
    partition_list_free(&request.partitions);
    share_free(&share);
    matrix_free(&whole);
}

static enum verdict die(const void *argument, int32_t *from, int64_t count)
{
    raise(SIGKILL); /* as the kernel ends a process that takes too much memory */
    return VERDICT_DONE;
}

static enum status compute_killed(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                  struct error *error)
{
    return apart_fill(die, NULL, "the library", owner, partitioning->a->rows, NULL, error);
}

/* If a library is killed, its partition is missing, and the others exist. */
static void test_killed_library(void **state)
{
    static const struct parameter none[] = {{0}};
    const struct partitioner killed = {.name = "killed", .parameters = none, .compute = compute_killed};
    struct partition_choice choices[3] = {{0}};
    struct matrix whole;
    struct error error = {0};
    struct load_options options = {0};
    struct share share;
    struct distribution found;
    assert_int_equal(partition_choice_read("natural", &choices[0], &error), STATUS_OK);
    choices[1].partitioner = &killed;
    assert_int_equal(partition_choice_read("entries", &choices[2], &error), STATUS_OK);
    assert_int_equal(matrix_load("gen:laplace2d,n=5", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    const struct distribution_request request = {.parts = {2, 3}, .count = 2, .partitions = {choices, 3}};
    assert_int_equal(ranks_distribute(&ranks, &share, &request, NULL, 0, &found, &error), STATUS_OK);
    assert_int_equal(found.count, ranks.rank == 0 ? 6 : 0);
    for (int k = 0; k < found.count; k++) {
        assert_int_equal(found.items[k].status, k / 2 == 1 ? STATUS_LIMIT : STATUS_OK);
        if (k / 2 == 1) assert_non_null(strstr(found.items[k].refusal.message, "the library was killed"));
    }
    distribution_free(&found);
    partition_choice_free(&choices[0]);
    partition_choice_free(&choices[2]);
    share_free(&share);
    matrix_free(&whole);
}

/* Let allocation k of one rank fail. Return whether it did. Then all ranks report that, for the partition
 * concerned or for all, and no rank waits for another. */
static bool fail_once(const struct share *share, const char *partitions, int victim, int k)
{
    struct error error = {0};
    struct distribution distribution;
    struct distribution_request request = {.parts = {2, 9}, .count = 2, .sketched = true};
    assert_int_equal(partition_list_add(&request.partitions, partitions, &error), STATUS_OK);
    if (ranks.rank == victim) memory_fail_after(k);
    enum status status = ranks_distribute(&ranks, share, &request, NULL, 0, &distribution, &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    int64_t refused = 0;
    for (int d = 0; d < distribution.count; d++)
        refused += distribution.items[d].status == STATUS_MEMORY;
    ranks_max(&ranks, &refused, 1);
    if (status == STATUS_OK)
        assert_int_equal(refused, failed ? 1 : 0);
    else
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
    distribution_free(&distribution);
    partition_list_free(&request.partitions);
    return failed;
}

/* Every allocation fails once with one rank and with two. With more, in which each try waits for all ranks to
 * have a turn on a processor, every fifth. */
static void test_failing_allocations(void **state)
{
    const int step = ranks.count > 2 ? 5 : 1;
    struct matrix whole;
    struct error error = {0};
    struct load_options options = {0};
    struct share share;
    assert_int_equal(matrix_load("gen:powerlaw,scale=6", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    static const char *const partitions[] = {"natural,entries", "ptscotch", "blocks", "hypergraph,finegrain"};
    const size_t kinds = ranks.count == 1 ? 4 : 3; /* Zoltan takes its time with more ranks than processors */
    for (size_t p = 0; p < kinds; p++)
        for (int victim = 0; victim<ranks.count; victim += ranks.count> 1 ? ranks.count - 1 : 1) {
            int k = 0;
            while (fail_once(&share, partitions[p], victim, k))
                k += step;
            assert_true(k > 30);
        }
    share_free(&share);
    matrix_free(&whole);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scattered),      cmocka_unit_test(test_scattered_entries),
        cmocka_unit_test(test_distributions),  cmocka_unit_test(test_ptscotch),
        cmocka_unit_test(test_zoltan),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_killed_library), cmocka_unit_test(test_failing_allocations)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    return ranks_run_tests(&ranks, "ranks/parts", tests, sizeof tests / sizeof *tests);
}
