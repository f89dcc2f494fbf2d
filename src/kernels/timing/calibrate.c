#include "kernels/timing/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "kernels/timing/samples.h"

#define TIMES 9 /* how often the bandwidth of reading is measured, after once to warm up */
#define BUFFER_BYTES ((size_t)2 << 30) /* of the device's memory, */
#define BUFFER_CACHES 32               /* or so many times L2 if that is more */

/* Measure the bandwidth of reading: that of the median time. */
static enum status measure_read(struct device *device, void *buffer, size_t bytes, struct gpu_pace *pace,
                                struct progress *progress, struct error *error)
{
    double seconds[TIMES + 1], copy;
    struct samples samples;
    progress_phase(progress, "measuring the GPU's memory", TIMES + 1);
    for (int k = 0; k <= TIMES; k++) {
        double read = 0;
        enum status status = progress_status(progress, error);
        if (status == STATUS_OK) status = device->type->bandwidth(device, buffer, bytes, &read, &copy, error);
        if (status != STATUS_OK) return status;
        seconds[k] = 1 / read;
        progress_add(progress, 1);
    }
    samples_of(PROTOCOL_MEDIAN, seconds + 1, TIMES, &samples);
    pace->read = 1 / samples.median;
    return STATUS_OK;
}

/* Round a number to four digits, so that a profile says as much as was measured. */
static double four_digits(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3e", value);
    return strtod(digits, NULL);
}

/* Round what was measured. Fails if a number cannot be. */
static enum status round_pace(struct gpu_pace *pace, struct error *error)
{
    const struct {
        const char *what;
        double *value;
    } numbers[] = {{"launch", &pace->launch},
                   {"early launch", &pace->early},
                   {"next launch", &pace->next},
                   {"L1 latency", &pace->l1_latency},
                   {"L2 latency", &pace->l2_latency},
                   {"memory latency", &pace->memory_latency},
                   {"shared memory latency", &pace->shared_latency},
                   {"L1 bandwidth", &pace->l1},
                   {"L2 bandwidth", &pace->l2},
                   {"read bandwidth", &pace->read},
                   {"write bandwidth", &pace->write},
                   {"reduction bandwidth", &pace->reductions},
                   {"meeting addition", &pace->meeting}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!isfinite(*numbers[k].value) || *numbers[k].value <= 0)
            return error_set(
                error, STATUS_UNAVAILABLE,
                "measuring the GPU went wrong: its %s came out as %g; is something else running on it?",
                numbers[k].what, *numbers[k].value);
        *numbers[k].value = four_digits(*numbers[k].value);
    }
    pace->measured = true;
    return STATUS_OK;
}

/* Measure an open device. */
static enum status measure(struct device *device, struct gpu_pace *pace, struct progress *progress,
                           struct error *error)
{
    size_t available = 0, bytes = BUFFER_BYTES;
    enum status status = device->type->available(device, &available, error);
    if (status != STATUS_OK) return status;
    if (bytes < BUFFER_CACHES * device->facts.cache) bytes = BUFFER_CACHES * device->facts.cache;
    if (bytes > available / 2) bytes = available / 2;
    bytes = bytes / 4096 * 4096;
    struct error reason = {0};
    void *buffer = device_array(device, bytes, 1, "measuring the GPU", &reason);
    if (!buffer) return error_set(error, reason.status, "%s", reason.message);
    status = device->type->fill(device, buffer, 0, bytes, error);
    if (status == STATUS_OK) status = device->type->pace(device, buffer, bytes, pace, progress, error);
    if (status == STATUS_OK) status = device->type->fill(device, buffer, 0, bytes, error);
    if (status == STATUS_OK) status = measure_read(device, buffer, bytes, pace, progress, error);
    device_release(device, buffer);
    return status == STATUS_OK ? round_pace(pace, error) : status;
}

/* Say where the numbers of the profile are from. */
static void name_source(struct gpu *gpu)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day)) strftime(date, sizeof date, " on %Y-%m-%d", &day);
    snprintf(gpu->source, sizeof gpu->source, "its driver, and sparsight kernels --calibrate%s", date);
}

enum status gpu_calibrate(const struct device_type *type, int index, struct gpu *gpu,
                          struct progress *progress, struct error *error)
{
    struct device device;
    struct gpu_pace pace = {0};
    struct error reason = {0};
    *gpu = (struct gpu){0};
    if (type->check(&reason) != STATUS_OK)
        return error_set(
            error, reason.status,
            "%s; for a GPU that is elsewhere --gpu=NAME takes a profile, which --calibrate there "
            "makes",
            reason.message);
    enum status status = device_open(type, index, &device, error);
    if (status == STATUS_OK && !type->pace)
        status = error_set(error, STATUS_UNAVAILABLE, "%s cannot be measured", device.facts.name);
    if (status == STATUS_OK) status = measure(&device, &pace, progress, error);
    if (status == STATUS_OK) {
        gpu_of_device(&device.facts, gpu);
        gpu->pace = pace;
        if (gpu->bandwidth <= 0) gpu->bandwidth = pace.read; /* its driver does not state it */
        name_source(gpu);
    }
    device_close(&device);
    return status;
}
