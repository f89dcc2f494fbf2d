/* The energy of kernels that are timed: on a device in the host's memory with a library that stands for NVML,
 * and on the host with a folder that stands for RAPL's. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "columns/columns.h"
#include "kernels/timing/bench.h"
#include "session/results.h"
#include "support/fake_device.h"
#include "support/fake_nvml.h"
#include "support/files.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/timing.h"
#include "support/unit.h"

#define FAKE "/tests/support/fake_nvml.so"

static struct fake_nvml *nvml;
static const struct bench_options options = {.repeat = 3, .warmup = -1, .min_seconds = 1e-9, .energy = 0.2};

static int start(void **state)
{
    char path[4200];
    if (!getcwd(path, 4096)) return -1;
    strcat(path, FAKE);
    setenv("SPARSIGHT_NVML", path, true);
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    nvml = file ? dlsym(file, "fake_nvml") : NULL;
    if (file) dlclose(file);
    return nvml ? files_begin(state) : -1;
}

TESTS_BETWEEN(start, files_end)

static int begin_fake(void **state)
{
    *nvml = (struct fake_nvml){0};
    return begin(state);
}

static enum status run(struct device *device, struct result *items, int count,
                       const struct bench_options *how)
{
    FREED(csr_free) struct csr a = support_matrix(20, 20, 0.3, false, false, 1);
    struct machines machines = {.device = {{.type = &fake_type, .device = device, .name = "Fake 0"}},
                                .devices = 1};
    return timing_bench(&a, items, count, how, &machines, NULL, NULL);
}

/* Each reading adds 3 mJ. The power depends on the machine's speed, but the numbers agree with each other. */
TEST_BETWEEN(begin_fake, end, kernels_of_a_device_have_energies)
{
    struct device device;
    struct result items[2] = {ask(&there, PRECISION_F64), ask(&also, PRECISION_F32)};
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    snprintf(device.facts.address, sizeof device.facts.address, "0000:05:00.0");
    nvml->step = 3;
    nvml->processes = 1;
    int products = fake.products;
    assert_int_equal(run(&device, items, 2, &options), STATUS_OK);
    assert_string_equal(nvml->address, "0000:05:00.0");
    assert_int_equal(nvml->open, 0);
    assert_true(fake.products - products > items[0].energy.products + items[1].energy.products);
    for (int k = 0; k < 2; k++) {
        const struct energy *energy = &items[k].energy;
        expect_ok(&items[k]);
        assert_true(energy->asked);
        assert_string_equal(energy->reason, "");
        assert_string_equal(energy->meter, "NVML's energy counter of the GPU");
        assert_true(energy->products > 0 && energy->products % 100 == 0); /* batches of 0.1 s / 1 ms */
        assert_true(energy->seconds > 0 && energy->watts > 0 && energy->idle > 0 && energy->tick > 0);
        assert_true(fabs(energy->step - 3e-3) < 1e-9);
        assert_int_equal(energy->processes, 1);
        double joules = 3e-3 * (double)energy->products / 100; /* one reading a batch */
        assert_true(fabs(energy->gross * (double)energy->products - joules) < 1e-9);
        assert_true(fabs(energy->watts * energy->seconds - joules) < 1e-9);
    }
    assert_true(items[0].energy.idle == items[1].energy.idle); /* measured once */
    device_close(&device);
}

TEST_BETWEEN(begin_fake, end, nothing_is_measured_unless_it_is_asked_for)
{
    struct device device;
    struct result item = ask(&there, PRECISION_F64);
    struct bench_options plain = options;
    plain.energy = 0;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    snprintf(device.facts.address, sizeof device.facts.address, "0000:05:00.0");
    assert_int_equal(run(&device, &item, 1, &plain), STATUS_OK);
    assert_false(item.energy.asked);
    assert_true(isnan(item.energy.net));
    assert_string_equal(nvml->address, "");
    device_close(&device);
}

TEST_BETWEEN(begin_fake, end, a_device_without_an_address_or_a_meter_has_a_reason)
{
    struct device device;
    struct result items[2] = {ask(&there, PRECISION_F64), ask(&lazy, PRECISION_F64)};
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(run(&device, items, 2, &options), STATUS_OK);
    assert_says(items[0].energy.reason, "Fake 0 has no known PCI address");
    assert_true(items[0].energy.asked && items[0].energy.products == 0);
    assert_int_not_equal(items[1].status, STATUS_OK); /* the kernel is wrong, which is its reason */
    assert_false(items[1].energy.asked);
    snprintf(device.facts.address, sizeof device.facts.address, "0000:05:00.0");
    nvml->energy_code = nvml->power_code = 3;
    assert_int_equal(run(&device, items, 1, &options), STATUS_OK);
    assert_says(items[0].energy.reason, "nvmlDeviceGetTotalEnergyConsumption: Not Supported (3)");
    expect_ok(&items[0]); /* the kernel still has times */
    assert_true(items[0].samples.count > 0);
    device_close(&device);
}

TEST_BETWEEN(begin_fake, end, flushes_have_no_energy)
{
    struct device device;
    struct result item = ask(&there, PRECISION_F64);
    struct bench_options cold = options;
    cold.cold = true;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(run(&device, &item, 1, &cold), STATUS_OK);
    assert_says(item.energy.reason, "leave out --cold");
    device_close(&device);
}

TEST_BETWEEN(begin_fake, end, the_host_is_measured_by_its_own_meter)
{
    FREED(csr_free) struct csr a = support_matrix(20, 20, 0.3, false, false, 1);
    struct result item = {.choice = preparing_choice(&kernel_cpu_csr_seq, "", PRECISION_F64, 1)};
    setenv("SPARSIGHT_POWERCAP", "nowhere", true);
    struct machines machines = {0};
    assert_int_equal(timing_bench(&a, &item, 1, &options, &machines, NULL, NULL), STATUS_OK);
    expect_ok(&item);
    assert_says(item.energy.reason, "no RAPL here: nowhere has no");
    assert_string_equal(nvml->address, "");
}

/* Columns by hand: 4 entries and 2 vectors. */
TEST(columns_are_per_entry_and_per_joule)
{
    struct result result = {.choice = ask(&there, PRECISION_F64).choice, .flops = 16};
    const struct results results = {.nnz = 4, .options.product.columns = 2};
    energy_clear(&result.energy, true);
    result.energy.gross = 2e-6;
    result.energy.net = 1.6e-6;
    result.energy.error = 0.25e-6;
    result.energy.tick = 0.02;
    struct value value[5];
    static const char *const keys[] = {"energy.entry_pj", "energy.gflops_per_watt", "energy.gross_mj",
                                       "energy.error_mj", "energy.tick_ms"};
    static const double expected[] = {0.2e6, 0.008, 2e-3, 0.25e-3, 20};
    for (int k = 0; k < 5; k++) {
        const struct column *column = kernel_columns;
        while (strcmp(column->key, keys[k]) != 0)
            column++;
        value[k] = kernel_value(column, &results, &result);
        if (!(fabs(value_number(value[k]) / expected[k] - 1) < 1e-12))
            fail_msg("%s is %g", keys[k], value_number(value[k]));
    }
}
