#include "support/preparing.h"

#include <stdio.h>
#include <stdlib.h>

static enum status read_choice(const struct kernel *kernel, const char *parameters,
                               const struct preparing *how, struct kernel_choice *choice,
                               struct launch *launch, struct error *error)
{
    *launch = (struct launch){0};
    enum status status = kernel_choice_read(kernel, parameters, choice, error);
    choice->threads = how->threads;
    return status;
}

enum status preparing_here(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                           const struct preparing *how, struct launch *launch, struct error *error)
{
    const struct launch_options options = {.product = how->product, .limit = how->limit};
    struct kernel_choice choice;
    enum status status = read_choice(kernel, parameters, how, &choice, launch, error);
    return status == STATUS_OK ? kernel_prepare(&choice, storage, &options, launch, error) : status;
}

enum status preparing_on(struct device *device, const struct kernel *kernel, const char *parameters,
                         const struct storage *storage, const struct storage *resident,
                         const struct preparing *how, struct launch *launch, struct error *error)
{
    const struct launch_options options = {.product = how->product, .limit = how->limit};
    struct kernel_choice choice;
    enum status status = read_choice(kernel, parameters, how, &choice, launch, error);
    if (status != STATUS_OK) return status;
    return kernel_prepare_on(device, &choice, storage, resident, &options, launch, error);
}

enum status preparing_on_paper(struct device *device, const struct kernel *kernel, const char *parameters,
                               const struct storage *storage, const struct preparing *how,
                               struct launch *launch, struct error *error)
{
    const struct launch_options options = {.product = how->product, .limit = how->limit};
    struct kernel_choice choice;
    enum status status = read_choice(kernel, parameters, how, &choice, launch, error);
    if (status != STATUS_OK) return status;
    return paper_prepare(device, &choice, storage, &options, launch, error);
}

struct launch preparing_done(const struct kernel *kernel, const char *parameters,
                             const struct storage *storage, const struct preparing *how)
{
    const struct preparing none = {0};
    struct launch launch;
    struct error error = {0};
    if (preparing_here(kernel, parameters, storage, how ? how : &none, &launch, &error) == STATUS_OK)
        return launch;
    fprintf(stderr, "%s:%s: %s\n", kernel->name, parameters, error.message);
    abort();
}

struct kernel_choice preparing_choice(const struct kernel *kernel, const char *parameters,
                                      enum precision precision, int threads)
{
    struct kernel_choice choice;
    struct error error = {0};
    if (kernel_choice_read(kernel, parameters, &choice, &error) != STATUS_OK) {
        fprintf(stderr, "%s:%s: %s\n", kernel->name, parameters, error.message);
        abort();
    }
    return kernel_choice_with(&choice, precision, threads);
}
