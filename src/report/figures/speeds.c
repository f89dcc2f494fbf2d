#include "report/figures/speeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/topology.h"

#define CACHE_FASTER 1.05 /* a cache is drawn if it is this many times as fast as memory */

void speeds_add(struct speeds *speeds, const struct speed *speed)
{
    int at = speeds->count;
    if (!(speed->speed > 0)) return;
    while (at > 0 && speeds->items[at - 1].speed < speed->speed)
        at--;
    if (speeds->count == SPEEDS_MAX) speeds->left_out++;
    if (at == SPEEDS_MAX) return;
    if (speeds->count < SPEEDS_MAX) speeds->count++;
    memmove(&speeds->items[at + 1], &speeds->items[at],
            (size_t)(speeds->count - at - 1) * sizeof *speeds->items);
    speeds->items[at] = *speed;
}

int speeds_roof(struct speeds *speeds, const char *name, double bandwidth)
{
    if (!(bandwidth > 0)) return -1;
    for (int r = 0; r < speeds->roof_count; r++)
        if (strcmp(speeds->roofs[r].name, name) == 0) return r;
    if (speeds->roof_count == SPEEDS_ROOFS) return -1;
    snprintf(speeds->roofs[speeds->roof_count].name, sizeof speeds->roofs[0].name, "%s", name);
    speeds->roofs[speeds->roof_count].bandwidth = bandwidth;
    return speeds->roof_count++;
}

/* Names include precision and threads if these differ between results. */
static void add_results(const struct results *results, struct speeds *speeds)
{
    bool precisions = false, threads = false;
    for (int k = 1; k < results->count; k++) {
        const struct result *before = &results->items[k - 1], *item = &results->items[k];
        precisions = precisions || item->choice.format.precision != before->choice.format.precision;
        threads = threads || item->choice.threads != before->choice.threads;
    }
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (!result_timed(item)) continue;
        const struct machine *machine = results_machine(results, item);
        struct speed speed = {.speed = result_speed(item),
                              .low = item->flops / item->samples.high,
                              .high = item->flops / item->samples.low,
                              .intensity = result_intensity(item),
                              .roof = speeds_roof(speeds, machine->name, machine->read),
                              .cached = item->cached};
        int used = snprintf(speed.name, sizeof speed.name, "%s", item->name);
        if (precisions)
            used += snprintf(speed.name + used, sizeof speed.name - (size_t)used, " %s",
                             value_name(item->choice.format.precision, item->complex));
        if (threads)
            snprintf(speed.name + used, sizeof speed.name - (size_t)used, " %dt", item->resolved.threads);
        speeds_add(speeds, &speed);
    }
}

/* The read bandwidth used by forecasts. */
static double forecast_bandwidth(const struct session *session, enum advice_place place)
{
    if (place == ADVICE_CPU && session->processor.there)
        return session->processor.read[1][PROCESSOR_SIZES - 1];
    return place == ADVICE_GPU ? session->gpu.pace.read : 0;
}

double speeds_intensity(const struct advice_candidate *candidate, double flops)
{
    const struct kernel_bytes *bytes = &candidate->result->bytes;
    return flops / (bytes->plus > 0 ? bytes->plus : candidate->memory);
}

static void add_cache(struct speeds *speeds, int roof, const char *name, double bandwidth, double bytes)
{
    const int count = speeds->roofs[roof].cache_count;
    if (!(bandwidth > CACHE_FASTER * speeds->roofs[roof].bandwidth) || count == SPEEDS_CACHES) return;
    snprintf(speeds->roofs[roof].caches[count].name, sizeof speeds->roofs[roof].caches[count].name, "%s",
             name);
    speeds->roofs[roof].caches[count].bandwidth = bandwidth;
    speeds->roofs[roof].caches[count].bytes = bytes;
    speeds->roofs[roof].cache_count++;
}

/* Each level by the bandwidth of data that fill half of its caches. If the caches are unknown, one ceiling
 * stands for all. */
static void add_processor_caches(struct speeds *speeds, int roof, const struct processor *processor)
{
    const struct topology *topology = topology_here();
    double fastest = 0;
    for (int k = 0; k < topology->caches; k++) {
        const struct topology_cache *cache = &topology->cache[k];
        char name[16];
        if (cache->kind == 'i') continue;
        const int count = cache->count < processor->threads ? cache->count : processor->threads;
        snprintf(name, sizeof name, "%sL%d", processor->assumed ? "~" : "", cache->level);
        const double bytes = (double)cache->bytes * count;
        add_cache(speeds, roof, name, processor_read(processor, processor->threads, bytes / 2), bytes);
    }
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        fastest = fmax(fastest, processor->read[1][k]);
    if (topology->caches == 0)
        add_cache(speeds, roof, processor->assumed ? "~caches" : "caches", fastest, INFINITY);
}

void speeds_caches(struct speeds *speeds, int roof, const struct session *session, enum advice_place place)
{
    if (roof < 0 || speeds->roofs[roof].cache_count > 0) return;
    if (place == ADVICE_CPU && session->processor.there)
        add_processor_caches(speeds, roof, &session->processor);
    if (place != ADVICE_GPU) return;
    add_cache(speeds, roof, "L1", session->gpu.pace.l1, 0);
    add_cache(speeds, roof, "L2", session->gpu.pace.l2, (double)session->gpu.cache);
}

double speeds_ceiling(const struct speeds *speeds, const struct speed *speed, const char **name)
{
    *name = "";
    for (int k = 0; k < speeds->roofs[speed->roof].cache_count && speed->cached; k++)
        if (speeds->roofs[speed->roof].caches[k].bytes >= speed->memory) {
            *name = speeds->roofs[speed->roof].caches[k].name;
            return speeds->roofs[speed->roof].caches[k].bandwidth;
        }
    return speeds->roofs[speed->roof].bandwidth;
}

/* Return the roof of the advice's machine; -1 if its bandwidth is unknown. */
static int roof_of(const struct session *session, const struct advice *advice, bool foretold,
                   struct speeds *speeds)
{
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct machine *machine = results_machine(candidate->results, candidate->result);
        if (candidate->measured && machine->read > 0)
            return speeds_roof(speeds, machine->name, machine->read);
    }
    if (advice->place == ADVICE_CPU && !foretold) return -1;
    return speeds_roof(speeds, advice->place == ADVICE_CPU ? "" : advice->machine,
                       forecast_bandwidth(session, advice->place));
}

void speeds_of_advice(const struct session *session, const struct advice *advice, struct product product,
                      bool foretold, struct speeds *speeds)
{
    const struct matrix_case *of = session->shown;
    const double flops = product_flops((double)case_nnz(of), case_is_complex(of), product_columns(product));
    *speeds = (struct speeds){.count = 0};
    const int roof = roof_of(session, advice, foretold, speeds);
    if (advice->place != ADVICE_CPU || foretold) speeds_caches(speeds, roof, session, advice->place);
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct prediction *prediction = candidate->prediction;
        struct speed speed = {.intensity = speeds_intensity(candidate, flops),
                              .speed = flops / candidate->seconds,
                              .roof = roof,
                              .cached = candidate->measured ? candidate->result->cached
                                                            : prediction && prediction->term[BOUND_DRAM] == 0,
                              .forecast = !candidate->measured,
                              .memory = candidate->memory,
                              .bound = prediction ? prediction_bound_label(prediction) : NULL,
                              .item = k};
        snprintf(speed.name, sizeof speed.name, "%s", candidate->result->name);
        if (speed.intensity > 0) speeds_add(speeds, &speed);
    }
}

static void add_candidates(const struct figure_subject *subject, const struct advices *advices,
                           struct speeds *speeds)
{
    double flops = product_flops((double)case_nnz(subject->of), case_is_complex(subject->of),
                                 product_columns(subject->of->results.options.product));
    for (int place = 0; place < ADVICE_PLACES; place++) {
        const struct advice *advice = &advices->items[place];
        for (int k = 0; advice->there && k < advice->count; k++) {
            const struct advice_candidate *candidate = &advice->candidates[k];
            if (candidate->measured) continue; /* measured in another run; this figure shows forecasts */
            struct speed speed = {
                .speed = flops / candidate->seconds,
                .low = flops / candidate->high,
                .high = flops / candidate->low,
                .intensity = speeds_intensity(candidate, flops),
                .roof = speeds_roof(speeds, advice->machine,
                                    forecast_bandwidth(subject->session, (enum advice_place)place))};
            speeds_caches(speeds, speed.roof, subject->session, (enum advice_place)place);
            snprintf(speed.name, sizeof speed.name, "%s", candidate->result->name);
            speeds_add(speeds, &speed);
            speeds->derived |= candidate->prediction && candidate->prediction->derived;
        }
    }
}

enum status speeds_find(const struct figure_subject *subject, struct speeds *speeds, struct error *error)
{
    struct advices advices = {0};
    *speeds = (struct speeds){.count = 0};
    add_results(subject->results ? subject->results : &subject->of->results, speeds);
    if (speeds->count) return STATUS_OK;
    speeds->forecast = true;
    enum status status = session_advise(subject->session, subject->of,
                                        advice_question_of(subject->of, PRECISION_F64), &advices, error);
    if (status == STATUS_OK) add_candidates(subject, &advices, speeds);
    advices_free(&advices);
    return status;
}

enum status speeds_check(const struct figure_subject *subject, struct error *error)
{
    struct speeds *speeds = memory_array(1, sizeof *speeds, error);
    if (!speeds) return STATUS_MEMORY;
    enum status status = speeds_find(subject, speeds, error);
    if (status == STATUS_OK && speeds->count == 0)
        status =
            error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0,
                     "no kernel was timed, and there are no forecasts of one: --kernels=LIST times some");
    free(speeds);
    return status;
}
