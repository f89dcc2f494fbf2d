/* analysis/parts: partitions of entries (2D), and their communication by brute force and by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/owners.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/scaling.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/parts.h"
#include "support/support.h"

/* The elements that each part sends to each other one, in both phases, by looking at every entry for every
 * line and part. */
struct sent {
    int64_t *x, *y; /* [from parts + to] */
};

static struct sent send_all(const struct csr *a, const struct partition *partition)
{
    const int64_t parts = partition->parts;
    struct sent sent = {calloc((size_t)(parts * parts), sizeof(int64_t)),
                        calloc((size_t)(parts * parts), sizeof(int64_t))};
    for (int64_t p = 0; p < parts; p++)
        for (int64_t line = 0; line < a->rows || line < a->cols; line++) {
            bool holds_col = false, holds_row = false;
            for (int64_t i = 0; i < a->rows; i++)
                for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
                    if (partition->entry[k] != p) continue;
                    holds_col |= a->col[k] == line;
                    holds_row |= i == line;
                }
            if (holds_col) {
                const int32_t from =
                    partition->col_owner ? partition->col_owner[line] : partition->owner[line];
                sent.x[from * parts + p] += from != p;
            }
            if (holds_row) {
                const int32_t to = partition->owner[line];
                sent.y[p * parts + to] += to != p;
            }
        }
    return sent;
}

static void check_part(const struct sent *sent, const struct halo *halo, int64_t p, int64_t sums[4])
{
    const struct halo_part *part = &halo->part[p];
    const int64_t parts = halo->parts;
    int64_t receives = 0, folds = 0, sends = 0, from = 0, to = 0, with = 0, k = part->first;
    for (int phase = 0; phase < 2; phase++) {
        const int64_t *list = phase ? sent->y : sent->x;
        if (phase) assert_int_equal(k, part->middle);
        for (int64_t q = 0; q < parts; q++) {
            receives += list[q * parts + p];
            folds += phase ? list[q * parts + p] : 0;
            sends += list[p * parts + q];
            to += list[p * parts + q] > 0;
            if (list[q * parts + p] == 0) continue;
            assert_int_equal(halo->pairs[k].from, q);
            assert_int_equal(halo->pairs[k].to, p);
            assert_int_equal(halo->pairs[k].elements, list[q * parts + p]);
            k++;
            from++;
        }
    }
    for (int64_t q = 0; q < parts; q++)
        with += sent->x[q * parts + p] || sent->y[q * parts + p] || sent->x[p * parts + q] ||
                sent->y[p * parts + q];
    assert_int_equal(k, part->last);
    assert_int_equal(part->receives, receives);
    assert_int_equal(part->folds, folds);
    assert_int_equal(part->sends, sends);
    assert_int_equal(part->from, from);
    assert_int_equal(part->to, to);
    sums[0] += receives;
    sums[1] += folds;
    if (sends > sums[2]) sums[2] = sends;
    if (with > sums[3]) sums[3] = with;
}

/* Compare a halo with the brute force. */
static void check_halo(const struct csr *a, const struct partition *partition, const struct halo *halo)
{
    struct sent sent = send_all(a, partition);
    int64_t sums[4] = {0}, cut = 0, most = 0, messages = 0, rows = 0;
    int64_t *entries = calloc((size_t)partition->parts, sizeof *entries);
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        const int64_t j = a->col[k];
        cut += partition->entry[k] != (partition->col_owner ? partition->col_owner[j] : partition->owner[j]);
        entries[partition->entry[k]]++;
    }
    for (int64_t p = 0; p < partition->parts; p++) {
        check_part(&sent, halo, p, sums);
        assert_int_equal(halo->part[p].entries, entries[p]);
        if (entries[p] > most) most = entries[p];
        if (halo->part[p].to > messages) messages = halo->part[p].to;
        rows += halo->part[p].rows;
    }
    assert_int_equal(halo->volume, sums[0]);
    assert_int_equal(halo->fold, sums[1]);
    assert_int_equal(halo->largest_send, sums[2]);
    assert_int_equal(halo->most_neighbours, sums[3]);
    assert_int_equal(halo->most_messages, messages);
    assert_int_equal(halo->most_entries, most);
    assert_int_equal(halo->cut, cut);
    assert_int_equal(rows, a->rows);
    free(entries);
    free(sent.x);
    free(sent.y);
}

static void halos_of_blocks_are_those_of_brute_force(void **state)
{
    static const int64_t shapes[][2] = {{60, 60}, {30, 90}, {90, 30}, {1, 1}, {7, 7}, {0, 0}, {5, 0}};
    static const int64_t counts[] = {1, 2, 6, 7, 12, 36};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct csr a = support_matrix(shapes[s][0], shapes[s][1], 0.06, s % 2, false, 5 + s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct partition partition = support_partition("blocks", &a, false, counts[c]);
            struct halo halo;
            assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
            check_halo(&a, &partition, &halo);
            halo_free(&halo);
            partition_free(&partition);
        }
        csr_free(&a);
    }
}

/* Owners of entries without any order, so that both phases have messages between the same parts. */
static void halos_of_scattered_entries_are_those_of_brute_force(void **state)
{
    uint64_t seed = 9;
    struct csr a = support_matrix(80, 80, 0.1, true, false, seed);
    struct partition partition = {.parts = 9, .rows = a.rows};
    partition.owner = memory_array((size_t)a.rows, sizeof *partition.owner, NULL);
    partition.entry = memory_array((size_t)csr_nnz(&a), sizeof *partition.entry, NULL);
    for (int64_t i = 0; i < a.rows; i++)
        partition.owner[i] = (int32_t)support_random(&seed, 9);
    for (int64_t k = 0; k < csr_nnz(&a); k++)
        partition.entry[k] = (int32_t)support_random(&seed, 9);
    for (int threads = 1; threads < 6; threads += 4) {
        struct halo halo;
        threads_set(threads);
        assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
        check_halo(&a, &partition, &halo);
        halo_free(&halo);
    }
    partition_free(&partition);
    csr_free(&a);
}

/* The full 4 x 4 matrix on a grid of 2 x 2 processes: P0 and P3 own x and y of rows 0 and 1, and 2 and 3.
 *
 *     P0 P0 P1 P1     P2 needs x(0), x(1) of P0, and P1 needs x(2), x(3) of P3: expand 4.
 *     P0 P0 P1 P1     P1 sends y(0), y(1) to P0, and P2 sends y(2), y(3) to P3: fold 4.
 *     P2 P2 P3 P3
 *     P2 P2 P3 P3     Each process sends one message of two elements. */
static void blocks_of_a_full_matrix_by_hand(void **state)
{
    static const double full[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7};
    static const int32_t entry[16] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3},
                         owner[4] = {0, 0, 3, 3};
    struct csr a = support_dense(4, 4, full);
    struct partition partition = support_partition("blocks", &a, false, 4);
    struct halo halo;
    assert_memory_equal(partition.entry, entry, sizeof entry);
    assert_memory_equal(partition.owner, owner, sizeof owner);
    assert_null(partition.col_owner);
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
    assert_int_equal(halo.volume, 8);
    assert_int_equal(halo.expand, 4);
    assert_int_equal(halo.fold, 4);
    assert_int_equal(halo.messages, 4);
    assert_int_equal(halo.largest_send, 2);
    assert_int_equal(halo.most_messages, 1);
    assert_int_equal(halo.most_neighbours, 2);
    assert_int_equal(halo.most_entries, 4);
    assert_int_equal(halo.cut, 8);
    assert_true(halo.imbalance == 1);
    /* 16 entries in 8 us: a process takes 2 us, and receives at most a message of 2 elements, in 1 us and
     * 16 / 8000 us. There is no time with overlap, since the sums follow the products. */
    struct scaling scaling;
    struct network network = {.latency_us = 1, .bandwidth_gbs = 8};
    scaling_predict(&halo, &network, 8, 8, &(struct scaling_costs){.pace = 1}, &scaling);
    assert_float_equal(scaling.compute_us, 2, 1e-12);
    assert_float_equal(scaling.exchange_us, 1.002, 1e-12);
    assert_true(isnan(scaling.overlap_us));
    halo_free(&halo);
    partition_free(&partition);
    csr_free(&a);
}

/* A process sends x to the others of its process column, and y to those of its process row. */
static void blocks_send_few_messages(void **state)
{
    static const struct {
        const char *choice;
        int64_t rows, cols;
    } grids[] = {{"blocks", 6, 4}, {"blocks:rows=2", 2, 12}, {"blocks:rows=24", 24, 1}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (int64_t cols = 200; cols <= 300; cols += 100) {
            struct csr a = support_matrix(200, cols, 0.2, true, false, 4);
            struct partition partition = support_partition(grids[g].choice, &a, false, 24);
            struct halo halo;
            assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
            assert_true(halo.most_messages <= grids[g].rows - 1 + grids[g].cols - 1);
            for (int64_t k = 0; k < halo.messages; k++) {
                const struct halo_pair *pair = &halo.pairs[k];
                const bool fold = k >= halo.part[pair->to].middle;
                const int64_t width = grids[g].cols;
                assert_true(fold ? pair->from / width == pair->to / width
                                 : pair->from % width == pair->to % width);
            }
            halo_free(&halo);
            partition_free(&partition);
            csr_free(&a);
        }
}

/* A grid of one column cuts only rows, as `entries` does. */
static void a_grid_of_one_column_is_one_dimensional(void **state)
{
    struct csr a = support_matrix(300, 300, 0.03, true, false, 8);
    struct partition blocks = support_partition("blocks:rows=7", &a, false, 7),
                     entries = support_partition("entries", &a, false, 7);
    struct halo two, one;
    assert_memory_equal(blocks.owner, entries.owner, (size_t)a.rows * sizeof *blocks.owner);
    assert_int_equal(halo_count(&a, &blocks, 0, NULL, &two, NULL), STATUS_OK);
    assert_int_equal(halo_count(&a, &entries, 0, NULL, &one, NULL), STATUS_OK);
    assert_int_equal(two.fold, 0);
    assert_int_equal(two.volume, one.volume);
    assert_int_equal(two.messages, one.messages);
    assert_memory_equal(two.pairs, one.pairs, (size_t)one.messages * sizeof *one.pairs);
    assert_memory_equal(two.part, one.part, 7 * sizeof *one.part);
    halo_free(&two);
    halo_free(&one);
    partition_free(&blocks);
    partition_free(&entries);
    csr_free(&a);
}

/* Of the lambda parts with entries of a column, lambda - 1 receive its element, if x need not follow y. */
static void rectangles_exchange_the_connectivity(void **state)
{
    struct csr a = support_matrix(40, 70, 0.1, true, false, 6);
    struct partition partition = support_partition("blocks", &a, false, 9);
    struct halo halo;
    int64_t expand = 0, fold = 0;
    for (int64_t j = 0; j < a.cols; j++) {
        bool has[9] = {false};
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            if (a.col[k] == j) has[partition.entry[k]] = true;
        int lambda = 0;
        for (int p = 0; p < 9; p++)
            lambda += has[p];
        expand += lambda ? lambda - 1 : 0;
    }
    for (int64_t i = 0; i < a.rows; i++) {
        bool has[9] = {false};
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
            has[partition.entry[k]] = true;
        int lambda = 0;
        for (int p = 0; p < 9; p++)
            lambda += has[p];
        fold += lambda ? lambda - 1 : 0;
    }
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
    assert_int_equal(halo.expand, expand);
    assert_int_equal(halo.fold, fold);
    halo_free(&halo);
    partition_free(&partition);
    csr_free(&a);
}

/* A dot belongs to the owner of most of its entries: here each dot is one position. */
static void dots_have_the_owners_of_their_entries(void **state)
{
    struct csr a = support_matrix(30, 30, 0.2, true, false, 3);
    struct partition partition = support_partition("blocks", &a, false, 6);
    const struct size_dots dots = {.high = 30, .wide = 30, .dot_rows = 1, .dot_cols = 1};
    int32_t *marks = calloc(900, sizeof *marks);
    assert_int_equal(owners_of_dots(&a, &partition, &dots, NULL, marks, NULL), STATUS_OK);
    for (int64_t i = 0; i < 30; i++)
        for (int64_t j = 0; j < 30; j++) {
            const int64_t k = csr_find(&a, i, j);
            const int32_t expected =
                k < 0 ? OWNER_NONE : owner_mark(partition.entry[k], partition.owner[j] != partition.entry[k]);
            assert_int_equal(marks[i * 30 + j], expected);
        }
    free(marks);
    partition_free(&partition);
    csr_free(&a);
}

static void grids_that_do_not_fit_are_refused(void **state)
{
    struct csr a = support_matrix(20, 20, 0.2, true, false, 3);
    struct partition_choice choice;
    struct partition partition;
    struct error error = {0};
    assert_int_equal(partition_choice_read("blocks:rows=3", &choice, NULL), STATUS_OK);
    assert_int_equal(partition_find(&choice, &a, false, 8, 0, NULL, &partition, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "8 parts are no grid of 3 rows of processes");
    assert_null(partition.owner);
    partition_choice_free(&choice);
    csr_free(&a);
}

/* Every allocation fails in turn; none leaks, which sanitizers see. */
static void memory_may_run_short(void **state)
{
    struct csr a = support_matrix(50, 60, 0.1, true, false, 3);
    struct partition_choice choice;
    int64_t failed = 0;
    threads_set(1);
    assert_int_equal(partition_choice_read("blocks", &choice, NULL), STATUS_OK);
    for (int64_t n = 0;; n++) {
        struct partition partition = {0}, copy = {0};
        struct halo halo = {0};
        memory_fail_after(n);
        enum status status = partition_find(&choice, &a, false, 6, 0, NULL, &partition, NULL);
        if (status == STATUS_OK) status = halo_count(&a, &partition, 0, NULL, &halo, NULL);
        if (status == STATUS_OK) status = partition_copy(&partition, a.cols, csr_nnz(&a), &copy, NULL);
        memory_fail_after(-1);
        halo_free(&halo);
        partition_free(&partition);
        partition_free(&copy);
        if (status == STATUS_OK) break;
        assert_int_equal(status, STATUS_MEMORY);
        failed++;
    }
    assert_true(failed > 10);
    partition_choice_free(&choice);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halos_of_blocks_are_those_of_brute_force),
        cmocka_unit_test(halos_of_scattered_entries_are_those_of_brute_force),
        cmocka_unit_test(blocks_of_a_full_matrix_by_hand),
        cmocka_unit_test(blocks_send_few_messages),
        cmocka_unit_test(a_grid_of_one_column_is_one_dimensional),
        cmocka_unit_test(rectangles_exchange_the_connectivity),
        cmocka_unit_test(dots_have_the_owners_of_their_entries),
        cmocka_unit_test(grids_that_do_not_fit_are_refused),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests_name("parts_entries", tests, NULL, NULL);
}
