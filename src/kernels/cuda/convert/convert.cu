/* Conversions on the device: how they are run and timed. */
#include "kernels/cuda/convert/work.cuh"

/* A conversion is run once to warm up, and then at most RUNS times within SECONDS_MAX. The reported
 * time is the median. */
#define RUNS 5
#define SECONDS_MAX 0.3

typedef void make_function(work *w);

/* Run the conversion once more. Its time is between events before its first launch and after its last: it
 * includes the host's work for launching and reading numbers. */
static double run_once(work *w, make_function *make)
{
    float milliseconds = 0;
    size_t taken = w->taken;
    w->taken = 0;
    note(w, "cudaEventRecord", cudaEventRecord(w->context->begin, w->context->stream));
    if (w->code == cudaSuccess) make(w);
    note(w, "cudaEventRecord", cudaEventRecord(w->context->end, w->context->stream));
    if (w->code == cudaSuccess)
        note(w, "converting on the GPU", cudaEventSynchronize(w->context->end));
    else
        cudaStreamSynchronize(w->context->stream); /* running work still uses the scratch memory */
    if (w->code == cudaSuccess)
        note(w, "cudaEventElapsedTime",
             cudaEventElapsedTime(&milliseconds, w->context->begin, w->context->end));
    w->taken = taken;
    return milliseconds * 1e-3;
}

static double median(double *seconds, int count)
{
    for (int k = 1; k < count; k++) /* sorted by insertion */
        for (int j = k; j > 0 && seconds[j - 1] > seconds[j]; j--) {
            double swapped = seconds[j];
            seconds[j] = seconds[j - 1];
            seconds[j - 1] = swapped;
        }
    return count % 2 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

static void run_all(work *w, make_function *make, double *seconds)
{
    double each[RUNS], sum = 0;
    int count = 0;
    run_once(w, make);
    while (count < RUNS && w->code == cudaSuccess && (count == 0 || sum < SECONDS_MAX)) {
        each[count] = run_once(w, make);
        sum += each[count++];
    }
    if (w->code == cudaSuccess) *seconds = median(each, count);
}

/* Scratch memory, and memory for numbers for the host, are allocated before timing. */
static enum status run(struct device *device, work *w, make_function *make, double *seconds,
                       struct error *error)
{
    void *numbers = nullptr;
    struct error reason = {};
    make(w); /* counts the scratch memory */
    if (w->taken == 0) w->taken = 256;
    w->scratch = static_cast<char *>(
        device_array(device, w->taken, 1, "what converting on the GPU takes for itself", &reason));
    if (!w->scratch) return error_set(error, reason.status, "%s", reason.message);
    note(w, "cudaMallocHost", cudaMallocHost(&numbers, WORK_NUMBERS * sizeof(int64_t)));
    w->numbers = static_cast<int64_t *>(numbers);
    if (w->code == cudaSuccess) run_all(w, make, seconds);
    enum status status = STATUS_OK;
    if (w->code != cudaSuccess) {
        status = w->code == cudaErrorMemoryAllocation ? STATUS_MEMORY : STATUS_UNAVAILABLE;
        if (w->differs)
            error_set(&reason, status, "%s", w->failed);
        else
            error_set(&reason, status, "%s: %s (%s)", w->failed, cudaGetErrorString(w->code),
                      cudaGetErrorName(w->code));
        cudaGetLastError();
        if (cudaDeviceSynchronize() != cudaSuccess) device_lose(device, &reason);
        error_set(error, status, "%s", reason.message);
    }
    if (numbers) cudaFreeHost(numbers);
    device_release(device, w->scratch);
    return status;
}

extern "C" enum status cuda_convert(struct device *device, const struct storage *csr, struct storage *to,
                                    double *seconds, struct error *error)
{
    struct conversion_work moved;
    const struct format_choice choice = storage_choice(to);
    enum status status = cuda_converts(&choice, static_cast<double>(to->rows), &moved, error);
    if (status != STATUS_OK) return status;
    work w = {};
    w.context = static_cast<cuda_context *>(device->state);
    w.csr = csr;
    w.to = to;
    for (const struct device_conversion *c = device_conversions; c->format; c++)
        if (c->format == to->format) return run(device, &w, c->make, seconds, error);
    return STATUS_UNAVAILABLE;
}

static enum status remake(const struct launch *launch, const struct storage *csr, make_function *make,
                          double *seconds, struct error *error)
{
    work w = {};
    w.context = static_cast<cuda_context *>(launch->device->state);
    w.csr = csr;
    w.launch = launch;
    return run(launch->device, &w, make, seconds, error);
}

extern "C" enum status cuda_remake_csr_balanced(const struct launch *launch, const struct storage *csr,
                                                double *seconds, struct error *error)
{
    return remake(launch, csr, table_csr_balanced, seconds, error);
}

extern "C" enum status cuda_remake_ell_bounded(const struct launch *launch, const struct storage *csr,
                                               double *seconds, struct error *error)
{
    return remake(launch, csr, table_ell_bounded, seconds, error);
}

extern "C" enum status cuda_remake_hyb_fused(const struct launch *launch, const struct storage *csr,
                                             double *seconds, struct error *error)
{
    return remake(launch, csr, table_hyb_fused, seconds, error);
}

extern "C" enum status cuda_remake_jds(const struct launch *launch, const struct storage *csr,
                                       double *seconds, struct error *error)
{
    return remake(launch, csr, table_jds, seconds, error);
}

extern "C" enum status cuda_remake_sell(const struct launch *launch, const struct storage *csr,
                                        double *seconds, struct error *error)
{
    return remake(launch, csr, table_sell, seconds, error);
}
