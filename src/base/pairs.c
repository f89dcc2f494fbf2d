#include "base/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 1024

enum status pairs_wrong(const struct pairs *pairs, const char *key, const char *what)
{
    return error_at(pairs->error, STATUS_INPUT, pairs->path, pairs->line, 0, "%.80s: %s; %s", key, what,
                    pairs->remedy);
}

enum status pairs_numbers(const struct pairs *pairs, const char *key, const char *value, double *numbers,
                          int count)
{
    char *end;
    for (int k = 0; k < count; k++) {
        numbers[k] = strtod(value, &end);
        if (end == value || !isfinite(numbers[k]) || numbers[k] < 0)
            return pairs_wrong(pairs, key, "a number is missing, or is none");
        value = end;
    }
    return value[strspn(value, " \t\r")] ? pairs_wrong(pairs, key, "there are too many numbers") : STATUS_OK;
}

static enum status read_line(const struct pairs *pairs, char *line, pairs_take *take, void *self)
{
    line[strcspn(line, "\r\n")] = 0;
    line += strspn(line, " \t");
    if (!*line || *line == '#') return STATUS_OK;
    char *equals = strstr(line, " =");
    if (!equals) return pairs_wrong(pairs, line, "the line is no 'key = value'");
    *equals = 0;
    equals += 2;
    return take(pairs, self, line, equals + strspn(equals, " \t"));
}

enum status pairs_read(struct pairs *pairs, const char *text, size_t length, pairs_take *take, void *self)
{
    char line[LINE_MAX];
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t wide = end ? (size_t)(end - text) - at : length - at;
        pairs->line++;
        if (wide >= sizeof line) return pairs_wrong(pairs, "profile", "the line is too long");
        memcpy(line, text + at, wide);
        line[wide] = 0;
        at += wide + 1;
        enum status status = read_line(pairs, line, take, self);
        if (status != STATUS_OK) return status;
    }
    pairs->line = 0;
    return STATUS_OK;
}
