#include "base/libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_name(struct library_names *names, const char *folder, const char *file)
{
    char *name = names->name[names->count];
    size_t size = sizeof names->name[0];
    if (names->count == LIBRARY_NAMES) return;
    int length = snprintf(name, size, "%s%s%s", folder, folder[0] ? "/" : "", file);
    names->count += length > 0 && (size_t)length < size;
}

/* Write a folder, replacing a variable at its beginning by its value. False if that is unset. */
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

void library_names_list(const struct library_place *place, const char *named, struct library_names *names)
{
    char folder[1024];
    names->count = 0;
    if (named[0] && !is_folder(named)) {
        add_name(names, "", named);
        return;
    }
    for (int f = 0; place->files[f]; f++)
        add_name(names, named, place->files[f]);
    for (int d = 0; place->folders[d] && !named[0]; d++)
        for (int f = 0; place->files[f] && expand(place->folders[d], folder, sizeof folder); f++)
            add_name(names, folder, place->files[f]);
}

void library_names_explain(const struct library_place *place, const char *named, char *reason, size_t size)
{
    const char *file = place->files[0], *ending = strstr(file, ".so");
    int length = ending ? (int)(ending - file) + 3 : (int)strlen(file);
    if (named[0])
        snprintf(reason, size, "%s is not found: %s says %.400s, which %s", place->title, place->variable,
                 named, is_folder(named) ? "has no such file" : "is not there");
    else
        snprintf(reason, size,
                 "%s is not found: %s, or name the file in %s; no %.*s is in a folder of LD_LIBRARY_PATH or "
                 "among the system's libraries",
                 place->title, place->install, place->variable, length, file);
}

const char *library_lacks(void *file, const struct library_symbol *wanted)
{
    for (const struct library_symbol *symbol = wanted; symbol->name; symbol++) {
        void *address = dlsym(file, symbol->name);
        memcpy(symbol->pointer, &address, sizeof address);
        if (!address) return symbol->name;
    }
    return NULL;
}

void *library_file_open(const struct library_place *place, int flags, struct error *error)
{
    const char *variable = getenv(place->variable), *named = variable ? variable : "", *why = NULL;
    struct library_names names;
    char reason[1024];
    library_names_list(place, named, &names);
    for (int k = 0; k < names.count; k++) {
        void *file = dlopen(names.name[k], flags);
        if (file) return file;
        why = dlerror();
    }
    library_names_explain(place, named, reason, sizeof reason);
    if (named[0] && why && !strstr(why, "No such file"))
        error_set(error, STATUS_UNAVAILABLE, "%s cannot be loaded: %.900s", place->title, why);
    else
        error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    return NULL;
}

enum status library_find(const struct library_place *place, void *file, const struct library_symbol *wanted,
                         struct error *error)
{
    const char *lacks = library_lacks(file, wanted);
    if (!lacks) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s has no %s: it is too old, or not whole", place->title,
                     lacks);
}

enum status library_check_mpi(const struct library_place *place, void *file, struct error *error)
{
    void *theirs = dlsym(file, "MPI_Barrier"), *ours = dlsym(RTLD_DEFAULT, "MPI_Barrier");
    Dl_info there = {0}, here = {0};
    if (!theirs || !ours || theirs == ours) return STATUS_OK;
    dladdr(theirs, &there);
    dladdr(ours, &here);
    return error_set(error, STATUS_UNAVAILABLE,
                     "%s is built with another MPI (%.300s) than this program (%.300s): build one of them "
                     "anew, or name another file in %s",
                     place->title, there.dli_fname ? there.dli_fname : "",
                     here.dli_fname ? here.dli_fname : "", place->variable);
}

enum status library_need(struct library_once *once, const struct library_place *place,
                         const struct library_symbol *wanted, struct error *error)
{
    pthread_mutex_lock(&once->lock);
    if (!once->looked) {
        void *file = library_file_open(place, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE, &once->error);
        once->status = file ? library_check_mpi(place, file, &once->error) : STATUS_UNAVAILABLE;
        if (once->status == STATUS_OK) once->status = library_find(place, file, wanted, &once->error);
        once->looked = true;
    }
    pthread_mutex_unlock(&once->lock);
    if (once->status != STATUS_OK) error_set(error, once->status, "%s", once->error.message);
    return once->status;
}

void library_file_path(void *file, char *path, size_t size)
{
    struct link_map *map = NULL;
    if (dlinfo(file, RTLD_DI_LINKMAP, &map) != 0 || !map) return;
    char *real = realpath(map->l_name, NULL);
    snprintf(path, size, "%s", real ? real : map->l_name);
    free(real);
}
