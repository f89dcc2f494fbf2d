/* Kernels that this build does not know: of another version, or of a backend that it is built without. What
 * is known of them is what a saved report says: their names and their parameters. They cannot be run. */
#ifndef SPARSIGHT_KERNELS_FOREIGN_H
#define SPARSIGHT_KERNELS_FOREIGN_H

#include <stdbool.h>

#include "base/error.h"
#include "kernels/kernel.h"

/* A list of them, each owned. NULL is the empty list; free with foreign_free. */
struct foreign {
    struct kernel kernel;   /* `unavailable` says that it is foreign; its functions are NULL */
    struct format format;   /* the kernel's, if that is not known either: a name, and no function */
    char *full_name;        /* "cuda/csr-vector" */
    struct backend backend; /* the kernel's, if that is not known */
    char *backend_name;
    char *format_name;
    struct parameter parameters[PARAMETERS_MAX + 1]; /* the kernel's */
    char **words[PARAMETERS_MAX];                    /* of its parameters; NULL ends them */
    struct foreign *next;
};

/* The kernel of the list with this full name, NULL if it is not there. */
struct foreign *foreign_find(struct foreign *list, const char *full_name);

/* Add one to the list. A format that is known by its name is that format. STATUS_MEMORY (NULL). */
struct foreign *foreign_add(struct foreign **list, const char *full_name, const char *backend,
                            const char *format, struct error *error);

/* Let it have a parameter of this name that takes such values, PARAMETER_INTEGER, _REAL or _WORD, beside
 * those that it took so far: a real one takes integers too, and a word may be any of them. STATUS_INPUT if
 * these are more than PARAMETERS_MAX. */
enum status foreign_declare(struct foreign *foreign, const char *name, enum parameter_type type,
                            struct error *error);

/* The number that a word of parameter k has, added if it is new; -1 without memory. */
int foreign_word(struct foreign *foreign, int k, const char *word, struct error *error);

void foreign_free(struct foreign *list);

#endif
