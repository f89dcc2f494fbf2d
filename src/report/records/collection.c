#include "report/records/collection.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/json/write.h"
#include "report/origin.h"

/* Lines */

static void append_line(json_t *value, struct text *text)
{
    if (value) json_write(value, true, text);
    text_append(text, "\n");
    text->failed = text->failed || !value;
    json_decref(value);
}

void survey_line(const char *settings, const char *command, struct text *text)
{
    json_t *date = origin_date(), *origin = date ? origin_here(date, command) : NULL;
    json_t *survey = json_pack("{s:s, s:o}", "schema", SURVEY_SCHEMA, "settings", json_from_bytes(settings));
    if (origin && survey && json_object_update(survey, origin) == 0)
        append_line(json_pack("{s:O}", "survey", survey), text);
    else
        text->failed = true;
    json_decref(date);
    json_decref(origin);
    json_decref(survey);
}

/* The bytes of a name as hexadecimal digits; null if it is UTF-8 and needs none. */
static json_t *bytes_json(const char *name)
{
    json_t *string = json_string(name);
    struct text digits = {0};
    if (string) {
        json_decref(string);
        return json_null();
    }
    for (; *name; name++)
        text_append(&digits, "%02x", (unsigned)(unsigned char)*name);
    string = digits.failed ? NULL : json_string(digits.data);
    text_free(&digits);
    return string;
}

void input_line(const char *name, bool failed, double seconds, struct text *text)
{
    append_line(json_pack("{s:{s:o, s:o, s:b, s:f}}", "input", "name", json_from_bytes(name), "bytes",
                          bytes_json(name), "failed", failed, "seconds", seconds),
                text);
}

void error_line(const char *path, const char *message, struct text *text)
{
    append_line(json_pack("{s:{s:o, s:n, s:n, s:o}}", "error", "path", json_from_bytes(path), "line",
                          "column", "message", json_from_bytes(message)),
                text);
}

/* Reading */

/* Make room for another item of a list. */
static enum status grow(void **items, int count, int *room, size_t size, struct error *error)
{
    if (count < *room) return STATUS_OK;
    int more = *room ? 2 * *room : 64;
    void *grown = memory_resize(*items, (size_t)more, size, error);
    if (!grown) return STATUS_MEMORY;
    *items = grown;
    *room = more;
    return STATUS_OK;
}

static char *name_of(const json_t *input, struct error *error)
{
    const char *bytes = json_string_value(json_object_get(input, "bytes"));
    const char *name = json_string_value(json_object_get(input, "name"));
    if (!bytes) return memory_string(name ? name : "", error);
    size_t length = strlen(bytes) / 2;
    char *out = memory_zeroed(length + 1, 1, error);
    for (size_t k = 0; out && k < length; k++) {
        char digits[3] = {bytes[2 * k], bytes[2 * k + 1], 0};
        out[k] = (char)strtol(digits, NULL, 16);
    }
    return out;
}

/* Append a name, and make the list its owner. NULL: memory for the name was lacking. */
static enum status append_name(char ***names, int *count, int *room, char *name, struct error *error)
{
    void *items = *names;
    enum status status = name ? grow(&items, *count, room, sizeof(char *), error) : STATUS_MEMORY;
    if (status != STATUS_OK) {
        free(name);
        return status;
    }
    *names = items;
    (*names)[(*count)++] = name;
    return STATUS_OK;
}

static enum status take_input(struct collection *collection, const json_t *input, struct error *error)
{
    char *name = name_of(input, error);
    enum status status =
        append_name(&collection->inputs, &collection->input_count, &collection->input_room, name, error);
    if (status != STATUS_OK || !json_is_true(json_object_get(input, "failed"))) return status;
    return append_name(&collection->failures, &collection->failed, &collection->failure_room,
                       memory_string(name, error), error);
}

static enum status take_matrix(struct collection *collection, json_t *value, const char *path,
                               struct error *error)
{
    void *records = collection->records;
    enum status status = grow(&records, collection->count, &collection->room, sizeof(struct record), error);
    if (status != STATUS_OK) return status;
    collection->records = records;
    record_prune(value);
    status = record_read(value, path, &collection->records[collection->count], error);
    if (status == STATUS_OK) collection->count++;
    return status;
}

/* The beginning of a survey's file. */
static const char beginning[] = "{\"survey\": {\"schema\": \"" SURVEY_SCHEMA "\"";

static enum status refuse_line(const char *path, int64_t line, struct error *error)
{
    return error_at(error, STATUS_INPUT, path, line, 0,
                    "not a line of a survey: a survey continues only its own file; give another file");
}

/* True if the text may be the beginning of an unfinished line. The first line is the survey's, and each line
 * is a JSON object. */
static bool is_half_line(const char *line, size_t length, int64_t number)
{
    size_t known = number == 1 ? sizeof beginning - 1 : strlen("{\"");
    if (length == 0 || line[length - 1] == '\n') return false;
    return memcmp(line, beginning, length < known ? length : known) == 0;
}

static enum status take_settings(struct collection *collection, const json_t *survey, const char *path,
                                 int64_t line, struct error *error)
{
    const char *schema = json_string_value(json_object_get(survey, "schema"));
    const char *settings = json_string_value(json_object_get(survey, "settings"));
    if (!schema || strcmp(schema, SURVEY_SCHEMA) != 0) return refuse_line(path, line, error);
    if (collection->settings) return STATUS_OK;
    collection->origin = json_incref((json_t *)survey);
    collection->settings = memory_string(settings ? settings : "", error);
    return collection->settings ? STATUS_OK : STATUS_MEMORY;
}

static enum status take_line(struct collection *collection, json_t *value, bool records, const char *path,
                             int64_t line, struct error *error)
{
    const json_t *input = json_object_get(value, "input"), *survey = json_object_get(value, "survey");
    json_t *failure = json_object_get(value, "error");
    if (survey) return take_settings(collection, survey, path, line, error);
    if (!collection->settings) return refuse_line(path, line, error);
    if (input) return take_input(collection, input, error);
    if (failure && json_array_append(collection->errors, failure) != 0)
        return error_set(error, STATUS_MEMORY, "out of memory to read a survey");
    if (failure) return STATUS_OK;
    if (json_object_get(value, "kernels"))
        return records ? take_matrix(collection, value, path, error) : STATUS_OK;
    return refuse_line(path, line, error);
}

/* Drop the matrices and errors after the last finished input. */
static void cut(struct collection *collection, int count, size_t errors)
{
    while (collection->count > count)
        record_free(&collection->records[--collection->count]);
    while (json_array_size(collection->errors) > errors)
        json_array_remove(collection->errors, errors);
}

/* Read line after line. Only the last line may be incomplete. */
static enum status read_lines(struct collection *collection, FILE *file, const char *path, bool records,
                              char **line, struct error *error)
{
    size_t size = 0, errors = 0;
    int64_t at = 0, number = 0;
    int count = 0;
    ssize_t length;
    enum status status = STATUS_OK;
    while ((length = getline(line, &size, file)) > 0) {
        json_error_t wrong;
        if (is_half_line(*line, (size_t)length, ++number)) break;
        json_t *value = (*line)[length - 1] == '\n' ? json_loadb(*line, (size_t)length, 0, &wrong) : NULL;
        at += length;
        if (!value) return refuse_line(path, number, error);
        status = take_line(collection, value, records, path, number, error);
        bool done = json_object_get(value, "input") || json_object_get(value, "survey");
        json_decref(value);
        if (status != STATUS_OK) return status;
        if (!done) continue;
        collection->whole = at;
        count = collection->count;
        errors = json_array_size(collection->errors);
    }
    if (ferror(file)) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    cut(collection, count, errors);
    return STATUS_OK;
}

/* A kernel of the collection. */
struct known {
    const char *kernel, *label;
    bool several; /* some matrix has several variants of it in one precision and with one number of threads */
    bool varies;  /* its labels differ */
};

static bool same_run(const struct record_row *a, const struct record_row *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->precision, b->precision) == 0 &&
           a->threads == b->threads;
}

/* Find a kernel in the list, or add it; NULL without memory. */
static struct known *know(struct known *known, int *count, int most, const struct record_row *row)
{
    for (int k = 0; k < *count; k++)
        if (strcmp(known[k].kernel, row->kernel) == 0) return &known[k];
    if (*count == most) return NULL;
    known[*count] = (struct known){.kernel = row->kernel, .label = row->label};
    return &known[(*count)++];
}

/* Rows of one requested kernel share one name, even if a rule chose other parameters for each matrix. If no
 * matrix has several variants of a kernel, this is the kernel's name, else each row's label. */
static void group_rows(struct collection *collection)
{
    enum { KNOWN = 512 };
    struct known known[KNOWN];
    int count = 0;
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count; k++) {
            const struct record_row *row = &collection->records[r].items[k];
            struct known *mine = know(known, &count, KNOWN, row);
            if (!mine) continue;
            mine->varies = mine->varies || strcmp(mine->label, row->label) != 0;
            for (int j = 0; j < k && !mine->several; j++)
                mine->several = same_run(&collection->records[r].items[j], row);
        }
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count; k++) {
            struct record_row *row = &collection->records[r].items[k];
            const struct known *mine = know(known, &count, KNOWN, row);
            row->group = mine && mine->varies && !mine->several ? row->kernel : row->label;
        }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status collection_read(FILE *file, const char *path, bool records, struct collection *collection,
                            struct error *error)
{
    char *line = NULL;
    *collection = (struct collection){.errors = json_array(), .path = path};
    enum status status = collection->errors
                             ? read_lines(collection, file, path, records, &line, error)
                             : error_set(error, STATUS_MEMORY, "out of memory to read a survey");
    free(line);
    group_rows(collection);
    if (collection->input_count)
        qsort(collection->inputs, (size_t)collection->input_count, sizeof *collection->inputs, by_name);
    if (status != STATUS_OK) collection_free(collection);
    return status;
}

/* Copy line after line. The lines of an input wait in `group` until its last one tells whether it failed. */
static enum status copy_lines(FILE *file, const char *path, char **line, struct text *group,
                              struct output *output, struct error *error)
{
    size_t size = 0;
    int64_t number = 0;
    ssize_t length;
    while ((length = getline(line, &size, file)) > 0) {
        json_error_t wrong;
        if (is_half_line(*line, (size_t)length, ++number)) break;
        json_t *value = (*line)[length - 1] == '\n' ? json_loadb(*line, (size_t)length, 0, &wrong) : NULL;
        if (!value) return refuse_line(path, number, error);
        const json_t *input = json_object_get(value, "input");
        const bool failed = json_is_true(json_object_get(input, "failed"));
        const bool ends = input || json_object_get(value, "survey");
        json_decref(value);
        if (!failed) text_append_bytes(group, *line, (size_t)length);
        if (group->failed) return error_set(error, STATUS_MEMORY, "out of memory to copy a survey");
        if (!ends) continue;
        if (!failed && output_write(output, group->data, group->length, error) != STATUS_OK) return STATUS_IO;
        text_cut(group, 0);
    }
    if (ferror(file)) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    return STATUS_OK;
}

enum status collection_copy_good(FILE *file, const char *path, struct output *output, struct error *error)
{
    char *line = NULL;
    struct text group = {0};
    enum status status = copy_lines(file, path, &line, &group, output, error);
    text_free(&group);
    free(line);
    return status;
}

bool collection_has(const struct collection *collection, const char *input)
{
    return collection->input_count && bsearch(&input, collection->inputs, (size_t)collection->input_count,
                                              sizeof *collection->inputs, by_name);
}

void collection_free(struct collection *collection)
{
    for (int k = 0; k < collection->count; k++)
        record_free(&collection->records[k]);
    for (int k = 0; k < collection->input_count; k++)
        free(collection->inputs[k]);
    for (int k = 0; k < collection->failed; k++)
        free(collection->failures[k]);
    free(collection->failures);
    free(collection->records);
    free(collection->inputs);
    free(collection->settings);
    json_decref(collection->errors);
    json_decref(collection->origin);
    *collection = (struct collection){0};
}
