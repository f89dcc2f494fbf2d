#include "kernels/cuda/resources.h"

#include <stddef.h>
#include <string.h>

#include "kernels/gpu/trace.h"

/* Return the first row of a kernel; NULL if it has none. */
static const struct cuda_resources *first_row(const char *kernel)
{
    const char *other = NULL; /* compilers keep equal strings once, and rows of a kernel follow each other */
    for (const struct cuda_resources *r = cuda_resources; r->kernel; r++) {
        if (r->kernel == other) continue;
        if (strcmp(r->kernel, kernel) == 0) return r;
        other = r->kernel;
    }
    return NULL;
}

/* A forecast asks for one kernel several times: the table is not searched again for it. */
const struct cuda_resources *cuda_resources_find(const char *kernel, int arch)
{
    static _Thread_local const struct cuda_resources
        *last; /* the first row of the last kernel that was found */
    const struct cuda_resources *below = NULL, *above = NULL;
    const struct cuda_resources *r = last && strcmp(last->kernel, kernel) == 0 ? last : first_row(kernel);
    if (!r) return NULL;
    last = r;
    for (; r->kernel && strcmp(r->kernel, kernel) == 0; r++) {
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
