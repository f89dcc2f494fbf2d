#include "analysis/parts/network.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/pairs.h"
#include "base/topology.h"
#include "kernels/timing/processor.h"

#define FILE_MAX 16384

/* Bounds of plausible numbers. No signal between two cores takes less than 10 ns, and messages over Ethernet
 * take some 100 us. A memory channel moves more than 10 GB/s, an adapter for a fast Ethernet 0.01 GB/s; no
 * core copies a TB/s. */
#define LATENCY_LEAST_US 0.01
#define LATENCY_MOST_US 1000
#define NEAR_LATENCY_MOST_US 100
#define BANDWIDTH_LEAST_GBS 0.005
#define BANDWIDTH_MOST_GBS 1000
#define NEAR_BANDWIDTH_LEAST_GBS 0.05
#define CROWD_MOST 64 /* more says that something else ran */

/* --- names and folders --- */

void network_name_here(char name[NETWORK_NAME])
{
    struct processor here = {.there = false};
    size_t length = 0;
    processor_identify(&here);
    for (const char *c = here.title; *c && length < NETWORK_NAME - 16; c++)
        if (isalnum((unsigned char)*c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && name[length - 1] != '-')
            name[length++] = '-';
    const int cores = topology_cores(topology_here(), NULL);
    snprintf(name + length, NETWORK_NAME - length, "%s%d", length && name[length - 1] != '-' ? "-" : "",
             cores > 0 ? cores : here.threads);
}

enum status network_set_name(struct network *network, const char *name, struct error *error)
{
    if (!*name || *name == '.' || strpbrk(name, "/=:") || strlen(name) >= sizeof network->name)
        return error_set(error, STATUS_USAGE,
                         "the name of a network is a file name of at most %d characters without / = and :, "
                         "that begins with no dot",
                         NETWORK_NAME - 1);
    snprintf(network->name, sizeof network->name, "%s", name);
    return STATUS_OK;
}

/* Append the folder of the profiles. Returns the length of the home at its beginning. */
static size_t append_folder(struct text *path)
{
    const size_t home = folder_append(path, FOLDER_CACHE);
    if (path->length) text_append(path, "/networks");
    return home;
}

/* --- plausibility --- */

static bool within(double value, double least, double most)
{
    return value >= least && value <= most;
}

bool network_implausible(const struct network_profile *profile, char out[NETWORK_WORDS])
{
    const struct network *network = &profile->network;
    const bool several = network->node > 1;
    const struct {
        bool wanted;
        const char *what, *unit;
        double value, least, most;
    } numbers[] = {
        {true, "the latency", "us", network->latency_us, LATENCY_LEAST_US, LATENCY_MOST_US},
        {true, "the bandwidth", "GB/s", network->bandwidth_gbs, BANDWIDTH_LEAST_GBS, BANDWIDTH_MOST_GBS},
        {several, "the latency within a node", "us", network->near_latency_us, LATENCY_LEAST_US,
         NEAR_LATENCY_MOST_US},
        {several, "the bandwidth within a node", "GB/s", network->near_bandwidth_gbs,
         NEAR_BANDWIDTH_LEAST_GBS, BANDWIDTH_MOST_GBS},
        {several && network->crowd != 0, "the time of computing beside the ranks of the node",
         "times that of one alone", network->crowd, 1, CROWD_MOST},
        {several && network->memory_crowd != 0, "the time of reading memory beside the ranks of the node",
         "times that of one alone", network->memory_crowd, 1, CROWD_MOST}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!numbers[k].wanted || within(numbers[k].value, numbers[k].least, numbers[k].most)) continue;
        snprintf(out, NETWORK_WORDS, "%s came out as %.3g %s, and %g to %g are plausible", numbers[k].what,
                 numbers[k].value, numbers[k].unit, numbers[k].least, numbers[k].most);
        return true;
    }
    return false;
}

/* --- text --- */

void network_describe(const struct network_profile *profile, struct text *text)
{
    const struct network *network = &profile->network;
    text_append(text, "# Measured by sparsight-mpi report --network=measure: latencies in us, bandwidths in "
                      "10^9 bytes/s of a rank that sends and receives\n");
    text_append(text, "title = %s\ndate = %s\nranks = %d\nnodes = %d\nnode = %d\n", profile->title,
                network->date, profile->ranks, profile->nodes, network->node);
    if (profile->nodes <= 1) text_append(text, "# of one node: the next two are assumed\n");
    text_append(text, "latency = %.4g\nbandwidth = %.4g\n", network->latency_us, network->bandwidth_gbs);
    if (network->node > 1)
        text_append(text, "near latency = %.4g\nnear bandwidth = %.4g\ncrowd = %.4g\nmemory crowd = %.4g\n",
                    network->near_latency_us, network->near_bandwidth_gbs, network->crowd,
                    network->memory_crowd);
}

static enum status read_count(const struct pairs *pairs, const char *key, const char *value, int *count)
{
    double number = 0;
    enum status status = pairs_numbers(pairs, key, value, &number, 1);
    if (status != STATUS_OK) return status;
    if (!(number >= 1 && number <= 1 << 24) || number != floor(number))
        return pairs_wrong(pairs, key, "this is no number of ranks or nodes");
    *count = (int)number;
    return STATUS_OK;
}

static enum status read_pair(const struct pairs *pairs, void *self, const char *key, const char *value)
{
    struct network_profile *profile = self;
    struct network *network = &profile->network;
    const struct {
        const char *key;
        double *number;
        int *count;
    } numbers[] = {{"latency", &network->latency_us, NULL},
                   {"bandwidth", &network->bandwidth_gbs, NULL},
                   {"near latency", &network->near_latency_us, NULL},
                   {"near bandwidth", &network->near_bandwidth_gbs, NULL},
                   {"crowd", &network->crowd, NULL},
                   {"memory crowd", &network->memory_crowd, NULL},
                   {"node", NULL, &network->node},
                   {"ranks", NULL, &profile->ranks},
                   {"nodes", NULL, &profile->nodes}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(key, numbers[k].key) != 0) continue;
        return numbers[k].number ? pairs_numbers(pairs, key, value, numbers[k].number, 1)
                                 : read_count(pairs, key, value, numbers[k].count);
    }
    if (strcmp(key, "title") == 0)
        snprintf(profile->title, sizeof profile->title, "%.127s", value);
    else if (strcmp(key, "date") == 0)
        snprintf(network->date, sizeof network->date, "%.23s", value);
    else
        return pairs_wrong(pairs, key, "a network has no such key");
    text_visible(profile->title);
    text_visible(network->date);
    return STATUS_OK;
}

enum status network_read_profile(const char *text, size_t length, const char *path,
                                 struct network_profile *profile, struct error *error)
{
    struct pairs pairs = {
        .path = path,
        .remedy = "'sparsight-mpi report --network=measure' measures the network again",
        .error = error,
    };
    char why[NETWORK_WORDS];
    *profile = (struct network_profile){.network.node = 1};
    enum status status = pairs_read(&pairs, text, length, read_pair, profile);
    if (status == STATUS_OK && profile->network.node > NETWORK_NODE_MAX)
        status = pairs_wrong(&pairs, "node", "these are too many ranks");
    if (status == STATUS_OK && network_implausible(profile, why))
        status = pairs_wrong(&pairs, "profile", why);
    const char *slash = strrchr(path, '/');
    snprintf(profile->network.name, sizeof profile->network.name, "%.95s", slash ? slash + 1 : path);
    if (status != STATUS_OK) *profile = (struct network_profile){0};
    return status;
}

/* --- files --- */

enum status network_keep(const struct network_profile *profile, struct text *path, struct error *error)
{
    struct text text = {0};
    char why[NETWORK_WORDS];
    if (network_implausible(profile, why))
        return error_set(error, STATUS_INPUT,
                         "the network is not kept: %s; measure again while nothing else runs", why);
    const size_t home = append_folder(path);
    if (path->length) text_append(path, "/%s", profile->network.name);
    network_describe(profile, &text);
    enum status status = folder_keep(path, home, &text, "the network", error);
    text_free(&text);
    return status;
}

/* Name the saved profiles in an error. */
static enum status refuse_missing(const char *name, const char *path, int number, struct error *error)
{
    struct text folder = {0}, names = {0};
    append_folder(&folder);
    DIR *open = folder.length && !folder.failed && !strchr(name, '/') ? opendir(folder.data) : NULL;
    const struct dirent *entry;
    while (open && (entry = readdir(open)))
        if (entry->d_name[0] != '.') text_append(&names, "%s%s", names.length ? ", " : "", entry->d_name);
    if (open) closedir(open);
    enum status status = error_at(
        error, STATUS_IO, path, 0, 0, "--network=%.80s: %s; the kept networks are %.300s", name,
        strerror(number),
        names.length && !names.failed ? names.data : "none: 'mpirun sparsight-mpi report --network=measure'");
    text_free(&folder);
    text_free(&names);
    return status;
}

static enum status read_file(const char *name, const char *path, struct network_profile *profile,
                             struct error *error)
{
    char text[FILE_MAX];
    FILE *file = fopen(path, "r");
    if (!file) return refuse_missing(name, path, errno, error);
    const size_t length = fread(text, 1, sizeof text, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed || length == sizeof text)
        return error_at(error, STATUS_INPUT, path, 0, 0, "this is no profile of a network");
    return network_read_profile(text, length, path, profile, error);
}

enum status network_find(const char *name, struct network *network, struct error *error)
{
    struct text path = {0};
    struct network_profile profile = {0};
    if (!strchr(name, '/')) {
        append_folder(&path);
        text_append(&path, "/");
    }
    text_append(&path, "%s", name);
    enum status status = path.failed ? error_set(error, STATUS_MEMORY, "out of memory")
                                     : read_file(name, path.data, &profile, error);
    *network = profile.network;
    text_free(&path);
    return status;
}

enum status network_here(struct network *network, bool *kept, struct error *error)
{
    char name[NETWORK_NAME];
    struct text path = {0};
    struct network_profile profile = {0};
    const char *other = getenv("SPARSIGHT_PROCESSOR"); /* if set, predictions are for another machine */
    enum status status = STATUS_OK;
    *kept = false;
    *network = (struct network){.latency_us = NETWORK_LATENCY_US, .bandwidth_gbs = NETWORK_BANDWIDTH_GBS};
    if (other && *other) return STATUS_OK;
    network_name_here(name);
    append_folder(&path);
    const bool placed = path.length > 0 || path.failed;
    text_append(&path, "/%s", name);
    if (path.failed)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    else if (placed && access(path.data, R_OK) == 0)
        *kept = read_file(name, path.data, &profile, NULL) == STATUS_OK;
    if (*kept) *network = profile.network;
    text_free(&path);
    return status;
}
