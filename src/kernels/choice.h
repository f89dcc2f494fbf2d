/* A choice of a kernel consists of the kernel, its parameters, a choice of its format, and a number of
 * threads. It identifies and names requests, runs, saved results and replays. */
#ifndef SPARSIGHT_KERNELS_CHOICE_H
#define SPARSIGHT_KERNELS_CHOICE_H

#include <stdbool.h>

#include "formats/choice.h"

struct kernel;

/* A choice owns nothing, so that it may be copied. (No kernel has a parameter that is text, which would be
 * owned.) */
struct kernel_choice {
    const struct kernel *kernel;
    struct parameter_values values; /* the kernel's own parameters; NaN if the kernel chooses the value */
    struct format_choice format;    /* the choice of the kernel's format; its precision is the product's */
    int threads;                    /* 0: one thread per processor; also 0 on a device */
};

/* Read the choice that is written as KERNEL:PARAMETERS. The parameters are the kernel's and its format's in
 * any order; "" leaves all at their defaults, and the kernel may have defaults of its own for the format's
 * parameters (format_defaults). The choice has double precision and threads 0. Fails with STATUS_USAGE, and a
 * message that lists the parameters, and with STATUS_MEMORY. */
enum status kernel_choice_read(const struct kernel *kernel, const char *parameters,
                               struct kernel_choice *choice, struct error *error);

/* Find the parameter, the kernel's or its format's, whose name begins the text "name=value...". Fails as
 * kernel_choice_read does. */
enum status kernel_choice_parameter(const struct kernel *kernel, const char *text,
                                    const struct parameter **parameter, struct error *error);

/* The same choice in another precision and with another number of threads. */
struct kernel_choice kernel_choice_with(const struct kernel_choice *choice, enum precision precision,
                                        int threads);

/* The order of two choices, as a negative number, 0 or a positive number. It is 0 if both request the same,
 * in any written form. Requesting a value differs from leaving it to the kernel or the format, even if they
 * would choose that value. */
int kernel_choice_compare(const struct kernel_choice *a, const struct kernel_choice *b);
bool kernel_choice_same(const struct kernel_choice *a, const struct kernel_choice *b);

/* True if two choices are the same except for the number of threads. */
bool kernel_choice_alike(const struct kernel_choice *a, const struct kernel_choice *b);

/* These functions write a choice, without precision and threads, into out, which has `size` bytes
 * (CHOICE_NAME suffice), and return out. The name is "cuda/cmrs:height=8,threads=64", in which the format's
 * parameters come first; the short name lacks the backend, and the parameters are "height=8,threads=64". */
char *kernel_choice_name(const struct kernel_choice *choice, char *out, size_t size);
char *kernel_choice_short_name(const struct kernel_choice *choice, char *out, size_t size);
char *kernel_choice_parameters(const struct kernel_choice *choice, char *out, size_t size);

#endif
