#include "matrix/files/problem/texts.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

#define TEXT_MAX 1024
#define NOTES_MAX 1000 /* maximum number of lines of the notes */
#define RULE_MAX 30    /* dashes; a longer line of them is omitted */
#define FIELD_MAX 16

/* The rule at the end of the notes in the collection's files. */
static const char rule[] = "%-------------------------------------------------------------------------------";

/* Return the character that begins with unit number k of a line, and in *units how many units it has: two if
 * it is a pair of surrogates, of which one alone is no character. */
static int32_t character_at(const struct characters *all, int64_t k, int *units)
{
    const int32_t c = all->code[k];
    *units = 1;
    if (c < 0xd800 || c > 0xdfff) return c;
    const int32_t low = k + all->lines < all->count ? all->code[k + all->lines] : 0;
    if (c > 0xdbff || low < 0xdc00 || low > 0xdfff) return 0xfffd;
    *units = 2;
    return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Write line l into a text of UTF-8. */
static void write_line(const struct characters *all, int64_t l, char out[TEXT_MAX])
{
    size_t used = 0;
    int units;
    for (int64_t k = l; k < all->count && used + 5 < TEXT_MAX; k += units * all->lines)
        used += (size_t)words_encode((uint32_t)character_at(all, k, &units), out + used);
    out[used] = 0;
}

static void add(struct about *about, const char *name, const char *text)
{
    char comment[TEXT_MAX + FIELD_MAX + 8];
    snprintf(comment, sizeof comment, "%% %s: %s", name, text);
    about_add(about, comment, strlen(comment));
}

/* Take the notes, a table of characters whose lines are padded with blanks. */
static void take_notes(const struct characters *all, struct about *about)
{
    char text[TEXT_MAX], comment[TEXT_MAX + 4];
    add(about, "notes", "");
    for (int64_t k = 0; k < all->lines && k < NOTES_MAX; k++) {
        write_line(all, k, text);
        if (strspn(text, "-") > RULE_MAX) continue; /* as a comment it would end the notes */
        snprintf(comment, sizeof comment, "%% %s", text);
        about_add(about, comment, strlen(comment));
    }
    about_add(about, rule, sizeof rule - 1);
}

bool texts_are_in(const char *field)
{
    static const char *const texts[] = {"title", "author", "ed", "kind", "date", "name", "id", "notes"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(field, texts[k]) == 0) return true;
    return false;
}

void texts_take(const char *field, const struct characters *all, struct about *about)
{
    char text[TEXT_MAX];
    if (all->count == 0 || !texts_are_in(field)) return;
    if (strcmp(field, "notes") == 0) {
        take_notes(all, about);
    } else if (all->lines == 1) {
        write_line(all, 0, text);
        if (text[0]) add(about, field, text);
    }
}

void texts_take_id(double number, struct about *about)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", number);
    if (number >= 1 && number < 1e15) add(about, "id", text);
}
