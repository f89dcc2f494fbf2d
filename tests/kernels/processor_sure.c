/* The reliability of a profile of processors: impossible numbers are not kept, and measurements beside other
 * work are noticed. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/load.h"
#include "base/placement.h"
#include "kernels/timing/processor_sure.h"
#include "support/cmocka.h"

#define BUSY 8 /* processes that compute for the whole time */

/* The assumed profile, as if it had been measured on a quiet machine. */
static struct processor sure_processor(void)
{
    struct processor processor;
    processor_assume(&processor);
    processor.assumed = false;
    processor.load = 0.02;
    processor.spread = 0.03;
    processor.measurements = 1;
    snprintf(processor.date, sizeof processor.date, "2026-11-27 12:00 UTC");
    return processor;
}

static void check_doubt(struct processor processor, const char *doubt)
{
    char out[PROCESSOR_WORDS];
    assert_string_equal(processor_doubt(&processor, out), doubt);
}

static void doubts_of_a_profile_are_reported(void **state)
{
    struct processor processor = sure_processor();
    char said[PROCESSOR_WORDS];
    processor.threads = 2;
    check_doubt(processor, "");
    assert_string_equal(processor_say(&processor, said),
                        "measured quickly 2026-11-27 12:00 UTC, 1 time; other programs kept 0.02 of 2 "
                        "processors busy; times repeat within 3%");
    processor.load = 1.6;
    check_doubt(processor, "other programs kept 1.6 of 2 processors busy");
    processor.load = NAN; /* the system tells no load: the spread of the times decides */
    check_doubt(processor, "");
    processor.spread = 0.31;
    check_doubt(processor, "its times repeat within 31% only");
    processor.spread = NAN;
    check_doubt(processor, "the repeatability of its times is unknown");
    processor.mended = 3;
    check_doubt(processor, "3 of its numbers were implausible and are assumed instead");
    processor_assume(&processor);
    check_doubt(processor, "nothing was measured");
    assert_string_equal(processor_say(&processor, said), "not measured: assumed from another processor");
}

/* A kept profile once contained each of these numbers, or one as impossible. Forecasts use none of them. */
static void impossible_numbers_are_replaced(void **state)
{
    const struct processor good = sure_processor();
    struct processor bad;
    char out[PROCESSOR_WORDS];
    assert_false(processor_implausible(&good, out));
    static const struct {
        size_t at;
        double value;
        const char *message;
    } cases[] = {
        {offsetof(struct processor, wake), 190.5e-6, "waking the threads came out as 190 us"},
        {offsetof(struct processor, wake), 1e-9, "waking the threads came out as"},
        {offsetof(struct processor, alone), 171e-6, "a region of one thread came out as 171 us"},
        {offsetof(struct processor, read[0][7]), 1e7,
         "reading 256 MiB with one thread came out as 0.01 GB/s"},
        {offsetof(struct processor, read[0][7]), 4e10, "reading 256 MiB with one thread came out as 40 GB/s"},
        {offsetof(struct processor, read[1][6]), 9e9, "reading 64 MiB with all threads came out as 9 GB/s"},
        {offsetof(struct processor, read[1][0]), 9e12, "reading 16 KiB with all threads"},
        {offsetof(struct processor, far[0][5]), 1e-5, "a load at random in 16 MiB with one thread"},
        {offsetof(struct processor, far[1][0]), 1e-11, "a load at random in 16 KiB with all threads"},
        {offsetof(struct processor, loop[0].row[3]), 1e-5, "a row of 8 slots of "},
        {offsetof(struct processor, loop[0].row[8]), 1e-10, "a row of 256 slots of "},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bad = good;
        double *number = (double *)(void *)((char *)&bad + cases[k].at);
        *number = cases[k].value;
        if (!processor_implausible(&bad, out)) fail_msg("case %zu is plausible", k);
        if (!strstr(out, cases[k].message)) fail_msg("case %zu: %s", k, out);
        processor_mend(&bad);
        assert_in_range(bad.mended, 1, 2);
        if (processor_implausible(&bad, out)) fail_msg("case %zu, mended: %s", k, out);
        assert_true(processor_doubt(&bad, out)[0] != 0);
    }
    bad = good;
    processor_mend(&bad);
    assert_memory_equal(&bad, &good, sizeof good);
}

static void the_best_of_two_measurements_counts(void **state)
{
    struct processor one = sure_processor(), two = one;
    one.load = 1.5;
    two.load = 0.7;
    one.wake = 2e-6;
    two.wake = 1e-6;
    one.read[0][6] *= 0.5;
    two.far[1][6] *= 0.5;
    one.store[3] *= 0.5;
    two.moved *= 0.5;
    one.whole[1][2] *= 0.5;
    for (int k = 0; k < one.loops; k++)
        two.loop[k].row[2] *= k % 2 ? 1.25 : 0.8;
    struct processor best = one;
    processor_merge(&best, &two);
    assert_true(best.wake == 1e-6 && best.load == 0.7 && best.measurements == 2);
    assert_true(best.read[0][6] == two.read[0][6] && best.far[1][6] == two.far[1][6]);
    assert_true(best.moved == two.moved && best.store[3] == one.store[3] &&
                best.whole[1][2] == one.whole[1][2]);
    for (int k = 0; k < best.loops; k++)
        assert_true(best.loop[k].row[2] == fmin(one.loop[k].row[2], two.loop[k].row[2]));
    assert_true(fabs(best.spread - 0.25) < 1e-9); /* a ninth of the rows differ, by 25% */
}

/* Of three numbers, 1, 2 and 10 times as large, the middle one counts; of two, their mean. */
static void the_median_of_sure_measurements_counts(void **state)
{
    static struct processor passes[3], typical;
    for (int k = 0; k < 3; k++) {
        const double times = k == 0 ? 2 : k == 1 ? 10 : 1;
        passes[k] = sure_processor();
        passes[k].wake *= times;
        passes[k].read[1][7] *= times;
        passes[k].moved *= times;
        passes[k].loop[3].row[5] *= times;
        passes[k].loop[3].uneven[1][2] = times;
        passes[k].loop[3].beyond[LEVEL_LARGE].scattered *= times;
    }
    processor_typical(passes, 3, &typical);
    assert_int_equal(typical.measurements, 3);
    assert_true(typical.wake == passes[0].wake && typical.read[1][7] == passes[0].read[1][7] &&
                typical.moved == passes[0].moved && typical.loop[3].row[5] == passes[0].loop[3].row[5] &&
                typical.loop[3].uneven[1][2] == 2 &&
                typical.loop[3].beyond[LEVEL_LARGE].scattered ==
                    passes[0].loop[3].beyond[LEVEL_LARGE].scattered &&
                typical.loop[4].row[5] == passes[0].loop[4].row[5]);
    processor_typical(passes, 2, &typical);
    assert_true(fabs(typical.wake / passes[2].wake - 6) < 1e-9);
}

static void a_complete_profile_hands_its_ratios_on(void **state)
{
    struct processor quick = sure_processor(), complete = quick;
    complete.complete = true;
    for (int k = 0; k < complete.loops; k++) {
        complete.loop[k].beyond[LEVEL_LARGE].stream[0] = 1.5;
        complete.loop[k].beyond[LEVEL_MIDDLE].scattered = 0.75;
        complete.loop[k].row[4] *= 2;
        complete.loop[k].uneven[1][2] = 5;
    }
    complete.whole[1][0] = complete.whole[1][2] = 7;
    const double row = quick.loop[0].row[4];
    processor_inherit(&quick, &complete);
    assert_true(quick.complete && quick.loop[0].row[4] == row);
    for (int k = 0; k < quick.loops; k++)
        assert_true(quick.loop[k].beyond[LEVEL_LARGE].stream[0] == 1.5 &&
                    quick.loop[k].beyond[LEVEL_MIDDLE].scattered == 0.75 && quick.loop[k].uneven[1][2] == 5);
    assert_true(quick.whole[1][0] != 7 &&
                quick.whole[1][2] == 7); /* small products are measured quickly, too */
}

static void a_faster_probe_disagrees(void **state)
{
    const struct processor processor = sure_processor();
    const struct loop_pace *loop = NULL;
    for (int k = 0; k < processor.loops; k++)
        if (strcmp(processor.loop[k].name, "csr-omp") == 0 && processor.loop[k].precision == PRECISION_F64)
            loop = &processor.loop[k];
    assert_non_null(loop);
    struct processor_probe probe = {.row = {loop_row(loop, 8), loop_row(loop, 32)},
                                    .read = processor_read(&processor, 1, 65536)};
    assert_false(processor_disagrees(&processor, &probe));
    probe.row[0] /= 1.2;
    probe.read *= 1.2;
    assert_false(processor_disagrees(&processor, &probe));
    probe.row[0] *= 5; /* now the machine is busy, not the profile wrong */
    assert_false(processor_disagrees(&processor, &probe));
    probe.row[1] /= 1.4;
    assert_true(processor_disagrees(&processor, &probe));
    probe.row[1] *= 1.4;
    probe.read *= 1.2;
    assert_true(processor_disagrees(&processor, &probe));
    probe = processor_probe();
    assert_true(probe.row[0] > 0 && probe.row[1] > probe.row[0] && probe.read > 0);
}

static void a_sure_profile_is_not_replaced_by_another(void **state)
{
    struct processor sure = sure_processor(), busy = sure, none = {.there = false};
    busy.load = 1.9;
    busy.threads = sure.threads = 2;
    assert_true(processor_is_surer(&sure, &busy));
    assert_false(processor_is_surer(&busy, &sure));
    assert_false(processor_is_surer(&busy, &busy));
    assert_false(processor_is_surer(&none, &busy));
    busy.complete = true; /* the complete one holds more numbers */
    assert_false(processor_is_surer(&sure, &busy));
}

/* Processes that compute on all processors and more. */
static void keep_busy(pid_t *children, int count)
{
    for (int k = 0; k < count; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] > 0) continue;
        alarm(30);
        for (volatile double sink = 0; sink >= 0;)
            sink += 1;
    }
}

static void let_go(const pid_t *children, int count)
{
    for (int k = 0; k < count; k++) {
        kill(children[k], SIGKILL);
        waitpid(children[k], NULL, 0);
    }
}

/* A profile once had "waking the threads: 190 us", so that the advice was CSR on one thread. Measurements
 * beside other work are marked as such, and contain no number that is impossible for a processor. */
static void a_busy_machine_is_noticed(void **state)
{
    struct processor processor;
    struct load_watch watch;
    pid_t children[BUSY];
    char out[PROCESSOR_WORDS];
    load_begin(&watch);
    if (isnan(watch.busy) || placement_threads() > BUSY) skip();
    keep_busy(children, BUSY);
    enum status status = processor_measure(&processor, false, 0, NULL, NULL);
    let_go(children, BUSY);
    assert_int_equal(status, STATUS_OK);
    assert_true(processor.load > 0);
    assert_true(processor_doubt(&processor, out)[0] != 0);
    processor_mend(&processor);
    if (processor_implausible(&processor, out)) fail_msg("%s", out);
    assert_true(processor.wake < 50e-6 + 2e-6 * processor.threads);
}

/* The folder of the kept profiles, which is empty. */
static void begin_folder(char folder[64])
{
    snprintf(folder, 64, "/tmp/sparsight-sure-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    assert_int_equal(unsetenv("SPARSIGHT_PROCESSOR"), 0);
    processor_forget();
}

static void end_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    processor_forget();
}

static void missing_profiles_are_assumed_or_measured_and_kept(void **state)
{
    struct processor processor, kept;
    char folder[64];
    begin_folder(folder);
    assert_int_equal(processor_here(&processor, PROCESSOR_KEPT, 0, NULL, NULL), STATUS_OK);
    assert_true(processor.there && processor.assumed);
    assert_false(processor_find(&kept)); /* an assumed profile is not kept */
    assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
    assert_true(processor.there && !processor.assumed && processor.measurements == 1);
    assert_true(processor_find(&kept));
    assert_int_equal(kept.measurements, 1);
    processor.wake = 1.5e-6; /* the process reads the kept profile only once, so that it keeps this number */
    assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
    assert_true(processor.wake != 1.5e-6);
    end_folder(folder);
}

/* Set the time of the last change of a file back. */
static void grow_old(const char *path, double seconds)
{
    const time_t then = time(NULL) - (time_t)seconds;
    struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A kept profile in doubt is measured again, and so is one whose times are slower than a short probe of the
 * processor. */
static void a_profile_in_doubt_is_measured_again(void **state)
{
    struct processor slow = sure_processor(), processor;
    struct text path = {0};
    char folder[64];
    for (int doubtful = 0; doubtful < 2; doubtful++) {
        begin_folder(folder);
        processor_identify(&slow);
        for (int k = 0; k < slow.loops; k++)
            for (int l = 0; l < PROCESSOR_LENGTHS; l++)
                slow.loop[k].row[l] = 1e-3 * (l + 1);
        slow.load = doubtful ? 1.9 : 0.01;
        if (doubtful) slow.threads = 2;
        processor_identify(&slow);
        assert_int_equal(processor_learn(&slow, &path, NULL), STATUS_OK);
        processor_forget();
        assert_int_equal(processor_here(&processor, PROCESSOR_KEPT, 0, NULL, NULL), STATUS_OK);
        assert_true(processor.loop[0].row[0] == 1e-3); /* the kept profile, and at once */
        assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
        assert_true(processor.loop[0].row[0] == 1e-3); /* it was written just now */
        processor_forget();
        grow_old(path.data, (doubtful ? PROCESSOR_DOUBTED : PROCESSOR_AGAIN) + 5);
        assert_true(processor_age(&slow) >= PROCESSOR_DOUBTED);
        assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
        assert_true(processor.loop[0].row[0] < 1e-5);
        assert_true(processor_age(&slow) < PROCESSOR_AGAIN); /* and written */
        text_free(&path);
        end_folder(folder);
    }
}

static void the_environment_names_a_profile(void **state)
{
    struct processor processor, named = sure_processor();
    struct text text = {0};
    struct error error = {0};
    char folder[64], path[128];
    begin_folder(folder);
    snprintf(path, sizeof path, "%s/named", folder);
    named.wake = 7e-6;
    named.threads = 3;
    processor_describe(&named, &text);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.length, file), text.length);
    fclose(file);
    assert_int_equal(setenv("SPARSIGHT_PROCESSOR", path, 1), 0);
    assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
    assert_true(processor.wake == 7e-6 && processor.threads == 3);
    processor_forget();
    assert_int_equal(setenv("SPARSIGHT_PROCESSOR", "assumed", 1), 0);
    assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, NULL), STATUS_OK);
    assert_true(processor.assumed);
    processor_forget();
    assert_int_equal(setenv("SPARSIGHT_PROCESSOR", "/dev/null/none", 1), 0);
    assert_int_equal(processor_here(&processor, PROCESSOR_PROBED, 0, NULL, &error), STATUS_IO);
    assert_string_equal(error.path, "/dev/null/none");
    text_free(&text);
    unsetenv("SPARSIGHT_PROCESSOR");
    end_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubts_of_a_profile_are_reported),
        cmocka_unit_test(impossible_numbers_are_replaced),
        cmocka_unit_test(the_best_of_two_measurements_counts),
        cmocka_unit_test(the_median_of_sure_measurements_counts),
        cmocka_unit_test(a_complete_profile_hands_its_ratios_on),
        cmocka_unit_test(a_faster_probe_disagrees),
        cmocka_unit_test(a_sure_profile_is_not_replaced_by_another),
        cmocka_unit_test(a_busy_machine_is_noticed),
        cmocka_unit_test(missing_profiles_are_assumed_or_measured_and_kept),
        cmocka_unit_test(a_profile_in_doubt_is_measured_again),
        cmocka_unit_test(the_environment_names_a_profile),
    };
    return cmocka_run_group_tests_name("processor_sure", tests, NULL, NULL);
}
