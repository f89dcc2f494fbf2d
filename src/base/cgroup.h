/* Control groups: the memory that the groups of this process leave it. Only memory.c and its tests use
 * this. */
#ifndef SPARSIGHT_BASE_CGROUP_H
#define SPARSIGHT_BASE_CGROUP_H

#include <stddef.h>

/* Return the bytes that remain under the memory limits of the control groups of this process: the minimum
 * over its own group and the groups above it; SIZE_MAX if none of them has a limit. File pages that were not
 * touched lately do not count as used, since the system reclaims them before it refuses memory.
 *
 * `root` precedes the paths that are read; it is "" except in tests:
 *
 *     ROOT/proc/self/cgroup                          names the groups
 *     ROOT/sys/fs/cgroup/PATH/memory.max             the limit of a group (version 2), or
 *     ROOT/sys/fs/cgroup/memory/PATH/memory.limit_in_bytes       (version 1)
 *
 * A named group may be invisible, as in a container that has the names of its host. It is skipped. The
 * topmost group is always read. Source: the kernel's admin-guide/cgroup-v2 and cgroup-v1/memory. */
size_t cgroup_memory_left(const char *root);

#endif
