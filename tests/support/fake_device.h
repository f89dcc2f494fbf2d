/* A device in the host's memory that stands for a GPU and records its calls, and kernels that run there. Each
 * program that uses it has one. */
#ifndef SPARSIGHT_TESTS_SUPPORT_FAKE_DEVICE_H
#define SPARSIGHT_TESTS_SUPPORT_FAKE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "kernels/timing/bench.h"

#define BLOCKS 64

struct fake {
    char *data[BLOCKS];
    size_t bytes[BLOCKS];
    size_t memory, used, max_used;
    int count; /* the number of devices */
    int writes, flushes, products, times, bandwidths;
    int fails_at;     /* the call of `time` that fails, counted from 1; 0: none */
    bool for_good;    /* the device fails, too */
    double read;      /* bytes/s of the next measurement; decreases by 1 each time */
    double read_step; /* if above 0, `read` decreases by this instead */
    size_t flushed;   /* bytes of the last flush */
    int graphs;       /* the number of timed graphs */
    bool graphless;   /* no graph can be made */
    int paces;
    int conversions, remakes;
    bool convert_fails;   /* a conversion writes something and fails */
    bool library_missing; /* the library of the second backend is missing */
    double pace;          /* the time of a launch; the other times of the pace are shares of it */
    double pace_times;    /* the factor of the next measured pace; 0 means 1 */
};
extern struct fake fake;

extern const struct device_type fake_type;

/* Kernels of CSR: a product; a product with its own bytes and a transfer; one that does not change y. */
extern const struct kernel there, also, lazy;

/* Kernels of transposed ELL, to which the device converts in 30 us and makes a table in 4 us; and of COO, to
 * which it does not convert. */
extern const struct kernel padded, listed;

/* Return the block of the device's memory that contains the address; -1 if there is none. */
int block_of(const void *address);
void assert_on_device(const void *address, size_t bytes);

/* Functions before and after each test: a device with empty memory. */
int begin(void **state);
int end(void **state);

/* Return a request for a kernel with its defaults. */
struct result ask(const struct kernel *kernel, enum precision precision);
void expect_ok(const struct result *result);

/* Run results on the device, with few samples of one product each. */
enum status bench(const struct csr *a, struct device *device, struct result *results, int count,
                  bool accumulate);

#endif
