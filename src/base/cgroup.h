/* Control groups: how much memory those that this process is in leave it. Only memory.c uses this, and its
 * tests. */
#ifndef SPARSIGHT_BASE_CGROUP_H
#define SPARSIGHT_BASE_CGROUP_H

#include <stddef.h>

/* Return the bytes that are left under the memory limits of the control groups of this process: the minimum
 * over its own group and the groups above it; SIZE_MAX if none of them has a limit. File pages that were not
 * touched lately do not count as used, since the system reclaims them before it refuses memory.
 *
 * `root` is put before the paths that are read, and is "" but in tests:
 *
 *     ROOT/proc/self/cgroup                          names the groups
 *     ROOT/sys/fs/cgroup/PATH/memory.max             the limit of a group (version 2), or
 *     ROOT/sys/fs/cgroup/memory/PATH/memory.limit_in_bytes       (version 1)
 *
 * A group that is named and not to be seen, as in a container that has the names of its host, is passed over;
 * the topmost group is always looked at. Source: the kernel's admin-guide/cgroup-v2 and cgroup-v1/memory. */
size_t cgroup_memory_left(const char *root);

#endif
