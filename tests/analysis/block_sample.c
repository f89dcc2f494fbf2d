/* analysis/block_sample.c: numbers of blocks estimated from excerpts are within their intervals, and exact if
 * the excerpt is the whole matrix. */
#include <math.h>

#include "analysis/block_sample.h"
#include "formats/bsr.h"
#include "formats/bsr_count.h"
#include "support/generate.h"
#include "support/unit.h"

static const char *const names[] = {"stencil27,n=20",
                                    "banded,n=6000,lower=9,fill=0.4",
                                    "random,m=5000,n=4000,mean=12,spread=9",
                                    "blocks,n=4000,size=3,mean=6",
                                    "blocks,n=4001,size=5,mean=3,spread=2",
                                    "powerlaw,scale=12,edge=12",
                                    "mosaic,n=9000",
                                    "arrow,n=20000,width=3",
                                    "laplace3d,n=20"};

TEST(estimates_are_within_their_intervals)
{
    int outside = 0, all = 0;
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        struct matrix matrix = generated(names[m]);
        const struct csr *a = &matrix.csr;
        for (int64_t part = 2; part <= 16; part *= 2) {
            FREED(excerpt_free) struct excerpt excerpt = {0};
            assert_int_equal(excerpt_of(a, csr_nnz(a) / part, NULL, &excerpt, NULL), STATUS_OK);
            if (!excerpt.there) continue;
            for (int64_t size = BSR_SIZE_MIN; size <= BSR_SIZE_MAX; size++) {
                const double count = (double)bsr_count_all(a, size, INT64_MAX, NULL).blocks;
                const struct skeleton_blocks found = block_sample(&excerpt, a->row_ptr, a->rows, size);
                all++;
                outside += fabs(found.count - count) > found.error + 0.5;
                if (fabs(found.count - count) > 2 * found.error + 0.5)
                    fail_msg("%s, 1/%d, size %d: %g +- %g, but there are %g", names[m], (int)part, (int)size,
                             found.count, found.error, count);
            }
        }
        matrix_free(&matrix);
    }
    if (10 * outside > all) fail_msg("%d of %d are outside", outside, all);
}

TEST(the_whole_matrix_is_counted)
{
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        struct matrix matrix = generated(names[m]);
        const struct csr *a = &matrix.csr;
        FREED(excerpt_free) struct excerpt excerpt = {0};
        assert_int_equal(excerpt_of(a, 2 * csr_nnz(a), NULL, &excerpt, NULL), STATUS_OK);
        assert_true(excerpt.whole);
        for (int64_t size = BSR_SIZE_MIN; size <= BSR_SIZE_MAX; size++) {
            const struct skeleton_blocks found = block_sample(&excerpt, a->row_ptr, a->rows, size);
            assert_true(found.error == 0);
            assert_true(fabs(found.count - (double)bsr_count_all(a, size, INT64_MAX, NULL).blocks) < 1e-3);
        }
        matrix_free(&matrix);
    }
}

/* Estimates of a regular matrix are narrow. */
TEST(intervals_are_not_too_wide)
{
    struct matrix matrix = generated("stencil27,n=32");
    const struct csr *a = &matrix.csr;
    FREED(excerpt_free) struct excerpt excerpt = {0};
    assert_int_equal(excerpt_of(a, csr_nnz(a) / 4, NULL, &excerpt, NULL), STATUS_OK);
    for (int64_t size = BSR_SIZE_MIN; size <= BSR_SIZE_MAX; size++) {
        const struct skeleton_blocks found = block_sample(&excerpt, a->row_ptr, a->rows, size);
        assert_true(found.error > 0 && found.error < 0.1 * found.count);
    }
    matrix_free(&matrix);
}
