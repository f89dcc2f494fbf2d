#include "report/records/schemas.h"

#include "report/json/schema.h"
#include "report/records/collection.h"
#include "report/records/compare.h"
#include "report/records/figures.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

/* The value of a sheet's column. Any cell may be missing. */
static json_t *cell_schema(const struct column *column)
{
    const char *type = column->type == VALUE_INTEGER ? "integer"
                       : column->type == VALUE_REAL  ? "number"
                                                     : "string";
    return json_pack("{s:s, s:s, s:[s, s]}", "title", column->heading, "description", column->help, "type",
                     type, "null");
}

/* A list of rows, which are objects. */
static json_t *sheet_schema(const struct sheet *sheet)
{
    json_t *properties = json_object(), *required = json_array();
    bool failed = !properties || !required;
    for (int c = 0; !failed && c < sheet->wide; c++)
        failed =
            json_object_set_new(properties, sheet->columns[c].key, cell_schema(&sheet->columns[c])) != 0 ||
            json_array_append_new(required, json_string(sheet->columns[c].key)) != 0;
    if (!failed)
        return json_pack("{s:s, s:s, s:{s:s, s:o, s:o}}", "title", sheet->title, "type", "array", "items",
                         "type", "object", "properties", properties, "required", required);
    json_decref(properties);
    json_decref(required);
    return NULL;
}

/* An object with a list for each sheet. Frees the sheets. */
static json_t *tables_schema(struct sheets *sheets, const char *name, const char *id, const char *help)
{
    json_t *properties = json_pack("{s:{s:s}}", "schema", "const", name),
           *required = json_pack("[s]", "schema");
    bool failed = !properties || !required || sheets->failed;
    for (int s = 0; !failed && s < sheets->count; s++)
        failed =
            json_object_set_new(properties, sheets->items[s].key, sheet_schema(&sheets->items[s])) != 0 ||
            json_array_append_new(required, json_string(sheets->items[s].key)) != 0;
    sheets_free(sheets);
    if (!failed)
        return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "$schema", DRAFT, "$id", id, "title", name,
                         "description", help, "type", "object", "properties", properties, "required",
                         required);
    json_decref(properties);
    json_decref(required);
    return NULL;
}

json_t *survey_tables_schema(void)
{
    const struct collection nothing = {0};
    struct sheets sheets = {0};
    figures_append(&nothing, &sheets);
    return tables_schema(&sheets, SURVEY_SCHEMA, "urn:sparsight:survey-tables:1",
                         "The output of `sparsight survey --format=json`");
}

json_t *compare_schema(void)
{
    struct sheets sheets = {0};
    compare_nothing(&sheets);
    return tables_schema(&sheets, COMPARE_SCHEMA, "urn:sparsight:compare:1",
                         "The output of `sparsight compare --format=json`");
}

/* {"survey": ...}: the members of an origin, and two more. */
static json_t *first_line_schema(const json_t *report)
{
    static const char *const keys[] = {"version", "date", "command", "host"};
    json_t *properties =
        json_pack("{s:{s:s}, s:{s:s, s:s}}", "schema", "const", SURVEY_SCHEMA, "settings", "description",
                  "the options that the records depend on, as they were given", "type", "string");
    json_t *required = json_pack("[s, s]", "schema", "settings");
    bool failed = !properties || !required;
    for (size_t k = 0; !failed && k < sizeof keys / sizeof *keys; k++)
        failed = json_object_set(properties, keys[k],
                                 json_object_get(json_object_get(report, "properties"), keys[k])) != 0 ||
                 json_array_append_new(required, json_string(keys[k])) != 0;
    if (!failed)
        return json_pack("{s:s, s:s, s:{s:{s:s, s:o, s:o}}, s:[s]}", "description",
                         "the first line: what the survey is of", "type", "object", "properties", "survey",
                         "type", "object", "properties", properties, "required", required, "required",
                         "survey");
    json_decref(properties);
    json_decref(required);
    return NULL;
}

/* {"input": ...}: the lines before it belong to this input. */
static json_t *input_schema(void)
{
    return json_pack("{s:s, s:s, s:{s:{s:s, s:{s:{s:s, s:s}, s:{s:s, s:[s, s]}, s:{s:s, s:s}, s:{s:s, s:s}}, "
                     "s:[s, s, s, s]}}, s:[s]}",
                     "description", "the end of an input, whose matrices and errors precede it", "type",
                     "object", "properties", "input", "type", "object", "properties", "name", "description",
                     "the name of the input", "type", "string", "bytes", "description",
                     "the name's bytes as hexadecimal digits if it is not UTF-8", "type", "string", "null",
                     "failed", "description", "whether the input or a kernel on it failed", "type", "boolean",
                     "seconds", "description", "how long it took", "type", "number", "required", "name",
                     "bytes", "failed", "seconds", "required", "input");
}

json_t *survey_lines_schema(void)
{
    json_t *report = schema_json();
    json_t *defs = report ? json_incref(json_object_get(report, "$defs")) : NULL;
    json_t *schema = NULL;
    if (defs && json_object_set_new(defs, "survey", first_line_schema(report)) == 0 &&
        json_object_set_new(defs, "input", input_schema()) == 0)
        schema = json_pack("{s:s, s:s, s:s, s:s, s:[{s:s}, {s:s}, {s:s}], s:O}", "$schema", DRAFT, "$id",
                           "urn:sparsight:survey:1", "title", SURVEY_SCHEMA, "description",
                           "A line of the file that `sparsight survey -o FILE` writes", "anyOf", "$ref",
                           "#/$defs/survey", "$ref", "#/$defs/input", "$ref", "#/$defs/line", "$defs", defs);
    json_decref(defs);
    json_decref(report);
    return schema;
}
