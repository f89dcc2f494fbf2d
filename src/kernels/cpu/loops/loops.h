/* The inner loops of the CPU kernels, compiled several times: for float and double, and for each instruction
 * set that the program chooses from at run time. loops/variant.h says what is in a variant. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H

#include <stdint.h>

#include "formats/ell_part.h"
#include "kernels/kernel.h"

/* y = A x, or y += A x, for units first .. end-1 of the work; what a unit is (row, strip, chunk) stands
 * beside the loop. Parts may run at the same time, for no two of them write the same element of y. */
typedef void cpu_loop(const struct launch *launch, int64_t first, int64_t end);

/* The same for rows of a rectangle in arrays ELL_COL and ELL_VAL. */
typedef void ell_loop(const struct launch *launch, const struct ell_part *part, int64_t first, int64_t end);

/* What COO, or the COO part of another format, does to y. */
enum coo_target {
    COO_ALL_ROWS, /* writes every row, 0 where there is no entry */
    COO_OWN_ROWS, /* writes rows with entries, and leaves the others alone */
    COO_ADDED,    /* adds to y, as all do if the launch accumulates */
};

struct coo_part {
    const int32_t *row, *col;
    const void *val;
    int64_t count;
    enum coo_target target;
};

/* Entries first .. end-1 of those, which are in the order of rows. Of a row that began before `first`,
 * nothing is written: its sum is what is returned, to be added once the other parts are done. Parts may run
 * at the same time. */
typedef double coo_loop(const struct launch *launch, const struct coo_part *part, int64_t first, int64_t end);

/* Stretches of plain memory are multiples of this many bytes. */
#define MEMORY_BLOCK 256

struct loops {
    const char *isa; /* "portable", "avx2", "avx512" */
    double (*memory_read)(const void *from, int64_t bytes);
    void (*memory_copy)(void *to, const void *from, int64_t bytes);
    /* FORMAT_plain: the published loop; the others: what the -omp kernels run. */
    cpu_loop *csr_plain, *csr; /* rows */
    cpu_loop *csr_scattered;   /* the same if columns_scattered */
    /* The sum of entries first .. end-1, whatever their rows. */
    double (*csr_entries)(const struct launch *launch, int64_t first, int64_t end);
    void (*coo_plain)(const struct launch *launch, const struct coo_part *part); /* adds, in any order */
    coo_loop *coo;
    ell_loop *ell_plain, *ell;
    cpu_loop *jds_plain;         /* all of part 0 is added to y, whatever the units */
    cpu_loop *jds;               /* sorted rows, also those without entries */
    cpu_loop *cmrs_plain, *cmrs; /* strips */
    cpu_loop *sell_plain, *sell; /* chunks */
    cpu_loop *dia_plain;         /* diagonals, which are added to y */
    cpu_loop *dia;               /* rows */
    cpu_loop *bsr_plain, *bsr;   /* block rows */
};

extern const struct loops loops_f64_portable, loops_f32_portable;
extern const struct loops loops_f64_avx2, loops_f32_avx2, loops_f64_avx512, loops_f32_avx512;

#endif
