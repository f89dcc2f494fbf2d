/* NVML, NVIDIA's library for managing GPUs, which comes with the driver: a counter of energy, and the power
 * for GPUs without the counter. The library is loaded when it is needed, and its header is not needed. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/libraries.h"
#include "base/memory.h"
#include "kernels/energy/meter.h"

#define MILLI 1e-3 /* energies are in millijoules, powers in milliwatts */
#define INSUFFICIENT_SIZE 7
#define SAMPLE_SECONDS 0.02 /* between two samples of the power */
#define AVERAGED_SECONDS 1  /* averaging of the power since Ampere (nvmlDeviceGetPowerUsage) */

static const char *const files[] = {"libnvidia-ml.so.1", NULL};
static const char *const folders[] = {"/usr/lib/wsl/lib", NULL};
static const struct library_place place = {
    .title = "NVML",
    .variable = "SPARSIGHT_NVML",
    .files = files,
    .folders = folders,
    .install = "it comes with NVIDIA's driver",
};

typedef void *nvml_device;

struct nvml {
    int (*init)(void);
    int (*shutdown)(void);
    const char *(*explain)(int code);
    int (*find)(const char *address, nvml_device *device);
    int (*energy)(nvml_device device, unsigned long long *millijoules);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*processes)(nvml_device device, unsigned *count, void *infos);
    bool started;
    nvml_device device;
    const struct energy_clock *clock;
    /* For the thread that samples the power: */
    pthread_t thread;
    pthread_mutex_t lock; /* protects the members below */
    bool sampling, stop;
    double joules, sampled, watts; /* the energy until the last sample, its time and its power */
    int code;                      /* the code of the first sample that failed; 0: none */
};

static enum status outcome(const struct nvml *nvml, const char *function, int code, struct error *error)
{
    if (code == 0) return STATUS_OK;
    const char *why = nvml->explain(code);
    return error_set(error, STATUS_UNAVAILABLE, "%s: %s (%d)", function, why ? why : "no reason", code);
}

/* Load the library and find its functions. It stays in memory. */
static enum status load(struct nvml *nvml, struct error *error)
{
    const struct library_symbol wanted[] = {
        {"nvmlInit_v2", &nvml->init},
        {"nvmlShutdown", &nvml->shutdown},
        {"nvmlErrorString", &nvml->explain},
        {"nvmlDeviceGetHandleByPciBusId_v2", &nvml->find},
        {"nvmlDeviceGetTotalEnergyConsumption", &nvml->energy},
        {"nvmlDeviceGetPowerUsage", &nvml->power},
        {"nvmlDeviceGetComputeRunningProcesses", &nvml->processes},
        {NULL, NULL},
    };
    void *file = library_file_open(&place, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, error);
    if (!file) return STATUS_UNAVAILABLE;
    enum status status = library_find(&place, file, wanted, error);
    dlclose(file);
    return status;
}

static enum status start(struct energy_meter *meter, const char *address, struct error *error)
{
    struct nvml *nvml = meter->state = memory_zeroed(1, sizeof *nvml, error);
    if (!nvml) return STATUS_MEMORY;
    nvml->clock = meter->clock;
    pthread_mutex_init(&nvml->lock, NULL);
    enum status status = load(nvml, error);
    if (status == STATUS_OK) status = outcome(nvml, "nvmlInit", nvml->init(), error);
    nvml->started = status == STATUS_OK;
    if (status == STATUS_OK)
        status = outcome(nvml, "nvmlDeviceGetHandleByPciBusId", nvml->find(address, &nvml->device), error);
    return status;
}

static enum status read_counter(struct energy_meter *meter, double *joules, double *seconds,
                                struct error *error)
{
    struct nvml *nvml = meter->state;
    unsigned long long millijoules = 0;
    int code = nvml->energy(nvml->device, &millijoules);
    *joules = MILLI * (double)millijoules;
    *seconds = meter->clock->now(meter->clock->state);
    return outcome(nvml, "nvmlDeviceGetTotalEnergyConsumption", code, error);
}

static enum status open_counter(struct energy_meter *meter, const char *address, struct error *error)
{
    double joules, seconds;
    enum status status = start(meter, address, error);
    snprintf(meter->name, sizeof meter->name, "NVML's energy counter of the GPU");
    return status == STATUS_OK ? read_counter(meter, &joules, &seconds, error) : status;
}

/* Add the energy since the last sample: the mean of both powers times the time between them. The caller holds
 * the lock. */
static void sample(struct nvml *nvml)
{
    unsigned milliwatts = 0;
    int code = nvml->power(nvml->device, &milliwatts);
    double now = nvml->clock->now(nvml->clock->state), watts = MILLI * milliwatts;
    if (code && !nvml->code) nvml->code = code;
    if (nvml->sampling) nvml->joules += (watts + nvml->watts) / 2 * (now - nvml->sampled);
    nvml->watts = watts;
    nvml->sampled = now;
}

static void *sample_power(void *argument)
{
    struct nvml *nvml = argument;
    pthread_mutex_lock(&nvml->lock);
    while (!nvml->stop) {
        sample(nvml);
        pthread_mutex_unlock(&nvml->lock);
        nvml->clock->rest(nvml->clock->state, SAMPLE_SECONDS);
        pthread_mutex_lock(&nvml->lock);
    }
    pthread_mutex_unlock(&nvml->lock);
    return NULL;
}

static enum status open_power(struct energy_meter *meter, const char *address, struct error *error)
{
    enum status status = start(meter, address, error);
    struct nvml *nvml = meter->state;
    if (status != STATUS_OK) return status;
    snprintf(meter->name, sizeof meter->name, "NVML's power of the GPU, sampled");
    sample(nvml);
    status = outcome(nvml, "nvmlDeviceGetPowerUsage", nvml->code, error);
    if (status != STATUS_OK) return status;
    nvml->sampling = true;
    if (pthread_create(&nvml->thread, NULL, sample_power, nvml) == 0) return STATUS_OK;
    nvml->sampling = false;
    return error_set(error, STATUS_MEMORY, "out of memory: no thread to sample the power");
}

static enum status read_power(struct energy_meter *meter, double *joules, double *seconds,
                              struct error *error)
{
    struct nvml *nvml = meter->state;
    pthread_mutex_lock(&nvml->lock);
    sample(nvml);
    int code = nvml->code;
    *joules = nvml->joules;
    *seconds = nvml->sampled;
    pthread_mutex_unlock(&nvml->lock);
    return outcome(nvml, "nvmlDeviceGetPowerUsage", code, error);
}

/* The processes with a context on the device. A list without this one, as that of a container may be, is
 * empty or wrong; an empty one is unknown. */
static int count_processes(struct energy_meter *meter)
{
    struct nvml *nvml = meter->state;
    unsigned count = 0;
    int code = nvml->processes(nvml->device, &count, NULL);
    return code == 0 || code == INSUFFICIENT_SIZE ? (int)count : 0;
}

static void close_nvml(struct energy_meter *meter)
{
    struct nvml *nvml = meter->state;
    if (!nvml) return;
    if (nvml->sampling) {
        pthread_mutex_lock(&nvml->lock);
        nvml->stop = true;
        pthread_mutex_unlock(&nvml->lock);
        pthread_join(nvml->thread, NULL);
    }
    if (nvml->started) nvml->shutdown();
    pthread_mutex_destroy(&nvml->lock);
    free(nvml);
    meter->state = NULL;
}

const struct energy_source energy_nvml = {
    .name = "nvml",
    .summary = "the energy counter of an NVIDIA GPU, its memory included",
    .device = true,
    .open = open_counter,
    .read = read_counter,
    .processes = count_processes,
    .close = close_nvml,
};

const struct energy_source energy_nvml_power = {
    .name = "nvml-power",
    .summary = "the power of an NVIDIA GPU without that counter, sampled every 20 ms",
    .device = true,
    .tick = AVERAGED_SECONDS,
    .open = open_power,
    .read = read_power,
    .processes = count_processes,
    .close = close_nvml,
};
