/* Backends: what the first word of a kernel's name stands for, and what its kernels run on. */
#ifndef SPARSIGHT_KERNELS_BACKEND_H
#define SPARSIGHT_KERNELS_BACKEND_H

#include "base/error.h"

/* The last one stands for all that this build does not know (kernels/foreign.h). */
enum backend { BACKEND_CPU, BACKEND_CUDA, BACKEND_CUSPARSE, BACKEND_FOREIGN };

/* Kernels of the same kind share a device, its memory and its figures: cuda and cusparse run on one GPU. */
enum device_kind { DEVICE_HOST, DEVICE_GPU };
#define DEVICE_KINDS 2

struct device_type;

/* "cpu", "cuda", "cusparse", "foreign". */
const char *backend_name(enum backend backend);

enum device_kind backend_kind(enum backend backend);

/* What devices of this kind there are and how they are driven (kernels/device.h); NULL for the host. */
const struct device_type *device_type_of(enum device_kind kind);

/* STATUS_UNAVAILABLE with the reason if nothing of this backend can run here: no device, no driver, or a
 * build without. */
enum status backend_check(enum backend backend, struct error *error);

#endif
