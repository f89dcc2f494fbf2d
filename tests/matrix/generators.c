/* The generators: each against its definition or a plain loop of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/generate.h"

/* Row i of A times (1, 1, ..., 1). */
static double row_sum(const struct csr *a, int64_t i)
{
    double sum = 0;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        sum += a->val[k];
    return sum;
}

static void stencils_equal_their_definition(void **state)
{
    static const struct {
        const char *specification;
        int nx, ny, nz;
        int reach; /* most steps along the axes, added up, to a neighbour */
        double centre;
    } cases[] = {
        {"laplace2d,nx=5,ny=4", 5, 4, 1, 1, 4},
        {"laplace3d,nx=3,ny=5,nz=4", 3, 5, 4, 1, 6},
        {"stencil27,nx=4,ny=3,nz=5", 4, 3, 5, 3, 26},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct matrix matrix = generated(cases[c].specification);
        int nx = cases[c].nx, ny = cases[c].ny, n = nx * ny * cases[c].nz;
        assert_int_equal(matrix.csr.rows, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int dx = abs(i % nx - j % nx), dy = abs(i / nx % ny - j / nx % ny),
                    dz = abs(i / nx / ny - j / nx / ny);
                bool near = dx <= 1 && dy <= 1 && dz <= 1 && dx + dy + dz <= cases[c].reach;
                double wanted = i == j ? cases[c].centre : near ? -1 : 0;
                assert_true(value_at(&matrix.csr, i, j) == wanted);
            }
        assert_true(is_symmetric(&matrix.csr));
        matrix_free(&matrix);
    }
}

static void inner_rows_of_stencils_sum_to_zero(void **state)
{
    struct matrix matrix = generated("stencil27,n=5");
    int64_t centre = 2 + 5 * (2 + 5 * 2);
    assert_true(row_sum(&matrix.csr, centre) == 0);
    assert_true(row_sum(&matrix.csr, 0) == 26 - 7);
    matrix_free(&matrix);
}

/* Nested dissection renumbers the Laplacian of the same grid: row lengths and row sums are the same, and the
 * graph is connected. The last rows are the first cut. */
static void dissection_is_a_laplacian_renumbered(void **state)
{
    struct matrix plain = generated("laplace2d,nx=13,ny=8"), cut = generated("dissection,nx=13,ny=8");
    int64_t lengths[2][6] = {{0}};
    assert_true(is_symmetric(&cut.csr));
    for (int64_t i = 0; i < 104; i++) {
        lengths[0][plain.csr.row_ptr[i + 1] - plain.csr.row_ptr[i]]++;
        lengths[1][cut.csr.row_ptr[i + 1] - cut.csr.row_ptr[i]]++;
        assert_true(value_at(&cut.csr, i, i) == 4);
        assert_true(row_sum(&cut.csr, i) == 5 - (double)(cut.csr.row_ptr[i + 1] - cut.csr.row_ptr[i]));
    }
    assert_memory_equal(lengths[0], lengths[1], sizeof lengths[0]);
    /* The line x = 6 comes last (8 points); no entry joins the 48 points left of it to the 48 on its right.
     */
    for (int64_t i = 0; i < 48; i++)
        for (int64_t j = 48; j < 96; j++)
            assert_true(csr_find(&cut.csr, i, j) < 0);
    for (int64_t i = 96; i < 103; i++)
        assert_true(value_at(&cut.csr, i, i + 1) == -1);
    matrix_free(&plain);
    matrix_free(&cut);
}

static void bands_keep_to_the_band(void **state)
{
    struct matrix matrix = generated("banded,n=2000,lower=40,upper=60,fill=0.25,seed=7");
    const struct csr *a = &matrix.csr;
    for (int64_t i = 0; i < a->rows; i++) {
        assert_true(csr_find(a, i, i) >= 0);
        assert_in_range(a->col[a->row_ptr[i]], i < 40 ? 0 : i - 40, i);
        assert_in_range(a->col[a->row_ptr[i + 1] - 1], i, i + 60 < 2000 ? i + 60 : 1999);
    }
    /* Positions off the diagonal: 100 n - 40*41/2 - 60*61/2 = 197350; a quarter of them, and the row lengths
     * are rounded at random with a standard deviation of at most 1/2 each, 22 in all. */
    assert_true(fabs((double)csr_nnz(a) - 2000 - 197350 / 4.0) < 6 * 22.4);
    matrix_free(&matrix);
}

static void places_are_uniform(void **state)
{
    /* 40000 draws into 64 columns: chi-squared has mean 63 and standard deviation 11.2. */
    static const char *const specifications[] = {"random,m=4000,n=64,mean=10", "random,m=20000,n=64,mean=2",
                                                 "random,m=20000,n=64,mean=1"};
    for (size_t s = 0; s < 3; s++) {
        struct matrix matrix = generated(specifications[s]);
        int64_t counts[64] = {0}, nnz = csr_nnz(&matrix.csr);
        double squares = 0, mean = (double)nnz / 64;
        for (int64_t k = 0; k < nnz; k++)
            counts[matrix.csr.col[k]]++;
        for (int j = 0; j < 64; j++)
            squares += ((double)counts[j] - mean) * ((double)counts[j] - mean) / mean;
        assert_true(squares < 63 + 6 * 11.2);
        matrix_free(&matrix);
    }
}

static void lengths_have_the_mean_and_spread_asked_for(void **state)
{
    struct matrix matrix = generated("random,m=20000,n=5000,mean=7.5,spread=3.25,seed=3");
    const int64_t *row_ptr = matrix.csr.row_ptr;
    int64_t min = 100, max = 0;
    for (int64_t i = 0; i < 20000; i++) {
        int64_t length = row_ptr[i + 1] - row_ptr[i];
        min = length < min ? length : min;
        max = length > max ? length : max;
    }
    assert_int_equal(min, 4);  /* 7.5 - 3.25 = 4.25, rounded down now and then */
    assert_int_equal(max, 11); /* 7.5 + 3.25 = 10.75, rounded up now and then */
    /* Variance of a length: 3.25^2 / 3 and at most 1/4 for rounding; so 1.94 / sqrt(20000) for the mean. */
    assert_true(fabs((double)csr_nnz(&matrix.csr) / 20000 - 7.5) < 6 * 1.94 / sqrt(20000));
    matrix_free(&matrix);
}

static void values_are_random_and_never_zero(void **state)
{
    struct matrix matrix = generated("dense,m=300"), other = generated("dense,m=300,seed=2");
    double sum = 0, squares = 0;
    int64_t nnz = csr_nnz(&matrix.csr), same = 0;
    for (int64_t k = 0; k < nnz; k++) {
        double v = matrix.csr.val[k];
        assert_true(v > -1 && v < 1 && v != 0);
        sum += v;
        squares += v * v;
        same += v == other.csr.val[k];
    }
    assert_int_equal(same, 0);
    assert_true(fabs(sum / (double)nnz) < 6 / sqrt(3.0 * (double)nnz));
    assert_true(fabs(squares / (double)nnz - 1.0 / 3) < 6 * 0.3 / sqrt((double)nnz));
    matrix_free(&matrix);
    matrix_free(&other);
}

static void permutations_are_permutations(void **state)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1000, 4097};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char specification[64], seen[4097] = {0};
        snprintf(specification, sizeof specification, "permutation,n=%d,seed=5", sizes[s]);
        struct matrix matrix = generated(specification);
        int fixed = 0;
        for (int i = 0; i < sizes[s]; i++) {
            assert_int_equal(matrix.csr.row_ptr[i], i);
            assert_int_equal(seen[matrix.csr.col[i]]++, 0);
            assert_true(matrix.csr.val[i] == 1);
            fixed += matrix.csr.col[i] == i;
        }
        if (sizes[s] > 100) assert_in_range(fixed, 0, 9);
        assert_int_equal(matrix.field, FIELD_PATTERN);
        matrix_free(&matrix);
    }
}

/* All 24 permutations of 4 are about equally frequent: 2400 seeds, chi-squared with mean 23, deviation
 * 6.8. */
static void permutations_are_uniform(void **state)
{
    int counts[256] = {0}, kinds = 0;
    double squares = 0;
    for (int seed = 0; seed < 2400; seed++) {
        char specification[64];
        snprintf(specification, sizeof specification, "permutation,n=4,seed=%d", seed);
        struct matrix matrix = generated(specification);
        const int32_t *col = matrix.csr.col;
        counts[col[0] | col[1] << 2 | col[2] << 4 | col[3] << 6]++;
        matrix_free(&matrix);
    }
    for (int k = 0; k < 256; k++)
        if (counts[k]) {
            kinds++;
            squares += (counts[k] - 100.0) * (counts[k] - 100.0) / 100;
        }
    assert_int_equal(kinds, 24);
    assert_true(squares < 23 + 6 * 6.8);
}

static void arrows_are_arrows(void **state)
{
    struct matrix matrix = generated("arrow,n=20,width=2");
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            assert_true(value_at(&matrix.csr, i, j) == (i == j ? 20 : i < 2 || j < 2 ? -1 : 0));
    matrix_free(&matrix);
}

static void blocks_are_whole(void **state)
{
    struct matrix matrix = generated("blocks,n=203,size=5,mean=4,spread=2");
    const struct csr *a = &matrix.csr;
    for (int64_t i = 0; i < 203; i++)
        for (int64_t j = 0; j < 203; j++)
            assert_int_equal(csr_find(a, i, j) >= 0, csr_find(a, i / 5 * 5, j / 5 * 5) >= 0);
    assert_in_range(a->row_ptr[1], 2 * 5 - 2, 6 * 5);
    matrix_free(&matrix);
}

/* R-MAT drawn again from its definition: mix() and the keys are written out here. */

static uint64_t mix(uint64_t h)
{
    h ^= h >> 30;
    h *= UINT64_C(13787848793156543929);
    h ^= h >> 27;
    h *= UINT64_C(10723151780598845931);
    h ^= h >> 31;
    return h;
}

static const uint64_t golden = UINT64_C(11400714819323198485);

static uint64_t key(uint64_t seed, int stream, uint64_t i)
{
    return mix(mix(seed + (uint64_t)(stream + 1) * golden) + (i + 1) * golden);
}

static void powerlaw_equals_a_plain_recursion(void **state)
{
    enum { SCALE = 7, SIDE = 1 << SCALE, EDGES = 8 * SIDE };
    static char there[SIDE][SIDE];
    memset(there, 0, sizeof there);
    for (uint64_t e = 0; e < EDGES; e++) {
        int row = 0, col = 0;
        double u = 0;
        for (int level = 0, half = SIDE / 2; level < SCALE; level++, half /= 2) {
            if (level % 4 == 0)
                u = (double)(mix(key(9, 2, e) + (uint64_t)(level / 4 + 1) * golden) >> 11) / 9007199254740992;
            double low = u < 0.5 ? 0 : u < 0.75 ? 0.5 : u < 0.875 ? 0.75 : 0.875;
            double length = u < 0.5 ? 0.5 : u < 0.75 ? 0.25 : 0.125;
            if (low == 0.5) col += half;   /* b */
            if (low >= 0.75) row += half;  /* c and d */
            if (low == 0.875) col += half; /* d */
            u = (u - low) / length;
        }
        there[row][col] = 1;
    }
    struct matrix matrix = generated("powerlaw,scale=7,edge=8,a=0.5,b=0.25,c=0.125,seed=9");
    int64_t count = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            count += there[i][j];
            assert_int_equal(csr_find(&matrix.csr, i, j) >= 0, there[i][j]);
            if (there[i][j]) {
                double v = (double)(2 * (mix(key(9, 0, (uint64_t)i) + (uint64_t)(j + 1) * golden) >> 12) + 1);
                assert_true(value_at(&matrix.csr, i, j) == v / 4503599627370496 - 1);
            }
        }
    assert_int_equal(csr_nnz(&matrix.csr), count);
    assert_true(count < EDGES); /* some were drawn twice */
    matrix_free(&matrix);
}

/* A matrix of several parts keeps the sizes of the parts: for n = 1000 they are 400 = 20 x 20, 200, 166, 13
 * for the border, and the rest for the hubs. */
static void the_mosaic_is_made_of_its_parts(void **state)
{
    struct matrix matrix = generated("mosaic,n=1000"), mesh = generated("dissection,n=20"),
                  other = generated("mosaic,n=1000,seed=2");
    const struct csr *a = &matrix.csr;
    for (int64_t i = 0; i < 1000; i++) {
        assert_true(value_at(a, i, i) == 10);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t j = a->col[k];
            bool hubs = (i >= 766 && i < 987 && j < 987) || (j >= 766 && j < 987 && i < 987);
            if (!hubs) assert_true(value_at(a, j, i) == a->val[k]);
        }
    }
    for (int64_t i = 0; i < 400; i++)
        for (int64_t j = 0; j < 400; j++)
            assert_int_equal(csr_find(a, i, j) >= 0, csr_find(&mesh.csr, i, j) >= 0);
    for (int64_t i = 400; i < 600; i++)
        for (int64_t j = 400; j < 600; j++) {
            int64_t d = llabs(i - j);
            assert_int_equal(csr_find(a, i, j) >= 0, d < 2 || d == 14);
        }
    /* Blocks of 4, 8, 12, ... end at 4, 12, 24, ... = 2 k (k + 1). */
    for (int64_t i = 0; i < 166; i++)
        for (int64_t j = 0; j < 166; j++) {
            int64_t end = 0;
            for (int64_t k = 1; end <= i; k++)
                end = 2 * k * (k + 1);
            for (int64_t k = 1; 2 * k * (k + 1) <= end; k++)
                if (2 * k * (k + 1) == end)
                    assert_int_equal(csr_find(a, 600 + i, 600 + j) >= 0, j < end && j >= end - 4 * k);
        }
    /* Each row of the mesh is coupled with one band point and one block point. */
    for (int64_t i = 0; i < 400; i++)
        for (int part = 0; part < 2; part++) {
            int64_t first = csr_lower_bound(a, i, part ? 600 : 400),
                    end = csr_lower_bound(a, i, part ? 766 : 600);
            assert_int_equal(end - first, 1);
            assert_int_equal(a->col[first], part ? 600 + (399 - i) * 166 / 400 : 400 + i / 2);
        }
    assert_true(csr_nnz(a) != csr_nnz(&other.csr));
    matrix_free(&matrix);
    matrix_free(&mesh);
    matrix_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stencils_equal_their_definition),
        cmocka_unit_test(inner_rows_of_stencils_sum_to_zero),
        cmocka_unit_test(dissection_is_a_laplacian_renumbered),
        cmocka_unit_test(bands_keep_to_the_band),
        cmocka_unit_test(places_are_uniform),
        cmocka_unit_test(lengths_have_the_mean_and_spread_asked_for),
        cmocka_unit_test(values_are_random_and_never_zero),
        cmocka_unit_test(permutations_are_permutations),
        cmocka_unit_test(permutations_are_uniform),
        cmocka_unit_test(arrows_are_arrows),
        cmocka_unit_test(blocks_are_whole),
        cmocka_unit_test(powerlaw_equals_a_plain_recursion),
        cmocka_unit_test(the_mosaic_is_made_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
