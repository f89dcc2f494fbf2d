#define REAL float
#define LOOPS loops_f32_avx512
#define CONTIGUOUS contiguous_f32_avx512
#define ISA "avx512"
#include "kernels/cpu/loops/variant.h"
