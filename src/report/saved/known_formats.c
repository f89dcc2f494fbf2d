/* The storage formats and partitions of a matrix in a saved report. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"
#include "report/saved/known.h"
#include "report/saved/rows.h"

/* True if the row has the parameters that the choice gives. */
static bool could_be(const struct format_choice *choice, const struct parameter_values *resolved)
{
    for (int k = 0; choice->format->parameters[k].name; k++)
        if (choice->values.given[k] && choice->values.number[k] != resolved->number[k]) return false;
    return true;
}

/* Find the request that gave these resolved parameters. It is the first variant of the format that gives them
 * and that no earlier row has. Without such a variant, it is the parameters themselves. */
static struct format_choice asked_for(const struct conversions *conversions, const struct format *format,
                                      enum precision precision, const struct parameter_values *resolved)
{
    struct format_choice choice;
    for (int v = 0; format->variants[v]; v++)
        if (format_choice_read(format, format->variants[v], precision, &choice, NULL) == STATUS_OK &&
            could_be(&choice, resolved) && !conversions_find(conversions, &choice))
            return choice;
    choice = format_choice_default(format, precision);
    for (int k = 0; format->parameters[k].name; k++)
        if (resolved->given[k]) parameters_set(format->parameters, &choice.values, k, resolved->number[k]);
    return choice;
}

static void set_numbers(struct reading *row, struct known_conversion *known)
{
    reading_columns(row, format_columns, owner_size, &known->size, INT64_MAX);
    reading_columns(row, format_columns, owner_criteria, &known->criteria, 0);
    known->sized = reading_get(row, "bytes") != NULL;
    known->seconds = reading_amount(row, "convert_us") / 1e6;
}

static enum precision precision_of(struct reading *row, bool complex)
{
    const char *name = reading_text(row, "precision", "");
    for (int p = PRECISION_F64; p <= PRECISION_F32; p++)
        if (strcmp(name, value_name((enum precision)p, complex)) == 0) return (enum precision)p;
    reading_wrong(row, "precision", complex ? "c64 or c32" : "f64 or f32");
    return PRECISION_F64;
}

/* Rows with unknown formats or parameters are left out. */
static void set_row(struct reading *row, struct matrix_case *of)
{
    const struct format *format = format_find(reading_text(row, "format", ""));
    struct known_conversion known = {.sized = false};
    struct error refusal = {0};
    const enum precision precision = precision_of(row, case_is_complex(of));
    if (!format ||
        !saved_put_all(reading_get(row, "params"), format->parameters, &known.resolved.values, NULL, NULL))
        return;
    const struct parameter_values resolved = known.resolved.values;
    const struct format_choice choice = asked_for(&of->conversions, format, precision, &resolved);
    known.resolved = choice;
    memcpy(known.resolved.values.number, resolved.number, sizeof resolved.number);
    set_numbers(row, &known);
    if (reading_reason(row, "refused", STATUS_LIMIT, &refusal) != STATUS_OK) known.refusal = &refusal;
    if (row->status == STATUS_OK)
        row->status = conversions_know(&of->conversions, &choice, case_is_complex(of), &known, row->error);
}

void known_rows(struct reading *reading, const json_t *list, const char *name, struct matrix_case *of,
                void (*visit)(struct reading *row, struct matrix_case *of))
{
    for (size_t k = 0; k < json_array_size(list) && reading->status == STATUS_OK; k++) {
        char where[READING_WHERE];
        struct reading row = reading_row(list, k, name, where, reading->path, reading->error);
        if (row.status == STATUS_OK) visit(&row, of);
        reading->status = row.status;
    }
}

void known_set_formats(struct reading *reading, struct matrix_case *of)
{
    known_rows(reading, json_object_get(reading->object, "formats"), "formats", of, set_row);
}

static const struct partitioner *partitioner_of(const char *name)
{
    for (int k = 0; partitioners[k]; k++)
        if (strcmp(partitioners[k]->name, name) == 0) return partitioners[k];
    return NULL;
}

/* Parameters that the partitioner would choose itself are not in a division's name. */
static void forget_chosen(struct reading *row, const struct partitioner *partitioner,
                          struct parameter_values *values)
{
    struct parameter_values own = *values;
    if (!partitioner->resolve) return;
    for (int k = 0; partitioner->parameters[k].name; k++)
        if (partitioner->parameters[k].automatic) own.number[k] = NAN;
    partitioner->resolve(&own, reading_integer(row, "parts", 1, PARTS_MAX, 1));
    for (int k = 0; partitioner->parameters[k].name; k++)
        if (partitioner->parameters[k].automatic && own.number[k] == values->number[k])
            values->number[k] = NAN;
}

/* A partition of unknown kind is left out. */
static void set_division(struct reading *row, struct matrix_case *of)
{
    struct distribution *distribution = &of->distribution;
    struct distributed *division = &distribution->items[distribution->count];
    struct parameter_values values;
    division->partitioner = partitioner_of(reading_text(row, "partition", ""));
    if (!division->partitioner || row->status != STATUS_OK) return;
    saved_put_all(reading_get(row, "params"), division->partitioner->parameters, &values, NULL, NULL);
    memcpy(division->numbers, values.number, sizeof division->numbers);
    snprintf(division->file, sizeof division->file, "%s", reading_text(row, "file", ""));
    text_visible(division->file);
    /* The name lists the parameters that differ from the defaults, as if the user had given them. */
    const struct parameter *parameters = division->partitioner->parameters;
    for (int k = 0; parameters[k].name; k++)
        if (parameters[k].type != PARAMETER_TEXT && values.number[k] == parameters[k].standard)
            values.given[k] = false;
    forget_chosen(row, division->partitioner, &values);
    if (division->file[0]) values.text = division->file; /* the division owns it */
    const struct partition_choice choice = {.partitioner = division->partitioner, .values = values};
    partition_choice_name(&choice, division->name, sizeof division->name);
    division->parts = division->halo.parts = reading_integer(row, "parts", 1, PARTS_MAX, 1);
    division->status = reading_reason(row, "refused", STATUS_UNAVAILABLE, &division->refusal);
    reading_columns(row, part_columns, owner_halo, &division->halo, INT64_MAX / 8);
    reading_columns(row, part_columns, owner_sent, &division->halo, INT64_MAX / 8);
    reading_columns(row, part_columns, owner_scaling, &division->scaling, 0);
    division->measured_us = reading_amount(row, "measured_us");
    if (!(division->measured_us > 0)) division->measured_us = 0;
    if (!(division->scaling.total_us > 0)) division->scaling = (struct scaling){0};
    distribution->count++;
    known_set_sketch(row, of, division);
}

static void set_network(struct reading *reading, struct network *network)
{
    *network = (struct network){.latency_us = reading_amount(reading, "network.latency_us"),
                                .bandwidth_gbs = reading_amount(reading, "network.bandwidth_gbs"),
                                .node = (int)reading_integer(reading, "network.node", 1, NETWORK_NODE_MAX, 1),
                                .near_latency_us = reading_amount(reading, "network.near_latency_us"),
                                .near_bandwidth_gbs = reading_amount(reading, "network.near_bandwidth_gbs"),
                                .crowd = reading_amount(reading, "network.crowd"),
                                .memory_crowd = reading_amount(reading, "network.memory_crowd")};
    snprintf(network->name, sizeof network->name, "%s", reading_text(reading, "network.profile", ""));
    snprintf(network->date, sizeof network->date, "%s", reading_text(reading, "network.date", ""));
    text_visible(network->name);
    text_visible(network->date);
    if (!(network->near_latency_us >= 0) || !(network->near_bandwidth_gbs > 0)) network->node = 1;
    if (!(network->crowd >= 1)) network->crowd = 0;
    if (!(network->memory_crowd >= 1)) network->memory_crowd = 0;
}

/* The parts and their messages are known only from a sketch. */
void known_set_distribution(struct reading *reading, struct matrix_case *of)
{
    struct distribution *distribution = &of->distribution;
    struct reading own = reading_inner(reading, "distribution");
    if (!own.object) return;
    const json_t *list = reading_get(&own, "partitions");
    set_network(&own, &distribution->network);
    distribution->networked = !reading_boolean(&own, "network.assumed");
    distribution->single_us = reading_amount(&own, "single_us");
    distribution->measured = reading_boolean(&own, "measured");
    snprintf(distribution->kernel, sizeof distribution->kernel, "%s", reading_text(&own, "kernel", ""));
    text_visible(distribution->kernel);
    distribution->items = memory_zeroed(json_array_size(list), sizeof *distribution->items, own.error);
    if (!distribution->items) own.status = STATUS_MEMORY;
    known_rows(&own, list, "partitions", of, set_division);
    reading_leave(reading, &own);
}
