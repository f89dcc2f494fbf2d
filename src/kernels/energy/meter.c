#include "kernels/energy/meter.h"

#include <stddef.h>
#include <time.h>

#include "base/job.h"

const struct energy_source *const energy_sources[] = {&energy_rapl, &energy_nvml, &energy_nvml_power, NULL};

static double real_now(void *state)
{
    return clock_seconds();
}

static void real_rest(void *state, double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}

const struct energy_clock energy_clock_real = {.now = real_now, .rest = real_rest};

enum status energy_open(struct energy_meter *meter, const char *address, const struct energy_clock *clock,
                        struct error *error)
{
    *meter = (struct energy_meter){0};
    struct error first = {0};
    enum status status = STATUS_UNAVAILABLE;
    for (int k = 0; energy_sources[k]; k++) {
        if (energy_sources[k]->device != (address != NULL)) continue;
        *meter = (struct energy_meter){.source = energy_sources[k], .clock = clock};
        status = energy_sources[k]->open(meter, address, &first);
        if (status == STATUS_OK) return STATUS_OK;
        energy_close(meter);
        if (status != STATUS_UNAVAILABLE) break;
    }
    return error_set(error, status, "%s", first.message);
}

void energy_close(struct energy_meter *meter)
{
    if (meter->source) meter->source->close(meter);
    *meter = (struct energy_meter){0};
}

enum status energy_read(struct energy_meter *meter, double *joules, double *seconds, struct error *error)
{
    return meter->source->read(meter, joules, seconds, error);
}

int energy_processes(struct energy_meter *meter)
{
    return meter->source->processes ? meter->source->processes(meter) : 0;
}
