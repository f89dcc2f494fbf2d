/* report/json/schema: the schema in data/ is the one that the program writes. It contains each key of reports
 * (keys.txt), with its type. */
#include "report/json/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"

static char *source_path(const char *name, char path[4096])
{
    const char *source = getenv("SRCDIR");
    snprintf(path, 4096, "%s/%s", source ? source : ".", name);
    return path;
}

TEST(the_kept_schema_is_that_of_the_program)
{
    char path[4096];
    json_error_t fault;
    json_t *made = schema_json(),
           *kept = json_load_file(source_path("data/sparsight-report-2.schema.json", path), 0, &fault);
    assert_non_null(made);
    if (!kept) fail_msg("%s: %s", path, fault.text);
    if (!json_equal(made, kept)) fail_msg("%s differs: run 'make schema'", path);
    json_decref(made);
    json_decref(kept);
}
