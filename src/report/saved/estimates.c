/* The estimates of a saved report's rows. */
#include <math.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "columns/columns.h"
#include "report/json/counts.h"
#include "report/saved/rows.h"

/* Maximum of a count, so that sums over all accesses and operands do not overflow. */
#define COUNT_MAX (INT64_MAX / (ACCESSES * OPERANDS))

/* Earlier versions lack the useful bytes, which are then unknown. */
static void set_counts(struct reading *outer, const char *key, struct trace_counts *counts)
{
    struct reading reading = reading_inner(outer, key);
    for (const struct count_key *count = count_keys; count->key; count++) {
        bool useful = count->offset == offsetof(struct trace_counts, useful);
        *(int64_t *)(void *)((char *)counts + count->offset) =
            reading_integer(&reading, count->key, 0, COUNT_MAX, useful ? -1 : 0);
    }
    reading_leave(outer, &reading);
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
    if (!reading_get(reading, "granule")) estimate->granule = 32;
    if (estimate->granule != 32 && estimate->granule != 128) reading_wrong(reading, "granule", "32 or 128");
}

/* Missing amounts are 0. */
static void none_unless_known(double *amounts, int count)
{
    for (int k = 0; k < count; k++)
        if (isnan(amounts[k])) amounts[k] = 0;
}

/* Reports of earlier versions lack the caches. */
static void set_memory(struct reading *row, struct memory_traffic *memory)
{
    reading_columns(row, kernel_columns, owner_memory, memory, INT64_MAX);
    memory->there = reading_get(row, "estimate.l2") && reading_get(row, "estimate.dram");
    none_unless_known(memory->misses, OPERANDS);
    none_unless_known(memory->sectors, OPERANDS);
    none_unless_known(memory->reads, OPERANDS);
    none_unless_known(memory->warm_reads, OPERANDS);
    none_unless_known(&memory->writes, 1);
    none_unless_known(&memory->warm_writes, 1);
}

void saved_set_estimate(struct reading *row, struct estimate *estimate)
{
    struct reading reading = reading_inner(row, "estimate");
    *estimate = (struct estimate){.there = reading.object != NULL};
    if (!estimate->there) return;
    reading_columns(row, kernel_columns, owner_estimate, estimate, COUNT_MAX);
    set_granule(&reading, estimate);
    set_limit(&reading, estimate);
    for (int a = 0; a < ACCESSES; a++)
        set_counts(&reading, access_keys[a], &estimate->accesses[a]);
    struct reading operands = reading_inner(&reading, "operands");
    for (int o = 0; o < OPERANDS; o++)
        set_counts(&operands, operand_names[o], &estimate->operands[o]);
    reading_leave(&reading, &operands);
    reading_leave(row, &reading);
    set_memory(row, &estimate->memory);
}

/* Earlier versions have no forecast, or one without an interval, which then gets today's. The report gives
 * the state of the caches once for all rows. */
void saved_set_prediction(struct reading *row, struct result *result)
{
    struct prediction prediction = {.there = reading_get(row, "predicted") != NULL};
    reading_columns(row, kernel_columns, owner_prediction, &prediction, 0);
    const double low = prediction.low, high = prediction.high;
    if (!prediction.there || !(prediction.seconds > 0)) return;
    prediction.derived = strcmp(reading_text(row, "predicted.constants", ""), "derived") == 0;
    none_unless_known(prediction.term, BOUNDS);
    prediction_bound(&prediction);
    interval_set(result->choice.kernel, &prediction);
    if (low > 0 && low <= prediction.seconds && high >= prediction.seconds) {
        prediction.low = low;
        prediction.high = high;
    }
    result->predicted[0] = result->predicted[1] = prediction;
}
