/* The machine of a report: the facts that numbers depend on, and nothing that identifies its owner. */
#ifndef SPARSIGHT_REPORT_HOST_H
#define SPARSIGHT_REPORT_HOST_H

#include <jansson.h>

#include "base/topology.h"
#include "kernels/gpu/device.h"

/* An object with the keys cpu, cpus, threads, topology, placement, memory, system, compiler, openmp,
 * instruction_set and gpus; unknown ones are null. NULL without memory. The caller frees with json_decref. */
json_t *host_json(void);

/* The object `topology`; null if nothing is known. NULL without memory. The caller frees with json_decref. */
json_t *host_topology_json(const struct topology *topology);

/* An object of the list gpus. NULL without memory. The caller frees with json_decref. */
json_t *host_gpu_json(const struct device_facts *facts);

#endif
