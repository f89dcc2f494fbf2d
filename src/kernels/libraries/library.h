/* External libraries that multiply sparse matrices on processors, loaded at run time: their kernels are in
 * the same table as ours, since users compare with them. Neither their headers nor they themselves are needed
 * to build or to start the program, and nothing is loaded before one of their kernels is requested.
 *
 * Some of them end the program on errors (MKL does if a part of it is missing), and some have been built for
 * other integers. So a child process first loads a library, and multiplies a small matrix with it. If that
 * works, the library is loaded here, too; else its kernel is unavailable with the reason. The result, like
 * the library, stays for the whole process. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H
#define SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/libraries.h"

struct kernel;
struct library_csr;
struct library_product;

/* The state of a library; LIBRARY_FOUND_NOTHING at first. */
struct library_found {
    pthread_mutex_t lock; /* locked during the search for the library */
    atomic_bool looked;
    char named[1024];  /* value of the library's variable at the time of the search */
    char reason[1024]; /* the reason why it cannot be used; "" if it can */
    char path[1024];   /* of the file that was loaded */
    char version[64];  /* "2026.2"; "" if it cannot be used */
    void *file;        /* the result of dlopen */
    /* Functions of the library's own OpenMP; NULL if it uses that of the program. The last one is also NULL
     * unless it is LLVM's or Intel's. */
    int (*max_threads)(void);
    void (*set_threads)(int);
    void (*set_blocktime)(int);
};
#define LIBRARY_FOUND_NOTHING             \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

/* The last call of a library's function, and its error after a failure. */
struct library_call {
    const char *function;
    int code;
    enum status status; /* if not STATUS_OK, `error` already has a message other than that of a code */
    struct error *error;
};

/* The handles that a library may keep for a prepared matrix. */
#define LIBRARY_HANDLES 3

/* The descriptor of a library. Functions that call the library return false if it fails; the caller then
 * makes the error from `call`. */
struct library {
    struct library_place place;
    const struct library_symbol *wanted; /* ends with a NULL name */
    struct library_found *found;
    const struct kernel *kernel; /* that multiplies the small matrix */
    int version_min;             /* the first number of the oldest version that can be used; 0: all can */
    int no_memory;               /* the code for out of memory; 0 if there is none */
    const char *code_name;       /* the library's word for its codes; NULL if `explain` is given */
    /* Write the meaning of a code. */
    void (*explain)(int code, char *words, size_t size);
    /* Initialise the loaded library, and write a text whose first number is its version. `text` is "", and
     * stays so if the library has no version function. */
    bool (*start)(char *text, size_t size, struct library_call *call);
    /* Set the number of threads for further calls of the library by this thread; returns the previous number.
     * NULL: use library_threads, for libraries that follow their OpenMP. */
    int (*take_threads)(int threads);
    /* Make the handles of a matrix with entries (kernels/libraries/csr.h), for this product; all are NULL
     * before. After a failure `release` frees those that were made. */
    bool (*make)(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call);
    /* Compute the product; returns 0 if that succeeds. */
    int (*multiply)(const struct library_product *product, void *const *handle);
    bool adds; /* `multiply` computes only y += A x: to replace y, it is set to 0 first */
    /* Free the handles. The first exists. */
    void (*release)(void **handle);
};

/* Note the return value of a library's function; true if it is 0, the success of all libraries. */
bool library_asked(struct library_call *call, const char *function, int code);

/* Return the error of a call that failed, with its message: STATUS_MEMORY or STATUS_UNAVAILABLE, unless the
 * call has its own. */
enum status library_failed(const struct library *library, const struct library_call *call);

/* Start the loaded library, and write its version; "" if it has no version function. Fails with
 * STATUS_UNAVAILABLE if it cannot be used. */
enum status library_start(const struct library *library, char *version, size_t size, struct error *error);

/* Search for the library, unless that was done since its variable was changed. Returns the reason why it
 * cannot be used, or NULL if it can. May take as long as loading it, and LIBRARY_SECONDS if it does not
 * respond. A variable must not be changed while a kernel of the library is prepared. */
#define LIBRARY_SECONDS 30
const char *library_look(const struct library *library);

/* The same without searching or waiting: NULL also before the first search. */
const char *library_unavailable(const struct library *library);

/* The file of the library that was found, and its version, or the name of the file if the library has no
 * version function; "" before the search, or if it cannot be used. */
const char *library_path(const struct library *library);
const char *library_version(const struct library *library);

/* Set the number of threads of the library's OpenMP for further calls by this thread. Returns the previous
 * number. */
int library_threads(const struct library *library, int threads);

/* Return the OpenMP of the library: NULL for that of the program. Threads of an OpenMP spin for some
 * milliseconds after their last region, and meanwhile take processors from those of another OpenMP. */
const void *library_team(const struct library *library);

/* Trying a library in a child process. */

/* Open one of the files and find all wanted symbols. Fails with STATUS_UNAVAILABLE; *missing becomes
 * true if the file does not exist, and false for other faults. */
enum status library_open(const struct library *library, const char *name, bool *missing, struct error *error);

/* Write the error's message, which then begins with the library's title; "" if it has none. */
void library_reason(const struct library *library, const struct error *error, char *reason, size_t size);

/* Let a child process open the files in turn, start the first that exists, and multiply a small matrix with
 * its kernel by one thread. The child prints nothing, and cannot affect this process. Returns the index of
 * the file; or -1, with the fault of the library in `reason`, which has `size` bytes: it could not be loaded,
 * exited, crashed, did not respond in time, or computed a wrong result. `reason` is "" if none of the files
 * exists. */
int library_try(const struct library *library, const struct library_names *names, double seconds,
                char *reason, size_t size);

#endif
