/* Finding the profiles of GPUs: in a file that is named, in the user's directory, and among those compiled
 * into the program. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/guess.h"
#include "base/memory.h"
#include "kernels/gpu/profile.h"

/* A file of more bytes is refused: it cannot be a profile. */
#define FILE_MAX 65536

static bool has_ending(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".gpu") == 0;
}

static const char *skip_marks(const char *name)
{
    return name + strspn(name, " -_");
}

/* Return true if two names are the same but for case, blanks, - and _. */
static bool same_name(const char *a, const char *b)
{
    a = skip_marks(a);
    b = skip_marks(b);
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a = skip_marks(a + 1);
        b = skip_marks(b + 1);
    }
    return !*a && !*b;
}

static enum status read_error(const char *path, struct error *error)
{
    return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
}

/* Read a file of at most FILE_MAX bytes. */
static enum status read_file(const char *path, char *text, size_t *length, struct error *error)
{
    FILE *file = fopen(path, "r");
    if (!file) return read_error(path, error);
    errno = 0;
    *length = fread(text, 1, FILE_MAX + 1, file);
    enum status status = ferror(file) ? read_error(path, error) : STATUS_OK;
    fclose(file);
    if (status == STATUS_OK && *length > FILE_MAX)
        return error_at(error, STATUS_INPUT, path, 0, 0,
                        "this is no profile of a GPU: it has more than %d bytes", FILE_MAX);
    return status;
}

static enum status load_file(const char *path, struct gpu *gpu, struct error *error)
{
    size_t length = 0;
    char *text = memory_array(FILE_MAX + 1, 1, error);
    if (!text) return STATUS_MEMORY;
    enum status status = read_file(path, text, &length, error);
    if (status == STATUS_OK) status = gpu_read(text, length, path, gpu, error);
    free(text);
    return status;
}

enum status gpu_load(const struct gpu_entry *entry, struct gpu *gpu, struct error *error)
{
    *gpu = (struct gpu){0};
    if (entry->path) return load_file(entry->path, gpu, error);
    char path[64];
    snprintf(path, sizeof path, "%s.gpu", entry->name);
    return gpu_read(entry->text, strlen(entry->text), path, gpu, error);
}

void gpu_list_free(struct gpu_list *list)
{
    for (int k = 0; k < list->count; k++)
        free(list->items[k].path);
    free(list->items);
    *list = (struct gpu_list){0};
}

/* Returns a new empty entry at the end of the list; NULL if there is no memory for it. */
static struct gpu_entry *add_entry(struct gpu_list *list, struct error *error)
{
    struct gpu_entry *items = memory_resize(list->items, (size_t)list->count + 1, sizeof *list->items, error);
    if (!items) return NULL;
    list->items = items;
    items[list->count] = (struct gpu_entry){0};
    return &items[list->count++];
}

/* Write the path of the user's directory of profiles, whether it exists or not; "" if the environment names
 * no place for it. */
static enum status user_directory(struct text *directory, struct error *error)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        text_append(directory, "%s/sparsight/gpus", config);
    else if (home && home[0])
        text_append(directory, "%s/.config/sparsight/gpus", home);
    else
        text_append(directory, "%s", "");
    return directory->failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Put the user's file of this name into the list: in the place of the compiled-in profile that has its name,
 * or after all others. */
static enum status add_user_file(struct gpu_list *list, const char *directory, const char *file,
                                 struct error *error)
{
    struct text path = {0};
    char name[sizeof list->items->name];
    struct gpu_entry *entry = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strlen(file) - 4, file);
    text_append(&path, "%s/%s", directory, file);
    for (int k = 0; k < list->count; k++)
        if (same_name(list->items[k].name, name) && !list->items[k].path) entry = &list->items[k];
    if (!path.failed && !entry) entry = add_entry(list, error);
    if (path.failed || !entry) {
        text_free(&path);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    snprintf(entry->name, sizeof entry->name, "%s", text_visible(name));
    entry->path = path.data;
    entry->text = NULL;
    return STATUS_OK;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct gpu_entry *)a)->name, ((const struct gpu_entry *)b)->name);
}

static enum status add_users(struct gpu_list *list, const char *directory, struct error *error)
{
    int shipped = list->count;
    enum status status = STATUS_OK;
    DIR *stream = directory[0] ? opendir(directory) : NULL;
    if (!stream && directory[0] && errno != ENOENT && errno != ENOTDIR) return read_error(directory, error);
    if (!stream) return STATUS_OK;
    for (struct dirent *item; status == STATUS_OK && (item = readdir(stream));)
        if (item->d_name[0] != '.' && has_ending(item->d_name))
            status = add_user_file(list, directory, item->d_name, error);
    closedir(stream);
    qsort(list->items + shipped, (size_t)(list->count - shipped), sizeof *list->items, compare_entries);
    return status;
}

enum status gpu_list(struct gpu_list *list, struct error *error)
{
    struct text directory = {0};
    enum status status = STATUS_OK;
    *list = (struct gpu_list){0};
    for (const struct gpu_file *file = gpu_files; file->name && status == STATUS_OK; file++) {
        struct gpu_entry *entry = add_entry(list, error);
        if (!entry) status = STATUS_MEMORY;
        if (!entry) continue;
        snprintf(entry->name, sizeof entry->name, "%s", file->name);
        entry->text = file->text;
    }
    if (status == STATUS_OK) status = user_directory(&directory, error);
    if (status == STATUS_OK) status = add_users(list, directory.data, error);
    text_free(&directory);
    if (status != STATUS_OK) gpu_list_free(list);
    return status;
}

/* Fail with a message that lists all names, and asks whether the most similar one was meant. */
static enum status unknown_gpu(const struct gpu_list *list, const char *name, struct error *error)
{
    struct text names = {0};
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, name, strlen(name));
    for (int k = 0; k < list->count; k++) {
        guess_offer(&guess, list->items[k].name, list->items[k].name);
        text_append(&names, "%s%s", k ? ", " : "", list->items[k].name);
    }
    if (names.failed) {
        text_free(&names);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    enum status status =
        error_set(error, STATUS_USAGE, "no GPU is called '%.40s'%s%s are %s, and files of your own, NAME.gpu",
                  name, guess_text(&guess, meant), guess.count ? "? There" : "; there", names.data);
    text_free(&names);
    return status;
}

enum status gpu_find(const char *name, struct gpu *gpu, struct error *error)
{
    struct gpu_list list;
    *gpu = (struct gpu){0};
    if (strchr(name, '/') || has_ending(name)) return load_file(name, gpu, error);
    enum status status = gpu_list(&list, error);
    if (status != STATUS_OK) return status;
    const struct gpu_entry *found = NULL;
    for (int k = 0; k < list.count && !found; k++)
        if (same_name(list.items[k].name, name)) found = &list.items[k];
    status = found ? gpu_load(found, gpu, error) : unknown_gpu(&list, name, error);
    gpu_list_free(&list);
    return status;
}
