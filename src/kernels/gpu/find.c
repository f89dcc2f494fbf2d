/* Finding GPU profiles: in a named file, in the user's directory, among measured ones, and among compiled-in
 * ones; and saving measured ones. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/folder.h"
#include "base/guess.h"
#include "base/memory.h"
#include "kernels/gpu/plausible.h"
#include "kernels/gpu/profile.h"

/* Maximum bytes of a file; a larger one cannot be a profile. */
#define FILE_MAX 65536

/* Bandwidths of drivers and of vendors differ by the rounding of clocks. */
#define SAME_BANDWIDTH 0.05

static bool has_ending(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".gpu") == 0;
}

static const char *skip_marks(const char *name)
{
    return name + strspn(name, " -_");
}

/* Return true if two names are the same except for case, blanks, - and _. */
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

/* Write the path of the directory of profiles from this source, whether it exists or not; "" if the
 * environment has none. Returns the length of the user's home at its beginning. */
static size_t append_directory(struct text *directory, enum gpu_source source)
{
    size_t home = folder_append(directory, source == GPU_CACHED ? FOLDER_CACHE : FOLDER_CONFIG);
    text_append(directory, "%s", directory->length ? "/gpus" : "");
    return home;
}

/* Add the file of this name to the list: it replaces a profile of its name from a higher source, or comes
 * last. */
static enum status add_file(struct gpu_list *list, const char *directory, const char *file,
                            enum gpu_source source, struct error *error)
{
    struct text path = {0};
    char name[sizeof list->items->name];
    struct gpu_entry *entry = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strlen(file) - 4, file);
    text_append(&path, "%s/%s", directory, file);
    for (int k = 0; k < list->count; k++)
        if (same_name(list->items[k].name, name) && list->items[k].source > source) entry = &list->items[k];
    if (!path.failed && !entry) entry = add_entry(list, error);
    if (path.failed || !entry) {
        text_free(&path);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    free(entry->path);
    snprintf(entry->name, sizeof entry->name, "%s", text_visible(name));
    entry->path = path.data;
    entry->text = NULL;
    entry->source = source;
    return STATUS_OK;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct gpu_entry *)a)->name, ((const struct gpu_entry *)b)->name);
}

/* Add the profiles of a directory. */
static enum status add_directory(struct gpu_list *list, enum gpu_source source, struct error *error)
{
    struct text directory = {0};
    append_directory(&directory, source);
    if (directory.failed) {
        text_free(&directory);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    enum status status = STATUS_OK;
    DIR *stream = directory.data[0] ? opendir(directory.data) : NULL;
    if (!stream && directory.data[0] && errno != ENOENT && errno != ENOTDIR)
        status = read_error(directory.data, error);
    for (struct dirent *item; stream && status == STATUS_OK && (item = readdir(stream));)
        if (item->d_name[0] != '.' && has_ending(item->d_name))
            status = add_file(list, directory.data, item->d_name, source, error);
    if (stream) closedir(stream);
    text_free(&directory);
    return status;
}

static enum status add_shipped(struct gpu_list *list, struct error *error)
{
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        struct gpu_entry *entry = add_entry(list, error);
        if (!entry) return STATUS_MEMORY;
        snprintf(entry->name, sizeof entry->name, "%s", file->name);
        entry->text = file->text;
        entry->source = GPU_SHIPPED;
    }
    return STATUS_OK;
}

enum status gpu_list(struct gpu_list *list, struct error *error)
{
    *list = (struct gpu_list){0};
    enum status status = add_shipped(list, error);
    int shipped = list->count;
    if (status == STATUS_OK) status = add_directory(list, GPU_CACHED, error);
    if (status == STATUS_OK) status = add_directory(list, GPU_YOURS, error);
    if (status == STATUS_OK)
        qsort(list->items + shipped, (size_t)(list->count - shipped), sizeof *list->items, compare_entries);
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

/* True if a profile with this name and these facts describes the same GPU. Drivers have longer names than
 * profiles, "h100-80gb-hbm3" for "h100", and the name of a part of a GPU begins with that of the whole. */
static bool same_gpu(const struct gpu *profile, const struct gpu *gpu)
{
    size_t length = strlen(profile->name);
    bool named = same_name(profile->name, gpu->name) ||
                 (strncasecmp(profile->name, gpu->name, length) == 0 && gpu->name[length] == '-');
    /* A driver that does not know the bandwidth reports 0. */
    bool as_fast = gpu->bandwidth <= 0 || (profile->bandwidth >= (1 - SAME_BANDWIDTH) * gpu->bandwidth &&
                                           profile->bandwidth <= (1 + SAME_BANDWIDTH) * gpu->bandwidth);
    return named && as_fast && profile->major == gpu->major && profile->minor == gpu->minor &&
           profile->multiprocessors == gpu->multiprocessors;
}

/* Take the pace of the first profile in this list for the same GPU that was measured. */
static bool take_pace(const struct gpu_list *list, struct gpu *gpu)
{
    for (int k = 0; k < list->count; k++) {
        struct gpu profile;
        char why[PLAUSIBLE_WORDS];
        if (gpu_load(&list->items[k], &profile, NULL) != STATUS_OK || !profile.pace.measured ||
            !same_gpu(&profile, gpu) || pace_implausible(&profile.pace, 0, why))
            continue;
        gpu->pace = profile.pace;
        return true;
    }
    return false;
}

void gpu_pace_find(struct gpu *gpu)
{
    bool found = false;
    for (int source = GPU_YOURS; source <= GPU_SHIPPED && !found; source++) {
        struct gpu_list list = {0};
        enum status status = source == GPU_SHIPPED ? add_shipped(&list, NULL)
                                                   : add_directory(&list, (enum gpu_source)source, NULL);
        found = status == STATUS_OK && take_pace(&list, gpu);
        gpu_list_free(&list);
    }
    if (!found) gpu_pace_derive(gpu);
}

enum status gpu_keep(const struct gpu *gpu, struct text *path, struct error *error)
{
    struct text text = {0};
    size_t home = append_directory(path, GPU_CACHED);
    if (path->length) text_append(path, "/%s.gpu", gpu->name);
    gpu_describe(gpu, &text);
    enum status status = folder_keep(path, home, &text, "the profile", error);
    text_free(&text);
    return status;
}
