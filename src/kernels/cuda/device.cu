/* NVIDIA's GPUs, driven through the CUDA runtime: the table of functions that kernels/gpu/device.h describes.
 */
#include <algorithm>
#include <cstring>

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/calibrate.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/cuda.h"
#include "kernels/gpu/exchange.h"
}

static cuda_context *context_of(const struct device *device)
{
    return static_cast<cuda_context *>(device->state);
}

/* Fail with CUDA's own words. Most errors concern the one call that failed. After an error that has ended the
 * device's context, synchronizing fails, too; the device is then noted as lost. */
static enum status fail(struct device *device, const char *what, cudaError_t code, struct error *error)
{
    struct error reason = {};
    enum status status = code == cudaErrorMemoryAllocation ? STATUS_MEMORY : STATUS_UNAVAILABLE;
    error_set(&reason, status, "%s: %s (%s)", what, cudaGetErrorString(code), cudaGetErrorName(code));
    cudaGetLastError();
    if (device && cudaDeviceSynchronize() != cudaSuccess) device_lose(device, &reason);
    return error_set(error, status, "%s", reason.message);
}

static enum status outcome(struct device *device, const char *what, cudaError_t code, struct error *error)
{
    return code == cudaSuccess ? STATUS_OK : fail(device, what, code, error);
}

/* Finding and opening devices */

static enum status check(struct error *error)
{
    int driver = 0, runtime = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        cudaGetLastError();
        return error_set(error, STATUS_UNAVAILABLE,
                         "no NVIDIA driver on this machine: libcuda.so.1 is not there");
    }
    cudaRuntimeGetVersion(&runtime);
    cudaError_t code = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (code == cudaErrorInsufficientDriver)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "the NVIDIA driver supports CUDA %d.%d and this build needs %d.%d: update the driver, or "
            "build with an older nvcc",
            driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
        return error_set(error, STATUS_UNAVAILABLE,
                         "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES can hide them)");
    return outcome(nullptr, "cudaGetDeviceCount", code, error);
}

static int count_devices()
{
    int count = 0;
    return check(nullptr) == STATUS_OK && cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

static int attribute(enum cudaDeviceAttr which, int index)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, index) != cudaSuccess) cudaGetLastError();
    return value;
}

static enum status describe(int index, struct device_facts *facts, struct error *error)
{
    struct cudaDeviceProp properties;
    *facts = device_facts{};
    enum status status =
        outcome(nullptr, "cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, index), error);
    if (status != STATUS_OK) return status;
    snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    if (cudaDeviceGetPCIBusId(facts->address, sizeof facts->address, index) != cudaSuccess) {
        facts->address[0] = 0;
        cudaGetLastError();
    }
    facts->memory = properties.totalGlobalMem;
    facts->cache = static_cast<size_t>(properties.l2CacheSize);
    facts->shared = properties.sharedMemPerBlockOptin;
    facts->major = properties.major;
    facts->minor = properties.minor;
    facts->multiprocessors = properties.multiProcessorCount;
    cudaDriverGetVersion(&facts->driver);
    cudaRuntimeGetVersion(&facts->runtime);
    /* Memory of double data rate makes two transfers in a cycle of its clock. The clock is given in kHz, the
     * width of a transfer in bits:
     *
     *     bytes/s = 2 transfers/cycle * 1000 clock cycles/s * width / 8 bytes/transfer */
    facts->bandwidth = 2e3 * attribute(cudaDevAttrMemoryClockRate, index) *
                       attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8;
    return STATUS_OK;
}

static enum status open_device(struct device *device, struct error *error)
{
    auto *context = static_cast<cuda_context *>(calloc(1, sizeof(cuda_context)));
    if (!context) return error_set(error, STATUS_MEMORY, "out of memory: no room to open a GPU");
    device->state = context;
    context->multiprocessors = device->facts.multiprocessors;
    cudaError_t code = cudaSetDevice(device->index);
    enum status status =
        outcome(nullptr,
                code == cudaErrorMemoryAllocation
                    ? "others have taken the GPU's memory ('nvidia-smi' lists them): cudaSetDevice"
                    : "cudaSetDevice",
                code, error);
    if (status == STATUS_OK)
        status = outcome(nullptr, "cudaStreamCreate",
                         cudaStreamCreateWithFlags(&context->stream, cudaStreamNonBlocking), error);
    if (status == STATUS_OK)
        status = outcome(nullptr, "cudaEventCreate", cudaEventCreate(&context->begin), error);
    if (status == STATUS_OK)
        status = outcome(nullptr, "cudaEventCreate", cudaEventCreate(&context->end), error);
    return status;
}

static void close_device(struct device *device)
{
    cuda_context *context = context_of(device);
    if (!context) return;
    close_cusparse(context);
    cuda_exchange.close(device);
    if (context->end) cudaEventDestroy(context->end);
    if (context->begin) cudaEventDestroy(context->begin);
    if (context->stream) cudaStreamDestroy(context->stream);
    /* A context ended by an error is destroyed, so that the next one works again. */
    if (device->lost.status != STATUS_OK) cudaDeviceReset();
    cudaGetLastError();
    free(context);
    device->state = nullptr;
}

/* Memory */

static enum status available(struct device *device, size_t *bytes, struct error *error)
{
    size_t total;
    *bytes = 0;
    return outcome(device, "cudaMemGetInfo", cudaMemGetInfo(bytes, &total), error);
}

static enum status allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    return outcome(device, "cudaMalloc", cudaMalloc(data, bytes), error);
}

static void release(struct device *device, void *data)
{
    if (cudaFree(data) != cudaSuccess) cudaGetLastError();
}

/* Wait until the queue is empty, unless enqueuing has already failed with `code`. */
static enum status finish(struct device *device, const char *what, cudaError_t code, struct error *error)
{
    if (code == cudaSuccess) code = cudaStreamSynchronize(context_of(device)->stream);
    return outcome(device, what, code, error);
}

static enum status write_to(struct device *device, void *to, const void *from, size_t bytes,
                            struct error *error)
{
    return finish(device, "copying to the GPU",
                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, context_of(device)->stream),
                  error);
}

static enum status read_from(struct device *device, void *to, const void *from, size_t bytes,
                             struct error *error)
{
    return finish(device, "copying from the GPU",
                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, context_of(device)->stream),
                  error);
}

static enum status copy_within(struct device *device, void *to, const void *from, size_t bytes,
                               struct error *error)
{
    return outcome(device, "copying on the GPU",
                   cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, context_of(device)->stream),
                   error);
}

static enum status fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                        struct error *error)
{
    return outcome(device, "cudaMemset", cudaMemsetAsync(to, byte, bytes, context_of(device)->stream), error);
}

/* Timing */

#define HOLD_NANOSECONDS 20000 /* minimum time of holding the queue, */
#define HOLD_PRODUCT 6000      /* additional time for each product enqueued meanwhile, */
#define HOLD_MAX 50000000      /* and how long at most */

/* Keep the device busy for some time, so that the launches to be timed are all in its queue before the first
 * of them begins. Otherwise the device would wait for the host between short kernels, and the result would be
 * the time of launching (some microseconds each):
 *
 *     host     hold | begin | k1 | k2 | k3 | end |
 *     device   [hold ..........................] begin [k1][k2][k3] end
 *                                                |<-- the time -->|   */
__global__ void hold(long long nanoseconds)
{
    long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}

static cudaError_t begin_timing(cuda_context *context, long long held)
{
    context->error = cudaSuccess;
    hold<<<1, 1, 0, context->stream>>>(held < HOLD_MAX ? held : HOLD_MAX);
    cudaError_t code = cudaPeekAtLastError();
    return code == cudaSuccess ? cudaEventRecord(context->begin, context->stream) : code;
}

static cudaError_t end_timing(cuda_context *context, double *seconds)
{
    float milliseconds = 0;
    cudaError_t code = cudaEventRecord(context->end, context->stream);
    if (code == cudaSuccess) code = cudaEventSynchronize(context->end);
    if (code == cudaSuccess) code = cudaEventElapsedTime(&milliseconds, context->begin, context->end);
    *seconds = milliseconds * 1e-3;
    return code;
}

static enum status time_products(struct device *device, const struct launch *launch, int products,
                                 double *seconds, struct error *error)
{
    cuda_context *context = context_of(device);
    cudaError_t code =
        begin_timing(context, HOLD_NANOSECONDS + static_cast<long long>(HOLD_PRODUCT) * products);
    for (int k = 0; k < products && code == cudaSuccess; k++) {
        launch->kernel->run(launch);
        code = context->error;
    }
    if (code != cudaSuccess) return fail(device, context->failed ? context->failed : "timing", code, error);
    enum status status = outcome(device, launch->kernel->name, end_timing(context, seconds), error);
    *seconds /= products;
    return status;
}

static enum status repeat_products(struct device *device, const struct launch *launch, int products,
                                   struct error *error)
{
    cuda_context *context = context_of(device);
    context->error = cudaSuccess;
    for (int k = 0; k < products && context->error == cudaSuccess; k++)
        launch->kernel->run(launch);
    const char *what =
        context->error != cudaSuccess && context->failed ? context->failed : launch->kernel->name;
    return finish(device, what, context->error, error);
}

/* Graphs */

#define GRAPH_RUNS 11

static cudaError_t record(cuda_context *context, const struct launch *launch, int products,
                          cudaGraph_t *graph)
{
    context->error = cudaSuccess;
    cudaError_t code = cudaStreamBeginCapture(context->stream, cudaStreamCaptureModeThreadLocal);
    if (code != cudaSuccess) return code;
    for (int k = 0; k < products; k++)
        launch->kernel->run(launch);
    code = cudaStreamEndCapture(context->stream, graph);
    return context->error == cudaSuccess ? code : context->error;
}

/* Run the graph once, to upload it, and then time it; *seconds becomes the median. */
static cudaError_t time_runs(cuda_context *context, cudaGraphExec_t runnable, double *seconds)
{
    double taken[GRAPH_RUNS] = {};
    cudaError_t code = cudaGraphLaunch(runnable, context->stream);
    for (int k = 0; k < GRAPH_RUNS && code == cudaSuccess; k++) {
        code = begin_timing(context, HOLD_NANOSECONDS);
        if (code == cudaSuccess) code = cudaGraphLaunch(runnable, context->stream);
        if (code == cudaSuccess) code = end_timing(context, &taken[k]);
    }
    std::sort(taken, taken + GRAPH_RUNS);
    *seconds = taken[GRAPH_RUNS / 2];
    return code;
}

static enum status time_graph(struct device *device, const struct launch *launch, int products,
                              double *seconds, struct error *error)
{
    cuda_context *context = context_of(device);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
    cudaError_t code = record(context, launch, products, &graph);
    if (code == cudaSuccess) code = cudaGraphInstantiate(&runnable, graph, 0);
    if (code == cudaSuccess) code = time_runs(context, runnable, seconds);
    *seconds /= products;
    if (runnable) cudaGraphExecDestroy(runnable);
    if (graph) cudaGraphDestroy(graph);
    context->error = cudaSuccess;
    return outcome(device, "a product in a graph", code, error);
}

/* Bandwidth */

#define READ_THREADS 256
#define READ_BLOCKS 8 /* blocks for each multiprocessor */
#define READ_AHEAD 8  /* number of 16-byte loads in flight of a thread */

/* Load all elements, each once, and call use(index, element). The threads of the grid, `step` of them, load
 * neighbouring elements, so that each warp reads 512 contiguous bytes. A thread requests READ_AHEAD elements,
 * each a step after the one before, and only then waits: it waits for the latency of memory once for all of
 * them.
 *
 *     element   0  1  2 .. step-1 | step ..         | 2 step ..
 *     thread    0  1  2 .. step-1 | 0  1  2 ..      | 0  1  2 ..
 *     load      first             | second          | third       */
template <class Use> __device__ void each_ahead(const int4 *from, int64_t count, Use use)
{
    int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x, e = thread_of_grid();
    for (; e + (READ_AHEAD - 1) * step < count; e += READ_AHEAD * step) {
        int4 value[READ_AHEAD];
#pragma unroll
        for (int k = 0; k < READ_AHEAD; k++)
            value[k] = __ldcs(&from[e + k * step]);
#pragma unroll
        for (int k = 0; k < READ_AHEAD; k++)
            use(e + k * step, value[k]);
    }
    for (; e < count; e += step)
        use(e, __ldcs(&from[e]));
}

/* Read all of it. Every element is 0, so that nothing is written. The compiler does not know that, and keeps
 * the loads, whose results would otherwise be unused. */
__global__ void read_whole(const int4 *__restrict__ from, int64_t count, int4 *sink)
{
    int all = 0;
    each_ahead(from, count, [&all](int64_t, int4 value) { all |= value.x ^ value.y ^ value.z ^ value.w; });
    if (all != 0) *sink = make_int4(all, 0, 0, 0);
}

__global__ void copy_whole(const int4 *__restrict__ from, int4 *__restrict__ to, int64_t count)
{
    each_ahead(from, count, [to](int64_t e, int4 value) { __stcs(&to[e], value); });
}

static cudaError_t put_read(cuda_context *context, const void *from, size_t bytes)
{
    auto *data = static_cast<const int4 *>(from);
    read_whole<<<READ_BLOCKS * context->multiprocessors, READ_THREADS, 0, context->stream>>>(
        data, static_cast<int64_t>(bytes / sizeof(int4)), const_cast<int4 *>(data));
    return cudaPeekAtLastError();
}

static cudaError_t put_copy(cuda_context *context, void *to, const void *from, size_t bytes)
{
    copy_whole<<<READ_BLOCKS * context->multiprocessors, READ_THREADS, 0, context->stream>>>(
        static_cast<const int4 *>(from), static_cast<int4 *>(to), static_cast<int64_t>(bytes / sizeof(int4)));
    return cudaPeekAtLastError();
}

static enum status flush(struct device *device, const void *buffer, size_t bytes, struct error *error)
{
    return outcome(device, "flushing L2", put_read(context_of(device), buffer, bytes), error);
}

/* The timed operations: reading, copying by a kernel of ours, copying by the driver. */
enum way { WAY_READ, WAY_COPY, WAY_DRIVER };

/* Returns the bytes/s of one way; 0 if it failed. A copy moves each byte twice: it is read and written. */
static double speed(struct device *device, enum way way, char *buffer, size_t bytes, struct error *error)
{
    cuda_context *context = context_of(device);
    size_t half = bytes / 2 / sizeof(int4) * sizeof(int4);
    double seconds = 0;
    cudaError_t code = begin_timing(context, HOLD_NANOSECONDS);
    if (code == cudaSuccess)
        code = way == WAY_READ ? put_read(context, buffer, bytes)
               : way == WAY_COPY
                   ? put_copy(context, buffer + half, buffer, half)
                   : cudaMemcpyAsync(buffer + half, buffer, half, cudaMemcpyDeviceToDevice, context->stream);
    if (code == cudaSuccess) code = end_timing(context, &seconds);
    if (code != cudaSuccess) fail(device, "measuring the memory", code, error);
    return code == cudaSuccess && seconds > 0
               ? static_cast<double>(way == WAY_READ ? bytes : 2 * half) / seconds
               : 0;
}

static enum status bandwidth(struct device *device, void *buffer, size_t bytes, double *read, double *copy,
                             struct error *error)
{
    struct error reason = {};
    auto *data = static_cast<char *>(buffer);
    *read = speed(device, WAY_READ, data, bytes, &reason);
    double own = speed(device, WAY_COPY, data, bytes, &reason);
    double driver = speed(device, WAY_DRIVER, data, bytes, &reason);
    *copy = own > driver ? own : driver;
    return reason.status == STATUS_OK ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

/* C++17 has no designated initialisers, so that the order is that of struct device_type. */
extern "C" const struct device_type device_type_cuda = {
    check,      count_devices, describe,  open_device, close_device,  available,     allocate,
    release,    write_to,      read_from, copy_within, fill,          time_products, repeat_products,
    time_graph, flush,         bandwidth, cuda_pace,   cuda_converts, cuda_convert,  &cuda_exchange,
};
