#define REAL float
#define COMPLEX 1
#define LOOPS loops_c32_avx512
#define CONTIGUOUS contiguous_c32_avx512
#define ISA "avx512"
#include "kernels/cpu/loops/variant.h"
