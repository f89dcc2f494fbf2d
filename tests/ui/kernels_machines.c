/* The line of machines under the table of Kernels, for every width: a machine's words are whole or absent,
 * the cursor's machine is first, and none is drawn over another. */
#include <stdio.h>
#include <string.h>

#include "kernels/backend.h"
#include "support/kernels_screen.h"
#include "support/unit.h"
#include "ui/kernels/kernels.h"

enum { WIDE = 200, GAP = 3, X = 4 };

static const struct outcome outcomes[] = {{"csr-seq", 1, 1e-3, 1e-5}, {NULL, 0, 0, 0}};

/* The line from column X on, without blanks at its end. */
static void line_of(struct stage *stage, int wide, char out[WIDE + 1])
{
    struct surface *surface = &stage->surface;
    int length = 0;
    surface_clear(surface);
    kernels_draw_machines(screen_of(stage), surface, 2, X, wide);
    for (int k = 0; k < surface->high * surface->wide; k++) {
        const int y = k / surface->wide, x = k % surface->wide;
        if (y != 2 || x < X || x >= X + wide) assert_int_equal(surface->cells[k].character, ' ');
    }
    for (int x = 0; x < wide; x++) {
        out[x] = (char)surface->cells[2 * surface->wide + X + x].character;
        if (out[x] != ' ') length = x + 1;
    }
    out[length] = 0;
}

/* The words of these machines, in this order, as far as each fits whole. */
static void expect_line(struct stage *stage, const char *const *words, int count)
{
    for (int wide = 1; wide <= WIDE - X; wide++) {
        char shown[WIDE + 1], expected[WIDE + 1] = "";
        int used = 0;
        for (int k = 0; k < count; k++) {
            const int length = (int)strlen(words[k]);
            if (used + length > wide) continue;
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%*s%s",
                     used - (int)strlen(expected), "", words[k]);
            used += length + GAP;
        }
        line_of(stage, wide, shown);
        assert_string_equal(shown, expected);
    }
}

TEST(machines_are_whole_or_absent)
{
    static const struct device_type *type;
    type = device_types[0];
    if (!type) skip();
    for (int mask = 0; mask < 8; mask++) {
        FREED(stage_close) struct stage stage;
        stage_kernels(&stage, 24, WIDE);
        struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "here");
        struct machines *machines = &run->results.machines;
        const bool host = mask & 1, device = mask & 2, on_device = mask & 4;
        machines->host.read = host ? 12.5e9 : 0;
        machines->host.read_low = 12e9;
        machines->host.cache = (size_t)3 << 20;
        if (device) {
            machines->devices = 1;
            machines->device[0] = (struct machine){.type = type,
                                                   .name = "Some GPU",
                                                   .read = 4e12,
                                                   .read_low = 4e12,
                                                   .copy = 3.5e12,
                                                   .cache = 50 << 20};
        }
        stage_draw(&stage);
        stage_go_to(&stage, on_device ? "cuda/csr-scalar" : "cpu/csr-seq");
        const char *words[2];
        int count = 0;
        const char *const of_host = "memory read 12.5 GB/s, copy 8 GB/s by 2 threads, cache 3.00 MiB",
                          *const of_device = "Some GPU: read 4000 GB/s, copy 3500 GB/s, L2 50.0 MiB";
        if (device && on_device) words[count++] = of_device;
        if (host) words[count++] = of_host;
        if (device && !on_device) words[count++] = of_device;
        expect_line(&stage, words, count);
    }
}

/* A bandwidth that fell by more than a quarter is told, where there is room for it. */
TEST(a_fall_of_the_bandwidth_is_told)
{
    FREED(stage_close) struct stage stage;
    char shown[WIDE + 1];
    stage_kernels(&stage, 24, WIDE);
    struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "here");
    struct machine *host = &run->results.machines.host;
    stage_draw(&stage);
    host->read = 10e9;
    host->threads = 1;
    for (int low = 70; low <= 100; low++) {
        host->read_low = low * 1e8 + 1;
        line_of(&stage, WIDE - X, shown);
        const char *fell = strstr(shown, " by 1 thread, cache 1000 B; read fell to ");
        assert_int_equal(fell != NULL, low < 75);
        assert_int_equal(strstr(shown, "; read fell to ") != NULL, low < 75);
        if (fell) {
            char number[16];
            snprintf(number, sizeof number, "%.3g GB/s", low * 0.1);
            assert_non_null(strstr(fell, number));
        }
    }
    host->read_low = 5e9;
    for (int wide = 30; wide < WIDE - X; wide++) {
        line_of(&stage, wide, shown);
        const char *end = "something else ran";
        assert_true(!strstr(shown, ";") || strcmp(shown + strlen(shown) - strlen(end), end) == 0);
    }
}

/* Of several runs that of the highest number counts which measured the machine. */
TEST(the_newest_measurement_counts)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, WIDE);
    for (int k = 1; k <= 4; k++) {
        static const char *const kernels_of[] = {"csr-seq", "csr-omp", "coo-seq", "ell-omp"};
        const struct outcome one[] = {{kernels_of[k - 1], 1, 1e-3, 1e-5}, {NULL, 0, 0, 0}};
        struct run *run = stage_run(&stage, one, PRECISION_F64, "here");
        run->results.machines.host.read = k == 4 ? 0 : k * 1e9;
    }
    stage_draw(&stage);
    const struct machine *newest = kernels_newest_machine(screen_of(&stage), NULL);
    assert_non_null(newest);
    assert_true(newest->read == 3e9);
    if (device_types[0]) assert_null(kernels_newest_machine(screen_of(&stage), device_types[0]));
}

/* First the memory of the machine of the kernel under the cursor, then the other one if there is room. */
TEST(the_memory_that_kernels_are_held_against_is_told)
{
    static const struct outcome both[] = {
        {"cpu/csr-seq", 1, 2e-4, 1e-6}, {"cuda/csr-scalar", 0, 1e-5, 1e-7}, {0}};
    static const struct outcome later[] = {{"cpu/csr-omp", 2, 1e-4, 1e-6}, {0}};
    static const char gpu[] = "NVIDIA H200: read 4545 GB/s, copy 4270 GB/s, L2 60.0 MiB",
                      host[] = "memory read 10 GB/s, copy 8 GB/s by 2 threads, cache 1000 B";
    for (int wide = 80; wide <= 160; wide += 80) {
        FREED(stage_close) struct stage stage;
        stage_kernels(&stage, 60, wide);
        struct machines *machines = &stage_run(&stage, both, PRECISION_F64, "first")->results.machines;
        machines->devices = 1;
        machines->device[0] = (struct machine){.type = backend_cuda.devices,
                                               .name = "NVIDIA H200",
                                               .read = 4.5454e12,
                                               .copy = 4.27e12,
                                               .read_low = 4.5e12,
                                               .cache = 62914560};
        stage_run(&stage, later, PRECISION_F64, "second");
        stage_draw(&stage);
        stage_go_to(&stage, "cuda/csr-scalar");
        stage_shows(&stage, gpu);
        said_expect(stage_dump(&stage), wide != 80, (const char *const[]){host, NULL});
        stage_go_to(&stage, "cpu/csr-seq");
        stage_shows(&stage, host);
        said_expect(stage_dump(&stage), wide != 80, (const char *const[]){gpu, NULL});
        machines->device[0].read_low = 1.2e12;
        stage_go_to(&stage, "cuda/csr-scalar");
        if (wide == 160) stage_shows(&stage, "; read fell to 1200 GB/s: something else ran");
        assert_int_equal(stage.surface.cut, 0);
    }
}

/* The figures are those of the newer of two runs, whichever kernel is under the cursor. */
TEST(the_memory_is_that_of_the_newest_run)
{
    static const struct outcome older[] = {{"cpu/csr-seq", 1, 2e-4, 1e-6}, {0}};
    static const struct outcome newer[] = {{"cpu/csr-omp", 2, 1e-4, 1e-6}, {0}};
    for (int turned = 0; turned < 2; turned++) {
        FREED(stage_close) struct stage stage;
        stage_kernels(&stage, 60, 80);
        stage_run(&stage, turned ? newer : older, PRECISION_F64, "first");
        stage_run(&stage, turned ? older : newer, PRECISION_F64, "second")->results.machines.host.read = 3e10;
        stage_draw(&stage);
        stage_go_to(&stage, "cpu/csr-seq");
        stage_shows(&stage, "memory read 30 GB/s");
    }
}
