/* analysis/forecast/scatter: the touches of lines beside a list of all of them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/scatter.h"
#include "support/support.h"
#include "support/unit.h"

/* Count the touches of lines of 8 columns by looking back through all entries before. */
static struct scatter look_back(const struct csr *a, const int32_t *order)
{
    struct scatter scatter = {.there = true};
    int64_t *line = malloc((size_t)csr_nnz(a) * sizeof *line), tick = 0;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t k = a->row_ptr[order ? order[r] : r]; k < a->row_ptr[(order ? order[r] : r) + 1]; k++) {
            int64_t same = -1, before = -1;
            line[tick] = a->col[k] / 8;
            for (int64_t t = tick - 1; t >= 0; t--) {
                if (same < 0 && line[t] == line[tick]) same = t;
                if (before < 0 && line[t] == line[tick] - 1) before = t;
            }
            int64_t gap = same < 0 ? INT64_MAX : tick - same;
            bool near = gap > 64 && before >= 0 && tick - before < 4096 && tick - before < gap / 4;
            scatter.touches++;
            if (same < 0)
                *(near ? &scatter.first_near : &scatter.first_far) += 1;
            else
                (near ? scatter.near : scatter.far)[reuse_bin(gap)]++;
            tick++;
        }
    free(line);
    return scatter;
}

static void check_touches(const struct csr *a, const int32_t *order)
{
    struct scatter found, expected = look_back(a, order);
    const struct touches touches = touches_of(a);
    assert_int_equal(scatter_of_x(&touches, order, 8, &found, NULL, NULL), STATUS_OK);
    assert_true(found.there && found.ticks == (double)csr_nnz(a) && found.scale == 1);
    assert_int_equal(found.touches, expected.touches);
    assert_int_equal(found.first_near, expected.first_near);
    assert_int_equal(found.first_far, expected.first_far);
    assert_memory_equal(found.near, expected.near, sizeof found.near);
    assert_memory_equal(found.far, expected.far, sizeof found.far);
}

TEST(touches_are_those_of_a_list)
{
    for (uint64_t seed = 1; seed < 5; seed++) {
        struct csr a = support_matrix(60, 700, 0.05, true, false, seed);
        int32_t order[60];
        for (int32_t i = 0; i < 60; i++)
            order[i] = (i * 7 + 3) % 60;
        check_touches(&a, NULL);
        check_touches(&a, order);
        csr_free(&a);
    }
}

TEST(y_is_touched_in_the_order_of_rows)
{
    struct csr a = support_matrix(64, 64, 0.1, false, false, 1);
    struct scatter scatter;
    int32_t order[64];
    for (int32_t r = 0; r < 64; r++)
        order[r] = r % 8 * 8 + r / 8; /* each line once, then each line again */
    assert_int_equal(scatter_of_y(&a, order, 8, &scatter, NULL), STATUS_OK);
    assert_int_equal(scatter.touches, 64);
    assert_int_equal(scatter.first_far, 1);
    assert_int_equal(scatter.first_near, 7);
    assert_int_equal(scatter.far[reuse_bin(8)], 56);
    csr_free(&a);
}
