/* External libraries that multiply sparse matrices on processors, loaded at run time: their kernels are in
 * the same table as ours, since users compare with them. Neither their headers nor they themselves are needed
 * to build or to start the program, and nothing is loaded before one of their kernels is requested.
 *
 * Some of them end the program on errors (MKL does if a part of it is missing), and some have been built for
 * other integers. So a child process first loads a library, and multiplies a small matrix with it. Then the
 * library is either loaded here too, or there is a reason why its kernel cannot run. The result, like the
 * library, stays for the whole process. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H
#define SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernels/libraries/names.h"

struct kernel;
struct launch;
struct library_csr;

/* A function or a variable of the library, whose address goes to `offset` in the library's `symbols`. */
struct library_symbol {
    const char *name;
    size_t offset;
    bool optional; /* some versions lack it; then the address is NULL */
};

/* The state of a library; LIBRARY_FOUND_NOTHING at first. */
struct library_found {
    pthread_mutex_t lock; /* locked during the search for the library */
    atomic_bool looked;
    char named[1024];  /* value of the library's variable at the time of the search */
    char reason[1024]; /* why it cannot be used; "" if it can */
    char path[1024];   /* of the file that was loaded */
    char version[64];  /* "2026.2"; "" if it cannot be used */
    void *file;        /* the result of dlopen */
    /* Of the OpenMP that comes with the library; NULL if it uses that of the program. The last is NULL too
     * unless it is LLVM's or Intel's. */
    int (*max_threads)(void);
    void (*set_threads)(int);
    void (*set_blocktime)(int);
};
#define LIBRARY_FOUND_NOTHING             \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

struct library {
    struct library_place place;
    const struct library_symbol *wanted; /* ends with a NULL name */
    void *symbols;                       /* receives the addresses of `wanted` */
    struct library_found *found;
    const struct kernel *kernel; /* that multiplies the small matrix */
    /* Bring the library that was just loaded into a state in which it can be used, and write its version into
     * `version`, which has room for 64 bytes; "" if the library cannot be asked. Fails with
     * STATUS_UNAVAILABLE if this version cannot be used.
     */
    enum status (*start)(char *version, struct error *error);
    /* Set the number of threads for further calls of the library by this thread; returns the previous number.
     * NULL: use library_threads, since the library asks its OpenMP. */
    int (*take_threads)(int threads);
    /* Set launch->state to the matrix as the library stores it, which has entries (kernels/libraries/csr.h);
     * the kernel's release frees the state of a failed call. */
    enum status (*make)(const struct library_csr *csr, struct launch *launch, struct error *error);
    /* Compute the product; false if the library cannot. */
    bool (*multiply)(const struct launch *launch);
};

/* Look for the library, unless that was done since its variable was changed. Returns why it cannot be used,
 * or NULL if it can. May take as long as loading it does, and LIBRARY_SECONDS where it does not answer. A
 * variable must not be changed while a kernel of the library is prepared. */
#define LIBRARY_SECONDS 30
const char *library_look(const struct library *library);

/* The same, but without looking for it or waiting: NULL also if nobody has looked yet. */
const char *library_unavailable(const struct library *library);

/* The file of the library that was found, and its version, which is the name of the file if the library
 * cannot be asked for it; "" if it was not looked for, or cannot be used. */
const char *library_path(const struct library *library);
const char *library_version(const struct library *library);

/* Set the number of threads of the library's OpenMP for further calls by this thread. Returns the previous
 * number. */
int library_threads(const struct library *library, int threads);

/* Threads of an OpenMP spin for some milliseconds after their last region, and meanwhile take processors from
 * those of another OpenMP. Return the OpenMP of the library: NULL for that of the program. */
const void *library_team(const struct library *library);

#endif
