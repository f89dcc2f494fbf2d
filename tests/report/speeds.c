/* report/figures: the points of rooflines are the timed results, or the candidates of an advice. Each appears
 * once, with its own speed, intensity and name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures/speeds.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/recorded.h"
#include "support/unit.h"

static struct speeds speeds; /* too large for the stack */

static const struct speed *speed_of_item(int item)
{
    const struct speed *found = NULL;
    for (int k = 0; k < speeds.count; k++) {
        if (speeds.items[k].item != item) continue;
        assert_null(found);
        found = &speeds.items[k];
    }
    return found;
}

static void check_candidates(const struct session *session, const struct advice *advice,
                             struct product product)
{
    const double flops = 2.0 * ADVISING_ENTRIES * product_columns(product);
    speeds_of_advice(session, advice, product, true, &speeds);
    assert_int_equal(speeds.count, advice->count);
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct speed *speed = speed_of_item(k);
        assert_non_null(speed);
        assert_string_equal(speed->name, candidate->result->name);
        assert_true(speed->speed == flops / candidate->seconds);
        assert_true(speed->intensity == speeds_intensity(candidate, flops));
        assert_true(speed->forecast == !candidate->measured);
        assert_true(speed->memory == candidate->memory);
        if (k > 0) assert_true(speeds.items[k].speed <= speeds.items[k - 1].speed);
    }
}

TEST(candidates_are_points)
{
    struct session session;
    advising_load(&session, ADVISING_MATRIX);
    struct results *results = &session.shown->results;
    advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 3e-6, 1e-8, 0);
    advising_time(advising_add(results, &kernel_cpu_ell_seq, 40000), 2e-6, 1e-8, 1e-5);
    advising_forecast(advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR), 1e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cuda_sell, 40000), 0.5e-6, BOUND_L2);
    const struct advices *advices = advising(&session);
    int there = 0;
    for (int p = 0; p < ADVICE_PLACES; p++) {
        if (!advices->items[p].there) continue;
        there++;
        check_candidates(&session, &advices->items[p], (struct product){0});
    }
    assert_true(there >= 1);
    session_free(&session);
}

/* A name has the precision and the number of threads only where points differ in them. */
TEST(names_tell_results_apart)
{
    for (int turn = 0; turn < 4; turn++) {
        struct session session;
        advising_load(&session, ADVISING_MATRIX);
        struct results *results = &session.shown->results;
        const bool precisions = turn & 1, threads = turn & 2;
        struct result *one = advising_add(results, &kernel_cpu_csr_omp, ADVISING_CSR);
        advising_time(one, 3e-6, 1e-8, 0);
        struct result *other =
            advising_add_in(results, &kernel_cpu_ell_omp, precisions ? PRECISION_F32 : PRECISION_F64, 40000);
        advising_time(other, 2e-6, 1e-8, 1e-5);
        for (int k = 0; k < 2; k++) {
            results->items[k].choice.threads = results->items[k].resolved.threads = threads ? k + 1 : 4;
            results->items[k].flops = 2.0 * ADVISING_ENTRIES;
            snprintf(results->items[k].name, sizeof results->items[k].name, "kernel %d", k);
        }
        const struct figure_subject subject = {.session = &session, .of = session.shown};
        speeds = (struct speeds){0};
        assert_int_equal(speeds_find(&subject, &speeds, NULL), STATUS_OK);
        assert_int_equal(speeds.count, 2);
        for (int k = 0; k < 2; k++) {
            char expected[64];
            const int item = 1 - k; /* the second is faster */
            const struct result *result = &results->items[item];
            snprintf(expected, sizeof expected, "kernel %d%s%s", item,
                     !precisions ? ""
                     : item      ? " f32"
                                 : " f64",
                     threads ? item ? " 2t" : " 1t" : "");
            assert_string_equal(speeds.items[k].name, expected);
            assert_true(fabs(speeds.items[k].speed * result->samples.median / result->flops - 1) < 1e-12);
            assert_true(speeds.items[k].low <= speeds.items[k].speed &&
                        speeds.items[k].speed <= speeds.items[k].high);
        }
        session_free(&session);
    }
}

static const struct drawn *text_of(const struct recorded *recorded, const char *words)
{
    for (int k = 0; k < recorded->count; k++)
        if (recorded->items[k].kind == DRAWN_TEXT && strcmp(recorded->items[k].words, words) == 0)
            return &recorded->items[k];
    fail_msg("no %s", words);
    return NULL;
}

/* L1 and L2 have nearly the same bandwidth: their names do not overlap. */
TEST(names_of_ceilings_stand_apart)
{
    struct recorded *recorded = recorded_new(600, 300);
    struct chart chart = {.canvas = &recorded->canvas};
    speeds = (struct speeds){.count = 1, .roof_count = 1};
    speeds.items[0] = (struct speed){.speed = 1e9, .intensity = 0.1};
    speeds.roofs[0].bandwidth = 9.5e10;
    speeds.roofs[0].cache_count = 2;
    snprintf(speeds.roofs[0].caches[0].name, sizeof speeds.roofs[0].caches[0].name, "L1");
    speeds.roofs[0].caches[0].bandwidth = 10e10;
    snprintf(speeds.roofs[0].caches[1].name, sizeof speeds.roofs[0].caches[1].name, "L2");
    speeds.roofs[0].caches[1].bandwidth = 9.9e10;
    roofline_draw(&speeds, &chart, 0, 300, 20);
    const double first = text_of(recorded, "L1")->y, second = text_of(recorded, "L2")->y;
    assert_true(second >= first + recorded->canvas.line);
    assert_true(text_of(recorded, "memory")->y >= second + recorded->canvas.line);
    free(recorded);
}

/* In character cells one ceiling may end in the name of the next. */
TEST(names_of_ceilings_are_over_all_ceilings)
{
    struct recorded *recorded = recorded_new(600, 300);
    struct chart chart = {.canvas = &recorded->canvas};
    int lines = 0, names = 0;
    speeds = (struct speeds){.count = 1, .roof_count = 1};
    speeds.items[0] = (struct speed){.speed = 1e9, .intensity = 0.1};
    speeds.roofs[0].bandwidth = 2e10;
    speeds.roofs[0].cache_count = 2;
    snprintf(speeds.roofs[0].caches[0].name, sizeof speeds.roofs[0].caches[0].name, "L1");
    speeds.roofs[0].caches[0].bandwidth = 12e10;
    snprintf(speeds.roofs[0].caches[1].name, sizeof speeds.roofs[0].caches[1].name, "L2");
    speeds.roofs[0].caches[1].bandwidth = 10e10;
    roofline_draw(&speeds, &chart, 0, 300, 20);
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *drawn = &recorded->items[k];
        if (drawn->kind == DRAWN_TEXT &&
            (strcmp(drawn->words, "L1") == 0 || strcmp(drawn->words, "L2") == 0 ||
             strcmp(drawn->words, "memory") == 0))
            names++;
        if (drawn->kind != DRAWN_LINE || drawn->wide < 100 || drawn->high < 20) continue;
        lines++;
        assert_int_equal(names, 0);
    }
    assert_int_equal(lines, 3);
    assert_int_equal(names, 3);
    free(recorded);
}

#define TIMED 13

/* Each point's letter has a line in the legend, inside the picture. Lines do not overlap, and stand in
 * columns of equal numbers of lines except for the last. */
TEST(letters_have_their_lines)
{
    static const int wides[] = {250, 300, 420, 560, 700, 900, 1200};
    struct session session;
    advising_load(&session, ADVISING_MATRIX);
    struct results *results = &session.shown->results;
    for (int k = 0; k < TIMED; k++) {
        struct result *result = advising_add(results, &kernel_cpu_csr_omp, ADVISING_CSR);
        advising_time(result, 1e-6 * (k + 1), 1e-8, 0);
        result->choice.threads = result->resolved.threads = k + 1;
        result->flops = 2.0 * ADVISING_ENTRIES;
        result->bytes = (struct kernel_bytes){40000, 30000};
        snprintf(result->name, sizeof result->name, "kernel");
    }
    const struct figure_subject subject = {.session = &session, .of = session.shown};
    int below = 0;
    for (size_t w = 0; w < sizeof wides / sizeof *wides; w++)
        for (int high = 200; high < 420; high += 20) {
            struct recorded *recorded = recorded_new(wides[w], high);
            const double line = recorded->canvas.line;
            const struct drawn *found[TIMED];
            int count = 0, columns = 0, lines = 0;
            assert_int_equal(figure_find("roofline")->draw(&subject, &recorded->canvas, NULL), STATUS_OK);
            for (int k = 0; k < recorded->count; k++) {
                const struct drawn *drawn = &recorded->items[k];
                if (drawn->kind != DRAWN_TEXT || !strstr(drawn->words, " kernel")) continue;
                assert_true(count < TIMED);
                assert_int_equal(drawn->words[0], 'a' + count);
                assert_true(drawn->y >= 0 && drawn->y + line / 2 <= high);
                found[count++] = drawn;
            }
            for (int k = 0; k < count; k++) {
                columns += k == 0 || found[k]->x > found[k - 1]->x;
                lines += found[k]->x == found[0]->x;
                for (int j = 0; j < k; j++)
                    assert_true(found[j]->x != found[k]->x || fabs(found[j]->y - found[k]->y) > 0.9 * line);
            }
            assert_true(count > 0);
            assert_int_equal(lines, (count + columns - 1) / columns);
            below += columns > 1;
            free(recorded);
        }
    assert_true(below > 5);
    session_free(&session);
}

/* A processor without a measured bandwidth has a ceiling only if forecasts are requested. A GPU has that of
 * its profile. Measured results have that of their machine. */
TEST(ceilings_are_known_or_foretold)
{
    for (int measured = 0; measured < 2; measured++) {
        struct session session;
        advising_load(&session, ADVISING_MATRIX);
        struct results *results = &session.shown->results;
        if (measured)
            advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 3e-6, 1e-8, 0);
        else
            advising_forecast(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 3e-6, BOUND_DRAM);
        advising_forecast(advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR), 1e-6, BOUND_DRAM);
        const struct advices *advices = advising(&session);
        session.processor.there = true;
        session.processor.read[1][PROCESSOR_SIZES - 1] = 2e9;
        if (measured) results->machines.host.read = 5e9;
        for (int p = 0; p < ADVICE_PLACES; p++)
            for (int foretold = 0; foretold < 2 && advices->items[p].there; foretold++) {
                speeds_of_advice(&session, &advices->items[p], (struct product){0}, foretold, &speeds);
                const double expected = p == ADVICE_GPU ? session.gpu.pace.read
                                        : measured      ? 5e9
                                                        : foretold * 2e9;
                assert_int_equal(speeds.count, 1);
                assert_int_equal(speeds.roof_count, expected > 0);
                assert_int_equal(speeds.items[0].roof, expected > 0 ? 0 : -1);
                if (expected > 0) assert_true(speeds.roofs[0].bandwidth == expected);
            }
        session_free(&session);
    }
}
