#include "support/advice_screen.h"

#include <string.h>

#include "support/kernels_screen.h"
#include "support/support.h"

struct advice_screen *stage_advice(struct stage *stage, int high, int wide)
{
    static const double dense[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    return stage_open(stage, &view_advice, support_dense(4, 4, dense), FIELD_REAL, high, wide);
}

const struct outcome advised_outcomes[] = {{"cpu/csr-omp", 2, 2e-4, 1e-6},
                                           {"cpu/coo-omp", 2, 4e-4, 1e-6},
                                           {"cpu/ell-omp", 2, 1e-4, 1e-6},
                                           {NULL, 0, 0, 0}};

struct run *stage_advised(struct stage *stage)
{
    static const double forecast[] = {2.1e-4, 4.8e-4, 0.5e-4}, convert[] = {0, 1e-3, 1e-2};
    struct run *run = stage_run(stage, advised_outcomes, PRECISION_F64, "2 threads");
    for (int k = 0; k < 3; k++) {
        struct prediction *predicted = &run->results.items[k].predicted[0];
        *predicted = (struct prediction){.there = true,
                                         .seconds = forecast[k],
                                         .low = forecast[k] / 1.1,
                                         .high = 1.2 * forecast[k],
                                         .bound = BOUND_DRAM};
        strcpy(predicted->machine, "cpu");
        run->results.items[k].convert_seconds = convert[k];
    }
    /* There are no other forecasts, and none will be made. */
    atomic_store(&stage->session.shown->foresight[PRECISION_F64].complete, true);
    stage_draw(stage);
    return run;
}
