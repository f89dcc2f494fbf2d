#define REAL float
#define LOOPS loops_f32_portable
#define CONTIGUOUS contiguous_f32_portable
#define ISA "portable"
#include "kernels/cpu/loops/variant.h"
