/* The times of processors are measured, written, read back and kept; and interpolated between measured
 * numbers. */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/topology.h"
#include "formats/bsr.h"
#include "formats/cmrs.h"
#include "formats/csr.h"
#include "kernels/timing/processor.h"
#include "kernels/timing/processor_parts.h"
#include "support/cmocka.h"
#include "support/kernels.h"

static void check_close(double found, double expected, double apart)
{
    if (!(fabs(found - expected) <= apart)) fail_msg("%.9g is not %.9g", found, expected);
}

/* A row of n slots takes 10 + n seconds up to 64, and each slot 2 more beyond. */
static struct loop_pace made_loop(const char *name, enum precision precision)
{
    struct loop_pace loop = {.precision = precision,
                             .uneven = {{3, 5, 17}, {30, 50, 170}},
                             .beyond = {[LEVEL_MIDDLE] = {{4, 16}, 0.25}, [LEVEL_LARGE] = {{1, 2}, 0.5}}};
    snprintf(loop.name, sizeof loop.name, "%s", name);
    for (int k = 0; k < PROCESSOR_LENGTHS; k++)
        loop.row[k] = 10 + processor_length[k];
    loop.row[PROCESSOR_LENGTHS - 1] = 74 + 2 * (256 - 64);
    return loop;
}

/* The bandwidth of reading is 800 bytes/s for 16 KiB, 700 for four times as much, and so on. Loads take 1 s,
 * 2 s, ... All four threads together read twice as fast, and wait three times as long for loads beyond the
 * first size. */
static struct processor made_processor(void)
{
    struct processor processor = {.there = true,
                                  .complete = true,
                                  .threads = 4,
                                  .load = 0.5,
                                  .spread = 0.25,
                                  .measurements = 3,
                                  .mended = 2,
                                  .wake = 0.25,
                                  .alone = 0.125};
    snprintf(processor.title, sizeof processor.title, "Made (R) 1");
    snprintf(processor.isa, sizeof processor.isa, "none");
    snprintf(processor.date, sizeof processor.date, "2026-01-31");
    for (int k = 0; k < PROCESSOR_SIZES; k++) {
        processor.read[0][k] = 800 - 100 * k;
        processor.read[1][k] = 2 * processor.read[0][k];
        processor.far[0][k] = 1 + k;
        processor.far[1][k] = 1 + 3 * k;
        processor.store[k] = 6 * (k + 1);
    }
    processor.moved = 0.75;
    for (int k = 0; k < PROCESSOR_WHOLES; k++) {
        processor.whole[0][k] = k == 0 ? 1.25 : 1 + k;
        processor.whole[1][k] = k == 0 ? 1.5 : 2 * k;
    }
    processor.loop[processor.loops++] = made_loop("csr-omp", PRECISION_F64);
    processor.loop[processor.loops++] = made_loop("csr-omp", PRECISION_F32);
    processor.loop[processor.loops++] = made_loop("bsr-omp:size=2", PRECISION_F64);
    processor.loop[processor.loops++] = made_loop("bsr-omp:size=8", PRECISION_F64);
    processor.loop[processor.loops++] = made_loop("cmrs-omp", PRECISION_F64);
    processor.loop[processor.loops++] = made_loop("cmrs-omp:packed=1", PRECISION_F64);
    return processor;
}

static void rows_lie_between_those_that_were_timed(void **state)
{
    const struct loop_pace loop = made_loop("csr-omp", PRECISION_F64);
    for (int slots = 1; slots <= 64; slots++)
        check_close(loop_row(&loop, slots), 10 + slots, 1e-12);
    check_close(loop_row(&loop, 96), 74 + 2 * 32, 1e-9);
    check_close(loop_row(&loop, 1064), 74 + 2 * 1000, 1e-9); /* beyond the longest */
    check_close(loop_row(&loop, 0), 10, 1e-12);
    struct loop_pace steep = loop;
    steep.row[1] = 30; /* an empty row must not take negative time */
    check_close(loop_row(&steep, 0), 11 / 2.0, 1e-12);
    check_close(loop_uneven(&loop, 1, 0), 3, 1e-12);
    /* rows of 0 to 8 entries, 4 in the mean, differ by 8 / 3 on average */
    check_close(loop_uneven(&loop, 8 / 3.0, 8192), 3, 1e-9);
    check_close(loop_uneven(&loop, 4, 8192), 4, 1e-9);         /* halfway from 4 to 8 */
    check_close(loop_uneven(&loop, 40 / 3.0, 8192), 11, 1e-9); /* halfway from 8 to 32 */
    check_close(loop_uneven(&loop, 1000, 100), 17, 1e-12);
    check_close(loop_uneven(&loop, 16 / 3.0, 131072), 50,
                1e-9); /* the ends of this number of rows are not learned, */
    check_close(loop_uneven(&loop, 40 / 3.0, 1e9), 110, 1e-9);
    check_close(loop_uneven(&loop, 16 / 3.0, 32768), 27.5,
                1e-9); /* half of that: 2^15 is between 2^13 and 2^17 */
}

static void factors_of_large_products_go_by_the_logarithm(void **state)
{
    const struct loop_pace loop = made_loop("csr-omp", PRECISION_F64);
    check_close(loop_stream(&loop, 1, 1e9), 1, 1e-12);
    check_close(loop_stream(&loop, 2, 1e9), 2, 1e-12);
    check_close(loop_stream(&loop, 2, 1048576), 1, 1e-12); /* a core's cache has them */
    check_close(loop_stream(&loop, 1, 6291456), 4, 1e-9);  /* the matrix of 524,288 entries */
    check_close(loop_stream(&loop, 2, 6291456), 16, 1e-9);
    check_close(loop_stream(&loop, 2, sqrt(1048576.0 * 6291456.0)), 4,
                1e-9); /* halfway between the logarithms */
    check_close(loop_stream(&loop, 1, sqrt(6291456.0 * 73400320.0)), 2, 1e-9);
    check_close(loop_scattered(&loop, 6291456), 0.25, 1e-9);
    check_close(loop_scattered(&loop, INFINITY), 0.5, 1e-12);
    check_close(loop_scattered(&loop, 1), 1, 1e-12);
    const struct processor processor = made_processor();
    check_close(processor_whole(&processor, 1, 1), 1.25, 1e-12);
    check_close(processor_whole(&processor, 4, 1), 1.5, 1e-12);
    check_close(processor_whole(&processor, 1, 12 * 524288.0), 2, 1e-12);
    check_close(processor_whole(&processor, 1, 12 * 131072.0), 1.625, 1e-12); /* two of four doublings */
    check_close(processor_whole(&processor, 1, 12 * sqrt(524288.0 * 6e6)), 2.5, 1e-9);
    check_close(processor_whole(&processor, 4, INFINITY), 4, 1e-12);
}

static void memory_lies_between_the_sizes_that_were_read(void **state)
{
    const struct processor processor = made_processor();
    check_close(processor_read(&processor, 1, 0), 800, 1e-9);
    check_close(processor_read(&processor, 1, 16384), 800, 1e-9);
    check_close(processor_read(&processor, 1, 65536), 700, 1e-9);
    check_close(processor_read(&processor, 1, 32768), 750, 1e-9); /* halfway in powers */
    check_close(processor_read(&processor, 1, 1e18), 100, 1e-9);
    check_close(processor_read(&processor, 1, INFINITY), 100, 1e-9);
    check_close(processor_read(&processor, 4, 65536), 1400, 1e-9);
    check_close(processor_read(&processor, 2, 65536), 1400, 1e-9);
    struct processor fast = processor;
    fast.read[1][1] = 5000; /* two threads reach at most twice the bandwidth of one */
    check_close(processor_read(&fast, 2, 65536), 1400, 1e-9);
    check_close(processor_far(&processor, 1, 1000), 0, 1e-12); /* the first size costs nothing */
    check_close(processor_far(&processor, 1, 65536), 1, 1e-12);
    check_close(processor_far(&processor, 4, 65536), 3, 1e-12);
    check_close(processor_far(&processor, 2, 65536), 1 + 2 / 3.0, 1e-12); /* one of three further threads */
    check_close(processor_far(&processor, 1, INFINITY), PROCESSOR_SIZES - 1, 1e-12);
    check_close(processor_store(&processor, 1, 65536), 0, 0); /* one thread alone waits for nobody */
    check_close(processor_store(&processor, 4, 65536), 12, 1e-12);
    check_close(processor_store(&processor, 2, 65536), 4, 1e-12); /* with one of three others */
    check_close(processor_wake(&processor, 1), 0.125, 0);
    check_close(processor_wake(&processor, 3), 0.25, 0);
}

static const char *loop_for(const struct processor *processor, const struct kernel *kernel,
                            const struct format *format, const char *parameters, enum precision precision)
{
    struct format_choice choice;
    assert_int_equal(format_choice_read(format, parameters, precision, &choice, NULL), STATUS_OK);
    const struct loop_pace *loop = processor_loop(processor, kernel, &choice);
    return loop ? loop->name : "none";
}

static void the_nearest_parameters_count(void **state)
{
    const struct processor processor = made_processor();
    const struct loop_pace *single = NULL;
    struct format_choice choice = format_choice_default(&format_csr, PRECISION_F32);
    single = processor_loop(&processor, &kernel_cpu_csr_omp, &choice);
    assert_ptr_equal(single, &processor.loop[1]);
    assert_string_equal(loop_for(&processor, &kernel_cpu_csr_seq, &format_csr, "", PRECISION_F64), "none");
    assert_string_equal(loop_for(&processor, &kernel_cpu_bsr_omp, &format_bsr, "size=3", PRECISION_F64),
                        "bsr-omp:size=2");
    assert_string_equal(loop_for(&processor, &kernel_cpu_bsr_omp, &format_bsr, "size=6", PRECISION_F64),
                        "bsr-omp:size=8");
    assert_string_equal(loop_for(&processor, &kernel_cpu_bsr_omp, &format_bsr, "size=6", PRECISION_F32),
                        "none");
    assert_string_equal(
        loop_for(&processor, &kernel_cpu_cmrs_omp, &format_cmrs, "height=4,packed=1", PRECISION_F64),
        "cmrs-omp:packed=1");
    assert_string_equal(loop_for(&processor, &kernel_cpu_cmrs_omp, &format_cmrs, "height=4", PRECISION_F64),
                        "cmrs-omp");
}

static void a_profile_reads_back_as_it_was_written(void **state)
{
    const struct processor processor = made_processor();
    struct processor read;
    struct text text = {0}, again = {0};
    processor_describe(&processor, &text);
    assert_int_equal(processor_read_profile(text.data, text.length, "made", &read, NULL), STATUS_OK);
    assert_true(read.there && read.complete);
    assert_string_equal(read.title, "Made (R) 1");
    assert_string_equal(read.date, "2026-01-31");
    assert_int_equal(read.threads, 4);
    assert_int_equal(read.loops, processor.loops);
    assert_true(read.wake == 0.25 && read.alone == 0.125);
    assert_true(read.load == 0.5 && read.spread == 0.25 && read.measurements == 3 && read.mended == 2);
    assert_memory_equal(read.read, processor.read, sizeof read.read);
    assert_memory_equal(read.far, processor.far, sizeof read.far);
    assert_memory_equal(read.store, processor.store, sizeof read.store);
    assert_true(read.moved == 0.75 && read.derived == 0);
    assert_memory_equal(read.whole, processor.whole, sizeof read.whole);
    for (int k = 0; k < read.loops; k++) {
        assert_string_equal(read.loop[k].name, processor.loop[k].name);
        assert_int_equal(read.loop[k].precision, processor.loop[k].precision);
        assert_memory_equal(read.loop[k].row, processor.loop[k].row, sizeof read.loop[k].row);
        assert_memory_equal(read.loop[k].uneven, processor.loop[k].uneven, sizeof read.loop[k].uneven);
        assert_memory_equal(read.loop[k].beyond, processor.loop[k].beyond, sizeof read.loop[k].beyond);
    }
    processor_describe(&read, &again);
    assert_string_equal(again.data, text.data);
    text_free(&text);
    text_free(&again);
}

/* Until 2026-11-28 profiles had neither the time of moved lines nor the middle level: the 18 numbers of a
 * loop ended with three for large matrices. Half a random store, and the numbers of large matrices, replace
 * them. The profile says so, also when it is written again. */
static void an_older_profile_is_completed(void **state)
{
    const struct processor processor = made_processor();
    struct processor read, again;
    struct text text = {0}, old = {0}, written = {0};
    processor_describe(&processor, &text);
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "moved", 5) == 0) continue;
        for (int k = 0; k < 3 && (strncmp(line, "f64 ", 4) == 0 || strncmp(line, "f32 ", 4) == 0); k++)
            *strrchr(line, ' ') = 0;
        text_append(&old, "%s\n", line);
    }
    assert_int_equal(processor_read_profile(old.data, old.length, "old", &read, NULL), STATUS_OK);
    assert_true(read.moved == processor.store[3] / 2);
    assert_int_equal(read.derived, 1 + 3 * read.loops);
    for (int k = 0; k < read.loops; k++)
        for (int level = 0; level < PROCESSOR_LEVELS; level++)
            assert_memory_equal(&read.loop[k].beyond[level], &processor.loop[k].beyond[LEVEL_LARGE],
                                sizeof read.loop[k].beyond[level]);
    processor_describe(&read, &written);
    assert_int_equal(processor_read_profile(written.data, written.length, "new", &again, NULL), STATUS_OK);
    assert_int_equal(again.derived, read.derived);
    text_free(&text);
    text_free(&old);
    text_free(&written);
}

/* Replace the first `old` of the profile by `new`, and read that. */
static void check_fault(const char *old, const char *new, int64_t line, const char *message)
{
    const struct processor processor = made_processor();
    struct processor read;
    struct text text = {0}, changed = {0};
    struct error error = {0};
    processor_describe(&processor, &text);
    const char *at = strstr(text.data, old);
    assert_non_null(at);
    text_append_bytes(&changed, text.data, (size_t)(at - text.data));
    text_append(&changed, "%s%s", new, at + strlen(old));
    assert_int_equal(processor_read_profile(changed.data, changed.length, "made", &read, &error),
                     STATUS_INPUT);
    if (!strstr(error.message, message)) fail_msg("%s", error.message);
    assert_string_equal(error.path, "made");
    if (line) assert_int_equal(error.line, line);
    assert_false(read.there);
    text_free(&text);
    text_free(&changed);
}

static void errors_of_profiles_have_messages(void **state)
{
    check_fault("isa = none", "ida = none", 4, "ida: a processor has no such key");
    check_fault("threads = 4", "threads = four", 5, "threads: a number is missing");
    check_fault("threads = 4\n", "", 0, "threads: is not there");
    check_fault("threads = 4", "threads 4", 5, "no 'key = value'");
    check_fault("wake = 0.25", "wake = -0.25", 12, "wake: a number is missing");
    check_fault("wake = 0.25", "wake = 0.25 1", 12, "wake: there are too many numbers");
    check_fault("mended = 2", "mended = two", 11, "mended: a number is missing");
    check_fault("wake = 0.25", "wake = inf", 12, "wake: a number is missing");
    check_fault("store = 6 ", "store = ", 0, "store: a number is missing");
    check_fault("whole all = 1.5 2 4\n", "", 0, "whole all: is not there");
    check_fault("whole one = 1.25", "whole one = 0", 0, "whole one: is not there, or has a 0");
    check_fault("read one = 800", "read one = 0", 0, "read one: is not there, or has a 0");
    check_fault("f64 csr-omp = 11 ", "f64 csr-omp = ", 0, "f64 csr-omp: a number is missing");
}

/* A process that is bound to one processor finds the profile of all. */
static void check_bound(const struct processor *kept)
{
#ifdef __linux__
    struct processor found;
    cpu_set_t all, one;
    int first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    if (kept->threads < 2 || kept->threads != topology_cores(topology_here(), NULL)) return;
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const bool there = processor_find(&found);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(there);
    assert_int_equal(found.threads, kept->threads);
#endif
}

static void a_profile_is_kept_for_these_processors_alone(void **state)
{
    struct processor processor = made_processor(), found;
    struct text path = {0};
    char folder[] = "/tmp/sparsight-processor-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    assert_false(processor_find(&found));
    assert_false(found.there);
    processor_identify(&processor);
    assert_true(processor.threads >= 1 && processor.title[0] && processor.isa[0]);
    assert_int_equal(processor_keep(&processor, &path, NULL), STATUS_OK);
    assert_true(processor_find(&found));
    assert_int_equal(found.loops, processor.loops);
    check_bound(&processor);
    FILE *file = fopen(path.data, "a"); /* of the same name, but different processors */
    assert_non_null(file);
    fprintf(file, "title = another\n");
    fclose(file);
    assert_false(processor_find(&found));
    assert_false(found.there);
    assert_int_equal(unlink(path.data), 0);
    text_free(&path);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null/none", 1), 0);
    assert_int_equal(processor_keep(&processor, &path, NULL), STATUS_IO);
    text_free(&path);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Loops that were not timed on large matrices get the factors of a loop that was: the same loop in double
 * precision if possible, else the same kernel with other parameters, but never another kernel. */
static void factors_are_those_of_the_nearest_loop(void **state)
{
    static const struct {
        struct loop_pace loop;
        double stream[2], scattered; /* afterwards */
    } cases[] = {{{.name = "sell-omp", .beyond = {{{2, 3}, 0.5}, {{20, 30}, 5}}}, {2, 3}, 0.5},
                 {{.name = "sell-omp:slice=16", .beyond = {{{4, 5}, 0.25}, {{40, 50}, 2.5}}}, {4, 5}, 0.25},
                 {{.name = "sell-omp:slice=16", .precision = PRECISION_F32}, {4, 5}, 0.25},
                 {{.name = "sell-omp:slice=64"}, {2, 3}, 0.5},
                 {{.name = "sell-seq"}, {0, 0}, 0}};
    static struct processor processor;
    const int count = (int)(sizeof cases / sizeof *cases);
    processor.loops = count;
    for (int k = 0; k < count; k++)
        processor.loop[k] = cases[k].loop;
    processor_share_factors(&processor);
    for (int k = 0; k < count; k++) {
        const struct loop_pace *loop = &processor.loop[k];
        for (int level = 0; level < PROCESSOR_LEVELS; level++) {
            const struct loop_factors *at = &loop->beyond[level];
            const double times = level == LEVEL_LARGE ? 10 : 1;
            if (at->stream[0] != times * cases[k].stream[0] || at->stream[1] != times * cases[k].stream[1] ||
                at->scattered != times * cases[k].scattered)
                fail_msg("loop %d, %s: %g, %g and %g", k, loop->name, at->stream[0], at->stream[1],
                         at->scattered);
        }
    }
}

/* 1, 2, 3, 4 and 100, with the median 3, are limited to 3 / 1.25 .. 3.75. Published loops are compared with
 * each other, and unmeasured ones stay unmeasured. */
static void factors_are_limited_around_their_median(void **state)
{
    static const double before[] = {1, 2, 3, 4, 100}, after[] = {2.4, 2.4, 3, 3.75, 3.75};
    static struct processor processor;
    processor.loops = 7;
    for (int k = 0; k < 5; k++) {
        snprintf(processor.loop[k].name, sizeof processor.loop[k].name, "ell-omp:width=%d", k);
        processor.loop[k].beyond[LEVEL_LARGE].stream[1] = before[k];
    }
    snprintf(processor.loop[5].name, sizeof processor.loop[5].name, "ell-seq");
    processor.loop[5].beyond[LEVEL_LARGE].stream[1] = 9;
    snprintf(processor.loop[6].name, sizeof processor.loop[6].name, "bsr-omp");
    processor_limit_factors(&processor);
    for (int k = 0; k < 5; k++)
        check_close(processor.loop[k].beyond[LEVEL_LARGE].stream[1], after[k], 1e-9);
    assert_true(processor.loop[5].beyond[LEVEL_LARGE].stream[1] == 9);
    assert_true(processor.loop[6].beyond[LEVEL_LARGE].stream[1] == 0);
    assert_true(processor.loop[0].beyond[LEVEL_MIDDLE].stream[1] == 0);
}

/* A calibration has room for every kernel of the host with every trial of its format, in both precisions. */
static void every_kernel_and_trial_has_room(void **state)
{
    int loops = 0;
    for (int f = 0; formats[f]; f++) {
        const struct kernel *found[KERNELS_OF];
        int own = 0, trials = formats[f]->trials ? 0 : 1;
        for (int k = 0; kernels[k]; k++)
            own += kernels[k]->format == formats[f] && backend_is_own(kernels[k]->backend);
        if (processor_kernels(formats[f], found) != own)
            fail_msg("%s has %d kernels for processors, of which %d would be measured: raise KERNELS_OF "
                     "(kernels/timing/processor_parts.h)",
                     formats[f]->name, own, processor_kernels(formats[f], found));
        while (formats[f]->trials && formats[f]->trials[trials].parameters)
            trials++;
        loops += 2 * own * trials;
    }
    if (loops > PROCESSOR_LOOPS)
        fail_msg("a profile has room for %d loops, and there are %d: raise PROCESSOR_LOOPS "
                 "(kernels/timing/processor.h)",
                 PROCESSOR_LOOPS, loops);
}

/* Every kernel of the host is measured in both precisions, and long rows take longer than short ones. */
static void all_loops_are_measured(void **state)
{
    struct processor processor;
    struct error error = {0};
    assert_int_equal(processor_measure_within(&processor, false, INFINITY, 0, NULL, &error), STATUS_OK);
    assert_true(processor.there && !processor.complete);
    assert_true(processor.wake > 0 && isfinite(processor.wake));
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        for (int many = 0; many < 2; many++)
            assert_true(processor.read[many][k] > 0 && processor.far[many][k] > 0);
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        assert_true(processor.store[k] > 0);
    assert_true(processor.moved > 0 && isfinite(processor.moved));
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        assert_true(processor.whole[0][k] > 0.5 && processor.whole[1][k] > 0.5);
    for (int k = 0; kernels[k]; k++) {
        const struct format_trial *trials = kernels[k]->format->trials;
        if (!backend_is_own(kernels[k]->backend) || (trials && !trials->parameters)) continue;
        for (int p = PRECISION_F64; p <= PRECISION_F32; p++) {
            const struct format_choice choice = format_choice_default(kernels[k]->format, (enum precision)p);
            const struct loop_pace *loop = processor_loop(&processor, kernels[k], &choice);
            if (!loop)
                fail_msg("%s was not measured: its format needs a trial that is quick (struct format_trial)",
                         kernels[k]->name);
            for (int l = 0; l < PROCESSOR_LENGTHS; l++)
                assert_true(loop->row[l] > 0);
            assert_true(loop->row[PROCESSOR_LENGTHS - 1] > loop->row[0]);
            for (int level = 0; level < PROCESSOR_LEVELS; level++)
                assert_true(loop->beyond[level].stream[0] > 0 && loop->beyond[level].stream[1] > 0 &&
                            loop->beyond[level].scattered > 0);
        }
    }
}

/* With 1 MiB, memory up to 256 KiB is read, however long that takes: on a busy machine the usual 0.3 s end
 * before, and numbers that differ are assumed for larger sizes. Two sizes in the same cache may by chance
 * take the same time to the nanosecond in one measurement, but not in all five. */
static void memory_is_read_within_the_limit(void **state)
{
    struct processor processor;
    struct progress progress = {0};
    assert_int_equal(processor_measure_within(&processor, false, INFINITY, (size_t)1 << 20, &progress, NULL),
                     STATUS_OK);
    assert_string_equal(atomic_load(&progress.phase), "measuring the processor");
    assert_true(atomic_load(&progress.total) > 0);
    assert_true(atomic_load(&progress.done) <= atomic_load(&progress.total));
    assert_true(atomic_load(&progress.done) > 0 || processor.loops == 0);
    for (int many = 0; many < 2; many++)
        for (int k = 3; k < PROCESSOR_SIZES; k++)
            assert_true(processor.read[many][k] == processor.read[many][2] &&
                        processor.far[many][k] == processor.far[many][2]);
    assert_true(processor.read[0][2] != processor.read[0][1] ||
                processor.read[1][2] != processor.read[1][1] || processor.far[0][2] != processor.far[0][1] ||
                processor.far[1][2] != processor.far[1][1] || processor.store[2] != processor.store[1]);
}

static void measuring_stops(void **state)
{
    struct processor processor;
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(processor_measure(&processor, false, 0, &progress, NULL), STATUS_CANCELLED);
    assert_false(processor.there);
    for (long k = 0; k < 12; k++) {
        memory_fail_after(k);
        assert_int_equal(processor_measure_within(&processor, false, INFINITY, 0, NULL, NULL), STATUS_MEMORY);
        assert_true(memory_failures() > 0);
        assert_false(processor.there);
    }
    memory_fail_after(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_lie_between_those_that_were_timed),
        cmocka_unit_test(factors_of_large_products_go_by_the_logarithm),
        cmocka_unit_test(memory_lies_between_the_sizes_that_were_read),
        cmocka_unit_test(the_nearest_parameters_count),
        cmocka_unit_test(a_profile_reads_back_as_it_was_written),
        cmocka_unit_test(errors_of_profiles_have_messages),
        cmocka_unit_test(a_profile_is_kept_for_these_processors_alone),
        cmocka_unit_test(factors_are_those_of_the_nearest_loop),
        cmocka_unit_test(factors_are_limited_around_their_median),
        cmocka_unit_test(an_older_profile_is_completed),
        cmocka_unit_test(every_kernel_and_trial_has_room),
        cmocka_unit_test(all_loops_are_measured),
        cmocka_unit_test(memory_is_read_within_the_limit),
        cmocka_unit_test(measuring_stops),
    };
    return cmocka_run_group_tests_name("processor", tests, NULL, NULL);
}
