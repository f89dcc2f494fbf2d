/* Preparing and requesting a kernel given as a text, KERNEL:PARAMETERS. */
#ifndef SPARSIGHT_TESTS_SUPPORT_PREPARING_H
#define SPARSIGHT_TESTS_SUPPORT_PREPARING_H

#include "kernels/gpu/paper.h"
#include "kernels/kernel.h"

/* {0} means y = A x with the default number of OpenMP threads. */
struct preparing {
    struct product product;
    int threads;  /* the threads of the choice */
    size_t limit; /* the limit of struct launch_options */
};

/* Call kernel_prepare, kernel_prepare_on or paper_prepare with the choice that kernel_choice_read makes of
 * `parameters`, which are the kernel's own. If they cannot be read, return that status; *launch is {0} then.
 */
enum status preparing_here(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                           const struct preparing *how, struct launch *launch, struct error *error);
enum status preparing_on(struct device *device, const struct kernel *kernel, const char *parameters,
                         const struct storage *storage, const struct storage *resident,
                         const struct preparing *how, struct launch *launch, struct error *error);
enum status preparing_on_paper(struct device *device, const struct kernel *kernel, const char *parameters,
                               const struct storage *storage, const struct preparing *how,
                               struct launch *launch, struct error *error);

/* preparing_here that must succeed: a failure prints its message and ends the program. A NULL `how` means
 * {0}. */
struct launch preparing_done(const struct kernel *kernel, const char *parameters,
                             const struct storage *storage, const struct preparing *how);

/* Return the choice of a kernel with parameters. The program ends if they cannot be read. */
struct kernel_choice preparing_choice(const struct kernel *kernel, const char *parameters,
                                      enum precision precision, int threads);

#endif
