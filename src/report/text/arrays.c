/* Arrays of a stored matrix as plain text, element by element. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "formats/array.h"
#include "report/text/text.h"

/* The layout of an array: lines of `each` elements, with a rule before an element and a mark after it. It is
 * computed once, so that elements are aligned. */
struct strip {
    const struct storage *storage;
    int q;
    const struct array *array;
    int label;                  /* characters of an index */
    bool minor, major, padding; /* the marks that occur */
    int rule;                   /* characters of a rule: 1 for |, 2 for || */
    int mark;
    int wide; /* characters of an element */
    int each;
};

static enum rule rule_before(const struct strip *strip, int64_t e)
{
    return e > 0 ? strip->storage->format->rule(strip->storage, strip->q, e) : RULE_NONE;
}

static bool is_padding(const struct strip *strip, int64_t e)
{
    return strip->array->per_slot && storage_padding(strip->storage, strip->array->part, e);
}

/* The number of elements in a line: as many as fit. With rules at equal distances, every line ends before a
 * rule; else it is a multiple of five or ten, so that an index is easy to find. */
static int elements_each(int room, int wide, int64_t distance)
{
    int each = (int)max(1, room / wide);
    if (distance > 0 && distance <= each && 10 % distance) return each - each % (int)distance;
    return each >= 10 ? each / 10 * 10 : each >= 5 ? 5 : each;
}

static struct strip measure(const struct storage *storage, int q)
{
    struct strip strip = {.storage = storage, .q = q, .array = &storage->array[q]};
    char text[64];
    int64_t length = strip.array->length, distance = 0; /* between rules; -1: the distances differ */
    for (int64_t e = 0; e < length; e++) {
        enum rule rule = rule_before(&strip, e);
        strip.wide = (int)max(strip.wide, (int)strlen(array_text(strip.array, e, text, sizeof text)));
        strip.minor = strip.minor || rule == RULE_MINOR;
        strip.major = strip.major || rule == RULE_MAJOR;
        if (rule != RULE_NONE && distance == 0) distance = e;
        if (rule != RULE_NONE && e % distance) distance = -1;
        strip.padding = strip.padding || is_padding(&strip, e);
    }
    strip.rule = strip.major ? 2 : strip.minor ? 1 : 0;
    strip.mark = strip.padding ? 1 : 0;
    strip.label = snprintf(text, sizeof text, "%lld", (long long)max(0, length - 1));
    int before = 4 + strip.label + 1; /* an indent of 4 and a colon */
    strip.each = elements_each(REPORT_WIDE - before,
                               strip.rule + (strip.rule ? 2 : 1) + strip.wide + strip.mark, distance);
    return strip;
}

static void append_element(const struct strip *strip, int64_t e, struct text *text)
{
    static const char *const rules[] = {[RULE_NONE] = "", [RULE_MINOR] = "|", [RULE_MAJOR] = "||"};
    char value[64];
    if (strip->rule) text_append(text, " %-*s", strip->rule, rules[rule_before(strip, e)]);
    text_append(text, " %*s", strip->wide, array_text(strip->array, e, value, sizeof value));
    if (is_padding(strip, e))
        text_append(text, "*");
    else if (strip->mark && (e + 1) % strip->each && e + 1 < strip->array->length)
        text_append(text, " ");
}

/* Append lines until the text has more than `most` bytes. */
static void append_array(const struct strip *strip, struct text *text, size_t most)
{
    const struct array *array = strip->array;
    char words[256];
    snprintf(words, sizeof words, "%s: %lld x %s, %s%s", array->name, (long long)array->length,
             element_name(array->element), array->help, array->length ? "" : " (empty)");
    text_append(text, "  ");
    text_wrapped(text, words, 2, 4);
    for (int64_t e = 0; e < array->length && (e % strip->each || text->length <= most); e++) {
        if (e % strip->each == 0) text_append(text, "    %*lld:", strip->label, (long long)e);
        append_element(strip, e, text);
        if ((e + 1) % strip->each == 0 || e + 1 == array->length) text_append(text, "\n");
    }
}

/* Append the meaning of the marks in use. */
static void append_legend(const struct strip *strips, int count, struct text *text)
{
    bool padding = false, minor = false, major = false;
    for (int q = 0; q < count; q++) {
        padding = padding || strips[q].padding;
        minor = minor || strips[q].minor;
        major = major || strips[q].major;
    }
    if (!padding && !minor && !major) return;
    char words[160];
    snprintf(words, sizeof words, "%s%s%s%s%s", padding ? "* after padding" : "",
             padding && (minor || major) ? ", " : "", minor ? "| where a row, column or diagonal begins" : "",
             minor && major ? ", " : "", major ? "|| where a section, strip or chunk begins" : "");
    text_append(text, "  ");
    text_wrapped(text, words, 2, 2);
}

void text_arrays(struct text *text, const struct storage *storage, size_t most)
{
    struct strip strips[STORAGE_ARRAYS];
    for (int q = 0; q < storage->count; q++)
        strips[q] = measure(storage, q);
    append_legend(strips, storage->count, text);
    for (int q = 0; q < storage->count && text->length <= most; q++)
        append_array(&strips[q], text, most);
}
