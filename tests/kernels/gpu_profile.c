/* Profiles of GPUs: accepted and refused lines with their positions, the list of profiles, and the profile of
 * a device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/device.h"
#include "kernels/gpu/profile.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/profiles.h"

#define KIB ((size_t)1024)

/* The peak of a GPU from its cores and its highest clock: two operations for each core and clock. Vendors
 * round it to two or three digits. */
static const struct {
    const char *name;
    int f32, f64; /* cores of a multiprocessor for each precision */
    double clock; /* GHz */
} clocks[] = {{"gtx480", 32, 4, 1.401}, {"k20m", 192, 64, 0.706}, {"v100", 64, 32, 1.53},
              {"a100", 64, 32, 1.41},   {"h100", 128, 64, 1.98},  {"h200", 128, 64, 1.98},
              {"rtx4090", 128, 2, 2.52}};

static void assert_peak(const struct gpu *gpu)
{
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) {
        if (strcmp(clocks[k].name, gpu->name) != 0) continue;
        double flops = 2e9 * gpu->multiprocessors * clocks[k].clock;
        assert_true(fabs(gpu->peak_f32 / (flops * clocks[k].f32) - 1) < 0.02);
        assert_true(fabs(gpu->peak_f64 / (flops * clocks[k].f64) - 1) < 0.02);
        return;
    }
    fail_msg("%s: no clock", gpu->name);
}

/* The vendors' figures, written down apart from the files, and the consequences of the compute capability. */
static const struct gpu expected[] = {
    {.name = "gtx480",
     .title = "NVIDIA GeForce GTX 480",
     .major = 2,
     .multiprocessors = 15,
     .warps = 48,
     .blocks = 8,
     .registers = 32768,
     .thread_registers = 63,
     .shared = 49152,
     .shared_block = 49152,
     .cache = 786432,
     .memory = 1610612736,
     .bandwidth = 177.4e9,
     .granule = 128},
    {.name = "k20m",
     .title = "NVIDIA Tesla K20m",
     .major = 3,
     .minor = 5,
     .multiprocessors = 13,
     .warps = 64,
     .blocks = 16,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 49152,
     .shared_block = 49152,
     .cache = 1310720,
     .memory = 5368709120,
     .bandwidth = 208e9,
     .granule = 32},
    {.name = "v100",
     .title = "NVIDIA V100 SXM2 32 GB",
     .major = 7,
     .multiprocessors = 80,
     .warps = 64,
     .blocks = 32,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 98304,
     .shared_block = 98304,
     .cache = 6291456,
     .memory = 34359738368,
     .bandwidth = 900e9,
     .granule = 32},
    {.name = "a100",
     .title = "NVIDIA A100 SXM 80 GB",
     .major = 8,
     .multiprocessors = 108,
     .warps = 64,
     .blocks = 32,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 167936,
     .shared_block = 166912,
     .shared_reserved = 1024,
     .cache = 41943040,
     .memory = 85899345920,
     .bandwidth = 2039e9,
     .granule = 32},
    {.name = "h100",
     .title = "NVIDIA H100 SXM",
     .major = 9,
     .multiprocessors = 132,
     .warps = 64,
     .blocks = 32,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 233472,
     .shared_block = 232448,
     .shared_reserved = 1024,
     .cache = 52428800,
     .memory = 85899345920,
     .bandwidth = 3350e9,
     .granule = 32},
    {.name = "h200",
     .title = "NVIDIA H200 SXM",
     .major = 9,
     .multiprocessors = 132,
     .warps = 64,
     .blocks = 32,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 233472,
     .shared_block = 232448,
     .shared_reserved = 1024,
     .cache = 62914560,
     .memory = 151397597184,
     .bandwidth = 4800e9,
     .granule = 32},
    {.name = "rtx4090",
     .title = "NVIDIA GeForce RTX 4090",
     .major = 8,
     .minor = 9,
     .multiprocessors = 128,
     .warps = 48,
     .blocks = 24,
     .registers = 65536,
     .thread_registers = 255,
     .shared = 102400,
     .shared_block = 101376,
     .shared_reserved = 1024,
     .cache = 75497472,
     .memory = 25769803776,
     .bandwidth = 1008e9,
     .granule = 32},
};

#define EXPECTED ((int)(sizeof expected / sizeof *expected))

static void shipped_profiles_say_what_vendors_do(void **state)
{
    for (int k = 0; k < EXPECTED; k++) {
        const struct gpu *wanted = &expected[k];
        struct gpu gpu;
        struct error error = {0};
        if (gpu_find(wanted->name, &gpu, &error) != STATUS_OK)
            fail_msg("%s: %s", wanted->name, error.message);
        assert_string_equal(gpu.name, wanted->name);
        assert_string_equal(gpu.title, wanted->title);
        assert_true(gpu.source[0]);
        assert_int_equal(gpu.major, wanted->major);
        assert_int_equal(gpu.minor, wanted->minor);
        assert_int_equal(gpu.multiprocessors, wanted->multiprocessors);
        assert_int_equal(gpu.warps, wanted->warps);
        assert_int_equal(gpu.blocks, wanted->blocks);
        assert_int_equal(gpu.registers, wanted->registers);
        assert_int_equal(gpu.thread_registers, wanted->thread_registers);
        assert_int_equal(gpu.shared, wanted->shared);
        assert_int_equal(gpu.shared_block, wanted->shared_block);
        assert_int_equal(gpu.shared_reserved, wanted->shared_reserved);
        assert_true(gpu.cache == wanted->cache && gpu.memory == wanted->memory);
        assert_true(gpu.bandwidth == wanted->bandwidth);
        assert_peak(&gpu);
        assert_int_equal(gpu.granule, wanted->granule);
    }
    assert_string_equal(gpu_files[EXPECTED - 1].name, expected[EXPECTED - 1].name);
    assert_null(gpu_files[EXPECTED].name);
}

/* Read the required lines of a profile, six of them, and one more line. */
static enum status read_with(const char *line, struct gpu *gpu, struct error *error)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "title = A\ncompute capability = 8.6\nmultiprocessors = 3\nL2 = 1 MiB\n"
                          "memory = 2 GiB\nbandwidth = 100 GB/s\n%s\n",
                          line);
    return gpu_read(text, (size_t)length, "a.gpu", gpu, error);
}

static void speeds_are_read_or_refused(void **state)
{
    static const struct {
        const char *line;
        double peak; /* 0: it is refused */
    } cases[] = {{"peak double = 168 GFLOP/s", 168e9}, {"Peak_Double=1.5 tflop/s", 1.5e12},
                 {"peak double = 10 MFLOP/s", 1e7},    {"peak double = 168", 0},
                 {"peak double = 168 GB/s", 0},        {"peak double = much GFLOP/s", 0},
                 {"peak double = 0 GFLOP/s", 0},       {"peak double = 1000000 TFLOP/s", 1e18},
                 {"peak double = 1000001 TFLOP/s", 0}, {"peak double = 1 MFLOP/s", 1e6},
                 {"peak double = 0.5 MFLOP/s", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gpu gpu;
        struct error error = {0};
        enum status status = read_with(cases[k].line, &gpu, &error);
        assert_int_equal(status, cases[k].peak > 0 ? STATUS_OK : STATUS_INPUT);
        assert_true(gpu.peak_f64 == cases[k].peak && gpu.peak_f32 == 0);
        if (status != STATUS_OK) assert_int_equal(error.line, 7);
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    static const char *const within[] = {"launch = 1 ns", "launch = 1 s", "warps = 4096", "granule = 128"};
    static const char *const beyond[] = {"launch = 0.9 ns", "launch = 1.1 s", "warps = 4097",
                                         "warps = 0",       "granule = 129",  "granule = 31"};
    struct gpu gpu;
    for (size_t k = 0; k < sizeof within / sizeof *within; k++) {
        struct error error = {0}; /* the profile lacks other constants, but the number itself is read */
        read_with(within[k], &gpu, &error);
        assert_null(strstr(error.message, "out of range"));
    }
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        struct error error = {0};
        assert_int_equal(read_with(beyond[k], &gpu, &error), STATUS_INPUT);
        assert_non_null(strstr(error.message, "out of range: it lies between "));
    }
}

static void units_comments_and_cases_are_read(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    static const char text[] = "# a comment\r\n"
                               "\r\n"
                               "  TITLE=  My GPU # 2\t\r\n"
                               "Compute_Capability = 8.6   # as a 3090\n"
                               "multiprocessors = 3\n"
                               "l2 = 1.5 MiB\n"
                               "\tmemory = 2gb\n"
                               "bandwidth = 1.5 tb/s\n"
                               "granule = 128\n"
                               "shared memory = 65536\n"
                               "shared memory a block = 48KiB\n"
                               "warps = 16";
    if (profile_read(text, &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_string_equal(gpu.name, "my");
    assert_string_equal(gpu.title, "My GPU");
    assert_true(gpu.major == 8 && gpu.minor == 6 && gpu.multiprocessors == 3);
    assert_true(gpu.cache == 1572864 && gpu.memory == 2000000000 && gpu.bandwidth == 1.5e12);
    assert_true(gpu.granule == 128 && gpu.shared == 65536 && gpu.shared_block == 49152 && gpu.warps == 16);
    assert_true(gpu.blocks == 16 && gpu.shared_unit == 128 && gpu.shared_reserved == 1024);
}

/* Units are powers of 1000, and with an i powers of 1024. */
static void units_are_what_they_say(void **state)
{
    static const struct {
        const char *text;
        double bytes;
    } cases[] = {{"64000000", 64e6}, {"64000000 B", 64e6},     {"64000 KB", 64e6},   {"64 MB", 64e6},
                 {"0.064 GB", 64e6}, {"64000 KiB", 65536e3},   {"64 MiB", 67108864}, {"0.5 GiB", 536870912},
                 {"0.001 TB", 1e9},  {"0.5 TiB", 549755813888}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        struct gpu gpu;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "title = T\ncompute capability = 8.6\nmultiprocessors = 3\nL2 = 3 MiB\nbandwidth = 1 TB/s\n"
                 "memory = %s\n",
                 cases[k].text);
        if (profile_read(text, &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
        assert_true((double)gpu.memory == cases[k].bytes);
    }
}

static void errors_have_their_position(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } cases[] = {
        {"# x\nmultiprocesors = 3\n", 2, 1, "did you mean 'multiprocessors'?"},
        {"  colour = red\n", 1, 3, "a GPU has no 'colour'; the keys are title, source, compute capability"},
        {"multiprocessors 3\n", 1, 1, "'multiprocessors 3' is not of the form 'key = value'"},
        {"multiprocessors = 3 SM\n", 1, 19, "not a whole number"},
        {"multiprocessors = 2.5\n", 1, 19, "not a whole number"},
        {"multiprocessors = 0\n", 1, 19, "out of range: it lies between 1 and 65536"},
        {"multiprocessors = -3\n", 1, 19, "multiprocessors = -3 is not a number"},
        {"multiprocessors =\n", 1, 18, "'multiprocessors' has no value"},
        {"multiprocessors =# 5\n", 1, 18, "'multiprocessors' has no value"},
        {"L2 = 6 parsecs\n", 1, 6, "L2 = 6 parsecs is not in B, KB"},
        {"L2 = 6 MB/s\n", 1, 6, "not in B, KB"},
        {"L2 = 1.2.3 MB\n", 1, 6, "not a number"},
        {"L2 = nan\n", 1, 6, "not a number"},
        {"L2 = 0x10\n", 1, 6, "not in B"},
        {"L2 = 10000 TiB\n", 1, 6, "out of range: it lies between 1.00 KiB and 1.00 TiB"},
        {"bandwidth = 5 furlongs\n", 1, 13, "not in B/s"},
        {"bandwidth = 5 B/s\n", 1, 13, "a second"},
        {"compute capability = 9\n", 1, 22, "not a compute capability such as 9.0"},
        {"compute capability = 1.3\n", 1, 22, "the minimum is 2.0"},
        {"compute capability = 9.0a\n", 1, 22, "not a compute capability"},
        {"L2 = 6 MB\n\nl2 = 7 MB\n", 3, 1, "'L2' is given twice: it is in line 1 already"},
        {PROFILE "granule = 64\n", 7, 0, "sectors of 32 bytes or lines of 128"},
        {PROFILE "shared memory a block = 228 KiB\n", 7, 0, "more than the multiprocessor's 233472"},
        {PROFILE_START, 0, 0, "the profile lacks compute capability"},
        {"compute capability = 9.0\n", 0, 0, "lacks title, multiprocessors, L2, memory, bandwidth"},
        {PROFILE_START "compute capability = 77.0\n", 0, 0, "lacks granule, warps, blocks, registers"},
        {"", 0, 0, "lacks title"},
        {"launch = 1.4\n", 1, 10, "launch = 1.4 is not in ns, us, ms or s"},
        {"launch = 1.4 US\n", 1, 10, "not in ns, us, ms or s"},
        {"launch = fast\n", 1, 10, "not a number"},
        {"L2 latency = 2 ms\n", 1, 14, "out of range: it lies between 1.00 ns and 1.00 ms"},
        {"meeting addition = 0 ns\n", 1, 20, "out of range"},
        {"L1 bandwidth = 3 us\n", 1, 16, "not in B/s"},
        {"L3 latency = 3 us\n", 1, 1, "did you mean 'L1 latency' or 'L2 latency'?"},
        {PROFILE "read bandwidth = 4 TB/s\nlaunch = 1 us\n", 7, 0,
         "the profile has 'read bandwidth' but lacks next launch, L1 latency, L2 latency, memory latency, "
         "shared memory "
         "latency, L1 bandwidth, L2 bandwidth, write bandwidth, reduction bandwidth, meeting addition: of "
         "what "
         "is measured it has to give all, or nothing ('sparsight kernels --calibrate'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gpu gpu;
        struct error error = {0};
        assert_int_equal(profile_read(cases[k].text, &gpu, &error), STATUS_INPUT);
        if (error.line != cases[k].line || error.column != cases[k].column ||
            !strstr(error.message, cases[k].message))
            fail_msg("%s: %d:%d: %s", cases[k].text, (int)error.line, (int)error.column, error.message);
        assert_string_equal(error.path, "somewhere/my.gpu");
        assert_int_equal(gpu.multiprocessors, 0);
    }
    struct gpu gpu;
    assert_int_equal(gpu_read(PROFILE "#a\0b\n", sizeof PROFILE + 4, "x", &gpu, NULL), STATUS_INPUT);
}

/* The description of a profile is a complete profile, and reads back to the same. */
static void descriptions_are_profiles(void **state)
{
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        struct gpu gpu, back;
        struct text text = {0};
        char path[64];
        snprintf(path, sizeof path, "%s.gpu", file->name);
        assert_int_equal(gpu_read(file->text, strlen(file->text), path, &gpu, NULL), STATUS_OK);
        gpu_describe(&gpu, &text);
        assert_int_equal(gpu_read(text.data, text.length, path, &back, NULL), STATUS_OK);
        assert_memory_equal(&gpu, &back, sizeof gpu);
        text_free(&text);
    }
}

/* The description distinguishes measured constants from derived ones. */
static void the_pace_is_measured_or_derived(void **state)
{
    struct gpu gpu, back;
    struct text text = {0};
    struct error error = {0};
    if (profile_read(PROFILE PROFILE_PACE, &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
    const struct gpu_pace *pace = &gpu.pace;
    assert_true(pace->measured && pace->launch == 1.5e-6 && pace->next == 0.9e-6);
    assert_true(pace->l2_latency == 0.25e-6 && fabs(pace->memory_latency - 0.7e-6) < 1e-18);
    assert_true(pace->shared_latency == 12.5e-9 && pace->l1 == 16e12 && pace->l2 == 5.5e12);
    assert_true(pace->read == 4.4e12 && fabs(pace->write - 4123.4e9) < 1 && pace->reductions == 1.75e12);
    assert_true(pace->meeting == 0.6e-9);
    gpu_describe(&gpu, &text);
    assert_non_null(strstr(text.data, "\nL2 latency = 250 ns\n"));
    assert_non_null(strstr(text.data, "\nmeeting addition = 0.6 ns\n"));
    assert_non_null(strstr(text.data, "\nwrite bandwidth = 4123.4 GB/s\n"));
    assert_null(strstr(text.data, "erived"));
    assert_int_equal(profile_read(text.data, &back, NULL), STATUS_OK);
    assert_true(back.pace.measured && back.pace.meeting == pace->meeting);
    text_free(&text);

    /* Older profiles do not have the time of a launch that begins early. */
    assert_true(pace->early == 0);
    assert_int_equal(profile_read(PROFILE PROFILE_PACE "early launch = 900 ns\n", &gpu, NULL), STATUS_OK);
    assert_true(pace->measured && pace->early == 0.9e-6);
    gpu_describe(&gpu, &text);
    assert_non_null(strstr(text.data, "\nearly launch = 900 ns\n"));
    text_free(&text);

    assert_int_equal(profile_read(PROFILE, &gpu, NULL), STATUS_OK);
    assert_false(pace->measured);
    gpu_describe(&gpu, &text);
    assert_non_null(strstr(text.data, "\nlaunch = derived # "));
    assert_non_null(strstr(text.data, "\nmeeting addition = derived # "));
    assert_int_equal(profile_read(text.data, &back, NULL), STATUS_OK);
    assert_false(back.pace.measured);
    text_free(&text);
}

static void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12 * wanted)) fail_msg("%g is not %g", value, wanted);
}

/* 33 multiprocessors are a quarter of 132, 1.6 TB/s a third of 4.8 TB/s, and times are the same. */
static void derived_constants_follow_the_rules(void **state)
{
    struct gpu all = {.multiprocessors = 132, .bandwidth = 4.8e12}, few = all;
    few.multiprocessors = 33;
    few.bandwidth = 1.6e12;
    gpu_pace_derive(&all);
    gpu_pace_derive(&few);
    assert_false(all.pace.measured || few.pace.measured);
    assert_near(few.pace.l1, all.pace.l1 / 4);
    assert_near(few.pace.l2, all.pace.l2 / 4);
    assert_near(few.pace.reductions, all.pace.reductions / 4);
    assert_near(few.pace.read, all.pace.read / 3);
    assert_near(few.pace.write, all.pace.write / 3);
    assert_near(few.pace.launch, all.pace.launch);
    assert_near(few.pace.next, all.pace.next);
    assert_near(few.pace.l2_latency, all.pace.l2_latency);
    assert_near(few.pace.memory_latency, all.pace.memory_latency);
    assert_near(few.pace.shared_latency, all.pace.shared_latency);
    assert_near(few.pace.meeting, all.pace.meeting);
    /* The slower of the two measured GPUs counts. Both have 132 multiprocessors, and the H100 has 3.35
     * TB/s. */
    struct gpu h100, h200;
    assert_int_equal(gpu_find("h100", &h100, NULL), STATUS_OK);
    assert_int_equal(gpu_find("h200", &h200, NULL), STATUS_OK);
    const struct gpu_pace *one = &h100.pace, *two = &h200.pace;
    assert_true(one->measured && two->measured);
    assert_near(all.pace.launch, fmax(one->launch, two->launch));
    assert_near(all.pace.next, fmax(one->next, two->next));
    assert_near(all.pace.l2_latency, fmax(one->l2_latency, two->l2_latency));
    assert_near(all.pace.memory_latency, fmax(one->memory_latency, two->memory_latency));
    assert_near(all.pace.shared_latency, fmax(one->shared_latency, two->shared_latency));
    assert_near(all.pace.l1, fmin(one->l1, two->l1));
    assert_near(all.pace.l2, fmin(one->l2, two->l2));
    assert_near(all.pace.read, fmin(one->read * 4.8 / 3.35, two->read));
    assert_near(all.pace.write, fmin(one->write * 4.8 / 3.35, two->write));
    assert_near(all.pace.reductions, fmin(one->reductions, two->reductions));
    assert_near(all.pace.meeting, fmax(one->meeting, two->meeting));
    assert_true(all.pace.next < 2 * all.pace.launch && all.pace.l2_latency < all.pace.memory_latency);
    assert_true(all.pace.l1 > all.pace.l2 && all.pace.l2 > all.pace.read && all.pace.read < 4.8e12);
}

/* A cheap generator, so that failures can be repeated. */
static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*seed * below) >> 32);
}

/* Any text of a profile is read or refused with a message, and an accepted one makes sense. */
static void damaged_profiles_are_read_or_refused(void **state)
{
    static const char spice[] = "=#\n\r .-_09eExX\x80\xff\x01%KMGTiB/sabc";
    char text[2000];
    uint32_t seed = 20261121;
    int whole = 0, refused = 0;
    for (int round = 0; round < 40000; round++) {
        const struct gpu_file *file = &gpu_files[draw(&seed, EXPECTED)];
        size_t length = strlen(file->text);
        assert_true(length < sizeof text / 2);
        memcpy(text, file->text, length);
        for (uint32_t damage = draw(&seed, 6); damage > 0 && length > 1; damage--) {
            size_t at = draw(&seed, (uint32_t)length), many = 1 + draw(&seed, 8);
            switch (draw(&seed, 4)) {
            case 0:
                text[at] = spice[draw(&seed, sizeof spice)];
                break;
            case 1: /* cut out */
                if (at + many > length) many = length - at;
                memmove(text + at, text + at + many, length - at - many);
                length -= many;
                break;
            case 2: /* put in */
                memmove(text + at + 1, text + at, length - at);
                text[at] = spice[draw(&seed, sizeof spice)];
                length++;
                break;
            default:
                length = at + 1;
            }
        }
        /* at its exact size, so that sanitizers notice reads beyond it */
        char *exact = malloc(length);
        struct gpu gpu;
        struct error error = {0};
        assert_non_null(exact);
        memcpy(exact, text, length);
        if (gpu_read(exact, length, "damaged.gpu", &gpu, &error) == STATUS_OK) {
            assert_true(gpu.title[0] && gpu.major >= 2 && gpu.multiprocessors >= 1 && gpu.warps >= 1);
            assert_true(gpu.shared_unit >= 1 && gpu.register_unit >= 1 && gpu.warp_unit >= 1);
            assert_true(gpu.bandwidth > 0 && (gpu.granule == 32 || gpu.granule == 128));
            whole++;
        } else {
            assert_int_equal(error.status, STATUS_INPUT);
            assert_true(error.message[0]);
            refused++;
        }
        free(exact);
    }
    assert_true(whole > 1000 && refused > 1000);
}

static void names_are_found_without_regard_to_case(void **state)
{
    static const char *const names[] = {"h200", "H200", "h-200", "RTX 4090", "rtx_4090", "GTX-480", "K20M"};
    static const char *const meant[] = {"h200", "h200", "h200", "rtx4090", "rtx4090", "gtx480", "k20m"};
    struct gpu gpu;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(gpu_find(names[k], &gpu, NULL), STATUS_OK);
        assert_string_equal(gpu.name, meant[k]);
    }
}

static void unknown_names_are_told_with_those_there_are(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    assert_int_equal(gpu_find("h20", &gpu, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "no GPU is called 'h20'; did you mean h200?"));
    error_clear(&error);
    assert_int_equal(gpu_find("voodoo", &gpu, &error), STATUS_USAGE);
    assert_null(strstr(error.message, "did you mean"));
    assert_non_null(strstr(error.message, "there are gtx480, k20m, v100, a100, h100, h200, rtx4090"));
    error_clear(&error);
    assert_int_equal(gpu_find("", &gpu, &error), STATUS_USAGE);
    assert_int_equal(gpu.multiprocessors, 0);
}

static void devices_are_taken_for_what_they_say(void **state)
{
    struct device_facts facts = {.name = "NVIDIA H100 80GB HBM3",
                                 .memory = 85e9,
                                 .cache = 52428800,
                                 .shared = 232448,
                                 .major = 9,
                                 .multiprocessors = 132,
                                 .bandwidth = 3.35e12};
    struct device_facts back;
    struct gpu gpu;
    gpu_of_device(&facts, &gpu);
    assert_string_equal(gpu.name, "h100-80gb-hbm3");
    assert_string_equal(gpu.title, "NVIDIA H100 80GB HBM3");
    assert_string_equal(gpu.source, "the driver of this machine");
    assert_true(gpu.warps == 64 && gpu.shared == 228 * KIB && gpu.granule == 32 && gpu.registers == 65536);
    assert_true(gpu.multiprocessors == 132 && gpu.cache == 52428800 && gpu.bandwidth == 3.35e12);
    gpu_facts(&gpu, &back);
    assert_memory_equal(&facts, &back, sizeof facts);

    /* an unknown capability has the limits of the next lower one, and the stated shared memory */
    struct device_facts later = {.name = "NVIDIA", .shared = 300 * KIB, .major = 99, .minor = 3};
    gpu_of_device(&later, &gpu);
    assert_string_equal(gpu.name, "device");
    assert_true(gpu.warps == 48 && gpu.shared == 301 * KIB && gpu.shared_block == 300 * KIB);
    struct device_facts between = {.major = 8, .minor = 8};
    gpu_of_device(&between, &gpu);
    assert_true(gpu.blocks == 16 && gpu.shared_block == 163 * KIB);

    /* all of its shared memory; the system reserves 1 KiB more */
    struct device_facts greedy = {.name = "Tesla V100-SXM2-16GB", .shared = 228 * KIB, .major = 9};
    gpu_of_device(&greedy, &gpu);
    assert_string_equal(gpu.name, "v100-sxm2-16gb");
    assert_true(gpu.shared_block == 228 * KIB && gpu.shared == 229 * KIB);
}

static void there_is_always_a_gpu(void **state)
{
    struct gpu gpu;
    gpu_default(-1, &gpu);
    assert_string_equal(gpu.name, GPU_STANDARD);
    gpu_default(1000000, &gpu);
    assert_string_equal(gpu.name, GPU_STANDARD);
    gpu_default(0, &gpu);
    assert_true(gpu.name[0] && gpu.multiprocessors > 0 && gpu.warps > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_profiles_say_what_vendors_do),
        cmocka_unit_test(speeds_are_read_or_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(units_comments_and_cases_are_read),
        cmocka_unit_test(units_are_what_they_say),
        cmocka_unit_test(errors_have_their_position),
        cmocka_unit_test(descriptions_are_profiles),
        cmocka_unit_test(the_pace_is_measured_or_derived),
        cmocka_unit_test(derived_constants_follow_the_rules),
        cmocka_unit_test(damaged_profiles_are_read_or_refused),
        cmocka_unit_test(names_are_found_without_regard_to_case),
        cmocka_unit_test(unknown_names_are_told_with_those_there_are),
        cmocka_unit_test(devices_are_taken_for_what_they_say),
        cmocka_unit_test(there_is_always_a_gpu),
    };
    return cmocka_run_group_tests_name("gpu", tests, profiles_begin, files_end);
}
