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

char *host_processor(char *out, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = 0;
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (!value) continue;
        value += 1 + strspn(value + 1, " ");
        value[strcspn(value, "\n")] = 0;
        snprintf(out, size, "%s", value);
    }
    if (file) fclose(file);
    return out;
}

static json_t *cpu_json(void)
{
    char name[512];
    return host_processor(name, sizeof name)[0] ? json_from_bytes(name) : json_null();
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

char *host_driver(const char *line, char out[HOST_DRIVER])
{
    out[0] = 0;
    for (size_t length; *line && !out[0]; line += length) {
        line += strspn(line, " \t\n");
        length = strcspn(line, " \t\n");
        const size_t digits = strspn(line, "0123456789.");
        if (length > 0 && length < HOST_DRIVER && digits == length && memchr(line, '.', length))
            snprintf(out, HOST_DRIVER, "%.*s", (int)length, line);
    }
    return out;
}

static json_t *driver_json(void)
{
    char line[512], version[HOST_DRIVER] = "";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file && fgets(line, sizeof line, file)) host_driver(line, version);
    if (file) fclose(file);
    return version[0] ? json_string(version) : json_null();
}

/* A version of CUDA: 13000 is 13.0; null for 0. */
static json_t *cuda_json(int version)
{
    return version > 0 ? json_sprintf("%d.%d", version / 1000, version % 1000 / 10) : json_null();
}

json_t *host_gpu_json(const struct device_facts *facts)
{
    json_t *bandwidth = facts->bandwidth > 0 ? json_real(facts->bandwidth) : json_null();
    return json_pack("{s:o, s:I, s:o, s:i, s:I, s:o, s:o, s:o, s:o}", "name", json_from_bytes(facts->name),
                     "memory", (json_int_t)facts->memory, "compute_capability",
                     json_sprintf("%d.%d", facts->major, facts->minor), "multiprocessors",
                     facts->multiprocessors, "cache_bytes", (json_int_t)facts->cache, "vendor_bandwidth",
                     bandwidth, "cuda",
                     json_sprintf("%d.%d", facts->driver / 1000, facts->driver % 1000 / 10), "driver",
                     driver_json(), "runtime", cuda_json(facts->runtime));
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
    return json_pack("{s:o, s:i, s:i, s:o, s:s, s:o, s:o, s:s, s:i, s:s, s:o, s:n, s:n, s:n}", "cpu",
                     cpu_json(), "cpus", omp_get_num_procs(), "threads", threads_count(), "topology",
                     host_topology_json(topology_here()), "placement", placement_words(placement_rule()),
                     "memory", memory_json(), "system", system_json(), "compiler", COMPILER, "openmp",
                     _OPENMP, "instruction_set", loops_for(PRECISION_F64)->isa, "gpus", gpus_json(),
                     "read_bandwidth", "copy_bandwidth", "cache_bytes");
}
