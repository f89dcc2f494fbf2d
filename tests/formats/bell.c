/* formats/bell: arrays against NVIDIA's example and by hand, counts by brute force, and the count that BSR
 * and blocked ELL share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/bell.h"
#include "formats/bsr.h"
#include "formats/pool.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

/* The matrix, the columns and the values of dense2sparse_blockedell in NVIDIA's CUDALibrarySamples. */
static const double sample[] = {0, 0, 1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 9, 10, 0, 0, 11, 12};

/* Neither rows nor columns are a multiple of the sizes of blocks, and there are fewer rows than 5. */
static const double wide[] = {1, 0, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0};

/* Rows 0, 1 and 3 are empty, and so are all blocks of the first block row. */
static const double gaps[] = {0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 9};

static const struct {
    int64_t rows, cols;
    const double *dense;
    const char *format, *col, *val;
} cases[] = {
    {4, 6, sample, "bell:size=2", "1 -1 0 2", "1 2 * * 3 4 * * 5 6 7 8 9 10 11 12"},
    {3, 7, wide, "bell:size=2", "0 1 2 3 1 2 -1 -1",
     "1 * * 2 * * 3 * * 4 * * 5 * * * 6 * * 7 * * * * * * * * * * * *"},
    {3, 7, wide, "bell:size=5", "0 1",
     "1 * * 2 * * 3 * * * * 4 * * 5 * * * * * * * 6 * * 7 * * * * * * * * * * * * * * * * * * * * * * * *"},
    {5, 3, gaps, "bell:size=2", "-1 0 1", "* * * * * 8 * * 9 * * *"},
};

TEST(arrays_equal_the_example_of_cusparse_and_hand_work)
{
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        FREED(csr_free) struct csr a = support_dense(cases[n].rows, cases[n].cols, cases[n].dense);
        FREED(storage_free) struct storage bell = stored(cases[n].format, &a);
        stored_expect(&bell, "ellColInd", cases[n].col);
        stored_expect(&bell, "ellValue", cases[n].val);
        const struct format_size size = storage_size(&bell);
        const int64_t blocks = stored_array(&bell, "ellColInd")->length;
        const int64_t side = bell.number[BELL_SIZE];
        assert_int_equal(size.slots, blocks * side * side);
        assert_int_equal(size.integers, blocks);
        assert_int_equal(size.bytes, 4 * blocks + 8 * size.slots);
    }
}

/* Count the blocks of each block row by marking them one by one, and compare with planning. */
static void expect_counts(const struct csr *a, const struct storage *bell)
{
    const int64_t size = bell->number[BELL_SIZE], across = (a->cols + size - 1) / size;
    int64_t all = 0, longest = 0, outside = 0;
    unsigned char *marks = calloc((size_t)across + 1, 1);
    assert_non_null(marks);
    for (int64_t first = 0; first < a->rows; first += size) {
        const int64_t end = first + size < a->rows ? first + size : a->rows;
        int64_t blocks = 0, inside = 0;
        memset(marks, 0, (size_t)across);
        for (int64_t k = a->row_ptr[first]; k < a->row_ptr[end]; k++)
            marks[a->col[k] / size] = 1;
        for (int64_t j = 0; j < a->cols; j++)
            inside += marks[j / size];
        for (int64_t c = 0; c < across; c++)
            blocks += marks[c];
        if (blocks > longest) outside = 0;
        if (blocks >= longest) outside += (end - first) * (a->cols - inside);
        if (blocks > longest) longest = blocks;
        all += blocks;
    }
    free(marks);
    assert_int_equal(bell->number[BELL_WIDTH], longest);
    assert_int_equal(bell->number[BELL_BLOCKS], all);
    assert_int_equal(bell->number[BELL_OUTSIDE], outside);
    assert_int_equal(bell->slots[0], (a->rows + size - 1) / size * size * longest * size);
}

TEST(counts_equal_brute_force)
{
    static const char *const names[] = {"blocks.mtx.gz",
                                        "stencil27.mtx.gz",
                                        "powerlaw.mtx.gz",
                                        "pmpp.mtx",
                                        "gen:random,m=300,n=9000,mean=2",
                                        "gen:blocks,n=3000,size=5",
                                        "gen:random,m=37,n=31,mean=20"};
    static const char *const choices[] = {"bell", "bell:size=2", "bell:size=7", "bell:size=17",
                                          "bell:size=32"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t f = 0; f < sizeof choices / sizeof *choices; f++) {
            FREED(csr_free) struct csr a = stored_matrix(names[n]);
            threads_set(1 + (int)(n + f) % 3);
            FREED(storage_free) struct storage bell = stored(choices[f], &a);
            expect_counts(&a, &bell);
        }
    threads_set(0);
}

/* The default size is BSR's choice, in each precision. */
TEST(the_size_is_that_of_bsr)
{
    static const char *const names[] = {"blocks.mtx.gz", "gen:blocks,n=16000,size=7", "pmpp.mtx"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int f32 = 0; f32 < 2; f32++) {
            const struct storing how = {.precision = f32 ? PRECISION_F32 : PRECISION_F64};
            FREED(csr_free) struct csr a = stored_matrix(names[n]);
            FREED(storage_free) struct storage bsr = stored_with("bsr", &how, &a);
            FREED(storage_free) struct storage bell = stored_with("bell", &how, &a);
            assert_int_equal(bell.number[BELL_SIZE], bsr.number[BSR_SIZE]);
            assert_int_equal(bell.number[BELL_WIDTH], bsr.number[BSR_LONGEST]);
        }
}

/* In a pool, blocked ELL reuses the counts of BSR's plan, or plans BSR first. The time of counting belongs to
 * both formats. */
TEST(a_pool_counts_once)
{
    const struct format_choice of_bell = format_choice_default(&format_bell, PRECISION_F64),
                               of_bsr = format_choice_default(&format_bsr, PRECISION_F64);
    for (int first = 0; first < 2; first++) {
        FREED(csr_free) struct csr a = stored_matrix("blocks.mtx.gz");
        FREED(pool_free) struct pool pool = {.a = &a};
        const struct storage *bell, *bsr, *again;
        if (first) assert_int_equal(pool_plan(&pool, &of_bsr, 0, NULL, &bsr, NULL), STATUS_OK);
        assert_int_equal(pool_plan(&pool, &of_bell, 0, NULL, &bell, NULL), STATUS_OK);
        assert_int_equal(pool.count, 2);
        assert_int_equal(pool_plan(&pool, &of_bsr, 0, NULL, &again, NULL), STATUS_OK);
        assert_int_equal(pool.count, 2);
        if (first) assert_ptr_equal(again, bsr);
        assert_true(bell->seconds >= again->seconds);
        assert_null(bell->plans);
        expect_counts(&a, bell);
    }
}

/* The questions of the screen, for NVIDIA's matrix: padding is block 1. */
TEST(elements_lead_to_positions)
{
    FREED(csr_free) struct csr a = support_dense(4, 6, sample);
    FREED(storage_free) struct storage bell = stored("bell:size=2", &a);
    const struct format *format = bell.format;
    for (int64_t e = 1; e < 16; e++)
        assert_int_equal(format->rule(&bell, BELL_VAL, e), e == 8       ? RULE_MAJOR
                                                           : e % 4 == 0 ? RULE_MINOR
                                                                        : RULE_NONE);
    assert_int_equal(format->rule(&bell, BELL_COL, 1), RULE_NONE);
    assert_int_equal(format->rule(&bell, BELL_COL, 2), RULE_MAJOR);
    struct place place = format->leads(&bell, BELL_COL, 0);
    assert_true(place.row == 0 && place.col == 2);
    place = format->leads(&bell, BELL_COL, 1); /* the first block that is not stored */
    assert_true(place.row == 0 && place.col == 0);
    place = format->leads(&bell, BELL_COL, 3);
    assert_true(place.row == 2 && place.col == 4);
    struct spot spot = storage_spot(&bell, &a, (struct place){3, 4}, 10); /* the 11 */
    struct extent extent = format->touch(&bell, BELL_COL, &spot);
    assert_int_equal(spot.slot, 14);
    assert_true(extent.first == 3 && extent.end == 4);
    int64_t line, c;
    format->find(&bell, &spot, &line, &c);
    assert_true(line == 3 && c == 2 && format->cell(&bell, 3, 2) == 14);
    spot = storage_spot(&bell, &a, (struct place){1, 5}, -1); /* no block is stored here */
    extent = format->touch(&bell, BELL_COL, &spot);
    assert_true(extent.first == 0 && extent.end == 2);
    place = format->place(&bell, 0, 2); /* padding has a row, but no column */
    assert_true(place.row == 0 && place.col == -1);
    const struct shape shape = format->shape(&bell);
    assert_true(shape.lines == 4 && shape.wide == 4);
    assert_int_equal(format->cell(&bell, 1, 4), -1);
}

/* Beyond the matrix there is neither a row nor a column. */
TEST(positions_beyond_the_matrix_are_none)
{
    FREED(csr_free) struct csr a = support_dense(3, 7, wide);
    FREED(storage_free) struct storage bell = stored("bell:size=2", &a);
    struct place place = bell.format->place(&bell, 0, 7);
    assert_true(place.row == 0 && place.col == -1);
    place = bell.format->place(&bell, 0, 24);
    assert_true(place.row == -1 && place.col == 2);
    assert_int_equal(bell.format->label(&bell, 3), -1);
}

TEST(empty_matrices_have_no_blocks)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 9}, {9, 0}, {40, 30}};
    for (int n = 0; n < 4; n++)
        for (int given = 0; given < 2; given++) {
            FREED(csr_free) struct csr a = support_matrix(sizes[n][0], sizes[n][1], 0, false, false, 1);
            FREED(storage_free) struct storage bell = stored(given ? "bell:size=3" : "bell", &a);
            assert_int_equal(bell.number[BELL_WIDTH], 0);
            assert_int_equal(storage_slots(&bell), 0);
            assert_int_equal(storage_size(&bell).bytes, 0);
            assert_int_equal(bell.number[BELL_OUTSIDE], a.rows * a.cols);
        }
}

static void expect_back(const struct storage *bell, const struct csr *a)
{
    FREED(csr_free) struct csr back;
    assert_int_equal(storage_unpack(bell, NULL, &back, NULL), STATUS_OK);
    assert_memory_equal(back.row_ptr, a->row_ptr, (size_t)(a->rows + 1) * sizeof *a->row_ptr);
    assert_memory_equal(back.col, a->col, (size_t)csr_nnz(a) * sizeof *a->col);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        assert_true(back.val[k] == a->val[k] && (!a->imaginary || back.imaginary[k] == a->imaginary[k]));
}

/* Values of every kind, zeros among them, in every size. */
TEST(values_of_every_kind_come_back)
{
    threads_set(3);
    for (int way = 0; way < 4 * (BELL_SIZE_MAX - 1); way++) {
        FREED(csr_free) struct csr a = support_matrix(90 + way, 230 - way, 0.1, true, way & 1, 8);
        const struct storing options = {.precision = way & 2 ? PRECISION_F32 : PRECISION_F64};
        char format[20];
        snprintf(format, sizeof format, "bell:size=%d", 2 + way / 4);
        FREED(storage_free) struct storage bell = stored_with(format, &options, &a);
        expect_back(&bell, &a);
    }
    threads_set(0);
}

TEST(damage_is_named)
{
    FREED(csr_free) struct csr a = support_dense(3, 7, wide);
    FREED(storage_free) struct storage bell = stored("bell:size=2", &a);
    int32_t *col = bell.array[BELL_COL].data;
    col[3] = 4, stored_refused(&bell, "ellColInd[3] = 4 lies out of range"), col[3] = 3;
    col[0] = -2, stored_refused(&bell, "ellColInd[0] = -2 lies out of range"), col[0] = 0;
    col[1] = 2, stored_refused(&bell, "ellColInd[2] = 2 is not more"), col[1] = 1;
    col[4] = -1, stored_refused(&bell, "ellColInd[5] = 2 follows padding"), col[4] = 1;
    assert_int_equal(storage_validate(&bell, NULL), STATUS_OK);
}

TEST(every_allocation_may_fail)
{
    FREED(csr_free) struct csr a = support_matrix(70, 50, 0.2, true, false, 8);
    stored_sweep("bell", &a);
    stored_sweep("bell:size=3", &a);
}
