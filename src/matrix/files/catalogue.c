#include "matrix/files/catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "matrix/files/container.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"

/* Bytes read from a packed file to detect its contents if its name does not show them. */
#define SNIFF_BYTES ((int64_t)256 << 10)

/* Maximum number of names read to count the files of a folder. */
#define NAMES_LOOKED_AT 10000

enum status catalogue_start(struct catalogue *catalogue, struct error *error)
{
    *catalogue = (struct catalogue){0};
    if (pthread_mutex_init(&catalogue->lock, NULL))
        return error_set(error, STATUS_MEMORY, "out of memory for a lock");
    catalogue->started = true;
    return STATUS_OK;
}

static void item_free(struct catalogue_item *item)
{
    if (!item) return;
    free(item->name);
    free(item->path);
    free(item->reason);
    free(item);
}

void catalogue_free(struct catalogue *catalogue)
{
    for (int64_t k = 0; k < catalogue->count; k++)
        item_free(catalogue->items[k]);
    free(catalogue->items);
    if (catalogue->started) pthread_mutex_destroy(&catalogue->lock);
    *catalogue = (struct catalogue){0};
}

enum catalogue_state catalogue_state(const struct catalogue_item *item)
{
    return (enum catalogue_state)atomic_load_explicit(&item->state, memory_order_acquire);
}

int64_t catalogue_take(struct catalogue *catalogue, int64_t from, struct catalogue_item **items, int64_t most)
{
    pthread_mutex_lock(&catalogue->lock);
    int64_t count = catalogue->count - from < most ? catalogue->count - from : most;
    for (int64_t k = 0; k < count; k++)
        items[k] = catalogue->items[from + k];
    pthread_mutex_unlock(&catalogue->lock);
    return count > 0 ? count : 0;
}

/* --- items --- */

static void publish(struct catalogue_item *item, enum catalogue_state state)
{
    atomic_store_explicit(&item->state, (int)state, memory_order_release);
}

/* Mark the item as refused. The reason is the error without the file's name. */
static enum status refuse(struct catalogue_item *item, const struct error *why, struct error *error)
{
    struct error plain = *why;
    char text[sizeof plain.message + 64];
    plain.path[0] = 0;
    if (why->line > 0)
        snprintf(text, sizeof text, "line %" PRId64 ": %s", why->line, why->message);
    else
        error_text(&plain, text, sizeof text);
    item->reason = memory_string(text_visible(text), error);
    if (!item->reason) return STATUS_MEMORY;
    publish(item, CATALOGUE_REFUSED);
    return STATUS_OK;
}

static struct catalogue_item *item_new(const char *name, const char *path, struct error *error)
{
    struct catalogue_item *item = memory_zeroed(1, sizeof *item, error);
    if (!item) return NULL;
    item->bytes = -1;
    item->name = memory_string(name, error);
    item->path = item->name ? memory_string(path, error) : NULL;
    if (item->path) return item;
    item_free(item);
    return NULL;
}

/* Append an item, which then belongs to the catalogue, even on failure. */
static enum status add(struct catalogue *catalogue, struct catalogue_item *item, struct error *error)
{
    enum status status = STATUS_OK;
    if (catalogue->count == CATALOGUE_MAX) {
        item_free(item);
        return error_set(error, STATUS_LIMIT, "only the first %d are listed", CATALOGUE_MAX);
    }
    pthread_mutex_lock(&catalogue->lock);
    if (catalogue->count == catalogue->capacity) {
        int64_t capacity = catalogue->capacity ? 2 * catalogue->capacity : 64;
        struct catalogue_item **items =
            memory_resize(catalogue->items, (size_t)capacity, sizeof(struct catalogue_item *), error);
        if (items) {
            catalogue->items = items;
            catalogue->capacity = capacity;
        } else
            status = STATUS_MEMORY;
    }
    if (status == STATUS_OK) catalogue->items[catalogue->count++] = item;
    pthread_mutex_unlock(&catalogue->lock);
    if (status != STATUS_OK) item_free(item);
    return status;
}

/* Read the header of the container's open file into the item. Sizes beyond memory are shown as well, and
 * refused when the matrix is opened. */
static enum status read_header(struct catalogue_item *item, struct container *container,
                               const struct load_options *options, struct error *error)
{
    struct outline outline = {.coordinate = true, .rows = -1, .cols = -1, .entries = -1};
    struct load_options unlimited = *options;
    const struct reader *reader;
    unlimited.limit = SIZE_MAX;
    unlimited.beside = NULL;
    enum status status = reader_choose(container, &unlimited, &reader, error);
    if (status == STATUS_OK && reader->look) status = reader->look(container, &unlimited, &outline, error);
    if (status != STATUS_OK) return status;
    item->format = reader->title;
    item->outlined = reader->look != NULL;
    item->field = outline.field;
    item->symmetry = outline.symmetry;
    item->coordinate = outline.coordinate;
    item->packed = !container_is_plain(container);
    item->rows = outline.rows;
    item->cols = outline.cols;
    item->entries = outline.entries;
    publish(item, CATALOGUE_READ);
    return STATUS_OK;
}

/* True if this is the fault of the file, and not of the system or the user. */
static bool is_of_the_file(enum status status)
{
    return status != STATUS_OK && status != STATUS_MEMORY && status != STATUS_CANCELLED;
}

/* --- folders --- */

/* A list of names. */
struct names {
    char **names;
    int64_t count, capacity;
};

static void names_free(struct names *names)
{
    for (int64_t k = 0; k < names->count; k++)
        free(names->names[k]);
    free(names->names);
}

static enum status add_name(struct names *names, const char *name, struct error *error)
{
    if (names->count == names->capacity) {
        int64_t capacity = names->capacity ? 2 * names->capacity : 64;
        char **more = memory_resize(names->names, (size_t)capacity, sizeof(char *), error);
        if (!more) return STATUS_MEMORY;
        names->names = more;
        names->capacity = capacity;
    }
    char *copy = memory_string(name, error);
    if (!copy) return STATUS_MEMORY;
    names->names[names->count++] = copy;
    return STATUS_OK;
}

/* Names that differ only in case are adjacent. */
static int compare_names(const void *a, const void *b)
{
    const char *first = *(char *const *)a, *second = *(char *const *)b;
    int order = strcasecmp(first, second);
    return order ? order : strcmp(first, second);
}

/* Read the names in a folder except hidden ones. */
static enum status read_names(const char *path, struct names *names, struct progress *progress,
                              struct error *error)
{
    DIR *folder = opendir(path);
    enum status status = STATUS_OK;
    if (!folder) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry && errno) status = error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
        if (!entry || status != STATUS_OK) break;
        if (entry->d_name[0] == '.') continue;
        status = add_name(names, entry->d_name, error);
        if (status == STATUS_OK) status = progress_status(progress, error);
        if (status != STATUS_OK) break;
    }
    closedir(folder);
    if (names->count > 1) qsort(names->names, (size_t)names->count, sizeof(char *), compare_names);
    return status;
}

static bool ends_with_any(const char *name, size_t length, const char *const *endings)
{
    for (; *endings; endings++)
        if (member_ends_with(name, length, *endings)) return true;
    return false;
}

bool catalogue_takes(const char *name)
{
    static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".z", NULL};
    static const char *const archives[] = {".tar", ".zip", ".tgz", ".tbz", ".tbz2", ".tzst", ".txz", NULL};
    size_t length = strlen(name);
    if (ends_with_any(name, length, archives)) return true;
    if (ends_with_any(name, length, packed))
        while (name[--length] != '.')
            ;
    return reader_of_name(name, length, false, NULL) || member_ends_with(name, length, ".tar");
}

/* True if the file, whatever its name, certainly begins like a matrix after unpacking, or is an archive whose
 * first member is a matrix by its name. */
static bool begins_as_matrix(const char *path, struct progress *progress)
{
    const struct container_bounds bounds = {progress, SNIFF_BYTES};
    struct container *container;
    const char *member;
    int64_t bytes;
    struct beginning sample;
    bool found = false;
    if (container_walk(path, &bounds, &container, NULL) != STATUS_OK) return false;
    if (container_next(container, &member, &bytes, NULL) == STATUS_OK && member) {
        ssize_t count = member[0] ? 0 : container_peek(container, &sample.bytes, NULL);
        sample.count = count > 0 ? (size_t)count : 0;
        sample.whole = sample.count < CONTAINER_HEAD;
        found = member[0] ? member_is_matrix(member) : count > 0 && reader_recognize(&sample);
    }
    container_close(container);
    return found;
}

/* Join folder and name. Returns NULL if there is no memory. */
static char *join(const char *folder, const char *name, const char *ending, struct error *error)
{
    size_t length = strlen(folder), size = length + strlen(name) + strlen(ending) + 2;
    char *path = memory_array(size, 1, error);
    bool slash = length > 0 && folder[length - 1] == '/';
    if (path) snprintf(path, size, "%s%s%s%s", folder, slash || !length ? "" : "/", name, ending);
    return path;
}

/* Add an item for this name in the folder if it is one. */
static enum status add_file(struct catalogue *catalogue, const char *folder, const char *name, int group,
                            struct progress *progress, struct error *error)
{
    struct stat stat_;
    struct catalogue_item *item = NULL;
    struct error lost = {0};
    enum status status = STATUS_OK;
    char *path = join(folder, name, "", error), *shown = NULL;
    if (!path) return STATUS_MEMORY;
    bool exists = stat(path, &stat_) == 0, ending = catalogue_takes(name);
    if (!exists) error_set(&lost, STATUS_IO, "%s", strerror(errno));
    bool directory = exists && S_ISDIR(stat_.st_mode);
    if (!exists && !ending) goto out;
    if (directory && group) goto out;
    if (exists && !directory && !S_ISREG(stat_.st_mode)) goto out;
    if (exists && !directory && !ending && !begins_as_matrix(path, progress)) goto out;
    shown = join("", name, directory ? "/" : "", error);
    item = shown ? item_new(shown, path, error) : NULL;
    status = item ? STATUS_OK : STATUS_MEMORY;
    if (!item) goto out;
    item->group = group;
    if (directory) item->kind = CATALOGUE_FOLDER;
    if (exists) item->modified = stat_.st_mtime;
    if (exists && !directory) item->bytes = stat_.st_size;
    if (!exists) status = refuse(item, &lost, error);
    if (status == STATUS_OK)
        status = add(catalogue, item, error);
    else
        item_free(item);
out:
    free(path);
    free(shown);
    return status;
}

static enum status list_folder(struct catalogue *catalogue, const char *path, int group,
                               struct progress *progress, struct error *error)
{
    struct names names = {0};
    enum status status = read_names(path, &names, progress, error);
    progress_phase(progress, "listing", names.count);
    for (int64_t k = 0; k < names.count && status == STATUS_OK; k++) {
        status = add_file(catalogue, path, names.names[k], group, progress, error);
        if (status == STATUS_OK) status = progress_status(progress, error);
        progress_add(progress, 1);
    }
    names_free(&names);
    return status;
}

/* --- archives --- */

static enum status add_member(struct catalogue *catalogue, struct container *container, const char *member,
                              int64_t bytes, const struct load_options *options, struct error *error)
{
    struct error fault = {0};
    struct catalogue_item *item = item_new(member, container_path(container), error);
    if (!item) return STATUS_MEMORY;
    item->bytes = bytes;
    enum status status = read_header(item, container, options, &fault);
    if (is_of_the_file(status))
        status = refuse(item, &fault, error);
    else if (status != STATUS_OK)
        error_set(error, status, "%s", fault.message);
    if (status == STATUS_OK) return add(catalogue, item, error);
    item_free(item);
    return status;
}

static enum status list_archive(struct catalogue *catalogue, const char *path,
                                const struct load_options *options, struct progress *progress,
                                struct error *error)
{
    const struct container_bounds bounds = {progress, 0};
    struct container *container;
    const char *member = NULL;
    int64_t bytes;
    enum status status = container_walk(path, &bounds, &container, error);
    if (status != STATUS_OK) return status;
    do {
        status = container_next(container, &member, &bytes, error);
        if (status == STATUS_OK && member && !member[0])
            status = error_at(error, STATUS_INPUT, path, 0, 0, "is no archive");
        else if (status == STATUS_OK && member && member_is_matrix(member))
            status = add_member(catalogue, container, member, bytes, options, error);
        if (status == STATUS_OK) status = progress_status(progress, error);
    } while (status == STATUS_OK && member);
    container_close(container);
    return status;
}

enum status catalogue_list_group(struct catalogue *catalogue, const char *path, int group,
                                 const struct load_options *options, struct progress *progress,
                                 struct error *error)
{
    struct stat stat_;
    progress_phase(progress, "listing", 0);
    if (stat(path, &stat_)) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    if (S_ISDIR(stat_.st_mode)) return list_folder(catalogue, path, group, progress, error);
    return list_archive(catalogue, path, options, progress, error);
}

enum status catalogue_list(struct catalogue *catalogue, const char *path, const struct load_options *options,
                           struct progress *progress, struct error *error)
{
    return catalogue_list_group(catalogue, path, 0, options, progress, error);
}

enum status catalogue_add(struct catalogue *catalogue, const struct catalogue_entry *entry,
                          struct error *error)
{
    struct catalogue_item *item = item_new(entry->name, entry->path, error);
    if (!item) return STATUS_MEMORY;
    item->bytes = entry->bytes;
    item->modified = entry->modified;
    item->kind = entry->kind;
    item->group = entry->group;
    item->summary = entry->summary;
    return add(catalogue, item, error);
}

enum status catalogue_rename(struct catalogue_item *item, const char *name, struct error *error)
{
    char *shown = memory_string(name, error), *path = shown ? memory_string(name, error) : NULL;
    if (!path) {
        free(shown);
        return STATUS_MEMORY;
    }
    free(item->name);
    free(item->path);
    item->name = shown;
    item->path = path;
    return STATUS_OK;
}

/* --- looking at an item --- */

/* Count the files of the folder that look like matrices by their names. */
static enum status peek_folder(struct catalogue_item *item, struct progress *progress, struct error *error)
{
    DIR *folder = opendir(item->path);
    struct error fault = {0};
    if (!folder) {
        error_set(&fault, STATUS_IO, "%s", strerror(errno));
        return refuse(item, &fault, error);
    }
    const struct dirent *entry;
    int64_t count = 0;
    for (int k = 0; k < NAMES_LOOKED_AT && !progress_cancelled(progress) && (entry = readdir(folder)); k++)
        count += entry->d_name[0] != '.' && catalogue_takes(entry->d_name);
    closedir(folder);
    item->entries = count;
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK) publish(item, CATALOGUE_READ);
    return status;
}

/* Count the members of an archive with several matrices that look like matrices by their names. If the
 * archive is too long to be scanned, or damaged further on, there may be more of them. */
static enum status count_members(struct catalogue_item *item, const struct container_bounds *bounds,
                                 struct error *error)
{
    struct container *container = NULL;
    const char *member = NULL;
    int64_t bytes, count = 0;
    enum status status = container_walk(item->path, bounds, &container, NULL);
    if (status == STATUS_OK) status = container_next(container, &member, &bytes, NULL);
    while (status == STATUS_OK && member) {
        count += member_is_matrix(member);
        status = container_next(container, &member, &bytes, NULL);
    }
    container_close(container);
    if (status == STATUS_MEMORY) return error_set(error, status, "out of memory: no room to list an archive");
    if (status == STATUS_CANCELLED) return progress_status(bounds->progress, error);
    item->kind = CATALOGUE_ARCHIVE;
    item->entries = count;
    item->more = status != STATUS_OK;
    publish(item, CATALOGUE_READ);
    return STATUS_OK;
}

enum status catalogue_peek(struct catalogue_item *item, const struct load_options *options,
                           struct progress *progress, struct error *error)
{
    const struct container_bounds bounds = {progress, CATALOGUE_LOOK_BYTES};
    struct container *container = NULL;
    struct error fault = {0};
    if (catalogue_state(item) != CATALOGUE_WAITING) return STATUS_OK;
    if (item->kind == CATALOGUE_FOLDER) return peek_folder(item, progress, error);
    if (strncmp(item->path, "gen:", 4) == 0) {
        item->format = "synthetic";
        item->rows = item->cols = item->entries = -1;
        publish(item, CATALOGUE_READ);
        return STATUS_OK;
    }
    enum status status = container_open_within(item->path, &bounds, &container, &fault);
    if (status == STATUS_OK) status = read_header(item, container, options, &fault);
    container_close(container);
    if (status == STATUS_SEVERAL) return count_members(item, &bounds, error);
    if (status == STATUS_LIMIT && !fault.line) {
        publish(item, CATALOGUE_LARGE);
        return STATUS_OK;
    }
    if (is_of_the_file(status)) return refuse(item, &fault, error);
    if (status != STATUS_OK) error_set(error, status, "%s", fault.message);
    return status;
}
