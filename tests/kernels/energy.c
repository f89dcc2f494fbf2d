/* The energy of products: the arithmetic by hand, and measuring with a meter and a clock that are numbers. */
#include <math.h>
#include <string.h>

#include "kernels/energy/measure.h"
#include "support/unit.h"

#define assert_near(value, expected, most)                                                   \
    do {                                                                                     \
        if (!(fabs((value) - (expected)) <= (most))) fail_msg("%s is %.12g", #value, value); \
    } while (0)

/* A machine whose clock advances when it is read or waited for. At each tick its counter shows the joules so
 * far. */
struct world {
    double now, watts, joules, shown, tick, last_tick;
    double decay; /* seconds in which the power above 100 W falls to 1/e; 0: constant */
    int reads, fails_at;
    int64_t products, longest_batch, runs;
    struct progress *progress; /* cancelled after this number of reads */
    int cancel_at;
};
static struct world world;

static void pass(double seconds)
{
    while (seconds > 0) {
        double next = world.last_tick + world.tick - world.now, part = fmin(seconds, next);
        world.joules += world.watts * part;
        if (world.decay > 0) world.watts = 100 + (world.watts - 100) * exp(-part / world.decay);
        world.now += part;
        seconds -= part;
        if (part < next) break;
        world.shown = world.joules;
        world.last_tick = world.now;
    }
}

static double now(void *state)
{
    return ((struct world *)state)->now;
}

static void rest(void *state, double seconds)
{
    pass(seconds);
}

static const struct energy_clock world_clock = {.now = now, .rest = rest, .state = &world};

static enum status open_never(struct energy_meter *meter, const char *address, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "never");
}

static enum status read_world(struct energy_meter *meter, double *joules, double *seconds,
                              struct error *error)
{
    world.reads++;
    if (world.reads == world.cancel_at) progress_cancel(world.progress);
    if (world.reads == world.fails_at) return error_set(error, STATUS_UNAVAILABLE, "the counter is gone");
    *joules = world.shown;
    *seconds = world.now;
    return STATUS_OK;
}

static int three(struct energy_meter *meter)
{
    return 3;
}

static const struct energy_source counter = {
    .name = "world", .open = open_never, .read = read_world, .processes = three};
static const struct energy_source averaged = {
    .name = "averaged", .tick = 1, .open = open_never, .read = read_world};

/* A machine at 100 W that has been on for a while. */
static struct energy_meter start(const struct energy_source *source, double tick)
{
    world = (struct world){.watts = 100, .tick = tick};
    pass(0.37);
    return (struct energy_meter){.source = source, .clock = &world_clock, .name = "a world"};
}

/* Products of 1 ms at 300 W. */
static enum status run(void *state, int products, struct error *error)
{
    world.watts = 300;
    pass(1e-3 * products);
    world.watts = 100;
    world.products += products;
    world.runs++;
    if (products > world.longest_batch) world.longest_batch = products;
    return STATUS_OK;
}

static const struct energy_work work = {.run = run, .seconds = 1e-3, .limit = 10};

TEST(a_sum_is_that_by_hand)
{
    struct energy energy;
    energy_clear(&energy, true);
    assert_true(energy.asked && isnan(energy.net) && energy.products == 0 && !energy.meter[0]);
    energy.idle = 20;
    energy.idle_spread = 0.5;
    energy.tick = 0.1;
    energy_sum(&energy, 120, 4, 1000);
    assert_near(energy.watts, 30, 1e-12);
    assert_near(energy.gross, 0.120, 1e-12);
    assert_near(energy.net, 0.040, 1e-12);            /* (120 - 80) / 1000 */
    assert_near(energy.error, 3.605551275e-3, 1e-11); /* sqrt(3^2 + 2^2) / 1000 */
    assert_near(energy.seconds, 4, 0);
    assert_int_equal(energy.products, 1000);
    energy.idle = 31;
    energy_sum(&energy, 120, 4, 1000);
    assert_near(energy.net, -0.004, 1e-12);
}

TEST(the_tick_and_the_step_are_those_of_the_counter)
{
    static const double ticks[] = {1e-3, 0.02, 0.1, 0.7};
    for (int k = 0; k < 4; k++) {
        struct energy_meter meter = start(&counter, ticks[k]);
        assert_int_equal(energy_resolve(&meter, NULL, NULL), STATUS_OK);
        assert_near(meter.tick, ticks[k], 1e-5);
        assert_near(meter.step, 100 * ticks[k], 1e-6);
        assert_true(world.now < 0.37 + 3.6); /* two seconds, and the changes around them */
    }
}

TEST(a_source_that_averages_tells_its_tick)
{
    struct energy_meter meter = start(&averaged, 0.01);
    assert_int_equal(energy_resolve(&meter, NULL, NULL), STATUS_OK);
    assert_near(meter.tick, 1, 0);
    assert_true(isnan(meter.step));
    assert_int_equal(world.reads, 0);
}

TEST(a_counter_that_stands_still_is_refused)
{
    struct energy_meter meter = start(&counter, 1e9);
    struct error error = {0};
    assert_int_equal(energy_resolve(&meter, NULL, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "a world: the counter does not change within 2 s");
    assert_near(world.now, 0.37 + 2, 1e-4);
}

TEST(idle_power_is_exact_although_the_counter_is_coarse)
{
    static const double ticks[] = {1e-3, 0.13, 0.7};
    for (int k = 0; k < 3; k++) {
        struct energy_meter meter = start(&counter, ticks[k]);
        assert_int_equal(energy_resolve(&meter, NULL, NULL), STATUS_OK);
        double begun = world.now;
        assert_int_equal(energy_idle(&meter, NULL, NULL), STATUS_OK);
        assert_near(meter.idle, 100, 0.01);
        assert_near(meter.idle_spread, 0, 0.01);
        assert_true(world.now - begun < 4 * fmax(0.5, ticks[k]) + 6 * ticks[k]);
    }
}

TEST(idle_power_waits_until_the_power_has_fallen)
{
    struct energy_meter meter = start(&counter, 0.02);
    meter.tick = 0.02;
    world.watts = 200;
    world.decay = 0.6;
    assert_int_equal(energy_idle(&meter, NULL, NULL), STATUS_OK);
    /* four windows of half a second within 2%: the first of them lies at most 2 W above the last */
    assert_in_range(1000 * meter.idle, 100000, 102000);
    assert_in_range(1000 * meter.idle_spread, 0, 1020);
    assert_true(world.now > 0.37 + 3); /* 200 W has fallen to 102 W after 2.3 s */
}

TEST(idle_power_that_never_settles_has_its_spread)
{
    struct energy_meter meter = start(&counter, 0.02);
    meter.tick = 0.02;
    world.watts = 1100;
    world.decay = 4;
    assert_int_equal(energy_idle(&meter, NULL, NULL), STATUS_OK);
    assert_in_range((int)(10 * (world.now - 0.37)), 60, 63); /* twelve windows */
    assert_true(meter.idle_spread > 0.01 * meter.idle);
}

TEST(a_kernel_runs_until_a_tick_is_two_percent)
{
    struct energy_meter meter = start(&counter, 0.1);
    struct energy energy;
    energy_clear(&energy, true);
    assert_int_equal(energy_resolve(&meter, NULL, NULL), STATUS_OK);
    assert_int_equal(energy_idle(&meter, NULL, NULL), STATUS_OK);
    assert_int_equal(energy_measure(&meter, &work, NULL, &energy, NULL), STATUS_OK);
    assert_string_equal(energy.meter, "a world");
    assert_int_equal(energy.processes, 3);
    assert_in_range((int)(1000 * energy.seconds), 4990, 5110); /* 50 ticks, and a batch of 0.1 s */
    assert_int_equal(energy.products, (int)(1000 * energy.seconds + 0.5));
    assert_int_equal(world.longest_batch, 100);
    assert_in_range(world.products - energy.products, 300, 400); /* 0.3 s before the window */
    assert_near(energy.watts, 300, 300 * 0.1 / 4.99);
    assert_near(energy.gross, 0.3, 0.3 * 0.1 / 4.99); /* 300 W x 1 ms */
    assert_true(fabs(energy.net - 0.2) <= energy.error);
    assert_near(energy.error, energy.watts * 0.1 / (double)energy.products, 1e-6);
}

TEST(a_fine_counter_needs_half_a_second)
{
    struct energy_meter meter = start(&counter, 1e-3);
    struct energy energy;
    energy_clear(&energy, true);
    meter.tick = 1e-3;
    meter.idle = 100;
    meter.idle_spread = 4;
    assert_int_equal(energy_measure(&meter, &work, NULL, &energy, NULL), STATUS_OK);
    assert_in_range((int)(1000 * energy.seconds), 499, 601);
    assert_near(energy.net, 0.2, 1e-3);
    /* 0.3 J within a tick, and 4 W times the window */
    assert_near(energy.error * (double)energy.products, hypot(0.3, 4 * energy.seconds), 1e-2);
}

TEST(the_limit_ends_a_window_and_the_error_says_so)
{
    struct energy_meter meter = start(&counter, 0.1);
    struct energy_work brief = work;
    struct energy energy;
    energy_clear(&energy, true);
    brief.limit = 1;
    meter.tick = 0.1;
    meter.idle = 100;
    meter.idle_spread = 0;
    double begun = world.now;
    assert_int_equal(energy_measure(&meter, &brief, NULL, &energy, NULL), STATUS_OK);
    assert_in_range((int)(1000 * (world.now - begun)), 999, 1101);
    assert_in_range((int)(1000 * energy.seconds), 690, 801); /* a quarter is before, in whole batches */
    assert_true(energy.error > 0.1 * energy.gross);
    assert_true(fabs(energy.net - 0.2) <= energy.error);
}

TEST(a_slow_product_is_a_window)
{
    struct energy_meter meter = start(&counter, 1e-3);
    struct energy_work slow = work;
    struct energy energy;
    energy_clear(&energy, true);
    slow.seconds = 30;
    slow.limit = 1;
    meter.tick = 1e-3;
    assert_int_equal(energy_measure(&meter, &slow, NULL, &energy, NULL), STATUS_OK);
    assert_true(energy.products >= 1 && world.longest_batch == 1);
}

/* Products take ten times as long as stated, as if other programs disturbed them. */
TEST(batches_are_as_long_as_they_should_be)
{
    struct energy_meter meter = start(&counter, 1e-3);
    struct energy_work slower = work;
    struct energy energy;
    energy_clear(&energy, true);
    slower.seconds = 1e-4;
    meter.tick = 1e-3;
    assert_int_equal(energy_measure(&meter, &slower, NULL, &energy, NULL), STATUS_OK);
    assert_int_equal(world.longest_batch, 1000);
    assert_in_range(energy.products, 500, 600); /* one of 1 s before the window, then of 0.1 s */
    assert_in_range(world.runs, 6, 7);
}

static enum status fail_to_run(void *state, int products, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "an illegal address was met");
}

TEST(failures_are_told)
{
    for (int fails_at = 1; fails_at < 40; fails_at += 6) {
        struct energy_meter meter = start(&counter, 0.1);
        struct energy energy;
        struct error error = {0};
        energy_clear(&energy, true);
        world.fails_at = fails_at;
        assert_int_equal(energy_resolve(&meter, NULL, &error), STATUS_UNAVAILABLE);
        assert_string_equal(error.message, "the counter is gone");
        world.fails_at = world.reads + 1;
        assert_int_equal(energy_idle(&meter, NULL, NULL), STATUS_UNAVAILABLE);
        meter.tick = 0.1;
        world.fails_at = world.reads + 1 + fails_at % 9;
        assert_int_equal(energy_measure(&meter, &work, NULL, &energy, NULL), STATUS_UNAVAILABLE);
        assert_true(isnan(energy.net) && energy.products == 0);
    }
    struct energy_meter meter = start(&counter, 0.1);
    struct energy_work broken = work;
    struct energy energy;
    struct error error = {0};
    energy_clear(&energy, true);
    broken.run = fail_to_run;
    meter.tick = 0.1;
    assert_int_equal(energy_measure(&meter, &broken, NULL, &energy, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "an illegal address was met");
}

TEST(all_of_it_can_be_cancelled)
{
    for (int what = 0; what < 3; what++) {
        struct energy_meter meter = start(&counter, 0.1);
        struct progress progress = {0};
        struct energy energy;
        energy_clear(&energy, true);
        meter.tick = 0.1;
        world.progress = &progress;
        world.cancel_at = 3;
        enum status status = what == 0   ? energy_resolve(&meter, &progress, NULL)
                             : what == 1 ? energy_idle(&meter, &progress, NULL)
                                         : energy_measure(&meter, &work, &progress, &energy, NULL);
        assert_int_equal(status, STATUS_CANCELLED);
        assert_true(world.reads < 10);
    }
}
