/* The exchange of a distributed product whose processes each have a device: a device packs and sends the
 * elements that others need in a second queue, while its first one multiplies. Elements go from device to
 * device by a library that links them (NCCL), or through the host's memory. */
#ifndef SPARSIGHT_KERNELS_GPU_EXCHANGE_H
#define SPARSIGHT_KERNELS_GPU_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/gpu/device.h"

/* A message between this process and another one: bytes at offset `place` of the send or receive buffer. */
struct device_message {
    int peer;
    size_t place, bytes;
};

/* The bytes that identify a group of linked processes. */
#define DEVICE_LINK_ID 128

/* Marks in the first queue, for timing. */
enum { DEVICE_MARKS = 5 };

/* Functions that return a status fail as those of struct device_type do. The first queue is the one of
 * kernels. */
struct device_exchange {
    /* Make the second queue, unless it exists. Closing the device ends it. */
    enum status (*open)(struct device *device, struct error *error);
    void (*close)(struct device *device);
    /* Page-locked host memory, for copies without the processor. */
    enum status (*host_allocate)(struct device *device, size_t bytes, void **data, struct error *error);
    void (*host_release)(struct device *device, void *data);

    /* Later work in the second queue begins after all current work in the first one. */
    enum status (*fork)(struct device *device, struct error *error);
    /* Put into the second queue: to[k] = from[which[k]] for elements k < count of `wide` 4-byte words, all on
     * the device. */
    enum status (*gather)(struct device *device, const int32_t *which, int64_t count, int wide,
                          const void *from, void *to, struct error *error);
    /* Enqueue a copy to page-locked memory of the host, and wait until it is complete. */
    enum status (*fetch)(struct device *device, void *host, const void *from, size_t bytes,
                         struct error *error);
    /* Enqueue a copy from page-locked memory in the second queue. */
    enum status (*deliver)(struct device *device, void *to, const void *host, size_t bytes,
                           struct error *error);
    /* Later work in the first queue begins after all current work in the second one. */
    enum status (*join)(struct device *device, struct error *error);
    /* Put into the first queue: y[row[r]] += sums[r] for rows of `wide` numbers, single or double. */
    enum status (*add)(struct device *device, const int32_t *row, int64_t rows, int wide, bool single,
                       const void *sums, void *y, struct error *error);
    /* Swap the queues for later launches of kernels: first the second queue takes them, after another call
     * the first one again. The other functions are called only while the first one takes them. */
    enum status (*turn)(struct device *device, struct error *error);
    /* Wait until the first queue is empty. */
    enum status (*finish)(struct device *device, struct error *error);
    /* Put a mark into the first queue; and after `finish`, the seconds from one mark to another. */
    enum status (*mark)(struct device *device, int mark, struct error *error);
    enum status (*between)(struct device *device, int from, int to, double *seconds, struct error *error);

    /* Returns the reason why devices cannot be linked; NULL if they can. */
    const char *(*unlinked)(void);
    /* Make the identification on one of the processes; then link this process, one of `count`, with the
     * others, each with its own device. All processes call link at the same time. `bytes`, the same on all,
     * is the most that any of them sends or receives in a product; the link may use less of the devices if it
     * is small. */
    enum status (*link_id)(char id[DEVICE_LINK_ID], struct error *error);
    enum status (*link)(struct device *device, const char id[DEVICE_LINK_ID], int count, int rank,
                        size_t bytes, struct error *error);
    /* Put into the second queue: send and receive these messages, of `sent` and into `received`, on the
     * device. */
    enum status (*swap)(struct device *device, const struct device_message *send, int sends, const void *sent,
                        const struct device_message *receive, int receives, void *received,
                        struct error *error);
};

#endif
