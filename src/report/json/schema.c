#include "report/json/schema.h"

#include <stdbool.h>
#include <string.h>

#include "columns/columns.h"
#include "matrix/about.h"
#include "report/json/counts.h"
#include "report/json/schema_keys.h"
#include "session/advice.h"

/* All functions here return false or NULL without memory, and take over the values that they set. */

static bool set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static bool add_type(json_t *list, bool there, const char *name)
{
    return !there || json_array_append_new(list, json_string(name)) == 0;
}

/* Make the value of `type`: a name, or a list of names. */
static json_t *type_json(unsigned types)
{
    json_t *list = json_array();
    if (!list || !add_type(list, types & SCHEMA_TEXT, "string") ||
        !add_type(list, types & SCHEMA_INTEGER, "integer") ||
        !add_type(list, types & SCHEMA_REAL, "number") ||
        !add_type(list, types & SCHEMA_BOOLEAN, "boolean") ||
        !add_type(list, types & SCHEMA_OBJECT, "object") || !add_type(list, types & SCHEMA_LIST, "array") ||
        !add_type(list, types & SCHEMA_NULL, "null")) {
        json_decref(list);
        return NULL;
    }
    if (json_array_size(list) > 1) return list;
    json_t *name = json_incref(json_array_get(list, 0));
    json_decref(list);
    return name;
}

static json_t *reference(const char *definition)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", definition));
}

/* Describe the members of an object or the items of a list. */
static bool set_content(json_t *schema, unsigned types, const char *of)
{
    if (types & SCHEMA_LIST)
        return set(schema, "items", of ? reference(of) : json_pack("{s:s}", "type", "string"));
    if (!of) return true;
    if (!(types & SCHEMA_NULL)) return set(schema, "$ref", json_sprintf("#/$defs/%s", of));
    return set(schema, "anyOf", json_pack("[o, {s:s}]", reference(of), "type", "null"));
}

static json_t *value_schema(unsigned types, const char *of, const char *title, const char *unit,
                            const char *help)
{
    json_t *schema = json_object();
    if (schema && (!title || set(schema, "title", json_string(title))) &&
        (!unit || set(schema, "x-unit", json_string(unit))) &&
        set(schema, "description", json_string(help)) && set(schema, "type", type_json(types)) &&
        set_content(schema, types, of))
        return schema;
    json_decref(schema);
    return NULL;
}

/* An object without keys so far. */
static json_t *empty_object(const char *title, const char *help, unsigned types)
{
    json_t *schema = json_object();
    if (schema && (!title || set(schema, "title", json_string(title))) &&
        (!help || set(schema, "description", json_string(help))) && set(schema, "type", type_json(types)) &&
        set(schema, "properties", json_object()) && set(schema, "required", json_array()))
        return schema;
    json_decref(schema);
    return NULL;
}

/* Add a required key to an object's schema. */
static bool put(json_t *schema, const char *key, json_t *value)
{
    if (!set(json_object_get(schema, "properties"), key, value)) return false;
    return json_array_append_new(json_object_get(schema, "required"), json_string(key)) == 0;
}

/* Return the schema of an object within another, which is made if it is not there; borrowed. */
static json_t *inner(json_t *schema, const char *key)
{
    json_t *found = json_object_get(json_object_get(schema, "properties"), key);
    if (!found && put(schema, key, empty_object(NULL, NULL, SCHEMA_OBJECT)))
        found = json_object_get(json_object_get(schema, "properties"), key);
    return found;
}

/* The same for a key with dots: return the schema of the object with its last word, and set *key to that
 * word. */
static json_t *owner(json_t *schema, const char **key)
{
    const char *dot;
    while (schema && (dot = strchr(*key, '.'))) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(dot - *key), *key);
        schema = inner(schema, name);
        *key = dot + 1;
    }
    return schema;
}

static unsigned column_types(const struct column *column)
{
    static const unsigned types[] = {
        [VALUE_NULL] = 0,           [VALUE_TEXT] = SCHEMA_TEXT,         [VALUE_INTEGER] = SCHEMA_INTEGER,
        [VALUE_REAL] = SCHEMA_REAL, [VALUE_PARAMETERS] = SCHEMA_OBJECT, [VALUE_BOOLEAN] = SCHEMA_BOOLEAN};
    return types[column->type] | SCHEMA_NULL;
}

static bool put_column(json_t *schema, const struct column *column)
{
    const char *key = column->key;
    json_t *object = owner(schema, &key);
    json_t *value = value_schema(column_types(column), NULL, column->title, column->unit, column->help);
    if (column->type == VALUE_PARAMETERS && value &&
        !set(value, "additionalProperties", json_pack("{s:[s, s]}", "type", "number", "string"))) {
        json_decref(value);
        value = NULL;
    }
    if (object && value) return put(object, key, value);
    json_decref(value);
    return false;
}

static bool put_columns(json_t *schema, const struct column *table)
{
    for (const struct column *column = table; column->key; column++)
        if (!put_column(schema, column)) return false;
    return true;
}

/* Add the keys of a definition that are not columns. */
static bool put_keys(json_t *schema, const char *definition)
{
    for (const struct schema_key *key = schema_keys; key->key; key++)
        if (strcmp(key->in, definition) == 0 &&
            !put(schema, key->key, value_schema(key->types, key->of, NULL, key->unit, key->help)))
            return false;
    return true;
}

static bool put_list(json_t *schema, const char *dotted, unsigned types, const char *of, const char *help)
{
    json_t *object = owner(schema, &dotted);
    return object && put(object, dotted, value_schema(types | SCHEMA_LIST, of, NULL, NULL, help));
}

/* Definitions */

/* Set the displayed titles of a table's parts. Parts that do not apply to all rows may be null. */
static bool name_parts(json_t *schema, const struct column *table)
{
    for (const struct column *column = table; column->key; column++) {
        const struct column_part *part = column->part;
        json_t *object =
            part->key[0] ? json_object_get(json_object_get(schema, "properties"), part->key) : NULL;
        if (!object || json_object_get(object, "title")) continue;
        if (!set(object, "title", json_string(part->title))) return false;
    }
    return true;
}

static bool put_source(json_t *schema)
{
    static const struct about nothing;
    const char *name;
    json_t *source = empty_object(NULL, "the file and its own metadata", SCHEMA_OBJECT);
    bool failed = !source || !put(schema, "source", source);
    const unsigned types = SCHEMA_TEXT | SCHEMA_NULL;
    failed = failed || !put(source, "format", value_schema(types, NULL, NULL, NULL, "the file format")) ||
             !put(source, "variable",
                  value_schema(types, NULL, NULL, NULL, "the name of the matrix in the file")) ||
             !put(source, "transposed",
                  value_schema(SCHEMA_BOOLEAN, NULL, NULL, NULL,
                               "whether the matrix is the transpose of the file's"));
    for (int k = 0; !failed && about_text(&nothing, k, &name); k++)
        failed = !put(source, name, value_schema(types, NULL, NULL, NULL, "as the file gives it"));
    return !failed &&
           put(source, "comments", value_schema(types, NULL, NULL, NULL, "its first lines of comments")) &&
           put(source, "notes", value_schema(types, NULL, NULL, NULL, "its notes, with their line ends"));
}

static json_t *matrix_schema(void)
{
    json_t *schema = empty_object("Matrix", "a matrix in an order of its rows and columns", SCHEMA_OBJECT);
    json_t *order = empty_object(part_order.title, "the order of the matrix", SCHEMA_OBJECT);
    json_t *ranks =
        empty_object(part_ranks.title, "distribution of the matrix over ranks; null if one process has it",
                     SCHEMA_OBJECT | SCHEMA_NULL);
    bool failed = !schema || !order || !ranks || !put_columns(ranks, rank_columns) ||
                  !put_columns(schema, columns) || !name_parts(schema, columns) ||
                  !put_columns(order, order_columns);
    failed =
        failed ||
        !put_list(schema, "portrait", 0, NULL,
                  "sentences on what is peculiar about the matrix; perhaps none") ||
        !put_list(schema, "notes", 0, NULL, "deviations from the source, and tolerated faults") ||
        !put_list(schema, "row_lengths.histogram", 0, "length_count", "rows of each length that occurs") ||
        !put_list(schema, "col_lengths.histogram", 0, "length_count", "columns of each length that occurs") ||
        !put_list(schema, "values.histogram", SCHEMA_NULL, "decade_count", "values of each power of ten") ||
        !put_source(schema) || !put(schema, "order", json_incref(order)) ||
        !put_list(schema, "orders", 0, "asked_order",
                  "all orders that were asked for, the natural one first") ||
        !put(schema, "carried",
             value_schema(SCHEMA_OBJECT | SCHEMA_NULL, "carried", NULL, NULL,
                          "pattern and lengths of the matrix, for --results without it")) ||
        !put(schema, "ranks", json_incref(ranks)) ||
        !put(schema, "distribution",
             value_schema(SCHEMA_OBJECT | SCHEMA_NULL, "distribution", NULL, NULL,
                          "communication and scaling for row partitions")) ||
        !put_list(schema, "formats", 0, "format", "the matrix in each storage format") ||
        !put(schema, "timing",
             value_schema(SCHEMA_OBJECT | SCHEMA_NULL, "timing", NULL, NULL, "settings of the timing")) ||
        !put_list(schema, "kernels", 0, "kernel", "the kernels that were asked for") ||
        !put(schema, "advice", value_schema(SCHEMA_OBJECT, "advice", NULL, NULL, "the recommended kernel")) ||
        !set(json_object_get(schema, "properties"), "rounding",
             value_schema(SCHEMA_LIST, "rounding", NULL, NULL,
                          "the values in types of fewer bits (--rounding)")) ||
        !set(json_object_get(schema, "properties"), "spgemm",
             value_schema(SCHEMA_LIST, "spgemm", NULL, NULL,
                          "products of the matrix with itself (--spgemm)")) ||
        !set(json_object_get(schema, "properties"), "solve",
             value_schema(SCHEMA_OBJECT, "solve", NULL, NULL, "solves by Krylov methods (--solve)")) ||
        !set(
            json_object_get(schema, "properties"), "trisolve",
            value_schema(SCHEMA_OBJECT, "trisolve", NULL, NULL, "times of triangular solves (--trisolve)")) ||
        !set(json_object_get(schema, "properties"), "costs",
             value_schema(SCHEMA_LIST, "cost", NULL, NULL,
                          "the time of the parts of this report (--timing)")) ||
        !set(json_object_get(schema, "properties"), "report",
             value_schema(SCHEMA_OBJECT, "origin", NULL, NULL,
                          "origin of a line of JSON lines: program, date, command line and machine"));
    json_decref(order);
    json_decref(ranks);
    if (!failed) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *format_schema(void)
{
    json_t *schema = empty_object("Format", "the matrix in a storage format", SCHEMA_OBJECT);
    json_t *arrays = json_pack("{s:s, s:[s, s], s:{s:s, s:{s:[s, s, s]}}}", "description",
                               "the arrays by name, if they were asked for; null if the format was refused",
                               "type", "object", "null", "additionalProperties", "type", "array", "items",
                               "type", "number", "array", "null");
    if (schema && arrays && put_columns(schema, format_columns) && name_parts(schema, format_columns) &&
        set(json_object_get(schema, "properties"), "arrays", json_incref(arrays))) {
        json_decref(arrays);
        return schema;
    }
    json_decref(arrays);
    json_decref(schema);
    return NULL;
}

static json_t *partition_schema(void)
{
    json_t *schema = empty_object("Partition", "the rows divided into this number of parts", SCHEMA_OBJECT);
    bool whole = schema && put_columns(schema, part_columns) &&
                 put(schema, "carried",
                     value_schema(SCHEMA_OBJECT | SCHEMA_NULL, "carried_parts", NULL, NULL,
                                  "picture of the partition, for --results without the matrix"));
    if (whole) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *cost_schema(void)
{
    json_t *schema = empty_object("Cost", "the time of a part of this report", SCHEMA_OBJECT);
    if (schema && put_columns(schema, cost_columns)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *rounding_schema(void)
{
    json_t *schema = empty_object("Rounding", "the values stored in a type of numbers", SCHEMA_OBJECT);
    if (schema && put_columns(schema, rounding_columns)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *spgemm_schema(void)
{
    json_t *schema = empty_object("Spgemm", "a product of the matrix with itself", SCHEMA_OBJECT);
    if (schema && put_columns(schema, spgemm_columns)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *solve_run_schema(void)
{
    json_t *schema = empty_object("Solve", "a method with a preconditioner", SCHEMA_OBJECT);
    json_t *curve =
        json_pack("{s:s, s:s, s:{s:s, s:{s:[s, s]}}}", "description",
                  "iterations with the residual of the recurrence after each, in about 200 points at most",
                  "type", "array", "items", "type", "array", "items", "type", "number", "null");
    if (!schema) json_decref(curve);
    if (schema && put_columns(schema, solve_columns) && put(schema, "curve", curve)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *solve_kernel_schema(void)
{
    json_t *schema = empty_object("Kernel in a solve", "a kernel in the fastest solve", SCHEMA_OBJECT);
    if (schema && put_columns(schema, solve_kernel_columns)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *trisolve_schema(void)
{
    json_t *schema = empty_object("Sweep", "a kernel with an operation", SCHEMA_OBJECT);
    if (schema && put_columns(schema, trisolve_columns)) return schema;
    json_decref(schema);
    return NULL;
}

static bool put_counts(json_t *schema, const char *key)
{
    json_t *object = schema ? inner(schema, key) : NULL;
    for (const struct count_key *count = count_keys; count->key; count++) {
        if (!object) return false;
        if (json_object_get(json_object_get(object, "properties"), count->key)) continue;
        if (!put(object, count->key,
                 value_schema(SCHEMA_INTEGER | SCHEMA_NULL, NULL, NULL, NULL, "a count of the estimate")))
            return false;
    }
    return true;
}

/* A part may be null if it does not apply to every kernel. */
static bool allow_null(json_t *schema)
{
    for (const struct column_part *const *part = kernel_parts; *part; part++) {
        json_t *object = json_object_get(json_object_get(schema, "properties"), (*part)->key);
        if ((*part)->applies && object && !set(object, "type", type_json(SCHEMA_OBJECT | SCHEMA_NULL)))
            return false;
    }
    return true;
}

static json_t *kernel_schema(void)
{
    json_t *schema = empty_object("Kernel", "result of a requested kernel", SCHEMA_OBJECT);
    bool failed = !schema || !put_columns(schema, kernel_columns) || !name_parts(schema, kernel_columns) ||
                  !put(schema, "label",
                       value_schema(SCHEMA_TEXT, NULL, NULL, NULL,
                                    "the kernel with its parameters, requested or chosen by rule"));
    json_t *estimate = failed ? NULL : inner(schema, "estimate");
    for (int a = 0; !failed && a < ACCESSES; a++)
        failed = !put_counts(estimate, access_keys[a]);
    json_t *operands = failed ? NULL : inner(estimate, "operands");
    for (int o = 0; !failed && o < OPERANDS; o++)
        failed = !put_counts(operands, operand_names[o]);
    if (!failed && allow_null(schema)) return schema;
    json_decref(schema);
    return NULL;
}

/* By precision; a precision without known kernels is absent. */
static json_t *advice_schema(void)
{
    static const char *const precisions[] = {"f64", "f32", "c64", "c32"};
    json_t *places = empty_object(
        NULL, "the processor or GPU with the keys of its fastest kernel; null if unknown", SCHEMA_OBJECT);
    json_t *properties = json_object();
    bool failed = !places || !properties;
    for (int place = 0; !failed && place < ADVICE_PLACES; place++)
        failed = !put(places, advice_place_key((enum advice_place)place),
                      json_pack("{s:[o, {s:s}]}", "anyOf", reference("advised"), "type", "null"));
    for (int p = 0; !failed && p < 4; p++)
        failed = !set(properties, precisions[p], json_deep_copy(places));
    json_decref(places);
    if (!failed) return json_pack("{s:s, s:o}", "type", "object", "properties", properties);
    json_decref(properties);
    return NULL;
}

/* A machine's advice has the keys of its best candidate, and more. */
static json_t *definition_schema(const char *name)
{
    json_t *schema = empty_object(NULL, NULL, SCHEMA_OBJECT);
    bool advised = strcmp(name, "advised") == 0;
    if (schema && (!advised || put_keys(schema, "candidate")) && put_keys(schema, name)) return schema;
    json_decref(schema);
    return NULL;
}

static json_t *definitions(void)
{
    json_t *defs = json_object();
    bool failed = !defs || !set(defs, "matrix", matrix_schema()) || !set(defs, "format", format_schema()) ||
                  !set(defs, "kernel", kernel_schema()) || !set(defs, "partition", partition_schema()) ||
                  !set(defs, "cost", cost_schema()) || !set(defs, "rounding", rounding_schema()) ||
                  !set(defs, "spgemm", spgemm_schema()) || !set(defs, "solve_run", solve_run_schema()) ||
                  !set(defs, "solve_kernel", solve_kernel_schema()) ||
                  !set(defs, "trisolve_run", trisolve_schema()) || !set(defs, "advice", advice_schema());
    for (const struct schema_key *key = schema_keys; !failed && key->key; key++)
        if (!json_object_get(defs, key->in)) failed = !set(defs, key->in, definition_schema(key->in));
    failed = failed || !set(defs, "line",
                            json_pack("{s:s, s:[o, {s:s, s:{s:o}, s:[s]}]}", "description",
                                      "a line of JSON lines: a matrix, or the error of reading it", "anyOf",
                                      reference("matrix"), "type", "object", "properties", "error",
                                      reference("error"), "required", "error"));
    if (!failed) return defs;
    json_decref(defs);
    return NULL;
}

json_t *schema_json(void)
{
    json_t *schema = json_pack(
        "{s:s, s:s, s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
        "urn:sparsight:report:2", "title", REPORT_SCHEMA, "description",
        "The output of `sparsight report --format=json`; sparsight-report(5) describes it", "type", "object");
    if (schema && set(schema, "properties", json_object()) && set(schema, "required", json_array()) &&
        put(schema, "schema", json_pack("{s:s}", "const", REPORT_SCHEMA)) && put_keys(schema, "origin") &&
        put_list(schema, "matrices", 0, "matrix",
                 "the matrices that could be read, in the order they were named") &&
        put_list(schema, "errors", 0, "error", "the errors of the other matrices, in the same order") &&
        set(schema, "$defs", definitions()))
        return schema;
    json_decref(schema);
    return NULL;
}
