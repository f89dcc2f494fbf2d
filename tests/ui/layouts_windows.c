/* ui/layouts: the windows of the arrays: the visible part, the ends, and the reaction to the mouse. */
#include <stdio.h>
#include <string.h>

#include "support/layouts.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/layouts/layouts.h"

/* At no height is the picture's last line missing above a blank line. */
TEST(the_last_line_comes_before_a_gap)
{
    FREED(stage_close) struct stage stage;
    int cut = 0, whole = 0;
    layouts_open(&stage, layouts_pmpp(), 21, 72, (const char *[]){"csr", NULL});
    for (int high = 9; high <= 24; high++) {
        stage_resize(&stage, high, 72);
        const char *dump = stage_dump(&stage), *second = strstr(dump, "\n    2 \u2502");
        if (strstr(dump, "\n    3 \u2502")) {
            whole++;
        } else if (second) {
            cut++;
            const char *below = strchr(second + 1, '\n') + 1;
            assert_true(below[strspn(below, " ")] != '\n');
        }
    }
    assert_true(whole > 0);
    assert_true(cut == 0); /* the last line fits with the three others */
}

static bool is_in_segment(const struct layouts *layouts, int y, int x)
{
    for (int k = 0; k < layouts->segment_count; k++) {
        const struct segment *segment = &layouts->segments[k];
        if (y == segment->y && x >= segment->x && x < segment->x + segment->count * segment->field)
            return true;
    }
    return false;
}

/* A click beside a segment chooses nothing. The wheel advances by a quarter of the segment and one. */
TEST(the_mouse_acts_on_segments_alone)
{
    FREED(stage_close) struct stage stage;
    int beside = 0;
    struct layouts *layouts =
        layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    layouts_focus(&stage, "val");
    const struct focus before = layouts->focus;
    for (int k = 0; k < layouts->segment_count; k++) {
        struct segment segment = layouts->segments[k];
        const int places[] = {segment.x - 1, segment.x + segment.count * segment.field};
        for (int c = 0; c < 2; c++) {
            if (is_in_segment(layouts, segment.y, places[c])) continue;
            beside++;
            stage_mouse(&stage, MOUSE_PRESS, segment.y, places[c]);
            assert_memory_equal(&layouts->focus, &before, sizeof before);
        }
    }
    assert_true(beside > 10);
    for (int k = 0; k < layouts->segment_count; k++) {
        struct segment segment = layouts->segments[k];
        if (segment.panel != before.panel || segment.array != before.array) continue;
        stage_key(&stage, UIKEY_HOME);
        stage_mouse(&stage, MOUSE_WHEEL_DOWN, segment.y, segment.x);
        assert_int_equal(layouts->focus.element, segment.count / 4 + 1);
        stage_mouse(&stage, MOUSE_WHEEL_UP, segment.y, segment.x);
        assert_int_equal(layouts->focus.element, 0);
        break;
    }
}

/* While the cursor moves line by line, the next line in either direction is visible, as long as there is
 * one. */
TEST(windows_show_what_comes_next)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, support_matrix(60, 50, 0.2, true, false, 9), 21, 80, (const char *[]){"csr", NULL});
    const struct panel *panel = &layouts_of(&stage)->panels[0];
    assert_true(panel->lines >= 5 && panel->lines < 30);
    for (int k = 0; k < 120; k++) {
        int64_t row = k < 60 ? k : 119 - k;
        stage_move(&stage, row, 0);
        int64_t above = row - panel->line, below = panel->line + panel->lines - 1 - row;
        assert_true(above >= 1 || row == 0);
        assert_true(below >= 1 || row == 59);
    }
}

static const struct segment *segment_of(const struct layouts *layouts, const char *name)
{
    const struct storage *storage = layouts->panels[0].shown->storage;
    for (int k = 0; k < layouts->segment_count; k++) {
        const struct segment *segment = &layouts->segments[k];
        if (segment->array >= 0 && strcmp(storage->array[segment->array].name, name) == 0) return segment;
    }
    fail_msg("no array %s is drawn", name);
    return NULL;
}

/* If there is room, a blank line separates groups of arrays. An array that is shown whole takes no
 * superfluous lines. */
TEST(groups_stand_apart_where_there_is_room)
{
    for (int high = 50; high <= 60; high++) {
        FREED(stage_close) struct stage stage;
        layouts_open(&stage, layouts_pmpp(), high, 80, (const char *[]){"csr", NULL});
        const struct segment *row_ptr = segment_of(layouts_of(&stage), "row_ptr"),
                             *col = segment_of(layouts_of(&stage), "col");
        assert_int_equal(col->y - row_ptr->y, 3); /* the blank line, and that of indices */
    }
}

/* However little room there is, the array with the focus is drawn. */
TEST(the_focused_array_is_in_sight)
{
    for (int high = 12; high < 30; high++) {
        FREED(stage_close) struct stage stage;
        struct layouts *layouts =
            layouts_open(&stage, layouts_pmpp(), high, 80, (const char *[]){"hyb:k=1", NULL});
        const struct storage *storage = layouts->panels[0].shown->storage;
        for (int round = 0; round < 2 * storage->count; round++) {
            stage_key(&stage, round < storage->count ? ']' : '[');
            bool seen = layouts->focus.array < 0;
            for (int k = 0; k < layouts->segment_count; k++)
                seen = seen || layouts->segments[k].array == layouts->focus.array;
            if (!seen) fail_msg("%s in %d lines", storage->array[layouts->focus.array].name, high);
        }
    }
}

/* However far the cursor jumps, each window shows it. */
TEST(windows_follow_the_cursor)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, support_matrix(2000, 3000, 0.01, true, false, 9), 21, 80,
                 (const char *[]){"csr", "coo", NULL});
    const struct csr *a = &stage.session.shown->matrix.csr;
    uint64_t seed = 4;
    for (int k = 0; k < 200; k++) {
        int64_t entry = support_random(&seed, (uint32_t)csr_nnz(a)), row = csr_row_of(a, entry);
        stage_move(&stage, row, a->col[entry]);
        assert_int_equal(stage.surface.cut, 0);
        const struct panel *panels = layouts_of(&stage)->panels;
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < panels[p].shown->storage->count; q++) {
                int64_t e = panels[p].shown->storage->array[q].per_slot ? entry : row;
                assert_in_range(e - panels[p].first[q], 0, panels[p].room[q] - 1);
            }
        assert_in_range(row - panels[0].line, 0, panels[0].lines - 1);
    }
}
