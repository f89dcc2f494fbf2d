/* What ptxas says of the kernels of this build: registers, shared memory, spills. From these follows how many
 * warps a multiprocessor holds, also where there is no GPU. */
#ifndef SPARSIGHT_KERNELS_CUDA_RESOURCES_H
#define SPARSIGHT_KERNELS_CUDA_RESOURCES_H

struct cuda_resources {
    const char *kernel; /* with its template arguments: "csr_vector<32, double, int>"; offsets of 64 bits are
                           long */
    int arch;           /* compute capability that it was compiled for: 90 is 9.0 */
    int registers;      /* of a thread */
    int shared;         /* bytes of a block, without what is given at launch */
    int stack;          /* bytes of a thread */
    int spill_stores, spill_loads; /* bytes */
};

/* By kernel, then as they were compiled; the last one has a NULL kernel. Made from the output of ptxas while
 * building; empty in a build without nvcc. */
extern const struct cuda_resources cuda_resources[];

/* The kernel as compiled for the highest compute capability that is not above `arch`, which is the code that
 * such a GPU runs; where it was compiled for higher ones only, as for the lowest of these, which is near to
 * what a compiler would make of it for `arch`. NULL if there is no such kernel. */
const struct cuda_resources *cuda_resources_find(const char *kernel, int arch);

#endif
