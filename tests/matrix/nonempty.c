/* matrix/nonempty: the next line with entries, against a plain loop. */
#include <stdbool.h>
#include <stdlib.h>

#include "matrix/nonempty.h"
#include "support/cmocka.h"

/* Lengths of lines that differ between cases: none, all, and few between long stretches without. */
static int64_t *offsets_of(int64_t n, int64_t one_in)
{
    int64_t *offsets = malloc(((size_t)n + 1) * sizeof *offsets);
    uint64_t random = 88172645463325252u + (uint64_t)(n * 31 + one_in);
    assert_non_null(offsets);
    offsets[0] = 7; /* a part of a matrix begins behind entries of others */
    for (int64_t i = 0; i < n; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        bool some = one_in > 0 && random % (uint64_t)one_in == 0;
        offsets[i + 1] = offsets[i] + (some ? 1 + (int64_t)(random >> 40) % 5 : 0);
    }
    return offsets;
}

static int64_t plain(const int64_t *offsets, int64_t first, int64_t end)
{
    while (first < end && offsets[first] == offsets[first + 1])
        first++;
    return first;
}

static void every_stretch_as_a_plain_loop(void **state)
{
    static const int64_t one_in[] = {0, 1, 2, 5, 40, 1000};
    for (int c = 0; c < 6; c++)
        for (int64_t n = 0; n < 70; n++) {
            int64_t *offsets = offsets_of(n, one_in[c]);
            for (int64_t end = 0; end <= n; end++)
                for (int64_t first = 0; first <= end; first++)
                    assert_int_equal(nonempty_from(offsets, first, end), plain(offsets, first, end));
            free(offsets);
        }
}

static void all_lines_are_met_once(void **state)
{
    static const int64_t one_in[] = {0, 1, 3, 100, 20000};
    const int64_t n = 200001;
    for (int c = 0; c < 5; c++) {
        int64_t *offsets = offsets_of(n, one_in[c]), next = 0, met = 0;
        for (int64_t i = nonempty_from(offsets, 0, n); i < n; i = nonempty_from(offsets, i + 1, n), met++) {
            for (; next < i; next++)
                assert_true(offsets[next] == offsets[next + 1]);
            assert_true(offsets[i] < offsets[i + 1]);
            next = i + 1;
        }
        assert_int_equal(plain(offsets, next, n), n);
        assert_int_equal(nonempty_count(offsets, n), met);
        free(offsets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stretch_as_a_plain_loop),
        cmocka_unit_test(all_lines_are_met_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
