/* Profiles of GPUs are found by name, by file and by device; expected: the profiles in data/gpus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/profile.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/profiles.h"

/* The number of profiles that come with the program. */
static int shipped(void)
{
    int count = 0;
    while (gpu_files[count].name)
        count++;
    return count;
}

/* In a directory of this test. */
static void users_profiles_come_first(void **state)
{
    struct gpu gpu;
    struct gpu_list list;
    struct error error = {0};
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("sparsight", 0700) | mkdir("sparsight/gpus", 0700), 0);
    setenv("XDG_CONFIG_HOME", here, 1);
    files_put("sparsight/gpus/Zebra.gpu", PROFILE);
    files_put("sparsight/gpus/H-200.gpu", PROFILE "warps = 7\n");
    files_put("sparsight/gpus/broken.gpu", "colour = red\n");
    files_put("sparsight/gpus/.hidden.gpu", PROFILE);
    files_put("sparsight/gpus/README", "profiles\n");
    assert_int_equal(gpu_find("zebra", &gpu, &error), STATUS_OK);
    assert_true(strcmp(gpu.name, "Zebra") == 0 && gpu.multiprocessors == 10);
    assert_int_equal(gpu_find("h200", &gpu, &error), STATUS_OK);
    assert_int_equal(gpu.warps, 7);
    /* two names that differ in case only: the first in the list counts */
    files_put("sparsight/gpus/zebra.gpu", PROFILE "warps = 9\n");
    assert_int_equal(gpu_find("ZEBRA", &gpu, &error), STATUS_OK);
    assert_string_equal(gpu.name, "Zebra");
    assert_int_equal(unlink("sparsight/gpus/zebra.gpu"), 0);
    assert_int_equal(gpu_find("broken", &gpu, &error), STATUS_INPUT);
    assert_non_null(strstr(error.path, "/sparsight/gpus/broken.gpu"));
    assert_int_equal(gpu_list(&list, NULL), STATUS_OK);
    assert_int_equal(list.count, shipped() + 2);
    assert_string_equal(list.items[5].name, "H-200");
    assert_string_equal(list.items[shipped()].name, "Zebra");
    assert_string_equal(list.items[shipped() + 1].name, "broken");
    gpu_list_free(&list);
    gpu_list_free(&list);

    /* without it, that of HOME */
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", here, 1);
    assert_int_equal(gpu_find("zebra", &gpu, NULL), STATUS_USAGE);
    assert_int_equal(mkdir(".config", 0700) | rename("sparsight", ".config/sparsight"), 0);
    assert_int_equal(gpu_find("zebra", &gpu, NULL), STATUS_OK);

    /* every allocation may fail */
    static const char *const names[] = {"zebra", "nothing", ".config/sparsight/gpus/Zebra.gpu"};
    for (int k = 0; k < 3; k++)
        for (long after = 0;; after++) {
            memory_fail_after(after);
            enum status status = gpu_find(names[k], &gpu, NULL);
            long failures = memory_failures();
            memory_fail_after(-1);
            if (!failures) break;
            assert_int_equal(status, STATUS_MEMORY);
        }
    setenv("HOME", "/nonexistent", 1);
}

static void expect_pace(const char *name, double multiprocessors, double launch)
{
    struct device_facts facts = {.memory = 85e9,
                                 .cache = 52428800,
                                 .major = 9,
                                 .multiprocessors = (int)multiprocessors,
                                 .bandwidth = 500e9};
    struct gpu gpu;
    snprintf(facts.name, sizeof facts.name, "%s", name);
    gpu_of_device(&facts, &gpu);
    assert_true(gpu.pace.measured == (launch > 0));
    if (launch > 0 && gpu.pace.launch != launch) fail_msg("%s: %g s", name, gpu.pace.launch);
}

/* A measured profile is found by name and by the device, before those of the program and after those of the
 * user. */
static void measured_profiles_are_kept_and_found(void **state)
{
    struct gpu gpu, back;
    struct gpu_list list;
    struct text path = {0}, wanted = {0};
    struct error error = {0};
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("cached", 0700) | mkdir("config", 0700) | mkdir("config/sparsight", 0700) |
                         mkdir("config/sparsight/gpus", 0700),
                     0);
    text_append(&wanted, "%s/cached/new", here);
    setenv("XDG_CACHE_HOME", wanted.data, 1);
    if (profile_read(PROFILE PROFILE_PACE, &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
    snprintf(gpu.name, sizeof gpu.name, "h200");
    expect_pace("NVIDIA H200", 10, 0);
    assert_int_equal(gpu_keep(&gpu, &path, &error), STATUS_OK);
    text_append(&wanted, "/sparsight/gpus/h200.gpu");
    assert_string_equal(path.data, wanted.data);
    text_free(&path);
    assert_int_equal(gpu_find("H200", &back, NULL), STATUS_OK);
    assert_true(back.multiprocessors == 10 && back.pace.measured && back.pace.launch == 1.5e-6);
    gpu_default(-1, &back);
    assert_int_equal(back.multiprocessors, 10);
    assert_int_equal(gpu_list(&list, NULL), STATUS_OK);
    assert_int_equal(list.count, shipped());
    assert_true(list.items[5].source == GPU_CACHED && list.items[4].source == GPU_SHIPPED);
    gpu_list_free(&list);

    /* the same device, one with a longer name, a MIG instance of it, and other ones */
    expect_pace("NVIDIA H200", 10, 1.5e-6);
    expect_pace("NVIDIA H200 141GB HBM3e", 10, 1.5e-6);
    expect_pace("NVIDIA H200 MIG 1g.18gb", 9, 0);
    expect_pace("NVIDIA H2001", 10, 0);
    expect_pace("NVIDIA H20", 10, 0);

    /* the user's profile wins, unless it has no measurements */
    text_free(&wanted);
    text_append(&wanted, "%s/config", here);
    setenv("XDG_CONFIG_HOME", wanted.data, 1);
    files_put("config/sparsight/gpus/H200.gpu", PROFILE "warps = 7\n");
    assert_int_equal(gpu_find("h200", &back, NULL), STATUS_OK);
    assert_int_equal(back.warps, 7);
    expect_pace("NVIDIA H200", 10, 1.5e-6);
    files_put("config/sparsight/gpus/H200.gpu", PROFILE "launch = 2 us\n" PROFILE_PACE_BUT_LAUNCH);
    expect_pace("NVIDIA H200", 10, 2e-6);
    unsetenv("XDG_CONFIG_HOME");

    /* a damaged profile does not fail a request for the device */
    files_put("cached/new/sparsight/gpus/h200.gpu", "colour = red\n");
    expect_pace("NVIDIA H200", 10, 0);
    assert_int_equal(gpu_find("h200", &back, NULL), STATUS_INPUT);
    gpu_default(-1, &back);
    assert_int_equal(back.multiprocessors, 132);

    /* an impossible time of a launch, measured on a busy host, is ignored */
    gpu.pace.launch = 171e-6;
    assert_int_equal(gpu_keep(&gpu, &path, NULL), STATUS_OK);
    expect_pace("NVIDIA H200", 10, 0);
    gpu.pace.launch = 1.5e-6;
    text_free(&path);

    /* the next measurement replaces it */
    assert_int_equal(gpu_keep(&gpu, &path, NULL), STATUS_OK);
    expect_pace("NVIDIA H200", 10, 1.5e-6);
    text_free(&path);
    for (long after = 0;; after++) {
        memory_fail_after(after);
        enum status status = gpu_keep(&gpu, &path, NULL);
        long failures = memory_failures();
        memory_fail_after(-1);
        text_free(&path);
        if (!failures) break;
        assert_int_equal(status, STATUS_MEMORY);
    }
    unsetenv("XDG_CACHE_HOME");
    text_free(&wanted);

    /* a home that does not exist is not created; without any home there is no folder */
    text_append(&wanted, "%s/nobody", here);
    setenv("HOME", wanted.data, 1);
    error_clear(&error);
    assert_int_equal(gpu_keep(&gpu, &path, &error), STATUS_IO);
    assert_non_null(strstr(error.path, "/nobody/.cache/sparsight/gpus/h200.gpu"));
    assert_int_not_equal(access("nobody", F_OK), 0);
    text_free(&path);
    assert_int_equal(mkdir("nobody", 0700), 0);
    assert_int_equal(gpu_keep(&gpu, &path, NULL), STATUS_OK);
    assert_int_equal(access("nobody/.cache/sparsight/gpus/h200.gpu", R_OK), 0);
    text_free(&path);
    unsetenv("HOME");
    error_clear(&error);
    assert_int_equal(gpu_keep(&gpu, &path, &error), STATUS_IO);
    assert_non_null(strstr(error.message, "neither XDG_CACHE_HOME nor HOME"));
    text_free(&path);
    text_free(&wanted);
    setenv("HOME", "/nonexistent", 1);
}

static void paths_are_files(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    static char large[70000];
    files_put("mine.gpu", PROFILE);
    files_put("other", PROFILE);
    assert_int_equal(gpu_find("mine.gpu", &gpu, NULL), STATUS_OK);
    assert_string_equal(gpu.name, "mine");
    assert_int_equal(gpu_find("./other", &gpu, NULL), STATUS_OK);
    assert_string_equal(gpu.name, "other");
    assert_int_equal(gpu_find("nothing.gpu", &gpu, &error), STATUS_IO);
    assert_string_equal(error.path, "nothing.gpu");
    assert_int_equal(gpu_find("./", &gpu, NULL), STATUS_IO);
    assert_int_equal(gpu_find("/dev/zero", &gpu, NULL), STATUS_INPUT);
    memset(large, '\n', sizeof large);
    memcpy(large, PROFILE, sizeof PROFILE - 1);
    files_write("large.gpu", large, sizeof large);
    assert_int_equal(gpu_find("large.gpu", &gpu, NULL), STATUS_INPUT);
    memset(large, 'a', 600);
    files_write("wide.gpu", large, 600);
    assert_int_equal(gpu_find("wide.gpu", &gpu, NULL), STATUS_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_profiles_come_first),
        cmocka_unit_test(measured_profiles_are_kept_and_found),
        cmocka_unit_test(paths_are_files),
    };
    return cmocka_run_group_tests_name("gpu", tests, profiles_begin, files_end);
}
