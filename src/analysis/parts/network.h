/* Profiles of networks: the measured times of messages between the ranks of an MPI program, saved in
 * $XDG_CACHE_HOME/sparsight/networks, by default ~/.cache/sparsight/networks, beside those of processors
 * (kernels/timing/processor.h). A profile is a text of lines "key = value". */
#ifndef SPARSIGHT_ANALYSIS_PARTS_NETWORK_H
#define SPARSIGHT_ANALYSIS_PARTS_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/parts/scaling.h"
#include "base/error.h"
#include "base/text.h"

/* The measured times of messages. */
struct network_profile {
    struct network network; /* its `name` is that of the file, without folders */
    char title[128];        /* the system's name of the processors */
    int ranks, nodes;       /* of the measurement; of one node, messages beyond it are assumed */
};

/* The name under which this machine's profile is saved: that of its processors and their number. */
void network_name_here(char name[NETWORK_NAME]);

/* Set the name of a network to measure. STATUS_USAGE if it is no file name. */
enum status network_set_name(struct network *network, const char *name, struct error *error);

/* Write why a measured profile is implausible, as when other programs kept the processors busy. False if it
 * is plausible. */
#define NETWORK_WORDS 256
bool network_implausible(const struct network_profile *profile, char out[NETWORK_WORDS]);

/* Append the profile. */
void network_describe(const struct network_profile *profile, struct text *text);

/* Read the profile text[0 .. length-1], the file `path` in messages. STATUS_INPUT with the line and the
 * fault, and for an implausible one. */
enum status network_read_profile(const char *text, size_t length, const char *path,
                                 struct network_profile *profile, struct error *error);

/* Save the profile by network.name; its path is appended to *path. STATUS_INPUT if it is implausible,
 * STATUS_IO, STATUS_MEMORY. */
enum status network_keep(const struct network_profile *profile, struct text *path, struct error *error);

/* Read the saved profile of this name, or the file of this path, which has a '/'. STATUS_IO with the names of
 * the saved profiles if it is missing; the errors of network_read_profile. */
enum status network_find(const char *name, struct network *network, struct error *error);

/* The network of predictions if the user names none: the saved profile of this machine, or else the default,
 * also if SPARSIGHT_PROCESSOR names the processors of another machine.
 * *kept becomes false for the default. STATUS_MEMORY, with the default. */
enum status network_here(struct network *network, bool *kept, struct error *error);

#endif
