/* The inner loops of the CPU kernels, compiled several times: for float and double, for complex numbers of
 * these, and for each instruction set to choose from at run time. loops/variant.h lists the contents of a
 * variant. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_LOOPS_H

#include <stdint.h>

#include "formats/ell_part.h"
#include "kernels/kernel.h"

/* Compute y = A x, or y += A x, for units first .. end-1 of the work; the comment of each loop defines its
 * unit (row, strip, chunk). Several threads may run a loop at the same time for units that do not overlap: no
 * two units write the same element of y, except in loops that add to y. */
typedef void cpu_loop(const struct launch *launch, int64_t first, int64_t end);

/* Compute the same for rows first .. end-1 of the rectangle in arrays ELL_COL and ELL_VAL, which is all of
 * ELL and a part of HYB. */
typedef void ell_loop(const struct launch *launch, const struct ell_part *part, int64_t first, int64_t end);

/* How the entries of COO, or of another format's COO part, are written to y. If the launch accumulates, they
 * always add to y. */
enum coo_target {
    COO_ALL_ROWS, /* every row is written, with 0 where it has no entry */
    COO_OWN_ROWS, /* only rows with entries are written */
    COO_ADDED,    /* entries are added to y */
};

/* Entries of COO, all or a part of a matrix: val[e] is in row row[e] and column col[e]. */
struct coo_part {
    const int32_t *row, *col;
    const void *val;
    int64_t count;
    enum coo_target target;
};

/* A sum returned by a loop, for elements of any type; the imaginary part of a real one is 0. */
typedef double _Complex loop_sum;

/* Compute the product of entries first .. end-1, which are in the order of rows. A row that began before
 * `first` is not written, since another thread writes it: its sum over these entries is returned, to be added
 * to y after all threads. So several threads may run this at the same time for entries that do not
 * overlap. */
typedef loop_sum coo_loop(const struct launch *launch, const struct coo_part *part, int64_t first,
                          int64_t end);

struct spmm_rows;
struct spmm_part;

/* Multiply units first .. end-1 of the rows of a matrix (kernels/cpu/spmm.h). */
typedef void spmm_loop(const struct spmm_rows *rows, const struct spmm_part *part, int64_t first,
                       int64_t end);

/* Move `count` rows of `columns` elements from part->x to part->y, with the strides that each loop
 * defines. */
typedef void spmm_move(const struct spmm_part *part, int64_t size, const int32_t *perm, int64_t count);

/* The sizes for memory_read and memory_copy are multiples of this number of bytes. */
#define MEMORY_BLOCK 256

/* Loops that load elements of x in the order of memory. The two ways of loading x[col[k]] do not concern
 * them: the variants that differ in this alone share them, so that they are compiled once for an instruction
 * set. */
struct contiguous_loops {
    cpu_loop *csc_plain, *csc, *csc_join; /* columns, each added to y; shares (kernels/cpu/csc.h); rows */
    cpu_loop *sss_plain, *sss, *sss_join; /* rows; shares (kernels/cpu/sss.h); rows */
    cpu_loop *dia_plain;                  /* diagonals, each of which is added to y */
    cpu_loop *dia;                        /* rows */
    cpu_loop *bsr_plain, *bsr;            /* block rows */
    /* Y = A X, and Y += A^T X. */
    spmm_loop *spmm, *spmm_add;
    /* Convert vectors of `size` elements from column-major to row-major order, and back. Row i of the
     * row-major ones is row perm[i] of the others, or row i if perm is NULL. */
    spmm_move *spmm_pack, *spmm_unpack;
    /* Set rows of Y to those of X, or add these; set them to 0. */
    void (*spmm_copy)(const struct spmm_part *part, int64_t count);
    void (*spmm_clear)(const struct spmm_part *part, int64_t count);
};

struct loops {
    const char *isa; /* "portable", "avx2", "avx2-loads", "avx512", "avx512-loads": the instruction set;
                        -loads: elements of x are loaded singly (gather.h) */
    /* Read and copy memory; NULL in the loops of complex matrices, which need no versions of their own. */
    double (*memory_read)(const void *from, int64_t bytes);
    void (*memory_copy)(void *to, const void *from, int64_t bytes);
    /* FORMAT_plain is the published loop; the -omp kernels run the others. */
    cpu_loop *csr_plain, *csr; /* rows */
    cpu_loop *csr_scattered;   /* rows; used if columns_scattered is true */
    /* Return the sum of val[k] x[col[k]] over entries k = first .. end-1 of any rows. */
    loop_sum (*csr_entries)(const struct launch *launch, int64_t first, int64_t end);
    cpu_loop *csr_compact; /* stretches of rows (kernels/cpu/csr_compact.h); NULL for complex ones */
    /* Add all entries to y, in any order. */
    void (*coo_plain)(const struct launch *launch, const struct coo_part *part);
    coo_loop *coo;
    /* Tiles of CSR5 and the tail (loops/csr5.h); returns the sum of the row that began before `first`. */
    loop_sum (*csr5)(const struct launch *launch, int64_t first, int64_t end);
    ell_loop *ell_plain, *ell;
    cpu_loop *jds_plain;         /* adds all of part 0 to y; ignores the units */
    cpu_loop *jds;               /* sorted rows, also those without entries */
    cpu_loop *cmrs_plain, *cmrs; /* strips */
    cpu_loop *sell_plain, *sell; /* chunks */
    cpu_loop *sell_compact;      /* chunks (kernels/cpu/sell_compact.h); NULL for complex ones */
    const struct contiguous_loops *contiguous;
};

extern const struct loops loops_f64_portable, loops_f32_portable;
extern const struct loops loops_c64_portable, loops_c32_portable;
extern const struct loops loops_f64_avx2, loops_f32_avx2, loops_f64_avx512, loops_f32_avx512;
extern const struct loops loops_f64_avx2_loads, loops_f32_avx2_loads, loops_f64_avx512_loads,
    loops_f32_avx512_loads;
extern const struct loops loops_c64_avx2, loops_c32_avx2, loops_c64_avx512, loops_c32_avx512;

extern const struct contiguous_loops contiguous_f64_portable, contiguous_f32_portable;
extern const struct contiguous_loops contiguous_c64_portable, contiguous_c32_portable;
extern const struct contiguous_loops contiguous_f64_avx2, contiguous_f32_avx2, contiguous_f64_avx512,
    contiguous_f32_avx512;
extern const struct contiguous_loops contiguous_c64_avx2, contiguous_c32_avx2, contiguous_c64_avx512,
    contiguous_c32_avx512;

#endif
