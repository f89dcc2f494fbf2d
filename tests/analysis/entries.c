/* analysis/entries: entries of a range and of a column, searched with a pyramid whose cells hold many
 * positions, compared with a plain loop over the rows. */
#include "analysis/entries.h"
#include "support/cmocka.h"
#include "support/support.h"

enum { ROWS = 900, COLS = 1700, FOUND = 40 };

struct sought {
    struct csr a;
    struct pyramid pyramid;
};

/* Few entries, so that cells are large and mostly empty. */
static int begin(void **state)
{
    static struct sought sought;
    sought.a = support_matrix(ROWS, COLS, 0.0007, false, false, 11);
    *state = &sought;
    return pyramid_build(&sought.a, NULL, &sought.pyramid, NULL) == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
    struct sought *sought = *state;
    pyramid_free(&sought->pyramid);
    csr_free(&sought->a);
    return 0;
}

static void cells_hold_many_places(void **state)
{
    const struct sought *sought = *state;
    assert_true(sought->pyramid.row_step > 1 && sought->pyramid.col_step > 1);
    assert_in_range(csr_nnz(&sought->a), 300, 3000);
}

static void the_first_entries_of_a_range_are_found(void **state)
{
    const struct sought *sought = *state;
    const struct csr *a = &sought->a;
    uint64_t seed = 3;
    for (int turn = 0; turn < 400; turn++) {
        int64_t r0 = support_random(&seed, ROWS), c0 = support_random(&seed, COLS);
        struct range range = {.r0 = r0,
                              .r1 = r0 + support_random(&seed, (uint32_t)(ROWS - r0)),
                              .c0 = c0,
                              .c1 = c0 + support_random(&seed, (uint32_t)(COLS - c0))};
        struct entry_place places[FOUND];
        int count = 0, complete = -1;
        int found = entries_first(&sought->pyramid, a, range, ROWS, places, FOUND, &complete);
        for (int64_t i = range.r0; i < range.r1; i++)
            for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1] && count < FOUND; k++) {
                if (a->col[k] < range.c0 || a->col[k] >= range.c1) continue;
                assert_true(count < found);
                assert_int_equal(places[count].row, i);
                assert_int_equal(places[count].col, a->col[k]);
                assert_int_equal(places[count].entry, k);
                count++;
            }
        assert_int_equal(found, count);
        assert_int_equal(complete, 1);
    }
}

/* From every row of some columns, downwards and upwards. */
static void the_next_entry_of_a_column_is_found(void **state)
{
    const struct sought *sought = *state;
    const struct csr *a = &sought->a;
    for (int64_t j = 0; j < COLS; j += 13)
        for (int down = 0; down < 2; down++)
            for (int64_t row = down ? -1 : 0; row <= (down ? ROWS - 1 : ROWS); row++) {
                struct entry_place place = {-1, -1, -1};
                int64_t i = row, step = down ? 1 : -1;
                for (i += step; i >= 0 && i < ROWS && csr_find(a, i, j) < 0;)
                    i += step;
                bool there = i >= 0 && i < ROWS;
                assert_int_equal(entries_in_column(&sought->pyramid, a, row, j, down, 2 * ROWS, &place),
                                 there);
                if (!there) continue;
                assert_int_equal(place.row, i);
                assert_int_equal(place.col, j);
                assert_int_equal(place.entry, csr_find(a, i, j));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_many_places),
        cmocka_unit_test(the_first_entries_of_a_range_are_found),
        cmocka_unit_test(the_next_entry_of_a_column_is_found),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
