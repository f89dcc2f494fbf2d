#define REAL float
#define LOOPS loops_f32_avx2_loads
#define CONTIGUOUS contiguous_f32_avx2
#define ISA "avx2-loads"
#define SINGLE_LOADS
#include "kernels/cpu/loops/variant.h"
