/* The list of columns on Kernels: every column is there with its unit, its help and its key, and showing it
 * puts its title over the table. */
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"
#include "support/kernels_screen.h"
#include "support/unit.h"
#include "ui/kernels/kernels.h"

static const struct outcome outcomes[] = {{"csr-seq", 1, 1e-3, 1e-5}, {NULL, 0, 0, 0}};

/* The title of the column over the table: its name, or a longer form of it begins with that. */
static bool is_over_the_table(struct stage *stage, int column)
{
    const struct kernels_screen *screen = screen_of(stage);
    return screen->visible[column];
}

TEST(every_column_is_listed_with_its_help)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 160);
    stage_run(&stage, outcomes, PRECISION_F64, "here");
    stage_draw(&stage);
    stage_type(&stage, "c");
    stage_key(&stage, UIKEY_HOME);
    int count = 0, last = -1;
    bool seen[256] = {false};
    for (int k = 0; k < 256; k++) {
        const struct list *list = view_list(stage.view, stage.state);
        assert_non_null(list);
        if (list->selected == last) break;
        last = list->selected;
        /* Exactly one column's key stands at the end of the foot, and the beginning of its help before it. */
        const char *foot = strstr(stage_dump(&stage), "in reports: ");
        assert_non_null(foot);
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(foot + 12, " \n\u2502|"), foot + 12);
        int found = -1;
        for (int c = 0; kernel_columns[c].key; c++)
            if (strcmp(kernel_columns[c].key, key) == 0) found = c;
        if (found < 0) fail_msg("no column %s", key);
        assert_false(seen[found]);
        seen[found] = true;
        char words[24];
        snprintf(words, sizeof words, "%.20s", kernel_columns[found].help);
        stage_shows(&stage, words);
        /* Space shows or hides this column, and no other. */
        bool before[256];
        for (int c = 0; kernel_columns[c].key; c++)
            before[c] = is_over_the_table(&stage, c);
        stage_type(&stage, " ");
        for (int c = 0; kernel_columns[c].key; c++)
            assert_int_equal(is_over_the_table(&stage, c) != before[c], c == found);
        stage_type(&stage, " ");
        count++;
        stage_key(&stage, UIKEY_DOWN);
    }
    assert_true(count > 30);
}
