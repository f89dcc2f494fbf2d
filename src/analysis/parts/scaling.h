/* Scaling of a product over the parts of a partition: a model of its time from the time of one process, and
 * from the latency and the bandwidth of the network between them (Hockney's model of a message, Parallel
 * Computing 20, 1994: latency + bytes / bandwidth). */
#ifndef SPARSIGHT_ANALYSIS_PARTS_SCALING_H
#define SPARSIGHT_ANALYSIS_PARTS_SCALING_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/parts/halo.h"
#include "base/error.h"
#include "base/parameters.h"

#define NETWORK_NAME 96

/* The messages of ranks. If ranks share nodes, part p is on node p / node, and messages within a node have
 * their own times. */
struct network {
    double latency_us; /* time of a message without its bytes; the messages of a process follow each other */
    double bandwidth_gbs; /* bandwidth in GB/s at which a process receives, and sends at the same time */
    int node;             /* ranks of a node; 0 or 1: each rank has a node of its own */
    double near_latency_us, near_bandwidth_gbs; /* the same between ranks of a node, if it has several */
    double crowd; /* time of a rank's product in its own caches while all ranks of its node compute, relative
                     to a rank that has its node for itself; 0 or 1: the same */
    double memory_crowd; /* the same for a product that streams from memory or from a cache that ranks share,
                            at most; 0: unknown */
    char name[NETWORK_NAME]; /* the name of the measured profile; "": none */
    char date[24];           /* of the measurement: "2026-01-31 14:05 UTC"; "": none */
};

/* Default latency and bandwidth, those of a message over
 * InfiniBand. */
#define NETWORK_LATENCY_US 2.0
#define NETWORK_BANDWIDTH_GBS 12.0

/* Maximum of the ranks of a node. */
#define NETWORK_NODE_MAX 4096

/* The parameters "latency" (us), "bandwidth" (10^9 bytes/s) and "node" (ranks) of a network, and those of
 * messages within a node: "near-latency" and "near-bandwidth", whose defaults are the other two; "crowd" and
 * "memory-crowd". */
extern const struct parameter network_parameters[];

/* Read "latency=1.5,bandwidth=20". STATUS_USAGE. */
enum status network_read(const char *text, struct network *network, struct error *error);

/* Write it in this form, without its name; of the parameters of nodes only those that it has. */
void network_write(const struct network *network, char *out, size_t size);

/* True if the times of all messages are the same. */
bool network_same(const struct network *a, const struct network *b);

struct scaling {
    double compute_us;  /* computing time of the slowest part: its share of the time of one process, its
                           boundary rows and its packing */
    double exchange_us; /* exchange time of the part with the longest exchange */
    double total_us;    /* time of the slowest part: exchange, then product */
    double overlap_us;  /* the same if entries that need no halo are multiplied during the exchange */
    double speedup;     /* time of one process / total_us */
    double efficiency;  /* speedup / parts */
};

/* The microseconds of a part's exchange of elements of this number of bytes. */
double scaling_exchange(const struct halo *halo, const struct network *network, const struct halo_part *part,
                        size_t bytes);

/* The costs of a part's product beside its share of the time of one process (analysis/parts/crowd.h). */
struct scaling_costs {
    double pace;        /* time of a part's entries and rows / that of one process for as many of them */
    double row_entries; /* time of a row apart from its entries, in times of an entry; 0: unknown */
    double row_us;      /* of a boundary row, whose sum is made of two; 0: unknown */
    double pack_us;     /* of a sent element, which is copied into its message first; 0: unknown */
};

/* Predict a product that takes one process `single_us` microseconds, with elements of `bytes` bytes. The
 * computing time of a part is the sum of three times: its share of entries + row_entries x rows in that of
 * one process, times `pace`; row_us for each boundary row; and pack_us for each sent element. Its exchange
 * takes max(messages received, messages sent) x latency +
 * max(bytes received, bytes sent) / bandwidth, within its node and beyond it one after the other. If the halo
 * was not counted for nodes of this size (halo_nodes), and not all parts are on one node, all messages are
 * assumed to leave their node. */
void scaling_predict(const struct halo *halo, const struct network *network, double single_us, size_t bytes,
                     const struct scaling_costs *costs, struct scaling *scaling);

#endif
