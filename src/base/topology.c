#include "base/topology.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Read the first line of a file, without its end; "" if there is none. */
static void read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size, file)) line[0] = 0;
    if (file) fclose(file);
    line[strcspn(line, "\n")] = 0;
}

/* Read the number at the start of a file, with K, M or G behind it; `missing` if there is none. */
static long read_number(const char *path, long missing)
{
    char line[64], *end;
    read_line(path, line, sizeof line);
    long number = strtol(line, &end, 10);
    if (end == line) return missing;
    return *end == 'K' ? number << 10 : *end == 'M' ? number << 20 : *end == 'G' ? number << 30 : number;
}

/* Mark the numbers of a list such as "0-3,8" that are below TOPOLOGY_UNITS_MAX. Returns how many there are.
 */
static int read_list(const char *path, bool *in)
{
    char line[4096];
    int count = 0;
    memset(in, 0, TOPOLOGY_UNITS_MAX * sizeof *in);
    read_line(path, line, sizeof line);
    for (char *at = line; *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end == at) break;
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
        }
        for (long k = first; k <= last && k >= 0 && k < TOPOLOGY_UNITS_MAX; k++) {
            count += !in[k];
            in[k] = true;
        }
        at = *end ? end + 1 : end;
    }
    return count;
}

static int lowest(const bool *in)
{
    for (int k = 0; k < TOPOLOGY_UNITS_MAX; k++)
        if (in[k]) return k;
    return -1;
}

void topology_add_cache(struct topology *topology, struct topology_cache cache)
{
    struct topology_cache *list = topology->cache;
    int k = 0;
    while (k < topology->caches &&
           (list[k].level < cache.level || (list[k].level == cache.level && list[k].kind < cache.kind)))
        k++;
    for (; k < topology->caches && list[k].level == cache.level && list[k].kind == cache.kind; k++)
        if (list[k].bytes == cache.bytes && list[k].threads == cache.threads) {
            list[k].count += cache.count;
            return;
        }
    if (topology->caches == TOPOLOGY_CACHES_MAX) return;
    memmove(&list[k + 1], &list[k], (size_t)(topology->caches - k) * sizeof *list);
    list[k] = cache;
    topology->caches++;
}

/* Add the caches of a processor. Each counts where it has its lowest number. */
static void read_caches(const char *folder, int cpu, struct topology *topology)
{
    bool shared[TOPOLOGY_UNITS_MAX];
    char path[512], kind[32];
    for (int k = 0; k < TOPOLOGY_CACHES_MAX; k++) {
        struct topology_cache cache = {.count = 1};
        snprintf(path, sizeof path, "%s/cpu%d/cache/index%d/level", folder, cpu, k);
        cache.level = (int)read_number(path, 0);
        if (cache.level == 0) return;
        snprintf(path, sizeof path, "%s/cpu%d/cache/index%d/size", folder, cpu, k);
        cache.bytes = read_number(path, 0);
        snprintf(path, sizeof path, "%s/cpu%d/cache/index%d/type", folder, cpu, k);
        read_line(path, kind, sizeof kind);
        cache.kind = kind[0] == 'D' ? 'd' : kind[0] == 'I' ? 'i' : 'u';
        snprintf(path, sizeof path, "%s/cpu%d/cache/index%d/shared_cpu_list", folder, cpu, k);
        cache.threads = read_list(path, shared);
        if (cache.bytes > 0 && lowest(shared) == cpu) topology_add_cache(topology, cache);
    }
}

/* Order by package, node, core, and the system's number. */
static int compare_units(const void *a, const void *b)
{
    const struct topology_unit *left = a, *right = b;
    if (left->package != right->package) return left->package < right->package ? -1 : 1;
    if (left->node != right->node) return left->node < right->node ? -1 : 1;
    if (left->core != right->core) return left->core < right->core ? -1 : 1;
    return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

void topology_number(struct topology *topology)
{
    struct topology_unit *unit = topology->unit, before = {-1, -1, -1, -1};
    int nodes[TOPOLOGY_UNITS_MAX];
    qsort(unit, (size_t)topology->units, sizeof *unit, compare_units);
    for (int u = 0; u < topology->units; u++) {
        const struct topology_unit told = unit[u];
        bool package = u == 0 || told.package != before.package, core = package || told.core != before.core;
        topology->packages += package;
        topology->cores += core;
        int node = 0;
        while (node < topology->nodes && nodes[node] != told.node)
            node++;
        if (node == topology->nodes) nodes[topology->nodes++] = told.node;
        unit[u] = (struct topology_unit){told.cpu, topology->cores - 1, node, topology->packages - 1};
        before = told;
    }
}

bool topology_of_system(const char *root, struct topology *topology)
{
    bool online[TOPOLOGY_UNITS_MAX], some[TOPOLOGY_UNITS_MAX];
    char folder[256], path[512];
    *topology = (struct topology){.source = "/sys", .here = true};
    snprintf(folder, sizeof folder, "%s/sys/devices/system/cpu", root);
    snprintf(path, sizeof path, "%s/online", folder);
    if (read_list(path, online) == 0) return false;
    for (int cpu = 0; cpu < TOPOLOGY_UNITS_MAX; cpu++) {
        if (!online[cpu]) continue;
        struct topology_unit *unit = &topology->unit[topology->units++];
        unit->cpu = cpu;
        snprintf(path, sizeof path, "%s/cpu%d/topology/physical_package_id", folder, cpu);
        unit->package = (int)read_number(path, 0);
        snprintf(path, sizeof path, "%s/cpu%d/topology/thread_siblings_list", folder, cpu);
        unit->core = read_list(path, some) ? lowest(some) : cpu;
        read_caches(folder, cpu, topology);
    }
    snprintf(path, sizeof path, "%s/sys/devices/system/node/online", root);
    read_list(path, online);
    for (int node = 0; node < TOPOLOGY_UNITS_MAX; node++) {
        if (!online[node]) continue;
        snprintf(path, sizeof path, "%s/sys/devices/system/node/node%d/cpulist", root, node);
        read_list(path, some);
        for (int u = 0; u < topology->units; u++)
            if (some[topology->unit[u].cpu]) topology->unit[u].node = node;
    }
    topology_number(topology);
    return true;
}

/* What was found of this machine, once for the process. */
static struct topology found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void)
{
    if (topology_of_hwloc(&found) || topology_of_system("", &found)) return;
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

/* Return the first unit of the core that is allowed and has so many such cores before it; -1 if there is
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
