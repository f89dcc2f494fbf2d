/* All loops, compiled for one type and one instruction set: a file that includes this has defined REAL (float
 * or double), COMPLEX if values are pairs of these, LOOPS (the name of the table), CONTIGUOUS (that of its
 * loops that load x in order) and ISA (a string), and the compiler's flags say which instructions there are.
 * With SINGLE_LOADS, the file with gathers defines CONTIGUOUS. */
#include "kernels/cpu/loops/cmrs.h"
#include "kernels/cpu/loops/compact.h"
#include "kernels/cpu/loops/coo.h"
#include "kernels/cpu/loops/csr.h"
#include "kernels/cpu/loops/csr5.h"
#include "kernels/cpu/loops/dasp.h"
#include "kernels/cpu/loops/ell.h"
#include "kernels/cpu/loops/jds.h"
#include "kernels/cpu/loops/sell.h"
#ifndef SINGLE_LOADS
#    include "kernels/cpu/loops/bell.h"
#    include "kernels/cpu/loops/bsr.h"
#    include "kernels/cpu/loops/csc.h"
#    include "kernels/cpu/loops/dia.h"
#    include "kernels/cpu/loops/spmm.h"
#    include "kernels/cpu/loops/sss.h"
#    include "kernels/cpu/loops/tile.h"
#endif
#ifndef COMPLEX
#    include "kernels/cpu/loops/memory.h"
#    include "kernels/cpu/loops/sell_compact.h"
#endif

const struct loops LOOPS = {
    .isa = ISA,
#ifdef SIMD
    .vector = SIMD_BYTES,
    .few = SIMD_FEW,
#endif
#define LOOP(type, name) .name = name,
#ifdef COMPLEX
#    define REAL_LOOP(type, name)
#else
#    define REAL_LOOP(type, name) .name = name,
#endif
#define CONTIGUOUS_LOOP(type, name)
#include "kernels/cpu/loops/loops.def"
    .contiguous = &CONTIGUOUS,
};

#ifndef SINGLE_LOADS
#    undef LOOP
#    undef REAL_LOOP
#    undef CONTIGUOUS_LOOP
#    define LOOP(type, name)
#    define REAL_LOOP(type, name)
#    define CONTIGUOUS_LOOP(type, name) .name = name,
const struct contiguous_loops CONTIGUOUS = {
#    include "kernels/cpu/loops/loops.def"
};
#endif
