/* The forecast of a product's time on processors: times by hand, on processors that do not exist. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "analysis/forecast/cpu_parts.h"
#include "base/memory.h"
#include "formats/csr.h"
#include "formats/dia.h"
#include "formats/pool.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"

static void check_close(double found, double expected, double apart)
{
    if (!(fabs(found - expected) <= apart)) fail_msg("%.9g is not %.9g", found, expected);
}

/* Rows of this number of entries: row i has columns 0, 1, ...; the values do not matter. */
static struct csr made_rows(int64_t rows, int64_t cols, int64_t (*length)(int64_t i))
{
    struct csr a = {.rows = rows, .cols = cols};
    a.row_ptr = malloc(((size_t)rows + 1) * sizeof *a.row_ptr);
    a.row_ptr[0] = 0;
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + length(i);
    a.col = malloc((size_t)csr_nnz(&a) * sizeof *a.col);
    a.val = calloc((size_t)csr_nnz(&a), sizeof *a.val);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
            a.col[k] = (int32_t)(k - a.row_ptr[i]);
    return a;
}

static int64_t four(int64_t i)
{
    return 4;
}

static int64_t one_long(int64_t i)
{
    return i == 0 ? 1000 : 4;
}

static int64_t turns(int64_t i)
{
    return i % 2 ? 6 : 2;
}

/* Processors that take 10 + n seconds for a row of n slots, read this number of bytes/s everywhere, and wait
 * `far` seconds for loads at random beyond the first-level cache. */
static struct processor made_processor(double read, double far)
{
    struct processor processor = {.there = true, .threads = 4, .wake = 0.5, .alone = 0.125};
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        processor.whole[0][k] = processor.whole[1][k] = 1;
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        for (int many = 0; many < 2; many++) {
            processor.read[many][k] = read;
            processor.far[many][k] = k ? far : 0;
        }
    for (int k = 0; kernels[k]; k++) {
        if (kernels[k]->backend->devices || kernels[k]->backend->foreign) continue;
        struct loop_pace *loop = &processor.loop[processor.loops++];
        bool varies = kernels[k]->format->name[0] == 'c';
        *loop = (struct loop_pace){.uneven = {{varies ? 2 : 0, varies ? 2 : 0, varies ? 2 : 0}},
                                   .beyond = {{{1, 3}, 0.5}, {{1, 3}, 0.5}}};
        snprintf(loop->name, sizeof loop->name, "%s", kernels[k]->name);
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            loop->row[l] = 10 + processor_length[l];
    }
    return processor;
}

static struct prediction forecast(const struct processor *processor, const struct csr *a,
                                  const struct kernel *kernel, const char *parameters, int threads, bool cold)
{
    struct pool pool = {.a = a};
    struct cpu_matrix matrix = {.a = a};
    struct prediction predicted[2];
    const struct kernel_choice choice = preparing_choice(kernel, parameters, PRECISION_F64, threads);
    const struct storage *plan;
    assert_int_equal(pool_plan(&pool, &choice.format, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(
        cpu_forecast(processor, &matrix, &choice, plan, threads, (struct product){0}, predicted, NULL, NULL),
        STATUS_OK);
    cpu_matrix_free(&matrix);
    pool_free(&pool);
    return predicted[cold];
}

/* Memory is so fast that only loops count. */
static void rows_take_what_their_loop_does(void **state)
{
    const struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, four), uneven = made_rows(100, 8, turns);
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false);
    assert_true(p.there);
    assert_string_equal(p.machine, "cpu");
    check_close(p.seconds, 100 * 14, 1e-6);
    check_close(p.term[BOUND_ARITHMETIC], 100 * 14, 1e-6);
    assert_int_equal(p.bound, BOUND_ARITHMETIC);
    check_close(forecast(&processor, &a, &kernel_cpu_csr_seq, "", 4, true).seconds, 1400, 1e-6);
    check_close(forecast(&processor, &a, &kernel_cpu_csr_omp, "", 4, false).seconds, 350.5, 1e-6);
    check_close(forecast(&processor, &a, &kernel_cpu_ell_omp, "", 2, false).seconds, 700.5, 1e-6);
    /* rows of 2 and 6 in turn: 99 of them differ from the row before, each 2 more */
    check_close(forecast(&processor, &uneven, &kernel_cpu_csr_seq, "", 1, false).seconds,
                50 * 12 + 50 * 16 + 99 * 2, 1e-6);
    check_close(forecast(&processor, &uneven, &kernel_cpu_ell_seq, "", 1, false).seconds, 100 * 16, 1e-6);
    check_close(forecast(&processor, &uneven, &kernel_cpu_sell_seq, "", 1, false).seconds,
                100 * (10 + 128 * 6 / 100.0), 1e-6); /* four chunks of 32 rows */
    csr_free(&a);
    csr_free(&uneven);
}

/* A whole product takes this multiple of the sum of its terms, and each term the same multiple of itself. */
static void whole_products_take_longer(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, four);
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        processor.whole[1][k] = 1.5;
    check_close(forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false).seconds, 1400, 1e-6);
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_omp, "", 4, false);
    check_close(p.seconds, 1.5 * 350.5, 1e-6);
    check_close(p.term[BOUND_LAUNCH], 1.5 * 0.5, 1e-9);
    check_close(p.term[BOUND_ARITHMETIC], 1.5 * 350, 1e-6);
    csr_free(&a);
}

static int64_t by_sevens(int64_t i)
{
    return 1 + i * 3 % 7;
}

/* Rows of 1 to 7 entries in turn are sorted such that each of the four threads writes to nearly every line of
 * y. A store to such a line takes 70 s, which the four threads share. Rows of equal length stay with their
 * thread. */
static void threads_that_share_lines_of_y_wait_for_them(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr mixed = made_rows(7000, 8, by_sevens), alike = made_rows(7000, 8, four);
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        processor.store[k] = 70;
    check_close(forecast(&processor, &mixed, &kernel_cpu_jds_omp, "", 4, false).term[BOUND_LATENCY],
                7000 * 70 / 4.0, 0.15 * 7000 * 70 / 4.0);
    check_close(forecast(&processor, &mixed, &kernel_cpu_jds_omp, "", 1, false).term[BOUND_LATENCY], 0, 1e-6);
    check_close(forecast(&processor, &alike, &kernel_cpu_jds_omp, "", 4, false).term[BOUND_LATENCY], 0, 1e-6);
    csr_free(&mixed);
    csr_free(&alike);
}

/* Every second one of the first rows is longer. When sorted, half of them come between the two halves of a
 * line of y. */
static int64_t five_or_six_to_1400(int64_t i)
{
    return i < 1400 ? 5 + i % 2 : 4;
}

static int64_t five_or_six_to_2100(int64_t i)
{
    return i < 2100 ? 5 + i % 2 : 4;
}

/* Each of four threads has 1750 rows. Another thread returns to a line of y if more than half that number,
 * 875, come between: 1050 do in 2100 / 8 lines, and 700 do not. */
static void lines_are_shared_beyond_half_a_threads_rows(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr near = made_rows(7000, 8, five_or_six_to_1400), far = made_rows(7000, 8, five_or_six_to_2100);
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        processor.store[k] = 70;
    check_close(forecast(&processor, &near, &kernel_cpu_jds_omp, "", 4, false).term[BOUND_LATENCY], 0, 1e-6);
    check_close(forecast(&processor, &far, &kernel_cpu_jds_omp, "", 4, false).term[BOUND_LATENCY],
                2100 / 8.0 * 70 / 4, 0.25 * 2100 / 8.0 * 70 / 4);
    csr_free(&near);
    csr_free(&far);
}

/* Rows of blocks count. Every second one of them is longer, so that 24 of 25 differ, not 24 of 100. */
static int64_t fours_in_turn(int64_t i)
{
    return i / 4 % 2 ? 8 : 4;
}

static void rows_of_blocks_are_uneven_as_such(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, fours_in_turn);
    const double even = forecast(&processor, &a, &kernel_cpu_bsr_seq, "size=4", 1, false).seconds;
    for (int k = 0; k < processor.loops; k++)
        if (strcmp(processor.loop[k].name, "bsr-seq") == 0)
            for (int m = 0; m < PROCESSOR_MEANS; m++)
                processor.loop[k].uneven[0][m] = processor.loop[k].uneven[1][m] = 2;
    check_close(forecast(&processor, &a, &kernel_cpu_bsr_seq, "size=4", 1, false).seconds,
                even + 100 * 2 * 24 / 25.0, 1e-6);
    csr_free(&a);
}

static int64_t three(int64_t i)
{
    return 3;
}

/* Of 200 rows of three entries 160 lie on diagonals and take this kernel's own loop, 1 s a row here; a fifth
 * of all entries take another one, 13 s a row. The bytes read and written follow, and those that the kernel
 * keeps beside its format. */
static void check_own_loop(const struct kernel *kernel, const char *loop, const char *parameters,
                           double bytes, double aside)
{
    struct processor processor = made_processor(1e30, 0);
    const struct processor slow = made_processor(1000, 0);
    struct csr a = made_rows(200, 400, three);
    for (int64_t k = 0; k < 480; k++)
        a.col[k] = (int32_t)(k / 3 + k % 3);
    for (int k = 0; k < processor.loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS && strcmp(processor.loop[k].name, loop) == 0; l++)
            processor.loop[k].row[l] = 1;
    struct prediction p = forecast(&processor, &a, kernel, parameters, 1, false);
    check_close(p.seconds, 0.2 * 200 * 13 + 160 + 0.125, 1e-6);
    p = forecast(&slow, &a, kernel, parameters, 1, true);
    check_close(p.term[BOUND_DRAM], bytes / 1000, 1e-9);
    assert_float_equal(p.aside, aside, 0);
    csr_free(&a);
}

/* 600 values, two stretches of 32 bytes, 3 columns of the first row of diagonals, 120 narrow ones and 8
 * behind them, 1 + 40 + 1 offsets of 4 bytes; y twice, and 20 lines of x behind the first one. */
static void rows_on_diagonals_take_their_own_loop(void **state)
{
    check_own_loop(&kernel_cpu_csr_compact, "csr-compact", "",
                   600 * 8 + 2 * 32 + 3 * 4 + 128 * 2 + 42 * 4 + 2 * 200 * 8 + 20 * 64, 3 * 32 + 128 * 2);
}

/* 600 values, 26 offsets, 25 places, a base for each of 75 lines, 120 bytes; y twice, and 20 lines of x
 * behind the first one. Values by bytes are 600 indices and a single value. */
static void lines_in_order_take_their_own_loop(void **state)
{
    const double rest = 26 * 4 + 25 * 8 + 75 * 4 + 120 + 2 * 200 * 8 + 20 * 64;
    const size_t aside = 25 * 8 + 75 * 4 + 120;
    check_own_loop(&kernel_cpu_sell_compact, "sell-compact", "c=8,values=full", 600 * 8 + rest, aside);
    check_own_loop(&kernel_cpu_sell_compact, "sell-compact", "c=8,values=8", 600 + 8 + rest, aside + 608);
}

/* Columns 0 .. 3 have 100 entries each, columns 4 .. 7 none; two threads meet all rows, so that one of them
 * keeps sums of its own. */
static void columns_take_what_their_loop_does(void **state)
{
    const struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, four);
    double columns = 4 * (10 + 99.5) + 4 * 10 + 2; /* a bin has 96 .. 103; row 4 differs from row 3 */
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csc_seq, "", 1, false);
    check_close(p.seconds, columns, 1e-6);
    p = forecast(&processor, &a, &kernel_cpu_csc_omp, "", 2, false);
    check_close(p.term[BOUND_LAUNCH], 0.75, 1e-9);
    check_close(p.seconds, columns / 2 + 0.75, 1e-6);
    const struct processor slow = made_processor(1000, 0);
    double one = forecast(&slow, &a, &kernel_cpu_csc_omp, "", 1, true).term[BOUND_DRAM],
           two = forecast(&slow, &a, &kernel_cpu_csc_omp, "", 2, true).term[BOUND_DRAM];
    /* a copy is cleared. Each column after the first reads 12 lines of y in order, which two threads share */
    const double lines = 4 * 12 * 64 / 1000.0;
    check_close(two, 3 * (one + 800 / 1000.0 - lines / 2), 1e-6);
    csr_free(&a);
}

/* The copy of 100 sums has 12.5 lines, which move from one thread to the other, for 1.5 x 32 s each. */
static void copied_sums_move_between_threads(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, four);
    processor.moved = 32;
    check_close(forecast(&processor, &a, &kernel_cpu_csc_omp, "", 2, false).term[BOUND_LATENCY],
                1.5 * 12.5 * 32 / 2, 1e-6);
    check_close(forecast(&processor, &a, &kernel_cpu_csc_omp, "", 1, false).term[BOUND_LATENCY], 0, 1e-9);
    csr_free(&a);
}

/* Row 0 is full, and column 0: all 255 diagonals of 128 rows are there, of which n - |d| slots lie within the
 * matrix, 128 x 128 in all. The others are neither computed nor read. dia-omp reads 128 of them at a time,
 * and waits 16 x 7 s for each such piece, since it follows 64 diagonals at most. */
static int64_t first_full(int64_t i)
{
    return i == 0 ? 128 : 1;
}

static void diagonals_end_at_the_border(void **state)
{
    const struct processor fast = made_processor(1e30, 0), slow = made_processor(1000, 0),
                           far = made_processor(1e30, 7);
    struct csr a = made_rows(128, 128, first_full);
    check_close(forecast(&fast, &a, &kernel_cpu_dia_seq, "", 1, false).seconds, 128 * (10 + 128), 1e-6);
    /* values, 255 offsets, and y read and written */
    check_close(forecast(&slow, &a, &kernel_cpu_dia_omp, "", 1, true).term[BOUND_DRAM],
                (8 * 128 * 128 + 4 * 255 + 2 * 8 * 128) / 1000.0, 1e-6);
    check_close(forecast(&far, &a, &kernel_cpu_dia_omp, "", 1, true).term[BOUND_LATENCY], 128 * 16 * 7, 1e-6);
    check_close(forecast(&far, &a, &kernel_cpu_dia_seq, "", 1, true).term[BOUND_LATENCY], 0, 1e-9);
    csr_free(&a);
}

/* ELL is 1000 columns of 100 slots, read in pieces of 64. Loads of x are the same with both kernels. */
static void columns_of_ell_are_read_in_pieces(void **state)
{
    const struct processor far = made_processor(1e30, 7);
    struct csr a = made_rows(100, 1000, one_long);
    const double pieces = forecast(&far, &a, &kernel_cpu_ell_omp, "", 1, true).term[BOUND_LATENCY],
                 none = forecast(&far, &a, &kernel_cpu_ell_seq, "", 1, true).term[BOUND_LATENCY],
                 rows = forecast(&far, &a, &kernel_cpu_ell_omp, "layout=rows", 1, true).term[BOUND_LATENCY];
    check_close(pieces - none, 100 * 1000 / 64.0 * 16 * 7, 1e-3);
    check_close(rows, none, 1e-9);
    csr_free(&a);
}

/* Each slot of a diagonal reads x and y, and writes y: 24 bytes, at 100 bytes/s beyond the first-level cache.
 */
static void diagonals_pass_through_vectors_again(void **state)
{
    struct processor processor = made_processor(100, 0);
    struct csr a = made_rows(100, 100, four);
    processor.read[0][0] = processor.read[1][0] = 1e30;
    const struct format_choice choice = format_choice_default(&format_dia, PRECISION_F64);
    struct pool pool = {.a = &a};
    const struct storage *plan;
    double stretch;
    assert_int_equal(pool_plan(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    const double slots = (double)storage_slots(plan);
    check_close(processor_passes(&kernel_cpu_dia_seq, plan, &stretch), 24 * slots, 1e-9);
    check_close(stretch, 100 * 24, 1e-9);
    check_close(processor_passes(&kernel_cpu_dia_omp, plan, &stretch), 0, 0);
    check_close(processor_again(&processor, 24 * slots, 1 << 16), 24 * slots / 100, 1e-6);
    pool_free(&pool);
    csr_free(&a);
}

/* Row 0 has 1000 entries and takes 1010 s, to 4%, the others 14 s each. */
static void a_long_row_is_one_threads(void **state)
{
    const struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 1000, one_long);
    const double all = 1010 + 99 * 14, some = 40;
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_omp, "", 4, false);
    check_close(p.seconds, 1010, some);
    check_close(p.term[BOUND_ARITHMETIC], all / 4, some);
    check_close(p.term[BOUND_LONGEST], 1010 - all / 4, some);
    p = forecast(&processor, &a, &kernel_cpu_csr_balanced, "", 4, false);
    /* the last thread has a quarter of the 1495 rows and entries: 374 / 5 short rows */
    check_close(p.term[BOUND_ARITHMETIC], all / 4, some);
    check_close(p.seconds, 1495 / 4.0 / 5 * 14, some);
    check_close(p.term[BOUND_LONGEST], 1495 / 4.0 / 5 * 14 - all / 4, some);
    /* HYB cuts the row: 100 rows of 4, and the rest by the loop of COO */
    p = forecast(&processor, &a, &kernel_cpu_hyb_seq, "k=4", 1, false);
    check_close(p.seconds, 100 * 14 + 10 + 996, some);
    /* the diagonals that only row 0 has are summed for 8 rows */
    p = forecast(&processor, &a, &kernel_cpu_jds_omp, "", 1, false);
    check_close(p.seconds, all + 7 * 996, some);
    csr_free(&a);
}

/* Loops are fast, and memory reads 1000 bytes/s: 101 offsets of 4 bytes, 400 entries of 12, and y, which is
 * read before it is written. x lies in one line. */
static void reading_takes_its_time(void **state)
{
    struct processor processor = made_processor(1000, 0);
    struct csr a = made_rows(100, 8, four);
    for (int k = 0; k < processor.loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            processor.loop[k].row[l] = 1e-9;
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false);
    check_close(p.seconds, (404 + 4800 + 1600) / 1000.0, 1e-6);
    assert_int_equal(p.bound, BOUND_DRAM);
    p = forecast(&processor, &a, &kernel_cpu_csr_omp, "", 2, true); /* which streams three times as slowly */
    check_close(p.seconds, 0.5 + 3 * (404 + 4800 + 1600) / 1000.0, 1e-6);
    for (int k = 0; k < 2; k++) /* caches are ten times as fast, unless they were flushed */
        processor.read[0][k] = 10000;
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false);
    check_close(p.seconds, 0.6804, 1e-6);
    assert_int_equal(p.bound, BOUND_L2);
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, true);
    check_close(p.seconds, 6.804, 1e-6);
    assert_int_equal(p.bound, BOUND_DRAM);
    /* half of the time each, three parts of which overlap: (1 + 1)^(1/3) */
    for (int k = 0; k < processor.loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            processor.loop[k].row[l] = 0.06804;
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, true);
    check_close(p.seconds, 6.804 * cbrt(2), 1e-6);
    csr_free(&a);
}

static int64_t one(int64_t i)
{
    return 1;
}

/* Each row loads another line, in no order. */
static void loads_at_random_wait(void **state)
{
    struct processor processor = made_processor(1e30, 7);
    struct csr a = made_rows(1000, 16384, one);
    for (int64_t i = 0; i < 1000; i++)
        a.col[i] = (int32_t)(i * 389 % 1000 * 16);
    for (int k = 0; k < processor.loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            processor.loop[k].row[l] = 1e-9;
    struct scatter scatter;
    const struct touches touches = touches_of(&a);
    assert_int_equal(scatter_of_x(&touches, NULL, 8, &scatter, NULL, NULL), STATUS_OK);
    assert_int_equal(scatter.first_far, 1000); /* no two lines lie side by side */
    const double far = 0.5 * 7 * 1000;
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, true);
    check_close(p.seconds, far, 1e-3);
    assert_int_equal(p.bound, BOUND_LATENCY);
    p = forecast(&processor, &a, &kernel_cpu_csr_omp, "", 4, true);
    check_close(p.seconds, 0.5 + far / 4, 1e-3);
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1,
                 false); /* in a core's caches there is no factor */
    check_close(p.seconds, 2 * far, 1e-3);
    processor.far[0][1] = processor.far[0][2] = 0; /* if it is large enough */
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false);
    check_close(p.seconds, 1e-6, 1e-6);
    p = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, true);
    check_close(p.seconds, far, 1e-3);
    csr_free(&a);
}

static void footprints_are_what_came_between(void **state)
{
    const struct processor processor = made_processor(640, 7);
    const struct loop_pace loop = {.beyond = {{{1, 1}, 1}, {{1, 1}, 1}}};
    struct scatter scatter = {.there = true, .ticks = 200, .scale = 2, .touches = 100};
    double far, near;
    scatter.far[reuse_bin(4)] = 60;
    scatter.near[reuse_bin(4)] = 40;
    scatter_seconds(&scatter, &processor, &loop, 1, 0, 0, 1, false, &far, &near);
    check_close(far, 0, 1e-9); /* 64 bytes a tick: the first-level cache has them */
    check_close(near, 2 * 40 * 64 / 640.0, 1e-9);
    scatter_seconds(&scatter, &processor, &loop, 4, 1e6, 0, 1, false, &far,
                    &near); /* with 1 MB a tick beside */
    check_close(far, 2 * 60 * 7 / 4.0, 1e-9);
    check_close(near, 2 * 40 * 64 / 640.0 / 4, 1e-9);
    scatter = (struct scatter){.there = true, .ticks = 1000, .scale = 1, .touches = 1000};
    scatter.far[reuse_bin(4096)] = 1000; /* 4096 lines, 256 KiB, come between, to 6% */
    struct processor steps = processor;
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        steps.far[0][k] = k;
    scatter_seconds(&scatter, &steps, &loop, 1, 0, 0, 1, false, &far, &near);
    check_close(far, 2000, 100);
}

static void memory_runs_out(void **state)
{
    const struct processor processor = made_processor(1000, 1);
    struct csr a = made_rows(100, 1000, one_long);
    const struct kernel *of[] = {&kernel_cpu_csr_omp, &kernel_cpu_csc_omp, &kernel_cpu_jds_omp};
    struct progress progress = {0};
    progress_cancel(&progress);
    for (int k = 0; k < 3; k++) {
        struct pool pool = {.a = &a};
        struct prediction predicted[2];
        const struct storage *plan;
        const struct kernel_choice choice = preparing_choice(of[k], "", PRECISION_F64, 2);
        enum status status = STATUS_MEMORY;
        assert_int_equal(pool_plan(&pool, &choice.format, 0, NULL, &plan, NULL), STATUS_OK);
        for (long n = 0; status == STATUS_MEMORY; n++) {
            struct cpu_matrix matrix = {.a = &a};
            memory_fail_after(n);
            status = cpu_forecast(&processor, &matrix, &choice, plan, 2, (struct product){0}, predicted, NULL,
                                  NULL);
            if (memory_failures() > 0) assert_int_equal(status, STATUS_MEMORY);
            memory_fail_after(-1);
            cpu_matrix_free(&matrix);
        }
        assert_int_equal(status, STATUS_OK);
        struct cpu_matrix matrix = {.a = &a};
        assert_int_equal(cpu_forecast(&processor, &matrix, &choice, plan, 2, (struct product){0}, predicted,
                                      &progress, NULL),
                         STATUS_CANCELLED);
        assert_false(predicted[0].there || predicted[1].there);
        cpu_matrix_free(&matrix);
        pool_free(&pool);
    }
    csr_free(&a);
}

/* Two threads with two rows each: one copies columns 2 and 3, the other columns 5 to 7; none if they write
 * directly, since no column is of both. Without columns there is nothing to copy. */
static void threads_copy_their_columns(void **state)
{
    static const double values[4 * 8] = {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0,
                                         0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0};
    struct csr a = support_dense(4, 8, values), none = support_matrix(3, 0, 0.5, false, false, 1);
    const struct cpu_matrix matrix = {.a = &a}, empty = {.a = &none};
    assert_true(cpu_copied(&matrix, 2, false) == 2 + 3);
    assert_true(cpu_copied(&matrix, 2, true) == 0);
    assert_true(cpu_copied(&matrix, 1, false) == 6);
    assert_true(cpu_copied(&empty, 2, false) == 0);
    csr_free(&a);
    csr_free(&none);
}

/* A kernel with an unmeasured loop has the speed of a similar one, and its forecast says so. */
static void a_pace_is_borrowed_until_it_is_measured(void **state)
{
    struct processor processor = made_processor(1e30, 0);
    struct csr a = made_rows(100, 8, four);
    struct kernel kernel = kernel_cpu_csr_seq;
    kernel.name = "csr-new";
    assert_false(forecast(&processor, &a, &kernel, "", 1, false).there);
    kernel.pace.like = &kernel_cpu_csr_seq;
    const struct prediction other = forecast(&processor, &a, &kernel_cpu_csr_seq, "", 1, false);
    struct prediction p = forecast(&processor, &a, &kernel, "", 1, false);
    assert_true(p.there && p.derived && p.seconds == other.seconds && p.low > 0);
    assert_string_equal(p.like, "cpu/csr-seq");
    assert_true(!other.derived && !other.like[0]);
    struct loop_pace *own = &processor.loop[processor.loops++];
    *own = *processor_loop(&processor, &kernel_cpu_csr_seq, &(struct format_choice){.format = &format_csr});
    snprintf(own->name, sizeof own->name, "csr-new");
    for (int l = 0; l < PROCESSOR_LENGTHS; l++)
        own->row[l] *= 2;
    p = forecast(&processor, &a, &kernel, "", 1, false);
    assert_true(p.seconds > 1.5 * other.seconds && !p.derived && !p.like[0]);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_what_their_loop_does),
        cmocka_unit_test(whole_products_take_longer),
        cmocka_unit_test(threads_that_share_lines_of_y_wait_for_them),
        cmocka_unit_test(lines_are_shared_beyond_half_a_threads_rows),
        cmocka_unit_test(rows_of_blocks_are_uneven_as_such),
        cmocka_unit_test(rows_on_diagonals_take_their_own_loop),
        cmocka_unit_test(lines_in_order_take_their_own_loop),
        cmocka_unit_test(columns_take_what_their_loop_does),
        cmocka_unit_test(a_long_row_is_one_threads),
        cmocka_unit_test(reading_takes_its_time),
        cmocka_unit_test(loads_at_random_wait),
        cmocka_unit_test(footprints_are_what_came_between),
        cmocka_unit_test(copied_sums_move_between_threads),
        cmocka_unit_test(diagonals_end_at_the_border),
        cmocka_unit_test(columns_of_ell_are_read_in_pieces),
        cmocka_unit_test(diagonals_pass_through_vectors_again),
        cmocka_unit_test(a_pace_is_borrowed_until_it_is_measured),
        cmocka_unit_test(threads_copy_their_columns),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
