/* Measuring the elementary costs of a GPU (struct gpu_pace). Each measurement is run to warm up and then
 * repeated; the median counts. All except those of launches take long enough that the launch itself is
 * negligible. */
#include "kernels/cuda/calibrate.h"

#include "base/job.h"
#include "kernels/cuda/code.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/timing/samples.h"

#define TIMES 9           /* samples of each measurement */
#define MEASUREMENTS 12   /* number of measurements */
#define AWAKE_SECONDS 0.5 /* an idle GPU takes about this long to raise its clocks */
#define SLOT 4096         /* bytes at the beginning of the buffer, of which the first 8 are the slot */

/* A run of measurements. After a failure nothing more is measured. */
struct calibration {
    struct device *device;
    struct calibrate_work work;
    int64_t blocks; /* of CALIBRATE_BLOCK threads run at a time */
    size_t buffer;  /* the bytes of the buffer after the slot */
    struct progress *progress;
    struct error *error;
    enum status status;
};

/* Returns the seconds of one of this number of products. */
static double sample(struct calibration *calibration, void (*run)(const struct launch *), int products)
{
    struct device *device = calibration->device;
    const struct kernel kernel = {.name = "measuring the GPU", .run = run};
    const struct launch launch = {.kernel = &kernel, .device = device, .state = &calibration->work};
    double seconds = 0;
    if (calibration->status == STATUS_OK)
        calibration->status = progress_status(calibration->progress, calibration->error);
    if (calibration->status == STATUS_OK)
        calibration->status = device->type->time(device, &launch, products, &seconds, calibration->error);
    return seconds;
}

/* Returns the median of the samples, each with the number of products used in timing kernels; 0 after a
 * failure. */
static double measure(struct calibration *calibration, void (*run)(const struct launch *))
{
    double seconds[TIMES];
    struct samples samples;
    sample(calibration, run, 1);
    int products = sample_products(sample(calibration, run, 1));
    for (int k = 0; k < TIMES; k++)
        seconds[k] = sample(calibration, run, products);
    progress_add(calibration->progress, 1);
    if (calibration->status != STATUS_OK) return 0;
    samples_of(PROTOCOL_MEDIAN, seconds, TIMES, &samples);
    return samples.median;
}

/* Returns the seconds of a load by `chase` in a ring of this number of bytes. For a ring in memory, L2 is
 * flushed first; each sample continues where the previous one ended, and L2 has evicted a line before its
 * next visit. */
static double measure_chase(struct calibration *calibration, void (*chase)(const struct launch *),
                            size_t bytes, bool memory)
{
    struct device *device = calibration->device;
    struct calibrate_work *work = &calibration->work;
    work->bytes = bytes;
    work->blocks = calibration->blocks;
    sample(calibration, CUDA_CODE(cuda_calibrate_ring), 1);
    if (calibration->status == STATUS_OK)
        calibration->status =
            device->type->write(device, work->slot, &work->data, sizeof work->data, calibration->error);
    /* The flush reads the rest of the buffer after the ring, which is large enough. It must still be 0, since
     * the read overwrites its first bytes if its result is not 0. */
    if (memory && calibration->status == STATUS_OK)
        calibration->status =
            device->type->flush(device, work->data + bytes, calibration->buffer - bytes, calibration->error);
    return measure(calibration, chase) / CALIBRATE_CHASE_STEPS;
}

static void measure_latencies(struct calibration *calibration, struct gpu_pace *pace)
{
    size_t cache = calibration->device->facts.cache;
    pace->shared_latency =
        measure(calibration, CUDA_CODE(cuda_calibrate_chase_shared)) / CALIBRATE_SHARED_STEPS;
    pace->l1_latency =
        measure_chase(calibration, CUDA_CODE(cuda_calibrate_chase_l1), CALIBRATE_L1_CHASE, false);
    pace->l2_latency =
        measure_chase(calibration, CUDA_CODE(cuda_calibrate_chase), calibrate_l2_chase(cache), false);
    pace->memory_latency = measure_chase(calibration, CUDA_CODE(cuda_calibrate_chase),
                                         calibrate_memory_chase(cache, calibration->buffer), true);
}

/* Returns the bytes/s of the sectors that all threads request, in this number of steps each. */
static double measure_sectors(struct calibration *calibration, void (*run)(const struct launch *),
                              size_t bytes, int steps)
{
    calibration->work.bytes = bytes;
    calibration->work.blocks = calibration->blocks;
    double seconds = measure(calibration, run);
    double sectors = (double)calibration->blocks * CALIBRATE_BLOCK * steps;
    return seconds > 0 ? sectors * CALIBRATE_SECTOR / seconds : 0;
}

static void measure_bandwidths(struct calibration *calibration, struct gpu_pace *pace)
{
    struct calibrate_work *work = &calibration->work;
    const size_t slice = calibrate_slice(calibration->device->facts.cache);
    pace->l1 =
        measure_sectors(calibration, CUDA_CODE(cuda_calibrate_gather_l1), CALIBRATE_L1, CALIBRATE_L1_STEPS);
    pace->l2 = measure_sectors(calibration, CUDA_CODE(cuda_calibrate_gather_l2), slice, CALIBRATE_L2_STEPS);
    pace->reductions =
        measure_sectors(calibration, CUDA_CODE(cuda_calibrate_reductions), slice, CALIBRATE_REDUCTION_STEPS);
    work->blocks = calibration->device->facts.multiprocessors;
    double additions = (double)work->blocks * CALIBRATE_MEETING_BLOCK * CALIBRATE_MEETING_STEPS;
    pace->meeting = measure(calibration, CUDA_CODE(cuda_calibrate_meet)) / additions;
    work->bytes = calibration->buffer;
    work->blocks = calibration->blocks;
    double seconds = measure(calibration, CUDA_CODE(cuda_calibrate_write));
    pace->write = seconds > 0 ? (double)work->bytes / seconds : 0;
}

static void measure_launches(struct calibration *calibration, struct gpu_pace *pace)
{
    calibration->work.launches = 1;
    pace->launch = measure(calibration, CUDA_CODE(cuda_calibrate_nothing));
    pace->early = measure(calibration, CUDA_CODE(cuda_calibrate_early));
    calibration->work.launches = 2;
    pace->next = measure(calibration, CUDA_CODE(cuda_calibrate_nothing)) - pace->launch;
}

/* Keep the GPU busy until its clocks have reached their maximum. */
static void wake_up(struct calibration *calibration)
{
    calibration->work.blocks = calibration->blocks;
    for (double start = clock_seconds();
         calibration->status == STATUS_OK && clock_seconds() - start < AWAKE_SECONDS;)
        sample(calibration, CUDA_CODE(cuda_calibrate_gather_l1), 1);
}

/* Returns the number of blocks of CALIBRATE_BLOCK threads that run at a time. The kernels use few registers,
 * which do not limit it. */
static int64_t blocks_of(const struct device_facts *facts)
{
    struct gpu gpu = {.major = facts->major, .minor = facts->minor};
    gpu_limits(&gpu);
    int blocks = gpu.warps / (CALIBRATE_BLOCK / GPU_WARP);
    return (int64_t)facts->multiprocessors * (blocks > 0 ? blocks : 1);
}

enum status cuda_pace(struct device *device, void *buffer, size_t bytes, struct gpu_pace *pace,
                      struct progress *progress, struct error *error)
{
    char *slot = buffer;
    struct calibration calibration = {.device = device,
                                      .work = {.slot = slot, .data = slot + SLOT},
                                      .blocks = blocks_of(&device->facts),
                                      .buffer = bytes > SLOT ? bytes - SLOT : 0,
                                      .progress = progress,
                                      .error = error};
    size_t gathered = (size_t)calibration.blocks * CALIBRATE_L1;
    if (!calibrate_memory_chase(device->facts.cache, calibration.buffer) || calibration.buffer < gathered)
        return error_set(error, STATUS_LIMIT,
                         "too little of the GPU's memory is free to measure it: %d times its L2 are needed",
                         8 * CALIBRATE_MEMORY_CHASE_LEAST);
    progress_phase(progress, "measuring the GPU", MEASUREMENTS);
    /* The gathered data must be 0. */
    calibration.status = device->type->fill(device, buffer, 0, bytes, error);
    wake_up(&calibration);
    measure_launches(&calibration, pace);
    measure_bandwidths(&calibration, pace);
    measure_latencies(&calibration, pace);
    return calibration.status;
}
