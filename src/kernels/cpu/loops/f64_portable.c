#define REAL double
#define LOOPS loops_f64_portable
#define CONTIGUOUS contiguous_f64_portable
#define ISA "portable"
#include "kernels/cpu/loops/variant.h"
