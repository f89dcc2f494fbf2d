/* Conversions on a GPU, and tables that it makes for kernels, compared array for array with the host's: a
 * part of check.c. */
#ifndef SPARSIGHT_TESTS_GPU_CONVERSIONS_H
#define SPARSIGHT_TESTS_GPU_CONVERSIONS_H

#include "kernels/gpu/device.h"
#include "kernels/kernel.h"

/* The results of all conversions to a format, or of all tables of a kernel; either is NULL. */
struct conversion_tally {
    const struct format *format;
    const struct kernel *kernel;
    int64_t right, wrong, refused;
};

#define TALLIES_MAX 64

/* Start with {0}, then conversions_watch. */
struct conversions_check {
    struct device *device;
    const struct device_type *plain; /* the device's type, */
    struct device_type watched;      /* and the same with allocations that are noted */
    struct conversion_tally tally[TALLIES_MAX];
    int count;
};

/* The matrix as CSR with 32-bit offsets and with 64-bit ones, on the host and on the device. */
struct csr_there {
    struct storage here[2], there[2];
};

/* Note the allocations on the device from now on; one check at a time. */
void conversions_watch(struct conversions_check *check, struct device *device);

enum status csr_there_make(struct device *device, const struct csr *a, enum precision precision,
                           struct csr_there *csr, struct error *error);
void csr_there_free(struct device *device, struct csr_there *csr); /* takes {0} */

/* Convert to the format of `storage`, from CSR with offsets of either width, or of 32 bits alone if `once`.
 */
void conversions_try(struct conversions_check *check, const char *sample, const struct storage *storage,
                     const struct csr_there *csr, bool once);

/* To be called around kernel_prepare_on; then make the kernel's tables on the device as well, if it can. */
void conversions_forget(void);
void conversions_try_tables(struct conversions_check *check, const char *sample, const struct launch *launch,
                            const struct csr_there *csr);

/* Print a line of TAP for each format and kernel, numbered from `first` on; returns how many failed. */
int conversions_conclude(const struct conversions_check *check, int first);

#endif
