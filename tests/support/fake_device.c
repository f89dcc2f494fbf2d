#include "support/fake_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "formats/array.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/ell.h"
#include "kernels/gpu/profile.h"
#include "support/preparing.h"
#include "support/timing.h"

struct fake fake;

int block_of(const void *address)
{
    for (int k = 0; k < BLOCKS; k++)
        if (fake.data[k] && (const char *)address >= fake.data[k] &&
            (const char *)address < fake.data[k] + fake.bytes[k])
            return k;
    return -1;
}

void assert_on_device(const void *address, size_t bytes)
{
    int k = block_of(address);
    if (k < 0) fail_msg("not in the memory of the device");
    assert_true((const char *)address + bytes <= fake.data[k] + fake.bytes[k]);
}

static enum status fake_check(struct error *error)
{
    return fake.count ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "no such device");
}

static int fake_count(void)
{
    return fake.count;
}

static enum status fake_describe(int index, struct device_facts *facts, struct error *error)
{
    *facts = (struct device_facts){.name = "Fake 0", .cache = 4096, .bandwidth = 5e9};
    facts->name[5] = (char)('0' + index);
    return STATUS_OK;
}

static enum status fake_open(struct device *device, struct error *error)
{
    device->state = &fake;
    return STATUS_OK;
}

static void fake_close(struct device *device)
{
    device->state = NULL;
}

static enum status fake_available(struct device *device, size_t *bytes, struct error *error)
{
    *bytes = fake.memory - fake.used;
    return STATUS_OK;
}

static enum status fake_allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    int k = 0;
    while (fake.data[k])
        k++;
    assert_in_range(k, 0, BLOCKS - 1);
    assert_true(bytes > 0 && fake.used + bytes <= fake.memory); /* the free memory was read before */
    fake.data[k] = memory_array(bytes, 1, error);
    if (!fake.data[k]) return STATUS_MEMORY;
    memset(fake.data[k], 0x5a, bytes);
    fake.bytes[k] = bytes;
    fake.used += bytes;
    if (fake.used > fake.max_used) fake.max_used = fake.used;
    *data = fake.data[k];
    return STATUS_OK;
}

static void fake_release(struct device *device, void *data)
{
    int k = block_of(data);
    assert_true(k >= 0 && fake.data[k] == data);
    free(fake.data[k]);
    fake.data[k] = NULL;
    fake.used -= fake.bytes[k];
}

static enum status fake_write(struct device *device, void *to, const void *from, size_t bytes,
                              struct error *error)
{
    fake.writes++;
    if (bytes) assert_on_device(to, bytes);
    memcpy(to, from, bytes);
    return STATUS_OK;
}

static enum status fake_read(struct device *device, void *to, const void *from, size_t bytes,
                             struct error *error)
{
    if (bytes) assert_on_device(from, bytes);
    memcpy(to, from, bytes);
    return STATUS_OK;
}

static enum status fake_copy(struct device *device, void *to, const void *from, size_t bytes,
                             struct error *error)
{
    if (bytes) assert_on_device(from, bytes);
    return fake_read(device, to, from, bytes, error);
}

static enum status fake_fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                             struct error *error)
{
    if (bytes) assert_on_device(to, bytes);
    memset(to, byte, bytes);
    return STATUS_OK;
}

static enum status fake_time(struct device *device, const struct launch *launch, int products,
                             double *seconds, struct error *error)
{
    struct error reason = {0};
    assert_ptr_equal(launch->device, device);
    if (++fake.times == fake.fails_at) {
        error_set(&reason, STATUS_UNAVAILABLE, "an illegal address was met");
        if (fake.for_good) device_lose(device, &reason);
        return error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
    }
    for (int k = 0; k < products; k++)
        launch->kernel->run(launch);
    fake.products += products;
    *seconds = 1e-3;
    return STATUS_OK;
}

/* A graph takes half the time, unless it cannot be made. */
static enum status fake_graph(struct device *device, const struct launch *launch, int products,
                              double *seconds, struct error *error)
{
    assert_ptr_equal(launch->device, device);
    fake.graphs++;
    if (fake.graphless) return error_set(error, STATUS_UNAVAILABLE, "no graph of this");
    for (int k = 0; k < products; k++)
        launch->kernel->run(launch);
    *seconds = 5e-4;
    return STATUS_OK;
}

static enum status fake_flush(struct device *device, const void *buffer, size_t bytes, struct error *error)
{
    assert_on_device(buffer, bytes);
    fake.flushes++;
    fake.flushed = bytes;
    return STATUS_OK;
}

static enum status fake_bandwidth(struct device *device, void *buffer, size_t bytes, double *read,
                                  double *copy, struct error *error)
{
    assert_on_device(buffer, bytes);
    fake.bandwidths++;
    *read = fake.read;
    fake.read -= fake.read_step > 0 ? fake.read_step : 1;
    *copy = *read / 2;
    return STATUS_OK;
}

static enum status fake_measure_pace(struct device *device, void *buffer, size_t bytes, struct gpu_pace *pace,
                                     struct progress *progress, struct error *error)
{
    const double value = fake.pace;
    assert_on_device(buffer, bytes);
    memset(buffer, 1, bytes);
    fake.paces++;
    *pace = (struct gpu_pace){.launch = value,
                              .early = value,
                              .next = value,
                              .l1_latency = value / 100,
                              .l2_latency = value / 10,
                              .memory_latency = value / 4,
                              .shared_latency = value / 100,
                              .l1 = 4 * fake.read,
                              .l2 = 2 * fake.read,
                              .write = fake.read,
                              .reductions = fake.read,
                              .meeting = value / 1000};
    fake.pace *= fake.pace_times > 0 ? fake.pace_times : 1;
    return progress_status(progress, error);
}

/* It converts to ELL only, by the host's functions. */
static enum status fake_converts(const struct format_choice *choice, double rows,
                                 struct conversion_work *work, struct error *error)
{
    *work = (struct conversion_work){.reads = 1, .writes = 1, .row_bytes = rows > 0};
    if (choice->format == &format_ell) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "the fake does not convert to %s", choice->format->name);
}

static enum status fake_convert(struct device *device, const struct storage *csr, struct storage *to,
                                double *seconds, struct error *error)
{
    const struct format_choice choice = storage_choice(to);
    const struct format_options options = {.wide = to->wide};
    struct csr a;
    struct storage made;
    fake.conversions++;
    for (int q = 0; q < csr->count; q++)
        assert_on_device(csr->array[q].data, 1);
    for (int q = 0; q < to->count; q++) {
        assert_on_device(to->array[q].data, 1);
        assert_int_equal(*(unsigned char *)to->array[q].data,
                         0xff); /* nothing is left of the host's arrays */
    }
    if (fake.convert_fails) {
        memset(to->array[0].data, 1, 4);
        return error_set(error, STATUS_UNAVAILABLE, "the fake cannot convert today");
    }
    assert_int_equal(storage_unpack(csr, NULL, &a, NULL), STATUS_OK);
    assert_int_equal(format_convert(&choice, &options, &a, NULL, &made, NULL), STATUS_OK);
    for (int q = 0; q < to->count; q++)
        memcpy(to->array[q].data, made.array[q].data,
               (size_t)made.array[q].length * element_size(made.array[q].element));
    storage_free(&made);
    csr_free(&a);
    *seconds = 30e-6;
    return STATUS_OK;
}

const struct device_type fake_type = {.check = fake_check,
                                      .count = fake_count,
                                      .describe = fake_describe,
                                      .open = fake_open,
                                      .close = fake_close,
                                      .available = fake_available,
                                      .allocate = fake_allocate,
                                      .release = fake_release,
                                      .write = fake_write,
                                      .read = fake_read,
                                      .copy = fake_copy,
                                      .fill = fake_fill,
                                      .time = fake_time,
                                      .time_graph = fake_graph,
                                      .flush = fake_flush,
                                      .bandwidth = fake_bandwidth,
                                      .pace = fake_measure_pace,
                                      .converts = fake_converts,
                                      .convert = fake_convert};

int begin(void **state)
{
    memset(&fake, 0, sizeof fake);
    fake.memory = 1 << 20;
    fake.count = 2;
    fake.read = 100;
    return 0;
}

int end(void **state)
{
    assert_int_equal(fake.used, 0);
    return 0;
}

/* Kernels that run there */

static void run_there(const struct launch *launch)
{
    const struct storage *a = launch->resident;
    size_t value = a->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    for (int q = 0; q < a->count; q++)
        assert_on_device(a->array[q].data, 1);
    assert_on_device(launch->x, (size_t)a->cols * value);
    assert_on_device(launch->y, (size_t)a->rows * value);
    assert_ptr_not_equal(a, launch->storage);
    assert_int_equal(block_of(launch->host_x), -1);
    assert_memory_equal(launch->host_x, launch->x, (size_t)a->cols * value);
    for (int64_t i = 0; i < a->rows; i++) {
        double sum = 0;
        for (int64_t k = ((int32_t *)a->array[CSR_ROW_PTR].data)[i];
             k < ((int32_t *)a->array[CSR_ROW_PTR].data)[i + 1]; k++) {
            int32_t j = ((int32_t *)a->array[CSR_COL].data)[k];
            sum += value == sizeof(float)
                       ? (double)(((float *)a->array[CSR_VAL].data)[k] * ((const float *)launch->x)[j])
                       : ((double *)a->array[CSR_VAL].data)[k] * ((const double *)launch->x)[j];
        }
        if (value == sizeof(float))
            ((float *)launch->y)[i] = (float)sum + (launch->product.accumulate ? ((float *)launch->y)[i] : 0);
        else
            ((double *)launch->y)[i] = sum + (launch->product.accumulate ? ((double *)launch->y)[i] : 0);
    }
}

static void run_nowhere(const struct launch *launch)
{
    /* y stays as it is */
}

static void traffic_there(const struct launch *launch, struct traffic *traffic)
{
    assert_non_null(launch->y);
    traffic->transfer_seconds = 42e-6;
    traffic->own_bytes = (size_t)launch->storage->rows * 3;
}

static const struct parameter none[] = {{0}};
static const struct device_library *find_library(void)
{
    static const struct device_library library = {.title = "a library", .version = "31.5.1"};
    return fake.library_missing ? NULL : &library;
}

/* Two backends that share the device, as NVIDIA's do; one of them is a library. */
static const struct backend fake_cuda = {.name = "cuda", .devices = &fake_type};
static const struct backend fake_cusparse = {
    .name = "cusparse", .devices = &fake_type, .device_library = find_library};

const struct kernel there = {
    .name = "csr-there", .backend = &fake_cuda, .format = &format_csr, .parameters = none, .run = run_there};
const struct kernel also = {.name = "csr-also",
                            .backend = &fake_cusparse,
                            .format = &format_csr,
                            .parameters = none,
                            .run = run_there,
                            .traffic = traffic_there};
const struct kernel lazy = {
    .name = "csr-lazy", .backend = &fake_cuda, .format = &format_csr, .parameters = none, .run = run_nowhere};

static void run_padded(const struct launch *launch)
{
    const struct storage *a = launch->resident;
    assert_on_device(a->array[ELL_COL].data, 1);
    for (int64_t i = 0; i < a->rows; i++) {
        double sum = 0;
        for (int64_t e = i; e < a->slots[0]; e += a->rows)
            sum += ((const double *)a->array[ELL_VAL].data)[e] *
                   ((const double *)launch->x)[((const int32_t *)a->array[ELL_COL].data)[e]];
        ((double *)launch->y)[i] = sum + (launch->product.accumulate ? ((double *)launch->y)[i] : 0);
    }
}

static enum status remake_padded(const struct launch *launch, const struct storage *csr, double *seconds,
                                 struct error *error)
{
    assert_ptr_equal(csr->format, &format_csr);
    assert_on_device(csr->array[CSR_ROW_PTR].data, 1);
    assert_ptr_equal(launch->storage->format, &format_ell);
    fake.remakes++;
    *seconds = 4e-6;
    return STATUS_OK;
}

static void run_listed(const struct launch *launch)
{
    const struct storage *a = launch->resident;
    double *y = launch->y;
    for (int64_t i = 0; i < a->rows && !launch->product.accumulate; i++)
        y[i] = 0;
    for (int64_t e = 0; e < a->nnz; e++)
        y[((const int32_t *)a->array[COO_ROW].data)[e]] +=
            ((const double *)a->array[COO_VAL].data)[e] *
            ((const double *)launch->x)[((const int32_t *)a->array[COO_COL].data)[e]];
}

const struct kernel padded = {.name = "ell-there",
                              .backend = &fake_cuda,
                              .format = &format_ell,
                              .parameters = none,
                              .run = run_padded,
                              .remake = remake_padded};
const struct kernel listed = {
    .name = "coo-there", .backend = &fake_cuda, .format = &format_coo, .parameters = none, .run = run_listed};

struct result ask(const struct kernel *kernel, enum precision precision)
{
    return (struct result){.choice = preparing_choice(kernel, "", precision, 0)};
}

void expect_ok(const struct result *result)
{
    if (result->status != STATUS_OK) fail_msg("%s: %s", result->name, result->error.message);
}

enum status bench(const struct csr *a, struct device *device, struct result *results, int count,
                  bool accumulate)
{
    const struct bench_options options = {
        .repeat = 5, .warmup = -1, .min_seconds = 1e-9, .cold = true, .product.accumulate = accumulate};
    struct machines machines = {.device = {{.type = &fake_type, .device = device}}, .devices = 1};
    return timing_bench(a, results, count, &options, &machines, NULL, NULL);
}
