/* A device that is memory alone, which lies in the host's. */
#ifndef SPARSIGHT_TESTS_SUPPORT_DEVICE_MEMORY_H
#define SPARSIGHT_TESTS_SUPPORT_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gpu/device.h"

struct device_memory {
    size_t room, bytes; /* how many there are, and are taken */
    int arrays;         /* that are allocated */
    bool deaf;          /* writing fails */
};

/* It has all bytes of an address space at first. */
extern struct device_memory device_memory;

extern const struct device_type device_of_memory;

#endif
