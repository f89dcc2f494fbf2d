/* The section Solves of the Advice screen: solves by a key, their verdict, and matrices that have none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/advice_screen.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"

/* The verdict for the kernels of the shown precision, each solve, and the reasons for refused ones. */
TEST(a_key_solves_and_shows_the_solves)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    stage_advised(&stage);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED; /* nothing is forecast here */
    stage.explorer.errand = NULL;
    stage_type(&stage, "ar");
    assert_int_equal(screen->focus, SECTION_SOLVES);
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->solves.errand);
    assert_true(stage.explorer.errand->alone);
    stage_shows(&stage, "Solving A x = b...");
    stage_work(&stage);
    assert_int_equal(screen->solves.errand.state, ERRAND_NONE);
    assert_int_equal(stage.explorer.session->shown->solving.count, 15);
    stage_shows(&stage, "residual ||r|| / ||b|| of each solve");
    stage_shows(&stage, "Fastest: ");
    stage_shows(&stage, "vectors  best kernel");
    stage_shows(&stage, "a BiCGSTAB");
    stage_shows(&stage, "cpu/ell-omp from ");
    stage_shows(&stage, "CG needs a symmetric matrix; BiCGSTAB and GMRES do not.");
    stage_shows(&stage, "Jacobi: row 2 has no diagonal entry");
    assert_int_equal(stage.surface.cut, 0);
    stage_type(&stage, "f"); /* kernels in single precision are not those of these solves */
    stage_hides(&stage, "cpu/ell-omp from ");
}

/* The section grows when its numbers are known, and is shown from its beginning then. */
TEST(solves_are_in_sight_when_they_are_done)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 36, 120);
    stage_advised(&stage);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage.explorer.errand = NULL;
    stage_type(&stage, "r");
    stage_draw(&stage);
    stage_work(&stage);
    stage_draw(&stage);
    assert_int_equal(screen->page.top, screen->page.sections[SECTION_SOLVES].top);
    stage_shows(&stage, " 0.1 ");
    assert_true(stage_find(&stage, "Fastest: ") < stage_find(&stage, "residual ||r||"));
    stage_hides(&stage, "1e-0");
}

TEST(solves_that_are_impossible_have_a_reason)
{
    static const double wide[] = {3, 0, 1, 2, 0, 1};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_advice, support_dense(2, 3, wide), FIELD_REAL, 40, 100);
    stage_draw(&stage);
    ((struct advice_screen *)stage.state)->errand.state = ERRAND_FAILED;
    stage.explorer.errand = NULL;
    stage_type(&stage, "ar");
    stage_draw(&stage);
    stage_work(&stage);
    assert_int_equal(stage.explorer.session->shown->solving.count, 0);
    stage_shows(&stage, "solves: unavailable, since the matrix is not square");
}

/* The column after the last character of this word in a row of the screen, or -1. */
static int end_of(const struct stage *stage, int y, const char *word)
{
    const int length = (int)strlen(word), wide = stage->surface.wide;
    for (int x = 0; x + length <= wide; x++) {
        int k = 0;
        while (k < length && stage->surface.cells[y * wide + x + k].character == (unsigned char)word[k])
            k++;
        if (k == length) return x + length;
    }
    return -1;
}

/* The number that ends before this column, with its sign of an unfinished solve; NaN if there is none. */
static double number_before(const struct stage *stage, int y, int end, bool *unfinished)
{
    char text[16] = "";
    int begin = end;
    const struct cell *line = &stage->surface.cells[y * stage->surface.wide];
    while (begin > 0 && end - begin < 12 && line[begin - 1].character != ' ')
        begin--;
    for (int x = begin; x < end; x++)
        text[x - begin] = (char)line[x].character;
    *unfinished = text[0] == '>' || text[0] == '<';
    return strtod(text + *unfinished, NULL);
}

/* Each solve has its line under the headings: its steps, and its shares of the time, which are the whole. */
TEST(each_solve_has_its_numbers_under_their_headings)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 70, 120);
    stage_advised(&stage);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage.explorer.errand = NULL;
    stage_type(&stage, "ar");
    stage_draw(&stage);
    stage_work(&stage);
    stage_draw(&stage);
    const struct solving *solving = &stage.explorer.session->shown->solving;
    int head = -1, checked = 0;
    for (int y = 0; y < stage.surface.high; y++)
        if (end_of(&stage, y, " steps ") > 0 && end_of(&stage, y, " vectors ") > 0) head = y;
    assert_true(head > 0);
    static const char *const titles[] = {" steps", " A x", " M", " vectors"};
    for (int y = head + 1; y < stage.surface.high; y++)
        for (int k = 0; k < solving->count; k++) {
            const struct solve *solve = &solving->runs[k];
            char name[SOLVE_NAME + 1];
            double numbers[4];
            bool marks[4];
            solve_name(solve, name, sizeof name - 1);
            strcat(name, " ");
            const int end = end_of(&stage, y, name);
            const int begin = end - (int)strlen(name);
            const struct cell *letter = &stage.surface.cells[y * stage.surface.wide + begin - 2];
            if (end < 0 || begin < 3 || letter[-1].character != ' ' || letter[1].character != ' ' ||
                letter->character < 'a')
                continue;
            for (int c = 0; c < 4; c++)
                numbers[c] = number_before(&stage, y, end_of(&stage, head, titles[c]), &marks[c]);
            assert_true(numbers[0] == (double)solve->iterations);
            assert_int_equal(marks[0], solve->end != SOLVE_CONVERGED);
            const double sum = numbers[1] + numbers[2] + numbers[3];
            if (fabs(sum - 100) > 4)
                fail_msg("shares of %s add up to %g:\n%s", name, sum, stage_dump(&stage));
            /* The best kernel begins under its heading. */
            const int best = end_of(&stage, head, " best kernel") - 11, kernel = end_of(&stage, y, " cpu/");
            assert_int_equal(kernel, best + 4);
            assert_int_equal(end_of(&stage, y, " from ") > 0, end_of(&stage, y, " solves") > 0);
            checked++;
        }
    assert_true(checked >= 2);
}

TESTS_BETWEEN(unit_without_cache, NULL)
