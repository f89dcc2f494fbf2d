/* Meters: RAPL, with a folder that imitates the system's, and NVML, with a fake library. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernels/energy/meter.h"
#include "support/fake_nvml.h"
#include "support/files.h"
#include "support/unit.h"

#define FAKE "tests/support/fake_nvml.so"
#define LACKING "tests/support/lacking_nvml.so"

static char build[4096];
static struct fake_nvml *nvml;

/* The library stays in memory, so that the variable found here is the one that the meter's calls change. */
static int begin(void **state)
{
    char path[4200];
    if (!getcwd(build, sizeof build)) return -1;
    snprintf(path, sizeof path, "%s/" FAKE, build);
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!file || files_begin(state) != 0) return -1;
    nvml = dlsym(file, "fake_nvml");
    dlclose(file);
    return nvml ? 0 : -1;
}

TESTS_BETWEEN(begin, files_end)

static void name_library(const char *file)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", build, file);
    setenv("SPARSIGHT_NVML", path, true);
    *nvml = (struct fake_nvml){0};
}

/* A domain of RAPL. */
static void put_domain(const char *folder, const char *name, const char *counter, const char *range)
{
    char path[256];
    mkdir("powercap", 0755);
    snprintf(path, sizeof path, "powercap/%s", folder);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "powercap/%s/name", folder);
    files_put(path, name);
    snprintf(path, sizeof path, "powercap/%s/energy_uj", folder);
    files_put(path, counter);
    snprintf(path, sizeof path, "powercap/%s/max_energy_range_uj", folder);
    files_put(path, range);
}

/* The folder of a machine with two packages, one memory, and domains that are part of others. */
static void put_machine(void)
{
    setenv("SPARSIGHT_POWERCAP", "powercap", true);
    put_domain("intel-rapl:0", "package-0\n", "1000000\n", "262143328850\n");
    put_domain("intel-rapl:0:0", "core\n", "7\n", "262143328850\n");
    put_domain("intel-rapl:0:1", "dram\n", "500000\n", "65712999613\n");
    put_domain("intel-rapl:1", "package-1\n", "65532000000\n", "65532610987\n");
    put_domain("intel-rapl:2", "psys\n", "8\n", "262143328850\n");
    put_domain("intel-rapl-mmio:0", "package-0\n", "9\n", "262143328850\n");
}

static double joules_of(struct energy_meter *meter)
{
    double joules = NAN, seconds = NAN;
    struct error error = {0};
    if (energy_read(meter, &joules, &seconds, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_true(seconds > 0);
    return joules;
}

static void assert_joules(struct energy_meter *meter, double expected)
{
    double joules = joules_of(meter);
    if (fabs(joules - expected) > 1e-9) fail_msg("%.12g J, not %.12g J", joules, expected);
}

TEST(packages_and_memories_are_added)
{
    struct energy_meter meter;
    put_machine();
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, NULL), STATUS_OK);
    assert_ptr_equal(meter.source, &energy_rapl);
    assert_string_equal(meter.name, "RAPL, 2 packages with DRAM");
    assert_int_equal(energy_processes(&meter), 0);
    assert_joules(&meter, 0);
    files_put("powercap/intel-rapl:0/energy_uj", "3500000\n");
    assert_joules(&meter, 2.5);
    files_put("powercap/intel-rapl:0:1/energy_uj", "750000\n");
    assert_joules(&meter, 2.75);
    files_put("powercap/intel-rapl:0:0/energy_uj", "900000000\n");
    files_put("powercap/intel-rapl:2/energy_uj", "900000000\n");
    files_put("powercap/intel-rapl-mmio:0/energy_uj", "900000000\n");
    assert_joules(&meter, 2.75);
    energy_close(&meter);
    energy_close(&meter);
}

TEST(a_counter_that_wraps_goes_on)
{
    struct energy_meter meter;
    put_machine();
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, NULL), STATUS_OK);
    files_put("powercap/intel-rapl:1/energy_uj", "389013\n"); /* 610987 uJ to the end, and these */
    assert_joules(&meter, 1);
    files_put("powercap/intel-rapl:1/energy_uj", "1389013\n");
    assert_joules(&meter, 2);
    files_put("powercap/intel-rapl:1/energy_uj", "1389012\n"); /* wraps, to 1 uJ less than before */
    assert_joules(&meter, 2 + 65532.610986);
    energy_close(&meter);
}

TEST(a_machine_without_domains_says_so)
{
    struct energy_meter meter;
    struct error error = {0};
    setenv("SPARSIGHT_POWERCAP", "nowhere", true);
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "no RAPL here: nowhere has no intel-rapl:*", "intel_rapl_msr",
                "virtual machines and containers");
    error_clear(&error);
    mkdir("empty", 0755);
    mkdir("empty/intel-rapl:0", 0755);
    files_put("empty/intel-rapl:0/name", "psys\n");
    setenv("SPARSIGHT_POWERCAP", "empty", true);
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "no RAPL here");
    energy_close(&meter);
}

/* Since root may read all files, root becomes another user for a while. */
TEST(a_counter_that_root_alone_may_read_has_the_remedy)
{
    struct energy_meter meter;
    struct error error = {0};
    const bool root = geteuid() == 0;
    put_machine();
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(chmod("powercap/intel-rapl:0/energy_uj", 0), 0);
    if (root) assert_int_equal(seteuid(65534), 0);
    enum status status = energy_open(&meter, NULL, &energy_clock_real, &error);
    if (root) assert_int_equal(seteuid(0), 0);
    chmod("powercap/intel-rapl:0/energy_uj", 0644);
    assert_int_equal(status, STATUS_UNAVAILABLE);
    assert_says(error.message, "may be read by root alone here (powercap/intel-rapl:0/energy_uj)",
                "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
}

TEST(a_counter_that_is_damaged_or_goes_away_is_told)
{
    struct energy_meter meter;
    struct error error = {0};
    double joules, seconds;
    put_machine();
    files_put("powercap/intel-rapl:1/max_energy_range_uj", "\n");
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "powercap/intel-rapl:1/max_energy_range_uj cannot be read");
    error_clear(&error);
    put_machine();
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, NULL), STATUS_OK);
    unlink("powercap/intel-rapl:0/energy_uj");
    assert_int_equal(energy_read(&meter, &joules, &seconds, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "powercap/intel-rapl:0/energy_uj cannot be read: No such file");
    energy_close(&meter);
}

TEST(a_gpu_has_its_counter_by_its_address)
{
    struct energy_meter meter;
    name_library(FAKE);
    nvml->millijoules = 5000;
    nvml->processes = 2;
    assert_int_equal(energy_open(&meter, "0000:1B:00.0", &energy_clock_real, NULL), STATUS_OK);
    assert_ptr_equal(meter.source, &energy_nvml);
    assert_string_equal(meter.name, "NVML's energy counter of the GPU");
    assert_string_equal(nvml->address, "0000:1B:00.0");
    assert_int_equal(energy_processes(&meter), 2);
    double before = joules_of(&meter);
    nvml->millijoules += 1234;
    assert_joules(&meter, before + 1.234);
    assert_int_equal(nvml->open, 1);
    energy_close(&meter);
    assert_int_equal(nvml->open, 0);
}

/* At a constant power the samples of the thread are exact at all times. */
TEST(a_gpu_without_the_counter_has_its_power)
{
    struct energy_meter meter;
    double joules[2], seconds[2];
    name_library(FAKE);
    nvml->energy_code = 3;
    nvml->milliwatts = 250000;
    assert_int_equal(energy_open(&meter, "0000:1B:00.0", &energy_clock_real, NULL), STATUS_OK);
    assert_ptr_equal(meter.source, &energy_nvml_power);
    assert_int_equal(energy_processes(&meter), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(energy_read(&meter, &joules[k], &seconds[k], NULL), STATUS_OK);
        usleep(50000);
    }
    assert_true(seconds[1] > seconds[0]);
    if (fabs((joules[1] - joules[0]) / (seconds[1] - seconds[0]) - 250) > 1e-6)
        fail_msg("%g J in %g s", joules[1] - joules[0], seconds[1] - seconds[0]);
    nvml->power_code = 999;
    struct error error = {0};
    assert_int_equal(energy_read(&meter, joules, seconds, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "nvmlDeviceGetPowerUsage: Unknown Error (999)");
    energy_close(&meter);
    assert_int_equal(nvml->open, 0);
}

static void expect_refusal(const char *reason)
{
    struct energy_meter meter;
    struct error error = {0};
    assert_int_equal(energy_open(&meter, "0000:1B:00.0", &energy_clock_real, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, reason);
    assert_int_equal(nvml->open, 0);
}

/* The counter's error is the reason, since the counter comes first. */
TEST(nvml_that_cannot_tell_has_a_reason)
{
    name_library(FAKE);
    nvml->energy_code = nvml->power_code = 3;
    expect_refusal("nvmlDeviceGetTotalEnergyConsumption: Not Supported (3)");
    name_library(FAKE);
    nvml->find_code = 6;
    expect_refusal("nvmlDeviceGetHandleByPciBusId: Unknown Error (6)");
    name_library(FAKE);
    nvml->init_code = 9;
    expect_refusal("nvmlInit: Unknown Error (9)");
    name_library(LACKING);
    expect_refusal("NVML has no nvmlDeviceGetTotalEnergyConsumption");
    setenv("SPARSIGHT_NVML", "/nowhere/libnvidia-ml.so.1", true);
    expect_refusal("NVML is not found: SPARSIGHT_NVML says /nowhere/libnvidia-ml.so.1");
}

TEST(without_memory_there_is_no_meter)
{
    struct energy_meter meter;
    put_machine();
    name_library(FAKE);
    memory_fail_after(0);
    assert_int_equal(energy_open(&meter, NULL, &energy_clock_real, NULL), STATUS_MEMORY);
    memory_fail_after(0);
    assert_int_equal(energy_open(&meter, "0000:1B:00.0", &energy_clock_real, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
}

TEST(sources_have_words)
{
    int count = 0;
    for (; energy_sources[count]; count++) {
        const struct energy_source *source = energy_sources[count];
        assert_true(source->name[0] && source->summary[0]);
        assert_true(source->open && source->read && source->close);
    }
    assert_int_equal(count, 3);
}
