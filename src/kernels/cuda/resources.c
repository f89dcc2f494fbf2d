#include "kernels/cuda/resources.h"

#include <stddef.h>
#include <string.h>

const struct cuda_resources *cuda_resources_find(const char *kernel, int arch)
{
    const struct cuda_resources *found = NULL;
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++)
        if (strcmp(r->kernel, kernel) == 0 && r->arch <= arch && (!found || r->arch > found->arch)) found = r;
    return found;
}
