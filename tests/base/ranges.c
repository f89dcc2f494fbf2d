/* base/range, base/items and base/shares: numbers in ranges, items of lists, and blocks of work, by their
 * definitions. */
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/items.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/shares.h"
#include "base/threads.h"

TEST(numbers_are_clipped_to_their_range)
{
    for (int64_t max = 0; max < 5; max++)
        for (int64_t value = -7; value < 9; value++) {
            int64_t nearest = 0;
            for (int64_t k = 0; k <= max; k++)
                if (llabs(k - value) < llabs(nearest - value)) nearest = k;
            assert_int_equal(clip(value, max), nearest);
            assert_int_equal(clip_index((int)value, (int)max + 1), nearest);
        }
    assert_int_equal(clip_index(3, 0), 0);
    assert_int_equal(clip_index(-3, 0), 0);
    assert_int_equal(clip(INT64_MAX, 7), 7);
    assert_int_equal(clip(INT64_MIN, 7), 0);
}

TEST(quotients_and_multiples_are_the_smallest)
{
    for (int64_t a = 0; a < 40; a++)
        for (int64_t b = 1; b < 40; b++) {
            int64_t quotient = 0, multiple = b;
            while (quotient * b < a)
                quotient++;
            assert_int_equal(divide_up(a, b), quotient);
            while (a > 0 && multiple % a != 0)
                multiple += b;
            if (a > 0) assert_int_equal(common_multiple(a, b), multiple);
        }
    assert_int_equal(divide_up(INT64_MAX, 2), INT64_MAX / 2 + 1);
    assert_int_equal(common_multiple((int64_t)1 << 40, (int64_t)3 << 38), (int64_t)3 << 40);
}

/* The list scrolls by the smallest step that shows the item and leaves no empty lines that items could
 * fill. */
TEST(lists_are_scrolled_to_an_item)
{
    for (int count = 1; count < 8; count++)
        for (int room = 1; room < 10; room++)
            for (int first = 0; first < count; first++)
                for (int at = 0; at < count; at++) {
                    const int last = count > room ? count - room : 0;
                    int nearest = -1;
                    for (int k = 0; k <= last; k++)
                        if (k <= at && at < k + room &&
                            (nearest < 0 || abs(k - first) < abs(nearest - first)))
                            nearest = k;
                    assert_int_equal(scroll_to(first, at, count, room), nearest);
                }
    assert_int_equal(scroll_to(2, 1, 3, 0), 1); /* no line counts as one line */
    assert_int_equal(scroll_to(2, 0, 0, 4), 0);
}

TEST(numbers_are_compared_without_overflow)
{
    static const int64_t integers[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    static const double doubles[] = {-1e300, -1e-300, 0, 1e-300, 1e300};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            assert_int_equal(compare_integers(&integers[i], &integers[j]), (i > j) - (i < j));
            assert_int_equal(compare_doubles(&doubles[i], &doubles[j]), (i > j) - (i < j));
        }
}

TEST(the_first_that_is_not_before_is_found)
{
    for (int count = 0; count < 9; count++)
        for (int first = 0; first <= count; first++) {
            int low = 0, high = count;
            BISECT(low, high, middle < first)
            assert_int_equal(low, first);
        }
}

/* Blanks and commas separate items, but for a comma before NAME=VALUE. */
TEST(items_of_lists_end_at_blanks_and_commas)
{
    static const struct {
        const char *list, *items[5];
    } cases[] = {
        {"", {NULL}},
        {" \t\n,, ", {NULL}},
        {"a", {"a"}},
        {" a,b\tc\nd ", {"a", "b", "c", "d"}},
        {"sell:c=4,sigma=8,csr", {"sell:c=4,sigma=8", "csr"}},
        {"a,b=1 c,,d", {"a,b=1", "c", "d"}},
        {"a,b:c=1,d", {"a", "b:c=1", "d"}},
        {"a,", {"a"}},
        {"a,b =1", {"a", "b", "=1"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].list;
        bool end = false;
        for (int n = 0; cases[k].items[n]; n++) {
            char *item = list_item(&text, &end, NULL);
            assert_non_null(item);
            assert_false(end);
            assert_string_equal(item, cases[k].items[n]);
            free(item);
        }
        assert_null(list_item(&text, &end, NULL));
        assert_true(end);
        assert_int_equal(*text, 0);
    }
    const char *text = "a";
    bool end = true;
    struct error error = {0};
    memory_fail_after(0);
    assert_null(list_item(&text, &end, &error));
    memory_fail_after(-1);
    assert_false(end);
    assert_int_equal(error.status, STATUS_MEMORY);
}

/* Each block is taken exactly once. A thread takes the blocks of its own share first, in order. The sizes of
 * shares differ by less than the number of threads. */
TEST(blocks_of_shares_are_taken_once)
{
    static struct share shares[SHARES_MAX];
    for (int threads = 1; threads < 6; threads++)
        for (int64_t blocks = 0; blocks < 20; blocks++) {
            int taken[20] = {0};
            threads_set(threads);
            const int count = shares_make(shares, blocks);
            assert_int_equal(count, max(min(threads, blocks), 1));
            int64_t begin = 0;
            for (int t = 0; t < count; t++) {
                assert_int_equal(atomic_load(&shares[t].next), begin);
                assert_in_range(shares[t].end - begin, blocks / count, blocks / count + count - 1);
                begin = shares[t].end;
            }
            assert_int_equal(begin, blocks);
            const int64_t own = atomic_load(&shares[count - 1].next), end = shares[count - 1].end;
            for (int64_t n = 0, k; (k = shares_take(shares, count, count - 1)) >= 0; n++) {
                assert_in_range(k, 0, blocks - 1);
                if (n < end - own) assert_int_equal(k, own + n);
                taken[k]++;
            }
            for (int64_t k = 0; k < blocks; k++)
                assert_int_equal(taken[k], 1);
            assert_int_equal(shares_take(shares, count, 0), -1);
        }
    threads_set(0);
}
