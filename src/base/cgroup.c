#include "base/cgroup.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PATH_SIZE 4096

/* Version 1 writes a number at least this large for no limit. */
#define NO_LIMIT ((size_t)1 << 62)

/* The mount points of the groups of a version, and the names of their files. */
struct hierarchy {
    const char *mount;
    const char *limit, *used;
    const char *idle; /* the line of memory.stat that counts file pages not used recently */
};

/* Systems with both versions mount the second one below the first, most often without its memory files. */
static const struct hierarchy hierarchies[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/unified", "memory.max", "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

#define HIERARCHIES (sizeof hierarchies / sizeof *hierarchies)
#define FIRST_VERSION (HIERARCHIES - 1) /* the index of version 1 among them */

/* Return the number in a file of one line; SIZE_MAX if there is no such file, or no number in it ("max"). */
static size_t number_in(const char *folder, const char *name)
{
    char path[PATH_SIZE + 64];
    unsigned long long value;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) return SIZE_MAX;
    int read = fscanf(file, "%llu", &value);
    fclose(file);
    return read == 1 && value < SIZE_MAX ? (size_t)value : SIZE_MAX;
}

/* Return the number after a word of memory.stat; 0 if it is missing. */
static size_t statistic(const char *folder, const char *word)
{
    char path[PATH_SIZE + 64], name[64];
    unsigned long long value;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t found = 0;
    while (fscanf(file, "%63s %llu", name, &value) == 2)
        if (strcmp(name, word) == 0) found = (size_t)value;
    fclose(file);
    return found;
}

/* Return the memory that one group leaves; SIZE_MAX if it has no limit or it is unknown. */
static size_t left_in(const struct hierarchy *hierarchy, const char *folder)
{
    size_t limit = number_in(folder, hierarchy->limit);
    if (limit >= NO_LIMIT) return SIZE_MAX;
    size_t used = number_in(folder, hierarchy->used);
    if (used == SIZE_MAX) return SIZE_MAX;
    size_t idle = statistic(folder, hierarchy->idle);
    used -= idle < used ? idle : used;
    return limit > used ? limit - used : 0;
}

/* Return the minimum that the group `name` and the groups above it leave. `name` is "/a/b", or "/" for the
 * topmost one. */
static size_t left_above(const struct hierarchy *hierarchy, const char *root, const char *name)
{
    char folder[PATH_SIZE];
    size_t least = SIZE_MAX, top = strlen(root) + strlen(hierarchy->mount);
    if (strstr(name, "/..")) name = ""; /* a group outside of this process's view */
    int length = snprintf(folder, sizeof folder, "%s%s%s", root, hierarchy->mount, name);
    if (length < 0 || (size_t)length >= sizeof folder) folder[top] = 0;
    for (;;) {
        size_t left = left_in(hierarchy, folder);
        if (left < least) least = left;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= top || !slash) return least;
        *slash = 0;
    }
}

/* True if `word` is one of the words of a list, "cpu,memory", of `length` bytes. */
static bool lists(const char *list, size_t length, const char *word)
{
    size_t wide = strlen(word);
    for (const char *end = list + length; list < end;) {
        size_t next = strcspn(list, ",:");
        if (next == wide && strncmp(list, word, wide) == 0) return true;
        list += next + 1;
    }
    return false;
}

/* Read a line of /proc/self/cgroup, "NUMBER:CONTROLLERS:/PATH": version 2 has number 0 and no controllers. */
static size_t left_by_line(const char *root, char *line)
{
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!name || name[1] != '/') return SIZE_MAX;
    controllers++;
    if (lists(controllers, (size_t)(name - controllers), "memory"))
        return left_above(&hierarchies[FIRST_VERSION], root, name + 1);
    size_t least = SIZE_MAX;
    for (size_t k = 0; controllers == name && k < FIRST_VERSION; k++) {
        size_t left = left_above(&hierarchies[k], root, name + 1);
        if (left < least) least = left;
    }
    return least;
}

size_t cgroup_memory_left(const char *root)
{
    char path[PATH_SIZE], line[PATH_SIZE];
    size_t least = SIZE_MAX, left;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        left = left_by_line(root, line);
        if (left < least) least = left;
    }
    if (file) fclose(file);
    for (size_t k = 0; k < HIERARCHIES; k++) {
        left = left_above(&hierarchies[k], root, "");
        if (left < least) least = left;
    }
    return least;
}
