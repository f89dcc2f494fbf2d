#include "kernels/cuda/resources.h"

#include <stddef.h>
#include <string.h>

const struct cuda_resources *cuda_resources_find(const char *kernel, int arch)
{
    const struct cuda_resources *below = NULL, *above = NULL;
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++) {
        if (strcmp(r->kernel, kernel) != 0) continue;
        if (r->arch <= arch && (!below || r->arch > below->arch)) below = r;
        if (r->arch > arch && (!above || r->arch < above->arch)) above = r;
    }
    return below ? below : above;
}
