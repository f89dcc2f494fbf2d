/* All loops, compiled for one type and one instruction set: a file that includes this has defined REAL (float
 * or double), LOOPS (the name of the table) and ISA (a string), and the compiler's flags say which
 * instructions there are. */
#include "kernels/cpu/loops/csr.h"
#include "kernels/cpu/loops/memory.h"

const struct loops LOOPS = {
    .isa = ISA,
    .memory_read = memory_read,
    .memory_copy = memory_copy,
    .csr_plain = csr_plain,
    .csr = csr_rows,
    .csr_entries = csr_entries,
};
