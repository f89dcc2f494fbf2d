/* Backends: what the first word of a kernel's name stands for, and what its kernels run on. */
#ifndef SPARSIGHT_KERNELS_BACKEND_H
#define SPARSIGHT_KERNELS_BACKEND_H

#include <stdbool.h>

#include "base/error.h"

struct device_type;

struct backend {
    const char *name; /* "cuda": of cuda/csr-vector */
    /* How the devices that its kernels run on are found, opened and driven, and why there are none
     * (kernels/gpu/device.h). NULL: its kernels run on the host. Backends with the same devices share one of
     * them, its memory and its figures: cuda and cusparse run on one GPU. */
    const struct device_type *devices;
    bool foreign; /* of a saved report: this build does not know it, nor what its kernels ran on */
};

extern const struct backend backend_cpu, backend_cuda, backend_cusparse;

/* The table, in the order of all lists; the last one is NULL. */
extern const struct backend *const backends[];

/* The types of devices that backends of the table run on, each once; the last one is NULL. */
extern const struct device_type *const device_types[];

/* The backend of the table called so; NULL if there is none. */
const struct backend *backend_find(const char *name);

/* STATUS_UNAVAILABLE with the reason if nothing of this backend can run here: no device, no driver, or a
 * build without. */
enum status backend_check(const struct backend *backend, struct error *error);

#endif
