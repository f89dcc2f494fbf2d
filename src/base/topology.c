#include "base/topology.h"

#include <pthread.h>
#include <unistd.h>

/* The topology of this machine, read once for the process. */
static struct topology found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void)
{
    if (topology_of_hwloc(&found)) return;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    found = (struct topology){.source = "", .here = true, .packages = 1, .nodes = 1};
    for (int u = 0; u < TOPOLOGY_UNITS_MAX && u < processors; u++)
        found.unit[found.units++] = (struct topology_unit){.cpu = u, .core = found.cores++};
}

const struct topology *topology_here(void)
{
    pthread_once(&once, find);
    return &found;
}

bool topology_divided(const struct topology *topology)
{
    return topology->packages > 1 || topology->nodes > 1;
}

/* Return the first unit of the allowed core with this number of allowed cores before it; -1 if there is
 * none. */
static int unit_of_core(const struct topology *topology, const bool *allowed, int core)
{
    int last = -1;
    for (int u = 0; u < topology->units; u++) {
        if ((allowed && !allowed[u]) || topology->unit[u].core == last) continue;
        last = topology->unit[u].core;
        if (core-- == 0) return u;
    }
    return -1;
}

int topology_cores(const struct topology *topology, const bool *allowed)
{
    int last = -1, count = 0;
    for (int u = 0; u < topology->units; u++) {
        if ((allowed && !allowed[u]) || topology->unit[u].core == last) continue;
        last = topology->unit[u].core;
        count++;
    }
    return count;
}

int topology_place(const struct topology *topology, const bool *allowed, int t, int threads)
{
    int cores = topology_cores(topology, allowed), units = 0;
    if (threads <= cores) return unit_of_core(topology, allowed, (int)((long)t * cores / threads));
    for (int u = 0; u < topology->units; u++)
        units += !allowed || allowed[u];
    int rest = (int)((long)t * units / threads);
    for (int u = 0; u < topology->units; u++)
        if ((!allowed || allowed[u]) && rest-- == 0) return u;
    return -1;
}

static void append_count(struct text *text, int count, const char *what, const char *separator)
{
    text_append(text, "%d %s%s%s", count, what, count == 1 ? "" : "s", separator);
}

void topology_write(const struct topology *topology, struct text *text)
{
    append_count(text, topology->packages, "package", ", ");
    append_count(text, topology->nodes, "memory node", ", ");
    append_count(text, topology->cores, "core", ", ");
    append_count(text, topology->units, "hardware thread", "");
}

void topology_write_caches(const struct topology *topology, struct text *text)
{
    for (int k = 0; k < topology->caches; k++) {
        const struct topology_cache *cache = &topology->cache[k];
        bool large = cache->bytes >= 1 << 20 && cache->bytes % (1 << 20) == 0;
        text_append(text, "%sL%d%.*s %ld %s", k ? ", " : "", cache->level, cache->kind != 'u', &cache->kind,
                    cache->bytes >> (large ? 20 : 10), large ? "MiB" : "KiB");
        if (cache->threads * topology->cores == topology->units)
            text_append(text, " a core");
        else
            text_append(text, " for %d thread%s", cache->threads, cache->threads == 1 ? "" : "s");
    }
}
