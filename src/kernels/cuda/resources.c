#include "kernels/cuda/resources.h"

#include <stddef.h>
#include <string.h>

#include "kernels/gpu/trace.h"

const struct cuda_resources *cuda_resources_find(const char *kernel, int arch)
{
    const struct cuda_resources *below = NULL, *above = NULL;
    const char *other = NULL; /* compilers keep equal strings once, and rows of a kernel follow each other */
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++) {
        if (r->kernel == other) continue;
        if (strcmp(r->kernel, kernel) != 0) {
            other = r->kernel;
            continue;
        }
        if (r->arch <= arch && (!below || r->arch > below->arch)) below = r;
        if (r->arch > arch && (!above || r->arch < above->arch)) above = r;
    }
    return below ? below : above;
}

bool cuda_resources_tell(const char *kernel, int arch, struct trace_resources *resources)
{
    const struct cuda_resources *found = cuda_resources_find(kernel, arch);
    if (!found) return false;
    *resources = (struct trace_resources){.registers = found->registers, .shared = found->shared};
    return true;
}
