#include "report/records/record.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/saved/reading.h"

static void read_row(struct reading *reading, struct record_row *row)
{
    const json_t *params = reading_get(reading, "params");
    *row = (struct record_row){.kernel = reading_text(reading, "kernel", ""),
                               .backend = reading_text(reading, "backend", ""),
                               .format = reading_text(reading, "format", ""),
                               .precision = reading_text(reading, "precision", ""),
                               .params = json_is_object(params) ? params : NULL,
                               .unavailable = reading_text(reading, "unavailable", NULL),
                               .threads = (int)reading_integer(reading, "threads", 0, INT_MAX, 0),
                               .time = reading_amount(reading, "time_us"),
                               .median = reading_amount(reading, "median_us"),
                               .low = reading_amount(reading, "low_us"),
                               .high = reading_amount(reading, "high_us"),
                               .predicted = reading_amount(reading, "predicted_us"),
                               .gflops = reading_amount(reading, "gflops"),
                               .beta_minus = reading_amount(reading, "beta_minus"),
                               .beta_plus = reading_amount(reading, "beta_plus"),
                               .eta_minus = reading_amount(reading, "eta_minus"),
                               .eta_plus = reading_amount(reading, "eta_plus"),
                               .padding_ratio = reading_amount(reading, "padding_ratio")};
    row->label = reading_text(reading, "label", row->kernel);
    row->height = reading_amount(reading, "params.height");
    row->a_128 = reading_amount(reading, "cmrs.a_128");
    row->a_256 = reading_amount(reading, "cmrs.a_256");
    if (!row->kernel[0]) reading_wrong(reading, "kernel", "there");
}

static enum status read_rows(const json_t *list, const char *path, struct record *record, struct error *error)
{
    size_t count = json_array_size(list);
    if (count > INT_MAX) return error_at(error, STATUS_LIMIT, path, 0, 0, "too many kernels");
    record->items = memory_zeroed(count, sizeof *record->items, error);
    if (!record->items) return STATUS_MEMORY;
    for (size_t k = 0; k < count; k++) {
        char where[READING_WHERE];
        struct reading row = reading_row(list, k, "kernels", where, path, error);
        if (row.status == STATUS_OK) read_row(&row, &record->items[record->count++]);
        if (row.status != STATUS_OK) return row.status;
    }
    return STATUS_OK;
}

enum status record_read(json_t *matrix, const char *path, struct record *record, struct error *error)
{
    struct reading reading = {.object = matrix, .path = path, .where = "a matrix", .error = error};
    *record = (struct record){.json = json_incref(matrix),
                              .name = reading_text(&reading, "name", ""),
                              .order = reading_text(&reading, "order.name", "natural"),
                              .rows = reading_integer(&reading, "rows", 0, INT64_MAX, 0),
                              .cols = reading_integer(&reading, "cols", 0, INT64_MAX, 0),
                              .nnz = reading_integer(&reading, "nnz", 0, INT64_MAX, 0),
                              .mean = reading_amount(&reading, "row_lengths.mean"),
                              .deviation = reading_amount(&reading, "row_lengths.percent_average_deviation")};
    enum status status = reading.status;
    if (status == STATUS_OK) status = read_rows(json_object_get(matrix, "kernels"), path, record, error);
    if (status != STATUS_OK) record_free(record);
    return status;
}

void record_prune(json_t *matrix)
{
    static const char *const unused[] = {"formats", "advice", "source", "values", "col_lengths", "structure"};
    static const char *const of_kernels[] = {"estimate", "predicted", "tuning"};
    for (size_t k = 0; k < sizeof unused / sizeof *unused; k++)
        json_object_del(matrix, unused[k]);
    json_object_del(json_object_get(matrix, "row_lengths"), "histogram");
    const json_t *list = json_object_get(matrix, "kernels");
    for (size_t r = 0; r < json_array_size(list); r++)
        for (size_t k = 0; k < sizeof of_kernels / sizeof *of_kernels; k++)
            json_object_del(json_array_get(list, r), of_kernels[k]);
}

void record_free(struct record *record)
{
    free(record->items);
    json_decref(record->json);
    *record = (struct record){0};
}

bool record_timed(const struct record_row *row)
{
    return !row->unavailable && row->median > 0 && row->low > 0 && row->high > 0;
}

bool record_tied(const struct record_row *a, const struct record_row *b)
{
    return a->low <= b->high && b->low <= a->high;
}

const struct record_row *record_fastest(const struct record *record, const char *precision)
{
    const struct record_row *fastest = NULL;
    for (int k = 0; k < record->count; k++) {
        const struct record_row *row = &record->items[k];
        if (strcmp(row->precision, precision) != 0 || !record_timed(row)) continue;
        if (!fastest || row->median < fastest->median) fastest = row;
    }
    return fastest;
}

bool record_same_matrix(const struct record *a, const struct record *b)
{
    return strcmp(a->name, b->name) == 0 && a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz;
}
