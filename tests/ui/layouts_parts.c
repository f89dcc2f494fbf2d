/* Layouts: formats of two parts. The words below a picture are about the cell in focus, which is of the first
 * part, also while the cursor is on an entry of the second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/layouts.h"
#include "ui/layouts/layouts.h"

static void words_are_about_the_cell_in_focus(void **state)
{
    struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 24, 120, (const char *[]){"hyb:k=2", "csr", NULL});
    const struct layouts *layouts = layouts_of(&stage);
    explorer_move(&stage.explorer, 2, 3); /* the third entry of row 2 */
    stage_draw(&stage);
    assert_int_equal(layouts->focus.array, PICTURE);
    assert_int_equal(layouts->focus.element, 2);
    stage_shows(&stage, "ell_col[2] = 1");
    stage_hides(&stage, "coo_col[");
    stage_key(&stage, UIKEY_UP); /* padding of the empty row 1 */
    assert_int_equal(layouts->focus.element, 1);
    stage_shows(&stage, "ell_col[1] = 0");
    stage_shows(&stage, "padding of row 1");
    stage_shows(&stage, "no entry at the cursor");
    explorer_move(&stage.explorer, 2, 3);
    stage_draw(&stage);
    layouts_focus(&stage, "coo_val"); /* and in an array they are about its element */
    stage_shows(&stage, "coo_val[0] = 1");
    stage_hides(&stage, "no entry at the cursor");
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_about_the_cell_in_focus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
