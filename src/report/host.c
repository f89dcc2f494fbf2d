#include "report/host.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/placement.h"
#include "base/threads.h"
#include "kernels/cpu/cpu.h"
#include "kernels/gpu/device.h"
#include "report/json/write.h"

#ifdef __clang__
#    define COMPILER __VERSION__
#else
#    define COMPILER "gcc " __VERSION__
#endif

/* The processor's name as Linux gives it in /proc/cpuinfo; null elsewhere, and on architectures whose
 * /proc/cpuinfo has no name. */
static json_t *cpu_json(void)
{
    char line[512];
    const char *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !name && fgets(line, sizeof line, file)) {
        char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (!value) continue;
        name = value + 1 + strspn(value + 1, " ");
        value[strcspn(value, "\n")] = 0;
    }
    if (file) fclose(file);
    return name ? json_from_bytes(name) : json_null();
}

static json_t *memory_json(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? json_integer((json_int_t)pages * page) : json_null();
}

static json_t *system_json(void)
{
    struct utsname names;
    if (uname(&names) != 0) return json_null();
    return json_sprintf("%s %s %s", names.sysname, names.release, names.machine);
}

json_t *host_gpu_json(const struct device_facts *facts)
{
    json_t *bandwidth = facts->bandwidth > 0 ? json_real(facts->bandwidth) : json_null();
    return json_pack("{s:o, s:I, s:o, s:i, s:I, s:o, s:o}", "name", json_from_bytes(facts->name), "memory",
                     (json_int_t)facts->memory, "compute_capability",
                     json_sprintf("%d.%d", facts->major, facts->minor), "multiprocessors",
                     facts->multiprocessors, "cache_bytes", (json_int_t)facts->cache, "vendor_bandwidth",
                     bandwidth, "cuda",
                     json_sprintf("%d.%d", facts->driver / 1000, facts->driver % 1000 / 10));
}

/* The GPUs that kernels could run on, in the order of their numbers. */
static json_t *gpus_json(void)
{
    json_t *list = json_array();
    for (int t = 0; list && device_types[t]; t++)
        for (int k = 0; k < device_types[t]->count(); k++) {
            struct device_facts facts;
            if (device_types[t]->describe(k, &facts, NULL) == STATUS_OK)
                json_array_append_new(list, host_gpu_json(&facts));
        }
    return list;
}

static json_t *caches_json(const struct topology *topology)
{
    json_t *list = json_array();
    for (int k = 0; list && k < topology->caches; k++) {
        const struct topology_cache *cache = &topology->cache[k];
        const char *kind = cache->kind == 'd' ? "data" : cache->kind == 'i' ? "instructions" : "unified";
        json_t *one = json_pack("{s:i, s:s, s:I, s:i, s:i}", "level", cache->level, "kind", kind, "bytes",
                                (json_int_t)cache->bytes, "threads", cache->threads, "count", cache->count);
        if (json_array_append_new(list, one) != 0) {
            json_decref(list); /* an incomplete list would be wrong */
            return NULL;
        }
    }
    return list;
}

json_t *host_topology_json(const struct topology *topology)
{
    if (!topology->source[0]) return json_null();
    return json_pack("{s:s, s:b, s:i, s:i, s:i, s:i, s:o}", "source", topology->source, "here",
                     topology->here, "packages", topology->packages, "nodes", topology->nodes, "cores",
                     topology->cores, "threads", topology->units, "caches", caches_json(topology));
}

json_t *host_json(void)
{
    return json_pack("{s:o, s:i, s:i, s:o, s:s, s:o, s:o, s:s, s:i, s:s, s:o}", "cpu", cpu_json(), "cpus",
                     omp_get_num_procs(), "threads", threads_count(), "topology",
                     host_topology_json(topology_here()), "placement", placement_words(placement_rule()),
                     "memory", memory_json(), "system", system_json(), "compiler", COMPILER, "openmp",
                     _OPENMP, "instruction_set", loops_for(PRECISION_F64)->isa, "gpus", gpus_json());
}
