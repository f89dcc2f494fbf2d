/* Pattern's colours: entries, the largest |a|, the sum of |a|, signs, and entries without mirror image. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

static struct pattern *open_random(struct stage *stage, int64_t rows, int64_t cols, double density,
                                   bool complex)
{
    struct csr a = support_matrix(rows, cols, density, false, complex, 11);
    uint64_t seed = 4;
    for (int64_t k = 0; k < csr_nnz(&a); k++)
        a.val[k] = (support_random(&seed, 3) ? 1 : -1) * exp2((double)support_random(&seed, 20) - 10);
    return stage_open(stage, &view_pattern, a, complex ? FIELD_COMPLEX : FIELD_REAL, 30, 100);
}

static void choose(struct stage *stage, enum colouring wanted)
{
    const struct pattern *pattern = stage->state;
    while (pattern->colouring != wanted)
        stage_type(stage, "c");
    stage_work(stage);
}

/* The contribution of an entry to its dot. */
static double share(const struct csr *a, enum colouring colouring, int64_t i, int64_t k)
{
    if (colouring == COLOURED_SIGN) return a->val[k] < 0;
    if (colouring == COLOURED_MIRROR) {
        for (int64_t m = a->row_ptr[a->col[k]]; m < a->row_ptr[a->col[k] + 1]; m++)
            if (a->col[m] == i) return 0;
        return 1;
    }
    return fabs(a->val[k]);
}

/* Compare the shown dots with a plain loop. */
static void check_dots(const struct stage *stage)
{
    const struct pattern *pattern = stage->state;
    const struct csr *a = &pattern->of->matrix.csr;
    const struct viewport *port = &pattern->port;
    int high = viewport_used(port, ROWS), wide = viewport_used(port, COLS);
    bool of_sizes = pattern->colouring == COLOURED_LARGEST || pattern->colouring == COLOURED_SUM;
    assert_int_equal(pattern->sized, of_sizes);
    assert_int_equal(pattern->marked != NULL, !of_sizes);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            struct range dot = pattern_dot(pattern, y, x);
            double expected = 0;
            for (int64_t i = dot.r0; i < dot.r1; i++)
                for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
                    double adds = share(a, pattern->colouring, i, k);
                    if (a->col[k] < dot.c0 || a->col[k] >= dot.c1) continue;
                    expected =
                        pattern->colouring == COLOURED_LARGEST ? fmax(expected, adds) : expected + adds;
                }
            double found =
                of_sizes ? pattern->sizing.sizes[y * wide + x] : (double)pattern->marked[y * wide + x];
            if (fabs(found - expected) > 1e-13 * expected)
                fail_msg("dot %d, %d: %g is not %g", y, x, found, expected);
        }
}

TEST(dots_are_exact_at_every_zoom)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = open_random(&stage, 700, 700, 0.02, false);
    for (int ascii = 0; ascii < 2; ascii++)
        for (int colouring = COLOURED_LARGEST; colouring <= COLOURED_MIRROR; colouring++) {
            stage.explorer.ascii = ascii;
            stage_type(&stage, "0");
            choose(&stage, (enum colouring)colouring);
            for (int level = 0;; level++) {
                check_dots(&stage);
                if (pattern->picture == PICTURE_NUMBERS) break;
                stage_type(&stage, "+");
                assert_true(level < 20);
            }
            for (const char *c = stage_dump(&stage); ascii && *c; c++)
                assert_in_range(*c, '\n', '~');
        }
}

/* Levels and colours of rows by definition: the row waits for the rows of its lower entries; it takes the
 * first colour that no earlier neighbour has. */
static void find_classes(const struct csr *a, enum colouring colouring, int32_t *class_of)
{
    for (int64_t i = 0; i < a->rows; i++) {
        bool taken = colouring == COLOURED_COLOUR;
        class_of[i] = 0;
        for (int64_t k = a->row_ptr[i]; !taken && k < a->row_ptr[i + 1]; k++)
            if (a->col[k] < i && class_of[a->col[k]] >= class_of[i]) class_of[i] = class_of[a->col[k]] + 1;
        for (; taken; class_of[i] += taken) {
            taken = false;
            for (int64_t j = 0; j < i; j++)
                if (class_of[j] == class_of[i] && (csr_find(a, i, j) >= 0 || csr_find(a, j, i) >= 0))
                    taken = true;
        }
    }
}

TEST(dots_show_the_latest_class_of_their_rows)
{
    enum { N = 90 };
    for (int colouring = COLOURED_LEVEL; colouring <= COLOURED_COLOUR; colouring++) {
        FREED(stage_close) struct stage stage;
        const struct pattern *pattern = open_random(&stage, N, N, 0.03, false);
        const struct csr *a = &pattern->of->matrix.csr;
        int32_t class_of[N], last = 0;
        char words[32];
        find_classes(a, (enum colouring)colouring, class_of);
        choose(&stage, (enum colouring)colouring);
        assert_true(pattern->sized);
        for (int64_t i = 0; i < N; i++)
            last = class_of[i] > last ? class_of[i] : last;
        snprintf(words, sizeof words, " %d", last + 1);
        stage_shows(&stage, colouring == COLOURED_LEVEL ? "levels" : "colours", words);
        for (int level = 0;; level++) {
            const int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
            for (int y = 0; y < high; y++)
                for (int x = 0; x < wide; x++) {
                    const struct range dot = pattern_dot(pattern, y, x);
                    int expected = 0;
                    for (int64_t i = dot.r0; i < dot.r1; i++)
                        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                            if (a->col[k] >= dot.c0 && a->col[k] < dot.c1 && class_of[i] >= expected)
                                expected = class_of[i] + 1;
                    assert_true(pattern->sizing.sizes[y * wide + x] == expected);
                }
            if (pattern->picture == PICTURE_NUMBERS) break;
            stage_type(&stage, "+");
            assert_true(level < 20);
        }
    }
}

TEST(a_rectangle_has_no_levels)
{
    FREED(stage_close) struct stage stage;
    open_random(&stage, 60, 50, 0.1, false);
    choose(&stage, COLOURED_LEVEL);
    stage_shows(&stage, "Colour: level of a row", "the matrix is not square");
}

/* Between long numbers in a narrow legend there is room for fewer words. */
TEST(the_legend_says_what_is_counted)
{
    FREED(stage_close) struct stage stage;
    open_random(&stage, 3000, 3000, 0.3, false);
    stage_type(&stage, "mm"); /* Braille */
    stage_resize(&stage, 21, 80);
    stage_shows(&stage, "entries a mark");
    stage_resize(&stage, 21, 120);
    stage_shows(&stage, "entries in 4 x 2 dots");
}

TEST(the_legend_says_what_is_shown)
{
    FREED(stage_close) struct stage stage;
    char words[64];
    open_random(&stage, 700, 700, 0.02, false);
    double *val = stage.session.shown->matrix.csr.val;
    for (int64_t k = 0; k < csr_nnz(&stage.session.shown->matrix.csr); k++)
        val[k] *= 1.37; /* so that the largest is no power of two */
    stage_hides(&stage, "|a|");
    choose(&stage, COLOURED_LARGEST);
    stage_shows(&stage, "largest |a|");
    stage_hides(&stage, "entries in 4 x 2 dots");
    double most = 0;
    for (int64_t k = 0; k < csr_nnz(&stage.session.shown->matrix.csr); k++)
        most = fmax(most, fabs(stage.session.shown->matrix.csr.val[k]));
    snprintf(words, sizeof words, " %.3g", most); /* the scale itself ends at a power of two */
    stage_shows(&stage, words);
    choose(&stage, COLOURED_SUM);
    stage_shows(&stage, "sum of |a|");
    choose(&stage, COLOURED_SIGN);
    const struct csr *a = &stage.session.shown->matrix.csr;
    int negative = 0;
    for (int64_t k = 0; k < csr_nnz(a); k++)
        negative += a->val[k] < 0;
    snprintf(words, sizeof words, "%d,%03d", negative / 1000, negative % 1000);
    stage_shows(&stage, "Colour: signs", words);
    choose(&stage, COLOURED_MIRROR);
    stage_shows(&stage, "Colour: asymmetry", "no mirror image");
    stage_type(&stage, "oo"); /* HYB's cut needs the marks itself */
    stage_work(&stage);
    stage_shows(&stage, "not with this overlay");
    stage_type(&stage, "o");
    choose(&stage, COLOURED_SUM);
    stage_work(&stage);
    stage_shows(&stage, "in natural order only");
    stage_type(&stage, "C");
    stage_shows(&stage, "largest |a|");
    choose(&stage, COLOURED_COUNT);
    stage_hides(&stage, "Colour:");
}

TEST(inapplicable_colours_have_a_reason)
{
    FREED(stage_close) struct stage stage;
    open_random(&stage, 200, 300, 0.05, true);
    choose(&stage, COLOURED_SIGN);
    stage_shows(&stage, "complex values have none");
    choose(&stage, COLOURED_MIRROR);
    stage_shows(&stage, "the matrix is not square");
    choose(&stage, COLOURED_LARGEST);
    stage_shows(&stage, "largest |a|");
}

/* Of numbers the largest is the brightest. */
TEST(numbers_are_shaded)
{
    static const double dense[] = {1, 0, 64, 0, /**/ 0, -2, 0, 0, /**/ 0, 0, 8, 0, /**/ 0.5, 0, 0, -4};
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern =
        stage_open(&stage, &view_pattern, support_dense(4, 4, dense), FIELD_REAL, 22, 80);
    assert_int_equal(pattern->picture, PICTURE_NUMBERS);
    stage_type(&stage, "c");
    int wide = stage.surface.wide, colours[2];
    for (int y = 0; y < 2; y++) { /* 64 and -2 */
        const struct cell *cell =
            &stage.surface.cells[(pattern->inside.top + y) * wide + pattern->inside.left +
                                 (y == 0 ? 3 : 2) * pattern->field - 1];
        assert_int_equal(cell->character, y == 0 ? '4' : '2');
        colours[y] = (int)cell->foreground;
    }
    assert_int_equal(colours[0], COLOUR_DENSITY + SHADE_LEVELS - 1);
    assert_in_range(colours[1], COLOUR_DENSITY + 5, COLOUR_DENSITY + SHADE_LEVELS - 4);
    choose(&stage, COLOURED_SIGN);
    const struct cell *negative =
        &stage.surface
             .cells[(pattern->inside.top + 1) * wide + pattern->inside.left + 2 * pattern->field - 1];
    assert_int_equal(negative->foreground, COLOUR_MARK);
    choose(&stage, COLOURED_MIRROR);
    assert_int_equal(negative->foreground, COLOUR_TEXT); /* it is on the diagonal */
}

/* The level of the dots y .. y+high-1, x .. x+wide-1 together, by the drawn scale; -1 without entries. */
static int level_of(const struct pattern *pattern, int y, int x, int high, int wide)
{
    int rows = viewport_used(&pattern->port, ROWS), cols = viewport_used(&pattern->port, COLS);
    double all = 0;
    bool any = false;
    for (int k = y; k < y + high && k < rows; k++)
        for (int m = x; m < x + wide && m < cols; m++) {
            double size = pattern->sizing.sizes[k * cols + m];
            all = pattern->colouring == COLOURED_SUM ? all + size : fmax(all, size);
            any = any || pattern->counts[k * cols + m] > 0;
        }
    int level = shade_level(&pattern->shade, all);
    return !any ? -1 : level < 0 ? 0 : level;
}

TEST(pixels_and_braille_have_the_colours_of_sizes)
{
    static const int cell_pixels[2] = {20, 10};
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = open_random(&stage, 700, 700, 0.02, false);
    const struct csr *a = &pattern->of->matrix.csr;
    a->val[5] = 0; /* an entry that is seen all the same */
    for (int colouring = COLOURED_LARGEST; colouring <= COLOURED_SUM; colouring++) {
        stage.explorer.pixels = NULL;
        choose(&stage, (enum colouring)colouring);
        while (pattern->picture != PICTURE_BRAILLE)
            stage_type(&stage, "m");
        for (int cy = 0; cy < pattern_rect(pattern).high; cy++)
            for (int cx = 0; cx < pattern_rect(pattern).wide; cx++) {
                const struct cell *cell =
                    &stage.surface
                         .cells[(pattern->inside.top + cy) * stage.surface.wide + pattern->inside.left + cx];
                int level = level_of(pattern, 4 * cy, 2 * cx, 4, 2);
                if (level >= 0 && cell->background != COLOUR_CURSOR)
                    assert_int_equal(cell->foreground, COLOUR_DENSITY + 5 + level * 10 / 15);
            }
        stage.explorer.pixels = cell_pixels;
        stage_draw(&stage);
        while (pattern->picture != PICTURE_PIXELS)
            stage_type(&stage, "m");
        const struct pixmap *pixmap = stage.surface.pixmap;
        for (int y = 0; y < pixmap->high; y++)
            for (int x = 0; x < pixmap->wide; x++) {
                int level = level_of(pattern, y / pattern->large[ROWS], x / pattern->large[COLS], 1, 1);
                assert_int_equal(pixmap_row(pixmap, y)[x], level < 0 ? COLOUR_TEXT : COLOUR_DENSITY + level);
            }
    }
}

/* Too many entries to inspect while the screen waits: counts are shown until an errand has computed the
 * sizes. */
TEST(many_entries_are_left_to_an_errand)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(1500, 1500, 1, false, false, 2), FIELD_REAL, 30, 100);
    stage_type(&stage, "c");
    assert_false(pattern->sized);
    assert_ptr_equal(stage.explorer.errand, &pattern->sizing.errand);
    assert_int_equal(pattern->sizing.errand.state, ERRAND_WANTED);
    stage_shows(&stage, "computing...");
    stage_work(&stage);
    check_dots(&stage);
    stage_hides(&stage, "computing...");
    stage_type(&stage, "cc"); /* signs: nothing of sizes is wanted any more */
    assert_int_not_equal(pattern->sizing.errand.state, ERRAND_WANTED);
}
