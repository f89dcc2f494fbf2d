#include "support/kernels_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "support/view.h"

struct kernels_screen *screen_of(struct stage *stage)
{
    return stage->state;
}

struct kernels_screen *stage_kernels(struct stage *stage, int high, int wide)
{
    static const double dense[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    return stage_open(stage, &view_kernels, support_dense(4, 4, dense), FIELD_REAL, high, wide);
}

static struct results make_results(const struct outcome *outcomes, enum precision precision)
{
    struct results results = {0};
    for (; outcomes->kernel; outcomes++) {
        struct kernel_list list = {0};
        assert_int_equal(kernel_list_add(&list, outcomes->kernel, NULL), STATUS_OK);
        assert_int_equal(list.count, 1);
        const struct kernel_choice choice =
            kernel_choice_with(&list.choices[0], precision, outcomes->threads);
        assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
        struct result *result = &results.items[results.count - 1];
        *result = result_unrun(&result->choice, false, (struct product){0});
        double t = outcomes->seconds;
        if (t > 0) {
            result->samples = (struct samples){.count = 30,
                                               .median = t,
                                               .low = t - outcomes->half,
                                               .high = t + outcomes->half,
                                               .min = t,
                                               .mean = t,
                                               .stddev = 0,
                                               .time = t};
            result->flops = 1e6;
            result->bytes = (struct kernel_bytes){1e6, 1e6};
        } else {
            result->status = error_set(&result->error, STATUS_INPUT, "row 3 is 7, not 8");
        }
        kernel_list_free(&list);
    }
    results.machines.host =
        (struct machine){.threads = 2, .read = 1e10, .copy = 8e9, .read_low = 1e10, .cache = 1000};
    return results;
}

struct run *stage_run(struct stage *stage, const struct outcome *outcomes, enum precision precision,
                      const char *label)
{
    struct results results = make_results(outcomes, precision);
    struct run *run = runs_add(&stage->session.shown->runs, label, &results, NULL);
    assert_non_null(run);
    return run;
}

int kernel_count(void)
{
    int count = 0;
    while (kernels[count])
        count++;
    return count;
}

/* Put the cursor on this kernel. */
void stage_go_to(struct stage *stage, const char *name)
{
    struct kernels_screen *screen = screen_of(stage);
    for (int k = 0; k < screen->line_count; k++) {
        struct result unrun;
        if (strcmp(kernels_result(&stage->explorer, screen, &screen->lines[k], &unrun)->name, name) == 0) {
            screen->cursor = k;
            stage_draw(stage);
            return;
        }
    }
    fail_msg("no %s in\n%s", name, stage_dump(stage));
}
