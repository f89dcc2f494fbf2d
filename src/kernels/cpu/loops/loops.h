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

/* The ways of writing the entries of COO, or of another format's COO part, to y. If the launch accumulates,
 * they always add to y. */
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

/* Return the sum over units first .. end-1 of a row that began before `first`, or of all entries first ..
 * end-1. */
typedef loop_sum sum_loop(const struct launch *launch, int64_t first, int64_t end);

/* Add all entries to y, in any order. */
typedef void coo_plain_loop(const struct launch *launch, const struct coo_part *part);

/* Set rows of Y to those of X, or add these; set them to 0. */
typedef void spmm_rows_loop(const struct spmm_part *part, int64_t count);

/* Read and copy memory. */
typedef double memory_read_loop(const void *from, int64_t bytes);
typedef void memory_copy_loop(void *to, const void *from, int64_t bytes);

/* Loops that load elements of x in the order of memory. They do not depend on the way of loading x[col[k]].
 * Variants that differ only in this share them, so that they are compiled once for an instruction set. */
struct contiguous_loops {
#define LOOP(type, name)
#define REAL_LOOP(type, name)
#define CONTIGUOUS_LOOP(type, name) type *name;
#include "kernels/cpu/loops/loops.def"
};

struct loops {
    const char *isa; /* "portable", "avx2", "avx2-loads", "avx512", "avx512-loads": the instruction set;
                        -loads: elements of x are loaded singly (gather.h) */
    int vector;      /* bytes of a vector; 0: none with gathers */
    int few;         /* values that a table in registers holds (simd_pick); 0: no such tables */
#undef LOOP
#undef REAL_LOOP
#undef CONTIGUOUS_LOOP
#define LOOP(type, name) type *name;
#define REAL_LOOP(type, name) type *name; /* NULL in the loops of complex matrices */
#define CONTIGUOUS_LOOP(type, name)
#include "kernels/cpu/loops/loops.def"
#undef LOOP
#undef REAL_LOOP
#undef CONTIGUOUS_LOOP
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
