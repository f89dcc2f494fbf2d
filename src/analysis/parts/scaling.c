#include "analysis/parts/scaling.h"

#include <math.h>

#include "base/range.h"

enum { LATENCY, BANDWIDTH };

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
    {0},
};

enum status network_read(const char *text, struct network *network, struct error *error)
{
    struct parameter_values values = {0};
    enum status status = parameters_read("--network", network_parameters, text, &values, error);
    *network = (struct network){values.number[LATENCY], values.number[BANDWIDTH]};
    parameters_free(&values);
    return status;
}

void scaling_predict(const struct halo *halo, const struct network *network, double single_us, size_t bytes,
                     struct scaling *scaling)
{
    int64_t nnz = 0;
    *scaling = (struct scaling){0};
    for (int64_t p = 0; p < halo->parts; p++)
        nnz += halo->part[p].entries;
    const double entry_us = nnz ? single_us / (double)nnz : 0;
    const double element_us = (double)bytes / (network->bandwidth_gbs * 1e3);
    for (int64_t p = 0; p < halo->parts; p++) {
        const struct halo_part *part = &halo->part[p];
        double exchange = network->latency_us * (double)max(part->from, part->to) +
                          element_us * (double)max(part->receives, part->sends);
        double local = entry_us * (double)(part->entries - part->remote);
        double remote = entry_us * (double)part->remote;
        scaling->compute_us = fmax(scaling->compute_us, local + remote);
        scaling->exchange_us = fmax(scaling->exchange_us, exchange);
        scaling->total_us = fmax(scaling->total_us, exchange + local + remote);
        scaling->overlap_us = fmax(scaling->overlap_us, fmax(exchange, local) + remote);
    }
    scaling->speedup = scaling->total_us > 0 ? single_us / scaling->total_us : 1;
    scaling->efficiency = scaling->speedup / (double)halo->parts;
}
