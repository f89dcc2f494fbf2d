#define REAL double
#define COMPLEX 1
#define LOOPS loops_c64_portable
#define CONTIGUOUS contiguous_c64_portable
#define ISA "portable"
#include "kernels/cpu/loops/variant.h"
