#include "base/items.h"

#include <string.h>

#include "base/memory.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Return the length of the item at `text`, which ends before a blank, or before a comma after which no
 * NAME=VALUE comes. */
static size_t item_length(const char *text)
{
    size_t length = 0;
    for (; text[length] && !is_blank(text[length]); length++) {
        if (text[length] != ',') continue;
        const char *next = text + length + 1;
        size_t name = strcspn(next, ",:= \t\n");
        if (next[name] != '=') break;
    }
    return length;
}

char *list_item(const char **text, bool *end, struct error *error)
{
    while (is_blank(**text) || **text == ',')
        (*text)++;
    *end = !**text;
    if (*end) return NULL;
    size_t length = item_length(*text);
    char *item = memory_array(length + 1, 1, error);
    if (!item) return NULL;
    memcpy(item, *text, length);
    item[length] = 0;
    *text += length;
    return item;
}
