#include "matrix/orders/line_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum status line_list_open(const char *path, struct line_list *list, struct error *error)
{
    *list = (struct line_list){.path = path, .error = error};
    enum status status = container_open(path, &list->container, error);
    if (status == STATUS_OK && container_variable(list->container))
        status = container_refuse_variable(list->container, error);
    if (status != STATUS_OK) return status;
    list->block = memory_array(LINE_LIST_BLOCK, 1, error);
    return list->block ? STATUS_OK : STATUS_MEMORY;
}

void line_list_close(struct line_list *list)
{
    container_close(list->container);
    free(list->block);
    *list = (struct line_list){0};
}

int line_list_next(struct line_list *list)
{
    size_t length = 0;
    bool some = false;
    list->cut = false;
    for (;; list->used++) {
        if (list->used == list->filled) {
            ssize_t count = container_read(list->container, list->block, LINE_LIST_BLOCK, list->error);
            if (count < 0) return -1;
            if (count == 0) break;
            list->used = 0;
            list->filled = (size_t)count;
        }
        some = true;
        char c = list->block[list->used];
        if (c == '\n') {
            list->used++;
            break;
        }
        if (length + 1 < sizeof list->text)
            list->text[length++] = (char)(c ? c : '?'); /* a NUL byte would hide what follows it */
        else
            list->cut = true;
    }
    list->text[length] = 0;
    list->line += some;
    return some;
}

bool line_list_says_nothing(const struct line_list *list)
{
    char c = list->text[strspn(list->text, " \t\r")];
    return c == 0 || c == '%' || c == '#';
}

enum status line_list_number(const struct line_list *list, const char *what, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(list->text, &end, 10);
    bool wrong = end == list->text || errno || end[strspn(end, " \t\r")] || *number == INT64_MIN;
    return wrong || list->cut ? line_list_wrong(list, what) : STATUS_OK;
}

enum status line_list_wrong(const struct line_list *list, const char *why)
{
    char shown[41];
    if (list->cut)
        return error_at(list->error, STATUS_INPUT, list->path, list->line, 0,
                        "the line is longer than %d bytes", LINE_LIST_BYTES - 1);
    snprintf(shown, sizeof shown, "%.40s", list->text);
    return error_at(list->error, STATUS_INPUT, list->path, list->line, 0, "'%s': %s", text_visible(shown),
                    why);
}

enum status line_list_failed(const struct line_list *list)
{
    return list->error && list->error->status ? list->error->status : STATUS_IO;
}
