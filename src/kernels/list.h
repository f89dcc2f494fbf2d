/* Lists of kernels with parameters, as the command line has them. */
#ifndef SPARSIGHT_KERNELS_LIST_H
#define SPARSIGHT_KERNELS_LIST_H

#include "kernels/kernel.h"

/* Items are split at blanks, and at commas that are not followed by NAME=VALUE: "cpu/csr-*
 * cmrs-omp:height=8,sorted=1". A name is a glob over "backend/name", or without a slash over the names of all
 * backends; a backend alone means all of it, "all" means everything, "none" nothing. Parameters are those of
 * the kernel, and then those of its format; what is not given has its default, of the format's parameters
 * the kernel's own if it has one (format_defaults). The value * stands for every
 * value of a parameter that has words or not too many whole numbers, powers of two where it goes by them. */
struct kernel_choice {
    const struct kernel *kernel;
    char *parameters;        /* the kernel's own; owned */
    char *format_parameters; /* owned */
};

#define KERNEL_LIST_MAX 4096

struct kernel_list {
    struct kernel_choice *choices; /* owned; at most KERNEL_LIST_MAX */
    int count;
};

/* Append the items of `text`; what asks for the same as one that is there already is left out. STATUS_USAGE
 * with what there is; what came before the faulty item stays in the list. */
enum status kernel_list_add(struct kernel_list *list, const char *text, struct error *error);

/* The same with the kernels of another table than `kernels`; a NULL ends it. */
enum status kernel_list_add_from(struct kernel_list *list, const struct kernel *const *table,
                                 const char *text, struct error *error);
void kernel_list_free(struct kernel_list *list);

#endif
