#define REAL float
#define LOOPS loops_f32_avx512_loads
#define ISA "avx512-loads"
#define SINGLE_LOADS
#include "kernels/cpu/loops/variant.h"
