#include "support/warps_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/support.h"

struct warps *warps_of(struct stage *stage)
{
    return stage->state;
}

void warps_work(struct stage *stage)
{
    struct session *session = &stage->session;
    const struct conversions_shown *shown = &stage->explorer.shown;
    for (int k = 0; k < shown->count; k++)
        if (conversion_state(shown->items[k]) < CONVERSION_BUILT)
            assert_int_equal(conversion_build(shown->items[k], session->limit, NULL, NULL), STATUS_OK);
    stage_draw(stage);
    for (int k = 0; k < 8 && stage->explorer.errand && stage->explorer.errand->state == ERRAND_WANTED; k++)
        stage_work(stage);
}

struct warps *warps_open_kernels(struct stage *stage, struct csr a, int high, int wide, const char *first,
                                 const char *second)
{
    struct warps *warps = stage_open(stage, &view_warps, a, FIELD_REAL, high, wide);
    warps_answer(&stage->explorer, warps, first);
    warps->focus = 1;
    warps_answer(&stage->explorer, warps, second);
    warps->focus = 0;
    stage_draw(stage);
    warps_work(stage);
    return warps;
}

struct csr warps_band(void)
{
    static double dense[40 * 43];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 4; j++)
            dense[i * 43 + i + j] = 1;
    return support_dense(40, 43, dense);
}
