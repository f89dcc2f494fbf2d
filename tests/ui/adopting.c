/* Showing another order of the matrix keeps the user's settings of a screen. Each setting alone is taken
 * over, and changes no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "support/view.h"
#include "ui/advice/screen.h"
#include "ui/kernels/kernels.h"
#include "ui/layouts/layouts.h"
#include "ui/parts/screen.h"
#include "ui/pattern/pattern.h"
#include "ui/rows/rows.h"
#include "ui/summary/summary.h"
#include "ui/warps/warps.h"

/* A member of a screen's state; both values of its lowest bit are valid. */
struct setting {
    const char *name;
    size_t offset;
};

#define SETTING(type, member)                  \
    {                                          \
#        member, offsetof(struct type, member) \
    }

static const struct setting of_pattern[] = {
    SETTING(pattern, alone),          SETTING(pattern, margin_wish),     SETTING(pattern, fill),
    SETTING(pattern, wish),           SETTING(pattern, diagonal),        SETTING(pattern, bands),
    SETTING(pattern, colouring),      SETTING(pattern, overlays.shown),  SETTING(pattern, overlays.height),
    SETTING(pattern, overlays.chunk), SETTING(pattern, overlays.window), {NULL, 0},
};
static const struct setting of_rows[] = {SETTING(rows, sides[0].cut),
                                         SETTING(rows, sides[0].rule),
                                         SETTING(rows, sides[0].logarithmic),
                                         {NULL, 0}};
static const struct setting of_layouts[] = {SETTING(layouts, precision), SETTING(layouts, content),
                                            SETTING(layouts, sections),  SETTING(layouts, stacked),
                                            SETTING(layouts, digits),    {NULL, 0}};
static const struct setting of_warps[] = {SETTING(warps, precision),
                                          SETTING(warps, alone),
                                          SETTING(warps, moment_step),
                                          SETTING(warps, tentative),
                                          {NULL, 0}};
static const struct setting of_kernels[] = {
    SETTING(kernels_screen, precision),  SETTING(kernels_screen, column),
    SETTING(kernels_screen, first),      SETTING(kernels_screen, sort),
    SETTING(kernels_screen, descending), SETTING(kernels_screen, panel),
    SETTING(kernels_screen, no_panel),   SETTING(kernels_screen, visible[0]),
    SETTING(kernels_screen, visible[3]), {NULL, 0}};
static const struct setting of_summary[] = {SETTING(summary, selected), SETTING(summary, top), {NULL, 0}};
static const struct setting of_advice[] = {
    SETTING(advice_screen, precision), SETTING(advice_screen, chosen),    SETTING(advice_screen, place),
    SETTING(advice_screen, each),      SETTING(advice_screen, one),       SETTING(advice_screen, focus),
    SETTING(advice_screen, term),      SETTING(advice_screen, criterion), {NULL, 0}};
static const struct setting of_parts[] = {SETTING(parts_screen, panes.one),
                                          SETTING(parts_screen, curve),
                                          SETTING(parts_screen, curve_chosen),
                                          SETTING(parts_screen, base),
                                          {NULL, 0}};

static const struct {
    const struct view *view;
    const struct setting *settings;
} screens[] = {{&view_pattern, of_pattern}, {&view_rows, of_rows},       {&view_layouts, of_layouts},
               {&view_warps, of_warps},     {&view_kernels, of_kernels}, {&view_summary, of_summary},
               {&view_advice, of_advice},   {&view_parts, of_parts}};

static void open_screen(struct stage *stage, const struct view *view)
{
    stage_open(stage, view, support_matrix(12, 12, 0.4, true, false, 3), FIELD_REAL, 40, 140);
}

static unsigned char *member(const struct stage *stage, const struct setting *setting)
{
    return (unsigned char *)stage->state + setting->offset;
}

/* Change one setting of a screen, and show another order. */
static void check_setting(const struct view *view, const struct setting *settings, int changed)
{
    struct stage before, after;
    open_screen(&before, view);
    open_screen(&after, view);
    *member(&before, &settings[changed]) ^= 1;
    view->adopt(&after.explorer, after.state, before.state);
    for (int k = 0; settings[k].name; k++)
        if (*member(&after, &settings[k]) != *member(&before, &settings[k]))
            fail_msg("%s: %s was changed, and %s is another one then", view->title, settings[changed].name,
                     settings[k].name);
    stage_close(&before);
    stage_close(&after);
}

static void each_setting_is_taken_over(void **state)
{
    for (size_t s = 0; s < sizeof screens / sizeof *screens; s++)
        for (int k = 0; screens[s].settings[k].name; k++)
            check_setting(screens[s].view, screens[s].settings, k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_setting_is_taken_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
