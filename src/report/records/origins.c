#include "report/records/origins.h"

#include "report/origin.h"

/* In the order of origin_facts. */
static const struct column origin_columns[] = {
    SHEET_TEXT("file", "file", "the file of the report"),
    SHEET_TEXT("version", "version", "the version that wrote it"),
    SHEET_TEXT("date", "date", "the time at which it was begun, in UTC (ISO 8601)"),
    SHEET_TEXT("command", "command", "the command line"),
    SHEET_TEXT("cpu", "processor", "the processor's name"),
    SHEET_TEXT("threads", "threads", "threads that the program used"),
    SHEET_TEXT("gpus", "GPU", "the GPUs that kernels could run on"),
    SHEET_TEXT("drivers", "driver", "the versions of their drivers"),
    SHEET_TEXT("compiler", "compiler", "the compiler that built the program"),
    SHEET_TEXT("system", "system", "name and release of the operating system, and the architecture"),
    {.key = NULL},
};

void origins_begin(struct sheets *sheets)
{
    sheets_begin(sheets, "reports", "Reports", origin_columns);
    if (!sheets->failed) sheets->items[sheets->count - 1].tall = true;
}

void origins_add(struct sheets *sheets, const char *file, const json_t *origin)
{
    sheets_text(sheets, file);
    for (const struct origin_fact *fact = origin_facts; fact->key; fact++) {
        struct text value = {0};
        origin_append(origin, fact, &value);
        sheets_text(sheets, value.length ? value.data : NULL);
        sheets->failed = sheets->failed || value.failed;
        text_free(&value);
    }
}
