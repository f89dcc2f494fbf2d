#define REAL float
#define COMPLEX 1
#define LOOPS loops_c32_avx2
#define CONTIGUOUS contiguous_c32_avx2
#define ISA "avx2"
#include "kernels/cpu/loops/variant.h"
