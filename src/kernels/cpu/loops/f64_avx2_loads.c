#define REAL double
#define LOOPS loops_f64_avx2_loads
#define CONTIGUOUS contiguous_f64_avx2
#define ISA "avx2-loads"
#define SINGLE_LOADS
#include "kernels/cpu/loops/variant.h"
