#include "support/ready.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/gpu/paper.h"
#include "support/preparing.h"
#include "support/storing.h"

void ready_make(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                const char *parameters, struct csr a)
{
    ready_make_as(ready, facts, kernel, "", parameters, a);
}

void ready_make_as(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                   const char *of_format, const char *parameters, struct csr a)
{
    struct error error = {0};
    ready->a = a;
    enum status status = storing_convert(kernel->format, of_format, &(struct storing){0}, &ready->a, NULL,
                                         &ready->storage, &error);
    paper_open(facts, &ready->device);
    if (status == STATUS_OK)
        status = preparing_on_paper(&ready->device, kernel, parameters, &ready->storage,
                                    &(struct preparing){0}, &ready->launch, &error);
    if (status == STATUS_OK) return;
    fprintf(stderr, "%s:%s: %s\n", kernel->name, parameters, error.message);
    exit(1);
}

void ready_free(struct ready *ready)
{
    kernel_release(&ready->launch);
    device_close(&ready->device);
    storage_free(&ready->storage);
    csr_free(&ready->a);
}
