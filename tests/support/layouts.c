#include "support/layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "support/view.h"
#include "ui/layouts/layouts.h"

struct csr layouts_pmpp(void)
{
    static const double dense[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    return support_dense(4, 4, dense);
}

struct layouts *layouts_of(struct stage *stage)
{
    return stage->state;
}

void layouts_build(struct stage *stage)
{
    struct session *session = &stage->session;
    for (int round = 0; round < 3; round++) {
        const struct conversions_shown *shown = &stage->explorer.shown;
        for (int k = 0; k < shown->count; k++) {
            struct conversion *item = shown->items[k];
            if (item->declined) continue;
            assert_int_equal(
                (item->keep ? conversion_build : conversion_plan)(item, session->limit, NULL, NULL),
                STATUS_OK);
        }
        stage_draw(stage);
    }
}

struct layouts *layouts_open(struct stage *stage, struct csr a, int high, int wide, const char *const *names)
{
    struct layouts *layouts = stage_open(stage, &view_layouts, a, FIELD_REAL, high, wide);
    layouts->count = 0;
    layouts->tentative = false;
    for (int k = 0; names[k]; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s", names[k]);
        char *colon = strchr(name, ':');
        if (colon) *colon = 0;
        struct format_choice choice;
        assert_int_equal(
            format_choice_read(format_find(name), colon ? colon + 1 : "", layouts->precision, &choice, NULL),
            STATUS_OK);
        layouts_add(&stage->explorer, layouts, &choice);
    }
    layouts_update(&stage->explorer, layouts);
    layouts_build(stage);
    return layouts;
}

void layouts_at(struct stage *stage, int64_t row, int64_t col)
{
    if (stage->explorer.cursor.row == row && stage->explorer.cursor.col == col) return;
    fail_msg("the cursor is at %lld, %lld and not at %lld, %lld in\n%s",
             (long long)stage->explorer.cursor.row, (long long)stage->explorer.cursor.col, (long long)row,
             (long long)col, stage_dump(stage));
}

int layouts_lit(const struct stage *stage, enum colour background)
{
    int count = 0;
    for (int k = 0; k < stage->surface.high * stage->surface.wide; k++)
        count += stage->surface.cells[k].background == (uint8_t)background;
    return count;
}

void layouts_focus(struct stage *stage, const char *name)
{
    struct layouts *layouts = layouts_of(stage);
    for (int k = 0; k < 40; k++) {
        const struct storage *storage = layouts->panels[layouts->focus.panel].shown->storage;
        int q = layouts->focus.array;
        if (q >= 0 && strcmp(storage->array[q].name, name) == 0) return;
        stage_key(stage, ']');
    }
    fail_msg("no array %s", name);
}
