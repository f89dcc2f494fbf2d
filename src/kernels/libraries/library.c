#include "kernels/libraries/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/threads.h"
#include "kernels/libraries/trial.h"

/* Find the functions of the OpenMP that the library needs, if that is not the program's own. */
static void find_openmp(struct library_found *found)
{
    void *set = dlsym(found->file, "omp_set_num_threads"), *max = dlsym(found->file, "omp_get_max_threads");
    void *blocktime = dlsym(found->file, "kmp_set_blocktime");
    if (!set || !max || set == dlsym(RTLD_DEFAULT, "omp_set_num_threads")) set = max = blocktime = NULL;
    memcpy(&found->set_threads, &set, sizeof set);
    memcpy(&found->max_threads, &max, sizeof max);
    memcpy(&found->set_blocktime, &blocktime, sizeof blocktime);
}

/* Once loaded a library stays in memory: what it has started, such as threads, would not survive. */
enum status library_open(const struct library *library, const char *name, bool *missing, struct error *error)
{
    struct library_found *found = library->found;
    *missing = false;
    found->file = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!found->file) {
        const char *why = dlerror();
        /* The loader begins with the name of the file that it lacks, which may be one that this one needs. */
        *missing = why && strncmp(why, name, strlen(name)) == 0 && strstr(why, "No such file");
        return error_set(error, STATUS_UNAVAILABLE, "%s cannot be loaded: %s", name, why ? why : "no reason");
    }
    for (const struct library_symbol *symbol = library->wanted; symbol->name; symbol++) {
        void *address = dlsym(found->file, symbol->name);
        memcpy((char *)library->symbols + symbol->offset, &address, sizeof address);
        if (!address && !symbol->optional)
            return error_set(error, STATUS_UNAVAILABLE, "%s has no %s: it is too old, or not whole", name,
                             symbol->name);
    }
    find_openmp(found);
    return STATUS_OK;
}

/* Names */

static void add_name(struct library_names *names, const char *folder, const char *file)
{
    char *name = names->name[names->count];
    size_t size = sizeof names->name[0];
    if (names->count == LIBRARY_NAMES) return;
    int length = snprintf(name, size, "%s%s%s", folder, folder[0] ? "/" : "", file);
    names->count += length > 0 && (size_t)length < size;
}

/* Write a folder as it is, or with the value of the variable that it begins with. False if that is unset. */
static bool expand(const char *folder, char *out, size_t size)
{
    char variable[64];
    size_t length = strcspn(folder, "/");
    if (folder[0] != '$') return (size_t)snprintf(out, size, "%s", folder) < size;
    snprintf(variable, sizeof variable, "%.*s", (int)length - 1, folder + 1);
    const char *value = getenv(variable);
    return value && value[0] && (size_t)snprintf(out, size, "%s%s", value, folder + length) < size;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* List what the variable names, or all places where the library may be. */
static void list_names(const struct library *library, struct library_names *names)
{
    const char *named = library->found->named;
    char folder[1024];
    if (named[0] && !is_folder(named)) {
        add_name(names, "", named);
        return;
    }
    for (int f = 0; library->files[f]; f++)
        add_name(names, named, library->files[f]);
    for (int d = 0; library->folders[d] && !named[0]; d++)
        for (int f = 0; library->files[f] && expand(library->folders[d], folder, sizeof folder); f++)
            add_name(names, folder, library->files[f]);
}

static void explain_absence(const struct library *library)
{
    struct library_found *found = library->found;
    const char *file = library->files[0], *ending = strstr(file, ".so");
    int length = ending ? (int)(ending - file) + 3 : (int)strlen(file);
    if (found->named[0])
        snprintf(found->reason, sizeof found->reason, "%s is not found: %s says %.400s, which %s",
                 library->title, library->variable, found->named,
                 is_folder(found->named) ? "has no such file" : "is not there");
    else
        snprintf(found->reason, sizeof found->reason,
                 "%s is not found: no %.*s is in a folder of LD_LIBRARY_PATH or among the system's "
                 "libraries; %s, or "
                 "name the file in %s",
                 library->title, length, file, library->install, library->variable);
}

/* Looking */

/* Note where the file lies, and take its name for the version if the library did not tell that. */
static void note_file(struct library_found *found)
{
    struct link_map *map = NULL;
    if (dlinfo(found->file, RTLD_DI_LINKMAP, &map) != 0 || !map) return;
    char *real = realpath(map->l_name, NULL);
    snprintf(found->path, sizeof found->path, "%s", real ? real : map->l_name);
    free(real);
    const char *slash = strrchr(found->path, '/');
    if (!found->version[0])
        snprintf(found->version, sizeof found->version, "%.63s", slash ? slash + 1 : found->path);
}

/* Load the file that the child process could use, and start it here. */
static void load(const struct library *library, const char *name)
{
    struct library_found *found = library->found;
    struct error error = {0};
    bool missing;
    enum status status = library_open(library, name, &missing, &error);
    if (status == STATUS_OK) status = library->start(found->version, &error);
    if (status == STATUS_OK) {
        note_file(found);
        return;
    }
    found->version[0] = 0;
    snprintf(found->reason, sizeof found->reason, "%s: %.900s", library->title, error.message);
}

static void look(const struct library *library)
{
    struct library_found *found = library->found;
    struct library_names names = {.count = 0};
    found->reason[0] = found->version[0] = found->path[0] = 0;
    list_names(library, &names);
    int usable = library_try(library, &names, LIBRARY_SECONDS, found->reason, sizeof found->reason);
    if (usable >= 0)
        load(library, names.name[usable]);
    else if (!found->reason[0])
        explain_absence(library);
}

const char *library_look(const struct library *library)
{
    struct library_found *found = library->found;
    const char *named = getenv(library->variable);
    pthread_mutex_lock(&found->lock);
    if (!atomic_load(&found->looked) ||
        strncmp(found->named, named ? named : "", sizeof found->named - 1) != 0) {
        snprintf(found->named, sizeof found->named, "%s", named ? named : "");
        look(library);
        atomic_store(&found->looked, true);
    }
    pthread_mutex_unlock(&found->lock);
    return found->reason[0] ? found->reason : NULL;
}

const char *library_unavailable(const struct library *library)
{
    const struct library_found *found = library->found;
    return atomic_load(&found->looked) && found->reason[0] ? found->reason : NULL;
}

const char *library_path(const struct library *library)
{
    return library->found->path;
}

const char *library_version(const struct library *library)
{
    return library->found->version;
}

/* LLVM's threads would spin for 200 ms after a product, on the processors that the next kernel is timed on;
 * GNU's do for some milliseconds. */
#define SPIN_MILLISECONDS 1

int library_threads(const struct library *library, int threads)
{
    const struct library_found *found = library->found;
    int before = found->max_threads ? found->max_threads() : threads_count();
    if (found->set_blocktime) found->set_blocktime(SPIN_MILLISECONDS);
    if (before == threads) return before;
    if (found->set_threads)
        found->set_threads(threads);
    else
        threads_set(threads);
    return before;
}

const void *library_team(const struct library *library)
{
    return library->found->set_threads ? library->found : NULL;
}
