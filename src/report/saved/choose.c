/* Choosing a matrix of saved reports if there is no matrix file. */
#include <string.h>

#include "base/text.h"
#include "report/saved/known.h"
#include "report/saved/saved.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* True for a matrix of this name, or of any name if it is NULL, in its natural order. */
static bool is_meant(const json_t *found, const char *name)
{
    const char *order = text_of(json_object_get(found, "order"), "name");
    if (order[0] && strcmp(order, "natural") != 0) return false;
    return !name || strcmp(text_of(found, "name"), name) == 0;
}

static bool is_same(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"rows", "cols", "nnz"};
    for (int k = 0; k < 3; k++)
        if (json_number_value(json_object_get(a, keys[k])) != json_number_value(json_object_get(b, keys[k])))
            return false;
    return strcmp(text_of(a, "name"), text_of(b, "name")) == 0;
}

static bool has_pattern(const json_t *found)
{
    return json_is_object(json_object_get(json_object_get(found, "carried"), "pattern"));
}

/* Maximum number of different matrices that an error lists. */
#define TOLD 6

/* The different matrices that match, up to this number. `matrix` is an object of the first one, with a
 * pattern if there is one. */
struct chosen {
    const json_t *different[TOLD];
    int count;
    bool more;
    const json_t *matrix;
    const struct saved *saved;
};

static void consider(const struct saved *saved, const json_t *found, struct chosen *chosen)
{
    int k = 0;
    while (k < chosen->count && !is_same(found, chosen->different[k]))
        k++;
    if (k == TOLD) {
        chosen->more = true;
        return;
    }
    if (k == chosen->count) chosen->different[chosen->count++] = found;
    if (k > 0 || (chosen->matrix && (has_pattern(chosen->matrix) || !has_pattern(found)))) return;
    chosen->matrix = found;
    chosen->saved = saved;
}

static struct chosen choose(struct saved *const *saved, int count, const char *name)
{
    struct chosen chosen = {.count = 0};
    for (int s = 0; s < count; s++) {
        const json_t *matrices = saved_matrices(saved[s]);
        for (size_t k = 0; k < json_array_size(matrices); k++)
            if (is_meant(json_array_get(matrices, k), name))
                consider(saved[s], json_array_get(matrices, k), &chosen);
    }
    return chosen;
}

static void append_names(const struct chosen *chosen, struct text *text)
{
    for (int k = 0; k < chosen->count; k++)
        text_append(text, "%s%.60s", k ? ", " : "", text_of(chosen->different[k], "name"));
    if (chosen->more) text_append(text, ", ...");
    if (text->data) text_visible(text->data);
}

/* List the matrices if none or several match. */
static enum status refuse(struct saved *const *saved, int count, const char *name, struct error *error)
{
    const struct chosen all = choose(saved, count, name), any = choose(saved, count, NULL);
    struct text names = {0};
    append_names(all.matrix ? &all : &any, &names);
    const char *path = saved_path(saved[0]), *told = names.data ? names.data : "";
    if (!any.matrix)
        error_at(error, STATUS_USAGE, path, 0, 0, "this report has no matrix");
    else if (!all.matrix)
        error_at(error, STATUS_USAGE, path, 0, 0, "no matrix is called '%.60s'; %s: %s", name ? name : "",
                 any.count > 1 ? "there are" : "there is", told);
    else
        error_at(error, STATUS_USAGE, path, 0, 0,
                 "the report has several matrices: name one, as in 'sparsight --results=FILE NAME': %s",
                 told);
    text_free(&names);
    return STATUS_USAGE;
}

enum status saved_session(struct saved *const *saved, int count, const char *name, size_t limit,
                          struct session *session, struct error *error)
{
    const struct chosen chosen = choose(saved, count, name);
    memset(session, 0, sizeof *session);
    if (chosen.count != 1) return refuse(saved, count, name, error);
    return known_session(chosen.matrix, saved_path(chosen.saved), limit, session, error);
}

bool saved_has(struct saved *const *saved, int count, const char *name)
{
    return choose(saved, count, name).matrix != NULL;
}
