#define REAL double
#define LOOPS loops_f64_avx512_loads
#define CONTIGUOUS contiguous_f64_avx512
#define ISA "avx512-loads"
#define SINGLE_LOADS
#include "kernels/cpu/loops/variant.h"
