/* A backend is the hardware or the library of a group of kernels; its name is the first word of their full
 * names. */
#ifndef SPARSIGHT_KERNELS_BACKEND_H
#define SPARSIGHT_KERNELS_BACKEND_H

#include <stdbool.h>

#include "base/error.h"

struct device_type;
struct trace_resources;
struct library;

/* The state of a library whose kernels run on devices. */
struct device_library {
    const char *title; /* "cuSPARSE" */
    char version[64];  /* "12.9.4"; "" if it cannot be used */
    char path[1024];   /* of the file that was loaded */
};

struct backend {
    const char *name; /* "cuda" is the backend of cuda/csr-vector */
    /* The functions that find, open and drive the devices that its kernels run on (kernels/gpu/device.h);
     * NULL if its kernels run on the host. Backends with the same devices share a device, its memory and its
     * measurements: cuda and cusparse run on one GPU. */
    const struct device_type *devices;
    /* Returns the resources that a kernel's code needs on a multiprocessor, as reported by its compiler
     * (trace_resources in kernels/gpu/trace.h); NULL: unknown. */
    bool (*resources)(const char *function, int arch, struct trace_resources *resources);
    /* The library of its kernels on the host, loaded when one of them is prepared
     * (kernels/libraries/library.h); NULL if they are our own, or run on devices. */
    const struct library *library;
    /* Searches for the library of its kernels on devices, and returns it; NULL if it cannot be used. The
     * function is NULL if they are our own, or run on the host. */
    const struct device_library *(*device_library)(void);
    bool ranks;   /* its kernels run only over processes, in src/ranks: backend_check refuses it, and
                     kernel_suits does not */
    bool foreign; /* the backend of a saved report: this build knows neither it nor its devices */
};

extern const struct backend backend_cpu, backend_cuda, backend_cusparse, backend_mkl, backend_aocl,
    backend_rsb, backend_graphblas, backend_armpl, backend_petsc;

/* The table of backends, in their order in lists; its last element is NULL. */
extern const struct backend *const backends[];

/* The types of devices that the backends of the table run on, each once; its last element is NULL. */
extern const struct device_type *const device_types[];

/* The backend of the table that has this name; NULL if none has. */
const struct backend *backend_find(const char *name);

/* True if its kernels are our own loops on the host. */
bool backend_is_own(const struct backend *backend);

/* Fails with STATUS_UNAVAILABLE and the reason if no kernel of this backend can run here: there is no device
 * or no driver, or the build lacks the backend. Libraries of the host are not searched for here: their
 * kernels fail when they are prepared. */
enum status backend_check(const struct backend *backend, struct error *error);

#endif
