/* Libraries that are loaded when the first of their functions is needed. The file of a library has possible
 * names: the value of its environment variable, or else the paths of the system and of the library's own
 * packages. */
#ifndef SPARSIGHT_BASE_LIBRARIES_H
#define SPARSIGHT_BASE_LIBRARIES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The possible paths of a library. */
struct library_place {
    const char *title;          /* "oneMKL" */
    const char *variable;       /* the environment variable that names the file, or its folder */
    const char *const *files;   /* possible names of the file, the latest version first; ends with NULL */
    const char *const *folders; /* folders beside those of the system's loader, such as "$MKLROOT/lib" or
                                   "/opt/x/lib"; ends with NULL */
    const char *install;        /* the way to get it: "to install it: pip install mkl" */
};

/* The possible paths of a library, in the order of the search. */
#define LIBRARY_NAMES 64
struct library_names {
    char name[LIBRARY_NAMES][1024];
    int count;
};

/* List the files of `named`, the value of the variable; all known paths if it is "". */
void library_names_list(const struct library_place *place, const char *named, struct library_names *names);

/* Write why none of these exists, and how to get the library. */
void library_names_explain(const struct library_place *place, const char *named, char *reason, size_t size);

/* A function or a variable of a library, and the pointer that takes its address. */
struct library_symbol {
    const char *name;
    void *pointer;
};

/* Find all wanted symbols, up to a NULL name, in a loaded file. Returns the name of the first missing one;
 * NULL if all exist. */
const char *library_lacks(void *file, const struct library_symbol *wanted);

/* Load the first file of a library that exists, with these flags of dlopen. NULL with STATUS_UNAVAILABLE. */
void *library_file_open(const struct library_place *place, int flags, struct error *error);

/* Refuse a library that is built with another MPI than the program, if both have one: it would call the
 * program's MPI with the other one's arguments. STATUS_UNAVAILABLE names the files of both. */
enum status library_check_mpi(const struct library_place *place, void *file, struct error *error);

/* Find all wanted symbols in the file. STATUS_UNAVAILABLE names the first missing one. */
enum status library_find(const struct library_place *place, void *file, const struct library_symbol *wanted,
                         struct error *error);

/* A library that is searched for once, and then stays in memory; LIBRARY_ONCE at first. */
struct library_once {
    pthread_mutex_t lock;
    bool looked;
    enum status status; /* the status of the search, and its error */
    struct error error;
};
#define LIBRARY_ONCE                      \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

/* Load the library and find the wanted symbols, unless that was done before. STATUS_UNAVAILABLE. */
enum status library_need(struct library_once *once, const struct library_place *place,
                         const struct library_symbol *wanted, struct error *error);

/* Write the path of a loaded file; `path` is unchanged if the loader does not know it. */
void library_file_path(void *file, char *path, size_t size);

#endif
