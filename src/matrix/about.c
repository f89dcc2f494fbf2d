#include "matrix/about.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define TEXTS 4

static const char *const names[TEXTS] = {"title", "author", "kind", "date"};

const char *about_text(const struct about *about, int k, const char **name)
{
    const char *const texts[TEXTS] = {about->title, about->author, about->kind, about->date};
    if (k >= TEXTS) return NULL;
    *name = names[k];
    return texts[k];
}

/* Remove an unfinished character from the end of a text that was cut. */
static void trim_character(char *text)
{
    size_t end = strlen(text), first = end;
    while (first > 0 && ((unsigned char)text[first - 1] & 0xc0) == 0x80)
        first--;
    if (first == 0) return;
    unsigned char lead = (unsigned char)text[first - 1];
    size_t wide = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (end - (first - 1) < wide) text[first - 1] = 0;
}

/* Copy a text without the blanks around it. */
static void copy(char out[ABOUT_TEXT], const char *text, size_t length)
{
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    while (length && strchr(" \t", *text)) {
        text++;
        length--;
    }
    snprintf(out, ABOUT_TEXT, "%.*s", (int)(length < ABOUT_TEXT ? length : ABOUT_TEXT), text);
    trim_character(out);
    text_visible(out);
}

/* Return true if a text says nothing: it is empty, or a rule. */
static bool is_rule(const char *text)
{
    return text[strspn(text, "-=*#_ ")] == 0;
}

static void keep(struct about *about, const char *text)
{
    size_t used = strlen(about->comments), length = strlen(text);
    if (used + length + 2 > sizeof about->comments) return;
    memcpy(about->comments + used, text, length);
    memcpy(about->comments + used + length, "\n", 2);
}

/* Take the text of a comment that begins with a name and a colon, or stands in brackets. */
static void take(struct about *about, const char *text)
{
    char *const texts[TEXTS] = {about->title, about->author, about->kind, about->date};
    size_t length = strlen(text);
    if (text[0] == '[' && text[length - 1] == ']' && !about->title[0])
        copy(about->title, text + 1, length - 2);
    for (int k = 0; k < TEXTS; k++) {
        size_t name = strlen(names[k]);
        if (strncmp(text, names[k], name) == 0 && text[name] == ':' && !texts[k][0])
            copy(texts[k], text + name + 1, length - name - 1);
    }
}

void about_add(struct about *about, const char *line, size_t length)
{
    char text[ABOUT_TEXT];
    while (length && strchr("% \t", *line)) {
        line++;
        length--;
    }
    copy(text, line, length);
    if (is_rule(text)) return;
    keep(about, text);
    take(about, text);
}
