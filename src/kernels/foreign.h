/* Foreign kernels: a saved report may hold results of kernels that this build does not know, since they are
 * of another version of the program, or of a backend that this build lacks. Only the report's data on such a
 * kernel are known, its name and its parameters; it cannot be run. */
#ifndef SPARSIGHT_KERNELS_FOREIGN_H
#define SPARSIGHT_KERNELS_FOREIGN_H

#include "base/error.h"
#include "kernels/kernel.h"

/* A linked list of foreign kernels, which owns everything it points to. NULL is the empty list; free with
 * foreign_free. */
struct foreign {
    struct kernel
        kernel; /* its `unavailable` says that the kernel is foreign; its other functions are NULL */
    struct format format;   /* the kernel's format if that is foreign too: it has a name and no functions */
    char *full_name;        /* "cuda/csr-vector" */
    struct backend backend; /* the kernel's backend if that is foreign too */
    char *backend_name;
    char *format_name;
    struct parameter parameters[PARAMETERS_MAX + 1]; /* the kernel's parameters */
    char **words[PARAMETERS_MAX]; /* the words that each parameter takes, ended by NULL; NULL if it takes
                                     numbers */
    struct foreign *next;
};

/* The kernel of the list with this full name; NULL if the list lacks it. */
struct foreign *foreign_find(struct foreign *list, const char *full_name);

/* Add a kernel to the list. If this build knows a backend or a format of that name, the kernel has that one.
 * Returns NULL, with STATUS_MEMORY, if there is no memory. */
struct foreign *foreign_add(struct foreign **list, const char *full_name, const char *backend,
                            const char *format, struct error *error);

/* Note that the kernel has a parameter of this name which takes values of this type: PARAMETER_INTEGER, _REAL
 * or _WORD. If it was noted with another type before, it takes the values of both types from then on: a real
 * number may be an integer, and a word may be any number. Fails with STATUS_INPUT if the kernel would have
 * more than PARAMETERS_MAX parameters. */
enum status foreign_declare(struct foreign *foreign, const char *name, enum parameter_type type,
                            struct error *error);

/* The number of a word of parameter k, which is added if it is new; -1 if there is no memory for it. */
int foreign_word(struct foreign *foreign, int k, const char *word, struct error *error);

void foreign_free(struct foreign *list);

#endif
