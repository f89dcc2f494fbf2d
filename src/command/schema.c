/* `sparsight schema`: the JSON Schema of the report. */
#include "report/json/schema.h"
#include "command/command.h"
#include "command/say.h"
#include "report/json/write.h"

static int run_schema(const struct options *options)
{
    struct text text = {0};
    struct error error = {0};
    json_t *schema = schema_json();
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
    if (options->operand_count == 0) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "schema takes no matrix: it is the same for all reports");
}

const struct command command_schema = {
    .id = COMMAND_SCHEMA,
    .name = "schema",
    .usage = "sparsight schema [OPTION]...",
    .summary = "print the JSON Schema of the report",
    .failure = "the schema could not be written",
    .check = check_schema,
    .run = run_schema,
};
