/* The machine that a report was made on: what is certain and what numbers depend on, nothing that names its
 * owner. */
#ifndef SPARSIGHT_REPORT_HOST_H
#define SPARSIGHT_REPORT_HOST_H

#include <jansson.h>

/* {cpu, cpus, threads, memory, system, compiler, openmp, instruction_set}; null for what the system does not
 * tell. NULL without memory. json_decref it. */
json_t *host_json(void);

#endif
