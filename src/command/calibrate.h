/* `sparsight kernels --calibrate`. */
#ifndef SPARSIGHT_COMMAND_CALIBRATE_H
#define SPARSIGHT_COMMAND_CALIBRATE_H

#include "command/options.h"

/* Measure the processors, and the GPU, if there is one: then the profile that is printed is the GPU's. A GPU
 * that is asked for by its number is measured alone. The profiles are kept. Returns the exit status. */
int calibrate(const struct options *options);

#endif
