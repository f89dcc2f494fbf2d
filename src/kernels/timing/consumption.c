#include "kernels/timing/consumption.h"

#include <stdio.h>

#include "base/load.h"
#include "kernels/energy/measure.h"

/* The work of one contender. */
struct work {
    struct rounds *rounds;
    struct contender *contender;
};

static enum status run(void *state, int products, struct error *error)
{
    const struct work *work = state;
    return rounds_repeat(work->rounds, work->contender, products, error);
}

/* Open the meter of a machine, and find its tick and its idle power. */
static enum status look(struct energy_meter *meter, const struct machine *machine, struct progress *progress,
                        struct error *error)
{
    const char *address = machine->device ? machine->device->facts.address : NULL;
    if (address && !address[0])
        return error_set(error, STATUS_UNAVAILABLE, "%s has no known PCI address, by which a meter finds it",
                         machine->name);
    enum status status = energy_open(meter, address, &energy_clock_real, error);
    progress_phase(progress, "measuring the idle power", 0);
    if (status == STATUS_OK) status = energy_resolve(meter, progress, error);
    if (status == STATUS_OK) status = energy_idle(meter, progress, error);
    return status;
}

/* Return the meter of the contender's machine. NULL if there is none; *reason then says why. */
static struct energy_meter *meter_of(struct consumption *consumption, const struct rounds *rounds,
                                     const struct machine *machine, struct error *reason)
{
    struct machine_meter *found = machine == &rounds->machines->host
                                      ? &consumption->host
                                      : &consumption->device[machine - rounds->machines->device];
    if (!found->looked) look(&found->meter, machine, rounds->progress, &found->error);
    found->looked = true;
    *reason = found->error;
    return found->error.status == STATUS_OK ? &found->meter : NULL;
}

static void measure(struct consumption *consumption, struct rounds *rounds, struct contender *contender,
                    struct error *reason)
{
    struct result *result = contender->sampling.result;
    struct work work = {.rounds = rounds, .contender = contender};
    struct load_watch watch;
    if (rounds->options->cold) {
        error_set(reason, STATUS_UNAVAILABLE,
                  "the energy of flushes would be measured with it: leave out --cold");
        return;
    }
    struct energy_meter *meter = meter_of(consumption, rounds, contender->machine, reason);
    if (!meter) return;
    const struct energy_work wanted = {
        .run = run, .state = &work, .seconds = result->samples.time, .limit = rounds->options->energy};
    load_begin(&watch);
    if (energy_measure(meter, &wanted, rounds->progress, &result->energy, reason) == STATUS_OK)
        result->energy.load = load_end(&watch);
}

enum status consumption_measure(struct consumption *consumption, struct rounds *rounds,
                                struct contender *contenders, int count, struct error *error)
{
    struct progress *progress = rounds->progress;
    for (int k = 0; k < count && !progress_cancelled(progress); k++) {
        struct result *result = contenders[k].sampling.result;
        struct error reason = {0};
        if (!contenders[k].sampling.ready || result->samples.count == 0) continue;
        energy_clear(&result->energy, true);
        progress_phase(progress, "measuring energy", count);
        progress_add(progress, k);
        measure(consumption, rounds, &contenders[k], &reason);
        snprintf(result->energy.reason, sizeof result->energy.reason, "%.300s", reason.message);
    }
    return progress_status(progress, error);
}

void consumption_end(struct consumption *consumption)
{
    energy_close(&consumption->host.meter);
    for (int k = 0; k < DEVICES_MAX; k++)
        energy_close(&consumption->device[k].meter);
}
