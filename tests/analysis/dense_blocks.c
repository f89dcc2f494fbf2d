/* analysis/dense_blocks: by hand, and by brute force over all positions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dense_blocks.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

static struct dense_blocks found(const struct csr *a)
{
    struct dense_blocks blocks;
    assert_int_equal(dense_blocks_find(a, NULL, &blocks, NULL), STATUS_OK);
    return blocks;
}

/* Rows 0 and 1 are equal, row 2 is empty, and the cosine of rows 3 and 4 is 3 / sqrt(3 x 4). 1 x 2 blocks
 * take the fewest bytes: 8 of 20, compared with 15 of 12 for 1 x 1 and 6 of 36 for 2 x 2. */
TEST(blocks_equal_hand_work)
{
    static const double dense[] = {1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0,
                                   0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1};
    FREED(csr_free) struct csr a = support_dense(5, 6, dense);
    const struct dense_blocks blocks = found(&a);
    assert_true(blocks.rows == 1 && blocks.cols == 2 && blocks.count == 8);
    assert_true(blocks.fill == 1.0 / 16);
    assert_true(blocks.row_groups == 3 && blocks.largest_row_group == 2);
    assert_true(blocks.mean_row_group == 4.0 / 3);
    assert_true(blocks.col_groups == 4 && blocks.largest_col_group == 2);
    assert_true(blocks.mean_col_group == 1.5);
    assert_true(blocks.variable == 8 && blocks.mean_variable == 15.0 / 8);
    assert_true(blocks.similar_groups == 2 && blocks.largest_similar_group == 2);
    assert_true(blocks.mean_similar_group == 2 && blocks.similar_fill == 1.0 / 16);
}

TEST(a_group_ends_where_rows_differ)
{
    static const double dense[] = {1, 0, 2, 1, 0, 3, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    FREED(csr_free) struct csr a = support_dense(6, 3, dense);
    static const int expected[][2] = {{0, 3}, {0, 3}, {0, 3}, {3, 4}, {4, 5}, {5, 6}};
    int64_t end;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(dense_blocks_group(&a, i, 9, &end), expected[i][0]);
        assert_int_equal(end, expected[i][1]);
    }
    assert_int_equal(dense_blocks_group(&a, 0, 1, &end), 0); /* compares one line at most */
    assert_int_equal(end, 2);
    assert_int_equal(dense_blocks_group(&a, 2, 1, &end), 1);
}

/* A position (i, j) has an entry if set[i * n + j]. */
struct positions {
    int64_t m, n, nnz;
    char *set;
};

static struct positions positions_of(const struct csr *a)
{
    struct positions p = {a->rows, a->cols, csr_nnz(a), calloc((size_t)(a->rows * a->cols) + 1, 1)};
    assert_non_null(p.set);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            p.set[i * a->cols + a->col[k]] = 1;
    return p;
}

static int64_t blocks_with_entries(const struct positions *p, int64_t r, int64_t c)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < p->m; i += r)
        for (int64_t j = 0; j < p->n; j += c) {
            bool any = false;
            for (int64_t x = i; x < i + r && x < p->m; x++)
                for (int64_t y = j; y < j + c && y < p->n; y++)
                    any = any || p->set[x * p->n + y];
            blocks += any;
        }
    return blocks;
}

static void expect_fixed(const struct positions *p, const struct dense_blocks *blocks)
{
    int64_t least = INT64_MAX, rows = 0, cols = 0, count = 0;
    for (int64_t r = 1; r <= 8; r++)
        for (int64_t c = 1; c <= 8; c++) {
            const int64_t here = blocks_with_entries(p, r, c), bytes = here * (4 + 8 * r * c);
            if (bytes < least) least = bytes, rows = r, cols = c, count = here;
        }
    assert_true(blocks->rows == rows && blocks->cols == cols && blocks->count == count);
    assert_true(blocks->fill == 1 - (double)p->nnz / (double)(count * rows * cols));
}

/* True if lines i and l, rows or columns, have the same positions, at least one. */
static bool same(const struct positions *p, bool columns, int64_t i, int64_t l)
{
    const int64_t length = columns ? p->m : p->n;
    bool any = false;
    for (int64_t k = 0; k < length; k++) {
        const char one = columns ? p->set[k * p->n + i] : p->set[i * p->n + k];
        const char other = columns ? p->set[k * p->n + l] : p->set[l * p->n + k];
        if (one != other) return false;
        any = any || one;
    }
    return any;
}

/* Number the groups of lines; an empty line is in none, -1. */
static void expect_groups(const struct positions *p, bool columns, int64_t *group, int64_t count,
                          int64_t largest, double mean)
{
    const int64_t lines = columns ? p->n : p->m;
    int64_t groups = 0, size = 0, most = 0, all = 0;
    for (int64_t i = 0; i < lines; i++) {
        group[i] = -1;
        if (!same(p, columns, i, i)) continue;
        size = i > 0 && same(p, columns, i - 1, i) ? size + 1 : 1;
        groups += size == 1;
        group[i] = groups - 1;
        all++;
        if (size > most) most = size;
    }
    assert_true(count == groups && largest == most && mean == (double)all / (double)groups);
}

static void expect_variable(const struct positions *p, const struct dense_blocks *blocks)
{
    int64_t *row = calloc((size_t)p->m, sizeof *row), *col = calloc((size_t)p->n, sizeof *col), count = 0;
    assert_true(row && col);
    expect_groups(p, false, row, blocks->row_groups, blocks->largest_row_group, blocks->mean_row_group);
    expect_groups(p, true, col, blocks->col_groups, blocks->largest_col_group, blocks->mean_col_group);
    for (int64_t i = 0; i < p->m; i++) /* the first position of each block */
        for (int64_t j = 0; j < p->n; j++)
            count +=
                p->set[i * p->n + j] && (i == 0 || row[i - 1] != row[i]) && (j == 0 || col[j - 1] != col[j]);
    free(row);
    free(col);
    assert_true(blocks->variable == count && blocks->mean_variable == (double)p->nnz / (double)count);
}

static int64_t common(const struct positions *p, int64_t i, int64_t l)
{
    int64_t count = 0;
    for (int64_t j = 0; j < p->n; j++)
        count += p->set[i * p->n + j] && p->set[l * p->n + j];
    return count;
}

/* Count the positions in rows first .. end-1 and in the columns with an entry in any of these rows. */
static int64_t covered(const struct positions *p, int64_t first, int64_t end)
{
    int64_t columns = 0;
    for (int64_t j = 0; j < p->n; j++) {
        bool any = false;
        for (int64_t i = first; i < end; i++)
            any = any || p->set[i * p->n + j];
        columns += any;
    }
    return columns * (end - first);
}

static void expect_similar(const struct positions *p, const struct dense_blocks *blocks)
{
    int64_t groups = 0, all = 0, most = 0, slots = 0;
    for (int64_t i = 0, end; i < p->m; i = end) {
        end = i + 1;
        if (common(p, i, i) == 0) continue;
        while (end < p->m && common(p, end, end) > 0 &&
               (double)common(p, i, end) / sqrt((double)common(p, i, i) * (double)common(p, end, end)) >=
                   DENSE_BLOCKS_COSINE - 1e-12)
            end++;
        groups++;
        all += end - i;
        slots += covered(p, i, end);
        if (end - i > most) most = end - i;
    }
    assert_true(blocks->similar_groups == groups && blocks->largest_similar_group == most);
    assert_true(blocks->mean_similar_group == (double)all / (double)groups);
    assert_true(blocks->similar_fill == 1 - (double)p->nnz / (double)slots);
}

/* Each entry is dropped with this probability, in sixteenths. */
static void drop_some(struct csr *a, unsigned sixteenths, uint64_t seed)
{
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a->val[k] = (seed >> 60) < sixteenths ? 0 : 1;
    }
    csr_drop_zeros(a);
}

TEST(blocks_equal_brute_force)
{
    static const char *const names[] = {"gen:blocks,n=160,size=3,mean=4",
                                        "gen:blocks,n=150,size=7,mean=3",
                                        "gen:banded,n=140,lower=9,upper=4",
                                        "gen:random,m=120,n=90,mean=4,spread=4",
                                        "gen:random,m=60,n=300,mean=150",
                                        "gen:stencil27,n=6",
                                        "pmpp.mtx"};
    uint64_t sizes = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned sixteenths = 0; sixteenths < 4; sixteenths++) {
            FREED(csr_free) struct csr a = stored_matrix(names[n]);
            drop_some(&a, sixteenths, n + 1);
            threads_set(1 + (int)(n + sixteenths) % 3);
            const struct positions p = positions_of(&a);
            const struct dense_blocks blocks = found(&a);
            expect_fixed(&p, &blocks);
            expect_variable(&p, &blocks);
            expect_similar(&p, &blocks);
            free(p.set);
            sizes |= (uint64_t)1 << (8 * (blocks.rows - 1) + blocks.cols - 1);
        }
    threads_set(0);
    assert_true(sizes & (uint64_t)1 << 18 && sizes & (uint64_t)1 << 54); /* 3 x 3 and 7 x 7 */
}

/* Columns that do not fit into one window of the stamps, with so many entries that these count, and with so
 * few that rows are merged. */
TEST(blocks_of_wide_matrices_equal_brute_force)
{
    static const char *const names[] = {"gen:random,m=14,n=45000,mean=40", "gen:random,m=14,n=45000,mean=1",
                                        "gen:blocks,n=15120,size=2,mean=1"};
    for (size_t n = 0; n < 2; n++) {
        FREED(csr_free) struct csr a = stored_matrix(names[n]);
        const struct positions p = positions_of(&a);
        const struct dense_blocks blocks = found(&a);
        expect_fixed(&p, &blocks);
        free(p.set);
    }
    FREED(csr_free) struct csr a = stored_matrix(names[2]); /* blocks at the ends of stretches and windows */
    const struct dense_blocks blocks = found(&a);
    assert_true(blocks.rows == 2 && blocks.cols == 2 && blocks.count == csr_nnz(&a) / 4);
}

/* Stamps begin again after 78 stretches. The entries in column 5000 are in the first rows of the first and
 * the last stretch, and have the same stamp. */
TEST(stamps_are_cleared_before_they_recur)
{
    enum { ROWS = 79 * 840, ENTRIES = ROWS + 2 };
    int64_t *row_ptr = calloc(ROWS + 1, sizeof *row_ptr), count = 0;
    int32_t *col = calloc(ENTRIES, sizeof *col);
    double *val = calloc(ENTRIES, sizeof *val);
    assert_true(row_ptr && col && val);
    for (int64_t i = 0; i < ROWS; i++) {
        col[count++] = (int32_t)(i % 840);
        if (i == 0 || i == ROWS - 840) col[count++] = 5000;
        row_ptr[i + 1] = count;
    }
    FREED(csr_free) struct csr a = {.rows = ROWS, .cols = 6000, .row_ptr = row_ptr, .col = col, .val = val};
    assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
    threads_set(1); /* each thread has stamps of its own */
    const struct dense_blocks blocks = found(&a);
    threads_set(0);
    assert_true(blocks.rows == 1 && blocks.cols == 1);
    assert_int_equal(blocks.count, ENTRIES);
}

/* The matrix has many more entries than the sample. Stretches of 840 rows, every `step`-th one, determine the
 * size; all rows are counted. Groups extend across the pieces of rows of several threads. */
TEST(a_sample_chooses_and_all_rows_count)
{
    FREED(csr_free) struct csr a = stored_matrix("gen:blocks,n=120000,size=5,mean=2");
    struct dense_blocks first;
    assert_true(csr_nnz(&a) > 4 * DENSE_BLOCKS_SAMPLE);
    for (int threads = 1; threads <= 4; threads++) {
        threads_set(threads);
        const struct dense_blocks blocks = found(&a);
        assert_true(blocks.rows == 5 && blocks.cols == 5 && blocks.fill == 0);
        assert_int_equal(blocks.count, csr_nnz(&a) / 25);
        assert_int_equal(blocks.row_groups, 24000);
        if (threads == 1) first = blocks;
        assert_memory_equal(&blocks, &first, sizeof first);
    }
    threads_set(0);
}

/* In the sampled rows, the first 840 of each 3 x 840, blocks are 2 x 2. Entries of the other rows are
 * isolated. */
TEST(only_sampled_rows_choose)
{
    enum { ROWS = 2 * 84000, ENTRIES = 2 * ROWS };
    int64_t *row_ptr = calloc(ROWS + 1, sizeof *row_ptr);
    int32_t *col = calloc(ENTRIES, sizeof *col);
    double *val = calloc(ENTRIES, sizeof *val);
    assert_true(row_ptr && col && val);
    for (int64_t i = 0; i < ROWS; i++) {
        const bool sampled = i / 840 % 3 == 0;
        row_ptr[i + 1] = 2 * i + 2;
        col[2 * i] = (int32_t)(sampled ? i / 2 * 2 : i / 5);
        col[2 * i + 1] = (int32_t)(sampled ? i / 2 * 2 + 1 : ROWS - 1 - i % 840 * 7 / 2);
    }
    FREED(csr_free) struct csr a = {.rows = ROWS, .cols = ROWS, .row_ptr = row_ptr, .col = col, .val = val};
    assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
    const struct dense_blocks blocks = found(&a);
    assert_true(blocks.rows == 2 && blocks.cols == 2);
    int64_t count = 0;
    for (int64_t i = 0; i < ROWS; i += 2) {
        int32_t at[4] = {col[2 * i] / 2, col[2 * i + 1] / 2, col[2 * i + 2] / 2, col[2 * i + 3] / 2};
        for (int k = 0; k < 4; k++) {
            bool new = true;
            for (int l = 0; l < k; l++)
                new = new &&at[l] != at[k];
            count += new;
        }
    }
    assert_int_equal(blocks.count, count);
}

TEST(matrices_without_entries_have_no_blocks)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 9}, {9, 0}, {40, 30}};
    for (int n = 0; n < 4; n++) {
        FREED(csr_free) struct csr a = support_matrix(sizes[n][0], sizes[n][1], 0, false, false, 1);
        const struct dense_blocks blocks = found(&a);
        assert_true(blocks.rows == 1 && blocks.cols == 1 && blocks.count == 0 && isnan(blocks.fill));
        assert_true(blocks.row_groups == 0 && blocks.col_groups == 0 && blocks.variable == 0);
        assert_true(isnan(blocks.mean_row_group) && isnan(blocks.mean_variable));
        assert_true(blocks.similar_groups == 0 && isnan(blocks.similar_fill));
    }
}

/* The sizes of groups by plain comparisons of rows, and blocks of all sizes by brute force. */
TEST(all_sizes_equal_brute_force)
{
    FREED(csr_free) struct csr a = stored_matrix("gen:blocks,n=60,size=3");
    drop_some(&a, 2, 5);
    const struct positions p = positions_of(&a);
    struct dense_block_sizes sizes;
    int64_t rows[DENSE_GROUP_MAX + 1] = {0};
    assert_int_equal(dense_block_sizes_find(&a, NULL, &sizes, NULL), STATUS_OK);
    assert_int_equal(sizes.entries, csr_nnz(&a));
    for (int r = 1; r <= DENSE_BLOCK_MAX; r++)
        for (int c = 1; c <= DENSE_BLOCK_MAX; c++)
            assert_int_equal(sizes.count[r][c], blocks_with_entries(&p, r, c));
    assert_true(fabs(dense_block_bytes(&sizes, 3, 2) -
                     (double)blocks_with_entries(&p, 3, 2) * 52 / ((double)csr_nnz(&a) * 12)) < 1e-12);
    for (int64_t i = 0, end; i < a.rows; i = end) {
        for (end = i + 1; end < a.rows && common(&p, i, i) > 0 && same(&p, false, i, end);)
            end++;
        if (common(&p, i, i) > 0) rows[end - i] += end - i;
    }
    assert_memory_equal(sizes.same, rows, sizeof rows);
    free(p.set);
}

/* Three rows have the same columns, and the fourth 4 of their 5: 4 / sqrt(5 x 4) = 0.89. The last 20 are in a
 * group of more than 16 rows. */
TEST(groups_by_hand)
{
    double dense[24 * 6] = {0};
    for (int i = 0; i < 24; i++)
        for (int j = i < 4 ? 0 : 5; j < (i < 3 ? 5 : i < 4 ? 4 : 6); j++)
            dense[6 * i + j] = 1;
    FREED(csr_free) struct csr a = support_dense(24, 6, dense);
    struct dense_block_sizes sizes;
    assert_int_equal(dense_block_sizes_find(&a, NULL, &sizes, NULL), STATUS_OK);
    assert_true(sizes.same[1] == 1 && sizes.same[3] == 3 && sizes.same[16] == 20 && sizes.same[4] == 0);
    assert_true(sizes.similar[4] == 4 && sizes.similar[16] == 20 && sizes.similar[3] == 0);
}

TEST(every_allocation_may_fail)
{
    FREED(csr_free) struct csr a = stored_matrix("pmpp.mtx");
    struct dense_blocks blocks;
    int64_t after = 0;
    for (;; after++) {
        struct error error = {0};
        memory_fail_after(after);
        const enum status status = dense_blocks_find(&a, NULL, &blocks, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) break;
        assert_int_equal(status, STATUS_MEMORY);
        assert_int_equal(blocks.rows, 0);
    }
    assert_int_equal(after, 3);
}
