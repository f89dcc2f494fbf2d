/* The forecast of products with several vectors and with A^T on processors: times by hand, on processors that
 * do not exist, and those of a matrix that is transposed first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "formats/pool.h"
#include "kernels/cpu/csr.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"

static void check_close(double found, double expected, double apart)
{
    if (!(fabs(found - expected) <= apart)) fail_msg("%.9g is not %.9g", found, expected);
}

/* Rows of four entries in columns 0 to 3 of 8. */
static struct csr made_rows(int64_t rows)
{
    struct csr a = {.rows = rows, .cols = 8};
    a.row_ptr = malloc(((size_t)rows + 1) * sizeof *a.row_ptr);
    a.col = malloc((size_t)rows * 4 * sizeof *a.col);
    a.val = calloc((size_t)rows * 4, sizeof *a.val);
    for (int64_t i = 0; i <= rows; i++)
        a.row_ptr[i] = 4 * i;
    for (int64_t k = 0; k < 4 * rows; k++)
        a.col[k] = (int32_t)(k % 4);
    return a;
}

/* Processors that take 10 + n seconds for a row of n slots, so that a slot takes one, read this number of
 * bytes/s everywhere, and do not wait for loads at random. */
static struct processor made_processor(double read)
{
    struct processor processor = {.there = true, .threads = 4, .wake = 0.5, .alone = 0.125};
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        processor.whole[0][k] = processor.whole[1][k] = 1;
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        processor.read[0][k] = processor.read[1][k] = read;
    for (int k = 0; kernels[k]; k++) {
        if (kernels[k]->backend->devices || kernels[k]->backend->foreign) continue;
        struct loop_pace *loop = &processor.loop[processor.loops++];
        *loop = (struct loop_pace){.beyond = {{{1, 3}, 1}, {{1, 3}, 1}}};
        snprintf(loop->name, sizeof loop->name, "%s", kernels[k]->name);
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            loop->row[l] = 10 + processor_length[l];
    }
    return processor;
}

static struct prediction forecast_by(const struct processor *processor, const struct csr *a,
                                     const struct excerpt *excerpt, const struct kernel *kernel, int threads,
                                     struct product product, bool cold)
{
    struct pool pool = {.a = a};
    struct cpu_matrix matrix = {.a = a, .excerpt = excerpt};
    struct prediction predicted[2];
    struct kernel_choice choice = preparing_choice(kernel, "", PRECISION_F64, threads);
    const struct storage *plan;
    if (kernel == &kernel_cpu_csr_omp) choice.values.number[CSR_TRANSPOSED] = CSR_STORED;
    assert_int_equal(pool_plan(&pool, &choice.format, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(product_plain(product) ? cpu_forecast(processor, &matrix, &choice, plan, threads,
                                                           product, predicted, NULL, NULL)
                                            : cpu_forecast_product(processor, &matrix, &choice, plan, threads,
                                                                   product, predicted, NULL, NULL),
                     STATUS_OK);
    cpu_matrix_free(&matrix);
    pool_free(&pool);
    return predicted[cold];
}

static struct prediction forecast(const struct processor *processor, const struct csr *a,
                                  const struct kernel *kernel, int threads, struct product product, bool cold)
{
    return forecast_by(processor, a, NULL, kernel, threads, product, cold);
}

/* Memory is so fast that only loops count. Of 8 vectors a row of X is a whole vector of 64 bytes: 1.7 a slot
 * for CSR, but 4 for others; 35 a row. Vectors that lie one behind the other are turned: 2.5 an element of X
 * and Y. */
static void slots_and_rows_take_what_their_width_says(void **state)
{
    const struct processor processor = made_processor(1e30);
    struct csr a = made_rows(100);
    struct product eight = {.columns = 8, .by_rows = true}, all = {.columns = 64};
    struct prediction p = forecast(&processor, &a, &kernel_cpu_csr_seq, 1, eight, false);
    assert_true(p.there && p.bound == BOUND_ARITHMETIC && strcmp(p.machine, "cpu") == 0);
    assert_true(p.low < p.seconds && p.seconds < p.high);
    check_close(p.seconds, 100 * 35 + 400 * 1.7, 1e-6);
    check_close(forecast(&processor, &a, &kernel_cpu_csr_omp, 4, eight, false).seconds, 4180.0 / 4 + 0.5,
                1e-6);
    check_close(forecast(&processor, &a, &kernel_cpu_ell_seq, 1, eight, false).seconds, 3500 + 400 * 4, 1e-6);
    eight.by_rows = false;
    check_close(forecast(&processor, &a, &kernel_cpu_csr_seq, 1, eight, false).seconds,
                4180 + 2.5 * 8 * (8 + 100), 1e-6);
    /* Two blocks of 32 vectors: half a unit for each 8 bytes of a slot, 2.1 for those of a row. */
    check_close(forecast(&processor, &a, &kernel_cpu_csr_seq, 1, all, false).seconds,
                2 * (100 * 67.2 + 400 * 16) + 2.5 * 64 * 108, 1e-6);
    /* Added to Y: 3.7 a slot at least, 14 a row and 1.4 for each 8 bytes. */
    eight = (struct product){.transposed = true, .columns = 8, .by_rows = true};
    check_close(forecast(&processor, &a, &kernel_cpu_csr_seq, 1, eight, false).seconds,
                100 * (14 + 1.4 * 8) + 400 * 3.7, 1e-6);
    csr_free(&a);
}

/* The moved bytes in kilobytes, since a second moves one: the arrays for each block of vectors, Y twice, X
 * and its copy; and of X the three lines behind the first of each element, and four where lines are in
 * order. */
static void bytes_count_for_each_block(void **state)
{
    const struct processor processor = made_processor(1000);
    struct csr a = made_rows(100);
    struct prediction p =
        forecast(&processor, &a, &kernel_cpu_csr_seq, 1, (struct product){.columns = 64}, true);
    const double arrays = 400 * 12 + 101 * 4, x = 64 * 8 * 8, y = 64 * 8 * 100;
    const double behind = (4 * 3 + 3 * 1 + 3 * 396) * 64;
    check_close(p.term[BOUND_DRAM], (2 * arrays + 2 * y + 3 * x + 2 * behind) / 1000, 1e-6);
    csr_free(&a);
}

/* Two threads meet the same columns of A: one adds to Y, the other has a copy, which is cleared, added to and
 * read. */
static void sums_are_copied_where_threads_meet(void **state)
{
    const struct processor processor = made_processor(1000);
    struct csr a = made_rows(100);
    const struct product product = {.transposed = true, .columns = 8, .by_rows = true};
    struct prediction p = forecast(&processor, &a, &kernel_cpu_coo_omp, 2, product, true);
    const double arrays = 400 * 16, x = 100 * 64, y = 8 * 64, copies = 4 * 64;
    const double in_order = 3 * 64 / 2.0; /* three of the four lines, by each thread */
    check_close(p.term[BOUND_DRAM], 3 * (arrays + x + 3 * y + 3 * copies + in_order) / 1000, 1e-6);
    check_close(p.term[BOUND_ARITHMETIC], (100 * 25.2 + 400 * 3.7 + 3 * copies / 1000) / 2, 1e-6);
    csr_free(&a);
}

static struct csr transpose(const struct csr *a)
{
    struct csr t = {.rows = a->cols, .cols = a->rows};
    int64_t k = 0;
    t.row_ptr = malloc(((size_t)t.rows + 1) * sizeof *t.row_ptr);
    t.col = malloc((size_t)csr_nnz(a) * sizeof *t.col);
    t.val = calloc((size_t)csr_nnz(a), sizeof *t.val);
    for (int64_t j = 0; j < t.rows; j++) {
        t.row_ptr[j] = k;
        for (int64_t i = 0; i < a->rows; i++)
            for (int64_t e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++)
                if (a->col[e] == j) t.col[k++] = (int32_t)i;
    }
    t.row_ptr[t.rows] = k;
    return t;
}

/* A stored A^T takes the time of A for a matrix that is A^T. */
static void a_stored_transpose_is_like_a_matrix(void **state)
{
    static const struct kernel *const stores[] = {&kernel_cpu_csr_omp, &kernel_cpu_csr_balanced,
                                                  &kernel_cpu_csr_compact, &kernel_cpu_sell_omp};
    const struct processor processor = made_processor(1e5);
    struct csr a = support_matrix(200, 3000, 0.05, true, false, 1), t = transpose(&a);
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
        for (int columns = 1; columns <= (stores[k]->columns_max ? 8 : 1); columns += 7)
            for (int cold = 0; cold < 2; cold++) {
                struct product product = {.columns = columns, .by_rows = true};
                struct prediction expected = forecast(&processor, &t, stores[k], 3, product, cold);
                product.transposed = true;
                struct prediction found = forecast(&processor, &a, stores[k], 3, product, cold);
                assert_true(expected.there && found.there);
                check_close(found.seconds, expected.seconds, 1e-9 * expected.seconds);
            }
    assert_false(
        forecast(&processor, &a, &kernel_cpu_csr_compact, 3, (struct product){.columns = 2}, false).there);
    csr_free(&a);
    csr_free(&t);
}

/* For an excerpt A^T is assumed to be like A, as holds for random columns. */
static void an_excerpt_tells_about_as_much(void **state)
{
    static const struct kernel *const some[] = {&kernel_cpu_csr_balanced, &kernel_cpu_csr_omp,
                                                &kernel_cpu_sell_omp, &kernel_cpu_coo_omp};
    const struct processor processor = made_processor(1e6);
    struct csr a = support_matrix(3000, 3000, 0.01, false, false, 2);
    struct excerpt excerpt = {0};
    assert_int_equal(excerpt_of(&a, 30000, NULL, &excerpt, NULL), STATUS_OK);
    assert_true(excerpt.there && !excerpt.whole);
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        for (int columns = 1; columns <= 8; columns += 7) {
            const struct product product = {.transposed = true, .columns = columns};
            struct prediction all = forecast(&processor, &a, some[k], 2, product, false);
            struct prediction part = forecast_by(&processor, &a, &excerpt, some[k], 2, product, false);
            assert_true(all.there && part.there);
            check_close(part.seconds, all.seconds, 0.1 * all.seconds);
        }
    excerpt_free(&excerpt);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_and_rows_take_what_their_width_says),
        cmocka_unit_test(bytes_count_for_each_block),
        cmocka_unit_test(sums_are_copied_where_threads_meet),
        cmocka_unit_test(a_stored_transpose_is_like_a_matrix),
        cmocka_unit_test(an_excerpt_tells_about_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
