/* Coarse spans of row lengths. For stretches of whole steps they give the same numbers as the lengths.
 * tests/ui/rows.c tests spans with steps of one row. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/spans.h"
#include "support/support.h"
#include "support/unit.h"

/* A matrix whose row lengths differ. */
static struct csr matrix_of(int64_t rows)
{
    return support_matrix(rows, 40, 0.2, true, false, 11 + (uint64_t)rows);
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* A stretch that begins or ends within a step counts as the whole step. */
TEST(steps_tell_what_their_lines_do)
{
    static const int64_t sizes[] = {1, 2, 63, 64, 65, 500};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        FREED(csr_free) struct csr a = matrix_of(sizes[s]);
        FREED(lengths_free) struct lengths lengths;
        struct spans fine, coarse;
        assert_int_equal(lengths_of_rows(&a, NULL, &lengths, NULL), STATUS_OK);
        assert_int_equal(spans_make(a.row_ptr, a.rows, &fine, NULL), STATUS_OK);
        for (int64_t step = 2; step <= 128; step *= 4) {
            assert_int_equal(spans_coarsen(&fine, &lengths, step, &coarse, NULL), STATUS_OK);
            assert_int_equal(spans_steps(&coarse), (a.rows + step - 1) / step);
            for (int64_t from = 0; from < a.rows; from++)
                for (int64_t to = from + 1; to <= a.rows; to += 1 + to / 7) {
                    int64_t first = from / step * step, end = (to + step - 1) / step * step, sum = 0, max = 0;
                    if (end > a.rows) end = a.rows;
                    for (int64_t i = first; i < end; i++) {
                        sum += length_of(&a, i);
                        if (length_of(&a, i) > max) max = length_of(&a, i);
                    }
                    struct stretch stretch = spans_stretch(&coarse, from, to);
                    assert_int_equal(stretch.max, max);
                    assert_true(stretch.mean == (double)sum / (double)(end - first));
                    assert_int_equal(stretch.at % step, 0);
                    bool there = false; /* the step that begins there has a line of that length */
                    for (int64_t i = stretch.at; i < stretch.at + step && i < a.rows; i++)
                        there = there || length_of(&a, i) == max;
                    assert_true(there && stretch.at >= first && stretch.at < end);
                }
            spans_free(&coarse);
        }
        assert_int_equal(spans_stretch(&fine, a.rows, a.rows + 1).at, -1);
        spans_free(&fine);
    }
}

TEST(the_longest_lines_are_kept)
{
    FREED(csr_free) struct csr a = matrix_of(700);
    FREED(lengths_free) struct lengths lengths;
    struct spans fine, coarse;
    int64_t of_fine[SPANS_LONGEST], of_coarse[SPANS_LONGEST];
    assert_int_equal(lengths_of_rows(&a, NULL, &lengths, NULL), STATUS_OK);
    assert_int_equal(spans_make(a.row_ptr, a.rows, &fine, NULL), STATUS_OK);
    assert_int_equal(spans_coarsen(&fine, &lengths, 32, &coarse, NULL), STATUS_OK);
    for (int max = 1; max <= SPANS_LONGEST; max += 51) {
        int count = spans_longest(&fine, &lengths, of_fine, max);
        assert_int_equal(spans_longest(&coarse, &lengths, of_coarse, max), count);
        assert_memory_equal(of_fine, of_coarse, (size_t)count * sizeof *of_fine);
    }
    int known = 0;
    for (int64_t i = 0; i < a.rows; i++) {
        int64_t length = spans_length_of(&coarse, i);
        known += length >= 0;
        assert_true(length == -1 || length == length_of(&a, i));
        assert_int_equal(spans_length_of(&fine, i), length_of(&a, i));
    }
    assert_int_equal(known, SPANS_LONGEST);
    spans_free(&coarse);
    spans_free(&fine);
}

/* Without lines there is nothing; without memory there are no spans, and offsets that were handed over are
 * freed. */
TEST(nothing_is_left_without_memory)
{
    struct lengths none = {0};
    struct spans fine, coarse;
    assert_int_equal(spans_make(NULL, 0, &fine, NULL), STATUS_OK);
    assert_int_equal(spans_coarsen(&fine, &none, 8, &coarse, NULL), STATUS_OK);
    assert_int_equal(spans_steps(&coarse), 0);
    assert_int_equal(spans_stretch(&coarse, 0, 10).at, -1);
    spans_free(&coarse);
    spans_free(&fine);
    FREED(csr_free) struct csr a = matrix_of(50);
    FREED(lengths_free) struct lengths lengths;
    assert_int_equal(lengths_of_rows(&a, NULL, &lengths, NULL), STATUS_OK);
    assert_int_equal(spans_make(a.row_ptr, a.rows, &fine, NULL), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        memory_fail_after(k);
        assert_int_equal(spans_coarsen(&fine, &lengths, 4, &coarse, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        assert_null(coarse.offsets);
    }
    for (int fails = 0; fails < 2; fails++) {
        size_t bytes = ((size_t)a.rows + 1) * sizeof(int64_t);
        int64_t *offsets = malloc(bytes);
        assert_non_null(offsets);
        memcpy(offsets, a.row_ptr, bytes);
        if (fails) memory_fail_after(0);
        assert_int_equal(spans_own(offsets, a.rows, &coarse, NULL), fails ? STATUS_MEMORY : STATUS_OK);
        memory_fail_after(-1);
        if (!fails) assert_int_equal(spans_stretch(&coarse, 0, a.rows).max, lengths.max);
        spans_free(&coarse);
    }
    spans_free(&fine);
}
