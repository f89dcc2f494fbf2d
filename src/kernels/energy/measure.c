#include "kernels/energy/measure.h"

#include <math.h>
#include <stdio.h>

#define CHANGES 10          /* the tick is found from this number of changes of the counter, */
#define CHANGES_SECONDS 2.0 /* or from fewer changes within this time */
#define CHANGE_SECONDS 2.0  /* a counter that does not change within this time stands still */
#define POLL_SECONDS 2e-5   /* between two readings while a change is awaited */
#define IDLE_SECONDS 0.5    /* length of a window of the idle machine, at least a tick */
#define IDLE_WINDOWS 4      /* number of successive windows whose powers must agree */
#define IDLE_SPREAD 0.02    /* to this share of their mean, */
#define IDLE_WINDOWS_MAX 12 /* after this number of windows, the last ones count */
#define SETTLE_SECONDS 0.3  /* products run for this time before the measured window, */
#define SETTLE_TICKS 3      /* and for at least this number of ticks, */
#define SETTLE_SHARE 0.25   /* but for at most this share of the limit */
#define WINDOW_SECONDS 0.5  /* minimum length of the measured window, unless the limit is shorter */
#define REST_SECONDS 0.05   /* between two checks for cancellation */
#define BATCH_SECONDS 0.1   /* length of a batch of products between two readings */
#define BATCH_MAX 1000000

/* A reading of the counter. */
struct reading {
    double joules, seconds;
};

void energy_clear(struct energy *energy, bool asked)
{
    *energy = (struct energy){.asked = asked};
    energy->gross = energy->net = energy->error = energy->watts = NAN;
    energy->idle = energy->idle_spread = energy->tick = energy->step = NAN;
    energy->seconds = energy->load = NAN;
}

void energy_sum(struct energy *energy, double joules, double seconds, int64_t products)
{
    energy->seconds = seconds;
    energy->products = products;
    energy->watts = joules / seconds;
    energy->gross = joules / (double)products;
    energy->net = (joules - energy->idle * seconds) / (double)products;
    energy->error = hypot(energy->watts * energy->tick, energy->idle_spread * seconds) / (double)products;
}

static enum status take(struct energy_meter *meter, struct reading *reading, struct error *error)
{
    return energy_read(meter, &reading->joules, &reading->seconds, error);
}

static void rest(const struct energy_meter *meter, double seconds)
{
    meter->clock->rest(meter->clock->state, seconds);
}

/* Wait until the counter differs from *reading, the last reading, and update *reading. Fails with
 * STATUS_UNAVAILABLE if it does not change within this time. */
static enum status next_change(struct energy_meter *meter, double patience, struct progress *progress,
                               struct reading *reading, struct error *error)
{
    const struct reading before = *reading;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && reading->joules == before.joules) {
        if (progress_cancelled(progress)) return progress_status(progress, error);
        if (reading->seconds - before.seconds >= patience)
            return error_set(error, STATUS_UNAVAILABLE, "%s: the counter does not change within %.3g s",
                             meter->name, patience);
        rest(meter, POLL_SECONDS);
        status = take(meter, reading, error);
    }
    return status;
}

enum status energy_resolve(struct energy_meter *meter, struct progress *progress, struct error *error)
{
    struct reading first, last;
    int changes = 0;
    meter->tick = meter->source->tick;
    meter->step = NAN;
    if (meter->tick > 0) return STATUS_OK;
    enum status status = take(meter, &last, error);
    if (status == STATUS_OK) status = next_change(meter, CHANGE_SECONDS, progress, &last, error);
    first = last;
    while (status == STATUS_OK && changes < CHANGES &&
           (changes == 0 || last.seconds - first.seconds < CHANGES_SECONDS)) {
        status = next_change(meter, CHANGE_SECONDS, progress, &last, error);
        changes++;
    }
    if (status != STATUS_OK) return status;
    meter->tick = (last.seconds - first.seconds) / changes;
    meter->step = (last.joules - first.joules) / changes;
    return STATUS_OK;
}

/* Rest for this time, in short parts, so that cancellation takes effect soon. */
static enum status rest_long(struct energy_meter *meter, double seconds, struct progress *progress,
                             struct error *error)
{
    for (double done = 0; done < seconds; done += REST_SECONDS) {
        if (progress_cancelled(progress)) return progress_status(progress, error);
        rest(meter, fmin(REST_SECONDS, seconds - done));
    }
    return STATUS_OK;
}

/* Set the idle power to the mean of the last windows' powers, and its spread to half their range. `watts` is
 * a ring. */
static void sum_idle(struct energy_meter *meter, const double watts[IDLE_WINDOWS])
{
    double low = watts[0], high = watts[0], sum = 0;
    for (int k = 0; k < IDLE_WINDOWS; k++) {
        low = fmin(low, watts[k]);
        high = fmax(high, watts[k]);
        sum += watts[k];
    }
    meter->idle = sum / IDLE_WINDOWS;
    meter->idle_spread = (high - low) / 2;
}

enum status energy_idle(struct energy_meter *meter, struct progress *progress, struct error *error)
{
    const double window = fmax(IDLE_SECONDS, meter->tick);
    double watts[IDLE_WINDOWS];
    struct reading begin, end;
    enum status status = take(meter, &begin, error);
    if (status == STATUS_OK) status = next_change(meter, CHANGE_SECONDS, progress, &begin, error);
    meter->idle = meter->idle_spread = NAN;
    for (int k = 0; k < IDLE_WINDOWS_MAX && status == STATUS_OK; k++) {
        status = rest_long(meter, window, progress, error);
        if (status == STATUS_OK) status = take(meter, &end, error);
        if (status == STATUS_OK) status = next_change(meter, CHANGE_SECONDS, progress, &end, error);
        if (status != STATUS_OK) return status;
        watts[k % IDLE_WINDOWS] = (end.joules - begin.joules) / (end.seconds - begin.seconds);
        begin = end;
        if (k + 1 < IDLE_WINDOWS) continue;
        sum_idle(meter, watts);
        if (2 * meter->idle_spread <= IDLE_SPREAD * meter->idle) break;
    }
    return status;
}

/* Run batches of products until this time has passed since the reading *begin. *end becomes the last reading,
 * and *products the number of products in between. Batches become smaller if other work slows them down. */
static enum status run_for(struct energy_meter *meter, const struct energy_work *work, double seconds,
                           struct progress *progress, const struct reading *begin, struct reading *end,
                           int *batch, int64_t *products, struct error *error)
{
    enum status status = STATUS_OK;
    *end = *begin;
    *products = 0;
    while (status == STATUS_OK && end->seconds - begin->seconds < seconds) {
        if (progress_cancelled(progress)) return progress_status(progress, error);
        status = work->run(work->state, *batch, error);
        *products += *batch;
        const double before = end->seconds;
        if (status == STATUS_OK) status = take(meter, end, error);
        if (end->seconds - before > 2 * BATCH_SECONDS)
            *batch = (int)fmax(1, *batch * BATCH_SECONDS / (end->seconds - before));
    }
    return status;
}

enum status energy_measure(struct energy_meter *meter, const struct energy_work *work,
                           struct progress *progress, struct energy *energy, struct error *error)
{
    const double settle = fmin(fmax(SETTLE_SECONDS, SETTLE_TICKS * meter->tick), SETTLE_SHARE * work->limit);
    const double window = fmax(WINDOW_SECONDS, meter->tick / ENERGY_RESOLUTION);
    struct reading start, begin, end;
    int batch = (int)fmax(1, fmin(BATCH_SECONDS / work->seconds, BATCH_MAX));
    int64_t products;
    snprintf(energy->meter, sizeof energy->meter, "%s", meter->name);
    energy->idle = meter->idle;
    energy->idle_spread = meter->idle_spread;
    energy->tick = meter->tick;
    energy->step = meter->step;
    enum status status = take(meter, &start, error);
    if (status == STATUS_OK)
        status = run_for(meter, work, settle, progress, &start, &begin, &batch, &products, error);
    if (status != STATUS_OK) return status;
    const double left = work->limit - (begin.seconds - start.seconds);
    status = run_for(meter, work, fmin(window, fmax(left, POLL_SECONDS)), progress, &begin, &end, &batch,
                     &products, error);
    if (status != STATUS_OK) return status;
    energy_sum(energy, end.joules - begin.joules, end.seconds - begin.seconds, products);
    energy->processes = energy_processes(meter);
    return STATUS_OK;
}
