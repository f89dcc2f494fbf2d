/* Under which names the file of a library may be found: what its variable of the environment says, or else
 * the places where the system and the library's own packages put it. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_NAMES_H
#define SPARSIGHT_KERNELS_LIBRARIES_NAMES_H

#include <stddef.h>

/* Where a library may be. */
struct library_place {
    const char *title;          /* "oneMKL" */
    const char *variable;       /* of the environment: names the file, or the folder that it is in */
    const char *const *files;   /* names that the file may have, the latest version first; ends with NULL */
    const char *const *folders; /* where it may be beside where the system looks for libraries, such
                                   as "$MKLROOT/lib" or "/opt/x/lib"; ends with NULL */
    const char *install;        /* how to get it: "to install it: pip install mkl" */
};

/* The names under which a library may be found, in the order in which they are tried. */
#define LIBRARY_NAMES 64
struct library_names {
    char name[LIBRARY_NAMES][1024];
    int count;
};

/* List what `named`, the value of the variable, names; all places if it is "". */
void library_names_list(const struct library_place *place, const char *named, struct library_names *names);

/* Write why none of these is there, and how to get the library. */
void library_names_explain(const struct library_place *place, const char *named, char *reason, size_t size);

/* A function or a variable of a library, and the pointer that takes its address. */
struct library_symbol {
    const char *name;
    void *pointer;
};

/* Find all that is wanted, up to a NULL name, in a file that dlopen loaded. Returns the name of the first
 * that it lacks; NULL if it has all. */
const char *library_lacks(void *file, const struct library_symbol *wanted);

/* Write the path of a file that dlopen loaded; `path` stays as it is if the loader cannot tell it. */
void library_file_path(void *file, char *path, size_t size);

#endif
