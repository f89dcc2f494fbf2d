#define REAL float
#define COMPLEX 1
#define LOOPS loops_c32_portable
#define CONTIGUOUS contiguous_c32_portable
#define ISA "portable"
#include "kernels/cpu/loops/variant.h"
