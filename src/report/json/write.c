#include "report/json/write.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

/* A real number keeps a point or an exponent, for readers that distinguish reals from integers. */
static void write_real(double value, struct text *text)
{
    char out[40];
    format_exact(out, sizeof out, value);
    text_append(text, "%s%s", out, strpbrk(out, ".e") ? "" : ".0");
}

/* An iterator over the members of an array or an object; those of an object come in the order in which they
 * were set. */
struct members {
    json_t *container;
    size_t index;
    void *iterator;
    const char *key; /* NULL in an array */
    const json_t *value;
};

static bool members_next(struct members *members)
{
    if (json_is_array(members->container)) {
        members->value = json_array_get(members->container, members->index++);
        return members->value != NULL;
    }
    members->iterator = members->iterator ? json_object_iter_next(members->container, members->iterator)
                                          : json_object_iter(members->container);
    if (!members->iterator) return false;
    members->key = json_object_iter_key(members->iterator);
    members->value = json_object_iter_value(members->iterator);
    return true;
}

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

static bool holds_containers(const json_t *value)
{
    struct members members = {.container = (json_t *)value};
    while (members_next(&members))
        if (is_container(members.value)) return true;
    return false;
}

/* True for a value that takes one line as an item of a list: it contains plain values, or objects of plain
 * values. */
static bool is_row(const json_t *value)
{
    struct members members = {.container = (json_t *)value};
    if (!is_container(value)) return true;
    while (members_next(&members))
        if (json_is_array(members.value) ||
            (json_is_object(members.value) && holds_containers(members.value)))
            return false;
    return true;
}

static void write_value(const json_t *value, bool compact, int depth, struct text *text);

static void new_line(bool compact, int depth, struct text *text)
{
    if (!compact) text_append(text, "\n%*s", 2 * depth, "");
}

/* Items of a list that contain plain values take one line each, like rows of a table. A list of numbers
 * always takes one line. */
static void write_members(const json_t *container, bool compact, int depth, struct text *text)
{
    bool array = json_is_array(container), first = true;
    struct members members = {.container = (json_t *)container};
    text_append(text, array ? "[" : "{");
    while (members_next(&members)) {
        if (!first) text_append(text, compact ? ", " : ",");
        new_line(compact, depth + 1, text);
        if (members.key) {
            words_append(text, MEDIUM_JSON, members.key);
            text_append(text, ": ");
        }
        bool row =
            array ? is_row(members.value) : json_is_array(members.value) && !holds_containers(members.value);
        write_value(members.value, compact || row, depth + 1, text);
        first = false;
    }
    if (!first) new_line(compact, depth, text);
    text_append(text, array ? "]" : "}");
}

static void write_value(const json_t *value, bool compact, int depth, struct text *text)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        write_members(value, compact, depth, text);
        break;
    case JSON_STRING:
        words_append(text, MEDIUM_JSON, json_string_value(value));
        break;
    case JSON_INTEGER:
        text_append(text, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(json_real_value(value), text);
        break;
    case JSON_TRUE:
        text_append(text, "true");
        break;
    case JSON_FALSE:
        text_append(text, "false");
        break;
    case JSON_NULL:
        text_append(text, "null");
        break;
    }
}

void json_write(const json_t *value, bool compact, struct text *text)
{
    write_value(value, compact, 0, text);
}

json_t *json_from_bytes(const char *bytes)
{
    struct text text = {0};
    text_append_bytes(&text, "", 0);
    while (*bytes) {
        uint32_t character;
        size_t length = (size_t)words_decode(bytes, &character);
        if (length)
            text_append_bytes(&text, bytes, length);
        else
            text_append(&text, "\xef\xbf\xbd");
        bytes += length ? length : 1;
    }
    json_t *string = text.failed ? NULL : json_stringn(text.data, text.length);
    text_free(&text);
    return string;
}

/* The object of this name within another, made if it is not there; NULL without memory. */
static json_t *inner_object(json_t *object, const char *name)
{
    json_t *inner = json_object_get(object, name);
    if (!inner && json_object_set_new(object, name, json_object()) == 0)
        inner = json_object_get(object, name);
    return inner;
}

bool json_set_dotted(json_t *object, const char *key, json_t *value)
{
    const char *dot;
    while (object && (dot = strchr(key, '.'))) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
        object = inner_object(object, name);
        key = dot + 1;
    }
    return json_object_set_new(object, key, value) == 0;
}
