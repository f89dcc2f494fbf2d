/* What converting CSR on a device takes, where it is not measured: from the bytes that it moves and the
 * launches that it makes. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_GPU_CONVERSION_H
#define SPARSIGHT_KERNELS_GPU_CONVERSION_H

struct gpu;

/* What a conversion from CSR moves through a GPU's memory, and how often the host is in the way. */
struct conversion_work {
    double reads;     /* so many times all arrays of CSR are read, */
    double writes;    /* and those of the format are written, */
    double row_bytes; /* and so many bytes are moved for each row beside that: sums over rows, sorting */
    int launches;     /* so many kernels, copies and fills are put into the queue */
    int waits;        /* so often the host waits for a number that the device has found */
};

/* A kernel that reads tables beside the arrays of its format (struct kernel's `remake`) takes as much more as
 * this: CSR is read once more, and as much as half of it is written. */
extern const struct conversion_work conversion_tables;

/* The host puts a launch into the queue in so many seconds, which takes longer than a short kernel, and goes
 * on so much later when it has waited; before the first and after the last so much passes too. This was
 * measured on an H200 (data/measured/gpu-conversions-h200-2026-11-23.txt), and has more to do with the host
 * than with the GPU. */
#define CONVERSION_LAUNCH 3.5e-6
#define CONVERSION_WAIT 10e-6
#define CONVERSION_ENDS 6e-6

/* Return the seconds that a conversion takes of a matrix of so many rows, whose CSR has csr_bytes, to a
 * format of `bytes` bytes:
 *
 *     (reads csr_bytes + row_bytes rows) / read + writes bytes / write
 *         + CONVERSION_LAUNCH launches + CONVERSION_WAIT waits + CONVERSION_ENDS
 *
 * with the bandwidths of the GPU's memory that its profile has (struct gpu_pace). */
double conversion_seconds(const struct conversion_work *work, const struct gpu *gpu, double rows,
                          double csr_bytes, double bytes);

#endif
