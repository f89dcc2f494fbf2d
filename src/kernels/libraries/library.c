#include "kernels/libraries/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"

/* Find the functions of the library's OpenMP, unless it is the program's own. */
static void find_openmp(struct library_found *found)
{
    void *set = dlsym(found->file, "omp_set_num_threads"), *max = dlsym(found->file, "omp_get_max_threads");
    void *blocktime = dlsym(found->file, "kmp_set_blocktime");
    if (!set || !max || set == dlsym(RTLD_DEFAULT, "omp_set_num_threads")) set = max = blocktime = NULL;
    memcpy(&found->set_threads, &set, sizeof set);
    memcpy(&found->max_threads, &max, sizeof max);
    memcpy(&found->set_blocktime, &blocktime, sizeof blocktime);
}

/* A loaded library stays in memory, since its threads would not survive unloading. */
enum status library_open(const struct library *library, const char *name, bool *missing, struct error *error)
{
    struct library_found *found = library->found;
    *missing = false;
    found->file = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!found->file) {
        const char *why = dlerror();
        /* The loader's message begins with the name of the missing file, which may be a dependency. */
        *missing = why && strncmp(why, name, strlen(name)) == 0 && strstr(why, "No such file");
        return error_set(error, STATUS_UNAVAILABLE, "%s cannot be loaded: %s", name, why ? why : "no reason");
    }
    const char *lacks = library_lacks(found->file, library->wanted);
    if (lacks)
        return error_set(error, STATUS_UNAVAILABLE, "%s has no %s: it is too old, or not whole", name, lacks);
    find_openmp(found);
    return STATUS_OK;
}

/* Asking */

bool library_asked(struct library_call *call, const char *function, int code)
{
    call->function = function;
    call->code = code;
    return code == 0;
}

enum status library_failed(const struct library *library, const struct library_call *call)
{
    char words[160] = "";
    if (call->status != STATUS_OK) return call->status;
    if (library->explain)
        library->explain(call->code, words, sizeof words);
    else
        snprintf(words, sizeof words, "%s %d", library->code_name, call->code);
    bool memory = library->no_memory && call->code == library->no_memory;
    return error_set(call->error, memory ? STATUS_MEMORY : STATUS_UNAVAILABLE, "%s fails at %s: %s",
                     library->place.title, call->function, words);
}

enum status library_start(const struct library *library, char *version, size_t size, struct error *error)
{
    char text[256] = "";
    struct library_call call = {.error = error};
    if (!library->start(text, sizeof text, &call)) return library_failed(library, &call);
    const char *number = text + strcspn(text, "0123456789");
    snprintf(version, size, "%.*s", (int)strspn(number, "0123456789."), number);
    if (atoi(version) >= library->version_min) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s is too old: version %d is needed, and this is '%.80s'",
                     library->place.title, library->version_min, text);
}

/* Looking */

/* Note the path of the file, and use its name as the version if the library has none. */
static void note_file(struct library_found *found)
{
    library_file_path(found->file, found->path, sizeof found->path);
    const char *slash = strrchr(found->path, '/');
    if (!found->version[0])
        snprintf(found->version, sizeof found->version, "%.63s", slash ? slash + 1 : found->path);
}

void library_reason(const struct library *library, const struct error *error, char *reason, size_t size)
{
    const char *title = library->place.title;
    bool titled = strncmp(error->message, title, strlen(title)) == 0;
    reason[0] = 0;
    if (error->message[0])
        snprintf(reason, size, "%s%s%.900s", titled ? "" : title, titled ? "" : ": ", error->message);
}

/* Load the file that worked in the child process, and start it here. */
static void load(const struct library *library, const char *name)
{
    struct library_found *found = library->found;
    struct error error = {0};
    bool missing;
    enum status status = library_open(library, name, &missing, &error);
    if (status == STATUS_OK) status = library_start(library, found->version, sizeof found->version, &error);
    if (status == STATUS_OK) {
        note_file(found);
        return;
    }
    found->version[0] = 0;
    library_reason(library, &error, found->reason, sizeof found->reason);
}

static void look(const struct library *library)
{
    struct library_found *found = library->found;
    struct library_names names = {.count = 0};
    found->reason[0] = found->version[0] = found->path[0] = 0;
    library_names_list(&library->place, found->named, &names);
    int usable = library_try(library, &names, LIBRARY_SECONDS, found->reason, sizeof found->reason);
    if (usable >= 0)
        load(library, names.name[usable]);
    else if (!found->reason[0])
        library_names_explain(&library->place, found->named, found->reason, sizeof found->reason);
}

const char *library_look(const struct library *library)
{
    struct library_found *found = library->found;
    const char *named = getenv(library->place.variable);
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

/* LLVM's threads would spin for 200 ms after a product, on the processors of the next kernel; GNU's spin for
 * some milliseconds. */
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
