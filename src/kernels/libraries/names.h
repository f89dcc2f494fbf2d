/* Possible names of a library's file: the value of its environment variable, or else the paths of the system
 * and of the library's own packages. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_NAMES_H
#define SPARSIGHT_KERNELS_LIBRARIES_NAMES_H

#include <stddef.h>

/* The possible paths of a library. */
struct library_place {
    const char *title;          /* "oneMKL" */
    const char *variable;       /* the environment variable that names the file, or its folder */
    const char *const *files;   /* possible names of the file, the latest version first; ends with NULL */
    const char *const *folders; /* folders beside those of the system's loader, such as "$MKLROOT/lib" or
                                   "/opt/x/lib"; ends with NULL */
    const char *install;        /* how to get it: "to install it: pip install mkl" */
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

/* Write the path of a loaded file; `path` is unchanged if the loader does not know it. */
void library_file_path(void *file, char *path, size_t size);

#endif
