#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static enum status fill(struct error *error, enum status status, const char *path, int64_t line,
                        int64_t column, const char *format, va_list arguments)
{
    if (!error || error->status != STATUS_OK) return status;
    error->status = status;
    snprintf(error->path, sizeof error->path, "%s", path ? path : "");
    error->line = line;
    error->column = column;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    return status;
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_at(struct error *error, enum status status, const char *path, int64_t line, int64_t column,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, path, line, column, format, arguments);
    va_end(arguments);
    return status;
}

void error_clear(struct error *error)
{
    memset(error, 0, sizeof *error);
}

char *error_text(const struct error *error, char *text, size_t size)
{
    if (!error->path[0])
        snprintf(text, size, "%s", error->message);
    else if (error->line <= 0)
        snprintf(text, size, "%s: %s", error->path, error->message);
    else if (error->column <= 0)
        snprintf(text, size, "%s:%lld: %s", error->path, (long long)error->line, error->message);
    else
        snprintf(text, size, "%s:%lld:%lld: %s", error->path, (long long)error->line,
                 (long long)error->column, error->message);
    return text_visible(text);
}
