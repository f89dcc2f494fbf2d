/* matrix/generate: every generator against closed forms or a plain loop of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generate.h"

static const struct load_options usual;

/* The matrix of a specification; it must be valid. */
static struct matrix made(const char *specification)
{
    struct matrix matrix = {0};
    struct error error = {0};
    if (generate_matrix(specification, &usual, NULL, &matrix, &error) != STATUS_OK)
        fail_msg("%s: %s", specification, error.message);
    if (csr_validate(&matrix.csr, &error) != STATUS_OK) fail_msg("%s: %s", specification, error.message);
    assert_string_equal(matrix.name, specification);
    assert_int_equal(matrix.stored, csr_nnz(&matrix.csr));
    assert_true(matrix.coordinate);
    return matrix;
}

/* 0 where there is no entry. */
static double value(const struct csr *a, int64_t i, int64_t j)
{
    int64_t k = csr_find(a, i, j);
    return k < 0 ? 0 : a->val[k];
}

static bool is_symmetric(const struct csr *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (csr_find(a, a->col[k], i) < 0 || value(a, a->col[k], i) != a->val[k]) return false;
    return true;
}

static bool equal(const struct csr *a, const struct csr *b)
{
    size_t nnz = (size_t)csr_nnz(a);
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->row_ptr, b->row_ptr, (size_t)(a->rows + 1) * sizeof *a->row_ptr) == 0 &&
           memcmp(a->col, b->col, nnz * sizeof *a->col) == 0 &&
           memcmp(a->val, b->val, nnz * sizeof *a->val) == 0;
}

static void sizes_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int64_t rows, cols, nnz;
    } cases[] = {
        /* 5 nx ny - 2 nx - 2 ny */
        {"laplace2d", 10000, 10000, 49600},
        {"laplace2d,n=1", 1, 1, 1},
        {"laplace2d,nx=7,ny=4", 28, 28, 118},
        {"laplace2d,n=3,ny=5", 15, 15, 59},
        /* 7 nx ny nz - 2 (nx ny + ny nz + nx nz) */
        {"laplace3d,n=10", 1000, 1000, 6400},
        {"laplace3d,nx=2,ny=3,nz=4", 24, 24, 116},
        /* (3 nx - 2) (3 ny - 2) (3 nz - 2) */
        {"stencil27,n=10", 1000, 1000, 21952},
        {"stencil27,nx=4,ny=1,nz=2", 8, 8, 40},
        {"dissection,n=33", 1089, 1089, 5313},
        {"dissection,nx=1,ny=9", 9, 9, 25},
        /* n^2 less two triangles outside the band */
        {"banded,n=100,lower=3,upper=5", 100, 100, 879},
        {"banded,n=5,lower=100", 5, 5, 25},
        {"banded,n=50,lower=0", 50, 50, 50},
        {"arrow,n=1000", 1000, 1000, 2998},
        {"arrow,n=1", 1, 1, 1},
        {"arrow,n=10,width=3", 10, 10, 58},
        {"arrow,n=10,width=30", 10, 10, 100},
        {"dense,m=30,n=40", 30, 40, 1200},
        {"dense,m=7", 7, 7, 49},
        {"random,m=500,n=300,mean=12", 500, 300, 6000},
        {"random,m=5,n=64,mean=64", 5, 64, 320},
        {"random,m=5,n=65,mean=64", 5, 65, 320},
        {"random,m=5,n=3,mean=0", 5, 3, 0},
        {"permutation,n=1", 1, 1, 1},
        {"permutation,n=1000", 1000, 1000, 1000},
        {"blocks,n=400,size=4,mean=6", 400, 400, 9600},
        {"blocks,n=10,size=4,mean=3", 10, 10, 100},
        {"powerlaw,scale=4,edge=0", 16, 16, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct matrix matrix = made(cases[k].specification);
        if (matrix.csr.rows != cases[k].rows || matrix.csr.cols != cases[k].cols ||
            csr_nnz(&matrix.csr) != cases[k].nnz)
            fail_msg("%s is %lld x %lld with %lld entries", cases[k].specification,
                     (long long)matrix.csr.rows, (long long)matrix.csr.cols, (long long)csr_nnz(&matrix.csr));
        matrix_free(&matrix);
    }
}

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
    (void)state;
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
        struct matrix matrix = made(cases[c].specification);
        int nx = cases[c].nx, ny = cases[c].ny, n = nx * ny * cases[c].nz;
        assert_int_equal(matrix.csr.rows, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int dx = abs(i % nx - j % nx), dy = abs(i / nx % ny - j / nx % ny),
                    dz = abs(i / nx / ny - j / nx / ny);
                bool near = dx <= 1 && dy <= 1 && dz <= 1 && dx + dy + dz <= cases[c].reach;
                double wanted = i == j ? cases[c].centre : near ? -1 : 0;
                assert_true(value(&matrix.csr, i, j) == wanted);
            }
        assert_true(is_symmetric(&matrix.csr));
        matrix_free(&matrix);
    }
}

static void inner_rows_of_stencils_sum_to_zero(void **state)
{
    (void)state;
    struct matrix matrix = made("stencil27,n=5");
    int64_t centre = 2 + 5 * (2 + 5 * 2);
    assert_true(row_sum(&matrix.csr, centre) == 0);
    assert_true(row_sum(&matrix.csr, 0) == 26 - 7);
    matrix_free(&matrix);
}

/* Nested dissection is the Laplacian of the same grid, renumbered: same row lengths and row sums, the walk
 * over the graph from any point reaches all. And the last place's rows are the first cut. */
static void dissection_is_a_laplacian_renumbered(void **state)
{
    (void)state;
    struct matrix plain = made("laplace2d,nx=13,ny=8"), cut = made("dissection,nx=13,ny=8");
    int64_t lengths[2][6] = {{0}};
    assert_true(is_symmetric(&cut.csr));
    for (int64_t i = 0; i < 104; i++) {
        lengths[0][plain.csr.row_ptr[i + 1] - plain.csr.row_ptr[i]]++;
        lengths[1][cut.csr.row_ptr[i + 1] - cut.csr.row_ptr[i]]++;
        assert_true(value(&cut.csr, i, i) == 4);
        assert_true(row_sum(&cut.csr, i) == 5 - (double)(cut.csr.row_ptr[i + 1] - cut.csr.row_ptr[i]));
    }
    assert_memory_equal(lengths[0], lengths[1], sizeof lengths[0]);
    /* The line x = 6 comes last (8 points); no entry joins the 48 points left of it to the 48 on its right.
     */
    for (int64_t i = 0; i < 48; i++)
        for (int64_t j = 48; j < 96; j++)
            assert_true(csr_find(&cut.csr, i, j) < 0);
    for (int64_t i = 96; i < 103; i++)
        assert_true(value(&cut.csr, i, i + 1) == -1);
    matrix_free(&plain);
    matrix_free(&cut);
}

static void bands_keep_to_the_band(void **state)
{
    (void)state;
    struct matrix matrix = made("banded,n=2000,lower=40,upper=60,fill=0.25,seed=7");
    const struct csr *a = &matrix.csr;
    for (int64_t i = 0; i < a->rows; i++) {
        assert_true(csr_find(a, i, i) >= 0);
        assert_in_range(a->col[a->row_ptr[i]], i < 40 ? 0 : i - 40, i);
        assert_in_range(a->col[a->row_ptr[i + 1] - 1], i, i + 60 < 2000 ? i + 60 : 1999);
    }
    /* Places off the diagonal: 100 n - 40*41/2 - 60*61/2 = 197350; a quarter of them, and the row lengths
     * are rounded at random with a standard deviation of at most 1/2 each, 22 in all. */
    assert_true(fabs((double)csr_nnz(a) - 2000 - 197350 / 4.0) < 6 * 22.4);
    matrix_free(&matrix);
}

static void places_are_uniform(void **state)
{
    (void)state;
    /* 40000 draws into 64 columns: chi-squared has mean 63 and standard deviation 11.2. */
    static const char *const specifications[] = {"random,m=4000,n=64,mean=10", "random,m=20000,n=64,mean=2",
                                                 "random,m=20000,n=64,mean=1"};
    for (size_t s = 0; s < 3; s++) {
        struct matrix matrix = made(specifications[s]);
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
    (void)state;
    struct matrix matrix = made("random,m=20000,n=5000,mean=7.5,spread=3.25,seed=3");
    const int64_t *row_ptr = matrix.csr.row_ptr;
    int64_t least = 100, most = 0;
    for (int64_t i = 0; i < 20000; i++) {
        int64_t length = row_ptr[i + 1] - row_ptr[i];
        least = length < least ? length : least;
        most = length > most ? length : most;
    }
    assert_int_equal(least, 4); /* 7.5 - 3.25 = 4.25, rounded down now and then */
    assert_int_equal(most, 11); /* 7.5 + 3.25 = 10.75, rounded up now and then */
    /* Variance of a length: 3.25^2 / 3 and at most 1/4 for rounding; so 1.94 / sqrt(20000) for the mean. */
    assert_true(fabs((double)csr_nnz(&matrix.csr) / 20000 - 7.5) < 6 * 1.94 / sqrt(20000));
    matrix_free(&matrix);
}

static void values_are_random_and_never_zero(void **state)
{
    (void)state;
    struct matrix matrix = made("dense,m=300"), other = made("dense,m=300,seed=2");
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
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1000, 4097};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char specification[64], seen[4097] = {0};
        snprintf(specification, sizeof specification, "permutation,n=%d,seed=5", sizes[s]);
        struct matrix matrix = made(specification);
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

/* All 24 permutations of 4 come about equally often: 2400 seeds, chi-squared with mean 23, deviation 6.8. */
static void permutations_are_uniform(void **state)
{
    (void)state;
    int counts[256] = {0}, kinds = 0;
    double squares = 0;
    for (int seed = 0; seed < 2400; seed++) {
        char specification[64];
        snprintf(specification, sizeof specification, "permutation,n=4,seed=%d", seed);
        struct matrix matrix = made(specification);
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
    (void)state;
    struct matrix matrix = made("arrow,n=20,width=2");
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            assert_true(value(&matrix.csr, i, j) == (i == j ? 20 : i < 2 || j < 2 ? -1 : 0));
    matrix_free(&matrix);
}

static void blocks_are_whole(void **state)
{
    (void)state;
    struct matrix matrix = made("blocks,n=203,size=5,mean=4,spread=2");
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
    (void)state;
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
    struct matrix matrix = made("powerlaw,scale=7,edge=8,a=0.5,b=0.25,c=0.125,seed=9");
    int64_t count = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            count += there[i][j];
            assert_int_equal(csr_find(&matrix.csr, i, j) >= 0, there[i][j]);
            if (there[i][j]) {
                double v = (double)(2 * (mix(key(9, 0, (uint64_t)i) + (uint64_t)(j + 1) * golden) >> 12) + 1);
                assert_true(value(&matrix.csr, i, j) == v / 4503599627370496 - 1);
            }
        }
    assert_int_equal(csr_nnz(&matrix.csr), count);
    assert_true(count < EDGES); /* some were drawn twice */
    matrix_free(&matrix);
}

/* What a matrix of several parts must keep: sizes of the parts for n = 1000 are 400 = 20 x 20, 200, 166, 13
 * for the border, and what is left for the hubs. */
static void the_mosaic_is_made_of_its_parts(void **state)
{
    (void)state;
    struct matrix matrix = made("mosaic,n=1000"), mesh = made("dissection,n=20"),
                  other = made("mosaic,n=1000,seed=2");
    const struct csr *a = &matrix.csr;
    for (int64_t i = 0; i < 1000; i++) {
        assert_true(value(a, i, i) == 10);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t j = a->col[k];
            bool hubs = (i >= 766 && i < 987 && j < 987) || (j >= 766 && j < 987 && i < 987);
            if (!hubs) assert_true(value(a, j, i) == a->val[k]);
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

static const char *tile_file(const char *text)
{
    static char name[64];
    snprintf(name, sizeof name, "tile-test,copies,n=%ld.mtx", (long)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return name;
}

/* Commas in the file's name, and "n=", which is no parameter of tile. */
static void tiles_repeat_a_file(void **state)
{
    (void)state;
    char specification[256];
    const char *name = tile_file("%%MatrixMarket matrix coordinate complex general\n2 3 3\n"
                                 "1 1 2 -1\n1 3 3 0.5\n2 2 4 0\n");
    for (int order = 0; order < 2; order++) {
        snprintf(specification, sizeof specification,
                 order ? "tile,copies=3,file=%s" : "tile,file=%s,copies=3", name);
        struct matrix matrix = made(specification);
        assert_true(matrix.csr.rows == 6 && matrix.csr.cols == 9 && csr_nnz(&matrix.csr) == 9);
        assert_int_equal(matrix.field, FIELD_COMPLEX);
        for (int c = 0; c < 3; c++) {
            int64_t k = 3 * c;
            assert_int_equal(matrix.csr.row_ptr[2 * c], k);
            assert_int_equal(matrix.csr.row_ptr[2 * c + 1], k + 2);
            assert_true(matrix.csr.col[k] == 3 * c && matrix.csr.col[k + 1] == 3 * c + 2 &&
                        matrix.csr.col[k + 2] == 3 * c + 1);
            assert_true(matrix.csr.val[k] == 2 && matrix.csr.val[k + 1] == 3 && matrix.csr.val[k + 2] == 4);
            assert_true(matrix.csr.imaginary[k] == -1 && matrix.csr.imaginary[k + 1] == 0.5 &&
                        matrix.csr.imaginary[k + 2] == 0);
        }
        matrix_free(&matrix);
    }
    snprintf(specification, sizeof specification, "tile,file=%s,copies=1e9", name);
    struct matrix matrix = {0};
    struct error error = {0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), STATUS_LIMIT);
    matrix_free(&matrix);
    unlink(name);
    error = (struct error){0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), STATUS_IO);
    matrix_free(&matrix);
}

static void tiles_repeat_what_is_generated(void **state)
{
    (void)state;
    struct matrix whole = made("tile,file=gen:banded,n=30,lower=2,upper=1,copies=4"),
                  one = made("banded,n=30,lower=2,upper=1");
    assert_int_equal(whole.csr.rows, 120);
    assert_int_equal(csr_nnz(&whole.csr), 4 * csr_nnz(&one.csr));
    for (int64_t i = 0; i < 120; i++)
        for (int64_t j = 0; j < 120; j++)
            assert_true(value(&whole.csr, i, j) == (i / 30 == j / 30 ? value(&one.csr, i % 30, j % 30) : 0));
    matrix_free(&whole);
    matrix_free(&one);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const specifications[] = {
        "laplace2d,n=200",
        "stencil27,n=20",
        "dissection,n=150",
        "banded,n=20000,fill=0.5",
        "arrow,n=70000",
        "random,m=20000,mean=12,spread=12",
        "blocks,n=20000",
        "permutation,n=200000",
        "dense,m=600",
        "powerlaw,scale=14,edge=12",
        "laplace3d,n=40,nz=7",
        "mosaic,n=9000",
        "tile,file=gen:random,copies=20",
    };
    for (size_t s = 0; s < sizeof specifications / sizeof *specifications; s++) {
        threads_set(1);
        struct matrix one = made(specifications[s]);
        for (int threads = 2; threads <= 3; threads++) {
            threads_set(threads);
            struct matrix more = made(specifications[s]);
            if (!equal(&one.csr, &more.csr)) fail_msg("%s with %d threads", specifications[s], threads);
            matrix_free(&more);
        }
        matrix_free(&one);
    }
    threads_set(0);
}

static void refused(const char *specification, enum status status, const char *message)
{
    struct matrix matrix = {0};
    struct error error = {0};
    assert_int_equal(generate_matrix(specification, &usual, NULL, &matrix, &error), status);
    if (!strstr(error.message, message)) fail_msg("%s: %s", specification, error.message);
    assert_null(matrix.csr.row_ptr);
    matrix_free(&matrix);
}

static void bad_specifications_are_refused(void **state)
{
    (void)state;
    refused("", STATUS_USAGE, "there are laplace2d, laplace3d, stencil27");
    refused("nothing,n=3", STATUS_USAGE, "no generator is called 'nothing'");
    refused("laplace", STATUS_USAGE, "no generator is called 'laplace'");
    refused("laplace2d,q=3", STATUS_USAGE, "laplace2d has no parameter 'q'; it has n, nx, ny");
    refused("laplace2d,", STATUS_USAGE, "has no parameter ''");
    refused("laplace2d,n=3,", STATUS_USAGE, "has no parameter ''");
    refused("laplace2d,n", STATUS_USAGE, "n needs a value");
    refused("laplace2d,n=", STATUS_USAGE, "n= is not a number");
    refused("laplace2d,n=3x", STATUS_USAGE, "n=3x is not a number");
    refused("laplace2d,n=nan", STATUS_USAGE, "n=nan is not a number");
    refused("laplace2d,n=1e999", STATUS_USAGE, "is not a number");
    refused("laplace2d,n=0", STATUS_USAGE, "n=0 lies outside 1..2147483647");
    refused("laplace2d,n=-1", STATUS_USAGE, "n=-1 lies outside");
    refused("laplace2d,n=2.5", STATUS_USAGE, "n=2.5 is not a whole number");
    refused("laplace2d,n=3,n=4", STATUS_USAGE, "n is given twice");
    refused("laplace2d,n=00000000000000000000000000000000000000000000000000000000000000003", STATUS_USAGE,
            "is not a number");
    refused("random,m=10,n=5,mean=6", STATUS_USAGE, "lengths of 6 to 6 do not lie in 0..5");
    refused("random,mean=3,spread=4", STATUS_USAGE, "lengths of -1 to 7 do not lie in 0..1000");
    refused("blocks,n=12,size=4,mean=4", STATUS_USAGE, "do not lie in 0..3");
    refused("banded,fill=1.5", STATUS_USAGE, "fill=1.5 lies outside 0..1");
    refused("tile", STATUS_USAGE, "needs a matrix to repeat");
    refused("tile,file=", STATUS_USAGE, "file= names nothing");
    refused("tile,file=a,file=b", STATUS_USAGE, "file is given twice");
    refused("tile,file=gen:tile,file=gen:tile,file=x", STATUS_USAGE, "given twice");
    refused("tile,file=gen:tile,copies=3", STATUS_USAGE, "cannot repeat another tile");
    refused("tile,file=gen:nothing", STATUS_USAGE, "no generator is called 'nothing'");
    refused("mosaic,n=63", STATUS_USAGE, "lies outside 64..");
    refused("powerlaw,a=0.9", STATUS_USAGE, "a + b + c is 1.28");
}

static void sizes_that_cannot_be_held_are_refused(void **state)
{
    (void)state;
    refused("laplace2d,n=46341", STATUS_LIMIT, "would have 2147488281 rows");
    refused("laplace3d,n=2147483647", STATUS_LIMIT, "would have over");
    refused("stencil27,n=2147483647", STATUS_LIMIT, "would have over");
    refused("dense,m=2147483647", STATUS_LIMIT, "the matrix needs");
    refused("banded,n=2147483647,lower=2147483647", STATUS_LIMIT, "needs");
    refused("random,m=2147483647,mean=2147483647", STATUS_LIMIT, "needs");
    refused("blocks,n=2147483647,mean=2097151,size=1024", STATUS_LIMIT, "needs");
    refused("powerlaw,scale=30,edge=2147483647", STATUS_LIMIT, "needs");
    refused("arrow,n=2147483647,width=2147483647", STATUS_LIMIT, "needs");
    struct matrix matrix = {0};
    struct error error = {0};
    struct load_options small = {.limit = 1000};
    assert_int_equal(generate_matrix("dense,m=10", &small, NULL, &matrix, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "limit of 1000 B"));
    matrix_free(&matrix);
}

static bool is_shrunk(const char *specification)
{
    return strncmp(specification, "powerlaw", 8) == 0 || strncmp(specification, "mosaic", 6) == 0;
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    static const char *const specifications[] = {"laplace2d,n=5", "random,m=50,mean=4", "powerlaw,scale=5",
                                                 "mosaic,n=100", "tile,file=gen:dense,m=4,copies=3"};
    for (size_t s = 0; s < sizeof specifications / sizeof *specifications; s++) {
        long count = 0;
        for (bool failed = true; failed; count++) {
            struct matrix matrix = {0};
            struct error error = {0};
            memory_fail_after(count);
            enum status status = generate_matrix(specifications[s], &usual, NULL, &matrix, &error);
            failed = memory_failures() > 0;
            memory_fail_after(-1);
            /* Arrays that could not be shrunk after merging stay as they are: no failure. */
            if (status != STATUS_OK || !failed || !is_shrunk(specifications[s]))
                assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            matrix_free(&matrix);
        }
        assert_in_range(count, 4, 100);
    }
}

static void a_cancelled_one_stops(void **state)
{
    (void)state;
    struct matrix matrix = {0};
    struct error error = {0};
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(generate_matrix("stencil27,n=60", &usual, &progress, &matrix, &error), STATUS_CANCELLED);
    assert_null(matrix.csr.row_ptr);
    matrix_free(&matrix);
}

static void the_table_describes_itself(void **state)
{
    (void)state;
    for (int g = 0; generators[g]; g++) {
        struct text text = {0};
        assert_ptr_equal(generator_find(generators[g]->name), generators[g]);
        assert_true((generators[g]->row != NULL) != (generators[g]->block != NULL));
        generator_describe(generators[g], &text);
        assert_false(text.failed);
        for (const struct parameter *p = generators[g]->parameters; p->name; p++) {
            assert_non_null(strstr(text.data, p->help));
            if (!p->text && !p->like) assert_true(p->least <= p->standard && p->standard <= p->most);
        }
        text_free(&text);
    }
    assert_null(generator_find("nothing"));
    char out[64];
    const struct parameter *p = generator_find("laplace2d")->parameters;
    assert_string_equal(parameter_default(&p[0], out, sizeof out), "100");
    assert_string_equal(parameter_range(&p[0], out, sizeof out), "1..2147483647");
    assert_string_equal(parameter_default(&p[1], out, sizeof out), "as n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_closed_forms),
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
        cmocka_unit_test(tiles_repeat_a_file),
        cmocka_unit_test(tiles_repeat_what_is_generated),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(bad_specifications_are_refused),
        cmocka_unit_test(sizes_that_cannot_be_held_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(a_cancelled_one_stops),
        cmocka_unit_test(the_table_describes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
