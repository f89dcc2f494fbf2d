#include "report/host.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/threads.h"
#include "kernels/cpu/cpu.h"
#include "report/json_write.h"

#ifdef __clang__
#    define COMPILER __VERSION__
#else
#    define COMPILER "gcc " __VERSION__
#endif

/* The processor's name as Linux gives it; null elsewhere, and on architectures that have none there. */
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

json_t *host_json(void)
{
    return json_pack("{s:o, s:i, s:i, s:o, s:o, s:s, s:i, s:s}", "cpu", cpu_json(), "cpus",
                     omp_get_num_procs(), "threads", threads_count(), "memory", memory_json(), "system",
                     system_json(), "compiler", COMPILER, "openmp", _OPENMP, "instruction_set",
                     loops_for(PRECISION_F64)->isa);
}
