/* The ranges of a histogram for display, by hand from the existing lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/ranges.h"

#define BINS_MAX 100

/* Lengths first, first + step, ..., `count` of them, with one line each; `longest`, unless 0, is one more
 * length with one line. */
static const struct {
    int64_t first, step, count, longest;
    const char *ranges; /* "RANGE:LINES ..." */
} cases[] = {
    /* Up to 16 lengths are shown one by one, however far apart; 17 are not. */
    {2, 2, 16, 0, "2:1 4:1 6:1 8:1 10:1 12:1 14:1 16:1 18:1 20:1 22:1 24:1 26:1 28:1 30:1 32:1"},
    {1, 1, 17, 0, "0-1:1 2-3:2 4-5:2 6-7:2 8-9:2 10-11:2 12-13:2 14-15:2 16-17:2"},
    /* 31 lengths: ranges of 2 are the smallest that make at most 16, and they begin at multiples of 2. */
    {3, 1, 31, 0,
     "2-3:1 4-5:2 6-7:2 8-9:2 10-11:2 12-13:2 14-15:2 16-17:2 18-19:2 20-21:2 22-23:2 24-25:2 26-27:2 "
     "28-29:2 "
     "30-31:2 32-33:2"},
    /* Of 80 lengths, 16 ranges of 5. */
    {0, 1, 80, 0,
     "0-4:5 5-9:5 10-14:5 15-19:5 20-24:5 25-29:5 30-34:5 35-39:5 40-44:5 45-49:5 50-54:5 55-59:5 60-64:5 "
     "65-69:5 70-74:5 75-79:5"},
    {0, 1, 81, 0, "0-9:10 10-19:10 20-29:10 30-39:10 40-49:10 50-59:10 60-69:10 70-79:10 80-89:1"},
    /* 96 is 4 times the mean of 408 / 17. */
    {12, 1, 16, 96, "10-19:8 20-29:8 30-39:0 40-49:0 50-59:0 60-69:0 70-79:0 80-89:0 90-99:1"},
    /* 1000 is more than 4 times the mean of 1120 / 17. */
    {0, 1, 16, 1000, "0:1 1:1 2-3:2 4-7:4 8-15:8 16-31:0 32-63:0 64-127:0 128-255:0 256-511:0 512-1,023:1"},
};

static void ranges_are_those_by_hand(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct length_count bins[BINS_MAX];
        struct range ranges[RANGES_MAX] = {{0}};
        struct lengths lengths = {.histogram = bins};
        struct text text = {0};
        for (int64_t b = 0; b < cases[k].count + (cases[k].longest > 0); b++) {
            int64_t length = b < cases[k].count ? cases[k].first + b * cases[k].step : cases[k].longest;
            bins[lengths.bins++] = (struct length_count){.length = length, .count = 1};
            lengths.nnz += length;
            lengths.max = length;
        }
        lengths.lines = lengths.bins;
        lengths.min = bins[0].length;
        lengths.mean = (double)lengths.nnz / (double)lengths.lines;
        int count = ranges_of(&lengths, ranges);
        for (int r = 0; r < count; r++) {
            char name[72];
            text_append(&text, "%s%s:%lld", r ? " " : "", range_name(&ranges[r], name, sizeof name),
                        (long long)ranges[r].count);
        }
        assert_string_equal(text.data, cases[k].ranges);
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_those_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
