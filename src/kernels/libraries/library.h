/* Libraries of others that multiply sparse matrices on processors, loaded when the program runs: their
 * kernels stand in the same table as our own, since users compare with them. Neither their headers nor they
 * themselves are needed to build or to start the program, and nothing is loaded before a kernel of theirs is
 * asked for.
 *
 * Some of them end the program when something is amiss (MKL does where a part of it is missing), and some
 * have been built for other integers. So a library is first loaded by a child process, which multiplies a
 * small matrix with it; what comes of that is either that the library is loaded here too, or a reason why its
 * kernel cannot run. What was found is kept for the process, as what is loaded is. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H
#define SPARSIGHT_KERNELS_LIBRARIES_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernels/libraries/names.h"

struct kernel;
struct library_csr;
struct library_product;

/* What was found of a library; LIBRARY_FOUND_NOTHING at first. */
struct library_found {
    pthread_mutex_t lock; /* held by whoever looks for the library */
    atomic_bool looked;
    char named[1024];  /* what the library's variable said when it was looked for */
    char reason[1024]; /* why it cannot be used; "" if it can */
    char path[1024];   /* of the file that was loaded */
    char version[64];  /* "2026.2"; "" if it cannot be used */
    void *file;        /* what dlopen returned */
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

/* The last call of a library that was asked for something, and the error that tells of a failure. */
struct library_call {
    const char *function;
    int code;
    enum status status; /* not STATUS_OK: `error` already has the message, which is not that of a code */
    struct error *error;
};

/* The handles that a library may keep for a prepared matrix. */
#define LIBRARY_HANDLES 3

/* All that differs from library to library. Functions that ask the library return false if it fails: the
 * caller makes the error of `call`. */
struct library {
    struct library_place place;
    const struct library_symbol *wanted; /* ends with a NULL name */
    struct library_found *found;
    const struct kernel *kernel; /* that multiplies the small matrix */
    int version_min;             /* the first number of the oldest version that can be used; 0: all can */
    int no_memory;               /* the code of a call that finds no memory; 0 if there is none */
    const char *code_name;       /* what the library calls its codes; NULL if `explain` is there */
    /* Write in words what a code means. */
    void (*explain)(int code, char *words, size_t size);
    /* Bring the library that was just loaded into a state in which it can be used, and write text that has
     * its version as its first number. `text` is "" and stays so if the library cannot be asked. */
    bool (*start)(char *text, size_t size, struct library_call *call);
    /* Let so many threads take part in what the calling thread asks of the library from now on; returns how
     * many took part before. NULL: library_threads does, since the library asks its OpenMP. */
    int (*take_threads)(int threads);
    /* Make the handles of a matrix with entries (kernels/libraries/csr.h), for this product; all are NULL
     * before. After a failure `release` frees those that were made. */
    bool (*make)(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call);
    /* Compute the product; returns 0 if that succeeds. */
    int (*multiply)(const struct library_product *product, void *const *handle);
    bool adds; /* `multiply` computes y += A x alone: y is set to 0 before where it is to be replaced */
    /* Free the handles. The first was made. */
    void (*release)(void **handle);
};

/* Note what a function of the library returned; true if that is 0, by which all libraries tell success. */
bool library_asked(struct library_call *call, const char *function, int code);

/* Return the error of a call that failed, with its message: STATUS_MEMORY or STATUS_UNAVAILABLE, unless the
 * call has its own. */
enum status library_failed(const struct library *library, const struct library_call *call);

/* Start the library that was just loaded, and write its version; "" if it cannot be asked. Fails with
 * STATUS_UNAVAILABLE if it cannot be used. */
enum status library_start(const struct library *library, char *version, size_t size, struct error *error);

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

/* Let the OpenMP that the library uses take so many threads for what the calling thread asks of it from now
 * on. Returns how many it took before. */
int library_threads(const struct library *library, int threads);

/* Threads of an OpenMP go on for some milliseconds after their last region, in case another follows, and keep
 * those of another OpenMP from the processors meanwhile. This tells apart which one the library uses: NULL
 * for that of the program. */
const void *library_team(const struct library *library);

#endif
