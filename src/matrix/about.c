#include "matrix/about.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

/* The names of the texts, and the names that the collection's comments use. */
#define TEXTS 7
static const struct {
    const char *name, *written;
    size_t offset; /* in struct about */
} texts[TEXTS] = {
    {"title", "title", offsetof(struct about, title)}, {"author", "author", offsetof(struct about, author)},
    {"editor", "ed", offsetof(struct about, editor)},  {"kind", "kind", offsetof(struct about, kind)},
    {"date", "date", offsetof(struct about, date)},    {"name", "name", offsetof(struct about, name)},
    {"id", "id", offsetof(struct about, id)},
};

/* The notes of the collection end with a rule of 79 dashes; shorter ones may be among them. */
#define END_RULE 40

const char *about_text(const struct about *about, int k, const char **name)
{
    if (k >= TEXTS) return NULL;
    *name = texts[k].name;
    return (const char *)about + texts[k].offset;
}

/* Remove an unfinished character from the end of a text that was cut. */
static void trim_character(char *text)
{
    size_t first = strlen(text);
    uint32_t character;
    while (first > 0 && words_continues(text[first - 1]))
        first--;
    if (first > 0 && words_decode(text + first - 1, &character) == 0) text[first - 1] = 0;
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

/* Return true if a text has no content: it is empty, or a rule. */
static bool is_rule(const char *text)
{
    return text[strspn(text, "-=*#_ ")] == 0;
}

/* Append a line to `out` of `size` bytes, unless it does not fit. */
static void append(char *out, size_t size, const char *line)
{
    size_t used = strlen(out), length = strlen(line);
    if (used + length + 2 > size) return;
    memcpy(out + used, line, length);
    memcpy(out + used + length, "\n", 2);
}

/* Append a line of the notes. Consecutive blank lines are merged, and leading ones dropped. */
static void take_note(struct about *about, const char *line)
{
    size_t used = strlen(about->notes);
    if (!*line && (used == 0 || (used > 1 && about->notes[used - 2] == '\n'))) return;
    append(about->notes, sizeof about->notes, line);
}

/* Remove a blank last line of the notes. */
static void end_notes(struct about *about)
{
    size_t used = strlen(about->notes);
    if (used > 1 && about->notes[used - 2] == '\n') about->notes[used - 1] = 0;
    about->in_notes = false;
}

/* Take the text of a comment that begins with a name and a colon, or is in brackets. */
static void take(struct about *about, const char *text)
{
    size_t length = strlen(text);
    if (text[0] == '[' && text[length - 1] == ']' && !about->title[0])
        copy(about->title, text + 1, length - 2);
    for (int k = 0; k < TEXTS; k++) {
        size_t name = strlen(texts[k].written);
        char *out = (char *)about + texts[k].offset;
        if (strncmp(text, texts[k].written, name) == 0 && text[name] == ':' && !out[0])
            copy(out, text + name + 1, length - name - 1);
    }
}

void about_add(struct about *about, const char *line, size_t length)
{
    static const char notes[] = "notes:";
    char text[ABOUT_TEXT];
    while (length && strchr("% \t", *line)) {
        line++;
        length--;
    }
    copy(text, line, length);
    bool rule = is_rule(text);
    if (rule && strlen(text) >= END_RULE) end_notes(about);
    if (about->in_notes) take_note(about, text);
    if (rule) return;
    append(about->comments, sizeof about->comments, text);
    if (about->in_notes) return;
    if (strncmp(text, notes, strlen(notes)) == 0 && !about->notes[0]) {
        about->in_notes = true;
        text[0] = 0;
        copy(text, line + strlen(notes), length - strlen(notes));
        if (text[0]) take_note(about, text);
        return;
    }
    take(about, text);
}
