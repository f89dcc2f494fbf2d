/* The report as JSON: one document, or one line a matrix. Its keys are described in sparsight-report(5). */
#include "report/json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/host.h"
#include "report/json/carried.h"
#include "report/json/schema.h"
#include "report/json/write.h"
#include "report/origin.h"
#include "report/report.h"
#include "session/portrait.h"

/* The value of a parameter with a list of words. A word such as "16" still becomes a number. */
static json_t *word_json(const char *word)
{
    char *end;
    long long number = strtoll(word, &end, 10);
    return *end ? json_string(word) : json_integer(number);
}

static json_t *parameter_json(const struct parameter *parameter, double value)
{
    if (parameter->type == PARAMETER_WORD) return word_json(parameter->words[(int)value]);
    return parameter->type == PARAMETER_REAL ? json_real(value) : json_integer((json_int_t)value);
}

/* Set each parameter in an object; false without memory. Parameters not chosen yet are omitted. */
static bool add_parameters(json_t *object, const struct parameter *parameters, const double *numbers)
{
    for (int k = 0; parameters && parameters[k].name; k++) {
        if (isnan(numbers[k])) continue;
        json_t *value = parameter_json(&parameters[k], numbers[k]);
        if (json_object_set_new(object, parameters[k].name, value) != 0) return false;
    }
    return true;
}

static json_t *parameters_json(struct value value)
{
    json_t *object = json_object();
    if (object && add_parameters(object, value.parameters, value.numbers) &&
        add_parameters(object, value.further, value.further_numbers))
        return object;
    json_decref(object);
    return NULL;
}

json_t *value_json(struct value value)
{
    switch (value.type) {
    case VALUE_TEXT:
        return json_from_bytes(value.text);
    case VALUE_INTEGER:
        return json_integer(value.integer);
    case VALUE_REAL:
        return json_real(value.real);
    case VALUE_PARAMETERS:
        return parameters_json(value);
    case VALUE_BOOLEAN:
        return json_boolean(value.boolean);
    case VALUE_NULL:
        break;
    }
    return json_null();
}

json_t *columns_json(const struct column *table, const struct subject *subject)
{
    json_t *object = json_object();
    for (const struct column *column = table; object && column->key; column++) {
        if (json_set_dotted(object, column->key, value_json(column_get(column, subject)))) continue;
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *histogram_json(const struct lengths *lengths)
{
    json_t *list = json_array();
    for (int64_t k = 0; list && k < lengths->bins; k++) {
        json_t *bin = json_pack("{s:I, s:I}", "length", (json_int_t)lengths->histogram[k].length, "count",
                                (json_int_t)lengths->histogram[k].count);
        if (json_array_append_new(list, bin) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The number of values of each power of ten that occurs; null for a pattern matrix. */
static json_t *decades_json(const struct matrix_case *matrix_case)
{
    if (!part_applies(&part_values, &(struct subject){.matrix_case = matrix_case})) return json_null();
    json_t *list = json_array();
    for (int d = 0; list && d < VALUES_DECADES; d++) {
        int64_t count = matrix_case->values.decades[d];
        if (count == 0) continue;
        json_t *bin = json_pack("{s:i, s:I}", "decade", d + VALUES_FIRST_DECADE, "count", (json_int_t)count);
        if (json_array_append_new(list, bin) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A text for each line of the notes. */
static json_t *notes_json(const char *notes)
{
    json_t *list = json_array();
    while (list && notes && *notes) {
        size_t length = strcspn(notes, "\n");
        struct text line = {0};
        text_append_bytes(&line, notes, length);
        bool failed = line.failed || json_array_append_new(list, json_from_bytes(line.data)) != 0;
        text_free(&line);
        if (failed) {
            json_decref(list);
            return NULL;
        }
        notes += length + (notes[length] == '\n');
    }
    return list;
}

/* The sentences on the peculiarities of the matrix. */
static json_t *portrait_json(const struct session *session, const struct matrix_case *matrix_case)
{
    struct portrait portrait;
    json_t *list = json_array();
    portrait_make(session, matrix_case, &portrait);
    for (int k = 0; list && k < portrait.count; k++)
        if (json_array_append_new(list, json_from_bytes(portrait.sentence[k])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *text_or_null(const char *text)
{
    return text && text[0] ? json_from_bytes(text) : json_null();
}

/* The format of the file, and its metadata; null for missing ones. */
static json_t *source_json(const struct matrix *matrix)
{
    const struct about *about = &matrix->about;
    const char *text, *name;
    json_t *object = json_object();
    bool failed = !object || json_object_set_new(object, "format", text_or_null(matrix->format)) != 0 ||
                  json_object_set_new(object, "variable", text_or_null(matrix->variable)) != 0 ||
                  json_object_set_new(object, "transposed", json_boolean(matrix->transposed)) != 0;
    for (int k = 0; !failed && (text = about_text(about, k, &name)); k++)
        failed = json_object_set_new(object, name, text_or_null(text)) != 0;
    failed = failed || json_object_set_new(object, "comments", text_or_null(about->comments)) != 0 ||
             json_object_set_new(object, "notes", text_or_null(about->notes)) != 0;
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

/* The number of ranks that the matrix is distributed over; null for a single process. */
static json_t *ranks_json(const struct matrix_case *matrix_case)
{
    const struct subject subject = {.matrix_case = matrix_case};
    if (!part_applies(&part_ranks, &subject)) return json_null();
    return columns_json(rank_columns, &subject);
}

static bool add_order(json_t *list, const char *name, const char *refused)
{
    json_t *item = json_pack("{s:o, s:o}", "order", json_from_bytes(name), "refused",
                             refused ? json_from_bytes(refused) : json_null());
    return json_array_append_new(list, item) == 0;
}

/* The reported orders, and the requested orders that were refused. */
static json_t *orders_json(const struct session *session)
{
    json_t *list = json_array();
    bool failed = !list;
    for (int k = 0; !failed && k < session->case_count; k++)
        failed = !add_order(list, session->cases[k].order, NULL);
    for (int k = 0; !failed && k < session->refused_count; k++)
        failed = !add_order(list, session->refused[k].name, session->refused[k].error.message);
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* A list with an object for each of `count` subjects, made of these columns. */
static json_t *list_json(const struct column *list_columns, const struct subject *subjects, int count)
{
    json_t *list = json_array();
    for (int k = 0; list && k < count; k++) {
        if (json_array_append_new(list, columns_json(list_columns, &subjects[k])) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

/* The times of the parts of the report, and of this object, which was begun at `begun`. */
static json_t *costs_json(const struct matrix_case *matrix_case, const struct cost *begun)
{
    struct costs costs = matrix_case->costs;
    struct subject subjects[COSTS_MAX];
    cost_end(&costs, "advice and tables", begun);
    for (int k = 0; k < costs.count; k++)
        subjects[k] = (struct subject){.cost = &costs.items[k]};
    return list_json(cost_columns, subjects, costs.count);
}

/* The values in each type of numbers. */
static json_t *rounding_json(const struct matrix_case *matrix_case)
{
    struct subject subjects[NUMBER_TYPES];
    for (int k = 0; k < NUMBER_TYPES; k++)
        subjects[k] = (struct subject){.matrix_case = matrix_case, .loss = &matrix_case->precisions.type[k]};
    return list_json(rounding_columns, subjects, NUMBER_TYPES);
}

/* Products of the matrix with itself. */
static json_t *spgemm_json(const struct matrix_case *matrix_case)
{
    const int first = spgemm_first(&matrix_case->matrix.csr);
    struct subject subjects[SPGEMM_KINDS];
    for (int k = first; k < SPGEMM_KINDS; k++)
        subjects[k] = (struct subject){.matrix_case = matrix_case, .spgemm = &matrix_case->spgemm[k]};
    return list_json(spgemm_columns, subjects + first, SPGEMM_KINDS - first);
}

static json_t *case_json(const struct session *session, const struct matrix_case *matrix_case)
{
    const struct subject subject = {.matrix_case = matrix_case};
    const struct cost begun = cost_begin();
    json_t *object = columns_json(columns, &subject);
    bool failed =
        !object || json_object_set_new(object, "portrait", portrait_json(session, matrix_case)) != 0 ||
        json_object_set_new(object, "notes", notes_json(matrix_case->matrix.notes.data)) != 0 ||
        json_object_set_new(json_object_get(object, "row_lengths"), "histogram",
                            histogram_json(&matrix_case->row_lengths)) != 0 ||
        json_object_set_new(json_object_get(object, "col_lengths"), "histogram",
                            histogram_json(&matrix_case->col_lengths)) != 0 ||
        json_object_set_new(json_object_get(object, "values"), "histogram", decades_json(matrix_case)) != 0 ||
        json_object_set_new(object, "source", source_json(&matrix_case->matrix)) != 0 ||
        json_object_set_new(object, "order", columns_json(order_columns, &subject)) != 0 ||
        json_object_set_new(object, "orders", orders_json(session)) != 0 ||
        json_object_set_new(object, "carried", carried_json(session, matrix_case)) != 0 ||
        json_object_set_new(object, "ranks", ranks_json(matrix_case)) != 0 ||
        json_object_set_new(object, "distribution", distribution_json(session, matrix_case)) != 0 ||
        json_object_set_new(object, "formats", formats_json(matrix_case)) != 0 ||
        json_object_set_new(object, "timing", timing_json(matrix_case)) != 0 ||
        json_object_set_new(object, "kernels", kernels_json(matrix_case)) != 0 ||
        json_object_set_new(object, "advice", advice_json(session, matrix_case)) != 0 ||
        (case_has(matrix_case, SESSION_PRECISIONS) &&
         json_object_set_new(object, "rounding", rounding_json(matrix_case)) != 0) ||
        (case_has(matrix_case, SESSION_SPGEMM) &&
         json_object_set_new(object, "spgemm", spgemm_json(matrix_case)) != 0) ||
        (matrix_case->solving.count &&
         json_object_set_new(object, "solve", solve_json(session, matrix_case)) != 0) ||
        (matrix_case->trisolves.count &&
         json_object_set_new(object, "trisolve", trisolves_json(matrix_case)) != 0) ||
        (session->costs && json_object_set_new(object, "costs", costs_json(matrix_case, &begun)) != 0);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

json_t *report_json(const struct session *session)
{
    return case_json(session, session->shown);
}

static json_t *place_json(int64_t place)
{
    return place > 0 ? json_integer(place) : json_null();
}

static json_t *failure_json(const struct error *failure)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "path",
                     failure->path[0] ? json_from_bytes(failure->path) : json_null(), "line",
                     place_json(failure->line), "column", place_json(failure->column), "message",
                     json_from_bytes(failure->message));
}

static enum status collect(json_t *list, json_t *item)
{
    return json_array_append_new(list, item) == 0 ? STATUS_OK : STATUS_MEMORY;
}

static enum status json_matrix(struct report *report, const struct session *session,
                               const struct matrix_case *matrix_case, struct text *text)
{
    return collect(report->matrices_array, case_json(session, matrix_case));
}

static enum status json_failure(struct report *report, const struct error *failure, struct text *text)
{
    return collect(report->errors_array, failure_json(failure));
}

/* The object `host`: the machine, with the best figures measured over all matrices. */
static json_t *document_host(const struct report *report)
{
    json_t *host = host_json();
    if (host && json_object_set_new(host, "read_bandwidth", figure_json(report->read)) == 0 &&
        json_object_set_new(host, "copy_bandwidth", figure_json(report->copy)) == 0 &&
        json_object_set_new(host, "cache_bytes",
                            report->cache > 0 ? json_integer((json_int_t)report->cache) : json_null()) == 0)
        return host;
    json_decref(host);
    return NULL;
}

static enum status json_end(struct report *report, struct text *text)
{
    json_t *document = json_pack("{s:s}", "schema", REPORT_SCHEMA);
    bool failed = !document || json_object_update(document, (json_t *)report_here(report)) != 0 ||
                  json_object_set_new(document, "host", document_host(report)) != 0 ||
                  json_object_set(document, "matrices", report->matrices_array) != 0 ||
                  json_object_set(document, "errors", report->errors_array) != 0;
    if (failed) json_decref(document);
    if (failed) return STATUS_MEMORY;
    json_write(document, false, text);
    text_append(text, "\n");
    json_decref(document);
    return STATUS_OK;
}

/* Write an item on a line of its own, and free it. */
static enum status write_line(json_t *item, struct text *text)
{
    if (!item) return STATUS_MEMORY;
    json_write(item, true, text);
    text_append(text, "\n");
    json_decref(item);
    return STATUS_OK;
}

static enum status jsonl_matrix(struct report *report, const struct session *session,
                                const struct matrix_case *matrix_case, struct text *text)
{
    json_t *line = case_json(session, matrix_case);
    if (line && !report->anonymous && json_object_set(line, "report", (json_t *)report_here(report)) != 0) {
        json_decref(line);
        line = NULL;
    }
    return write_line(line, text);
}

static enum status jsonl_failure(struct report *report, const struct error *failure, struct text *text)
{
    return write_line(json_pack("{s:o}", "error", failure_json(failure)), text);
}

static enum status jsonl_end(struct report *report, struct text *text)
{
    return STATUS_OK;
}

const struct report_format report_format_json = {
    .name = "json",
    .summary = "one JSON document with every number, the machine and the errors",
    .carries = true,
    .carry = CARRIED_BYTES,
    .matrix = json_matrix,
    .failure = json_failure,
    .end = json_end,
};

const struct report_format report_format_jsonl = {
    .name = "jsonl",
    .summary = "JSON, one matrix per line; errors as {\"error\": {...}}",
    .carries = true,
    .matrix = jsonl_matrix,
    .failure = jsonl_failure,
    .end = jsonl_end,
};

static json_t *division_json(const struct distributed *division, int64_t rows, size_t *carry)
{
    const struct subject subject = {.division = division};
    json_t *object = columns_json(part_columns, &subject);
    if (json_object_set_new(object, "carried", carried_parts_json(division, rows, carry)) == 0) return object;
    json_decref(object);
    return NULL;
}

/* Divide the remaining bytes evenly over this partition and the following ones. */
static json_t *partitions_json(const struct distribution *distribution, int64_t rows, size_t carry)
{
    json_t *list = json_array();
    for (int k = 0; list && k < distribution->count; k++) {
        const size_t share = carry / (size_t)(distribution->count - k);
        size_t left = share;
        bool put = json_array_append_new(list, division_json(&distribution->items[k], rows, &left)) == 0;
        carry -= share - left;
        if (put) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *network_json(const struct distribution *distribution)
{
    const struct network *network = &distribution->network;
    const bool several = network->node > 1, named = network->name[0] != 0;
    return json_pack("{s:f, s:f, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "latency_us", network->latency_us,
                     "bandwidth_gbs", network->bandwidth_gbs, "assumed", !distribution->networked, "node",
                     several ? network->node : 1, "near_latency_us",
                     several ? json_real(network->near_latency_us) : json_null(), "near_bandwidth_gbs",
                     several ? json_real(network->near_bandwidth_gbs) : json_null(), "crowd",
                     several && network->crowd > 0 ? json_real(network->crowd) : json_null(), "memory_crowd",
                     several && network->memory_crowd > 0 ? json_real(network->memory_crowd) : json_null(),
                     "profile", named ? json_from_bytes(network->name) : json_null(), "date",
                     named ? json_from_bytes(network->date) : json_null());
}

json_t *distribution_json(const struct session *session, const struct matrix_case *matrix_case)
{
    const struct distribution *distribution = &matrix_case->distribution;
    if (distribution->count == 0) return json_null();
    bool known = distribution->kernel[0] != 0;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "network", network_json(distribution), "single_us",
                     figure_json(distribution->single_us), "kernel",
                     known ? json_from_bytes(distribution->kernel) : json_null(), "measured",
                     known ? json_boolean(distribution->measured) : json_null(), "partitions",
                     partitions_json(distribution, matrix_case->matrix.csr.rows, session->carry));
}
