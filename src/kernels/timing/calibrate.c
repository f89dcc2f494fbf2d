#include "kernels/timing/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/load.h"
#include "base/placement.h"
#include "kernels/gpu/plausible.h"
#include "kernels/timing/samples.h"

#define TIMES_ALL 4     /* maximum number of measurements; the minimum is two. */
#define GPU_SPREAD 0.10 /* They end when no number differs by more than this between two measurements */
#define TIMES 9         /* measurements of the read bandwidth, after one to warm up */
#define BUFFER_BYTES ((size_t)2 << 30) /* bytes of the device's memory to read, */
#define BUFFER_CACHES 32               /* or this multiple of L2 if that is more */

/* The reliability of the measurements. */
struct gpu_sureness {
    int measurements;
    double
        spread;  /* the largest difference of a number between the last measurement and the best before it */
    double load; /* processors kept busy by other work, the minimum over measurements; NaN: unknown */
};

/* Measure the read bandwidth, by the median time. */
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

/* Round a number to four digits, the precision of the measurement. */
static double four_digits(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3e", value);
    return strtod(digits, NULL);
}

static void round_pace(struct gpu_pace *pace)
{
    for (int k = 0; k < PACE_NUMBERS; k++) {
        double *number = pace_number(pace, &pace_bounds[k]);
        *number = four_digits(*number);
    }
    pace->measured = true;
}

/* Merge another pace into *pace, taking the better of each number, since other work only slows down. Returns
 * their largest relative difference. */
static double merge_pace(struct gpu_pace *pace, struct gpu_pace *other)
{
    double apart = 0;
    for (int k = 0; k < PACE_NUMBERS; k++) {
        double *one = pace_number(pace, &pace_bounds[k]), two = *pace_number(other, &pace_bounds[k]);
        if (*one > 0 && two > 0) apart = fmax(apart, fmax(*one, two) / fmin(*one, two) - 1);
        *one = pace_bounds[k].more ? fmax(*one, two) : fmin(*one, two);
    }
    return apart;
}

/* Measure an open device once. */
static enum status measure_once(struct device *device, struct gpu_pace *pace, struct progress *progress,
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
    return status;
}

/* Measure an open device until two measurements on a quiet host agree in all numbers, at most TIMES_ALL
 * times. The best of each number counts. Fails if one of the best numbers is implausible. */
static enum status measure(struct device *device, struct gpu_pace *pace, struct gpu_sureness *sureness,
                           struct progress *progress, struct error *error)
{
    char why[PLAUSIBLE_WORDS];
    enum status status = STATUS_OK;
    *sureness = (struct gpu_sureness){.spread = NAN};
    for (int k = 0; k < TIMES_ALL && status == STATUS_OK; k++) {
        struct gpu_pace once = {0};
        struct load_watch watch;
        load_begin(&watch);
        status = measure_once(device, &once, progress, error);
        if (status != STATUS_OK) break;
        const double load = load_end(&watch);
        sureness->load = k ? fmin(sureness->load, load) : load;
        sureness->measurements++;
        if (k > 0) sureness->spread = merge_pace(&once, pace);
        *pace = once;
        bool quiet = !load_is_busy(load, placement_threads());
        if (k > 0 && quiet && sureness->spread <= GPU_SPREAD &&
            !pace_implausible(pace, device->facts.bandwidth, why))
            break;
    }
    if (status == STATUS_OK && pace_implausible(pace, device->facts.bandwidth, why))
        return error_set(
            error, STATUS_UNAVAILABLE,
            "measuring the GPU went wrong: %s; is something else running on it, or on this machine?", why);
    if (status == STATUS_OK) round_pace(pace);
    return status;
}

/* Write the origin of the profile's numbers, and their reliability. */
static void name_source(const char *device, struct gpu *gpu, const struct gpu_sureness *sureness)
{
    char load[64] = "";
    if (isfinite(sureness->load))
        snprintf(load, sizeof load, ", while others kept %.2g processors busy", sureness->load);
    char date[32] = "";
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day)) strftime(date, sizeof date, " on %Y-%m-%d", &day);
    snprintf(gpu->source, sizeof gpu->source,
             "its driver, and sparsight kernels --calibrate%s, %d times, which agree within %.0f%%%s", date,
             sureness->measurements, 100 * sureness->spread, load);
    snprintf(gpu->pace.measured_on, sizeof gpu->pace.measured_on, "%.80s by sparsight kernels --calibrate%s",
             device, date);
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
    struct gpu_sureness sureness;
    enum status status = device_open(type, index, &device, error);
    if (status == STATUS_OK && !type->pace)
        status = error_set(error, STATUS_UNAVAILABLE, "%s cannot be measured", device.facts.name);
    if (status == STATUS_OK) status = measure(&device, &pace, &sureness, progress, error);
    if (status == STATUS_OK) {
        gpu_of_device(&device.facts, gpu);
        gpu->pace = pace;
        if (gpu->bandwidth <= 0) gpu->bandwidth = pace.read; /* its driver does not state it */
        name_source(device.facts.name, gpu, &sureness);
    }
    device_close(&device);
    return status;
}
