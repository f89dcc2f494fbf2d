/* The texts in a struct of a MATLAB file of version 5 to 7. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "matrix/files/mat/elements.h"
#include "matrix/files/mat/structs.h"
#include "matrix/files/problem/texts.h"

/* Make characters of the bytes of UTF-8. A byte that belongs to none counts as one. */
static void join_bytes(struct characters *all)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < all->count;) {
        char bytes[5] = {0};
        for (int t = 0; t < 4 && k + t < all->count; t++)
            bytes[t] = (char)all->code[k + t];
        uint32_t character;
        int length = words_decode(bytes, &character);
        all->code[kept++] = length ? (int32_t)character : all->code[k] & 0xff;
        k += length ? length : 1;
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

static enum status take_text(const struct span *span, int64_t at, const char *name, struct about *about,
                             struct error *error)
{
    struct characters all;
    enum status status = read_characters(span, at, &all, error);
    if (status == STATUS_OK) texts_take(name, &all, about);
    free(all.code);
    return status;
}

/* The collection's number of the matrix. */
static enum status take_number(const struct span *span, int64_t at, struct about *about, struct error *error)
{
    struct head head = {0};
    struct element element;
    struct view view;
    double number = 0;
    int64_t rounded = 0;
    enum status status = head_read(span, at, &head, error);
    if (status != STATUS_OK || head.class < MX_DOUBLE || head.class > MX_UINT64 || head.size[0] != 1 ||
        head.size[1] != 1)
        return status;
    status = element_read(span, head.next, &element, error);
    if (status == STATUS_OK) status = element_view(span, &element, "a number", &view, error);
    if (status == STATUS_OK && view.count == 1)
        status = view_reals(&view, 0, 1, &number, NULL, &rounded, error);
    if (status == STATUS_OK) texts_take_id(number, about);
    return status;
}

static enum status take_field(const struct span *span, int64_t at, const char *name, struct about *about,
                              struct error *error)
{
    enum status status = STATUS_OK;
    if (!texts_are_in(name)) return status;
    /* The collection has a number there, other files may have text. */
    if (strcmp(name, "id") == 0) status = take_number(span, at, about, error);
    return status == STATUS_OK ? take_text(span, at, name, about, error) : status;
}

enum status struct_texts(const struct span *span, int64_t at, struct about *about, struct error *error)
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
