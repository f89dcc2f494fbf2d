/* The estimates of a saved report's rows. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "report/json/counts.h"
#include "report/saved/rows.h"

/* The object of this key within another. It is a NULL one, of which everything is missing, if it is missing
 * or null. */
static struct reading inner(struct reading *outer, const char *key, const char *where)
{
    struct reading reading = {
        .object = reading_get(outer, key), .path = outer->path, .where = where, .error = outer->error};
    if (reading.object && !json_is_object(reading.object)) {
        reading_wrong(outer, key, "an object");
        reading.object = NULL;
    }
    return reading;
}

static void leave(struct reading *outer, const struct reading *reading)
{
    if (outer->status == STATUS_OK) outer->status = reading->status;
}

/* A count. It may be so large only that sums over all accesses and operands do not overflow. What is useful
 * is not known of reports that older versions wrote. */
static int64_t count_of(struct reading *reading, const struct count_key *count)
{
    bool useful = count->offset == offsetof(struct trace_counts, useful);
    return reading_integer(reading, count->key, 0, INT64_MAX / (ACCESSES * OPERANDS), useful ? -1 : 0);
}

static struct trace_counts counts_of(struct reading *outer, const char *key, const char *where)
{
    struct reading reading = inner(outer, key, where);
    struct trace_counts counts = {0};
    for (const struct count_key *count = count_keys; count->key; count++)
        *(int64_t *)(void *)((char *)&counts + count->offset) = count_of(&reading, count);
    leave(outer, &reading);
    return counts;
}

/* A number of sectors or bytes; 0 if it is missing. */
static double number_of(struct reading *reading, const char *key)
{
    const double number = reading_amount(reading, key);
    return isnan(number) ? 0 : number;
}

static void set_limit(struct reading *reading, struct estimate *estimate)
{
    const char *name = reading_text(reading, "occupancy_limit", "");
    for (int k = 0; k < OCCUPANCY_LIMITS; k++)
        if (strcmp(name, occupancy_limit_name((enum occupancy_limit)k)) == 0)
            estimate->limit = (enum occupancy_limit)k;
}

static void set_granule(struct reading *reading, struct estimate *estimate)
{
    estimate->granule = (int)reading_integer(reading, "granule", 32, 128, 32);
    if (estimate->granule != 32 && estimate->granule != 128) reading_wrong(reading, "granule", "32 or 128");
}

static void set_counts(struct reading *reading, struct estimate *estimate)
{
    for (int a = 0; a < ACCESSES; a++)
        estimate->accesses[a] = counts_of(reading, access_keys[a], access_keys[a]);
    struct reading operands = inner(reading, "operands", "operands of an estimate");
    for (int o = 0; o < OPERANDS; o++)
        estimate->operands[o] = counts_of(&operands, operand_names[o], operand_names[o]);
    leave(reading, &operands);
}

static int64_t whole(struct reading *reading, const char *key)
{
    return reading_integer(reading, key, 0, INT64_MAX, 0);
}

/* Earlier versions have no steps. */
static void set_steps(struct reading *reading, struct estimate *estimate)
{
    struct reading steps = inner(reading, "steps", "steps of an estimate");
    estimate->steps = (struct estimate_steps){.requests = NAN, .shared = NAN, .turns = NAN};
    if (!steps.object) return;
    estimate->steps = (struct estimate_steps){.launches = whole(&steps, "launches"),
                                              .longest = whole(&steps, "longest"),
                                              .longest_shared = whole(&steps, "longest_shared"),
                                              .hottest = whole(&steps, "hottest"),
                                              .requests = reading_amount(&steps, "requests"),
                                              .shared = reading_amount(&steps, "shared"),
                                              .turns = reading_amount(&steps, "turns")};
    leave(reading, &steps);
}

/* What caches let through. Reports of earlier versions do not have it. */
static void set_memory(struct reading *outer, struct memory_traffic *memory)
{
    struct reading l2 = inner(outer, "l2", "l2 of an estimate");
    struct reading dram = inner(outer, "dram", "dram of an estimate");
    struct reading sectors = inner(&l2, "operands", "operands of l2");
    struct reading misses = inner(&l2, "loads", "loads of l2");
    struct reading reads = inner(&dram, "operands", "operands of dram");
    struct reading warm = inner(&dram, "warm_operands", "warm_operands of dram");
    *memory = (struct memory_traffic){.there = l2.object && dram.object};
    for (int o = 0; memory->there && o < OPERANDS; o++) {
        if (o == OPERAND_SHARED) continue;
        memory->sectors[o] = number_of(&sectors, operand_names[o]);
        memory->misses[o] = number_of(&misses, operand_names[o]);
        memory->reads[o] = number_of(&reads, operand_names[o]);
        memory->warm_reads[o] = number_of(&warm, operand_names[o]);
    }
    if (memory->there) {
        memory->stays = reading_amount(&l2, "stays");
        memory->writes = number_of(&dram, "writes");
        memory->warm_writes = number_of(&dram, "warm_writes");
    }
    leave(&l2, &sectors);
    leave(&l2, &misses);
    leave(&dram, &reads);
    leave(&dram, &warm);
    leave(outer, &l2);
    leave(outer, &dram);
}

/* Earlier versions have no intervals of forecasts, which get those of today. */
static void set_interval(struct reading *reading, const struct result *result, struct prediction *prediction)
{
    interval_set(result->choice.kernel, prediction);
    double low = 1e-6 * number_of(reading, "low_us"), high = 1e-6 * number_of(reading, "high_us");
    if (!(low > 0 && low <= prediction->seconds && high >= prediction->seconds)) return;
    prediction->low = low;
    prediction->high = high;
}

/* Earlier versions have no forecast. Which state of the caches it is of, the report says once for all rows.
 */
void saved_set_prediction(struct reading *row, struct result *result)
{
    struct reading reading = inner(row, "predicted", row->where);
    struct prediction prediction = {.there = reading.object != NULL,
                                    .seconds = 1e-6 * reading_amount(row, "predicted_us")};
    if (!(prediction.seconds > 0)) prediction.there = false;
    if (prediction.there) {
        snprintf(prediction.machine, sizeof prediction.machine, "%s", reading_text(&reading, "machine", ""));
        snprintf(prediction.like, sizeof prediction.like, "%s", reading_text(&reading, "like", ""));
        text_visible(prediction.machine);
        text_visible(prediction.like);
        prediction.derived = strcmp(reading_text(&reading, "constants", ""), "derived") == 0;
        for (int b = 0; b < BOUNDS; b++) {
            char key[32];
            snprintf(key, sizeof key, "%s_us", bound_key((enum bound)b));
            prediction.term[b] = 1e-6 * number_of(&reading, key);
        }
        prediction_bound(&prediction);
        set_interval(&reading, result, &prediction);
        result->predicted[0] = result->predicted[1] = prediction;
    }
    leave(row, &reading);
}

void saved_set_estimate(struct reading *row, struct estimate *estimate)
{
    struct reading reading = inner(row, "estimate", row->where);
    *estimate = (struct estimate){.there = reading.object != NULL};
    if (!estimate->there) return;
    snprintf(estimate->gpu, sizeof estimate->gpu, "%s", reading_text(&reading, "gpu", ""));
    text_visible(estimate->gpu);
    estimate->sampled = reading_amount(&reading, "sampled");
    estimate->error = reading_amount(&reading, "sampling_error");
    estimate->lane_utilisation = reading_amount(&reading, "lane_utilisation");
    estimate->occupancy = reading_amount(&reading, "occupancy");
    set_granule(&reading, estimate);
    set_limit(&reading, estimate);
    set_counts(&reading, estimate);
    set_steps(&reading, estimate);
    set_memory(&reading, &estimate->memory);
    leave(row, &reading);
}
