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

/* Return the seconds that a conversion takes of a matrix of so many rows, whose CSR has csr_bytes, to a
 * format of `bytes` bytes:
 *
 *     (reads csr_bytes + row_bytes rows) / read + writes bytes / write + launches next + waits launch
 *
 * with the bandwidths `read` and `write` of the GPU's memory and the times of launches that its profile has
 * (struct gpu_pace). */
double conversion_seconds(const struct conversion_work *work, const struct gpu *gpu, double rows,
                          double csr_bytes, double bytes);

#endif
