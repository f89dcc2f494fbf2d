/* analysis/mirror_sketch.c: sums tell symmetry of the pattern and of the values from a single entry that
 * lacks it, in any order and division of the entries, and the shares of samples are within their intervals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mirror_sketch.h"
#include "analysis/structure.h"
#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"

enum { N = 120, ROOM = 4 * N * N };

/* A list of entries. */
struct list {
    int64_t count;
    int32_t row[ROOM], col[ROOM];
    double val[ROOM], imaginary[ROOM];
    bool complex;
};

static void add(struct list *list, int32_t i, int32_t j, double val, double imaginary)
{
    assert_true(list->count < ROOM);
    list->row[list->count] = i;
    list->col[list->count] = j;
    list->val[list->count] = val;
    list->imaginary[list->count++] = imaginary;
}

static void list_of(const struct csr *a, struct list *list)
{
    list->count = 0;
    list->complex = a->imaginary != NULL;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            add(list, (int32_t)i, a->col[k], a->val[k], a->imaginary ? a->imaginary[k] : 0);
}

static void shuffle(struct list *list, uint64_t seed)
{
    for (int64_t k = list->count - 1; k > 0; k--) {
        const int64_t m = support_random(&seed, (uint32_t)k + 1);
        const struct list *l = list;
        const int32_t row = l->row[k], col = l->col[k];
        const double val = l->val[k], imaginary = l->imaginary[k];
        list->row[k] = l->row[m], list->col[k] = l->col[m], list->val[k] = l->val[m];
        list->imaginary[k] = l->imaginary[m];
        list->row[m] = row, list->col[m] = col, list->val[m] = val, list->imaginary[m] = imaginary;
    }
}

static int64_t off_of(const struct list *list)
{
    int64_t off = 0;
    for (int64_t k = 0; k < list->count; k++)
        off += list->row[k] != list->col[k];
    return off;
}

static bool has_nan(const struct list *list)
{
    for (int64_t k = 0; k < list->count; k++)
        if (isnan(list->val[k])) return true;
    return false;
}

/* Sketch a list in pieces of at most `piece` entries, which two threads take by turns. */
static struct mirror_found sketch(const struct list *list, int64_t kept, int64_t piece, bool ascend)
{
    struct mirror_sketch sketch;
    struct mirror_sums sums[2] = {{{0}}};
    struct mirror_found found;
    assert_int_equal(mirror_sketch_begin(0, kept, true, list->complex, &sketch, NULL), STATUS_OK);
    for (int64_t from = 0, turn = 0; from < list->count; from += piece, turn++) {
        const struct entries e = {list->count - from < piece ? list->count - from : piece,
                                  list->row + from,
                                  list->col + from,
                                  list->val + from,
                                  list->complex ? list->imaginary + from : NULL,
                                  ascend};
        mirror_sketch_take(&sketch, &sums[turn % 2], &e);
    }
    mirror_sums_join(&sums[0], &sums[1]);
    assert_int_equal(mirror_sketch_end(&sketch, sums, off_of(list), has_nan(list), &found, NULL), STATUS_OK);
    return found;
}

static void assert_share(struct mirror_share found, double share, const char *what)
{
    if (!(fabs(found.share - share) <= found.error + 1e-12))
        fail_msg("%s: %g +- %g, but it is %g", what, found.share, found.error, share);
}

static struct list list;

/* Symmetric, Hermitian and skew-symmetric matrices, in the order of rows and in none. */
TEST(symmetry_is_told_exactly)
{
    static const enum symmetry kinds[] = {SYMMETRY_SYMMETRIC, SYMMETRY_SKEW, SYMMETRY_HERMITIAN};
    for (int k = 0; k < 3; k++)
        for (int complex = k == 2; complex < 2; complex++) {
            FREED(csr_free) struct csr a = support_symmetric(kinds[k], N, 0.2, false, complex, 7);
            list_of(&a, &list);
            for (int mixed = 0; mixed < 2; mixed++) {
                if (mixed) shuffle(&list, 3);
                const struct mirror_found found = sketch(&list, 100, mixed ? 77 : 5000, !mixed);
                assert_false(found.whole);
                assert_true(found.sampled <= 100);
                assert_true(found.pattern.share == 1 && found.pattern.error == 0);
                const bool equal = kinds[k] == SYMMETRY_SYMMETRIC,
                           conjugate = kinds[k] == SYMMETRY_HERMITIAN || (equal && !complex);
                assert_true((found.equal.share == 1 && found.equal.error == 0) == equal);
                assert_true((found.conjugate.share == 1 && found.conjugate.error == 0) == conjugate);
            }
        }
}

/* One entry without mirror image, one other value, or a value that is not a number. */
TEST(one_entry_spoils_it)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, N, 0.2, false, false, 9);
    for (int k = 0; k < 40; k++) {
        list_of(&a, &list);
        int64_t at = k * 37 % list.count;
        while (list.row[at] == list.col[at])
            at++;
        if (k % 4 == 0) list.col[at] = list.row[at];
        if (k % 4 == 1) list.val[at] = nextafter(list.val[at], INFINITY);
        if (k % 4 == 2) list.val[at] = NAN;
        if (k % 4 == 3) list.col[at] = (list.col[at] + 1) % N;
        const struct mirror_found found = sketch(&list, 64, 1000, false);
        const bool pattern = k % 4 == 1 || k % 4 == 2;
        assert_true((found.pattern.share == 1) == pattern && (found.pattern.error == 0) == pattern);
        assert_true(found.equal.share < 1 && found.equal.error > 0);
        assert_true(found.equal.share + found.equal.error > 0.9);
    }
    list_of(&a, &list);
    for (int64_t k = 0; k < list.count; k++) /* what is not a number has no equal */
        if (list.row[k] != list.col[k]) list.val[k] = NAN;
    assert_true(sketch(&list, 64, 1000, false).equal.share < 0.5);
    for (int64_t k = 0; k < list.count; k++) /* the sign of a zero makes no difference */
        if (list.row[k] != list.col[k]) list.val[k] = list.row[k] < list.col[k] ? 0.0 : -0.0;
    assert_true(sketch(&list, 64, 1000, false).equal.share == 1);
}

/* A transposition of positions keeps most sums of indices, which random numbers tell apart. */
TEST(patterns_with_equal_sums_are_told_apart)
{
    list = (struct list){0};
    for (int i = 0; i + 3 < N; i += 4) { /* a cycle in each four rows: row and column sums are alike */
        add(&list, i, i + 1, 1, 0);
        add(&list, i + 1, i + 2, 1, 0);
        add(&list, i + 2, i + 3, 1, 0);
        add(&list, i + 3, i, 1, 0);
    }
    const struct mirror_found found = sketch(&list, 16, 1000, false);
    assert_true(found.pattern.share < 1 && found.pattern.error > 0);
    assert_share(found.pattern, 0, "cycles");
}

/* The shares of many matrices, found from samples of all sizes; at most one in ten is outside its interval of
 * 95%. */
TEST(samples_are_within_their_intervals)
{
    int outside = 0, all = 0;
    for (int seed = 1; seed <= 60; seed++) {
        uint64_t random = (uint64_t)seed * 77;
        struct structure structure;
        FREED(csr_free)
        struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, N, 0.05 + seed % 7 * 0.05, seed % 3 == 0,
                                         seed % 4 == 0, (uint64_t)seed);
        const uint32_t out_of = 2 + (uint32_t)seed % 9;
        int64_t kept = 0, row = 0;
        for (int64_t i = 0; i < a.rows; i++) { /* drop entries and change others */
            const int64_t begin = a.row_ptr[i], end = a.row_ptr[i + 1];
            a.row_ptr[i] = row;
            for (int64_t k = begin; k < end; k++) {
                const uint32_t chance = support_random(&random, out_of);
                if (chance == 0) continue;
                a.col[kept] = a.col[k];
                a.val[kept] = chance == 1 ? a.val[k] + 1 : a.val[k];
                if (a.imaginary) a.imaginary[kept] = a.imaginary[k];
                kept++;
            }
            row = kept;
        }
        a.row_ptr[a.rows] = kept;
        assert_int_equal(structure_of(&a, NULL, &structure, NULL), STATUS_OK);
        list_of(&a, &list);
        shuffle(&list, random);
        for (int64_t most = 32; most <= 100000; most *= 8) {
            const struct mirror_found found = sketch(&list, most, 300, false);
            all += 2;
            outside += fabs(found.pattern.share - structure.pattern_symmetry) > found.pattern.error + 1e-12;
            outside += fabs(found.equal.share - structure.numeric_symmetry) > found.equal.error + 1e-12;
            assert_true(found.pattern.error <= 1.5 && (found.sampled < 500 || found.pattern.error < 0.2));
            if (!found.whole) continue;
            assert_true(found.pattern.share == structure.pattern_symmetry && found.pattern.error == 0);
            assert_true(found.equal.share == structure.numeric_symmetry && found.equal.error == 0);
            assert_true(found.conjugate.share == structure.conjugate_symmetry && found.conjugate.error == 0);
        }
    }
    if (10 * outside > all) fail_msg("%d of %d are outside", outside, all);
}

/* Entries that are listed several times are added, in any order. */
TEST(duplicates_are_added)
{
    list = (struct list){0};
    for (int i = 0; i + 1 < N; i++) {
        add(&list, i, i + 1, 3, 0);
        add(&list, i + 1, i, 1, 0);
        add(&list, i + 1, i, 2, 0);
    }
    struct mirror_found found = sketch(&list, 1000, 1000, false);
    assert_true(found.whole && found.pattern.share == 1 && found.equal.share == 1);
    for (int i = 0; i + 1 < N; i++) /* now three of each, of the same values */
        for (int d = 0; d < 3; d++) {
            if (d < 2) add(&list, i, i + 1, d ? 1 : 2, 0);
            if (d == 0) add(&list, i + 1, i, 3, 0);
        }
    for (uint64_t seed = 1; seed < 5; seed++) {
        shuffle(&list, seed);
        found = sketch(&list, 100, 1000, false);
        assert_true(found.pattern.share == 1 && found.pattern.error == 0);
        assert_true(found.equal.share == 1 && found.equal.error == 0);
        assert_true(sketch(&list, 2000, 1000, false).equal.share == 1);
    }
}

TEST(without_entries_off_the_diagonal_nothing_is_known)
{
    list = (struct list){0};
    assert_true(isnan(sketch(&list, 10, 10, true).pattern.share));
    add(&list, 3, 3, 1, 0);
    const struct mirror_found found = sketch(&list, 10, 10, true);
    assert_true(isnan(found.pattern.share) && isnan(found.equal.share) && isnan(found.conjugate.share));
}

TEST(lack_of_memory_is_no_crash)
{
    for (int k = 0; k < 4; k++) {
        struct mirror_sketch sketch;
        memory_fail_after(k);
        assert_int_equal(mirror_sketch_begin(0, 10, true, true, &sketch, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        mirror_sketch_drop(&sketch);
    }
    struct mirror_sketch sketch;
    struct mirror_sums sums = {{0}};
    struct mirror_found found;
    assert_int_equal(mirror_sketch_begin(0, 10, false, false, &sketch, NULL), STATUS_OK);
    memory_fail_after(0);
    assert_int_equal(mirror_sketch_end(&sketch, &sums, 1, false, &found, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
}
