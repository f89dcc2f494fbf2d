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
    int count; /* of devices */
    int writes, flushes, products, times, bandwidths;
    int fails_at;     /* call of `time` that fails, from 1; 0: none */
    bool for_good;    /* and with it the device */
    double read;      /* bytes/s of the next measurement; it falls by 1 each time, */
    double read_step; /* or by this if it is more than 0 */
    size_t flushed;   /* bytes of the last flush */
    int graphs;       /* that were timed */
    bool graphless;   /* none can be made */
    int paces;
    int conversions, remakes;
    bool convert_fails;   /* a conversion writes something and fails */
    bool library_missing; /* of the second backend */
    double pace;          /* the launch of a pace, of which the other times are parts */
    double pace_times;    /* this multiple the next time; 0 stands for 1 */
};
extern struct fake fake;

extern const struct device_type fake_type;

/* A product of CSR; the same with bytes and a transfer of its own; one that leaves y as it is. */
extern const struct kernel there, also, lazy;

/* A product of transposed ELL, to which the device converts in 30 us, with a table that it makes in 4 us; one
 * of COO, to which it does not. */
extern const struct kernel padded, listed;

/* The block of the device's memory that the address lies in; -1 if none. */
int block_of(const void *address);
void assert_on_device(const void *address, size_t bytes);

/* Before and after each test: a device with nothing in its memory. */
int begin(void **state);
int end(void **state);

/* A kernel with its defaults is asked for. */
struct result ask(const struct kernel *kernel, enum precision precision);
void expect_ok(const struct result *result);

/* Run results on the device; few samples, each a product. */
enum status bench(const struct csr *a, struct device *device, struct result *results, int count,
                  bool accumulate);

#endif
