#include "support/stored.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/list.h"
#include "matrix/matrix.h"

struct csr stored_matrix(const char *name)
{
    const struct load_options options = {0};
    struct matrix matrix;
    struct error error = {0};
    char path[4096];
    const char *source = getenv("SRCDIR");
    if (strncmp(name, "gen:", 4) == 0)
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%s/%s%s", source ? source : ".", strchr(name, '/') ? "" : "data/", name);
    if (matrix_load(path, &options, NULL, &matrix, &error) != STATUS_OK)
        fail_msg("%s: %s", path, error.message);
    struct csr a = matrix.csr;
    matrix.csr = (struct csr){0};
    matrix_free(&matrix);
    return a;
}

/* The one format that `text` names, with its parameters. */
static struct format_choice one_format(const char *text)
{
    struct format_list list = {0};
    struct error error = {0};
    if (format_list_add(&list, text, &error) != STATUS_OK) fail_msg("%s: %s", text, error.message);
    assert_int_equal(list.count, 1);
    struct format_choice choice = list.choices[0];
    format_list_free(&list);
    return choice;
}

static enum status convert(const char *format, const struct storing *how, const struct csr *a,
                           struct storage *storage, struct error *error)
{
    const struct format_options options = {.wide = how->wide, .limit = how->limit};
    struct format_choice choice = one_format(format);
    choice.precision = how->precision;
    return format_convert(&choice, &options, a, NULL, storage, error);
}

struct storage stored_with(const char *format, const struct storing *options, const struct csr *a)
{
    struct storage storage;
    struct error error = {0};
    if (convert(format, options, a, &storage, &error) != STATUS_OK ||
        storage_validate(&storage, &error) != STATUS_OK)
        fail_msg("%s: %s", format, error.message);
    return storage;
}

struct storage stored(const char *format, const struct csr *a)
{
    const struct storing usual = {0};
    return stored_with(format, &usual, a);
}

enum status stored_status(const char *format, const struct storing *options, const struct csr *a,
                          const char **message)
{
    static struct error error;
    struct storage storage;
    error = (struct error){0};
    enum status status = convert(format, options, a, &storage, &error);
    storage_free(&storage);
    *message = error.message;
    return status;
}

const struct array *stored_array(const struct storage *storage, const char *name)
{
    for (int q = 0; q < storage->count; q++)
        if (strcmp(storage->array[q].name, name) == 0) return &storage->array[q];
    fail_msg("%s has no array %s", storage->format->name, name);
    return NULL;
}

static bool is_padding(const struct storage *storage, const struct array *array, int64_t e)
{
    return array->per_slot && storage_padding(storage, array->part, e);
}

void stored_expect(const struct storage *storage, const char *name, const char *text)
{
    const struct array *array = stored_array(storage, name);
    char element[64];
    int64_t e = 0;
    for (;; e++) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        if (length == 0 || e == array->length) break;
        array_text(array, e, element, sizeof element);
        bool starred = length == 1 && text[0] == '*';
        if (starred ? !is_padding(storage, array, e)
                    : strlen(element) != length || memcmp(element, text, length) != 0)
            fail_msg("%s: %s[%lld] is %s, not %.*s", storage->format->name, name, (long long)e, element,
                     (int)length, text);
        text += length;
    }
    if (*text || e != array->length)
        fail_msg("%s: %s has %lld elements", storage->format->name, name, (long long)array->length);
}

void stored_refused(const struct storage *storage, const char *message)
{
    struct error error = {0};
    assert_int_equal(storage_validate(storage, &error), STATUS_INPUT);
    if (!strstr(error.message, message)) fail_msg("'%s' instead of '%s'", error.message, message);
}

void stored_sweep(const char *format, const struct csr *a)
{
    const struct format_options usual = {0};
    const struct format_choice choice = one_format(format);
    bool failed = true;
    for (int k = 0; failed; k++) {
        struct storage storage;
        struct error error = {0};
        memory_fail_after(k);
        enum status status = format_convert(&choice, &usual, a, NULL, &storage, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        storage_free(&storage);
    }
}
