/* Estimated time of converting CSR on a device, if it is not measured: from the bytes that it moves and its
 * launches. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_GPU_CONVERSION_H
#define SPARSIGHT_KERNELS_GPU_CONVERSION_H

struct gpu;

/* The memory traffic of a conversion from CSR on a GPU, and the number of times that the host delays it. */
struct conversion_work {
    double reads;     /* number of times that all arrays of CSR are read, */
    double writes;    /* and those of the format are written, */
    double row_bytes; /* and further bytes moved per row: sums over rows, sorting */
    int launches;     /* number of kernels, copies and fills that are enqueued */
    int waits;        /* so often the host waits for a number that the device has found */
};

/* A kernel that reads tables beside the arrays of its format (struct kernel's `remake`) takes as much more as
 * this: CSR is read once more, and as much as half of it is written. */
extern const struct conversion_work conversion_tables;

/* Seconds in which the host enqueues a launch, which is longer than a short kernel; its delay after it has
 * waited; and its time before the first and after the last launch. They were measured on an H200
 * (data/measured/gpu-conversions-h200-2026-11-23.txt), and depend more on the host than on the GPU. */
#define CONVERSION_LAUNCH 3.5e-6
#define CONVERSION_WAIT 10e-6
#define CONVERSION_ENDS 6e-6

/* Return the seconds to convert a matrix of this number of rows, whose CSR has csr_bytes, to a format of
 * `bytes` bytes:
 *
 *     (reads csr_bytes + row_bytes rows) / read + writes bytes / write
 *         + CONVERSION_LAUNCH launches + CONVERSION_WAIT waits + CONVERSION_ENDS
 *
 * with the bandwidths of the GPU's memory that its profile has (struct gpu_pace). */
double conversion_seconds(const struct conversion_work *work, const struct gpu *gpu, double rows,
                          double csr_bytes, double bytes);

#endif
