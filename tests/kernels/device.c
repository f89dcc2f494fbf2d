/* Devices: the calls of one while kernels are timed on it, and the other kernels when it fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "formats/csr.h"
#include "kernels/cuda/resources.h"
#include "kernels/timing/bench.h"
#include "session/results.h"
#include "support/cmocka.h"
#include "support/fake_device.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/timing.h"

static void backends_have_names_and_devices(void **state)
{
    assert_ptr_equal(backend_find("cpu"), &backend_cpu);
    assert_ptr_equal(backend_find("cuda"), &backend_cuda);
    assert_ptr_equal(backend_find("cusparse"), &backend_cusparse);
    assert_null(backend_find("foreign"));
    assert_null(backend_find("cud"));
    assert_non_null(backend_cuda.devices);
    assert_ptr_equal(backend_cusparse.devices, backend_cuda.devices);
    assert_null(backend_cpu.devices);
    assert_int_equal(backend_check(&backend_cpu, NULL), STATUS_OK);
}

/* The list of types contains the devices of every backend once. The table contains the backend of every
 * kernel. */
static void tables_of_backends_are_whole(void **state)
{
    for (int k = 0; backends[k]; k++) {
        int times = 0;
        for (int t = 0; device_types[t]; t++)
            times += device_types[t] == backends[k]->devices;
        assert_int_equal(times, backends[k]->devices != NULL);
        assert_false(backends[k]->foreign);
    }
    for (int k = 0; kernels[k]; k++)
        assert_ptr_equal(backend_find(kernels[k]->backend->name), kernels[k]->backend);
}

/* Kernels that cannot run here give a reason, the same for all kernels of GPUs. Functions of the host refuse
 * them. */
static void kernels_say_why_they_are_off(void **state)
{
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 9, 0.5, false, false, 1);
    struct error backend = {0};
    bool off = backend_check(&backend_cuda, &backend) != STATUS_OK;
    assert_true(off == (backend.message[0] != 0));
    assert_true(off == (backend_cuda.devices->count() == 0));
    for (int k = 0; kernels[k]; k++) {
        struct error error = {0};
        struct launch launch;
        if (!kernels[k]->backend->devices) continue;
        if (off) {
            assert_int_equal(kernel_check(kernels[k], false, (struct product){0}, &error),
                             STATUS_UNAVAILABLE);
            assert_string_equal(error.message, backend.message);
        }
        struct storage storage = storing_done(kernels[k]->format, "", NULL, &a);
        assert_int_equal(
            preparing_here(kernels[k], "", &storage, &(struct preparing){.threads = 1}, &launch, NULL),
            STATUS_UNAVAILABLE);
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

static void a_device_is_opened_by_its_number(void **state)
{
    struct device device;
    assert_int_equal(device_open(&fake_type, 1, &device, NULL), STATUS_OK);
    assert_string_equal(device.facts.name, "Fake 1");
    device_close(&device);
    device_close(&device);
    for (int index = -1; index <= 2; index += 3) {
        struct error error = {0};
        assert_int_equal(device_open(&fake_type, index, &device, &error), STATUS_UNAVAILABLE);
        assert_non_null(strstr(error.message, "this machine has 2, counted from 0"));
        device_close(&device);
    }
    fake.count = 0;
    struct error error = {0};
    assert_int_equal(device_open(&fake_type, 0, &device, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "no such device");
    device_close(&device);
}

/* All arrays. Arrays that do not fit or cannot be allocated leave nothing behind. */
static void storages_are_put_on_a_device(void **state)
{
    struct csr a = support_matrix(50, 40, 0.3, true, false, 1);
    struct storage storage, resident;
    struct device device;
    double seconds;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    storage = storing_done(&format_csr, "", NULL, &a);
    size_t bytes = storage_size(&storage).bytes;
    assert_int_equal(device_store(&device, &storage, &resident, &seconds, NULL), STATUS_OK);
    assert_int_equal(fake.used, bytes);
    for (int q = 0; q < storage.count; q++) {
        assert_on_device(resident.array[q].data, 1);
        assert_memory_equal(resident.array[q].data, storage.array[q].data,
                            fake.bytes[block_of(resident.array[q].data)]);
    }
    device_unstore(&device, &resident);
    device_unstore(&device, &resident);
    assert_int_equal(fake.used, 0);
    for (long k = 0; k < storage.count; k++) {
        memory_fail_after(k);
        assert_int_equal(device_store(&device, &storage, &resident, &seconds, NULL), STATUS_MEMORY);
        memory_fail_after(-1);
        assert_int_equal(fake.used, 0);
    }
    struct error error = {0}, refusal = {0};
    memory_fail_after(0); /* the memory that was free just before is taken */
    assert_null(device_array(&device, 3, 1024, "a table", &refusal));
    memory_fail_after(-1);
    assert_int_equal(refusal.status, STATUS_MEMORY);
    assert_non_null(strstr(refusal.message, "a table: 3.00 KiB could not be had on Fake 0: "));
    fake.memory = bytes - 1;
    fake.max_used = 0;
    assert_int_equal(device_store(&device, &storage, &resident, &seconds, &error), STATUS_LIMIT);
    assert_int_equal(fake.max_used, 0); /* refused before anything was taken */
    assert_non_null(strstr(error.message, "Fake 0"));
    storage_free(&storage);
    device_close(&device);
    csr_free(&a);
}

/* Both backends of the device read one copy of the matrix, beside a kernel of the host. */
static void products_are_run_on_the_device(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    struct device device;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        struct result results[] = {ask(&there, PRECISION_F64), ask(&kernel_cpu_csr_seq, PRECISION_F64),
                                   ask(&also, PRECISION_F64), ask(&there, PRECISION_F32)};
        fake.writes = fake.products = 0;
        fake.library_missing = accumulate;
        assert_int_equal(bench(&a, &device, results, 4, accumulate), STATUS_OK);
        for (int k = 0; k < 4; k++) {
            expect_ok(&results[k]);
            assert_int_equal(results[k].samples.count, 5);
        }
        assert_int_equal(fake.products, 3 * (1 + 5 + 1));
        assert_int_equal(fake.writes, 2 * (3 + 2 + accumulate)); /* arrays and vectors, in each precision */
        assert_int_equal(results[0].resolved.threads, 0);
        assert_true(results[0].samples.median == 1e-3); /* the device's own time */
        assert_true(results[0].upload_seconds >= 0 && isnan(results[1].upload_seconds));
        assert_string_equal(results[2].name, "cusparse/csr-also");
        assert_string_equal(results[2].library, accumulate ? "" : "31.5.1");
        assert_string_equal(results[0].library, "");
        assert_true(isnan(results[0].transfer_seconds) && results[2].transfer_seconds == 42e-6);
        assert_true(results[2].bytes.plus == results[0].bytes.plus + 180);
        assert_true(results[2].bytes.minus == results[0].bytes.minus + 180);
    }
    device_close(&device);
    csr_free(&a);
}

/* Each product also has a time within a graph, except products with transfers, in which the host takes part,
 * and products of the host. If recording fails, the other numbers remain. */
static void products_are_timed_in_graphs(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    struct device device;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (int accumulate = 0; accumulate < 2; accumulate++)
        for (int without = 0; without < 2; without++) {
            struct result results[] = {ask(&there, PRECISION_F64), ask(&kernel_cpu_csr_seq, PRECISION_F64),
                                       ask(&also, PRECISION_F64)};
            const struct bench_options options = {
                .repeat = 5, .min_seconds = 1e-9, .product.accumulate = accumulate};
            struct machines machines = {.device = {{.type = &fake_type, .device = &device}}, .devices = 1};
            fake.graphs = 0;
            fake.graphless = without;
            assert_int_equal(timing_bench(&a, results, 3, &options, &machines, NULL, NULL), STATUS_OK);
            for (int k = 0; k < 3; k++)
                expect_ok(&results[k]);
            assert_int_equal(fake.graphs, 1);
            assert_true(without ? isnan(results[0].graph_seconds) : results[0].graph_seconds == 5e-4);
            assert_true(isnan(results[1].graph_seconds) && isnan(results[2].graph_seconds));
        }
    fake.graphless = false;
    device_close(&device);
    csr_free(&a);
}

static void a_y_that_is_not_written_is_noticed(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    struct device device;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        struct result result = ask(&lazy, precision);
        assert_int_equal(bench(&a, &device, &result, 1, false), STATUS_OK);
        assert_int_equal(result.status, STATUS_INPUT);
        assert_non_null(strstr(result.error.message, "as if it had not been written"));
    }
    device_close(&device);
    csr_free(&a);
}

/* A failure after which the device still works affects one kernel. Other failures affect all kernels of that
 * device. */
static void failures_have_a_reason(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    for (int k = 0; k < 2 * 21; k++) {
        struct device device;
        struct result results[] = {ask(&there, PRECISION_F64), ask(&also, PRECISION_F64),
                                   ask(&kernel_cpu_csr_seq, PRECISION_F64), ask(&there, PRECISION_F32)};
        int failed = 0;
        begin(state);
        fake.fails_at = 1 + k / 2;
        fake.for_good = k % 2;
        assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
        assert_int_equal(bench(&a, &device, results, 4, false), STATUS_OK);
        expect_ok(&results[2]);
        for (int r = 0; r < 4; r++) {
            if (results[r].status == STATUS_OK) continue;
            failed++;
            assert_int_equal(results[r].status, STATUS_UNAVAILABLE);
            assert_non_null(strstr(results[r].error.message, "an illegal address was met"));
        }
        if (!fake.for_good) assert_int_equal(failed, 1);
        if (fake.for_good && fake.fails_at <= 3 + 15) assert_int_equal(failed, 3);
        if (fake.for_good) assert_true(failed >= 1);
        device_close(&device);
        assert_int_equal(fake.used, 0);
    }
    csr_free(&a);
}

static void without_a_device_there_is_a_reason(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    struct device device = {0};
    struct error reason = {0};
    struct result results[] = {ask(&there, PRECISION_F64), ask(&kernel_cpu_csr_seq, PRECISION_F64)};
    assert_int_equal(device_open(&fake_type, 7, &device, &reason), STATUS_UNAVAILABLE);
    device.lost = reason;
    assert_int_equal(bench(&a, &device, results, 2, false), STATUS_OK);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_string_equal(results[0].error.message, reason.message);
    expect_ok(&results[1]);
    assert_int_equal(bench(&a, NULL, results, 2, false), STATUS_OK);
    assert_int_equal(results[0].status, STATUS_UNAVAILABLE);
    assert_true(results[0].error.message[0]);
    csr_free(&a);
}

/* The memory has room for the vectors of both precisions and one matrix; then for less. */
static void storages_too_large_together_run_in_groups(void **state)
{
    struct csr a = support_matrix(60, 50, 0.5, false, false, 1);
    struct device device;
    size_t vectors = (60 + 50) * (sizeof(double) + sizeof(float)), entries = (size_t)csr_nnz(&a);
    size_t large = entries * 12 + 61 * 4, small = entries * 8 + 61 * 4;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        struct result results[] = {ask(&there, PRECISION_F64), ask(&there, PRECISION_F32)};
        fake.max_used = 0;
        fake.memory = k == 0   ? vectors + large + small
                      : k == 1 ? vectors + large
                               : 110 * sizeof(double) + large - 1;
        assert_int_equal(bench(&a, &device, results, 2, false), STATUS_OK);
        assert_true(fake.max_used <= fake.memory);
        if (k < 2) expect_ok(&results[0]);
        if (k == 2) assert_int_equal(results[0].status, STATUS_LIMIT);
        expect_ok(&results[1]);
    }
    device_close(&device);
    csr_free(&a);
}

/* The best and the worst bandwidths are kept. A flush before each sample reads four times L2. */
static void the_device_is_measured(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    const struct bench_options options = {.repeat = 5, .warmup = -1, .min_seconds = 1e-9, .cold = true};
    struct result results[] = {ask(&there, PRECISION_F64), ask(&also, PRECISION_F32)};
    struct machines machines = {.devices = 1};
    struct device device;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(machine_measure_device(&machines.device[0], &device, NULL, NULL), STATUS_OK);
    const struct machine *machine = &machines.device[0];
    assert_true(machine->read == 100 && machine->read_low == 96 && machine->times == 5);
    assert_true(machine->copy == 50 && machine->copy_low == 48 && machine->vendor == 5e9);
    assert_string_equal(machine->name, "Fake 0");
    assert_true(machine->cache == 4096 && machine->buffer == 4 * 4096);
    assert_int_equal(machine->share, fake.used);
    assert_true(machine->share >= 2 * machine->buffer && machine->share <= fake.memory);
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    expect_ok(&results[0]);
    expect_ok(&results[1]);
    assert_int_equal(fake.flushes, 2 * 5);
    assert_int_equal(fake.flushed, 4 * 4096);
    machine_free(&machines.device[0]);
    fake.memory = 6 * 4096; /* half of the memory, since the rest is for matrices */
    assert_int_equal(machine_measure_device(&machines.device[0], &device, NULL, NULL), STATUS_OK);
    assert_true(machine->share <= fake.memory / 2 && machine->buffer <= machine->share &&
                fake.used <= fake.memory / 2);
    machine_free(&machines.device[0]);
    fake.memory = 100;
    assert_int_equal(machine_measure_device(&machines.device[0], &device, NULL, NULL), STATUS_OK);
    assert_true(machine->buffer <= 100);
    machine_free(&machines.device[0]);
    device_close(&device);
    csr_free(&a);
}

static double number(const struct results *results, const struct result *result, const char *key)
{
    const struct column *column = kernel_columns;
    while (column->key && strcmp(column->key, key) != 0)
        column++;
    struct value value = kernel_value(column, results, result);
    return value.type == VALUE_REAL ? value.real : NAN;
}

/* Efficiencies refer to the machine on which the kernel ran: the host, or the device of its backend's type.
 * Without that device there are none. */
static void figures_are_those_of_the_device(void **state)
{
    static const struct device_type other_type, absent_type;
    const struct backend elsewhere = {.name = "other", .devices = &other_type},
                         nowhere = {.name = "absent", .devices = &absent_type};
    const struct kernel other = {.name = "csr-other", .backend = &elsewhere, .format = also.format},
                        absent = {.name = "csr-absent", .backend = &nowhere, .format = also.format};
    struct result items[] = {{.choice.kernel = &kernel_cpu_csr_seq},
                             {.choice.kernel = &also},
                             {.choice.kernel = &other},
                             {.choice.kernel = &absent}};
    static const double slower[] = {1, 100, 4};
    struct results results = {.items = items,
                              .count = 4,
                              .machines = {.host = {.read = 10, .copy = 20},
                                           .device = {{.type = &fake_type, .read = 1000, .copy = 2000},
                                                      {.type = &other_type, .read = 40, .copy = 80}},
                                           .devices = 2}};
    for (int k = 0; k < 4; k++) {
        items[k].bytes = (struct kernel_bytes){40, 80};
        items[k].samples = (struct samples){.count = 1, .time = 2, .median = 2};
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(number(&results, &items[k], "eta_plus") - 1 / slower[k]) < 1e-12);
        assert_true(fabs(number(&results, &items[k], "eta_minus") - 2 / slower[k]) < 1e-12);
        assert_true(fabs(number(&results, &items[k], "read_share") - 2 / slower[k]) < 1e-12);
    }
    assert_true(isnan(number(&results, &items[3], "eta_plus")));
    assert_true(isnan(number(&results, &items[3], "read_share")));
}

/* Kernels of devices have no number of threads, so that a sweep over threads runs them once. */
static void kernels_of_devices_have_no_threads(void **state)
{
    struct results results = {0};
    for (int threads = 0; threads < 4; threads++) {
        const struct kernel_choice choice = preparing_choice(&there, "", PRECISION_F64, threads);
        assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
    }
    assert_int_equal(results.count, 1);
    assert_int_equal(results.items[0].choice.threads, 0);
    results_free(&results);
}

/* Each build knows the registers of each kernel, and that nothing is spilled. */
static void resources_are_known(void **state)
{
    const struct cuda_resources *scalar = cuda_resources_find("csr_scalar<double, int>", 1000);
    assert_non_null(scalar);
    assert_in_range(scalar->registers, 8, 64);
    assert_in_range(scalar->arch, 75, 999);
    const struct cuda_resources *min = cuda_resources_find("csr_scalar<double, int>", 20);
    assert_non_null(min);
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++)
        if (strcmp(r->kernel, scalar->kernel) == 0) assert_in_range(r->arch, min->arch, scalar->arch);
    assert_ptr_equal(cuda_resources_find("csr_scalar<double, int>", min->arch - 1), min);
    assert_null(cuda_resources_find("csr_scalar", 1000));
    assert_ptr_equal(cuda_resources_find("csr_scalar<double, int>", scalar->arch), scalar);
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++) {
        assert_null(strpbrk(r->kernel, "()"));
        assert_in_range(r->registers, 4, 255);
        assert_in_range(r->arch, 75, 999);
        if (r->spill_stores || r->spill_loads) fail_msg("%s spills on %d", r->kernel, r->arch);
    }
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1);
    int failures = 0;
    for (long fail = 0, failed = 1; failed; fail++) {
        struct device device;
        struct result results[] = {ask(&there, PRECISION_F64), ask(&also, PRECISION_F32)};
        assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
        memory_fail_after(fail);
        enum status status = bench(&a, &device, results, 2, fail % 2);
        failed = memory_failures();
        memory_fail_after(-1);
        failures += status != STATUS_OK;
        for (int k = 0; k < 2 && status == STATUS_OK; k++) {
            failures += results[k].status == STATUS_MEMORY;
            if (results[k].status != STATUS_MEMORY) expect_ok(&results[k]);
        }
        device_close(&device);
        assert_int_equal(fake.used, 0);
    }
    assert_in_range(failures, 15, 80);
    csr_free(&a);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(backends_have_names_and_devices),
        TEST(tables_of_backends_are_whole),
        TEST(kernels_say_why_they_are_off),
        TEST(a_device_is_opened_by_its_number),
        TEST(storages_are_put_on_a_device),
        TEST(products_are_run_on_the_device),
        TEST(products_are_timed_in_graphs),
        TEST(a_y_that_is_not_written_is_noticed),
        TEST(failures_have_a_reason),
        TEST(without_a_device_there_is_a_reason),
        TEST(storages_too_large_together_run_in_groups),
        TEST(the_device_is_measured),
        TEST(figures_are_those_of_the_device),
        TEST(kernels_of_devices_have_no_threads),
        TEST(resources_are_known),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
