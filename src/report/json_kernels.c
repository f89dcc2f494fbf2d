/* The kernels of a matrix as JSON. */
#include <math.h>

#include "report/json_write.h"
#include "report/parts.h"

json_t *figure_json(double figure)
{
    return figure > 0 && isfinite(figure) ? json_real(figure) : json_null();
}

static json_t *kernel_json(const struct results *results, const struct result *result)
{
    json_t *object = json_object();
    bool failed = !object;
    for (const struct column *column = kernel_columns; !failed && column->key; column++)
        failed =
            json_object_set_new(object, column->key, value_json(kernel_value(column, results, result))) != 0;
    failed = failed || json_object_set_new(object, "label", json_from_bytes(result->name)) != 0 ||
             json_object_set_new(object, "estimate", json_null()) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

json_t *kernels_json(const struct session *session)
{
    const struct results *results = &session->results;
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

/* The figures of the GPU; null if nothing ran there. */
static json_t *gpu_json(const struct machine *machine)
{
    if (!machine->name[0]) return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "device", machine->name, "read_bandwidth",
                     figure_json(machine->read), "read_bandwidth_low", figure_json(machine->read_low),
                     "copy_bandwidth", figure_json(machine->copy), "copy_bandwidth_low",
                     figure_json(machine->copy_low), "vendor_bandwidth", figure_json(machine->vendor),
                     "cache_bytes", cache_json(machine));
}

json_t *timing_json(const struct session *session)
{
    const struct results *results = &session->results;
    const struct bench_options *options = &results->options;
    const struct machine *machine = &results->machines[DEVICE_HOST];
    if (results->count == 0) return json_null();
    return json_pack("{s:s, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "protocol",
                     protocol_name(options->protocol), "cold", options->cold, "accumulate",
                     options->accumulate, "seed", (json_int_t)(options->seed ? options->seed : 1), "threads",
                     machine->threads ? json_integer(machine->threads) : json_null(), "read_bandwidth",
                     figure_json(machine->read), "read_bandwidth_low", figure_json(machine->read_low),
                     "copy_bandwidth", figure_json(machine->copy), "copy_bandwidth_low",
                     figure_json(machine->copy_low), "cache_bytes", cache_json(machine), "gpu",
                     gpu_json(&results->machines[DEVICE_GPU]));
}
