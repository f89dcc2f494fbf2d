/* The texts of a matrix of the SuiteSparse collection: fields of a struct, each of which becomes a comment as
 * the collection's Matrix Market files have it. Their names are those that its ssget describes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/mat/elements.h"
#include "matrix/files/mat/structs.h"

#define TEXT_MAX 1024
#define NOTES_MAX 1000                    /* lines of the notes that are looked at */
#define RULE_MAX 30                       /* dashes; a longer line of them is left out */
#define CHARACTERS_MAX ((int64_t)1 << 20) /* of a text, in bytes or units of UTF-16 */

/* With this rule the notes end in the collection's files. */
static const char rule[] = "%-------------------------------------------------------------------------------";

/* The characters of an array of them, column by column. */
struct characters {
    int32_t *code; /* owned */
    int64_t count, lines;
};

/* Append a character to a text of UTF-8. */
static size_t put_character(char *out, size_t used, int32_t c)
{
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
    out[used++] = (char)(lead[more] | c >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        out[used++] = (char)(0x80 | (c >> 6 * k & 0x3f));
    return used;
}

/* Make characters of the bytes of UTF-8. A byte that belongs to none counts as one. */
static void join_bytes(struct characters *all)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < all->count;) {
        int32_t lead = all->code[k] & 0xff;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0, t = 1;
        int32_t c = more ? lead & (0x3f >> more) : lead;
        for (; t <= more && k + t < all->count && (all->code[k + t] & 0xc0) == 0x80; t++)
            c = c << 6 | (all->code[k + t] & 0x3f);
        bool whole = t > more && c < 0x110000;
        all->code[kept++] = whole ? c : lead;
        k += whole ? more + 1 : 1;
    }
    all->count = kept;
}

/* Read the characters of an array of them; there are none if it is another array, or too long. */
static enum status read_characters(const struct span *span, int64_t at, struct characters *all,
                                   struct error *error)
{
    struct head head = {0};
    struct element element;
    struct view view;
    *all = (struct characters){0};
    enum status status = head_read(span, at, &head, error);
    if (status != STATUS_OK || head.class != MX_CHAR || head.size[0] < 1) return status;
    status = element_read(span, head.next, &element, error);
    if (status != STATUS_OK) return status;
    bool bytes = element.type == MI_UTF8 || element.type <= 2;
    if (bytes) element.type = 2;
    if (element.type == MI_UTF16) element.type = 4;
    status = element_view(span, &element, "a text", &view, error);
    if (status != STATUS_OK || view.count > CHARACTERS_MAX) return status;
    all->code = memory_array((size_t)view.count, sizeof *all->code, error);
    if (!all->code) return STATUS_MEMORY;
    for (int64_t k = 0; k < view.count && status == STATUS_OK; k++) {
        int64_t c = 0;
        status = view_integers(&view, k, 1, &c, error);
        all->code[k] = c >= 0 && c < 0x110000 ? (int32_t)c : '?';
    }
    all->count = view.count;
    all->lines = head.size[0];
    if (bytes) join_bytes(all);
    return status;
}

/* Write line k into a text of UTF-8. */
static void write_line(const struct characters *all, int64_t k, char out[TEXT_MAX])
{
    size_t used = 0;
    for (; k < all->count && used + 5 < TEXT_MAX; k += all->lines)
        used = put_character(out, used, all->code[k]);
    out[used] = 0;
}

static void add(struct about *about, const char *name, const char *text)
{
    char comment[TEXT_MAX + FIELD_NAME + 8];
    snprintf(comment, sizeof comment, "%% %s: %s", name, text);
    about_add(about, comment, strlen(comment));
}

static enum status take_text(const struct span *span, int64_t at, const char *name, struct about *about,
                             struct error *error)
{
    struct characters all;
    char text[TEXT_MAX];
    enum status status = read_characters(span, at, &all, error);
    if (status == STATUS_OK && all.lines == 1) {
        write_line(&all, 0, text);
        if (text[0]) add(about, name, text);
    }
    free(all.code);
    return status;
}

/* The notes are a table of characters, whose lines are filled up with blanks. */
static enum status take_notes(const struct span *span, int64_t at, struct about *about, struct error *error)
{
    struct characters all;
    char text[TEXT_MAX], comment[TEXT_MAX + 4];
    enum status status = read_characters(span, at, &all, error);
    if (status == STATUS_OK && all.count > 0) {
        add(about, "notes", "");
        for (int64_t k = 0; k < all.lines && k < NOTES_MAX; k++) {
            write_line(&all, k, text);
            if (strspn(text, "-") > RULE_MAX) continue; /* as a comment it would end the notes */
            snprintf(comment, sizeof comment, "%% %s", text);
            about_add(about, comment, strlen(comment));
        }
        about_add(about, rule, sizeof rule - 1);
    }
    free(all.code);
    return status;
}

/* The number that the collection has given the matrix. */
static enum status take_number(const struct span *span, int64_t at, struct about *about, struct error *error)
{
    struct head head = {0};
    struct element element;
    struct view view;
    double number = 0;
    int64_t rounded = 0;
    char text[32];
    enum status status = head_read(span, at, &head, error);
    if (status != STATUS_OK || head.class < MX_DOUBLE || head.class > MX_UINT64 || head.size[0] != 1 ||
        head.size[1] != 1)
        return status;
    status = element_read(span, head.next, &element, error);
    if (status == STATUS_OK) status = element_view(span, &element, "a number", &view, error);
    if (status == STATUS_OK && view.count == 1)
        status = view_reals(&view, 0, 1, &number, NULL, &rounded, error);
    snprintf(text, sizeof text, "%.0f", number);
    if (status == STATUS_OK && number >= 1 && number < 1e15) add(about, "id", text);
    return status;
}

static enum status take_field(const struct span *span, int64_t at, const char *name, struct about *about,
                              struct error *error)
{
    static const char *const texts[] = {"title", "author", "ed", "kind", "date", "name"};
    if (strcmp(name, "notes") == 0) return take_notes(span, at, about, error);
    if (strcmp(name, "id") == 0) {
        /* The collection has a number there, other files may have text. */
        enum status status = take_number(span, at, about, error);
        return status == STATUS_OK ? take_text(span, at, name, about, error) : status;
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(name, texts[k]) == 0) return take_text(span, at, name, about, error);
    return STATUS_OK;
}

enum status texts_take(const struct span *span, int64_t at, struct about *about, struct error *error)
{
    struct head head = {0};
    struct fields fields = {0};
    char name[FIELD_NAME];
    enum status status = head_read(span, at, &head, error);
    if (status != STATUS_OK || head.class != MX_STRUCT || head.size[0] != 1 || head.size[1] != 1)
        return status;
    status = fields_read(span, &head, &fields, error);
    at = fields.first;
    for (int64_t k = 0; k < fields.count && status == STATUS_OK; k++) {
        struct element element;
        status = fields_name(span, &fields, k, name, error);
        if (status == STATUS_OK) status = element_read(span, at, &element, error);
        if (status != STATUS_OK) break;
        if (element.type == MI_MATRIX && element.bytes > 0)
            status = take_field(span, element.begin, name, about, error);
        at = element.next;
    }
    return status;
}
