/* Numbers of what a kernel would ask of a GPU's memory. */
#include <math.h>
#include <string.h>

#include "columns/kernels.h"

static const struct estimate *estimate_of(const struct subject *subject)
{
    return results_estimate_of(subject->results, subject->result);
}

/* What lies at the column's offset. */
static const void *stored(const struct column *column, const struct estimate *estimate)
{
    return (const char *)estimate + column->offset;
}

static const char *const parts[KERNEL_PARTS] = {
    [PART_RUN] = "", [PART_ESTIMATE] = "estimate", [PART_CMRS] = "cmrs"};

const char *kernel_part_key(enum kernel_part part)
{
    return parts[part];
}

enum kernel_part kernel_part_of(const struct column *column)
{
    size_t length = strcspn(column->key, ".");
    for (int part = PART_RUN + 1; column->key[length] && part < KERNEL_PARTS; part++)
        if (strlen(parts[part]) == length && strncmp(column->key, parts[part], length) == 0)
            return (enum kernel_part)part;
    return PART_RUN;
}

bool kernel_part_applies(enum kernel_part part, const struct results *results, const struct result *result)
{
    if (part == PART_ESTIMATE) return results_estimate_of(results, result) != NULL;
    return part == PART_RUN || cmrs_modelled(result);
}

bool column_leading(const struct column *column)
{
    if (kernel_part_of(column) == PART_RUN) return column->heading != NULL;
    return column->get == estimate_all || strcmp(column->key, "estimate.lane_utilisation") == 0;
}

static const struct value unknown = {.type = VALUE_NULL};

struct value estimate_gpu(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    return text_value(estimate ? estimate->gpu : NULL);
}

struct value estimate_granule(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    return estimate ? integer_value(estimate->granule) : unknown;
}

struct value estimate_real(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? real_value(*(const double *)stored(column, estimate)) : unknown;
}

struct value estimate_count(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? integer_value(*(const int64_t *)stored(column, estimate)) : unknown;
}

struct value estimate_sectors_per_load(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    if (!estimate) return unknown;
    const struct trace_counts *loads = &estimate->accesses[ACCESS_LOAD];
    return real_value((double)loads->sectors / (double)loads->requests);
}

struct value estimate_operand(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    return estimate ? real_value(coalescing_efficiency(stored(column, estimate), estimate->granule))
                    : unknown;
}

struct value estimate_all(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    return estimate ? real_value(estimate_efficiency(estimate)) : unknown;
}

struct value estimate_limit(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    if (!estimate || isnan(estimate->occupancy)) return unknown;
    return text_value(occupancy_limit_name(estimate->limit));
}

struct value estimate_banks(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    return estimate ? integer_value(estimate_bank_conflicts(estimate)) : unknown;
}

struct value estimate_atomics(const struct column *column, const struct subject *subject)
{
    const struct estimate *estimate = estimate_of(subject);
    (void)column;
    return estimate ? integer_value(estimate_atomic_conflicts(estimate)) : unknown;
}
