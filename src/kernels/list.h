/* Lists of kernels with parameters, in the form of the command line. */
#ifndef SPARSIGHT_KERNELS_LIST_H
#define SPARSIGHT_KERNELS_LIST_H

#include "kernels/choice.h"
#include "kernels/kernel.h"

/* Maximum number of choices of a list. */
#define KERNEL_LIST_MAX 4096

/* A list is written as items, each with a name and perhaps parameters after a colon:
 *
 *     cpu/csr-* cmrs-omp:height=8,sorted=1
 *
 * Items end at blanks, and at commas that are not followed by NAME=VALUE. The name is a glob pattern for
 * "backend/name", or, without a slash, for the names of kernels of all backends. The name of a backend stands
 * for all its kernels, "all" for all kernels and "none" for no kernel.
 *
 * The parameters are those of the kernel and of its format (kernel_choice_read). The value * stands for each
 * value of a parameter whose values are words, a limited number of integers, or powers of two: such an item
 * gives a choice for each of them. A choice whose kernel no item names without a pattern is `by_pattern`. */
struct kernel_list {
    struct kernel_choice *choices; /* they have double precision and threads 0; owned */
    int count;
};

/* Append the items of `text`, except for choices that the list has already. Fails with STATUS_USAGE, and a
 * message that lists similar names; the items before the faulty one stay in the list. */
enum status kernel_list_add(struct kernel_list *list, const char *text, struct error *error);

/* Do the same with the kernels of another table than `kernels`, ended by NULL. */
enum status kernel_list_add_from(struct kernel_list *list, const struct kernel *const *table,
                                 const char *text, struct error *error);

/* Append a kernel with parameters, in the form after the colon: "height=*,sorted=1". */
enum status kernel_list_add_kernel(struct kernel_list *list, const struct kernel *kernel,
                                   const char *parameters, struct error *error);

/* The index of a choice in the list, ignoring precision and threads; -1 if the list lacks it. */
int kernel_list_find(const struct kernel_list *list, const struct kernel_choice *choice);

/* Treat all choices as named, and not as requested by a pattern (format_choice.by_pattern). */
void kernel_list_name(struct kernel_list *list);

void kernel_list_free(struct kernel_list *list);

#endif
