/* Registers, shared memory and spills of the kernels, as ptxas reports them. They determine the number of
 * warps that a multiprocessor holds (analysis/warps/occupancy.h), even without a GPU. */
#ifndef SPARSIGHT_KERNELS_CUDA_RESOURCES_H
#define SPARSIGHT_KERNELS_CUDA_RESOURCES_H

#include <stdbool.h>

struct trace_resources;

struct cuda_resources {
    const char *kernel; /* the function with its template arguments, such as "csr_vector<32, double, int>";
                           offsets of 64 bits are long */
    int arch;           /* the compute capability that it was compiled for: 90 is 9.0 */
    int registers;      /* the registers of a thread */
    int shared;         /* bytes of static shared memory of a block */
    int stack;          /* bytes of a thread's stack */
    int spill_stores, spill_loads; /* bytes of spills for lack of registers */
};

/* The table. A build with nvcc has the numbers of its own ptxas for the compute capabilities that it was
 * compiled for; all others are from resources.txt, which is part of the sources. The rows of a kernel stand
 * together. The last element has a NULL kernel. */
extern const struct cuda_resources cuda_resources[];

/* Return the resources of a kernel for the highest compiled compute capability that is not above `arch`: the
 * code that such a GPU runs. If it was compiled only for higher ones, the lowest of these is used, since the
 * compiler's result for `arch` would be similar. Returns NULL if there is no such kernel. */
const struct cuda_resources *cuda_resources_find(const char *kernel, int arch);

/* Find registers and shared memory of a kernel as cuda_resources_find does; this is a function of struct
 * backend. Returns false if there is no such kernel. */
bool cuda_resources_tell(const char *kernel, int arch, struct trace_resources *resources);

#endif
