/* The machine of a report: the facts that numbers depend on, and nothing that identifies its owner. */
#ifndef SPARSIGHT_REPORT_HOST_H
#define SPARSIGHT_REPORT_HOST_H

#include <jansson.h>

#include "base/topology.h"
#include "kernels/gpu/device.h"

/* Write the processor's name as Linux gives it in /proc/cpuinfo; "" elsewhere, and on architectures whose
 * /proc/cpuinfo has no name. Returns out. */
char *host_processor(char *out, size_t size);

/* Find the version of NVIDIA's kernel module, as "570.86.15", in the first line of
 * /proc/driver/nvidia/version;
 * "" if it has none. Returns out. */
#define HOST_DRIVER 32
char *host_driver(const char *line, char out[HOST_DRIVER]);

/* An object with the keys cpu, cpus, threads, topology, placement, memory, system, compiler, openmp,
 * instruction_set, gpus, and the numbers that reports measure, which are null here: read_bandwidth,
 * copy_bandwidth and cache_bytes. Unknown ones are null. NULL without memory. The caller frees with
 * json_decref. */
json_t *host_json(void);

/* The object `topology`; null if nothing is known. NULL without memory. The caller frees with json_decref. */
json_t *host_topology_json(const struct topology *topology);

/* An object of the list gpus. NULL without memory. The caller frees with json_decref. */
json_t *host_gpu_json(const struct device_facts *facts);

#endif
