/* Tables of csr-swept. Products are computed from the tables alone, as a GPU would, and compared with a plain
 * loop. No two entries of a round add to the same sum. The work is cut evenly, and nothing leaks where memory
 * runs out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/sweeps.h"
#include "support/cmocka.h"
#include "support/storing.h"
#include "support/support.h"

/* Matrices: small whole numbers, so that sums are exact in any order, in single precision too */

enum kind {
    SHORT,      /* up to eight entries a row, anywhere */
    HUBS,       /* a few rows have thousands of entries, and half of the others none */
    FEW,        /* one row in ten has entries */
    ALL_IN_ONE, /* one row has all */
    TOGETHER,   /* rows whose entries are all in the same few columns */
    EMPTY,
    KINDS,
};

static int64_t length_of(enum kind kind, int64_t i, uint64_t *seed)
{
    switch (kind) {
    case SHORT:
        return support_random(seed, 9);
    case HUBS:
        return i % 300 == 7 ? 4000 : i % 2 ? 3 : 0;
    case FEW:
        return i % 10 == 3 ? 1 + support_random(seed, 30) : 0;
    case ALL_IN_ONE:
        return i == 5 ? 9000 : 0;
    case TOGETHER:
        return 12;
    default:
        return 0;
    }
}

static struct csr make_matrix(enum kind kind, int64_t rows, int64_t cols)
{
    struct csr a = {.rows = rows, .cols = cols};
    uint64_t seed = (uint64_t)kind + 7;
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + length_of(kind, i, &seed);
    a.col = memory_array((size_t)csr_nnz(&a), sizeof *a.col, NULL);
    a.val = memory_array((size_t)csr_nnz(&a), sizeof *a.val, NULL);
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = a.row_ptr[i + 1] - a.row_ptr[i];
        for (int64_t k = 0; k < count; k++) {
            int64_t width = kind == TOGETHER ? 1 : cols / count;
            int64_t first = kind == TOGETHER ? i / 100 * 20 : 0;
            a.col[a.row_ptr[i] + k] = (int32_t)(first + k * width + support_random(&seed, (uint32_t)width));
            a.val[a.row_ptr[i] + k] = (double)support_random(&seed, 7) - 3;
        }
    }
    return a;
}

static double x_at(int64_t j)
{
    return (double)(j * 2654435761u % 7) - 3;
}

static struct storage store(const struct csr *a, enum precision precision)
{
    const struct storing options = {.precision = precision};
    struct storage storage = storing_done(&format_csr, "", &options, a);
    return storage;
}

/* A product from the tables */

struct evaluation {
    const struct storage *storage;
    const struct sweeps *sweeps;
    int threads;
    double *y; /* NaN in rows that have not been stored yet */
    double *sums, *partials;
    int64_t *used; /* of a sum: the round that has added to it last */
    int64_t taken; /* entries */
};

static double value_at(const struct evaluation *v, int64_t e)
{
    return v->storage->precision == PRECISION_F32 ? ((const float *)v->sweeps->values)[e]
                                                  : ((const double *)v->sweeps->values)[e];
}

static void put_row(struct evaluation *v, int64_t row, double sum)
{
    assert_in_range(row, 0, v->storage->rows - 1);
    if (!isnan(v->y[row])) fail_msg("row %lld is put twice", (long long)row);
    v->y[row] = sum;
}

static void sweep(struct evaluation *v, const struct sweep_piece *piece)
{
    const struct sweeps *sweeps = v->sweeps;
    for (int s = 0; s < sweeps->sums; s++) {
        v->sums[s] = 0;
        v->used[s] = -1;
    }
    for (int64_t round = 0; round < piece->rounds; round++)
        for (int t = 0; t < v->threads; t++) {
            int64_t e = piece->group * SWEEP_LANES + round * v->threads + t;
            uint32_t sum = sweeps->places[e] >> 16;
            if (sum == SWEEP_NONE) {
                assert_true(value_at(v, e) == 0);
                continue;
            }
            assert_in_range(sum, 0, sweeps->sums - 1);
            if (v->used[sum] == round) fail_msg("sum %u is used twice in a round", sum);
            v->used[sum] = round;
            int64_t j = sweeps->bases[e / SWEEP_LANES] + (int64_t)(sweeps->places[e] & 0xffff);
            assert_in_range(j, 0, v->storage->cols - 1);
            v->sums[sum] += value_at(v, e) * x_at(j);
            v->taken++;
        }
    for (int c = piece->copies; c < piece->copies + piece->copied; c++)
        for (int k = 0; k < sweeps->copies[c].count; k++)
            v->sums[sweeps->copies[c].sum] += v->sums[sweeps->copies[c].first + k];
    for (int32_t r = 0; r < piece->rows; r++)
        if (piece->partials >= 0)
            v->partials[piece->partials + r] = v->sums[sweep_sum(r)];
        else
            put_row(v, piece->row + r, v->sums[sweep_sum(r)]);
}

static void join(struct evaluation *v, const struct sweep_join *join)
{
    assert_in_range(join->rows, 1, SWEEP_JOIN);
    for (int32_t i = 0; i < join->rows; i++) {
        double sum = 0;
        for (int32_t k = 0; k < join->pieces; k++)
            sum += v->partials[join->partials + i + (int64_t)k * join->stride];
        put_row(v, join->row + i, sum);
    }
}

static void expect_product(const struct csr *a, const struct storage *storage, const struct sweeps *sweeps,
                           int threads)
{
    struct evaluation v = {.storage = storage, .sweeps = sweeps, .threads = threads};
    v.y = memory_array((size_t)a->rows, sizeof *v.y, NULL);
    v.sums = memory_array((size_t)sweeps->sums, sizeof *v.sums, NULL);
    v.used = memory_array((size_t)sweeps->sums, sizeof *v.used, NULL);
    v.partials = memory_array((size_t)sweeps->partials, sizeof *v.partials, NULL);
    for (int64_t i = 0; i < a->rows; i++)
        v.y[i] = NAN;
    for (int64_t k = 0; k < sweeps->partials; k++)
        v.partials[k] = NAN;
    for (int32_t p = 0; p < sweeps->count; p++)
        sweep(&v, &sweeps->pieces[p]);
    for (int32_t k = 0; k < sweeps->joined; k++)
        join(&v, &sweeps->joins[k]);
    assert_int_equal(v.taken, csr_nnz(a));
    for (int64_t i = 0; i < a->rows; i++) {
        double wanted = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            wanted += a->val[k] * x_at(a->col[k]);
        if (!(v.y[i] == wanted)) fail_msg("row %lld is %g instead of %g", (long long)i, v.y[i], wanted);
    }
    free(v.y);
    free(v.sums);
    free(v.used);
    free(v.partials);
}

static void sweeps_give_the_product(void **state)
{
    static const struct sweep_plan plans[] = {{20000, 1024, 0, 132, 0},
                                              {64, 32, 0, 3, 0},
                                              {500, 128, 5, 4, 0},
                                              {70, 64, 1, 1, 0},
                                              {65535, 32, 0, 2, 0}};
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t cols = 9001; cols <= 9001 * 1500; cols *= 1500)
            for (size_t k = 0; k < 2 * sizeof plans / sizeof *plans; k++) {
                /* Bands of few rows spread their columns too far apart, and are refused. */
                if (cols > 9001 && plans[k / 2].sums < 20000) continue;
                struct csr a = make_matrix(kind, kind == TOGETHER ? 1203 : 2003, cols);
                struct storage storage = store(&a, k % 2);
                struct sweeps sweeps;
                assert_int_equal(sweeps_make(&storage, &plans[k / 2], &sweeps, NULL), STATUS_OK);
                assert_true(sweeps.sums <= plans[k / 2].sums);
                expect_product(&a, &storage, &sweeps, plans[k / 2].threads);
                sweeps_free(&sweeps);
                sweeps_free(&sweeps);
                storage_free(&storage);
                csr_free(&a);
            }
}

/* Within a piece, successive entries have nearby columns: even if rows are scattered, a group touches fewer
 * sectors of x than it has entries. The multiprocessors get about equally many rounds. */
static void columns_are_near_each_other_and_work_is_even(void **state)
{
    const struct sweep_plan plan = {2000, 64, 0, 8, 0};
    struct csr a = make_matrix(SHORT, 20000, 9001);
    struct storage storage = store(&a, PRECISION_F64);
    struct sweeps sweeps;
    int64_t sectors = 0, rounds = 0, most = 0;
    assert_int_equal(sweeps_make(&storage, &plan, &sweeps, NULL), STATUS_OK);
    for (int64_t g = 0; g < sweeps.groups; g++) {
        int64_t met[SWEEP_LANES];
        int count = 0;
        for (int l = 0; l < SWEEP_LANES; l++) {
            uint32_t place = sweeps.places[g * SWEEP_LANES + l];
            int64_t sector = (sweeps.bases[g] + (int64_t)(place & 0xffff)) / 4;
            bool known = place >> 16 == SWEEP_NONE;
            for (int k = 0; k < count; k++)
                known |= met[k] == sector;
            if (!known) met[count++] = sector;
        }
        sectors += count;
    }
    assert_true(sectors < csr_nnz(&a) / 2);
    for (int32_t p = 0; p < sweeps.count; p++) {
        rounds += sweeps.pieces[p].rounds;
        most = max(most, sweeps.pieces[p].rounds);
        if (p > 0) assert_true(sweeps.pieces[p].rounds <= sweeps.pieces[p - 1].rounds);
    }
    assert_int_equal(rounds * 2, sweeps.groups);
    assert_true((double)most * sweeps.count < 1.3 * (double)rounds);
    sweeps_free(&sweeps);
    storage_free(&storage);
    csr_free(&a);
}

/* Half a warp is served at once. Its lanes use different banks as far as possible: the two halves share out
 * the sums of a bank to within one. */
static void banks_are_dealt_out(void **state)
{
    const struct sweep_plan plan = {3000, 64, 0, 4, 0};
    struct csr a = make_matrix(SHORT, 9000, 9001);
    struct storage storage = store(&a, PRECISION_F64);
    struct sweeps sweeps;
    assert_int_equal(sweeps_make(&storage, &plan, &sweeps, NULL), STATUS_OK);
    for (int64_t g = 0; g < sweeps.groups; g++) {
        int count[2][16] = {{0}};
        for (int l = 0; l < SWEEP_LANES; l++) {
            uint32_t sum = sweeps.places[g * SWEEP_LANES + l] >> 16;
            if (sum != SWEEP_NONE) count[l / 16][sum % 16]++;
        }
        for (int bank = 0; bank < 16; bank++)
            assert_true(abs(count[0][bank] - count[1][bank]) <= 1);
    }
    sweeps_free(&sweeps);
    storage_free(&storage);
    csr_free(&a);
}

/* 32 successive rows have 32 successive sums, in another order. */
static void sums_of_rows_are_a_permutation(void **state)
{
    for (int32_t first = 0; first < 65504; first += 32) {
        uint32_t met = 0;
        for (int32_t r = first; r < first + 32; r++) {
            assert_int_equal(sweep_sum(r) / 32, r / 32);
            met |= (uint32_t)1 << sweep_sum(r) % 32;
        }
        assert_int_equal(met, UINT32_MAX);
    }
}

static void tables_are_held_against_the_limit(void **state)
{
    struct sweep_plan plan = {2000, 64, 0, 8, 1000};
    struct csr a = make_matrix(SHORT, 2000, 9001);
    struct storage storage = store(&a, PRECISION_F64);
    struct sweeps sweeps;
    assert_int_equal(sweeps_make(&storage, &plan, &sweeps, NULL), STATUS_LIMIT);
    assert_null(sweeps.places);
    storage_free(&storage);
    csr_free(&a);
}

/* A matrix whose rows are all in the same columns leaves most of a round empty, and is refused. */
static void excessive_padding_is_refused(void **state)
{
    enum { BLOCK = 16, BLOCKS = 8000 };
    const struct sweep_plan plan = {20000, 1024, 1, 1, 0};
    struct csr a = {.rows = BLOCK, .cols = (int64_t)BLOCK * BLOCKS};
    struct storage storage;
    struct sweeps sweeps;
    struct error error = {0};
    /* Row r has the columns from r cols / BLOCK on: in the order of columns, one row follows the other. */
    a.row_ptr = memory_zeroed(BLOCK + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)BLOCK * BLOCKS, sizeof *a.col, NULL);
    a.val = memory_array((size_t)BLOCK * BLOCKS, sizeof *a.val, NULL);
    for (int64_t i = 0; i < BLOCK; i++) {
        a.row_ptr[i + 1] = (i + 1) * BLOCKS;
        for (int64_t k = 0; k < BLOCKS; k++) {
            a.col[i * BLOCKS + k] = (int32_t)(i * BLOCKS + k);
            a.val[i * BLOCKS + k] = 1;
        }
    }
    storage = store(&a, PRECISION_F64);
    assert_int_equal(sweeps_make(&storage, &plan, &sweeps, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "128000 entries"));
    assert_null(sweeps.pieces);
    sweeps_free(&sweeps);
    storage_free(&storage);
    csr_free(&a);
}

static void nothing_is_left_where_memory_runs_out(void **state)
{
    const struct sweep_plan plan = {500, 64, 0, 4, 0};
    struct csr a = make_matrix(HUBS, 2003, 9001);
    struct storage storage = store(&a, PRECISION_F64);
    bool done = false;
    for (long k = 0; !done; k++) {
        struct sweeps sweeps;
        memory_fail_after(k);
        enum status status = sweeps_make(&storage, &plan, &sweeps, NULL);
        memory_fail_after(-1);
        done = status == STATUS_OK;
        if (!done) assert_int_equal(status, STATUS_MEMORY);
        if (!done) assert_null(sweeps.pieces);
        sweeps_free(&sweeps);
        assert_true(k < 1000);
    }
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_give_the_product),
        cmocka_unit_test(columns_are_near_each_other_and_work_is_even),
        cmocka_unit_test(banks_are_dealt_out),
        cmocka_unit_test(sums_of_rows_are_a_permutation),
        cmocka_unit_test(tables_are_held_against_the_limit),
        cmocka_unit_test(excessive_padding_is_refused),
        cmocka_unit_test(nothing_is_left_where_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
