/* Real matrices: lengths, structure and counts against scipy's, where the collection is there.
 *
 * A = scipy.io.mmread(file).tocoo(); r = numpy.bincount(A.row, minlength=m), c the same of A.col;
 * lengths: r.min(), r.max(), numpy.median(r), numpy.percentile(r, 95), numpy.percentile(r, 99), r.std(),
 *   abs(r - r.mean()).mean(), and Gini as sum (2 k - m + 1) sorted(r)[k] / (m sum r), k from 0;
 * structure: (row - col).max(), (col - row).max(), profile, (row == col).sum(), len(set(col - row)),
 *   (r == 0).sum(), (c == 0).sum(), and the share of off-diagonal places found in the transpose;
 * dots: numpy.histogram2d of row // ceil(m / 3) and col // ceil(n / 4). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lengths.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "base/text.h"
#include "matrix/matrix.h"
#include "support/cmocka.h"

struct figures {
    int64_t min, max;
    double median, p95, p99, stddev, average_deviation, gini;
};

static const struct {
    const char *file;
    int64_t rows, cols, nnz;
    struct figures row_lengths, col_lengths;
    struct structure structure;
    int64_t dots[12];
} cases[] = {
    {"email-Eu-core.mtx.gz",
     1005,
     1005,
     25571,
     {0, 334, 15.0, 89.0, 155.5600000000004, 33.30734420128877, 22.89000371277939, 0.606858554593191},
     {0, 212, 18.0, 82.79999999999995, 127.96000000000004, 27.95689777080078, 20.151283384074652,
      0.5394699491475399},
     {999, 999, 320710, 642, 1844, 137, 14, 17730.0 / 24929, 17730.0 / 24929},
     {7725, 5118, 1841, 973, 3299, 2773, 1125, 425, 990, 570, 356, 376}},
    {"wiki-Vote.mtx.gz",
     8297,
     8297,
     103689,
     {0, 893, 1.0, 65.0, 187.0799999999981, 39.48185282933345, 17.45466089447811, 0.8400070187451191},
     {0, 457, 0.0, 71.0, 135.0, 29.820135319344192, 18.694021745343626, 0.8478709499024054},
     {7417, 8284, 9152770, 0, 11437, 2187, 5916, 5854.0 / 103689, 5854.0 / 103689},
     {27388, 18837, 6518, 3600, 2849, 12682, 12302, 4486, 523, 1724, 4852, 7928}},
    {"bcsstk13.mtx.gz",
     2003,
     2003,
     83883,
     {5, 95, 36.0, 87.0, 92.0, 22.80429140097886, 18.893442163265338, 0.3017014004284752},
     {5, 95, 36.0, 87.0, 92.0, 22.80429140097886, 18.893442163265338, 0.3017014004284752},
     {1250, 1250, 434798, 2003, 1841, 0, 0, 81880.0 / 81880, 81880.0 / 81880},
     {12370, 6084, 275, 27, 2004, 10794, 16740, 1327, 36, 624, 10136, 23466}},
    {"orani678.mtx.gz",
     2529,
     2529,
     90158,
     {1, 1110, 2.0, 185.0, 198.7599999999984, 86.01106074837939, 49.86104407536086, 0.7896895578713004},
     {1, 1468, 11.0, 265.7999999999997, 403.6799999999962, 87.96251673537338, 48.47938214849306,
      0.7791334401025304},
     {2309, 1491, 2081533, 211, 3191, 0, 0, 6358.0 / 89947, 2.0 / 89947},
     {60395, 5901, 5743, 10273, 1827, 232, 1508, 2274, 791, 401, 422, 391}},
    {"foundation_K.mtx.gz",
     3627,
     3627,
     201121,
     {24, 81, 53.0, 81.0, 81.0, 15.693279961698314, 12.247671003454244, 0.15515810556767284},
     {24, 81, 53.0, 81.0, 81.0, 15.693279961698314, 12.247671003454244, 0.15515810556767284},
     {1262, 1262, 710064, 3627, 2219, 0, 0, 197494.0 / 197494, 197494.0 / 197494},
     {47618, 18812, 0, 0, 990, 32442, 37584, 36, 0, 1128, 17064, 45447}},
    {"FIT2D_A.mtx.gz",
     25,
     10524,
     129042,
     {1427, 10500, 5075.0, 10386.0, 10476.24, 2750.4276572198733, 2259.5872, 0.29998853086591964},
     {1, 17, 13.0, 15.0, 16.0, 2.0793210111525813, 1.6984088494907874, 0.09425501734558228},
     {1, 10523, 24, 1, 10524, 0, 0, NAN, NAN},
     {13004, 13229, 13543, 14425, 9831, 9451, 9289, 11459, 8722, 8925, 8784, 8380}},
    {"bayer10.mtx.gz",
     13436,
     13436,
     94926,
     {1, 27, 3.0, 27.0, 27.0, 7.449538224476226, 5.789689552694918, 0.49418471355042504},
     {1, 32, 3.0, 21.0, 28.0, 7.720159286736998, 6.705749754872004, 0.5269710019400141},
     {11773, 13435, 50994650, 3, 20535, 0, 0, 240.0 / 94923, 16.0 / 94923},
     {6930, 0, 4475, 17810, 1638, 13059, 18804, 40, 11729, 15646, 1372, 3423}},
    {"rajat01.mtx.gz",
     6833,
     6833,
     43250,
     {1, 1442, 5.0, 13.0, 17.68000000000029, 27.310272549943278, 3.5551737979072953, 0.3960240620788777},
     {1, 1442, 5.0, 13.0, 18.0, 27.33673725302297, 3.6006416292829484, 0.4012769922232214},
     {6826, 6826, 13041600, 6562, 8781, 0, 0, 36532.0 / 36688, 36532.0 / 36688},
     {10170, 3701, 1115, 2232, 1940, 4780, 4901, 184, 2386, 50, 3195, 8596}},
    {"luxembourg.mtx.gz",
     114599,
     114599,
     239332,
     {1, 6, 2.0, 3.0, 3.0, 0.41120877605816863, 0.22559386102715226, 0.06852133031713675},
     {1, 6, 2.0, 3.0, 3.0, 0.41120877605816863, 0.22559386102715226, 0.06852133031713675},
     {111306, 111306, 369892278, 0, 22368, 0, 0, 239332.0 / 239332, 239332.0 / 239332},
     {58670, 19942, 1836, 1698, 1689, 38379, 38375, 1881, 1737, 1464, 20051, 53610}},
    {"arrow.mtx.gz",
     46500,
     46500,
     139498,
     {2, 46500, 2.0, 2.0, 2.0, 215.6269931433474, 1.9998709695918604, 0.3333166069980269},
     {2, 46500, 2.0, 2.0, 2.0, 215.6269931433474, 1.9998709695918604, 0.3333166069980269},
     {46499, 46499, 1081101750, 46500, 92999, 0, 0, 92998.0 / 92998, 0.0 / 92998},
     {38748, 15500, 11625, 11625, 15500, 7750, 7750, 0, 15500, 0, 3875, 11625}},
    {"gko_logo_2d.mtx.gz",
     65536,
     1,
     65536,
     {1, 1, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
     {65536, 65536, 65536.0, 65536.0, 65536.0, 0.0, 0.0, 0.0},
     {65535, 0, 2147450880, 1, 65536, 0, 0, NAN, NAN},
     {21846, 0, 0, 0, 21846, 0, 0, 0, 21844, 0, 0, 0}},
};
#define CASES (sizeof cases / sizeof *cases)

/* The path of a file of the collection, or NULL if it is not there. Free with text_free. */
static const char *find(const char *file, struct text *path)
{
    const char *folder = getenv("SPARSIGHT_MATRICES"), *source = getenv("SRCDIR");
    if (folder)
        text_append(path, "%s/%s", folder, file);
    else
        text_append(path, "%s/../shared/matrices/%s", source ? source : ".", file);
    FILE *there = path->data ? fopen(path->data, "r") : NULL;
    if (!there) return NULL;
    fclose(there);
    return path->data;
}

static void near(const char *file, double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%s: %.17g is not %.17g", file, value, expected);
}

static void check_lengths(const char *file, const struct lengths *l, const struct figures *expected)
{
    assert_int_equal(l->min, expected->min);
    assert_int_equal(l->max, expected->max);
    near(file, l->median, expected->median);
    near(file, l->p95, expected->p95);
    near(file, l->p99, expected->p99);
    near(file, l->stddev, expected->stddev);
    near(file, l->average_deviation, expected->average_deviation);
    near(file, l->gini, expected->gini);
}

static void check_structure(const struct structure *s, const struct structure *expected)
{
    assert_int_equal(s->lower_bandwidth, expected->lower_bandwidth);
    assert_int_equal(s->upper_bandwidth, expected->upper_bandwidth);
    assert_int_equal(s->profile, expected->profile);
    assert_int_equal(s->diagonal_nonzeros, expected->diagonal_nonzeros);
    assert_int_equal(s->diagonals, expected->diagonals);
    assert_int_equal(s->empty_rows, expected->empty_rows);
    assert_int_equal(s->empty_cols, expected->empty_cols);
    assert_true(isnan(expected->pattern_symmetry) ? isnan(s->pattern_symmetry)
                                                  : s->pattern_symmetry == expected->pattern_symmetry);
    assert_true(isnan(expected->numeric_symmetry) ? isnan(s->numeric_symmetry)
                                                  : s->numeric_symmetry == expected->numeric_symmetry);
}

static void check_dots(const struct csr *a, const int64_t *expected)
{
    struct pyramid pyramid;
    int64_t counts[12];
    assert_int_equal(pyramid_build(a, NULL, &pyramid, NULL), STATUS_OK);
    pyramid_dots(&pyramid, NULL, a, 0, 0, (a->rows + 2) / 3, (a->cols + 3) / 4, 3, 4, counts);
    for (int k = 0; k < 12; k++)
        assert_int_equal(counts[k], expected[k]);
    pyramid_free(&pyramid);
}

static void figures_agree_with_scipy(void **state)
{
    for (size_t k = 0; k < CASES; k++) {
        struct text path = {0};
        struct matrix matrix = {0};
        struct lengths l;
        struct structure s;
        struct load_options options = {0};
        struct error error = {0};
        if (find(cases[k].file, &path)) {
            enum status status = matrix_load(path.data, &options, NULL, &matrix, &error);
            if (status != STATUS_OK) fail_msg("%s: %s", path.data, error.message);
            const struct csr *a = &matrix.csr;
            assert_true(a->rows == cases[k].rows && a->cols == cases[k].cols && csr_nnz(a) == cases[k].nnz);
            assert_int_equal(lengths_of_rows(a, NULL, &l, NULL), STATUS_OK);
            check_lengths(cases[k].file, &l, &cases[k].row_lengths);
            lengths_free(&l);
            assert_int_equal(lengths_of_columns(a, NULL, &l, NULL), STATUS_OK);
            check_lengths(cases[k].file, &l, &cases[k].col_lengths);
            lengths_free(&l);
            assert_int_equal(structure_of(a, NULL, &s, NULL), STATUS_OK);
            check_structure(&s, &cases[k].structure);
            check_dots(a, cases[k].dots);
            matrix_free(&matrix);
        }
        text_free(&path);
    }
}

static bool any_is_there(void)
{
    bool there = false;
    for (size_t k = 0; k < CASES && !there; k++) {
        struct text path = {0};
        there = find(cases[k].file, &path) != NULL;
        text_free(&path);
    }
    return there;
}

static bool any_matrix(void)
{
    bool found = false;
    for (size_t k = 0; k < CASES && !found; k++) {
        struct text path = {0};
        found = find(cases[k].file, &path);
        text_free(&path);
    }
    return found;
}

/* cmocka's own way of skipping is "not ok", which the driver takes for a failure. */
int main(void)
{
    if (!any_matrix()) {
        puts("1..0 # SKIP no real matrices (SPARSIGHT_MATRICES)");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_agree_with_scipy),
    };
    /* cmocka's own skip() counts as a failure in TAP. */
    if (!any_is_there()) {
        puts("1..0 # SKIP no real matrices here");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
