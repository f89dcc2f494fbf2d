#include "analysis/parts/scaling.h"

#include <math.h>
#include <stdio.h>

#include "base/range.h"

enum { LATENCY, BANDWIDTH, NODE, NEAR_LATENCY, NEAR_BANDWIDTH, CROWD, MEMORY_CROWD };

const struct parameter network_parameters[] = {
    [LATENCY] = {.name = "latency",
                 .help = "latency of a message in us",
                 .type = PARAMETER_REAL,
                 .min = 0,
                 .max = 1e6,
                 .standard = NETWORK_LATENCY_US},
    [BANDWIDTH] = {.name = "bandwidth",
                   .help = "bandwidth in GB/s at which a process receives, and sends at the same time",
                   .type = PARAMETER_REAL,
                   .min = 1e-3,
                   .max = 1e6,
                   .standard = NETWORK_BANDWIDTH_GBS},
    [NODE] = {.name = "node",
              .help = "processes of a node",
              .type = PARAMETER_INTEGER,
              .min = 1,
              .max = NETWORK_NODE_MAX,
              .standard = 1},
    [NEAR_LATENCY] = {.name = "near-latency",
                      .help = "latency of a message within a node in us",
                      .type = PARAMETER_REAL,
                      .min = 0,
                      .max = 1e6,
                      .like = "latency"},
    [NEAR_BANDWIDTH] = {.name = "near-bandwidth",
                        .help = "bandwidth in GB/s of a process within a node",
                        .type = PARAMETER_REAL,
                        .min = 1e-3,
                        .max = 1e6,
                        .like = "bandwidth"},
    [CROWD] = {.name = "crowd",
               .help = "computing time of a process while all of its node compute, relative to one alone",
               .type = PARAMETER_REAL,
               .min = 1,
               .max = 1e3,
               .standard = 1},
    [MEMORY_CROWD] = {.name = "memory-crowd",
                      .help = "the same for matrices in memory, at most; 0: by the profile of processors",
                      .type = PARAMETER_REAL,
                      .min = 0,
                      .max = 1e3,
                      .standard = 0},
    {0},
};

enum status network_read(const char *text, struct network *network, struct error *error)
{
    struct parameter_values values = {0};
    enum status status = parameters_read("--network", network_parameters, text, &values, error);
    *network = (struct network){.latency_us = values.number[LATENCY],
                                .bandwidth_gbs = values.number[BANDWIDTH],
                                .node = (int)values.number[NODE],
                                .near_latency_us = values.number[NEAR_LATENCY],
                                .near_bandwidth_gbs = values.number[NEAR_BANDWIDTH],
                                .crowd = values.number[CROWD],
                                .memory_crowd = values.number[MEMORY_CROWD]};
    parameters_free(&values);
    return status;
}

void network_write(const struct network *network, char *out, size_t size)
{
    char nodes[192] = "", crowd[32] = "", memory[40] = "";
    if (network->crowd > 1) snprintf(crowd, sizeof crowd, ",crowd=%g", network->crowd);
    if (network->memory_crowd > 0) snprintf(memory, sizeof memory, ",memory-crowd=%g", network->memory_crowd);
    if (network->node > 1)
        snprintf(nodes, sizeof nodes, ",node=%d,near-latency=%g,near-bandwidth=%g%s%s", network->node,
                 network->near_latency_us, network->near_bandwidth_gbs, crowd, memory);
    snprintf(out, size, "latency=%g,bandwidth=%g%s", network->latency_us, network->bandwidth_gbs, nodes);
}

static bool has_nodes(const struct network *network)
{
    return network->node > 1;
}

bool network_same(const struct network *a, const struct network *b)
{
    if (a->latency_us != b->latency_us || a->bandwidth_gbs != b->bandwidth_gbs) return false;
    if (!has_nodes(a) && !has_nodes(b)) return true;
    return a->node == b->node && a->near_latency_us == b->near_latency_us &&
           a->near_bandwidth_gbs == b->near_bandwidth_gbs && fmax(a->crowd, 1) == fmax(b->crowd, 1) &&
           fmax(a->memory_crowd, 0) == fmax(b->memory_crowd, 0);
}

/* Return the messages of a part that stay within its node. */
static struct halo_near near_of(const struct halo *halo, const struct network *network,
                                const struct halo_part *part)
{
    if (network->node >= halo->parts)
        return (struct halo_near){part->receives, part->sends, part->from, part->to};
    if (has_nodes(network) && halo->node == network->node) return part->near;
    return (struct halo_near){0};
}

/* Return the time of an exchange in which each direction has at most this number of messages and of
 * elements. */
static double exchange_us(double latency_us, double bandwidth_gbs, size_t bytes, int64_t messages,
                          int64_t elements)
{
    const double element_us = (double)bytes / (bandwidth_gbs * 1e3);
    return messages || elements ? latency_us * (double)messages + element_us * (double)elements : 0;
}

double scaling_exchange(const struct halo *halo, const struct network *network, const struct halo_part *part,
                        size_t bytes)
{
    const struct halo_near near = near_of(halo, network, part);
    return exchange_us(network->near_latency_us, network->near_bandwidth_gbs, bytes, max(near.from, near.to),
                       max(near.receives, near.sends)) +
           exchange_us(network->latency_us, network->bandwidth_gbs, bytes,
                       max(part->from - near.from, part->to - near.to),
                       max(part->receives - near.receives, part->sends - near.sends));
}

void scaling_predict(const struct halo *halo, const struct network *network, double single_us, size_t bytes,
                     const struct scaling_costs *costs, struct scaling *scaling)
{
    double all = 0; /* entries, and rows in entries */
    *scaling = (struct scaling){0};
    for (int64_t p = 0; p < halo->parts; p++)
        all += (double)halo->part[p].entries + costs->row_entries * (double)halo->part[p].rows;
    const double entry_us = all > 0 ? costs->pace * single_us / all : 0;
    for (int64_t p = 0; p < halo->parts; p++) {
        const struct halo_part *part = &halo->part[p];
        const double exchange = scaling_exchange(halo, network, part, bytes);
        const double pack = costs->pack_us * (double)part->sends;
        const double rows = costs->row_entries * (double)part->rows;
        const double local = entry_us * ((double)(part->entries - part->remote) + rows);
        const double remote = entry_us * (double)part->remote + costs->row_us * (double)part->boundary;
        scaling->compute_us = fmax(scaling->compute_us, pack + local + remote);
        scaling->exchange_us = fmax(scaling->exchange_us, exchange);
        scaling->total_us = fmax(scaling->total_us, pack + exchange + local + remote);
        scaling->overlap_us = fmax(scaling->overlap_us, pack + fmax(exchange, local) + remote);
    }
    if (halo->fold > 0) scaling->overlap_us = NAN; /* sums follow the computation */
    scaling->speedup = scaling->total_us > 0 ? single_us / scaling->total_us : 1;
    scaling->efficiency = scaling->speedup / (double)halo->parts;
}
