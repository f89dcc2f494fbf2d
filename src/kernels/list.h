/* Lists of kernels with parameters, as the command line has them. */
#ifndef SPARSIGHT_KERNELS_LIST_H
#define SPARSIGHT_KERNELS_LIST_H

#include "kernels/choice.h"
#include "kernels/kernel.h"

/* The most choices that a list can have. */
#define KERNEL_LIST_MAX 4096

/* Items are split at blanks, and at commas that are not followed by NAME=VALUE: "cpu/csr-*
 * cmrs-omp:height=8,sorted=1". A name is a glob over "backend/name", or without a slash over the names of all
 * backends; a backend alone means all of it, "all" means everything, "none" nothing. Parameters are those of
 * the kernel, and then those of its format; what is not given has its default, of the format's parameters
 * the kernel's own if it has one (format_defaults). The value * stands for every
 * value of a parameter that has words or not too many whole numbers, powers of two where it goes by them. */
struct kernel_list {
    struct kernel_choice *choices; /* in double precision with threads 0; owned */
    int count;
};

/* Append the items of `text`; what asks for the same as one that is there already is left out. STATUS_USAGE
 * with what there is; what came before the faulty item stays in the list. */
enum status kernel_list_add(struct kernel_list *list, const char *text, struct error *error);

/* The same with the kernels of another table than `kernels`; a NULL ends it. */
enum status kernel_list_add_from(struct kernel_list *list, const struct kernel *const *table,
                                 const char *text, struct error *error);

/* Append this kernel with parameters as they are written after its name, "height=*,sorted=1". */
enum status kernel_list_add_kernel(struct kernel_list *list, const struct kernel *kernel,
                                   const char *parameters, struct error *error);

/* The number of a choice in the list, whatever its precision and threads; -1 if it is not there. */
int kernel_list_find(const struct kernel_list *list, const struct kernel_choice *choice);

void kernel_list_free(struct kernel_list *list);

#endif
