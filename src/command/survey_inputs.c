#include "command/survey_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "matrix/files/catalogue.h"
#include "matrix/files/container.h"

#define DEPTH_MAX 256 /* maximum depth of folders, each of which takes 6 KiB of the stack */

/* Take over both texts, which are freed on failure. */
static enum status add(struct survey_inputs *inputs, char *name, char *failure, struct error *error)
{
    bool room = name != NULL;
    if (room && inputs->count == inputs->room) {
        int more = inputs->room ? 2 * inputs->room : 64;
        struct survey_input *items = memory_resize(inputs->items, (size_t)more, sizeof *items, error);
        room = items != NULL;
        if (items) inputs->items = items;
        if (items) inputs->room = more;
    }
    if (room) {
        inputs->items[inputs->count++] = (struct survey_input){name, failure};
        return STATUS_OK;
    }
    free(name);
    free(failure);
    return error_set(error, STATUS_MEMORY, "out of memory while inputs were listed");
}

static enum status add_failed(struct survey_inputs *inputs, const char *name, const struct error *failure,
                              struct error *error)
{
    return add(inputs, memory_string(name, error), memory_string(failure->message, error), error);
}

static int by_folder(const void *a, const void *b)
{
    const struct survey_folder *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* *seen becomes whether this folder was listed before, under any name, because several links may lead to one
 * folder. A new folder is remembered. Files other than folders are never seen. O(folders) to remember a
 * folder, O(log folders) to find it. */
static enum status see_folder(struct survey_inputs *inputs, const char *path, bool *seen, struct error *error)
{
    struct stat about;
    *seen = false;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return STATUS_OK;
    const struct survey_folder folder = {about.st_dev, about.st_ino};
    int low = 0, high = inputs->folder_count;
    while (low < high) {
        int middle = low + (high - low) / 2, order = by_folder(&inputs->folders[middle], &folder);
        *seen = order == 0;
        if (*seen) return STATUS_OK;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (inputs->folder_count == inputs->folder_room) {
        int more = inputs->folder_room ? 2 * inputs->folder_room : 64;
        struct survey_folder *folders = memory_resize(inputs->folders, (size_t)more, sizeof *folders, error);
        if (!folders) return STATUS_MEMORY;
        inputs->folders = folders;
        inputs->folder_room = more;
    }
    memmove(&inputs->folders[low + 1], &inputs->folders[low],
            (size_t)(inputs->folder_count - low) * sizeof *inputs->folders);
    inputs->folders[low] = folder;
    inputs->folder_count++;
    return STATUS_OK;
}

static enum status add_listed(struct survey_inputs *inputs, const char *path,
                              const struct load_options *options, int depth, struct error *error);

static enum status add_item(struct survey_inputs *inputs, struct catalogue_item *item,
                            const struct load_options *options, int depth, struct error *error)
{
    enum status status = STATUS_OK;
    if (catalogue_state(item) == CATALOGUE_WAITING && item->kind != CATALOGUE_FOLDER)
        status = catalogue_peek(item, options, NULL, error);
    if (status != STATUS_OK) return status;
    if (item->kind != CATALOGUE_MATRIX) return add_listed(inputs, item->path, options, depth + 1, error);
    return add(inputs, memory_string(item->path, error), NULL, error);
}

/* Add the contents of a folder or an archive. */
static enum status add_listed(struct survey_inputs *inputs, const char *path,
                              const struct load_options *options, int depth, struct error *error)
{
    struct catalogue catalogue = {0};
    struct catalogue_item *item;
    struct error failure = {0};
    bool seen;
    if (depth > DEPTH_MAX) {
        error_set(&failure, STATUS_LIMIT, "folders nested more than %d deep are not listed", DEPTH_MAX);
        return add_failed(inputs, path, &failure, error);
    }
    enum status status = see_folder(inputs, path, &seen, error);
    if (status != STATUS_OK || seen) return status;
    status = catalogue_start(&catalogue, error);
    if (status != STATUS_OK) return status;
    enum status listed = catalogue_list(&catalogue, path, options, NULL, &failure);
    for (int64_t k = 0; status == STATUS_OK && catalogue_take(&catalogue, k, &item, 1) == 1; k++)
        status = add_item(inputs, item, options, depth, error);
    if (status == STATUS_OK && listed != STATUS_OK) status = add_failed(inputs, path, &failure, error);
    catalogue_free(&catalogue);
    return status;
}

/* True for a folder, and for an archive without a selected matrix. */
static bool holds_several(const char *name)
{
    struct stat about;
    struct container *container = NULL;
    struct error error = {0};
    if (strcmp(name, "-") == 0 || stat(name, &about) != 0) return false;
    if (S_ISDIR(about.st_mode)) return true;
    if (!S_ISREG(about.st_mode)) return false;
    enum status status = container_open(name, &container, &error);
    if (status == STATUS_OK) container_close(container);
    return status == STATUS_SEVERAL;
}

static enum status add_named(struct survey_inputs *inputs, const char *name,
                             const struct load_options *options, struct error *error)
{
    if (holds_several(name)) return add_listed(inputs, name, options, 0, error);
    return add(inputs, memory_string(name, error), NULL, error);
}

static enum status add_lines(struct survey_inputs *inputs, FILE *file, const struct load_options *options,
                             char **line, struct error *error)
{
    size_t size = 0;
    ssize_t length;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && (length = getline(line, &size, file)) > 0) {
        if ((*line)[length - 1] == '\n') (*line)[--length] = 0;
        if (length > 0 && (*line)[length - 1] == '\r') (*line)[--length] = 0;
        if ((*line)[0] == '#' || (*line)[strspn(*line, " \t")] == 0) continue;
        status = add_named(inputs, *line, options, error);
    }
    return status;
}

static enum status add_list(struct survey_inputs *inputs, const struct options *options, struct error *error)
{
    char *line = NULL;
    bool standard = strcmp(options->list, "-") == 0;
    FILE *file = standard ? stdin : fopen(options->list, "re");
    if (!file) return error_at(error, STATUS_IO, options->list, 0, 0, "%s", strerror(errno));
    errno = 0;
    enum status status = add_lines(inputs, file, &options->load, &line, error);
    if (status == STATUS_OK && ferror(file))
        status = error_at(error, STATUS_IO, options->list, 0, 0, "%s", strerror(errno));
    free(line);
    if (!standard) fclose(file);
    return status;
}

static int by_name(const void *a, const void *b)
{
    const struct survey_input *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order ? order : (*x > *y) - (*x < *y);
}

/* Remove duplicate names, keeping the first. */
static enum status leave_once(struct survey_inputs *inputs, struct error *error)
{
    const struct survey_input **sorted = memory_array((size_t)inputs->count, sizeof *sorted, error);
    if (!sorted) return STATUS_MEMORY;
    for (int k = 0; k < inputs->count; k++)
        sorted[k] = &inputs->items[k];
    qsort(sorted, (size_t)inputs->count, sizeof *sorted, by_name);
    for (int k = inputs->count - 1; k > 0; k--) {
        struct survey_input *item = &inputs->items[sorted[k] - inputs->items];
        if (strcmp(item->name, sorted[k - 1]->name) != 0) continue;
        free(item->name);
        free(item->failure);
        *item = (struct survey_input){NULL, NULL};
        inputs->repeated++;
    }
    free(sorted);
    int kept = 0;
    for (int k = 0; k < inputs->count; k++)
        if (inputs->items[k].name) inputs->items[kept++] = inputs->items[k];
    inputs->count = kept;
    return STATUS_OK;
}

enum status inputs_list(const struct options *options, struct survey_inputs *inputs, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < options->operand_count && status == STATUS_OK; k++)
        status = add_named(inputs, options->operands[k], &options->load, error);
    if (status == STATUS_OK && options->list) status = add_list(inputs, options, error);
    return status == STATUS_OK ? leave_once(inputs, error) : status;
}

enum status inputs_add(struct survey_inputs *inputs, const char *name, const struct load_options *options,
                       struct error *error)
{
    for (int k = 0; k < inputs->count; k++)
        if (strcmp(inputs->items[k].name, name) == 0) return STATUS_OK;
    return add_named(inputs, name, options, error);
}

void inputs_free(struct survey_inputs *inputs)
{
    for (int k = 0; k < inputs->count; k++) {
        free(inputs->items[k].name);
        free(inputs->items[k].failure);
    }
    free(inputs->items);
    free(inputs->folders);
    *inputs = (struct survey_inputs){0};
}
