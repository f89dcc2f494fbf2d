#define REAL float
#define LOOPS loops_f32_avx512_loads
#define CONTIGUOUS contiguous_f32_avx512
#define ISA "avx512-loads"
#define SINGLE_LOADS
#include "kernels/cpu/loops/variant.h"
