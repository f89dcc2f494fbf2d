#include "report/saved/saved.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "matrix/files/container.h"
#include "report/json/carried.h"
#include "report/json/schema.h"
#include "report/report.h"
#include "report/saved/known.h"
#include "report/saved/rows.h"

/* Bytes that jansson's tree takes for each byte of its text. */
#define TREE_BYTES 10
#define BLOCK_BYTES ((size_t)64 << 10)

struct saved {
    char *path;
    json_t *matrices; /* of all documents in the file, in their order */
    json_t *errors;   /* the errors of all documents, in their order */
    char *host;       /* the processor's name; NULL if the file has none */
    json_t *about;    /* the origin of the first document; NULL if the file has none */
};

/* --- from file to matrices --- */

static enum status read_text(struct container *container, size_t limit, struct text *text,
                             struct error *error)
{
    char *block = memory_array(BLOCK_BYTES, 1, error);
    enum status status = block ? STATUS_OK : STATUS_MEMORY;
    while (status == STATUS_OK) {
        ssize_t count = container_read(container, block, BLOCK_BYTES, error);
        if (count == 0) break;
        if (count < 0) status = error && error->status ? error->status : STATUS_IO;
        if (count < 0) break;
        text_append_bytes(text, block, (size_t)count);
        if (text->failed) status = error_set(error, STATUS_MEMORY, "out of memory for a saved report");
        if (status == STATUS_OK && text->length > (size_t)1 << 20)
            status = memory_check(TREE_BYTES * text->length, limit, "a saved report", error);
    }
    free(block);
    return status;
}

static enum status read_file(const char *path, size_t limit, struct text *text, struct error *error)
{
    struct container *container;
    enum status status = container_open(path, &container, error);
    if (status != STATUS_OK) return status;
    status = container_variable(container) ? container_refuse_variable(container, error)
                                           : read_text(container, limit, text, error);
    container_close(container);
    return status;
}

/* Report the JSON error and its position. jansson itself has no message if it runs out of memory. */
static enum status no_json(const char *path, int64_t lines, const json_error_t *fault, struct error *error)
{
    if (!fault->text[0] || json_error_code(fault) == json_error_out_of_memory)
        return error_at(error, STATUS_MEMORY, path, 0, 0, "out of memory to read the report");
    return error_at(error, STATUS_INPUT, path, fault->line > 0 ? lines + fault->line : 0,
                    fault->line > 0 && fault->column > 0 ? fault->column : 0,
                    "not JSON (%s); 'sparsight report --format=json' writes a report to read here",
                    fault->text);
}

static enum status no_report(const struct saved *saved, struct error *error)
{
    return error_at(error, STATUS_INPUT, saved->path, 0, 0,
                    "JSON, but not a report; 'sparsight report --format=json --kernels=LIST' writes one");
}

static enum status take_matrix(struct saved *saved, json_t *matrix, struct error *error)
{
    if (!json_is_object(matrix)) return no_report(saved, error);
    if (json_array_append(saved->matrices, matrix) == 0) return STATUS_OK;
    return error_at(error, STATUS_MEMORY, saved->path, 0, 0, "out of memory to read the report");
}

/* Take the error of a matrix that could not be read. */
static enum status take_error(struct saved *saved, json_t *failure, struct error *error)
{
    if (!json_is_object(failure)) return no_report(saved, error);
    if (json_array_append(saved->errors, failure) == 0) return STATUS_OK;
    return error_at(error, STATUS_MEMORY, saved->path, 0, 0, "out of memory to read the report");
}

/* Note the origin of the first document. */
static enum status take_about(struct saved *saved, const json_t *document, struct error *error)
{
    if (saved->about) return STATUS_OK;
    saved->about = json_pack("{s:O?, s:O?, s:O?, s:O?}", "version", json_object_get(document, "version"),
                             "date", json_object_get(document, "date"), "command",
                             json_object_get(document, "command"), "host", json_object_get(document, "host"));
    if (saved->about) return STATUS_OK;
    return error_at(error, STATUS_MEMORY, saved->path, 0, 0, "out of memory to read the report");
}

/* Note the processor of the first document. */
static enum status take_host(struct saved *saved, const json_t *document, struct error *error)
{
    const char *cpu = json_string_value(json_object_get(json_object_get(document, "host"), "cpu"));
    if (!cpu || saved->host) return STATUS_OK;
    saved->host = memory_string(cpu, error);
    return saved->host ? STATUS_OK : STATUS_MEMORY;
}

static enum status take_document(struct saved *saved, json_t *document, struct error *error)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    json_t *matrices = json_object_get(document, "matrices"), *errors = json_object_get(document, "errors");
    if (!schema) return no_report(saved, error);
    if (strcmp(schema, REPORT_SCHEMA) != 0 && strcmp(schema, REPORT_SCHEMA_BEFORE) != 0)
        return error_at(error, STATUS_INPUT, saved->path, 0, 0,
                        "a report of the schema '%.40s'; this version reads %s and %s", schema,
                        REPORT_SCHEMA_BEFORE, REPORT_SCHEMA);
    if (!json_is_array(matrices)) return no_report(saved, error);
    enum status status = take_about(saved, document, error);
    if (status == STATUS_OK) status = take_host(saved, document, error);
    for (size_t k = 0; k < json_array_size(matrices) && status == STATUS_OK; k++)
        status = take_matrix(saved, json_array_get(matrices, k), error);
    for (size_t k = 0; k < json_array_size(errors) && status == STATUS_OK; k++)
        status = take_error(saved, json_array_get(errors, k), error);
    return status;
}

/* Take the first line of a survey, which has its machine. */
static enum status take_survey(struct saved *saved, const json_t *survey, struct error *error)
{
    enum status status = take_about(saved, survey, error);
    return status == STATUS_OK ? take_host(saved, survey, error) : status;
}

/* Take a matrix of JSON lines, which may state its origin. */
static enum status take_line(struct saved *saved, json_t *matrix, struct error *error)
{
    const json_t *origin = json_object_get(matrix, "report");
    enum status status = json_is_object(origin) ? take_about(saved, origin, error) : STATUS_OK;
    if (status == STATUS_OK && json_is_object(origin)) status = take_host(saved, origin, error);
    return status == STATUS_OK ? take_matrix(saved, matrix, error) : status;
}

/* Take a value of the file: a document, or a line of JSON lines, which is a matrix or an error. */
static enum status take_value(struct saved *saved, json_t *value, struct error *error)
{
    if (json_object_get(value, "schema")) return take_document(saved, value, error);
    if (json_object_get(value, "kernels")) return take_line(saved, value, error);
    if (json_object_get(value, "error") && json_object_size(value) == 1)
        return take_error(saved, json_object_get(value, "error"), error);
    if (json_object_get(value, "input") && json_object_size(value) == 1) return STATUS_OK;
    if (json_object_get(value, "survey")) return take_survey(saved, json_object_get(value, "survey"), error);
    return no_report(saved, error);
}

static size_t skip_blanks(const struct text *text, size_t at)
{
    while (at < text->length && memchr(" \t\r\n", text->data[at], 4))
        at++;
    return at;
}

/* The number of line feeds before `at`. */
static int64_t lines_before(const struct text *text, size_t at)
{
    int64_t lines = 0;
    for (size_t k = 0; k < at; k++)
        lines += text->data[k] == '\n';
    return lines;
}

/* Take one value after another up to the end of the text. */
static enum status parse(struct saved *saved, const struct text *text, struct error *error)
{
    size_t at = skip_blanks(text, 0);
    if (at == text->length)
        return error_at(error, STATUS_INPUT, saved->path, 0, 0, "empty: no report was written here");
    while (at < text->length) {
        json_error_t fault = {0};
        json_t *value = json_loadb(text->data + at, text->length - at,
                                   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &fault);
        if (!value) return no_json(saved->path, lines_before(text, at), &fault, error);
        enum status status = take_value(saved, value, error);
        json_decref(value);
        if (status != STATUS_OK) return status;
        at = skip_blanks(text, at + (size_t)fault.position);
    }
    return STATUS_OK;
}

static enum status open_all(struct saved *saved, const char *path, size_t limit, struct error *error)
{
    struct text text = {0};
    saved->path = memory_string(path, error);
    if (!saved->path) return STATUS_MEMORY;
    saved->matrices = json_array();
    saved->errors = json_array();
    if (!saved->matrices || !saved->errors)
        return error_set(error, STATUS_MEMORY, "out of memory to read the report");
    enum status status = read_file(path, limit, &text, error);
    if (status == STATUS_OK) status = parse(saved, &text, error);
    text_free(&text);
    return status;
}

enum status saved_open(const char *path, size_t limit, struct saved **saved, struct error *error)
{
    *saved = memory_zeroed(1, sizeof **saved, error);
    if (!*saved) return STATUS_MEMORY;
    enum status status = open_all(*saved, path, limit, error);
    if (status == STATUS_OK) return STATUS_OK;
    if (error && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", path);
    saved_close(*saved);
    *saved = NULL;
    return status;
}

bool saved_is_named(const char *name)
{
    size_t length = strlen(name);
    return (length > 5 && strcmp(name + length - 5, ".json") == 0) ||
           (length > 6 && strcmp(name + length - 6, ".jsonl") == 0);
}

void saved_close(struct saved *saved)
{
    if (!saved) return;
    json_decref(saved->matrices);
    json_decref(saved->errors);
    json_decref(saved->about);
    free(saved->path);
    free(saved->host);
    free(saved);
}

const json_t *saved_matrices(const struct saved *saved)
{
    return saved->matrices;
}

const json_t *saved_errors(const struct saved *saved)
{
    return saved->errors;
}

const char *saved_path(const struct saved *saved)
{
    return saved->path;
}

const json_t *saved_about(const struct saved *saved)
{
    return saved->about;
}

/* --- from matrices to runs --- */

static bool has_number(const json_t *matrix, const char *key, int64_t number)
{
    const json_t *value = json_object_get(matrix, key);
    return json_is_number(value) && json_number_value(value) == (double)number;
}

/* True for a matrix in its natural order. Reports of versions without other orders lack the key. */
static bool is_natural(const json_t *found)
{
    const char *order = json_string_value(json_object_get(json_object_get(found, "order"), "name"));
    return !order || strcmp(order, "natural") == 0;
}

static bool has_size(const json_t *found, const struct matrix_case *of)
{
    return is_natural(found) && has_number(found, "rows", of->matrix.csr.rows) &&
           has_number(found, "cols", of->matrix.csr.cols) && has_number(found, "nnz", case_nnz(of));
}

static const char *name_of(const json_t *matrix)
{
    const char *name = json_string_value(json_object_get(matrix, "name"));
    return name ? name : "";
}

/* Append the matrices of the file, each after a blank. */
static void append_matrices(const struct saved *saved, struct text *text)
{
    enum { SHOWN = 4 };
    size_t count = json_array_size(saved->matrices);
    for (size_t k = 0; k < count && k < SHOWN; k++) {
        const json_t *matrix = json_array_get(saved->matrices, k);
        text_append(text, "%s %.40s (%.0f x %.0f, %.0f entries)", k ? "," : "", name_of(matrix),
                    json_number_value(json_object_get(matrix, "rows")),
                    json_number_value(json_object_get(matrix, "cols")),
                    json_number_value(json_object_get(matrix, "nnz")));
    }
    if (count > SHOWN) text_append(text, " and %zu more", count - SHOWN);
    if (count == 0) text_append(text, " no matrix at all");
}

static enum status not_there(const struct saved *saved, const struct matrix_case *of, struct error *error)
{
    const struct matrix *matrix = &of->matrix;
    struct text text = {0};
    append_matrices(saved, &text);
    error_at(error, STATUS_INPUT, saved->path, 0, 0,
             "no results for %.40s (%lld x %lld, %lld entries); the report has%s", matrix->name,
             (long long)matrix->csr.rows, (long long)matrix->csr.cols, (long long)case_nnz(of),
             text.data ? text.data : "");
    text_free(&text);
    return STATUS_INPUT;
}

/* The criteria for choosing matrices of the file. */
struct choice {
    const struct matrix_case *of;
    bool by_name; /* some matrix has the same name */
    int fitting;  /* the number of matrices with the same size */
    bool alike;   /* all matches have one name */
};

static struct choice choose(const struct saved *saved, const struct matrix_case *of)
{
    struct choice choice = {.of = of, .alike = true};
    const char *first = NULL;
    for (size_t k = 0; k < json_array_size(saved->matrices); k++) {
        const json_t *found = json_array_get(saved->matrices, k);
        if (!has_size(found, of)) continue;
        if (!first) first = name_of(found);
        choice.fitting++;
        choice.by_name = choice.by_name || strcmp(name_of(found), of->matrix.name) == 0;
        choice.alike = choice.alike && strcmp(name_of(found), first) == 0;
    }
    return choice;
}

static bool is_chosen(const struct choice *choice, const json_t *found)
{
    if (!has_size(found, choice->of)) return false;
    return !choice->by_name || strcmp(name_of(found), choice->of->matrix.name) == 0;
}

/* Append a label: the name of the run, if it has one, the file, the GPU or processor or both that kernels
 * were run on, and the order of the matrix unless it is the natural one. */
static void append_label(const struct saved *saved, const json_t *found, const struct results *results,
                         struct text *text)
{
    const char *slash = strrchr(saved->path, '/'), *gpu = results->machines.device[0].name;
    const char *order = json_string_value(json_object_get(json_object_get(found, "order"), "name"));
    bool host = saved->host && (!gpu[0] || results->machines.host.read > 0);
    if (results->name[0]) text_append(text, "%s, ", results->name);
    text_append(text, "%s%s%s", slash ? slash + 1 : saved->path, gpu[0] ? ": " : "", gpu);
    if (host) text_append(text, "%s%s", gpu[0] ? ", " : ": ", saved->host);
    if (order && strcmp(order, "natural") != 0) text_append(text, ", order %s", order);
}

static enum status add_run(const struct saved *saved, const json_t *found, struct runs *runs,
                           struct error *error)
{
    struct results results;
    struct text label = {0};
    enum status status = saved_results(found, saved->path, &results, error);
    if (status != STATUS_OK && error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", saved->path);
    if (status != STATUS_OK) return status;
    append_label(saved, found, &results, &label);
    if (label.failed)
        status = error_at(error, STATUS_MEMORY, saved->path, 0, 0, "out of memory for a saved run");
    if (status == STATUS_OK) {
        struct error fault = {0};
        struct run *run = runs_add(runs, text_visible(label.data), &results, &fault);
        if (run) run->saved = true;
        if (!run) status = error_at(error, fault.status, saved->path, 0, 0, "%s", fault.message);
    }
    results_free(&results);
    text_free(&label);
    return status;
}

enum status saved_add(const struct saved *saved, const struct matrix_case *of, struct runs *runs,
                      struct error *error)
{
    const struct matrix *matrix = &of->matrix;
    struct choice choice = choose(saved, of);
    enum status status = STATUS_OK;
    int added = 0;
    if (choice.fitting == 0) return not_there(saved, of, error);
    if (!choice.by_name && !choice.alike)
        return error_at(error, STATUS_INPUT, saved->path, 0, 0,
                        "%d matrices have the size of %.40s, but none has its name", choice.fitting,
                        matrix->name);
    for (size_t k = 0; k < json_array_size(saved->matrices) && status == STATUS_OK; k++) {
        const json_t *found = json_array_get(saved->matrices, k);
        if (!is_chosen(&choice, found) || json_array_size(json_object_get(found, "kernels")) == 0) continue;
        status = add_run(saved, found, runs, error);
        added++;
    }
    if (status != STATUS_OK || added || !case_has_entries(of)) return status;
    return error_at(
        error, STATUS_INPUT, saved->path, 0, 0,
        "no kernel was run on %.40s in this report: 'sparsight report --kernels=LIST' runs kernels",
        matrix->name);
}

enum status saved_each(const struct saved *saved, saved_take *take, void *argument, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < json_array_size(saved->matrices) && status == STATUS_OK; k++) {
        const json_t *found = json_array_get(saved->matrices, k);
        const json_t *mean = json_object_get(json_object_get(found, "row_lengths"), "mean");
        struct results results;
        if (json_array_size(json_object_get(found, "kernels")) == 0) continue;
        status = saved_results(found, saved->path, &results, error);
        if (status == STATUS_OK)
            status = take(argument, name_of(found), json_is_number(mean) ? json_number_value(mean) : NAN,
                          &results, error);
        results_free(&results);
    }
    return status;
}

enum status saved_case(const struct saved *saved, size_t k, size_t limit, struct session *session,
                       struct error *error)
{
    const json_t *matrix = json_array_get(saved->matrices, k);
    const char *order = json_string_value(json_object_get(json_object_get(matrix, "order"), "name"));
    enum status status = known_session(matrix, saved->path, limit, session, error);
    if (status != STATUS_OK) return status;
    if (order) session->shown->order = order;
    if (json_array_size(json_object_get(matrix, "kernels")) == 0) return STATUS_OK;
    struct results results;
    status = saved_results(matrix, saved->path, &results, error);
    if (status == STATUS_OK)
        session->shown->results = results; /* the case had no results */
    else if (error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", saved->path);
    return status;
}

/* A report writes the results of its case. So each run temporarily becomes the results of the shown case. */
static enum status write_runs(struct report *report, struct session *session, struct error *error)
{
    struct matrix_case *shown = session->shown;
    const struct results own = shown->results;
    enum status status = STATUS_OK;
    for (int k = 0; k < shown->runs.count && status == STATUS_OK; k++) {
        const struct run *run = shown->runs.items[k];
        if (run->saved) continue;
        shown->results = run->results;
        status = report_matrix(report, session, error);
        if (shown == session->cases) session->carry = 0; /* one copy suffices */
    }
    shown->results = own;
    return status;
}

enum status saved_write(struct session *session, const char *path, struct error *error)
{
    struct report report;
    enum status status = report_open(&report, &report_format_json, path, error);
    if (status != STATUS_OK) return status;
    struct matrix_case *shown = session->shown;
    const size_t carry = session->carry;
    session->carry = CARRIED_BYTES;
    for (int c = 0; c < session->case_count && status == STATUS_OK; c++) {
        session->shown = &session->cases[c];
        status = write_runs(&report, session, error);
    }
    session->shown = shown;
    session->carry = carry;
    if (status == STATUS_OK) status = report_close(&report, error);
    report_abandon(&report);
    for (int c = 0; c < session->case_count && status == STATUS_OK; c++)
        for (int k = 0; k < session->cases[c].runs.count; k++)
            session->cases[c].runs.items[k]->kept = true;
    return status;
}
