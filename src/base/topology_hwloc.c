/* The topology from the library hwloc, which only this file calls. */
#include "config.h"

#include "base/topology.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#    include <stdlib.h>
#    include <string.h>

/* Caches of data and of instructions, in the order in which hwloc numbers their types. */
static const hwloc_obj_type_t cache_types[] = {
    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,  HWLOC_OBJ_L3CACHE,  HWLOC_OBJ_L4CACHE,
    HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2ICACHE, HWLOC_OBJ_L3ICACHE,
};

static char kind_of(hwloc_obj_cache_type_t type)
{
    return type == HWLOC_OBJ_CACHE_DATA ? 'd' : type == HWLOC_OBJ_CACHE_INSTRUCTION ? 'i' : 'u';
}

/* Count a cache in the group of equal ones, ordered by level, data before instructions. */
static void add_cache(struct topology *topology, struct topology_cache cache)
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

/* Add the caches of a type. On a machine with equal cores equal caches are adjacent; with unequal cores all
 * are searched. */
static void take_caches(hwloc_topology_t from, hwloc_obj_type_t type, struct topology *topology)
{
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(from, type, at));) {
        const struct topology_cache cache = {.level = (int)at->attr->cache.depth,
                                             .kind = kind_of(at->attr->cache.type),
                                             .bytes = (long)at->attr->cache.size,
                                             .threads = hwloc_bitmap_weight(at->cpuset),
                                             .count = 1};
        if (cache.bytes > 0) add_cache(topology, cache);
    }
}

/* Return the logical number of the object of a type that contains a hardware thread; 0 if there is none. */
static int within(hwloc_topology_t from, hwloc_obj_type_t type, hwloc_obj_t pu)
{
    hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(from, type, pu);
    return object ? (int)object->logical_index : 0;
}

/* Return the number of the first memory node local to a hardware thread, counting only nodes local to some
 * thread; 0 if there is none. */
static int node_of(hwloc_topology_t from, hwloc_obj_t pu)
{
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, at));)
        if (hwloc_bitmap_isset(at->cpuset, pu->os_index)) return (int)at->logical_index;
    return 0;
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

/* Sort the units, and renumber their packages, nodes and cores consecutively. */
static void number_units(struct topology *topology)
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

static void take(hwloc_topology_t from, struct topology *topology)
{
    *topology = (struct topology){.source = "hwloc", .here = hwloc_topology_is_thissystem(from) != 0};
    bool cores = hwloc_get_nbobjs_by_type(from, HWLOC_OBJ_CORE) > 0;
    for (hwloc_obj_t pu = NULL;
         (pu = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_PU, pu)) && topology->units < TOPOLOGY_UNITS_MAX;)
        topology->unit[topology->units++] = (struct topology_unit){
            .cpu = (int)pu->os_index,
            .core = cores ? within(from, HWLOC_OBJ_CORE, pu) : (int)pu->logical_index,
            .node = node_of(from, pu),
            .package = within(from, HWLOC_OBJ_PACKAGE, pu),
        };
    number_units(topology);
    for (size_t k = 0; k < sizeof cache_types / sizeof *cache_types; k++)
        take_caches(from, cache_types[k], topology);
}

bool topology_of_hwloc(struct topology *topology)
{
    hwloc_topology_t from;
    if (hwloc_topology_init(&from) != 0) return false;
    hwloc_topology_set_icache_types_filter(from, HWLOC_TYPE_FILTER_KEEP_ALL);
    bool loaded = hwloc_topology_load(from) == 0;
    if (loaded) take(from, topology);
    hwloc_topology_destroy(from);
    return loaded && topology->units > 0;
}

#else

bool topology_of_hwloc(struct topology *topology)
{
    return false;
}

#endif
