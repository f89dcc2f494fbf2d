/* Scaling of a product over the parts of a partition: a model of its time from the time of one process, and
 * from the latency and the bandwidth of the network between them (Hockney's model of a message, Parallel
 * Computing 20, 1994: latency + bytes / bandwidth). */
#ifndef SPARSIGHT_ANALYSIS_PARTS_SCALING_H
#define SPARSIGHT_ANALYSIS_PARTS_SCALING_H

#include <stddef.h>

#include "analysis/parts/halo.h"
#include "base/error.h"
#include "base/parameters.h"

struct network {
    double latency_us; /* time of a message without its bytes; the messages of a process follow each other */
    double bandwidth_gbs; /* bandwidth in GB/s at which a process receives, and sends at the same time */
};

/* Default latency and bandwidth, those of a message over
 * InfiniBand. */
#define NETWORK_LATENCY_US 2.0
#define NETWORK_BANDWIDTH_GBS 12.0

/* The parameters "latency" (us) and "bandwidth" (10^9 bytes/s) of a network. */
extern const struct parameter network_parameters[];

/* Read "latency=1.5,bandwidth=20". STATUS_USAGE. */
enum status network_read(const char *text, struct network *network, struct error *error);

struct scaling {
    double compute_us;  /* of the slowest part: the time of one process x its share of the entries */
    double exchange_us; /* of the part that exchanges longest */
    double total_us;    /* of the slowest part: exchange, then product */
    double overlap_us;  /* if entries that need no halo are multiplied during the exchange */
    double speedup;     /* time of one process / total_us */
    double efficiency;  /* speedup / parts */
};

/* Predict a product that one process does in `single_us`, of elements of `bytes` bytes. A part's exchange
 * takes max(messages received, messages sent) x latency + max(bytes received, bytes sent) / bandwidth. */
void scaling_predict(const struct halo *halo, const struct network *network, double single_us, size_t bytes,
                     struct scaling *scaling);

#endif
