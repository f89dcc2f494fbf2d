/* The numbers of a saved report's rows. */
#include "report/saved/rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"

static void set_numbers(struct reading *row, struct result *result)
{
    const struct samples *samples = &result->samples;
    reading_columns(row, kernel_columns, owner_result, result, INT64_MAX);
    reading_columns(row, kernel_columns, owner_result_size, &result->size, INT64_MAX);
    result->energy.asked = reading_get(row, "energy") != NULL;
    reading_columns(row, kernel_columns, owner_energy, &result->energy, INT64_MAX);
    reading_columns(row, kernel_columns, owner_tuned, &result->tuned, INT_MAX);
    reading_columns(row, kernel_columns, owner_ranked, &result->ranked, INT_MAX);
    if (samples->count > 0 && (isnan(samples->time) || isnan(samples->low) || isnan(samples->high)))
        reading_wrong(row, "time_us, low_us or high_us", "there although samples were taken");
    result->choice.threads = result->resolved.threads;
    result->sized = reading_get(row, "bytes") != NULL;
    /* the report has no number of entries in COO, but says whether COO matters */
    result->size.apart = !reading_boolean(row, "deterministic");
    result->size.dense_ratio = NAN;
}

static void set_verdicts(struct reading *row, struct result *result)
{
    result->status = reading_reason(row, "unavailable", STATUS_UNAVAILABLE, &result->error);
    reading_reason(row, "device_convert_refused", STATUS_UNAVAILABLE, &result->device_convert_refused);
    /* JSON cannot represent the residual of an A x that is not finite */
    if (isnan(result->residual) && reading_get(row, "agrees")) result->residual = INFINITY;
}

static void set_precision(struct reading *row, struct result *result)
{
    const char *name = reading_text(row, "precision", "");
    bool complex = name[0] == 'c';
    enum precision precision = name[0] && strcmp(name + 1, "32") == 0 ? PRECISION_F32 : PRECISION_F64;
    if (strcmp(name, value_name(precision, complex)) != 0)
        reading_wrong(row, "precision", "f64, f32, c64 or c32");
    result->complex = complex;
    result->choice.format.precision = result->resolved.format.precision = precision;
}

static double get_figure(struct reading *timing, const char *key)
{
    double figure = reading_amount(timing, key);
    return isnan(figure) ? 0 : figure;
}

static void set_machine(struct reading *timing, struct machine *machine)
{
    machine->threads = (int)reading_integer(timing, "threads", 0, INT_MAX, 0);
    machine->read = get_figure(timing, "read_bandwidth");
    machine->read_low = get_figure(timing, "read_bandwidth_low");
    machine->copy = get_figure(timing, "copy_bandwidth");
    machine->copy_low = get_figure(timing, "copy_bandwidth_low");
    machine->cache = (size_t)reading_integer(timing, "cache_bytes", 0, INT64_MAX, 0);
}

/* The GPU that kernels were run on, if any. A report does not say its type; so far there is only one. */
static void set_gpu(struct reading *timing, struct machines *machines)
{
    struct machine *machine = &machines->device[0];
    struct reading gpu = reading_inner(timing, "gpu");
    if (!gpu.object) return;
    machines->devices = 1;
    machine->type = device_types[0];
    snprintf(machine->name, sizeof machine->name, "%s", reading_text(&gpu, "device", ""));
    set_machine(&gpu, machine);
    machine->vendor = get_figure(&gpu, "vendor_bandwidth");
    reading_leave(timing, &gpu);
}

/* Reports of y = A x and y += A x may have only `accumulate`. */
static void set_product(struct reading *timing, struct product *product)
{
    const char *name = reading_text(timing, "product", "A"),
               *layout = reading_text(timing, "layout", "columns");
    product->accumulate = reading_boolean(timing, "accumulate");
    product->transposed = strcmp(name, "At") == 0;
    product->by_rows = strcmp(layout, "rows") == 0;
    product->columns = (int)reading_integer(timing, "columns", 1, PRODUCT_COLUMNS_MAX, 1);
    if (!product->transposed && strcmp(name, "A") != 0) reading_wrong(timing, "product", "A or At");
    if (!product->by_rows && strcmp(layout, "columns") != 0)
        reading_wrong(timing, "layout", "columns or rows");
}

static void set_timing(struct reading *timing, struct results *results)
{
    struct bench_options *options = &results->options;
    snprintf(results->name, sizeof results->name, "%s", reading_text(timing, "name", ""));
    text_visible(results->name);
    if (!protocol_find(reading_text(timing, "protocol", protocol_name(PROTOCOL_MEDIAN)), &options->protocol))
        reading_wrong(timing, "protocol", "known to this build");
    options->cold = reading_boolean(timing, "cold");
    set_product(timing, &options->product);
    options->seed = (uint64_t)reading_integer(timing, "seed", 0, INT64_MAX, 1);
    set_machine(timing, &results->machines.host);
    set_gpu(timing, &results->machines);
}

typedef void visit_row(struct reading *row, struct results *results);

/* Call a function for each row of the list, up to the first invalid one. */
static enum status for_rows(const json_t *list, const char *path, struct results *results, visit_row *visit,
                            struct error *error)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        char where[READING_WHERE];
        struct reading row = reading_row(list, k, "kernels", where, path, error);
        if (row.status == STATUS_OK) visit(&row, results);
        if (row.status != STATUS_OK) return row.status;
    }
    return STATUS_OK;
}

/* Append a result for the row. It is freed with the others, even if incomplete. */
static void add_result(struct reading *row, struct results *results)
{
    saved_set_estimate(row, &results->estimates.items[results->count]);
    struct result *result = &results->items[results->count++];
    saved_set_kernel(row, results, result);
    set_numbers(row, result);
    set_precision(row, result);
    set_verdicts(row, result);
    saved_set_prediction(row, result);
    results->held = results->held || reading_get(row, "agrees");
}

static enum status read_rows(const json_t *list, const char *path, struct results *results,
                             struct error *error)
{
    size_t count = json_array_size(list);
    if (count > INT_MAX) return error_at(error, STATUS_LIMIT, path, 0, 0, "too many kernels");
    enum status status = for_rows(list, path, results, saved_note_kernel, error);
    if (status == STATUS_OK) status = for_rows(list, path, results, saved_note_parameters, error);
    if (status != STATUS_OK) return status;
    results->items = memory_zeroed(count, sizeof *results->items, error);
    results->estimates.items = memory_zeroed(count, sizeof *results->estimates.items, error);
    if (!results->items || !results->estimates.items) return STATUS_MEMORY;
    results->estimates.count = (int)count;
    return for_rows(list, path, results, add_result, error);
}

/* Set the operations of each product, which are not columns, from the matrix. */
static enum status count_operations(const json_t *object, const char *path, struct results *results,
                                    struct error *error)
{
    struct reading matrix = {.object = object, .path = path, .where = "the matrix", .error = error};
    results->nnz = reading_integer(&matrix, "nnz", 0, INT64_MAX, 0);
    results->rows = reading_integer(&matrix, "rows", 0, INT64_MAX, 0);
    results->cols = reading_integer(&matrix, "cols", 0, INT64_MAX, 0);
    const struct product product = results->options.product;
    double nnz = (double)results->nnz, y_size = (double)product_y_size(product, results->rows, results->cols);
    for (int k = 0; k < results->count; k++) {
        struct result *result = &results->items[k];
        result->flops = product_flops(nnz, result->complex, product_columns(product));
        result->flops_cmrs = product_flops_cmrs(nnz, y_size, result->complex, product_columns(product));
    }
    return matrix.status;
}

static enum status read_timing(const json_t *object, const char *path, struct results *results,
                               struct error *error)
{
    struct reading timing = {.object = object, .path = path, .where = "timing", .error = error};
    set_timing(&timing, results);
    return timing.status;
}

enum status saved_results(const json_t *matrix, const char *path, struct results *results,
                          struct error *error)
{
    const json_t *list = json_object_get(matrix, "kernels");
    *results = (struct results){0};
    enum status status = read_timing(json_object_get(matrix, "timing"), path, results, error);
    if (status == STATUS_OK) status = read_rows(list, path, results, error);
    if (status == STATUS_OK) status = count_operations(matrix, path, results, error);
    if (status != STATUS_OK) {
        results_free(results);
        return status;
    }
    return STATUS_OK;
}
