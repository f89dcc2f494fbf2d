/* Preparing a kernel as KERNEL:PARAMETERS says, and asking for it, which tests write as text. */
#ifndef SPARSIGHT_TESTS_SUPPORT_PREPARING_H
#define SPARSIGHT_TESTS_SUPPORT_PREPARING_H

#include "kernels/gpu/paper.h"
#include "kernels/kernel.h"

/* {0} is y = A x with as many threads as OpenMP would use. */
struct preparing {
    struct product product;
    int threads;  /* of the choice */
    size_t limit; /* of struct launch_options */
};

/* kernel_prepare, kernel_prepare_on and paper_prepare of the choice that kernel_choice_read makes of
 * `parameters`, the kernel's own alone. If these cannot be read its status is returned, and *launch is {0}.
 */
enum status preparing_here(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                           const struct preparing *how, struct launch *launch, struct error *error);
enum status preparing_on(struct device *device, const struct kernel *kernel, const char *parameters,
                         const struct storage *storage, const struct storage *resident,
                         const struct preparing *how, struct launch *launch, struct error *error);
enum status preparing_on_paper(struct device *device, const struct kernel *kernel, const char *parameters,
                               const struct storage *storage, const struct preparing *how,
                               struct launch *launch, struct error *error);

/* preparing_here, which succeeds: else its message is printed and the program ends. With a NULL `how` it is
 * {0}. */
struct launch preparing_done(const struct kernel *kernel, const char *parameters,
                             const struct storage *storage, const struct preparing *how);

/* The choice of a kernel with parameters, which can be read: else the program ends. */
struct kernel_choice preparing_choice(const struct kernel *kernel, const char *parameters,
                                      enum precision precision, int threads);

#endif
