#include "ui/browser/start.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/words.h"
#include "matrix/generators/generate.h"
#include "ui/browser/recent.h"

#define NAME_WIDE 42 /* columns of a name in a list of 72 columns */

static enum status add(struct start *start, enum start_kind kind, const char *name, const char *summary,
                       int64_t bytes, struct error *error)
{
    if ((start->count & (start->count - 1)) == 0) { /* its capacity is the next power of two */
        size_t capacity = start->count ? 2 * (size_t)start->count : 1;
        struct start_item *items = memory_resize(start->items, capacity, sizeof *items, error);
        if (!items) return STATUS_MEMORY;
        start->items = items;
    }
    char *copy = memory_string(name, error);
    if (!copy) return STATUS_MEMORY;
    start->items[start->count++] = (struct start_item){kind, copy, summary, bytes};
    return STATUS_OK;
}

/* True if a file is called as matrices and archives of them are. */
static bool has_ending(const char *name)
{
    static const char *const endings[] = {".mtx", ".mtx.gz", ".mtx.bz2", ".mtx.xz", ".mtx.zst", ".zip",
                                          ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz"};
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t ending = strlen(endings[k]);
        if (length > ending && strcasecmp(name + length - ending, endings[k]) == 0) return name[0] != '.';
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct start_item *)a)->name, ((const struct start_item *)b)->name);
}

static enum status add_files(struct start *start, struct error *error)
{
    enum status status = STATUS_OK;
    DIR *folder = opendir(".");
    const struct dirent *entry;
    while (folder && status == STATUS_OK && (entry = readdir(folder))) {
        struct stat file;
        if (!has_ending(entry->d_name) || stat(entry->d_name, &file) != 0 || !S_ISREG(file.st_mode)) continue;
        status = add(start, START_HERE, entry->d_name, NULL, file.st_size, error);
    }
    if (folder) closedir(folder);
    if (status != STATUS_OK || start->count == 0) return status;
    qsort(start->items, (size_t)start->count, sizeof *start->items, by_name);
    for (; start->count > START_FILES; start->left_out++)
        free(start->items[--start->count].name);
    return STATUS_OK;
}

/* Find the size of a file, or of the archive of ARCHIVE:MEMBER. Returns false if it is not there. */
static bool find_size(const char *path, int64_t *bytes)
{
    char archive[PATH_MAX];
    struct stat file;
    const char *colon = strrchr(path, ':');
    bool there = stat(path, &file) == 0;
    if (!there && colon && (size_t)(colon - path) < sizeof archive) {
        memcpy(archive, path, (size_t)(colon - path));
        archive[colon - path] = 0;
        there = stat(archive, &file) == 0;
    }
    *bytes = there ? file.st_size : 0;
    return there && S_ISREG(file.st_mode);
}

/* True if the path is that of a file that is listed as one of this folder. */
static bool is_here(const struct start *start, const char *path)
{
    char here[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!getcwd(here, sizeof here) || strlen(here) != (size_t)(slash - path) ||
        memcmp(here, path, strlen(here)) != 0)
        return false;
    for (int k = 0; k < start->count; k++)
        if (strcmp(start->items[k].name, slash + 1) == 0) return true;
    return false;
}

static enum status add_recent(struct start *start, struct error *error)
{
    struct text paths = {0};
    enum status status = STATUS_OK;
    recent_read(&paths);
    for (char *line = paths.data; line && *line && status == STATUS_OK;) {
        char *end = strchr(line, '\n');
        int64_t bytes;
        *end = 0;
        if (find_size(line, &bytes) && !is_here(start, line))
            status = add(start, START_RECENT, line, NULL, bytes, error);
        line = end + 1;
    }
    text_free(&paths);
    return status;
}

static enum status add_generators(struct start *start, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; generators[k] && status == STATUS_OK; k++) {
        struct text name = {0};
        text_append(&name, "gen:%s", generators[k]->name);
        status = name.failed ? error_set(error, STATUS_MEMORY, "out of memory")
                             : add(start, START_GENERATOR, name.data, generators[k]->summary, 0, error);
        text_free(&name);
    }
    return status;
}

/* Write a name so that its end is seen if it is too long. */
static void write_name(struct list_row *row, const char *name, bool ascii)
{
    const char *dots = ascii ? "..." : "\u2026", *tail = name;
    int room = NAME_WIDE - surface_columns(dots);
    if (surface_columns(name) <= NAME_WIDE) dots = "";
    while (dots[0] && surface_columns(tail) > room)
        tail = words_next(tail);
    list_write(row, 0, "%s%s", dots, tail);
    if (row) text_visible(row->cells[0]);
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    static const char *const kinds[] = {"in this folder", "opened before", "generator"};
    const struct start *start = state;
    char bytes[32];
    for (int k = 0; k < start->count; k++) {
        const struct start_item *item = &start->items[k];
        struct list_row *row = list_add(list);
        write_name(row, item->name, explorer->ascii);
        list_write(row, 1, "%s", kinds[item->kind]);
        if (item->kind != START_GENERATOR)
            list_write(row, 2, "%s", format_bytes(bytes, sizeof bytes, (double)item->bytes));
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    struct start *start = state;
    start->chosen = row;
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct start *start = state;
    const struct start_item *item = &start->items[list->selected];
    char count[32];
    if (item->summary) {
        flow_words(flow, COLOUR_TEXT, item->summary);
        flow_break(flow);
        flow_words(flow, COLOUR_DIM, "Default size; 'sparsight gen --help' lists the parameters.");
        return;
    }
    char *path = memory_string(item->name, NULL);
    if (path) flow_words(flow, COLOUR_TEXT, text_visible(path));
    free(path);
    if (!start->left_out) return;
    flow_break(flow);
    flow_item(flow, COLOUR_WARN, "%s more files here: 'sparsight .' lists all",
              format_count(count, sizeof count, start->left_out));
}

static const struct list_kind list_of_matrices = {
    .title = "Open a matrix",
    .wide = 76,
    .foot_high = 3,
    .opens = true,
    .columns = {{.title = "matrix"},
                {.title = "from", .wide = 15},
                {.title = "size", .wide = 10, .numbers = true}},
    .fill = fill,
    .choose = choose,
    .about = about,
};

enum status start_open(struct explorer *explorer, struct start *start, struct error *error)
{
    enum status status = add_files(start, error);
    start->chosen = -1;
    if (status == STATUS_OK) status = add_recent(start, error);
    if (status == STATUS_OK) status = add_generators(start, error);
    if (status == STATUS_OK) list_open(explorer, &start->list, &list_of_matrices, start, 0);
    return status;
}

void start_free(struct start *start)
{
    for (int k = 0; k < start->count; k++)
        free(start->items[k].name);
    free(start->items);
    list_free(&start->list);
    *start = (struct start){0};
}
