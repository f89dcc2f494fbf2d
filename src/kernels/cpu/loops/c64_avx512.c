#define REAL double
#define COMPLEX 1
#define LOOPS loops_c64_avx512
#define CONTIGUOUS contiguous_c64_avx512
#define ISA "avx512"
#include "kernels/cpu/loops/variant.h"
