/* formats/dasp: the arrays of a matrix with rows of every kind, written by tests/support/dasp.py. */
#include "formats/dasp.h"

#include "formats/array.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

/* One long row of 9 entries, a row block of 8 rows and one of a single row, short rows of all lengths, and an
 * empty one. Values count from 1; rows of odd index begin with column 1. */
static struct csr twenty_rows(void)
{
    static const int lengths[] = {2, 9, 5, 5, 6, 7, 8, 5, 5, 6, 1, 3, 3, 4, 2, 2, 1, 0, 1, 6};
    double dense[20 * 10] = {0}, value = 0;
    for (int i = 0; i < 20; i++)
        for (int d = 0; d < lengths[i]; d++)
            dense[10 * i + d + i % 2] = ++value;
    return support_dense(20, 10, dense);
}

/* All positions have an entry. */
static struct csr full(int rows, int cols)
{
    double dense[512];
    for (int k = 0; k < rows * cols; k++)
        dense[k] = k + 1;
    return support_dense(rows, cols, dense);
}

#define FOUR(what) what " " what " " what " " what " "
#define EIGHT(what) FOUR(what) FOUR(what)

TEST(rows_of_every_kind)
{
    FREED(csr_free) struct csr a = twenty_rows();
    FREED(storage_free) struct storage dasp = stored("dasp:long=8", &a);
    stored_expect(&dasp, "perm", "1 6 5 4 9 19 2 3 7 8 13 11 12 0 14 15 10 16 18 17");
    stored_expect(&dasp, "block_ptr", "0 64 96 96");
    stored_expect(&dasp, "val",
                  "3 4 5 6 7 8 9 10 11 " EIGHT("*") EIGHT("*") EIGHT("*") EIGHT("*") EIGHT("*") EIGHT(
                      "*") "* * * * * * * "
                           "35 36 37 38 28 29 30 31 22 23 24 25 53 54 55 56 76 77 78 79 12 13 14 15 17 18 19 "
                           "20 43 44 45 46 "
                           "66 67 68 69 " EIGHT("*") EIGHT("*") EIGHT("*")
                               FOUR("*") "59 60 61 62 74 63 64 65 " EIGHT("*") EIGHT("*")
                                   EIGHT("*") "1 2 70 71 72 73 " EIGHT("*") EIGHT("*") EIGHT("*") "* * 75");
    stored_expect(&dasp, "irreg_ptr", "0 4 7 9 11 13 14 15 16 21");
    stored_expect(&dasp, "irreg_col", "4 5 6 7 5 6 7 4 5 5 6 5 6 4 5 5 0 1 2 3 4");
    stored_expect(&dasp, "irreg_val", "39 40 41 42 32 33 34 26 27 57 58 80 81 16 21 47 48 49 50 51 52");
}

/* Padding repeats the last column of its row; slots without a row have column 0. */
TEST(columns_of_padding)
{
    FREED(csr_free) struct csr a = twenty_rows();
    FREED(storage_free) struct storage dasp = stored("dasp:long=8", &a);
    const struct array *col = stored_array(&dasp, "col");
    assert_int_equal(array_integer(col, 63), 9);
    assert_int_equal(array_integer(col, 99), 4);  /* the last entry of the row of 4 */
    assert_int_equal(array_integer(col, 100), 0); /* below it */
    assert_int_equal(array_integer(col, 166), 0); /* beside the third row of 2 entries */
    FREED(csr_free) struct csr three = full(1, 3);
    FREED(storage_free) struct storage alone = stored("dasp", &three);
    stored_expect(&alone, "col", "0 1 2 2 " FOUR("0") EIGHT("0") EIGHT("0") EIGHT("0"));
}

/* A block of 32 slots is regular from 24 entries on at a threshold of 0.75, and from 25 on above it. Rows of
 * 7 entries have 24 in their second block, and 3 of the 32 slots are entries in rows of 5. */
TEST(threshold)
{
    FREED(csr_free) struct csr seven = full(8, 7);
    FREED(storage_free) struct storage both = stored("dasp", &seven), one;
    stored_expect(&both, "block_ptr", "0 64");
    assert_int_equal(both.slots[1], 0);
    assert_int_equal(both.count, 4);
    one = stored("dasp:threshold=0.76", &seven);
    stored_expect(&one, "block_ptr", "0 32");
    stored_expect(&one, "irreg_ptr", "0 3 6 9 12 15 18 21 24");
    storage_free(&one);
    one = stored("dasp:threshold=0", &seven);
    stored_expect(&one, "block_ptr", "0 64");
}

/* A row of 256 entries is medium, one of 257 is long: five groups. */
TEST(the_shortest_long_row)
{
    FREED(csr_free)
    struct csr medium = full(1, 256), over = full(1, 257);
    FREED(storage_free) struct storage irregular = stored("dasp", &medium), groups = stored("dasp", &over);
    stored_expect(&irregular, "block_ptr", "0 0");
    assert_int_equal(irregular.slots[1], 256);
    stored_expect(&groups, "block_ptr", "0 320");
    assert_int_equal(groups.slots[0], 320);
}

TEST(damaged_offsets_are_refused)
{
    FREED(csr_free) struct csr a = twenty_rows();
    FREED(storage_free) struct storage dasp = stored("dasp:long=8", &a);
    struct array *block_ptr = &dasp.array[DASP_BLOCK_PTR];
    array_set(block_ptr, 1, 32);
    stored_refused(&dasp, "block_ptr[1] = 32 is no multiple of 64");
    array_set(block_ptr, 1, 64);
    array_set(block_ptr, 2, 95);
    stored_refused(&dasp, "block_ptr[2] = 95 is no multiple of 32");
}

TEST(empty_matrix)
{
    FREED(csr_free) struct csr a = support_dense(3, 2, (const double[6]){0});
    FREED(storage_free) struct storage dasp = stored("dasp", &a);
    stored_expect(&dasp, "perm", "0 1 2");
    stored_expect(&dasp, "block_ptr", "0");
    assert_int_equal(storage_size(&dasp).slots, 0);
}
