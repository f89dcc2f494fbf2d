/* `sparsight schema`: the JSON Schemas of reports, surveys and comparisons. */
#include "report/json/schema.h"

#include <string.h>

#include "base/guess.h"
#include "command/command.h"
#include "command/say.h"
#include "report/json/write.h"
#include "report/records/schemas.h"

/* The schemas by name; the first one is the default. */
static const struct {
    const char *name, *of;
    json_t *(*make)(void);
} schemas[] = {
    {"report", "reports: 'sparsight report --format=json'; its $defs.line is a line of --format=jsonl",
     schema_json},
    {"survey", "lines of surveys: 'sparsight survey -o FILE'", survey_lines_schema},
    {"survey-tables", "tables of surveys: 'sparsight survey --format=json'", survey_tables_schema},
    {"compare", "comparisons: 'sparsight compare --format=json'", compare_schema},
    {NULL, NULL, NULL},
};

static const char *schema_name(int k)
{
    return schemas[k].name;
}

static int schema_of(const struct options *options)
{
    int k = 0;
    while (options->operand_count && schemas[k].name && strcmp(schemas[k].name, options->operands[0]) != 0)
        k++;
    return k;
}

static int run_schema(const struct options *options)
{
    struct text text = {0};
    struct error error = {0};
    json_t *schema = schemas[schema_of(options)].make();
    if (schema) json_write(schema, false, &text);
    text_append(&text, "\n");
    json_decref(schema);
    int code = !schema || text.failed
                   ? conclude(error_set(&error, STATUS_MEMORY, "out of memory for the schema"), &error)
                   : print_text(&text, options->output);
    text_free(&text);
    return code;
}

static enum status check_schema(const struct options *options, struct error *error)
{
    if (options->operand_count > 1)
        return error_set(error, STATUS_USAGE, "schema prints one schema, but %d are named",
                         options->operand_count);
    if (schemas[schema_of(options)].name) return STATUS_OK;
    return guess_refuse("no schema is called", options->operands[0], strlen(options->operands[0]),
                        schema_name, error);
}

static void help_schema(struct text *text)
{
    text_append(text, "\nThe schemas; default report:\n");
    for (int k = 0; schemas[k].name; k++)
        text_append(text, "  %-22s %s\n", schemas[k].name, schemas[k].of);
}

const struct command command_schema = {
    .id = COMMAND_SCHEMA,
    .name = "schema",
    .usage = "sparsight schema [OPTION]... [report|survey|survey-tables|compare]",
    .summary = "print a JSON Schema of reports, surveys or comparisons",
    .failure = "the schema could not be written",
    .help = help_schema,
    .check = check_schema,
    .run = run_schema,
};
