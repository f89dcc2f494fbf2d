/* A device that only has memory, which is host memory. */
#ifndef SPARSIGHT_TESTS_SUPPORT_DEVICE_MEMORY_H
#define SPARSIGHT_TESTS_SUPPORT_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gpu/device.h"

struct device_memory {
    size_t room, bytes; /* the total and the allocated bytes */
    int arrays;         /* the number of allocated arrays */
    bool deaf;          /* writing fails */
};

/* Initially it has all bytes of an address space. */
extern struct device_memory device_memory;

extern const struct device_type device_of_memory;

#endif
