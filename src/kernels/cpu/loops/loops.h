/* The inner loops of the CPU kernels, compiled several times: for float and double, and for each instruction
 * set that the program chooses from at run time. loops/variant.h says what is in a variant. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H

#include <stdint.h>

#include "kernels/kernel.h"

/* y = A x, or y += A x, for units first .. end-1 of the work; what a unit is (row, strip, chunk) stands
 * beside the loop. Parts may run at the same time, for no two of them write the same element of y. */
typedef void cpu_loop(const struct launch *launch, int64_t first, int64_t end);

/* Stretches of plain memory are multiples of this many bytes. */
#define MEMORY_BLOCK 256

struct loops {
    const char *isa; /* "portable", "avx2", "avx512" */
    double (*memory_read)(const void *from, int64_t bytes);
    void (*memory_copy)(void *to, const void *from, int64_t bytes);
    cpu_loop *csr_plain; /* rows: the published loop */
    cpu_loop *csr;       /* rows */
    /* The sum of entries first .. end-1, whatever their rows. */
    double (*csr_entries)(const struct launch *launch, int64_t first, int64_t end);
};

extern const struct loops loops_f64_portable, loops_f32_portable;
extern const struct loops loops_f64_avx2, loops_f32_avx2, loops_f64_avx512, loops_f32_avx512;

#endif
