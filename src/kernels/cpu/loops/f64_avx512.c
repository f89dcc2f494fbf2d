#define REAL double
#define LOOPS loops_f64_avx512
#define CONTIGUOUS contiguous_f64_avx512
#define ISA "avx512"
#include "kernels/cpu/loops/variant.h"
