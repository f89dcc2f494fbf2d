#include "command/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/folder.h"
#include "command/options_table.h"

#define FILE_NAME "sparsight.conf"

/* A larger file cannot be one of settings. */
#define SIZE_MAX_BYTES (1 << 20)

size_t settings_path(struct text *path)
{
    const size_t home = folder_append(path, FOLDER_CONFIG);
    if (path->length) text_append(path, "/" FILE_NAME);
    return home;
}

/* Append the content of the file of this path; nothing if there is none. */
static enum status read_file(const char *path, struct text *content, struct error *error)
{
    char block[4096];
    size_t length;
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT) return STATUS_OK;
    if (!file) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    while ((length = fread(block, 1, sizeof block, file)) > 0 && content->length < SIZE_MAX_BYTES)
        text_append_bytes(content, block, length);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    if (content->failed) return error_set(error, STATUS_MEMORY, "out of memory");
    if (content->length >= SIZE_MAX_BYTES || (content->data && strlen(content->data) != content->length))
        return error_at(error, STATUS_USAGE, path, 0, 0,
                        "this is no file of settings: remove it, or pass --no-config");
    return STATUS_OK;
}

/* Cut blanks at both ends of a text. Returns its beginning. */
static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

/* Divide a line into name and value, within its memory. Returns the name; "" if the line has none. */
static char *divide(char *line, char **value)
{
    line[strcspn(line, "#")] = 0;
    char *sign = strchr(line, '=');
    *value = NULL;
    if (sign) {
        *sign = 0;
        *value = trimmed(sign + 1);
    }
    return trimmed(line);
}

/* Set the option of a line. */
static enum status take_line(char *line, const char *path, int64_t number, struct options *options,
                             struct error *error)
{
    char *value, *name = divide(line, &value);
    struct error fault = {0};
    enum status status = STATUS_OK;
    if (!*name) return STATUS_OK;
    const struct option_row *row = option_find(COMMAND_EXPLORE, name, strlen(name));
    if (!row || row->letter)
        return error_at(
            error, STATUS_USAGE, path, number, 0,
            "the explorer has no setting '%s': 'sparsight --help' lists its options; write them here "
            "without dashes",
            name);
    if (row->argument && !row->optional && (!value || !*value))
        return error_at(error, STATUS_USAGE, path, number, 0, "'%s' needs a value: %s = %s", name, name,
                        row->argument);
    if (!row->argument && value && strcmp(value, "off") == 0) return STATUS_OK;
    if (!row->argument && value && strcmp(value, "on") != 0)
        return error_at(error, STATUS_USAGE, path, number, 0, "'%s' is on or off", name);
    status = option_take(row, row->argument ? value : NULL, options, &fault);
    return status == STATUS_OK ? status : error_at(error, status, path, number, 0, "%s", fault.message);
}

enum status settings_read(struct options *options, struct error *error)
{
    struct text path = {0};
    settings_path(&path);
    enum status status = path.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    if (status == STATUS_OK && path.length) status = read_file(path.data, &options->config, error);
    int64_t number = 1;
    for (char *line = options->config.data, *next; line && status == STATUS_OK; line = next, number++) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        status = take_line(line, path.data, number, options, error);
    }
    text_free(&path);
    return status;
}

/* True if the line, of `length` bytes, sets this name. */
static bool sets(const char *line, size_t length, const char *name)
{
    char copy[256], *value;
    if (length >= sizeof copy) return false;
    memcpy(copy, line, length);
    copy[length] = 0;
    return strcmp(divide(copy, &value), name) == 0;
}

/* Append the lines of a file without those of this name. One line with the value replaces the last of them.
 */
static void replace(const char *content, const char *name, const char *value, struct text *text)
{
    const char *last = NULL, *next;
    for (const char *line = content; line && *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line[length] ? line + length + 1 : NULL;
        if (sets(line, length, name)) last = line;
    }
    for (const char *line = content; line && *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line[length] ? line + length + 1 : NULL;
        if (!sets(line, length, name))
            text_append(text, "%.*s\n", (int)length, line);
        else if (line == last && *value)
            text_append(text, "%s = %s\n", name, value);
    }
    if (!last && *value) text_append(text, "%s = %s\n", name, value);
}

enum status settings_keep(const char *name, const char *value, struct error *error)
{
    struct text path = {0}, content = {0}, text = {0};
    const size_t home = settings_path(&path);
    enum status status = path.length ? read_file(path.data, &content, error) : STATUS_OK;
    text_append(&text, "%s", "");
    replace(content.data, name, value, &text);
    if (status == STATUS_OK) status = folder_keep(&path, home, &text, "the setting", error);
    text_free(&path);
    text_free(&content);
    text_free(&text);
    return status;
}
