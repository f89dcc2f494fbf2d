/* The kernels of a matrix as JSON. */
#include <math.h>

#include "report/json/counts.h"
#include "report/json/json.h"
#include "report/json/write.h"

json_t *figure_json(double figure)
{
    return figure > 0 && isfinite(figure) ? json_real(figure) : json_null();
}

/* Set the counts of a kind of access or of an operand in the object of this name, which may already contain
 * columns. */
static bool add_counts(json_t *parent, const char *name, const struct trace_counts *counts)
{
    json_t *object = json_object_get(parent, name);
    if (!object) {
        if (json_object_set_new(parent, name, json_object()) != 0) return false;
        object = json_object_get(parent, name);
    }
    for (const struct count_key *key = count_keys; key->key; key++) {
        const int64_t *number = (const void *)((const char *)counts + key->offset);
        json_t *value = *number >= 0 ? json_integer((json_int_t)*number) : json_null();
        if (json_object_set_new(object, key->key, value) != 0) return false;
    }
    return true;
}

/* Set all counts of an estimate; most of them are not columns. */
static bool add_details(json_t *object, const struct estimate *estimate)
{
    json_t *outer = json_object_get(object, "estimate"), *operands = json_object_get(outer, "operands");
    for (int a = 0; a < ACCESSES; a++)
        if (!add_counts(outer, access_keys[a], &estimate->accesses[a])) return false;
    for (int o = 0; o < OPERANDS; o++)
        if (!add_counts(operands, operand_names[o], &estimate->operands[o])) return false;
    return true;
}

static json_t *kernel_json(const struct results *results, const struct result *result)
{
    const struct subject subject = {.results = results, .result = result};
    const struct estimate *estimate = results_estimate_of(results, result);
    json_t *object = json_object();
    bool failed = !object;
    for (const struct column *column = kernel_columns; !failed && column->key; column++) {
        if (!part_applies(column->part, &subject)) continue;
        failed = !json_set_dotted(object, column->key, value_json(column_get(column, &subject)));
    }
    failed = failed || json_object_set_new(object, "label", json_from_bytes(result->name)) != 0 ||
             (estimate && !add_details(object, estimate));
    for (const struct column_part *const *part = kernel_parts; !failed && *part; part++)
        if (!part_applies(*part, &subject))
            failed = json_object_set_new(object, (*part)->key, json_null()) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

json_t *kernels_json(const struct matrix_case *matrix_case)
{
    const struct results *results = &matrix_case->results;
    json_t *list = json_array();
    for (int k = 0; list && k < results->count; k++) {
        if (json_array_append_new(list, kernel_json(results, &results->items[k])) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *cache_json(const struct machine *machine)
{
    return machine->cache ? json_integer((json_int_t)machine->cache) : json_null();
}

/* The figures of the first device; null if nothing ran there. */
static json_t *gpu_json(const struct machines *machines)
{
    const struct machine *machine = &machines->device[0];
    if (machines->devices == 0 || !machine->name[0]) return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "device", machine->name, "read_bandwidth",
                     figure_json(machine->read), "read_bandwidth_low", figure_json(machine->read_low),
                     "copy_bandwidth", figure_json(machine->copy), "copy_bandwidth_low",
                     figure_json(machine->copy_low), "vendor_bandwidth", figure_json(machine->vendor),
                     "cache_bytes", cache_json(machine));
}

json_t *timing_json(const struct matrix_case *matrix_case)
{
    const struct results *results = &matrix_case->results;
    const struct bench_options *options = &results->options;
    const struct machine *machine = &results->machines.host;
    if (results->count == 0) return json_null();
    return json_pack(
        "{s:o, s:s, s:b, s:b, s:s, s:i, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
        results->name[0] ? json_from_bytes(results->name) : json_null(), "protocol",
        protocol_name(options->protocol), "cold", options->cold, "accumulate", options->product.accumulate,
        "product", options->product.transposed ? "At" : "A", "columns", product_columns(options->product),
        "layout", options->product.by_rows ? "rows" : "columns", "seed",
        (json_int_t)(options->seed ? options->seed : 1), "threads",
        machine->threads ? json_integer(machine->threads) : json_null(), "read_bandwidth",
        figure_json(machine->read), "read_bandwidth_low", figure_json(machine->read_low), "copy_bandwidth",
        figure_json(machine->copy), "copy_bandwidth_low", figure_json(machine->copy_low), "cache_bytes",
        cache_json(machine), "gpu", gpu_json(&results->machines));
}
