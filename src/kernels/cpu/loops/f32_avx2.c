#define REAL float
#define LOOPS loops_f32_avx2
#define CONTIGUOUS contiguous_f32_avx2
#define ISA "avx2"
#include "kernels/cpu/loops/variant.h"
