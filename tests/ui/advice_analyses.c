/* The sections SpGEMM and Precisions of the Advice screen: computed when they have the cursor, drawn in
 * narrow and wide terminals, and matrices that have none. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "report/figures/figure.h"
#include "support/advice_screen.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"

/* Two rows of three columns, the second of which is empty. */
static const double wide[] = {3, 0, 1. / 3, 2, 0, 1};

/* Let only the work requested by a section run. */
static struct advice_screen *open_small(struct stage *stage, int high, int across)
{
    struct advice_screen *screen =
        stage_open(stage, &view_advice, support_dense(2, 3, wide), FIELD_REAL, high, across);
    stage_draw(stage);
    screen->errand.state = ERRAND_FAILED;
    stage->explorer.errand = NULL;
    return screen;
}

TEST(a_key_counts_sparse_products)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = open_small(&stage, 40, 80);
    struct errand *errand = &screen->analyses[SECTION_SPGEMM - ADVICE_ANALYSIS_FIRST].errand;
    stage_shows(&stage, "Not computed. G computes it.");
    stage_type(&stage, "aG");
    assert_int_equal(screen->focus, SECTION_SPGEMM);
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, errand);
    assert_false(errand->alone);
    stage_shows(&stage, "Counting the entries of sparse products... x stops.");
    stage_work(&stage);
    assert_int_equal(errand->state, ERRAND_NONE);
    assert_true(case_has(stage.explorer.session->shown, SESSION_SPGEMM));
    /* Each of the 4 entries meets a row of 2: 8 multiplications, for 2 x 2 entries of C. */
    stage_shows(&stage, "A^T A has 1 times the entries of A, and 2 multiplications per entry.");
    stage_shows(&stage, "hash table of 48 B, or in dense arrays of 36");
    stage_shows(&stage, "Multiplications                          8            8\n");
    stage_shows(&stage, "Entries of C                             4            4\n");
    stage_shows(&stage, "Exact                                  yes          yes\n");
    stage_shows(&stage, "Dense accumulator                       36           24\n");
    stage_hides(&stage, "A A ");
    assert_int_equal(stage.surface.cut, 0);
}

/* The bars are on one scale: the entries are half of the multiplications, and A has as many. */
TEST(bars_show_entries_of_multiplications)
{
    FREED(stage_close) struct stage stage;
    open_small(&stage, 40, 80);
    stage.explorer.ascii = true;
    stage_type(&stage, "aG");
    stage_draw(&stage);
    stage_work(&stage);
    /* 80 columns without margins, the name and two numbers are 42. */
    stage_shows(&stage, " A         #####################                                 4\n");
    stage_shows(&stage, " A^T A     #####################=====================            4            8\n");
    stage_shows(&stage, " A A^T     #####################=====================            4            8\n");
}

TEST(square_matrices_have_three_products)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage_type(&stage, "aG");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "                                       A A        A^T A        A A^T\n");
    stage_resize(&stage, 24, 72);
    stage_shows(&stage, "                                       A A        A^T A        A A^T\n");
    assert_int_equal(stage.surface.cut, 0);
}

/* The cell of an error between 1e-17 and 1, of a scale of this width. */
static int cell_of(double error, int across)
{
    return error > 0 ? (int)lround((log10(error) + 17) / 17 * (across - 1)) : 0;
}

/* The marks of a line are where its errors belong. */
static void check_marks(struct stage *stage, int type, int from, int across)
{
    const struct precision_loss *loss = &stage->explorer.session->shown->precisions.type[type];
    char line[32];
    snprintf(line, sizeof line, "%-8s%6d ", number_types[type].name,
             number_csr_bytes(&number_types[type], false));
    const struct cell *cells = stage_find(stage, line) + from;
    const double f64 = loss->product[SUMS_F64].max_error, f32 = loss->product[SUMS_F32].max_error;
    assert_false(isnan(f64));
    for (int x = 0; x < across; x++) {
        const bool at64 = x == cell_of(f64, across), at32 = !isnan(f32) && x == cell_of(f32, across);
        assert_int_equal(cells[x].character, at64 ? '#' : at32 ? 'o' : '.');
    }
}

TEST(a_key_measures_precisions)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = open_small(&stage, 24, 80);
    stage.explorer.ascii = true;
    stage_type(&stage, "ap");
    assert_int_equal(screen->focus, SECTION_ROUNDING);
    struct figure_subject subject = {.row = -1, .col = -1};
    assert_null(view_advice.figure(&stage.explorer, screen, &subject));
    stage_draw(&stage);
    stage_shows(&stage, "Measuring the errors of products in each precision... x stops.");
    stage_work(&stage);
    assert_true(case_has(stage.explorer.session->shown, SESSION_PRECISIONS));
    stage_shows(&stage, "worst |y - r| / sum |a x| of a row:  # sums in f64  o in f32");
    stage_shows(&stage, " max error  f32 sums\n");
    stage_shows(&stage, "  1e-16 1e-12 1e-8   1e-4  1 max error");
    stage_shows(&stage, "\n f64         12 ############ ");
    stage_shows(&stage, "\n f32          8 ######## ");
    stage_shows(&stage, "\n bf16         6 ######");
    for (int k = 0; k < NUMBER_TYPES; k++)
        check_marks(&stage, k, 29, 28);
    assert_string_equal(view_advice.figure(&stage.explorer, screen, &subject)->name, "rounding");
    assert_int_equal(stage.surface.cut, 0);
}

TEST(wide_terminals_have_more_columns)
{
    FREED(stage_close) struct stage stage;
    open_small(&stage, 40, 160);
    stage_type(&stage, "ap");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, " max error  f32 sums     exact  overflow      to 0   in norm  rounding\n");
    stage_shows(&stage, "sums in f64");
    assert_int_equal(stage.surface.cut, 0);
}

TEST(the_smallest_terminal_has_the_scale)
{
    FREED(stage_close) struct stage stage;
    open_small(&stage, 18, 72);
    stage_type(&stage, "ap");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "1e-16");
    stage_type(&stage, "G");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "Entries of C ");
    assert_int_equal(stage.surface.cut, 0);
}

/* 70000 is beyond fp16, whose products are infinite. */
TEST(products_that_overflow_have_a_mark_of_their_own)
{
    static const double large[] = {70000, 1, 1, 1};
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen =
        stage_open(&stage, &view_advice, support_dense(2, 2, large), FIELD_REAL, 24, 80);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage.explorer.ascii = true;
    stage_type(&stage, "ap");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "fp16         6 ######        ...........................>         -         -\n");
}

/* Keys without room for their titles are shown alone. */
TEST(narrow_terminals_have_all_keys)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 24, 80);
    stage.explorer.ascii = true;
    stage_advised(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage_draw(&stage);
    stage_shows(&stage, "-w Why -b Times -B Break-even -i Roofline -s Solves -t Triangles -G-p-c-u-");
    stage_mouse(&stage, MOUSE_PRESS, screen->contents_y, screen->contents[SECTION_CRITERIA].x);
    assert_int_equal(screen->focus, SECTION_CRITERIA);
}

TEST(matrices_without_values_have_no_precisions)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen =
        stage_open(&stage, &view_advice, support_dense(2, 3, wide), FIELD_PATTERN, 40, 80);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage_type(&stage, "ap");
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "The matrix has no finite values.");
}

/* Forecasts wait for a section, timed work does not. */
TEST(an_analysis_is_before_forecasts_and_behind_timed_work)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    struct errand *products = &screen->analyses[SECTION_SPGEMM - ADVICE_ANALYSIS_FIRST].errand;
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->errand);
    screen->errand.state = ERRAND_RUNNING;
    stage_type(&stage, "G");
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, products);
    products->state = ERRAND_NONE;
    screen->focus = SECTION_WHY;
    screen->errand.state = ERRAND_FAILED;
    stage_type(&stage, "r");
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->solves.errand);
    stage_type(&stage, "G");
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->solves.errand);
    stage_work(&stage);
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, products);
    stage_work(&stage);
    assert_true(case_has(stage.explorer.session->shown, SESSION_SPGEMM));
}

TEST(a_cancelled_analysis_waits_for_its_key)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = open_small(&stage, 40, 80);
    struct errand *errand = &screen->analyses[SECTION_ROUNDING - ADVICE_ANALYSIS_FIRST].errand;
    stage_type(&stage, "ap");
    stage_draw(&stage);
    errand->state = ERRAND_FAILED; /* as work.c leaves a cancelled one */
    stage_draw(&stage);
    stage_shows(&stage, "Cancelled. p computes it.");
    stage_draw(&stage);
    assert_int_equal(errand->state, ERRAND_FAILED);
    stage_type(&stage, "p");
    assert_int_equal(errand->state, ERRAND_WANTED);
}

TEST(an_analysis_that_fails_has_a_reason)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = open_small(&stage, 40, 80);
    struct errand *errand = &screen->analyses[0].errand;
    struct progress progress = {0};
    stage_type(&stage, "aG");
    stage_draw(&stage);
    errand->state = ERRAND_RUNNING;
    memory_fail_after(0);
    assert_int_equal(errand->run(errand->argument, &progress, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    errand->state = ERRAND_FAILED;
    stage_draw(&stage);
    stage_shows(&stage, "out of memory");
    stage_hides(&stage, "Cancelled");
}

TEST(definitions_are_those_of_the_columns)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = open_small(&stage, 40, 80);
    struct definition definition;
    screen->focus = SECTION_SPGEMM;
    assert_true(advice_define(&stage.explorer, screen, 0, &definition));
    assert_string_equal(definition.title, "Entries of C");
    assert_true(definition.here);
    assert_true(advice_define(&stage.explorer, screen, 8, &definition));
    assert_false(advice_define(&stage.explorer, screen, 9, &definition));
    screen->focus = SECTION_ROUNDING;
    assert_true(advice_define(&stage.explorer, screen, 0, &definition));
    assert_string_equal(definition.title, "Largest error of a product");
    assert_true(advice_define(&stage.explorer, screen, 7, &definition));
    assert_false(definition.here);
    assert_false(advice_define(&stage.explorer, screen, 8, &definition));
}

TESTS_BETWEEN(unit_without_cache, NULL)
