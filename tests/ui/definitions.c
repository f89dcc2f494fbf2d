/* The definitions that ? shows on each screen. */
#include <string.h>

#include "columns/columns.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/kernels/kernels.h"
#include "ui/layouts/layouts.h"
#include "ui/summary/summary.h"

#define MOST 200

/* Every screen has definitions. No term appears twice, and each has a meaning. */
TEST(every_screen_defines_its_numbers)
{
    for (int v = 0; views[v]; v++) {
        FREED(stage_close) struct stage stage;
        const char *titles[MOST];
        int count = 0;
        struct definition definition = {0};
        stage_open(&stage, views[v], support_matrix(40, 40, 0.1, false, false, 3), FIELD_REAL, 30, 100);
        if (!views[v]->define) fail_msg("%s defines nothing", views[v]->title);
        while (views[v]->define(&stage.explorer, stage.state, count, &definition)) {
            assert_true(count < MOST);
            if (!definition.title || !definition.title[0] || !definition.text || !definition.text[0])
                fail_msg("%s: definition %d is empty", views[v]->title, count);
            for (int k = 0; k < count; k++)
                if (strcmp(titles[k], definition.title) == 0 && views[v] != &view_summary)
                    fail_msg("%s defines %s twice", views[v]->title, definition.title);
            titles[count++] = definition.title;
        }
        if (count < 3 && views[v] != &view_advice) fail_msg("%s defines %d numbers", views[v]->title, count);
    }
}

/* The first definition is that of the column, or of the number, under the cursor. */
TEST(the_first_is_under_the_cursor)
{
    struct stage stage;
    struct definition definition = {0};
    struct kernels_screen *screen =
        stage_open(&stage, &view_kernels, support_matrix(40, 40, 0.1, false, false, 3), FIELD_REAL, 30, 100);
    screen->column = kernels_column("gflops");
    assert_true(view_kernels.define(&stage.explorer, screen, 0, &definition));
    assert_true(definition.here);
    assert_string_equal(definition.text, kernel_columns[kernels_column("gflops")].help);
    stage_close(&stage);
    stage_open(&stage, &view_summary, support_matrix(40, 40, 0.1, false, false, 3), FIELD_REAL, 30, 100);
    stage_keys(&stage, (int[]){UIKEY_END}, 1);
    const struct summary *summary = stage.state;
    assert_true(summary_format(summary->selected) < 0);
    assert_true(view_summary.define(&stage.explorer, stage.state, 0, &definition));
    assert_string_equal(definition.title, summary_column(summary->selected)->title);
    stage_close(&stage);
}

/* On Layouts it is the array under the cursor, or the cell of the picture. */
TEST(the_array_under_the_cursor_is_defined)
{
    FREED(stage_close) struct stage stage;
    struct definition definition = {0};
    struct layouts *layouts =
        stage_open(&stage, &view_layouts, support_matrix(40, 40, 0.1, false, false, 3), FIELD_REAL, 30, 100);
    while (stage.explorer.errand && stage.explorer.errand->state == ERRAND_WANTED)
        stage_work(&stage);
    struct conversion *csr = layouts->panels[0].conversion;
    assert_int_equal(conversion_build(csr, SIZE_MAX, NULL, NULL), STATUS_OK);
    view_layouts.update(&stage.explorer, layouts);
    stage_draw(&stage);
    assert_true(layouts->focused);
    layouts->focus.array = 0;
    assert_true(view_layouts.define(&stage.explorer, layouts, 0, &definition));
    assert_true(definition.here);
    assert_string_equal(definition.title, "row_ptr");
    layouts->focus.array = PICTURE;
    assert_true(view_layouts.define(&stage.explorer, layouts, 0, &definition));
    assert_true(definition.here);
    assert_string_equal(definition.title, "value@column");
    assert_true(view_layouts.define(&stage.explorer, layouts, 1, &definition));
    assert_false(definition.here);
}
