#define REAL double
#define LOOPS loops_f64_avx2
#define CONTIGUOUS contiguous_f64_avx2
#define ISA "avx2"
#include "kernels/cpu/loops/variant.h"
