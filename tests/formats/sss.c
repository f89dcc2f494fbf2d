/* formats/sss: worked examples by hand, the three symmetries, and the matrices that are refused. */
#include <string.h>

#include "formats/array.h"
#include "formats/sss.h"
#include "matrix/skeleton.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

/* The entries below the diagonal, row by row, and the diagonal; (2, 2) has no entry.
 *
 *     4 1 0 2
 *     1 5 0 3
 *     0 0 . 6
 *     2 3 6 7
 */
static const double symmetric[] = {4, 1, 0, 2, 1, 5, 0, 3, 0, 0, 0, 6, 2, 3, 6, 7};

TEST(half_of_a_symmetric_matrix_is_stored)
{
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    stored_expect(&sss, "row_ptr", "0 0 1 1 4");
    stored_expect(&sss, "col", "0 0 1 2");
    stored_expect(&sss, "val", "1 2 3 6");
    stored_expect(&sss, "diag", "4 5 * 7");
    assert_int_equal(sss.symmetry, SYMMETRY_SYMMETRIC);
    assert_int_equal(sss.mirrored, 4);
}

/* 4 + 4 slots of which one is padding, 4 of them with a column, and 5 offsets; of 11 entries. */
TEST(sizes_are_those_of_the_arrays)
{
    const struct storing wide = {.wide = true}, single = {.precision = PRECISION_F32};
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    FREED(storage_free) struct storage far = stored_with("sss", &wide, &a);
    FREED(storage_free) struct storage half = stored_with("sss", &single, &a);
    const struct format_size size = storage_size(&sss);
    assert_int_equal(csr_nnz(&a), 11);
    assert_int_equal(size.bytes, 8 * 8 + 4 * 4 + 5 * 4);
    assert_int_equal(size.integers, 4 + 5);
    assert_int_equal(size.slots, 8);
    assert_int_equal(size.padding, 1);
    assert_true(size.padding_ratio == 8.0 / 11);
    assert_int_equal(storage_size(&far).bytes, 8 * 8 + 4 * 4 + 5 * 8);
    assert_int_equal(storage_size(&half).bytes, 8 * 4 + 4 * 4 + 5 * 4);
}

/* Entry (0, 3) is where (3, 0) is, for which the offsets of row 3 are needed. */
TEST(an_entry_above_the_diagonal_is_its_image)
{
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    const int64_t above = csr_find(&a, 0, 3), below = csr_find(&a, 3, 0);
    int part = -1;
    assert_int_equal(sss.format->locate(&sss, &a, 0, above, &part), 1);
    assert_int_equal(part, 1);
    assert_int_equal(sss.format->locate(&sss, &a, 3, below, &part), 1);
    const struct place place = sss.format->place(&sss, 1, 1);
    assert_true(place.row == 3 && place.col == 0);
    const struct spot spot = storage_spot(&sss, &a, (struct place){0, 3}, above);
    const struct extent extent = sss.format->touch(&sss, SSS_ROW_PTR, &spot);
    assert_true(extent.first == 3 && extent.end == 5);
    assert_int_equal(sss.format->locate(&sss, &a, 3, csr_find(&a, 3, 3), &part), 3);
    assert_int_equal(part, 0);
}

/* A pointer leads to the first stored entry of its row, or to the diagonal. */
TEST(pointers_lead_to_stored_entries)
{
    static const struct place leads[] = {{0, 0}, {1, 0}, {2, 2}, {3, 0}, {-1, -1}};
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    for (int e = 0; e < 5; e++) {
        const struct place place = sss.format->leads(&sss, SSS_ROW_PTR, e);
        assert_true(place.row == leads[e].row && place.col == leads[e].col);
    }
    assert_int_equal(sss.format->rule(&sss, SSS_COL, 1), RULE_MINOR);
    assert_int_equal(sss.format->rule(&sss, SSS_VAL, 2), RULE_NONE);
    assert_int_equal(sss.format->rule(&sss, SSS_DIAG, 1), RULE_NONE);
}

/* The symmetry is found from the values. */
static enum symmetry found(enum symmetry kind, bool complex)
{
    FREED(csr_free) struct csr a = support_symmetric(kind, 60, 0.2, true, complex, 7);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    FREED(csr_free) struct csr back = {0};
    assert_int_equal(storage_unpack(&sss, NULL, &back, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&back), csr_nnz(&a));
    for (int64_t k = 0; k < csr_nnz(&a); k++) {
        assert_int_equal(back.col[k], a.col[k]);
        assert_true(back.val[k] == a.val[k]);
        if (complex) assert_true(back.imaginary[k] == a.imaginary[k]);
    }
    return sss.symmetry;
}

TEST(each_symmetry_is_found)
{
    assert_int_equal(found(SYMMETRY_SYMMETRIC, false), SYMMETRY_SYMMETRIC);
    assert_int_equal(found(SYMMETRY_SKEW, false), SYMMETRY_SKEW);
    assert_int_equal(found(SYMMETRY_SYMMETRIC, true), SYMMETRY_SYMMETRIC);
    assert_int_equal(found(SYMMETRY_SKEW, true), SYMMETRY_SKEW);
    assert_int_equal(found(SYMMETRY_HERMITIAN, true), SYMMETRY_HERMITIAN);
}

static void expect_refused(const struct csr *a, const char *reason)
{
    const char *message;
    assert_int_equal(stored_status("sss", &(struct storing){0}, a, &message), STATUS_LIMIT);
    if (!strstr(message, reason)) fail_msg("'%s' lacks '%s'", message, reason);
}

/* Not square; a value that differs from its image, or has none, on either side of the diagonal. */
TEST(other_matrices_are_refused)
{
    static const double all[][9] = {{1, 2, 0, 3, 1, 0, 0, 0, 1},
                                    {1, 2, 0, 0, 1, 0, 0, 0, 1},
                                    {1, 0, 0, 2, 1, 0, 0, 0, 1},
                                    {0, 2, 0, -2, 1, 0, 0, 0, 0},
                                    {0, 2, 3, -2, 0, 0, 3, 0, 0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        FREED(csr_free) struct csr a = support_dense(3, 3, all[k]);
        expect_refused(&a, "neither symmetric nor skew-symmetric nor Hermitian");
    }
    FREED(csr_free) struct csr wide = support_dense(1, 3, all[0]);
    expect_refused(&wide, "not square");
}

/* A Hermitian matrix has a real diagonal. Signs of zeros count, since conversion back is exact. */
TEST(one_value_decides)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_HERMITIAN, 60, 0.2, true, true, 7);
    for (int64_t i = 0; i < a.rows; i++) {
        const int64_t k = csr_find(&a, i, i);
        if (k >= 0) a.imaginary[k] = i == 3;
    }
    expect_refused(&a, "nor Hermitian");
    FREED(csr_free) struct csr b = support_dense(4, 4, symmetric);
    b.val[csr_find(&b, 0, 1)] = 0;
    b.val[csr_find(&b, 1, 0)] = -0.0;
    expect_refused(&b, "neither symmetric");
}

/* Entries that are not in memory cannot be compared. */
TEST(without_entries_it_is_refused)
{
    const struct skeleton skeleton = {.complex = false};
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    struct csr away = {.rows = 4, .cols = 4, .row_ptr = a.row_ptr, .skeleton = &skeleton};
    expect_refused(&away, "not in memory");
    struct csr positions = {.rows = 4, .cols = 4, .row_ptr = a.row_ptr, .col = a.col};
    expect_refused(&positions, "not in memory");
}

/* Columns lie below the diagonal and ascend. */
TEST(damage_is_found)
{
    FREED(csr_free) struct csr a = support_dense(4, 4, symmetric);
    FREED(storage_free) struct storage sss = stored("sss", &a);
    int32_t *col = sss.array[SSS_COL].data;
    col[0] = 1;
    stored_refused(&sss, "col[0] = 1");
    col[0] = 0;
    col[2] = 0;
    stored_refused(&sss, "col[2] = 0");
    col[2] = 1;
    ((int32_t *)sss.array[SSS_ROW_PTR].data)[1] = 1;
    stored_refused(&sss, "col[0] = 0");
}
