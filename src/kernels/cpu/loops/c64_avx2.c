#define REAL double
#define COMPLEX 1
#define LOOPS loops_c64_avx2
#define CONTIGUOUS contiguous_c64_avx2
#define ISA "avx2"
#include "kernels/cpu/loops/variant.h"
