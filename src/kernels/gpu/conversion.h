/* Estimated time of converting CSR on a device, if not measured: from its bytes moved and its launches. C and
 * C++ both include this. */
#ifndef SPARSIGHT_KERNELS_GPU_CONVERSION_H
#define SPARSIGHT_KERNELS_GPU_CONVERSION_H

struct gpu;

/* The memory traffic of a conversion from CSR on a GPU, and the number of delays by the host. */
struct conversion_work {
    double reads;     /* passes over all arrays of CSR that read them, */
    double writes;    /* passes that write the arrays of the format, */
    double row_bytes; /* and further bytes moved per row: sums over rows, sorting */
    int launches;     /* number of enqueued kernels, copies and fills */
    int waits;        /* number of times that the host waits for a number from the device */
};

/* The additional cost of a kernel with tables beside the arrays of its format (struct kernel's `remake`): CSR
 * is read once more, and half of its bytes are written. */
extern const struct conversion_work conversion_tables;

/* Seconds of the host for enqueuing a launch, which exceed a short kernel's; for a delay after waiting; and
 * before the first and after the last launch. They were measured on an H200
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
 * with the bandwidths of the GPU's memory from its profile (struct gpu_pace). */
double conversion_seconds(const struct conversion_work *work, const struct gpu *gpu, double rows,
                          double csr_bytes, double bytes);

#endif
