/* report/figures: the histograms of row and column lengths have a bar for each length, and each bar the
 * height of its number of rows on a logarithmic axis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "report/figures/figure.h"
#include "support/recorded.h"

/* Rows of few lengths, up to some 20, so that each length has a bin; one row, and one column. */
static const char *const names[] = {"gen:laplace2d,n=9",          "gen:random,m=90,n=40,mean=4",
                                    "gen:random,m=1,n=30,mean=6", "gen:random,m=30,n=1,mean=1",
                                    "gen:permutation,n=7",        "gen:banded,n=30,lower=2,upper=1"};

#define LENGTHS 64

/* The numbers of rows or columns by length, counted here. */
static int count_lengths(const struct csr *a, bool columns, int64_t lines[LENGTHS])
{
    int64_t length[LENGTHS * 4] = {0};
    const int64_t count = columns ? a->cols : a->rows;
    int distinct = 0;
    assert_true(count <= LENGTHS * 4);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            length[columns ? a->col[k] : i]++;
    for (int l = 0; l < LENGTHS; l++)
        lines[l] = 0;
    for (int64_t i = 0; i < count; i++) {
        assert_true(length[i] < LENGTHS);
        distinct += lines[length[i]]++ == 0;
    }
    return distinct;
}

/* The next upright bar from *at on that stands on the bottom of these axes. */
static const struct drawn *next_bar(const struct recorded *recorded, const struct drawn *axes, int *at)
{
    while (*at < recorded->count) {
        const struct drawn *item = &recorded->items[(*at)++];
        if (item->kind == DRAWN_BAR && item->upright &&
            fabs(item->y + item->high - axes->y - axes->high) < 1e-6)
            return item;
    }
    return NULL;
}

static void check_bars(const struct recorded *recorded, const struct drawn *axes, const int64_t *lines,
                       int distinct)
{
    int64_t most = 1;
    int at = (int)(axes - recorded->items), met = 0;
    double before = -INFINITY;
    for (int l = 0; l < LENGTHS; l++)
        most = lines[l] > most ? lines[l] : most;
    for (int l = 0; l < LENGTHS; l++) {
        if (lines[l] == 0) continue;
        const struct drawn *bar = next_bar(recorded, axes, &at);
        assert_non_null(bar);
        /* The axis begins at 0.8 and ends at 1.5 times the largest number. */
        const double share = log((double)lines[l] / 0.8) / log(1.5 * (double)most / 0.8);
        if (fabs(bar->high - share * axes->high) >= 1.0)
            fail_msg("the bar of %d lines of length %d has %g of %g, not %g", (int)lines[l], l, bar->high,
                     axes->high, share * axes->high);
        assert_true(bar->x > before && bar->x >= axes->x - 1e-6 &&
                    bar->x + bar->wide <= axes->x + axes->wide + 1e-6);
        before = bar->x + bar->wide - 1e-6;
        met++;
    }
    assert_int_equal(met, distinct);
}

static void each_length_has_its_bar(void **state)
{
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int columns = 0; columns < 2; columns++) {
            struct session session = {0};
            const struct load_options options = {0};
            int64_t lines[LENGTHS];
            const struct figure *figure = figure_find(columns ? "columns" : "rows");
            assert_non_null(figure);
            assert_int_equal(session_load(&session, names[n], &options, NULL, NULL), STATUS_OK);
            assert_int_equal(session_need(&session, NULL, figure->needs, NULL, NULL), STATUS_OK);
            const struct figure_subject subject = {.session = &session, .of = session.shown, .row = -1};
            struct recorded *recorded = recorded_new(900, 700);
            assert_int_equal(figure->draw(&subject, &recorded->canvas, NULL), STATUS_OK);
            const int distinct = count_lengths(&session.shown->matrix.csr, columns, lines);
            const struct drawn *axes = NULL;
            for (int k = 0; k < recorded->count; k++)
                if (recorded->items[k].kind == DRAWN_AXES) axes = &recorded->items[k];
            assert_non_null(axes);
            check_bars(recorded, axes, lines, distinct);
            free(recorded);
            session_free(&session);
        }
}

/* The lengths of all rows or columns, counted here. */
static int64_t *lengths_of(const struct csr *a, bool columns)
{
    int64_t *length = calloc((size_t)(columns ? a->cols : a->rows), sizeof *length);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            length[columns ? a->col[k] : i]++;
    return length;
}

/* Along the index each stretch of as many lines as a unit of the axis holds has its mean and, in grey behind
 * it, its longest line, where half a unit can tell these apart; heights are shares of 1.05 times the longest
 * of all. */
static void expect_profile(const struct recorded *recorded, const int64_t *length, int64_t lines)
{
    const struct drawn *axes = recorded->items;
    while (axes->kind != DRAWN_AXES)
        axes++;
    int64_t most = 1, each = 1;
    for (int64_t i = 0; i < lines; i++)
        if (length[i] > most) most = length[i];
    while (each * (int64_t)axes->wide < lines)
        each++;
    int at = (int)(axes - recorded->items);
    for (int64_t from = 0; from < lines; from += each) {
        const int64_t to = from + each < lines ? from + each : lines;
        int64_t sum = 0, longest = 0;
        for (int64_t i = from; i < to; i++) {
            sum += length[i];
            if (length[i] > longest) longest = length[i];
        }
        const double unit = axes->high / (1.05 * (double)most),
                     mean = (double)sum / (double)(to - from) * unit;
        const double x = floor(axes->x + (double)from / (double)lines * axes->wide + 1e-9),
                     next = floor(axes->x + (double)to / (double)lines * axes->wide + 1e-9);
        for (int grey = 1; grey >= 0; grey--) {
            const double high = grey ? (double)longest * unit : mean;
            if (grey ? high - mean < 0.5 : sum == 0) continue;
            const struct drawn *bar = next_bar(recorded, axes, &at);
            assert_non_null(bar);
            assert_int_equal(bar->colour == COLOUR_DIM, grey);
            assert_true(fabs(bar->high - high) < 1e-6);
            assert_true(fabs(bar->x - x) <= 1 && bar->wide >= 1 && fabs(bar->wide - fmax(1, next - x)) <= 1);
            if (from == 0) assert_true(fabs(bar->x - floor(axes->x)) < 1e-6);
            if (to == lines && next > x)
                assert_true(fabs(bar->x + bar->wide - floor(axes->x + axes->wide)) < 1e-6);
        }
    }
    const struct drawn *second = axes + 1;
    while (second->kind != DRAWN_AXES)
        second++;
    for (int k = at; k < second - recorded->items; k++)
        assert_false(recorded->items[k].kind == DRAWN_BAR && recorded->items[k].upright);
}

static void each_stretch_has_its_mean_and_its_longest(void **state)
{
    static const char *const more[] = {"gen:random,m=3000,n=900,mean=4", "gen:arrow,n=2500",
                                       "gen:laplace2d,n=40"};
    for (size_t n = 0; n < sizeof names / sizeof *names + 3; n++)
        for (int columns = 0; columns < 2; columns++) {
            struct session session = {0};
            const struct load_options options = {0};
            const struct figure *figure = figure_find(columns ? "columns" : "rows");
            const char *name = n < 3 ? more[n] : names[n - 3];
            assert_int_equal(session_load(&session, name, &options, NULL, NULL), STATUS_OK);
            assert_int_equal(session_need(&session, NULL, figure->needs, NULL, NULL), STATUS_OK);
            const struct figure_subject subject = {.session = &session, .of = session.shown, .row = -1};
            struct recorded *recorded = recorded_new(900, 700);
            assert_int_equal(figure->draw(&subject, &recorded->canvas, NULL), STATUS_OK);
            const struct csr *a = &session.shown->matrix.csr;
            int64_t *length = lengths_of(a, columns);
            expect_profile(recorded, length, columns ? a->cols : a->rows);
            free(length);
            free(recorded);
            session_free(&session);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_length_has_its_bar),
        cmocka_unit_test(each_stretch_has_its_mean_and_its_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
