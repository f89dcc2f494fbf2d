#include "ui/browser/start.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "matrix/generators/generate.h"
#include "ui/browser/recent.h"

const char *start_kind(int group)
{
    static const char *const kinds[] = {[START_RECENT] = "opened before",
                                        [START_LESSONS] = "learn by doing",
                                        [START_EXAMPLE] = "example",
                                        [START_GENERATOR] = "generator"};
    return group >= 0 && group <= START_GENERATOR ? kinds[group] : NULL;
}

/* Find the status of a file, or of the archive of ARCHIVE:MEMBER. Returns false if it is not there. */
static bool find_file(const char *path, struct stat *file)
{
    char archive[PATH_MAX];
    const char *colon = strrchr(path, ':');
    bool there = stat(path, file) == 0;
    if (!there && colon && (size_t)(colon - path) < sizeof archive) {
        memcpy(archive, path, (size_t)(colon - path));
        archive[colon - path] = 0;
        there = stat(archive, file) == 0;
    }
    return there && S_ISREG(file->st_mode);
}

/* True if the file lies in the current folder, whose files are listed anyway. */
static bool is_here(const char *path)
{
    char here[PATH_MAX];
    const char *slash = strrchr(path, '/');
    return slash && getcwd(here, sizeof here) && strlen(here) == (size_t)(slash - path) &&
           memcmp(here, path, strlen(here)) == 0 && !strchr(slash, ':');
}

static enum status add_recent(struct catalogue *catalogue, struct error *error)
{
    struct text paths = {0};
    enum status status = STATUS_OK;
    recent_read(&paths);
    for (char *line = paths.data; line && *line && status == STATUS_OK;) {
        char *end = strchr(line, '\n');
        struct stat file;
        *end = 0;
        if (find_file(line, &file) && !is_here(line))
            status = catalogue_add(catalogue,
                                   &(struct catalogue_entry){.name = line,
                                                             .path = line,
                                                             .bytes = file.st_size,
                                                             .modified = file.st_mtime,
                                                             .group = START_RECENT},
                                   error);
        line = end + 1;
    }
    text_free(&paths);
    return status;
}

void start_examples(struct text *path)
{
    static const char *const places[] = {"../share/sparsight", "../data", "data"};
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    struct stat file;
    if (length <= 0) return;
    program[length] = 0;
    char *slash = strrchr(program, '/');
    if (!slash) return;
    *slash = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        struct text folder = {0}, known = {0};
        text_append(&folder, "%s/%s", program, places[k]);
        text_append(&known, "%s/pmpp.mtx", folder.data ? folder.data : "");
        const bool found = !known.failed && stat(known.data, &file) == 0;
        if (found) text_append(path, "%s", folder.data);
        text_free(&folder);
        text_free(&known);
        if (found) return;
    }
}

/* Add the row that leads to the lessons. They are in the folder of the examples. Without that folder there is
 * no row. */
static enum status add_lessons(struct catalogue *catalogue, struct error *error)
{
    struct text path = {0};
    enum status status = STATUS_OK;
    start_examples(&path);
    if (path.length && !path.failed)
        status = catalogue_add(catalogue,
                               &(struct catalogue_entry){.name = "Lessons",
                                                         .path = path.data,
                                                         .bytes = -1,
                                                         .kind = CATALOGUE_FOLDER,
                                                         .group = START_LESSONS},
                               error);
    text_free(&path);
    return status;
}

static enum status add_examples(struct catalogue *catalogue, const struct load_options *options,
                                struct progress *progress, struct error *error)
{
    struct text path = {0};
    struct stat here, there;
    enum status status = STATUS_OK;
    const int64_t before = catalogue->count;
    start_examples(&path);
    const bool same = path.length && stat(".", &here) == 0 && stat(path.data, &there) == 0 &&
                      here.st_dev == there.st_dev && here.st_ino == there.st_ino;
    if (path.length && !path.failed && !same)
        status = catalogue_list_group(catalogue, path.data, START_EXAMPLE, options, progress, error);
    text_free(&path);
    if (status == STATUS_IO && catalogue->count == before) { /* the list works without examples */
        error_clear(error);
        return STATUS_OK;
    }
    return status;
}

static enum status add_generators(struct catalogue *catalogue, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; generators[k] && status == STATUS_OK; k++) {
        struct text name = {0};
        text_append(&name, "gen:%s", generators[k]->name);
        status = name.failed ? error_set(error, STATUS_MEMORY, "out of memory")
                             : catalogue_add(catalogue,
                                             &(struct catalogue_entry){.name = name.data,
                                                                       .path = name.data,
                                                                       .bytes = -1,
                                                                       .summary = generators[k]->summary,
                                                                       .group = START_GENERATOR},
                                             error);
        text_free(&name);
    }
    return status;
}

enum status start_list(struct catalogue *catalogue, const struct load_options *options,
                       struct progress *progress, struct error *error)
{
    enum status status = add_recent(catalogue, error);
    if (status == STATUS_OK) status = add_generators(catalogue, error);
    if (status == STATUS_OK) status = add_lessons(catalogue, error);
    if (status == STATUS_OK) status = add_examples(catalogue, options, progress, error);
    if (status == STATUS_OK)
        status = catalogue_add(
            catalogue,
            &(struct catalogue_entry){
                .name = "../", .path = "..", .bytes = -1, .kind = CATALOGUE_FOLDER, .group = START_FOLDER},
            error);
    if (status == STATUS_OK)
        status = catalogue_list_group(catalogue, ".", START_HERE, options, progress, error);
    return status;
}

void start_specification(const char *name, struct text *text)
{
    const struct generator *generator = generator_find(name + strlen("gen:"));
    text_append(text, "%s", name);
    for (const struct parameter *p = generator ? generator->parameters : NULL; p && p->name; p++) {
        char value[64];
        if (p->type == PARAMETER_TEXT || p->like || p->automatic) continue;
        text_append(text, ",%s=%s", p->name, parameter_value(p, p->standard, value, sizeof value));
    }
}
