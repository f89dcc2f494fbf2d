/* RAPL: the energy counters of Intel's and AMD's processors, which Linux shows as files
 * (Documentation/power/powercap/powercap.rst in its source). Each domain is a folder:
 *
 *     intel-rapl:0      name "package-0"   a processor package: cores, caches, memory controller
 *     intel-rapl:0:0    name "core"        part of the package
 *     intel-rapl:0:1    name "dram"        the memory behind the package, which is no part of it
 *     intel-rapl:1      name "psys"        the whole platform, with the packages
 *
 * The meter adds all packages and all memories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernels/energy/meter.h"

#define FOLDER "/sys/class/powercap"
#define DOMAINS_MAX 64
#define MICRO 1e-6 /* counters are in microjoules */

/* A domain, with the counter at its last reading. The counter wraps to 0 at `range`. */
struct domain {
    char path[512]; /* of the domain's file energy_uj */
    uint64_t range, last;
};

struct rapl {
    struct domain domain[DOMAINS_MAX];
    int count, packages, memories;
    double joules; /* energy since the meter was opened */
};

/* Read a small file. Returns its number of bytes, or -1 with errno. */
static ssize_t read_file(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t length = read(file, text, size - 1);
    int why = errno;
    close(file);
    errno = why;
    text[length < 0 ? 0 : length] = 0;
    return length;
}

static bool read_number(const char *path, uint64_t *number)
{
    char text[64], *end = text;
    if (read_file(path, text, sizeof text) < 0) return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (errno == 0 && end == text) errno = EIO;
    return errno == 0;
}

static enum status refuse(const char *path, struct error *error)
{
    if (errno == EACCES || errno == EPERM)
        return error_set(error, STATUS_UNAVAILABLE,
                         "RAPL's counters may be read by root alone here (%.200s): "
                         "'sudo chmod a+r " FOLDER
                         "/intel-rapl:*/energy_uj' permits it to all until the next boot",
                         path);
    return error_set(error, STATUS_UNAVAILABLE, "RAPL's counter %.200s cannot be read: %s", path,
                     strerror(errno));
}

/* Return whether a domain is one whose energy is counted, by its name. */
static bool is_package(const char *name)
{
    return strncmp(name, "package", strlen("package")) == 0;
}

static bool is_memory(const char *name)
{
    return strcmp(name, "dram") == 0;
}

/* Add the domain of this folder, if it is a package or a memory. */
static enum status add_domain(struct rapl *rapl, const char *powercap, const char *folder,
                              struct error *error)
{
    struct domain *domain = &rapl->domain[rapl->count];
    char path[sizeof domain->path], name[64];
    snprintf(path, sizeof path, "%.240s/%.200s/name", powercap, folder);
    if (rapl->count == DOMAINS_MAX || read_file(path, name, sizeof name) < 0) return STATUS_OK;
    name[strcspn(name, "\n")] = 0;
    if (!is_package(name) && !is_memory(name)) return STATUS_OK;
    snprintf(path, sizeof path, "%.240s/%.200s/max_energy_range_uj", powercap, folder);
    if (!read_number(path, &domain->range)) return refuse(path, error);
    snprintf(domain->path, sizeof domain->path, "%.240s/%.200s/energy_uj", powercap, folder);
    if (!read_number(domain->path, &domain->last)) return refuse(domain->path, error);
    rapl->packages += is_package(name);
    rapl->memories += is_memory(name);
    rapl->count++;
    return STATUS_OK;
}

static enum status find_domains(struct rapl *rapl, const char *powercap, struct error *error)
{
    enum status status = STATUS_OK;
    DIR *folder = opendir(powercap);
    if (folder) {
        const struct dirent *entry;
        while (status == STATUS_OK && (entry = readdir(folder)))
            if (strncmp(entry->d_name, "intel-rapl:", strlen("intel-rapl:")) == 0)
                status = add_domain(rapl, powercap, entry->d_name, error);
        closedir(folder);
    }
    if (status != STATUS_OK || rapl->packages > 0) return status;
    return error_set(error, STATUS_UNAVAILABLE,
                     "no RAPL here: %.200s has no intel-rapl:* of a processor package. The kernel's module "
                     "intel_rapl_msr makes them; virtual machines and containers often have none",
                     powercap);
}

static enum status open_rapl(struct energy_meter *meter, const char *address, struct error *error)
{
    const char *named = getenv("SPARSIGHT_POWERCAP");
    struct rapl *rapl = meter->state = memory_zeroed(1, sizeof *rapl, error);
    if (!rapl) return STATUS_MEMORY;
    enum status status = find_domains(rapl, named && named[0] ? named : FOLDER, error);
    snprintf(meter->name, sizeof meter->name, "RAPL, %d package%s%s", rapl->packages,
             rapl->packages == 1 ? "" : "s", rapl->memories > 0 ? " with DRAM" : "");
    return status;
}

/* Return the energy of a domain in microjoules since its last reading. A counter below the last reading has
 * wrapped once. */
static uint64_t advance(struct domain *domain, uint64_t now)
{
    uint64_t gained = now >= domain->last ? now - domain->last : domain->range - domain->last + now;
    domain->last = now;
    return gained;
}

static enum status read_rapl(struct energy_meter *meter, double *joules, double *seconds, struct error *error)
{
    struct rapl *rapl = meter->state;
    for (int k = 0; k < rapl->count; k++) {
        uint64_t now;
        if (!read_number(rapl->domain[k].path, &now)) return refuse(rapl->domain[k].path, error);
        rapl->joules += MICRO * (double)advance(&rapl->domain[k], now);
    }
    *joules = rapl->joules;
    *seconds = meter->clock->now(meter->clock->state);
    return STATUS_OK;
}

static void close_rapl(struct energy_meter *meter)
{
    free(meter->state);
    meter->state = NULL;
}

const struct energy_source energy_rapl = {
    .name = "rapl",
    .summary = "the counters of Intel's and AMD's processors: packages, and their memory where it has one",
    .open = open_rapl,
    .read = read_rapl,
    .close = close_rapl,
};
