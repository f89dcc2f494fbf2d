/* analysis/parts: partitions, their communication by brute force, and the model of scaling by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/owners.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/scaling.h"
#include "analysis/parts/sketch.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/parts.h"
#include "support/support.h"

/* The part that owns element j of x, by the definition. */
static int64_t owner_of_column(const struct csr *a, const struct partition *partition, int64_t j)
{
    if (a->rows == a->cols) return partition->owner[j];
    int64_t part = 0;
    while ((part + 1) * a->cols <= j * partition->parts)
        part++;
    return part;
}

/* Compare a halo with a table of the elements that each part needs. */
static void check_halo(const struct csr *a, const struct partition *partition, const struct halo *halo)
{
    int64_t parts = partition->parts, volume = 0, cut = 0, messages = 0, most = 0, neighbours = 0;
    bool *needs = calloc((size_t)(parts * a->cols + 1), 1);
    int64_t *sent = calloc((size_t)(parts * parts), sizeof *sent);
    int64_t *entries = calloc((size_t)parts, sizeof *entries),
            *boundary = calloc((size_t)parts, sizeof *boundary);
    for (int64_t i = 0; i < a->rows; i++) {
        bool beyond = false;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t p = partition->owner[i], q = owner_of_column(a, partition, a->col[k]);
            entries[p]++;
            cut += p != q;
            beyond |= p != q;
            if (p == q || needs[p * a->cols + a->col[k]]) continue;
            needs[p * a->cols + a->col[k]] = true;
            sent[q * parts + p]++;
            volume++;
        }
        boundary[partition->owner[i]] += beyond;
    }
    for (int64_t p = 0; p < parts; p++) {
        const struct halo_part *part = &halo->part[p];
        int64_t receives = 0, sends = 0, from = 0, to = 0, with = 0;
        for (int64_t q = 0; q < parts; q++) {
            receives += sent[q * parts + p];
            sends += sent[p * parts + q];
            from += sent[q * parts + p] > 0;
            to += sent[p * parts + q] > 0;
            with += sent[q * parts + p] > 0 || sent[p * parts + q] > 0;
        }
        assert_int_equal(part->entries, entries[p]);
        assert_int_equal(part->boundary, boundary[p]);
        assert_int_equal(part->receives, receives);
        assert_int_equal(part->sends, sends);
        assert_int_equal(part->from, from);
        assert_int_equal(part->to, to);
        assert_int_equal(part->last - part->first, from);
        for (int64_t k = part->first; k < part->last; k++) {
            assert_int_equal(halo->pairs[k].to, p);
            assert_int_equal(halo->pairs[k].elements, sent[halo->pairs[k].from * parts + p]);
            if (k > part->first) assert_true(halo->pairs[k - 1].from < halo->pairs[k].from);
        }
        messages += from;
        if (entries[p] > most) most = entries[p];
        if (with > neighbours) neighbours = with;
    }
    assert_int_equal(halo->volume, volume);
    assert_int_equal(halo->cut, cut);
    assert_int_equal(halo->messages, messages);
    assert_int_equal(halo->most_entries, most);
    assert_int_equal(halo->most_neighbours, neighbours);
    if (csr_nnz(a)) assert_true(halo->imbalance == (double)most * (double)parts / (double)csr_nnz(a));
    free(needs);
    free(sent);
    free(entries);
    free(boundary);
}

static void halos_are_those_of_brute_force(void **state)
{
    static const int64_t shapes[][2] = {{200, 200}, {90, 300}, {300, 90}, {1, 1}, {7, 7}, {0, 0}, {5, 0}};
    static const int64_t counts[] = {1, 2, 3, 7, 64, 500};
    static const char *const ways[] = {"natural", "entries"};
    uint64_t seed = 5;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct csr a = support_matrix(shapes[s][0], shapes[s][1], 0.03, s % 2, false, seed + s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t w = 0; w < 2; w++) {
                struct partition partition = support_partition(ways[w], &a, false, counts[c]);
                struct halo halo;
                assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
                check_halo(&a, &partition, &halo);
                halo_free(&halo);
                partition_free(&partition);
            }
        csr_free(&a);
    }
}

/* The entries of a matrix large enough for several threads. */
static void halos_do_not_depend_on_threads(void **state)
{
    uint64_t seed = 9;
    struct csr a = support_matrix(1500, 1500, 0.02, true, false, seed);
    struct partition partition = {.parts = 40, .rows = a.rows};
    struct halo one, several;
    partition.owner = memory_array((size_t)a.rows, sizeof *partition.owner, NULL);
    for (int64_t i = 0; i < a.rows; i++)
        partition.owner[i] = (int32_t)support_random(&seed, 40);
    threads_set(1);
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &one, NULL), STATUS_OK);
    threads_set(5);
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &several, NULL), STATUS_OK);
    check_halo(&a, &partition, &several);
    assert_int_equal(one.messages, several.messages);
    assert_memory_equal(one.pairs, several.pairs, (size_t)one.messages * sizeof *one.pairs);
    assert_memory_equal(one.part, several.part, (size_t)one.parts * sizeof *one.part);
    halo_free(&one);
    halo_free(&several);
    partition_free(&partition);
    csr_free(&a);
}

/* The five-point grid of 12 x 12 in strips of 3 lines: each strip needs a line of 12 elements of each strip
 * beside it. Rows of the grid's middle have 5 entries, those of its sides 4, and those of its corners 3. */
static void strips_of_a_grid_exchange_its_lines(void **state)
{
    double *values = calloc(144 * 144, sizeof *values);
    for (int i = 0; i < 144; i++) {
        values[i * 144 + i] = 4;
        if (i % 12) values[i * 144 + i - 1] = -1;
        if (i % 12 < 11) values[i * 144 + i + 1] = -1;
        if (i >= 12) values[i * 144 + i - 12] = -1;
        if (i < 132) values[i * 144 + i + 12] = -1;
    }
    struct csr a = support_dense(144, 144, values);
    struct partition partition = support_partition("natural", &a, true, 4);
    struct halo halo;
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
    assert_int_equal(halo.volume, 6 * 12);
    assert_int_equal(halo.cut, 6 * 12);
    assert_int_equal(halo.part[0].boundary, 12);
    assert_int_equal(halo.part[1].boundary, 2 * 12);
    assert_int_equal(halo.messages, 6);
    assert_int_equal(halo.largest_halo, 24);
    assert_int_equal(halo.most_neighbours, 2);
    assert_int_equal(halo.most_rows, 36);
    assert_int_equal(halo.most_entries, 3 * 58);
    /* 672 entries in 10 us: a middle strip takes 174 / 672 of that, and exchanges two lines. */
    struct scaling scaling;
    struct network network = {.latency_us = 1.5, .bandwidth_gbs = 8};
    scaling_predict(&halo, &network, 10, 8, &(struct scaling_costs){.pace = 1}, &scaling);
    double compute = 10.0 * 174 / 672, exchange = 2 * 1.5 + 24 * 8 / 8e3;
    assert_float_equal(scaling.compute_us, compute, 1e-12);
    assert_float_equal(scaling.exchange_us, exchange, 1e-12);
    assert_float_equal(scaling.total_us, compute + exchange, 1e-12);
    assert_float_equal(scaling.overlap_us, exchange + 10.0 * 24 / 672, 1e-12);
    assert_float_equal(scaling.speedup, 10 / (compute + exchange), 1e-12);
    assert_float_equal(scaling.efficiency, 10 / (compute + exchange) / 4, 1e-12);
    halo_free(&halo);
    partition_free(&partition);
    free(values);
    csr_free(&a);
}

static void runs_have_their_share(void **state)
{
    uint64_t seed = 3;
    struct csr a = support_matrix(1000, 700, 0.05, true, false, seed);
    int64_t longest = 0;
    for (int64_t i = 0; i < a.rows; i++)
        if (a.row_ptr[i + 1] - a.row_ptr[i] > longest) longest = a.row_ptr[i + 1] - a.row_ptr[i];
    for (int64_t parts = 1; parts <= 9; parts += 4) {
        struct partition rows = support_partition("natural", &a, false, parts),
                         entries = support_partition("entries", &a, false, parts);
        int64_t have[9] = {0}, sums[9] = {0};
        for (int64_t i = 0; i < a.rows; i++) {
            have[rows.owner[i]]++;
            sums[entries.owner[i]] += a.row_ptr[i + 1] - a.row_ptr[i];
            if (i) assert_true(rows.owner[i] >= rows.owner[i - 1]);
            if (i) assert_true(entries.owner[i] >= entries.owner[i - 1]);
        }
        for (int64_t p = 0; p < parts; p++) {
            assert_true(llabs(have[p] * parts - a.rows) < parts);
            assert_true(llabs(sums[p] - csr_nnz(&a) / parts) <= longest + 1);
        }
        partition_free(&rows);
        partition_free(&entries);
    }
    csr_free(&a);
}

/* Tiles of parts hold each message once, with any step; with a step of 1 they are the messages. */
static void tiles_add_up_the_messages(void **state)
{
    enum { PARTS = 37 };
    struct csr a = support_matrix(300, 300, 0.02, false, false, 11);
    struct partition partition = support_partition("natural", &a, false, PARTS);
    struct halo halo;
    int64_t elements[PARTS * PARTS], expected[PARTS * PARTS];
    assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
    for (int64_t step = 1; step <= 40; step += 13) {
        int tiles = (int)((PARTS + step - 1) / step);
        memset(expected, 0, sizeof expected);
        for (int64_t k = 0; k < halo.messages; k++)
            expected[halo.pairs[k].to / step * tiles + halo.pairs[k].from / step] += halo.pairs[k].elements;
        memset(elements, -1, sizeof elements);
        halo_tiles(halo.pairs, halo.messages, step, tiles, elements);
        int64_t all = 0;
        for (int k = 0; k < tiles * tiles; k++) {
            assert_int_equal(elements[k], expected[k]);
            all += elements[k];
        }
        assert_int_equal(all, halo.volume);
        if (step == 1)
            for (int64_t p = 0; p < PARTS; p++)
                assert_int_equal(elements[p * PARTS + p], 0);
    }
    halo_free(&halo);
    partition_free(&partition);
    csr_free(&a);
}

/* The mark of a dot, from its number of entries of each part. */
static int32_t mark_by_hand(const struct csr *a, const struct partition *partition,
                            const struct size_dots *dots, int y, int x)
{
    int64_t of_part[64] = {0}, all = 0, remote = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t j = a->col[k], down = i - dots->row0, right = j - dots->col0;
            if (down < 0 || right < 0 || down / dots->dot_rows != y || right / dots->dot_cols != x) continue;
            of_part[partition->owner[i]]++;
            remote += owner_of_column(a, partition, j) != partition->owner[i];
            all++;
        }
    for (int32_t p = 0; p < partition->parts; p++)
        if (2 * of_part[p] > all) return owner_mark(p, 2 * remote >= all);
    return all ? OWNER_SEVERAL : OWNER_NONE;
}

static void dots_belong_to_those_of_most_of_their_entries(void **state)
{
    static const struct size_dots pictures[] = {
        {0, 0, 1, 1, 70, 70}, {0, 0, 9, 9, 8, 8},   {0, 0, 70, 70, 1, 1},  {13, 5, 4, 7, 9, 6},
        {0, 0, 10, 3, 7, 24}, {60, 60, 6, 6, 5, 5}, {0, 0, 100, 2, 1, 40},
    };
    static const int64_t shapes[][2] = {{70, 70}, {70, 30}, {0, 0}};
    for (size_t s = 0; s < 3; s++) {
        struct csr a = support_matrix(shapes[s][0], shapes[s][1], 0.1, s % 2, false, 21 + s);
        struct partition partition = support_partition("natural", &a, false, 5);
        int several = 0, remote = 0, local = 0;
        for (int64_t i = 0; i < a.rows; i++) /* strewn, so that no part has many dots */
            partition.owner[i] = (int32_t)((i * 7 + i / 11) % 4 * (i % 3 > 0));
        for (size_t p = 0; p < sizeof pictures / sizeof *pictures; p++) {
            const struct size_dots *dots = &pictures[p];
            int32_t marks[70 * 70];
            assert_int_equal(owners_of_dots(&a, &partition, dots, NULL, marks, NULL), STATUS_OK);
            for (int y = 0; y < dots->high; y++)
                for (int x = 0; x < dots->wide; x++) {
                    int32_t mark = marks[y * dots->wide + x];
                    assert_int_equal(mark, mark_by_hand(&a, &partition, dots, y, x));
                    several += mark == OWNER_SEVERAL;
                    remote += mark >= 0 && owner_is_remote(mark);
                    local += mark >= 0 && !owner_is_remote(mark);
                }
        }
        if (a.rows) assert_true(several > 10 && remote > 10 && local > 10);
        partition_free(&partition);
        csr_free(&a);
    }
}

/* A sketch contains pictures of the whole matrix, each finer than the one before, all messages, and the owner
 * of each row. */
static void sketches_are_those_of_the_partition(void **state)
{
    static const int64_t shapes[][2] = {{300, 300}, {300, 40}, {1000, 20}, {5, 5}, {1, 900}, {0, 0}, {0, 7}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int64_t parts = 3; parts <= 200; parts *= 8) {
            struct csr a = support_matrix(shapes[s][0], shapes[s][1], 0.05, false, false, 31 + s);
            struct partition partition = support_partition("natural", &a, false, parts);
            struct halo halo;
            struct sketch sketch;
            int32_t marks[SKETCH_SIDE * SKETCH_SIDE];
            int64_t elements[SKETCH_TILES * SKETCH_TILES];
            assert_int_equal(halo_count(&a, &partition, 0, NULL, &halo, NULL), STATUS_OK);
            assert_int_equal(sketch_make(&a, &partition, halo.pairs, halo.messages, NULL, &sketch, NULL),
                             STATUS_OK);
            assert_true(a.rows && a.cols ? sketch.pictures > 0 : sketch.pictures == 0);
            for (int k = 0; k < sketch.pictures; k++) {
                const struct size_dots *dots = &sketch.picture[k].dots;
                assert_true(dots->high <= SKETCH_SIDE && dots->wide <= SKETCH_SIDE);
                assert_true(dots->high * dots->dot_rows >= a.rows && dots->wide * dots->dot_cols >= a.cols);
                assert_true((dots->high - 1) * dots->dot_rows < a.rows &&
                            (dots->wide - 1) * dots->dot_cols < a.cols);
                assert_true(k == 0 || dots->high * dots->wide <
                                          sketch.picture[k - 1].dots.high * sketch.picture[k - 1].dots.wide);
                assert_int_equal(owners_of_dots(&a, &partition, dots, NULL, marks, NULL), STATUS_OK);
                assert_memory_equal(marks, sketch.picture[k].marks,
                                    (size_t)(dots->high * dots->wide) * sizeof *marks);
            }
            memset(elements, 0, sizeof elements);
            for (int64_t k = 0; k < halo.messages; k++)
                elements[halo.pairs[k].to / sketch.step * sketch.tiles + halo.pairs[k].from / sketch.step] +=
                    halo.pairs[k].elements;
            assert_memory_equal(elements, sketch.elements,
                                (size_t)(sketch.tiles * sketch.tiles) * sizeof *elements);
            for (int64_t i = 0; i < a.rows; i++)
                assert_int_equal(sketch_owner(&sketch, i), partition.owner[i]);
            assert_int_equal(sketch.run_count, min(parts, a.rows));
            sketch_free(&sketch);
            halo_free(&halo);
            partition_free(&partition);
            csr_free(&a);
        }
    struct sketch none = {0};
    assert_int_equal(sketch_owner(&none, 0), -1);
}

/* Merged tiles have the sum of their messages, also if one is left over. */
static void tiles_are_folded(void **state)
{
    const int64_t elements[] = {0, 1, 2, 3, 0, 4, 5, 6, 0};
    int64_t into[9];
    assert_int_equal(sketch_fold(elements, 3, 1, into), 3);
    assert_memory_equal(into, elements, sizeof elements);
    assert_int_equal(sketch_fold(elements, 3, 2, into), 2);
    assert_memory_equal(into, ((const int64_t[]){4, 6, 11, 0}), 4 * sizeof *into);
    assert_int_equal(sketch_fold(elements, 3, 4, into), 1);
    assert_int_equal(into[0], 21);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void partitions_come_from_files(void **state)
{
    static const struct {
        const char *choice, *text, *message;
    } wrong[] = {
        {"file:path=parts.txt", "0\n1\n", "the parts of 2 rows; the matrix has 4"},
        {"file:path=parts.txt", "0\n1\n2\n0\n1\n", "the parts of 5 rows; the matrix has 4"},
        {"file:path=parts.txt", "0\nx\n", "not a part"},
        {"file:path=parts.txt", "0\n-9223372036854775808\n", "not a part"},
        {"file:path=parts.txt,base=1", "1\n0\n1\n1\n", "0 is not a part; parts count from 1"},
        {"file:path=parts.txt", "0\n99999\n1\n1\n", "99999 is not a part"},
        {"file:path=absent.txt", "", ""},
    };
    static const double values[16] = {1, 1, 1, 1, 1};
    struct csr a = support_dense(4, 4, values);
    write_text("parts.txt", "% of four rows\n2\n0\n\n 1 \n2\n");
    struct partition partition = support_partition("file:path=parts.txt", &a, false, 77);
    assert_int_equal(partition.parts, 3);
    assert_memory_equal(partition.owner, ((int32_t[]){2, 0, 1, 2}), 16);
    partition_free(&partition);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct partition_choice choice;
        struct error error = {0};
        write_text("parts.txt", wrong[k].text);
        assert_int_equal(partition_choice_read(wrong[k].choice, &choice, NULL), STATUS_OK);
        assert_int_not_equal(partition_find(&choice, &a, false, 2, 0, NULL, &partition, &error), STATUS_OK);
        assert_null(partition.owner);
        if (!strstr(error.message, wrong[k].message)) fail_msg("%s", error.message);
        partition_choice_free(&choice);
    }
    csr_free(&a);
}

static void meaningless_partitions_are_refused(void **state)
{
    static const char *const wrong[] = {"metid",
                                        "natural:k=3",
                                        "file",
                                        "metis:objective=size",
                                        "file:path=",
                                        "scotch:strategy=best",
                                        "scotch:imbalance=-1"};
    struct partition_choice choice;
    struct network network;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        if (partition_choice_read(wrong[k], &choice, NULL) != STATUS_USAGE) fail_msg("%s", wrong[k]);
        partition_choice_free(&choice);
    }
    assert_int_equal(network_read("bandwidth=0", &network, NULL), STATUS_USAGE);
    assert_int_equal(network_read("latency=-1", &network, NULL), STATUS_USAGE);
    assert_int_equal(network_read("latency=0.5", &network, NULL), STATUS_OK);
    assert_true(network.latency_us == 0.5 && network.bandwidth_gbs == NETWORK_BANDWIDTH_GBS);
    struct csr a = support_matrix(10, 12, 0.2, false, false, 1);
    struct partition partition;
    struct error error = {0};
    assert_int_equal(partition_choice_read("metis", &choice, NULL), STATUS_OK);
    assert_int_equal(partition_find(&choice, &a, false, 2, 0, NULL, &partition, &error), STATUS_UNAVAILABLE);
    partition_choice_free(&choice);
    csr_free(&a);
}

static void failing_allocations_are_reported(void **state)
{
    uint64_t seed = 2;
    struct csr a = support_matrix(60, 60, 0.1, false, false, seed);
    threads_set(1);
    for (long k = 0;; k++) {
        struct partition_choice choice;
        struct partition partition = {0};
        struct halo halo = {0};
        memory_fail_after(k);
        enum status status = partition_choice_read("entries", &choice, NULL);
        if (status == STATUS_OK) status = partition_find(&choice, &a, false, 4, 0, NULL, &partition, NULL);
        if (status == STATUS_OK) status = halo_count(&a, &partition, 0, NULL, &halo, NULL);
        long failures = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        if (failures) assert_true(!halo.part && !halo.pairs);
        halo_free(&halo);
        partition_free(&partition);
        partition_choice_free(&choice);
        if (!failures) break;
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halos_are_those_of_brute_force),
        cmocka_unit_test(halos_do_not_depend_on_threads),
        cmocka_unit_test(strips_of_a_grid_exchange_its_lines),
        cmocka_unit_test(runs_have_their_share),
        cmocka_unit_test(tiles_add_up_the_messages),
        cmocka_unit_test(dots_belong_to_those_of_most_of_their_entries),
        cmocka_unit_test(sketches_are_those_of_the_partition),
        cmocka_unit_test(tiles_are_folded),
        cmocka_unit_test(partitions_come_from_files),
        cmocka_unit_test(meaningless_partitions_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("parts", tests, files_begin, files_end);
}
