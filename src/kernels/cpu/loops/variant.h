/* All loops, compiled for one type and one instruction set: a file that includes this has defined REAL (float
 * or double), COMPLEX if values are pairs of these, LOOPS (the name of the table), CONTIGUOUS (that of its
 * loops that load x in order) and ISA (a string), and the compiler's flags say which instructions there are.
 * With SINGLE_LOADS, the file with gathers defines CONTIGUOUS. */
#include "kernels/cpu/loops/cmrs.h"
#include "kernels/cpu/loops/compact.h"
#include "kernels/cpu/loops/coo.h"
#include "kernels/cpu/loops/csr.h"
#include "kernels/cpu/loops/csr5.h"
#include "kernels/cpu/loops/ell.h"
#include "kernels/cpu/loops/jds.h"
#include "kernels/cpu/loops/sell.h"
#ifndef SINGLE_LOADS
#    include "kernels/cpu/loops/bsr.h"
#    include "kernels/cpu/loops/csc.h"
#    include "kernels/cpu/loops/dia.h"
#    include "kernels/cpu/loops/spmm.h"
#    include "kernels/cpu/loops/sss.h"
#endif
#ifndef COMPLEX
#    include "kernels/cpu/loops/memory.h"
#    include "kernels/cpu/loops/sell_compact.h"
#endif

const struct loops LOOPS = {
    .isa = ISA,
#ifndef COMPLEX
    .memory_read = memory_read,
    .memory_copy = memory_copy,
    .sell_compact = sell_compact,
#endif
    .csr_plain = csr_plain,
    .csr = csr_rows,
    .csr_scattered = csr_scattered,
    .csr_entries = csr_entries,
    .csr_compact = csr_compact,
    .coo_plain = coo_plain,
    .coo = coo,
    .csr5 = csr5,
    .ell_plain = ell_plain,
    .ell = ell,
    .jds_plain = jds_plain,
    .jds = jds,
    .cmrs_plain = cmrs_plain,
    .cmrs = cmrs,
    .sell_plain = sell_plain,
    .sell = sell,
    .contiguous = &CONTIGUOUS,
};

#ifndef SINGLE_LOADS
const struct contiguous_loops CONTIGUOUS = {
    .csc_plain = csc_plain,
    .csc = csc,
    .csc_join = csc_join,
    .sss_plain = sss_plain,
    .sss = sss,
    .sss_join = sss_join,
    .dia_plain = dia_plain,
    .dia = dia,
    .bsr_plain = bsr_plain,
    .bsr = bsr,
    .spmm = spmm,
    .spmm_add = spmm_add,
    .spmm_pack = spmm_pack,
    .spmm_unpack = spmm_unpack,
    .spmm_copy = spmm_copy,
    .spmm_clear = spmm_clear,
};
#endif
