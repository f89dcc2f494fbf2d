/* A choice of a kernel: which kernel, with which parameters of its own, on which choice of its format, with
 * how many threads. What is asked for, what was run, what is kept and what is replayed are told apart by
 * their choice, and named after it. */
#ifndef SPARSIGHT_KERNELS_CHOICE_H
#define SPARSIGHT_KERNELS_CHOICE_H

#include <stdbool.h>

#include "formats/choice.h"

struct kernel;

/* Nothing in it is owned: it may be copied. No kernel has a parameter that is text. */
struct kernel_choice {
    const struct kernel *kernel;
    struct parameter_values values; /* of the kernel's own parameters; NaN where it is to choose */
    struct format_choice format;    /* of the kernel's format; its precision is that of the product */
    int threads;                    /* 0: one per processor, or a kernel that runs on a device */
};

/* The choice that is written as KERNEL:PARAMETERS, in double precision with threads 0: parameters of the
 * kernel and of its format in any order, "" for the defaults. Of the format's parameters the kernel may have
 * defaults of its own (format_defaults). STATUS_USAGE says which parameters there are; STATUS_MEMORY. */
enum status kernel_choice_read(const struct kernel *kernel, const char *parameters,
                               struct kernel_choice *choice, struct error *error);

/* Find the parameter, of the kernel or of its format, whose name `text`, "name=value...", begins with.
 * STATUS_USAGE says which there are; STATUS_MEMORY. */
enum status kernel_choice_parameter(const struct kernel *kernel, const char *text,
                                    const struct parameter **parameter, struct error *error);

/* The same in another precision and with other threads. */
struct kernel_choice kernel_choice_with(const struct kernel_choice *choice, enum precision precision,
                                        int threads);

/* Order of two choices: negative, 0 or positive. It is 0 if both ask for the same, however they were written;
 * but a value that kernel or format would choose is not the same as one that is asked for. */
int kernel_choice_compare(const struct kernel_choice *a, const struct kernel_choice *b);
bool kernel_choice_same(const struct kernel_choice *a, const struct kernel_choice *b);

/* True if they are the same but for the threads. */
bool kernel_choice_alike(const struct kernel_choice *a, const struct kernel_choice *b);

/* How the choice is written, without precision and threads: "cuda/cmrs:height=8,threads=64"; without the
 * backend; and its parameters alone: "height=8,threads=64". The format's parameters come first. Each writes
 * into out (size bytes; CHOICE_NAME suffice) and returns it. */
char *kernel_choice_name(const struct kernel_choice *choice, char *out, size_t size);
char *kernel_choice_short_name(const struct kernel_choice *choice, char *out, size_t size);
char *kernel_choice_parameters(const struct kernel_choice *choice, char *out, size_t size);

#endif
